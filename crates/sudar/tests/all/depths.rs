//! Depths of random meshes of whole coordinates, against direct computation. `SUDAR_ORACLE_DEPTHS=N` runs N
//! pairs of each kind instead of 100.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use rand::RngExt;
use sudar::convex::Accuracy;
use sudar::effort::Budget;
use sudar::query::{Body, Work, depth_along, intersects, penetration, surface_depth};
use sudar::{Aabb, DVec3, Mesh, Pose, Solid};
use sudar_testing::Random;
use sudar_testing::meshes::posed;
use sudar_testing::oracle::setting;

use crate::mesh_queries::depths::way_out;

fn cases() -> u64 {
    setting("SUDAR_ORACLE_DEPTHS", 100)
}

/// Triangles between a few points with coordinates up to `most`.
fn soup(random: &mut Random, most: i32) -> Mesh {
    let vertices: Vec<DVec3> = (0..6).map(|_| random.grid_point(most)).collect();
    let triangles = (0..7).map(|_| std::array::from_fn(|_| random.random_range(0..6))).collect();
    Mesh::new(vertices, triangles).unwrap()
}

#[test]
fn the_way_out_is_that_of_corners_on_faces_and_edges_on_edges() {
    let (mut wide, mut deep) = (0, 0);
    for (seed, most) in (0..cases()).flat_map(|seed| [(seed, 2), (seed, 9), (seed, 60)]) {
        let mut random = Random::new(seed);
        let (a, b) = (soup(&mut random, most), soup(&mut random, most));
        let still = Pose::IDENTITY;
        let expected = way_out(&posed(&a, &still), &posed(&b, &still), 2, false).to_f64();
        let (a, b) = (Body::new(a), Body::new(b));
        let found = depth_along(a.at(&still), b.at(&still), DVec3::Z * 3.0, &Accuracy::default());
        let doubt = 1e-12 * f64::from(most);
        assert!(
            found.lower <= expected + doubt && expected - doubt <= found.upper,
            "{most} {seed}: {found:?}, {expected}"
        );
        wide += usize::from(found.width() > 1e-8 * expected.max(1.0));
        deep += usize::from(expected > 0.0);
        // Moved that far they meet, and a little farther they are apart.
        let up = |t: f64| Pose::from_translation(DVec3::Z * t).unwrap();
        let meet = |t: f64| intersects(a.at(&still), b.at(&up(t))).is_touching();
        assert!(found.lower == 0.0 || meet(found.lower), "{most} {seed}");
        assert!((1..20).all(|i| !meet(found.upper + 0.01 * f64::from(i * i))), "{most} {seed}");
    }
    println!("{deep} deep, {wide} of them not narrow");
    // Triangles without area are segments, and two of these meet at a moment that no number hits.
    assert!(deep as u64 > cases() && wide * 15 < deep, "{wide} of {deep}");
}

fn boxes(random: &mut Random) -> Aabb {
    let mut whole = |least: i32, most: i32| f64::from(random.random_range(least..=most));
    let min = DVec3::new(whole(-2, 2), whole(-2, 2), whole(-2, 2));
    Aabb { min, max: min + DVec3::new(whole(1, 6), whole(1, 6), whole(1, 6)) }
}

/// The depth of the surface of one box in another: on a grid of half units its faces are sampled, and the deepest point
/// is on it, for where distances from two faces are equal coordinates are halves, and of quarters where three are.
fn sampled(a: &Aabb, b: &Aabb) -> f64 {
    let steps = |axis: usize| {
        let count = ((a.max[axis] - a.min[axis]) * 4.0) as i32;
        (0..=count).map(move |i| (axis, f64::from(i) * 0.25))
    };
    let mut most: f64 = 0.0;
    for (face, side) in (0..3).flat_map(|face| [(face, a.min[face]), (face, a.max[face])]) {
        let (u, v) = ((face + 1) % 3, (face + 2) % 3);
        for (_, s) in steps(u) {
            for (_, t) in steps(v) {
                let mut p = DVec3::ZERO;
                (p[face], p[u], p[v]) = (side, a.min[u] + s, a.min[v] + t);
                most = most.max((p - b.min).min(b.max - p).min_element());
            }
        }
    }
    most
}

#[test]
fn surface_depths_of_boxes_are_those_of_a_grid_and_no_more_than_the_translational() {
    let mut deep = 0;
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let (a, b) = (boxes(&mut random), boxes(&mut random));
        let body = |aabb: Aabb| Body::new(Solid::new(Arc::new(Mesh::from_aabb(aabb))).unwrap());
        let (inner, outer, still) = (body(a), body(b), Pose::IDENTITY);
        let found = surface_depth(inner.at(&still), outer.at(&still), &Accuracy::default()).unwrap();
        let expected = sampled(&a, &b);
        assert!(found.interval.contains(expected), "{seed}: {found:?} {expected}");
        assert!(
            found.interval.width() <= 2e-9 * expected + if expected > 0.0 { 1e-11 } else { 1e-6 },
            "{seed}: {found:?} {expected}"
        );
        let translational = penetration(inner.at(&still), outer.at(&still)).signed;
        assert!(
            found.interval.lower <= (-translational.lower).max(0.0) + 1e-12,
            "{seed} {found:?} {translational:?} {a:?} {b:?}"
        );
        deep += usize::from(expected > 0.0);
        // A budget widens the interval and does not make it wrong.
        for nodes in [0, 1, 5, 25] {
            let mut work = Work::new(Budget::nodes(nodes));
            let some = work.surface_depth(inner.at(&still), outer.at(&still), &Accuracy::default()).unwrap();
            assert!(some.interval.contains(expected), "{seed} {nodes}: {some:?} {expected}");
            let along = work.depth_along(inner.at(&still), outer.at(&still), DVec3::X, &Accuracy::default());
            let whole = depth_along(inner.at(&still), outer.at(&still), DVec3::X, &Accuracy::default());
            assert!(along.lower <= whole.upper && whole.lower <= along.upper, "{seed} {nodes}: {along:?}");
        }
    }
    println!("{deep} deep");
    assert!(deep as u64 > cases() / 4);
}
