//! Solids without vertices, in their own frames: their support functions in `f64` and in rational numbers.

use glam::DVec3;
use num_traits::{One, Signed};

use super::exact::{Point, Real, real, root_up};
pub(crate) use crate::shape::Round;

/// Bound on the coordinates of its image under a pose's matrix, whose entries are at most about 1, as seen from the
/// image of its centre.
pub(crate) fn extent_of_round(round: Round) -> f64 {
    match round {
        Round::Cylinder(c) => 2.0 * (c.radius + c.half_length),
        Round::Cone(c) => 2.0 * (c.radius + c.half_length),
        Round::Ellipsoid(e) => 2.0 * e.radii.element_sum(),
    }
}

/// The height of the farthest point in a direction, rounded.
pub(super) fn top(round: Round, m: DVec3) -> f64 {
    let flat = (m.x * m.x + m.y * m.y).sqrt();
    match round {
        Round::Cylinder(c) => c.radius * flat + c.half_length * m.z.abs(),
        Round::Cone(c) => (c.half_length * m.z).max(c.radius * flat - c.half_length * m.z),
        Round::Ellipsoid(e) => (e.radii * m).length(),
    }
}

/// About the farthest point in a direction.
pub(crate) fn farthest_of_round(round: Round, m: DVec3) -> DVec3 {
    let flat = DVec3::new(m.x, m.y, 0.0).normalize_or_zero();
    match round {
        Round::Cylinder(c) => flat * c.radius + DVec3::new(0.0, 0.0, c.half_length.copysign(m.z)),
        Round::Cone(c) => {
            let apex = DVec3::new(0.0, 0.0, c.half_length);
            let rim = flat * c.radius - apex;
            if m.dot(apex) > m.dot(rim) { apex } else { rim }
        }
        Round::Ellipsoid(e) => e.radii * (e.radii * m).normalize_or_zero(),
    }
}

/// The height of the farthest point, roots rounded up.
pub(super) fn exact_top(round: Round, m: &Point) -> Real {
    let flat = root_up(&(&m[0] * &m[0] + &m[1] * &m[1]));
    match round {
        Round::Cylinder(c) => real(c.radius) * flat + real(c.half_length) * m[2].abs(),
        Round::Cone(c) => {
            let apex = real(c.half_length) * &m[2];
            (real(c.radius) * flat - &apex).max(apex)
        }
        Round::Ellipsoid(e) => {
            let [x, y, z] = [0, 1, 2].map(|k| real(e.radii[k]) * &m[k]);
            root_up(&(&x * &x + &y * &y + &z * &z))
        }
    }
}

/// Whether the point is inside or on the surface.
pub(super) fn in_round(round: Round, p: &Point) -> bool {
    let square = |x: &Real| x * x;
    let flat = square(&p[0]) + square(&p[1]);
    match round {
        Round::Cylinder(c) => p[2].abs() <= real(c.half_length) && flat <= square(&real(c.radius)),
        Round::Cone(c) => {
            let (h, below) = (real(c.half_length), real(c.half_length) - &p[2]);
            p[2].abs() <= h && flat * square(&(&h + &h)) <= square(&(real(c.radius) * below))
        }
        Round::Ellipsoid(e) => {
            let part = |k: usize| square(&(&p[k] / real(e.radii[k])));
            part(0) + part(1) + part(2) <= Real::one()
        }
    }
}
