//! Contacts never add energy.
//!
//! Restitution at several contacts at once, each by the speed at which it closed, can add energy, and so can
//! pushes out of overlaps that iterations leave behind. Each island of touching bodies ends with at most the
//! kinetic energy that it had and the work of its forces. Islands that touch a kinematic body, or stick, are
//! left alone: there work is done.

use glam::{DMat3, DVec3};

use super::bodies::{Bodies, Twist, spin, twist, velocity};
use super::islands::Pressed;
use crate::dynamics::matter::{BodyType, Rigid, turned_by};
use crate::dynamics::settings::Settings;

/// Sums over the bodies of an island.
#[derive(Debug, Clone, Copy, Default)]
struct Island {
    /// What it may have.
    allowed: f64,
    before: f64,
    after: f64,
    /// ½ v₀·M·(v₁ − v₀) and so on of the step from before to after restitution: the energy on the way is a parabola.
    mixed: f64,
    mass: f64,
    momentum: DVec3,
    is_exempt: bool,
    is_tied: bool,
}

/// Limits the energy of each island, given the velocities before restitution and the island of each body.
pub fn limit(
    rigids: &[Rigid],
    pressed: &[Pressed],
    of: &[u32],
    relaxed: &[Twist],
    bodies: &mut Bodies,
    settings: &Settings,
) {
    let mut sums = vec![Island::default(); rigids.len()];
    for pair in pressed {
        for i in pair.bodies {
            let other = pair.bodies[usize::from(pair.bodies[0] == i)];
            let island = &mut sums[of[i as usize] as usize];
            let kind = rigids[other as usize].given.kind;
            island.is_exempt |= kind == BodyType::Kinematic || pair.sticks;
            island.is_tied |= kind == BodyType::Static;
        }
    }
    for place in 0..bodies.held.len() {
        let i = bodies.held[place] as usize;
        if !sums[of[i] as usize].is_exempt {
            sums[of[i] as usize].add(&rigids[i], &relaxed[i], bodies, place, settings);
        }
    }
    for &i in &bodies.held {
        let i = i as usize;
        let island = &sums[of[i] as usize];
        if !island.is_exempt && island.after > island.allowed.max(0.0) {
            slow(island, &relaxed[i], &mut bodies.speeds[i]);
        }
    }
}

impl Island {
    /// Adds a held body, by its place among these.
    fn add(&mut self, rigid: &Rigid, before: &Twist, bodies: &Bodies, place: usize, settings: &Settings) {
        let i = bodies.held[place] as usize;
        let (after, shift) = (&bodies.speeds[i], &bodies.shifts[i]);
        let mass = rigid.inertia.mass;
        let start = twist(rigid.motion.velocity, rigid.motion.angular_velocity);
        let flight = rigid.flight(settings.gravity);
        let mut work = (flight.acceleration * mass).dot(velocity(shift));
        let (from, to) = (rigid.motion.rotation, bodies.rotation(place));
        if flight.torque != DVec3::ZERO {
            work += flight.torque.dot(turned_by((to * from.inverse()).normalize()));
        }
        self.allowed += kinetic(rigid, DMat3::from_quat(from), &start) + work;
        let turn = DMat3::from_quat(to);
        self.after += kinetic(rigid, turn, after);
        if before == after {
            self.before += kinetic(rigid, turn, after);
        } else {
            self.before += kinetic(rigid, turn, before);
            let mut change = *after;
            change.iter_mut().zip(before).for_each(|(after, before)| *after -= before);
            self.mixed += kinetic(rigid, turn, &change);
        }
        self.mass += mass;
        self.momentum += velocity(after) * mass;
    }
}

fn kinetic(rigid: &Rigid, rotation: DMat3, speed: &Twist) -> f64 {
    let omega = rotation.transpose() * spin(speed);
    0.5 * (rigid.inertia.mass * velocity(speed).length_squared() + omega.dot(rigid.inertia.tensor * omega))
}

fn slow(island: &Island, before: &Twist, after: &mut Twist) {
    let allowed = island.allowed.max(0.0);
    if island.before <= allowed {
        // before + b s + mixed s² = allowed with b from after = before + b + mixed.
        let b = island.after - island.before - island.mixed;
        let root = (b * b + 4.0 * island.mixed * (allowed - island.before)).max(0.0).sqrt();
        let share =
            if island.mixed > 0.0 { ((root - b) / (2.0 * island.mixed)).clamp(0.0, 1.0) } else { 0.0 };
        after.iter_mut().zip(before).for_each(|(after, before)| *after = before + (*after - before) * share);
        return;
    }
    // About the common motion, which no contact within an island changes.
    let common = if island.is_tied { DVec3::ZERO } else { island.momentum / island.mass };
    let floor = 0.5 * island.mass * common.length_squared();
    let share = ((allowed - floor).max(0.0) / (island.after - floor)).sqrt().min(1.0);
    let share = if share.is_finite() { share } else { 0.0 };
    *after = twist(common + (velocity(after) - common) * share, spin(after) * share);
}
