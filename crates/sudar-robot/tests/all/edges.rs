//! Continuous edges against sweeps of each link and dense samples.

use std::time::Duration;

use sudar::effort::Budget;
use sudar::motion::Motion;
use sudar::query::{Batch, Body, Sweep, SweepOptions, sweep};
use sudar::{Cuboid, DQuat, DVec3, Interval, Pose, Solid, Sphere};
use sudar_robot::{
    Attached, CellOptions, EdgeAnswer, EdgeOptions, JointKind, Other, Robot, RobotCell, RobotError,
};
use sudar_testing::Random;
use sudar_testing::meshes::torus;

use crate::arms::{cell, planar, random_arm, scene};

const FINE: EdgeOptions = EdgeOptions { tolerance: 1e-6, steps: 20_000, locate: true };

fn edge(cell: &RobotCell, q0: &[f64], q1: &[f64], options: &EdgeOptions) -> EdgeAnswer {
    cell.check_edges(q0, q1, options, &Batch::default()).unwrap()[0]
}

fn at(q0: &[f64], q1: &[f64], t: f64) -> Vec<f64> {
    q0.iter().zip(q1).map(|(a, b)| a + t * (b - a)).collect()
}

/// How an answer and samples of the edge agree; returns whether it is free, if that is known.
fn agrees_with_samples(
    cell: &RobotCell,
    q0: &[f64],
    q1: &[f64],
    answer: &EdgeAnswer,
    count: u32,
) -> Option<bool> {
    let times: Vec<f64> = (0..=count).map(|k| f64::from(k) / f64::from(count)).collect();
    let q: Vec<f64> = times.iter().flat_map(|t| at(q0, q1, *t)).collect();
    let valid = cell.check(&q, &Batch::default()).unwrap();
    let first = times.iter().zip(&valid).find(|(_, valid)| !**valid).map(|(t, _)| *t);
    match answer {
        EdgeAnswer::Free => {
            assert_eq!(first, None, "told free, in contact at {first:?}");
            Some(true)
        }
        EdgeAnswer::Hit(hit) => {
            assert!(first.is_none_or(|t| t >= hit.time.lower), "{first:?} {hit:?}");
            let q = at(q0, q1, hit.time.upper);
            let found = cell.first_contact(&q, &Batch::default()).unwrap()[0].unwrap();
            assert!(found.is_certain);
            Some(false)
        }
        EdgeAnswer::Undecided { free_until } => {
            assert!(first.is_none_or(|t| t >= *free_until));
            None
        }
        EdgeAnswer::OutsideLimits => panic!("sampled within the limits"),
    }
}

#[test]
fn nothing_between_samples_is_missed() {
    let (mut free, mut hit, mut open) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(100 + seed);
        let joints = 2 + random.below(6);
        let robot = random_arm(&mut random, joints);
        let count = random.below(8);
        let scene = scene(&mut random, count);
        let cell = cell(&robot, scene);
        let q = robot.sample(12, seed);
        let rows: Vec<&[f64]> = q.chunks(robot.dof()).collect();
        for pair in rows.windows(2) {
            // Short edges are free more often.
            let end = at(pair[0], pair[1], random.within(0.05, 1.0));
            let answer = edge(&cell, pair[0], &end, &EdgeOptions::default());
            match agrees_with_samples(&cell, pair[0], &end, &answer, 200) {
                Some(true) => free += 1,
                Some(false) => hit += 1,
                None => open += 1,
            }
        }
    }
    println!("{free} free, {hit} hit, {open} undecided");
    assert!(free > 100 && hit > 100 && open < 10, "{free} free, {hit} hit, {open} undecided");
}

/// Whether an edge is free, without where it is not, is the answer of the whole search and agrees with samples.
#[test]
fn whether_an_edge_is_free_is_the_same_without_the_first_contact() {
    let quick = EdgeOptions { locate: false, ..EdgeOptions::default() };
    let (mut free, mut hit, mut early) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(700 + seed);
        let joints = 2 + random.below(6);
        let robot = random_arm(&mut random, joints);
        let count = random.below(8);
        let mut scene = scene(&mut random, count);
        // A surface and a solid, inside of which a small link is in contact and touches no triangle.
        scene.push(("ring".to_owned(), Body::new(torus(24, 16, 0.1)), random.any_pose(1.0)));
        let solid = Solid::new(torus(20, 12, 0.9).mapped(|p| p * 0.3).unwrap().into()).unwrap();
        scene.push(("solid".to_owned(), Body::new(solid), random.any_pose(1.0)));
        let cell = cell(&robot, scene);
        let q = robot.sample(12, seed);
        let rows: Vec<&[f64]> = q.chunks(robot.dof()).collect();
        for pair in rows.windows(2) {
            let end = at(pair[0], pair[1], random.within(0.05, 1.0));
            let whole = edge(&cell, pair[0], &end, &EdgeOptions::default());
            let answer = edge(&cell, pair[0], &end, &quick);
            agrees_with_samples(&cell, pair[0], &end, &answer, 100);
            assert!(answer.is_free() == whole.is_free() || matches!(whole, EdgeAnswer::Undecided { .. }));
            match (answer, whole) {
                (EdgeAnswer::Free, _) => free += 1,
                (EdgeAnswer::Hit(some), EdgeAnswer::Hit(first)) => {
                    assert!(some.time.upper >= first.time.lower && some.time.lower <= first.time.upper);
                    hit += 1;
                    early += usize::from(some.time.upper > first.time.upper);
                }
                _ => {}
            }
        }
    }
    assert!(
        free > 100 && hit > 100 && early > 20,
        "{free} free, {hit} hit, {early} not at the first contact"
    );
}

#[test]
fn one_configuration_alone_stands_for_many() {
    let mut random = Random::new(31);
    let robot = random_arm(&mut random, 5);
    let cell = cell(&robot, scene(&mut random, 4));
    let q = robot.sample(9, 5);
    let (one, many) = q.split_at(robot.dof());
    let (options, batch) = (EdgeOptions::default(), Batch::default());
    let repeated = one.repeat(8);
    let from = cell.check_edges(one, many, &options, &batch).unwrap();
    assert_eq!(from, cell.check_edges(&repeated, many, &options, &batch).unwrap());
    let to = cell.check_edges(many, one, &options, &batch).unwrap();
    assert_eq!(to, cell.check_edges(many, &repeated, &options, &batch).unwrap());
    assert_eq!(cell.check_edges(one, &[], &options, &batch).unwrap(), []);
}

/// The first contact when one joint moves, by a sweep of each part: it turns about an axis or slides.
fn swept(
    cell: &RobotCell,
    scene: &[(String, Body, Pose)],
    q0: &[f64],
    q1: &[f64],
    dof: usize,
) -> Option<Interval> {
    let robot = cell.robot();
    let (before, after) = (robot.forward(q0).unwrap(), robot.forward(q1).unwrap());
    let carried = robot.joints()[robot.dofs()[dof].joint].child;
    let axis = before[carried].translation();
    let motion = |link: usize| {
        if before[link] == after[link] {
            return Motion::still(&before[link]);
        }
        if robot.joints()[robot.dofs()[dof].joint].kind == JointKind::Prismatic {
            return Motion::linear(&before[link], after[carried].translation() - axis).unwrap();
        }
        let by = after[link].rotation() * before[link].rotation().transpose();
        let turn = DQuat::from_mat3(&by).normalize();
        let (along, w) = if turn.w < 0.0 { (-turn.xyz(), -turn.w) } else { (turn.xyz(), turn.w) };
        let spin = along.normalize() * (2.0 * libm::atan2(along.length(), w));
        Motion::new(before[link], axis, DVec3::ZERO, spin).unwrap()
    };
    let body = |part: usize| robot.link_body(cell.parts()[part].link).unwrap().unwrap();
    let mut first: Option<Interval> = None;
    let mut take = |found: Sweep| {
        assert!(!matches!(found, Sweep::Undecided { .. }));
        if let Some(impact) = found.impact() {
            let time = impact.time;
            let least =
                |a: Interval| Interval { lower: a.lower.min(time.lower), upper: a.upper.min(time.upper) };
            first = Some(first.map_or(time, least));
        }
    };
    let options = SweepOptions::within(1e-7);
    for part in 0..cell.parts().len() {
        let of = motion(cell.parts()[part].link);
        for (_, object, pose) in scene {
            take(sweep(body(part).moving(&of), object.moving(&Motion::still(pose)), &options));
        }
    }
    for pair in cell.self_pairs().iter().filter(|pair| pair.is_checked()) {
        let [a, b] = pair.parts;
        let [of, its] = [a, b].map(|part| motion(cell.parts()[part].link));
        take(sweep(body(a).moving(&of), body(b).moving(&its), &options));
    }
    first
}

/// Links carry long solid meshes, which are cut into patches that move differently, among meshes and other shapes.
#[test]
fn long_meshes_near_their_joints_are_never_told_free_of_what_samples_meet() {
    let (mut free, mut hit, mut open) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = Random::new(900 + seed);
        let robot = random_arm(&mut random, 4);
        let long = DVec3::new(0.06, 0.06, 0.35);
        let rod = Solid::new(torus(20, 12, 0.3).mapped(|p| p * long).unwrap().into()).unwrap();
        let carried = |i: usize| Attached {
            name: format!("rod {i}"),
            link: format!("l{i}"),
            body: Body::new(rod.clone()),
            pose: Pose::from_translation(DVec3::new(0.1, 0.0, 0.1 * i as f64)).unwrap(),
            touches: Vec::new(),
        };
        let options = CellOptions { attached: (1..=3).map(carried).collect(), ..CellOptions::default() };
        let mut scene = scene(&mut random, 3);
        let ring = Body::new(torus(24, 16, 0.1));
        scene.push(("ring".to_owned(), ring, random.any_pose(1.0)));
        let cell = RobotCell::new(&robot, scene, &options).unwrap();
        assert!(cell.self_pairs().iter().any(|pair| pair.is_checked() && pair.parts[0] > 4));
        let q = robot.sample(12, seed);
        let rows: Vec<&[f64]> = q.chunks(robot.dof()).collect();
        for pair in rows.windows(2) {
            let end = at(pair[0], pair[1], random.within(0.05, 0.6));
            let answer = edge(&cell, pair[0], &end, &EdgeOptions::default());
            match agrees_with_samples(&cell, pair[0], &end, &answer, 200) {
                Some(true) => free += 1,
                Some(false) => hit += 1,
                None => open += 1,
            }
        }
    }
    assert!(free > 40 && hit > 40 && open < 10, "{free} free, {hit} hit, {open} undecided");
}

#[test]
fn a_hundred_paths_agree_with_sweeps_of_each_link() {
    let (mut free, mut hit) = (0, 0);
    for seed in 0..100 {
        let mut random = Random::new(500 + seed);
        let robot = random_arm(&mut random, 3);
        if robot.dof() == 0 {
            continue;
        }
        // A path that moves one joint after the other, from a configuration free of self-collision.
        let alone = cell(&robot, Vec::new());
        let mut q: Vec<Vec<f64>> = vec![start(&alone, seed)];
        let target = start(&alone, 1000 + seed);
        for dof in 0..robot.dof() {
            let mut next = q[dof].clone();
            let turn = target[dof] - next[dof];
            // Sweeps take the shortest turn between two poses.
            next[dof] += turn.clamp(-3.0, 3.0);
            q.push(next);
        }
        let scene =
            if seed % 2 == 0 { in_the_way(&robot, &q, &mut random) } else { aside(&alone, &q, &mut random) };
        let cell = cell(&robot, scene.clone());
        let found = cell.check_path(&q.concat(), &FINE, &Batch::default()).unwrap();
        for (dof, answer) in found.edges.iter().enumerate() {
            let (q0, q1) = (&q[dof], &q[dof + 1]);
            let expected = swept(&cell, &scene, q0, q1, dof);
            match (answer, expected) {
                (EdgeAnswer::Free, None) => {}
                (EdgeAnswer::Hit(hit), Some(time)) => {
                    assert!(hit.time.upper >= time.lower - 1e-9, "seed {seed}: {hit:?} {time:?}");
                    assert!(hit.time.lower <= time.upper + 1e-4, "seed {seed}: {hit:?} {time:?}");
                }
                (answer, expected) => panic!("seed {seed}: {answer:?}, by sweeps {expected:?}"),
            }
        }
        assert_eq!(found.is_free(), found.first_not_free().is_none());
        if found.is_free() { free += 1 } else { hit += 1 }
    }
    println!("{free} paths free, {hit} through something");
    assert!(free >= 25 && hit >= 45, "{free} {hit}");
}

fn start(alone: &RobotCell, seed: u64) -> Vec<f64> {
    let q = alone.robot().sample(200, seed);
    let valid = alone.check(&q, &Batch::default()).unwrap();
    let row = valid.iter().position(|valid| *valid).unwrap_or(0);
    q[row * alone.robot().dof()..][..alone.robot().dof()].to_vec()
}

/// Small balls where the last link is at some time of the path.
fn in_the_way(robot: &Robot, q: &[Vec<f64>], random: &mut Random) -> Vec<(String, Body, Pose)> {
    let edge = random.below(q.len() - 1);
    let q = at(&q[edge], &q[edge + 1], random.within(0.2, 0.8));
    let tip = robot.forward(&q).unwrap()[robot.links().len() - 1];
    let ball: Body = Sphere::new(DVec3::ZERO, 0.02).unwrap().into();
    vec![("ball".to_owned(), ball, Pose::from_translation(tip.apply(DVec3::ZERO)).unwrap())]
}

/// Boxes that no sample of the path touches.
fn aside(alone: &RobotCell, q: &[Vec<f64>], random: &mut Random) -> Vec<(String, Body, Pose)> {
    let all = scene(random, 12);
    let samples: Vec<f64> =
        q.windows(2).flat_map(|w| (0..=50).flat_map(|k| at(&w[0], &w[1], f64::from(k) / 50.0))).collect();
    let is_aside = |object: &(String, Body, Pose)| {
        let options = CellOptions { padding: 0.02, ..CellOptions::default() };
        let cell = RobotCell::new(alone.robot(), vec![object.clone()], &options).unwrap();
        let found = cell.first_contact(&samples, &Batch::default()).unwrap();
        found.iter().all(|contact| contact.is_none_or(|contact| matches!(contact.other, Other::Part(_))))
    };
    all.into_iter().filter(is_aside).collect()
}

#[test]
fn a_thin_plate_between_two_samples_is_met_when_it_is_met() {
    // Turned from 0 to π/2 about the shoulder, the tip at 2 m meets a plate of 1 µm at 45°.
    let plate: Body = Cuboid::new(DVec3::new(0.01, 5e-7, 0.01)).unwrap().into();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let middle = std::f64::consts::FRAC_PI_4;
    let turn = DQuat::from_rotation_z(middle);
    let pose = Pose::new(DVec3::new(half, half, 0.0) * 1.9, turn).unwrap();
    let cell = cell(&planar(), vec![("plate".to_owned(), plate, pose)]);
    let answer = edge(&cell, &[0.0, 0.0], &[2.0 * middle, 0.0], &FINE);
    let EdgeAnswer::Hit(hit) = answer else { panic!("{answer:?}") };
    // The upper side of the rod, 0.05 above its axis, meets the near edge of the plate at 1.89 m and 0.5 µm below the
    // diagonal: 45° less asin(0.05 / |(1.89, 5e-7)|) less the angle of that corner.
    let r = libm::hypot(1.91, 5e-7);
    let angle = middle - libm::atan2(5e-7, 1.91) - libm::asin(0.05 / r);
    let time = angle / (2.0 * middle);
    assert!(hit.time.width() <= 1e-6, "{hit:?}");
    assert!(hit.time.contains(time) || hit.time.lower <= time, "{hit:?} {time}");
    assert_eq!((hit.part, hit.other), (1, Other::Object(0)));
}

#[test]
fn contact_in_the_beginning_and_at_the_end() {
    let body: Body = Cuboid::new(DVec3::splat(0.2)).unwrap().into();
    let scene = vec![("box".to_owned(), body, Pose::from_translation(DVec3::X * 1.5).unwrap())];
    let cell = cell(&planar(), scene);
    let (inside, outside) = ([0.0, 0.0], [2.0, 0.0]);
    let EdgeAnswer::Hit(hit) = edge(&cell, &inside, &outside, &FINE) else { panic!() };
    assert_eq!(hit.time, Interval::point(0.0));
    let EdgeAnswer::Hit(hit) = edge(&cell, &outside, &inside, &FINE) else { panic!() };
    assert!(hit.time.lower > 0.5 && hit.time.width() <= 1e-6);
    assert!(edge(&cell, &outside, &outside, &FINE).is_free());
    assert!(!edge(&cell, &inside, &inside, &FINE).is_free());
    assert_eq!(edge(&cell, &outside, &[9.0, 0.0], &FINE), EdgeAnswer::OutsideLimits);
    let path = cell.check_path(&outside, &FINE, &Batch::default()).unwrap();
    assert!(path.is_free() && path.edges.len() == 1);
    assert!(cell.check_path(&[], &FINE, &Batch::default()).unwrap().edges.is_empty());
}

#[test]
fn what_grazes_is_never_told_free() {
    // The tip of the straight arm runs along the inside of a ball about the shoulder; here, along a plane above it, by
    // sliding: distances are 0, 1e-12, 1e-9, 1e-6 and 1e-3.
    let rod = "<geometry><box size=\"0.5 0.5 0.5\"/></geometry>";
    let slide = "<axis xyz=\"1 0 0\"/><limit lower=\"-3\" upper=\"3\" velocity=\"1\"/>";
    let text = [
        crate::arms::link("base", ""),
        crate::arms::link("sled", rod),
        crate::arms::joint("slide", "prismatic", ["base", "sled"], slide),
    ];
    let robot = crate::arms::robot(&text.concat());
    let mut answers = Vec::new();
    for gap in [0.0, 1e-12, 1e-9, 1e-6, 1e-3] {
        let floor: Body = Cuboid::new(DVec3::new(9.0, 9.0, 0.5)).unwrap().into();
        let pose = Pose::from_translation(DVec3::Z * -(0.75 + gap)).unwrap();
        let cell = cell(&robot, vec![("floor".to_owned(), floor, pose)]);
        let answer =
            edge(&cell, &[-1.0], &[1.0], &EdgeOptions { tolerance: 1e-4, steps: 1000, locate: true });
        agrees_with_samples(&cell, &[-1.0], &[1.0], &answer, 50);
        answers.push(answer);
    }
    // At no distance at all it is in contact; a thousandth off the bounds on its travel of 2 m need a thousand steps.
    assert!(matches!(answers[0], EdgeAnswer::Hit(_)));
    assert!(
        matches!(answers[1], EdgeAnswer::Undecided { .. })
            && matches!(answers[3], EdgeAnswer::Undecided { .. })
    );
    assert!(!answers[..4].contains(&EdgeAnswer::Free));
}

#[test]
fn edges_that_are_no_edges_are_refused() {
    let cell = cell(&planar(), Vec::new());
    let batch = Batch::default();
    let two = cell.check_edges(&[0.0; 4], &[0.0; 6], &FINE, &batch).unwrap_err();
    assert_eq!(two, RobotError::Edges { first: 2, second: 3 });
    let odd = cell.check_edges(&[0.0; 3], &[0.0; 2], &FINE, &batch).unwrap_err();
    assert_eq!(odd, RobotError::Rows { found: 3, dof: 2 });
    let options = EdgeOptions { tolerance: f64::NAN, ..FINE };
    let tolerance = cell.check_edges(&[0.0; 2], &[0.0; 2], &options, &batch).unwrap_err();
    assert!(tolerance.to_string().starts_with("the tolerance of an edge must be"));
}

#[test]
fn a_stopped_search_is_undecided() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    let cell = cell(&planar(), scene(&mut Random::new(3), 5));
    let batch = Batch::default().cancelled_by(&flag);
    let answer = cell.check_edges(&[0.0; 2], &[1.0; 2], &FINE, &batch).unwrap();
    assert_eq!(answer, [EdgeAnswer::Undecided { free_until: 0.0 }]);
}

#[test]
fn a_time_is_for_each_edge_and_leaves_it_undecided() {
    let cell = cell(&planar(), scene(&mut Random::new(3), 5));
    let (q0, q1) = ([0.0, 0.1, -0.2, 0.3], [1.0, 1.1, 0.8, -0.7]);
    let within = |time| cell.check_edges(&q0, &q1, &FINE, &Batch::new(Budget::time(time))).unwrap();
    assert_eq!(within(Duration::ZERO), [EdgeAnswer::Undecided { free_until: 0.0 }; 2]);
    let all = cell.check_edges(&q0, &q1, &FINE, &Batch::default()).unwrap();
    assert_eq!(within(Duration::from_secs(3600)), all);
}
