//! Turned boxes in `f64`: bounds as tight beside a distance or a body much larger than they are as close by.
//!
//! The loop over the eight boxes of a node is written so that compilers make SIMD of it; one box gives the same bits.

use fearless_simd::Simd;
use glam::{DMat3, DVec3};

use crate::tree::oriented::{OrientedBox, OrientedNode, POINT_ERROR};

/// A box to be compared with those of the other tree, in the axes and working unit of that.
#[derive(Debug, Clone, Copy)]
pub struct OneWide {
    pub center: DVec3,
    pub axes: DMat3,
    pub half: DVec3,
    pub point: DVec3,
    /// How far points of the surface may be off, of either body.
    pub point_error: f64,
    /// How far posed points and what is computed here may be off.
    pub rounding: f64,
}

/// Bound on the error of a stored point of the surface, for the sizes of one unit of two trees.
pub fn point_error(scale_a: f64, scale_b: f64) -> f64 {
    2.0 * POINT_ERROR * (scale_a + scale_b)
}

/// Lower bounds on the distances of a box and the eight boxes of a node, and upper bounds by a point of the
/// surface in each. Of slots without a child they mean nothing.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn eight_bounds_wide<S: Simd>(
    _: S,
    node: &OrientedNode,
    scale: f64,
    one: &OneWide,
) -> ([f64; 8], [f64; 8]) {
    let (mut lower, mut upper) = ([0.0; 8], [0.0; 8]);
    for slot in 0..8 {
        (lower[slot], upper[slot]) = one.bounds(&node.get(slot), scale);
    }
    (lower, upper)
}

impl OneWide {
    /// Along any direction w the boxes are apart by at least |w·t| − Σ|w·pᵢ|·hᵢ − Σ|w·qⱼ|·kⱼ, divided by |w|,
    /// where t leads from centre to centre, for any axes p and q. Tried are t itself, and the gaps along
    /// the axes of either box taken together, which is the way out of that box to the box along its axes
    /// around the other.
    #[inline(always)]
    pub fn bounds(&self, other: &OrientedBox, scale: f64) -> (f64, f64) {
        let t = other.center * scale - self.center;
        let half = other.half * scale;
        let (p, q) = (&self.axes, &other.axes);
        let (along_p, along_q) = (seen(p, t), seen(q, t));
        let rows = [seen(q, p.x_axis), seen(q, p.y_axis), seen(q, p.z_axis)];
        let abs = rows.map(DVec3::abs);
        let reach_q = DVec3::new(dot(abs[0], half), dot(abs[1], half), dot(abs[2], half));
        let reach_p = abs[0] * self.half.x + abs[1] * self.half.y + abs[2] * self.half.z;
        let gap_p = above_zero(along_p.abs() - self.half - reach_q);
        let gap_q = above_zero(along_q.abs() - half - reach_p);
        let out_of = |axes: &DMat3, gap: DVec3, along: DVec3| {
            axes.x_axis * gap.x.copysign(along.x)
                + axes.y_axis * gap.y.copysign(along.y)
                + axes.z_axis * gap.z.copysign(along.z)
        };
        let gap = |w: DVec3| {
            let reach = dot(seen(p, w).abs(), self.half) + dot(seen(q, w).abs(), half);
            (dot(w, t).abs() - reach) / (dot(w, w) + 1e-290).sqrt()
        };
        let widest = larger(larger(gap(out_of(p, gap_p, along_p)), gap(out_of(q, gap_q, along_q))), gap(t));
        let apart = other.point * scale - self.point;
        (widest - self.rounding, dot(apart, apart).sqrt() + self.point_error + self.rounding)
    }
}

impl OneWide {
    /// A lower bound on the distance by the nine directions square to an edge of either box.
    #[inline(always)]
    pub fn edge_gap(&self, other: &OrientedBox, scale: f64) -> f64 {
        let t = other.center * scale - self.center;
        let half = other.half * scale;
        let mut widest = f64::NEG_INFINITY;
        for i in 0..3 {
            for k in 0..3 {
                let w = self.axes.col(i).cross(other.axes.col(k));
                let reach = dot(seen(&self.axes, w).abs(), self.half) + dot(seen(&other.axes, w).abs(), half);
                widest = larger(widest, (dot(w, t).abs() - reach) / (dot(w, w) + 1e-290).sqrt());
            }
        }
        widest - self.rounding
    }
}

/// A vector along three axes.
#[inline(always)]
fn seen(axes: &DMat3, v: DVec3) -> DVec3 {
    DVec3::new(dot(axes.x_axis, v), dot(axes.y_axis, v), dot(axes.z_axis, v))
}

#[inline(always)]
fn dot(a: DVec3, b: DVec3) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn above_zero(v: DVec3) -> DVec3 {
    DVec3::new(larger(v.x, 0.0), larger(v.y, 0.0), larger(v.z, 0.0))
}
