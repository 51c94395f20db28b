//! Times on a path: closed forms, limits that are kept and reached, and derivatives by differences.

use sudar_robot::{PlanError, Robot, RobotError, TimingOptions, Trajectory};
use sudar_testing::Random;

use crate::arms::{joint, link, planar, random_arm, robot};

fn timed(robot: &Robot, waypoints: &[f64], options: &TimingOptions) -> Trajectory {
    Trajectory::new(robot, waypoints, options).unwrap()
}

#[test]
fn an_edge_takes_the_time_of_its_closed_form() {
    let robot = planar();
    let options = TimingOptions { acceleration: 2.0, ..TimingOptions::default() };
    // 3 rad at 1 rad/s with 0.5 s to get as fast and to stop: 3 / 1 + 1 / 2.
    let motion = timed(&robot, &[0.0, 0.0, 3.0, 1.5], &options);
    assert!((motion.duration() - 3.5).abs() < 1e-12);
    assert_eq!(motion.times(), [0.0, motion.duration()]);
    let half = motion.at(1.75);
    assert!((half.configuration[0] - 1.5).abs() < 1e-12 && (half.configuration[1] - 0.75).abs() < 1e-12);
    assert!((half.velocity[0] - 1.0).abs() < 1e-12 && half.acceleration[0].abs() < 1e-12);
    // 0.08 rad is too short to get as fast: 2 sqrt(0.08 / 2).
    let motion = timed(&robot, &[0.0, 0.0, 0.0, -0.08, 0.0, 0.0], &options);
    assert!((motion.duration() - 0.8).abs() < 1e-12);
    assert!((motion.at(0.2).velocity[1] + 0.4).abs() < 1e-12);
    assert_eq!(motion.at(-1.0).configuration, [0.0, 0.0]);
    assert_eq!(motion.at(9.0).configuration, [0.0, 0.0]);
    let corner = motion.at(motion.times()[1]);
    assert!(
        corner.velocity.iter().all(|v| v.abs() < 1e-12) && (corner.configuration[1] + 0.08).abs() < 1e-12
    );
}

#[test]
fn waypoints_that_repeat_take_no_time() {
    let robot = planar();
    let motion = timed(&robot, &[0.1, 0.2, 0.1, 0.2], &TimingOptions::default());
    assert_eq!((motion.duration(), motion.at(0.0).configuration), (0.0, vec![0.1, 0.2]));
    assert_eq!(timed(&robot, &[0.1, 0.2], &TimingOptions::default()).times(), [0.0]);
}

#[test]
fn limits_are_kept_and_one_of_them_is_reached() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let robot = random_arm(&mut random, 6);
        let acceleration_of = vec![(robot.joint_names()[0].to_owned(), 0.25)];
        let options = TimingOptions { acceleration: 3.0, acceleration_of, ..TimingOptions::default() };
        let q = robot.sample(6, seed);
        let motion = timed(&robot, &q, &options);
        let limit = |joint: usize| if joint == 0 { 0.25 } else { 3.0 };
        let step = motion.duration() / 5000.0;
        let mut most = 0.0_f64;
        for k in 1..5000 {
            let time = f64::from(k) * step;
            let [before, here, after] = [time - 1e-5, time, time + 1e-5].map(|time| motion.at(time));
            for joint in 0..robot.dof() {
                let (v, a) = (here.velocity[joint], here.acceleration[joint]);
                assert!(v.abs() <= 1.0 + 1e-9 && a.abs() <= limit(joint) + 1e-9);
                most = most.max(v.abs()).max(a.abs() / limit(joint));
                let slope = (after.configuration[joint] - before.configuration[joint]) / 2e-5;
                assert!((slope - v).abs() < 1e-4, "{slope} {v}");
            }
        }
        assert!(most > 1.0 - 1e-9, "{most}");
        for (row, time) in q.chunks(robot.dof()).zip(motion.times()) {
            let there = motion.at(time).configuration;
            assert!(row.iter().zip(there).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}

#[test]
fn a_joint_that_mimics_keeps_its_own_limit() {
    let slide = |rest: &str, velocity: &str| {
        format!("<axis xyz=\"1 0 0\"/>{rest}<limit lower=\"-1\" upper=\"1\" velocity=\"{velocity}\"/>")
    };
    let gripper = robot(
        &[
            link("base", ""),
            link("a", ""),
            link("b", ""),
            joint("one", "prismatic", ["base", "a"], &slide("", "1")),
            joint(
                "two",
                "prismatic",
                ["base", "b"],
                &slide("<mimic joint=\"one\" multiplier=\"-2\"/>", "0.5"),
            ),
        ]
        .concat(),
    );
    let options = TimingOptions { acceleration: 1e6, ..TimingOptions::default() };
    let motion = timed(&gripper, &[0.0, 0.5], &options);
    assert!((motion.duration() - 2.0).abs() < 1e-3, "{}", motion.duration());
    // What the options name comes before the file.
    let options = TimingOptions { velocity_of: vec![("one".to_owned(), 1.0)], ..options };
    assert!((timed(&gripper, &[0.0, 0.5], &options).duration() - 0.5).abs() < 1e-3);
}

#[test]
fn limits_that_are_none_are_refused() {
    let robot = planar();
    let found = |options: &TimingOptions, q: &[f64]| Trajectory::new(&robot, q, options).unwrap_err();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = TimingOptions { acceleration: bad, ..TimingOptions::default() };
        assert!(matches!(found(&options, &[0.0; 4]), PlanError::NotPositive { .. }));
        let options =
            TimingOptions { velocity_of: vec![("elbow".to_owned(), bad)], ..TimingOptions::default() };
        assert!(matches!(found(&options, &[0.0; 4]), PlanError::NotPositive { .. }));
    }
    let options = TimingOptions { velocity_of: vec![("wrist".to_owned(), 1.0)], ..TimingOptions::default() };
    assert!(matches!(found(&options, &[0.0; 4]), PlanError::Robot(RobotError::Unknown { .. })));
    assert!(matches!(
        found(&TimingOptions::default(), &[f64::NAN; 2]),
        PlanError::Robot(RobotError::Value { .. })
    ));
    assert!(matches!(found(&TimingOptions::default(), &[]), PlanError::NoWaypoints));
    assert!(matches!(found(&TimingOptions::default(), &[0.0; 3]), PlanError::Robot(RobotError::Rows { .. })));
}
