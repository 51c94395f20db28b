//! `clash --baseline`: what is new, changed, the same and gone, in the document, the table and the exit status.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use serde_json::{Value, json};

use crate::support::{Folder, obj_boxes};

type Named<'a> = (&'a str, [f64; 3], [f64; 3]);

/// A unit cube at x.
fn cube(name: &str, x: f64) -> Named<'_> {
    (name, [x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])
}

/// a overlaps b, b touches c, d overlaps e; and later: x before all, order changed, b overlaps c, e is no more.
fn before_and_after() -> Folder {
    let folder = Folder::new();
    let before = [cube("a", 0.0), cube("b", 0.75), cube("c", 1.75), cube("d", 5.0), cube("e", 5.5)];
    let after = [cube("x", 0.25), cube("d", 5.0), cube("c", 1.5), cube("b", 0.75), cube("a", -0.125)];
    folder.write("before.obj", obj_boxes(&before));
    folder.write("after.obj", obj_boxes(&after));
    assert_eq!(folder.sudar(&["clash", "before.obj", "--out", "old.json"]).status, 1);
    folder
}

fn statuses(document: &Value) -> Vec<(String, String)> {
    let word = |v: &Value| v.as_str().unwrap().to_owned();
    let clashes = document["clashes"].as_array().unwrap();
    clashes
        .iter()
        .map(|c| (format!("{}-{}", word(&c["names"][0]), word(&c["names"][1])), word(&c["status"])))
        .collect()
}

#[test]
fn each_clash_has_a_status_and_what_is_no_more_is_gone() {
    let folder = before_and_after();
    let run = folder.sudar(&["clash", "after.obj", "--json", "--baseline", "old.json"]);
    assert_eq!(run.status, 1);
    let document = run.json();
    // x [0.25, 1.25], b [0.75, 1.75], a [−0.125, 0.875], c [1.5, 2.5].
    let expected = [("x-b", "new"), ("x-a", "new"), ("c-b", "changed"), ("b-a", "shallower")];
    assert_eq!(statuses(&document), expected.map(|(names, status)| (names.to_owned(), status.to_owned())));
    assert_eq!(document["clashes"][2]["was"], json!("touch"));
    assert!(document["clashes"][0].get("was").is_none());
    // a and b were 0.25 in each other and are 0.125.
    let change = &document["clashes"][3]["change"];
    assert_eq!(change["of"], json!("depth"));
    assert!((change["was"].as_f64().unwrap() - 0.25).abs() < 1e-9, "{change}");
    assert!((change["now"].as_f64().unwrap() - 0.125).abs() < 1e-9, "{change}");
    let gone = document["gone"].as_array().unwrap();
    assert_eq!(gone.len(), 1);
    assert_eq!((&gone[0]["names"], &gone[0]["kind"]), (&json!(["d", "e"]), &json!("hard")));
    assert_eq!((&gone[0]["a"], &gone[0]["b"]), (&json!(1), &Value::Null));
    assert!((gone[0]["depth"].as_f64().unwrap() - 0.5).abs() < 1e-12);
}

#[test]
fn without_a_baseline_there_are_no_statuses() {
    let folder = before_and_after();
    let document = folder.sudar(&["clash", "after.obj", "--json"]).json();
    assert!(document.get("gone").is_none() && document["clashes"][0].get("status").is_none());
}

#[test]
fn the_table_tells_it_too() {
    let folder = before_and_after();
    let text = folder.sudar(&["clash", "after.obj", "--baseline", "old.json"]).out;
    assert!(
        text.contains("4 clashes (4 hard); 2 new, 1 changed, 1 shallower, 0 same, 1 gone since the baseline"),
        "{text}"
    );
    assert!(text.contains("hard, protruding, was touch"), "{text}");
    let line = |start: &str| text.lines().filter(|l| l.trim_start().starts_with(start)).count();
    assert_eq!(["new", "changed", "shallower", "gone"].map(line), [2, 1, 1, 1], "{text}");
}

#[test]
fn new_only_is_for_the_list_and_the_exit_status() {
    let folder = before_and_after();
    let only = |scene: &str, more: &[&str]| {
        folder.sudar(&[&["clash", scene, "--baseline", "old.json", "--new-only"], more].concat())
    };
    let run = only("after.obj", &["--out", "next.json"]);
    assert_eq!(run.status, 1);
    let line = |start: &str| run.out.lines().filter(|l| l.trim_start().starts_with(start)).count();
    assert_eq!(["new", "changed", "shallower", "gone"].map(line), [2, 1, 0, 0], "{}", run.out);
    // The document holds all clashes, so that it can be the next baseline.
    let next: Value = serde_json::from_slice(&std::fs::read(folder.join("next.json")).unwrap()).unwrap();
    assert_eq!(next["clashes"].as_array().unwrap().len(), 4);
    let again = folder.sudar(&["clash", "after.obj", "--baseline", "next.json", "--new-only"]);
    assert_eq!(again.status, 0, "{}", again.out);
    // Nothing new: 0, though there are clashes. Without --new-only they count.
    assert_eq!(only("before.obj", &[]).status, 0);
    assert_eq!(folder.sudar(&["clash", "before.obj", "--baseline", "old.json"]).status, 1);
    assert_eq!(only("after.obj", &["--allow", "hard"]).status, 0);
}

#[test]
fn the_baseline_may_be_written_anew_at_once() {
    let folder = before_and_after();
    let args = ["clash", "after.obj", "--json", "--baseline", "old.json", "--out", "old.json"];
    let first = folder.sudar(&args).json();
    assert_eq!(first["gone"].as_array().unwrap().len(), 1);
    let second = folder.sudar(&args).json();
    assert!(statuses(&second).iter().all(|(_, status)| status == "same"));
    assert_eq!(second["gone"], json!([]));
}

#[test]
fn damaged_baselines_are_one_line_of_complaint() {
    let folder = before_and_after();
    let complaint = |text: &str| {
        folder.write("bad.json", text);
        folder.sudar(&["clash", "after.obj", "--baseline", "bad.json"]).error().to_owned()
    };
    let whole = std::fs::read_to_string(folder.join("old.json")).unwrap();
    let half = complaint(&whole[..whole.len() / 2]);
    assert!(
        half.starts_with("bad.json: is no document of sudar clash; name a file that --out wrote: "),
        "{half}"
    );
    for damaged in ["", "[]", "{}", "null", "{\"parts\":[]}", "{\"parts\":[{}],\"clashes\":[]}", "\u{feff}x"]
    {
        assert!(complaint(damaged).starts_with("bad.json: is no document"), "{damaged}");
    }
    assert!(complaint(&whole.replace("\"touch\"", "\"tuch\"")).contains("unknown variant `tuch`"));
    let beyond = complaint(&whole.replacen("\"a\":0", "\"a\":77", 1));
    assert!(beyond.ends_with("clash 0 is of parts 77 and 1, of 5"), "{beyond}");
    folder.write("bad.json", [0xff, 0xfe]);
    let run = folder.sudar(&["clash", "after.obj", "--baseline", "bad.json"]);
    assert!(run.error().starts_with("bad.json: cannot be read"), "{}", run.err);
    let run = folder.sudar(&["clash", "after.obj", "--baseline", "."]);
    assert!(run.error().contains("is not a regular file; name a JSON file"), "{}", run.err);
    let run = folder.sudar(&["clash", "after.obj", "--new-only"]);
    assert!(run.error().contains("--baseline"), "{}", run.err);
}

/// The lines between the fences of the documentation's first block of JSON.
fn documented() -> Value {
    let text = include_str!("../../../../docs/clash-json.md");
    let (_, after) = text.split_once("```json\n").unwrap();
    serde_json::from_str(after.split_once("```").unwrap().0).unwrap()
}

#[test]
fn the_documented_example_is_what_the_gearbox_gives() {
    let folder = Folder::new();
    assert_eq!(folder.sudar(&["clash", "--out", "before.json"]).status, 1);
    let given = folder.sudar(&["clash", "--clearance", "0", "--baseline", "before.json", "--json"]).json();
    let expected = documented();
    assert_eq!((&given["candidates"], &given["gone"]), (&expected["candidates"], &expected["gone"]));
    for field in ["schema", "version", "unit", "clearance", "files", "grouped_by"] {
        assert_eq!(given[field], expected[field], "{field}");
    }
    for list in ["groups", "parts", "clashes"] {
        let given = given[list].as_array().unwrap();
        let shown = expected[list].as_array().unwrap();
        assert!(shown.len() == 2 && shown.iter().all(|entry| given.contains(entry)), "{list}");
    }
}

#[test]
fn a_cache_changes_nothing_but_the_time_and_is_replaced_if_it_is_damaged() {
    let folder = Folder::new();
    let check = |more: &[&str]| {
        let run = folder.sudar(&[&["clash", "--json", "--no-times"], more].concat());
        assert_eq!(run.status, 1, "{}", run.err);
        run.out
    };
    let from_nothing = check(&[]);
    let file = folder.join("kept/clash-pairs.bin");
    assert_eq!(check(&["--cache", "kept"]), from_nothing);
    let kept = std::fs::read(&file).unwrap();
    assert_eq!(check(&["--cache", "kept"]), from_nothing);
    assert_eq!(std::fs::read(&file).unwrap(), kept);
    std::fs::write(&file, &kept[..kept.len() / 2]).unwrap();
    let table = folder.sudar(&["clash", "--cache", "kept"]).out;
    assert!(table.contains("is no cache of clash checks or is damaged; it is ignored"), "{table}");
    assert_eq!(check(&["--cache", "kept"]), from_nothing);
    let refused = folder.sudar(&["clash", "--cache", "kept/clash-pairs.bin"]);
    assert!(refused.error().contains("the folder cannot be made"), "{}", refused.err);
}
