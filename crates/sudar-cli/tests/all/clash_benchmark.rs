//! `clash --write-benchmark`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::Folder;

#[test]
fn the_step_files_of_the_benchmark_have_the_clashes_of_the_truth() {
    let folder = Folder::new();
    let run = folder.sudar(&["clash", "--write-benchmark", "made"]);
    assert_eq!((run.status, run.out.lines().count()), (0, 7), "{}{}", run.out, run.err);
    let text = std::fs::read_to_string(folder.join("made/truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&text).unwrap();
    let files = ["architecture", "structure", "services"].map(|name| format!("made/{name}.step"));
    let files = files.each_ref().map(String::as_str);
    let options = ["clash", "--clearance", "50mm", "--touch", "0.01mm", "--json"];
    let run = folder.sudar(&[&options[..], &files].concat());
    if run.status == 2 && (run.err.contains("is not there") || run.err.contains("cannot be started")) {
        println!("skipped: Python has no cascadio: {}", run.err);
        return;
    }
    assert_eq!(pairs(&run.json()["clashes"]), pairs(&truth["pairs"]));
}

#[test]
fn the_ifc_files_of_the_benchmark_have_the_clashes_of_the_truth_each_with_its_place() {
    let folder = Folder::new();
    assert_eq!(folder.sudar(&["clash", "--write-benchmark", "made"]).status, 0);
    let text = std::fs::read_to_string(folder.join("made/truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&text).unwrap();
    let files = ["architecture", "structure", "services"].map(|name| format!("made/{name}.ifc"));
    let files = files.each_ref().map(String::as_str);
    let options = ["clash", "--units", "mm", "--clearance", "50mm", "--touch", "0.01mm", "--json"];
    let document = folder.sudar(&[&options[..], &files].concat()).json();
    assert_eq!(pairs(&document["clashes"]), pairs(&truth["pairs"]));
    let clashes = document["clashes"].as_array().unwrap();
    let place = |name: &str| {
        let clash =
            clashes.iter().find(|c| c["kind"] == "hard" && c["names"].to_string().contains(name)).unwrap();
        clash["place"].as_str().unwrap().to_owned()
    };
    // At x = 3 m and y = 3 m, 1.5 m above the slab; bays are 6 m wide.
    assert_eq!(place("pipe through partition L1"), "level 1, between A and B, between 1 and 2");
}

/// The pairs of a list, each with its kind.
fn pairs(list: &Value) -> BTreeMap<[String; 2], String> {
    let name = |name: &Value| name.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let pair = |one: &Value| {
        let mut names = [0, 1].map(|side| name(&one["names"][side]));
        names.sort();
        (names, one["kind"].as_str().unwrap().to_owned())
    };
    list.as_array().unwrap().iter().map(pair).collect()
}
