//! The Minkowski difference of two bodies.

use glam::DVec3;

use super::{Polytope, PosedConvex};

/// The set of all a − b for points a, b of two cores (margins are left to who asks), by its support mapping.
#[derive(Debug, Clone, Copy)]
pub struct Difference<'a> {
    /// The first body.
    pub a: PosedConvex<'a>,
    /// The second body.
    pub b: PosedConvex<'a>,
    /// From the centre of the first to that of the second.
    between: DVec3,
}

/// A point of the difference and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// The point a − b.
    pub point: DVec3,
    /// The point a, as seen from the centre of the first body.
    pub a: DVec3,
    /// The point b, as seen from the centre of the second body.
    pub b: DVec3,
    /// The numbers of the vertices a and b, see [`super::SupportPoint::vertex`].
    pub vertices: [u32; 2],
}

impl<'a> Difference<'a> {
    /// Guesses for the vertices of a support mapping that say nothing.
    pub const NO_START: [u32; 2] = [Polytope::NO_START; 2];

    /// The difference of two posed bodies.
    #[inline]
    pub fn new(a: PosedConvex<'a>, b: PosedConvex<'a>) -> Self {
        Self { a, b, between: b.center() - a.center() }
    }

    /// The point farthest in a direction of any length but zero. `start` guesses the vertices.
    #[inline]
    pub fn support(&self, direction: DVec3, start: [u32; 2]) -> Vertex {
        let (a, b) = (self.a.support(direction, start[0]), self.b.support(-direction, start[1]));
        let point = (a.offset - b.offset) - self.between;
        Vertex { point, a: a.offset, b: b.offset, vertices: [a.vertex, b.vertex] }
    }

    /// The difference of two vertices of polytopes, given by their numbers.
    #[inline]
    pub fn vertex(&self, vertices: [u32; 2]) -> Vertex {
        let (a, b) = (self.a.offset(vertices[0]), self.b.offset(vertices[1]));
        Vertex { point: (a - b) - self.between, a, b, vertices }
    }

    /// From the centre of the first body to that of the second: minus a point of the difference.
    pub fn between(&self) -> DVec3 {
        self.between
    }

    /// Whether both cores are polytopes.
    pub fn is_polytope(&self) -> bool {
        self.a.convex().is_polytope() && self.b.convex().is_polytope()
    }

    /// The sum of the margins of the two bodies.
    pub fn margin(&self) -> f64 {
        self.a.convex().margin() + self.b.convex().margin()
    }

    /// Bound on the distance of any point of the difference from the point that stands for the two centres.
    pub fn radius(&self) -> f64 {
        self.a.convex().radius() + self.b.convex().radius()
    }

    /// Bound on how far support points and their heights in unit directions are off: what this library calls certain
    /// is certain by at least this.
    pub fn slack(&self) -> f64 {
        let far = self.between.abs().max_element() + self.radius();
        self.a.slack() + self.b.slack() + 4.0 * f64::EPSILON * far
    }
}
