//! What can be measured on a hull: planes, area, volume, and which points it holds.

use glam::{DVec2, DVec3};

use super::{Hull, Plane};
use crate::math::{Fraction, FractionVec3, Sign, orient2d, orient3d};

impl Hull {
    /// The plane of face `i`, its normal outward and of unit length; rounded. About as many operations as corners.
    pub fn plane(&self, i: usize) -> Plane {
        let frame = Frame::of(self);
        let normal = self.area_vector(i, frame).normalize_or_zero();
        let corner = self.face(i).next().map_or(DVec3::ZERO, |v| self.vertices[v as usize]);
        Plane { normal, offset: normal.dot(corner) }
    }

    /// The area of the surface, rounded. A flat hull has two sides, and both count; a segment and a point have none.
    pub fn area(&self) -> f64 {
        let frame = Frame::of(self);
        // From 0, since the sum of no numbers is −0.
        let area: f64 = (0..self.faces.len()).fold(0.0, |sum, i| sum + self.area_vector(i, frame).length());
        area * frame.unit * frame.unit
    }

    /// The volume, rounded; never below zero, zero for a flat hull.
    pub fn volume(&self) -> f64 {
        if self.dimension < 3 {
            return 0.0;
        }
        let frame = Frame::of(self);
        // Tetrahedra from one vertex to triangles of all faces: none is below zero, so nothing cancels in their sum.
        let triangles = (0..self.faces.len()).flat_map(|i| self.fan(i));
        let corners = triangles.map(|t| t.map(|v| self.vertices[v as usize]));
        let volume = corners.fold(0.0, |sum, t| sum + frame.six_volumes(t)) / 6.0;
        volume * frame.unit * frame.unit * frame.unit
    }

    /// Whether a point is inside or on the boundary, exactly; never for a point that is not finite, and for one beyond
    /// 1e90 it is not guaranteed. Tests every face until one sees the point.
    pub fn contains(&self, point: DVec3) -> bool {
        if !point.is_finite() {
            return false;
        }
        match (self.dimension, self.vertices.as_slice()) {
            (0, [p]) => *p == point,
            (1, [p, q]) => on_segment(*p, *q, point),
            (2, _) => self.polygon_contains(point),
            _ => (0..self.faces.len()).all(|i| self.side(i, point) != Sign::Positive),
        }
    }

    /// The triangles from the first corner of face `i` to its sides, counter-clockwise seen from outside. None of them
    /// is flat, for no three vertices of a face are collinear.
    pub fn fan(&self, i: usize) -> impl Iterator<Item = [u32; 3]> + '_ {
        let mut corners = self.face(i);
        let apex = corners.next().unwrap_or(0);
        let mut before = corners.next().unwrap_or(apex);
        corners.map(move |corner| [apex, std::mem::replace(&mut before, corner), corner])
    }

    /// On which side of the plane of face `i` a point is, exactly.
    pub(crate) fn side(&self, i: usize, point: DVec3) -> Sign {
        let Some(triangle) = self.fan(i).next() else { return Sign::Zero };
        let [a, b, c] = triangle.map(|v| self.vertices[v as usize]);
        orient3d(a, b, c, point)
    }

    /// Half the sum of the vector products of the fan, in units of the frame.
    fn area_vector(&self, i: usize, frame: Frame) -> DVec3 {
        let half = |t: [u32; 3]| {
            let [a, b, c] = t.map(|v| frame.local(self.vertices[v as usize]));
            (b - a).cross(c - a) * 0.5
        };
        self.fan(i).map(half).sum()
    }

    fn polygon_contains(&self, point: DVec3) -> bool {
        if self.side(0, point) != Sign::Zero {
            return false;
        }
        let corners: Vec<DVec3> = self.face(0).map(|v| self.vertices[v as usize]).collect();
        let projection = projection([corners[0], corners[1], corners[2]]);
        let at = |i: usize| projection(corners[i % corners.len()]);
        let turn = orient2d(at(0), at(1), at(2));
        (0..corners.len()).all(|i| orient2d(at(i), at(i + 1), projection(point)) != -turn)
    }
}

/// Whether a point is on a segment, exactly.
fn on_segment(p: DVec3, q: DVec3, point: DVec3) -> bool {
    let between = point.cmpge(p.min(q)) & point.cmple(p.max(q));
    between.all() && collinear(p, q, point)
}

/// The shadows along the three axes.
const PROJECTIONS: [fn(DVec3) -> DVec2; 3] =
    [DVec3::truncate, |p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x)];

/// Whether three points lie on a line, exactly: their shadows along all three axes do.
pub(crate) fn collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    PROJECTIONS.iter().all(|f| orient2d(f(a), f(b), f(c)) == Sign::Zero)
}

/// The shadow along an axis that keeps the triangle from being flat, so that no two points of its plane have the same.
pub(crate) fn projection([a, b, c]: [DVec3; 3]) -> fn(DVec3) -> DVec2 {
    let stands = |f: &fn(DVec3) -> DVec2| orient2d(f(a), f(b), f(c)) != Sign::Zero;
    PROJECTIONS.into_iter().find(stands).unwrap_or(PROJECTIONS[0])
}

/// Coordinates in which nothing that is computed of a hull under- or overflows, nor cancels because it is far off.
#[derive(Debug, Clone, Copy)]
struct Frame {
    origin: DVec3,
    /// A power of two near the size of the hull.
    unit: f64,
}

impl Frame {
    fn of(hull: &Hull) -> Self {
        let origin = hull.vertices.first().copied().unwrap_or(DVec3::ZERO);
        let size = hull.vertices.iter().fold(0.0, |size: f64, &p| size.max((p - origin).abs().max_element()));
        Self { origin, unit: if size > 0.0 { power_of_two_below(size) } else { 1.0 } }
    }

    fn local(&self, p: DVec3) -> DVec3 {
        (p - self.origin) / self.unit
    }

    /// Six times the volume of the tetrahedron from the origin to a triangle that does not face it, in units
    /// of the frame. Exact before rounding where most digits would cancel.
    fn six_volumes(&self, [a, b, c]: [DVec3; 3]) -> f64 {
        let (u, v, w) = (self.local(a), (b - a) / self.unit, (c - a) / self.unit);
        let rounded = u.dot(v.cross(w));
        let size = u.abs().max_element() * v.abs().max_element() * w.abs().max_element();
        if size == 0.0 || rounded > CANCELLED * size {
            return rounded.max(0.0);
        }
        let [o, a, b, c] = [self.origin, a, b, c].map(FractionVec3::from);
        let unit = Fraction::from(1.0 / self.unit);
        let [u, v, w] = [&a - &o, &b - &a, &c - &a].map(|d| d.scaled(&unit));
        u.dot(&v.cross(&w)).to_f64()
    }
}

/// A determinant so small beside its factors has lost digits: ten of the 52 binary ones are given up.
const CANCELLED: f64 = 1.0 / 1024.0;

/// The greatest power of two that is not above a positive number.
fn power_of_two_below(x: f64) -> f64 {
    let bits = x.to_bits();
    let normal = bits & (0x7ff << 52);
    f64::from_bits(if normal > 0 { normal } else { 1 << (63 - bits.leading_zeros()) })
}

#[cfg(test)]
mod tests {
    use num_traits::ToPrimitive;

    use super::*;
    use crate::hull::convex_hull;
    use crate::math::{Rational, RationalVec3};
    use crate::shape::Cuboid;
    use crate::testing::Random;

    #[test]
    fn a_box_is_measured_at_any_size() {
        for size in [1e-80, 1e-23, 1.0, 1e80] {
            // The sides are 2, 4, 6.
            let hull = Hull::from(Cuboid::new(DVec3::new(1.0, 2.0, 3.0) * size).unwrap());
            assert!((hull.area() / (88.0 * size * size) - 1.0).abs() < 1e-14);
            assert!((hull.volume() / (48.0 * size * size * size) - 1.0).abs() < 1e-14);
            assert_eq!(hull.plane(1), Plane { normal: DVec3::X, offset: size });
            assert!(hull.contains(DVec3::new(-1.0, 2.0, 0.5) * size));
            assert!(!hull.contains(DVec3::new(-size.next_up(), 0.0, 0.0)));
        }
    }

    #[test]
    fn subnormal_sizes_are_no_special_case() {
        assert_eq!([1.0, 1.5, 2.0_f64.next_down()].map(power_of_two_below), [1.0; 3]);
        assert_eq!(power_of_two_below(f64::from_bits(1)), f64::from_bits(1));
        assert_eq!(power_of_two_below(f64::from_bits(13)), f64::from_bits(8));
    }

    #[test]
    fn flat_hulls_hold_just_what_is_in_them() {
        let [p, q, r] = [DVec3::ZERO, DVec3::new(2.0, 2.0, 0.0), DVec3::new(2.0, 2.0, 2.0)];
        let triangle = convex_hull(&[p, q, r]).unwrap();
        // A right triangle with legs 2√2 and 2, both sides.
        assert!((triangle.area() - 2.0 * 8.0_f64.sqrt()).abs() < 1e-14);
        assert_eq!(triangle.volume(), 0.0);
        for inside in [p, q, r, DVec3::ONE, DVec3::new(1.5, 1.5, 1.0), DVec3::new(2.0, 2.0, 1.0)] {
            assert!(triangle.contains(inside), "{inside}");
        }
        let off = 1.0_f64.next_up();
        for outside in [DVec3::new(1.0, 1.0, off), DVec3::new(1.0, off, 1.0), DVec3::splat(3.0)] {
            assert!(!triangle.contains(outside), "{outside}");
        }
        let segment = convex_hull(&[p, q, DVec3::new(1.0, 1.0, 0.0)]).unwrap();
        assert!(segment.contains(DVec3::new(0.5, 0.5, 0.0)) && segment.contains(q));
        assert!(!segment.contains(DVec3::new(0.5, off / 2.0, 0.0)) && !segment.contains(-q));
        assert_eq!(segment.area().to_bits(), 0.0_f64.to_bits(), "and not -0");
        let point = convex_hull(&[r]).unwrap();
        assert!(point.contains(r) && !point.contains(q) && !point.contains(DVec3::NAN));
    }

    #[test]
    fn the_volume_of_points_nearly_on_a_line_is_right_and_not_below_zero() {
        use rand::RngExt;
        let mut random = Random::new(9);
        let mut solid = 0;
        for case in 0..200 {
            let size = [1.0, 1e-70, 1e70][case % 3];
            let direction = random.point();
            let start = random.point();
            // Points of a line, as far as f64 has them.
            let points: Vec<DVec3> =
                (0..12).map(|_| (start + direction * random.random_range(0.0..1.0)) * size).collect();
            let hull = convex_hull(&points).unwrap();
            let exact = |t: [u32; 3]| {
                let [o, a, b, c] =
                    [0, t[0], t[1], t[2]].map(|v| RationalVec3::from(hull.vertices()[v as usize]));
                (&a - &o).dot(&(&b - &o).cross(&(&c - &o)))
            };
            let triangles = (0..hull.faces().len()).flat_map(|i| hull.fan(i));
            let six: Rational = triangles.map(exact).sum();
            let expected = if hull.dimension() < 3 {
                0.0
            } else {
                (six / Rational::from_integer(6.into())).to_f64().unwrap()
            };
            solid += usize::from(expected > 0.0);
            let volume = hull.volume();
            assert!(
                volume >= 0.0 && (volume - expected).abs() <= 1e-11 * expected,
                "{volume} for {expected}"
            );
        }
        assert!(solid > 100, "{solid}");
    }
}
