//! A narrower interval for the distance of cores that GJK left with a wide one.
//!
//! Where the cores are near each other beside their size, the nearest point of the simplex is short, and its
//! direction is mostly rounding. The normals of the simplex itself are not; and of round cores Newton's
//! method finds the direction along which they are farthest apart.

use glam::DVec3;

use super::simplex::Step;
use crate::convex::depth::descent::descend;
use crate::convex::depth::first_tetrahedron::Scaled;
use crate::convex::{Difference, Gjk, GjkSimplex};
use crate::math::Interval;

/// So often a direction and a nearest point are made better in turn.
const ROUNDS: u32 = 4;

/// What was found, with an interval that is narrower if that can be.
#[cold]
#[inline(never)]
pub fn refined(difference: &Difference, found: Gjk, enough: f64) -> Gjk {
    let mut refining = Refining { scaled: Scaled::new(difference), found };
    for _ in 0..ROUNDS {
        let before = refining.found.distance;
        refining.directions();
        let now = refining.found.distance;
        if now.width() <= enough || now == before {
            break;
        }
    }
    refining.found
}

struct Refining<'a> {
    scaled: Scaled<'a>,
    found: Gjk,
}

impl Refining<'_> {
    /// Tries the directions that the simplex and the best bound so far suggest, towards the origin.
    fn directions(&mut self) {
        let tried: Vec<DVec3> = normals(&self.found.simplex, self.found.nearest, self.scaled.scale);
        for way in tried.into_iter().chain([-self.found.axis, self.found.nearest]) {
            let Some(unit) = (way / way.abs().max_element()).try_normalize() else { continue };
            self.bound(-unit);
            if !self.scaled.difference.is_polytope() {
                self.bound(descend(&self.scaled, -unit).0);
            }
        }
    }

    /// All of the difference lies below its support point along a unit vector; and that point may be nearer
    /// than what was found.
    fn bound(&mut self, unit: DVec3) {
        let difference = self.scaled.difference;
        let vertex = self.scaled.support(unit);
        let height = -unit.dot(vertex.point) / self.scaled.scale;
        let lower = height - 8.0 * f64::EPSILON * height.abs() - difference.slack();
        let interval = &mut self.found.distance;
        if lower > interval.lower {
            (interval.lower, self.found.axis) = (lower.min(interval.upper), unit);
        }
        self.add(difference.support(unit));
    }

    fn add(&mut self, vertex: crate::convex::Vertex) {
        let mut simplex = self.found.simplex;
        if simplex.has(vertex.vertices) && self.scaled.difference.is_polytope() {
            return;
        }
        simplex.push(vertex);
        if let Step::Nearer(nearest) = simplex.nearer(self.found.nearest.length_squared()) {
            let upper = nearest.length() * (1.0 + 4.0 * f64::EPSILON) + self.scaled.difference.rounding();
            let Interval { lower, upper: before } = self.found.distance;
            self.found.distance.upper = upper.min(before).max(lower);
            (self.found.nearest, self.found.simplex) = (nearest, simplex);
        }
    }
}

/// Vectors square to the simplex and to its edges, on the side of its nearest point.
fn normals(simplex: &GjkSimplex, nearest: DVec3, scale: f64) -> Vec<DVec3> {
    let points: Vec<DVec3> = simplex.vertices().iter().map(|v| v.point * scale).collect();
    let nearest = nearest * scale;
    let mut normals = Vec::with_capacity(4);
    if let [a, b, c] = points[..] {
        let normal = (b - a).cross(c - a);
        normals.push(if normal.dot(a) < 0.0 { -normal } else { normal });
    }
    for (i, p) in points.iter().enumerate() {
        for q in &points[..i] {
            let Some(along) = (*p - *q).try_normalize() else { continue };
            let across = nearest - along * nearest.dot(along);
            normals.push(across - along * across.dot(along));
        }
    }
    normals
}
