//! `mass` measures both ways, writes the model around its centre, and finds the same figures there.

use serde_json::{Value, json};

use crate::support::{Folder, obj_boxes};

fn near(found: &Value, expected: f64, slack: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() <= slack, "{found} for {expected}");
}

#[test]
fn two_boxes_are_measured_apart_and_together() {
    let folder = Folder::new();
    folder.write(
        "in.obj",
        obj_boxes(&[("a", [0.0; 3], [2.0, 2.0, 2.0]), ("b", [10.0, 0.0, 0.0], [12.0, 2.0, 2.0])]),
    );
    let run = folder.sudar(&["mass", "in.obj", "--density", "3", "--cells", "24", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let document = run.json();
    for (part, x) in [(0, 1.0), (1, 11.0)] {
        let exact = &document["parts"][part]["exact"];
        assert_eq!((&exact["volume"], &exact["mass"]), (&json!(8.0), &json!(24.0)));
        assert_eq!(exact["center"], json!([x, 1.0, 1.0]));
        // m/3·(1 + 1) of half sides 1.
        near(&exact["inertia"][0], 16.0, 1e-12);
        assert!(
            exact["volume_lower"].as_f64().unwrap() <= 8.0 && exact["volume_upper"].as_f64().unwrap() >= 8.0
        );
        near(&document["parts"][part]["voxel"]["volume"], 8.0, 1e-9);
    }
    let whole = &document["whole"];
    assert_eq!((&whole["triangles"], &whole["exact"]["center"]), (&json!(24), &json!([6.0, 1.0, 1.0])));
    // Each 16, and 24·5² for its distance; along x nothing is added.
    near(&whole["exact"]["inertia"][1], 2.0 * (16.0 + 600.0), 1e-9);
    near(&whole["exact"]["principal_moments"][2], 32.0, 1e-9);
    near(&whole["exact"]["radii_of_gyration"][2], (32.0f64 / 48.0).sqrt(), 1e-12);
    near(&document["sphere"]["radius"], 38.0f64.sqrt(), 0.05);
    assert_eq!(document["aabb"], json!({"min": [0.0, 0.0, 0.0], "max": [12.0, 2.0, 2.0]}));
}

#[test]
fn a_written_model_is_around_its_centre_and_holds_its_figures() {
    let folder = Folder::new();
    folder.write("in.obj", obj_boxes(&[("a", [1.0, 2.0, 3.0], [2.0, 4.0, 9.0])]));
    for turn in [false, true] {
        let mut arguments = vec!["mass", "in.obj", "--write", "out.wrl", "--cells", "10", "--json"];
        arguments.extend(turn.then_some("--principal"));
        let run = folder.sudar(&arguments);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        assert_eq!(run.json()["written"], json!({"file": "out.wrl", "center_of": "exact"}));
        let again = folder.sudar(&["mass", "out.wrl", "--cells", "10", "--json"]).json();
        assert_eq!(again["stored"]["agrees"], json!(true), "{again}");
        // Half the extents are ½, 1 and 3 in some order, √10.25 from the middle to a corner, and the middle is the
        // centre of mass.
        let bounds = &again["stored"]["bounds"];
        for radius in [&bounds["reach"], &bounds["sphere"]["radius"]] {
            near(radius, 10.25_f64.sqrt(), 1e-12);
        }
        let exact = &again["whole"]["exact"];
        for axis in 0..3 {
            near(&exact["center"][axis], 0.0, 1e-14);
        }
        // 12/12·(4 + 36), 12/12·(1 + 36), 12/12·(1 + 4); along x, y, z in this order either way.
        for (axis, moment) in [40.0, 37.0, 5.0].into_iter().enumerate() {
            near(&exact["inertia"][axis], moment, 1e-12);
        }
    }
    // Other figures are told from those.
    let text = std::fs::read_to_string(folder.join("out.wrl")).unwrap();
    folder.write("out.wrl", text.replacen("volume 12 ", "volume 13 ", 1));
    let run = folder.sudar(&["mass", "out.wrl", "--cells", "10"]);
    assert!(run.out.contains("the figures that the file holds are others"), "{}", run.out);
}

#[test]
fn runs_of_whole_cells_are_longer_where_they_are_wanted() {
    let folder = Folder::new();
    folder.write("cube.obj", obj_boxes(&[("a", [-1.0; 3], [1.0; 3])]));
    let volume = |more: &[&str]| {
        let arguments = [&["mass", "cube.obj", "--cells", "8", "--json"], more].concat();
        folder.sudar(&arguments).json()["whole"]["voxel"]["volume"].as_f64().unwrap()
    };
    // Of planes a third of a cell off the borders nine are nearest to something inside, of eight cells.
    assert!((volume(&["--shift"]) - 8.0).abs() < 1e-12);
    assert!((volume(&["--shift", "--snap"]) - 9.0).abs() < 1e-12);
    assert!((volume(&["--snap", "--axes", "1"]) - 9.0).abs() < 1e-12);
}

#[test]
fn open_and_inward_models_say_so() {
    let folder = Folder::with_cube();
    let text = std::fs::read_to_string(folder.join("cube.obj")).unwrap();
    folder.write("open.obj", text.rsplit_once("f 5").unwrap().0);
    let document = folder.sudar(&["mass", "open.obj", "--cells", "12", "--json"]).json();
    assert_eq!(document["whole"]["exact"], Value::Null);
    assert!(document["whole"]["why"].as_str().unwrap().starts_with("the mesh is not closed: 4 edges"));
    near(&document["whole"]["voxel"]["volume"], 8.0, 0.1);
    assert!(document["whole"]["voxel"]["odd_rays"].as_u64().unwrap() > 0);
    let inward: Vec<String> = text
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(face) => format!("f {}", face.split(' ').rev().collect::<Vec<_>>().join(" ")),
            None => line.to_owned(),
        })
        .collect();
    folder.write("inward.obj", inward.join("\n"));
    let run = folder.sudar(&["mass", "inward.obj", "--cells", "5"]);
    assert!(run.status == 0 && run.out.contains("the surface faces inward"), "{}", run.out);
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n");
    let run = folder.sudar(&["mass", "flat.obj"]);
    assert!(run.status == 2 && run.err.contains("neither method could measure it"), "{}", run.err);
}

#[test]
fn of_a_half_open_model_what_is_closed_is_exact() {
    let folder = Folder::with_cube();
    let text = std::fs::read_to_string(folder.join("cube.obj")).unwrap();
    let part = |name: &str, text: &str| format!("o {name}\n{}\n", text.replace("o ", "# "));
    let corners = text.lines().filter(|line| line.starts_with("v ")).count();
    let open: Vec<String> = text
        .rsplit_once("f 5")
        .unwrap()
        .0
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(face) => {
                let moved = face.split(' ').map(|i| (i.parse::<usize>().unwrap() + corners).to_string());
                format!("f {}", moved.collect::<Vec<_>>().join(" "))
            }
            None => line.to_owned(),
        })
        .collect();
    folder.write("half.obj", part("whole", &text) + &part("holed", &open.join("\n")));
    let document = folder.sudar(&["mass", "half.obj", "--cells", "12", "--json"]).json();
    assert_eq!(document["whole"]["exact"], Value::Null);
    assert!(document["whole"]["why"].as_str().unwrap().contains("the mesh is not closed: 4 edges"));
    let closed = &document["closed"];
    assert_eq!(
        (&closed["parts"], &closed["of"], &closed["exact"]["volume"]),
        (&json!(1), &json!(2), &json!(8.0))
    );
    let run = folder.sudar(&["mass", "half.obj", "--cells", "12"]);
    assert!(run.out.contains("exactly, of the 1 of 2 parts that are closed"), "{}", run.out);
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = Folder::with_cube();
    let error =
        |arguments: &[&str]| folder.sudar(&[&["mass", "cube.obj"], arguments].concat()).error().to_owned();
    assert!(error(&["--write", "out.stl"]).contains("is written as VRML 2.0 only"));
    assert!(error(&["--axes", "4"]).contains("4"));
    assert!(error(&["--cells", "5", "--step", "1"]).contains("cannot be used with"));
    assert!(error(&["--density", "0"]).contains("must be above 0"));
    assert!(error(&["--principal"]).contains("--write"));
    let run = folder.sudar(&["mass", "cube.obj", "--step", "1e-9", "--json"]);
    assert!(run.json()["whole"]["why_no_voxel"].as_str().unwrap().contains("change the step"));
}

#[test]
fn replay_measures_too() {
    let folder = Folder::with_cube();
    let queries = [
        r#"{"id":"a","query":"mass","a":{"mesh":"cube.obj"}}"#.to_owned(),
        r#"{"id":"b","query":"mass","a":{"mesh":"cube.obj","solid":true},"method":"voxel","cells":10,"axes":1}"#.to_owned(),
        r#"{"id":"c","query":"mass","a":{"halfspace":[0,0,1,0]}}"#.to_owned(),
    ];
    let answers = folder.replay(&queries, &["--time"]).lines();
    let answers: Vec<&Value> = answers.iter().filter(|a| a["id"].is_string()).collect();
    assert_eq!((&answers[0]["volume"], &answers[0]["closed"]), (&json!(8.0), &json!(true)));
    near(&answers[0]["inertia"][0], 16.0 / 3.0, 1e-13);
    near(&answers[1]["volume"], 8.0, 1e-12);
    assert!(answers[2]["error"].as_str().unwrap().contains("half-space"));
}
