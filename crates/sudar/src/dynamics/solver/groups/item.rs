//! What the solver puts in order.

/// A patch of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item {
    pub pair: u32,
    pub patch: u32,
    /// Contacts in it, 1 to 4.
    pub count: u32,
    pub bodies: [u32; 2],
    /// Whether it presses or pressed.
    pub is_closed: bool,
    /// Whether the bodies are as near as if they pressed.
    pub is_near: bool,
}
