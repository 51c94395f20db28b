//! The plane beyond which all of a difference lies: what bounds its distance from below.

use glam::DVec3;

/// The best supporting plane so far.
#[derive(Debug, Clone, Copy)]
pub struct SupportingPlane {
    /// How far it is from the origin, without slack; −∞ if none is known.
    pub height: f64,
    /// The direction from the first body to the second in which it was seen; zero if none is known.
    pub axis: DVec3,
}

impl SupportingPlane {
    /// No plane is known.
    pub const NONE: Self = Self { height: f64::NEG_INFINITY, axis: DVec3::ZERO };

    /// All of the difference lies beyond the plane through `point` with this normal.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn offer(&mut self, normal: DVec3, point: DVec3) {
        let height = normal.dot(point) / normal.length();
        if height > self.height {
            *self = Self { height, axis: -normal };
        }
    }

    /// The difference is certainly as far from the origin, given by how much heights may be off.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn certain(&self, slack: f64) -> f64 {
        (self.height * (1.0 - 4.0 * f64::EPSILON) - slack).max(0.0)
    }
}
