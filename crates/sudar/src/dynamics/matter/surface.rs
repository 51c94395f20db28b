//! How the surfaces of two bodies act on each other.

use super::body::RigidBody;

/// The surface of a body.
#[derive(Debug, Clone, Copy)]
pub struct Surface {
    restitution: f64,
    friction: f64,
    rolling_friction: f64,
    adhesion: f64,
    /// Whether it is a wall of the room, which has restitution and friction of the body that touches it.
    is_wall: bool,
}

impl Surface {
    pub fn new(given: &RigidBody, is_wall: bool) -> Self {
        Self {
            restitution: given.restitution,
            friction: given.friction,
            rolling_friction: given.rolling_friction,
            adhesion: given.adhesion,
            is_wall,
        }
    }

    /// The larger one.
    pub fn restitution(&self, other: &Self) -> f64 {
        let [a, b] = self.beside(other);
        a.restitution.max(b.restitution)
    }

    /// The geometric mean.
    pub fn friction(&self, other: &Self) -> f64 {
        let [a, b] = self.beside(other).map(|surface| surface.friction);
        // The square of a large or small number may be none.
        if a == b { a } else { (a * b).sqrt() }
    }

    /// The larger lever of friction against rolling; of a wall of the room that of the body.
    pub fn rolling_friction(&self, other: &Self) -> f64 {
        self.rolling_friction.max(other.rolling_friction)
    }

    /// The larger force.
    pub fn adhesion(&self, other: &Self) -> f64 {
        self.adhesion.max(other.adhesion)
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
