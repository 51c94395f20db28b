//! Pictures of the bumper cars.

use crate::gl;

fn is_yellow([r, g, b]: [u8; 3]) -> bool {
    r > 120 && g > 100 && u32::from(b) * 2 < u32::from(g)
}

#[test]
fn the_own_car_is_large_from_behind_and_small_from_above() {
    if !gl::is_there() {
        return;
    }
    let chase = gl::picture("#bumper-cars&tests=off", 30);
    let top = gl::picture("#bumper-cars&tests=off&view=top", 30);
    let [near, far] = [&chase, &top].map(|picture| gl::count(picture, is_yellow));
    assert!(near > 3000 && (50..1000).contains(&far), "{near} {far}");
    // From above the floor is in the middle and nothing in the corners.
    let corner = top.at(5, 5);
    assert!(top.at(320, 180)[0] > corner[0] + 30, "{corner:?}");
}

#[test]
fn equal_runs_make_equal_pictures() {
    if gl::is_there() {
        let [a, b] = [(); 2].map(|()| gl::picture("#bumper-cars&autopilot=on", 90));
        assert!(a == b);
    }
}
