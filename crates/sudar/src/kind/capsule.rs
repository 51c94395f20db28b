//! Capsules.

use std::f64::consts::PI;

use glam::DVec3;

use super::measured::{Measured, Moments, between_roots, both, slab, tube};
use crate::pair::Chord;
use crate::shape::{Capsule, Ray};

impl Measured for Capsule {
    fn half_extent(&self) -> DVec3 {
        DVec3::new(self.radius, self.radius, self.radius + self.half_length)
    }

    /// A cylinder and the two halves of a ball, whose centres of mass are ⅜ of the radius out from its ends.
    fn moments(&self) -> Moments {
        let (r, h) = (self.radius, self.half_length);
        let (middle, ball) = (PI * r * r * (2.0 * h), 4.0 / 3.0 * PI * r * r * r);
        let volume = middle + ball;
        let (m, b) = (middle / volume, ball / volume);
        let across = m * (r * r / 4.0) + b * (r * r / 5.0);
        let along = m * (h * h / 3.0) + b * (r * r / 5.0 + h * h + 0.75 * h * r);
        Moments::round(r, h, volume, [across, along])
    }

    /// The cylinder between the balls at its ends, and what these add.
    fn chord(&self, line: &Ray) -> Option<Chord> {
        let middle = both(tube(line, self.radius), slab(line, 2, self.half_length));
        let ball = |z: f64| {
            let (p, d) = (line.origin - DVec3::Z * z, line.direction);
            between_roots(d.dot(d), p.dot(d), p.dot(p) - self.radius * self.radius)
        };
        let chords = [middle, ball(self.half_length), ball(-self.half_length)];
        let union = |a: Chord, b: Chord| Chord { enter: a.enter.min(b.enter), exit: a.exit.max(b.exit) };
        chords.into_iter().flatten().reduce(union)
    }
}
