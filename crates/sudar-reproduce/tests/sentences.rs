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

/// A number as the pages of the systems have it.
fn count(text: &str) -> String {
    let x: f64 = text.parse().unwrap();
    if x < 100.0 && x.fract() != 0.0 {
        return format!("{x:.1}");
    }
    let (whole, mut grouped) = (format!("{x:.0}"), String::new());
    for (i, digit) in whole.chars().enumerate() {
        grouped.extend((i > 0 && (whole.len() - i) % 3 == 0).then_some(' '));
        grouped.push(digit);
    }
    grouped
}

#[test]
fn the_pages_of_the_systems_have_the_numbers_of_the_table() {
    let file = std::fs::read_to_string(docs().join("reproduce/systems.csv")).unwrap();
    let rows: Vec<Vec<&str>> =
        file.lines().filter(|line| line.starts_with("cars,")).map(|line| line.split(',').collect()).collect();
    let cell = |gap: &str, system: &str, column: usize| {
        count(rows.iter().find(|row| row[2] == gap && row[3] == system).unwrap()[column])
    };
    let pages = [
        ("cd", "CD"),
        ("coldet", "ColDet"),
        ("quickcd", "QuickCD"),
        ("rapid", "RAPID"),
        ("solid", "SOLID"),
        ("sphere-trees", "sphere tree"),
        ("swift", "SWIFT++"),
    ];
    for (page, system) in pages {
        let [near, close, inside] =
            ["near", "close", "inside"].map(|gap| [6, 7].map(|k| cell(gap, system, k)));
        let engine = ["near", "close", "inside"].map(|gap| cell(gap, "sudar", 6));
        let sentence = format!(
            "**Its numbers here.** On two cars of 905 and 878 triangles it tests {} pairs of volumes and {} of triangles at a \
             gap of 2 %, {} and {} at 0.1 % to tell them apart, and {} and {} until the first hit where they overlap; the \
             engine {}, {} and {} nodes of eight. {} bytes a triangle, the engine {}.",
            near[0],
            near[1],
            close[0],
            close[1],
            inside[0],
            inside[1],
            engine[0],
            engine[1],
            engine[2],
            count(&format!("{:.0}", bytes(&rows, system))),
            count(&format!("{:.0}", bytes(&rows, "sudar"))),
        );
        assert_page_has(page, &sentence);
    }
    let of = |system: &str| {
        ["near", "close", "inside"].map(|gap| [6, 7].map(|k| cell(gap, system, k)).join(" and "))
    };
    let ([q_near, q_close, q_inside], i) = (of("Q-COLLIDE"), of("I-COLLIDE"));
    let sentence = format!(
        "On the convex pieces of two cars of 905 and 878 triangles Q-COLLIDE tests {} of parts at a gap of 2 %, {q_close} at \
         0.1 % to tell them apart, and {q_inside} until the first hit where they overlap; I-COLLIDE, which finds the \
         distance as well, {}.",
        q_near.replace(" and ", " pairs of boxes and "),
        i.join(", ")
    );
    assert_page_has("i-collide", &sentence);
}

fn assert_page_has(page: &str, sentence: &str) {
    let text = std::fs::read_to_string(docs().join("history").join(format!("{page}.md"))).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(sentence), "{page}.md: {sentence}");
}

/// Bytes a triangle.
fn bytes(rows: &[Vec<&str>], system: &str) -> f64 {
    rows.iter().find(|row| row[3] == system).unwrap()[5].parse().unwrap()
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
            assert_eq!(same.unwrap().verdict, finding.verdict, "{name}: {finding}");
        }
    }
}
