//! IFC files of our own against what was written into them.

use sudar::{Aabb, DVec3, Mesh, Solid};
use sudar_formats::{Elements, IfcOptions, Model, Part, read_ifc};
use sudar_testing::ifc::{Ifc, IfcUnit};

fn read(file: &Ifc) -> Elements {
    read_ifc(file.text().as_bytes(), "a.ifc", IfcOptions::default()).unwrap()
}

fn property<'a>(part: &'a Part, key: &str) -> Option<&'a str> {
    part.properties.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

fn part<'a>(model: &'a Model, name: &str) -> &'a Part {
    model.parts_named(name).next().unwrap().1
}

fn mesh<'a>(model: &'a Model, name: &str) -> &'a Mesh {
    &model.meshes[part(model, name).mesh]
}

fn volume(mesh: &Mesh) -> f64 {
    // Signed tetrahedra about the middle of the box.
    let middle = mesh.aabb().center();
    let of = |i: usize| {
        let t = mesh.triangle(i as u32);
        (t.a - middle).dot((t.b - middle).cross(t.c - middle)) / 6.0
    };
    (0..mesh.triangles().len()).map(of).sum()
}

#[test]
fn boxes_keep_their_places_in_every_unit_and_schema() {
    let cases = [
        ("IFC2X3", IfcUnit::Millimetre, 0.001),
        ("IFC4", IfcUnit::Millimetre, 0.001),
        ("IFC2X3", IfcUnit::Foot, 0.3048),
        ("IFC4", IfcUnit::Metre, 1.0),
    ];
    for (schema, unit, metres) in cases {
        let mut file = Ifc::new(schema, unit);
        let storey = file.storey("Ground", None);
        let (corner, size) =
            ([1.5 / metres, -2.0 / metres, 0.25 / metres], [0.5 / metres, 4.0 / metres, 3.0 / metres]);
        let wall = file.element("IFCWALL", "Wall", storey, (corner, size));
        let found = read(&file);
        assert_eq!(found.unit, Some(metres), "{schema} {unit:?}");
        let model = found.into_model();
        let solid = Solid::new(model.meshes[0].clone());
        assert!(solid.is_ok(), "{schema} {unit:?}");
        let expected = Aabb { min: corner.into(), max: DVec3::from(corner) + DVec3::from(size) };
        let bounds = model.meshes[0].aabb();
        let off = (bounds.min - expected.min).abs().max((bounds.max - expected.max).abs()).max_element();
        // Single precision about a point near the element.
        assert!(off <= 1e-6 * 4.0 / metres, "{schema} {unit:?}: {off}");
        let part = &model.parts[0];
        let (id, class, storey) =
            (property(part, "GlobalId"), property(part, "class"), property(part, "storey"));
        assert_eq!((&*part.name, class, storey), ("Wall", Some("IfcWall"), Some("Ground")));
        assert_eq!(id, Some(&*file.global_id_of(wall)));
        assert!(model.lost.is_empty() && model.notes.is_empty());
    }
}

/// A house with two storeys, of which one is in the other, a wall with a door in its opening, a room, a stair of two
/// flights and a pipe in a system.
fn house() -> Ifc {
    let mut file = Ifc::new("IFC4", IfcUnit::Millimetre);
    let ground = file.storey("Ground", None);
    let gallery = file.storey("Gallery", Some(ground));
    let wall = file.element("IFCWALL", "Wall", ground, ([0.0; 3], [5000.0, 200.0, 3000.0]));
    let opening = file.opening(wall, ([1000.0, -50.0, 0.0], [1000.0, 300.0, 2000.0]));
    let door = file.product("IFCDOOR", "Door", ([1000.0, 80.0, 0.0], [1000.0, 40.0, 2000.0]));
    file.fill(opening, door);
    file.space("Room", ground, ([0.0, 200.0, 0.0], [5000.0, 4000.0, 3000.0]));
    let flights: Vec<u32> = (0..2)
        .map(|n| {
            let at = [3000.0, 1000.0 + 1000.0 * f64::from(n), 0.0];
            file.product("IFCSTAIRFLIGHT", &format!("Flight {n}"), (at, [900.0, 900.0, 100.0]))
        })
        .collect();
    let id = "0000000000000000000001";
    let stair = file.add(&format!("IFCSTAIR('{id}',#5,'Stair',$,$,$,$,$,$)"));
    file.aggregate(stair, &flights);
    file.add(&format!("IFCRELCONTAINEDINSPATIALSTRUCTURE('{id}',#5,$,$,(#{stair}),#{gallery})"));
    let pipe = file.element(
        "IFCPIPESEGMENT",
        "Rohr \\X2\\00FC\\X0\\",
        gallery,
        ([0.0, 3000.0, 2500.0], [9000.0, 50.0, 50.0]),
    );
    file.system("Heating", &[pipe, stair]);
    file
}

#[test]
fn storeys_and_systems_come_through_parents() {
    let model = read(&house()).into_model();
    let storey = |name: &str| property(part(&model, name), "storey").unwrap();
    assert_eq!(
        [storey("Wall"), storey("Door"), storey("Flight 1"), storey("Rohr ü")],
        ["Ground", "Ground", "Gallery", "Gallery"]
    );
    let system = |name: &str| property(part(&model, name), "system");
    assert_eq!(
        [system("Rohr ü"), system("Flight 0"), system("Wall")],
        [Some("Heating"), Some("Heating"), None]
    );
}

#[test]
fn openings_are_cut_and_they_and_spaces_are_parts_only_if_wanted() {
    let file = house();
    let model = read(&file).into_model();
    assert_eq!(model.parts.len(), 5);
    assert_eq!(model.notes[0].to_string(), "2 spaces and openings left out");
    let expected = 5000.0 * 200.0 * 3000.0 - 1000.0 * 200.0 * 2000.0;
    assert!((volume(mesh(&model, "Wall")) / expected - 1.0).abs() < 1e-6);
    let all = IfcOptions { spaces: true, openings: true, ..IfcOptions::default() };
    let model = read_ifc(file.text().as_bytes(), "a.ifc", all).unwrap().into_model();
    assert_eq!(model.parts.len(), 7);
    assert_eq!(property(part(&model, "Opening"), "storey"), Some("Ground"));
    assert!((volume(mesh(&model, "Room")) / 6e10 - 1.0).abs() < 1e-6);
}

#[test]
fn storeys_and_straight_axes_are_found() {
    let mut file = Ifc::new("IFC4", IfcUnit::Metre);
    let place = |file: &mut Ifc, [x, y, z]: [f64; 3]| {
        let at = file.add(&format!("IFCCARTESIANPOINT(({x:?},{y:?},{z:?}))"));
        let axes = file.add(&format!("IFCAXIS2PLACEMENT3D(#{at},$,$)"));
        file.add(&format!("IFCLOCALPLACEMENT($,#{axes})"))
    };
    for (name, z) in [("Upper", 3.5), ("Ground", -0.25)] {
        let at = place(&mut file, [0.0, 0.0, z]);
        file.add(&format!(
            "IFCBUILDINGSTOREY('0000000000000000000{name:.3}',#5,'{name}',$,$,#{at},$,$,.ELEMENT.,9.)"
        ));
    }
    file.add("IFCBUILDINGSTOREY('0000000000000000000009',#5,'Attic',$,$,$,$,$,.ELEMENT.,7.)");
    let axis = |file: &mut Ifc, name: &str, points: [[f64; 2]; 2]| {
        let points =
            points.map(|[x, y]| format!("#{}", file.add(&format!("IFCCARTESIANPOINT(({x:?},{y:?}))"))));
        let line = file.add(&format!("IFCPOLYLINE(({}))", points.join(",")));
        format!("#{}", file.add(&format!("IFCGRIDAXIS('{name}',#{line},.T.)")))
    };
    let a = axis(&mut file, "A", [[0.0, 0.0], [10.0, 0.0]]);
    let one = axis(&mut file, "1", [[2.0, 0.0], [2.0, 5.0]]);
    let at = place(&mut file, [100.0, 0.0, 0.0]);
    file.add(&format!("IFCGRID('000000000000000000000G',#5,'Grid',$,$,#{at},$,({a}),({one}),$)"));
    let found = read(&file);
    let levels: Vec<_> = found.levels.iter().map(|level| (&*level.name, level.elevation)).collect();
    assert_eq!(levels, [("Ground", -0.25), ("Upper", 3.5), ("Attic", 7.0)]);
    let axes: Vec<_> = found.axes.iter().map(|axis| (&*axis.name, axis.line)).collect();
    assert_eq!(axes, [("A", [[100.0, 0.0], [110.0, 0.0]]), ("1", [[102.0, 0.0], [102.0, 5.0]])]);
    assert_ne!(found.axes[0].family, found.axes[1].family);
}

/// Numbers that are huge, tiny, negative or none, references to anything, and words in place of each other: read or
/// lost, in some seconds, and never a panic.
#[test]
fn mutated_files_are_read_lost_or_refused() {
    let mut file = house();
    let wall = file.element("IFCWALL", "Round", 9, ([0.0; 3], [1.0; 3]));
    let profile = file.add("IFCISHAPEPROFILEDEF(.AREA.,$,$,200.,300.,20.,30.,10.,$,$)");
    let (at, way) = (file.add("IFCCARTESIANPOINT((-900.,0.,0.))"), file.add("IFCDIRECTION((0.,1.,0.))"));
    let axis = file.add(&format!("IFCAXIS1PLACEMENT(#{at},#{way})"));
    let solid = file.add(&format!("IFCREVOLVEDAREASOLID(#{profile},$,#{axis},2.)"));
    let ball = file.add("IFCSPHERE($,500.)");
    let item = file.add(&format!("IFCBOOLEANRESULT(.UNION.,#{solid},#{ball})"));
    let body = file.add(&format!("IFCSHAPEREPRESENTATION(#8,'Body','CSG',(#{item}))"));
    let shape = file.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{body}))"));
    file.add(&format!("IFCCOLUMN('0000000000000000000{wall:03}',#5,'C',$,$,$,#{shape},$)"));
    let text = file.text();
    let lines: Vec<&str> = text.lines().collect();
    let words = [
        "1e308",
        "-1.",
        "0.",
        "1e-300",
        "$",
        "*",
        ".T.",
        "'x'",
        "()",
        "#1",
        "#7",
        "#40",
        "(((((1)))))",
        "IFCX(1)",
    ];
    let mut random = sudar_testing::Random::new(46);
    for _ in 0..150 {
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let line = 5 + random.below(lines.len() - 8);
        let values: Vec<&str> = lines[line].split(',').collect();
        let value = random.below(values.len());
        let word = random.one_of(&words);
        let mut values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        // Parentheses around it stay.
        let bare = values[value].trim_start_matches(|c| c != '(').trim_matches(['(', ')', ';']).to_owned();
        if bare.is_empty() {
            continue;
        }
        values[value] = values[value].replacen(&bare, word, 1);
        changed[line] = values.join(",");
        let start = std::time::Instant::now();
        let _ = read_ifc(changed.join("\n").as_bytes(), "a.ifc", IfcOptions::default());
        assert!(start.elapsed().as_secs() < 20, "{}", changed[line]);
    }
}

#[test]
fn what_is_lost_is_named() {
    let mut file = Ifc::new("IFC2X3", IfcUnit::Metre);
    let storey = file.storey("Ground", None);
    file.element("IFCWALL", "Good", storey, ([0.0; 3], [1.0; 3]));
    // A body that is no solid of the standard.
    let item = file.add("IFCSPHERE($,-1.)");
    let body = file.add(&format!("IFCSHAPEREPRESENTATION(#8,'Body','CSG',(#{item}))"));
    let shape = file.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{body}))"));
    file.add(&format!("IFCCOLUMN('0000000000000000000009',#5,'Bad',$,$,$,#{shape},$)"));
    // An axis is no body.
    let line = file.add("IFCPOLYLINE(())");
    let axis = file.add(&format!("IFCSHAPEREPRESENTATION(#8,'Axis','Curve2D',(#{line}))"));
    let shape = file.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{axis}))"));
    file.add(&format!("IFCBEAM('000000000000000000000A',#5,'Axis alone',$,$,$,#{shape},$)"));
    let model = read(&file).into_model();
    assert_eq!(model.parts.iter().map(|part| &*part.name).collect::<Vec<_>>(), ["Good"]);
    let lost: Vec<_> = model.lost.iter().map(|lost| &*lost.name).collect();
    assert_eq!(lost, ["Bad"]);
    assert_eq!(model.lost[0].properties[0], ("class".to_owned(), "IfcColumn".to_owned()));
}

#[test]
fn plain_representations_are_read_or_named() {
    let mut file = Ifc::new("IFC2X3", IfcUnit::Metre);
    let storey = file.storey("Ground", None);
    file.product_with_plain_representation("IFCWALL", "Plain", storey, ([0.0; 3], [1.0; 3]));
    let model = read(&file).into_model();
    let lost: Vec<_> = model.lost.iter().map(|lost| &*lost.name).collect();
    let found: Vec<_> = model.parts.iter().map(|part| &*part.name).collect();
    assert_eq!([found, lost].concat(), ["Plain"]);
}

#[test]
fn damaged_files_are_refused_with_a_line() {
    let whole = house().text();
    let refused = |text: &str| {
        let error = read_ifc(text.as_bytes(), "a.ifc", IfcOptions::default()).unwrap_err().to_string();
        assert!(!error.contains('\n') && error.starts_with("a.ifc: "), "{error}");
        error
    };
    assert!(refused(&whole[..whole.len() / 2]).contains("line "));
    assert!(
        refused(&whole.replace("IFCDIRECTION((0.,0.,1.))", "IFCDIRECTION((0.,0.,1.)")).contains("expected")
    );
    assert!(refused("v 0 0 0\n").contains("expected ISO-10303-21;"));
    let no_unit = whole.replacen("IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)", "IFCDIRECTION((0.,0.,1.))", 1);
    // Without a unit of length a file is in metres, by the standard's default.
    assert_eq!(read_ifc(no_unit.as_bytes(), "a.ifc", IfcOptions::default()).unwrap().unit, Some(1.0));
}
