//! Free motion that keeps its distance took as long as the gap is narrow: a box that turns about a ball
//! beside it, a piston in its cylinder.
//!
//! What is counted are the pairs of pieces looked at, beside those of a motion that leaves.

use std::f64::consts::{PI, TAU};

use sudar::effort::Budget;
use sudar::glam::{DQuat, DVec3};
use sudar::motion::Motion;
use sudar::query::{Body, Sweep, SweepOptions, Work};
use sudar::{Aabb, Cuboid, Cylinder, Mesh, Pose, Sphere};
use sudar_testing::polyhedra::ring;
use sudar_testing::{Random, meshes};

const GAPS: [f64; 6] = [1e-2, 1e-4, 1e-6, 1e-7, 1e-8, 1e-9];

/// The answer and the pairs looked at.
fn asked(bodies: [&Body; 2], motions: [&Motion; 2], delta: f64) -> (Sweep, u64) {
    let mut work = Work::new(Budget::nodes(200_000));
    let found =
        work.sweep(bodies[0].moving(motions[0]), bodies[1].moving(motions[1]), &SweepOptions::within(delta));
    (found, work.statistics().nodes)
}

#[test]
fn a_box_that_turns_about_a_ball_beside_it_is_free_at_once() {
    let mut rng = Random::new(14);
    let half = DVec3::new(0.3, 0.4, 0.5);
    let boxes = [
        Body::new(Cuboid::new(half).unwrap()),
        Body::new(Mesh::from_aabb(Aabb { min: -half, max: half })),
        Body::new(sudar::hull::convex_hull(&Aabb { min: -half, max: half }.corners()).unwrap()),
        Body::new(Sphere::new(DVec3::ZERO, 0.3).unwrap()),
    ];
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    for gap in GAPS {
        for (k, body) in boxes.iter().enumerate() {
            for case in 0..8 {
                // The box stands on the ball with its face, and all of it is turned.
                let turn = DQuat::from_scaled_axis(rng.point() * 3.0);
                let center = rng.point() * 5.0;
                let start = Pose::new(center + turn * DVec3::X * (1.3 + gap), turn).unwrap();
                let axis = rng.point().normalize() * PI;
                let around = Motion::new(start, center, DVec3::ZERO, axis).unwrap();
                let leaving = Motion::linear(&start, turn * DVec3::X * 3.0).unwrap();
                let place = Pose::from_translation(center).unwrap();
                let spin = if case % 2 == 0 { DVec3::ZERO } else { rng.point() * 3.0 };
                let still = Motion::new(place, center, DVec3::ZERO, spin).unwrap();
                let [(found, nodes), (away, fewer)] = [around, leaving].map(|way| {
                    if case % 4 < 2 {
                        asked([body, &ball], [&way, &still], 0.1 * gap)
                    } else {
                        asked([&ball, body], [&still, &way], 0.1 * gap)
                    }
                });
                assert_eq!((found, away), (Sweep::Free, Sweep::Free), "{gap} {k} {case}");
                assert!(nodes <= 10 * fewer.max(3), "{gap} {k} {case}: {nodes} beside {fewer}");
            }
        }
    }
}

/// A tube or a rod of so many sides: its wall, and caps where wanted.
fn prism(sides: u32, radius: f64, half: f64, caps: bool) -> Mesh {
    meshes::prism(&ring(sides as usize, 0.0, radius, 0.0).collect::<Vec<_>>(), half, caps)
}

#[test]
fn a_piston_that_turns_in_its_cylinder_is_free_soon() {
    for sides in [64, 1024, 2048] {
        for gap in GAPS {
            // The wall of the cylinder is nearest to the axis in the middle of its sides.
            let tube = Body::new(prism(sides, 1.0, 1.0, false));
            let radius = (PI / f64::from(sides)).cos() - gap;
            let pistons =
                [Body::new(prism(sides, radius, 0.5, true)), Body::new(Cylinder::new(radius, 0.5).unwrap())];
            let turned = Pose::new(DVec3::new(0.2, 3.0, 1.0), DQuat::from_rotation_x(0.7)).unwrap();
            let axis = turned.rotation() * DVec3::Z;
            for (k, piston) in pistons.iter().enumerate() {
                for (way, slide) in [(TAU, 0.0), (TAU, 3.0), (-40.0, -0.2), (1e-3, 0.0)] {
                    let motion = |spin: f64, speed: f64| {
                        Motion::new(turned, turned.translation(), axis * speed, axis * spin).unwrap()
                    };
                    let (turning, still) = (motion(way, slide), motion(0.0, 0.0));
                    for bodies in
                        [[(piston, &turning), (&tube, &still)], [(&tube, &turning), (piston, &still)]]
                    {
                        let [(a, m), (b, n)] = bodies;
                        let (found, nodes) = asked([a, b], [m, n], 0.1 * gap);
                        assert_eq!(found, Sweep::Free, "{sides} {gap} {k} {way} {slide}: {nodes}");
                        // To tell that they are apart at time 0 takes most of these.
                        assert!(nodes < 40 * u64::from(sides), "{sides} {gap} {k} {way} {slide}: {nodes}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_turns_about_one_line_and_meets_is_still_found() {
    // A peg out of the axis by 0.3 comes round to a wall of a half tube, and a rod longer than a pot is deep
    // slides onto its ground.
    let tube = Body::new(prism(64, 1.0, 1.0, false));
    let peg = Body::new(Cuboid::new(DVec3::splat(0.2)).unwrap());
    let block = Body::new(Cuboid::new(DVec3::new(0.2, 0.4, 0.2)).unwrap());
    let at = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 0.0)).unwrap();
    let turning = Motion::new(at(0.5, 0.0), DVec3::ZERO, DVec3::ZERO, DVec3::Z * TAU).unwrap();
    let (found, _) = asked([&peg, &block], [&turning, &Motion::still(&at(0.0, 0.6))], 1e-9);
    let time = found.impact().unwrap().time;
    // At what angle the corner (0.7, 0.2) of the peg is at y = 0.2 on the left side x = 0.2 of the block, or
    // the corner of the block on a face of the peg, is found by trying.
    let touches =
        |t: f64| sudar::query::intersects(peg.at(&turning.at(t)), block.at(&at(0.0, 0.6))).is_touching();
    let first = (0..100_000).map(|i| f64::from(i) * 1e-5).find(|t| touches(*t)).unwrap();
    assert!(time.lower <= first && first - time.lower < 2e-5, "{time:?} {first}");
    let slide = Motion::new(Pose::IDENTITY, DVec3::ZERO, DVec3::X * 1e-2, DVec3::Z * TAU).unwrap();
    let rod = Body::new(prism(64, 0.995, 0.5, true));
    let (found, _) = asked([&rod, &tube], [&slide, &Motion::still(&Pose::IDENTITY)], 1e-9);
    assert!(found.impact().is_some_and(|i| i.time.lower > 0.1), "{found:?}");
}
