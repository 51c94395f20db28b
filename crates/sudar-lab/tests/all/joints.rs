//! The scenes of joints, by what they say and show.

use egui::Key;
use sudar_lab::{Demo, Input, Lab, Link};

use crate::gl;

const SCENES: [&str; 7] = ["bridge", "ragdolls", "car", "squeezer", "crane", "cloth", "robot"];

/// Steps a scene with keys held, and gives its lines at the end.
fn run(scene: &str, keys: &[Key], frames: u32) -> Vec<String> {
    let mut lab = Lab::default();
    lab.go(&Link::read(&format!("#joints&scene={scene}"))).unwrap();
    let demo = lab.demo().unwrap();
    hold(demo, keys, frames);
    demo.status()
}

fn hold(demo: &mut dyn Demo, keys: &[Key], frames: u32) {
    (0..frames).for_each(|_| demo.step(&Input::of_held(keys), 1.0 / 60.0));
}

/// The number behind some words in a line.
fn number(lines: &[String], words: &str) -> f64 {
    let rest = lines.iter().find_map(|line| Some(line.split_once(words)?.1)).unwrap();
    rest.trim().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn five_seconds_of_each_scene_leave_no_gap() {
    for scene in SCENES {
        let lines = run(scene, &[], 300);
        // A micrometre, where joints are solved by iterations.
        let gap = number(&lines, "on the way");
        assert!(gap < 1e-6, "{scene}: {lines:?}");
        assert!(lines.iter().all(|line| !line.contains("stopped") && !line.contains("NaN")), "{lines:?}");
    }
}

#[test]
fn keys_drive_the_car() {
    let still = number(&run("car", &[], 200), "km/h,");
    let driven = number(&run("car", &[Key::ArrowUp], 200), "km/h,");
    assert!(still < 1.0 && driven > 10.0, "{still} {driven}");
}

#[test]
fn keys_raise_and_lower_the_load() {
    let [up, none, down] = [Some(Key::ArrowUp), None, Some(Key::ArrowDown)]
        .map(|key| number(&run("crane", key.as_slice(), 150), "load lifted by"));
    assert!(up > 1.5 && none.abs() < 0.01 && down < -1.0, "{up} {none} {down}");
}

#[test]
fn the_squeezer_ends_with_the_published_angles() {
    let lines = run("squeezer", &[], 310);
    assert!(number(&lines, "by at most") < 1e-2, "{lines:?}");
}

#[test]
fn what_begins_anew_goes_the_same_way() {
    for scene in SCENES {
        let mut lab = Lab::default();
        lab.go(&Link::read(&format!("#joints&scene={scene}"))).unwrap();
        let demo = lab.demo().unwrap();
        let keys = [Key::ArrowUp, Key::ArrowLeft];
        hold(demo, &keys, 60);
        let first = demo.status();
        demo.begin().unwrap();
        hold(demo, &keys, 60);
        assert_eq!(demo.status(), first, "{scene}");
    }
}

#[test]
fn every_scene_is_seen_and_moves() {
    if !gl::is_there() {
        return;
    }
    for scene in SCENES {
        let mut lab = gl::lab(&format!("#joints&scene={scene}"));
        let first = gl::go_on(&mut lab, Vec::new(), 2);
        let drive = gl::press(Key::ArrowLeft);
        let later = gl::go_on(&mut lab, drive, 60);
        assert!(gl::difference(&first, &later) > 800, "{scene}");
    }
}

#[test]
fn joints_are_drawn_over_bodies_if_wanted() {
    if !gl::is_there() {
        return;
    }
    let [with, without] =
        ["on", "off"].map(|joints| gl::picture(&format!("#joints&scene=bridge&joints={joints}"), 3));
    let yellow = |picture| gl::count(picture, gl::near([240, 228, 66], 40));
    assert!(yellow(&with) > yellow(&without) + 200);
}

#[test]
fn equal_runs_make_equal_pictures() {
    if gl::is_there() {
        let [a, b] = [(); 2].map(|()| gl::picture("#joints&scene=ragdolls", 80));
        assert!(a == b);
    }
}
