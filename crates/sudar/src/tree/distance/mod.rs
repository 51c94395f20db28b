//! Two trees at once: bounds on distances, and the search for the least.

pub(super) mod leaf_bounds;
pub(super) mod leaf_kernel;
pub(super) mod nearest_search;
pub(super) mod obb_kernel;
pub(super) mod obb_pair;
pub(super) mod obb_wide;
