//! The squared distance of two triangles as an exact fraction, with a proof.
//!
//! The nearest points of two convex sets are known by this alone: no corner of either lies beyond the plane through its
//! own point, across the way to the other. So candidates (two corners, a corner and its foot on an edge or face, the
//! perpendicular of two edges) are tried, the likeliest by plain `f64` first, and the first that is feasible and has
//! this property in exact arithmetic is the answer. Of the library only its fractions are used.

use std::cmp::Ordering;

use sudar::DVec3;
use sudar::math::{Fraction, FractionVec3};

/// Corners of a triangle that may be a segment or a point.
pub type Corners = [DVec3; 3];

/// A corner, an edge (from the corner of this number to the next) or the face of a triangle.
#[derive(Debug, Clone, Copy)]
enum Part {
    Corner(usize),
    Edge(usize),
    Face,
}

/// Pairs of parts between which the distance may be attained.
const CANDIDATES: [[Part; 2]; 42] = {
    let mut all = [[Part::Face; 2]; 42];
    let mut n = 0;
    let mut i = 0;
    while i < 3 {
        let mut j = 0;
        while j < 3 {
            all[n] = [Part::Corner(i), Part::Corner(j)];
            all[n + 1] = [Part::Corner(i), Part::Edge(j)];
            all[n + 2] = [Part::Edge(i), Part::Corner(j)];
            all[n + 3] = [Part::Edge(i), Part::Edge(j)];
            n += 4;
            j += 1;
        }
        all[n] = [Part::Corner(i), Part::Face];
        all[n + 1] = [Part::Face, Part::Corner(i)];
        n += 2;
        i += 1;
    }
    all
};

/// How far feasible parameters in `f64` may lie outside of 0 to 1.
const SLACK: f64 = 1e-6;

/// What `f64` makes of two triangles: a guess at their nearest points, and a bound that holds.
#[derive(Debug, Clone, Copy)]
pub struct Rough {
    /// The distance is at least this.
    pub lower: f64,
    /// It is at most this: some points of the two are no farther apart, up to rounding.
    pub upper: f64,
}

/// Coordinates must be about 1 in size, see [`scale_of`].
pub fn rough(t: &Corners, u: &Corners) -> Rough {
    let (t, u) = &local(t, u);
    let mut best = (f64::INFINITY, DVec3::ZERO);
    for [p, q] in CANDIDATES {
        if let Some([x, y]) = guess(t, u, p, q)
            && x.distance_squared(y) < best.0
        {
            best = (x.distance_squared(y), y - x);
        }
    }
    let towards = best.1.normalize_or_zero();
    // Each difference, product and sum rounds by less than a hundredth of the room.
    let size = t.iter().chain(u).map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let least = u.iter().map(|q| q.dot(towards)).fold(f64::INFINITY, f64::min);
    let most = t.iter().map(|p| p.dot(towards)).fold(f64::NEG_INFINITY, f64::max);
    // Squares below 1e-300 underflow.
    let room = 1e-14 * size + 1e-150;
    Rough { lower: (least - most) * (1.0 - 1e-14) - room, upper: best.0.sqrt() + room }
}

/// The exact square of the distance; panics if no candidate is optimal, which cannot be.
pub fn squared_distance(t: &Corners, u: &Corners) -> Fraction {
    let scale = scale_of(t.iter().chain(u));
    let (small_t, small_u) = local(&t.map(|p| p * scale), &u.map(|p| p * scale));
    let mut order: Vec<(f64, usize)> = CANDIDATES
        .iter()
        .enumerate()
        .map(|(n, [p, q])| {
            let points = guess(&small_t, &small_u, *p, *q);
            (points.map_or(f64::INFINITY, |[x, y]| x.distance_squared(y)), n)
        })
        .collect();
    order.sort_by(|s, t| s.0.total_cmp(&t.0));
    let (t, u) = (t.map(FractionVec3::from), u.map(FractionVec3::from));
    order
        .into_iter()
        .find_map(|(_, n)| optimal(&t, &u, CANDIDATES[n]))
        .expect("the distance of two triangles is attained between two of their parts")
}

/// A power of two that brings the largest coordinate to about 1.
pub fn scale_of<'a>(points: impl Iterator<Item = &'a DVec3>) -> f64 {
    let largest = points.map(|p| p.abs().max_element()).fold(0.0, f64::max);
    if largest == 0.0 { 1.0 } else { 2_f64.powi(-(largest.log2().floor() as i32)) }
}

/// Both seen from a corner of the first, so that far from the origin no digits are lost.
fn local(t: &Corners, u: &Corners) -> (Corners, Corners) {
    (t.map(|p| p - t[0]), u.map(|p| p - t[0]))
}

/// The nearest points of two parts, or of the lines and planes they are in if those lie inside up to rounding.
fn guess(t: &Corners, u: &Corners, p: Part, q: Part) -> Option<[DVec3; 2]> {
    match (p, q) {
        (Part::Corner(i), Part::Corner(j)) => Some([t[i], u[j]]),
        (Part::Corner(i), Part::Edge(j)) => Some([t[i], foot_on_edge(t[i], u[j], u[(j + 1) % 3])?]),
        (Part::Edge(i), Part::Corner(j)) => Some([foot_on_edge(u[j], t[i], t[(i + 1) % 3])?, u[j]]),
        (Part::Edge(i), Part::Edge(j)) => perpendicular([t[i], t[(i + 1) % 3]], [u[j], u[(j + 1) % 3]]),
        (Part::Corner(i), Part::Face) => Some([t[i], foot_on_face(t[i], u)?]),
        (Part::Face, Part::Corner(j)) => Some([foot_on_face(u[j], t)?, u[j]]),
        (Part::Face, Part::Edge(_) | Part::Face) | (Part::Edge(_), Part::Face) => None,
    }
}

/// The parameter, moved inside if it is only just outside, so that the point is one of the triangle whatever the
/// rounding.
fn inside(s: f64) -> Option<f64> {
    (-SLACK..=1.0 + SLACK).contains(&s).then(|| s.clamp(0.0, 1.0))
}

fn foot_on_edge(p: DVec3, a: DVec3, b: DVec3) -> Option<DVec3> {
    let s = inside((p - a).dot(b - a) / (b - a).length_squared())?;
    Some(a + (b - a) * s)
}

fn perpendicular([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let (v, w, r) = (b - a, d - c, c - a);
    let n = v.cross(w);
    let (s, t) = (r.cross(w).dot(n) / n.length_squared(), r.cross(v).dot(n) / n.length_squared());
    Some([a + v * inside(s)?, c + w * inside(t)?])
}

fn foot_on_face(p: DVec3, t: &Corners) -> Option<DVec3> {
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let weight = |i: usize| {
        let (a, b) = (t[(i + 1) % 3], t[(i + 2) % 3]);
        inside((b - a).cross(p - a).dot(n) / n.length_squared())
    };
    let (u, v, w) = (weight(0)?, weight(1)?, weight(2)?);
    Some((t[0] * u + t[1] * v + t[2] * w) / (u + v + w))
}

type Exact = [FractionVec3; 3];

/// The squared distance, if the candidate attains it.
fn optimal(t: &Exact, u: &Exact, [p, q]: [Part; 2]) -> Option<Fraction> {
    let (x, y) = exact_points(t, u, p, q)?;
    let way = &y - &x;
    let (at_x, at_y) = (x.dot(&way), y.dot(&way));
    let behind = t.iter().all(|p| p.dot(&way).cmp(&at_x) != Ordering::Greater);
    let beyond = behind && u.iter().all(|q| q.dot(&way).cmp(&at_y) != Ordering::Less);
    beyond.then(|| way.dot(&way))
}

fn exact_points(t: &Exact, u: &Exact, p: Part, q: Part) -> Option<(FractionVec3, FractionVec3)> {
    match (p, q) {
        (Part::Corner(i), Part::Corner(j)) => Some((t[i].clone(), u[j].clone())),
        (Part::Corner(i), Part::Edge(j)) => {
            Some((t[i].clone(), exact_foot_on_edge(&t[i], &u[j], &u[(j + 1) % 3])?))
        }
        (Part::Edge(i), Part::Corner(j)) => {
            Some((exact_foot_on_edge(&u[j], &t[i], &t[(i + 1) % 3])?, u[j].clone()))
        }
        (Part::Edge(i), Part::Edge(j)) => {
            exact_perpendicular([&t[i], &t[(i + 1) % 3]], [&u[j], &u[(j + 1) % 3]])
        }
        (Part::Corner(i), Part::Face) => Some((t[i].clone(), exact_foot_on_face(&t[i], u)?)),
        (Part::Face, Part::Corner(j)) => Some((exact_foot_on_face(&u[j], t)?, u[j].clone())),
        (Part::Face, Part::Edge(_) | Part::Face) | (Part::Edge(_), Part::Face) => None,
    }
}

/// `numerator / denominator` if that is from 0 to 1; the denominator is not negative.
fn parameter(numerator: &Fraction, denominator: &Fraction) -> Option<Fraction> {
    let feasible = denominator.is_positive() && !numerator.is_negative() && numerator <= denominator;
    feasible.then(|| numerator / denominator)
}

fn exact_foot_on_edge(p: &FractionVec3, a: &FractionVec3, b: &FractionVec3) -> Option<FractionVec3> {
    let along = b - a;
    let s = parameter(&(p - a).dot(&along), &along.dot(&along))?;
    Some(a + &along.scaled(&s))
}

fn exact_perpendicular(
    [a, b]: [&FractionVec3; 2],
    [c, d]: [&FractionVec3; 2],
) -> Option<(FractionVec3, FractionVec3)> {
    let (v, w, r) = (b - a, d - c, c - a);
    let n = v.cross(&w);
    let square = n.dot(&n);
    let s = parameter(&r.cross(&w).dot(&n), &square)?;
    let t = parameter(&r.cross(&v).dot(&n), &square)?;
    Some((a + &v.scaled(&s), c + &w.scaled(&t)))
}

fn exact_foot_on_face(p: &FractionVec3, t: &Exact) -> Option<FractionVec3> {
    let n = (&t[1] - &t[0]).cross(&(&t[2] - &t[0]));
    let square = n.dot(&n);
    let above = (0..3).all(|i| {
        let (a, b) = (&t[i], &t[(i + 1) % 3]);
        !(b - a).cross(&(p - a)).dot(&n).is_negative()
    });
    (square.is_positive() && above).then(|| {
        let height = &(p - &t[0]).dot(&n) / &square;
        p - &n.scaled(&height)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(t: [[f64; 3]; 3], u: [[f64; 3]; 3]) -> f64 {
        let [t, u] = [t, u].map(|t| t.map(DVec3::from));
        let found = squared_distance(&t, &u);
        assert_eq!(found, squared_distance(&u, &t));
        let rough = rough(&t, &u);
        let distance = found.to_f64().sqrt();
        assert!(rough.lower <= distance && distance <= rough.upper);
        found.to_f64()
    }

    const FLOOR: [[f64; 3]; 3] = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]];

    #[test]
    fn distances_known_by_hand() {
        assert_eq!(square(FLOOR, [[1., 1., 2.], [1., 1., 5.], [2., 1., 5.]]), 4.0, "corner over face");
        assert_eq!(
            square(FLOOR, [[7., 4., 0.], [9., 4., 0.], [9., 9., 0.]]),
            24.5,
            "corner beside the slanted edge"
        );
        assert_eq!(square(FLOOR, [[-1., -1., -1.], [-2., -3., -1.], [-3., -2., -1.]]), 3.0, "two corners");
        assert_eq!(square(FLOOR, [[1., 1., 3.], [2., 1., 3.], [1., 2., 3.]]), 9.0, "parallel faces");
        assert_eq!(square(FLOOR, [[2., -1., -5.], [2., -1., 5.], [2., -9., 0.]]), 1.0, "edges that cross");
        assert_eq!(square([[1., 1., 1.]; 3], [[1., 3., 1.]; 3]), 4.0, "points");
        // From (0,0,1) to the line x + y = 4, z = 0: 8 + 1, but the nearest point of the floor is below it.
        assert_eq!(square(FLOOR, [[0., 0., 1.]; 3]), 1.0, "point over a corner");
        assert_eq!(
            square([[0., 0., 0.], [4., 0., 0.], [2., 0., 0.]], [[1., 3., 4.], [9., 3., 4.], [5., 3., 4.]]),
            25.0
        );
    }
}
