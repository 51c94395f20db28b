//! The normal of a tiny ball in a long box was off by 4e-11, and the depth along it by 1.4e-7 of itself.
//!
//! Expected is the depth along the normal that is answered, by support functions in the frame of the body.

use std::sync::Arc;

use rand::RngExt;
use sudar::glam::{DQuat, DVec3};
use sudar::hull::convex_hull;
use sudar::query::{Body, penetration};
use sudar::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, Pose, Shape, Solid, Sphere};
use sudar_testing::Random;
use sudar_testing::convex_bodies::{height, hull};
use sudar_testing::zoo::corners;

/// Shapes as long as the first number and as thick as the second.
fn shapes(long: f64, thin: f64) -> Vec<(&'static str, Shape)> {
    let half = DVec3::new(thin, 1.3 * thin, long);
    let stretched: Vec<DVec3> = corners(30, 8).into_iter().map(|p| p * half).collect();
    let prism: Vec<DVec3> = (0..8)
        .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)) * 2.0 - 1.0)
        .map(|p| p * half)
        .collect();
    let block = sudar::Mesh::from_aabb(sudar::Aabb { min: -half, max: half });
    vec![
        ("box", Cuboid::new(half).unwrap().into()),
        ("capsule", Capsule::new(thin, long).unwrap().into()),
        ("cylinder", Cylinder::new(thin, long).unwrap().into()),
        ("cone", Cone::new(thin, long).unwrap().into()),
        ("ellipsoid", Ellipsoid::new(half).unwrap().into()),
        ("sphere", Sphere::new(DVec3::ZERO, long).unwrap().into()),
        ("hull", convex_hull(&stretched).unwrap().into()),
        ("prism", convex_hull(&prism).unwrap().into()),
        ("solid", Solid::new(Arc::new(block)).unwrap().into()),
    ]
}

#[test]
fn the_depth_along_the_normal_of_a_tiny_ball_is_the_depth() {
    let mut rng = Random::new(17);
    let (mut worst, mut wrong, mut counted) = (Vec::new(), Vec::new(), 0);
    for (long, thin, radius) in
        [(1.0, 1.0, 1e-6), (100.0, 1.0, 1e-4), (1e4, 1.0, 1e-3), (1e3, 0.1, 1e-7), (1.0, 1e-3, 10.0)]
    {
        for (name, shape) in shapes(long, thin) {
            let body = Body::new(shape.clone());
            // A solid reaches as far as the hull of its corners.
            let outline = body.solid().map_or(shape, |solid| hull(solid.mesh().vertices().iter().copied()));
            let ball = Body::new(Sphere::new(DVec3::ZERO, radius).unwrap());
            let mut most: f64 = 0.0;
            for case in 0..40 {
                let at = rng.point() * 0.45 * DVec3::new(thin, thin, long) * 0.5;
                let turn = [DQuat::IDENTITY, DQuat::from_scaled_axis(rng.point() * 3.0)][case % 2];
                let pose = Pose::new(rng.point() * thin, turn).unwrap();
                let place = Pose::from_translation(pose.apply(at)).unwrap();
                let (found, sign) = if case % 4 < 2 {
                    (penetration(body.at(&pose), ball.at(&place)), 1.0)
                } else {
                    (penetration(ball.at(&place), body.at(&pose)), -1.0)
                };
                let own = pose.rotation().transpose() * found.normal * sign;
                let center = pose.rotation().transpose() * (place.translation() - pose.translation());
                let depth = height(&outline, &Pose::IDENTITY, own, DVec3::ZERO) - own.dot(center) + radius;
                let off = (depth + 0.5 * (found.signed.lower + found.signed.upper)).abs();
                // Coordinates as long as the body are rounded.
                let allowed = 1e-12 * depth + 8.0 * f64::EPSILON * long;
                counted += 1;
                most = most.max(off / depth);
                if off > allowed && (name != "solid" || found.signed.width() < 1e-9 * depth) {
                    wrong.push(format!(
                        "{name} {long} {thin} {radius}, case {case}: {off:e} of {depth} {found:?}"
                    ));
                }
            }
            worst.push(format!("{name} {long} {thin} {radius}: {most:e}"));
        }
    }
    println!("{worst:#?}");
    assert!(wrong.is_empty(), "{} of {counted}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
}

#[test]
fn a_tiny_ball_leaves_a_long_box_by_the_nearest_face() {
    let mut rng = Random::new(18);
    let half = DVec3::new(0.5, 0.7, 1e4);
    let body = Body::new(Cuboid::new(half).unwrap());
    for radius in [1e-9, 1e-6, 1e-3, 0.1] {
        let ball = Body::new(Sphere::new(DVec3::ZERO, radius).unwrap());
        for _ in 0..50 {
            let at = rng.point() * 0.999 * half;
            let place = Pose::from_translation(at).unwrap();
            let found = penetration(body.at(&Pose::IDENTITY), ball.at(&place));
            let room = half - at.abs();
            let axis = room.min_position();
            assert_eq!(found.normal, DVec3::AXES[axis] * at[axis].signum());
            let depth = room[axis] + radius;
            assert!(found.signed.contains(-depth) && found.signed.width() < 1e-9, "{found:?} {depth}");
        }
    }
    let floor = Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap());
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1e-7).unwrap());
    let below = Pose::from_translation(DVec3::new(1e5, rng.random_range(-1e5..1e5), -3.0)).unwrap();
    assert_eq!(penetration(floor.at(&Pose::IDENTITY), ball.at(&below)).normal, DVec3::Z);
}
