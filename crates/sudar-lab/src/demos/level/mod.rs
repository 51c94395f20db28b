//! A level to walk about in: stairs, doors, dolls, a lift, a platform, a belt, a gate.

mod choice;
mod engines;
mod hero;
mod parts;
mod picture;
mod pilot;
mod rooms;
mod view;

use egui::Key;
use sudar::DVec3;
use sudar::dynamics::{Handle, Settings, World};
use sudar_view::{Color, Scene};

use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Hands, Task};
use crate::demos::hand::{self, Hand};
use crate::input::Input;
use crate::options::Visit;
use choice::Choice;
use engines::{Gate, Lift};
use hero::{Hero, Wish};
use picture::{Picture, Shown};
use pilot::Pilot;
use view::View;

pub const ENTRY: Entry = Entry {
    name: "level",
    title: "Level",
    about: "Walk up stairs, through doors and dolls, ride a lift and a belt, jump through a platform, open a gate.",
    source: "Of our own, with the character controller of the library",
    make: || Box::new(Level::default()),
    picture_at: 0.8,
};

/// How far a crate is to be pushed, in metres.
const FAR: f64 = 1.0;

/// The level and who is in it.
struct Stand {
    world: World,
    hero: Hero,
    lift: Lift,
    gate: Gate,
    crates: Vec<(Handle, DVec3)>,
    picture: Picture,
    pilot: Pilot,
    /// Whether the player was above the platform that lets through.
    has_passed: bool,
    /// Seconds of the last step of the world by the clock.
    took: f64,
    dolls: u32,
}

#[derive(Default)]
struct Level {
    choice: Choice,
    stand: Option<Stand>,
    view: View,
    hand: Hand<Handle>,
    catches: bool,
    problem: Option<String>,
    clock: Clock,
}

impl Default for View {
    fn default() -> Self {
        Self::new(hero::START)
    }
}

impl Stand {
    fn new(choice: &Choice) -> Result<Self, DemoError> {
        let mut world = World::new(Settings::default()).map_err(DemoError::of)?;
        rooms::build(&mut world)?;
        let crates = parts::build(&mut world, choice.dolls)?;
        let (lift, gate) = (Lift::new(&mut world)?, Gate::new(&mut world)?);
        let hero = Hero::new(&mut world)?;
        let start = |body: Handle| Ok((body, world.motion(body).map_err(DemoError::of)?.center));
        Ok(Self {
            crates: crates.into_iter().map(start).collect::<Result<_, DemoError>>()?,
            picture: Picture::new(&world, &hero),
            world,
            hero,
            lift,
            gate,
            pilot: Pilot::default(),
            has_passed: false,
            took: 0.0,
            dolls: choice.dolls,
        })
    }

    /// Rails first, then all that is pushed, then the player, who so stands on what has moved.
    fn advance(&mut self, wish: &Wish, choice: &Choice, seconds: f64, clock: Clock) -> Result<(), DemoError> {
        let Self { world, hero, lift, gate, .. } = self;
        lift.advance(world, seconds)?;
        gate.advance(world, seconds)?;
        let (report, took) = clock.timed(|| world.step(seconds));
        gate.count(&report.map_err(DemoError::of)?, hero.own);
        hero.advance(world, wish, choice, seconds, clock)?;
        self.took = took;
        self.has_passed |= hero.stands_on(world) == Some("one-way platform");
        Ok(())
    }

    /// How far a crate was moved over the floor at most.
    fn pushed(&self) -> f64 {
        let way = |(body, start): &(Handle, DVec3)| {
            self.world.motion(*body).map_or(0.0, |motion| (motion.center - *start).truncate().length())
        };
        self.crates.iter().map(way).fold(0.0, f64::max)
    }

    fn says(&self, clock: Clock) -> Vec<String> {
        let Self { world, hero, gate, .. } = self;
        let place = hero.stands_on(world).map_or("in the air".to_owned(), |name| format!("on {name}"));
        let gap = hero.walk.as_ref().map_or(0.0, |walk| walk.gap);
        let mut first = format!("{place}   {:.1} m/s   gap {:.1} mm", hero.speed, 1e3 * gap);
        if clock.0.is_some() {
            first.push_str(&format!("   walk {:.0} µs, step {:.0} µs", 1e6 * hero.took, 1e6 * self.took));
        }
        let gate = match gate.left.ceil() {
            0.0 => "gate shut".to_owned(),
            _ if gate.is_pressed => "gate held open".to_owned(),
            left => format!("gate open for {left:.0} s"),
        };
        let goals = self.gate.goals;
        let mut lines =
            vec![first, format!("{gate}   goal reached {goals} time{}", if goals == 1 { "" } else { "s" })];
        if self.lift.is_blocked {
            lines.push("the lift waits: something is below it".to_owned());
        }
        lines
    }
}

impl Level {
    fn keys_struck(&mut self, input: &Input) -> Result<(), DemoError> {
        self.catches ^= input.toggles(Key::M);
        self.choice.names ^= input.toggles(Key::N);
        if let Some(stand) = self.stand.as_mut().filter(|_| input.is_struck(Key::Enter)) {
            stand.hero.go_back(&mut stand.world)?;
            (stand.pilot, self.view) = (Pilot::default(), View::default());
        }
        Ok(())
    }

    /// What the keys want, or the computer.
    fn wish(&mut self, input: &Input, seconds: f64) -> Wish {
        let [ahead, left] = input.ways();
        let jumps = input.is_held(Key::Space);
        self.choice.play &= [ahead, left] == [0.0; 2] && !jumps;
        if let Some(stand) = self.stand.as_mut().filter(|_| self.choice.play) {
            let wish = stand.pilot.wish(&stand.hero, &stand.lift, seconds);
            if wish.way.length() > 0.5 {
                self.view.turn_to(wish.way, seconds);
            }
            return wish;
        }
        let ways = self.view.ways();
        let way = (ways[0] * ahead + ways[1] * left).normalize_or_zero();
        Wish { way, runs: input.modifiers.shift || input.is_held(Key::F), jumps }
    }

    fn go_on(&mut self, input: &Input, seconds: f64) -> Result<(), DemoError> {
        if self.stand.as_ref().is_none_or(|stand| stand.dolls != self.choice.dolls) {
            self.begin()?;
        }
        self.keys_struck(input)?;
        let camera = self.view.camera();
        let Some(stand) = &mut self.stand else { return Ok(()) };
        let is_holding = self.hand.act(&input.pointer, &camera, &mut stand.world, seconds);
        self.view.turn(input, is_holding, seconds);
        if seconds > 0.0 {
            let (wish, choice, clock) = (self.wish(input, seconds), self.choice, self.clock);
            if let Some(stand) = &mut self.stand {
                stand.advance(&wish, &choice, seconds, clock)?;
            }
        }
        if let Some(stand) = &self.stand {
            self.view.follow(stand.hero.position(), &stand.world, seconds);
        }
        Ok(())
    }
}

impl Demo for Level {
    fn begin(&mut self) -> Result<(), DemoError> {
        self.stand = Some(Stand::new(&self.choice)?);
        (self.view, self.hand, self.problem) = (View::default(), Hand::default(), None);
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        if self.problem.is_none() {
            self.problem = self.go_on(input, seconds).err().map(|error| error.0);
        }
    }

    fn draw(&mut self, scene: &mut Scene) {
        let Some(Stand { world, hero, gate, picture, .. }) = &self.stand else { return };
        let camera = self.view.camera();
        picture.draw(scene, &Shown { world, hero, gate, camera, has_names: self.choice.names });
        self.hand.draw(scene);
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.choice.options(visit);
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        ui.label("Up the stairs, through the swing door, on the lift, up through the platform and along the belt; the plate opens the gate of the goal for a while.");
        if ui.button("Back to the start (Enter)").clicked()
            && let Some(stand) = &mut self.stand
        {
            self.problem = stand.hero.go_back(&mut stand.world).err().map(|error| error.0);
            (stand.pilot, self.view) = (Pilot::default(), View::default());
        }
    }

    fn tasks(&self) -> [Task; 3] {
        let is = |done: fn(&Stand) -> bool| self.stand.as_ref().is_some_and(done);
        [
            Task::new("Walk against a crate and push it a metre along", is(|stand| stand.pushed() > FAR)),
            Task::new("Ride the lift, and jump up through the platform", is(|stand| stand.has_passed)),
            Task::new("Step on the plate, and reach the goal in time", is(|stand| stand.gate.goals > 0)),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        picture::LEGEND.to_vec()
    }

    fn status(&self) -> Vec<String> {
        let mut lines = self.stand.as_ref().map(|stand| stand.says(self.clock)).unwrap_or_default();
        lines.extend(self.problem.iter().map(|problem| format!("stopped: {problem}; Backspace begins anew")));
        lines
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["arrows, W S A D", "Walk, as the camera looks"],
            ["Shift, F", "Run"],
            ["Space", "Jump"],
            ["drag, Q, E", "Turn the view"],
            ["M", "The mouse turns the view without a button"],
            ["wheel", "Nearer, farther"],
            ["N", "Names of the parts of the level"],
            ["Enter", "Back to the start"],
        ];
        keys.extend(hand::KEYS);
        keys
    }

    fn hands(&self) -> Hands {
        [
            &[
                ("left", Key::ArrowLeft),
                ("right", Key::ArrowRight),
                ("back", Key::ArrowDown),
                ("ahead", Key::ArrowUp),
            ],
            &[("run", Key::F), ("jump", Key::Space)],
        ]
    }

    fn catches_mouse(&self) -> bool {
        self.catches
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
}

#[cfg(test)]
mod tests;
