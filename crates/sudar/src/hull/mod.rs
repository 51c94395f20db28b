//! Building convex hulls, exactly.
//!
//! The hull of finitely many points is built with exact predicates only, so that every input point lies exactly
//! inside or on it, it is exactly convex, and it does not depend on the algorithm: [`quickhull`] and [`incremental`]
//! give equal [`Hull`]s, and [`convex_hull`] is the faster of them. Every input has a hull, be it a single point, a
//! segment, a polygon or a polyhedron, with duplicates, of any size up to 1e90, down to single subnormal bits.
//!
//! # The form of the result
//! There is one [`Hull`] for each list of points:
//! - Only extreme points are vertices. Of equal points the first counts. Vertices ascend by the index of their point.
//! - Faces are maximal: exactly coplanar triangles are one face, collinear vertices are left out.
//! - The loop of a face starts with its smallest vertex; faces are sorted by their loops.
//! - A polygon has two faces, one for each side; a segment and a point have none.
//!
//! ```
//! use sudar::{DVec3, hull};
//!
//! let corners = [0.0, 1.0].map(|x| [DVec3::new(x, 0.0, 0.0), DVec3::new(x, 2.0, 0.0), DVec3::new(x, 0.0, 3.0)]);
//! let prism = hull::convex_hull(corners.as_flattened())?;
//! assert_eq!((prism.vertices().len(), prism.faces().len()), (6, 5));
//! assert_eq!(prism.volume(), 3.0);
//! # Ok::<(), sudar::HullError>(())
//! ```

mod arena;
mod coarse;
mod flat;
mod incremental;
mod input;
mod maximal;
mod quickhull;
mod seed;

pub use incremental::incremental;
pub use input::HullError;
pub use quickhull::quickhull;

use glam::DVec3;

use crate::shape::Hull;

/// The convex hull, by the faster algorithm: [`quickhull`].
///
/// # Errors
/// [`HullError`] if there is no point, too many, or one that is not finite or beyond 1e90.
///
/// ```
/// use sudar::DVec3;
/// use sudar::hull::convex_hull;
///
/// // The corners of a tetrahedron and a point inside it.
/// let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::splat(0.1)];
/// assert_eq!(convex_hull(&points)?.vertices().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convex_hull(points: &[DVec3]) -> Result<Hull, HullError> {
    quickhull(points)
}
