//! Robots as bodies that joints hold in a world.

use sudar::dynamics::{Settings, Softness, World};
use sudar::{DQuat, DVec3, Pose};
use sudar_robot::{LoadOptions, Robot, RobotBodies, WorldOptions};
use sudar_testing::oracle::data;

const STEP: f64 = 1.0 / 240.0;

fn robot(urdf: &str) -> Robot {
    Robot::parse(urdf, "robot.urdf", &LoadOptions::default()).unwrap()
}

fn run(world: &mut World, seconds: f64) -> f64 {
    let mut gap: f64 = 0.0;
    for _ in 0..(seconds / STEP).round() as u32 {
        gap = gap.max(world.step(STEP).unwrap().gap);
    }
    gap
}

const INERTIA: &str = r#"<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="-0.002" iyz="0.003"/>"#;

/// Two rods, the second on a slider with a fixed hand; off centre and turned.
fn two() -> Robot {
    robot(&format!(
        r#"<robot name="two">
        <link name="base"/>
        <link name="upper"><inertial><origin xyz="0.3 0.02 0" rpy="0.2 0.1 0.5"/><mass value="3"/>{INERTIA}</inertial>
          <collision><origin xyz="0.3 0 0"/><geometry><box size="0.6 0.1 0.1"/></geometry></collision></link>
        <link name="lower"><inertial><origin xyz="0.2 0 0.1"/><mass value="2"/>{INERTIA}</inertial></link>
        <link name="hand"><inertial><origin xyz="0 0 0.05"/><mass value="0.5"/>{INERTIA}</inertial>
          <collision><geometry><sphere radius="0.05"/></geometry></collision></link>
        <joint name="shoulder" type="revolute"><origin xyz="0.1 0 1" rpy="0 0 0.3"/><parent link="base"/>
          <child link="upper"/><axis xyz="0 1 0"/><limit lower="-1.2" upper="1.5" effort="100" velocity="1"/></joint>
        <joint name="slide" type="prismatic"><origin xyz="0.6 0 0" rpy="0.4 0 0"/><parent link="upper"/>
          <child link="lower"/><axis xyz="1 0 0"/><limit lower="-0.1" upper="0.4" effort="200" velocity="1"/></joint>
        <joint name="wrist" type="fixed"><origin xyz="0.4 0 0" rpy="0 0.7 0"/><parent link="lower"/>
          <child link="hand"/></joint>
        </robot>"#
    ))
}

fn distance(a: &Pose, b: &Pose) -> f64 {
    let turned =
        (a.rotation() - b.rotation()).to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    a.translation().distance(b.translation()) + turned
}

/// Where links are by the joints, against forward kinematics of the configuration that they have.
fn off(robot: &Robot, world: &World, bodies: &RobotBodies, base: &Pose) -> f64 {
    let q = bodies.configuration(world).unwrap();
    let poses = robot.forward(&q).unwrap();
    let found = (0..poses.len()).map(|link| bodies.link_pose(world, link).unwrap());
    found.zip(&poses).map(|(found, pose)| distance(&found, &base.after(pose))).fold(0.0, f64::max)
}

#[test]
fn links_are_where_kinematics_has_them_and_motors_hold_and_move_them() {
    let robot = two();
    let base = Pose::new(DVec3::new(1.0, -2.0, 0.5), DQuat::from_rotation_x(0.3)).unwrap();
    let options = WorldOptions { base, ..WorldOptions::default() };
    let (mut world, bodies) = robot.into_world(&[0.4, 0.1], &options).unwrap();
    assert!(bodies.notes.is_empty(), "{:?}", bodies.notes);
    assert!(off(&robot, &world, &bodies, &base) < 1e-12);
    // The hand is a part of the lower rod.
    assert_eq!(bodies.links[2], bodies.links[3]);
    let gap = run(&mut world, 2.0);
    let q = bodies.configuration(&world).unwrap();
    assert!(gap < 1e-6 && (q[0] - 0.4).abs() < 1e-6 && (q[1] - 0.1).abs() < 1e-6, "{gap} {q:?}");
    assert!(off(&robot, &world, &bodies, &base) < 1e-6);
    // Hard motors and stiff springs follow where they are led.
    for hold in [Softness::Hard, Softness::Stiffness { stiffness: 2e4, damping: 400.0 }] {
        let options = WorldOptions { hold: Some(hold), ..options };
        let (mut world, bodies) = robot.into_world(&[0.4, 0.1], &options).unwrap();
        for step in 1..=480 {
            let share = f64::from(step) / 480.0;
            bodies.hold(&mut world, &[0.4 - 0.9 * share, 0.1 + 0.2 * share]).unwrap();
            world.step(STEP).unwrap();
            let q = bodies.configuration(&world).unwrap();
            let off = (q[0] - (0.4 - 0.9 * share)).abs().max((q[1] - (0.1 + 0.2 * share)).abs());
            assert!(off < 0.02, "{hold:?} {step}: {q:?}");
        }
    }
    // Springs give way to the weight.
    let soft = Softness::Frequency { hertz: 10.0, damping_ratio: 1.0 };
    let options = WorldOptions { hold: Some(soft), ..options };
    let (mut world, bodies) = robot.into_world(&[0.4, 0.1], &options).unwrap();
    run(&mut world, 2.0);
    let q = bodies.configuration(&world).unwrap();
    assert!((0.05..0.5).contains(&(q[0] - 0.4)) && (q[1] - 0.1).abs() < 0.05, "{q:?}");
}

#[test]
fn masses_and_inertias_are_those_of_the_file() {
    let robot = two();
    let free = WorldOptions { hold: None, ..WorldOptions::default() };
    let (world, bodies) = robot.into_world(&[0.0, 0.0], &free).unwrap();
    let upper = world.inertia(bodies.links[1]).unwrap();
    assert!((upper.mass - 3.0).abs() < 1e-12 && upper.center.distance(DVec3::new(0.3, 0.02, 0.0)) < 1e-12);
    // The trace of an inertia does not turn, and its determinant neither.
    let tensor = upper.tensor;
    let trace = tensor.x_axis.x + tensor.y_axis.y + tensor.z_axis.z;
    let given =
        sudar::DMat3::from_cols_array(&[0.02, 0.001, -0.002, 0.001, 0.03, 0.003, -0.002, 0.003, 0.04]);
    assert!((trace - 0.09).abs() < 1e-12 && (tensor.determinant() - given.determinant()).abs() < 1e-12);
    // The lower rod and the hand: 2 kg at (0.2, 0, 0.1), and 0.5 kg at (0.4, 0, 0) + R_y(0.7)·(0, 0, 0.05).
    let lower = world.inertia(bodies.links[2]).unwrap();
    let hand = DVec3::new(0.4 + 0.05 * 0.7_f64.sin(), 0.0, 0.05 * 0.7_f64.cos());
    let center = (DVec3::new(0.2, 0.0, 0.1) * 2.0 + hand * 0.5) / 2.5;
    assert!((lower.mass - 2.5).abs() < 1e-12 && lower.center.distance(center) < 1e-12);
    // About y: both own moments, that of the hand unturned by a turn about y, and both away from the centre.
    let far = |place: DVec3| (place - center).length_squared() - (place - center).y.powi(2);
    let expected = 0.03 * 2.0 + 2.0 * far(DVec3::new(0.2, 0.0, 0.1)) + 0.5 * far(hand);
    assert!((lower.tensor.y_axis.y - expected).abs() < 1e-12);
}

/// A rod that swings has the period of its inertia about the joint.
#[test]
fn a_link_that_hangs_swings_with_the_period_of_the_compound_pendulum() {
    let robot = robot(
        r#"<robot name="rod"><link name="base"/>
        <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
          <inertia ixx="0.2" iyy="0.17" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>"#,
    );
    let free = WorldOptions { hold: None, ..WorldOptions::default() };
    let (mut world, bodies) = robot.into_world(&[0.05], &free).unwrap();
    let period = std::f64::consts::TAU
        * ((0.17_f64 + 2.0 * 0.25) / (2.0 * 9.81 * 0.5)).sqrt()
        * (1.0 + 0.05_f64.powi(2) / 16.0);
    let (mut before, mut crossings) = (0.05, Vec::new());
    for step in 1..=240 * 10 {
        world.step(STEP).unwrap();
        let now = bodies.configuration(&world).unwrap()[0];
        if before > 0.0 && now <= 0.0 {
            crossings.push((f64::from(step) - now / (now - before)) * STEP);
        }
        before = now;
    }
    let found = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    assert!((found / period - 1.0).abs() < 1e-4, "{found} {period}");
}

/// Without motors a fall ends at the limits.
#[test]
fn limits_of_the_file_hold_and_free_robots_fall_as_one() {
    let robot = two();
    let free = WorldOptions { hold: None, ..WorldOptions::default() };
    let (mut world, bodies) = robot.into_world(&[0.4, 0.1], &free).unwrap();
    for _ in 0..240 * 4 {
        world.step(STEP).unwrap();
        let q = bodies.configuration(&world).unwrap();
        assert!(
            (-1.2 - 1e-3..=1.5 + 1e-3).contains(&q[0]) && (-0.1 - 1e-3..=0.4 + 1e-3).contains(&q[1]),
            "{q:?}"
        );
    }
    assert!((bodies.configuration(&world).unwrap()[0] - 1.5).abs() < 1e-3);
    let (mut world, bodies) =
        robot.into_world(&[0.4, 0.1], &WorldOptions { is_fixed: false, ..WorldOptions::default() }).unwrap();
    let momentum = |world: &World| world.energy().momentum;
    run(&mut world, 0.5);
    // 5.5 kg of the file and the gram of a base without mass.
    assert!((momentum(&world) - DVec3::Z * -9.81 * 0.5 * 5.501).length() < 1e-9, "{}", momentum(&world));
    assert!(bodies.notes.iter().any(|note| note.contains("'base'")), "{:?}", bodies.notes);
    let q = bodies.configuration(&world).unwrap();
    assert!((q[0] - 0.4).abs() < 1e-3 && (q[1] - 0.1).abs() < 1e-3, "{q:?}");
}

#[test]
fn what_files_lack_is_noted_and_what_they_have_wrong_is_mended() {
    let robot = robot(
        r#"<robot name="odd"><link name="base"/>
        <link name="bare"><collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link>
        <link name="wrong"><inertial><mass value="4"/><inertia ixx="1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
          </inertial><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
        <link name="nothing"/>
        <joint name="a" type="continuous"><parent link="base"/><child link="bare"/></joint>
        <joint name="b" type="continuous"><origin xyz="0.5 0 0"/><parent link="bare"/><child link="wrong"/>
          <mimic joint="a"/><dynamics damping="0.1" friction="0.2"/></joint>
        <joint name="c" type="floating"><origin xyz="0 3 0"/><parent link="base"/><child link="nothing"/></joint>
        </robot>"#,
    );
    let (mut world, bodies) = robot.into_world(&[0.0; 7], &WorldOptions::default()).unwrap();
    for name in ["'bare': has no inertial", "'wrong': its inertia", "'nothing': has neither"] {
        assert!(bodies.notes.iter().any(|note| note.contains(name)), "{name}: {:?}", bodies.notes);
    }
    assert!((world.inertia(bodies.links[1]).unwrap().mass - 6.0).abs() < 1e-9);
    let wrong = world.inertia(bodies.links[2]).unwrap();
    assert!((wrong.mass - 4.0).abs() < 1e-12 && (wrong.tensor.x_axis.x - 4.0 * 0.08 / 12.0).abs() < 1e-9);
    assert!(run(&mut world, 1.0) < 1e-6);
    assert!(robot.into_world(&[0.0; 14], &WorldOptions::default()).is_err());
    assert!(robot.into_world(&[f64::NAN; 7], &WorldOptions::default()).is_err());
}

/// A room that is too small takes none of it.
#[test]
fn a_robot_that_is_refused_leaves_nothing_behind() {
    let bounds = Some(sudar::dynamics::Bounds { min: DVec3::splat(-0.75), max: DVec3::splat(1.55) });
    let mut world = World::new(Settings { bounds, ..Settings::default() }).unwrap();
    let free = WorldOptions { is_fixed: false, ..WorldOptions::default() };
    assert!(two().add_to(&mut world, &[-1.2, 0.4], &free).is_err());
    assert_eq!((world.bodies().count(), world.joints().count()), (0, 0));
}

/// The robots of the shared data stand where their motors hold them.
#[test]
fn real_robots_hold_themselves() {
    let Some(data) = data() else { return };
    for (name, file) in [("panda", "panda.urdf"), ("ur5", "ur5.urdf")] {
        let robot = crate::planning::robot(&data, name, file);
        let limits = robot.limits();
        let q: Vec<f64> = limits.iter().map(|limit| 0.0_f64.clamp(limit.lower, limit.upper)).collect();
        let mut world = World::new(Settings::default()).unwrap();
        let bodies = robot.add_to(&mut world, &q, &WorldOptions::default()).unwrap();
        let gap = run(&mut world, 1.0);
        let held = bodies.configuration(&world).unwrap();
        let most = held.iter().zip(&q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{name}: gap {gap:e}, {most} off, {:?}", bodies.notes);
        assert!(gap < 1e-6 && most < 1e-6, "{name}: {gap} {most}");
    }
}
