//! The depth of two overlapping convex bodies.

pub(super) mod axes;
pub(super) mod coaxial;
pub(super) mod concentric;
pub(super) mod descent;
pub(super) mod expanding;
pub(super) mod expanding_faces;
pub(super) mod first_tetrahedron;
pub(super) mod penetration;
