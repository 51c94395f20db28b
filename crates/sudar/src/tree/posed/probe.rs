//! Tests of a traversal down one tree on eight boxes and on the up to eight triangles of a leaf: how near is a point,
//! where does a segment enter, does a box meet.
//!
//! All in `f32` in the tree's frame, where every coordinate of the body lies in [−1, 1]. Plain operations in a fixed
//! order, so that every SIMD level gives the same bits; each bound is inflated by more than its rounding, so that
//! nothing is missed.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DVec3, Vec3};

use crate::pair::length;
use crate::tree::lanes::{Lanes3, corner};
use crate::tree::wide::WideNode;

/// What a traversal looks for. Keys are lower bounds in units of the probe's own: a child or triangle with a
/// key above the limit is of no interest.
pub trait Probe {
    /// Bounds on a triangle that may matter.
    type Seen: Copy;

    /// The children whose keys do not exceed the limit, and the keys.
    fn children<S: Simd>(&self, simd: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]);

    /// The triangles of a leaf that may matter; `key` is that of their box. Bits from `n` on mean nothing.
    fn triangles<S: Simd>(
        &self,
        simd: S,
        corners: &[f32],
        n: usize,
        key: f32,
        limit: f32,
    ) -> (u32, [Self::Seen; 8]);
}

/// Points farther from the frame's centre than this are tested in `f64`.
pub const FAR: f64 = 4096.0;

/// A point at most [`FAR`] away; keys are squared distances.
pub struct NearPoint {
    point: Vec3,
    slack: f32,
}

impl NearPoint {
    /// The point in the tree's frame and the error of its place. Rounding it costs 2⁻²⁴ of its size, three operations
    /// with it as much each, box and slack a few 2⁻²⁴ more: in all less than half of what is added.
    pub fn new(p: DVec3, slack: f64) -> Self {
        let rounding = (p.abs().max_element() + 2.0) * f64::from(1.0 / (1 << 21) as f32);
        Self { point: p.as_vec3(), slack: ((slack + rounding).min(1e15) as f32).next_up() }
    }

    /// A distance in the tree's frame as a key that none at this distance or nearer exceeds.
    pub fn limit(distance: f64) -> f32 {
        // The sum of squares is off by 2⁻²² of itself.
        let square = distance * distance * (1.0 + 1e-6);
        (square as f32).next_up().min(f32::MAX)
    }

    /// The distance that a key stands for, rounded down.
    pub fn distance(key: f32) -> f64 {
        f64::from(key).sqrt() * (1.0 - 1e-6)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn key<S: Simd>(&self, simd: S, outside: Lanes3<S>) -> f32x8<S> {
        let gap = outside.sub(Lanes3::splat(simd, Vec3::splat(self.slack)));
        let gap = gap.max(Lanes3::splat(simd, Vec3::ZERO));
        gap.dot(gap)
    }
}

impl Probe for NearPoint {
    type Seen = ();

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn children<S: Simd>(&self, simd: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]) {
        let offset = Lanes3::load(simd, &node.center).sub(Lanes3::splat(simd, self.point));
        // Slots without a child have a key of infinity.
        let key = self.key(simd, offset.abs().sub(Lanes3::load(simd, &node.half)));
        (key.simd_le(f32x8::splat(simd, limit)).to_bitmask() as u32, key.into())
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles<S: Simd>(&self, simd: S, corners: &[f32], n: usize, _: f32, limit: f32) -> (u32, [(); 8]) {
        let point = Lanes3::splat(simd, self.point);
        let (min, max) = bounds(simd, corners, n);
        let key = self.key(simd, min.sub(point).max(point.sub(max)));
        (key.simd_le(f32x8::splat(simd, limit)).to_bitmask() as u32, [(); 8])
    }
}

/// A point far away; keys are distances less that of the frame's cube, computed in `f64`.
pub struct FarPoint {
    point: DVec3,
    slack: f64,
    /// At most the distance of anything in the tree.
    base: f64,
}

impl FarPoint {
    pub fn new(point: DVec3, slack: f64) -> Self {
        // A cube a little larger than that of the frame, for the boxes are rounded outward.
        let base = length((point.abs() - (1.0 + 1e-3) - slack).max(DVec3::ZERO)) * (1.0 - 1e-15);
        Self { point, slack, base }
    }

    /// As [`NearPoint::limit`].
    pub fn limit(&self, distance: f64) -> f32 {
        (((distance * (1.0 + 1e-15) - self.base) as f32).next_up()).clamp(0.0, f32::MAX)
    }

    /// As [`NearPoint::distance`].
    pub fn distance(&self, key: f32) -> f64 {
        (self.base + f64::from(key)) * (1.0 - 1e-15)
    }
}

impl Probe for FarPoint {
    type Seen = ();

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn children<S: Simd>(&self, _: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]) {
        let (mut mask, mut keys) = (0, [f32::INFINITY; 8]);
        for (slot, key) in keys.iter_mut().enumerate() {
            let outside = |k: usize| {
                let (center, half) = (f64::from(node.center[k][slot]), f64::from(node.half[k][slot]));
                ((self.point[k] - center).abs() - half - self.slack).max(0.0)
            };
            let gap = length(DVec3::new(outside(0), outside(1), outside(2))) * (1.0 - 1e-15);
            *key = ((gap - self.base) as f32).next_down();
            mask |= u32::from(node.half[0][slot] >= 0.0 && *key <= limit) << slot;
        }
        (mask, keys)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles<S: Simd>(&self, _: S, _: &[f32], _: usize, _: f32, _: f32) -> (u32, [(); 8]) {
        (0xff, [(); 8])
    }
}

/// A segment that has been cut to the cube of the frame; keys are fractions of it.
pub struct CutSegment {
    origin: DVec3,
    way: DVec3,
    start: Vec3,
    inverse: Vec3,
    slack: Vec3,
    /// Infinite for axes that the segment moves along, zero for those it is square to.
    along: Vec3,
    /// Infinite for axes that the segment is square to, zero for those it moves along.
    square: Vec3,
    /// The direction with a largest coordinate of 1, zero for a segment without length.
    direction: Vec3,
    place_error: f32,
}

/// Rounding of fractions up to 1.
const FRACTION: f32 = 1.0 / (1 << 20) as f32;
/// A segment that moves no farther along an axis counts as square to it.
const SQUARE: f64 = 1e-6;

impl CutSegment {
    /// From its start, the way it goes and the error of both, in the tree's frame; no coordinate of the start
    /// and of the way is beyond 4.
    ///
    /// A place where a box begins is off by some 2⁻²² for the differences of coordinates and 2⁻²¹ for their
    /// quotients, as lengths; four times that is added to the box.
    pub fn new(origin: DVec3, way: DVec3, error: f64) -> Self {
        let size = way.abs().max_element();
        let moves = way.abs().cmpgt(DVec3::splat(SQUARE));
        let place_error = ((error.min(1e30) as f32).next_up()) + 1.0 / (1 << 19) as f32;
        let infinite = Vec3::splat(f32::INFINITY);
        let moves_in_f32 = glam::BVec3A::new(moves.x, moves.y, moves.z);
        let pick = |yes: Vec3, no: Vec3| Vec3::from(glam::Vec3A::select(moves_in_f32, yes.into(), no.into()));
        Self {
            origin,
            way,
            start: origin.as_vec3(),
            inverse: DVec3::select(moves, way.recip(), DVec3::ZERO).as_vec3(),
            slack: pick(Vec3::ZERO, way.abs().as_vec3()) + place_error,
            along: pick(infinite, Vec3::ZERO),
            square: pick(Vec3::ZERO, infinite),
            direction: if size > 0.0 { (way / size).as_vec3() } else { Vec3::ZERO },
            place_error,
        }
    }
}

impl Probe for CutSegment {
    type Seen = ();

    /// The slabs of Kay and Kajiya 1986, "Ray tracing complex scenes".
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn children<S: Simd>(&self, simd: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]) {
        let offset = Lanes3::load(simd, &node.center).sub(Lanes3::splat(simd, self.start));
        let reach = Lanes3::load(simd, &node.half).add(Lanes3::splat(simd, self.slack));
        // Of a slot without a child the reach is −∞, and nothing lies within it: −∞ + ∞ is no number.
        let within = offset.abs().le(reach.add(Lanes3::splat(simd, self.along)));
        let middle = offset.products(Lanes3::splat(simd, self.inverse));
        let half = reach.products(Lanes3::splat(simd, self.inverse.abs()));
        let open = half.add(Lanes3::splat(simd, self.square));
        let enter = middle.sub(open).largest().max(f32x8::splat(simd, 0.0)) - FRACTION;
        let leave = middle.add(open).smallest().min(f32x8::splat(simd, limit)) + FRACTION;
        ((within & enter.simd_le(leave)).to_bitmask() as u32, enter.into())
    }

    /// The line passes a triangle's three edges on the same side, or too near to decide.
    ///
    /// Seen from a point of the line, corners of size R are off by δ each, their cross products by 4Rδ + 2δ²
    /// and rounding of R²·2⁻²², the product with the direction by three times that and 2⁻²⁴ of itself: less
    /// than what is allowed.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles<S: Simd>(&self, simd: S, corners: &[f32], n: usize, key: f32, _: f32) -> (u32, [(); 8]) {
        let from = (self.origin + self.way * f64::from(key.max(0.0))).as_vec3();
        let from = Lanes3::splat(simd, from);
        let a = corner(simd, corners, n, 0).sub(from);
        let b = corner(simd, corners, n, 3).sub(from);
        let c = corner(simd, corners, n, 6).sub(from);
        let direction = Lanes3::splat(simd, self.direction);
        let (ab, bc, ca) = (direction.dot(a.cross(b)), direction.dot(b.cross(c)), direction.dot(c.cross(a)));
        let size = a.abs().max(b.abs()).max(c.abs()).largest();
        let delta = self.place_error;
        let error = size * (size * (1.0 / (1 << 18) as f32) + 16.0 * delta) + 8.0 * delta * delta;
        let misses = ab.min(bc).min(ca).simd_lt(-error) & ab.max(bc).max(ca).simd_gt(error);
        (!misses.to_bitmask() as u32, [(); 8])
    }
}

/// A box along the axes of the frame; keys are zero.
pub struct Region {
    center: Vec3,
    half: Vec3,
}

impl Region {
    /// In the tree's frame, no coordinate beyond some 8; rounding of these is far below what is added.
    pub fn new(center: DVec3, half: DVec3) -> Self {
        let rounding = 1.0 / f64::from(1 << 19);
        Self { center: center.as_vec3(), half: (half + rounding).min(DVec3::splat(1e30)).as_vec3() }
    }
}

impl Probe for Region {
    type Seen = ();

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn children<S: Simd>(&self, simd: S, node: &WideNode, _: f32) -> (u32, [f32; 8]) {
        let offset = Lanes3::load(simd, &node.center).sub(Lanes3::splat(simd, self.center));
        let reach = Lanes3::load(simd, &node.half).add(Lanes3::splat(simd, self.half));
        (offset.abs().le(reach).to_bitmask() as u32, [0.0; 8])
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles<S: Simd>(&self, simd: S, corners: &[f32], n: usize, _: f32, _: f32) -> (u32, [(); 8]) {
        let (min, max) = bounds(simd, corners, n);
        let (low, high) = (self.center - self.half, self.center + self.half);
        let meets = min.le(Lanes3::splat(simd, high)) & Lanes3::splat(simd, low).le(max);
        (meets.to_bitmask() as u32, [(); 8])
    }
}

/// The boxes of the triangles of a leaf.
#[cfg_attr(not(opt_level_0), inline(always))]
fn bounds<S: Simd>(simd: S, corners: &[f32], n: usize) -> (Lanes3<S>, Lanes3<S>) {
    let (a, b, c) = (corner(simd, corners, n, 0), corner(simd, corners, n, 3), corner(simd, corners, n, 6));
    (a.min(b).min(c), a.max(b).max(c))
}
