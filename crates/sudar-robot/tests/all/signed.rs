//! Signed distances against those of the pairwise library, and their gradients against differences.

use sudar::query::{Batch, Body, penetration};
use sudar::{Cuboid, DVec3, Interval, Pose};
use sudar_robot::{ClearanceOptions, Other, RobotCell, RobotError, SignedOptions};
use sudar_testing::Random;

use crate::arms::{cell, planar, random_arm, scene};

const ALL: SignedOptions = SignedOptions { max: f64::INFINITY, gradient: true };

#[test]
fn a_rod_in_a_wall_by_closed_form() {
    // The wall begins at x = 1.9: the rods of 2 m, 0.1 m wide, are 0.1 m in it.
    let wall: Body = Cuboid::new(DVec3::splat(2.0)).unwrap().into();
    let scene = vec![("wall".to_owned(), wall, Pose::from_translation(DVec3::X * 3.9).unwrap())];
    let cell = cell(&planar(), scene);
    let found = &cell.signed_distances(&[0.0, 0.0], &ALL, &Batch::default()).unwrap()[0];
    let of =
        |part: usize| found.iter().find(|pair| (pair.part, pair.other) == (part, Other::Object(0))).unwrap();
    // The upper rod is 0.9 m before the wall.
    assert!((of(0).signed.lower - 0.9).abs() < 1e-12 && (of(1).signed.upper + 0.1).abs() < 1e-9);
    assert!((of(1).normal - DVec3::X).length() < 1e-9);
    // Turned by a little the corner at y = 0.05 goes in by 0.05 for each radian: straight ahead it comes no nearer.
    assert!(of(1).gradient.iter().all(|g| g.abs() <= 0.05 + 1e-9), "{:?}", of(1).gradient);
    // Bent, the elbow moves the tip by −sin.
    let bent = &cell.signed_distances(&[0.3, -0.8], &ALL, &Batch::default()).unwrap()[0];
    let tip = bent.iter().find(|pair| pair.part == 1).unwrap();
    // The corner (1, 0.05) of the lower rod is farthest: x = cos 0.3 + cos(−0.5) + 0.05 sin 0.5.
    let x = 0.3_f64.cos() + 0.5_f64.cos() + 0.05 * 0.5_f64.sin();
    assert!((tip.signed.lower - (1.9 - x)).abs() < 1e-9);
    let slope = [0.3_f64.sin() - 0.5_f64.sin() + 0.05 * 0.5_f64.cos(), -0.5_f64.sin() + 0.05 * 0.5_f64.cos()];
    assert!(
        tip.gradient.iter().zip(slope).all(|(a, b)| (a - b).abs() < 1e-9),
        "{:?} {slope:?}",
        tip.gradient
    );
}

#[test]
fn every_pair_is_that_of_the_pairwise_library_and_gradients_are_derivatives() {
    let (mut touching, mut smooth, mut other) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let robot = random_arm(&mut random, 5);
        let objects = scene(&mut random, 5);
        let cell = cell(&robot, objects.clone());
        let q = robot.sample(6, seed);
        let dof = robot.dof();
        for q in q.chunks(dof) {
            let found = cell.signed_distances(q, &ALL, &Batch::default()).unwrap().remove(0);
            let poses = robot.forward(q).unwrap();
            for (k, pair) in found.iter().enumerate() {
                let Other::Object(i) = pair.other else { continue };
                let link = &robot.links()[cell.parts()[pair.part].link];
                let at = poses[cell.parts()[pair.part].link];
                let one = |(body, own): &(Body, Pose)| {
                    penetration(body.at(&at.after(own)), objects[i].1.at(&objects[i].2)).signed
                };
                let least = |a: Interval, b: Interval| Interval {
                    lower: a.lower.min(b.lower),
                    upper: a.upper.min(b.upper),
                };
                let (a, b) = (pair.signed, link.bodies.iter().map(one).reduce(least).unwrap());
                assert!(a.lower <= b.upper + 1e-9 && b.lower <= a.upper + 1e-9, "{a:?} {b:?}");
                touching += usize::from(a.upper < 0.0);
                let value = |n: usize, by: f64| {
                    let mut q = q.to_vec();
                    q[n] += by;
                    let found = &cell.signed_distances(&q, &ALL, &Batch::default()).unwrap()[0][k];
                    (found.signed.lower + found.signed.upper) * 0.5
                };
                for n in 0..dof {
                    // The one-sided slopes differ where the nearest points jump.
                    let (there, here, back) = (value(n, 1e-5), value(n, 0.0), value(n, -1e-5));
                    let [up, down] = [(there - here) / 1e-5, (here - back) / 1e-5];
                    let g = pair.gradient[n];
                    if (up - down).abs() < 1e-3 {
                        smooth += 1;
                        assert!((g - (up + down) * 0.5).abs() < 2e-3, "seed {seed}: {g} {up} {down} {a:?}");
                    } else {
                        other += 1;
                    }
                }
            }
        }
    }
    assert!(touching > 30 && smooth > 10_000 && other < smooth / 10, "{touching} {smooth} {other}");
}

#[test]
fn only_pairs_that_are_near_are_given_and_the_least_is_the_clearance() {
    let mut random = Random::new(3);
    let robot = random_arm(&mut random, 6);
    let cell = cell(&robot, scene(&mut random, 6));
    let q = robot.sample(50, 3);
    let near =
        cell.signed_distances(&q, &SignedOptions { max: 0.2, gradient: false }, &Batch::default()).unwrap();
    let all = cell.signed_distances(&q, &ALL, &Batch::default()).unwrap();
    let gaps = cell.clearance(&q, &ClearanceOptions::default(), &Batch::default()).unwrap();
    for ((near, all), gap) in near.iter().zip(&all).zip(gaps) {
        let within = all.iter().filter(|pair| pair.signed.lower <= 0.2).map(|pair| (pair.part, pair.other));
        assert!(near.iter().map(|pair| (pair.part, pair.other)).eq(within));
        assert!(near.iter().all(|pair| pair.gradient.is_empty()));
        let least = all.iter().map(|pair| pair.signed.upper).fold(f64::INFINITY, f64::min).max(0.0);
        assert!((least - gap.interval.upper).abs() < 1e-6, "{least} {gap:?}");
    }
    let nan = SignedOptions { max: f64::NAN, gradient: false };
    assert!(matches!(cell.signed_distances(&q, &nan, &Batch::default()), Err(RobotError::NotALength { .. })));
    let empty = RobotCell::new(&planar(), Vec::new(), &sudar_robot::CellOptions::default()).unwrap();
    assert!(empty.signed_distances(&[0.0, 0.0], &ALL, &Batch::default()).unwrap()[0].is_empty());
}
