//! Tests of the demo as it is used: keys, dragging, paths, files.

use egui::Key;
use sudar_view::Camera;

use super::*;
use crate::options;

const STEP: f64 = 1.0 / 60.0;

fn begun() -> RobotArm {
    let mut demo = RobotArm::new();
    demo.begin().unwrap();
    demo
}

fn wait(demo: &mut RobotArm, steps: u32) {
    (0..steps).for_each(|_| demo.step(&Input::of_held(&[]), STEP));
}

fn site(demo: &RobotArm) -> &Site {
    &demo.shown.as_ref().unwrap().0
}

fn tip(demo: &RobotArm, pose: usize) -> sudar::DVec3 {
    site(demo).tip_at(&demo.settings.poses[pose])
}

/// Stretched up, the heights of the joints add up; bent at the shoulder by 90 degrees the rest lies along x.
#[test]
fn joints_add_up() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let site = Site::own().unwrap();
    for (q, at) in [
        ([0.0; 6], [0.0, 0.0, arm::REACH]),
        ([0.0, quarter, 0.0, 0.0, 0.0, 0.0], [1.91, 0.0, 0.55]),
        ([quarter, quarter, 0.0, 0.0, 0.0, 0.0], [0.0, 1.91, 0.55]),
    ] {
        assert!((site.tip_at(&q) - sudar::DVec3::from(at)).length() < 1e-12);
    }
    let limits = site.cell.robot().limits();
    assert_eq!(limits.iter().map(|limits| limits.upper).collect::<Vec<_>>(), arm::LIMITS);
}

/// That pair is left out: the limits of the shoulder keep it apart.
#[test]
fn the_upper_arm_is_off_the_foot_at_every_angle() {
    let site = Site::own().unwrap();
    let robot = site.cell.robot();
    let [foot, upper] = ["foot", "upper arm"].map(|name| robot.link(name).unwrap());
    let bodies = [foot, upper].map(|link| robot.link_body(link).unwrap().unwrap());
    for k in 0..=100 {
        let angle = arm::LIMITS[1] * (0.02 * f64::from(k) - 1.0);
        let poses = site.links(&[0.0, angle, 0.0, 0.0, 0.0, 0.0]);
        let placed = [bodies[0].at(&poses[foot]), bodies[1].at(&poses[upper])];
        assert!(!sudar::query::intersects(placed[0], placed[1]).is_touching());
    }
}

#[test]
fn keys_turn_the_joint_that_is_chosen_within_its_limits() {
    let mut demo = begun();
    demo.step(&Input::of_keys(&[Key::Num3]), 0.0);
    let before = demo.settings.poses[0][2];
    (0..60).for_each(|_| demo.step(&Input::of_held(&[Key::ArrowRight]), STEP));
    assert!((demo.settings.poses[0][2] - before - PACE).abs() < 1e-9);
    (0..600).for_each(|_| demo.step(&Input::of_held(&[Key::ArrowRight]), STEP));
    assert_eq!(demo.settings.poses[0][2], arm::LIMITS[2]);
}

#[test]
fn nearest_points_are_as_far_apart_as_it_says() {
    let demo = begun();
    assert_eq!(demo.known.nearest.iter().flatten().count(), 6);
    for near in demo.known.nearest.iter().flatten() {
        assert!(near.signed.lower > 0.0 && near.signed.upper - near.signed.lower < 1e-9, "{near:?}");
        assert!((near.point.distance(near.other_point) - near.signed.upper).abs() < 1e-9, "{near:?}");
    }
}

#[test]
fn the_straight_way_is_blocked_by_the_pillar_and_a_path_leads_round_it() {
    let mut demo = begun();
    let straight = demo.known.straight.as_ref().unwrap();
    assert!((0.05..0.95).contains(&straight.free_until()));
    assert!(demo.status().iter().any(|line| line.contains("touches pillar")), "{:?}", demo.status());
    wait(&mut demo, 60);
    let plan = demo.known.search.best.as_ref().unwrap();
    assert!(plan.is_certified() && plan.edges.len() > 1);
    // Nowhere on it is anything touched.
    let along: Vec<f64> = (0..=200).map(|k| f64::from(k) / 200.0).collect();
    let way = demo.known.way.as_ref().unwrap();
    let rows: Vec<f64> = along.iter().flat_map(|along| way.at(*along)).collect();
    assert!(site(&demo).cell.check(&rows, &sudar::query::Batch::default()).unwrap().iter().all(|free| *free));
    // A way to where the arm is is free and straight.
    demo.settings.along = 0.0;
    wait(&mut demo, 1);
    demo.step(&Input::of_keys(&[Key::G]), 0.0);
    demo.settings.plans = false;
    wait(&mut demo, 1);
    assert!(demo.known.straight.as_ref().unwrap().answer.is_free());
}

#[test]
fn equal_poses_have_equal_paths() {
    let found = || {
        let mut demo = begun();
        wait(&mut demo, 80);
        demo.known.search.best.unwrap().waypoints
    };
    assert_eq!(found(), found());
    // So has the way back and forth again.
    let mut demo = begun();
    wait(&mut demo, 80);
    demo.settings.poses[1][0] = -0.6;
    wait(&mut demo, 80);
    demo.settings.poses[1][0] = arm::POSES[1][0];
    wait(&mut demo, 80);
    assert_eq!(demo.known.search.best.unwrap().waypoints, found());
}

#[test]
fn more_searches_make_no_path_longer_and_end() {
    let mut demo = begun();
    demo.settings.tries = 6;
    let mut lengths = Vec::new();
    for _ in 0..60 {
        wait(&mut demo, 1);
        lengths.extend(demo.known.search.best.as_ref().map(|plan| plan.length));
    }
    assert_eq!(demo.known.search.tries, 6);
    assert!(lengths.windows(2).all(|pair| pair[1] <= pair[0]));
}

#[test]
fn a_pose_in_contact_is_said_in_words_and_the_arm_stays_at_the_start() {
    let mut demo = begun();
    // The goal is in the table.
    demo.settings.poses[1] = vec![0.4, 1.8, 0.9, 0.0, 0.0, 0.0];
    wait(&mut demo, 10);
    let lines = demo.status();
    let says = |words: &str| lines.iter().any(|line| line.contains(words));
    assert!(says("no path: the goal is in contact: ") && says("'table'"), "{lines:?}");
    assert_eq!(demo.known.now, demo.settings.poses[0]);
    assert!(!lines.iter().any(|line| line.contains('\n')));
    let mut none = search::Search::default();
    none.tries = 3;
    assert!(none.says(3).starts_with("no path in 3 searches of 60 rounds; there may be one"));
    demo.settings.poses[1] = arm::POSES[1].to_vec();
    wait(&mut demo, 60);
    assert!(demo.status().iter().any(|line| line.starts_with("path:")), "{:?}", demo.status());
}

/// Input with the pointer at a place where the camera sees a point.
fn pointing(camera: &Camera, at: sudar::DVec3, is_down: bool) -> Input {
    let mut input = Input::of_held(&[]);
    input.pointer.at = camera.project(at, input.pointer.aspect);
    input.pointer.down = is_down;
    input
}

#[test]
fn the_tip_follows_the_pointer_and_the_path_follows_it() {
    let mut demo = begun();
    let camera = demo.orbit.camera();
    for pose in [1, 0] {
        let (start, other) = (tip(&demo, pose), demo.settings.poses[1 - pose].clone());
        let [_, up] = camera.axes();
        demo.step(&pointing(&camera, start, true), STEP);
        for k in 1..=20 {
            demo.step(&pointing(&camera, start + up * 0.01 * f64::from(k), true), STEP);
        }
        let end = tip(&demo, pose);
        assert!(end.distance(start + up * 0.2) < 1e-3, "{end} {start}");
        // The view is not turned, nor the other pose moved.
        assert_eq!((demo.orbit.camera(), &demo.settings.poses[1 - pose]), (camera, &other));
        demo.step(&pointing(&camera, end, false), STEP);
        assert_eq!(demo.tips.last, pose);
    }
    wait(&mut demo, 60);
    assert_eq!(demo.tips.drags, 2);
    let waypoints = &demo.known.search.best.as_ref().unwrap().waypoints;
    assert!(waypoints.starts_with(&demo.settings.poses[0]) && waypoints.ends_with(&demo.settings.poses[1]));
    assert!(demo.tasks()[1].is_done);
}

#[test]
fn a_tip_that_is_dragged_out_of_reach_points_there_within_limits_and_comes_back() {
    let mut demo = begun();
    let camera = demo.orbit.camera();
    let start = tip(&demo, 1);
    let shoulder = sudar::DVec3::Z * 0.55;
    demo.step(&pointing(&camera, start, true), STEP);
    let [right, up] = camera.axes();
    for way in [right * -3.0 + up, right * -3.0 + up * 3.0, up * 4.0] {
        let point = start + way;
        (0..40).for_each(|_| demo.step(&pointing(&camera, point, true), STEP));
        let pose = &demo.settings.poses[1];
        assert!(pose.iter().zip(arm::LIMITS).all(|(q, most)| q.abs() <= most));
        // Stretched, with the pointer straight on.
        let (arm, wanted) = (tip(&demo, 1) - shoulder, point - shoulder);
        assert!(arm.length() > 1.85 && arm.angle_between(wanted) < 0.3, "{arm} {wanted}");
    }
    (0..60).for_each(|_| demo.step(&pointing(&camera, start, true), STEP));
    assert!(tip(&demo, 1).distance(start) < 0.01, "{} {start}", tip(&demo, 1));
}

#[test]
fn beside_the_balls_the_view_is_turned() {
    let mut demo = begun();
    let (camera, poses) = (demo.orbit.camera(), demo.settings.poses.clone());
    let mut input = pointing(&camera, sudar::DVec3::new(0.0, 0.0, -0.5), true);
    input.pointer.drag = egui::Vec2::new(30.0, 0.0);
    demo.step(&input, STEP);
    assert!(demo.orbit.camera() != camera && demo.settings.poses == poses);
}

/// Two links of half a metre on a base that stands on the floor.
const ARM: &str = r#"<robot name="two">
    <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
    <link name="lower"><collision><origin xyz="0 0 0.25"/><geometry><box size="0.06 0.06 0.4"/></geometry></collision>
        <collision><geometry><mesh filename="package://two/lower.stl"/></geometry></collision></link>
    <link name="upper"><collision><origin xyz="0 0 0.25"/><geometry><box size="0.06 0.06 0.4"/></geometry></collision>
    </link>
    <link name="hand"/>
    <joint name="turn" type="continuous"><parent link="base"/><child link="lower"/><origin xyz="0 0 0.12"/>
        <axis xyz="0 0 1"/></joint>
    <joint name="bend" type="revolute"><parent link="lower"/><child link="upper"/><origin xyz="0 0 0.5"/>
        <axis xyz="0 1 0"/><limit lower="-2.5" upper="2.5" velocity="1" effort="1"/></joint>
    <joint name="end" type="fixed"><parent link="upper"/><child link="hand"/><origin xyz="0 0 0.5"/></joint>
</robot>"#;

#[test]
fn a_dropped_robot_stands_among_the_obstacles_and_is_planned_for() {
    let mut demo = begun();
    demo.open("two.urdf", ARM.as_bytes()).unwrap();
    wait(&mut demo, 80);
    let lines = demo.status();
    assert_eq!(lines[0], "two: 2 joints");
    assert!(lines[1].contains("mesh package://two/lower.stl is not found"), "{lines:?}");
    assert!(demo.known.search.best.as_ref().unwrap().is_certified(), "{lines:?}");
    assert!(tip(&demo, 0).distance(tip(&demo, 1)) > 0.3);
    // Its base stands on the floor and is not told as what is nearest.
    assert!(demo.known.nearest[0].is_none() && demo.known.nearest[1].is_some());
    // It is smaller than the arm of the laboratory, and so is all around it.
    assert!((0.4..0.6).contains(&site(&demo).size));
    // Its joints are no options, so that a link leads to the arm of the laboratory.
    let names = options::values(|visit| demo.options(visit));
    assert!(names.iter().all(|(name, _)| !name.starts_with("joint")));
    demo.begin().unwrap();
    assert_eq!(demo.status()[0], "two: 2 joints");
}

#[test]
fn an_mjcf_is_a_robot_too() {
    let mut demo = begun();
    let text =
        br#"<mujoco model="rod"><worldbody><body name="rod" pos="0 0 0.5"><joint name="turn" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03"/><body name="end" pos="0.5 0 0">
        <joint name="bend" axis="0 1 0"/><geom size="0.05"/></body></body></worldbody></mujoco>"#;
    demo.open("rod.xml", text).unwrap();
    wait(&mut demo, 20);
    assert_eq!((demo.status()[0].as_str(), &demo.problem), ("rod: 2 joints", &None));
}

#[test]
fn a_file_that_is_no_robot_is_refused_in_one_line_and_nothing_changes() {
    let mut demo = begun();
    wait(&mut demo, 20);
    let before = (demo.status(), demo.settings.clone());
    let still = r#"<robot name="stone"><link name="stone"/></robot>"#;
    let cut = &ARM[..ARM.len() / 2];
    for text in ["", "nothing", "<html></html>", "<robot name='a'>", "<robot name='a'/>", cut, still] {
        let error = demo.open("a.urdf", text.as_bytes()).unwrap_err().0;
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    }
    assert!(demo.open("a.urdf", b"\xff").is_err());
    assert_eq!((demo.status(), demo.settings.clone()), before);
    // Nor is a robot lost that was dropped before.
    demo.open("two.urdf", ARM.as_bytes()).unwrap();
    assert!(demo.open("a.urdf", cut.as_bytes()).is_err());
    assert_eq!(demo.status()[0], "two: 2 joints");
}

/// Two links with joints of a kind, of a size in metres.
fn odd(kind: &str, size: f64) -> String {
    format!(
        r#"<robot name="odd"><link name="base"><collision><geometry><box size="{size} {size} {size}"/></geometry>
        </collision></link><link name="ball"><collision><geometry><sphere radius="{size}"/></geometry></collision></link>
        <link name="end"><collision><geometry><box size="{size} {size} {size}"/></geometry></collision></link>
        <joint name="a" type="{kind}"><parent link="base"/><child link="ball"/><origin xyz="0 0 {size}"/></joint>
        <joint name="b" type="{kind}"><parent link="ball"/><child link="end"/><origin xyz="{size} 0 {size}"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"#
    )
}

#[test]
fn robots_of_any_size_with_any_joints_are_shown_and_dragged() {
    for (kind, size) in ["revolute", "prismatic", "continuous", "planar", "floating"]
        .into_iter()
        .flat_map(|kind| [1e-7, 1e-2, 1e3, 1e40].map(|size| (kind, size)))
    {
        let mut demo = begun();
        demo.open("odd.urdf", odd(kind, size).as_bytes()).unwrap();
        for k in 0..30 {
            let camera = demo.orbit.camera();
            let at = tip(&demo, 1) + sudar::DVec3::splat(0.05 * size * f64::from(k));
            demo.step(&pointing(&camera, at, k < 28), STEP);
            let mut scene = Scene::new(camera);
            demo.draw(&mut scene);
            assert!(scene.labels.iter().all(|label| label.at.is_finite()));
        }
        let limits = site(&demo).cell.robot().within_limits(&demo.settings.poses.concat(), 0.0).unwrap();
        assert!(demo.problem.is_none() && limits == [true, true], "{kind} {size} {:?}", demo.problem);
    }
}
