//! What a recording holds.

use super::fingerprint::Fingerprint;
use super::input::Input;
use super::saved::SavedWorld;

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
    pub(super) sudar_recording: u32,
    pub(super) start: SavedWorld,
    pub(super) frames: Vec<Frame>,
    /// What was done after the last step.
    pub(super) rest: Vec<Input>,
}

/// A step and what was done before it.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct Frame {
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub(super) inputs: Vec<Input>,
    pub(super) seconds: f64,
    pub(super) after: Fingerprint,
}

/// The version of the form of recordings of worlds.
pub(super) const FORM: u32 = 2;

/// The recording that a world writes, if it does. A clone does not go on with it.
#[derive(Debug, Default)]
pub struct Tape(pub(super) Option<Box<Recording>>);

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

    pub fn end_step(&mut self, seconds: f64, after: Fingerprint) {
        if let Some(recording) = &mut self.0 {
            let inputs = std::mem::take(&mut recording.rest);
            recording.frames.push(Frame { inputs, seconds, after });
        }
    }
}
