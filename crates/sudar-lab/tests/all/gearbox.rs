//! Pictures of the gearbox.

use crate::gl;

fn is_planet([r, g, b]: [u8; 3]) -> bool {
    r > 100 && u32::from(g) * 3 > u32::from(r) && u32::from(b) * 3 < u32::from(g)
}

#[test]
fn a_whole_housing_hides_what_a_clear_one_shows() {
    if !gl::is_there() {
        return;
    }
    let [whole, clear] =
        ["whole", "clear"].map(|housing| gl::picture(&format!("#gearbox&apart=0&housing={housing}"), 3));
    let [before, after] = [&whole, &clear].map(|picture| gl::count(picture, is_planet));
    assert!(after > before + 50, "{before} {after}");
}

#[test]
fn a_fault_is_in_the_middle_and_ringed() {
    if !gl::is_there() {
        return;
    }
    let picture = gl::picture("#gearbox&apart=0&fault=4", 3);
    let is_red = |x: u32, y: u32| {
        let [r, g, b, _] = picture.at(x, y);
        r > 180 && u32::from(g) * 2 < u32::from(r) + 20 && b < 60
    };
    // The ring crosses the row through the middle on either side.
    let row: Vec<u32> = (0..640).filter(|x| is_red(*x, 180)).collect();
    assert!(row.iter().any(|x| *x < 310) && row.iter().any(|x| *x > 330), "{row:?}");
}
