//! The methods that only say yes or no, against the queries of the library, on every class of convex pairs.
//!
//! `SUDAR_ORACLE_PAIRS=1000000 cargo test --release -p sudar-classic --test convex_pairs` for a long run.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of this is test code")]

use sudar::DVec3;
use sudar::convex::{Convex, Difference, GjkMemory, GjkOptions, PosedConvex, gjk, separating_axes};
use sudar::query::{Intersection, intersects};
use sudar::{Cuboid, Pose, Shape, Sphere};
use sudar_classic::convex::{
    Separation, brute_force_face_plane, brute_force_separating_plane, chung_wang, gjk_cases,
};
use sudar_testing::Random;
use sudar_testing::convex_bodies::hull;
use sudar_testing::convex_pairs::Case;
use sudar_testing::oracle::setting;

#[test]
fn no_method_contradicts_the_queries() {
    for number in 0..setting("SUDAR_ORACLE_PAIRS", 10_000) {
        let case = Case::numbered(number);
        let ([a, b], [p, q]) = (&case.bodies, &case.poses);
        let posed = [(a, p), (b, q)].map(|(body, pose)| PosedConvex::new(body.convex().unwrap(), pose));
        let difference = Difference::new(posed[0], posed[1]);
        let found = intersects(a.at(p), b.at(q));
        for (name, outcome) in [
            ("the cases of GJK", gjk_cases(&difference, DVec3::ZERO, 100).outcome),
            ("Chung–Wang", chung_wang(&difference, DVec3::ZERO, 100).outcome),
        ] {
            let contradicts = match outcome {
                Separation::Separated { .. } => found.is_touching(),
                Separation::Colliding => found == Intersection::Apart,
                Separation::Undecided => false,
            };
            assert!(!contradicts, "{name} in pair {number}, {}: {outcome:?}, {found:?}", case.class);
        }
    }
}

/// A plane by brute force over all faces and pairs of edges exists exactly where the separating axes find a gap.
#[test]
fn brute_force_planes_separate_what_the_separating_axes_do() {
    let mut random = Random::new(21);
    let (mut apart, mut by_edges) = (0, 0);
    for case in 0..2000 {
        let convex = [4 + case % 9, 4 + case / 9 % 5].map(|count| {
            let points: Vec<DVec3> = (0..count).map(|_| random.direction()).collect();
            Convex::of(&hull(points.into_iter())).unwrap()
        });
        let way = random.point() * 1.7;
        let poses = [random.pose(DVec3::ZERO), random.pose(way)];
        let [a, b] = [0, 1].map(|i| PosedConvex::new(&convex[i], &poses[i]));
        let axes = separating_axes(&a, &b).unwrap();
        let plane = brute_force_separating_plane(&a, &b);
        assert_eq!(plane.is_some(), axes.gap.lower > 0.0, "{axes:?}");
        if let Some(plane) = plane {
            // No axis separates bodies by more than their distance.
            let distance = gjk(&Difference::new(a, b), &GjkMemory::NONE, &GjkOptions::DISTANCE).distance;
            assert!(
                plane.gap <= distance.upper && axes.gap.lower <= distance.upper,
                "{case}: {plane:?} {axes:?}"
            );
            apart += 1;
            by_edges += u32::from(brute_force_face_plane(&a, &b).is_none());
        }
    }
    assert!(apart > 200 && by_edges > 20, "{apart} {by_edges}");
}

#[test]
fn planes_are_of_polytopes_alone() {
    let ball = Convex::of(&Shape::from(Sphere::new(DVec3::ZERO, 1.0).unwrap())).unwrap();
    let cuboid = Convex::of(&Shape::from(Cuboid::new(DVec3::ONE).unwrap())).unwrap();
    let (a, b) = (PosedConvex::new(&cuboid, &Pose::IDENTITY), PosedConvex::new(&ball, &Pose::IDENTITY));
    assert_eq!(brute_force_separating_plane(&a, &b), None);
}
