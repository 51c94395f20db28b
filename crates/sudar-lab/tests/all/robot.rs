//! Pictures of the robot arm.

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
    let free = gl::picture("#robot-arm&course=off&goal-1=-0.75", 3);
    let near = gl::picture("#robot-arm&course=off&goal-1=-0.75&joint-1=0.12&joint-2=0.7", 3);
    assert!(gl::count(&free, is_green) > 200);
    let [before, after] = [&free, &near].map(|picture| gl::count(picture, is_red));
    assert!(after > before + 150, "{before} {after}");
}

#[test]
fn a_blocked_way_is_marked() {
    if !gl::is_there() {
        return;
    }
    let [without, with] = ["off", "on"].map(|on| gl::picture(&format!("#robot-arm&course={on}"), 3));
    let [before, after] = [&without, &with].map(|picture| gl::count(picture, is_red));
    assert!(after > before + 100, "{before} {after}");
}
