//! Contacts never add energy.
//!
//! Restitution at several contacts at once, each by the speed at which it closed, can add energy, and so can pushes out of overlaps that
//! sweeps leave behind. Each island of touching bodies ends with at most the kinetic energy that it had and the work of its forces. Islands
//! that touch a kinematic body, or stick, are left alone: there work is done.

use glam::{DQuat, DVec3};

use super::Mobile;
use super::islands::islands;
use super::row::Row;
use crate::dynamics::matter::{Kind, Rigid};
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

/// Limits the energy of each island, given velocities before and after restitution.
pub fn limit(
    rigids: &[Rigid],
    rows: &[Row],
    held: &[bool],
    relaxed: &[Mobile],
    bounced: &mut [Mobile],
    settings: &Settings,
) {
    let of = islands(rigids, rows);
    let mut sums = vec![Island::default(); rigids.len()];
    for row in rows.iter().filter(|row| row.most > 0.0) {
        for i in row.bodies {
            let other = row.bodies[usize::from(row.bodies[0] == i)];
            let island = &mut sums[of[i as usize] as usize];
            let kind = rigids[other as usize].given.kind;
            island.is_exempt |= kind == Kind::Kinematic || row.least < 0.0;
            island.is_tied |= kind == Kind::Static;
        }
    }
    let free = || (0..rigids.len()).filter(|&i| held[i] && rigids[i].is_dynamic());
    for i in free() {
        let island = &mut sums[of[i] as usize];
        let (rigid, before, after) = (&rigids[i], &relaxed[i], &bounced[i]);
        let flight = rigid.flight(settings.gravity);
        let (turn, spin) = (rigid.motion.rotation, rigid.motion.angular_velocity);
        let start = kinetic(rigid, turn, rigid.motion.velocity, spin);
        let turn = before.rotation;
        let turned = crate::dynamics::matter::turned_by(
            (before.rotation * rigid.motion.rotation.inverse()).normalize(),
        );
        let work = (flight.acceleration * rigid.inertia.mass).dot(before.moved) + flight.torque.dot(turned);
        island.allowed += start + work;
        island.before += kinetic(rigid, turn, before.velocity, before.spin);
        island.after += kinetic(rigid, turn, after.velocity, after.spin);
        island.mixed += kinetic(rigid, turn, after.velocity - before.velocity, after.spin - before.spin);
        island.mass += rigid.inertia.mass;
        island.momentum += after.velocity * rigid.inertia.mass;
    }
    for i in free() {
        let island = &sums[of[i] as usize];
        if island.is_exempt || island.after <= island.allowed.max(0.0) {
            continue;
        }
        slow(island, &relaxed[i], &mut bounced[i]);
    }
}

fn kinetic(rigid: &Rigid, rotation: DQuat, velocity: DVec3, spin: DVec3) -> f64 {
    let spun = rigid.inertia.spun(rotation, spin);
    0.5 * (rigid.inertia.mass * velocity.length_squared() + spun.dot(spin))
}

fn slow(island: &Island, before: &Mobile, after: &mut Mobile) {
    let allowed = island.allowed.max(0.0);
    if island.before <= allowed {
        // before + b s + mixed s² = allowed with b from after = before + b + mixed.
        let b = island.after - island.before - island.mixed;
        let root = (b * b + 4.0 * island.mixed * (allowed - island.before)).max(0.0).sqrt();
        let share =
            if island.mixed > 0.0 { ((root - b) / (2.0 * island.mixed)).clamp(0.0, 1.0) } else { 0.0 };
        after.velocity = before.velocity + (after.velocity - before.velocity) * share;
        after.spin = before.spin + (after.spin - before.spin) * share;
        return;
    }
    // About the common motion, which no contact within an island changes.
    let common = if island.is_tied { DVec3::ZERO } else { island.momentum / island.mass };
    let floor = 0.5 * island.mass * common.length_squared();
    let share = ((allowed - floor).max(0.0) / (island.after - floor)).sqrt().min(1.0);
    let share = if share.is_finite() { share } else { 0.0 };
    after.velocity = common + (after.velocity - common) * share;
    after.spin *= share;
}
