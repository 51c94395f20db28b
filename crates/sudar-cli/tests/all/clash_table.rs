//! `clash --table`: CSV and Excel.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::support::{Folder, obj_boxes};

/// Two boxes whose overlap is a quarter deep, of names that programs for tables might take for more than that.
fn folder() -> Folder {
    let folder = Folder::new();
    let boxes = [("=HYPERLINK(1)", [0.0; 3], [1.0; 3]), ("b, \"c\"", [0.75, 0.0, 0.0], [1.75, 1.0, 1.0])];
    folder.write("two.obj", obj_boxes(&boxes));
    folder
}

fn check(folder: &Folder, table: &str, more: &[&str]) -> i32 {
    folder
        .sudar(&[&["clash", "two.obj", "--units", "mm", "--table", table, "--no-times"], more].concat())
        .status
}

#[test]
fn csv_has_a_row_a_clash_and_no_formulas() {
    let folder = folder();
    assert_eq!(check(&folder, "t.csv", &["--review", "r.toml"]), 1);
    let text = std::fs::read_to_string(folder.join("t.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    let titles: Vec<&str> = lines[0].split(',').collect();
    assert_eq!(titles[..5], ["number", "kind", "form", "part a", "part b"]);
    assert!(titles.contains(&"depth at most (mm)") && titles.contains(&"GlobalId a"), "{text}");
    assert!(lines[1].starts_with("0,hard,protruding,'=HYPERLINK(1),\"b, \"\"c\"\"\","), "{text}");
    assert!(lines[1].contains(",region,0.25,x,0,0.875,") && lines[1].ends_with(",new,,,,,"), "{text}");
}

#[test]
fn a_workbook_has_clashes_groups_and_settings() {
    let folder = folder();
    let sheet = |name: &str| {
        let bytes = std::fs::read(folder.join("t.xlsx")).unwrap();
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!(check(&folder, "t.xlsx", &[]), 1);
    let book = sheet("xl/workbook.xml");
    assert!(
        ["clashes", "groups", "settings"].iter().all(|name| book.contains(&format!("name=\"{name}\""))),
        "{book}"
    );
    let clashes = sheet("xl/worksheets/sheet1.xml");
    assert!(clashes.contains("state=\"frozen\"") && clashes.contains("<autoFilter ref=\"A1:"), "{clashes}");
    // The name is a text and no formula, the place a number.
    assert!(!clashes.contains("<f>") && clashes.contains("<v>0.875</v>"), "{clashes}");
    assert!(sheet("xl/sharedStrings.xml").contains("=HYPERLINK(1)"));
    let first = std::fs::read(folder.join("t.xlsx")).unwrap();
    assert_eq!(check(&folder, "t.xlsx", &[]), 1);
    assert_eq!(first, std::fs::read(folder.join("t.xlsx")).unwrap());
}

#[test]
fn no_clashes_are_a_table_without_rows() {
    let folder = Folder::new();
    folder.write("two.obj", obj_boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [3.0; 3], [4.0; 3])]));
    assert_eq!((check(&folder, "t.csv", &[]), check(&folder, "t.xlsx", &[])), (0, 0));
    assert_eq!(std::fs::read_to_string(folder.join("t.csv")).unwrap().lines().count(), 1);
    let run = folder.sudar(&["clash", "two.obj", "--table", "t.ods"]);
    assert!(run.error().contains("let its name end in .csv or .xlsx"), "{}", run.err);
}

#[test]
fn coordinates_are_full_far_from_the_origin() {
    let folder = Folder::new();
    // What both fill is the inner cube, whose middle is the point.
    let (min, max) = ([456_789.0, 5_432_110.0, 0.0], [456_790.0, 5_432_111.0, 1.0]);
    let other = ([456_789.375, 5_432_110.375, 0.375], [456_789.625, 5_432_110.625, 0.625]);
    folder.write("far.obj", obj_boxes(&[("a", min, max), ("b", other.0, other.1)]));
    let run = folder.sudar(&["clash", "far.obj", "--units", "m", "--table", "far.csv", "--bcf", "far.bcf"]);
    assert!(run.out.contains("456789.5, 5432110.5, 0.5"), "{}", run.out);
    let text = std::fs::read_to_string(folder.join("far.csv")).unwrap();
    assert!(text.contains(",456789.5,5432110.5,0.5,"), "{text}");
    let mut archive = ZipArchive::new(std::fs::File::open(folder.join("far.bcf")).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let name = names.iter().find(|name| name.ends_with("markup.bcf")).unwrap();
    let mut markup = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut markup).unwrap();
    assert!(markup.contains("point: 456789.5, 5432110.5, 0.5 m"), "{markup}");
}
