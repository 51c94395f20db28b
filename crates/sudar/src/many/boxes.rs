//! A hierarchy over the boxes of all objects.

use crate::broad::Handle;
use crate::query::Halving;

/// The boxes of all objects, halved again and again.
pub(super) struct BoxTree {
    pub handles: Vec<Handle>,
    pub halving: Halving,
}
