//! Clearances against the pairwise library, gradients against differences.

use sudar::query::{Batch, Body, DistanceOptions, Work};
use sudar::{DVec3, Interval, Pose, Sphere};
use sudar_robot::{CellOptions, Clearance, ClearanceOptions, Other, RobotCell};
use sudar_testing::Random;

use crate::arms::{cell, planar, random_arm, scene};

const ALL: ClearanceOptions = ClearanceOptions { distance: DistanceOptions::EXACT, gradient: true };

fn clearance(cell: &RobotCell, q: &[f64]) -> Vec<Clearance> {
    cell.clearance(q, &ALL, &Batch::default()).unwrap()
}

/// The least distance of all checked pairs, pair by pair.
fn pairwise(cell: &RobotCell, scene: &[(String, Body, Pose)], q: &[f64]) -> Interval {
    let (robot, poses) = (cell.robot(), cell.robot().forward(q).unwrap());
    let mut work = Work::default();
    let mut least = Interval { lower: f64::INFINITY, upper: f64::INFINITY };
    let mut take = |one: Interval| {
        least = Interval { lower: least.lower.min(one.lower), upper: least.upper.min(one.upper) };
    };
    let body = |part: usize| robot.link_body(cell.parts()[part].link).unwrap().unwrap();
    let at = |part: usize| poses[cell.parts()[part].link];
    for part in 0..cell.parts().len() {
        for (_, object, pose) in scene {
            take(work.distance(body(part).at(&at(part)), object.at(pose), &DistanceOptions::EXACT).interval);
        }
    }
    for pair in cell.self_pairs().iter().filter(|pair| pair.is_checked()) {
        let [a, b] = pair.parts;
        take(work.distance(body(a).at(&at(a)), body(b).at(&at(b)), &DistanceOptions::EXACT).interval);
    }
    least
}

#[test]
fn clearances_are_those_of_the_nearest_pair() {
    let mut touching = 0;
    for seed in 0..15 {
        let mut random = Random::new(seed);
        let robot = random_arm(&mut random, 5);
        let scene = scene(&mut random, 8);
        let cell = cell(&robot, scene.clone());
        let q = robot.sample(12, seed);
        let checked = cell.check(&q, &Batch::default()).unwrap();
        for ((q, found), is_valid) in q.chunks(robot.dof()).zip(clearance(&cell, &q)).zip(checked) {
            let expected = pairwise(&cell, &scene, q);
            let (a, b) = (found.interval, expected);
            assert!(a.lower <= b.upper && b.lower <= a.upper, "{a:?} {b:?}");
            assert!(a.width() <= 1e-9 && (a.upper - b.upper).abs() <= 1e-9, "{a:?} {b:?}");
            assert_eq!(is_valid, found.interval.lower > 0.0);
            let nearest = found.nearest.unwrap();
            let apart = (nearest.point - nearest.other_point).length();
            assert!((apart - found.interval.upper).abs() <= 1e-9);
            touching += usize::from(!is_valid);
        }
    }
    assert!(touching > 20);
}

#[test]
fn gradients_are_what_differences_give() {
    let step = 1e-6;
    let (mut compared, mut off, mut worst) = (0, 0, 0.0_f64);
    for seed in 0..25 {
        let mut random = Random::new(40 + seed);
        let joints = 3 + random.below(4);
        let robot = random_arm(&mut random, joints);
        let scene = scene(&mut random, 4);
        let cell = cell(&robot, scene);
        let rows = robot.sample(8, seed);
        for (q, found) in rows.chunks(robot.dof()).zip(clearance(&cell, &rows)) {
            assert_eq!(found.gradient.len(), robot.dof());
            if found.interval.lower < 1e-2 {
                continue;
            }
            for k in 0..robot.dof() {
                let moved = |by: f64| {
                    let mut q = q.to_vec();
                    q[k] += by;
                    clearance(&cell, &q)[0].interval.upper
                };
                let (above, below) = (
                    (moved(step) - found.interval.upper) / step,
                    (found.interval.upper - moved(-step)) / step,
                );
                // Where the nearest pair or place changes, the derivatives from both sides differ: there is none.
                if (above - below).abs() > 1e-3 {
                    off += 1;
                    continue;
                }
                compared += 1;
                worst = worst.max((0.5 * (above + below) - found.gradient[k]).abs());
            }
        }
    }
    println!("{compared} derivatives, {off} where there is none, worst difference {worst:.1e}");
    assert!(compared > 300 && off < compared / 10 && worst < 1e-5, "{compared} {off} {worst}");
}

#[test]
fn a_gradient_by_hand() {
    // The arm along x, a ball of 0.1 m at (2, 1, 0): the nearest point of the arm is (2, 0.05, 0), 0.85 m below.
    let ball: Body = Sphere::new(DVec3::new(2.0, 1.0, 0.0), 0.1).unwrap().into();
    let cell = cell(&planar(), vec![("ball".to_owned(), ball, Pose::IDENTITY)]);
    let found = &clearance(&cell, &[0.0, 0.0])[0];
    assert!(found.interval.contains(0.85) && found.interval.width() < 1e-12);
    // Turning the shoulder lifts that point by 2 m a radian, turning the elbow by 1 m.
    assert!((found.gradient[0] + 2.0).abs() < 1e-12 && (found.gradient[1] + 1.0).abs() < 1e-12);
    let nearest = found.nearest.unwrap();
    assert_eq!((nearest.part, nearest.other), (1, Other::Object(0)));
    assert!((nearest.point - DVec3::new(2.0, 0.05, 0.0)).length() < 1e-12);
}

#[test]
fn padding_is_taken_off_and_limits_of_interest_hold() {
    let ball: Body = Sphere::new(DVec3::new(2.0, 1.0, 0.0), 0.1).unwrap().into();
    let scene = vec![("ball".to_owned(), ball, Pose::IDENTITY)];
    let with = |padding: f64, max: f64| {
        let options = CellOptions { padding, ..CellOptions::default() };
        let cell = RobotCell::new(&planar(), scene.clone(), &options).unwrap();
        let options = ClearanceOptions { distance: DistanceOptions::up_to(max), gradient: false };
        let found = cell.clearance(&[0.0, 0.0], &options, &Batch::default()).unwrap().remove(0);
        assert!(found.gradient.is_empty());
        found.interval
    };
    assert!((with(0.05, f64::INFINITY).upper - 0.8).abs() < 1e-12);
    assert!((with(1.0, f64::INFINITY).upper + 0.15).abs() < 1e-12);
    assert!(with(0.0, 0.1).lower > 0.1);
    let none = clearance(&cell(&planar(), Vec::new()), &[0.0, 0.0]);
    assert_eq!((none[0].interval.lower, none[0].nearest), (f64::INFINITY, None));
    assert_eq!(none[0].gradient, [0.0, 0.0]);
}
