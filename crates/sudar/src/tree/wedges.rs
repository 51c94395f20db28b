//! Triangles of a posed tree that have points in one of several convex regions, each the points behind some planes.

use fearless_simd::Simd;
use glam::DVec3;

use super::frame::{Frame, power_of_two};
use super::probe::{Probe, Region};
use super::wide::WideNode;
use crate::math::Pose;
use crate::shape::Triangle;

/// A union of convex regions, each the points behind planes; one without a plane is everything.
#[derive(Debug, Clone, Default)]
pub struct Wedges {
    planes: Vec<Plane>,
    /// Where the planes of each region end.
    ends: Vec<usize>,
}

/// Points x with normal · x ≤ offset are kept.
#[derive(Debug, Clone, Copy)]
struct Plane {
    normal: DVec3,
    offset: f64,
}

impl Plane {
    /// Whether all of a box is beyond the plane; never for NaN.
    #[inline(always)]
    fn cuts(&self, center: DVec3, half: DVec3) -> bool {
        self.normal.dot(center) - self.normal.abs().dot(half) > self.offset
    }
}

impl Wedges {
    /// Without any region, which is nowhere.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.ends.clear();
    }

    /// Whether there is no region.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The region that is made has only points behind the plane through `p`, or at most `slack` beyond it.
    pub fn keep(&mut self, normal: DVec3, p: DVec3, slack: f64) {
        self.planes.push(Plane { normal, offset: normal.dot(p) + slack * normal.length() });
    }

    /// The region that is made is complete.
    pub fn end(&mut self) {
        self.ends.push(self.planes.len());
    }

    fn regions(&self) -> impl Iterator<Item = &[Plane]> {
        let from = std::iter::once(0).chain(self.ends.iter().copied());
        from.zip(&self.ends).map(|(from, &to)| &self.planes[from..to])
    }

    /// Whether a triangle may have a point in a region.
    pub fn may_meet(&self, t: &Triangle) -> bool {
        let keeps = |plane: &Plane| t.corners().iter().any(|p| plane.normal.dot(*p) <= plane.offset);
        self.regions().any(|planes| planes.iter().all(keeps))
    }

    /// The regions in the frame of a posed tree; `slack` is the error of posed points in the world.
    pub(super) fn in_frame(&self, frame: &Frame, pose: &Pose, slack: f64) -> Self {
        let unit = 1.0 / power_of_two(frame.exponent);
        let (back, origin) = (pose.rotation().transpose(), pose.apply(frame.origin));
        let moved = |plane: &Plane| Plane {
            normal: back * plane.normal * unit,
            offset: plane.offset - plane.normal.dot(origin) + slack * plane.normal.length(),
        };
        Self { planes: self.planes.iter().map(moved).collect(), ends: self.ends.clone() }
    }

    fn meets_box(&self, center: DVec3, half: DVec3) -> bool {
        self.regions().any(|planes| !planes.iter().any(|plane| plane.cuts(center, half)))
    }
}

/// Boxes that meet a region along the axes and one of the wedges, both in the tree's frame.
pub(super) struct InWedges<'w> {
    pub region: Region,
    pub wedges: &'w Wedges,
}

impl Probe for InWedges<'_> {
    #[inline(always)]
    fn children<S: Simd>(&self, simd: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]) {
        let (near, keys) = self.region.children(simd, node, limit);
        let row = |rows: &[[f32; 8]; 3], slot: usize| {
            DVec3::new(rows[0][slot].into(), rows[1][slot].into(), rows[2][slot].into())
        };
        let meets = |slot: usize| self.wedges.meets_box(row(&node.center, slot), row(&node.half, slot));
        let mask = (0..8).filter(|&slot| near >> slot & 1 == 1 && meets(slot)).fold(0, |mask, slot| mask | 1 << slot);
        (mask, keys)
    }

    #[inline(always)]
    fn triangles<S: Simd>(&self, simd: S, corners: &[f32], n: usize, key: f32, limit: f32) -> u32 {
        self.region.triangles(simd, corners, n, key, limit)
    }
}
