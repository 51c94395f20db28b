//! The frame in which outlines are compared.

use glam::{DVec2, DVec3};

use super::SignedDistance;
use crate::convex::PosedConvex;

/// A frame with its origin at the contact and z along the normal, in a unit in which the smaller body is about of size
/// one: there products of coordinates neither vanish nor overflow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    origin: DVec3,
    axes: [DVec3; 3],
    /// Length of the unit; a power of two, so that scaling rounds nothing.
    unit: f64,
    /// Its inverse, exact too.
    scale: f64,
    /// Bound on the rounding of coordinates, in the unit.
    pub slack: f64,
}

impl Frame {
    #[inline]
    pub fn new(separation: &SignedDistance, a: &PosedConvex, b: &PosedConvex) -> Self {
        let unit = power_of_two(size(a).min(size(b)), size(a).max(size(b)));
        let slack = (slack(a) + slack(b)) / unit;
        Self { slack, ..Self::at(separation.point_a, separation.normal, unit) }
    }

    /// A frame for one body alone.
    pub fn of_one(origin: DVec3, normal: DVec3, body: &PosedConvex) -> Self {
        let unit = power_of_two(size(body), size(body));
        Self { slack: slack(body) / unit, ..Self::at(origin, normal, unit) }
    }

    fn at(origin: DVec3, normal: DVec3, unit: f64) -> Self {
        let x = across(normal);
        Self { origin, axes: [x, normal.cross(x), normal], unit, scale: 1.0 / unit, slack: 0.0 }
    }

    pub fn normal(&self) -> DVec3 {
        self.axes[2]
    }

    /// A length in the unit.
    pub fn scaled(&self, length: f64) -> f64 {
        length * self.scale
    }

    /// A direction of the world along the axes.
    #[inline]
    pub fn turned(&self, v: DVec3) -> DVec3 {
        let [x, y, n] = self.axes;
        DVec3::new(x.dot(v), y.dot(v), n.dot(v))
    }

    /// A point of the world.
    #[inline]
    pub fn place(&self, p: DVec3) -> DVec3 {
        self.turned(p - self.origin) * self.scale
    }

    /// A point of the world given as seen from another.
    #[inline]
    pub fn place_from(&self, center: DVec3, offset: DVec3) -> DVec3 {
        self.turned((center - self.origin) + offset) * self.scale
    }

    /// A length of the world.
    pub fn length(&self, scaled: f64) -> f64 {
        scaled * self.unit
    }

    /// Bound on the rounding of coordinates, in the world.
    pub fn rounding(&self) -> f64 {
        self.slack * self.unit
    }

    /// The direction of the world with these coordinates.
    pub fn direction(&self, v: DVec3) -> DVec3 {
        let [x, y, n] = self.axes;
        (x * v.x + y * v.y) + n * v.z
    }

    /// The point of the world at a place.
    #[inline]
    pub fn world(&self, at: DVec2, z: f64) -> DVec3 {
        let [x, y, n] = self.axes;
        self.origin + ((x * at.x + y * at.y) + n * z) * self.unit
    }
}

/// The reach of a body from its centre.
fn size(body: &PosedConvex) -> f64 {
    body.convex().radius() + body.convex().margin()
}

/// Bound on the rounding of posed points and of the few sums and products that follow.
fn slack(body: &PosedConvex) -> f64 {
    let far = body.center().abs().max_element() + size(body);
    body.slack() + 16.0 * f64::EPSILON * far
}

/// The power of two below the smaller of two sizes, or below the larger if the smaller is zero; 1 for points.
fn power_of_two(small: f64, large: f64) -> f64 {
    let size = [small, large].into_iter().find(|s| s.is_normal()).unwrap_or(1.0);
    // The exponent alone is a power of two.
    f64::from_bits(size.to_bits() & f64::INFINITY.to_bits())
}

/// A unit vector at a right angle to a unit vector: in the plane of its two larger coordinates.
fn across(n: DVec3) -> DVec3 {
    let size = n.abs();
    let v = if size.x <= size.y && size.x <= size.z {
        DVec3::new(0.0, n.z, -n.y)
    } else if size.y <= size.z {
        DVec3::new(-n.z, 0.0, n.x)
    } else {
        DVec3::new(n.y, -n.x, 0.0)
    };
    v / v.length()
}
