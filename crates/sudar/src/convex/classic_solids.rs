//! Random directions and poses, for tests.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::Convex;
use crate::math::Pose;
use crate::shape::{Hull, Shape};

/// A source of random things, the same for the same seed.
pub(super) struct Random(Pcg64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// A number of −1..1.
    pub fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    /// A unit vector.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.number(), self.number(), self.number());
            if (0.01..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    pub fn pose(&mut self, translation: DVec3) -> Pose {
        let (axis, w) = (self.direction(), self.number());
        Pose::new(translation, DQuat::from_xyzw(axis.x, axis.y, axis.z, w).normalize()).unwrap()
    }
}

/// A polyhedron made ready.
pub(super) struct Solid {
    pub hull: Arc<Hull>,
    pub convex: Convex,
}

impl Solid {
    pub fn new(hull: Hull) -> Self {
        let hull = Arc::new(hull);
        let convex = Convex::of(&Shape::Hull(hull.clone())).unwrap();
        Self { hull, convex }
    }
}
