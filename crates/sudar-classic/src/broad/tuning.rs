//! Parameters of octrees and quad trees.

/// Parameters of octrees and quad trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// Most boxes in a leaf that is not divided, at least 1. 32 was best in Dimitrijević 2019.
    pub leaf_size: usize,
    /// Deepest level, at most 21; the root is level 0.
    pub depth: u32,
    /// Whether `octree-dup` leaves a leaf whole where its children would hold more than twice as many entries. Off in
    /// Dimitrijević 2019, where leaves are divided down to the deepest level.
    pub spares_copies: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { leaf_size: 32, depth: 10, spares_copies: false }
    }
}
