//! Pictures of the explorer.

use crate::gl;

fn is_yellow([r, g, b]: [u8; 3]) -> bool {
    r > 150 && g > 140 && b < 110
}

fn is_green([r, g, b]: [u8; 3]) -> bool {
    r < 60 && g > 110 && b > 60 && b < g
}

fn is_vermilion([r, g, b]: [u8; 3]) -> bool {
    r > 150 && g < 130 && b < 60
}

fn is_blue([r, _, b]: [u8; 3]) -> bool {
    b > 90 && i32::from(b) > i32::from(r) + 60
}

/// Nothing but what the switch draws changes the number of pixels of its colour.
#[test]
fn every_overlay_shows() {
    if !gl::is_there() {
        return;
    }
    let link = "#explorer&objects=200&algorithm=octree&resolution=off&drawing=off";
    let bare = gl::picture(link, 20);
    type Like = fn([u8; 3]) -> bool;
    for (switch, is_like, least) in [
        ("boxes=on", is_yellow as Like, 500),
        ("cells=on&level=2", is_green, 500),
        ("pairs=on&size=3&container=12", is_vermilion, 200),
        ("ends=on", |[r, g, b]| r > 200 && g > 140 && b < 60, 15),
    ] {
        let shown = gl::picture(&format!("{link}&{switch}"), 20);
        let [before, after] = [&bare, &shown].map(|picture| gl::count(picture, is_like));
        assert!(after > before + least, "{switch}: {before} {after}");
    }
}

#[test]
fn boxes_are_drawn_and_not_drawn() {
    if gl::is_there() {
        let [on, off] = ["on", "off"].map(|d| gl::picture(&format!("#explorer&objects=300&drawing={d}"), 10));
        assert!(gl::count(&on, is_blue) > 20_000 && gl::count(&off, is_blue) < 2000);
    }
}

#[test]
fn lamps_give_light() {
    if gl::is_there() {
        let bright = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b);
        let sum = |link: &str| {
            let picture = gl::picture(link, 5);
            picture.rgba.chunks_exact(4).map(|p| u64::from(bright([p[0], p[1], p[2]]))).sum::<u64>()
        };
        assert!(sum("#explorer&lamps=8") > sum("#explorer&lamps=0") * 102 / 100);
    }
}

#[test]
fn equal_runs_make_equal_pictures() {
    if gl::is_there() {
        let [a, b] = [(); 2].map(|()| gl::picture("#explorer&objects=2000&algorithm=sap&lamps=3", 30));
        assert!(a == b);
    }
}
