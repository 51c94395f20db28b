//! Pictures of the level.

use egui::Key;

use crate::gl;

/// The player, in the light and in the shade.
fn is_player([r, g, b]: [u8; 3]) -> bool {
    r > 120 && g > 110 && u32::from(b) * 2 < u32::from(g)
}

#[test]
fn the_player_is_seen_from_behind_and_walks() {
    if !gl::is_there() {
        return;
    }
    let mut lab = gl::lab("#level");
    let first = gl::go_on(&mut lab, Vec::new(), 20);
    let later = gl::go_on(&mut lab, gl::press(Key::W), 60);
    for picture in [&first, &later] {
        let count = gl::count(picture, is_player);
        assert!((1000..20_000).contains(&count), "{count}");
    }
    assert!(gl::difference(&first, &later) > 20_000);
}

/// Whatever stands around, the camera sees the player.
#[test]
fn the_player_is_seen_all_along_its_course() {
    if !gl::is_there() {
        return;
    }
    let mut lab = gl::lab("#level&play=on&names=off");
    gl::go_on(&mut lab, Vec::new(), 2);
    let mut hidden = 0;
    for _ in 0..40 {
        (0..39).for_each(|_| lab.advance(Vec::new()));
        let picture = gl::go_on(&mut lab, Vec::new(), 1);
        hidden += u32::from(gl::count(&picture, is_player) < 200);
    }
    // Doors and dolls are no walls: what is pushed may be before it.
    assert!(hidden <= 2, "{hidden}");
}

#[test]
fn equal_runs_make_equal_pictures() {
    if gl::is_there() {
        let [a, b] = [(); 2].map(|()| gl::picture("#level&play=on", 420));
        assert!(a == b);
    }
}
