//! `pairs` runs every broad phase on one file of boxes, and `replay` reads the same file.

use serde_json::json;

use crate::support::Folder;

/// A NumPy array of boxes.
fn npy(boxes: &[[f64; 6]]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 6), }}\n", boxes.len());
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(boxes.iter().flatten().flat_map(|x| x.to_le_bytes()));
    bytes
}

/// Boxes in a row, each of which touches the next: n − 1 pairs.
fn row(n: usize) -> Vec<[f64; 6]> {
    (0..n).map(|i| [i as f64, 0.0, 0.0, i as f64 + 1.0, 1.0, 1.0]).collect()
}

#[test]
fn every_broad_phase_finds_the_same_pairs() {
    let folder = Folder::new();
    folder.write("row.npy", npy(&row(300)));
    let run = folder.sudar(&["pairs", "row.npy", "--json", "--repeat", "1"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let document = run.json();
    assert_eq!((&document["boxes"], &document["left_out"]), (&json!(300), &json!([])));
    let runs = document["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 16);
    assert!(runs.iter().all(|run| run["pairs"] == json!(299)));
    assert_eq!((&runs[0]["algorithm"], &runs[0]["used"]), (&json!("auto"), &json!("strips")));
    // Brute force compares all.
    assert_eq!((&runs[1]["algorithm"], &runs[1]["tests"]), (&json!("brute"), &json!(300 * 299 / 2)));
    let table = folder.sudar(&["pairs", "row.npy", "--algorithm", "auto,octree-dup"]).out;
    assert!(["auto (strips)", "octree-dup", "because"].iter().all(|word| table.contains(word)), "{table}");
}

#[test]
fn what_cannot_end_in_time_is_left_out_and_said() {
    let folder = Folder::new();
    // What compares all with all is not begun for so many, however few of them meet.
    folder.write("row.npy", npy(&row(30_001)));
    let run = folder.sudar(&["pairs", "row.npy", "--repeat", "1", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(run.json()["left_out"], json!(["brute", "axis", "intervals"]));
    assert_eq!(run.json()["listed"], json!(true));
    for row in run.json()["runs"].as_array().unwrap() {
        assert_eq!(row["pairs"], json!(30_000));
    }
    folder.write("some.npy", npy(&vec![[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]; 5_000]));
    let table = folder.sudar(&["pairs", "some.npy", "--repeat", "1"]).out;
    assert!(table.contains("counted and not listed") && table.contains("12497500"), "{table}");
}

#[test]
fn what_is_nearer_is_tested_first_and_the_rest_is_late() {
    let folder = Folder::new();
    folder.write("row.npy", npy(&row(8)));
    let schedule = |more: &[&str]| {
        let fixed = ["pairs", "row.npy", "--algorithm", "auto", "--json", "--budget", "3"];
        let run = folder.sudar(&[&fixed[..], more].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        run.json()["schedule"].clone()
    };
    // The viewer stands beyond the last box, and each test of two convex bodies costs a node.
    let seen = schedule(&["--camera", "100,0,0"]);
    assert_eq!(seen["order"], json!("sequential"));
    let frame = &seen["frames"][0];
    assert_eq!(frame["tested"], json!([[6, 7], [5, 6], [4, 5]]));
    assert_eq!(frame["late"], json!([[0, 1], [1, 2], [2, 3], [3, 4]]));
    // In queues, what was late is tested in later frames.
    let turns = schedule(&["--camera", "100,0,0", "--schedule", "queues", "--frames", "16"]);
    let tested: std::collections::BTreeSet<String> = turns["frames"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|f| f["tested"].as_array().unwrap())
        .map(ToString::to_string)
        .collect();
    assert_eq!(tested.len(), 7);
    // Shares need no viewer; the others say so.
    assert_eq!(schedule(&[])["order"], json!("shares"));
    let refused = folder.sudar(&["pairs", "row.npy", "--budget", "3", "--schedule", "queues"]);
    assert!(refused.status == 2 && refused.err.contains("--camera X,Y,Z"), "{}", refused.err);
    let bad = folder.sudar(&["pairs", "row.npy", "--budget", "3", "--camera", "1,2"]);
    assert!(bad.status == 2 && bad.err.contains("needs three numbers, or six"), "{}", bad.err);
    for (camera, problem) in [("nan,0,0", "must be finite"), ("1,2,3,1,2,3", "he stands where he looks")] {
        let bad = folder.sudar(&["pairs", "row.npy", "--budget", "3", "--camera", camera]);
        assert!(bad.status == 2 && bad.err.contains(problem), "{}", bad.err);
    }
    let table = folder.sudar(&["pairs", "row.npy", "--budget", "3", "--camera", "0,0,9,0,0,0"]).out;
    assert!(table.contains("exact tests of 3 nodes a frame"), "{table}");
}

#[test]
fn a_bad_box_is_named() {
    let folder = Folder::new();
    let mut boxes = row(4);
    boxes[2] = [0.0, 0.0, 1.0, 1.0, 1.0, 0.0];
    folder.write("bad.npy", npy(&boxes));
    let run = folder.sudar(&["pairs", "bad.npy"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("bad.npy: the box of object 2 ends before it begins on axis 2"), "{}", run.err);
    folder.write("text.npy", b"hello");
    assert!(folder.sudar(&["pairs", "text.npy"]).err.contains("is no array of boxes"));
    assert_eq!(folder.sudar(&["pairs", "text.npy", "--algorithm", "magic"]).status, 2);
}

#[test]
fn replay_reads_boxes_from_a_file() {
    let folder = Folder::new();
    folder.write("row.npy", npy(&row(3)));
    let line = |fields: &str| format!("{{\"query\":\"pairs\",{fields}}}\n");
    let queries = line(r#""boxes_file":"row.npy","algorithm":"kd""#) + &line(r#""boxes_file":"none.npy""#);
    folder.write("queries.jsonl", queries);
    let run = folder.sudar(&["replay", "queries.jsonl"]);
    assert_eq!(run.status, 1);
    let mut lines = run.out.lines();
    assert_eq!(lines.next(), Some(r#"{"id":null,"count":2,"pairs":[[0,1],[1,2]],"algorithm":"kd"}"#));
    assert!(lines.next().is_some_and(|line| line.contains("none.npy") && line.contains("error")));
}
