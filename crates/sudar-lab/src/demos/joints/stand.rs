//! What is shown: a scene with what drives it, its picture and its curves.

use sudar_view::Orbit;

use super::angles::is_end;
use super::choice::Choice;
use super::drive::Drive;
use super::plots::Curves;
use super::robot::{File, Held};
use super::subject::{Bodies, Subject};
use super::view::Picture;
use crate::clock::Clock;
use crate::demo::DemoError;
use crate::demos::tape::Tape;
use crate::input::Input;

/// What is shown, and how far it is.
pub struct Stand {
    pub subject: &'static Subject,
    pub bodies: Bodies,
    pub drive: Drive,
    pub picture: Picture,
    pub curves: Curves,
    /// The largest gap of a joint after the last step, in metres, and on the whole way.
    gap: [f64; 2],
    /// Seconds of the last step by the clock.
    took: f64,
    pub tape: Tape,
}

impl Stand {
    /// As it is chosen; the robot is that of a file if there is one.
    pub fn new(choice: &Choice, file: Option<&File>) -> Result<Self, DemoError> {
        let subject = Subject::by_name(choice.scene);
        let bodies = subject.make(choice, file)?;
        Ok(Self {
            drive: Drive::new(subject.name, bodies.world()),
            picture: Picture::new(&bodies),
            curves: Curves::new(subject, &bodies)?,
            subject,
            bodies,
            gap: [0.0; 2],
            took: 0.0,
            tape: Tape::default(),
        })
    }

    /// The robot, if that is shown.
    pub fn robot(&self) -> Option<&Held> {
        if let Bodies::Robot(held) = &self.bodies { Some(held) } else { None }
    }

    /// The same, to be changed.
    pub fn robot_mut(&mut self) -> Option<&mut Held> {
        if let Bodies::Robot(held) = &mut self.bodies { Some(held) } else { None }
    }

    /// Where it is seen from.
    pub fn orbit(&self) -> Orbit {
        self.robot().map_or_else(|| self.subject.orbit(), Held::orbit)
    }

    /// Half the length of an axis in the picture.
    pub fn axis(&self) -> f64 {
        self.robot().map_or(self.subject.axis, Held::axis)
    }

    /// Whether the published solution goes no farther.
    pub fn is_over(&self) -> bool {
        matches!(self.bodies, Bodies::Squeezer(_)) && is_end(self.bodies.world().time())
    }

    /// Goes on by so many seconds of the picture.
    pub fn advance(&mut self, input: &Input, seconds: f64, clock: Clock) -> Result<(), DemoError> {
        let seconds = seconds * self.subject.pace;
        if seconds <= 0.0 || self.is_over() {
            return Ok(());
        }
        if self.tape.plays() {
            return self.tape.step(self.bodies.world_mut()).map_err(DemoError::of);
        }
        if let Some(held) = self.robot_mut() {
            held.lead(seconds)?;
        }
        let world = self.bodies.world_mut();
        self.drive.act(world, input, seconds).map_err(DemoError::of)?;
        let (report, took) = clock.timed(|| world.step(seconds));
        let gap = report.map_err(DemoError::of)?.gap;
        (self.gap, self.took) = ([gap, self.gap[1].max(gap)], took);
        self.curves.add(&self.bodies, gap)
    }

    /// What is to be known at once, in lines.
    pub fn says(&self, clock: Clock) -> Vec<String> {
        let world = self.bodies.world();
        let mut first = format!("{} bodies, {} joints", world.bodies().count(), world.joints().count());
        if clock.0.is_some() {
            first.push_str(&format!(", a step in {:.1} ms", self.took * 1e3));
        }
        let [now, most] = self.gap;
        let mut lines = vec![first, format!("largest gap now {now:.0e} m, on the way {most:.0e} m")];
        lines.extend(self.drive.says(world));
        lines.extend(self.tape.says(world));
        lines.extend(self.robot().map(Held::says).unwrap_or_default());
        if matches!(self.bodies, Bodies::Squeezer(_)) {
            lines.push(format!("{:.2} of 30 ms", 1e3 * world.time()));
        }
        if let Some(error) = self.curves.angles.error() {
            lines.push(format!("angles differ from the published ones by at most {error:.1e} rad"));
        }
        lines
    }
}
