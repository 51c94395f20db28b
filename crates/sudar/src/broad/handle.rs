//! Handles of objects in a broad phase.

/// Handle of an object in a broad phase or a collision manager, or of a body in a world.
///
/// A number is used again after its object was removed, then with the next generation; so a handle that was
/// kept too long is refused and never means another object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    pub(crate) index: u32,
    pub(crate) generation: u32,
    /// The world that gave it; zero of broad phases.
    pub(crate) world: u32,
}

impl Handle {
    /// Number of the object among those that live: its place in lists of pairs.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many objects had this number before.
    pub fn generation(self) -> u32 {
        self.generation
    }
}

/// Whether an object may move. Two that may not are never reported as a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mobility {
    /// It moves, or may.
    #[default]
    Moving,
    /// It stays for long. It can be moved, at a higher price.
    Static,
}
