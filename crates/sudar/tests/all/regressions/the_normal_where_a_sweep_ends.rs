//! A sweep that ended a rounding error from a plane reported the normal (1, 0, 0).
//!
//! Expected is what a normal of a first contact is: a direction along which the pieces that touch are apart
//! by their distance, by support functions of their own.

use rand::RngExt;
use sudar::glam::{DQuat, DVec3};
use sudar::motion::Motion;
use sudar::query::{Body, Impact, Sweep, SweepOptions, cast_shape, sweep};
use sudar::{Halfspace, Pose, Shape};
use sudar_testing::Random;
use sudar_testing::convex_bodies::height;
use sudar_testing::zoo::zoo;

/// How far a piece of the shape reaches along a direction.
fn reach(shape: &Shape, feature: u32, body: &Body, n: DVec3) -> f64 {
    match shape {
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => {
            let triangle = body.posed_triangle(&Pose::IDENTITY, feature).unwrap().into();
            height(&triangle, &Pose::IDENTITY, n, DVec3::ZERO)
        }
        Shape::PointCloud(cloud) => n.dot(cloud.points()[feature as usize]),
        Shape::Halfspace(h) => {
            let along = n.dot(h.normal.normalize());
            if along > 1.0 - 1e-14 { h.offset / h.normal.length() } else { f64::INFINITY }
        }
        Shape::Compound(whole) => {
            let (part, at) = &whole.parts()[feature as usize];
            n.dot(at.translation()) + reach(part, 0, &Body::new(part.clone()), at.rotation().transpose() * n)
        }
        Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::Sphere(_)
        | Shape::Cuboid(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Hull(_) => height(shape, &Pose::IDENTITY, n, DVec3::ZERO),
    }
}

/// How far the touched pieces are apart along the normal of their contact.
fn apart(bodies: [&Body; 2], motions: [&Motion; 2], impact: &Impact) -> f64 {
    let far = |i: usize, n: DVec3| {
        let pose = motions[i].at(impact.time.lower);
        let own = pose.rotation().transpose() * n;
        n.dot(pose.translation()) + reach(bodies[i].shape(), impact.features[i], bodies[i], own)
    };
    -far(0, impact.normal) - far(1, -impact.normal)
}

#[test]
fn a_straight_fall_onto_a_plane_ends_with_the_normal_of_the_plane() {
    let floor = Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap());
    let still = Motion::still(&Pose::IDENTITY);
    let (mut rng, mut hits) = (Random::new(13), 0);
    for case in 0..60 {
        for (name, body) in zoo() {
            if matches!(body.shape(), Shape::Halfspace(_)) {
                continue;
            }
            let start = rng.any_pose(1.0);
            let up = Pose::new(
                start.translation() + DVec3::Z * rng.random_range(2.5..6.0),
                DQuat::from_mat3(&start.rotation()),
            )
            .unwrap();
            let fall = Motion::linear(&up, -DVec3::Z * 20.0).unwrap();
            let delta = [1e-6, 1e-9, 0.0][case % 3];
            let found = [
                sweep(floor.moving(&still), body.moving(&fall), &SweepOptions::within(delta)),
                sweep(body.moving(&fall), floor.moving(&still), &SweepOptions::within(delta)).swapped(),
            ];
            for impact in found.iter().filter_map(Sweep::impact) {
                assert!((impact.normal - DVec3::Z).length() < 1e-14, "{name}, case {case}: {impact:?}");
                hits += 1;
            }
            let hit = cast_shape(body.at(&up), -DVec3::Z, 20.0, floor.at(&Pose::IDENTITY)).unwrap().unwrap();
            assert!((hit.normal - DVec3::Z).length() < 1e-14, "{name}, case {case}: {hit:?}");
        }
    }
    assert!(hits > 1700, "{hits}");
}

#[test]
fn every_ordered_pair_that_falls_together_ends_with_a_separating_normal() {
    let zoo = zoo();
    let mut rng = Random::new(14);
    let (mut hits, mut wrong) = (0, Vec::new());
    for case in 0..24 {
        for (name_a, a) in &zoo {
            for (name_b, b) in &zoo {
                let [p, q] = [DVec3::ZERO, DVec3::Z * 4.0].map(|at| {
                    // Upright bodies meet with faces, edges and tips.
                    let turned = rng.any_pose(0.2);
                    let shift = Pose::from_translation(at + rng.point() * 0.2).unwrap();
                    if case % 2 == 0 { shift } else { shift.after(&turned) }
                });
                let turn = if case % 4 < 2 { DVec3::ZERO } else { rng.point() * 0.5 };
                let fall = Motion::new(q, q.translation(), -DVec3::Z * 8.0, turn).unwrap();
                let (still, delta) = (Motion::still(&p), [1e-6, 1e-10, 0.0][case % 3]);
                let found = sweep(a.moving(&still), b.moving(&fall), &SweepOptions::within(delta));
                let Sweep::Hit(impact) = found else { continue };
                if impact.time.upper == 0.0 {
                    continue;
                }
                hits += 1;
                // Points of curved shapes are good to some 1e-9 of their sizes.
                let gap = apart([a, b], [&still, &fall], &impact);
                if !((impact.normal.length() - 1.0).abs() < 1e-14 && gap >= -1e-9) {
                    wrong.push(format!("{name_a} – {name_b}, case {case}: {gap:e}, {impact:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {hits}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
    assert!(hits > 2000, "{hits}");
}
