//! How far rounding can have gone.
//!
//! Every term of the sums is a product of coordinates that were rounded a known number of times (Higham 2002,
//! "Accuracy and stability of numerical algorithms", section 3.1). Their sizes come from the sum of the
//! absolute products of the volumes and from how far the surface reaches along each axis.

use glam::DVec3;

use super::kernel::{ADDITIONS, Sums};
use crate::math::Interval;

/// Intervals that hold the exact volume, centre and inertia tensor of a polyhedron at density 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassBounds {
    /// The volume; below zero if the surface faces inward.
    pub volume: Interval,
    /// The coordinates of the centre.
    pub center: [Interval; 3],
    /// The inertia tensor about the centre: xx, yy, zz, xy, yz, zx.
    pub inertia: [Interval; 6],
}

/// Half an ulp of 1.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Roundings of the six products of a volume: of three differences, three products and sums.
const VOLUME: f64 = 9.0;
/// Further ones of the factors of first and second moments.
const FIRST: f64 = 5.0;
const SECOND: f64 = 12.0;
/// More than all that underflow can take, in units of the size: 1e10 terms of 1e-323.
const UNDERFLOW: f64 = 1e-300;

/// Bounds from sums with sizes; `None` if the volume may be zero.
pub(super) fn bounds(sums: &Sums, origin: DVec3, reach: DVec3) -> Option<MassBounds> {
    let off = |further: f64, size: f64| {
        (ADDITIONS + VOLUME + further) * UNIT * (1.0 + 1e-10) * (sums.sizes * size) + UNDERFLOW * (1.0 + size)
    };
    let six = Interval::point(sums.six_volumes).widened(off(0.0, 1.0));
    if six.contains(0.0) || !six.width().is_finite() {
        return None;
    }
    let around = |x: f64, off: f64| Interval::point(x).widened(off);
    // The sum of three corners reaches three times as far as one, and the squares of all add up to twelve.
    let first: [Interval; 3] = std::array::from_fn(|i| around(sums.first[i], off(FIRST, 3.0 * reach[i])));
    let second: [Interval; 6] = std::array::from_fn(|k| {
        let (i, j) = PLACES[k];
        around(sums.second[k], off(SECOND, 12.0 * reach[i] * reach[j]))
    });
    let volume = over(six, 6.0);
    let offset = first.map(|f| quotient(f, times(six, 4.0)));
    // ∫ r rᵀ about the centre.
    let own: [Interval; 6] = std::array::from_fn(|k| {
        let (i, j) = PLACES[k];
        difference(over(second[k], 120.0), product(volume, product(offset[i], offset[j])))
    });
    let [xx, yy, zz, xy, yz, zx] = own;
    let diagonal = [sum(yy, zz), sum(zz, xx), sum(xx, yy)];
    let center = std::array::from_fn(|i| sum(offset[i], Interval::point(origin[i])));
    let [a, b, c] = diagonal;
    Some(MassBounds { volume, center, inertia: [a, b, c, negative(xy), negative(yz), negative(zx)] })
}

/// Rows and columns in the order in which tensors are listed.
const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// The interval between the extremes of the values, which were rounded once.
fn around_all(values: [f64; 4]) -> Interval {
    let lower = values.into_iter().fold(f64::INFINITY, f64::min);
    let upper = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    Interval { lower: lower.next_down(), upper: upper.next_up() }
}

fn product(a: Interval, b: Interval) -> Interval {
    around_all([a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper])
}

/// `b` does not hold 0.
fn quotient(a: Interval, b: Interval) -> Interval {
    around_all([a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper])
}

fn sum(a: Interval, b: Interval) -> Interval {
    Interval { lower: (a.lower + b.lower).next_down(), upper: (a.upper + b.upper).next_up() }
}

fn difference(a: Interval, b: Interval) -> Interval {
    sum(a, negative(b))
}

fn negative(a: Interval) -> Interval {
    Interval { lower: -a.upper, upper: -a.lower }
}

fn times(a: Interval, k: f64) -> Interval {
    product(a, Interval::point(k))
}

fn over(a: Interval, k: f64) -> Interval {
    quotient(a, Interval::point(k))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::testing::Random;
    use glam::{DMat3, DQuat};
    use num_traits::ToPrimitive;

    use crate::hull::convex_hull;
    use crate::mass::mesh_bounds;
    use crate::mass::polyhedron::hull_triangles;
    use crate::math::{Interval, Rational, RationalVec3};
    use crate::shape::{Mesh, Solid};
    use glam::DVec3;

    /// Volume, centre and inertia in rational arithmetic.
    fn exact(mesh: &Mesh) -> (Rational, [Rational; 3], [Rational; 6]) {
        let whole = |n: i64| Rational::from_integer(n.into());
        let [mut v, mut first, mut second] = [vec![whole(0); 1], vec![whole(0); 3], vec![whole(0); 6]];
        for t in (0..mesh.triangles().len() as u32).map(|i| mesh.triangle(i)) {
            let corners = t.corners().map(RationalVec3::from);
            let six = corners[0].dot(&corners[1].cross(&corners[2]));
            let at = |p: &RationalVec3, i: usize| [&p.x, &p.y, &p.z][i].clone();
            let sum: Vec<Rational> = (0..3).map(|i| corners.iter().map(|p| at(p, i)).sum()).collect();
            v[0] += &six;
            for i in 0..3 {
                first[i] += &six * &sum[i];
            }
            for (k, (i, j)) in super::PLACES.into_iter().enumerate() {
                let own: Rational = corners.iter().map(|p| at(p, i) * at(p, j)).sum();
                second[k] += &six * (own + &sum[i] * &sum[j]);
            }
        }
        let volume = &v[0] / whole(6);
        let center: Vec<Rational> = first.iter().map(|f| f / (&v[0] * whole(4))).collect();
        let about: Vec<Rational> = super::PLACES
            .into_iter()
            .zip(&second)
            .map(|((i, j), s)| s / whole(120) - &volume * &center[i] * &center[j])
            .collect();
        let [xx, yy, zz] = [&about[0], &about[1], &about[2]];
        let inertia = [yy + zz, zz + xx, xx + yy, -&about[3], -&about[4], -&about[5]];
        (volume, [center[0].clone(), center[1].clone(), center[2].clone()], inertia)
    }

    fn holds(bound: &Interval, value: &Rational) -> bool {
        let exactly = |x: f64| crate::math::exact::rational(x);
        exactly(bound.lower) <= *value && *value <= exactly(bound.upper)
    }

    #[test]
    fn bounds_hold_the_exact_values_and_are_narrow() {
        let mut random = Random::new(15);
        for case in 0..60 {
            let mut point = || random.point();
            let scale = [1.0, 1e-30, 1e30, 1e6][case % 4];
            let (far, thin) = ([0.0, 0.0, 1e4][case % 3], [1.0, 1e-3, 1e-6][case % 3]);
            let turn = DMat3::from_quat(DQuat::from_axis_angle(point().normalize(), 1.0));
            let points: Vec<DVec3> = (0..4 + case)
                .map(|_| (turn * (point() * DVec3::new(1.0, 1.0, thin)) + DVec3::splat(far)) * scale)
                .collect();
            let hull = convex_hull(&points).unwrap();
            let mesh = Mesh::new(hull.vertices().to_vec(), hull_triangles(&hull)).unwrap();
            let (properties, bounds) = mesh_bounds(&Solid::new(Arc::new(mesh.clone())).unwrap()).unwrap();
            let (volume, center, inertia) = exact(&mesh);
            assert!(holds(&bounds.volume, &volume), "{case}");
            assert!(bounds.center.iter().zip(&center).all(|(b, x)| holds(b, x)), "{case}");
            assert!(bounds.inertia.iter().zip(&inertia).all(|(b, x)| holds(b, x)), "{case}");
            let relative = bounds.volume.width() / volume.to_f64().unwrap();
            assert!(relative < 5e-12 / thin, "{case} {relative}");
            assert!(bounds.volume.contains(properties.mass));
            let i = properties.inertia;
            let listed = [i.x_axis.x, i.y_axis.y, i.z_axis.z, i.x_axis.y, i.y_axis.z, i.z_axis.x];
            assert!(bounds.inertia.iter().zip(listed).all(|(b, x)| b.widened(1e-12 * x.abs()).contains(x)));
        }
    }
}
