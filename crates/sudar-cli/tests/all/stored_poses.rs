//! 160 poses of real meshes, with what FCL 0.7 and Coal 3.0 said of them.
//!
//! FCL's counts of triangle pairs are right in every case; Coal reports more on eleven poses of the bunny (an exact
//! recount of each is in the comparison crate: `sudar-bench poses`). Both libraries agree on which poses collide.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

use serde_json::Value;
use sudar::query::{Body, DistanceOptions, contacts, distance, intersects};
use sudar::{DQuat, DVec3, Pose};
use sudar_testing::oracle::data;

fn body(data: &Path, name: &Value) -> Body {
    let model = sudar_formats::read(&data.join(name.as_str().unwrap())).unwrap();
    Body::new(model.merged().unwrap())
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let list: Vec<f64> = value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    list.try_into().unwrap()
}

fn pose(query: &Value) -> Pose {
    let [w, x, y, z] = numbers(&query["quat_wxyz"]);
    Pose::new(DVec3::from_array(numbers(&query["translation"])), DQuat::from_xyzw(x, y, z, w)).unwrap()
}

/// Checks one file; how many poses it has and how often Coal counts more pairs than there are.
fn check(data: &Path, file: &str) -> (usize, usize) {
    let text = std::fs::read_to_string(data.join("queries").join(file)).unwrap();
    let stored: Value = serde_json::from_str(&text).unwrap();
    let (fixed, moving) = (body(data, &stored["static"]), body(data, &stored["moving"]));
    let queries = stored["queries"].as_array().unwrap();
    let mut coal_has_more = 0;
    for (number, query) in queries.iter().enumerate() {
        let at = pose(query);
        let touching = intersects(fixed.at(&Pose::IDENTITY), moving.at(&at)).is_touching();
        assert_eq!(touching, query["collide"].as_bool().unwrap(), "{file}, pose {number}");
        let count = contacts(fixed.at(&Pose::IDENTITY), moving.at(&at)).len() as u64;
        assert_eq!(count, query["pairs"].as_u64().unwrap(), "{file}, pose {number}: pairs of triangles");
        coal_has_more += usize::from(query["coal_pairs"].as_u64().unwrap() > count);
        let d = distance(fixed.at(&Pose::IDENTITY), moving.at(&at), &DistanceOptions::EXACT).interval;
        let theirs = query["distance"].as_f64().unwrap();
        assert!(
            (d.upper - theirs).abs() <= 1e-9 * theirs.max(1e-3),
            "{file}, pose {number}: {d:?}, {theirs}"
        );
    }
    (queries.len(), coal_has_more)
}

#[test]
fn all_stored_poses_are_answered_as_by_fcl() {
    let Some(data) = data() else { return };
    assert_eq!(check(&data, "bunny_bunny.json"), (60, 11));
    assert_eq!(check(&data, "fcl_env_rob.json"), (100, 0));
}
