//! Points that are compared with edges and planes exactly.

use glam::DVec3;

use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D, normal_and_size};
use crate::math::{Fraction, FractionVec3, Sign, orient2d, orient3d};
use crate::pair::flat::SHADOWS;
use crate::shape::{Aabb, Triangle};

/// A point whose position relative to edges and planes is known exactly: [`DVec3`] or [`RationalPoint`].
pub trait ExactPoint {
    /// A box around the point, as small as `f64` allows.
    fn bounds(&self) -> Aabb;
    /// Whether the box holds the point.
    fn is_within(&self, region: &Aabb) -> bool;
    /// On which side of the line `from` → `to` the point lies, seen along axis 0, 1 or 2: positive on the left.
    fn side_of_edge(&self, from: DVec3, to: DVec3, along: usize) -> Sign;
    /// On which side of the triangle's plane the point lies: positive where its corners are seen counter-clockwise.
    fn side_of_plane(&self, t: &Triangle) -> Sign;
}

impl ExactPoint for DVec3 {
    fn bounds(&self) -> Aabb {
        Aabb { min: *self, max: *self }
    }

    fn is_within(&self, region: &Aabb) -> bool {
        region.contains(*self)
    }

    fn side_of_edge(&self, from: DVec3, to: DVec3, along: usize) -> Sign {
        let shadow = SHADOWS[along];
        orient2d(shadow(from), shadow(to), shadow(*self))
    }

    fn side_of_plane(&self, t: &Triangle) -> Sign {
        orient3d(t.a, t.b, t.c, *self)
    }
}

/// A point with rational coordinates and the nearest `f64` point, which settles most comparisons.
#[derive(Debug, Clone)]
pub struct RationalPoint {
    exact: FractionVec3,
    near: DVec3,
}

impl From<FractionVec3> for RationalPoint {
    fn from(exact: FractionVec3) -> Self {
        let near = exact.rounded();
        Self { exact, near }
    }
}

impl RationalPoint {
    /// The coordinates.
    pub fn exact(&self) -> &FractionVec3 {
        &self.exact
    }

    /// [`ExactPoint::side_of_edge`] where it is certain from the nearest point; Shewchuk's bound is (3 + 16ε)ε, and
    /// the point itself adds ε times its coordinates.
    fn side_of_edge_fast(&self, from: DVec3, to: DVec3, along: usize) -> Option<Sign> {
        let shadow = SHADOWS[along];
        let (u, v, size) = (shadow(to - from), shadow(self.near - from), shadow(self.near).abs());
        let permanent = (u.x * v.y).abs() + (u.y * v.x).abs() + u.x.abs() * size.y + u.y.abs() * size.x;
        let det = u.perp_dot(v);
        (permanent > LEAST_PERMANENT && det.abs() > ROUNDING_3D * permanent).then(|| Sign::of(det))
    }

    /// [`ExactPoint::side_of_plane`] where it is certain from the nearest point, which is off by at most 2⁻⁵³ of
    /// each coordinate (of a normal number; subnormal ones are far below the least permanent accepted).
    fn side_of_plane_fast(&self, t: &Triangle) -> Option<Sign> {
        let (normal, size) = normal_and_size(t.a, t.b, t.c);
        let w = self.near - t.a;
        let permanent = size.dot(w.abs() + self.near.abs());
        let det = normal.dot(w);
        (permanent > LEAST_PERMANENT && det.abs() > ROUNDING_3D * permanent).then(|| Sign::of(det))
    }
}

impl ExactPoint for RationalPoint {
    fn bounds(&self) -> Aabb {
        let grow = |f: fn(f64) -> f64| DVec3::from_array(self.near.to_array().map(f));
        Aabb { min: grow(f64::next_down), max: grow(f64::next_up) }
    }

    fn is_within(&self, region: &Aabb) -> bool {
        let (min, max) = (FractionVec3::from(region.min), FractionVec3::from(region.max));
        (0..3).all(|i| min.axis(i) <= self.exact.axis(i) && self.exact.axis(i) <= max.axis(i))
    }

    fn side_of_edge(&self, from: DVec3, to: DVec3, along: usize) -> Sign {
        if let Some(sign) = self.side_of_edge_fast(from, to, along) {
            return sign;
        }
        let (i, j) = ((along + 1) % 3, (along + 2) % 3);
        let flat = |p: DVec3| (Fraction::from(p[i]), Fraction::from(p[j]));
        let ((x, y), (to_x, to_y)) = (flat(from), flat(to));
        let left = &(&to_x - &x) * &(self.exact.axis(j) - &y);
        let right = &(&to_y - &y) * &(self.exact.axis(i) - &x);
        let turn = &left - &right;
        Sign::from(&turn)
    }

    fn side_of_plane(&self, t: &Triangle) -> Sign {
        self.side_of_plane_fast(t).unwrap_or_else(|| {
            let [a, b, c] = t.corners().map(FractionVec3::from);
            Sign::from(&(&b - &a).cross(&(&c - &a)).dot(&(&self.exact - &a)))
        })
    }
}
