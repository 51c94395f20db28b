//! Two trees at once: pairs of triangles that meet or come near.

pub(super) mod candidates;
mod crossing;
pub(super) mod dual;
pub(super) mod eight_pairs;
pub(super) mod frame;
pub(super) mod frame_pair;
pub(super) mod kernel;
pub(super) mod near_leaves;
pub(super) mod near_pairs;
pub(super) mod own_pairs;
pub(super) mod todo;
pub(super) mod traversal;
