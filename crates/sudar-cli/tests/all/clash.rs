//! `clash`: kinds, rules, exit statuses, JSON, and the built-in assembly.
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use serde_json::{Value, json};

use crate::support::{Folder, obj_boxes};

/// Five boxes in a row along x: b overlaps a, c touches b, d is 1/8 beyond c, e lies inside d, f equals e.
fn row() -> Folder {
    let folder = Folder::new();
    let cube = |x: f64| ([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    let [a, b, c, d] = [0.0, 0.75, 1.75, 2.875].map(cube);
    let e = ([3.125, 0.25, 0.25], [3.375, 0.5, 0.5]);
    let named =
        [("a", a), ("b", b), ("c", c), ("d", d), ("e", e), ("f", e)].map(|(n, (min, max))| (n, min, max));
    folder.write("row.obj", obj_boxes(&named));
    folder
}

fn kinds(document: &Value) -> Vec<(u64, u64, String)> {
    let clashes = document["clashes"].as_array().unwrap();
    let number = |v: &Value| v.as_u64().unwrap();
    clashes
        .iter()
        .map(|c| (number(&c["a"]), number(&c["b"]), c["kind"].as_str().unwrap().to_owned()))
        .collect()
}

fn found(list: &[(u64, u64, &str)]) -> Vec<(u64, u64, String)> {
    list.iter().map(|&(a, b, kind)| (a, b, kind.to_owned())).collect()
}

#[test]
fn each_kind_is_found_where_it_is() {
    let folder = row();
    let run = folder.sudar(&["clash", "row.obj", "--json", "--clearance", "0.125"]);
    assert_eq!(run.status, 1);
    let document = run.json();
    let expected = [
        (0, 1, "hard"),
        (1, 2, "touch"),
        (2, 3, "clearance"),
        (3, 4, "contained"),
        (3, 5, "contained"),
        (4, 5, "duplicate"),
    ];
    assert_eq!(kinds(&document), found(&expected));
    let clash = |i: usize| document["clashes"][i].clone();
    assert_eq!(clash(0)["names"], json!(["a", "b"]));
    // a ends at x = 1, b begins at 0.75.
    assert!((clash(0)["depth"].as_f64().unwrap() - 0.25).abs() < 1e-12);
    assert_eq!((&clash(0)["depth_is"], &clash(0)["form"]), (&json!("region"), &json!("protruding")));
    assert_eq!(clash(0)["distance"], json!(0.0));
    assert_eq!((&clash(1)["distance"], &clash(1)["depth"]), (&json!(0.0), &Value::Null));
    assert!((clash(2)["distance"].as_f64().unwrap() - 0.125).abs() < 1e-13);
    assert_eq!(clash(2)["normal"], json!([1.0, 0.0, 0.0]));
    assert_eq!(clash(2)["triangle_pairs"], json!(0));
}

#[test]
fn the_document_has_the_fields_it_promises() {
    let folder = row();
    let document = folder.sudar(&["clash", "row.obj", "--json"]).json();
    let keys = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let top = [
        "candidates",
        "clashes",
        "clearance",
        "date",
        "files",
        "grouped_by",
        "groups",
        "parts",
        "same_place",
        "schema",
        "seconds",
        "unit",
        "version",
    ];
    assert_eq!(keys(&document), top);
    assert_eq!((&document["unit"], &document["files"]), (&Value::Null, &json!(["row.obj"])));
    let group = ["by", "clashes", "count", "depth", "depth_at_least", "kinds", "name", "point"];
    assert_eq!(keys(&document["groups"][0]), group);
    assert_eq!(keys(&document["parts"][0]), ["bounds", "closed", "faults", "name", "triangles"]);
    let clash = [
        "a",
        "b",
        "depth",
        "depth_at_least",
        "depth_is",
        "distance",
        "form",
        "group",
        "kind",
        "names",
        "normal",
        "point",
        "regions",
        "separation",
        "triangle_pairs",
    ];
    assert_eq!(keys(&document["clashes"][0]), clash);
    let region = ["bounds", "box_volume", "depth", "direction", "form", "point"];
    assert_eq!(keys(&document["clashes"][0]["regions"][0]), region);
    let part = &document["parts"][5];
    assert_eq!((&part["name"], &part["triangles"], &part["closed"]), (&json!("f"), &json!(12), &json!(true)));
    assert!(document["seconds"].as_f64().unwrap() > 0.0);
    // Without a clearance the gap between c and d is none of the clashes.
    assert_eq!(document["clashes"].as_array().unwrap().len(), 5);
}

#[test]
fn allowed_kinds_do_not_count_and_are_still_reported() {
    let folder = row();
    let run = |allow: &str| folder.sudar(&["clash", "row.obj", "--json", "--allow", allow]);
    assert_eq!(run("touch").status, 1);
    let all = run("touch,hard,contained,duplicate");
    assert_eq!((all.status, all.json()["clashes"].as_array().unwrap().len()), (0, 5));
}

#[test]
fn rules_leave_out_and_set_clearances() {
    let folder = row();
    let rules = "[[ignore]]\na = '{d,e,f}'\nb = '{d,e,f}'\n[[ignore]]\na = 'b'\nb = 'a'\nkind = ['touch', 'hard']\n\
                 [[group]]\nname = 'end'\nparts = ['d', 'nothing*']\n[[pair]]\na = 'c'\nb = 'end'\nclearance = 0.2\n\
                 [[ignore]]\na = 'ghost'\nb = 'a'\n";
    folder.write("rules.toml", rules);
    let run = folder.sudar(&["clash", "row.obj", "--json", "--ignore", "rules.toml"]);
    assert_eq!(kinds(&run.json()), found(&[(1, 2, "touch"), (2, 3, "clearance")]));
    let text = folder.sudar(&["clash", "row.obj", "--ignore", "rules.toml"]).out;
    assert!(text.contains("note: rules.toml: line 16: 'ghost' matches no part"), "{text}");
}

#[test]
fn files_and_folders_make_one_assembly() {
    let folder = Folder::new();
    std::fs::create_dir(folder.join("parts")).unwrap();
    folder.write("parts/b.obj", obj_boxes(&[("b", [0.5, 0.0, 0.0], [1.5, 1.0, 1.0])]));
    folder.write("parts/a.obj", obj_boxes(&[("a", [0.0; 3], [1.0; 3])]));
    folder.write("parts/readme.txt", "not a model");
    let document = folder.sudar(&["clash", "parts", "--json"]).json();
    assert_eq!((&document["parts"][0]["name"], &document["parts"][1]["name"]), (&json!("a"), &json!("b")));
    assert_eq!(kinds(&document), found(&[(0, 1, "hard")]));
    let two = folder.sudar(&["clash", "parts/b.obj", "parts/a.obj", "--json"]).json();
    assert_eq!(two["clashes"][0]["names"], json!(["b", "a"]));
}

#[test]
fn an_assembly_without_clashes_exits_with_0() {
    let folder = Folder::new();
    folder.write("far.obj", obj_boxes(&[("a", [0.0; 3], [1.0; 3]), ("b", [2.0; 3], [3.0; 3])]));
    let run = folder.sudar(&["clash", "far.obj", "--out", "report.json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("no clashes") && run.out.contains("2 parts, 24 triangles"));
    let written: Value = serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(written["clashes"], json!([]));
}

#[test]
fn the_report_is_the_same_on_any_number_of_threads() {
    let folder = row();
    let on = |threads: &str| folder.sudar(&["clash", "--json", "--no-times", "--threads", threads]).json();
    assert_eq!(on("1"), on("2"));
    assert_eq!(on("1"), on("5"));
}

#[test]
fn the_built_in_gearbox_has_the_faults_that_were_planted() {
    let folder = Folder::new();
    let run = folder.sudar(&["clash", "--json"]);
    assert_eq!(run.status, 1);
    let clashes = run.json()["clashes"].as_array().unwrap().clone();
    let names: Vec<String> = clashes.iter().map(|c| format!("{} {}", c["kind"], c["names"])).collect();
    // What the assembly was built to have.
    let planted = [
        r#""contained" ["housing front","nut 7"]"#,
        r#""hard" ["housing rear","pin 2"]"#,
        r#""clearance" ["housing rear","bearing rear outer race"]"#,
        r#""hard" ["ring gear","planet 3"]"#,
        r#""hard" ["sun gear","planet 3"]"#,
        r#""touch" ["sun gear","carrier front"]"#,
        r#""duplicate" ["bolt 4","bolt 7"]"#,
    ];
    assert_eq!(names, planted);
    let text = folder.sudar(&["clash"]).out;
    assert!(text.contains("7 clashes (1 duplicate, 1 contained, 3 hard, 1 touch, 1 clearance)"), "{text}");
    assert!(!text.contains("unexpected"), "{text}");
}

/// The pin reaches 2 mm into the housing, which is not convex; their boxes overlap by 14 mm.
#[test]
fn depth_is_how_far_parts_are_in_each_other_there() {
    let folder = row();
    let table = folder.sudar(&["clash"]).out;
    let pin = table.lines().find(|line| line.contains("pin 2") && line.contains("hard")).unwrap();
    assert!(pin.contains(" 2 ") && pin.contains("118"), "{pin}");
    let document = folder.sudar(&["clash", "--json"]).json();
    let clashes = document["clashes"].as_array().unwrap();
    let pin = clashes.iter().find(|clash| clash["names"] == json!(["housing rear", "pin 2"])).unwrap();
    let depth = |key: &str| pin[key].as_f64().unwrap();
    assert!((depth("depth") - 2.0).abs() < 1e-9 && depth("depth_at_least") > 1.99, "{pin}");
    assert_eq!((&pin["depth_is"], &pin["form"]), (&json!("region"), &json!("protruding")));
    let exact = folder.sudar(&["clash", "--json", "--depth", "exact"]).json();
    let clashes = exact["clashes"].as_array().unwrap();
    let pin = clashes.iter().find(|clash| clash["names"] == json!(["housing rear", "pin 2"])).unwrap();
    assert_eq!(pin["depth_is"], json!("penetration"));
    let cubes = folder.sudar(&["clash", "row.obj"]).out;
    assert!(cubes.lines().any(|line| line.contains("hard") && line.contains(" 0.25 ")), "{cubes}");
}

#[test]
fn without_times_equal_checks_give_equal_documents_and_pages() {
    let folder = row();
    let args = ["clash", "row.obj", "--no-times", "--html"];
    for name in ["one.html", "two.html"] {
        let run = folder.sudar(&[&args[..], &[name, "-o", &name.replace("html", "json")][..]].concat());
        assert_eq!(run.status, 1);
        assert!(run.out.contains("pairs examined\n") && !run.out.contains(" s\n"), "{}", run.out);
    }
    for ending in ["html", "json"] {
        let [one, two] =
            ["one", "two"].map(|name| std::fs::read(folder.join(&format!("{name}.{ending}"))).unwrap());
        assert_eq!(one, two);
    }
    let text = std::fs::read_to_string(folder.join("one.json")).unwrap();
    assert!(!text.contains("seconds"));
}

#[test]
fn one_part_alone_is_said_with_what_would_help() {
    let folder = Folder::new();
    folder.write("house.obj", obj_boxes(&[("house", [0.0; 3], [1.0; 3])]));
    let run = folder.sudar(&["clash", "house.obj"]);
    assert_eq!(run.status, 0);
    assert!(run.out.contains("there is one part alone"), "{}", run.out);
    folder.write("tree.obj", obj_boxes(&[("tree", [5.0; 3], [6.0; 3])]));
    let run = folder.sudar(&["clash", "house.obj", "tree.obj"]);
    assert!(!run.out.contains("one part alone"), "{}", run.out);
}

#[test]
fn a_band_is_for_what_files_round_away() {
    let folder = Folder::new();
    // Two boxes that overlap by a millionth, and a third a millionth beyond the second.
    let cube = |name: &str, first: usize, x: f64| {
        let corner = |k: usize| (x + (k & 1) as f64, ((k >> 1) & 1) as f64, (k >> 2) as f64);
        let corners: String = (0..8).map(corner).map(|(x, y, z)| format!("v {x} {y} {z}\n")).collect();
        let faces = ["0 2 3 1", "4 5 7 6", "0 1 5 4", "2 6 7 3", "0 4 6 2", "1 3 7 5"];
        let face = |face: &&str| {
            let corners: Vec<String> =
                face.split(' ').map(|k| (first + k.parse::<usize>().unwrap()).to_string()).collect();
            format!("f {}\n", corners.join(" "))
        };
        format!("o {name}\n{corners}{}", faces.iter().map(face).collect::<String>())
    };
    let text = cube("a", 1, 0.0) + &cube("b", 9, 1.0 - 1e-6) + &cube("c", 17, 2.0);
    folder.write("near.obj", &text);
    let exact = folder.sudar(&["clash", "near.obj", "--json"]).json();
    assert_eq!(kinds(&exact), found(&[(0, 1, "hard")]));
    assert!(exact.get("touch").is_none() && exact["clashes"][0].get("verdict_without_band").is_none());
    let banded = folder.sudar(&["clash", "near.obj", "--json", "--touch", "2e-6"]).json();
    assert_eq!(kinds(&banded), found(&[(0, 1, "touch"), (1, 2, "touch")]));
    let verdict = |i: usize| banded["clashes"][i]["verdict_without_band"].clone();
    assert_eq!((verdict(0), verdict(1)), (json!("hard"), json!("apart")));
    assert_eq!(banded["touch"], json!(2e-6));
    // The table has a band of a millionth of the diagonal of a cube, √3, and says so.
    let table = folder.sudar(&["clash", "near.obj"]).out;
    assert!(table.contains("of at most 1.7e-6 count as touch: 2 of these are no touch exactly"), "{table}");
    let table = folder.sudar(&["clash", "near.obj", "--touch", "0"]).out;
    assert!(table.contains("1 hard") && !table.contains("count as touch"), "{table}");
    let refused = folder.sudar(&["clash", "near.obj", "--touch", "-1"]);
    assert_eq!(refused.status, 2);
}

#[test]
fn kinds_and_shallow_overlaps_can_be_left_out() {
    let folder = row();
    let run = folder.sudar(&["clash", "row.obj", "--json", "--kinds", "touch,duplicate"]);
    assert_eq!(kinds(&run.json()), found(&[(1, 2, "touch"), (4, 5, "duplicate")]));
    // a and b overlap by 0.25, e and f are as wide; what has no depth stays.
    let run = folder.sudar(&["clash", "row.obj", "--min-depth", "0.26"]);
    assert!(!run.out.contains(" hard") && run.out.contains("touch"), "{}", run.out);
    assert!(run.out.contains("2 clashes are left out by --kinds or --min-depth"), "{}", run.out);
    let run = folder.sudar(&["clash", "row.obj", "--kinds", "clearance"]);
    assert_eq!(run.status, 0);
}

/// Two pipes through three beams, a bolt in a plate, and names with brackets.
fn building() -> Folder {
    let folder = Folder::new();
    let beam = |x: f64| ([x, -0.1, -0.2], [x + 0.2, 3.0, 0.2]);
    let pipe = |y: f64, wide: f64| ([-1.0, y, -0.05], [9.0, y + wide, 0.05]);
    let named = [
        ("beam 1", beam(0.0)),
        ("beam 2", beam(3.0)),
        ("beam 3", beam(6.0)),
        ("pipe 1", pipe(1.0, 0.09)),
        ("pipe 2", pipe(2.0, 0.08)),
    ];
    let named = named.map(|(name, (min, max))| (name, min, max));
    let bolts = [
        ("=>[0:1:1:14]:1", [20.0, 0.0, 0.0], [21.0, 1.0, 1.0]),
        ("=>[0:1:1:15]:1", [20.5, 0.5, 0.5], [22.0, 2.0, 2.0]),
    ];
    folder.write("building.obj", obj_boxes(&[&named[..], &bolts[..]].concat()));
    folder
}

#[test]
fn a_pipe_through_beams_is_one_group() {
    let folder = building();
    let groups = |args: &[&str]| {
        let document = folder.sudar(&[&["clash", "building.obj", "--json"], args].concat()).json();
        let clashes = document["clashes"].as_array().unwrap().clone();
        let groups = document["groups"].as_array().unwrap().clone();
        for (number, group) in groups.iter().enumerate() {
            let members = group["clashes"].as_array().unwrap();
            let of_group = |n: &Value| clashes[n.as_u64().unwrap() as usize]["group"] == json!(number);
            assert!(members.len() as u64 == group["count"].as_u64().unwrap() && members.iter().all(of_group));
        }
        let name = |group: &Value| format!("{} {}", group["name"].as_str().unwrap(), group["count"]);
        let mut names: Vec<String> = groups.iter().map(name).collect();
        names.sort();
        names
    };
    let bolts = "=>[0:1:1:14]:1 × =>[0:1:1:15]:1 1";
    assert_eq!(groups(&[]), [bolts, "pipe 1 3", "pipe 2 3"]);
    let near = |k: u32, pipe: u32| format!("beam {k} × pipe {pipe} 1");
    let apart: Vec<String> = (1..=3).flat_map(|k| [near(k, 1), near(k, 2)]).collect();
    assert_eq!(groups(&["--group", "place", "--group-radius", "0.5"])[1..], apart);
    let one = |k: u32| format!("beam {k} × pipe 1 and 1 near it 2");
    let along: Vec<String> = (1..=3).map(one).collect();
    assert_eq!(groups(&["--group", "place", "--group-radius", "1"])[1..], along);
    let sets = ["--group", "sets", "--set", "pipes=pipe *", "--set", "steel=beam*"];
    assert_eq!(groups(&sets), ["other parts × other parts 1", "pipes × steel 6"]);
    assert_eq!(groups(&["--group", "none"]), [""; 0]);
    let rules = "[[group]]\nname = 'p'\nparts = ['pipe *']\n[[pair]]\na = 'p'\nb = 'p'\nclearance = 1\n";
    folder.write("rules.toml", rules);
    let by_rule = groups(&["--group", "rule", "--ignore", "rules.toml"]);
    assert_eq!(by_rule, ["contacts and overlaps 7", "the clearance of p × p 1"]);
}

#[test]
fn sets_are_checked_against_sets() {
    let folder = building();
    let pairs = |args: &[&str]| {
        let document = folder.sudar(&[&["clash", "building.obj", "--json"], args].concat()).json();
        kinds(&document).into_iter().map(|(a, b, _)| (a, b)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&["--a", "pipe 1"]), [(0, 3), (1, 3), (2, 3)]);
    assert_eq!(pairs(&["--a", "pipe *", "--b", "beam 2", "--b", "beam 3"]), [(1, 3), (1, 4), (2, 3), (2, 4)]);
    assert_eq!(
        pairs(&["--set", "s=beam 1", "--set", "s=beam 3", "--a", "s", "--b", "pipe 2"]),
        [(0, 4), (2, 4)]
    );
    // Brackets are a class of characters unless they are quoted.
    assert_eq!(pairs(&["--a", "\"=>[0:1:1:14]\"*"]), [(5, 6)]);
    let run = folder.sudar(&["clash", "building.obj", "--a", "=>[0:1:1:14]*"]);
    assert!(run.status == 2 && run.error().contains("matches no part; names with brackets"), "{}", run.err);
    let run = folder.sudar(&["clash", "building.obj", "--b", "pipe *"]);
    assert!(run.status == 2 && run.error().contains("--a"), "{}", run.err);
    let run = folder.sudar(&["clash", "building.obj", "--a", "x{"]);
    assert!(run.status == 2 && run.error().contains("--a 'x{'"), "{}", run.err);
}

#[test]
fn lengths_name_their_unit_and_results_have_that_of_the_file_or_the_one_asked_for() {
    let folder = row();
    let gap = |args: &[&str]| {
        let document = folder.sudar(&[&["clash", "--json"], args].concat()).json();
        let clashes = document["clashes"].as_array().unwrap();
        let gap = clashes.iter().find(|clash| clash["kind"] == "clearance");
        let rounded = |clash: &Value| (1e9 * clash["distance"].as_f64().unwrap()).round() / 1e9;
        (gap.map(rounded), document["unit"].as_str().map(str::to_owned))
    };
    let (mm, inch) = (Some("mm".to_owned()), Some("in".to_owned()));
    assert_eq!(gap(&["row.obj", "--clearance", "0.125"]), (Some(0.125), None));
    assert_eq!(gap(&["row.obj", "--clearance", "125um", "--units", "mm"]), (Some(0.125), mm.clone()));
    assert_eq!(gap(&["row.obj", "--clearance", "0.12mm", "--units", "mm"]), (None, mm.clone()));
    assert_eq!(gap(&["row.obj", "--clearance", "3.175mm", "--units", "in"]), (Some(0.125), inch));
    assert_eq!(folder.sudar(&["convert", "row.obj", "row.glb"]).status, 0);
    assert_eq!(gap(&["row.glb", "--clearance", "125 mm"]), (Some(0.125), Some("m".to_owned())));
    assert_eq!(gap(&["row.glb", "--clearance", "0.125m", "--units", "mm"]), (Some(125.0), mm));
    let run = folder.sudar(&["clash", "row.obj", "--clearance", "5mm"]);
    assert!(
        run.status == 2 && run.error().starts_with("--clearance: 5mm: the unit of the files is not"),
        "{}",
        run.err
    );
    let run = folder.sudar(&["clash", "row.obj", "row.glb"]);
    assert!(run.out.contains("note: some files say their unit and others do not"), "{}", run.out);
}

#[test]
fn the_table_lists_the_worst_up_to_a_limit() {
    let folder = row();
    let rows = |args: &[&str]| {
        let run = folder.sudar(&[&["clash", "row.obj", "--no-times"], args].concat());
        run.out
            .lines()
            .filter(|line| line.starts_with(' '))
            .map(|line| line.trim().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&[]).len(), 6);
    let two = rows(&["--limit", "2"]);
    assert!(two.len() == 3 && two[1].starts_with("duplicate") && two[2].starts_with("contained"), "{two:?}");
    let out = folder.sudar(&["clash", "row.obj", "--limit", "2"]).out;
    assert!(out.contains("\n3 more; --limit 0 lists all, --out and --html hold all\n"), "{out}");
    assert_eq!(rows(&["--limit", "0"]).len(), 6);
    assert!(!out.contains('\u{1b}'), "{out}");
}

#[test]
fn a_thousand_equal_parts_are_one_group() {
    let folder = Folder::new();
    let one = ("bolt", [0.0; 3], [1.0; 3]);
    folder.write("equal.obj", obj_boxes(&vec![one; 1000]));
    let run = folder.sudar(&["clash", "equal.obj", "--html", "equal.html"]);
    assert!(run.out.contains("1000 equal parts in one place, bolt"), "{}", run.out);
    assert!(run.out.contains("498036 more clashes of equal parts in one place: not listed"), "{}", run.out);
    assert!(std::fs::metadata(folder.join("equal.html")).unwrap().len() < 8 << 20);
    let document = folder.sudar(&["clash", "equal.obj", "--json"]).json();
    assert_eq!(document["unlisted"], json!(498_036));
    assert_eq!(document["groups"][0]["count"], json!(1000 * 999 / 2));
    assert_eq!(document["same_place"][0].as_array().unwrap().len(), 1000);
}

#[test]
fn folders_are_read_with_those_below_if_wanted() {
    let folder = Folder::new();
    let cube = |name| obj_boxes(&[(name, [0.0; 3], [1.0; 3])]);
    std::fs::create_dir_all(folder.join("in/deep")).unwrap();
    folder.write("in/b.obj", cube("b"));
    folder.write("in/deep/a.obj", cube("a"));
    folder.write("in/deep/notes.txt", "none of these");
    let files =
        |args: &[&str]| folder.sudar(&[&["clash", "in", "--json"], args].concat()).json()["files"].clone();
    assert_eq!(files(&[]), json!(["in/b.obj"]));
    assert_eq!(files(&["--recursive"]), json!(["in/b.obj", "in/deep/a.obj"]));
    let absolute = folder.join("in/b.obj").display().to_string();
    let run = folder.sudar(&["clash", &absolute, "--json"]);
    assert_eq!(run.json()["files"], json!(["b.obj"]));
    assert!(!run.out.contains(&absolute));
}

#[test]
fn places_stay_small_along_a_row_of_clashes() {
    // Sixty posts through a rail, one metre apart: with a radius of a metre each is near the next.
    let posts =
        (0..60).map(|i| (format!("post {i}"), [f64::from(i), -0.5, 0.0], [f64::from(i) + 0.1, 0.5, 1.0]));
    let posts: Vec<_> = posts.chain([("rail".to_owned(), [-1.0, 0.0, 0.5], [61.0, 0.1, 0.6])]).collect();
    let boxes: Vec<_> = posts.iter().map(|(name, min, max)| (name.as_str(), *min, *max)).collect();
    let folder = Folder::new();
    folder.write("rail.obj", obj_boxes(&boxes));
    let document =
        folder.sudar(&["clash", "rail.obj", "--json", "--group", "place", "--group-radius", "1"]).json();
    let clashes = document["clashes"].as_array().unwrap();
    assert_eq!(clashes.len(), 60);
    let groups = document["groups"].as_array().unwrap();
    let x = |n: &Value| clashes[n.as_u64().unwrap() as usize]["point"][0].as_f64().unwrap();
    let mut all = 0;
    for group in groups {
        let places: Vec<f64> = group["clashes"].as_array().unwrap().iter().map(x).collect();
        let (low, high) = places.iter().fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(*x), h.max(*x)));
        assert!(high - low <= 4.0 + 1e-9, "{places:?}");
        all += places.len();
    }
    // Five posts span four metres, and two places that could be one are none: at least 12 groups, at most 30.
    assert!(all == 60 && (12..=30).contains(&groups.len()), "{}", groups.len());
}
