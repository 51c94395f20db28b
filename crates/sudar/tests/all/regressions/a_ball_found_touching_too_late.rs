//! A budget that ended before it was known whether a ball touches a mesh left a triangle inside the ball as
//! the nearest: the upper end of the distance was below zero, and points were said to be that far apart.
//! Found by relating the verbs.

use sudar::effort::Budget;
use sudar::query::{Body, DistanceOptions, Work};
use sudar::{DVec3, Mesh, Pose, Sphere};

#[test]
fn no_distance_is_below_zero() {
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let mesh = Body::new(Mesh::new(corners, vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]).unwrap());
    let ball = Body::new(Sphere::new(DVec3::splat(0.1), 0.5).unwrap());
    for nodes in 0..4 {
        let mut work = Work::new(Budget::nodes(nodes));
        let found =
            work.distance(ball.at(&Pose::IDENTITY), mesh.at(&Pose::IDENTITY), &DistanceOptions::EXACT);
        assert!(found.interval.lower == 0.0 && found.interval.upper >= 0.0, "{nodes}: {found:?}");
        let apart = (found.point_a - found.point_b).length();
        assert!((apart - found.interval.upper).abs() < 1e-12, "{nodes}: {found:?}");
        let near = work.within(ball.at(&Pose::IDENTITY), mesh.at(&Pose::IDENTITY), 0.0);
        assert_ne!(near.decided(), Some(false), "{nodes}: {near:?}");
    }
}
