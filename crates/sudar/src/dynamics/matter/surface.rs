//! How the surfaces of two bodies act on each other.

use glam::DVec3;

use super::body::RigidBody;
use super::combine::Combine;
use crate::dynamics::joint::Softness;

/// The surface of a body.
#[derive(Debug, Clone, Copy)]
pub struct Surface {
    restitution: f64,
    friction: f64,
    restitution_rule: Option<Combine>,
    friction_rule: Option<Combine>,
    rolling_friction: f64,
    adhesion: f64,
    softness: Softness,
    /// How fast it runs along the body, in the axes of that.
    pub velocity: DVec3,
    /// Whether it is a wall of the room, which has restitution and friction of the body that touches it.
    is_wall: bool,
}

impl Surface {
    pub fn new(given: &RigidBody, is_wall: bool) -> Self {
        Self {
            restitution: given.restitution,
            friction: given.friction,
            restitution_rule: given.restitution_rule,
            friction_rule: given.friction_rule,
            rolling_friction: given.rolling_friction,
            adhesion: given.adhesion,
            softness: given.contact_softness,
            velocity: given.surface_velocity,
            is_wall,
        }
    }

    /// The larger one, if no rule says otherwise.
    pub fn restitution(&self, other: &Self) -> f64 {
        let both = self.beside(other);
        let rule = both[0].restitution_rule.max(both[1].restitution_rule).unwrap_or(Combine::Max);
        rule.of(both.map(|surface| surface.restitution))
    }

    /// The geometric mean, if no rule says otherwise.
    pub fn friction(&self, other: &Self) -> f64 {
        let both = self.beside(other);
        let rule = both[0].friction_rule.max(both[1].friction_rule).unwrap_or(Combine::GeometricMean);
        rule.of(both.map(|surface| surface.friction))
    }

    /// The larger lever of friction against rolling; of a wall of the room that of the body.
    pub fn rolling_friction(&self, other: &Self) -> f64 {
        self.rolling_friction.max(other.rolling_friction)
    }

    /// The larger force.
    pub fn adhesion(&self, other: &Self) -> f64 {
        self.adhesion.max(other.adhesion)
    }

    /// Whether contacts yield as either body says.
    pub fn is_soft(&self, other: &Self) -> bool {
        [self.softness, other.softness] != [Softness::Hard; 2]
    }

    /// Angular frequency and damping ratio of the softer one, for both masses together.
    pub fn spring(&self, other: &Self, inverse_mass: f64) -> Option<[f64; 2]> {
        let both = [self.softness, other.softness].into_iter().filter_map(|own| own.spring(inverse_mass));
        both.min_by(|a, b| a[0].total_cmp(&b[0]))
    }

    /// Both, with that of the body in place of a wall of the room.
    fn beside<'s>(&'s self, other: &'s Self) -> [&'s Self; 2] {
        match (self.is_wall, other.is_wall) {
            (true, _) => [other; 2],
            (false, true) => [self; 2],
            (false, false) => [self, other],
        }
    }
}
