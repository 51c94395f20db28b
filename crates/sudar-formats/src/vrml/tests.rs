use std::path::Path;

use sudar::mass::{MassProperties, mass_properties};
use sudar::{DVec3, Shape};

use super::parse::nodes;
use super::*;
use crate::{Format, NoteKind, read_bytes, write_bytes};

fn parse(body: &str) -> Result<Model, Cause> {
    read(format!("#VRML V2.0 utf8\n{body}").as_bytes(), "file", None)
}

fn refusal(body: &str) -> String {
    parse(body).unwrap_err().to_string()
}

fn shape(geometry: &str) -> String {
    format!("Shape {{ geometry {geometry} }}")
}

/// Of everything in the file, which is closed.
fn mass(body: &str) -> MassProperties {
    let model = parse(body).unwrap();
    mass_properties(&Shape::from(model.merged().unwrap())).unwrap()
}

/// The corner of a cube, its faces outward; with a polygon that is wound the other way if `ccw` is FALSE.
const CORNER: &str = "IndexedFaceSet { coord DEF P Coordinate { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] }
    coordIndex [ 0 2 1 -1 0,1,3 -1 1 2 3 -1 2 0 3 ] solid FALSE creaseAngle 1.5
    color Color { color [ 1 0 0 ] } colorPerVertex FALSE texCoordIndex [ 0 1 2 -1 ] }";

#[test]
fn solids_face_outward_and_have_their_volumes() {
    let near = |body: &str, volume: f64, center: DVec3| {
        let found = mass(&shape(body));
        assert!((found.mass / volume - 1.0).abs() < 0.02, "{body}: {}", found.mass);
        assert!((found.center - center).length() < 0.02, "{body}: {}", found.center);
    };
    let pi = std::f64::consts::PI;
    near("Box { }", 8.0, DVec3::ZERO);
    near("Box { size 1 2 3 }", 6.0, DVec3::ZERO);
    near("Sphere { radius 2 }", 4.0 / 3.0 * pi * 8.0, DVec3::ZERO);
    near("Cylinder { height 3 }", 3.0 * pi, DVec3::ZERO);
    near("Cone { bottomRadius 2 height 4 }", 4.0 * pi * 4.0 / 3.0, DVec3::Y * -1.0);
    near(CORNER, 1.0 / 6.0, DVec3::splat(0.25));
    near("Extrusion { }", 4.0, DVec3::Y * 0.5);
    near("Extrusion { spine [ 0 0 0 0 0 3 ] scale [ 1 1 2 2 ] }", 4.0 * 7.0, DVec3::Z * 51.0 / 28.0);
    // A bent pipe. Its middle section is as wide as the others on the bisector, so that the legs taper: quads
    // of area 4 + 2√2, 2 deep.
    near(
        "Extrusion { crossSection [ 1 1, 1 -1, -1 -1, -1 1, 1 1 ] spine [ 0 0 0, 0 4 0, 4 4 0 ] }",
        8.0 * (2.0 + 2.0f64.sqrt()),
        DVec3::new(1.0155, 2.9845, 0.0),
    );
    assert!(
        parse(&shape("Cone { bottom FALSE }")).unwrap().merged().unwrap().topology().faults.boundary_edges
            == 32
    );
    assert_eq!(mass(&shape(&CORNER.replace("solid", "ccw FALSE solid"))).mass, -1.0 / 6.0);
}

#[test]
fn terrain_is_seen_from_above() {
    let grid = "ElevationGrid { xDimension 3 zDimension 2 xSpacing 2 zSpacing 5 height [ 0 1 0, 0 1 0 ] }";
    let mesh = parse(&shape(grid)).unwrap().merged().unwrap();
    assert_eq!(mesh.triangles().len(), 4);
    assert_eq!(mesh.aabb().max, DVec3::new(4.0, 1.0, 5.0));
    for i in 0..4 {
        let t = mesh.triangle(i);
        assert!((t.b - t.a).cross(t.c - t.a).y > 0.0);
    }
    let large = grid.replace("zDimension 2", "zDimension 1000000000");
    assert_eq!(
        refusal(&shape(&large)),
        "line 2: claims 3000000000 heights, but the rest of the file has room for at most 6; it is cut short or damaged"
    );
}

#[test]
fn transforms_nest_with_center_and_scale_orientation() {
    // The point (1, 0, 0) turned by a quarter about z through (1, 1, 0): goes to (2, 1, 0); then moved.
    let body = "Transform { translation 10 0 0 children DEF arm Transform { center 1 1 0 rotation 0 0 2 1.5707963267948966
        children Shape { geometry Box { size 2 0.5 0.25 } } } }";
    let model = parse(body).unwrap();
    assert_eq!((model.parts[0].name.as_str(), model.meshes.len()), ("arm", 1));
    let at = model.parts[0].pose.apply(DVec3::X);
    assert!((at - DVec3::new(12.0, 1.0, 0.0)).length() < 1e-15, "{at}");
    // Doubled along the diagonal of x and y: (1, 1) becomes (2, 2), and (1, −1) stays.
    let body = "Transform { scaleOrientation 0 0 1 0.7853981633974483 scale 2 1 1 children Shape { geometry
        IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 1 0 1 -1 0 ] } coordIndex [ 0 2 1 ] } } }";
    let model = parse(body).unwrap();
    let mesh = model.merged().unwrap();
    for (vertex, expected) in
        mesh.vertices().iter().zip([DVec3::ZERO, DVec3::new(2.0, 2.0, 0.0), DVec3::new(1.0, -1.0, 0.0)])
    {
        assert!((*vertex - expected).length() < 1e-15, "{vertex}");
    }
    assert_eq!(model.notes[0].kind, NoteKind::BakedMesh);
    // Mirrored bodies face outward still.
    assert_eq!(
        mass("Transform { scale -1 2 3 children [ Shape { geometry Box { size 1 1 1 } } ] }").mass,
        6.0
    );
}

#[test]
fn named_meshes_are_shared() {
    let body = format!(
        "DEF A Shape {{ geometry DEF M {CORNER} }} Transform {{ translation 5 0 0 children [ USE A, Shape {{ geometry USE M }} ] }}
        Group {{ children Transform {{ scale 2 2 2 children [ USE A USE A ] }} }} ROUTE a.b TO c.d"
    );
    let model = parse(&body).unwrap();
    assert_eq!((model.parts.len(), model.meshes.len(), model.triangles()), (5, 2, 20));
    let names: Vec<&str> = model.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["A", "A", "file", "A", "A"]);
    assert_eq!(
        refusal("Shape { geometry\n USE X }"),
        "line 3: expected a node that was named before by DEF, found `X`"
    );
}

#[test]
fn prototypes_have_fields_defaults_and_each_other() {
    let body = "PROTO Bar [ field SFVec3f size 1 1 1 exposedField MFNode more [ ] eventIn SFTime go field SFColor c 1 0 0 ] {
          Group { children [
            DEF own Shape { geometry Box { size IS size } appearance Appearance { material Material { diffuseColor IS c } } }
            Group { children IS more } ] }
          DEF second Shape { geometry Sphere { } }
        }
        PROTO Pair [ field SFVec3f wide 2 2 2 ] {
          Group { children [ Bar { size IS wide }
            Bar { more Transform { translation 0 0 9 children Bar { size IS wide } } } ] }
        }
        Pair { } DEF big Pair { wide 4 4 4 }
        PROTO Round [ field SFFloat r 1 ] { Sphere { radius IS r } } Shape { geometry Round { r 3 } }";
    let model = parse(body).unwrap();
    let extents: Vec<f64> = model.parts.iter().map(|p| model.mesh_of(p).unwrap().aabb().extent().z).collect();
    assert_eq!(extents, [2.0, 1.0, 2.0, 4.0, 1.0, 4.0, 6.0]);
    assert_eq!(model.parts[2].pose.translation(), DVec3::Z * 9.0);
    assert!(
        refusal("EXTERNPROTO X [ field SFFloat a ] \"x.wrl\"\nX { }")
            .starts_with("line 3: prototypes in other files")
    );
}

/// Prototypes of prototypes, eight of each in the next: 8⁹ of `what` in some 700 bytes.
fn bomb(what: &str) -> String {
    let mut body = format!("PROTO A [] {{ {what} }}");
    for (one, next) in "ABCDEFGHI".chars().zip("BCDEFGHIJ".chars()) {
        body += &format!("PROTO {next} [] {{ Group {{ children [ {} ] }} }}", format!("{one}{{}}").repeat(8));
    }
    body + "J {}"
}

#[test]
fn a_bomb_of_prototypes_is_refused_before_it_fills_the_memory() {
    for what in [
        "Shape { geometry Sphere {} }",
        "Shape { geometry Box {} }",
        "Group {}",
        "WorldInfo { info \"abcdefgh\" }",
    ] {
        let text = format!("#VRML V2.0 utf8\n{}", bomb(what));
        assert!(text.len() < 800);
        let mut scene = scene::Scene::new("file", text.len() as u64);
        let error = scene.show(&nodes(text.as_bytes()).unwrap(), None).unwrap_err();
        assert!(matches!(error, Cause::Bomb { .. } | Cause::Unsupported { .. }), "{error}");
        assert!(scene.made() < 40 << 20, "{what}: {} bytes", scene.made());
    }
}

#[test]
fn many_copies_of_a_prototype_are_no_bomb() {
    // A wall of 1 000 bricks from 1 000 lines.
    let bricks: String =
        (0..1000).map(|i| format!("Transform {{ translation {i} 0 0 children B {{}} }}\n")).collect();
    let model = parse(&format!("PROTO B [] {{ {} }}\n{bricks}", shape("Sphere {}"))).unwrap();
    assert_eq!(model.parts.len(), 1000);
}

#[test]
fn one_of_several_children_is_shown() {
    let boxes = "[ Shape { geometry Box { size 1 1 1 } } Shape { geometry Box { size 2 2 2 } } ]";
    let size = |body: String| parse(&body).unwrap().merged().unwrap().aabb().extent().x;
    assert_eq!(size(format!("LOD {{ level {boxes} range [ 10 ] }}")), 1.0);
    assert_eq!(size(format!("Switch {{ choice {boxes} whichChoice 0 }}")), 1.0);
    assert_eq!(size(format!("Switch {{ whichChoice 1 choice {boxes} }}")), 2.0);
    // Without a number nothing is shown (6.45: the default is -1).
    assert!(refusal(&format!("Switch {{ choice {boxes} }}")).contains("2 nodes outside the scene"));
    let hidden = parse(&format!("Switch {{ choice {boxes} whichChoice -1 }} {}", shape("Box {}"))).unwrap();
    assert_eq!(
        (hidden.notes[0].kind, hidden.notes[0].count, hidden.parts.len()),
        (NoteKind::HiddenNode, 2, 1)
    );
}

#[test]
fn what_has_no_triangles_is_counted_and_what_is_not_known_is_read_over() {
    let body = "Shape { geometry IndexedLineSet { coord Coordinate { point [ 0 0 0 1 1 1 ] } coordIndex [ 0 1 -1 ] } }
        Shape { geometry PointSet { } } Shape { geometry Text { string [ \"a # { \\\" b\", \"c\" ] } }
        Shape { appearance NULL } Sensor { a 1 2 3 b TRUE c [ \"x\" ] d Thing { e [ ] } }
        Script { url \"javascript: x\" field SFInt32 n -1 eventIn SFTime t eventOut SFBool b directOutput FALSE }
        Viewpoint { position 0 0 1 } WorldInfo { title \"t\" info [ \"volume 3\", \"more\" ] } Info { string \"old\" }";
    let model = parse(&format!("{body} {}", shape("Box {}"))).unwrap();
    let notes: Vec<_> = model.notes.iter().map(|n| (n.kind, n.count)).collect();
    let expected =
        [(NoteKind::Line, 1), (NoteKind::EmptyPart, 4), (NoteKind::Point, 1), (NoteKind::SkippedNode, 2)];
    assert_eq!(notes, expected);
    assert_eq!(model.info, ["volume 3", "more", "old"]);
    assert!(refusal(body).starts_with("holds no triangle (1 line element skipped (first at line 2)"));
}

#[test]
fn errors_name_the_line() {
    let at = |body: &str| refusal(body);
    assert_eq!(
        at("Shape {\n geometry Box {\n size 1 2 } }"),
        "line 4: expected 3 numbers for `size`, found 2 numbers"
    );
    assert!(
        at("Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0\n1 1e999 0 ] } } }")
            .starts_with("line 3: a vertex needs")
    );
    let bad = CORNER.replace("1 2 3 -1", "1 2\n9 -1");
    assert!(
        at(&shape(&bad)).starts_with("line 4: vertex 9 does not exist, 4 are defined"),
        "{}",
        at(&shape(&bad))
    );
    assert!(
        at(&shape(&CORNER.replace("1 2 3 -1", "1 2.5 3 -1")))
            .contains("expected the number of a vertex, found `2.5`")
    );
    assert!(at("Shape { geometry Box {").starts_with("line 2: expected a field or `}`, found the end"));
    assert!(
        at("Shape { geometry Box { size [ 1 2 } }")
            .starts_with("line 2: expected a number or `]`, found `}`")
    );
    assert!(at("Group { children 5 }").starts_with("line 2: expected nodes for `children`, found numbers"));
    assert!(
        at("Shape { geometry Sphere { radius -1 } }")
            .starts_with("line 2: expected a size above 0, found -1")
    );
    assert!(at("\"x\n").starts_with("line 2: expected `\"` that ends this string"));
    assert!(at("}").starts_with("line 2: expected a node, found `}`"));
}

#[test]
fn other_versions_are_refused_by_name() {
    let of = |text: &str| read(text.as_bytes(), "x", None).unwrap_err().to_string();
    assert!(of("#VRML V1.0 ascii\nSeparator { }").starts_with("line 1: VRML 1.0 is not supported; convert"));
    assert!(of("Shape { }").starts_with("line 1: expected `#VRML V2.0 utf8`"));
}

#[test]
fn bombs_are_refused_before_they_go_off() {
    let deep = "Group { children ".repeat(100_000);
    assert!(refusal(&deep).contains("nested more than 100 deep"));
    assert!(refusal(&"[".repeat(100_000)).contains("expected a node"));
    let lists = "Group { children [ ".repeat(5000);
    assert!(refusal(&lists).contains("nested more than 100 deep"));
    // Ten uses of ten uses of …: 10^40 boxes.
    let mut laughs = "DEF A0 Group { children Shape { geometry Box { } } }".to_owned();
    for i in 1..40 {
        laughs += &format!("DEF A{i} Group {{ children [ {} ] }}", format!("USE A{} ", i - 1).repeat(10));
    }
    assert!(refusal(&laughs).contains("nodes, shared ones counted"));
    // Each inside the one before, by name.
    let mut chain = "DEF B0 Group { }".to_owned();
    let mut protos = "PROTO P0 [ ] { Group { } }".to_owned();
    for i in 1..20_000 {
        chain += &format!("DEF B{i} Group {{ children USE B{} }}\n", i - 1);
        protos += &format!("PROTO P{i} [ ] {{ P{} {{ }} }}\n", i - 1);
    }
    assert!(refusal(&chain).contains("nested more than 100 deep"));
    assert!(refusal(&protos).contains("nested more than 100 deep"));
    let line = "1 1 ".repeat(5000);
    let spine = "1 2 3 ".repeat(5000);
    assert!(
        refusal(&shape(&format!("Extrusion {{ crossSection [ {line} ] spine [ {spine} ] }}")))
            .contains("too large")
    );
}

#[test]
fn inlined_files_are_those_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, body: &str| {
        std::fs::create_dir_all(folder.path().join("sub")).unwrap();
        std::fs::write(folder.path().join(name), format!("#VRML V2.0 utf8\n{body}")).unwrap();
    };
    let read = |name: &str| crate::read(&folder.path().join(name));
    write(
        "top.wrl",
        "Transform { translation 3 0 0 children Inline { url [ \"http://x/y.wrl\" \"sub/mid.wrl\" ] } }",
    );
    write("sub/mid.wrl", "DEF leaf Inline { url \"leaf.wrl\" }");
    write("sub/leaf.wrl", "Shape { geometry Box { } }");
    let model = read("top.wrl").unwrap();
    assert_eq!((model.parts[0].name.as_str(), model.parts[0].pose.translation()), ("leaf", DVec3::X * 3.0));
    write("loop.wrl", "Inline { url \"loop.wrl\" }");
    assert!(read("loop.wrl").unwrap_err().to_string().contains("files are nested more than 8 deep"));
    write("up.wrl", "\nInline { url \"../x.wrl\" }");
    assert!(
        read("up.wrl")
            .unwrap_err()
            .to_string()
            .contains("line 3: inlined file `../x.wrl` is not read: only files inside")
    );
    write("none.wrl", "Inline { url \"none2.wrl\" }");
    assert!(read("none.wrl").unwrap_err().to_string().contains("put it beside the model"));
    write("bad.wrl", "Inline { url \"sub/worse.wrl\" }");
    write("sub/worse.wrl", "\n\nShape { geometry Box { size 1 } }");
    assert!(read("bad.wrl").unwrap_err().to_string().contains("line 4: expected 3 numbers"));
    let bytes = b"#VRML V2.0 utf8\nInline { url \"a.wrl\" }";
    assert!(read_bytes(bytes, Format::Vrml, "x").unwrap_err().to_string().contains("only bytes were given"));
    assert_eq!(Format::from_path(Path::new("x.wrl.gz")), Ok(Format::Vrml));
}

#[test]
fn what_is_written_is_read_back_with_every_number() {
    let turned = "Transform { translation 0.1 0.2 0.3 rotation 1 2 3 0.4 children USE A }";
    let body = format!("DEF A {} Transform {{ translation 1 2 3 children USE A }} {turned}", shape(CORNER));
    let model = Model { info: vec!["say \"x\\y\"".to_owned()], ..parse(&body).unwrap() };
    let (bytes, notes) = write_bytes(&model, Format::Vrml, false, "x.wrl").unwrap();
    let again = read_bytes(&bytes, Format::Vrml, "x.wrl").unwrap();
    assert!(notes.is_empty());
    assert_eq!((&again.info, again.meshes.len(), again.parts.len()), (&model.info, 2, 3));
    assert_eq!(again.merged().unwrap(), model.merged().unwrap());
    assert_eq!(again.parts[0].name, "A");
}
