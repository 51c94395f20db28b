//! Where a body stands, as sliders have it.

use sudar::{DQuat, DVec3, Pose};

/// A place, and a turn about an axis by as many radians as the axis is long.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stand {
    pub at: DVec3,
    pub turn: DVec3,
}

impl Stand {
    /// At a place, not turned.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { at: DVec3::new(x, y, z), turn: DVec3::ZERO }
    }

    /// Of a pose; the turn is that by at most π.
    pub fn of(pose: &Pose) -> Self {
        let q = DQuat::from_mat3(&pose.rotation());
        let q = if q.w < 0.0 { -q } else { q };
        let axis = DVec3::new(q.x, q.y, q.z);
        let turn = axis.normalize_or_zero() * (2.0 * libm::atan2(axis.length(), q.w));
        Self { at: pose.translation(), turn }
    }

    /// As queries have it.
    pub fn pose(&self) -> Pose {
        Pose::new(self.at, rotation(self.turn)).unwrap_or(Pose::IDENTITY)
    }

    /// The same turned further about an axis of the world.
    #[must_use]
    pub fn turned(&self, axis: DVec3, angle: f64) -> Self {
        let more = rotation(axis * angle) * rotation(self.turn);
        Pose::new(self.at, more.normalize()).map_or(*self, |pose| Self::of(&pose))
    }

    /// The same moved.
    #[must_use]
    pub fn moved(&self, way: DVec3) -> Self {
        Self { at: self.at + way, ..*self }
    }
}

/// The turn about a vector by its length in radians, the same bits everywhere.
pub fn rotation(turn: DVec3) -> DQuat {
    let angle = turn.length();
    let axis = turn.normalize_or_zero() * libm::sin(0.5 * angle);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(0.5 * angle))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    #[test]
    fn poses_come_back_as_they_went() {
        for turn in [DVec3::ZERO, DVec3::new(0.3, -1.0, 2.0), DVec3::Z * (PI - 1e-6), DVec3::X * 1e-9] {
            let stand = Stand { at: DVec3::new(1.0, 2.0, 3.0), turn };
            let back = Stand::of(&stand.pose());
            assert!((back.turn - turn).length() < 1e-9 && back.at == stand.at, "{turn} {back:?}");
        }
    }

    #[test]
    fn turns_about_axes_of_the_world_add_up() {
        let stand = Stand::default().turned(DVec3::Z, FRAC_PI_2).turned(DVec3::X, FRAC_PI_2);
        // x goes to y by the first and to z by the second.
        assert!((stand.pose().rotate(DVec3::X) - DVec3::Z).length() < 1e-12);
    }
}
