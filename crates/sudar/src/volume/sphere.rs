//! Spheres.

use glam::DVec3;

use super::sphere_fit::smallest_sphere;
use super::{Relative, Volume};
use crate::pair::{sphere_point, sphere_sphere};
use crate::shape::Sphere;

impl Volume for Sphere {
    type Placed = Self;
    type Motion = Relative;

    /// The smallest sphere, [`smallest_sphere`].
    fn fit(points: &[DVec3]) -> Option<Self> {
        smallest_sphere(points)
    }

    /// The smallest sphere around both, up to rounding.
    fn merged(&self, other: &Self) -> Self {
        let way = other.center - self.center;
        let apart = way.length();
        let (up, down) = (1.0 + 8.0 * f64::EPSILON, 1.0 - 8.0 * f64::EPSILON);
        if apart * up + other.radius <= self.radius * down {
            return *self;
        }
        if apart * up + self.radius <= other.radius * down {
            return *other;
        }
        let radius = 0.5 * (apart + self.radius + other.radius);
        let along = if apart > 0.0 { ((radius - self.radius) / apart).clamp(0.0, 1.0) } else { 0.0 };
        let center = self.center + way * along;
        // Both in from the centre as it was rounded.
        let reach = |s: &Self| (s.center - center).length() * up + s.radius;
        Self { center, radius: reach(self).max(reach(other)) * up }
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * self.radius * self.radius * self.radius
    }

    fn middle(&self) -> DVec3 {
        self.center
    }

    fn extents(&self) -> DVec3 {
        DVec3::splat(2.0 * self.radius)
    }

    fn holds(&self, p: DVec3) -> bool {
        sphere_point(self, p)
    }

    fn overlaps(&self, other: &Self) -> bool {
        sphere_sphere(self, other)
    }

    fn under(motion: &Relative) -> Relative {
        *motion
    }

    fn placed(&self, motion: &Relative) -> Self {
        let center = motion.apply(self.center);
        let rounding = motion.pose().rounding(self.center.abs().max_element());
        Self { center, radius: (self.radius + motion.slack() + 2.0 * rounding) * (1.0 + 4.0 * f64::EPSILON) }
    }

    fn meets(&self, placed: &Self) -> bool {
        let reach = self.radius + placed.radius;
        (self.center - placed.center).length_squared() <= reach * reach * (1.0 + 16.0 * f64::EPSILON)
    }

    fn between(&self, placed: &Self) -> f64 {
        (self.center - placed.center).length_squared()
    }
}
