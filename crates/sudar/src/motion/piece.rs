//! The convex pieces of which moving bodies are made, fixed in the frame of the body.

use glam::DVec3;

use crate::convex::{Core, PosedConvex};
use crate::math::length;
use crate::shape::{Halfspace, Obb, Triangle};

/// A convex piece of a body, in the body's frame.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'a> {
    /// A box that holds whatever there is; its faces need not touch anything.
    Bound(Obb),
    /// A triangle.
    Triangle(Triangle),
    /// A convex body at its place in the frame.
    Convex(PosedConvex<'a>),
    /// A half-space of unit normal.
    Plane(Halfspace),
}

/// How far a piece is from an axis through the centre of its motion, and where along the axis it is; its
/// margin by itself, which turning does not move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ring {
    /// Greatest distance from the axis.
    pub radius: f64,
    /// Least and greatest height along the axis.
    pub low: f64,
    pub high: f64,
    /// What lies around all that.
    pub margin: f64,
}

impl Piece<'_> {
    /// The largest `direction·x` of its points, up to rounding. Of a half-space only along its normal, which
    /// the direction then has to be, of any length.
    #[inline]
    pub fn height(&self, direction: DVec3) -> f64 {
        match self {
            Self::Bound(b) => direction.dot(b.center) + (b.axes.transpose() * direction).abs().dot(b.half),
            Self::Triangle(t) => {
                t.corners().map(|p| direction.dot(p)).into_iter().fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Convex(c) => {
                let size = length(direction);
                let core = direction.dot(c.center()) + direction.dot(c.support(direction).offset);
                core + size * (c.convex().margin() + c.slack())
            }
            Self::Plane(h) => h.offset * length(direction),
        }
    }

    /// How far the piece reaches around its core, in every direction.
    #[inline]
    pub(super) fn margin(&self) -> f64 {
        match self {
            Self::Convex(c) => c.convex().margin(),
            Self::Bound(_) | Self::Triangle(_) | Self::Plane(_) => 0.0,
        }
    }

    /// The height of its core along a direction, and of its margin along a unit direction: what turns, and
    /// what does not.
    #[inline]
    pub(super) fn height_turned(&self, direction: DVec3) -> f64 {
        self.height(direction) - self.margin() * (length(direction) - 1.0).max(0.0)
    }

    /// A point of the piece where it is highest; of a box or a half-space, its middle or a foot.
    pub(super) fn highest(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Bound(b) => b.center,
            Self::Triangle(t) => {
                let higher =
                    |best: DVec3, p: DVec3| if direction.dot(p) > direction.dot(best) { p } else { best };
                t.corners().into_iter().fold(t.a, higher)
            }
            Self::Convex(c) => {
                let unit = direction / length(direction);
                (c.center() + c.support(direction).offset) + unit * c.convex().margin()
            }
            Self::Plane(h) => h.normal * h.offset,
        }
    }

    /// About the middle of the piece and the radius of a ball around that which holds it.
    #[inline]
    pub fn ball(&self) -> (DVec3, f64) {
        match self {
            // Its axes may be orthonormal to seven digits only.
            Self::Bound(b) => (b.center, length(b.half) * (1.0 + 1e-6)),
            Self::Triangle(t) => {
                let middle = t.a + ((t.b - t.a) + (t.c - t.a)) / 3.0;
                (middle, t.corners().into_iter().fold(0.0, |most: f64, p| most.max(length(p - middle))))
            }
            Self::Convex(c) => (c.center(), c.convex().radius() + c.convex().margin()),
            Self::Plane(h) => (h.normal * h.offset, f64::INFINITY),
        }
    }

    /// How it lies about the axis of unit direction `axis` through `center`.
    #[inline]
    pub(super) fn ring(&self, center: DVec3, axis: DVec3) -> Ring {
        let seen = |p: DVec3| {
            let arm = p - center;
            (length(arm.cross(axis)), arm.dot(axis))
        };
        let none = Ring { radius: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY, margin: self.margin() };
        let add = |ring: Ring, (radius, height): (f64, f64)| Ring {
            radius: ring.radius.max(radius),
            low: ring.low.min(height),
            high: ring.high.max(height),
            ..ring
        };
        match self {
            Self::Triangle(t) => t.corners().map(seen).into_iter().fold(none, add),
            Self::Bound(b) => {
                let (radius, height) = seen(b.center);
                let reach = (b.axes.transpose() * axis).abs().dot(b.half);
                let radius = radius + length(b.half) * (1.0 + 1e-6);
                Ring { radius, low: height - reach, high: height + reach, ..none }
            }
            Self::Convex(c) => {
                let (radius, height) = seen(c.center());
                let along = |way: DVec3| way.dot(c.support(way).offset) + c.slack();
                let radius = radius + around(c, axis);
                Ring { radius, low: height - along(-axis), high: height + along(axis), ..none }
            }
            Self::Plane(_) => {
                Ring { radius: f64::INFINITY, low: f64::NEG_INFINITY, high: f64::INFINITY, ..none }
            }
        }
    }
}

/// How far the points of a core are at most from the line of unit direction `axis` through its centre.
fn around(c: &PosedConvex, axis: DVec3) -> f64 {
    let reach = match c.convex().core() {
        Core::Round(round) => round.kind().ring(length(c.pose().rotation().z_axis.cross(axis))),
        Core::Segment(_) | Core::Cuboid(..) => {
            (0..8).fold(0.0, |most: f64, i| most.max(length(corner(c, i).cross(axis))))
        }
        Core::Point(_) => 0.0,
        Core::Triangle(_) | Core::Polytope(_) => f64::INFINITY,
    };
    (reach + c.slack()).min(c.convex().radius())
}

/// A corner of a box or an end of a segment, from the centre.
pub(super) fn corner(c: &PosedConvex, i: u32) -> DVec3 {
    let is_segment = matches!(c.convex().core(), Core::Segment(_));
    c.offset(if is_segment { i % 2 } else { i })
}

impl Ring {
    /// The largest `direction·x`, seen from the centre, that any point reaches at any angle, along a unit
    /// direction. `along` is the direction's component along the axis, `across` that square to it.
    #[inline]
    pub fn height(&self, along: f64, across: f64) -> f64 {
        (along * self.low).max(along * self.high) + across * self.radius + self.margin
    }
}
