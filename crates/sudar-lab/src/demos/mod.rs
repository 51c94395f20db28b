//! The demos.

mod boxes;
mod cars;
mod explorer;
mod gearbox;
mod microscope;
mod overlay;
mod random;
mod robot;
mod theatre;
mod tunnel;

use sudar_view::Orbit;

use crate::demo::Entry;
use crate::input::Pointer;

/// All of them, as the gallery shows them.
pub const ALL: [Entry; 10] = [
    explorer::ENTRY,
    theatre::ENTRY,
    microscope::ENTRY,
    boxes::CUBES,
    boxes::OBJECTS,
    boxes::FIGHTER,
    tunnel::TUNNEL,
    cars::ENTRY,
    robot::ENTRY,
    gearbox::ENTRY,
];

/// The demo of that name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

/// All names, in words.
pub fn names() -> String {
    ALL.map(|entry| entry.name).join(", ")
}

/// What turns a camera that goes round a point, for the help.
const ORBIT_KEYS: [[&str; 2]; 3] =
    [["drag", "Turn the view"], ["wheel, two fingers", "Nearer, farther"], ["right drag", "Move the view"]];

/// Turns, moves and zooms a camera by what the pointer does.
fn turn(orbit: &mut Orbit, pointer: &Pointer) {
    orbit.turn(-0.008 * f64::from(pointer.drag.x), 0.008 * f64::from(pointer.drag.y));
    orbit.pan(f64::from(pointer.pan.x), f64::from(pointer.pan.y));
    orbit.zoom(pointer.zoom);
}
