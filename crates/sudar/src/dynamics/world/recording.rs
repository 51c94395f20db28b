//! What was done to a world, step by step, and what came of it.

use std::fmt;
use std::sync::Arc;

use super::input::Input;
use super::saved::SavedWorld;
use super::{Fingerprint, Odd, World};
use crate::dynamics::DynamicsError;
use crate::dynamics::response::{Response, SoftContacts};

/// A run of a world: how it was at the start, what was done to it before each step, and its fingerprint after each.
///
/// Beyond the start its size depends on what was done and not on how many bodies there are: some 200 bytes a step. With
/// feature `serde` it is written down, and played on another machine it comes to the same bits or says where it does
/// not.
///
/// ```
/// use sudar::dynamics::{RigidBody, Settings, World};
/// use sudar::{DVec3, Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// let ball = world.add(RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5)?))?;
/// world.record();
/// for frame in 0..60 {
///     if frame == 30 {
///         world.apply_impulse(ball, DVec3::X * 500.0, DVec3::ZERO)?;
///     }
///     world.step(1.0 / 60.0)?;
/// }
/// let log = world.stop_recording().ok_or("none")?;
///
/// let mut times = Vec::new();
/// let difference = log.replay(|_, world| times.push(world.time()))?;
/// assert!(difference.is_none() && times.len() == 60);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Recording {
    /// The version of the form.
    sudar_recording: u32,
    start: SavedWorld,
    frames: Vec<Frame>,
    /// What was done after the last step.
    rest: Vec<Input>,
}

/// A step and what was done before it.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct Frame {
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    inputs: Vec<Input>,
    seconds: f64,
    after: Fingerprint,
}

/// The version of the form of recordings of worlds.
const FORM: u32 = 2;

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
    /// [`DynamicsError`] for a recording that cannot be played: of another response than [`SoftContacts`] if it was read
    /// from a text, see [`Replay::with_response`].
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

/// The recording that a world writes, if it does. A clone does not go on with it.
#[derive(Debug, Default)]
pub struct Tape(Option<Box<Recording>>);

impl Clone for Tape {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl Tape {
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    pub fn note(&mut self, input: Input) {
        if let Some(recording) = &mut self.0 {
            recording.rest.push(input);
        }
    }

    fn end_step(&mut self, seconds: f64, after: Fingerprint) {
        if let Some(recording) = &mut self.0 {
            let inputs = std::mem::take(&mut recording.rest);
            recording.frames.push(Frame { inputs, seconds, after });
        }
    }
}

impl World {
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
