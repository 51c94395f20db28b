//! The demos.

mod boxes;
mod cars;
mod explorer;
mod gearbox;
mod hand;
mod joints;
mod level;
mod microscope;
mod orbit;
mod overlay;
mod picking;
mod random;
mod robot;
mod robot_file;
mod tape;
mod theatre;
mod tunnel;

use crate::demo::Entry;

/// All of them, as the gallery shows them.
pub const ALL: [Entry; 13] = [
    explorer::ENTRY,
    theatre::ENTRY,
    microscope::ENTRY,
    picking::ENTRY,
    boxes::CUBES,
    boxes::OBJECTS,
    boxes::FIGHTER,
    joints::ENTRY,
    level::ENTRY,
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
