//! Pictures of the pair microscope.

use sudar::DVec3;
use sudar_classic::look::System;
use sudar_view::{Camera, Scene};

use crate::gl;

fn is_blue([r, g, b]: [u8; 3]) -> bool {
    u32::from(b) > 110 && u32::from(b) > 2 * u32::from(r) && g > 60
}

fn is_orange([r, g, b]: [u8; 3]) -> bool {
    r > 120 && u32::from(g) * 3 > u32::from(r) && u32::from(b) * 3 < u32::from(g)
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 110 && u32::from(g) * 2 < u32::from(r) + 20 && u32::from(b) * 3 < u32::from(r)
}

#[test]
fn both_bodies_are_seen_and_what_meets_is_red() {
    if !gl::is_there() {
        return;
    }
    let bare = "#microscope&plane=off&impact=off&handle=none&model-a=box&model-b=torus";
    let apart = gl::picture(bare, 3);
    assert!(gl::count(&apart, is_blue) > 1500 && gl::count(&apart, is_orange) > 1500);
    let meeting = gl::picture(&format!("{bare}&along=0.8"), 3);
    let [before, after] = [&apart, &meeting].map(|picture| gl::count(picture, is_red));
    assert!(after > before + 500, "{before} {after}");
}

#[test]
fn every_system_draws_its_volumes() {
    if !gl::is_there() {
        return;
    }
    let bare = "#microscope&plane=off&impact=off&handle=none&level=2";
    let without = gl::picture(bare, 3);
    let systems = System::ALL.map(System::name);
    for system in std::iter::once("engine").chain(systems) {
        let with = gl::picture(&format!("{bare}&system={system}"), 3);
        let pairs = with.rgba.chunks_exact(4).zip(without.rgba.chunks_exact(4));
        let changed = pairs.filter(|(a, b)| a != b).count();
        assert!(changed > 800, "{system}: {changed}");
    }
}

/// Two boxes that are 0.5 m apart along x, and the same 0.1 m deep in each other.
const APART: &str = "#microscope&model-a=box&model-b=box&contacts=off&distance=off&plane=off&impact=off&handle=none\
    &b-x=2.3&b-y=0.1&b-z=0.05&b-turn-x=0&b-turn-y=0&end-x=0.5&end-y=0.1&end-z=0.05&end-turn-x=0&end-turn-y=0&end-turn-z=0";
const DEEP: &str = "#microscope&model-a=box&model-b=box&contacts=off&distance=off&plane=off&impact=off&handle=none\
    &b-x=1.7&b-y=0.1&b-z=0.05&b-turn-x=0&b-turn-y=0";

#[test]
fn every_answer_shows() {
    if !gl::is_there() {
        return;
    }
    type Like = fn([u8; 3]) -> bool;
    let is_white: Like = |[r, g, b]| r > 235 && g > 235 && b > 235;
    let is_green: Like = |[r, g, b]| g > 110 && r < 60 && b < g;
    let is_yellow: Like = |[r, g, b]| r > 150 && r.abs_diff(g) < 40 && b < 130;
    let is_purple: Like = |[r, g, b]| r > 150 && b > 110 && g < 140;
    for (link, switch, is_like, least) in [
        (APART, "distance=on", is_white, 60),
        (APART, "minima=on&reach=1", is_green, 60),
        (APART, "plane=on", is_green, 60),
        (APART, "impact=on", is_yellow, 60),
        (APART, "handle=b", is_green, 60),
        (DEEP, "first-hit=on", is_red, 60),
        (DEEP, "contacts=on", is_yellow, 60),
        (DEEP, "manifold=on", is_green, 60),
        (DEEP, "penetration=on", is_purple, 30),
        (DEEP, "system=rapid&walk=on&visit=1", is_yellow, 60),
        (DEEP, "difference=on&method=gjk", is_orange, 60),
    ] {
        let [without, with] = [link.to_owned(), format!("{link}&{switch}")].map(|link| gl::picture(&link, 3));
        let [before, after] = [&without, &with].map(|picture| gl::count(picture, is_like));
        assert!(after > before + least, "{switch}: {before} {after}");
    }
}

/// The camera of what is shown.
fn camera(headless: &mut sudar_lab::native::Headless) -> Camera {
    let mut scene = Scene::new(Camera::look_at(DVec3::NEG_Y, DVec3::ZERO));
    headless.lab.demo().unwrap().draw(&mut scene);
    scene.camera
}

/// The curve of the two boxes goes around where a face of one is in the other: through (0.9, 0.1, 0.45) among others.
#[test]
fn contacts_are_drawn_where_they_are() {
    if !gl::is_there() {
        return;
    }
    let mut headless = gl::lab(&format!("{DEEP}&contacts=on"));
    let picture = gl::go_on(&mut headless, Vec::new(), 3);
    let camera = camera(&mut headless);
    let [width, height] = gl::SIZE.map(f64::from);
    for at in [DVec3::new(0.9, 0.1, 0.45), DVec3::new(0.8, 0.1, 0.45)] {
        let [x, y] = camera.project(at, width / height).unwrap();
        let [x, y] = [0.5 * width * (1.0 + x), 0.5 * height * (1.0 - y)].map(|pixel| pixel as u32);
        let near = (x - 2..=x + 2).flat_map(|x| (y - 2..=y + 2).map(move |y| (x, y)));
        let is_curve = |[r, g, b, _]: [u8; 4]| r > 150 && g > 130 && b < 110;
        assert!(near.into_iter().any(|(x, y)| is_curve(picture.at(x, y))), "{at}: {x} {y}");
    }
}
