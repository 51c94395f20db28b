//! Surfaces that lie along each other: one connected set of nearest points is one minimum, however many pairs
//! of triangles have a part of it, and costs no more than what is opposite.

use sudar::effort::Budget;
use sudar::glam::DQuat;
use sudar::query::{Body, Work, local_minima};
use sudar::{DVec3, Mesh, Pose, Sphere};
use sudar_testing::meshes::{fan, sheet, soup};

/// Steps that one minimum between a mesh and itself above it took.
fn steps(mesh: Mesh, turn: DQuat) -> u64 {
    let body = Body::new(mesh);
    let lower = Pose::new(DVec3::new(3.0, -1.0, 2.0), turn).unwrap();
    let upper = lower.after(&Pose::from_translation(DVec3::Z).unwrap());
    let mut work = Work::default();
    let found = work.local_minima(body.at(&lower), body.at(&upper), 1.5).found;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].point_a.distance(found[0].point_b) - 1.0).abs() < 1e-13, "{found:?}");
    let statistics = work.statistics();
    statistics.nodes + statistics.triangles
}

const TURNS: [DVec3; 2] = [DVec3::ZERO, DVec3::new(0.3, -1.7, 2.9)];

#[test]
fn grids_face_to_face_cost_what_is_opposite() {
    for turn in TURNS.map(DQuat::from_scaled_axis) {
        let [small, large] = [16, 32].map(|n| steps(sheet(n, |_, _| 0.0), turn));
        // Four times as many triangles, each with as many opposite.
        assert!(large < 5 * small && large < 200 * 2 * 32 * 32, "{small} {large}");
    }
}

#[test]
fn fans_face_to_face_cost_no_more_than_their_pairs() {
    for turn in TURNS.map(DQuat::from_scaled_axis) {
        let [small, large] = [64, 128].map(|n| steps(fan(n), turn));
        // The centres belong to all triangles, so that all pairs are as near as any. Each is seen once, and
        // few are visited.
        assert!(large < 5 * small && large < 5 * 128 * 128 / 4, "{small} {large}");
    }
}

#[test]
fn a_triangle_that_is_there_many_times_is_there_once() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let count = 3000;
    let body = Body::new(soup(corners.repeat(count)));
    let ball = Body::new(Sphere::new(DVec3::new(0.2, 0.2, 0.0), 0.25).unwrap());
    for (other, distance) in [(&body, 0.5), (&ball, 0.25)] {
        let above = Pose::from_translation(DVec3::Z * 0.5).unwrap();
        let found = local_minima(body.at(&Pose::IDENTITY), other.at(&above), 1.0);
        assert_eq!((found.len(), found[0].features), (1, [0, 0]));
        assert!((found[0].point_a.distance(found[0].point_b) - distance).abs() < 1e-12);
        let mut work = Work::new(Budget::nodes(1000));
        work.local_minima(body.at(&Pose::IDENTITY), other.at(&above), 1.0);
        assert!(work.statistics().nodes <= 1000);
        // On itself.
        let found = local_minima(body.at(&Pose::IDENTITY), body.at(&Pose::IDENTITY), 1.0);
        assert_eq!((found.len(), found[0].interval.upper), (1, 0.0));
    }
}
