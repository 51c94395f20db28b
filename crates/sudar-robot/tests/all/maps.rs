//! Maps of pairs against the same cells without them, and against samples.

use sudar::effort::Budget;
use sudar::query::{Batch, Body};
use sudar::{DVec3, Pose, Solid};
use sudar_robot::{Attached, CellOptions, EdgeAnswer, EdgeOptions, MAP_BOXES, Robot, RobotCell};
use sudar_testing::Random;
use sudar_testing::meshes::torus;

use crate::arms::{joint, link, random_arm, robot, scene};

const QUICK: EdgeOptions = EdgeOptions { tolerance: 1e-3, steps: 4096, locate: false };

/// Arms of primitives with long solid meshes on their links.
fn arm(random: &mut Random) -> (Robot, CellOptions) {
    let joints = 3 + random.below(3);
    let robot = random_arm(random, joints);
    let long = DVec3::new(0.06, 0.06, 0.3);
    let rod = Solid::new(torus(16, 10, 0.4).mapped(|p| p * long).unwrap().into()).unwrap();
    let carried = |i: usize| Attached {
        name: format!("rod {i}"),
        link: format!("l{i}"),
        body: Body::new(rod.clone()),
        pose: Pose::from_translation(DVec3::new(0.12, 0.0, 0.05)).unwrap(),
        touches: Vec::new(),
    };
    (robot, CellOptions { attached: (1..=3).map(carried).collect(), ..CellOptions::default() })
}

fn at(q0: &[f64], q1: &[f64], t: f64) -> Vec<f64> {
    q0.iter().zip(q1).map(|(a, b)| a + t * (b - a)).collect()
}

/// Checks are the same bits, edges too, but that undecided ones may be decided, and what is free is so in all samples.
#[test]
fn answers_with_maps_are_those_without() {
    let batch = Batch::default();
    let (mut pairs, mut free, mut hit, mut share) = (0, 0, 0, 0.0);
    for seed in 0..40 {
        let mut random = Random::new(4100 + seed);
        let (robot, options) = arm(&mut random);
        let count = random.below(4);
        let scene = scene(&mut random, count);
        let plain = RobotCell::new(&robot, scene.clone(), &options).unwrap();
        let mut mapped = RobotCell::new(&robot, scene, &options).unwrap();
        let report = mapped.map_pairs(4000, &batch);
        assert!(report.boxes <= 4000 && (0.0..=1.0).contains(&report.free));
        pairs += report.pairs;
        share += report.free;
        // Values beyond the limits and many turns as well.
        let far: Vec<f64> = robot.sample(200, seed).iter().map(|q| 3.0 * q).collect();
        for q in [robot.sample(1000, seed), far] {
            assert_eq!(mapped.check(&q, &batch).unwrap(), plain.check(&q, &batch).unwrap(), "seed {seed}");
        }
        let q = robot.sample(12, seed);
        let rows: Vec<&[f64]> = q.chunks(robot.dof()).collect();
        for two in rows.windows(2) {
            let end = at(two[0], two[1], random.within(0.05, 0.8));
            for options in [EdgeOptions::default(), QUICK] {
                let edge = |cell: &RobotCell| cell.check_edges(two[0], &end, &options, &batch).unwrap()[0];
                match (edge(&mapped), edge(&plain)) {
                    (EdgeAnswer::Free, EdgeAnswer::Free | EdgeAnswer::Undecided { .. }) => {
                        let samples: Vec<f64> =
                            (0..=300).flat_map(|k| at(two[0], &end, f64::from(k) / 300.0)).collect();
                        assert!(
                            plain.check(&samples, &batch).unwrap().iter().all(|free| *free),
                            "seed {seed}"
                        );
                        free += 1;
                    }
                    (EdgeAnswer::Hit(one), EdgeAnswer::Hit(other)) => {
                        assert_eq!(one.time.upper, other.time.upper, "seed {seed}");
                        assert!(one.time.lower >= other.time.lower, "seed {seed}");
                        hit += 1;
                    }
                    (one, other) => assert_eq!(one, other, "seed {seed}"),
                }
            }
        }
    }
    println!("{pairs} pairs mapped, {free} edges free, {hit} hit");
    assert!(pairs > 200 && share > 20.0 && free > 200 && hit > 200, "{pairs} {share} {free} {hit}");
}

/// Two joints about z between rods of one plane: where they meet is known from their angles alone. What the map leaves
/// open is little more than that, also across whole turns.
#[test]
fn a_map_holds_nearly_all_that_is_free() {
    let rod = "<origin xyz=\"0.5 0 0\"/><geometry><box size=\"0.9 0.1 0.1\"/></geometry>";
    let turn = |x: &str| format!("<origin xyz=\"{x} 0 0\"/><axis xyz=\"0 0 1\"/>");
    let text = [
        link("a", rod),
        link("b", rod),
        link("c", rod),
        joint("one", "continuous", ["a", "b"], &turn("1")),
        joint("two", "continuous", ["b", "c"], &turn("1")),
    ];
    let mut cell = RobotCell::new(&robot(&text.concat()), Vec::new(), &CellOptions::default()).unwrap();
    let batch = Batch::default();
    let q = cell.robot().sample(20_000, 1);
    let valid = cell.check(&q, &batch).unwrap();
    let truth = valid.iter().filter(|free| **free).count() as f64 / valid.len() as f64;
    assert!((0.5..0.98).contains(&truth), "{truth}");
    let mut last = 0.0;
    for boxes in [100, 1000, 10_000] {
        let mut cell = RobotCell::new(cell.robot(), Vec::new(), &CellOptions::default()).unwrap();
        let report = cell.map_pairs(boxes, &batch);
        assert!(report.pairs == 1 && report.free >= last && report.free < truth + 0.01, "{report:?} {truth}");
        last = report.free;
    }
    assert!(last > truth - 0.03, "{last} of {truth}");
    cell.map_pairs(10_000, &batch);
    // Many turns onwards nothing changes.
    let turned: Vec<f64> = q.iter().map(|q| q + 7.0 * std::f64::consts::TAU).collect();
    let differ = cell.check(&turned, &batch).unwrap().iter().zip(&valid).filter(|(a, b)| a != b).count();
    assert!(differ < 5, "{differ}");
    assert_eq!(cell.check(&q, &batch).unwrap(), valid);
}

/// What is attached, taken off or stands elsewhere after the maps were made answers as a cell without maps.
#[test]
fn maps_follow_what_changes() {
    let batch = Batch::default();
    for seed in 0..10 {
        let mut random = Random::new(4300 + seed);
        let (robot, options) = arm(&mut random);
        let mut mapped = RobotCell::new(&robot, Vec::new(), &options).unwrap();
        let before = mapped.map_pairs(3000, &batch);
        let mut plain = RobotCell::new(&robot, Vec::new(), &options).unwrap();
        let q = robot.sample(500, seed);
        for cell in [&mut mapped, &mut plain] {
            let first = cell.detach("rod 1").unwrap();
            cell.set_base(random_pose(seed));
            cell.attach(&Attached { name: "again".to_owned(), ..first }).unwrap();
        }
        assert_eq!(mapped.check(&q, &batch).unwrap(), plain.check(&q, &batch).unwrap(), "seed {seed}");
        let after = mapped.map_pairs(3000, &batch);
        assert_eq!(after.pairs, before.pairs);
        assert_eq!(mapped.check(&q, &batch).unwrap(), plain.check(&q, &batch).unwrap(), "seed {seed}");
    }
}

/// Where the robot stands so far away that rounding is more than its maps allow for, they are made anew.
#[test]
fn maps_are_made_anew_far_away() {
    let batch = Batch::default();
    let mut random = Random::new(4350);
    let (robot, options) = arm(&mut random);
    let mut cell = RobotCell::new(&robot, Vec::new(), &options).unwrap();
    let first = cell.map_pairs(2000, &batch);
    let far = |x: f64| Pose::from_translation(DVec3::new(x, -x, 0.5 * x)).unwrap();
    for (x, is_far) in [(30.0, false), (1e7, true)] {
        cell.set_base(far(x));
        let again = cell.map_pairs(2000, &batch);
        assert!(again.pairs == first.pairs && (again.boxes > 0) == is_far, "{x}: {again:?}");
        let mut plain = RobotCell::new(&robot, Vec::new(), &options).unwrap();
        plain.set_base(far(x));
        let q = robot.sample(1000, 5);
        assert_eq!(cell.check(&q, &batch).unwrap(), plain.check(&q, &batch).unwrap(), "{x}");
    }
}

fn random_pose(seed: u64) -> Pose {
    Random::new(seed).any_pose(2.0)
}

/// Two arms side by side: when one of them moves, what was known of both does not hold any more.
#[test]
fn maps_of_two_robots_go_when_one_of_them_moves() {
    let mut random = Random::new(4400);
    let one = random_arm(&mut random, 3);
    let place = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
    let both = Robot::together(&[("left", &one, place(0.0)), ("right", &one, place(3.0))]).unwrap();
    let (batch, q) = (Batch::default(), both.sample(2000, 3));
    let cell = || RobotCell::new(&both, Vec::new(), &CellOptions::default()).unwrap();
    let (mut mapped, mut plain) = (cell(), cell());
    mapped.map_pairs(20_000, &batch);
    for cell in [&mut mapped, &mut plain] {
        cell.set_base_of("right", place(0.15)).unwrap();
    }
    let (found, truth) = (mapped.check(&q, &batch).unwrap(), plain.check(&q, &batch).unwrap());
    assert_eq!(found, truth);
    let met = truth.iter().filter(|free| !**free).count();
    assert!(met > 200, "{met}");
}

/// The same maps on one thread and on several; a stopped search maps less and nothing wrong.
#[test]
fn maps_do_not_depend_on_threads() {
    let mut random = Random::new(4500);
    let (robot, options) = arm(&mut random);
    let cell = || RobotCell::new(&robot, Vec::new(), &options).unwrap();
    let on = |threads: usize| {
        let mut cell = cell();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| cell.map_pairs(5000, &Batch::default()))
    };
    let alone = on(1);
    assert!(alone == on(3) && alone.pairs > 2, "{alone:?}");
    let mut stopped = cell();
    let flag = std::sync::atomic::AtomicBool::new(true);
    let report = stopped.map_pairs(MAP_BOXES, &Batch::new(Budget::default()).cancelled_by(&flag));
    assert!(report.boxes == 0 && report.free == 0.0, "{report:?}");
    let q = robot.sample(500, 1);
    let batch = Batch::default();
    assert_eq!(stopped.check(&q, &batch).unwrap(), cell().check(&q, &batch).unwrap());
}
