//! Where a point is with respect to a closed mesh: crossings of a ray along +x are counted.
//!
//! Simulation of simplicity (Edelsbrunner and Mücke 1990, "Simulation of simplicity"): the ray starts at
//! p + (0, ε, ε²) with an infinitely small ε, so it passes no edge and no corner, and triangles that share an edge
//! decide about it by the same exact sign. A point on the surface is recognised before, so moving it changes nothing.

use glam::DVec3;

use super::exact_point::ExactPoint;
use crate::math::Sign;
use crate::shape::{Aabb, Triangle, has_zero_area};

/// Location of a point with respect to a closed surface: inside, outside or on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// Strictly inside: a ray from it crosses the surface an odd number of times.
    Inside,
    /// Strictly outside.
    Outside,
    /// On the triangle of this number, the first that was found.
    OnSurface(u32),
}

/// Counts the crossings of a ray from a point with the triangles it is fed. Exact.
///
/// To locate a point in a closed mesh, feed every triangle whose box meets [`Parity::reach`], each once, in any
/// order; others may be fed too and change nothing. `P` is [`DVec3`] or
/// [`super::RationalPoint`].
///
/// ```
/// use sudar::inside::{Location, Parity};
/// use sudar::{Aabb, DVec3, Mesh};
/// let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
/// let mut parity = Parity::new(DVec3::splat(0.5));
/// for i in 0..12 {
///     parity.feed(i, &cube.triangle(i));
/// }
/// assert_eq!(parity.result(), Location::Inside);
/// ```
#[derive(Debug, Clone)]
pub struct Parity<P> {
    point: P,
    odd: bool,
    surface: Option<u32>,
}

impl<P: ExactPoint> Parity<P> {
    /// Starts with no crossing counted.
    pub fn new(point: P) -> Self {
        Self { point, odd: false, surface: None }
    }

    /// The part of space whose triangles must be fed: the ray from the point along +x.
    pub fn reach(&self) -> Aabb {
        let Aabb { min, max } = self.point.bounds();
        Aabb { min, max: DVec3::new(f64::INFINITY, max.y, max.z) }
    }

    /// Takes the triangle with this number into account.
    pub fn feed(&mut self, number: u32, t: &Triangle) {
        let (bounds, of_triangle) = (self.reach(), t.aabb());
        if bounds.min.cmpgt(of_triangle.max).any() || of_triangle.min.cmpgt(bounds.max).any() {
            return;
        }
        if is_on_triangle(&self.point, t) {
            self.surface = Some(self.surface.map_or(number, |n| n.min(number)));
        }
        self.odd ^= crosses(&self.point, t);
    }

    /// Whether the point was found on a triangle, so that nothing more need be fed unless the least number matters.
    pub fn is_on_surface(&self) -> bool {
        self.surface.is_some()
    }

    /// Where the point is, if all that must be fed has been.
    pub fn result(&self) -> Location {
        match (self.surface, self.odd) {
            (Some(number), _) => Location::OnSurface(number),
            (None, true) => Location::Inside,
            (None, false) => Location::Outside,
        }
    }
}

/// Whether the closed triangle, which may have no area, holds the point. Exact.
pub fn is_on_triangle<P: ExactPoint>(p: &P, t: &Triangle) -> bool {
    let (bounds, of_triangle) = (p.bounds(), t.aabb());
    if bounds.min.cmpgt(of_triangle.max).any() || of_triangle.min.cmpgt(bounds.max).any() {
        return false;
    }
    if p.side_of_plane(t) != Sign::Zero {
        return false;
    }
    if has_zero_area(t) {
        // On its line in all shadows, and between its ends.
        return (0..3).all(|axis| turns(p, t, axis) == [Sign::Zero; 3]) && p.is_within(&of_triangle);
    }
    (0..3).all(|axis| {
        let turns = turns(p, t, axis);
        !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
    })
}

fn turns<P: ExactPoint>(p: &P, t: &Triangle, along: usize) -> [Sign; 3] {
    let [a, b, c] = t.corners();
    [(a, b), (b, c), (c, a)].map(|(from, to)| p.side_of_edge(from, to, along))
}

/// Whether the ray from the moved point along +x crosses the triangle.
fn crosses<P: ExactPoint>(p: &P, t: &Triangle) -> bool {
    let [a, b, c] = t.corners();
    let turn = moved_side(p, a, b);
    if turn == Sign::Zero || moved_side(p, b, c) != turn || moved_side(p, c, a) != turn {
        return false;
    }
    // Seen along x the corners turn that way, so it is the sign of the normal's x.
    p.side_of_plane(t) == -turn
}

/// The side of an edge, seen along x, on which p + (0, ε, ε²) lies; zero only if the edge is seen as a point.
fn moved_side<P: ExactPoint>(p: &P, from: DVec3, to: DVec3) -> Sign {
    let side = p.side_of_edge(from, to, 0);
    if side != Sign::Zero {
        return side;
    }
    // The derivative by ε, and where that is zero, by ε².
    if from.z == to.z { Sign::of(to.y - from.y) } else { Sign::of(from.z - to.z) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::RationalPoint;
    use crate::math::{FractionVec3, Rational, RationalVec3};
    use crate::shape::{Aabb, Mesh};
    use crate::testing::Random;
    use num_traits::{One, Signed, Zero};
    use rand::RngExt;

    fn locate<P: ExactPoint>(p: P, triangles: &[Triangle]) -> Location {
        let mut parity = Parity::new(p);
        for (i, t) in triangles.iter().enumerate() {
            parity.feed(i as u32, t);
        }
        parity.result()
    }

    /// Solves p + s·d = point of the triangle by Cramer's rule in rationals for one direction that meets nothing
    /// special by chance of its many digits; returns also whether the point itself is on the triangle.
    fn reference(p: DVec3, triangles: &[Triangle]) -> Option<bool> {
        let far = RationalVec3::from(DVec3::new(0.7310585786300049, 0.2689414213699951, 0.52497918747894));
        let p = RationalVec3::from(p);
        let mut odd = false;
        for t in triangles {
            let [a, b, c] = t.corners().map(RationalVec3::from);
            let (u, v, w) = (&b - &a, &c - &a, &p - &a);
            let normal = u.cross(&v);
            if normal.is_zero() {
                let (along, off) = ([&b, &c, &a], [&a, &b, &c]);
                // On the segment: parallel to it, and between two corners.
                if off.iter().zip(along).any(|(a, b)| {
                    let (to_a, to_b) = (*a - &p, b - &p);
                    to_a.cross(&to_b).is_zero() && !to_a.dot(&to_b).is_positive()
                }) {
                    return None;
                }
                continue;
            }
            // w = x·u + y·v − s·far
            let det = normal.dot(&far);
            let s = -normal.dot(&w) / &det;
            let hit = &w + &RationalVec3 { x: &s * &far.x, y: &s * &far.y, z: &s * &far.z };
            let square = normal.dot(&normal);
            let (x, y) = (hit.cross(&v).dot(&normal) / &square, u.cross(&hit).dot(&normal) / &square);
            let within = !x.is_negative() && !y.is_negative() && &x + &y <= Rational::one();
            if within && s.is_zero() {
                return None;
            }
            odd ^= within && s.is_positive();
        }
        Some(odd)
    }

    fn check(p: DVec3, triangles: &[Triangle]) -> Location {
        let location = locate(p, triangles);
        match reference(p, triangles) {
            None => assert!(matches!(location, Location::OnSurface(_)), "{p}"),
            Some(true) => assert_eq!(location, Location::Inside, "{p}"),
            Some(false) => assert_eq!(location, Location::Outside, "{p}"),
        }
        let rational = locate(RationalPoint::from(FractionVec3::from(p)), triangles);
        assert_eq!(rational, location, "{p}");
        location
    }

    /// The faces of tetrahedra with corners on a small grid: closed, self-intersecting, often flat.
    fn tetrahedra(random: &mut Random, count: usize) -> Vec<Triangle> {
        let mut all = vec![];
        for _ in 0..count {
            let [a, b, c, d] = std::array::from_fn(|_| random.grid_point(2));
            all.extend([[a, b, c], [a, b, d], [a, c, d], [b, c, d]].map(Triangle::from));
        }
        all
    }

    #[test]
    fn every_half_grid_point_of_closed_grid_meshes_is_located_exactly() {
        let mut random = Random::new(5);
        let mut seen = [0; 3];
        for _ in 0..30 {
            let mesh = tetrahedra(&mut random, 3);
            for _ in 0..60 {
                let p =
                    DVec3::from_array(std::array::from_fn(|_| f64::from(random.random_range(-3..=3)) / 2.0));
                match check(p, &mesh) {
                    Location::Inside => seen[0] += 1,
                    Location::Outside => seen[1] += 1,
                    Location::OnSurface(_) => seen[2] += 1,
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
    }

    #[test]
    fn points_an_ulp_off_a_face_are_on_their_side() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-0.1), max: DVec3::splat(0.3) });
        let triangles: Vec<_> = (0..12).map(|i| cube.triangle(i)).collect();
        // Level with edges and corners, so that the ray runs along faces and through corners.
        for y in [-0.1, 0.1, 0.3] {
            let z = 0.3_f64;
            assert_eq!(check(DVec3::new(0.0, y, z.next_up()), &triangles), Location::Outside);
            assert!(matches!(check(DVec3::new(0.0, y, z), &triangles), Location::OnSurface(_)));
        }
        assert_eq!(check(DVec3::new(0.3_f64.next_down(), 0.1, 0.1), &triangles), Location::Inside);
        assert_eq!(check(DVec3::new(-5.0, 0.3, 0.3), &triangles), Location::Outside);
    }
}
