//! Inverse kinematics: what is found has the pose by forward kinematics; closed forms of two rods.

use sudar::query::{Batch, Body};
use sudar::{Cuboid, DQuat, DVec3, Pose};
use sudar_robot::{PlanOptions, ReachOptions, Robot, RobotError};
use sudar_testing::Random;
use sudar_testing::oracle::data;

use crate::arms::{cell, joint, link, planar, random_arm, robot};
use crate::planning;

fn reach(robot: &Robot, link: &str, pose: &Pose, options: &ReachOptions) -> Vec<f64> {
    robot.reach(link, pose, options, &Batch::default()).unwrap()
}

/// How far the pose of a link at a configuration is from another: the distance and the angle.
fn off(robot: &Robot, q: &[f64], name: &str, pose: &Pose) -> [f64; 2] {
    let found = robot.forward(q).unwrap()[robot.link(name).unwrap()];
    let turn = DQuat::from_mat3(&(pose.rotation() * found.rotation().transpose()));
    let angle = 2.0 * libm::atan2(turn.xyz().length(), turn.w.abs());
    [(found.translation() - pose.translation()).length(), angle]
}

/// Two rods of a metre in a plane with a tip: the law of cosines gives both elbows.
#[test]
fn both_elbows_of_two_rods_are_found() {
    let turn = "<axis xyz=\"0 0 1\"/><limit lower=\"-3\" upper=\"3\" velocity=\"1\"/>";
    let further = format!("<origin xyz=\"1 0 0\"/>{turn}");
    let arm = robot(
        &[
            link("base", ""),
            link("upper", ""),
            link("lower", ""),
            link("tip", ""),
            joint("shoulder", "revolute", ["base", "upper"], turn),
            joint("elbow", "revolute", ["upper", "lower"], &further),
            joint("end", "fixed", ["lower", "tip"], "<origin xyz=\"1 0 0\"/>"),
        ]
        .concat(),
    );
    let point = DVec3::new(1.2, 0.5, 0.0);
    let options = ReachOptions { angle: 4.0, position: 1e-9, ..ReachOptions::default() };
    let found = reach(&arm, "tip", &Pose::from_translation(point).unwrap(), &options);
    let elbow = libm::acos(point.length_squared() / 2.0 - 1.0);
    let shoulder =
        |elbow: f64| libm::atan2(point.y, point.x) - libm::atan2(libm::sin(elbow), 1.0 + libm::cos(elbow));
    assert_eq!(found.len(), 4);
    for expected in [elbow, -elbow] {
        let is_it = |q: &&[f64]| (q[1] - expected).abs() < 1e-8 && (q[0] - shoulder(expected)).abs() < 1e-8;
        assert!(found.chunks(2).any(|q| is_it(&q)), "{found:?} {expected}");
    }
    // Out of reach, and within reach only beyond the limits.
    let far = Pose::from_translation(DVec3::new(2.1, 0.0, 0.0)).unwrap();
    assert!(reach(&arm, "tip", &far, &options).is_empty());
    let behind = Pose::from_translation(DVec3::new(-2.0, 0.0, 0.0)).unwrap();
    assert!(reach(&arm, "tip", &behind, &options).is_empty());
    // The elbow keeps still: there is one shoulder, and only where the distance is right.
    let joints = Some(vec!["shoulder".to_owned()]);
    let still = ReachOptions { from: Some(vec![0.0, elbow]), joints, ..options };
    let found = reach(&arm, "tip", &Pose::from_translation(point).unwrap(), &still);
    assert!(found.len() == 2 && found[1] == elbow && (found[0] - shoulder(elbow)).abs() < 1e-8, "{found:?}");
}

#[test]
fn poses_of_random_arms_are_reached() {
    let (mut tried, mut reached) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(9000 + seed);
        let joints = 3 + random.below(5);
        let arm = random_arm(&mut random, joints);
        let name = format!("l{joints}");
        let q = arm.sample(1, seed);
        let pose = arm.forward(&q).unwrap()[arm.link(&name).unwrap()];
        let found = reach(&arm, &name, &pose, &ReachOptions { seed, ..ReachOptions::default() });
        tried += 1;
        reached += usize::from(!found.is_empty());
        for q in found.chunks(arm.dof()) {
            let [way, angle] = off(&arm, q, &name, &pose);
            assert!(
                way <= 1.1e-6 && angle <= 1.1e-6 && arm.within_limits(q, 0.0).unwrap() == [true],
                "{way} {angle}"
            );
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let options = ReachOptions { seed, ..ReachOptions::default() };
        assert_eq!(found, threads.install(|| reach(&arm, &name, &pose, &options)));
    }
    println!("{reached} of {tried}");
    assert!(reached * 10 >= tried * 9, "{reached} of {tried}");
}

#[test]
fn a_pose_is_a_goal_of_a_plan() {
    let arm = planar();
    let post = Body::new(Cuboid::new(DVec3::splat(0.1)).unwrap());
    let at = Pose::from_translation(DVec3::new(1.2, 0.0, 0.0)).unwrap();
    let cell = cell(&arm, vec![("post".to_owned(), post, at)]);
    // Where the elbow is when the shoulder is at 0.8; the lower rod may point anywhere.
    let place = Pose::from_translation(DVec3::new(libm::cos(0.8), libm::sin(0.8), 0.0)).unwrap();
    let options = ReachOptions { angle: 4.0, ..ReachOptions::default() };
    let goals = reach(&arm, "lower", &place, &options);
    assert!(goals.len() > 20);
    let plan = cell.plan(&[-0.8, 0.0], &goals, &PlanOptions::default(), &Batch::default()).unwrap();
    let last = &plan.waypoints[plan.waypoints.len() - 2..];
    assert!(plan.is_certified() && (last[0] - 0.8).abs() < 1e-5 && last == &goals[2 * plan.goal..][..2]);
}

#[test]
fn what_is_no_pose_to_reach_is_refused() {
    let arm = planar();
    let found = |link: &str, options: &ReachOptions| {
        arm.reach(link, &Pose::IDENTITY, options, &Batch::default()).unwrap_err()
    };
    let plain = ReachOptions::default();
    assert!(matches!(found("wrist", &plain), RobotError::Unknown { what: "link", .. }));
    let named = ReachOptions { joints: Some(vec!["wrist".to_owned()]), ..plain.clone() };
    assert!(matches!(found("lower", &named), RobotError::Unknown { what: "joint", .. }));
    for bad in [-1.0, f64::NAN] {
        let options = ReachOptions { position: bad, ..plain.clone() };
        assert!(matches!(found("lower", &options), RobotError::NotALength { .. }));
    }
    let options = ReachOptions { from: Some(vec![0.0; 4]), ..plain.clone() };
    assert!(matches!(found("lower", &options), RobotError::Rows { .. }));
    let options = ReachOptions { from: Some(vec![f64::NAN; 2]), ..plain };
    assert!(matches!(found("lower", &options), RobotError::Value { .. }));
}

/// Poses of the hand at the goals of real problems.
#[test]
fn hands_of_real_robots_are_led_to_their_goals() {
    let Some(data) = data() else { return };
    for (name, urdf, hand) in [("panda", "panda.urdf", "panda_hand"), ("ur5", "ur5.urdf", "ee_link")] {
        let robot = planning::robot(&data, name, urdf);
        let is_arm = |name: &&&str| !name.contains("finger") && !name.contains("robotiq");
        let joints: Vec<String> =
            robot.joint_names().iter().filter(is_arm).map(|name| (*name).to_owned()).collect();
        let (mut tried, mut reached, mut several) = (0, 0, 0);
        for problem in planning::problems(&data, &robot, &format!("mbm_{name}.json.gz"), 20) {
            let goal = &problem.goals[0];
            let pose = robot.forward(goal).unwrap()[robot.link(hand).unwrap()];
            let from = Some(problem.start.clone());
            let options = ReachOptions { from, joints: Some(joints.clone()), ..ReachOptions::default() };
            let found = reach(&robot, hand, &pose, &options);
            for q in found.chunks(robot.dof()) {
                let [way, angle] = off(&robot, q, hand, &pose);
                assert!(way <= 1.1e-6 && angle <= 1.1e-6);
            }
            tried += 1;
            reached += usize::from(!found.is_empty());
            several += usize::from(found.len() > 2 * robot.dof());
        }
        println!("{name}: {reached} of {tried}, several of {several}");
        assert!(reached * 100 >= tried * 95 && several * 2 > tried, "{name}: {reached} {several} of {tried}");
    }
}
