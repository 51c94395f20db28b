//! The engines of the fighter: two times six pairs, one way and the other along and about every axis (section 7.4.3).

use sudar::DVec3;
use sudar::dynamics::{Inertia, ThrusterPair};

/// How much faster about an axis the fighter may turn in a second, in rad/s².
pub const TURN: f64 = 5.0;

/// Metres from the centre of mass to an engine.
const ARM: f64 = 1.0;

/// The most that all engines do together along and about each axis of the fighter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// In N.
    pub force: DVec3,
    /// In N·m.
    pub torque: DVec3,
}

impl Limits {
    /// For an acceleration in m/s², and [`TURN`] about each axis of the frame.
    pub fn new(inertia: &Inertia, acceleration: f64) -> Self {
        let t = inertia.tensor;
        let moments = DVec3::new(t.x_axis.x, t.y_axis.y, t.z_axis.z);
        Self { force: DVec3::splat(inertia.mass * acceleration), torque: moments * TURN }
    }

    /// The twelve pairs, with throttles that bring about a force and a torque in the frame of the fighter, or as much
    /// of them along each axis as there is.
    pub fn engines(&self, force: DVec3, torque: DVec3) -> Vec<ThrusterPair> {
        let mut pairs = ThrusterPair::twelve(ARM, 1.0);
        for (i, pair) in pairs.iter_mut().enumerate() {
            let (axis, sign) = (i / 2 % 3, if i % 2 == 0 { 1.0 } else { -1.0 });
            // Both of a pair push, the turning ones at arms.
            let (most, wanted) = if pair.turns {
                (self.torque[axis] / (2.0 * ARM), torque[axis] / self.torque[axis])
            } else {
                (self.force[axis] / 2.0, force[axis] / self.force[axis])
            };
            pair.push *= most;
            pair.throttle = (sign * wanted).clamp(0.0, 1.0);
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::dynamics::{MassSpec, RigidBody};
    use sudar::{Cuboid, DMat3};

    fn limits() -> Limits {
        let inertia = DMat3::from_diagonal(DVec3::new(2.0, 3.0, 4.0));
        let matter = MassSpec::Given { mass: 10.0, inertia, center: DVec3::ZERO };
        let body = RigidBody { matter, ..RigidBody::new("craft", Cuboid::new(DVec3::ONE).unwrap()) };
        Limits::new(&body.inertia().unwrap(), 12.0)
    }

    fn sum(engines: &[ThrusterPair]) -> [DVec3; 2] {
        let wrenches = engines.iter().map(ThrusterPair::wrench);
        wrenches.fold([DVec3::ZERO; 2], |[f, t], [g, u]| [f + g, t + u])
    }

    #[test]
    fn engines_bring_about_what_is_wanted_up_to_their_limits() {
        let limits = limits();
        assert_eq!(limits, Limits { force: DVec3::splat(120.0), torque: DVec3::new(10.0, 15.0, 20.0) });
        let (force, torque) = (DVec3::new(60.0, -30.0, 0.0), DVec3::new(-5.0, 15.0, 2.0));
        let [f, t] = sum(&limits.engines(force, torque));
        assert!((f - force).length() < 1e-12 && (t - torque).length() < 1e-12, "{f} {t}");
        let [f, t] = sum(&limits.engines(DVec3::X * 1e9, DVec3::Y * -1e9));
        assert!((f - DVec3::X * 120.0).length() < 1e-12 && (t + DVec3::Y * 15.0).length() < 1e-12);
    }

    #[test]
    fn a_pair_that_moves_does_not_turn_and_the_other_way_round() {
        let pairs = limits().engines(DVec3::splat(1.0), DVec3::splat(1.0));
        assert_eq!(pairs.len(), 12);
        for pair in pairs {
            let [force, torque] = pair.wrench();
            assert!(if pair.turns { force == DVec3::ZERO } else { torque == DVec3::ZERO });
            assert!(pair.arm.length() == ARM && (0.0..=1.0).contains(&pair.throttle));
        }
    }
}
