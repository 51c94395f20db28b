//! Mass, and what a line has inside, rounded, of solids with closed forms for both.

use glam::DVec3;

use crate::math::Pose;
use crate::pair::Chord;
use crate::shape::{Aabb, Ellipsoid, Ray, Sphere};

/// A solid known in closed form.
pub(crate) trait Measured: Send + Sync {
    /// Half the smallest box around it in its frame.
    fn half_extent(&self) -> DVec3;

    fn moments(&self) -> Moments;

    /// The parameters inside of a line through points near the solid.
    fn chord(&self, line: &Ray) -> Option<Chord>;

    /// A box around the posed solid.
    fn aabb_at(&self, pose: &Pose) -> Aabb {
        let half = self.half_extent();
        Aabb::around(Aabb { min: -half, max: half }.corners().map(|p| pose.apply(p)))
    }
}

/// What mass properties are made of.
pub(crate) struct Moments {
    pub center: DVec3,
    pub volume: f64,
    /// The mean squares of x, y and z as seen from the centre.
    pub squares: DVec3,
    /// The lengths that these are made of.
    pub size: DVec3,
}

impl Moments {
    /// Of a solid around the z axis, with its mean squares across and along it.
    pub(super) fn round(radius: f64, half: f64, volume: f64, [across, along]: [f64; 2]) -> Self {
        let (size, squares) = (DVec3::new(radius, radius, half), DVec3::new(across, across, along));
        Self { center: DVec3::ZERO, volume, squares, size }
    }

    pub(crate) fn of_ball(s: &Sphere) -> Self {
        Self { center: s.center, ..Ellipsoid { radii: DVec3::splat(s.radius) }.moments() }
    }
}

/// Within a cylinder around z that has no ends.
pub(super) fn tube(line: &Ray, radius: f64) -> Option<Chord> {
    let (p, d) = (line.origin.truncate(), line.direction.truncate());
    between_roots(d.dot(d), p.dot(d), p.dot(p) - radius * radius)
}

/// Within `half` of zero along an axis.
pub(super) fn slab(line: &Ray, axis: usize, half: f64) -> Option<Chord> {
    Chord::slab(line.origin[axis], line.direction[axis], half)
}

/// Where square·t² + 2·half·t + rest ≤ 0, for square ≥ 0.
pub(super) fn between_roots(square: f64, half: f64, rest: f64) -> Option<Chord> {
    if square == 0.0 {
        return (rest <= 0.0).then_some(Chord::ALL);
    }
    roots(square, half, rest)
}

/// Both roots, the lesser first; infinite where the square is nothing.
pub(super) fn roots(square: f64, half: f64, rest: f64) -> Option<Chord> {
    let discriminant = half * half - square * rest;
    if discriminant < 0.0 {
        return None;
    }
    // The root that does not cancel, and the other by their product.
    let far = -half - discriminant.sqrt().copysign(half);
    let (s, t) = (far / square, if far == 0.0 { 0.0 } else { rest / far });
    Some(Chord { enter: s.min(t), exit: s.max(t) })
}

/// What is in both, if that has a length.
pub(super) fn both(a: Option<Chord>, b: Option<Chord>) -> Option<Chord> {
    a?.and(b?).filter(|both| both.enter < both.exit)
}
