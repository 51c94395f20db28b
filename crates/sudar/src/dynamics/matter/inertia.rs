//! Mass and inertia of a body, with all that steps need of them.

use glam::{DMat3, DQuat, DVec3};

use crate::math::symmetric_eigen;

/// Mass, centre of mass and inertia tensor in the frame of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertia {
    /// In kilograms; infinite for bodies that nothing moves.
    pub mass: f64,
    /// The centre of mass.
    pub center: DVec3,
    /// The tensor about the centre.
    pub tensor: DMat3,
    /// One over the mass; 0 for bodies that nothing moves.
    pub inverse_mass: f64,
    /// The inverse of the tensor; zero for bodies that nothing moves.
    pub inverse: DMat3,
    /// Principal moments, and the rotation from their axes to the body.
    pub(in crate::dynamics) moments: DVec3,
    pub(in crate::dynamics) axes: DQuat,
    /// (I₂ − I₃)/I₁ and so on.
    pub(in crate::dynamics) gyration: DVec3,
    pub(in crate::dynamics) spin: Spin,
}

/// How many principal moments are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::dynamics) enum Spin {
    Round,
    Symmetric { axis: DVec3, along: f64, across: f64 },
    General,
}

/// Moments as near as this are equal: integrals over the body are known no better.
const EQUAL: f64 = 1e-12;

impl Inertia {
    /// Of a body that forces move. The tensor is symmetric and positive definite.
    pub(in crate::dynamics) fn new(mass: f64, center: DVec3, tensor: DMat3) -> Self {
        let found = symmetric_eigen(&tensor);
        let moments = found.values;
        let equal = |a: f64, b: f64| (a - b).abs() <= EQUAL * a.max(b);
        let (x, y, z) = (moments.x, moments.y, moments.z);
        let spin = match (equal(x, y), equal(y, z)) {
            (true, true) => Spin::Round,
            (true, false) => Spin::Symmetric { axis: DVec3::Z, along: z, across: x },
            (false, true) => Spin::Symmetric { axis: DVec3::X, along: x, across: y },
            (false, false) => Spin::General,
        };
        let inverse = match spin {
            Spin::Round => DMat3::from_diagonal(DVec3::splat(1.0 / x)),
            Spin::Symmetric { .. } | Spin::General => tensor.inverse(),
        };
        Self {
            mass,
            center,
            tensor,
            inverse_mass: 1.0 / mass,
            inverse,
            moments,
            axes: DQuat::from_mat3(&found.vectors).normalize(),
            gyration: DVec3::new((y - z) / x, (z - x) / y, (x - y) / z),
            spin,
        }
    }

    /// Of a body that nothing moves.
    pub(in crate::dynamics) fn fixed(center: DVec3) -> Self {
        Self {
            mass: f64::INFINITY,
            inverse_mass: 0.0,
            inverse: DMat3::ZERO,
            ..Self::new(1.0, center, DMat3::IDENTITY)
        }
    }

    /// Whether impulses move it.
    pub(in crate::dynamics) fn is_free(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// Whether all principal moments are equal.
    pub(in crate::dynamics) fn is_round(&self) -> bool {
        matches!(self.spin, Spin::Round)
    }

    /// Angular momentum in the world of a body that spins with `omega`.
    pub(in crate::dynamics) fn spun(&self, rotation: DQuat, omega: DVec3) -> DVec3 {
        match self.spin {
            Spin::Round => omega * self.moments.x,
            Spin::Symmetric { .. } | Spin::General => {
                let turn = rotation * self.axes;
                turned(turn, turned(turn.inverse(), omega) * self.moments)
            }
        }
    }

    /// The angular velocity in the world of a body with this angular momentum; of one that nothing moves,
    /// that of unit inertia.
    pub(in crate::dynamics) fn unspun(&self, rotation: DQuat, momentum: DVec3) -> DVec3 {
        match self.spin {
            Spin::Round => momentum / self.moments.x,
            // A product with the inverse tensor would be off to the same side in every step, and so, by less,
            // are the roundings of two turns: the length that comes back is compared with the one that went
            // in.
            Spin::Symmetric { .. } | Spin::General => {
                let turn = rotation * self.axes;
                let omega = turned(turn, turned(turn.inverse(), momentum) / self.moments);
                let back = self.spun(rotation, omega).length_squared();
                let share = (momentum.length_squared() / back).sqrt();
                if share.is_finite() { omega * share } else { omega }
            }
        }
    }

    /// The inverse tensor in the world; zero for a body that nothing moves.
    pub fn inverse_in_world(&self, rotation: DQuat) -> DMat3 {
        match self.spin {
            Spin::Round => self.inverse,
            Spin::Symmetric { .. } | Spin::General => {
                let turn = DMat3::from_quat(rotation);
                turn * self.inverse * turn.transpose()
            }
        }
    }
}

/// The vector turned by a quaternion that is of length 1 but for rounding, which would add up over the steps.
fn turned(q: DQuat, v: DVec3) -> DVec3 {
    (q * v) / q.length_squared()
}
