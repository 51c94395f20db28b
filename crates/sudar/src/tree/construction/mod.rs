//! Building trees, and fitting them to vertices that have moved.

pub(super) mod build;
pub(super) mod layout;
pub(super) mod oriented_build;
pub(super) mod refit;
