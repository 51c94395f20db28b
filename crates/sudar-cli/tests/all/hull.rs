//! `hull` writes what it says, also for flat models, and `replay` answers the query of the same name.

use serde_json::json;

use crate::support::{Folder, obj_boxes};

#[test]
fn two_cubes_are_wrapped_together() {
    let folder = Folder::new();
    // [−1, 1]³ and the same moved by 3 along x: the hull is 5 × 2 × 2.
    folder
        .write("in.obj", obj_boxes(&[("a", [-1.0; 3], [1.0; 3]), ("b", [2.0, -1.0, -1.0], [4.0, 1.0, 1.0])]));
    for out in ["out.obj", "out.stl", "out.ply", "out.off", "out.glb"] {
        let run = folder.sudar(&["hull", "in.obj", "-o", out, "--json"]);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let document = run.json();
        assert_eq!(document["dimension"], json!(3));
        assert_eq!((&document["vertices"], &document["faces"]), (&json!(8), &json!(6)));
        assert_eq!((&document["volume"], &document["area"]), (&json!(20.0), &json!(48.0)));
        assert_eq!(document["written"], json!({"file": out, "triangles": 12}));
        let info = folder.sudar(&["info", out, "--json"]).json();
        let part = &info["files"][0]["parts"][0];
        assert_eq!((&part["triangles"], &part["closed"]), (&json!(12), &json!(true)), "{out}");
        assert_eq!(info["files"][0]["bounds"], json!({"min": [-1.0, -1.0, -1.0], "max": [4.0, 1.0, 1.0]}));
        // The hull of a hull is the hull.
        let again = folder.sudar(&["hull", out, "--json"]).json();
        assert_eq!((&again["volume"], &again["written"]), (&json!(20.0), &json!(null)));
    }
}

#[test]
fn people_see_a_table() {
    let folder = Folder::with_cube();
    let run = folder.sudar(&["hull", "cube.obj", "--units", "cm"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    for line in ["3 (polyhedron)", "volume", "8e-6", "0.0024"] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
}

#[test]
fn a_flat_model_has_a_hull_with_two_sides() {
    let folder = Folder::new();
    // An L of area 3 whose hull is a pentagon of area 3.5; the last vertex is not used.
    folder.write(
        "l.obj",
        "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 9 9 9\nf 1 2 3 4\nf 1 4 5 6\n",
    );
    let run = folder.sudar(&["hull", "l.obj", "-o", "out.obj", "--json"]);
    let document = run.json();
    assert_eq!(
        (&document["dimension"], &document["vertices"], &document["faces"]),
        (&json!(2), &json!(5), &json!(2))
    );
    assert_eq!((&document["volume"], &document["area"]), (&json!(0.0), &json!(7.0)));
    assert!(document["notes"][0].as_str().unwrap().contains("flat"));
    assert_eq!(folder.sudar(&["info", "out.obj", "--json"]).json()["files"][0]["triangles"], json!(6));
}

#[test]
fn what_has_no_faces_is_measured_but_not_written() {
    let folder = Folder::new();
    folder.write("line.obj", "v 0 0 0\nv 1 1 1\nv 3 3 3\nf 1 2 3\n");
    let measured = folder.sudar(&["hull", "line.obj", "--json"]).json();
    assert_eq!((&measured["dimension"], &measured["vertices"]), (&json!(1), &json!(2)));
    let run = folder.sudar(&["hull", "line.obj", "-o", "out.obj"]);
    assert!(run.error().starts_with("line.obj: all vertices are on one line"), "{}", run.err);
    assert!(!folder.join("out.obj").exists());
}

#[test]
fn errors_name_the_file() {
    let folder = Folder::with_cube();
    assert!(folder.sudar(&["hull", "none.obj"]).error().contains("none.obj"));
    assert!(folder.sudar(&["hull", "cube.obj", "-o", "out.xyz"]).error().contains("out.xyz"));
    assert!(folder.sudar(&["hull", "cube.obj", "-o", "none/out.obj"]).error().contains("none/out.obj"));
    std::fs::create_dir(folder.join("folder")).unwrap();
    assert!(folder.sudar(&["hull", "cube.obj", "-o", "folder"]).error().contains("folder"));
}

#[test]
fn replay_answers_hulls_and_loads_the_files_of_compounds() {
    let folder = Folder::with_cube();
    let points = json!([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [0.5, 0.5, 0.5], [2, 0, 0]]);
    let compound = json!({"compound": [
        {"shape": {"mesh": "cube.obj", "solid": true}, "pose": {"translation": [5, 0, 0]}},
        {"shape": {"sphere": 1}},
    ]});
    let lines = [
        json!({"id": "h", "query": "hull", "points": points}).to_string(),
        json!({"id": "c", "query": "contains", "a": compound, "point": [5.5, 0, 0]}).to_string(),
        json!({"id": "n", "query": "hull", "points": [[0, 0, 0], ["x", 0, 0]]}).to_string(),
    ];
    let run = folder.replay(&lines, &[]);
    let answers = run.lines();
    // A corner of a cube of side 2 cut off: a sixth of 8; three right triangles of area 2 and one of 2√3.
    assert_eq!(answers[0]["vertices"], json!([0, 1, 2, 3]));
    assert_eq!(answers[0]["faces"], json!([[0, 1, 3], [0, 2, 1], [0, 3, 2], [1, 2, 3]]));
    assert_eq!(answers[0]["dimension"], json!(3));
    assert!((answers[0]["volume"].as_f64().unwrap() - 8.0 / 6.0).abs() < 1e-15);
    assert!((answers[0]["area"].as_f64().unwrap() - 6.0 - 12.0_f64.sqrt()).abs() < 1e-14);
    assert_eq!(answers[1]["inside"], json!(true), "{}", answers[1]);
    assert!(answers[2]["error"].as_str().unwrap().starts_with("`points`: invalid type"), "{}", answers[2]);
}
