//! The distance of two convex bodies: GJK, and Newton's method between round ones.

pub(super) mod boundary;
mod fan;
pub(super) mod gjk;
pub(super) mod gjk_answer;
mod gjk_approach;
pub(super) mod gjk_memory;
pub(super) mod gjk_search;
pub(super) mod newton;
pub(super) mod refine;
pub(super) mod simplex;
mod supporting_plane;
