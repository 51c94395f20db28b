//! How deep bodies that are not convex are in each other: bounds from their pieces.

use glam::DVec3;

use super::answer::{Found, Penetration};
use super::bodies::{Placed, Posed, PosedBody, PosedSurface, parts};
use crate::convex::{Convex, Core};
use crate::effort::Meter;
use crate::math::Interval;
use crate::shape::Triangle;

/// How far two bodies are apart, before their pieces are compared.
pub(super) struct Apart(Found);

impl Apart {
    /// The answer if they are apart. Nearest points that round to one have no direction to each other: then
    /// it is `way`.
    pub fn far(&self, way: impl FnOnce([u32; 2]) -> DVec3) -> Option<Penetration> {
        let Found { nearest, interval, features } = self.0;
        let unit = |v: DVec3| (v / v.abs().max_element()).try_normalize();
        (interval.lower > 0.0).then(|| Penetration {
            signed: interval,
            normal: unit(self.way()).or_else(|| unit(way(features))).unwrap_or(DVec3::X),
            point_a: nearest.a,
            point_b: nearest.b,
        })
    }

    /// From one nearest point to the other.
    pub fn way(&self) -> DVec3 {
        self.0.nearest.b - self.0.nearest.a
    }
}

/// Where a signed distance lies of which nothing is known.
const ANYTHING: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

/// Bounds on the depth of two bodies from pairs of their pieces.
pub(super) struct Pieces {
    /// No more than this are the bodies apart, if they are: zero unless the search for a common point was
    /// stopped or could not tell.
    apart: f64,
    /// A point of both, or of the first.
    point: DVec3,
    /// The greatest depth certain of any two pieces.
    depth: f64,
    /// Directions along which separation is tried.
    normals: Vec<DVec3>,
}

impl Pieces {
    /// Measures how far the bodies are apart.
    pub fn begin(meter: &mut Meter, distance: impl FnOnce(&mut Meter) -> Found) -> Apart {
        meter.bounded(ANYTHING);
        Apart(distance(meter))
    }

    pub fn new(Apart(found): &Apart) -> Self {
        Self {
            apart: found.interval.upper,
            point: found.nearest.a,
            depth: 0.0,
            normals: DVec3::AXES.into_iter().flat_map(|n| [n, -n]).collect(),
        }
    }

    /// The signed distance is not above this: a pair of pieces that overlap says more than the common point
    /// of the bodies.
    fn upper(&self) -> f64 {
        if self.depth > 0.0 { -self.depth } else { self.apart }
    }

    pub fn add(&mut self, piece: &Penetration, meter: &mut Meter) {
        let depth = -piece.signed.upper;
        if depth > self.depth && depth.is_finite() {
            self.depth = depth;
            self.normals.push(piece.normal);
            meter.bounded(Interval { upper: -depth, ..ANYTHING });
        }
    }

    /// The least of the translations tried that separates the whole bodies. The first is tried under any budget.
    pub fn bounded(self, a: &dyn Extent, b: &dyn Extent, meter: &mut Meter) -> Penetration {
        let upper = self.upper();
        let mut best = Penetration {
            signed: Interval::new(f64::NEG_INFINITY, upper),
            normal: DVec3::X,
            point_a: self.point,
            point_b: self.point,
        };
        let cost = a.nodes() + b.nodes();
        for (k, normal) in self.normals.into_iter().enumerate() {
            if k > 0 && meter.spend(cost).is_break() {
                break;
            }
            if let (Some((height_a, point_a)), Some((height_b, point_b))) =
                (a.farthest(normal), b.farthest(-normal))
                && -(height_a + height_b) > best.signed.lower
            {
                let signed = Interval { lower: (-(height_a + height_b)).min(upper), upper };
                best = Penetration { signed, normal, point_a, point_b };
                meter.bounded(signed);
            }
        }
        best
    }
}

pub(super) fn of_triangle(t: &Triangle) -> Convex {
    Convex::new(Core::Triangle(t.corners()), 0.0)
}

/// What reaches so far in each direction.
pub(super) trait Extent {
    /// How far it reaches in a unit direction, rounded up, and where; `None` if for ever.
    fn farthest(&self, direction: DVec3) -> Option<(f64, DVec3)>;

    /// As many nodes as that costs.
    fn nodes(&self) -> u64;
}

fn up(direction: DVec3, p: DVec3, slack: f64) -> (f64, DVec3) {
    (direction.dot(p) + slack + 4.0 * f64::EPSILON * p.abs().element_sum(), p)
}

fn higher(a: (f64, DVec3), b: (f64, DVec3)) -> (f64, DVec3) {
    if b.0 > a.0 { b } else { a }
}

impl Extent for PosedSurface<'_> {
    fn farthest(&self, direction: DVec3) -> Option<(f64, DVec3)> {
        let corners = self.surface.mesh.triangles().iter().flatten();
        corners.map(|&i| up(direction, self.vertex(i), 0.0)).reduce(higher)
    }

    fn nodes(&self) -> u64 {
        1 + u64::from(self.count()) / 8
    }
}

impl Extent for PosedBody<'_> {
    fn farthest(&self, direction: DVec3) -> Option<(f64, DVec3)> {
        let convex = &self.convex;
        let support = convex.support(direction).offset;
        let p = convex.center() + support + direction * convex.convex().margin();
        Some(up(direction, p, convex.slack()))
    }

    fn nodes(&self) -> u64 {
        1
    }
}

impl Extent for Placed<'_> {
    fn farthest(&self, direction: DVec3) -> Option<(f64, DVec3)> {
        match self.form() {
            Posed::Halfspace(_) => None,
            Posed::Mesh(surface) => surface.farthest(direction),
            Posed::Convex(body) => body.farthest(direction),
            Posed::Compound => {
                let mut highest = (f64::NEG_INFINITY, DVec3::ZERO);
                for part in parts(*self) {
                    highest = higher(highest, part.at().farthest(direction)?);
                }
                Some(highest)
            }
        }
    }

    fn nodes(&self) -> u64 {
        match self.form() {
            Posed::Halfspace(_) => 1,
            Posed::Mesh(surface) => surface.nodes(),
            Posed::Convex(body) => body.nodes(),
            Posed::Compound => parts(*self).map(|part| part.at().nodes()).sum(),
        }
    }
}
