//! A world written down, and taken up again.

use glam::DVec3;

use super::{Explosion, World};
use crate::dynamics::DynamicsError;
use crate::dynamics::matter::BodyState;
use crate::dynamics::solver::Pair;

/// Version of the format.
const VERSION: u32 = 4;

/// Everything about a world that changes from step to step. A world that is restored goes on with the same bits.
///
/// Bodies are known by their numbers and names: a snapshot is restored into a world to which the same bodies
/// were added in the same order. With feature `serde` it can be written down.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Snapshot {
    version: u32,
    /// Names and parameters of the broad phase and of the response.
    broad_phase: [String; 2],
    response: [String; 2],
    time: f64,
    steps: u64,
    left: f64,
    dropped: f64,
    fallbacks: u64,
    bodies: Vec<SavedBody>,
    explosions: Vec<Explosion>,
    contacts: Vec<Pair>,
    touching: Vec<([u32; 2], f64)>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct SavedBody {
    name: String,
    generation: u32,
    motion: BodyState,
    pushed: [DVec3; 2],
    slow_for: f64,
    asleep: bool,
}

impl World {
    /// Copies the current state of the world.
    pub fn snapshot(&self) -> Snapshot {
        let state = |rigid: &crate::dynamics::matter::Rigid| SavedBody {
            name: rigid.given.name.clone(),
            generation: rigid.generation,
            motion: rigid.motion,
            pushed: rigid.pushed,
            slow_for: rigid.slow_for,
            asleep: rigid.asleep,
        };
        Snapshot {
            version: VERSION,
            broad_phase: self.near.names(),
            response: self.response_names(),
            time: self.time,
            steps: self.steps,
            left: self.left,
            dropped: self.dropped,
            fallbacks: self.fallbacks,
            bodies: self.rigids.iter().map(state).collect(),
            explosions: self.explosions.iter().copied().collect(),
            contacts: self.solver.contacts.pairs.iter().map(Pair::saved).collect(),
            touching: self.touching.clone(),
        }
    }

    /// Restores the state of a snapshot of this world.
    ///
    /// # Errors
    /// [`DynamicsError::Snapshot`] if it is of another version, of another broad phase, response or of other
    /// bodies, or holds numbers that are none; then nothing has changed.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), DynamicsError> {
        self.check_snapshot(snapshot)?;
        self.index.changed();
        for (rigid, state) in self.rigids.iter_mut().zip(&snapshot.bodies) {
            (rigid.motion, rigid.pushed) = (state.motion, state.pushed);
            (rigid.slow_for, rigid.asleep) = (state.slow_for, state.asleep);
        }
        (self.time, self.steps) = (snapshot.time, snapshot.steps);
        (self.left, self.dropped, self.fallbacks) = (snapshot.left, snapshot.dropped, snapshot.fallbacks);
        self.explosions = snapshot.explosions.iter().copied().collect();
        self.solver.contacts.pairs.clone_from(&snapshot.contacts);
        self.touching = snapshot.touching.clone();
        Ok(())
    }

    fn response_names(&self) -> [String; 2] {
        let response = &self.settings.response;
        [response.name().to_owned(), response.parameters()]
    }

    fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), DynamicsError> {
        let refuse = |problem: String| Err(DynamicsError::Snapshot { problem });
        if snapshot.version != VERSION {
            return refuse(format!("it is of version {}, this is version {VERSION}", snapshot.version));
        }
        for (what, there, here) in [
            ("broad phase", &snapshot.broad_phase, self.near.names()),
            ("response", &snapshot.response, self.response_names()),
        ] {
            if *there != here {
                let [there, here] = [there, &here].map(|names| names.join(" ").trim_end().to_owned());
                return refuse(format!(
                    "it is of a world with the {what} \"{there}\", this one has \"{here}\""
                ));
            }
        }
        if snapshot.bodies.len() != self.rigids.len() {
            return refuse(format!(
                "it has {} bodies, the world {}",
                snapshot.bodies.len(),
                self.rigids.len()
            ));
        }
        for (rigid, state) in self.rigids.iter().zip(&snapshot.bodies) {
            if rigid.given.name != state.name || rigid.generation != state.generation {
                return refuse(format!(
                    "body \"{}\" stands where the world has \"{}\"",
                    state.name, rigid.given.name
                ));
            }
            let unit = (state.motion.rotation.length() - 1.0).abs() <= 1e-6;
            let finite = state.motion.is_finite()
                && state.pushed.iter().all(|v| v.is_finite())
                && state.slow_for >= 0.0;
            if !(unit && finite) {
                return refuse(format!("the motion of body \"{}\" is no motion", state.name));
            }
        }
        let known = |pair: &[u32; 2]| pair.iter().all(|&i| (i as usize) < self.rigids.len());
        let sorted = snapshot.contacts.is_sorted_by(|a, b| a.bodies < b.bodies)
            && snapshot.touching.is_sorted_by(|(a, _), (b, _)| a < b);
        let finite = sorted && snapshot.contacts.iter().all(|pair| pair.is_valid(self.rigids.len()));
        let times =
            [snapshot.time, snapshot.left, snapshot.dropped].iter().all(|t| *t >= 0.0 && t.is_finite());
        let events = snapshot.explosions.iter().all(|event| event.check().is_ok());
        if finite && times && events && snapshot.touching.iter().all(|(pair, _)| known(pair)) {
            return Ok(());
        }
        refuse("it holds numbers that cannot be".to_owned())
    }
}
