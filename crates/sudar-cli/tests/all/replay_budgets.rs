//! `replay` under budgets: each query answers what is certain by then, and says so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "all of this is test code")]

use serde_json::{Value, json};

use crate::support::Folder;

/// A wavy sheet of 2·n² triangles over [0, 1]², as an inline mesh.
fn sheet(n: u32) -> Value {
    let place = |i: u32, j: u32| {
        let (x, y) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
        json!([x, y, 0.25 * x * y - 0.125 * (x - 0.5) * (y - 0.25)])
    };
    let vertices: Vec<Value> = (0..=n).flat_map(|i| (0..=n).map(move |j| place(i, j))).collect();
    let number = |i: u32, j: u32| i * (n + 1) + j;
    let pair = |i: u32, j: u32| {
        [
            json!([number(i, j), number(i + 1, j), number(i, j + 1)]),
            json!([number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)]),
        ]
    };
    let triangles: Vec<Value> = (0..n).flat_map(|i| (0..n).flat_map(move |j| pair(i, j))).collect();
    json!({"vertices": vertices, "triangles": triangles})
}

#[test]
fn distances_say_why_they_are_no_narrower() {
    let folder = Folder::new();
    let sheet = sheet(24);
    let ask = |more: Value| {
        let mut line = json!({"id": "d", "query": "distance", "a": sheet, "b": sheet,
            "pose_b": {"translation": [0.0, 0.0, 0.5]}});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = folder.replay(&[line.to_string()], &[]).lines().remove(0);
        let number = |name: &str| answer[name].as_f64().unwrap();
        (answer["status"].as_str().unwrap().to_owned(), number("lower"), number("upper"))
    };
    // The sheets are the same, 0.5 apart along z; a little less along their normal.
    let (status, lower, upper) = ask(json!({"rel": 0}));
    assert_eq!(status, "exact");
    assert!(upper <= 0.5 + 1e-12 && lower > 0.4 && upper - lower < 1e-12);
    let exact = upper;
    for more in [json!({"abs": 0.125}), json!({"rel": 0.25}), json!({"budget": {"nodes": 1_000_000}})] {
        let (status, lower, upper) = ask(more.clone());
        assert!(["exact", "tolerance"].contains(&status.as_str()), "{more}: {status}");
        assert!(lower <= exact && exact <= upper + 1e-12 && upper - lower <= 0.13, "{more}: {lower} {upper}");
    }
    let (status, lower, _) = ask(json!({"max": 0.25}));
    assert!(status == "beyond_max" && lower > 0.25 && lower <= exact);
    for more in [json!({"budget": {"nodes": 0}}), json!({"budget": {"ms": 0}})] {
        let (status, lower, upper) = ask(more.clone());
        assert_eq!(status, "budget", "{more}");
        assert!(lower <= exact && exact <= upper, "{more}: {lower} {upper}");
    }
}

#[test]
fn a_budget_leaves_open_what_it_did_not_reach() {
    let folder = Folder::new();
    let sheet = sheet(24);
    let line = |query: &str, shift: f64, budget: Value| {
        json!({"id": query, "query": query, "a": sheet, "b": sheet, "tolerance": 0.0,
            "pose_b": {"translation": [0.0, 0.0, shift]}, "budget": budget})
    };
    let ask = |query: &str, shift: f64, budget: Value| {
        let mut line = line(query, shift, budget);
        if query != "within" {
            line.as_object_mut().unwrap().remove("tolerance");
        }
        folder.replay(&[line.to_string()], &[]).lines().remove(0)
    };
    for (query, field) in [("intersects", "intersects"), ("within", "within"), ("contacts", "intersects")] {
        let none = ask(query, 0.0078125, json!({"nodes": 0}));
        assert_eq!((&none[field], &none["undecided"]), (&Value::Null, &json!("budget")), "{none}");
        let enough = ask(query, 0.0078125, json!({"nodes": 10_000_000}));
        assert_eq!((&enough[field], enough.get("undecided")), (&json!(false), None), "{enough}");
    }
    // All pairs of a sheet with itself; a budget finds some of them, and the same ones each time.
    let all = ask("contacts", 0.0, json!({"nodes": 10_000_000}));
    let some = ask("contacts", 0.0, json!({"nodes": 4}));
    assert!(some["count"].as_u64().unwrap() < all["count"].as_u64().unwrap());
    assert_eq!((&some["undecided"], all.get("undecided")), (&json!("budget"), None));
    assert_eq!(some, ask("contacts", 0.0, json!({"nodes": 4})));
}

/// The answers to a line under budgets from no node to `most`, in steps, and that without a budget. More
/// nodes than needed must give the same as none set.
fn under_budgets(line: &Value, most: u64, step: usize) -> (Vec<Value>, Value) {
    let with = |budget: Value| {
        let mut line = line.clone();
        line["budget"] = budget;
        line.to_string()
    };
    let counted = (0..=most).step_by(step).map(|nodes| with(json!({"nodes": nodes})));
    let lines: Vec<String> = counted.chain([with(json!({"ms": 0})), line.to_string()]).collect();
    let run = Folder::with_cube().replay(&lines, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let mut answers = run.lines();
    let whole = answers.pop().unwrap();
    assert_ne!(answers[0], whole, "{line} needs no node");
    assert_eq!(answers.pop().unwrap(), answers[0], "no time is no node");
    assert_eq!(answers.last(), Some(&whole), "{most} nodes are not enough");
    (answers, whole)
}

fn number(answer: &Value, name: &str) -> f64 {
    answer[name].as_f64().unwrap_or_else(|| panic!("{name}: {answer}"))
}

#[test]
fn a_ray_that_was_stopped_says_how_far_it_gets_at_most() {
    // Two sheets one above the other as one mesh would be met in any order; so does a slanted ray meet many
    // boxes of one.
    let line = json!({"id": "r", "query": "ray", "a": sheet(24), "origin": [0.0, 0.3, 0.5], "direction": [1.0, 0.5, -0.8]});
    let (answers, whole) = under_budgets(&line, 100, 1);
    assert_eq!(whole["hit"], json!(true));
    for answer in answers.iter().filter(|answer| **answer != whole) {
        assert_eq!((&answer["undecided"], answer.get("t")), (&json!("budget"), None), "{answer}");
        if answer["hit"].is_null() {
            assert!(answer.get("t_upper").is_none(), "{answer}");
        } else {
            assert!(
                answer["hit"] == json!(true) && number(answer, "t_upper") >= number(&whole, "t"),
                "{answer}"
            );
        }
    }
    // Beside the sheet nothing is hit, and that takes looking, too.
    let line = json!({"id": "r", "query": "ray", "a": sheet(24), "origin": [0.3, 0.3, 0.5], "direction": [1.0, 0.5, 0.0],
        "max": 0.5});
    let miss = |budget: u64| {
        let mut line = line.clone();
        line["budget"] = json!({"nodes": budget});
        Folder::new().replay(&[line.to_string()], &[]).lines().remove(0)
    };
    assert_eq!(miss(0), json!({"id": "r", "hit": null, "undecided": "budget"}));
    assert_eq!(miss(1000), json!({"id": "r", "hit": false}));
}

#[test]
fn a_closest_point_that_was_stopped_has_a_lower_bound() {
    let line = json!({"id": "c", "query": "closest_point", "a": sheet(24), "point": [0.4, 0.7, 0.9]});
    let (answers, whole) = under_budgets(&line, 100, 1);
    let exact = number(&whole, "distance");
    for answer in answers.iter().filter(|answer| **answer != whole) {
        assert_eq!(answer["status"], json!("budget"), "{answer}");
        assert!(number(answer, "lower") <= exact && exact <= number(answer, "distance"), "{answer}");
    }
}

#[test]
fn whether_a_point_is_inside_may_be_left_open() {
    // Outside the box of the cube nothing has to be visited.
    for (z, inside, unvisited) in [(0.5, true, json!(null)), (1.5, false, json!(false))] {
        let line = json!({"id": "i", "query": "contains", "a": {"mesh": "cube.obj", "solid": true},
            "point": [0.1, 0.2, z]});
        let ask = |nodes: u64| {
            let mut line = line.clone();
            line["budget"] = json!({"nodes": nodes});
            Folder::with_cube().replay(&[line.to_string()], &[]).lines().remove(0)
        };
        assert_eq!(ask(0)["inside"], unvisited);
        assert_eq!(ask(0).get("undecided"), unvisited.is_null().then_some(&json!("budget")));
        assert_eq!(ask(100), json!({"id": "i", "inside": inside}));
    }
    let open = json!({"id": "i", "query": "contains", "a": sheet(24), "point": [0.5, 0.5, -0.1], "method": "winding"});
    let (answers, whole) = under_budgets(&open, 200, 1);
    let end = |k: usize| whole["winding"][k].as_f64().unwrap();
    let truth = end(0).midpoint(end(1));
    for answer in &answers {
        let [lower, upper] = [0, 1].map(|k| answer["winding"][k].as_f64().unwrap_or([-1e9, 1e9][k]));
        assert!(lower <= truth + 1e-9 && truth - 1e-9 <= upper, "{answer}, {whole}");
        assert!(answer["inside"] == whole["inside"] || answer["undecided"] == json!("budget"), "{answer}");
    }
}

#[test]
fn contacts_found_early_are_listed_and_said_not_to_be_all() {
    let line = json!({"id": "m", "query": "manifold", "a": sheet(24), "b": {"box": [0.3, 0.2, 0.1]},
        "pose_b": {"translation": [0.5, 0.5, 0.15]}, "margin": 0.01});
    let (answers, whole) = under_budgets(&line, 2000, 25);
    assert!(!whole["contacts"].as_array().unwrap().is_empty() && whole.get("undecided").is_none(), "{whole}");
    let mut some = 0;
    for answer in answers.iter().filter(|answer| **answer != whole) {
        assert_eq!(answer["undecided"], json!("budget"), "{answer}");
        for contact in answer["contacts"].as_array().unwrap() {
            some += 1;
            assert!(number(contact, "depth") >= -0.01, "{contact}");
        }
    }
    assert!(some > 0);
}

#[test]
fn a_depth_that_was_stopped_is_wider() {
    let solid = json!({"mesh": "cube.obj", "solid": true});
    // Deep by a quarter along x, 1.5 apart, and a ball inside: 1.25 to get out.
    for (b, shift, signed) in
        [(solid.clone(), 1.75, -0.25), (solid.clone(), 3.5, 1.5), (json!({"sphere": 0.25}), 0.0, -1.25)]
    {
        let line = json!({"id": "p", "query": "penetration", "a": solid, "b": b,
            "pose_b": {"translation": [shift, 0.0, 0.0]}});
        let (answers, whole) = under_budgets(&line, 300, 1);
        for answer in &answers {
            let [lower, upper] = ["signed_lower", "signed_upper"].map(|end| number(answer, end));
            assert!(lower <= signed + 1e-12 && signed <= upper + 1e-12, "{answer}");
            // The first direction tried may happen to prove the gap between the bodies.
            let wide = upper - lower > 1e-9 * upper.abs();
            // What is as wide without a budget is so because the depth of meshes is known by bounds alone.
            let expected = if wide && *answer != whole { json!("budget") } else { whole["status"].clone() };
            assert!(!wide || answer["status"] == expected, "{answer}");
            assert!(wide || answer["status"] != json!("budget"), "{answer}");
            assert_ne!(whole["status"], json!("budget"), "{whole}");
        }
    }
}
