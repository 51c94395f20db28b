//! What the tests of this room share: random points from a fixed seed, on a coarse grid where degeneracy is wanted.

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A source of points, the same for the same seed.
pub struct Random(Pcg64);

impl Random {
    /// The source with this seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// A number of −1..1.
    pub fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    /// A whole number of −`reach`..=`reach`.
    pub fn whole(&mut self, reach: i32) -> f64 {
        f64::from(self.0.random_range(-reach..=reach))
    }

    /// A point of the cube −1..1.
    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// Points of the cube −1..1.
    pub fn points<const N: usize>(&mut self) -> [DVec3; N] {
        std::array::from_fn(|_| self.point())
    }

    /// A point with whole coordinates of at most `reach`.
    pub fn grid_point(&mut self, reach: i32) -> DVec3 {
        DVec3::new(self.whole(reach), self.whole(reach), self.whole(reach))
    }

    /// Points with whole coordinates of at most `reach`.
    pub fn grid_points<const N: usize>(&mut self, reach: i32) -> [DVec3; N] {
        std::array::from_fn(|_| self.grid_point(reach))
    }
}

impl Random {
    /// A box with its centre in the cube −1..1, turned at random, with half extents of 0.1..0.9.
    pub fn obb(&mut self) -> crate::shape::Obb {
        let turn = glam::DQuat::from_scaled_axis(self.point() * 3.0);
        let half = DVec3::splat(0.5) + self.point() * 0.4;
        crate::shape::Obb { center: self.point(), axes: glam::DMat3::from_quat(turn), half }
    }
}
