//! Does a surface pass through itself?

use std::ops::ControlFlow;

use super::answer::{Intersection, StopReason};
use super::bodies::{Placed, PosedSurface};
use super::pairs::meeting::candidates;
use crate::effort::{Meter, Partial};
use crate::pair::triangles_meet_beyond_shared_corners;
use crate::tree::{CandidateVisitor, Fans, LeafPair, Place, visit_own_candidates};

/// All pairs i < j of triangles of one body that meet elsewhere than where they are joined, sorted. Exact.
///
/// Triangles are joined at corners of exactly the same position, as [`Mesh::topology`](crate::Mesh::topology) joins
/// them; what meeting means for neighbours, for triangles of zero area and for those that are there twice, see
/// [`triangles_meet_beyond_shared_corners`]. Touching counts: a corner that rests on another triangle, or on an edge
/// that it does not end, is reported. A clean closed surface has none. The list is empty for bodies
/// without triangles and for compounds, whose parts are bodies of their own; two parts are compared by
/// [`contacts`](fn@super::contacts). The pose matters only as far as it rounds.
///
/// Expected cost: O(n), about a microsecond a triangle, and for the pairs found.
///
/// ```
/// use sudar::query::{Body, self_intersections};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
/// assert!(self_intersections(Body::new(cube.clone()).at(&Pose::IDENTITY)).is_empty());
/// // Corner 0 pulled out through the face on the other side.
/// let pulled = cube.mapped(|p| if p == DVec3::ZERO { DVec3::new(2.0, 0.5, 0.5) } else { p })?;
/// assert!(!self_intersections(Body::new(pulled).at(&Pose::IDENTITY)).is_empty());
/// # Ok::<(), sudar::MeshError>(())
/// ```
pub fn self_intersections(body: Placed) -> Vec<[u32; 2]> {
    metered(body, &mut Meter::unlimited()).found
}

/// Whether any two triangles of one body meet elsewhere than where they are joined, and two that do. Exact.
///
/// As [`self_intersections`], but ends at the first pair; its numbers ascend. [`Intersection::Apart`] says that
/// there is none.
pub fn self_intersects(body: Placed) -> Intersection {
    first(body, &mut Meter::unlimited())
}

pub(super) fn metered(body: Placed, meter: &mut Meter) -> Partial<Vec<[u32; 2]>> {
    let mut keys = Vec::new();
    visit(body, meter, |[i, j]| {
        keys.push(u64::from(i) << 32 | u64::from(j));
        ControlFlow::Continue(())
    });
    keys.sort_unstable();
    let found = keys.into_iter().map(|key| [(key >> 32) as u32, key as u32]).collect();
    Partial { found, complete: !meter.is_stopped() }
}

pub(super) fn first(body: Placed, meter: &mut Meter) -> Intersection {
    let mut found = None;
    visit(body, meter, |pair| {
        found = Some(pair);
        ControlFlow::Break(())
    });
    match found {
        Some(features) => Intersection::Touching { features },
        None if meter.is_stopped() => Intersection::Undecided(StopReason::Budget),
        None => Intersection::Apart,
    }
}

/// Calls `hit` with every pair that meets, in the order of the traversal.
fn visit(body: Placed, meter: &mut Meter, hit: impl FnMut([u32; 2]) -> ControlFlow<()>) {
    let Some(surface) = body.surface() else { return };
    let mut visitor = Own { surface, hit, steps: 0, tried: 0, fans: None };
    visit_own_candidates(&surface.surface.tree, surface.pose, &mut visitor, meter);
    meter.count_triangles(visitor.tried);
}

struct Own<'a, H> {
    surface: PosedSurface<'a>,
    hit: H,
    steps: u64,
    tried: u64,
    fans: Option<Fans>,
}

impl<H: FnMut([u32; 2]) -> ControlFlow<()>> CandidateVisitor for Own<'_, H> {
    fn deepest_first(&self) -> bool {
        false
    }

    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
        let surface = self.surface;
        candidates(&surface, &surface, leaves, |[i, j], ours, other| {
            self.tried += 1;
            if triangles_meet_beyond_shared_corners(ours, other) {
                (self.hit)([i.min(j), i.max(j)])?;
            }
            ControlFlow::Continue(())
        })
    }

    /// By fans, once there have been more steps or tests than a surface without large ones takes.
    fn is_parted(&mut self, places: [Place; 2]) -> bool {
        self.steps += 1;
        if let Some(fans) = &self.fans {
            return fans.are_parted(places);
        }
        let triangles = u64::from(self.surface.count());
        if self.steps > 64 + 2 * triangles || self.tried > 256 + 16 * triangles {
            let surface = self.surface;
            self.fans = Some(Fans::new(&surface.surface.tree, |t| surface.triangle(t)));
        }
        false
    }
}
