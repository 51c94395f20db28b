//! The demos.

mod boxes;

use crate::demo::Entry;

/// All of them, as the gallery shows them.
pub const ALL: [Entry; 1] = [boxes::CUBES];

/// The demo of that name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

/// All names, in words.
pub fn names() -> String {
    ALL.map(|entry| entry.name).join(", ")
}
