//! Random numbers, points and poses.

use std::ops::{Deref, DerefMut};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::{DQuat, DVec3, Pose};

/// A source of random things, the same for the same seed. For what has no method here it is a generator itself.
#[derive(Debug, Clone)]
pub struct Random(Pcg64);

impl Deref for Random {
    type Target = Pcg64;

    fn deref(&self) -> &Pcg64 {
        &self.0
    }
}

impl DerefMut for Random {
    fn deref_mut(&mut self) -> &mut Pcg64 {
        &mut self.0
    }
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// A number of −1..1.
    pub fn number(&mut self) -> f64 {
        self.within(-1.0, 1.0)
    }

    /// A number of `low..high`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    /// A whole number of `low..=high`.
    pub fn whole(&mut self, low: i32, high: i32) -> f64 {
        f64::from(self.0.random_range(low..=high))
    }

    /// One of the list.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A point of the cube −1..1.
    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// So many points of the cube −1..1.
    pub fn cloud(&mut self, count: usize) -> Vec<DVec3> {
        (0..count).map(|_| self.point()).collect()
    }

    /// A point with whole coordinates of at most `reach`.
    pub fn grid_point(&mut self, reach: i32) -> DVec3 {
        DVec3::new(self.whole(-reach, reach), self.whole(-reach, reach), self.whole(-reach, reach))
    }

    /// A unit vector.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.point();
            if (0.01..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    /// A rotation: four numbers of −1..1 brought to unit length.
    pub fn rotation(&mut self) -> DQuat {
        let [x, y, z, w] = [(); 4].map(|()| self.number());
        DQuat::from_xyzw(x, y, z, w).normalize()
    }

    /// A pose with that translation, turned about a random direction.
    pub fn pose(&mut self, translation: DVec3) -> Pose {
        let (axis, w) = (self.direction(), self.number());
        Pose::new(translation, DQuat::from_xyzw(axis.x, axis.y, axis.z, w).normalize()).unwrap()
    }

    /// A pose with any rotation and a translation of up to `far` along each axis.
    pub fn any_pose(&mut self, far: f64) -> Pose {
        let turn = self.rotation();
        Pose::new(self.point() * far, turn).unwrap()
    }

    /// A pose with that translation, turned by up to 3 radians about each axis.
    pub fn turned(&mut self, translation: DVec3) -> Pose {
        Pose::new(translation, DQuat::from_scaled_axis(self.point() * 3.0)).unwrap()
    }
}
