//! Contacts at an instant, and impulses on them.

use glam::{DMat3, DVec3};

use crate::dynamics::matter::{Motion, Rigid};

/// A body at the instant of an impact.
#[derive(Debug, Clone, Copy)]
pub struct Struck {
    pub slot: u32,
    pub motion: Motion,
    pub inverse_mass: f64,
    pub inverse_inertia: DMat3,
    pub changed: bool,
}

impl Struck {
    pub fn new(slot: u32, rigid: &Rigid, motion: Motion) -> Self {
        Self {
            slot,
            motion,
            inverse_mass: rigid.inertia.inverse_mass,
            inverse_inertia: rigid.inertia.inverse_in_world(motion.rotation),
            changed: false,
        }
    }

    fn push(&mut self, impulse: DVec3, point: DVec3) {
        if self.inverse_mass == 0.0 {
            return;
        }
        let arm = point - self.motion.center;
        self.motion.velocity += impulse * self.inverse_mass;
        self.motion.angular_velocity += self.inverse_inertia * arm.cross(impulse);
        self.changed = true;
    }

    /// How an impulse at a point changes the velocity of the point.
    fn yields(&self, impulse: DVec3, arm: DVec3) -> DVec3 {
        impulse * self.inverse_mass + (self.inverse_inertia * arm.cross(impulse)).cross(arm)
    }
}

/// A contact between two of the bodies.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    /// Numbers in the list of bodies.
    pub bodies: [usize; 2],
    pub point: DVec3,
    /// From the first to the second, unit.
    pub normal: DVec3,
    pub restitution: f64,
    pub friction: f64,
    pub depth: f64,
    /// The normal impulse so far.
    pub impulse: f64,
}

impl Hit {
    /// The velocity of the second against the first.
    pub fn velocity(&self, list: &[Struck]) -> DVec3 {
        let [a, b] = self.bodies;
        list[b].motion.velocity_at(self.point) - list[a].motion.velocity_at(self.point)
    }

    /// Its part along the normal: below zero where they approach.
    pub fn speed(&self, list: &[Struck]) -> f64 {
        self.velocity(list).dot(self.normal)
    }

    /// How an impulse changes the velocity of the second against the first.
    pub fn yields(&self, list: &[Struck], impulse: DVec3) -> DVec3 {
        let [a, b] = self.bodies.map(|k| &list[k]);
        a.yields(impulse, self.point - a.motion.center) + b.yields(impulse, self.point - b.motion.center)
    }

    /// The same as a matrix, for all impulses.
    pub fn matrix(&self, list: &[Struck]) -> DMat3 {
        DMat3::from_cols(
            self.yields(list, DVec3::X),
            self.yields(list, DVec3::Y),
            self.yields(list, DVec3::Z),
        )
    }

    /// Pushes the second by an impulse and the first by its opposite.
    pub fn push(&self, list: &mut [Struck], impulse: DVec3) {
        let [a, b] = self.bodies;
        list[a].push(-impulse, self.point);
        list[b].push(impulse, self.point);
    }
}
