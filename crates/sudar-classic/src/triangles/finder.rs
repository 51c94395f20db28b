//! What a static index looks for, and what each kind of index does: find triangles that may be met.

use sudar::pair::{segment_aabb, segment_triangle, triangle_aabb};
use sudar::shape::{Aabb, Segment, Triangle};

/// Query of a static index: a box or a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Probe {
    /// A box. An empty one meets nothing.
    Box(Aabb),
    /// A segment, within 1e90 as [`Segment::new`] makes sure. One with an end that is not finite meets nothing.
    Segment(Segment),
}

impl Probe {
    /// A box that moves: the box around it at both ends. What it meets on a straight way is among what this meets.
    pub fn moving_box(from: &Aabb, to: &Aabb) -> Self {
        Self::Box(from.union(*to))
    }

    /// The same without what is so far away that there are no triangles; `None` for what holds no point.
    pub(super) fn within_range(&self) -> Option<Self> {
        match self {
            Self::Box(aabb) => {
                let range = sudar::glam::DVec3::splat(2e90);
                let part = Aabb { min: aabb.min.clamp(-range, range), max: aabb.max.clamp(-range, range) };
                aabb.min.cmple(aabb.max).all().then_some(Self::Box(part))
            }
            Self::Segment(segment) => (segment.a.is_finite() && segment.b.is_finite()).then_some(*self),
        }
    }

    /// Whether it has a point in common with a triangle. Exact.
    pub(super) fn meets(&self, triangle: &Triangle) -> bool {
        match self {
            Self::Box(aabb) => triangle_aabb(triangle, aabb),
            Self::Segment(segment) => segment_triangle(segment, triangle),
        }
    }

    /// Whether it has a point in common with a box. Exact.
    pub(super) fn meets_box(&self, aabb: &Aabb) -> bool {
        match self {
            Self::Box(own) => sudar::broad::overlap(own, aabb),
            Self::Segment(segment) => segment_aabb(segment, aabb),
        }
    }

    /// Points of which it is the hull.
    pub(super) fn corners(&self) -> Vec<sudar::glam::DVec3> {
        match self {
            Self::Box(aabb) => aabb.corners().to_vec(),
            Self::Segment(segment) => vec![segment.a, segment.b],
        }
    }
}

/// Finds triangles that a probe may meet.
pub(super) trait Finder: Send + Sync {
    /// Calls `visit` with candidates, all that the probe meets among them; each may come more than once.
    /// Gives back how many nodes or cells were visited.
    fn find(&self, probe: &Probe, visit: &mut dyn FnMut(u32)) -> u64;

    fn bytes(&self) -> usize;
}

/// The box around all triangles, a little larger, so that it is not flat.
pub(super) fn bounds_of(triangles: &[Triangle]) -> Aabb {
    let bounds = triangles.iter().fold(Aabb::EMPTY, |bounds, triangle| bounds.union(triangle.aabb()));
    if bounds.is_empty() {
        return Aabb { min: -sudar::glam::DVec3::ONE, max: sudar::glam::DVec3::ONE };
    }
    let room = (bounds.extent().max_element() * 1e-3).max(bounds.reach() * 1e-9).max(1e-200);
    bounds.grown(room)
}
