//! `ray`: hits by every method, their numbers, and what is refused.

use serde_json::json;

use crate::support::{CUBE, Folder, obj_boxes};

/// Two boxes on the x axis: [−1, 1]³ and [3, 5] × [−1, 1]².
fn boxes() -> Folder {
    let folder = Folder::new();
    let two = [("a", [-1.0; 3], [1.0; 3]), ("b", [3.0, -1.0, -1.0], [5.0, 1.0, 1.0])];
    folder.write("two.obj", obj_boxes(&two));
    folder
}

const METHODS: [&str; 8] = [
    "engine",
    "triangle",
    "polygon",
    "sphere-mathematical",
    "sphere-optimal",
    "slabs",
    "top-down",
    "bottom-up",
];

#[test]
fn every_method_finds_the_same_hits() {
    let folder = boxes();
    // From x = −3 along +x, off the diagonals of the faces: t is the distance in units of 2.
    let ray = ["ray", "two.obj", "--from", "-3,0.25,0.125", "--direction", "2,0,0", "--json", "--count"];
    for method in METHODS {
        let ask = |more: &[&str]| folder.sudar(&[&ray, &["--with", method][..], more].concat());
        let first = ask(&[]);
        assert_eq!((first.status, first.err.as_str()), (1, ""), "{method}");
        let document = first.json();
        assert_eq!((&document["method"], &document["parts"]), (&json!(method), &json!(2)));
        let hits = document["rays"][0]["hits"].as_array().unwrap().clone();
        assert_eq!(hits.len(), 1, "{method}");
        let hit = &hits[0];
        assert_eq!((&hit["part"], &hit["name"], &hit["file"]), (&json!(0), &json!("a"), &json!("two.obj")));
        assert_eq!((&hit["t"], &hit["distance"]), (&json!(1.0), &json!(2.0)), "{method}");
        assert_eq!(hit["point"], json!([-1.0, 0.25, 0.125]));
        assert_eq!(hit["normal"], json!([-1.0, 0.0, 0.0]));
        let sum: f64 = hit["barycentric"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-15);
        let tests: u64 = document["counts"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert!(tests > 0, "{method}");
        let all = ask(&["--all"]).json();
        let all = all["rays"][0]["hits"].as_array().unwrap().clone();
        let seen: Vec<_> = all.iter().map(|hit| (hit["name"].clone(), hit["t"].clone())).collect();
        let expected = [("a", 1.0), ("a", 2.0), ("b", 3.0), ("b", 4.0)].map(|(n, t)| (json!(n), json!(t)));
        assert_eq!(seen, expected, "{method}");
        let any = ask(&["--any"]);
        assert_eq!((any.status, &any.json()["rays"][0]["hit"]), (1, &json!(true)));
        assert_eq!(any.json()["rays"][0].get("hits"), None);
        let short = ask(&["--max", "0.9"]);
        assert_eq!((short.status, &short.json()["rays"][0]["hits"]), (0, &json!([])), "{method}");
    }
}

/// What each method counts: with a ray that misses the second box by its bounding volumes.
#[test]
fn counts_are_those_of_the_method() {
    let folder = boxes();
    let counts = |method: &str| {
        let ray =
            ["ray", "two.obj", "--from", "0.25,0.125,9", "--towards", "0.25,0.125,0", "--count", "--json"];
        folder.sudar(&[&ray, &["--with", method][..]].concat()).json()["counts"].clone()
    };
    let expected = |spheres: u64, boxes: u64, triangles: u64, polygons: u64| json!({"spheres": spheres, "boxes": boxes, "triangles": triangles, "polygons": polygons});
    assert_eq!(counts("triangle"), expected(0, 0, 24, 0));
    assert_eq!(counts("polygon"), expected(0, 0, 0, 24));
    assert_eq!(counts("sphere-optimal"), expected(2, 0, 12, 0));
    assert_eq!(counts("sphere-mathematical"), expected(2, 0, 12, 0));
    assert_eq!(counts("slabs"), expected(0, 2, 12, 0));
    for method in ["top-down", "bottom-up"] {
        let found = counts(method);
        assert!(found["triangles"].as_u64().unwrap() < 12 && found["boxes"].as_u64().unwrap() > 2, "{found}");
    }
}

#[test]
fn rays_come_from_files_and_standard_input() {
    let folder = boxes();
    let rows = "x,y,z,dx,dy,dz\n-3,0.25,0.125,1,0,0\n0,0,9,1,0,0\n4,0.25,9,0,0,-1\n";
    folder.write("rays.csv", rows);
    let from_file = folder.sudar(&["ray", "two.obj", "--rays", "rays.csv", "--json"]);
    let rays = from_file.json()["rays"].clone();
    let hit: Vec<_> = (0..3).map(|i| rays[i]["hit"].clone()).collect();
    assert_eq!(hit, [true, false, true].map(|hit| json!(hit)));
    assert_eq!((&rays[2]["hits"][0]["name"], &rays[2]["hits"][0]["t"]), (&json!("b"), &json!(8.0)));
    let piped = assert_cmd::cargo::cargo_bin_cmd!("sudar")
        .args(["ray", "two.obj", "--rays", "-", "--json"])
        .current_dir(folder.path())
        .write_stdin(rows)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), from_file.out);
    let table = folder.sudar(&["ray", "two.obj", "--rays", "rays.csv"]).out;
    assert!(table.contains("nothing") && table.contains("barycentric"), "{table}");
}

#[test]
fn what_is_no_ray_is_refused_in_one_line() {
    let folder = Folder::with_cube();
    folder.write("five.csv", "1,2,3,4,5\n");
    folder.write("zero.csv", "1,2,3,0,0,0\n");
    for (arguments, words) in [
        (&["--from", "0,0,9", "--towards", "0,0,9"][..], "other than --from"),
        (&["--from", "0,0,9"], "--towards"),
        (&["--from", "0,0", "--direction", "1,0,0"], "a point is x,y,z, found 2 numbers"),
        (&["--from", "0,0,nan", "--direction", "1,0,0"], "finite"),
        (&["--rays", "five.csv"], "six numbers"),
        (&["--rays", "zero.csv"], "ray 0: the direction of a ray must not be the zero vector"),
        (&["--rays", "none.csv"], "none.csv"),
        (&["--from", "0,0,9", "--direction", "1,0,0", "--with", "magic"], "magic"),
    ] {
        let run = folder.sudar(&[&["ray", "cube.obj"], arguments].concat());
        assert!(run.error().contains(words), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn a_ray_from_inside_hits_where_it_leaves() {
    let folder = Folder::new();
    folder.write("cube.obj", CUBE);
    for method in METHODS {
        let run = folder.sudar(&[
            "ray",
            "cube.obj",
            "--from",
            "0,0.25,0.125",
            "--direction",
            "0,0,1",
            "--json",
            "--with",
            method,
        ]);
        let document = run.json();
        let hit = &document["rays"][0]["hits"][0];
        assert_eq!((&hit["t"], &hit["normal"]), (&json!(0.875), &json!([0.0, 0.0, 1.0])), "{method}");
    }
}
