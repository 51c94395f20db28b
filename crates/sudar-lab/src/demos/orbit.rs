//! Looking at a demo from all sides.

use sudar_view::Orbit;

use crate::input::Pointer;

/// What turns a camera that goes round a point, for the help.
pub const KEYS: [[&str; 2]; 3] =
    [["drag", "Turn the view"], ["wheel, two fingers", "Nearer, farther"], ["right drag", "Move the view"]];

/// Turns, moves and zooms a camera by what the pointer does.
pub fn turn(orbit: &mut Orbit, pointer: &Pointer) {
    orbit.turn(-0.008 * f64::from(pointer.drag.x), 0.008 * f64::from(pointer.drag.y));
    orbit.pan(f64::from(pointer.pan.x), f64::from(pointer.pan.y));
    orbit.zoom(pointer.zoom);
}
