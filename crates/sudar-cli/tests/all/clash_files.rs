//! `clash` on files that other programs read (IFC, STEP), and on scene files.

use serde_json::{Value, json};
use sudar_testing::ifc::{Ifc, IfcUnit};
use sudar_testing::step::{step_boxes, step_cube};

use crate::support::{Folder, obj_box};

#[test]
fn scene_files_place_models_and_share_their_meshes() {
    let folder = Folder::new();
    folder.write("brick.obj", obj_box("brick", [0.0; 3], [1.0; 3], 1));
    let scene = "unit = 'm'\n[[model]]\nfile = 'brick.obj'\n[[model]]\nfile = 'brick.obj'\nname = 'second'\n\
                 translation = [0.75, 0, 0]\n[[model]]\nfile = 'brick.obj'\nname = 'third'\n\
                 translation = [3.5, 0, 0]\nrotation = [0, 0, 1, 0]\n";
    folder.write("site.toml", scene);
    // The third is turned by half a turn, from 2.5 to 3.5: apart from the second, which ends at 1.75.
    let run = folder.sudar(&["clash", "site.toml", "--units", "m", "--clearance", "750mm", "--json"]);
    let document = run.json();
    let clashes = document["clashes"].as_array().unwrap();
    let found: Vec<_> =
        clashes.iter().map(|clash| (&clash["names"], &clash["kind"], &clash["distance"])).collect();
    assert_eq!(found.len(), 2, "{}{}", run.out, run.err);
    assert_eq!(*found[0].0, serde_json::json!(["brick", "second: brick"]));
    assert_eq!((found[0].1.as_str(), found[1].1.as_str()), (Some("hard"), Some("clearance")));
    assert!((found[1].2.as_f64().unwrap() - 0.75).abs() < 1e-13, "{}", run.out);
    assert_eq!(document["files"], serde_json::json!(["brick.obj"]));
    folder.write("bad.toml", "[[model]]\nfile = 'brick.obj'\nrotation = [1, 1, 1, 1]\n");
    assert!(folder.sudar(&["clash", "bad.toml"]).error().starts_with("bad.toml: model 1 (brick.obj): "));
    folder.write("far.toml", "[[model]]\nfile = 'nowhere.obj'\n[[model]]\nfile = 'brick.obj'\n");
    let run = folder.sudar(&["clash", "far.toml", "--json"]);
    assert_eq!((run.status, run.json()["failed"][0]["file"].as_str()), (2, Some("nowhere.obj")));
}

#[test]
fn step_files_are_refused_in_one_line_where_they_are_damaged() {
    let folder = Folder::new();
    folder.write("cut.step", "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=POINT('',(0.,0.");
    let error = folder.sudar(&["clash", "cut.step"]).error().to_owned();
    assert!(error.starts_with("cut.step: line 5: expected a ) before the end of the file"), "{error}");
}

#[test]
fn step_files_are_read_by_cascadio_where_it_is() {
    let folder = Folder::new();
    folder.write("box.step", step_cube(10.0));
    let run = folder.sudar(&["clash", "box.step", "--json"]);
    if run.status == 2 && (run.err.contains("is not there") || run.err.contains("cannot be started")) {
        println!("skipped: Python has no cascadio: {}", run.err);
        return;
    }
    assert_eq!(run.status, 0, "{}", run.err);
    let document = run.json();
    let bounds = &document["parts"][0]["bounds"];
    let size = |axis: usize| bounds["max"][axis].as_f64().unwrap() - bounds["min"][axis].as_f64().unwrap();
    assert_eq!(document["unit"], "mm");
    assert!((0..3).all(|axis| (size(axis) - 10.0).abs() < 1e-3), "{bounds}");
}

#[test]
fn solids_of_one_product_of_a_step_file_clash() {
    let folder = Folder::new();
    // Two that overlap by 4, and one that lies on the second face to face.
    folder.write(
        "three.step",
        step_boxes(&[([0.0; 3], 10.0), ([6.0, 1.0, 1.0], 10.0), ([16.0, 1.0, 1.0], 10.0)]),
    );
    let run = folder.sudar(&["clash", "three.step", "--json"]);
    if run.status == 2 && (run.err.contains("is not there") || run.err.contains("cannot be started")) {
        println!("skipped: Python has no cascadio: {}", run.err);
        return;
    }
    let document = run.json();
    let found: Vec<_> = document["clashes"].as_array().unwrap().iter().collect();
    let names = |clash: &Value| (clash["names"].to_string(), clash["kind"].to_string());
    let expected = [("1", "2", "hard"), ("2", "3", "touch")]
        .map(|(a, b, kind)| (format!("[\"cube/solid {a}\",\"cube/solid {b}\"]"), format!("\"{kind}\"")));
    assert_eq!(found.iter().map(|clash| names(clash)).collect::<Vec<_>>(), expected);
    assert!((found[0]["depth"].as_f64().unwrap() - 4.0).abs() < 1e-4, "{}", found[0]);
}

#[test]
fn a_file_that_is_not_there_is_named_once() {
    let folder = Folder::new();
    let error = folder.sudar(&["clash", "nowhere.step"]).error().to_owned();
    assert!(error.starts_with("nowhere.step: cannot be read"), "{error}");
    let error = folder.sudar(&["clash", "nowhere.ifc", "--ifc-with", "ifcopenshell"]).error().to_owned();
    assert_eq!(error, "nowhere.ifc: cannot be read; check the name and the rights");
}

/// Two walls that cross at a corner, a slab under them, a window in an opening, a room, a pipe through a wall.
fn house(unit: IfcUnit, metres: f64) -> Ifc {
    let place = |corner: [f64; 3], size: [f64; 3]| (corner.map(|x| x / metres), size.map(|x| x / metres));
    let mut file = Ifc::new("IFC4", unit);
    let ground = file.storey("Ground floor", None);
    let upper = file.storey("Upper floor", None);
    file.element("IFCSLAB", "Slab", ground, place([-1.0, -1.0, -0.25], [8.0, 8.0, 0.25]));
    let wall = file.element("IFCWALL", "Wall south", ground, place([0.0; 3], [6.0, 0.25, 3.0]));
    file.element("IFCWALL", "Wall west", ground, place([0.0; 3], [0.25, 5.0, 3.0]));
    let opening = file.opening(wall, place([2.0, -0.125, 1.0], [1.0, 0.5, 1.0]));
    let window = file.product("IFCWINDOW", "Window", place([2.0, 0.0625, 1.0], [1.0, 0.125, 1.0]));
    file.fill(opening, window);
    file.space("Room", ground, place([0.25, 0.25, 0.0], [5.0, 4.0, 3.0]));
    let pipe = file.element("IFCPIPESEGMENT", "Pipe", upper, place([4.0, -1.0, 2.0], [0.125, 4.0, 0.125]));
    file.system("Heating", &[pipe]);
    file
}

fn kinds(document: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let clashes = document["clashes"].as_array().unwrap().iter();
    let mut found: Vec<_> =
        clashes.map(|c| (text(&c["names"][0]), text(&c["names"][1]), text(&c["kind"]))).collect();
    found.sort();
    found
}

/// What crosses: the walls each other, the pipe a wall. What lies on each other: walls on the slab, the window in its
/// opening.
const EXPECTED: [(&str, &str, &str); 5] = [
    ("Slab", "Wall south", "touch"),
    ("Slab", "Wall west", "touch"),
    ("Wall south", "Pipe", "hard"),
    ("Wall south", "Wall west", "hard"),
    ("Wall south", "Window", "touch"),
];

#[test]
fn a_house_has_its_clashes_in_its_own_unit_and_in_every_format() {
    let expected: Vec<_> =
        EXPECTED.iter().map(|&(a, b, kind)| (a.to_owned(), b.to_owned(), kind.to_owned())).collect();
    for (unit, metres, name) in
        [(IfcUnit::Millimetre, 0.001, "mm"), (IfcUnit::Foot, 0.3048, "ft"), (IfcUnit::Metre, 1.0, "m")]
    {
        let folder = Folder::new();
        folder.write("house.ifc", house(unit, metres).text());
        let band = format!("{}", 1e-5 / metres);
        let check = |file: &str| folder.sudar(&["clash", file, "--touch", &band, "--json"]).json();
        let document = check("house.ifc");
        assert_eq!(document["unit"], name);
        assert_eq!(kinds(&document), expected, "{name}");
        let deep =
            document["clashes"].as_array().unwrap().iter().find(|clash| clash["names"][1] == "Pipe").unwrap();
        assert!((deep["depth"].as_f64().unwrap() * metres - 0.125).abs() < 1e-5, "{deep}");
        for other in ["house.obj", "house.glb", "house.stl"] {
            assert_eq!(folder.sudar(&["convert", "house.ifc", other, "--ascii"]).status, 0, "{other}");
            // Converted files are in metres.
            let other = folder.sudar(&["clash", other, "--touch", "1e-5", "--json"]).json();
            assert_eq!(kinds(&other), expected, "{name}");
        }
    }
}

#[test]
fn patterns_ask_for_class_storey_and_system() {
    let folder = Folder::new();
    folder.write("house.ifc", house(IfcUnit::Millimetre, 0.001).text());
    let count = |a: &str, b: &str| {
        let run = folder.sudar(&["clash", "house.ifc", "--a", a, "--b", b, "--touch", "0.01", "--json"]);
        run.json()["clashes"].as_array().unwrap().len()
    };
    assert_eq!(count("@system=Heating", "@class=IfcWall*"), 1);
    assert_eq!(count("@storey=Upper*", "@storey=Ground*"), 1);
    assert_eq!(count("@class=IfcWindow", "@class=IfcWall"), 1);
    // The room fills what is between the walls, and is a part only if it is wanted.
    let with =
        folder.sudar(&["clash", "house.ifc", "--ifc-include", "spaces", "--touch", "0.01", "--json"]).json();
    let clashes = with["clashes"].as_array().unwrap().iter();
    assert!(clashes.filter(|clash| clash["names"][1] == "Room" || clash["names"][0] == "Room").count() >= 3);
}

/// A pipe in the swing of a door, which touches nothing, and one beside it.
#[test]
fn what_stands_in_a_zone_is_named() {
    let folder = Folder::new();
    let mut file = Ifc::new("IFC4", IfcUnit::Millimetre);
    let ground = file.storey("Ground", None);
    file.element("IFCDOOR", "Door", ground, ([0.0; 3], [1000.0, 50.0, 2000.0]));
    file.element("IFCPIPESEGMENT", "In", ground, ([500.0, 850.0, 0.0], [50.0, 50.0, 3000.0]));
    file.element("IFCPIPESEGMENT", "Beside", ground, ([1100.0, 500.0, 0.0], [50.0, 50.0, 3000.0]));
    folder.write("a.ifc", file.text());
    let rules =
        "[[zone]]\nname = 'swing'\nof = '@class=IfcDoor'\nagainst = '@class=IfcPipe*'\nacross = '0.9 m'\n";
    folder.write("rules.toml", rules);
    let run = folder.sudar(&["clash", "a.ifc", "--ignore", "rules.toml", "--json"]);
    let document = run.json();
    let clashes = document["clashes"].as_array().unwrap();
    assert_eq!((run.status, clashes.len()), (1, 1), "{}", run.out);
    assert_eq!((&clashes[0]["kind"], &clashes[0]["zone"]), (&json!("clearance"), &json!("swing")));
    assert_eq!(clashes[0]["names"], json!(["Door", "In"]));
    assert!((clashes[0]["distance"].as_f64().unwrap() - 800.0).abs() < 1e-9);
    let text = folder.sudar(&["clash", "a.ifc", "--ignore", "rules.toml"]).out;
    assert!(text.contains("in zone 'swing'"), "{text}");
}

#[test]
fn elements_keep_their_decisions_under_another_name() {
    let folder = Folder::new();
    folder.write("house.ifc", house(IfcUnit::Millimetre, 0.001).text());
    let check =
        || folder.sudar(&["clash", "house.ifc", "--review", "decided.toml", "--touch", "0.01", "--json"]);
    check();
    let decided = std::fs::read_to_string(folder.join("decided.toml")).unwrap();
    folder.write("decided.toml", decided.replace("status = \"new\"", "status = \"accepted\""));
    folder
        .write("house.ifc", house(IfcUnit::Millimetre, 0.001).text().replace("'Wall south'", "'South wall'"));
    let again = check();
    assert_eq!(again.status, 0, "{}", again.out);
    assert_eq!(again.json()["clashes"][0]["review"]["status"], "accepted");
}

#[test]
fn what_is_lost_damaged_endless_or_greedy_is_named_and_the_rest_is_checked() {
    let folder = Folder::new();
    let mut file = house(IfcUnit::Metre, 1.0);
    let item = file.add("IFCSPHERE($,-1.)");
    let body = file.add(&format!("IFCSHAPEREPRESENTATION(#8,'Body','CSG',(#{item}))"));
    let shape = file.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{body}))"));
    file.add(&format!("IFCCOLUMN('0000000000000000000009',#5,'Bad column',$,$,$,#{shape},$)"));
    folder.write("lost.ifc", file.text());
    let run = folder.sudar(&["clash", "lost.ifc", "--json"]);
    assert_eq!((run.status, run.json()["clashes"].as_array().unwrap().len()), (2, 5), "{}", run.err);
    let lost = &run.json()["lost"][0];
    assert_eq!(
        (lost["name"].as_str(), lost["properties"]["class"].as_str()),
        (Some("Bad column"), Some("IfcColumn"))
    );
    assert!(run.err.contains("lost.ifc: IfcColumn 'Bad column' is lost: "), "{}", run.err);
    // Among what a robot is checked with nothing may be missing.
    folder.write("arm.urdf", "<robot name=\"arm\"><link name=\"base\"/></robot>");
    let run = folder.sudar(&["robot", "arm.urdf", "--scene", "lost.ifc"]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("lost.ifc: 'Bad column' cannot be read and would not be checked: "),
        "{}",
        run.err
    );

    let text = house(IfcUnit::Metre, 1.0).text();
    folder.write("cut.ifc", &text[..text.len() - 400]);
    folder.write("good.obj", obj_box("brick", [0.0; 3], [1.0; 3], 1));
    let run = folder.sudar(&["clash", "cut.ifc", "good.obj", "--json"]);
    assert_eq!((run.status, run.json()["failed"][0]["file"].as_str()), (2, Some("cut.ifc")));

    // Each of forty operations has the one before it twice: without a limit the last has 2⁴⁰ solids.
    folder.write("endless.ifc", endless());
    let start = std::time::Instant::now();
    let run = folder.sudar(&["clash", "endless.ifc", "good.obj", "--json"]);
    assert_eq!((run.status, run.json()["lost"][0]["name"].as_str()), (2, Some("Endless")), "{}", run.out);
    let run = folder.sudar(&["info", "endless.ifc"]);
    assert_eq!(run.status, 2);
    assert!(run.out.contains("lost: Endless: ") && !run.out.contains("inf"), "{}", run.out);
    assert!(start.elapsed().as_secs() < 30);
}

fn endless() -> String {
    let mut file = Ifc::new("IFC4", IfcUnit::Metre);
    let mut item = file.add("IFCBLOCK($,1.,1.,1.)");
    for _ in 0..40 {
        item = file.add(&format!("IFCBOOLEANRESULT(.UNION.,#{item},#{item})"));
    }
    let body = file.add(&format!("IFCSHAPEREPRESENTATION(#8,'Body','CSG',(#{item}))"));
    let shape = file.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,(#{body}))"));
    file.add(&format!("IFCCOLUMN('0000000000000000000009',#5,'Endless',$,$,$,#{shape},$)"));
    file.text()
}

/// Where Python has ifcopenshell, both readers find the same.
#[test]
fn ifcopenshell_reads_the_same() {
    let folder = Folder::new();
    folder.write("house.ifc", house(IfcUnit::Millimetre, 0.001).text());
    let run =
        folder.sudar(&["clash", "house.ifc", "--ifc-with", "ifcopenshell", "--touch", "0.01", "--json"]);
    if run.status == 2 && (run.err.contains("is not there") || run.err.contains("cannot be started")) {
        println!("skipped: Python has no ifcopenshell: {}", run.err);
        return;
    }
    let document = run.json();
    assert_eq!(document["unit"], "mm");
    let expected: Vec<_> =
        EXPECTED.iter().map(|&(a, b, kind)| (a.to_owned(), b.to_owned(), kind.to_owned())).collect();
    assert_eq!(kinds(&document), expected);
    let own = folder.sudar(&["clash", "house.ifc", "--touch", "0.01", "--json"]).json();
    for (one, other) in own["parts"].as_array().unwrap().iter().zip(document["parts"].as_array().unwrap()) {
        assert_eq!((&one["name"], &one["properties"]), (&other["name"], &other["properties"]));
    }
}
