//! Contacts in groups of eight that share no body.

pub(super) mod divide;
pub(super) mod item;
pub(super) mod lanes;
pub(super) mod neighbours;
pub(super) mod order;

/// Groups that a thread takes at a time.
pub(super) const PIECE: usize = 32;
