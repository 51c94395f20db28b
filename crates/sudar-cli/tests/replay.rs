//! `replay`: every query for every shape, the limits of the format, and one answer a line.

mod support;

use std::io::Write;

use serde_json::{Value, json};
use support::{Folder, Run};

/// Shapes with their greatest and least point along x at (1, 0, 0) and (−1, 0, 0) and nothing else in the planes
/// x = 1 and x = −1 that others might miss: two of them, one moved by 2 along x, share exactly the point (1, 0, 0)
/// or a face around it. Half-spaces have one form for each side.
fn shapes() -> Vec<(&'static str, Value, Value)> {
    let same = |name, shape: Value| (name, shape.clone(), shape);
    let octahedron = json!([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]);
    let faces =
        json!([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]);
    vec![
        same("file", json!({"mesh": "cube.obj"})),
        same("solid file", json!({"mesh": "cube.obj", "part": "cube", "solid": true})),
        same("inline", json!({"vertices": octahedron, "triangles": faces})),
        same("solid inline", json!({"vertices": octahedron, "triangles": faces, "solid": true})),
        same("sphere", json!({"sphere": 1})),
        same("box", json!({"box": [1, 1, 1]})),
        ("halfspace", json!({"halfspace": [1, 0, 0, 1]}), json!({"halfspace": [-2, 0, 0, 2]})),
        same("triangle", json!({"triangle": [[1, 0, 0], [-1, 0, 0], [0, 0.5, 0]]})),
        same("segment", json!({"segment": [[1, 0, 0], [-1, 0, 0]]})),
        ("point", json!({"point": [1, 0, 0]}), json!({"point": [-1, 0, 0]})),
        same("capsule", json!({"capsule": [1, 0.5]})),
        same("hull", json!({"hull": octahedron})),
        same(
            "compound",
            json!({"compound": [{"shape": {"sphere": 0.5}}, {"shape": {"box": [1, 0.5, 0.5]}}]}),
        ),
    ]
}

/// Round shapes with the same extent along x, which may leave open whether they touch.
fn round_shapes() -> Vec<(&'static str, Value)> {
    vec![
        ("cylinder", json!({"cylinder": [1, 0.5]})),
        ("cone", json!({"cone": [1, 0.5]})),
        ("ellipsoid", json!({"ellipsoid": [1, 0.5, 0.25]})),
    ]
}

#[test]
fn round_shapes_know_touching_from_apart_except_within_rounding() {
    let folder = Folder::with_cube();
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    for (name_a, a) in round_shapes() {
        for (name_b, b) in round_shapes() {
            for (shift, touch) in
                [(1.0, Some(true)), (2.0, None), (2.0 + 1e-9, Some(false)), (3.0, Some(false))]
            {
                lines.push(pair("intersects", &a, &b, shift));
                expected.push((name_a, name_b, shift, touch));
            }
        }
    }
    for (answer, (a, b, shift, touch)) in folder.replay(&lines, &[]).lines().iter().zip(expected) {
        let known = answer["intersects"].as_bool();
        assert_eq!(answer["intersects"].is_null(), answer["undecided"] == json!("precision"), "{answer}");
        // At 2 two of a kind touch in a point, which may be left open but not denied.
        let open = touch.is_none() && (a != b || known != Some(false));
        assert!(known == touch || open, "{a} and {b} by {shift}: {answer}");
    }
}

#[test]
fn distance_and_depth_of_shapes_side_by_side() {
    let folder = Folder::with_cube();
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    let convex = [
        ("sphere", json!({"sphere": 1})),
        ("box", json!({"box": [1, 1, 1]})),
        ("capsule", json!({"capsule": [1, 0.5]})),
        (
            "hull",
            json!({"hull": [[1, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1], [1, 1, -1], [-1, -1, -1], [1, -1, 1], [-1, 1, 1]]}),
        ),
        ("cylinder", json!({"cylinder": [1, 1]})),
    ];
    for (name_a, a) in &convex {
        for (name_b, b) in &convex {
            // All reach from −1 to 1 along x, and nothing is nearer to separating than that direction.
            for shift in [3.0, 2.5, 1.75] {
                lines.push(pair("penetration", a, b, shift));
                lines.push(pair("distance", a, b, shift));
                expected.push((name_a, name_b, shift - 2.0));
            }
        }
    }
    let run = folder.replay(&lines, &[]);
    assert_eq!(run.status, 0);
    for (answers, (a, b, signed)) in run.lines().chunks(2).zip(expected) {
        let what = format!("{a} and {b} at {signed}: {answers:?}");
        let number = |i: usize, name: &str| answers[i][name].as_f64().unwrap();
        assert!(number(0, "signed_lower") <= signed && signed <= number(0, "signed_upper"), "{what}");
        assert!(number(0, "signed_upper") - number(0, "signed_lower") < 2e-9, "{what}");
        assert!((answers[0]["normal"][0].as_f64().unwrap() - 1.0).abs() < 1e-6, "{what}");
        assert!(["exact", "tolerance"].contains(&answers[0]["status"].as_str().unwrap()), "{what}");
        let distance = signed.max(0.0);
        assert!(number(1, "lower") <= distance && distance <= number(1, "upper"), "{what}");
        assert!(number(1, "upper") - distance < 1e-11, "{what}");
    }
}

#[test]
fn distance_says_when_it_is_beyond_what_was_asked_and_depth_when_there_is_none() {
    let folder = Folder::with_cube();
    let beyond = json!({"query": "distance", "a": {"mesh": "cube.obj"}, "b": {"sphere": 1}, "max": 1,
                        "pose_b": {"translation": [5, 0, 0]}});
    let for_ever =
        json!({"query": "penetration", "a": {"halfspace": [0, 0, 1, 0]}, "b": {"halfspace": [1, 0, 0, 0]}});
    let answers = folder.replay(&[beyond.to_string(), for_ever.to_string()], &[]).lines();
    assert_eq!(answers[0]["status"], json!("beyond_max"));
    assert!(answers[0]["lower"].as_f64().unwrap() > 1.0);
    assert!(answers[1]["signed_lower"].is_null() && answers[1]["signed_upper"].is_null());
}

#[test]
fn a_box_on_a_box_touches_at_four_corners() {
    let folder = Folder::with_cube();
    let line = json!({"query": "manifold", "a": {"box": [1, 1, 1]}, "b": {"box": [0.5, 0.25, 1]},
                      "pose_b": {"translation": [0, 0, 1.875]}});
    let answer = folder.replay(&[line.to_string()], &[]).lines().remove(0);
    let contacts = answer["contacts"].as_array().unwrap();
    assert_eq!(contacts.len(), 4);
    for contact in contacts {
        // The lower face of the upper box at z = 0.875, the upper face of the lower one at 1.
        assert_eq!((&contact["normal"], &contact["depth"]), (&json!([0.0, 0.0, 1.0]), &json!(0.125)));
        assert_eq!((&contact["point_a"][2], &contact["point_b"][2]), (&json!(1.0), &json!(0.875)));
        let x = contact["point_a"][0].as_f64().unwrap().abs();
        assert_eq!((x, contact["point_a"][1].as_f64().unwrap().abs()), (0.5, 0.25));
    }
    let apart = line.to_string().replace("1.875", "2.25");
    assert_eq!(folder.replay(std::slice::from_ref(&apart), &[]).lines()[0]["contacts"], json!([]));
    let margin = apart.replace("\"query\"", "\"margin\":0.5,\"query\"");
    assert_eq!(folder.replay(&[margin], &[]).lines()[0]["contacts"].as_array().unwrap().len(), 4);
}

fn pair(query: &str, a: &Value, b: &Value, shift: f64) -> String {
    let pose = json!({"translation": [shift, 0, 0]});
    json!({"id": "p", "query": query, "a": a, "b": b, "pose_b": pose}).to_string()
}

#[test]
fn every_pair_of_shapes_knows_touching_from_apart() {
    let folder = Folder::with_cube();
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    for (name_a, a, _) in shapes() {
        for (name_b, _, b) in shapes() {
            for (shift, touch) in [(2.0, true), (2.25, false), (2.0 + 1e-9, false)] {
                lines.push(pair("intersects", &a, &b, shift));
                expected.push((name_a, name_b, shift, touch));
            }
        }
    }
    let run = folder.replay(&lines, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let answers = run.lines();
    assert_eq!(answers.len(), expected.len());
    for (answer, (a, b, shift, touch)) in answers.iter().zip(expected) {
        assert_eq!(answer["intersects"], json!(touch), "{a} and {b} moved by {shift}: {answer}");
        assert_eq!(answer.get("features").is_some(), touch, "{a} and {b}: {answer}");
        assert!(answer.get("undecided").is_none());
        let has_features =
            |name: &str| name.contains("file") || name.contains("inline") || name == "compound";
        for (i, name) in [a, b].into_iter().enumerate().filter(|(_, name)| touch && !has_features(name)) {
            assert_eq!(answer["features"][i], json!(0), "{name} has no features: {answer}");
        }
    }
}

#[test]
fn swapping_the_shapes_swaps_the_answer() {
    let folder = Folder::with_cube();
    let (mut lines, mut swapped) = (Vec::new(), Vec::new());
    let pose = json!({"translation": [0.5, 0.25, 0.125], "rotation": [0.5, 0.5, 0.5, 0.5]});
    for (_, a, _) in shapes() {
        for (_, b, _) in shapes() {
            lines.push(json!({"query": "intersects", "a": a, "b": b, "pose_b": pose}).to_string());
            swapped.push(json!({"query": "intersects", "a": b, "b": a, "pose_a": pose}).to_string());
        }
    }
    let (run, back) = (folder.replay(&lines, &[]), folder.replay(&swapped, &[]));
    for ((line, x), y) in lines.iter().zip(run.lines()).zip(back.lines()) {
        assert!(x["intersects"].is_boolean() && x["intersects"] == y["intersects"], "{line}: {x} {y}");
    }
}

#[test]
fn contacts_lists_pairs_of_meshes_only() {
    let folder = Folder::with_cube();
    let ask = |a: Value, b: Value, max: Option<u64>| {
        let mut line = json!({"query": "contacts", "a": a, "b": b, "pose_b": {"translation": [2, 0, 0]}});
        if let Some(max) = max {
            line["max"] = json!(max);
        }
        folder.replay(&[line.to_string()], &[]).lines().remove(0)
    };
    let cube = || json!({"mesh": "cube.obj"});
    // The faces x = 1 and x = −1 coincide; whatever touches it has a corner or edge there.
    let all = ask(cube(), cube(), None);
    let pairs = all["pairs"].as_array().unwrap().clone();
    assert_eq!(all["count"], json!(pairs.len()));
    assert!(
        pairs.contains(&json!([2, 0])) && pairs.contains(&json!([3, 1])) && !pairs.contains(&json!([0, 2]))
    );
    assert!(pairs.is_sorted_by_key(|p| (p[0].as_u64(), p[1].as_u64())));
    let three = ask(cube(), cube(), Some(3));
    assert_eq!((&three["count"], &three["pairs"]), (&all["count"], &json!(pairs[..3])));
    assert_eq!(ask(cube(), cube(), Some(0))["pairs"], json!([]));
    let error = ask(cube(), json!({"sphere": 1}), None)["error"].as_str().unwrap().to_owned();
    assert_eq!(error, "`b`: this query needs a mesh, found a sphere");
}

#[test]
fn a_body_inside_a_solid_touches_it_and_inside_a_surface_does_not() {
    let folder = Folder::with_cube();
    let small = json!({"vertices": [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]],
                       "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]});
    let ask = |query: &str, solid: bool, b: &Value| {
        let line = json!({"query": query, "a": {"mesh": "cube.obj", "solid": solid}, "b": b});
        folder.replay(&[line.to_string()], &[]).lines().remove(0)["intersects"].clone()
    };
    for b in [&small, &json!({"point": [0, 0, 0.25]}), &json!({"segment": [[0, 0, 0], [0.5, 0, 0]]})] {
        assert_eq!(ask("intersects", true, b), json!(true));
        assert_eq!(ask("intersects", false, b), json!(false));
    }
    assert_eq!(ask("contacts", true, &small), json!(true));
    assert_eq!(ask("contacts", false, &small), json!(false));
}

#[test]
fn rays_hit_what_they_should_at_t_in_units_of_the_direction() {
    let folder = Folder::with_cube();
    let ray = |a: Value, z: f64, more: &str| {
        let line = format!(
            r#"{{"id":"r","query":"ray","a":{a},"origin":[0.25,0.125,{z}],"direction":[0,0,-2]{more}}}"#
        );
        folder.replay(&[line], &[]).lines().remove(0)
    };
    // From z = 9 down to the face z = 1 with steps of 2: t = 4.
    for a in [
        json!({"mesh": "cube.obj"}),
        json!({"mesh": "cube.obj", "solid": true}),
        json!({"box": [1, 1, 1]}),
        json!({"halfspace": [0, 0, 3, 3]}),
        json!({"triangle": [[-2, -2, 1], [4, -2, 1], [-2, 4, 1]]}),
    ] {
        let hit = ray(a.clone(), 9.0, "");
        assert_eq!((&hit["hit"], &hit["t"]), (&json!(true), &json!(4.0)), "{a}: {hit}");
        assert_eq!(
            (&hit["point"], &hit["normal"]),
            (&json!([0.25, 0.125, 1.0]), &json!([0.0, 0.0, 1.0])),
            "{a}"
        );
        assert_eq!(ray(a.clone(), 9.0, r#","max":4"#)["hit"], json!(true), "{a}");
        assert_eq!(ray(a.clone(), 9.0, r#","max":3.75"#), json!({"id": "r", "hit": false}), "{a}");
    }
    // The ray passes (0.25, 0.125): a ball of radius 2 is met where z² = 4 − 0.0625 − 0.015625.
    let ball = ray(json!({"sphere": 2}), 9.0, "");
    assert!((ball["t"].as_f64().unwrap() - (9.0 - 3.921875_f64.sqrt()) / 2.0).abs() < 1e-14, "{ball}");
    assert!([10, 11].contains(&ray(json!({"mesh": "cube.obj"}), 9.0, "")["feature"].as_u64().unwrap()));
    // From inside: a solid is left where one stands, a surface is met at z = −1.
    for a in [json!({"mesh": "cube.obj", "solid": true}), json!({"box": [1, 1, 1]}), json!({"sphere": 1})] {
        assert_eq!(ray(a.clone(), 0.0, "")["t"], json!(0.0), "{a}");
    }
    assert_eq!(ray(json!({"mesh": "cube.obj"}), 0.0, "")["t"], json!(0.5));
    assert_eq!(ray(json!({"mesh": "cube.obj"}), -1.5, "")["hit"], json!(false));
}

#[test]
fn closest_points_lie_where_geometry_says() {
    let folder = Folder::with_cube();
    let closest = |a: Value, p: [f64; 3]| {
        let line = json!({"query": "closest_point", "a": a, "point": p});
        folder.replay(&[line.to_string()], &[]).lines().remove(0)
    };
    for a in [
        json!({"mesh": "cube.obj"}),
        json!({"mesh": "cube.obj", "solid": true}),
        json!({"box": [1, 1, 1]}),
        json!({"sphere": 1}),
        json!({"halfspace": [0, 0, 2, 2]}),
        json!({"point": [0, 0, 1]}),
        json!({"segment": [[0, 0, 1], [0, 0, -1]]}),
        json!({"triangle": [[0, 0, 1], [-1, 0, 0], [1, 0, 0]]}),
    ] {
        let found = closest(a.clone(), [0.0, 0.0, 3.0]);
        assert_eq!(found["distance"], json!(2.0), "{a}: {found}");
        assert_eq!(found["point"], json!([0.0, 0.0, 1.0]), "{a}: {found}");
    }
    // Inside at z = 0.5: the surface is 0.5 away, a solid is there already.
    assert_eq!(closest(json!({"mesh": "cube.obj"}), [0.0, 0.0, 0.5])["distance"], json!(0.5));
    assert_eq!(closest(json!({"mesh": "cube.obj", "solid": true}), [0.0, 0.0, 0.5])["distance"], json!(0.0));
    assert_eq!(closest(json!({"sphere": 1}), [0.0, 0.0, 0.5])["distance"], json!(0.0));
}

#[test]
fn contains_counts_the_surface_and_needs_an_inside() {
    let folder = Folder::with_cube();
    let contains = |a: &Value, z: f64| {
        let line = json!({"query": "contains", "a": a, "point": [0, 0, z]});
        folder.replay(&[line.to_string()], &[]).lines().remove(0)
    };
    for a in [
        json!({"mesh": "cube.obj", "solid": true}),
        json!({"box": [1, 1, 1]}),
        json!({"sphere": 1}),
        json!({"halfspace": [0, 0, 2, 2]}),
    ] {
        for (z, inside) in [(0.5, true), (1.0, true), (1.0 + 1e-15, false), (1.25, false)] {
            assert_eq!(contains(&a, z)["inside"], json!(inside), "{a} at {z}");
        }
    }
    for a in [json!({"mesh": "cube.obj"}), json!({"point": [0, 0, 0]})] {
        assert!(contains(&a, 0.0)["error"].as_str().unwrap().contains("an inside"), "{a}");
    }
}

#[test]
fn bad_lines_are_answered_with_errors_and_the_others_with_answers() {
    let folder = Folder::with_cube();
    let good = r#"{"id":"good","query":"contains","a":{"sphere":1},"point":[0,0,0]}"#;
    let cases: Vec<(String, &str)> = vec![
        ("{".to_owned(), "EOF"),
        ("[1]".to_owned(), "JSON object"),
        (r#"{"id":"x","query":"dance"}"#.to_owned(), "unknown query \"dance\"; known: intersects"),
        (r#"{"id":"x","query":"sweep"}"#.to_owned(), "\"sweep\" is not available in this version"),
        (good.replace("[0,0,0]", "[0,0,1e999]"), "`point`: number out of range"),
        (good.replace("[0,0,0]", "[0,0,NaN]"), "expected value"),
        (good.replace("[0,0,0]", "[0,0]"), "`point`: invalid length 2"),
        (good.replace("[0,0,0]", "[0,0,null]"), "`point`"),
        (good.replace("[0,0,0]", "[0,0,1e91]"), "`point`: a point must not exceed 1e90"),
        (good.replace("\"point\"", "\"piont\""), "`point` is missing"),
        (good.replace("\"point\"", "\"extra\":1,\"point\""), "no field `extra`"),
        (good.replace("{\"sphere\":1}", "{\"cone\":[1]}"), "`a`: `cone`: invalid length 1"),
        (good.replace("{\"sphere\":1}", "{\"blob\":1}"), "no shape is given"),
        (good.replace("{\"sphere\":1}", "{\"sphere\":0}"), "`a`: a sphere's radius must be positive"),
        (good.replace("{\"sphere\":1}", "{\"mesh\":\"none.obj\"}"), "none.obj: cannot be read"),
        (good.replace("{\"sphere\":1}", "{\"mesh\":\".\"}"), "regular file"),
        (good.replace("{\"sphere\":1}", "{\"mesh\":\"cube.obj\",\"part\":\"x\"}"), "no part is named \"x\""),
        (
            good.replace("{\"sphere\":1}", "{\"vertices\":[[0,0,0]],\"triangles\":[[0,0,1]]}"),
            "triangle 0 names vertex 1",
        ),
        (
            good.replace("{\"sphere\":1}", "{\"vertices\":[[0,0,0]],\"triangles\":[[0,0,0]],\"solid\":true}"),
            "not closed",
        ),
        (good.replace("\"point\"", "\"pose_a\":{\"rotation\":[0,0,0,2]},\"point\""), "`pose_a`: a rotation"),
        (good.replace("\"point\"", "\"budget\":{\"nodes\":-1},\"point\""), "`budget`: `nodes`"),
        (format!("{{\"note\":{}{}}}", "[".repeat(64), "]".repeat(64)), "nested deeper than 64"),
    ];
    let lines: Vec<String> = cases.iter().flat_map(|(line, _)| [line.clone(), good.to_owned()]).collect();
    let run = folder.replay(&lines, &[]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let answers = run.lines();
    assert_eq!(answers.len(), lines.len());
    for (pair, (line, expected)) in answers.chunks(2).zip(&cases) {
        let error = pair[0]["error"].as_str().unwrap_or_else(|| panic!("{line}: {}", pair[0]));
        assert!(error.contains(expected) && !error.contains('\n'), "{line}: {error}");
        assert_eq!(pair[1], json!({"id": "good", "inside": true}));
        let id = if line.contains("\"id\"") { &line[7..line[7..].find('"').unwrap() + 7] } else { "" };
        assert_eq!(pair[0]["id"].as_str().unwrap_or_default(), id, "{line}");
    }
}

#[test]
fn bytes_that_are_no_text_spoil_their_line_only() {
    let folder = Folder::new();
    let good = br#"{"id":"g","query":"contains","a":{"sphere":1},"point":[0,0,2]}"#;
    folder.write("q.jsonl", [&good[..], b"\r\n\xff\xfe\n  \r\n\n", good].concat());
    let run = folder.sudar(&["replay", "q.jsonl"]);
    assert_eq!(run.status, 1);
    let answers = run.lines();
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[0], &answers[2]), (&json!({"id": "g", "inside": false}), &answers[0]));
    assert_eq!(answers[1], json!({"id": null, "error": "the line is not valid UTF-8 (at byte 1)"}));
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_answered() {
    let folder = Folder::new();
    let good = r#"{"query":"contains","a":{"sphere":1},"point":[0,0,0]}"#;
    let long = format!(r#"{{"id":"long","note":"{}"}}"#, "x".repeat(64 << 20));
    let padded = format!("{good}{}", " ".repeat((64 << 20) - good.len()));
    folder.write("q.jsonl", format!("{long}\n{good}\n{padded}\n"));
    let answers = folder.sudar(&["replay", "q.jsonl"]).lines();
    assert!(answers[0]["error"].as_str().unwrap().starts_with("the line is longer than 64 MiB"));
    assert_eq!(answers[0]["id"], json!("long"));
    let inside = json!({"id": null, "inside": true});
    assert_eq!(answers[1..], [inside.clone(), inside]);
}

#[test]
fn an_empty_file_has_no_answers() {
    let folder = Folder::new();
    let run = folder.replay(&[], &[]);
    assert_eq!((run.status, run.out.as_str()), (0, ""));
    assert_eq!(folder.replay(&[], &["--time"]).lines(), [json!({"shapes": []})]);
}

/// Lines with every query, many times over, with errors between them.
fn mixture() -> Vec<String> {
    let mut lines = Vec::new();
    for i in 0..300 {
        let x = f64::from(i) / 128.0;
        for (_, a, b) in shapes() {
            lines.push(pair("intersects", &a, &b, x));
            lines.push(
                json!({"id": i.to_string(), "query": "closest_point", "a": a, "point": [x, 0.3, 0.7]})
                    .to_string(),
            );
            lines.push(
                json!({"query": "ray", "a": a, "origin": [3, x, 0.1], "direction": [-1, 0.3, x]}).to_string(),
            );
        }
        lines.push(pair("contacts", &json!({"mesh": "cube.obj"}), &json!({"mesh": "cube.obj"}), x));
        lines.push("{}".to_owned());
    }
    lines
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let folder = Folder::with_cube();
    let lines = mixture();
    let run = |threads: &str| -> Run { folder.replay(&lines, &["--threads", threads]) };
    let one = run("1");
    assert_eq!((one.status, one.lines().len()), (1, lines.len()));
    assert_eq!(one.out, run("2").out);
    assert_eq!(one.out, run("7").out);
}

#[test]
fn gzipped_queries_and_an_output_file() {
    let folder = Folder::with_cube();
    let lines = mixture().join("\r\n");
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(lines.as_bytes()).unwrap();
    folder.write("q.jsonl", &lines);
    folder.write("q.jsonl.gz", gz.finish().unwrap());
    let plain = folder.sudar(&["replay", "q.jsonl"]);
    let run = folder.sudar(&["replay", "q.jsonl.gz", "--out", "a.jsonl"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert_eq!(std::fs::read_to_string(folder.join("a.jsonl")).unwrap(), plain.out);
}

#[test]
fn paths_start_from_the_query_file_or_the_root() {
    let folder = Folder::new();
    for name in ["in", "other"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    folder.write("in/cube.obj", support::CUBE);
    folder.write("other/cube.obj", support::CUBE.replace("1", "2").replace("o cube", "o big"));
    let line = r#"{"query":"closest_point","a":{"mesh":"cube.obj"},"point":[0,0,5]}"#;
    folder.write("in/q.jsonl", line);
    assert_eq!(folder.sudar(&["replay", "in/q.jsonl"]).lines()[0]["distance"], json!(4.0));
    assert_eq!(folder.sudar(&["replay", "in/q.jsonl", "--units", "cm"]).lines()[0]["distance"], json!(4.99));
    assert_eq!(folder.sudar(&["replay", "in/q.jsonl", "--root", "none"]).status, 1);
}

#[test]
fn times_come_with_the_builds_first() {
    let folder = Folder::with_cube();
    let surface = json!({"mesh": "cube.obj"});
    let inline = json!({"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]});
    let lines = [
        pair("intersects", &surface, &surface, 0.5),
        String::new(),
        pair("intersects", &json!({"sphere": 1}), &inline, 0.5),
        "{}".to_owned(),
    ];
    let run = folder.replay(&lines, &["--time", "--repeat", "5"]);
    assert_eq!(run.status, 1);
    let answers = run.lines();
    assert_eq!(answers.len(), 4);
    let shapes = answers[0]["shapes"].as_array().unwrap();
    assert_eq!(shapes.len(), 2, "each mesh is built once: {shapes:?}");
    assert_eq!((&shapes[0]["shape"], &shapes[0]["triangles"]), (&surface, &json!(12)));
    assert_eq!(
        (&shapes[1]["shape"], &shapes[1]["triangles"]),
        (&json!({"line": 3, "field": "b"}), &json!(1))
    );
    assert!(shapes.iter().all(|s| s["build_ns"].as_u64().unwrap() > 0 && s["bytes"].as_u64().unwrap() > 0));
    assert!(answers[1..3].iter().all(|a| a["ns"].is_u64() && a["intersects"].is_boolean()));
    assert!(answers[3].get("ns").is_none());
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let folder = Folder::new();
    // The closest point of a point is itself: what goes in comes out.
    let numbers: [f64; 6] =
        [0.1, 0.30000000000000004, 5e-324, 1e89, -1.7976931348623157e-300, 123456789.12345679];
    for x in numbers {
        let line = format!(r#"{{"query":"closest_point","a":{{"point":[{x:e},0,0]}},"point":[{x:e},0,1]}}"#);
        let answer = folder.replay(&[line], &[]).lines().remove(0);
        assert_eq!(answer["point"][0].as_f64().unwrap().to_bits(), x.to_bits(), "{x:e}: {answer}");
    }
}

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
fn within_is_decided_with_what_shows_it() {
    let folder = Folder::with_cube();
    // A ball of radius 1 at 2.5 + 1 is 1.5 from the cube's face; two cubes so shifted are 1.5 apart too.
    let cube = json!({"mesh": "cube.obj"});
    for (other, shift) in
        [(json!({"sphere": 1.0}), 3.5), (cube.clone(), 3.5), (json!({"box": [1, 1, 1]}), 3.5)]
    {
        let ask = |tolerance: f64| {
            let line = json!({"id": "w", "query": "within", "a": cube, "b": other, "tolerance": tolerance,
                "pose_b": {"translation": [shift, 0.0, 0.0]}});
            folder.replay(&[line.to_string()], &[]).lines().remove(0)
        };
        let (near, far) = (ask(1.625), ask(1.375));
        assert_eq!((&near["within"], &far["within"]), (&json!(true), &json!(false)), "{near} {far}");
        let x = |point: &str| near["witness"][point][0].as_f64().unwrap();
        assert!(x("point_b") - x("point_a") <= 1.625 && x("point_b") - x("point_a") >= 1.5 - 1e-12, "{near}");
        if let Some(plane) = far.get("witness") {
            let number = |k: usize| plane["plane"][k].as_f64().unwrap();
            let length = (0..3).map(|k| number(k) * number(k)).sum::<f64>().sqrt();
            // The cube reaches to 1 along x, and to 3 in the sum of its coordinates.
            assert!(number(0) > 0.0 && number(3) / length >= 1.0 - 1e-9, "{far}");
        }
    }
    let inside = json!({"query": "within", "a": {"sphere": 2}, "b": {"sphere": 1}, "tolerance": 0});
    assert_eq!(folder.replay(&[inside.to_string()], &[]).lines()[0]["within"], json!(true));
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

#[test]
fn minima_of_two_boxes_over_one() {
    let folder = Folder::new();
    // Two cubes of side 2 stand over the ends of a long flat one, 0.5 and 0.25 above it, with a gap between.
    let slab = json!({"box": [6, 1, 1]});
    let above = |x: f64, gap: f64| json!({"shape": {"box": [1, 0.5, 1]}, "pose": {"translation": [x, 0.0, 2.0 + gap]}});
    let two = json!({"compound": [above(-4.0, 0.5), above(4.0, 0.25)]});
    let line = |tolerance: f64| {
        json!({"id": "m", "query": "local_minima", "a": slab, "b": two, "tolerance": tolerance}).to_string()
    };
    let answers = folder.replay(&[line(1.0), line(0.375), line(0.125)], &[]).lines();
    let distances = |k: usize| {
        let minima = answers[k]["minima"].as_array().unwrap();
        minima.iter().map(|m| m["distance"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    for (k, expected) in [vec![0.25, 0.5], vec![0.25], vec![]].into_iter().enumerate() {
        let found = distances(k);
        assert_eq!(found.len(), expected.len(), "{}", answers[k]);
        assert!(found.iter().zip(&expected).all(|(f, e)| (f - e).abs() < 1e-12), "{}", answers[k]);
    }
}
