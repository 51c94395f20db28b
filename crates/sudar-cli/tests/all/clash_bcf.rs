//! `clash --bcf`: topics for other tools, and what was decided there.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use std::io::{Cursor, Read, Write};
use std::process::Command;

use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::support::{Folder, Run, write_row};

fn check(folder: &Folder, more: &[&str]) -> Run {
    folder.sudar(&[&["clash", "row.obj", "--units", "mm", "--bcf", "row.bcf"], more].concat())
}

fn statuses(run: &Run) -> Vec<String> {
    let document = run.json();
    let status = |clash: &Value| clash["review"]["status"].as_str().unwrap().to_owned();
    document["clashes"].as_array().unwrap().iter().map(status).collect()
}

/// Changes every entry that ends so, as another tool does.
fn change(folder: &Folder, ending: &str, with: impl Fn(String) -> String) {
    let bytes = std::fs::read(folder.join("row.bcf")).unwrap();
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..archive.len() {
        let mut file = archive.by_index(number).unwrap();
        let name = file.name().unwrap().into_owned();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        if name.ends_with(ending) {
            content = with(String::from_utf8(content).unwrap()).into_bytes();
        }
        if !name.ends_with('/') {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(&content).unwrap();
        }
    }
    folder.write("row.bcf", writer.finish().unwrap().into_inner());
}

#[test]
fn decisions_in_topics_outlive_checks_and_set_the_exit_status() {
    for version in ["2.1", "3.0"] {
        let folder = Folder::new();
        write_row(&folder, 0.0);
        let first = check(&folder, &["--json", "--bcf-version", version]);
        assert_eq!((first.status, statuses(&first)), (1, vec!["new".to_owned(), "new".to_owned()]));
        let second = check(&folder, &[]);
        assert!(second.out.contains("; 0 new, 2 active, 0 resolved"), "{}", second.out);
        change(&folder, "markup.bcf", |markup| {
            let is_of_a = markup.contains("a × b");
            if is_of_a { markup.replace("\"Active\"", "\"Accepted\"") } else { markup }
        });
        let third = check(&folder, &["--json"]);
        assert_eq!((third.status, statuses(&third)), (1, vec!["accepted".to_owned(), "active".to_owned()]));
        write_row(&folder, 9.0);
        let last = check(&folder, &["--json"]);
        assert_eq!((last.status, statuses(&last)), (0, vec!["accepted".to_owned()]));
    }
}

#[test]
fn equal_checks_write_equal_files() {
    let bytes = |threads: &str| {
        let folder = Folder::new();
        write_row(&folder, 0.0);
        assert_eq!(check(&folder, &["--no-times", "--threads", threads]).status, 1);
        std::fs::read(folder.join("row.bcf")).unwrap()
    };
    assert_eq!(bytes("1"), bytes("3"));
}

#[test]
fn what_cannot_be_is_refused_in_one_line_and_the_file_stays() {
    let folder = Folder::new();
    write_row(&folder, 0.0);
    folder.write("row.bcf", "no archive");
    let run = check(&folder, &[]);
    assert!(run.error().starts_with("row.bcf: is no BCF file"), "{}", run.err);
    assert_eq!(std::fs::read(folder.join("row.bcf")).unwrap(), b"no archive");
    std::fs::remove_file(folder.join("row.bcf")).unwrap();
    assert_eq!(check(&folder, &[]).status, 1);
    let refused = |more: &[&str]| check(&folder, more).error().to_owned();
    assert!(refused(&["--bcf-version", "3.0"]).contains("is BCF 2.1; leave --bcf-version out"));
    assert!(refused(&["--review", "x.toml"]).contains("cannot be used with"));
    assert!(refused(&["--bcf-by", "group", "--group", "none"]).contains("needs groups"));
    let named = folder.sudar(&["clash", "row.obj", "--bcf", "row.obj"]);
    assert!(named.error().contains("let its name end in .bcf or .bcfzip"), "{}", named.err);
    change(&folder, "markup.bcf", |markup| format!("<!DOCTYPE x>{}", markup.split_once("?>").unwrap().1));
    assert!(check(&folder, &[]).error().contains("markup.bcf: has a document type"));
}

#[test]
fn an_unknown_unit_is_said() {
    let folder = Folder::new();
    write_row(&folder, 0.0);
    let run = folder.sudar(&["clash", "row.obj", "--bcf", "row.bcf"]);
    assert!(
        run.out.contains("note: BCF is in metres, and the unit of the files is not known"),
        "{}",
        run.out
    );
    assert!(!check(&folder, &[]).out.contains("BCF is in metres"));
}

/// What PyPI's `bcf-client` finds: a topic a line, with its parts, and how large its pictures are.
const READER: &str = "
import json, sys
from bcf.bcfxml import load
file = load(sys.argv[1])
for topic in file.topics.values():
    views = topic.viewpoints.values()
    parts = [c.authoring_tool_id for v in views for c in v.visualization_info.components.selection.component]
    eye = [v.visualization_info.perspective_camera.camera_view_point.z for v in views]
    print(json.dumps([topic.topic.title, topic.topic.topic_status, parts, [len(v.snapshot) for v in views], eye]))
";

#[test]
fn another_reader_opens_both_versions() {
    let python = std::env::var("SUDAR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import bcf.bcfxml"]).output();
    if !has.is_ok_and(|run| run.status.success()) {
        println!("skipped: no bcf-client; pip install it, and name its python in SUDAR_PYTHON");
        return;
    }
    for version in ["2.1", "3.0"] {
        let folder = Folder::new();
        write_row(&folder, 0.0);
        check(&folder, &["--bcf-version", version]);
        let run = Command::new(&python).args(["-c", READER]).arg(folder.join("row.bcf")).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let text = String::from_utf8(run.stdout).unwrap();
        let mut topics: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        topics.sort_by_key(ToString::to_string);
        assert_eq!(topics.len(), 2);
        for (topic, [a, b]) in topics.iter().zip([["a", "b"], ["b", "c"]]) {
            assert_eq!(topic[0], format!("hard: {a} × {b}"));
            assert_eq!((&topic[1], &topic[2]), (&"New".into(), &serde_json::json!([a, b])));
            assert!(topic[3][0].as_u64().unwrap() > 1000);
            // Millimetres as metres, and the camera not in them.
            let z = topic[4][0].as_f64().unwrap();
            assert!((0.0..0.02).contains(&z), "{z}");
        }
    }
}
