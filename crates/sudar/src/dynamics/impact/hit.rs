//! Bodies that touch at an instant, and impulses at their contacts.

use glam::{DMat3, DVec3};

use crate::dynamics::matter::{BodyState, Rigid};

/// A body at the instant of an impact.
#[derive(Debug, Clone, Copy)]
pub struct ImpactBody {
    pub(in crate::dynamics) slot: u32,
    /// Where it is and how it moves.
    pub motion: BodyState,
    /// One over its mass in kg; 0 for bodies that do not yield.
    pub inverse_mass: f64,
    /// Inverse of the inertia tensor about the centre of mass in the world.
    pub inverse_inertia: DMat3,
    /// Distance of its farthest point from the centre of mass; infinite for half-spaces.
    pub radius: f64,
    pub(in crate::dynamics) changed: bool,
}

impl ImpactBody {
    pub(in crate::dynamics) fn of(slot: u32, rigid: &Rigid, motion: BodyState) -> Self {
        let inverse_inertia = rigid.inertia.inverse_in_world(motion.rotation);
        Self { slot, radius: rigid.radius, ..Self::new(motion, rigid.inertia.inverse_mass, inverse_inertia) }
    }

    /// A body of no size, as tests of laws need it.
    pub fn new(motion: BodyState, inverse_mass: f64, inverse_inertia: DMat3) -> Self {
        Self { slot: 0, motion, inverse_mass, inverse_inertia, radius: 0.0, changed: false }
    }

    /// Gives the centre of mass a velocity, in m/s.
    pub fn set_velocity(&mut self, velocity: DVec3) {
        (self.motion.velocity, self.changed) = (velocity, true);
    }

    /// Moves the body.
    pub fn shift(&mut self, by: DVec3) {
        self.motion.center += by;
        self.changed = true;
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

/// A contact between two of the bodies of an [`ImpactGroup`].
#[derive(Debug, Clone, Copy)]
pub struct ImpactContact {
    /// Places in the list of bodies.
    pub bodies: [usize; 2],
    /// The contact point, in the world.
    pub point: DVec3,
    /// From the first to the second, unit.
    pub normal: DVec3,
    /// Coefficient of restitution of the pair.
    pub restitution: f64,
    /// Coefficient of friction of the pair.
    pub friction: f64,
    /// Depth of the overlap along the normal; minus the gap where there is none.
    pub depth: f64,
    /// Sum of the normal impulses so far, in N·s; what the report of the step shows.
    pub impulse: f64,
}

/// Bodies that touch at an instant, for an [`ImpactLaw`] to change their velocities.
#[derive(Debug)]
pub struct ImpactGroup<'i> {
    /// The bodies.
    pub bodies: &'i mut [ImpactBody],
    /// Their contacts.
    pub contacts: &'i mut [ImpactContact],
    /// Approach speeds below this are rounding.
    pub quiet: f64,
    /// What is left of the step, in seconds.
    pub remaining: f64,
    /// Gap at which the first pair counts as touching.
    pub band: f64,
}

/// How velocities change where bodies touch, for [`Step::collide`](super::super::Step::collide).
pub trait ImpactLaw: Sync {
    /// Whether the law uses the coefficient of restitution; else it is always elastic.
    fn has_restitution(&self) -> bool {
        true
    }

    /// Whether contacts that last, which the solver holds, change spins.
    fn turns(&self) -> bool {
        true
    }

    /// Whether contacts that last have friction.
    fn rubs(&self) -> bool {
        false
    }

    /// Whether all bodies connected by contacts are handed over together; else the two of one pair.
    fn takes_together(&self) -> bool {
        false
    }

    /// Changes the velocities, by the methods of [`ImpactContact`] and [`ImpactBody`].
    fn strike(&self, impact: &mut ImpactGroup<'_>);
}

impl ImpactContact {
    /// Velocity of the second body relative to the first at the contact, in m/s.
    pub fn velocity(&self, list: &[ImpactBody]) -> DVec3 {
        let [a, b] = self.bodies;
        list[b].motion.velocity_at(self.point) - list[a].motion.velocity_at(self.point)
    }

    /// Component of [`velocity`](Self::velocity) along the normal: below zero where the bodies approach.
    pub fn speed(&self, list: &[ImpactBody]) -> f64 {
        self.velocity(list).dot(self.normal)
    }

    /// Change of [`velocity`](Self::velocity) by an impulse at the contact.
    pub fn yields(&self, list: &[ImpactBody], impulse: DVec3) -> DVec3 {
        let [a, b] = self.bodies.map(|k| &list[k]);
        a.yields(impulse, self.point - a.motion.center) + b.yields(impulse, self.point - b.motion.center)
    }

    /// The matrix K of [`yields`](Self::yields): the change of velocity is K times the impulse.
    pub fn matrix(&self, list: &[ImpactBody]) -> DMat3 {
        DMat3::from_cols(
            self.yields(list, DVec3::X),
            self.yields(list, DVec3::Y),
            self.yields(list, DVec3::Z),
        )
    }

    /// Applies an impulse to the second body and its opposite to the first, at the contact.
    pub fn push(&self, list: &mut [ImpactBody], impulse: DVec3) {
        let [a, b] = self.bodies;
        list[a].push(-impulse, self.point);
        list[b].push(impulse, self.point);
    }
}
