//! Checks of configurations against the pairwise library.

use sudar::effort::Budget;
use sudar::query::{Batch, Body};
use sudar::{Cuboid, DVec3, Pose, Sphere};
use sudar_robot::{
    Attached, CellOptions, EdgeOptions, NeverMet, Other, PairOptions, Reason, RobotCell, RobotError,
};
use sudar_testing::Random;

use crate::arms::{cell, pairwise, planar, random_arm, scene};

#[test]
fn every_answer_is_that_of_the_pairwise_library() {
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let joints = 2 + random.below(7);
        let robot = random_arm(&mut random, joints);
        let count = random.below(12);
        let scene = scene(&mut random, count);
        let cell = cell(&robot, scene.clone());
        let q = robot.sample(60, seed);
        let checked = cell.check(&q, &Batch::default()).unwrap();
        let first = cell.first_contact(&q, &Batch::default()).unwrap();
        for ((q, valid_here), first) in q.chunks(robot.dof()).zip(checked).zip(first) {
            let expected = pairwise(&cell, &scene, q);
            assert_eq!(valid_here, expected.is_empty(), "seed {seed}");
            let name = |contact: sudar_robot::Contact| (contact.part, cell.name_of(contact.other).to_owned());
            assert_eq!(first.map(name), expected.first().cloned(), "seed {seed}");
            if valid_here { valid += 1 } else { invalid += 1 }
        }
    }
    assert!(valid > 300 && invalid > 300, "{valid} valid, {invalid} not");
}

#[test]
fn touching_is_contact_and_a_bit_farther_is_not() {
    let robot = planar();
    // The arm along x ends at x = 2.
    let wall = |x: f64| {
        let body: Body = Cuboid::new(DVec3::splat(0.5)).unwrap().into();
        vec![("wall".to_owned(), body, Pose::from_translation(DVec3::X * (x + 0.5)).unwrap())]
    };
    let is_valid = |x: f64| cell(&robot, wall(x)).check(&[0.0, 0.0], &Batch::default()).unwrap() == [true];
    assert!(!is_valid(2.0) && is_valid(2.0 + 1e-15) && !is_valid(2.0 - 1e-15));
}

#[test]
fn padding_is_a_distance_to_the_scene() {
    let robot = planar();
    let body: Body = Cuboid::new(DVec3::splat(0.5)).unwrap().into();
    // A wall from x = 2.25 on.
    let scene = vec![("wall".to_owned(), body, Pose::from_translation(DVec3::X * 2.75).unwrap())];
    let is_valid = |options: &CellOptions| {
        let cell = RobotCell::new(&robot, scene.clone(), options).unwrap();
        cell.check(&[0.0, 0.0], &Batch::default()).unwrap()[0]
    };
    let padded = |padding: f64| CellOptions { padding, ..CellOptions::default() };
    assert!(is_valid(&padded(0.2499999)) && !is_valid(&padded(0.25)) && !is_valid(&padded(0.3)));
    let of =
        |name: &str, by: f64| CellOptions { padding_of: vec![(name.into(), by)], ..CellOptions::default() };
    assert!(is_valid(&of("upper", 0.3)) && !is_valid(&of("lower", 0.3)));
    let wrong = RobotCell::new(&robot, scene.clone(), &of("none", 0.3)).unwrap_err();
    assert_eq!(wrong.to_string(), "a padding names the part 'none', which does not exist");
    assert!(matches!(
        RobotCell::new(&robot, scene.clone(), &padded(-1.0)),
        Err(RobotError::NotALength { .. })
    ));
    assert!(matches!(RobotCell::new(&robot, scene, &padded(f64::NAN)), Err(RobotError::NotALength { .. })));
}

#[test]
fn limits_make_invalid_unless_they_are_not_checked() {
    let robot = planar();
    let q = [3.0, 0.0, 3.1, 0.0, 0.0, -3.0];
    assert_eq!(robot.within_limits(&q, 0.0).unwrap(), [true, false, true]);
    assert_eq!(robot.within_limits(&q, 0.11).unwrap(), [true; 3]);
    for tolerance in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(matches!(robot.within_limits(&q, tolerance), Err(RobotError::NotALength { .. })));
        let options = CellOptions { limit_tolerance: tolerance, ..CellOptions::default() };
        assert!(matches!(RobotCell::new(&robot, Vec::new(), &options), Err(RobotError::NotALength { .. })));
    }
    let all = cell(&robot, Vec::new());
    // An elbow folded by almost a half turn has the rods apart only by their being adjacent.
    assert_eq!(all.check(&q, &Batch::default()).unwrap(), [true, false, true]);
    let options = CellOptions { check_limits: false, ..CellOptions::default() };
    let free = RobotCell::new(&robot, Vec::new(), &options).unwrap();
    assert_eq!(free.check(&q, &Batch::default()).unwrap(), [true; 3]);
}

#[test]
fn bad_numbers_are_refused_with_their_row() {
    let cell = cell(&planar(), Vec::new());
    let message = |q: &[f64]| cell.check(q, &Batch::default()).unwrap_err().to_string();
    assert_eq!(
        message(&[0.0; 3]),
        "3 numbers are no whole configurations of 2 joints; give n × 2, row by row"
    );
    assert!(message(&[0.0, 0.0, 0.0, f64::NAN]).starts_with("configuration 1: joint 'elbow' is NaN"));
    assert!(message(&[f64::INFINITY, 0.0]).starts_with("configuration 0: joint 'shoulder' is inf"));
    assert!(message(&[1e81, 0.0]).contains("within 1e80"));
    assert!(cell.check(&[], &Batch::default()).unwrap().is_empty());
    assert!(cell.robot().forward(&[1.0]).is_err());
}

#[test]
fn the_same_answers_for_any_number_of_threads() {
    let mut random = Random::new(8);
    let robot = random_arm(&mut random, 6);
    let scene = scene(&mut random, 10);
    let q = robot.sample(300, 2);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let cell = cell(&robot, scene.clone());
            let batch = Batch::default();
            let options = sudar_robot::ClearanceOptions { gradient: true, ..Default::default() };
            let edges =
                cell.check_edges(&q[robot.dof()..], &q[..q.len() - robot.dof()], &Default::default(), &batch);
            (
                cell.self_pairs().to_vec(),
                cell.check(&q, &batch).unwrap(),
                cell.first_contact(&q, &batch).unwrap(),
                cell.clearance(&q, &options, &batch).unwrap(),
                edges.unwrap(),
            )
        })
    };
    let one = on(1);
    assert!(one == on(2) && one == on(7));
}

#[test]
fn pairs_that_never_met_are_left_out_only_if_wanted() {
    let mut random = Random::new(4);
    let robot = random_arm(&mut random, 6);
    let with = |never_met| {
        let pairs = PairOptions { never_met, ..PairOptions::default() };
        let options = CellOptions { pairs, ..CellOptions::default() };
        let cell = RobotCell::new(&robot, Vec::new(), &options).unwrap();
        cell.self_pairs().iter().filter(|pair| pair.is_checked()).count()
    };
    assert!(with(NeverMet::LeftOut) < with(NeverMet::Checked));
}

#[test]
fn ignored_pairs_are_not_checked() {
    let robot = planar();
    let body: Body = Cuboid::new(DVec3::splat(0.5)).unwrap().into();
    let scene = vec![("table".to_owned(), body, Pose::IDENTITY)];
    let ignoring = |pairs: &[[&str; 2]]| {
        let ignored = pairs.iter().map(|pair| pair.map(str::to_owned)).collect();
        let cell = RobotCell::new(&robot, scene.clone(), &CellOptions { ignored, ..CellOptions::default() })?;
        let first = cell.first_contact(&[0.0, 0.0], &Batch::default())?[0];
        Ok::<_, RobotError>(first.map(|contact| (contact.part, contact.other)))
    };
    assert_eq!(ignoring(&[]), Ok(Some((0, Other::Object(0)))));
    assert_eq!(ignoring(&[["table", "upper"]]), Ok(None));
    assert!(
        ignoring(&[["tables", "upper"]]).unwrap_err().to_string().contains("'tables', which does not exist")
    );
}

#[test]
fn limits_have_a_tolerance() {
    let robot = planar();
    let valid = |limit_tolerance: f64, q: f64| {
        let options = CellOptions { limit_tolerance, ..CellOptions::default() };
        let cell = RobotCell::new(&robot, Vec::new(), &options).unwrap();
        let free = cell.check(&[q, 0.0], &Batch::default()).unwrap()[0];
        let edge =
            cell.check_edges(&[q, 0.0], &[0.0, 0.0], &EdgeOptions::default(), &Batch::default()).unwrap()[0];
        assert_eq!(edge.is_free(), free);
        free
    };
    assert!(valid(1e-4, 3.000_09) && valid(1e-4, -3.000_09) && !valid(1e-4, 3.000_11));
    assert!(valid(0.0, 3.0) && !valid(0.0, 3.0_f64.next_up()));
    assert!(valid(0.2, 3.2) && !valid(0.2, 3.3));
}

#[test]
fn reasons_say_why_and_agree_with_the_check() {
    let robot = planar();
    let wall: Body = Cuboid::new(DVec3::splat(0.5)).unwrap().into();
    let scene = vec![("wall".to_owned(), wall, Pose::from_translation(DVec3::X * 2.3).unwrap())];
    let held = Attached {
        name: "ball".to_owned(),
        link: "lower".to_owned(),
        body: Sphere::new(DVec3::ZERO, 0.1).unwrap().into(),
        pose: Pose::from_translation(DVec3::X * 0.9).unwrap(),
        touches: Vec::new(),
    };
    let options = CellOptions { attached: vec![held], ..CellOptions::default() };
    let cell = RobotCell::new(&robot, scene, &options).unwrap();
    let q = [0.0, 0.0, 2.0, 0.0, 2.0, 3.0, 0.0, 3.5];
    let why = cell.explain(&q, &Batch::default()).unwrap();
    assert_eq!(why[0], Reason::Contact { part: 1, other: Other::Object(0) });
    assert_eq!(why[1], Reason::Free);
    // Folded back, the ball at the end of the lower rod meets the upper rod.
    assert_eq!(why[2], Reason::Contact { part: 0, other: Other::Part(2) });
    assert_eq!(why[3], Reason::OutsideLimits { dof: 1, value: 3.5 });
    let names: Vec<&str> = why.iter().map(Reason::name).collect();
    assert_eq!(names, ["contact", "free", "self contact", "outside limits"]);
    // A search without steps decides nothing that balls leave open.
    let none = Batch::new(Budget { nodes: 0, time: None });
    let open = cell.explain(&q[..2], &none).unwrap()[0];
    assert!(matches!(open, Reason::Undecided { .. } | Reason::Contact { .. }), "{open:?}");
    assert!(
        cell.explain(&[0.0], &Batch::default()).is_err() && cell.explain(&[0.0, f64::NAN], &none).is_err()
    );
}

#[test]
fn reasons_of_random_arms_agree_with_their_checks() {
    let mut random = Random::new(47);
    let mut counts = [0; 4];
    for _ in 0..30 {
        let robot = random_arm(&mut random, 6);
        let cell = cell(&robot, scene(&mut random, 6));
        let q: Vec<f64> = robot.sample(100, random.below(1000) as u64).iter().map(|q| q * 1.05).collect();
        let free = cell.check(&q, &Batch::default()).unwrap();
        let first = cell.first_contact(&q, &Batch::default()).unwrap();
        let why = cell.explain(&q, &Batch::default()).unwrap();
        for (i, why) in why.iter().enumerate() {
            assert_eq!(why.is_free(), free[i]);
            match why {
                Reason::Free => assert_eq!(first[i], None),
                Reason::OutsideLimits { dof, value } => {
                    let limits = robot.limits()[*dof];
                    assert!(*value > limits.upper + 1e-4 || *value < limits.lower - 1e-4);
                }
                Reason::Contact { .. } | Reason::Undecided { .. } => {
                    let first = first[i].unwrap();
                    assert!(!first.is_certain || why.pair() == Some((first.part, first.other)));
                }
            }
            counts[match why {
                Reason::Free => 0,
                Reason::OutsideLimits { .. } => 1,
                Reason::Contact { other: Other::Object(_), .. } => 2,
                Reason::Contact { .. } | Reason::Undecided { .. } => 3,
            }] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}
