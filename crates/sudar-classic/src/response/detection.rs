//! When bodies are tested for contact while they move.

use sudar::dynamics::{BodyState, DynamicsError, Step, TouchingPair};

/// Poses tested in a step by [`Detection::Sampled`].
const SAMPLES: u32 = 8;
/// Halvings of a step by [`Detection::Bisected`]: the instant of contact is known to a 4096th of it.
const HALVINGS: u32 = 12;
/// Contacts to which a step goes back, at most; the rest of the step is then static.
const MOST: u32 = 16;

/// When bodies are tested for contact while they move (Maštera 2007, section 3.1). All but `Continuous` miss what
/// passes between two poses, and leave bodies overlapping for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Detection {
    /// At the end of each step.
    Static,
    /// At eight poses of each step, evenly spaced ("pseudo-dynamic").
    Sampled,
    /// At the end of each step; where bodies overlap that did not at its start, the step is halved back to the first
    /// contact, to a 4096th of the step, and goes on from there ("optimised pseudo-dynamic").
    Bisected,
    /// At certified times of first contact.
    #[default]
    Continuous,
}

impl Detection {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Static, Self::Sampled, Self::Bisected, Self::Continuous];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Sampled => "sampled",
            Self::Bisected => "bisected",
            Self::Continuous => "continuous",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|detection| detection.name() == name)
    }
}

/// An instant at which bodies were tested.
#[derive(Debug)]
pub(super) struct Instant {
    /// Pairs that touch or overlap.
    pub touching: Vec<TouchingPair>,
    /// Motions of all bodies at the last instant before.
    pub before: Vec<BodyState>,
    /// Time since the last instant that was answered, in seconds.
    pub seconds: f64,
}

/// Advances all bodies by the step, from instant to instant, and has each answered. `Continuous` is the same as
/// `Static` here: responses that know times of contact do not come this way.
pub(super) fn advance(
    detection: Detection,
    step: &mut dyn Step,
    mut answer: impl FnMut(&mut dyn Step, Instant),
) -> Result<(), DynamicsError> {
    let (rest, parts) = match detection {
        Detection::Static | Detection::Continuous => (step.seconds(), 1),
        Detection::Sampled => (step.seconds(), SAMPLES),
        Detection::Bisected => (go_back(step, &mut answer)?, 1),
    };
    for _ in 0..if rest > 0.0 { parts } else { 0 } {
        let instant = fly(step, rest / f64::from(parts))?;
        answer(step, instant);
    }
    step.keep_inside();
    Ok(())
}

fn motions(step: &dyn Step) -> Vec<BodyState> {
    step.bodies().map(|body| *body.motion()).collect()
}

/// Flies for a time and tests.
fn fly(step: &mut dyn Step, seconds: f64) -> Result<Instant, DynamicsError> {
    let before = motions(step);
    step.fly(seconds);
    Ok(Instant { touching: step.touching()?, before, seconds })
}

/// Goes from first contact to first contact; the time that is left when there were too many.
fn go_back(
    step: &mut dyn Step,
    answer: &mut impl FnMut(&mut dyn Step, Instant),
) -> Result<f64, DynamicsError> {
    let mut rest = step.seconds();
    for _ in 0..MOST {
        let Some([free, touching]) = first_contact(step, rest)? else {
            let instant = fly(step, rest)?;
            answer(step, instant);
            return Ok(0.0);
        };
        step.fly(free);
        let instant = fly(step, touching - free)?;
        answer(step, Instant { seconds: touching, ..instant });
        rest -= touching;
        if rest <= 0.0 {
            break;
        }
    }
    Ok(rest)
}

/// The last time without a contact that was not there before, and the first with one, by halving; `None` if there is
/// none after `seconds`. Bodies stay where they are.
fn first_contact(step: &mut dyn Step, seconds: f64) -> Result<Option<[f64; 2]>, DynamicsError> {
    let held: Vec<[u32; 2]> = step.touching()?.iter().map(|pair| pair.bodies).collect();
    let start = motions(step);
    let mut meets = |time: f64| {
        step.fly(time);
        let touching = step.touching();
        (0..).zip(&start).for_each(|(number, motion)| step.set_motion(number, *motion));
        touching.map(|all| all.iter().any(|pair| held.binary_search(&pair.bodies).is_err()))
    };
    if !meets(seconds)? {
        return Ok(None);
    }
    let (mut free, mut touching) = (0.0, seconds);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (free + touching);
        if meets(middle)? {
            touching = middle;
        } else {
            free = middle;
        }
    }
    Ok(Some([free, touching]))
}
