//! Numbers that are the same everywhere.

use sudar::{DQuat, DVec3};

/// Knuth's congruences with their high bits.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u32) -> Self {
        let mut random = Self(u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D0B4_11A3);
        // The first numbers of neighbouring seeds are alike.
        for _ in 0..8 {
            random.next();
        }
        random
    }

    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.next()
    }

    /// Within a box about the origin, by its half extents.
    pub fn within(&mut self, half: DVec3) -> DVec3 {
        DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0)) * half
    }

    /// Of length 1.
    pub fn direction(&mut self) -> DVec3 {
        let mut way = self.within(DVec3::ONE);
        // Most draws are within the ball; one that short would have no direction.
        while !(0.01..=1.0).contains(&way.length()) {
            way = self.within(DVec3::ONE);
        }
        way.normalize()
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.between(0.0, std::f64::consts::TAU))
    }
}
