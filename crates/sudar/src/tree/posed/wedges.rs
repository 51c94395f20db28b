//! Triangles of a posed tree that have points in one of several convex regions, each the points behind some planes.

use fearless_simd::Simd;
use glam::DVec3;

use super::probe::{Probe, Region};
use crate::math::Pose;
use crate::math::power_of_two;
use crate::shape::Triangle;
use crate::tree::pairs::frame::Frame;
use crate::tree::wide::WideNode;

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
    pub fn in_frame(&self, frame: &Frame, pose: &Pose, slack: f64) -> Self {
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
pub struct InWedges<'w> {
    pub region: Region,
    pub wedges: &'w Wedges,
}

impl Probe for InWedges<'_> {
    type Seen = ();

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn children<S: Simd>(&self, simd: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]) {
        let (near, keys) = self.region.children(simd, node, limit);
        let row = |rows: &[[f32; 8]; 3], slot: usize| {
            DVec3::new(rows[0][slot].into(), rows[1][slot].into(), rows[2][slot].into())
        };
        let meets = |slot: usize| self.wedges.meets_box(row(&node.center, slot), row(&node.half, slot));
        let mask = (0..8)
            .filter(|&slot| near >> slot & 1 == 1 && meets(slot))
            .fold(0, |mask, slot| mask | 1 << slot);
        (mask, keys)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles<S: Simd>(&self, simd: S, corners: &[f32], n: usize, key: f32, limit: f32) -> (u32, [(); 8]) {
        self.region.triangles(simd, corners, n, key, limit)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use glam::DQuat;

    use super::*;
    use crate::effort::Meter;
    use crate::shape::{Aabb, Mesh};
    use crate::testing::Random;
    use crate::tree::{View, WideTree};

    #[test]
    fn no_triangle_with_a_corner_in_a_wedge_is_missed_and_most_others_are() {
        let mut rng = Random::new(3);
        let mut point = |size: f64| rng.point() * size;
        let corners: Vec<DVec3> = (0..600)
            .flat_map(|_| {
                let middle = point(1.0);
                [(); 3].map(|()| middle + point(0.02))
            })
            .collect();
        let mesh = Mesh::new(corners, (0..600).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
        let tree = WideTree::new(&mesh);
        let everywhere = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
        let (mut inside, mut seen) = (0, 0);
        for _ in 0..100 {
            let pose = Pose::new(point(3.0), DQuat::from_scaled_axis(point(3.0))).unwrap();
            let apex = pose.apply(point(0.5));
            let normals = [(); 2].map(|()| [(); 3].map(|()| point(1.0)));
            let mut wedges = Wedges::default();
            for normals in normals {
                normals.into_iter().for_each(|normal| wedges.keep(normal, apex, 0.0));
                wedges.end();
            }
            let within = |p: DVec3| normals.iter().any(|of| of.iter().all(|n| n.dot(p - apex) <= -1e-12));
            let mut shown = vec![false; 600];
            View::new(&tree, &pose).visit_wedges(&everywhere, &wedges, &mut Meter::unlimited(), |i| {
                shown[i as usize] = true;
                ControlFlow::Continue(())
            });
            for i in 0..600 {
                let t = mesh.triangle(i);
                let posed = t.posed(&pose);
                if posed.corners().into_iter().any(within) {
                    inside += 1;
                    assert!(shown[i as usize] && wedges.may_meet(&posed));
                }
            }
            seen += shown.iter().filter(|&&shown| shown).count();
        }
        // A leaf is shown as a whole.
        assert!(inside > 5_000 && seen < 3 * inside, "{inside} {seen}");
    }
}
