//! Random numbers, points and turns, the same for the same seed on every machine.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::{DQuat, DVec3};

/// A source of random things, the same for the same seed.
#[derive(Debug, Clone)]
pub struct Random(Pcg64);

impl Random {
    /// The source of this seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// A number from `least` to below `most`.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        self.0.random_range(least..most)
    }

    /// A point of the cube of this half side.
    pub fn point(&mut self, far: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.between(-far, far)))
    }

    /// A unit vector, each as likely as any other.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.point(1.0);
            let square = v.length_squared();
            if (0.01..1.0).contains(&square) {
                return v / square.sqrt();
            }
        }
    }

    /// A rotation by any angle around any axis.
    pub fn rotation(&mut self) -> DQuat {
        let (axis, angle) = (self.direction(), self.between(0.0, std::f64::consts::TAU));
        turn(axis, angle)
    }
}

/// The rotation around a unit axis by an angle in radians, the same bits everywhere.
pub fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let v = axis * sine;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine).normalize()
}
