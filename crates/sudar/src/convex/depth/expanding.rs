//! The expanding polytope algorithm: how deep two cores overlap.

use glam::DVec3;

use super::descent::descend;
use super::expanding_faces::{Face, Faces};
use super::first_tetrahedron::{Flat, Scaled, first_tetrahedron};
use super::penetration::{nearest_weights, witnesses};
use crate::convex::distance::newton::{Polished, deepest_points};
use crate::convex::{Accuracy, CorePenetration, Difference, Vertex};
use crate::math::Interval;

/// The least translation that separates two overlapping cores, by a polytope inside their difference that grows
/// where it is nearest to the origin (van den Bergen 2001, "Proximity queries and penetration depth computation on
/// 3D game objects").
///
/// The corners of the polytope are points of the difference, so the ball around the origin that fits into the
/// polytope fits into the difference: its radius is the lower end of the depth. The support mapping along the normal
/// of the nearest face bounds the difference by a plane: the least distance of such a plane is the upper end. The
/// corner found there becomes part of the polytope, unless the face is on the boundary of the difference: then both
/// ends agree up to rounding.
///
/// The polytope stays convex: which faces a new corner sees is decided exactly. It need not hold the origin at first,
/// for faces that the origin sees are the nearest and grow first; so any `simplex` will do, that of GJK is best. Flat
/// differences have depth 0. `limit` bounds the expansions; what is reached by then is returned.
///
/// Where a core is round, Newton's method is tried from the nearest face: it ends the search where balls
/// inside of the bodies prove that no direction is less deep.
///
/// Cost: some 5 to 15 expansions of two support mappings each; for round cores as many as the accuracy takes
/// (100 to 200 for 1e-9) where nothing is proven. If the cores are apart after all, the depth is 0 and the
/// normal separates them.
pub fn expanding_polytope(
    difference: &Difference,
    simplex: &[Vertex],
    accuracy: &Accuracy,
    limit: u32,
) -> CorePenetration {
    let scaled = Scaled::new(difference);
    match first_tetrahedron(&scaled, simplex) {
        Err(Flat { normal, height }) => flat(&scaled, simplex, normal, height),
        Ok(corners) => {
            let mut expansion = Expansion::new(&scaled, corners);
            let expansions = expansion.run(accuracy, limit);
            expansion.polish();
            let found = expansion.penetration(expansions);
            expansion.faces.recycle();
            found
        }
    }
}

/// How close the ends of the depth are, relative to the upper, when Newton's method is tried first, and how
/// much closer each time after.
const FIRST_NEWTON: f64 = 0.9;
const NEXT_NEWTON: f64 = 0.1;
/// Most slivers that are left as they are before the search ends.
const ASIDE: u32 = 32;

/// The polytope and the ends of the depth, in the measure of [`Scaled`].
struct Expansion<'a> {
    difference: &'a Scaled<'a>,
    faces: Faces,
    lower: f64,
    upper: f64,
    /// The face whose normal gave the upper end up to the slack, that normal of unit length and the end itself.
    best: Face,
    normal: DVec3,
    height: f64,
    /// The nearest face at last.
    last: usize,
    /// Points that Newton's method found and that are known to be deepest; it is tried when the ends are this close.
    settled: Option<Polished>,
    try_newton: f64,
}

impl<'a> Expansion<'a> {
    fn new(difference: &'a Scaled, corners: [Vertex; 4]) -> Self {
        let faces = Faces::tetrahedron(corners);
        let face = *faces.first();
        Self {
            difference,
            faces,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            best: face,
            normal: DVec3::X,
            height: f64::INFINITY,
            last: 0,
            settled: None,
            try_newton: if difference.is_smooth() { FIRST_NEWTON } else { 0.0 },
        }
    }

    /// Refines until the interval is narrow enough or nothing is gained; returns the number of expansions.
    fn run(&mut self, accuracy: &Accuracy, limit: u32) -> u32 {
        let absolute = accuracy.absolute * self.difference.scale;
        let (mut aside, mut least_aside) = (0, f64::INFINITY);
        for expansions in 0..limit {
            let Some((number, face)) = self.faces.nearest() else {
                return expansions;
            };
            let face = *face;
            self.last = number;
            self.lower = self.lower.max(face.distance.min(least_aside));
            let corner = self.difference.support(face.normal);
            self.bound(&face, corner.point);
            // The interval is widened by the slack at both ends in any case.
            let enough = absolute.max(accuracy.relative * self.upper).max(self.difference.slack);
            if self.upper - self.lower <= enough || self.upper < 0.0 {
                return expansions;
            }
            if self.upper - self.lower < self.try_newton * self.upper && self.settle(accuracy) {
                return expansions;
            }
            if self.faces.expand(number, corner, self.upper, limit) {
                continue;
            }
            // A sliver may not grow and yet be far from the end of the depth, for its normal is rounding:
            // others say more.
            if aside == ASIDE || self.upper - self.lower <= 64.0 * self.difference.slack {
                return expansions;
            }
            (aside, least_aside) = (aside + 1, least_aside.min(face.distance));
            self.faces.set_aside(number);
        }
        if let Some((number, face)) = self.faces.nearest() {
            self.lower = self.lower.max(face.distance.min(least_aside));
            self.last = number;
        }
        limit
    }

    /// Newton's method from the best face. Returns whether what it finds is as narrow as wanted.
    fn settle(&mut self, accuracy: &Accuracy) -> bool {
        self.try_newton *= NEXT_NEWTON;
        let Scaled { difference, scale, .. } = *self.difference;
        let corners = self.best.corners.map(|i| *self.faces.corner(i));
        let normal = self.best.normal / self.best.length;
        let Some((found, radius)) = deepest_points(difference, &corners, normal) else {
            return false;
        };
        let height = found.normal.dot(difference.support(found.normal).point) * (1.0 + 4.0 * f64::EPSILON);
        // Centres and radii of the balls are off by a few roundings of the sizes of the bodies.
        let lower = radius - 2.0 * difference.slack();
        let enough = height - lower <= accuracy.width(height).max(8.0 * difference.slack());
        if enough && lower > 0.0 {
            (self.normal, self.height, self.lower) = (found.normal, height * scale, lower * scale);
            self.settled = Some(found);
        }
        self.settled.is_some()
    }

    /// Nothing is farther along the normal of the face than `point`.
    #[inline]
    fn bound(&mut self, face: &Face, point: DVec3) {
        // A product of three terms and a division: off by 4u of the terms' sizes with u = ε/2.
        let height = face.normal.dot(point) / face.length + 4.0 * f64::EPSILON * point.abs().max_element();
        self.upper = self.upper.min(height);
        // Of faces equal up to rounding the last is nearest to the boundary.
        if height <= self.upper + self.difference.slack {
            self.best = *face;
            self.height = height;
        }
    }

    /// Takes the normal of the best face, or for smooth bodies a better one close by.
    fn polish(&mut self) {
        if self.settled.is_some() {
            return;
        }
        self.normal = self.best.normal / self.best.length;
        if !self.difference.difference.is_polytope() && self.height - self.lower > self.difference.slack {
            let (normal, height) = descend(self.difference, self.normal);
            let height = height + 4.0 * f64::EPSILON * height.abs();
            if height < self.height {
                (self.normal, self.height) = (normal, height);
            }
        }
    }

    fn penetration(&self, expansions: u32) -> CorePenetration {
        if let Some(found) = &self.settled {
            let Difference { a, b, .. } = self.difference.difference;
            let vertices = self.best.corners.map(|i| self.faces.corner(i).vertices);
            let (a, b) = (a.center() + found.a, b.center() + found.b);
            let depth = depth(self.difference, self.lower, self.height);
            return CorePenetration { depth, normal: self.normal, a, b, vertices, expansions };
        }
        let (corners, weights) = self.touched(self.normal * self.height);
        let corners = corners.map(|i| *self.faces.corner(i));
        let [a, b] = witnesses(self.difference.difference, &corners, weights);
        let depth = depth(self.difference, self.lower, self.height);
        CorePenetration {
            depth,
            normal: self.normal,
            a,
            b,
            vertices: corners.map(|v| v.vertices),
            expansions,
        }
    }
}

impl Expansion<'_> {
    /// Where the polytope comes up to the point that the normal and the upper end say.
    fn touched(&self, touch: DVec3) -> ([u32; 3], [f64; 3]) {
        // Faces of one plane are equally near, and it takes that in which the ray leaves the polytope. If the origin
        // is on the boundary, or outside but for rounding, there may be none.
        let near = 2.0 * (self.height - self.lower) + 8.0 * self.difference.slack;
        self.faces
            .pierced(self.normal, self.last)
            .filter(|(corners, weights)| (self.faces.mean(*corners, *weights) - touch).length() <= near)
            .unwrap_or_else(|| self.faces.nearest_to(touch))
    }
}

/// The depth from bounds in the measure of [`Scaled`]: points of the difference may be off by the slack.
fn depth(difference: &Scaled, lower: f64, upper: f64) -> Interval {
    let slack = difference.difference.slack();
    let (lower, upper) = (lower / difference.scale, upper / difference.scale);
    let upper = (upper + slack).next_up().max(0.0);
    Interval { lower: (lower - slack).next_down().max(0.0).min(upper), upper }
}

fn flat(difference: &Scaled, simplex: &[Vertex], normal: DVec3, height: f64) -> CorePenetration {
    let corners = nearest_corners(difference, simplex, normal);
    let weights = nearest_weights(corners.map(|v| v.point * difference.scale));
    let [a, b] = witnesses(difference.difference, &corners, weights);
    let vertices = corners.map(|v| v.vertices);
    CorePenetration { depth: depth(difference, 0.0, height), normal, a, b, vertices, expansions: 0 }
}

/// Three corners of the simplex, not all different if it has fewer, nearest to the origin.
fn nearest_corners(difference: &Scaled, simplex: &[Vertex], normal: DVec3) -> [Vertex; 3] {
    let distance = |corners: &[Vertex; 3]| {
        let points = corners.map(|v| v.point * difference.scale);
        let [u, v, w] = nearest_weights(points);
        (points[0] * u + points[1] * v + points[2] * w).length_squared()
    };
    match *simplex {
        [] => [difference.difference.support(normal); 3],
        [a] => [a; 3],
        [a, b] => [a, b, b],
        [a, b, c] => [a, b, c],
        [a, b, c, d, ..] => [[a, b, d], [a, c, d], [b, c, d]]
            .into_iter()
            .fold([a, b, c], |best, other| if distance(&other) < distance(&best) { other } else { best }),
    }
}

#[cfg(test)]
mod tests;
