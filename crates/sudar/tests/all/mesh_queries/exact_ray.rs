//! Where a ray meets a triangle, in exact fractions, and whether a closed surface encloses a point.

use sudar::math::{Fraction, FractionVec3};
use sudar::{DVec3, Triangle};
use sudar_testing::Random;

/// A ray in exact numbers.
pub struct ExactRay {
    origin: FractionVec3,
    direction: FractionVec3,
}

/// The first common point of a ray and a triangle.
pub struct Hit {
    /// Its parameter.
    pub t: Fraction,
    /// Whether the ray goes through the inside of the face, neither along it nor through an edge or corner.
    pub clean: bool,
}

impl ExactRay {
    /// The ray from a point in a direction, which is not zero.
    pub fn new(origin: DVec3, direction: DVec3) -> Self {
        Self { origin: origin.into(), direction: direction.into() }
    }

    /// The first common point, if there is one.
    pub fn triangle(&self, triangle: &Triangle) -> Option<Hit> {
        let corners = triangle.corners().map(FractionVec3::from);
        let [a, b, c] = &corners;
        let n = (b - a).cross(&(c - a));
        let slope = n.dot(&self.direction);
        let height = n.dot(&(a - &self.origin));
        if is_zero(&n) || (slope.is_zero() && height.is_zero()) {
            return self.in_plane(&corners, &n);
        }
        if slope.is_zero() {
            return None;
        }
        let t = &height / &slope;
        if t.is_negative() {
            return None;
        }
        let p = &self.origin + &self.direction.scaled(&t);
        let sides = sides(&corners, &n, &p);
        let inside = !sides.iter().any(Fraction::is_negative);
        inside.then(|| Hit { t, clean: sides.iter().all(Fraction::is_positive) })
    }

    fn in_plane(&self, corners: &[FractionVec3; 3], n: &FractionVec3) -> Option<Hit> {
        if !is_zero(n) && !sides(corners, n, &self.origin).iter().any(Fraction::is_negative) {
            return Some(Hit { t: Fraction::zero(), clean: false });
        }
        let edges = (0..3).filter_map(|i| self.segment(&corners[i], &corners[(i + 1) % 3]));
        edges.min().map(|t| Hit { t, clean: false })
    }

    fn segment(&self, u: &FractionVec3, v: &FractionVec3) -> Option<Fraction> {
        let (w, r) = (v - u, u - &self.origin);
        let c = self.direction.cross(&w);
        if is_zero(&c) {
            return self.collinear(&r, &(v - &self.origin));
        }
        let square = c.dot(&c);
        let t = &r.cross(&w).dot(&c) / &square;
        let s = &r.cross(&self.direction).dot(&c) / &square;
        let one = Fraction::from(1.0);
        let meets = r.dot(&c).is_zero() && !t.is_negative() && !s.is_negative() && s <= one;
        meets.then_some(t)
    }

    /// For ends that lie on one line with each other and the direction, seen from the origin.
    fn collinear(&self, from: &FractionVec3, to: &FractionVec3) -> Option<Fraction> {
        if !is_zero(&from.cross(&self.direction)) {
            return None;
        }
        let square = self.direction.dot(&self.direction);
        let at = |p: &FractionVec3| &p.dot(&self.direction) / &square;
        let (s, t) = (at(from), at(to));
        let (first, last) = if s < t { (s, t) } else { (t, s) };
        if last.is_negative() {
            return None;
        }
        Some(if first.is_negative() { Fraction::zero() } else { first })
    }
}

/// On which side of each edge the point of the plane is.
fn sides(corners: &[FractionVec3; 3], n: &FractionVec3, p: &FractionVec3) -> [Fraction; 3] {
    std::array::from_fn(|i| {
        let (a, b) = (&corners[i], &corners[(i + 1) % 3]);
        (b - a).cross(&(p - a)).dot(n)
    })
}

pub fn is_zero(v: &FractionVec3) -> bool {
    v.x.is_zero() && v.y.is_zero() && v.z.is_zero()
}

/// Whether the point is on a closed surface or inside, by the parity of crossings along random rays; one that meets an
/// edge or corner is thrown away.
pub fn encloses(surface: &[Triangle], p: DVec3, random: &mut Random) -> bool {
    loop {
        let direction = random.point();
        let ray = ExactRay::new(p, direction);
        let hits: Vec<Hit> = surface.iter().filter_map(|t| ray.triangle(t)).collect();
        if hits.iter().any(|hit| hit.t.is_zero()) {
            return true;
        }
        if hits.iter().all(|hit| hit.clean) {
            return hits.len() % 2 == 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(origin: [f64; 3], direction: [f64; 3]) -> Option<f64> {
        let floor = Triangle { a: DVec3::ZERO, b: DVec3::X * 4.0, c: DVec3::Y * 4.0 };
        ExactRay::new(origin.into(), direction.into()).triangle(&floor).map(|hit| hit.t.to_f64())
    }

    #[test]
    fn parameters_known_by_hand() {
        assert_eq!(parameter([1., 1., 6.], [0., 0., -2.]), Some(3.0));
        assert_eq!(parameter([2., 2., 6.], [0., 0., -2.]), Some(3.0), "on the slanted edge");
        assert_eq!(parameter([3., 2., 6.], [0., 0., -2.]), None);
        assert_eq!(parameter([1., 1., 6.], [0., 0., 2.]), None);
        assert_eq!(parameter([-3., 1., 0.], [1., 0., 0.]), Some(3.0), "in the plane");
        assert_eq!(parameter([1., 1., 0.], [1., 0., 0.]), Some(0.0));
        assert_eq!(parameter([6., 0., 0.], [-1., 0., 0.]), Some(2.0), "along an edge");
        assert_eq!(parameter([6., 0., 0.], [1., 0., 0.]), None);
    }

    #[test]
    fn a_box_encloses_its_middle_and_corners() {
        let mesh = sudar::Mesh::from_aabb(sudar::Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let surface: Vec<_> = (0..12).map(|i| mesh.triangle(i)).collect();
        let random = &mut Random::new(1);
        assert!(encloses(&surface, DVec3::splat(0.5), random));
        assert!(encloses(&surface, DVec3::ONE, random));
        assert!(!encloses(&surface, DVec3::new(1.5, 0.5, 0.5), random));
    }
}
