//! Random polyhedra of several kinds at random poses, for tests.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::glam::{DQuat, DVec3};

use sudar::convex::{Convex, Difference, PosedConvex};
use sudar::hull::convex_hull;
use sudar::math::Pose;
use sudar::shape::{Hull, Shape};

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

    /// A prism, antiprism or hull of points of a sphere, of about unit size, stretched by up to `stretch` along
    /// one axis.
    pub fn solid(&mut self, stretch: f64) -> Solid {
        let n = self.0.random_range(3..9);
        let points: Vec<DVec3> = match self.0.random_range(0..3) {
            0 => ring(n, 0.0, -0.6).chain(ring(n, 0.0, 0.6)).collect(),
            1 => ring(n, 0.0, -0.6).chain(ring(n, 0.5, 0.6)).collect(),
            _ => (0..4 + 2 * n).map(|_| self.direction()).collect(),
        };
        let scale = DVec3::ONE.with_z(stretch.powf(self.number()));
        let points: Vec<DVec3> = points.into_iter().map(|p| p * scale).collect();
        Solid::new(convex_hull(&points).unwrap())
    }
}

/// A polyhedron made ready.
pub(super) struct Solid {
    pub convex: Convex,
}

impl Solid {
    pub fn new(hull: Hull) -> Self {
        Self { convex: Convex::of(&Shape::Hull(Arc::new(hull))).unwrap() }
    }
}

/// `n` points of the unit circle turned by a part of the angle between two, at a height.
fn ring(n: usize, turn: f64, z: f64) -> impl Iterator<Item = DVec3> {
    (0..n).map(move |i| {
        let angle = std::f64::consts::TAU * (i as f64 + turn) / n as f64;
        DVec3::new(angle.cos(), angle.sin(), z)
    })
}

pub(super) fn difference<'a>(
    a: &'a Solid,
    pose_a: &'a Pose,
    b: &'a Solid,
    pose_b: &'a Pose,
) -> Difference<'a> {
    Difference::new(PosedConvex::new(&a.convex, pose_a), PosedConvex::new(&b.convex, pose_b))
}
