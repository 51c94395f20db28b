//! The convex pieces of which moving bodies are made, fixed in the frame of the body.

use glam::DVec3;

use crate::convex::PosedConvex;
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

/// How far a piece is from an axis through the centre of its motion, and where along the axis it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ring {
    /// Greatest distance from the axis.
    pub radius: f64,
    /// Least and greatest height along the axis.
    pub low: f64,
    pub high: f64,
}

impl Piece<'_> {
    /// The largest `direction·x` of its points, up to rounding. Of a half-space only along its normal, which the direction then
    /// has to be, of any length.
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
        if let Self::Triangle(t) = self {
            let rings = t.corners().map(seen);
            let start = Ring { radius: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY };
            return rings.into_iter().fold(start, |ring, (radius, height)| Ring {
                radius: ring.radius.max(radius),
                low: ring.low.min(height),
                high: ring.high.max(height),
            });
        }
        let (middle, ball) = self.ball();
        let (radius, height) = seen(middle);
        let (up, down) = match self {
            Self::Bound(b) => {
                let reach = (b.axes.transpose() * axis).abs().dot(b.half);
                (reach, reach)
            }
            Self::Triangle(_) | Self::Convex(_) | Self::Plane(_) => (ball, ball),
        };
        Ring { radius: radius + ball, low: height - down, high: height + up }
    }
}

impl Ring {
    /// The largest `direction·x`, seen from the centre, that any point reaches at any angle. `along` is the direction's component
    /// along the axis, `across` that square to it.
    #[inline]
    pub fn height(&self, along: f64, across: f64) -> f64 {
        (along * self.low).max(along * self.high) + across * self.radius
    }
}
