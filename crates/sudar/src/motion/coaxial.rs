//! Bodies that turn about one line and slide along it: how far their points are from the line never changes,
//! and how high along it only by the slide. What is apart in these two numbers never meets, however narrow
//! the gap and however far the turn.

use glam::DVec3;

use super::course::Course;
use super::piece::{Piece, corner};
use crate::convex::Core;
use crate::math::{Interval, length, unit};
use crate::shape::Obb;

/// Two motions about one line.
#[derive(Debug, Clone, Copy)]
pub struct Coaxial {
    /// A point of the line in the frames of both bodies, and its unit direction there.
    lines: [(DVec3, DVec3); 2],
    /// Where the second body's point of the line is along it, as seen from the first's, at all times.
    shift: Interval,
    /// How far the lines are from being one, and rounding.
    slack: f64,
}

/// How far from the line something is, and where along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    near: f64,
    far: f64,
    low: f64,
    high: f64,
}

/// Lines farther off each other than this part of the bodies are not one.
const OFF: f64 = 1e-3;

impl Coaxial {
    /// Of two motions whose axes are one line, or nearly so, along which they move as seen from each other.
    pub fn of(course: &Course) -> Option<Self> {
        let start = course.at(0.0);
        let turn = start.relative.rotation();
        let axis = start.seen[0].or(start.seen[1])?;
        let other = start.seen[1].unwrap_or(axis);
        let other = if other.dot(axis) < 0.0 { -other } else { other };
        let both = start.seen[0].is_some() && start.seen[1].is_some();
        // Of a body that does not turn any point will do: it sees the line of the other.
        let second = start.centers[0] + start.between;
        let first = if start.seen[0].is_some() { start.centers[0] } else { second };
        let second = if start.seen[1].is_some() { second } else { first };
        let between = if both { start.between } else { DVec3::ZERO };
        let along = |v: DVec3| (v.dot(axis), length(v - axis * v.dot(axis)));
        let ((height, aside), (speed, across)) = (along(between), along(start.velocity));
        let size = course.reaches[0].min(course.reaches[1]);
        let far = course.reaches[1] + length(start.centers[1]);
        let off = aside + across * course.until + 4.0 * length(other - axis) * far;
        // NaN where a reach or a time is infinite.
        if off.is_nan() || off >= OFF * size {
            return None;
        }
        let way = speed * course.until;
        Some(Self {
            lines: [(first, axis), (start.relative.unapply(second), turn.transpose() * other)],
            shift: Interval { lower: height + way.min(0.0), upper: height + way.max(0.0) },
            slack: off + 8.0 * course.slack,
        })
    }

    /// How a piece of body `i` lies about the line.
    pub fn profile(&self, i: usize, piece: &Piece) -> Profile {
        let (point, axis) = self.lines[i];
        let piece = &loose(piece);
        let ring = piece.ring(point, axis);
        let (low, high) = (ring.low - ring.margin, ring.high + ring.margin);
        let square = |v: DVec3| v - axis * v.dot(axis);
        let far = farthest(piece).map_or(ring.radius + ring.margin, |corners| {
            corners.into_iter().fold(0.0, |far: f64, p| far.max(length(square(p - point)))) + ring.margin
        });
        // The line is so far from the piece along any direction square to it.
        let beyond = |way: DVec3| {
            let Some(way) = unit(square(way)) else { return 0.0 };
            let lowest = |way: DVec3| way.dot(point) - piece.height(way);
            lowest(way).max(lowest(-way))
        };
        let near = match piece {
            Piece::Plane(_) => 0.0,
            Piece::Bound(_) | Piece::Triangle(_) | Piece::Convex(_) => {
                let (middle, _) = piece.ball();
                let ways = edges(piece).into_iter().map(|edge| edge.cross(axis)).chain([middle - point]);
                ways.fold(0.0, |near: f64, way| near.max(beyond(way)))
            }
        };
        Profile { near, far, low, high }
    }

    /// Whether what has these profiles, of the first body and of the second, is farther apart than the
    /// separation at all times.
    pub fn apart(&self, a: &Profile, b: &Profile, separation: f64) -> bool {
        let room = (separation + self.slack) * (1.0 + 16.0 * f64::EPSILON);
        b.near - a.far > room
            || a.near - b.far > room
            || b.low + self.shift.lower - a.high > room
            || a.low - b.high - self.shift.upper > room
    }
}

impl Profile {
    /// Of nothing.
    pub const NONE: Self =
        Self { near: f64::INFINITY, far: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// Of both together.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            near: self.near.min(other.near),
            far: self.far.max(other.far),
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// Corners whose hull the core is in, of pieces that have few.
fn farthest(piece: &Piece) -> Option<[DVec3; 8]> {
    match piece {
        Piece::Triangle(t) => Some(std::array::from_fn(|i| t.corners()[i % 3])),
        Piece::Bound(b) => Some(b.corners()),
        Piece::Convex(c) => match c.convex().core() {
            Core::Cuboid(..) | Core::Segment(_) => {
                Some(std::array::from_fn(|i| c.center() + corner(c, i as u32)))
            }
            Core::Point(_) | Core::Triangle(_) | Core::Polytope(_) | Core::Round(_) => None,
        },
        Piece::Plane(_) => None,
    }
}

/// Directions of the edges of a piece, of those that have few.
fn edges(piece: &Piece) -> [DVec3; 3] {
    match piece {
        Piece::Triangle(t) => [t.b - t.a, t.c - t.b, t.a - t.c],
        Piece::Bound(b) => [b.axes.x_axis, b.axes.y_axis, b.axes.z_axis],
        Piece::Convex(c) => {
            let turn = c.pose().rotation();
            [turn.x_axis, turn.y_axis, turn.z_axis]
        }
        Piece::Plane(_) => [DVec3::ZERO; 3],
    }
}

/// A bound whose axes need be orthonormal to seven digits only.
fn loose<'a>(piece: &Piece<'a>) -> Piece<'a> {
    match piece {
        Piece::Bound(b) => Piece::Bound(Obb { half: b.half + 2e-6 * b.half.element_sum(), ..*b }),
        Piece::Triangle(_) | Piece::Convex(_) | Piece::Plane(_) => *piece,
    }
}
