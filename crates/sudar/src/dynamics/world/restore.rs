//! Worlds taken down and taken up again.

use std::collections::BinaryHeap;
use std::sync::Arc;

use glam::DVec3;

use super::input::Input;
use super::saved::SavedWorld;
use super::sensors::Sensors;
use super::snapshot::{SavedBody, SavedJoint, SavedSettings, Snapshot, VERSION};
use super::{Settings, World};
use crate::dynamics::DynamicsError;
use crate::dynamics::matter::Rigid;
use crate::dynamics::response::{Response, SoftContacts};
use crate::dynamics::solver::{Joints, Slot};

impl SavedWorld {
    /// The world, with a response for one that was read from a text.
    ///
    /// # Errors
    /// [`DynamicsError::Snapshot`] for another response than it had, and for numbers that are none; others of
    /// [`DynamicsError`] for what no world takes.
    pub fn world(&self, response: Arc<dyn Response>) -> Result<World, DynamicsError> {
        let mut world = World::new(Settings { response, ..Settings::default() })?;
        world.restore(&self.0)?;
        Ok(world)
    }

    pub(super) fn solved(&self) -> Result<World, DynamicsError> {
        self.world(Arc::new(SoftContacts))
    }
}

impl World {
    /// The world as it is, to be written down.
    pub fn saved(&self) -> SavedWorld {
        SavedWorld(self.snapshot())
    }

    /// Copies the current state of the world; shapes are shared.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            version: VERSION,
            settings: SavedSettings::of(&self.settings),
            time: self.time,
            steps: self.steps,
            left: self.left,
            dropped: self.dropped,
            fallbacks: self.fallbacks,
            bodies: self.rigids.iter().map(SavedBody::of).collect(),
            explosions: self.explosions.iter().copied().collect(),
            contacts: self.solver.contacts.saved(),
            joints: self.solver.joints.slots().iter().map(SavedJoint::of).collect(),
            touching: self.touching.clone(),
            resting: self.resting.iter().map(|(pair, ())| pair).collect(),
            inside: self.sensors.inside.clone(),
            fresh: self.sensors.fresh.iter().copied().collect(),
        }
    }

    /// Restores the state of a snapshot of this world, or of one with the same bodies.
    ///
    /// # Errors
    /// [`DynamicsError::Snapshot`] if it is of another version, or was written down and is of another response or of
    /// other bodies, or holds numbers that are none; [`DynamicsError::Setting`] and [`DynamicsError::Body`] for what no
    /// world takes. Then nothing has changed.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), DynamicsError> {
        snapshot.check()?;
        let settings = snapshot.settings.settings(&self.settings)?;
        let mut walls = super::walls(&settings)?.into_iter();
        let mut rigids = Vec::with_capacity(snapshot.bodies.len());
        for (slot, saved) in snapshot.bodies.iter().enumerate() {
            let wall = if saved.is_wall { walls.next() } else { None };
            rigids.push(match wall {
                Some(wall) => Rigid { generation: saved.generation, ..wall },
                None if saved.is_here => saved.restored(self.rigids.get(slot))?,
                None => Rigid::vacant(saved.generation),
            });
        }
        let joints = snapshot.joints.iter().map(|joint| joint.restored(&rigids, self.number));
        let joints = joints.collect::<Result<Vec<Slot>, _>>()?;
        if joints.iter().any(|slot| slot.held.is_some()) {
            settings.check_joints()?;
        }
        if let Some(near) = self.near.with_bodies(&self.rigids, &rigids)? {
            self.near = near;
        }
        let vacant = (0..).zip(&rigids).filter(|(_, rigid)| !rigid.is_here);
        self.free = vacant.map(|(slot, _)| std::cmp::Reverse(slot)).collect::<BinaryHeap<_>>();
        (0..).zip(&mut rigids).for_each(|(slot, rigid)| rigid.slot = slot);
        self.sensors = Sensors::restored(&rigids, &snapshot.inside, &snapshot.fresh);
        let halting = (0..).zip(&rigids).filter(|(_, rigid)| rigid.halts);
        self.halting = halting.map(|(slot, _)| slot).collect();
        (self.settings, self.rigids) = (settings, rigids);
        (self.time, self.steps) = (snapshot.time, snapshot.steps);
        (self.left, self.dropped, self.fallbacks) = (snapshot.left, snapshot.dropped, snapshot.fallbacks);
        self.explosions = snapshot.explosions.iter().copied().collect();
        self.solver.joints = Joints::restored(joints);
        self.solver.contacts.restore(&snapshot.contacts, &self.rigids);
        self.touching.clone_from(&snapshot.touching);
        self.resting = snapshot.resting.iter().map(|&pair| (pair, ())).collect();
        let is_pushed = |rigid: &Rigid| rigid.pushed != [DVec3::ZERO; 2];
        self.pushed = (0..).zip(&self.rigids).filter(|(_, rigid)| is_pushed(rigid)).map(|(i, _)| i).collect();
        self.index.changed();
        self.movers.find(&self.rigids);
        self.note(|_| Input::Restore(Box::new(SavedWorld(snapshot.clone()))));
        Ok(())
    }
}

#[cfg(feature = "serde")]
mod written {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{SavedWorld, World};

    impl Serialize for World {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.saved().serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for World {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            SavedWorld::deserialize(deserializer)?.solved().map_err(D::Error::custom)
        }
    }
}
