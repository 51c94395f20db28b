//! Robots as bytes: the same answers, bit for bit; broken bytes are errors.

use sudar::query::Batch;
use sudar_robot::{LoadOptions, Robot, RobotCell, RobotError};
use sudar_testing::Random;
use sudar_testing::oracle::data;

use crate::arms::{cell, planar, random_arm, scene};
use crate::planning;

fn again(robot: &Robot) -> Robot {
    Robot::from_bytes(&robot.to_bytes().unwrap()).unwrap()
}

/// The same poses and answers for random configurations.
fn are_same(one: &Robot, other: &Robot, cells: [RobotCell; 2]) {
    let q = one.sample(200, 3);
    assert_eq!(q, other.sample(200, 3));
    assert_eq!(one.forward(&q).unwrap(), other.forward(&q).unwrap());
    let [first, second] = cells.map(|cell| cell.first_contact(&q, &Batch::default()).unwrap());
    assert_eq!(first, second);
    assert_eq!([one.name(), &format!("{:?}", one.notes())], [other.name(), &format!("{:?}", other.notes())]);
}

#[test]
fn robots_come_back_as_they_were() {
    for seed in 0..30 {
        let mut random = Random::new(7100 + seed);
        let robot = random_arm(&mut random, 5);
        let scene = scene(&mut random, 4);
        let stored = again(&robot);
        are_same(&robot, &stored, [cell(&robot, scene.clone()), cell(&stored, scene)]);
        let group = robot.group(&robot.joint_names()[..2], &robot.sample(1, 9)).unwrap();
        let q = group.sample(3, 1);
        assert_eq!(again(&group).whole(&q).unwrap(), group.whole(&q).unwrap());
    }
    let two =
        Robot::together(&[("a", &planar(), sudar::Pose::IDENTITY), ("b", &planar(), sudar::Pose::IDENTITY)]);
    let two = two.unwrap();
    are_same(&two, &again(&two), [cell(&two, Vec::new()), cell(&again(&two), Vec::new())]);
}

#[test]
fn real_robots_come_back_with_their_meshes() {
    let Some(data) = data() else { return };
    let robot = planning::robot(&data, "panda", "panda.urdf");
    let bytes = robot.to_bytes().unwrap();
    let stored = Robot::from_bytes(&bytes).unwrap();
    println!("{} bytes", bytes.len());
    assert_eq!(stored.to_bytes().unwrap(), bytes);
    are_same(&robot, &stored, [cell(&robot, Vec::new()), cell(&stored, Vec::new())]);
}

#[test]
fn robots_of_mjcf_come_back() {
    let text = r#"<mujoco model="m"><worldbody><geom type="plane" size="1 1 1"/><body name="a" pos="0 0 1">
        <joint name="j" axis="0 1 0" range="-90 90"/><geom type="capsule" size="0.1 0.3"/></body></worldbody>
        <keyframe><key name="k" qpos="0.5"/></keyframe></mujoco>"#;
    let robot = Robot::parse(text, "m.xml", &LoadOptions::default()).unwrap();
    let stored = again(&robot);
    assert_eq!(stored.keyframes(), robot.keyframes());
    are_same(&robot, &stored, [cell(&robot, Vec::new()), cell(&stored, Vec::new())]);
    let at = sudar::Pose::from_translation(sudar::DVec3::X).unwrap();
    let two = Robot::together(&[("a", &robot, at), ("b", &planar(), sudar::Pose::IDENTITY)]).unwrap();
    let stored = again(&two);
    are_same(&two, &stored, [cell(&two, Vec::new()), cell(&stored, Vec::new())]);
}

#[test]
fn broken_bytes_are_errors_or_sound_robots() {
    let robot = random_arm(&mut Random::new(5), 5);
    let bytes = robot.to_bytes().unwrap();
    for bytes in [&b""[..], b"sudar robot 2\n", b"<robot/>", &bytes[..bytes.len() - 1]] {
        assert!(matches!(Robot::from_bytes(bytes), Err(RobotError::Stored { .. })));
    }
    let mut random = Random::new(6);
    let mut refused = 0;
    for _ in 0..4000 {
        let mut broken = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let at = 14 + random.below(broken.len() - 14);
            broken[at] = random.below(256) as u8;
        }
        let Ok(robot) = Robot::from_bytes(&broken) else {
            refused += 1;
            continue;
        };
        // What is accepted works, whatever it is.
        let q = robot.sample(2, 1);
        if let Ok(poses) = robot.forward(&q) {
            assert_eq!(poses.len(), 2 * robot.links().len());
        }
        for link in robot.link_names() {
            let _ = robot.jacobian(link, sudar::DVec3::ZERO, &q);
        }
        let _ = robot.into_world(&q[..robot.dof()], &sudar_robot::WorldOptions::default());
        if robot.dof() < 10 {
            let options = sudar_robot::CellOptions { check_limits: false, ..Default::default() };
            let _ =
                RobotCell::new(&robot, Vec::new(), &options).map(|cell| cell.check(&q, &Batch::default()));
        }
    }
    println!("{refused} of 4000 refused");
    assert!(refused > 500);
}
