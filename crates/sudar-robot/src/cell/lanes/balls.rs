//! Balls of a robot in eight configurations, beside shapes of objects and beside each other.

use fearless_simd::{Simd, f32x8, prelude::*};
use sudar::DVec3;

use super::chain::UNIT;
use super::vector::{Eight, rounded};
use crate::ball::Ball;
use crate::core::{Core, Kind};

/// Some of eight configurations, a bit each.
pub(super) type Lanes = u8;

/// A ball in the frame of its node, rounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct SmallBall {
    pub center: [f32; 3],
    pub radius: f32,
}

impl SmallBall {
    pub fn new(ball: &Ball) -> Self {
        Self { center: rounded(ball.center), radius: ball.radius as f32 }
    }
}

/// What an object is or is within, from the origin of the robot: all within a radius of a ball, a box, a segment or a
/// disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct SmallCore {
    axes: [[f32; 3]; 3],
    center: [f32; 3],
    inner: Inner,
    skin: f32,
    /// Of a ball about the centre around all of it.
    radius: f32,
    pub is_exact: bool,
    /// Bound on the error of a distance from it, besides that of the point.
    slack: f32,
}

/// What is inside the skin, about the centre.
#[derive(Debug, Clone, Copy)]
enum Inner {
    Point,
    Box([f32; 3]),
    Segment(f32),
    Cylinder([f32; 2]),
}

/// What a test of balls tells of eight configurations; of those in neither, nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verdicts {
    pub apart: Lanes,
    pub touching: Lanes,
}

/// With u the unit roundoff, the centre of an object is wrong by u, its difference from a point by u more, the
/// coordinates along the axes by 5 u (the axes themselves, three products, their sum), radii by u, and the distance by
/// 4 u, each times the coordinates of the point and of the object: less than this in all.
const ROUNDINGS: f64 = 16.0;

/// Bound on the error of a distance for each unit of length that a point is from the origin, besides that of the point.
pub(super) fn error_beside<'c>(cores: impl Iterator<Item = &'c Core>) -> f64 {
    ROUNDINGS * UNIT + cores.map(|core| core.error).fold(0.0, f64::max)
}

impl SmallCore {
    /// Its own error; what grows with the point that it is compared with is in [`error_beside`].
    pub fn new(core: &Core, origin: DVec3) -> Self {
        let center = core.frame.t - origin;
        let (inner, skin) = match core.kind {
            Kind::Ball(radius) => (Inner::Point, radius),
            Kind::Box(half) => (Inner::Box(rounded(half)), 0.0),
            Kind::Capsule(radius, half) => (Inner::Segment(half as f32), radius),
            Kind::Cylinder(radius, half) => (Inner::Cylinder([radius as f32, half as f32]), 0.0),
            Kind::Everything => (Inner::Point, f64::INFINITY),
        };
        let size = center.abs().element_sum() + core.radius;
        let error = core.error * (core.size + origin.abs().element_sum());
        Self {
            axes: [core.frame.x, core.frame.y, core.frame.z].map(rounded),
            center: rounded(center),
            inner,
            skin: skin as f32,
            radius: core.radius as f32,
            is_exact: core.is_exact,
            slack: (ROUNDINGS * UNIT * size + error) as f32,
        }
    }

    /// Where the object is certainly farther than `reach` from a point by the ball around it.
    #[inline(always)]
    pub fn is_far<S: Simd>(&self, simd: S, p: Eight<S>, reach: f32, slack: f32) -> Lanes {
        let away = p.sub(Eight::splat(simd, self.center));
        is_more(simd, away.dot(away), reach + self.radius + (slack + self.slack))
    }

    /// Where balls about a point, of radius `reach` with all that is to be kept away, are apart from the object, and
    /// where they touch it.
    #[inline(always)]
    pub fn verdicts<S: Simd>(&self, simd: S, p: Eight<S>, reach: f32, slack: f32) -> Verdicts {
        let square = self.square(simd, p.sub(Eight::splat(simd, self.center)));
        let (reach, slack) = (reach + self.skin, slack + self.slack);
        let apart = is_more(simd, square, reach + slack);
        Verdicts { apart, touching: is_less(simd, square, reach - slack) }
    }

    /// The distance of one point, or nearly.
    pub fn gap(&self, p: [f32; 3]) -> f32 {
        let away = [p[0] - self.center[0], p[1] - self.center[1], p[2] - self.center[2]];
        let along = self.axes.map(|axis| (axis[0] * away[0] + axis[1] * away[1] + axis[2] * away[2]).abs());
        let half = match self.inner {
            Inner::Point => [0.0; 3],
            Inner::Box(half) => half,
            Inner::Segment(half) => [0.0, 0.0, half],
            Inner::Cylinder([radius, half]) => [radius, radius, half],
        };
        let square: f32 =
            along.into_iter().zip(half).map(|(x, half)| (x - half).max(0.0) * (x - half).max(0.0)).sum();
        square.sqrt() - self.skin
    }

    /// The square of the distance from what is inside the skin.
    #[inline(always)]
    fn square<S: Simd>(&self, simd: S, p: Eight<S>) -> f32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        if matches!(self.inner, Inner::Point) {
            return p.dot(p);
        }
        let [x, y, z] = self.axes;
        let along = Eight {
            x: Eight::splat(simd, x).dot(p),
            y: Eight::splat(simd, y).dot(p),
            z: Eight::splat(simd, z).dot(p),
        };
        match self.inner {
            Inner::Point => zero,
            Inner::Box([x, y, z]) => {
                let x = (along.x.abs() - f32x8::splat(simd, x)).max(zero);
                let y = (along.y.abs() - f32x8::splat(simd, y)).max(zero);
                let z = (along.z.abs() - f32x8::splat(simd, z)).max(zero);
                x * x + y * y + z * z
            }
            Inner::Segment(half) => {
                let z = (along.z.abs() - f32x8::splat(simd, half)).max(zero);
                along.x * along.x + along.y * along.y + z * z
            }
            Inner::Cylinder([radius, half]) => {
                let out = (along.x * along.x + along.y * along.y).sqrt() - f32x8::splat(simd, radius);
                let (out, z) = (out.max(zero), (along.z.abs() - f32x8::splat(simd, half)).max(zero));
                out * out + z * z
            }
        }
    }
}

/// Where the square of a length is more than that of another; nowhere for what is no number.
#[inline(always)]
pub(super) fn is_more<S: Simd>(simd: S, square: f32x8<S>, length: f32) -> Lanes {
    square.simd_gt(f32x8::splat(simd, length * length)).to_bitmask() as Lanes
}

/// Where it is less.
#[inline(always)]
pub(super) fn is_less<S: Simd>(simd: S, square: f32x8<S>, length: f32) -> Lanes {
    if length > 0.0 { square.simd_lt(f32x8::splat(simd, length * length)).to_bitmask() as Lanes } else { 0 }
}
