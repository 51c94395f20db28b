//! How deep bodies are in each other: each measure by its name and definition.
//!
//! There is no *the* depth of two bodies that are not convex. What is called so elsewhere is often the depth
//! of one pair of triangles, or of their boxes, which says nothing of the bodies. These are the measures of
//! this library, for bodies A and B:
//!
//! | measure | definition | for |
//! |---------|------------|-----|
//! | translational: [`penetration`](super::penetration()) | inf { \|v\| : A ∩ (B + v) has no inner point } | all |
//! | directional: [`depth_along`] | sup { t ≥ 0 : A ∩ (B + t·u) ≠ ∅ }, 0 if none | all |
//! | of surfaces: [`surface_depth`] | sup { dist(x, ∂B) : x ∈ ∂A ∩ B } | A with flat faces, B so and solid |
//!
//! The translational depth is exact for convex shapes and half-spaces; for others there are bounds from both sides.
//! The directional depth is never less than the translational one. The surface depth of A in B is never more than the
//! translational one where A and B are closed solids: a point of A that deep has a ball of that radius around it in B.

mod along;
mod pieces;
mod surface;

pub use along::depth_along;
pub(super) use along::metered as metered_along;
pub(super) use surface::metered as metered_surface;
pub use surface::{NoFlatFaces, SurfaceDepth, surface_depth};
