//! Stacks and friction: soft contacts in sub-steps.
//!
//! Each sub-step applies forces, starts from the impulses of the last one, sweeps over the contacts with a soft push out of
//! overlaps, moves the bodies, and sweeps again without the push, so that it adds no energy; restitution comes last. Macklin, Storey, Lu et
//! al. 2019, "Small steps in physics simulation"; soft contacts and their order: Catto 2024, "Solver2D". Contacts are known again
//! by the features that touch. Gaps count too: a body may close them in the step and no more, and bodies fast against their
//! own thickness are stopped where they certainly touch nothing yet.

mod clip;
mod energy;
mod islands;
mod narrow;
mod row;
mod sweep;

pub use narrow::Memories;

use std::collections::BTreeMap;

use glam::{DMat3, DQuat, DVec3};

use crate::broad::BroadError;
use crate::dynamics::matter::{Flight, Motion, Rigid};
use crate::dynamics::near::Near;
use crate::dynamics::settings::Settings;
use row::Row;

/// What is kept of a contact from step to step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kept {
    pub pair: [u32; 2],
    pub name: [u32; 6],
    /// In the world, from the centre of the first body.
    pub place: DVec3,
    pub normal: f64,
    pub slide: DVec3,
}

/// What a step of the solver came to.
#[derive(Debug, Default)]
pub struct Solved {
    pub touches: BTreeMap<[u32; 2], f64>,
    pub dropped: f64,
}

/// A body while contacts are solved.
#[derive(Debug, Clone, Copy)]
pub struct Mobile {
    pub velocity: DVec3,
    pub spin: DVec3,
    pub inverse_mass: f64,
    pub inverse_inertia: DMat3,
    /// Since the step began.
    pub moved: DVec3,
    pub turned: DMat3,
    rotation: DQuat,
}

impl Mobile {
    fn new(rigid: &Rigid) -> Self {
        let motion = &rigid.motion;
        let moves = rigid.moves();
        Self {
            velocity: if moves { motion.velocity } else { DVec3::ZERO },
            spin: if moves { motion.angular_velocity } else { DVec3::ZERO },
            inverse_mass: rigid.inertia.inverse_mass,
            inverse_inertia: rigid.inertia.inverse_in_world(motion.rotation),
            moved: DVec3::ZERO,
            turned: DMat3::IDENTITY,
            rotation: motion.rotation,
        }
    }
}

/// Advances all bodies by a time.
pub fn advance(
    rigids: &mut [Rigid],
    near: &mut Near,
    memories: &mut Memories,
    settings: &Settings,
    until: f64,
) -> Result<Solved, BroadError> {
    let found = narrow::contacts(rigids, near, settings, until)?;
    let step = until / f64::from(settings.substeps);
    let mut rows = row::rows(rigids, &found, memories, -settings.gravity, step);
    let held = held(rigids, &rows);
    let mut mobiles: Vec<Mobile> = rigids.iter().map(Mobile::new).collect();
    row::remember_speeds(&mut rows, &mobiles);
    let sweeps = sweep::Sweeps::new(rigids, &mut rows, settings.gravity.length() * step);
    for _ in 0..settings.substeps {
        push(rigids, &held, &mut mobiles, settings, step);
        sweep::substep(&mut rows, &mut mobiles, step, &sweeps, |mobiles| fly(rigids, &held, mobiles, step));
    }
    let relaxed = mobiles.clone();
    sweep::restitution(&mut rows, &mut mobiles, 2.0 * settings.gravity.length() * until);
    energy::limit(rigids, &rows, &held, &relaxed, &mut mobiles, settings);
    let before: Vec<Motion> = rigids.iter().map(|rigid| rigid.motion).collect();
    land(rigids, &held, &mobiles, settings, until);
    let mut solved = Solved { touches: row::touches(&rows), dropped: 0.0 };
    solved.dropped = clip::clip(rigids, &before, &found, until);
    clip::keep_inside(rigids);
    memories.kept = row::kept(&rows);
    islands::sleep(rigids, &rows, settings, until);
    Ok(solved)
}

/// Which bodies have contacts; the others fly freely.
fn held(rigids: &[Rigid], rows: &[Row]) -> Vec<bool> {
    let mut held = vec![false; rigids.len()];
    for body in rows.iter().flat_map(|row| row.bodies) {
        held[body as usize] = rigids[body as usize].is_dynamic() && !rigids[body as usize].asleep;
    }
    held
}

/// Forces of a sub-step.
fn push(rigids: &[Rigid], held: &[bool], mobiles: &mut [Mobile], settings: &Settings, step: f64) {
    for ((rigid, mobile), _) in rigids.iter().zip(mobiles).zip(held).filter(|(_, held)| **held) {
        let flight = rigid.flight(settings.gravity);
        let [slow, slow_spin] = flight.drag.map(|c| if c == 0.0 { 1.0 } else { libm::exp(-c * step) });
        mobile.velocity = (mobile.velocity + flight.acceleration * step) * slow;
        mobile.spin = (mobile.spin + mobile.inverse_inertia * flight.torque * step) * slow_spin;
    }
}

/// Turns by less than this in a sub-step are so slow that a body's own axes hardly matter.
const SLOW: f64 = 1e-3;

/// Moves the bodies by a sub-step.
fn fly(rigids: &[Rigid], held: &[bool], mobiles: &mut [Mobile], step: f64) {
    for ((rigid, mobile), held) in rigids.iter().zip(mobiles).zip(held) {
        let is_driven = rigid.moves() && !rigid.is_dynamic();
        if !(*held || is_driven) {
            continue;
        }
        mobile.moved += mobile.velocity * step;
        if mobile.spin == DVec3::ZERO {
            continue;
        }
        let from = Motion {
            center: DVec3::ZERO,
            rotation: mobile.rotation,
            velocity: DVec3::ZERO,
            angular_velocity: mobile.spin,
        };
        let fast = mobile.spin.length() * step > SLOW;
        if fast && rigid.is_dynamic() {
            let there = Flight::free(&rigid.inertia, from, 0.0).at(step);
            (mobile.rotation, mobile.spin) = (there.rotation, there.angular_velocity);
            mobile.inverse_inertia = rigid.inertia.inverse_in_world(mobile.rotation);
        } else {
            mobile.rotation =
                (crate::dynamics::matter::turn(mobile.spin * step) * mobile.rotation).normalize();
        }
        mobile.turned = DMat3::from_quat(mobile.rotation * rigid.motion.rotation.inverse());
    }
}

/// Writes back where bodies are: those with contacts as solved, the others at the end of their free flight.
fn land(rigids: &mut [Rigid], held: &[bool], mobiles: &[Mobile], settings: &Settings, until: f64) {
    for ((rigid, mobile), held) in rigids.iter_mut().zip(mobiles).zip(held) {
        if *held {
            rigid.motion = Motion {
                center: rigid.motion.center + mobile.moved,
                rotation: mobile.rotation,
                velocity: mobile.velocity,
                angular_velocity: mobile.spin,
            };
        } else if rigid.moves() {
            rigid.motion = rigid.flight(settings.gravity).at(until);
        }
    }
}
