//! `bounds` lists every bounding volume, the tightest first, and `replay` answers the query of the same name.

use serde_json::json;

use crate::support::Folder;

#[test]
fn the_volumes_of_a_cube_are_listed_and_drawn() {
    let folder = Folder::with_cube();
    let run = folder.sudar(&["bounds", "cube.obj", "--out", "volumes.obj", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let document = run.json();
    let volumes = document["volumes"].as_array().unwrap();
    assert_eq!(volumes.len(), 12);
    let volume = |row: &serde_json::Value| row["volume"].as_f64().unwrap();
    assert!(volumes[1..].windows(2).all(|pair| volume(&pair[0]) <= volume(&pair[1])));
    // Volumes of k-DOPs are rounded.
    assert!(volume(&volumes[0]) <= volume(&volumes[1]) * (1.0 + 1e-12));
    // The cube [−1, 1]³: nothing is smaller than its hull of 8; the sphere has radius √3.
    assert_eq!((&volumes[0]["name"], &volumes[0]["volume"]), (&json!("convex hull"), &json!(8.0)));
    let of = |name: &str| volume(volumes.iter().find(|row| row["name"] == json!(name)).unwrap());
    assert_eq!(of("AABB (6-DOP)"), 8.0);
    assert!((of("smallest sphere") - 4.0 / 3.0 * std::f64::consts::PI * 27.0f64.sqrt()).abs() < 1e-9);
    assert!((of("26-DOP") - 8.0).abs() < 1e-9);
    assert_eq!(document["written"], json!({"file": "volumes.obj", "parts": 11}));
    let info = folder.sudar(&["info", "volumes.obj", "--json"]).json();
    assert_eq!(info["files"][0]["parts"].as_array().unwrap().len(), 11);
    let people = folder.sudar(&["bounds", "cube.obj"]);
    assert!(people.status == 0 && people.out.contains("rotating calipers") && people.out.contains("1.000"));
    assert!(folder.sudar(&["bounds", "none.obj"]).error().contains("none.obj"));
    assert!(folder.sudar(&["bounds", "--help"]).out.contains("Example"));
}

#[test]
fn no_volume_is_listed_as_tighter_than_the_hull() {
    let folder = Folder::with_cube();
    // Turned by odd angles, so that volumes round either way.
    for k in 1..8 {
        let (s, c) = (f64::from(k) * 0.37).sin_cos();
        let turned: String = crate::support::CUBE
            .lines()
            .map(|line| match line.strip_prefix("v ") {
                Some(rest) => {
                    let [x, y, z]: [f64; 3] =
                        rest.split(' ').map(|x| x.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
                    let (x, y) = (c * x - s * y, s * x + c * y);
                    format!("v {x} {} {}\n", c * y - s * z, s * y + c * z)
                }
                None => format!("{line}\n"),
            })
            .collect();
        folder.write("turned.obj", turned);
        let document = folder.sudar(&["bounds", "turned.obj", "--json"]).json();
        let volumes = document["volumes"].as_array().unwrap();
        assert!(volumes.iter().all(|row| row["of_hull"].as_f64().unwrap() >= 1.0), "{document}");
        let listed: Vec<f64> = volumes.iter().map(|row| row["volume"].as_f64().unwrap()).collect();
        assert!(listed.is_sorted(), "{document}");
    }
}

#[test]
fn replay_answers_bounds() {
    let folder = Folder::with_cube();
    let lines = [
        json!({"id": "m", "query": "bounds", "a": {"mesh": "cube.obj"}}).to_string(),
        json!({"id": "p", "query": "bounds", "points": [[0, 0, 0], [3, 4, 0]]}).to_string(),
        json!({"id": "n", "query": "bounds", "a": {"halfspace": [0, 0, 1, 0]}}).to_string(),
    ];
    let answers = folder.replay(&lines, &[]).lines();
    assert_eq!(answers[0]["aabb"], json!({"min": [-1.0, -1.0, -1.0], "max": [1.0, 1.0, 1.0]}));
    assert_eq!(answers[0]["kdop"]["6"], json!(8.0));
    let half: f64 =
        answers[0]["obb"]["half"].as_array().unwrap().iter().map(|h| h.as_f64().unwrap()).product();
    assert!((1.0..1.0 + 1e-9).contains(&half));
    // Two points: the sphere on their distance 5 as diameter.
    assert_eq!(answers[1]["sphere"], json!({"center": [1.5, 2.0, 0.0], "radius": 2.5}));
    assert_eq!(answers[2]["error"], json!("`a`: a halfspace has no bounds"));
}
