//! Pictures of the robot arm.

use egui::{Event, Key};
use sudar_lab::native::Headless;
use sudar_view::Scene;

use crate::gl;

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 100 && u32::from(g) * 2 < u32::from(r) + 10 && u32::from(b) * 3 < u32::from(r)
}

fn is_green([r, g, b]: [u8; 3]) -> bool {
    g > 90 && u32::from(g) > 2 * u32::from(r) && b < g
}

/// Where it stands at first the arm is free; where its way is blocked it is red.
#[test]
fn clearance_is_painted_on_the_arm() {
    if !gl::is_there() {
        return;
    }
    let free = gl::picture("#robot-arm&course=off&plan=off&along=0&goal-1=-0.75", 3);
    let near = gl::picture("#robot-arm&course=off&plan=off&along=0&goal-1=-0.75&joint-1=0.12&joint-2=0.7", 3);
    assert!(gl::count(&free, is_green) > 200);
    let [before, after] = [&free, &near].map(|picture| gl::count(picture, is_red));
    assert!(after > before + 150, "{before} {after}");
}

#[test]
fn a_blocked_way_is_marked() {
    if !gl::is_there() {
        return;
    }
    let [without, with] =
        ["off", "on"].map(|on| gl::picture(&format!("#robot-arm&plan=off&along=0&course={on}"), 3));
    let [before, after] = [&without, &with].map(|picture| gl::count(picture, is_red));
    assert!(after > before + 100, "{before} {after}");
}

/// The pixels that the path of the tip has.
fn is_path([r, g, b]: [u8; 3]) -> bool {
    gl::near([64, 182, 150], 8)([r, g, b])
}

#[test]
fn a_path_and_both_poses_are_seen() {
    if !gl::is_there() {
        return;
    }
    let link = |plan: &str| format!("#robot-arm&course=off&lines=off&along=0.5&plan={plan}");
    let [without, with] = ["off", "on"].map(|plan| gl::picture(&link(plan), 30));
    let [before, after] = [&without, &with].map(|picture| gl::count(picture, is_path));
    assert!(after > before + 300, "{before} {after}");
    // Blue where the way begins, purple where it ends.
    let is_start = |[r, g, b]: [u8; 3]| b > 110 && u32::from(r) * 3 < u32::from(b) * 2 && g < b;
    let is_goal = |[r, g, b]: [u8; 3]| r > 90 && u32::from(g) * 5 < u32::from(r) * 4 && g < b;
    assert!(gl::count(&with, is_start) > 1000 && gl::count(&with, is_goal) > 500);
}

#[test]
fn a_ball_that_is_dragged_takes_the_path_along() {
    if !gl::is_there() {
        return;
    }
    let mut headless = gl::lab("#robot-arm&along=0");
    let before = gl::go_on(&mut headless, Vec::new(), 30);
    let at = goal(&mut headless);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        pressed,
        button: egui::PointerButton::Primary,
        modifiers: egui::Modifiers::NONE,
    };
    gl::go_on(&mut headless, vec![Event::PointerMoved(at)], 1);
    gl::go_on(&mut headless, vec![button(at, true)], 2);
    let to = at + egui::vec2(25.0, -30.0);
    gl::go_on(&mut headless, vec![Event::PointerMoved(to)], 20);
    let after = gl::go_on(&mut headless, vec![button(to, false)], 40);
    assert!(gl::difference(&before, &after) > 2000);
    let moved = goal(&mut headless);
    assert!((moved - to).length() < 12.0, "{moved} {to}");
    let demo = headless.lab.demo().unwrap();
    assert!(demo.status().iter().any(|line| line.starts_with("path:")), "{:?}", demo.status());
}

/// Where the goal is in the picture.
fn goal(headless: &mut Headless) -> egui::Pos2 {
    let mut scene = Scene::new(sudar_view::Camera::look_at(sudar::DVec3::NEG_Y, sudar::DVec3::ZERO));
    headless.lab.demo().unwrap().draw(&mut scene);
    let label = scene.labels.iter().find(|label| label.text == "goal").unwrap();
    // The label is above the ball.
    let at = label.at - scene.camera.axes()[1] * 0.09;
    let [width, height] = gl::SIZE.map(f64::from);
    let [x, y] = scene.camera.project(at, width / height).unwrap();
    egui::pos2((0.5 * width * (1.0 + x)) as f32, (0.5 * height * (1.0 - y)) as f32)
}

#[test]
fn a_dropped_robot_is_seen_and_a_broken_one_is_a_line_over_the_same_picture() {
    if !gl::is_there() {
        return;
    }
    let mut headless = gl::lab("#robot-arm");
    let own = gl::go_on(&mut headless, Vec::new(), 60);
    headless.lab.open_file("broken.urdf", b"<robot name='a'><link name=");
    let message = gl::go_on(&mut headless, Vec::new(), 3);
    assert!(gl::difference(&own, &message) > 500);
    let again = gl::go_on(&mut headless, gl::press(Key::Escape), 3);
    assert!(gl::difference(&own, &again) < 100, "{}", gl::difference(&own, &again));
    let urdf = r#"<robot name="rod"><link name="base"/><link name="rod"><collision><origin xyz="0.4 0 0"/>
        <geometry><box size="0.8 0.1 0.1"/></geometry></collision></link><link name="end"/>
        <joint name="turn" type="continuous"><parent link="base"/><child link="rod"/><origin xyz="0 0 0.3"/>
        <axis xyz="0 0 1"/></joint>
        <joint name="tip" type="fixed"><parent link="rod"/><child link="end"/><origin xyz="0.8 0 0"/></joint></robot>"#;
    headless.lab.open_file("rod.urdf", urdf.as_bytes());
    let rod = gl::go_on(&mut headless, Vec::new(), 20);
    assert!(gl::difference(&own, &rod) > 5000);
    assert_eq!(headless.lab.demo().unwrap().status()[0], "rod: 1 joint");
}
