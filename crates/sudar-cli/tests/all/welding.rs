//! `--weld`: almost closed meshes, what is said about them, and what welding reports.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use serde_json::{Value, json};

use crate::support::{Folder, Run};

/// The corners of the cube [−1, 1]³, three for each triangle; the triangles of the face +z are `off` lower.
fn corners(off: f64) -> Vec<[f64; 3]> {
    let corner = |i: u32| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
    let lowered = |[x, y, z]: [f64; 3], face: usize| [x, y, if face == 5 { z - off } else { z }];
    triangles.enumerate().map(|(i, v)| lowered(corner(v), i / 6)).collect()
}

fn stl(corners: &[[f64; 3]]) -> String {
    let facet = |t: &[[f64; 3]]| {
        let vertices: String = t.iter().map(|[x, y, z]| format!("vertex {x:?} {y:?} {z:?}\n")).collect();
        format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    };
    format!("solid cube\n{}endsolid cube\n", corners.chunks(3).map(facet).collect::<String>())
}

/// A folder with `cube.stl`, which misses being closed by 2⁻²⁵, and `whole.stl`, which does not.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("cube.stl", stl(&corners(OFF)));
    folder.write("whole.stl", stl(&corners(0.0)));
    folder
}

/// 2⁻²⁵, about 3e-8; the side of the cube is 2.
const OFF: f64 = 1.0 / 33_554_432.0;

fn part(run: &Run) -> Value {
    assert_eq!(run.err, "");
    run.json()["files"][0]["parts"][0].clone()
}

#[test]
fn info_says_at_which_tolerance_a_part_closes_and_welding_there_closes_it() {
    let folder = folder();
    let open = part(&folder.sudar(&["info", "--json", "cube.stl"]));
    assert_eq!((&open["closed"], &open["closes_at"]), (&json!(false), &json!(2e-7)));
    assert_eq!(open.get("weld"), None);
    // Eight corners, and those of the face +z again.
    assert_eq!(open["faults"]["unwelded"], json!(0));
    let text = folder.sudar(&["info", "cube.stl"]).out;
    assert!(text.contains("no, closes if welded at 2e-7"), "{text}");
    let closed = part(&folder.sudar(&["info", "--json", "cube.stl", "--weld", "2e-7"]));
    assert_eq!((&closed["closed"], closed.get("closes_at")), (&json!(true), None));
    assert_eq!(closed["triangles"], json!(12));
    let weld = &closed["weld"];
    assert_eq!(
        (&weld["tolerance"], &weld["moved"], &weld["collapsed"]),
        (&json!(2e-7), &json!(4), &json!(0))
    );
    let farthest = weld["farthest"].as_f64().unwrap();
    assert!((OFF..OFF * 1.000_001).contains(&farthest));
    let text = folder.sudar(&["info", "cube.stl", "--weld"]).out;
    assert!(text.contains("cube: welded at 2e-6: 4 vertices moved by at most 2.98023e-8"), "{text}");
    let whole = part(&folder.sudar(&["info", "--json", "whole.stl", "--weld"]));
    assert_eq!((&whole["closed"], &whole["weld"]["moved"]), (&json!(true), &json!(0)));
}

#[test]
fn every_command_that_reads_meshes_welds_and_reports() {
    let folder = folder();
    let check = folder.sudar(&["check", "cube.stl", "whole.stl", "--pose-b", "9,0,0", "--json", "--weld"]);
    assert_eq!(check.status, 0, "{}", check.err);
    assert_eq!(
        (&check.json()["a"]["weld"]["moved"], &check.json()["b"]["weld"]["moved"]),
        (&json!(4), &json!(0))
    );
    let check = folder.sudar(&["check", "--weld", "1e-12", "cube.stl", "whole.stl"]);
    assert!(
        check.out.contains("cube.stl: 12 triangles; welded at 1e-12: 0 vertices moved\n"),
        "{}",
        check.out
    );
    let convert = folder.sudar(&["convert", "cube.stl", "out.obj", "--json", "--weld"]);
    assert_eq!((convert.status, &convert.json()["weld"]["moved"]), (0, &json!(4)));
    assert_eq!(part(&folder.sudar(&["info", "--json", "out.obj"]))["closed"], json!(true));
    let convert = folder.sudar(&["convert", "cube.stl", "out.obj", "--json"]);
    assert_eq!(convert.json().get("weld"), None);
    let hull = folder.sudar(&["hull", "cube.stl", "--json", "--weld"]);
    assert_eq!((&hull.json()["vertices"], &hull.json()["weld"]["moved"]), (&json!(8), &json!(4)));
    assert_eq!(folder.sudar(&["hull", "cube.stl", "--json"]).json()["vertices"], json!(8), "4 lie inside");
}

#[test]
fn clash_says_which_parts_close_and_finds_what_is_inside_them() {
    let folder = folder();
    let small: Vec<[f64; 3]> = corners(0.0).iter().map(|p| p.map(|x| x / 2.0)).collect();
    folder.write("small.stl", stl(&small));
    let run = folder.sudar(&["clash", "cube.stl", "small.stl", "--json"]);
    assert_eq!((run.status, &run.json()["clashes"]), (0, &json!([])), "a surface contains nothing");
    assert_eq!(run.json()["parts"][0]["closes_at"], json!(2e-7));
    assert_eq!(run.json()["parts"][1].get("closes_at"), None);
    let text = folder.sudar(&["clash", "cube.stl", "small.stl"]).out;
    let expected = "1 part is not closed and so without an inside; 1 of them closes if welded at 2e-7";
    assert!(text.contains(expected), "{text}");
    let run = folder.sudar(&["clash", "cube.stl", "small.stl", "--json", "--weld"]);
    let document = run.json();
    assert_eq!((run.status, &document["clashes"][0]["kind"]), (1, &json!("contained")));
    assert_eq!(document["parts"][0]["weld"]["moved"], json!(4));
    let text = folder.sudar(&["clash", "cube.stl", "small.stl", "--weld"]).out;
    assert!(text.contains("note: cube.stl: welded at 2e-6: 4 vertices moved"), "{text}");
}

#[test]
fn replay_welds_a_shape_and_its_errors_say_where_it_closes() {
    let folder = folder();
    let contains = |shape: Value| json!({"query": "contains", "a": shape, "point": [0, 0, 0]}).to_string();
    let lines = [
        contains(json!({"mesh": "cube.stl", "solid": true})),
        contains(json!({"mesh": "cube.stl"})),
        contains(json!({"mesh": "cube.stl", "weld": 2e-7, "solid": true})),
        contains(json!({"mesh": "cube.stl", "weld": 1e-12, "solid": true})),
        contains(json!({"mesh": "whole.stl"})),
        contains(json!({"mesh": "cube.stl", "weld": -1, "solid": true})),
    ];
    let run = folder.replay(&lines, &["--time"]);
    let answers = run.lines();
    let error = |i: usize| answers[i + 1]["error"].as_str().unwrap().to_owned();
    assert!(error(0).ends_with("it closes if welded at 2e-7"), "{}", error(0));
    assert!(error(1).ends_with("this mesh closes if welded at 2e-7"), "{}", error(1));
    assert_eq!(answers[3]["inside"], json!(true));
    assert!(
        error(3).contains("8 edges") && error(3).ends_with("it closes if welded at 2e-7"),
        "{}",
        error(3)
    );
    assert!(error(4).contains("this mesh is closed"), "{}", error(4));
    assert!(error(5).contains("`weld`: must be 0 or more"), "{}", error(5));
    let shapes = answers[0]["shapes"].as_array().unwrap();
    let welded = shapes.iter().find(|shape| shape.get("weld").is_some()).unwrap();
    assert_eq!(welded["shape"], json!({"mesh": "cube.stl", "weld": 2e-7, "solid": true}));
    assert_eq!(welded["weld"]["moved"], json!(4));
}

#[test]
fn a_tolerance_that_is_no_length_is_refused_with_the_mend() {
    let folder = folder();
    let error = |args: &[&str]| folder.sudar(args).error().to_owned();
    assert!(error(&["info", "--weld", "cube.stl"]).contains("write --weld behind the files"));
    assert!(error(&["info", "cube.stl", "--weld", "nan"]).contains("must be a length of 0 or more"));
}
