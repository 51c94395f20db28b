//! The sentences of docs/reproduce.md are those that follow from the tables beside it.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

use sudar_reproduce::{ALL, Experiment, File, Finding, Plan, Size};

fn docs() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The committed tables.
fn tables() -> Vec<File> {
    let files = std::fs::read_dir(docs().join("reproduce")).unwrap().map(|file| file.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
    tables
        .map(|path| File {
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            text: std::fs::read_to_string(path).unwrap(),
        })
        .collect()
}

fn committed(experiment: &Experiment, tables: &[File]) -> Vec<Finding> {
    experiment.findings(tables).unwrap()
}

#[test]
fn every_sentence_that_follows_from_the_tables_stands_in_the_documentation() {
    let text = std::fs::read_to_string(docs().join("reproduce.md")).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let tables = tables();
    let mut sentences = 0;
    for experiment in &ALL {
        for finding in committed(experiment, &tables) {
            let sentence = finding.to_string();
            assert!(text.contains(&sentence), "{}: {sentence}", experiment.name);
            sentences += 1;
        }
    }
    assert!(sentences > 30, "{sentences}");
}

#[test]
fn the_table_of_the_systems_is_that_of_its_file() {
    let text = std::fs::read_to_string(docs().join("reproduce.md")).unwrap();
    let file = std::fs::read_to_string(docs().join("reproduce/systems.csv")).unwrap();
    let rows: Vec<Vec<&str>> =
        file.lines().filter(|line| line.starts_with("cars,")).map(|line| line.split(',').collect()).collect();
    let tests = |gap: &str, system: &str| {
        let row = rows.iter().find(|row| row[2] == gap && row[3] == system).unwrap();
        let [volumes, triangles] = [row[6], row[7]].map(|number| number.parse::<f64>().unwrap());
        format!("{volumes:.0}/{triangles:.1}")
    };
    for system in rows.iter().filter(|row| row[2] == "near").map(|row| row[3]) {
        let line = format!("| {system} | {} | {} |", tests("near", system), tests("inside", system));
        assert!(text.contains(&line), "{line}");
    }
}

#[test]
fn tables_say_on_what_and_when_they_were_measured() {
    for File { name, text } in tables() {
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let last = head.last().unwrap();
        assert!(last.starts_with("# sudar ") && last.contains(", 20"), "{name}: {last}");
        assert!(!head.iter().any(|line| line.starts_with("# quick run")), "{name} is of a quick run");
    }
}

/// Experiments whose quick runs take no more than a second or two.
const COUNTERS: [&str; 18] = [
    "systems",
    "swift",
    "contact-rule",
    "spring-mtv",
    "broad-octree",
    "broad-speeds",
    "convex-vertices",
    "convex-motion",
    "chung-wang-cases",
    "iterations",
    "mass",
    "obb-fits",
    "angle-sum",
    "sweeps",
    "traversal-share",
    "quickcd",
    "solid",
    "sat-axes",
];

#[test]
fn what_follows_from_counters_follows_from_a_quick_run_too() {
    let (tables, plan) = (tables(), Plan::new(Size::Quick, &|_| {}));
    for name in COUNTERS {
        let experiment = Experiment::by_name(name).unwrap();
        let known = committed(experiment, &tables);
        assert!(!known.is_empty(), "{name}");
        for finding in experiment.run(&plan).unwrap().findings {
            let same = known.iter().find(|one| (one.source, &one.there) == (finding.source, &finding.there));
            assert_eq!(same.unwrap().agrees, finding.agrees, "{name}: {finding}");
        }
    }
}
