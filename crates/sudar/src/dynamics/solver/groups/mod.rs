//! Contacts in groups of eight that share no body.

pub(super) mod divide;
pub(super) mod item;
pub(super) mod lanes;
pub(super) mod neighbours;
pub(super) mod order;

/// Bodies, pairs or groups that are worth a second thread.
pub(super) const PIECE: usize = 16;
