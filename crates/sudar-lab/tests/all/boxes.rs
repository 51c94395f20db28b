//! Pictures of the rooms of bodies.

use egui::{Event, PointerButton, pos2};

use crate::gl;

/// Of the first body, in the light.
const BLUE: [u8; 3] = [0, 114, 178];

#[test]
fn bodies_are_seen_in_each_room_and_move() {
    if !gl::is_there() {
        return;
    }
    for name in ["box-cubes", "box-objects", "box-fighter"] {
        let mut lab = gl::lab(name);
        let first = gl::go_on(&mut lab, Vec::new(), 2);
        let blue = gl::count(&first, gl::near(BLUE, 60));
        assert!(blue > 200, "{name}: {blue}");
        let later = gl::go_on(&mut lab, Vec::new(), 60);
        assert!(gl::difference(&first, &later) > 2000, "{name}");
    }
}

#[test]
fn equal_runs_make_equal_pictures() {
    if !gl::is_there() {
        return;
    }
    let run = || gl::go_on(&mut gl::lab("box-objects&faults=published"), Vec::new(), 40);
    assert_eq!(run(), run());
}

#[test]
fn a_body_that_is_clicked_goes_away() {
    if !gl::is_there() {
        return;
    }
    let button = |pressed| Event::PointerButton {
        pos: pos2(320.0, 180.0),
        button: PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    let run = |is_clicked: bool| {
        // One body in the middle of the picture.
        let mut lab = gl::lab("box-cubes&bodies=1");
        gl::go_on(&mut lab, vec![Event::PointerMoved(pos2(320.0, 180.0))], 2);
        if is_clicked {
            gl::go_on(&mut lab, vec![button(true)], 1);
            gl::go_on(&mut lab, vec![button(false)], 1);
        } else {
            gl::go_on(&mut lab, Vec::new(), 2);
        }
        gl::go_on(&mut lab, Vec::new(), 30)
    };
    let [left, clicked] = [false, true].map(run);
    assert!(gl::difference(&left, &clicked) > 300);
}
