//! `cull`: which parts a camera sees, by all tests, and how many comparisons they take.

use serde_json::{Value, json};

use crate::support::{Folder, obj_boxes};

/// Small boxes on the axes of a camera at the origin that looks along +x: ahead, behind, far beyond the far plane,
/// beside, and one across the left side, which at a distance of 10 and half an angle of 45° is at y = 10.
fn scene() -> Folder {
    let folder = Folder::new();
    let at = |x: f64, y: f64| ([x - 0.5, y - 0.5, -0.5], [x + 0.5, y + 0.5, 0.5]);
    let named = [
        ("ahead", at(10.0, 0.0)),
        ("behind", at(-10.0, 0.0)),
        ("beyond", at(60.0, 0.0)),
        ("beside", at(10.0, 30.0)),
        ("across", at(10.0, 10.0)),
    ];
    folder.write("scene.obj", obj_boxes(&named.map(|(name, (low, high))| (name, low, high))));
    folder
}

const CAMERA: [&str; 10] =
    ["--eye", "0,0,0", "--look-at", "1,0,0", "--fov", "90", "--aspect", "1", "--far", "50"];

#[test]
fn all_tests_tell_inside_from_outside() {
    let folder = scene();
    let run = folder.sudar(&[&["cull", "scene.obj", "--json"], &CAMERA[..]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let document = run.json();
    let expected = ["inside", "outside", "outside", "outside", "intersecting"];
    for (part, expected) in document["parts"].as_array().unwrap().iter().zip(expected) {
        for test in ["spheres", "octants", "boxes", "hierarchy"] {
            assert_eq!(part[test], json!(expected), "{part}");
        }
    }
    let test = |name: &str| -> Value {
        let tests = document["tests"].as_array().unwrap().clone();
        tests.into_iter().find(|test| test["name"] == json!(name)).unwrap()
    };
    for name in ["spheres", "octants", "boxes", "hierarchy"] {
        let test = test(name);
        assert_eq!(
            [&test["inside"], &test["outside"], &test["intersecting"]],
            [1, 3, 1].map(|n| json!(n)).each_ref()
        );
    }
    // By hand, sides in the order left, right, bottom, top, near, far: what is ahead and across takes all six, what is
    // beside fails at the first, what is behind at the first too (it is to the left of the left side), what is beyond
    // at the last.
    assert_eq!(
        (&test("spheres")["volumes"], &test("spheres")["planes"]),
        (&json!(5), &json!(6 + 1 + 6 + 1 + 6))
    );
    assert_eq!(test("octants")["octants"], json!(5));
    assert!(test("octants")["planes"].as_u64().unwrap() <= 15);
    // The corners: bit 0 is right, which is −y here, and the far plane is at 50.
    assert!((document["frustum"]["corners"][5][1].as_f64().unwrap() + 50.0).abs() < 1e-9);
}

#[test]
fn people_see_two_tables() {
    let folder = scene();
    let out = folder.sudar(&[&["cull", "scene.obj"], &CAMERA[..]].concat()).out;
    for word in ["across", "intersecting", "hierarchy", "planes", "octants"] {
        assert!(out.contains(word), "{word}: {out}");
    }
}

#[test]
fn what_is_no_camera_is_refused_in_one_line() {
    let folder = scene();
    for (arguments, words) in [
        (&["--eye", "0,0,0", "--look-at", "0,0,0"][..], "--look-at must be another point"),
        (&["--eye", "0,0,0", "--look-at", "0,0,5"], "not along --up"),
        (&["--eye", "0,0,0", "--look-at", "1,0,0", "--fov", "180"], "below 180"),
        (&["--eye", "0,0,0", "--look-at", "1,0,0", "--near", "5", "--far", "2"], "near plane, at 5"),
        (&["--look-at", "1,0,0"], "--eye"),
    ] {
        let run = folder.sudar(&[&["cull", "scene.obj"], arguments].concat());
        assert!(run.error().contains(words), "{arguments:?}: {}", run.err);
    }
}
