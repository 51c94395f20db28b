//! A recording of what is done to a world, played again in its place.

use egui::Key;
use sudar::dynamics::{Difference, DynamicsError, Recording, World};

use crate::input::Input;

/// What the help says.
pub const KEYS: [&str; 2] =
    ["R", "Record; again: play what was recorded, over and over; again: go on from there"];

/// Records, plays, or does neither.
#[derive(Debug, Default)]
pub enum Tape {
    #[default]
    Off,
    On,
    Playing(Box<Play>),
}

/// A recording that is played.
#[derive(Debug)]
pub struct Play {
    recording: Recording,
    next: usize,
    rounds: u32,
    difference: Option<Difference>,
}

impl Tape {
    /// Goes on to the next of the three where its key is struck.
    pub fn act(&mut self, input: &Input, world: &mut World) -> Result<(), DynamicsError> {
        if !input.toggles(Key::R) {
            return Ok(());
        }
        *self = match std::mem::take(self) {
            Self::Off => {
                world.record();
                Self::On
            }
            Self::On => match world.stop_recording().filter(|recording| recording.steps() > 0) {
                Some(recording) => {
                    recording.rewind(world)?;
                    Self::Playing(Box::new(Play { recording, next: 0, rounds: 0, difference: None }))
                }
                None => Self::Off,
            },
            Self::Playing(_) => Self::Off,
        };
        Ok(())
    }

    /// Whether it moves the world, and nothing else does.
    pub fn plays(&self) -> bool {
        matches!(self, Self::Playing(_))
    }

    /// Does the next step of what is played, if anything is.
    pub fn step(&mut self, world: &mut World) -> Result<(), DynamicsError> {
        let Self::Playing(play) = self else { return Ok(()) };
        let Play { recording, next, rounds, difference } = &mut **play;
        if *next == recording.steps() {
            recording.rewind(world)?;
            (*next, *rounds) = (0, *rounds + 1);
        }
        let found = recording.play(world, *next)?;
        *difference = difference.take().or(found);
        *next += 1;
        Ok(())
    }

    /// What it does, in a line.
    pub fn says(&self, world: &World) -> Option<String> {
        match self {
            Self::Off => None,
            Self::On => Some(format!("recording: {} steps", world.recording().map_or(0, Recording::steps))),
            Self::Playing(play) => {
                let Play { recording, next, rounds, difference } = &**play;
                let verdict = match difference {
                    Some(difference) => difference.to_string(),
                    None if *rounds == 0 => "the same bits so far".to_owned(),
                    None => "the same bits to the end".to_owned(),
                };
                Some(format!("replay: step {next} of {}; {verdict}", recording.steps()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sudar::dynamics::{RigidBody, Settings};
    use sudar::{DVec3, Sphere};

    use super::*;

    #[test]
    fn what_was_recorded_is_played_over_and_over() {
        let mut world = World::new(Settings::default()).unwrap();
        let ball = world.add(RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5).unwrap())).unwrap();
        let (mut tape, key) = (Tape::default(), Input::of_keys(&[Key::R]));
        tape.act(&key, &mut world).unwrap();
        for step in 0..10 {
            if step == 4 {
                world.apply_impulse(ball, DVec3::X * 900.0, DVec3::ZERO).unwrap();
            }
            world.step(1.0 / 60.0).unwrap();
        }
        assert!(tape.says(&world).unwrap().contains("10 steps") && !tape.plays());
        let end = world.motion(ball).unwrap();
        tape.act(&key, &mut world).unwrap();
        assert!(tape.plays() && world.motion(ball).unwrap().center == DVec3::ZERO);
        for _ in 0..3 {
            (0..10).for_each(|_| tape.step(&mut world).unwrap());
            assert_eq!(world.motion(ball).unwrap(), end);
        }
        assert!(tape.says(&world).unwrap().contains("the same bits to the end"));
        tape.act(&key, &mut world).unwrap();
        assert!(tape.says(&world).is_none());
    }
}
