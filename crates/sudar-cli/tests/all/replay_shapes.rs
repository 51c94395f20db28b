//! `replay`: every query for every shape.

use serde_json::{Value, json};

use crate::support::Folder;
use crate::support::queries::{pair, shapes};

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
fn open_meshes_have_an_inside_by_winding_number_if_that_is_asked_for() {
    let folder = Folder::with_cube();
    // Without its last face, z = 1.
    folder.write("open.obj", crate::support::CUBE.lines().take(14).collect::<Vec<_>>().join("\n"));
    let contains = |a: Value, z: f64, method: &str| {
        let line = json!({"query": "contains", "a": a, "point": [0, 0, z], "method": method});
        folder.replay(&[line.to_string()], &[]).lines().remove(0)
    };
    let open = || json!({"mesh": "open.obj"});
    for (z, inside) in [(0.0, true), (0.9, true), (-1.0, true), (1.1, false), (-1.1, false)] {
        let answer = contains(open(), z, "winding");
        assert_eq!((&answer["inside"], &answer["method"]), (&json!(inside), &json!("winding")), "{answer}");
    }
    // From the centre each face covers a sixth of the sphere. In the middle of the hole the other five cover
    // half of it.
    let center = contains(open(), 0.0, "winding");
    let [lower, upper] = [0, 1].map(|k| center["winding"][k].as_f64().unwrap());
    assert!(lower <= 5.0 / 6.0 && 5.0 / 6.0 <= upper, "{center}");
    let rim = contains(open(), 1.0, "winding");
    assert_eq!((&rim["inside"], &rim["undecided"]), (&Value::Null, &json!("precision")), "{rim}");
    // What has an inside is asked exactly, and open meshes are not unless by name.
    let full = contains(json!({"mesh": "cube.obj", "solid": true}), 1.0, "winding");
    assert_eq!(full, json!({"id": null, "inside": true, "method": "exact"}));
    assert!(contains(open(), 0.0, "exact")["error"].as_str().unwrap().contains("\"method\":\"winding\""));
    assert!(contains(open(), 0.0, "parity")["error"].as_str().unwrap().contains("`method`: unknown variant"));
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
