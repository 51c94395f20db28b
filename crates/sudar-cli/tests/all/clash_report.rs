//! `clash --html`: the page holds all it needs, says what it leaves out, and takes no name for markup. And in
//! a browser: the rows can be chosen, sorted and filtered, and what is chosen is drawn.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "all of this is test code")]

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::many_clashes::{CELLS, NASTY, cells, fine_ball};
use crate::support::{Folder, obj_boxes};

/// The page of a scene.
fn report(folder: &Folder, args: &[&str]) -> String {
    let run = folder.sudar(&[&["clash", "--html", "report.html"], args].concat());
    assert!((0..=1).contains(&run.status) && run.err.is_empty(), "{}", run.err);
    std::fs::read_to_string(folder.join("report.html")).unwrap()
}

fn many() -> Folder {
    let folder = Folder::new();
    folder.write("many.obj", cells());
    folder
}

const MANY: [&str; 5] = ["many.obj", "--clearance", "0.0625", "--out", "report.json"];

/// The text between the first of these and the next end of a script.
fn script<'a>(page: &'a str, start: &str) -> &'a str {
    page.split_once(start).unwrap().1.split_once("</script>").unwrap().0
}

/// The JSON of a page, and the bytes behind it.
struct Data {
    json: Value,
    bytes: Vec<u8>,
}

impl std::ops::Index<&str> for Data {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        &self.json[key]
    }
}

impl Data {
    fn of(page: &str) -> Self {
        use base64::Engine;
        use std::io::Read;
        let text = script(page, "<script type=\"text/plain\" id=\"data\">");
        let packed = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
        let mut all = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut all).unwrap();
        let bytes = all.split_off(4 + u32::from_le_bytes(all[..4].try_into().unwrap()) as usize);
        Self { json: serde_json::from_slice(&all[4..]).unwrap(), bytes }
    }

    /// The numbers of a list: where it begins, how many, and bytes of each.
    fn numbers(&self, list: &Value) -> Vec<u32> {
        let [start, count, width] = [0, 1, 2].map(|i| list[i].as_u64().unwrap() as usize);
        let words = self.bytes[start..start + count * width].chunks_exact(width);
        words.map(|word| word.iter().rev().fold(0, |n, byte| n << 8 | u32::from(*byte))).collect()
    }
}

#[test]
fn the_page_holds_all_it_needs_and_the_whole_document() {
    let folder = many();
    let page = report(&folder, &MANY);
    let data = Data::of(&page);
    let written: Value = serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(data["document"], written);
    let mut kinds = BTreeMap::new();
    for clash in data["document"]["clashes"].as_array().unwrap() {
        *kinds.entry(clash["kind"].as_str().unwrap()).or_insert(0) += 1;
    }
    let each = [("clearance", 2), ("contained", 1), ("duplicate", 1), ("hard", 1), ("touch", 1)];
    assert_eq!(kinds, each.map(|(kind, n)| (kind, n * CELLS)).into());
    assert_eq!(data["drawing"]["marks"].as_array().unwrap().len(), 6 * CELLS);

    // Nothing is fetched: no element names an address, and the policy forbids it.
    let own = page.replacen(script(&page, "id=\"data\">"), "", 1);
    for address in ["http:", "https:", "src=", "href=", "url(", "@import", "import("] {
        assert!(!own.contains(address), "{address}");
    }
    assert!(own.contains("default-src 'none'"));
    // Style and scripts are some 110 kB, and a clash of boxes takes less than 200 bytes.
    assert!(own.len() < 120_000 && page.len() < 120_000 + 6 * CELLS * 200, "{} {}", own.len(), page.len());
}

#[test]
fn names_stay_text() {
    let page = report(&many(), &MANY);
    let data = Data::of(&page);
    for (cell, name) in NASTY.iter().enumerate() {
        assert_eq!(data["document"]["parts"][6 * cell]["name"], json!(format!("{name} {cell}")));
        assert!(!page.contains(name), "{name}");
    }
    // The data and the script of the page, and no other.
    assert_eq!(page.matches("</script").count(), 2);
}

#[test]
fn every_clash_has_its_marks() {
    let page = report(&many(), &MANY);
    let data = Data::of(&page);
    let (clashes, drawing) = (&data["document"]["clashes"], &data["drawing"]);
    for (clash, marks) in clashes.as_array().unwrap().iter().zip(drawing["marks"].as_array().unwrap()) {
        let hit = [0, 1].map(|side| data.numbers(&marks["hit"][side]));
        let (curve, area) = (data.numbers(&marks["curve"]), data.numbers(&marks["area"]));
        match clash["kind"].as_str().unwrap() {
            "clearance" => {
                let y = |i: usize| marks["gap"][i][1].as_f64().unwrap();
                assert!((y(1) - y(0) - 0.0625).abs() < 1e-9 && hit[0].is_empty());
            }
            "contained" => assert!(hit[0].is_empty() && curve.is_empty()),
            _ => assert!(!hit[0].is_empty() && !hit[1].is_empty() && curve.len().is_multiple_of(6)),
        }
        // Each of these lies flush with another.
        let is_flush = ["touch", "duplicate", "hard"].contains(&clash["kind"].as_str().unwrap());
        assert!(area.len().is_multiple_of(9) && area.is_empty() != is_flush, "{clash}");
        assert_eq!(marks["pairs"], json!([clash["triangle_pairs"], clash["triangle_pairs"]]));
        for (side, hit) in ["a", "b"].into_iter().zip(hit) {
            let part = &drawing["parts"][clash[side].as_u64().unwrap() as usize];
            let mesh = &drawing["meshes"][part["mesh"].as_u64().unwrap() as usize];
            let corners = data.numbers(&mesh["corners"]);
            let vertices = data.numbers(&mesh["vertices"]).len();
            assert_eq!(mesh["triangles"], json!(corners.len() / 3));
            assert!(hit.iter().all(|&i| (i as usize) < corners.len() / 3));
            assert!(corners.iter().all(|&i| 3 * (i as usize) < vertices));
        }
    }
}

#[test]
fn of_a_fine_mesh_the_triangles_around_the_clash_are_kept() {
    let folder = Folder::new();
    folder.write("ball.obj", fine_ball(120));
    let data = Data::of(&report(&folder, &["ball.obj"]));
    let ball = &data["drawing"]["meshes"][0];
    // 2 · 120 · 119 triangles, of which 6000 are near.
    assert_eq!(ball["triangles"], json!(28560));
    assert_eq!(data.numbers(&ball["corners"]).len(), 3 * 6000);
    // All triangles that meet the box are among them.
    let marks = &data["drawing"]["marks"][0];
    assert_eq!(json!(data.numbers(&marks["hit"][0]).len()), marks["hits"][0]);
    assert!(marks["hits"][0].as_u64().unwrap() > 100);
}

#[test]
fn instances_share_a_mesh() {
    let folder = Folder::new();
    let data = Data::of(&report(&folder, &[]));
    let drawing = &data["drawing"];
    let used = drawing["parts"].as_array().unwrap().iter().filter(|part| part.get("mesh").is_some()).count();
    // Planet 3 and the bolts of the built-in gearbox are instances.
    assert!(drawing["meshes"].as_array().unwrap().len() < used);
    assert!(drawing["parts"].as_array().unwrap().iter().any(|part| part.get("pose").is_some()));
}

#[test]
fn a_report_of_nothing_and_one_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("far.obj", obj_boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [2.0; 3], [3.0; 3])]));
    let data = Data::of(&report(&folder, &["far.obj"]));
    assert_eq!(data["document"]["clashes"], json!([]));
    let run = folder.sudar(&["clash", "far.obj", "--html", "none/report.html"]);
    assert!(
        run.error().starts_with("none/report.html: cannot be written: there is no folder none;"),
        "{}",
        run.err
    );
}

#[test]
fn in_a_browser_rows_are_chosen_sorted_filtered_and_drawn() {
    let folder = many();
    folder.sudar(&["clash", "many.obj", "--clearance", "0.05", "--out", "old.json"]);
    let page = report(&folder, &[&MANY[..], &["--baseline", "old.json"]].concat());
    let driver = include_str!("support/drive_report.js");
    let Some(found) = crate::support::browser::drive(&folder.join("report.html"), &page, driver) else {
        return;
    };
    assert_eq!(found["error"], Value::Null, "{found}");
    assert_eq!(found["title"], json!("Clash report: many.obj"));
    // On load the deepest hard clash is chosen and drawn: that of the last cell.
    assert_eq!(
        found["first"],
        json!(["same", "hard", format!("base {}", CELLS - 1), format!("over {}", CELLS - 1)])
    );
    assert_eq!(found["count"], json!("1,200 of 1,200"));
    assert_eq!((&found["rows"], &found["rows after more"]), (&json!(200), &json!(400)));
    assert_eq!(found["nasty names"], json!(["</script><script>document.title='harm'</script> 0"]));
    // Filters. Five clashes are with the base. At least 1/16 deep are those inside others, duplicates, and of the boxes
    // that overlap the base by 1/1000 + cell/1024 all from cell 63 on. 2 · 200 gaps.
    assert_eq!(found["search"], json!("5 of 1,200"));
    assert_eq!(found["depth"], json!("537 of 1,200"));
    assert_eq!(found["gap"], json!("400 of 1,200"));
    assert_eq!(
        (&found["without hard"], &found["only new"]),
        (&json!("1,000 of 1,200"), &json!("400 of 1,200"))
    );
    // The base is the part of all five clashes of its cell, and so one of 200 groups has these.
    assert_eq!((&found["part"], &found["group"]), (&json!("5 of 1,200"), &json!("5 of 1,200")));
    assert_eq!(found["reset"], json!("1,200 of 1,200"));
    // Sorting by depth: what is inside goes out by half; then the other way round. Of equals the first comes first.
    assert_eq!(found["deepest"], json!(format!("{} 0", NASTY[0])));
    assert_eq!(found["shallowest"], json!("0"));
    assert_eq!(found["arrow down"], json!(true));
    assert_eq!((&found["linked"], &found["address"]), (&json!("7"), &json!("#clash-7")));
    assert_eq!(found["missing"], json!("There is no clash 1200 in this report."));
    assert_eq!(found["back"], json!("7"));
    what_is_exported_is_read(&folder, &found);
    if found["webgl"] != json!(true) {
        println!("the browser has no WebGL: what it draws was not looked at");
        return;
    }
    // Every row chosen was drawn, with the marks of its kind, among the other parts.
    let around = |marks: &str| format!("a, a edges, {marks}context, context edges");
    let drawn = |kind: &str| found["drawn"][kind]["names"].as_str().unwrap().to_owned();
    let all = "a overlap, b, b edges, b overlap, common area, ";
    assert_eq!(drawn("hard"), around(all) + ", curve, point");
    assert_eq!(drawn("duplicate"), around(all) + ", curve, point");
    assert_eq!(drawn("touch"), around("b, b edges, common area, ") + ", curve, point");
    assert_eq!(drawn("contained"), around("b, b edges, b overlap, ") + ", point");
    assert_eq!(drawn("clearance"), around("b, b edges, ") + ", gap, point");
    // The picture has the colours of both parts and of the gap between them.
    for paint in ["blue", "orange", "red"] {
        assert!(found["pixels"][paint].as_u64().unwrap() > 50, "{paint}: {}", found["pixels"]);
    }
}

/// The next check takes over what was decided in the page, for names of any kind.
fn what_is_exported_is_read(folder: &Folder, found: &Value) {
    folder.write("decided.toml", found["exported"].as_str().unwrap());
    let args =
        ["clash", "many.obj", "--clearance", "0.0625", "--review", "decided.toml", "--out", "next.json"];
    assert_eq!(folder.sudar(&args).status, 1);
    let next: Value = serde_json::from_slice(&std::fs::read(folder.join("next.json")).unwrap()).unwrap();
    let all = next["clashes"].as_array().unwrap();
    let accepted = json!({ "status": "accepted", "assignee": "Ana", "comment": "as \"drawn\"\nby Ø \\ '",
                           "decided": all[0]["depth"] });
    assert_eq!(all[0]["review"], accepted);
    let is_accepted = |clash: &&Value| clash["review"]["status"] == json!("accepted");
    // The group of the first cell, and no other; all else was seen before.
    assert_eq!(all.iter().filter(is_accepted).count(), 5);
    assert!(all.iter().all(|clash| clash["review"]["status"] != json!("new")));
}
