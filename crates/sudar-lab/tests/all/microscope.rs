//! Pictures of the pair microscope.

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
    for system in ["engine", "sphere-tree", "solid", "rapid", "quickcd-26", "cd", "swift", "coldet"] {
        let with = gl::picture(&format!("{bare}&system={system}"), 3);
        let pairs = with.rgba.chunks_exact(4).zip(without.rgba.chunks_exact(4));
        let changed = pairs.filter(|(a, b)| a != b).count();
        assert!(changed > 800, "{system}: {changed}");
    }
}
