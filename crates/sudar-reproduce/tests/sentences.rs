//! The pages of the documentation are those that follow from the tables in docs/reproduce.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

use sudar_reproduce::{ALL, Experiment, File, Finding, Plan, Size, files_in, pages};

fn docs() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The committed tables and figures.
fn tables() -> Vec<File> {
    files_in(&docs().join("reproduce")).unwrap()
}

fn committed(experiment: &Experiment, tables: &[File]) -> Vec<Finding> {
    experiment.findings(tables).unwrap()
}

#[test]
fn the_pages_are_what_the_tables_say() {
    let pages = pages(&docs()).unwrap();
    for page in &pages {
        let committed = std::fs::read_to_string(&page.path).unwrap();
        assert!(
            committed == page.text,
            "{} is not what its template and the tables give: run sudar reproduce --pages docs",
            page.path.display()
        );
    }
    assert!(pages.len() > 8, "{}", pages.len());
}

#[test]
fn every_experiment_is_on_the_page() {
    let template = std::fs::read_to_string(docs().join("reproduce.md.in")).unwrap();
    let tables = tables();
    for experiment in &ALL {
        assert!(template.contains(&format!("`{}`", experiment.name)), "{}", experiment.name);
        let has_findings = !committed(experiment, &tables).is_empty();
        let placeholder = format!("{{{} findings}}", experiment.name);
        assert_eq!(template.contains(&placeholder), has_findings, "{placeholder}");
    }
}

#[test]
fn tables_say_on_what_and_when_they_were_measured() {
    for File { name, text } in tables().into_iter().filter(|file| file.name.ends_with(".csv")) {
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let last = head.last().unwrap();
        assert!(last.starts_with("# sudar ") && last.contains(", 20"), "{name}: {last}");
        assert!(!head.iter().any(|line| line.starts_with("# quick run")), "{name} is of a quick run");
    }
}

/// Experiments whose quick runs take no more than a second or two.
const COUNTERS: [&str; 21] = [
    "systems",
    "swift",
    "contact-rule",
    "spring-mtv",
    "mechanisms",
    "broad-octree",
    "broad-speeds",
    "convex-vertices",
    "convex-motion",
    "chung-wang-cases",
    "iterations",
    "mass",
    "inertia-frames",
    "split-points",
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
            assert_eq!(same.unwrap().verdict, finding.verdict, "{name}: {finding}");
        }
    }
}
