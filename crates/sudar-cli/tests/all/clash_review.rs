//! `clash --review`: what people decide about clashes, kept from one check to the next.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

use crate::support::{Folder, Run, many_clashes, write_row};

fn check(folder: &Folder, more: &[&str]) -> Run {
    folder.sudar(&[&["clash", "row.obj", "--review", "decided.toml"], more].concat())
}

fn statuses(run: &Run) -> Vec<String> {
    let document = run.json();
    let clashes = document["clashes"].as_array().unwrap();
    let status = |clash: &Value| clash["review"]["status"].as_str().unwrap().to_owned();
    clashes.iter().map(status).collect()
}

#[test]
fn decisions_outlive_checks_and_set_the_exit_status() {
    let folder = Folder::new();
    write_row(&folder, 0.0);
    let first = check(&folder, &["--json"]);
    assert_eq!((first.status, statuses(&first)), (1, vec!["new".to_owned(), "new".to_owned()]));
    let text = std::fs::read_to_string(folder.join("decided.toml")).unwrap();
    assert!(
        text.starts_with("# Clashes and what was decided") && text.contains("status = \"new\""),
        "{text}"
    );
    let decided = text.replacen("status = \"new\"", "status = \"accepted\"", 1);
    let decided = decided.replacen("comment = \"\"", "comment = \"as drawn\"", 1);
    folder.write("decided.toml", decided.replacen("assignee = \"\"", "assignee = \"Ana\"", 2));
    let second = check(&folder, &[]);
    assert_eq!(second.status, 1);
    assert!(second.out.contains("; 0 new, 1 active, 0 resolved, 1 accepted, 0 ignored"), "{}", second.out);
    let rows: Vec<&str> = second.out.lines().filter(|line| line.starts_with(" active")).collect();
    assert!(
        rows.len() == 1 && rows[0].contains("Ana") && !second.out.contains(" accepted "),
        "{}",
        second.out
    );
    // What is left out counts for nothing.
    let touching = check(&folder, &["--kinds", "touch"]);
    assert!(
        touching.status == 0 && touching.out.contains("; 0 new, 0 active, 0 resolved, 0 accepted, 0 ignored")
    );
    // The last box moves away: one clash is accepted, the other is resolved.
    write_row(&folder, 9.0);
    let third = check(&folder, &["--json"]);
    assert_eq!((third.status, statuses(&third)), (0, vec!["accepted".to_owned()]));
    assert_eq!(third.json()["clashes"][0]["review"]["comment"], "as drawn");
    let kept = std::fs::read_to_string(folder.join("decided.toml")).unwrap();
    assert!(kept.contains("status = \"resolved\"") && kept.contains("as drawn"), "{kept}");
    write_row(&folder, 0.0);
    assert_eq!(statuses(&check(&folder, &["--json"])), ["accepted", "active"]);
}

#[test]
fn a_damaged_file_is_refused_and_kept() {
    let folder = Folder::new();
    write_row(&folder, 0.0);
    let bad = "[[clash]]\nparts = ['a', 'b']\nkind = 'hard'\nstatus = 'acepted'\n";
    folder.write("decided.toml", bad);
    let run = check(&folder, &[]);
    assert!(run.status == 2 && run.out.is_empty(), "{}", run.out);
    assert!(run.error().starts_with("decided.toml: line 4: unknown variant `acepted`"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.join("decided.toml")).unwrap(), bad);
}

#[test]
fn reviews_and_baselines_go_together() {
    let folder = Folder::new();
    write_row(&folder, 0.0);
    assert_eq!(check(&folder, &["--out", "old.json"]).status, 1);
    write_row(&folder, 9.0);
    let run = check(&folder, &["--baseline", "old.json"]);
    assert!(
        run.out.contains("1 same, 1 gone since the baseline; 0 new, 1 active, 1 resolved"),
        "{}",
        run.out
    );
    assert!(run.out.lines().any(|line| line.starts_with(" gone ")), "{}", run.out);
}

#[test]
fn what_was_not_looked_at_is_not_resolved() {
    let folder = Folder::new();
    write_row(&folder, 0.0);
    assert_eq!(check(&folder, &["--json"]).status, 1);
    assert_eq!(check(&folder, &["--kinds", "touch"]).status, 0);
    assert_eq!(check(&folder, &["--a", "b", "--b", "c"]).status, 1);
    assert_eq!(check(&folder, &["--min-depth", "2"]).status, 0);
    let text = std::fs::read_to_string(folder.join("decided.toml")).unwrap();
    assert_eq!((text.matches("\"active\"").count(), text.matches("\"resolved\"").count()), (2, 0), "{text}");
}

#[test]
fn what_is_edited_while_a_check_runs_is_not_lost() {
    let folder = Folder::new();
    folder.write("many.obj", many_clashes::cells());
    let args = ["clash", "many.obj", "--clearance", "0.0625", "--review", "decided.toml", "--quiet"];
    assert_eq!(folder.sudar(&args).status, 1);
    let path = folder.join("decided.toml");
    // Somewhere between the first reading and the writing; wherever it is, the edit is there at the end.
    for milliseconds in [0, 20, 60, 120, 250] {
        let mut run = cargo_bin_cmd!("sudar");
        run.args(args).current_dir(folder.path());
        let runs = std::thread::spawn(move || run.output().unwrap());
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let edited = std::fs::read_to_string(&path).unwrap();
        let comment = format!("comment = \"edited after {milliseconds} ms\"");
        let edited = edited.replacen("comment = \"\"", &comment, 1);
        // As editors do: whole, or not at all.
        folder.write("edited.toml", edited);
        std::fs::rename(folder.join("edited.toml"), &path).unwrap();
        assert_eq!(runs.join().unwrap().status.code(), Some(1));
        let found = std::fs::read_to_string(&path).unwrap();
        assert!(found.contains(&comment) && found.contains("status = \"active\""), "{milliseconds}");
    }
}
