//! Ellipsoids.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::measured::{Measured, Moments, between_roots};
use super::{Facing, Kind, Piece, TINY};
use crate::math::exact::rational;
use crate::math::simd::{Number, Three};
use crate::math::{Pose, Rational, RationalVec3};
use crate::pair::{Chord, EntryPoint, SurfacePoint, compare_squares, length};
use crate::shape::{Aabb, Ellipsoid, Ray};

impl Kind for Ellipsoid {
    fn reach(&self) -> f64 {
        self.radii.max_element()
    }

    /// With M = diag(radii): the point M·(M·d)/|M·d|.
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let scaled = self.radii * (direction / direction.abs().max_element());
        let size = scaled.abs().max_element();
        let unit = scaled / size;
        self.radii * (unit / unit.length())
    }

    fn contains(&self, p: DVec3) -> bool {
        // Quotients are off by one rounding, their squares by three, the sum by five.
        compare_squares((p / self.radii).length_squared(), 1.0).unwrap_or_else(|| {
            let square = |axis: usize| {
                let share = rational(p[axis]) / rational(self.radii[axis]);
                &share * &share
            };
            square(0) + square(1) + square(2) <= rational(1.0)
        })
    }

    /// The surface's normal at the nearest point `x` goes through `p`: `pᵢ − xᵢ = λ·xᵢ/aᵢ²`. With `m = 1 + λ/a²`
    /// for the shortest semi-axis `a` this means `xᵢ = pᵢ/((1 − qᵢ) + m·qᵢ)`, `qᵢ = (a/aᵢ)²`, and the sum of
    /// `(xᵢ/aᵢ)²`, which is to be 1, falls with `m > 0`: one root, as Eberly 2013, "Distance from a point to an
    /// ellipse, an ellipsoid, or a hyperellipsoid" proves, and none of the terms cancels. Newton's method finds
    /// it in a few steps; where it does not, halving the set of all `f64` does in 64, whatever the proportions.
    /// Where there is no root, the point is near the plane of the longer axes, and the rest of the sum is the
    /// shortest axis'.
    fn closest_surface_point(&self, p: DVec3) -> SurfacePoint {
        let radii = self.radii;
        let unit = Problem::new(p, radii).solve(radii.min_position());
        let unit = DVec3::new(unit.x.copysign(p.x), unit.y.copysign(p.y), unit.z.copysign(p.z));
        // So that −0 in a coordinate does not choose the negative side.
        let unit = DVec3::select(p.cmpeq(DVec3::ZERO), unit.abs(), unit);
        let point = unit * radii;
        let distance = length(p - point);
        let depth = if self.contains(p) { distance } else { -distance };
        SurfacePoint { point, normal: gradient(unit, radii), depth }
    }

    /// In units of the semi-axes the ellipsoid is a ball.
    fn entry(&self, ray: &Ray) -> Option<EntryPoint> {
        let (origin, direction) = (ray.origin / self.radii, ray.direction / self.radii);
        let t = Chord::unit_ball(origin, direction, || half_chord_squared(ray, self.radii))?.entry()?;
        Some(EntryPoint { t, normal: gradient(ray.at(t) / self.radii, self.radii) })
    }

    fn axis(&self) -> Option<Option<DVec3>> {
        let [x, y, z] = self.radii.to_array();
        match (x == y, y == z, z == x) {
            (true, true, _) => Some(None),
            (true, false, _) => Some(Some(DVec3::Z)),
            (false, true, _) => Some(Some(DVec3::X)),
            (false, false, true) => Some(Some(DVec3::Y)),
            (false, false, false) => None,
        }
    }

    fn section(&self, direction: DVec2) -> DVec2 {
        let [x, y, z] = self.radii.to_array();
        // Across the axis and along it.
        let radii = if x == y {
            DVec2::new(x, z)
        } else if y == z {
            DVec2::new(y, x)
        } else {
            DVec2::new(z, y)
        };
        let scaled = radii * (direction / direction.abs().max_element());
        let unit = scaled / scaled.abs().max_element();
        radii * (unit / unit.length())
    }

    fn piece(&self, _: &Pose, _: [f64; 2], _: f64) -> Piece {
        Piece::Ellipsoid(self.radii)
    }

    fn facing(&self, _: DVec3) -> Facing {
        Facing::Point(0)
    }

    fn ring(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

impl Measured for Ellipsoid {
    fn half_extent(&self) -> DVec3 {
        self.radii
    }

    fn moments(&self) -> Moments {
        let radii = self.radii;
        let volume = 4.0 / 3.0 * PI * radii.x * radii.y * radii.z;
        Moments { center: DVec3::ZERO, volume, squares: radii * radii / 5.0, size: radii }
    }

    fn chord(&self, line: &Ray) -> Option<Chord> {
        let (p, d) = (line.origin / self.radii, line.direction / self.radii);
        between_roots(d.dot(d), p.dot(d), p.dot(p) - 1.0)
    }

    /// That of its extent would be too far out.
    fn aabb_at(&self, pose: &Pose) -> Aabb {
        let turn = pose.rotation().transpose();
        let half =
            DVec3::from([turn.x_axis, turn.y_axis, turn.z_axis].map(|row| (row * self.radii).length()));
        Aabb { min: pose.translation() - half, max: pose.translation() + half }
    }
}

/// The unit normal at the point that is `p` in units of the semi-axes.
fn gradient(p: DVec3, radii: DVec3) -> DVec3 {
    let steep = p * (DVec3::splat(radii.min_element()) / radii);
    steep / length(steep)
}

/// The square of half the chord of a line in the unit ball, after division by the semi-axes. Exact.
fn half_chord_squared(ray: &Ray, radii: DVec3) -> Rational {
    let scaled = |v: DVec3| RationalVec3 {
        x: rational(v.x) / rational(radii.x),
        y: rational(v.y) / rational(radii.y),
        z: rational(v.z) / rational(radii.z),
    };
    let (origin, direction) = (scaled(ray.origin), scaled(ray.direction));
    let across = origin.cross(&direction);
    rational(1.0) - across.dot(&across) / direction.dot(&direction)
}

/// Most steps of Newton's method.
const STEPS: usize = 24;

/// Coordinates of more semi-axes than this are cut: the point of the surface is at the end of that axis or in the
/// plane of the longer ones then, for any point.
const FARTHEST: f64 = 1e300;

/// The equation for `m`, in units of the semi-axes.
struct Problem {
    /// The point, in the octant of positive coordinates.
    start: DVec3,
    /// `qᵢ`.
    squares: DVec3,
    /// `1 − qᵢ`.
    rest: DVec3,
}

impl Problem {
    fn new(p: DVec3, radii: DVec3) -> Self {
        let least = DVec3::splat(radii.min_element());
        let ratio = least / radii;
        Self {
            start: (p.abs() / radii).min(DVec3::splat(FARTHEST)),
            squares: ratio * ratio,
            // 1 − q as (aᵢ − a)(aᵢ + a)/aᵢ², which does not cancel.
            rest: ((radii - least) / radii) * (DVec3::ONE + ratio),
        }
    }

    fn at(&self, m: f64) -> DVec3 {
        self.start / (self.rest + self.squares * m)
    }

    /// The point of the unit sphere that is the nearest in units of the semi-axes.
    fn solve(&self, shortest: usize) -> DVec3 {
        if length(self.at(f64::MIN_POSITIVE)) <= 1.0 {
            return self.in_middle_plane(shortest);
        }
        self.by_newton().unwrap_or_else(|| self.by_halving())
    }

    /// From where the first of the coordinates has come down to 1, Newton's method on 1/|x|. That is concave in m, so
    /// that no step goes too far, and nearly linear (Moré and Sorensen 1983, "Computing a trust region step").
    fn by_newton(&self) -> Option<DVec3> {
        let mut m = ((self.start - self.rest) / self.squares).max_element().max(f64::MIN_POSITIVE);
        for _ in 0..STEPS {
            let scale = self.rest + self.squares * m;
            let found = self.start / scale;
            let (size, fall) = (found.length(), (found * found * self.squares / scale).element_sum());
            let next = m + (size - 1.0) * (size * size / fall);
            if !(next.is_finite() && fall.is_finite() && size > 0.5) {
                return None;
            }
            // The length is off by 3 ε.
            if size <= 1.0 + 4.0 * f64::EPSILON || next <= m {
                return Some(found / size);
            }
            m = next;
        }
        None
    }

    /// By halving the set of all positive `f64`, which are in the order of their bits.
    #[cold]
    fn by_halving(&self) -> DVec3 {
        let (mut low, mut high) = (f64::MIN_POSITIVE.to_bits(), f64::MAX.to_bits());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if length(self.at(f64::from_bits(middle))) > 1.0 { low = middle } else { high = middle }
        }
        let found = self.at(f64::from_bits(high));
        found / length(found)
    }

    /// No m > 0 is small enough: the coordinates along the longer axes are those for m = 0.
    fn in_middle_plane(&self, shortest: usize) -> DVec3 {
        let along = |axis: usize| {
            if self.rest[axis] > 0.0 { self.start[axis] / self.rest[axis] } else { 0.0 }
        };
        let mut found = DVec3::new(along(0), along(1), along(2));
        found[shortest] = 0.0;
        found[shortest] = (1.0 - found.length_squared()).max(0.0).sqrt();
        found
    }
}

/// Steps towards the foot of a point.
const ROUNDS: usize = 3;

/// The foot has the normal `p / (radii² + λ)` with λ ≥ 0 where `|radii·p / (radii² + λ)| = 1`: steps of Hebden's and
/// Moré's on the reciprocal of that length, which come from below (Moré and Sorensen 1983, "Computing a trust
/// region step").
#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn foot<N: Number>(token: N::Token, radii: Three<N>, p: Three<N>) -> Three<N> {
    let (none, one, tiny) = (N::constant(token, 0.0), N::constant(token, 1.0), N::constant(token, TINY));
    let squares = radii.products(radii);
    let scaled = radii.products(p);
    let most = squares.x.greatest(squares.y).greatest(squares.z);
    let mut lambda = (scaled.dot(scaled).root() - most).greatest(none);
    for _ in 0..ROUNDS {
        let inverse = inverse(one, squares, lambda);
        let g = scaled.products(inverse);
        let square = g.dot(g);
        let slope = g.products(inverse).dot(g).greatest(tiny);
        lambda = (lambda + (square.root() - one) * square / slope).greatest(none);
    }
    let n = p.products(inverse(one, squares, lambda));
    let reach = radii.products(n);
    let on = squares.products(n).times(one / reach.dot(reach).root().greatest(tiny));
    let inner = Three { x: p.x / radii.x, y: p.y / radii.y, z: p.z / radii.z };
    Three::if_less(one, inner.dot(inner), on, p)
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn inverse<N: Number>(one: N, squares: Three<N>, lambda: N) -> Three<N> {
    Three { x: one / (squares.x + lambda), y: one / (squares.y + lambda), z: one / (squares.z + lambda) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Round;
    use crate::testing::Random;

    fn surface(p: [f64; 3], radii: [f64; 3]) -> SurfacePoint {
        (Ellipsoid { radii: radii.into() }).closest_surface_point(p.into())
    }

    #[test]
    fn a_ball_is_an_ellipsoid() {
        let found = surface([6.0, 8.0, 0.0], [5.0; 3]);
        assert!(
            (found.point - DVec3::new(3.0, 4.0, 0.0)).length() < 1e-14 && (found.depth + 5.0).abs() < 1e-14
        );
        assert!((surface([0.3, 0.4, 0.0], [5.0; 3]).depth - 4.5).abs() < 1e-14);
        let middle = surface([0.0, -0.0, 0.0], [5.0; 3]);
        assert_eq!((middle.point, middle.depth), (DVec3::X * 5.0, 5.0));
    }

    #[test]
    fn on_the_axes_inside_and_outside() {
        // On the long axis inside, up to a − c²/a = 3 − 1/3 from the middle, the nearest points are off the axis: at
        // x = p/(1 − 1/9), and two of them.
        let found = surface([2.0, 0.0, 0.0], [3.0, 1.0, 1.0]);
        assert!((found.point.x - 2.25).abs() < 1e-14 && found.point.y > 0.0);
        assert!((found.point.y.powi(2) - (1.0 - 0.5625)).abs() < 1e-14);
        let beyond = surface([2.9, 0.0, 0.0], [3.0, 1.0, 1.0]);
        assert!((beyond.point - DVec3::X * 3.0).length() < 1e-14 && (beyond.depth - 0.1).abs() < 1e-14);
        let outside = surface([0.0, 0.0, -7.0], [3.0, 1.0, 2.0]);
        assert_eq!((outside.point, outside.normal, outside.depth), (DVec3::Z * -2.0, -DVec3::Z, -5.0));
        let middle = surface([0.0; 3], [3.0, 2.0, 1.0]);
        assert_eq!((middle.point, middle.depth), (DVec3::Z, 1.0));
    }

    /// Walks out along the normal of a random surface point, and in along it by less than the least radius of
    /// curvature: the way back must lead to where it came from.
    #[test]
    fn the_way_back_along_the_normal() {
        let mut random = Random::new(61);
        for case in 0..5000 {
            let spread = f64::from(case % 7);
            let radii = [0; 3].map(|_| f64::powf(10.0, random.number() * spread / 2.0));
            let k = f64::powi(2.0, (case / 7) % 500 - 250);
            let radii = DVec3::from(radii) * k;
            let unit = random.point();
            let unit = unit / unit.length();
            let (point, normal) = (unit * radii, gradient(unit, radii));
            // The radii of curvature are at least a²/b for the shortest axis a and the longest b.
            let curved = radii.min_element() * (radii.min_element() / radii.max_element());
            let far = if case % 2 == 0 {
                radii.max_element() * random.number().abs() * 3.0
            } else {
                -curved * random.number().abs() * 0.9
            };
            let p = point + normal * far;
            let found = (Ellipsoid { radii }).closest_surface_point(p);
            let reach = radii.max_element() + far.abs();
            assert!((found.depth + far).abs() < 1e-14 * reach, "{radii} {p} {found:?} {far}");
            assert!((length(unit) - length(found.point / radii)).abs() < 1e-13);
            assert!(length(found.point - point) < 1e-8 * reach, "{radii} {found:?} {point}");
        }
    }

    #[test]
    fn newton_and_halving_agree() {
        let mut random = Random::new(63);
        let mut solved = 0;
        for case in 0..4000 {
            let radii = DVec3::from([0; 3].map(|_| f64::powf(10.0, random.number() * f64::from(case % 5))));
            let p = random.point() * radii * f64::powi(10.0, case % 9 - 3);
            let problem = Problem::new(p, radii);
            let Some(found) = problem.by_newton() else { continue };
            let halved = problem.by_halving();
            let apart = ((found - halved) * radii).length();
            assert!(apart < 1e-8 * radii.max_element(), "{radii} {p} {found} {halved}");
            let (d, e) = ((found * radii - p.abs()).length(), (halved * radii - p.abs()).length());
            assert!((d - e).abs() < 1e-14 * (radii.max_element() + p.length()), "{d} {e}");
            solved += 1;
        }
        assert!(solved > 3900, "{solved}");
    }

    #[test]
    fn no_other_point_of_the_surface_is_nearer_to_a_point_inside() {
        let mut random = Random::new(62);
        let ways: Vec<DVec3> = (0..4000).map(|_| random.point()).map(|v| v / v.length()).collect();
        for case in 0..200 {
            let radii = DVec3::new(1.0, 1.0 + random.number().abs(), f64::powi(10.0, case % 5 - 2));
            let mut unit = random.point();
            if case % 4 == 0 {
                unit[case as usize % 3] = 0.0;
            }
            let p = unit * radii * 0.6;
            let found = (Ellipsoid { radii }).closest_surface_point(p);
            assert!(found.depth >= 0.0 || !(Ellipsoid { radii }).contains(p));
            let best = ways.iter().map(|way| (*way * radii - p).length()).fold(f64::INFINITY, f64::min);
            assert!(found.depth.abs() <= best * (1.0 + 1e-14), "{radii} {p} {found:?} {best}");
        }
    }

    #[test]
    fn proportions_and_places_at_the_ends_of_the_range() {
        for radii in [[1e90, 1e-90, 1.0], [1e-90; 3], [1e90, 1e90, 1e89], [1e-300, 1.0, 1.0]] {
            for p in [[1e90; 3], [1e-90, 0.0, 1e-300], [0.0; 3], [0.0, 1e90, -1e-90], [1e-200, 0.5, 0.1]] {
                let found = surface(p, radii);
                assert!(
                    found.point.is_finite() && (found.normal.length() - 1.0).abs() < 1e-14,
                    "{radii:?} {p:?} {found:?}"
                );
                assert!((length(found.point / DVec3::from(radii)) - 1.0).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn points_inside_are_their_own_nearest() {
        let e = Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) };
        let p = DVec3::new(0.1, 0.2, -0.3);
        assert_eq!(Round::Ellipsoid(e).closest_point(p).b, p);
        let found = Round::Ellipsoid(e).closest_point(DVec3::new(0.0, 5.0, 0.0));
        assert_eq!((found.b, found.distance()), (DVec3::Y * 2.0, 3.0));
    }
}
