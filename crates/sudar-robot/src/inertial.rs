//! Mass, centre and inertia of links.

use serde::{Deserialize, Serialize};
use sudar::dynamics::{MassSpec, RigidBody};
use sudar::{DMat3, DVec3, Pose};

/// Mass, centre and inertia about the centre, in some frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Inertial {
    /// In kilograms.
    pub mass: f64,
    /// The centre of mass, in metres.
    pub center: DVec3,
    /// In kg·m².
    pub inertia: DMat3,
}

impl Inertial {
    /// The same as seen from a frame in which this one has a pose.
    pub(crate) fn seen_from(self, pose: &Pose) -> Self {
        let turn = pose.rotation();
        Self { center: pose.apply(self.center), inertia: turn * self.inertia * turn.transpose(), ..self }
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        let mass = self.mass + other.mass;
        let center = (self.center * self.mass + other.center * other.mass) / mass;
        let about = |own: &Self| own.inertia + parallel(own.center - center, own.mass);
        Self { mass, center, inertia: about(&self) + about(&other) }
    }

    /// Whether a rigid body can have it.
    pub(crate) fn is_possible(&self) -> bool {
        let matter = MassSpec::Given { mass: self.mass, inertia: self.inertia, center: self.center };
        RigidBody { matter, ..RigidBody::new("", DVec3::ZERO) }.inertia().is_ok()
    }
}

/// The inertia of a point of a mass beside the origin.
fn parallel(arm: DVec3, mass: f64) -> DMat3 {
    let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * mass
}
