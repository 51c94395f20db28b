//! Groups of joints and Jacobians.

use sudar::query::Batch;
use sudar::{DVec3, Pose};
use sudar_robot::{
    CellOptions, ClearanceOptions, JointKind, PairReason, Robot, RobotCell, RobotError, WorldOptions,
};
use sudar_testing::Random;

use crate::arms::{joint, link, random_arm, robot, scene};

/// An upper body with two arms of two joints and a gripper whose fingers mimic each other.
fn two_arms() -> Robot {
    let rod = "<origin xyz=\"0.2 0 0\"/><geometry><capsule radius=\"0.04\" length=\"0.3\"/></geometry>";
    let limit = "<limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"1\"/>";
    let mut text = link("torso", "<geometry><box size=\"0.2 0.3 0.6\"/></geometry>");
    for (side, y) in [("l", 0.3), ("r", -0.3)] {
        let name = |part: &str| format!("{side}_{part}");
        text += &["upper", "lower", "finger", "thumb"].map(|part| link(&name(part), rod)).concat();
        let turn =
            |x: f64, y: f64, axis: &str| format!("<origin xyz=\"{x} {y} 0\"/><axis xyz=\"{axis}\"/>{limit}");
        let mimic =
            format!("{}<mimic joint=\"{}\" multiplier=\"-1\"/>", turn(0.4, 0.0, "0 0 1"), name("grip"));
        text += &joint(&name("shoulder"), "revolute", ["torso", &name("upper")], &turn(0.0, y, "0 1 0"));
        text +=
            &joint(&name("elbow"), "revolute", [&name("upper"), &name("lower")], &turn(0.4, 0.0, "0 0 1"));
        text +=
            &joint(&name("grip"), "revolute", [&name("lower"), &name("finger")], &turn(0.4, 0.0, "0 0 1"));
        text += &joint(&name("copy"), "revolute", [&name("lower"), &name("thumb")], &mimic);
    }
    robot(&text)
}

#[test]
fn a_chain_is_what_moves_the_tip() {
    let robot = two_arms();
    assert_eq!(robot.chain("torso", "r_finger"), Ok(vec!["r_shoulder", "r_elbow", "r_grip"]));
    assert_eq!(robot.chain("torso", "r_thumb"), Ok(vec!["r_shoulder", "r_elbow", "r_grip"]));
    assert_eq!(robot.chain("l_upper", "l_lower"), Ok(vec!["l_elbow"]));
    assert_eq!(robot.chain("torso", "torso"), Ok(Vec::new()));
    assert!(matches!(robot.chain("l_upper", "r_lower"), Err(RobotError::Unknown { .. })));
    assert!(robot.chain("none", "r_lower").is_err());
}

#[test]
fn a_group_moves_as_the_whole_robot_with_the_others_at_rest() {
    let robot = two_arms();
    let rest = [0.3, -0.4, 0.2, 0.1, 0.5, -0.2];
    let arm = robot.group(&robot.chain("torso", "r_finger").unwrap(), &rest).unwrap();
    assert_eq!(arm.joint_names(), ["r_shoulder", "r_elbow", "r_grip"]);
    let q = arm.sample(200, 1);
    let whole = arm.whole(&q).unwrap();
    assert_eq!(robot.whole(&whole).unwrap(), whole);
    assert_eq!(whole[..6], [0.3, -0.4, 0.2, q[0], q[1], q[2]]);
    for (a, b) in arm.forward(&q).unwrap().iter().zip(robot.forward(&whole).unwrap()) {
        assert!(near(a, &b));
    }
    // Other orders, and a group of a group.
    let turned = robot.group(&["r_grip", "r_elbow", "r_shoulder"], &rest).unwrap();
    assert_eq!(turned.whole(&[q[2], q[1], q[0]]).unwrap(), whole[..6]);
    let inner = arm.group(&["r_elbow"], &[0.7, 0.0, 0.9]).unwrap();
    assert_eq!(inner.whole(&[0.25]).unwrap(), [0.3, -0.4, 0.2, 0.7, 0.25, 0.9]);
    assert!(near(
        &inner.forward(&[0.25]).unwrap()[6],
        &robot.forward(&inner.whole(&[0.25]).unwrap()).unwrap()[6]
    ));
    let kinds = |robot: &Robot| robot.joints().iter().filter(|joint| joint.kind == JointKind::Fixed).count();
    assert_eq!((kinds(&arm), kinds(&inner)), (4, 7));
    assert!(arm.into_world(&[0.0; 3], &WorldOptions::default()).is_ok());
}

fn near(a: &Pose, b: &Pose) -> bool {
    let turn = a.rotation() - b.rotation();
    let turn = [turn.x_axis, turn.y_axis, turn.z_axis]
        .map(|c| c.abs().max_element())
        .into_iter()
        .fold(0.0, f64::max);
    turn < 1e-14 && (a.translation() - b.translation()).length() < 1e-14
}

#[test]
fn an_srdf_names_groups() {
    let mut robot = two_arms();
    let srdf = r#"<robot name="x">
        <group name="right"><chain base_link="torso" tip_link="r_lower"/></group>
        <group name="hand"><joint name="r_grip"/><joint name="r_copy"/><link name="r_finger"/></group>
        <group name="all"><group name="right"/><group name="hand"/><passive_joint name="z"/></group>
        <group name="other"><joint name="z"/></group>
        <group name="a"><group name="b"/></group><group name="b"><group name="a"/></group>
        <group_state name="home" group="right"><joint name="r_elbow" value="0"/></group_state></robot>"#;
    robot.disable(srdf, "x.srdf").unwrap();
    let groups: Vec<(&str, Vec<&str>)> = robot
        .groups()
        .iter()
        .map(|group| (group.name.as_str(), group.joints.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(
        groups,
        [
            ("right", vec!["r_shoulder", "r_elbow"]),
            ("hand", vec!["r_grip"]),
            ("all", vec!["r_shoulder", "r_elbow", "r_grip"])
        ]
    );
    let notes = &robot.notes()[robot.notes().len() - 3..];
    assert_eq!(notes[0], "x.srdf: group 'other' is left out: joint 'z' does not exist");
    assert!(
        notes[1].contains("group 'a'")
            && notes[2].contains("group 'b' is left out: groups are in each other")
    );
    let arm = robot.group(&groups[0].1, &[0.0; 6]).unwrap();
    assert_eq!(arm.groups().len(), 1);
    let both = Robot::together(&[("x", &robot, Pose::IDENTITY)]).unwrap();
    assert_eq!(both.groups()[1].joints, ["x/r_grip"]);
}

#[test]
fn a_cell_of_a_group_checks_what_moves_with_all_else() {
    let robot = two_arms();
    let mut random = Random::new(5);
    let objects = scene(&mut random, 6);
    let rest = [0.3, -0.4, 0.2, 0.1, 0.5, -0.2];
    let arm = robot.group(&["r_shoulder", "r_elbow", "r_grip"], &rest).unwrap();
    let group = RobotCell::new(&arm, objects.clone(), &CellOptions::default()).unwrap();
    let fixed = group.self_pairs().iter().filter(|pair| pair.reason == PairReason::Fixed);
    let still: Vec<[String; 2]> =
        fixed.map(|pair| pair.parts.map(|i| group.parts()[i].name.clone())).collect();
    assert!(still.contains(&["torso".to_owned(), "l_lower".to_owned()]));
    // The whole robot without the pairs that stand still, and with the same that always meet.
    let left_out = group.self_pairs().iter().filter(|pair| !pair.is_checked());
    let ignored = left_out.map(|pair| pair.parts.map(|i| group.parts()[i].name.clone())).collect();
    let mut options = CellOptions { ignored, ..CellOptions::default() };
    options.pairs.samples = 0;
    let all = RobotCell::new(&robot, objects, &options).unwrap();
    let q = arm.sample(500, 3);
    let (one, other) = (
        group.check(&q, &Batch::default()).unwrap(),
        all.check(&arm.whole(&q).unwrap(), &Batch::default()).unwrap(),
    );
    let gaps = group.clearance(&q, &ClearanceOptions::default(), &Batch::default()).unwrap();
    let valid = one.iter().filter(|valid| **valid).count();
    assert!(valid > 20 && valid < 480, "{valid}");
    assert!(one.iter().zip(other).zip(gaps).all(|((a, b), gap)| *a == b || gap.interval.upper < 1e-9));
}

#[test]
fn groups_that_are_none_are_refused() {
    let robot = two_arms();
    let rest = [0.0; 6];
    assert!(matches!(robot.group(&["x"], &rest), Err(RobotError::Unknown { .. })));
    assert!(matches!(robot.group(&["r_grip", "r_grip"], &rest), Err(RobotError::Twice { .. })));
    assert!(matches!(robot.group(&["r_grip"], &rest[..5]), Err(RobotError::Rows { .. })));
    assert!(matches!(robot.group(&["r_grip"], &[0.0; 12]), Err(RobotError::Rows { .. })));
    assert!(matches!(robot.group(&["r_grip"], &[f64::NAN; 6]), Err(RobotError::Value { .. })));
    assert_eq!(robot.group(&[], &rest).unwrap().dof(), 0);
    let text = link("a", "") + &link("b", "") + &joint("j", "floating", ["a", "b"], "");
    let part = crate::arms::robot(&text).group(&["j.x"], &rest).unwrap_err();
    assert_eq!(part.to_string(), "a group has some numbers of joint 'j'; name all of them or none");
}

#[test]
fn jacobians_are_the_derivatives_of_the_poses() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let robot = random_arm(&mut random, 6);
        let dof = robot.dof();
        let point = DVec3::new(random.number(), random.number(), random.number());
        let q = robot.sample(3, random.below(100) as u64);
        for i in 0..robot.links().len() {
            let name = &robot.links()[i].name;
            let found = robot.jacobian(name, point, &q).unwrap();
            for (row, q) in q.chunks(dof).enumerate() {
                let pose = |k: usize, by: f64| {
                    let mut q = q.to_vec();
                    q[k] += by;
                    robot.forward(&q).unwrap()[i]
                };
                for k in 0..dof {
                    // Central differences, whose error is some 1e-10 for steps of 1e-5.
                    let (a, b, step) = (pose(k, 1e-5), pose(k, -1e-5), 2e-5);
                    let linear = (a.apply(point) - b.apply(point)) / step;
                    // The angular velocity is the axial vector of R' Rᵀ.
                    let turn =
                        (a.rotation() - b.rotation()) * (1.0 / step) * pose(k, 0.0).rotation().transpose();
                    let angular = DVec3::new(turn.y_axis.z, turn.z_axis.x, turn.x_axis.y);
                    let entry = |r: usize| found[row * 6 * dof + r * dof + k];
                    let [v, w] = [0, 3].map(|r| DVec3::new(entry(r), entry(r + 1), entry(r + 2)));
                    assert!(
                        (v - linear).length() < 1e-8 && (w - angular).length() < 1e-8,
                        "{v} {linear} {w} {angular}"
                    );
                }
            }
        }
    }
    let arm = two_arms();
    assert!(arm.jacobian("none", DVec3::ZERO, &[0.0; 6]).is_err());
    assert!(arm.jacobian("torso", DVec3::NAN, &[0.0; 6]).is_err());
    assert!(arm.jacobian("torso", DVec3::ZERO, &[0.0; 5]).is_err());
    assert_eq!(arm.jacobian("torso", DVec3::ONE, &[0.0; 6]).unwrap(), [0.0; 36]);
}
