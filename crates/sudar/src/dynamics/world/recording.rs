//! What was done to a world, step by step, and what came of it.

use std::fmt;
use std::sync::Arc;

use super::fingerprint::{Fingerprint, Odd};
use super::input::Input;
use super::tape::{FORM, Frame, Recording, Tape};
use super::{SavedWorld, World};
use crate::broad::Handle;
use crate::dynamics::DynamicsError;
use crate::dynamics::joint::{Joint, JointHandle};
use crate::dynamics::response::{Response, SoftContacts};

/// The first difference of a replay from its recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The number of the step, from 1.
    pub step: usize,
    /// The time of the world after it, in seconds.
    pub time: f64,
    /// In what the two differ.
    pub odd: Odd,
    /// The name of the only body that differs.
    pub body: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} at {} s: {}", self.step, self.time, self.what())
    }
}

impl Difference {
    /// In what the two differ, in words.
    pub fn what(&self) -> String {
        match (&self.body, self.odd) {
            (Some(name), _) => format!("body \"{name}\" differs"),
            (None, Odd::One(number)) => {
                format!("the body of number {number} differs, which is not in this world")
            }
            (None, Odd::Several) => "several bodies differ".to_owned(),
            (None, Odd::Else) => "joints or the time differ".to_owned(),
            (None, Odd::Nothing) => "nothing differs".to_owned(),
        }
    }

    /// Of a world after a step from what it should be, if there is any.
    pub fn of(world: &World, expected: &Fingerprint, step: usize) -> Option<Self> {
        let odd = expected.compare(&world.fingerprint());
        let name = |number: u32| {
            world.bodies().find(|(body, _)| body.index() == number).map(|(_, body)| body.name.clone())
        };
        let body = if let Odd::One(number) = odd { name(number) } else { None };
        (odd != Odd::Nothing).then(|| Self { step, time: world.time(), odd, body })
    }
}

/// A recording that is being played: step by step, to be looked at.
#[derive(Debug, Clone)]
pub struct Replay {
    recording: Arc<Recording>,
    world: World,
    next: usize,
}

impl Recording {
    /// Steps of it.
    pub fn steps(&self) -> usize {
        self.frames.len()
    }

    /// How the world was at the start.
    pub fn start(&self) -> &SavedWorld {
        &self.start
    }

    /// Plays it to the end or to the first difference, which is returned; shows the world after each step, numbered
    /// from 0. Takes as long as the steps took.
    ///
    /// # Errors
    /// [`DynamicsError`] for a recording that cannot be played: of another response than [`SoftContacts`] if it was
    /// read from a text, see [`Replay::with_response`].
    pub fn replay(&self, mut show: impl FnMut(usize, &World)) -> Result<Option<Difference>, DynamicsError> {
        let mut world = self.start.solved()?;
        for number in 0..self.frames.len() {
            let difference = self.play(&mut world, number)?;
            show(number, &world);
            if difference.is_some() {
                return Ok(difference);
            }
        }
        Ok(None)
    }

    /// Puts a world back to the start: that which was recorded, or one of the same response.
    ///
    /// # Errors
    /// As [`World::restore`].
    pub fn rewind(&self, world: &mut World) -> Result<(), DynamicsError> {
        world.restore(&self.start.0)
    }

    /// Does the step of a number, from 0, to a world that is as it was before it; nothing past the end. Returns in what
    /// it differs from the recording then.
    ///
    /// # Errors
    /// [`DynamicsError`] for inputs that the world does not take.
    pub fn play(&self, world: &mut World, number: usize) -> Result<Option<Difference>, DynamicsError> {
        let Some(Frame { inputs, seconds, after }) = self.frames.get(number) else { return Ok(None) };
        inputs.iter().try_for_each(|input| input.apply(world))?;
        world.step(*seconds)?;
        Ok(Difference::of(world, after, number + 1))
    }
}

impl Replay {
    /// A recording from its start.
    ///
    /// # Errors
    /// As [`Recording::replay`].
    pub fn new(recording: impl Into<Arc<Recording>>) -> Result<Self, DynamicsError> {
        Self::with_response(recording, Arc::new(SoftContacts))
    }

    /// One of a world with another response, by what the response is.
    ///
    /// # Errors
    /// As [`Recording::replay`].
    pub fn with_response(
        recording: impl Into<Arc<Recording>>,
        response: Arc<dyn Response>,
    ) -> Result<Self, DynamicsError> {
        let recording = recording.into();
        if recording.sudar_recording != FORM {
            let problem =
                format!("the recording is of form {}, this is form {FORM}", recording.sudar_recording);
            return Err(DynamicsError::Snapshot { problem });
        }
        let world = recording.start.world(response)?;
        Ok(Self { recording, world, next: 0 })
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Steps done.
    pub fn done(&self) -> usize {
        self.next
    }

    /// Whether it is at its end.
    pub fn is_over(&self) -> bool {
        self.next >= self.recording.frames.len()
    }

    /// Does the next step, if there is one; returns in what the world differs from the recording after it.
    ///
    /// # Errors
    /// [`DynamicsError`] for inputs that the world does not take.
    pub fn step(&mut self) -> Result<Option<Difference>, DynamicsError> {
        let difference = self.recording.play(&mut self.world, self.next)?;
        self.next = (self.next + 1).min(self.recording.frames.len());
        Ok(difference)
    }

    /// The world after the last step and what was done since, to go on with.
    ///
    /// # Errors
    /// As [`Replay::step`].
    pub fn finish(mut self) -> Result<World, DynamicsError> {
        while !self.is_over() {
            self.step()?;
        }
        let Self { recording, mut world, .. } = self;
        recording.rest.iter().try_for_each(|input| input.apply(&mut world))?;
        Ok(world)
    }
}

impl World {
    /// The fingerprint of the world, see [`Fingerprint`]. O(n).
    pub fn fingerprint(&self) -> Fingerprint {
        let here = self.rigids.iter().filter(|rigid| rigid.is_here);
        Fingerprint::of(self.time, here, self.solver.joints.iter())
    }

    /// Begins to record what is done to the world, from as it is now; drops a recording that was begun before.
    /// Clones of the world do not record.
    pub fn record(&mut self) {
        let start = self.saved();
        let recording = Recording { sudar_recording: FORM, start, frames: Vec::new(), rest: Vec::new() };
        self.tape = Tape(Some(Box::new(recording)));
    }

    /// The recording so far.
    pub fn recording(&self) -> Option<&Recording> {
        self.tape.0.as_deref()
    }

    /// Ends the recording; none where none was begun.
    pub fn stop_recording(&mut self) -> Option<Recording> {
        self.tape.0.take().map(|recording| *recording)
    }

    /// A step was done.
    pub(super) fn note_step(&mut self, seconds: f64) {
        if self.tape.is_on() {
            let after = self.fingerprint();
            self.tape.end_step(seconds, after);
        }
    }
}

impl Input {
    /// Does to a world what was done then.
    pub fn apply(&self, world: &mut World) -> Result<(), DynamicsError> {
        let body = |world: &World, number: u32| world.numbered(number);
        match self {
            Self::Add(given) => world.add((**given).clone()).map(|_| ()),
            Self::Remove(number) => world.remove(body(world, *number)?),
            Self::Modify(number, given) => world.modify(body(world, *number)?, |old| old.clone_from(given)),
            Self::Motion(number, motion) => world.set_motion(body(world, *number)?, *motion),
            Self::Force(number, force, torque) => world.add_force(body(world, *number)?, *force, *torque),
            Self::Impulse(number, impulse, point) => {
                world.apply_impulse(body(world, *number)?, *impulse, *point)
            }
            Self::Wake(number) => world.wake(body(world, *number)?),
            Self::Ignore(a, b, ignored) => {
                let (a, b) = (body(world, *a)?, body(world, *b)?);
                if *ignored { world.ignore(a, b) } else { world.unignore(a, b) }
            }
            Self::Move(number, pose, seconds) => world.move_to(body(world, *number)?, pose, *seconds),
            Self::Join(bodies, joint) => {
                let [a, b] = bodies.map(|end| end.map(|number| body(world, number)).transpose());
                world.join(Joint { bodies: [a?, b?], ..(**joint).clone() }).map(|_| ())
            }
            Self::Unjoin(number) => world.unjoin(world.joint_numbered(*number)?),
            Self::Touch(number) => world.joint_mut(world.joint_numbered(*number)?).map(|_| ()),
            Self::Joint(number, joint) => {
                let handle = world.joint_numbered(*number)?;
                world.joint_mut(handle)?.modify(|old| old.clone_from(joint))
            }
            Self::Explode(explosion) => world.schedule_explosion(*explosion),
            Self::Settings(written) => {
                let settings = written.settings(world.settings())?;
                world.set_settings(settings)
            }
            Self::Restore(snapshot) => world.restore(&snapshot.0),
            Self::Left(left) => {
                world.set_left(*left);
                Ok(())
            }
        }
    }
}

impl World {
    /// The body of a number.
    fn numbered(&self, number: u32) -> Result<Handle, DynamicsError> {
        let here = self.rigids.get(number as usize).is_some_and(|rigid| rigid.is_here && !rigid.is_wall);
        let unknown = DynamicsError::Unknown { index: number, generation: 0 };
        if here { Ok(self.id(number as usize)) } else { Err(unknown) }
    }

    fn joint_numbered(&self, number: u32) -> Result<JointHandle, DynamicsError> {
        let mut all = self.joints();
        let known = all.find(|(joint, _)| joint.index == number).map(|(joint, _)| joint);
        known.ok_or(DynamicsError::UnknownJoint { index: number, generation: 0 })
    }

    /// Notes what was done, if that is recorded.
    pub(super) fn note(&mut self, input: impl FnOnce(&Self) -> Input) {
        if self.tape.is_on() {
            let input = input(self);
            self.tape.note(input);
        }
    }
}
