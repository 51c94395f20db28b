//! Changes of bodies while they are in a world.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::input::Input;
use super::{World, check_inside, check_step};
use crate::broad::Handle;
use crate::dynamics::DynamicsError;
use crate::dynamics::matter::{BodyState, BodyType, Rigid, RigidBody, turned_by};
use crate::dynamics::stage::box_of;
use crate::math::Pose;

impl World {
    /// Modifies what a body is: its shape, kind, mass and name, forces, surfaces, engines, groups. It keeps its frame,
    /// its joints and its handle, and wakes with what it touched. Its motion is that of [`World::set_motion`].
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`]; [`DynamicsError::Body`] for numbers that are none, and for what cannot be changed;
    /// [`DynamicsError::OutOfRange`]; then nothing has changed.
    pub fn modify(&mut self, id: Handle, change: impl FnOnce(&mut RigidBody)) -> Result<(), DynamicsError> {
        let slot = self.slot(id)?;
        let before = Arc::clone(&self.rigids[slot].given);
        let mut given = (*before).clone();
        change(&mut given);
        check_kept(&before, &given)?;
        if is_another(&before, &given) {
            self.replace(slot, given)?;
        } else {
            given.check()?;
            self.rigids[slot].describe(Arc::new(given));
        }
        let had_field = before.field != self.rigids[slot].given.field;
        self.sensors.change(slot as u32, &self.rigids[slot]);
        if had_field {
            self.rouse_inside(slot as u32);
        }
        self.rouse_around(slot);
        self.note(|world| Input::Modify(id.index, Box::new((*world.rigids[slot].given).clone())));
        Ok(())
    }

    /// Puts a body of another shape, kind or mass in the place of one.
    fn replace(&mut self, slot: usize, given: RigidBody) -> Result<(), DynamicsError> {
        let old = &self.rigids[slot];
        let made = Rigid::new(given)?;
        let frame = old.motion.position(old.inertia.center);
        let rotation = old.motion.rotation;
        let center = frame + rotation * made.inertia.center;
        let still = made.given.kind == BodyType::Static;
        let motion = BodyState {
            center,
            rotation,
            velocity: if still { DVec3::ZERO } else { old.motion.velocity_at(center) },
            angular_velocity: if still { DVec3::ZERO } else { old.motion.angular_velocity },
        };
        let Rigid { slot: number, generation, ref ignored, pushed, .. } = *old;
        let mut made = Rigid { motion, before: motion, slot: number, generation, pushed, ..made };
        made.ignored.clone_from(ignored);
        if let Some(bounds) = self.settings.bounds.filter(|_| made.is_dynamic()) {
            check_inside(&made, &bounds)?;
        }
        let lost = |_| DynamicsError::OutOfRange { body: made.given.name.clone() };
        self.near.remove(number).map_err(lost)?;
        if let Err(error) = self.near.insert(number, &made) {
            self.near.insert(number, &self.rigids[slot]).map_err(lost)?;
            return Err(lost(error));
        }
        self.rouse_around(slot);
        self.solver.contacts.forget(number);
        self.index.set(number, box_of(&made));
        self.rigids[slot] = made;
        let Self { rigids, solver, .. } = self;
        for joint in solver.joints.of(number) {
            if let Some(held) = solver.joints.get_mut(joint) {
                held.change(held.joint.clone(), rigids);
            }
        }
        Ok(())
    }

    /// Makes two bodies ignore each other: they do not collide from now on.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn ignore(&mut self, a: Handle, b: Handle) -> Result<(), DynamicsError> {
        self.set_ignored_pair(a, b, true)
    }

    /// Ends [`World::ignore`].
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn unignore(&mut self, a: Handle, b: Handle) -> Result<(), DynamicsError> {
        self.set_ignored_pair(a, b, false)
    }

    /// Whether two bodies [ignore](World::ignore) each other.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn ignores(&self, a: Handle, b: Handle) -> Result<bool, DynamicsError> {
        let [a, b] = [self.slot(a)?, self.slot(b)?];
        Ok(self.rigids[a].ignores(&self.rigids[b]))
    }

    fn set_ignored_pair(&mut self, a: Handle, b: Handle, ignored: bool) -> Result<(), DynamicsError> {
        let [a, b] = [self.slot(a)?, self.slot(b)?];
        self.set_ignored([a as u32, b as u32], ignored);
        self.set_ignored([b as u32, a as u32], ignored);
        [a, b].into_iter().for_each(|slot| self.rouse_around(slot));
        self.note(|_| Input::Ignore(a as u32, b as u32, ignored));
        Ok(())
    }

    /// Whether the first body ignores the second.
    pub(super) fn set_ignored(&mut self, [own, other]: [u32; 2], ignored: bool) {
        let list = &mut self.rigids[own as usize].ignored;
        let mut all: Vec<u32> = list.iter().flat_map(|all| all.iter().copied()).collect();
        match (all.binary_search(&other), ignored) {
            (Err(place), true) => all.insert(place, other),
            (Ok(place), false) => {
                all.remove(place);
            }
            (Ok(_), true) | (Err(_), false) => return,
        }
        *list = (!all.is_empty()).then(|| all.into());
    }

    /// Moves a kinematic body, a lift say, such that its frame is at a pose after a step of a length, in seconds, and
    /// stays there: what lies on it rides along. To be said before each step.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`]; [`DynamicsError::Body`] for a body that is not kinematic;
    /// [`DynamicsError::Setting`] for a step that is none.
    ///
    /// ```
    /// use sudar::dynamics::{BodyType, RigidBody, Settings, World};
    /// use sudar::{Cuboid, DVec3, Pose};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let lift = RigidBody::new("lift", Cuboid::new(DVec3::new(1.0, 1.0, 0.1))?);
    /// let lift = world.add(RigidBody { kind: BodyType::Kinematic, ..lift })?;
    /// let load = RigidBody::new("load", Cuboid::new(DVec3::splat(0.3))?);
    /// let load = world.add(RigidBody { position: DVec3::Z * 0.4, ..load })?;
    /// for step in 1..=120 {
    ///     let height = DVec3::Z * f64::from(step) / 60.0;
    ///     world.move_to(lift, &Pose::from_translation(height)?, 1.0 / 60.0)?;
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world.motion(lift)?.center.z - 2.0).abs() < 1e-12 && world.motion(lift)?.velocity == DVec3::ZERO);
    /// assert!((world.motion(load)?.center.z - 2.4).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_to(&mut self, id: Handle, pose: &Pose, seconds: f64) -> Result<(), DynamicsError> {
        let slot = self.slot(id)?;
        check_step(seconds)?;
        let rigid = &mut self.rigids[slot];
        if rigid.given.kind != BodyType::Kinematic {
            let problem = "only kinematic bodies are moved; set the kind to kinematic".to_owned();
            return Err(DynamicsError::body(&rigid.given.name, "kind", problem));
        }
        let center = pose.apply(rigid.inertia.center);
        let turned = (DQuat::from_mat3(&pose.rotation()) * rigid.motion.rotation.inverse()).normalize();
        let motion = BodyState {
            velocity: (center - rigid.motion.center) / seconds,
            angular_velocity: turned_by(turned) / seconds,
            ..rigid.motion
        };
        motion.check().map_err(|(key, problem)| DynamicsError::body(&rigid.given.name, key, problem))?;
        rigid.motion = motion;
        if !std::mem::replace(&mut rigid.halts, true) {
            self.halting.push(slot as u32);
        }
        if motion.velocity != DVec3::ZERO || motion.angular_velocity != DVec3::ZERO {
            self.rouse_around(slot);
        }
        self.note(|_| Input::Move(id.index, *pose, seconds));
        Ok(())
    }
}

/// Refuses a change of what is only how a body began.
fn check_kept(before: &RigidBody, after: &RigidBody) -> Result<(), DynamicsError> {
    let changes = [
        ("position", before.position != after.position),
        ("rotation", before.rotation != after.rotation),
        ("velocity", before.velocity != after.velocity),
        ("angular_velocity", before.angular_velocity != after.angular_velocity),
    ];
    let problem = "is where the body began; move it by `set_motion`";
    match changes.into_iter().find(|(_, is_changed)| *is_changed) {
        Some((key, _)) => Err(DynamicsError::body(&before.name, key, problem)),
        None => Ok(()),
    }
}

/// Whether a body changes in what its mass and its contacts come from.
fn is_another(before: &RigidBody, after: &RigidBody) -> bool {
    before.body.identity() != after.body.identity()
        || before.kind != after.kind
        || before.matter != after.matter
}
