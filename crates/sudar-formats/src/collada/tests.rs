#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may fail")]

use std::path::Path;

use sudar::{DMat3, DVec3};

use crate::{Cause, Format, Model, NoteKind, Place, read_bytes};

/// A square of two triangles, by the text of its primitive, under the nodes of a scene.
fn file(asset: &str, primitive: &str, nodes: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\">\
         <asset>{asset}</asset><library_geometries><geometry id=\"g\" name=\"square\"><mesh>\
         <source id=\"p\"><float_array id=\"a\" count=\"16\">9 0 0 0 9 1 0 0 9 1 1 0 9 <!-- c --> 0 1 0</float_array>\
         <technique_common><accessor source=\"#a\" count=\"4\" offset=\"0\" stride=\"4\"><param/><param name=\"X\"/>\
         <param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>{primitive}</mesh></geometry>\
         </library_geometries><library_nodes><node id=\"held\"><translate>0 0 2</translate>\
         <instance_geometry url=\"#g\"/></node></library_nodes><library_visual_scenes><visual_scene id=\"other\"/>\
         <visual_scene id=\"s\">{nodes}</visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    )
}

const PLAIN: &str = "<node><instance_geometry url=\"#g\"/></node>";
const VERTEX: &str = "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>";

fn read(text: &str) -> Result<Model, Cause> {
    read_bytes(text.as_bytes(), Format::Collada, "x.dae").map_err(|error| error.cause)
}

/// The model of a primitive that is shown once.
fn shown(primitive: &str) -> Result<Model, Cause> {
    read(&file("", primitive, PLAIN))
}

/// The model of the square under nodes.
fn posed(nodes: &str) -> Result<Model, Cause> {
    read(&file("", &format!("<triangles>{VERTEX}<p>0 1 2 0 2 3</p></triangles>"), nodes))
}

fn corner(model: &Model, part: usize, vertex: usize) -> DVec3 {
    let part = &model.parts[part];
    part.pose.apply(model.meshes[part.mesh].vertices()[vertex])
}

#[test]
fn every_primitive_gives_the_same_square() {
    let both = "<input semantic=\"NORMAL\" source=\"#n\" offset=\"0\"/>\
                <input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/>";
    for primitive in [
        format!("<triangles>{VERTEX}<p>0 1 2 0 2 3</p></triangles>"),
        format!("<triangles>{both}<p>7 0 7 1 7 2 7 0 7 2 7 3</p></triangles>"),
        format!("<polylist>{VERTEX}<vcount>4</vcount><p>0 1 2 3</p></polylist>"),
        format!("<polygons>{VERTEX}<p>0 1 2 3</p></polygons>"),
        format!("<trifans>{VERTEX}<p>0 1 2 3</p></trifans>"),
        format!("<triangles>{VERTEX}<p>0 1 2</p></triangles><triangles>{VERTEX}<p>0 2 3</p></triangles>"),
    ] {
        let model = shown(&primitive).unwrap();
        assert_eq!(model.meshes[0].triangles(), [[0, 1, 2], [0, 2, 3]], "{primitive}");
        assert_eq!(model.meshes[0].vertices()[2], DVec3::new(1.0, 1.0, 0.0));
        assert_eq!((model.parts[0].name.as_str(), model.unit), ("square", Some(1.0)));
    }
    let strip = shown(&format!("<tristrips>{VERTEX}<p>1 2 0 3</p></tristrips>")).unwrap();
    assert_eq!(strip.meshes[0].triangles(), [[1, 2, 0], [0, 2, 3]]);
}

/// A model with points of its own.
fn of_points(points: &[DVec3], primitive: &str) -> Result<Model, Cause> {
    let numbers: Vec<String> = points.iter().map(|p| format!("{} {} {}", p.x, p.y, p.z)).collect();
    let source = format!("<source id=\"own\"><float_array>{}</float_array></source>", numbers.join(" "));
    let input = "<input semantic=\"VERTEX\" source=\"#own\"/>";
    // Sources may follow what names them.
    shown(&(primitive.replace("<polygons>", &format!("<polygons>{input}")) + &source))
}

fn list(ring: &[usize]) -> String {
    ring.iter().map(|i| format!("{i} ")).collect()
}

/// The corners of a square in a plane, one after the other about the normal.
fn square(half: f64, z: f64) -> [DVec3; 4] {
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(half * x, half * y, z))
}

/// The area of the triangles, each with its normal along one direction.
fn area(model: &Model, normal: DVec3) -> f64 {
    let mesh = &model.meshes[0];
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| mesh.vertices()[i as usize]);
        (b - a).cross(c - a).dot(normal) / 2.0
    };
    mesh.triangles().iter().map(of).sum()
}

#[test]
fn a_plate_with_a_hole_is_watertight() {
    let turn = DMat3::from_rotation_x(0.7) * DMat3::from_rotation_y(-0.4);
    for turn in [DMat3::IDENTITY, turn, -turn] {
        // Of a mirrored plate all faces run the other way round.
        let ring = |ring: &[usize]| {
            let mut ring = ring.to_vec();
            if turn.determinant() < 0.0 {
                ring.reverse();
            }
            list(&ring)
        };
        let squares = [square(2.0, 0.0), square(1.0, 0.0), square(2.0, 0.5), square(1.0, 0.5)];
        let points: Vec<DVec3> = squares.concat().into_iter().map(|p| turn * p).collect();
        let face = |outline: &[usize], hole: &[usize]| {
            format!("<ph><p>{}</p><h>{}</h></ph>", ring(outline), list(hole))
        };
        // Holes may run either way.
        let mut faces = face(&[3, 2, 1, 0], &[4, 5, 6, 7]) + &face(&[8, 9, 10, 11], &[12, 13, 14, 15]);
        for i in 0..4 {
            let j = (i + 1) % 4;
            faces += &format!("<p>{}</p>", ring(&[i, j, 8 + j, 8 + i]));
            faces += &format!("<p>{}</p>", ring(&[4 + j, 4 + i, 12 + i, 12 + j]));
        }
        let model = of_points(&points, &format!("<polygons>{faces}</polygons>")).unwrap();
        assert!(model.notes.is_empty(), "{:?}", model.notes);
        let mesh = &model.meshes[0];
        assert!(mesh.topology().is_closed());
        // Two faces of eight triangles, and eight sides of two.
        assert_eq!(mesh.triangles().len(), 32);
        let up = turn * DVec3::Z;
        assert!(area(&model, up).abs() < 1e-12);
        let top =
            of_points(&points, &format!("<polygons>{}</polygons>", face(&[8, 9, 10, 11], &[12, 13, 14, 15])));
        assert!((area(&top.unwrap(), up) - 12.0).abs() < 1e-12);
        let volume: f64 = mesh
            .triangles()
            .iter()
            .map(|t| t.map(|i| mesh.vertices()[i as usize]))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        assert!((volume - 6.0).abs() < 1e-12, "{volume}");
    }
}

#[test]
fn holes_that_cannot_be_cut_out_are_filled() {
    let mut points = [square(2.0, 0.0), square(1.0, 0.0), square(3.0, 0.0)].concat();
    points.extend(square(1.0, 0.0).map(|p| p + DVec3::X * 9.0));
    points.extend(square(0.2, 0.0).map(|p| p + DVec3::X * 1.5));
    let read = |holes: &[&[usize]]| {
        let holes: String = holes.iter().map(|hole| format!("<h>{}</h>", list(hole))).collect();
        of_points(&points, &format!("<polygons><ph><p>0 1 2 3</p>{holes}</ph></polygons>")).unwrap()
    };
    let good: &[usize] = &[16, 17, 18, 19];
    // Outside, around the outline, without enough corners; others are cut out.
    for bad in [&[12, 13, 14, 15], &[8, 9, 10, 11], &[4, 4, 5, 4][..], &[4, 5], &[4], &[]] {
        let model = read(&[bad, good]);
        assert_eq!((model.notes[0].kind, model.notes[0].count), (NoteKind::FilledHole, 1), "{bad:?}");
        assert!((area(&model, DVec3::Z) - (16.0 - 0.16)).abs() < 1e-12, "{bad:?}");
    }
    // Corners that repeat are one; without holes it is a polygon.
    let model = read(&[&[4, 4, 5, 6, 6, 7, 4], good]);
    assert!(model.notes.is_empty() && (area(&model, DVec3::Z) - (12.0 - 0.16)).abs() < 1e-12);
    assert!((area(&read(&[]), DVec3::Z) - 16.0).abs() < 1e-12);
    // What is no polygon is left out, as without holes.
    let short = "<polygons><p>0 1 2</p><ph><p>0 0 1</p><h>4 5 6</h></ph></polygons>";
    let model = of_points(&points, short).unwrap();
    assert_eq!((model.triangles(), model.notes[0].kind), (1, NoteKind::ShortFace));
}

#[test]
fn senseless_holes_are_read_in_time() {
    let mut random = sudar_testing::Random::new(8);
    let points: Vec<DVec3> = (0..30)
        .map(|_| DVec3::new(random.number(), random.number(), 0.2 * random.number()))
        .chain([1e300, -1e300, 1e-300].map(|x| DVec3::new(x, -x, 1.0)))
        .collect();
    for _ in 0..500 {
        let mut ring = |most| {
            let count = random.below(most);
            list(&(0..count).map(|_| random.below(points.len())).collect::<Vec<_>>())
        };
        let outline = ring(9);
        let holes: String = (0..4).map(|_| format!("<h>{}</h>", ring(6))).collect();
        let _ = of_points(&points, &format!("<polygons><ph><p>{outline}</p>{holes}</ph></polygons>"));
    }
    // Each hole is beyond a wall that none of the corners sees through.
    let mut points = square(1.0, 0.0).to_vec();
    let mut holes = String::new();
    for i in 0..3000 {
        let at = points.len();
        points.extend(square(1e-5, 0.0).map(|p| p + DVec3::X * (f64::from(i) * 1e-4 + 5.0)));
        holes += &format!("<h>{}</h>", list(&[at, at + 1, at + 2, at + 3]));
    }
    let face = format!("<ph><p>0 1 2 3</p>{holes}</ph>");
    let began = std::time::Instant::now();
    let model = of_points(&points, &format!("<polygons>{}</polygons>", face.repeat(20))).unwrap();
    assert_eq!((model.triangles(), model.notes[0].kind), (40, NoteKind::FilledHole));
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[test]
fn lines_and_empty_elements_are_no_faces() {
    let text = format!(
        "<lines>{VERTEX}<p>0 1</p></lines><triangles count=\"0\"/><triangles>{VERTEX}<p>0 1 2</p></triangles>"
    );
    let model = shown(&text).unwrap();
    assert_eq!(model.triangles(), 1);
    assert_eq!(model.notes[0].kind, NoteKind::Line);
    assert!(matches!(shown("<lines/>"), Err(Cause::NoTriangles { .. })));
}

#[test]
fn transforms_apply_from_the_last_to_the_first() {
    // Scaled by 2, turned by 90 degrees about z, moved by (5, 0, 0): (1, 1, 0) → (2, 2, 0) → (−2, 2, 0) → (3, 2, 0).
    let steps = "<translate>5 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>";
    let inner =
        format!("<node name=\"arm\">{steps}<node id=\"hand\"><instance_geometry url=\"#g\"/></node></node>");
    let model = posed(&inner).unwrap();
    assert!((corner(&model, 0, 2) - DVec3::new(3.0, 2.0, 0.0)).length() < 1e-15);
    assert_eq!(model.parts[0].name, "hand");
    let matrix =
        "<node><matrix>0 -2 0 5 2 0 0 0 0 0 2 0 0 0 0 1</matrix><instance_geometry url=\"#g\"/></node>";
    assert_eq!(corner(&posed(matrix).unwrap(), 0, 2), DVec3::new(3.0, 2.0, 0.0));
    // By 45 degrees along x, in proportion to y: (1, 1, 0) → (2, 1, 0).
    let skew = "<node><skew>45 0 1 0 1 0 0</skew><instance_geometry url=\"#g\"/></node>";
    assert!((corner(&posed(skew).unwrap(), 0, 2) - DVec3::new(2.0, 1.0, 0.0)).length() < 1e-15);
}

#[test]
fn instances_share_a_mesh_and_mirrored_ones_are_wound_back() {
    let nodes = "<node><translate>1 0 0</translate><instance_node url=\"#held\"/><instance_geometry url=\"#g\"/></node>\
                 <node><scale>-1 1 1</scale><instance_geometry url=\"#g\"/></node>";
    let model = posed(nodes).unwrap();
    assert_eq!((model.parts.len(), model.meshes.len()), (3, 2));
    assert_eq!(corner(&model, 0, 0), DVec3::new(1.0, 0.0, 2.0));
    assert_eq!(corner(&model, 1, 0), DVec3::new(1.0, 0.0, 0.0));
    assert_eq!(corner(&model, 2, 1), DVec3::new(-1.0, 0.0, 0.0));
    let triangle = model.posed(&model.parts[2]).unwrap().triangle(0);
    assert!((triangle.b - triangle.a).cross(triangle.c - triangle.a).z > 0.0);
    assert_eq!(model.notes[0].kind, NoteKind::BakedMesh);
}

#[test]
fn skinned_meshes_are_at_rest() {
    let text = posed("<node><instance_controller url=\"#c\"/></node>");
    assert!(matches!(text, Err(Cause::Unsupported { .. })));
    let skin = "<library_controllers><controller id=\"c\"><skin source=\"#g\"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 7 \
                0 0 0 1</bind_shape_matrix></skin></controller></library_controllers><scene>";
    let text = file(
        "",
        &format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>"),
        "<node><instance_controller url=\"#c\"/></node>",
    );
    let model = read(&text.replace("<scene>", skin)).unwrap();
    assert_eq!(corner(&model, 0, 0), DVec3::new(0.0, 0.0, 7.0));
    assert_eq!(model.notes[0].kind, NoteKind::RestShape);
}

#[test]
fn the_unit_and_the_axis_that_points_up_are_said() {
    let triangle = format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>");
    let asset = "<contributor><authoring_tool>Tool 1</authoring_tool></contributor>\
                 <unit name=\"inch\" meter=\"0.0254\"/><up_axis>Y_UP</up_axis>";
    let model = read(&file(asset, &triangle, PLAIN)).unwrap();
    assert_eq!(model.unit, Some(0.0254));
    assert_eq!(model.info, ["up axis: Y_UP", "authoring tool: Tool 1"]);
    for meter in ["0", "-1", "nan", "inf", "x"] {
        let asset = format!("<unit meter=\"{meter}\"/>");
        assert!(matches!(read(&file(&asset, &triangle, PLAIN)), Err(Cause::Expected { .. })), "{meter}");
    }
}

#[test]
fn what_does_not_hold_is_refused_with_its_line() {
    let refused = |primitive: &str| shown(primitive).unwrap_err().to_string();
    let triangles = |indices: &str| refused(&format!("<triangles>{VERTEX}\n<p>{indices}</p></triangles>"));
    assert!(triangles("0 1 4").starts_with("line 3: vertex 4 does not exist, 4 are defined"));
    assert!(triangles("0 1 -1").starts_with("line 3: vertex -1 does not exist"));
    assert!(triangles("0 1").starts_with("line 3: expected a multiple of three corners, found 2"));
    assert!(triangles("0 1 x").starts_with("line 3: expected a whole number, found `x`"));
    for counts in ["3 2", "3", "-1", "9223372036854775807"] {
        let list = format!("<polylist>{VERTEX}<vcount>{counts}</vcount><p>0 1 2 3</p></polylist>");
        assert!(refused(&list).contains("as many corners as `vcount` has"), "{counts}");
    }
    assert!(refused("<triangles><p>0 1 2</p></triangles>").contains("semantic VERTEX"));
    let holes = |text: &str| refused(&format!("<polygons>{VERTEX}\n<ph>{text}</ph></polygons>"));
    assert!(holes("<p>0 1 2</p><h>0 1 4</h>").starts_with("line 3: vertex 4 does not exist"));
    assert!(holes("<p>0 1 2</p><h>0 x</h>").starts_with("line 3: expected a whole number"));
    assert!(holes("<h>0 1 2</h>").starts_with("line 3: expected an outline (p) in `ph`"));
    let list = format!("<polylist>{VERTEX}<vcount>3</vcount><ph><p>0 1 2</p></ph></polylist>");
    assert!(refused(&list).contains("polygons with holes (ph) in `polygons` alone"));
    let far = posed("<node><instance_geometry url=\"b.dae#g\"/></node>").unwrap_err().to_string();
    assert!(far.contains("`b.dae#g` is in another file"), "{far}");
    let matrix =
        "<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix><instance_geometry url=\"#g\"/></node>";
    assert!(posed(matrix).unwrap_err().to_string().contains("the last row 0 0 0 1"));
    let claim = file("", &format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>"), PLAIN)
        .replace("count=\"4\"", "count=\"4000000000\"");
    assert!(matches!(read(&claim), Err(Cause::Claim { claimed: 4_000_000_000, room: 4, .. })));
}

#[test]
fn malicious_files_are_refused_in_time() {
    // Nodes that hold themselves, directly and by the billion.
    let circle = "<node id=\"n\"><instance_node url=\"#n\"/></node>";
    assert!(posed(circle).unwrap_err().to_string().contains("nested more than 250 deep"));
    let doubled = |i: usize| {
        let next = format!("<instance_node url=\"#n{}\"/>", i + 1);
        format!("<node id=\"n{i}\">{next}{next}</node>")
    };
    let mut billion: String = (0..40).map(doubled).collect();
    billion += "<node id=\"n40\"><instance_geometry url=\"#g\"/></node>";
    assert!(posed(&billion).unwrap_err().to_string().contains("too many for a file of this size"));
    // Deep nesting, entities, and what is no XML.
    let deep = "<a>".repeat(200_000);
    assert!(matches!(read(&deep), Err(Cause::Expected { .. })));
    let entity = "<!DOCTYPE COLLADA [<!ENTITY a \"b\">]><COLLADA>&a;</COLLADA>";
    assert!(matches!(read(entity), Err(Cause::Expected { place: Place::Line(1), .. })));
    assert!(matches!(read("<x/>"), Err(Cause::Expected { .. })));
    assert!(matches!(read("v 0 0 0"), Err(Cause::Expected { .. })));
}

#[test]
fn files_are_known_by_ending_and_content() {
    assert_eq!(Format::from_path(Path::new("a.DAE.gz")), Ok(Format::Collada));
    let text = file("", &format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>"), PLAIN);
    assert_eq!(crate::read_named(text.as_bytes(), "model").unwrap().triangles(), 1);
    let misnamed = crate::read_named(text.as_bytes(), "model.stl").unwrap_err();
    assert!(misnamed.to_string().contains("COLLADA"), "{misnamed}");
}
