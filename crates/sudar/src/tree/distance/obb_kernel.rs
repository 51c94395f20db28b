//! One oriented box against eight: lower and upper bounds on distances.
//!
//! As in `lanes.rs`: plain multiplications and additions in a fixed order, the same bits at every SIMD level.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::Vec3;

use super::obb_wide::OneWide;
use crate::tree::lanes::Lanes3;
use crate::tree::oriented::{OrientedNode, POINT_ERROR};

/// What is taken off lower bounds and added to upper bounds, in working units.
#[derive(Debug, Clone, Copy)]
pub struct Slack {
    /// For every gap of boxes.
    gaps: f32,
    /// For every distance of points of the surface.
    points: f32,
    /// Times the distance of the centres and the sum of all half extents.
    relative: f32,
    /// For points of triangles, whose corners are stored with an error and turned in `f32`.
    pub corners: f32,
}

/// Half an ulp of one.
const U: f64 = 1.0 / (1 << 24) as f64;

impl Slack {
    /// For a shift of this size, poses that may stretch by this fraction, and points off by `rounding`.
    ///
    /// With u = 2⁻²⁴, M the largest coordinate, T the distance of two centres and H the sum of their half
    /// extents, a gap along a unit direction is off by
    /// - √3·u·M for the centre of the one box, rounded to `f32`;
    /// - u·T for the difference of centres, 5u·T for its product with an axis, rounded, 3u·(T + H) for the last sums;
    /// - 9u·H for the reaches of either box along the other's axes, and 4u·H for axes not quite at right angles;
    /// - 4·stretch·H and 2·stretch·T for the axes of the one box, turned by matrices that are not quite rotations.
    ///
    /// Three such gaps combined with weights of unit length make √3 times as much, their length being off by
    /// another 5u·T.
    pub fn new(shift: f64, stretch: f64, rounding: f64) -> Self {
        // Both frames reach to 1 in each coordinate, hence to √3 along any axis.
        let largest = shift + 3.5;
        let up = |x: f64| (x as f32).next_up();
        Self {
            gaps: up(4.0 * U * largest + rounding),
            // √3 in each of two points.
            points: up(4.0 * U * largest + 4.0 * POINT_ERROR + rounding),
            relative: up(64.0 * U + 8.0 * stretch),
            corners: up(32.0 * U * largest + 2.0 * rounding),
        }
    }
}

/// A box ready to be compared with eight of the other tree, in the axes and working unit of that.
#[derive(Debug, Clone, Copy)]
pub struct OneOriented {
    center: Vec3,
    axes: [Vec3; 3],
    half: Vec3,
    point: Vec3,
}

impl OneOriented {
    #[inline(always)]
    pub fn new(one: &OneWide) -> Self {
        let axes = [one.axes.x_axis.as_vec3(), one.axes.y_axis.as_vec3(), one.axes.z_axis.as_vec3()];
        Self { center: one.center.as_vec3(), axes, half: one.half.as_vec3(), point: one.point.as_vec3() }
    }
}

/// Keeps divisors from being zero, far below the square of any slack.
const TINY: f32 = 1e-30;

/// Lower bounds on the distances of a box and the eight boxes of a node, and upper bounds by a point of the
/// surface in each. Of slots without a child they mean nothing.
///
/// Lower bounds are gaps along three directions: from centre to centre, and out of either box to the box along its axes
/// around the other. The latter is no shorter than that way itself, which is the usual bound.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn eight_bounds<S: Simd>(
    simd: S,
    node: &OrientedNode,
    scale: f32,
    one: &OneOriented,
    slack: &Slack,
) -> ([f32; 8], [f32; 8]) {
    let zero = f32x8::splat(simd, 0.0);
    let scaled = |lanes: Lanes3<S>| Lanes3 { x: lanes.x * scale, y: lanes.y * scale, z: lanes.z * scale };
    let t = scaled(Lanes3::load(simd, &node.center)).sub(Lanes3::splat(simd, one.center));
    let half = scaled(Lanes3::load(simd, &node.half));
    let b = [
        Lanes3::load(simd, &node.axes[0]),
        Lanes3::load(simd, &node.axes[1]),
        Lanes3::load(simd, &node.axes[2]),
    ];
    let [p, q, r] = one.axes;
    // Row i: axis i of the one box along the three axes of each of the eight.
    let row_p = Lanes3 { x: b[0].dot_one(p), y: b[1].dot_one(p), z: b[2].dot_one(p) };
    let row_q = Lanes3 { x: b[0].dot_one(q), y: b[1].dot_one(q), z: b[2].dot_one(q) };
    let row_r = Lanes3 { x: b[0].dot_one(r), y: b[1].dot_one(r), z: b[2].dot_one(r) };
    let along_one = Lanes3 { x: t.dot_one(p), y: t.dot_one(q), z: t.dot_one(r) };
    let along_eight = Lanes3 { x: b[0].dot(t), y: b[1].dot(t), z: b[2].dot(t) };
    let (far_one, far_eight) = (along_one.abs(), along_eight.abs());
    let reach_eight = Lanes3 { x: row_p.abs().dot(half), y: row_q.abs().dot(half), z: row_r.abs().dot(half) };
    let reach_one = Lanes3 {
        x: row_p.x.abs() * one.half.x + row_q.x.abs() * one.half.y + row_r.x.abs() * one.half.z,
        y: row_p.y.abs() * one.half.x + row_q.y.abs() * one.half.y + row_r.y.abs() * one.half.z,
        z: row_p.z.abs() * one.half.x + row_q.z.abs() * one.half.y + row_r.z.abs() * one.half.z,
    };
    let none = Lanes3 { x: zero, y: zero, z: zero };
    let gap_one = far_one.sub(Lanes3::splat(simd, one.half)).sub(reach_eight).max(none);
    let gap_eight = far_eight.sub(half).sub(reach_one).max(none);
    // Out of the one box: along w = Σ ±gapᵢ·axisᵢ.
    let signed = gap_one.with_signs(along_one);
    let on_eight = Lanes3 {
        x: signed.x * row_p.x + signed.y * row_q.x + signed.z * row_r.x,
        y: signed.x * row_p.y + signed.y * row_q.y + signed.z * row_r.y,
        z: signed.x * row_p.z + signed.y * row_q.z + signed.z * row_r.z,
    };
    let out_of_one = (gap_one.dot(far_one) - gap_one.dot_one(one.half) - on_eight.abs().dot(half))
        / (gap_one.dot(gap_one) + TINY).sqrt();
    // Out of each of the eight.
    let signed = gap_eight.with_signs(along_eight);
    let on_one = Lanes3 { x: row_p.dot(signed), y: row_q.dot(signed), z: row_r.dot(signed) };
    let out_of_eight = (gap_eight.dot(far_eight) - gap_eight.dot(half) - on_one.abs().dot_one(one.half))
        / (gap_eight.dot(gap_eight) + TINY).sqrt();
    let square = t.dot(t);
    let length = (square + TINY).sqrt();
    let between_centers = (square - far_one.dot_one(one.half) - far_eight.dot(half)) / length;
    let sizes = half.x + half.y + half.z + (one.half.x + one.half.y + one.half.z);
    let lower =
        out_of_one.max(out_of_eight).max(between_centers) - ((length + sizes) * slack.relative + slack.gaps);
    let apart = scaled(Lanes3::load(simd, &node.point)).sub(Lanes3::splat(simd, one.point));
    let apart = (apart.dot(apart) + TINY).sqrt();
    let upper = apart * (1.0 + slack.relative) + slack.points;
    (lower.into(), upper.into())
}

/// Lower bounds on the distances of a box and the eight boxes of a node: gaps along the nine directions
/// square to an edge of either, which alone separate long thin boxes that cross (Gottschalk, Lin, Manocha
/// 1996, "OBBTree"). Of slots without a child they mean nothing.
///
/// In any direction that rounding makes of a product, the gap along it is one, off by no more than along an axis.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn eight_edge_gaps<S: Simd>(
    simd: S,
    node: &OrientedNode,
    scale: f32,
    one: &OneOriented,
    slack: &Slack,
) -> [f32; 8] {
    let scaled = |lanes: Lanes3<S>| Lanes3 { x: lanes.x * scale, y: lanes.y * scale, z: lanes.z * scale };
    let t = scaled(Lanes3::load(simd, &node.center)).sub(Lanes3::splat(simd, one.center));
    let half = scaled(Lanes3::load(simd, &node.half));
    let b = [
        Lanes3::load(simd, &node.axes[0]),
        Lanes3::load(simd, &node.axes[1]),
        Lanes3::load(simd, &node.axes[2]),
    ];
    let [p, q, r] = one.axes;
    let mut widest = f32x8::splat(simd, f32::NEG_INFINITY);
    for axis in one.axes {
        let axis = Lanes3::splat(simd, axis);
        for other in b {
            let w = axis.cross(other);
            let reach_one = w.dot_one(p).abs() * one.half.x
                + w.dot_one(q).abs() * one.half.y
                + w.dot_one(r).abs() * one.half.z;
            let reach_eight =
                w.dot(b[0]).abs() * half.x + w.dot(b[1]).abs() * half.y + w.dot(b[2]).abs() * half.z;
            let gap = (w.dot(t).abs() - reach_one - reach_eight) / (w.dot(w) + TINY).sqrt();
            widest = widest.max(gap);
        }
    }
    let sizes = half.x + half.y + half.z + (one.half.x + one.half.y + one.half.z);
    let length = (t.dot(t) + TINY).sqrt();
    (widest - ((length + sizes) * slack.relative + slack.gaps)).into()
}
