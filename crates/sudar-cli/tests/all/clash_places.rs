//! What rules say of disciplines and places: severities, levels, grids; and files that are checked together.

use crate::support::{Folder, obj_boxes};

const RULES: &str = "\
[matrix]
'pipe*' = { 'wall*' = 'critical', 'duct*' = 'minor' }
[[level]]
name = 'ground'
elevation = 0
[[level]]
name = 'level 1'
elevation = '3 m'
[[grid]]
axes = { A = [[0, 0], [0, 9]], B = [[5, 0], [5, 9]] }
";

/// A wall and a slab in it; and a pipe through wall and slab, and a duct around a piece of the pipe.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "walls.obj",
        obj_boxes(&[("wall", [1.0, 0.0, 0.0], [1.25, 9.0, 6.0]), ("slab", [0.0; 3], [9.0, 9.0, 0.25])]),
    );
    let pipe = ("pipe", [0.5, 1.0, 3.5], [4.0, 1.25, 3.75]);
    folder.write("pipes.obj", obj_boxes(&[pipe, ("duct", [3.0, 0.5, 3.0], [3.5, 2.0, 4.0])]));
    folder.write("rules.toml", RULES);
    folder
}

#[test]
fn a_matrix_of_disciplines_says_what_is_checked_and_how_bad_it_is_and_where() {
    let folder = folder();
    let args = ["clash", "walls.obj", "pipes.obj", "--units", "m", "--ignore", "rules.toml"];
    let document = folder.sudar(&[&args[..], &["--json", "--table", "t.csv"]].concat()).json();
    let clashes = document["clashes"].as_array().unwrap();
    let found: Vec<_> =
        clashes.iter().map(|c| [&c["names"][0], &c["names"][1], &c["severity"], &c["place"]]).collect();
    // The wall stands in the slab, which no cell names.
    assert_eq!(
        serde_json::json!(found),
        serde_json::json!([
            ["wall", "pipe", "critical", "level 1, between A and B"],
            ["pipe", "duct", "minor", "level 1, between A and B"]
        ])
    );
    assert_eq!(document["parts"][2]["file"], 1);
    let csv = std::fs::read_to_string(folder.join("t.csv")).unwrap();
    assert!(csv.contains(",\"level 1, between A and B\",,walls.obj,pipes.obj,critical,"), "{csv}");
    let text = folder.sudar(&args).out;
    let critical = text.lines().find(|line| line.contains("critical")).unwrap();
    assert!(critical.contains("level 1, between A and B"), "{text}");
}
