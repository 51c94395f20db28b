//! Bumper cars (Daneu 2002): hit the others as often as you can in thirty seconds.

mod arena;
mod car;
mod driver;
mod game;
mod grid;
mod hits;
mod panel;
mod picture;
mod referee;

use egui::Key;
use sudar::DVec3;
use sudar_view::{Camera, Color, Scene};

use crate::chart::Chart;
use crate::clock::Clock;
use crate::demo::{Banner, Demo, DemoError, Entry, Hands, Plots, Task};
use crate::demos::hand::{self, Hand};
use crate::input::Input;
use crate::options::{Visit, field};
use car::Controls;
use game::{Game, SECONDS};
use panel::says_hits;
use picture::{NAMES, Picture, color};
use referee::{Allowance, CARS, Outcome};

pub const ENTRY: Entry = Entry {
    name: "bumper-cars",
    title: "Bumper cars",
    about: "Thirty seconds in a round arena: hit the other cars as often as you can. Arrow keys or W A S D drive.",
    source: "{Daneu 2002}, sections 4.1.4 to 4.3",
    make: || Box::new(Cars::new()),
    picture_at: 6.0,
};

/// Seconds before the cars start.
const COUNTDOWN: f64 = 3.0;

/// Seconds after the start in which "Go!" is seen.
const GO: f64 = 0.8;

/// Where the arena is seen from.
const VIEWS: [&str; 2] = ["chase", "top"];

/// What ends a test of two cars.
const LIMITS: [&str; 2] = ["time", "work"];

struct Cars {
    game: Option<Game>,
    /// Seconds until the cars start.
    countdown: f64,
    hand: Hand<usize>,
    picture: Picture,
    clock: Clock,
    best: f64,
    view: &'static str,
    limit: &'static str,
    budget: f64,
    is_shown: bool,
    is_driven: bool,
    /// Whether the player has driven all the time.
    is_own: bool,
    spent: Chart,
    tests: Chart,
    rows: Option<Vec<String>>,
}

impl Cars {
    fn new() -> Self {
        Self {
            game: None,
            countdown: 0.0,
            hand: Hand::default(),
            picture: Picture::default(),
            clock: Clock::default(),
            best: 0.0,
            view: "chase",
            limit: "time",
            budget: 30.0,
            is_shown: true,
            is_driven: false,
            is_own: true,
            spent: Chart::timed("Time of the tests of a step, in ms", &["all pairs"]),
            tests: Chart::new("Tests of a step", &["of volumes", "of triangles"]),
            rows: None,
        }
    }

    fn allowance(&self) -> Allowance {
        Allowance { milliseconds: self.budget, is_measured: self.limit == "time" }
    }

    fn camera(&self) -> Camera {
        let straight = Camera::look_at(DVec3::NEG_Y, DVec3::ZERO);
        self.game.as_ref().map_or(straight, |game| self.picture.camera(game, self.view == "top"))
    }

    fn advance(&mut self, input: &Input, seconds: f64) {
        let (allowance, clock) = (self.allowance(), self.clock);
        let camera = self.camera();
        let Some(game) = &mut self.game else { return };
        // Who takes hold of cars does not drive.
        self.is_own &= !self.hand.act(&input.pointer, &camera, game, seconds);
        let player = (!self.is_driven).then(|| controls(input));
        game.step(player, allowance, clock, seconds);
        // What the computer drives is nobody's score.
        self.is_own &= !self.is_driven;
        if self.is_own {
            self.best = self.best.max(f64::from(game.hits(0)));
        }
        self.picture.follow(game, seconds);
        let time = SECONDS - game.left();
        let milliseconds: f64 = game.turns().iter().map(|turn| turn.milliseconds).sum();
        let tests = [0, 1].map(|k| game.turns().iter().map(|turn| turn.tests[k] as f64).sum());
        if !game.is_over() {
            self.spent.add(time, &[milliseconds]);
            self.tests.add(time, &tests);
        }
        if let Some(rows) = &mut self.rows {
            rows.push(row(game, milliseconds, tests));
        }
    }
}

fn controls(input: &Input) -> Controls {
    let [throttle, steer] = input.ways();
    Controls { throttle, steer }
}

fn row(game: &Game, milliseconds: f64, [volumes, triangles]: [f64; 2]) -> String {
    let count = |is: fn(Outcome) -> bool| game.turns().iter().filter(|turn| is(turn.outcome)).count();
    let needed = count(|outcome| outcome != Outcome::NotNeeded);
    let assumed = count(|outcome| matches!(outcome, Outcome::Assumed(_)));
    let time = SECONDS - game.left();
    format!("{time},{needed},{assumed},{volumes},{triangles},{milliseconds},{}\n", game.hits(0))
}

impl Demo for Cars {
    fn begin(&mut self) -> Result<(), DemoError> {
        let game = Game::new().map_err(DemoError::of)?;
        self.picture = Picture::new(&game)?;
        self.game = Some(game);
        (self.is_own, self.countdown, self.hand) = (true, COUNTDOWN, Hand::default());
        self.spent.clear();
        self.tests.clear();
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        if input.toggles(Key::V) ^ input.toggles(Key::C) {
            self.view = if self.view == "chase" { "top" } else { "chase" };
        }
        if input.is_struck(Key::Enter) && self.game.as_ref().is_some_and(Game::is_over) {
            // Beginning has succeeded before.
            let _ = self.begin();
        }
        self.countdown = (self.countdown - seconds).max(0.0);
        if seconds > 0.0 && self.countdown == 0.0 {
            self.advance(input, seconds);
        }
    }

    fn draw(&mut self, scene: &mut Scene) {
        let camera = self.camera();
        if let Some(game) = &self.game {
            self.picture.draw(game, scene, camera, self.is_shown);
        }
        self.hand.draw(scene);
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        visit.choice(field("view", "Where the arena is seen from: V or C"), &mut self.view, &VIEWS);
        visit.number(
            field("budget", "Time for all tests of a step, in ms; the source allows 30"),
            &mut self.budget,
            0.001..=30.0,
        );
        visit.choice(
            field(
                "limit",
                "What ends a test: time, which today is hardly ever short, or work: 1000 tests of volumes a ms",
            ),
            &mut self.limit,
            &LIMITS,
        );
        visit.switch(field("tests", "Show the grid and what is tested"), &mut self.is_shown);
        visit.switch(field("autopilot", "The computer drives your car too"), &mut self.is_driven);
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        if let Some(game) = &self.game {
            panel::show(ui, game, self.budget);
            if game.is_over() && ui.button("Play again (Enter)").clicked() {
                // Beginning has succeeded before.
                let _ = self.begin();
            }
        }
    }

    fn plots(&self) -> Plots<'_> {
        Plots::Charts(vec![&self.tests, &self.spent])
    }

    fn tasks(&self) -> [Task; 3] {
        let hits = self.game.as_ref().filter(|_| self.is_own).map_or(0, |game| game.hits(0));
        let late = |game: &Game| game.turns().iter().any(|turn| matches!(turn.outcome, Outcome::Assumed(_)));
        [
            Task::new("Hit others ten times in thirty seconds", hits >= 10),
            Task::new(
                "Lower the budget until a test is cut off (purple)",
                self.game.as_ref().is_some_and(late),
            ),
            Task::new("Take hold of a car with the mouse, and throw it", self.hand.throws() > 0),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        let tested = [
            (Color::STONE, "tested: apart"),
            (Color::WHITE, "tested: collide"),
            (Color::PURPLE, "out of time: assumed to collide"),
        ];
        let cell = (color(0), "frame of a colour: the cell of that car");
        if self.is_shown { tested.into_iter().chain([cell]).collect() } else { Vec::new() }
    }

    fn timer(&self) -> Option<String> {
        let game = self.game.as_ref()?;
        Some(format!("{:.1}   {}", game.left(), says_hits(game.hits(0))))
    }

    fn banner(&self) -> Option<Banner> {
        let game = self.game.as_ref()?;
        if self.countdown > 0.0 {
            return Some(Banner { title: format!("{:.0}", self.countdown.ceil()), lines: Vec::new() });
        }
        if game.left() > SECONDS - GO {
            return Some(Banner { title: "Go!".to_owned(), lines: Vec::new() });
        }
        let lines = vec![
            format!("{}, the best so far {}", says_hits(game.hits(0)), self.best),
            "Enter: play again".to_owned(),
        ];
        game.is_over().then(|| Banner { title: "Time is over".to_owned(), lines })
    }

    fn status(&self) -> Vec<String> {
        let Some(game) = &self.game else { return Vec::new() };
        let hits = (0..CARS).map(|i| format!("{} {}", NAMES[i], game.hits(i))).collect::<Vec<_>>().join(", ");
        vec![format!("hits: {hits}; best {}", self.best)]
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["Up, W / Down, S", "Drive forward and backward"],
            ["Left, A / Right, D", "Turn the wheel"],
            ["V, C", "See from behind or from above"],
            ["Enter", "Play again when the time is over"],
        ];
        keys.extend(hand::KEYS);
        keys
    }

    fn hands(&self) -> Hands {
        [
            &[("left", Key::ArrowLeft), ("right", Key::ArrowRight)],
            &[("back", Key::ArrowDown), ("ahead", Key::ArrowUp)],
        ]
    }

    fn columns(&self) -> Option<&'static str> {
        Some("time,needed,assumed,volume_tests,triangle_tests,milliseconds,hits")
    }

    fn rows(&mut self) -> Vec<String> {
        self.rows.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn record(&mut self, on: bool) {
        self.rows = on.then(Vec::new);
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    fn score(&self) -> Option<f64> {
        Some(self.best)
    }

    fn set_best(&mut self, score: f64) {
        self.best = score;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A demo whose cars have started.
    fn started() -> Cars {
        let mut demo = Cars::new();
        demo.begin().unwrap();
        demo.countdown = 0.0;
        demo
    }

    #[test]
    fn the_cars_wait_for_the_countdown_and_the_end_is_a_banner() {
        let mut demo = Cars::new();
        demo.begin().unwrap();
        let before = demo.game.as_ref().unwrap().cars;
        let held = Input::of_held(&[Key::W]);
        let mut titles = Vec::new();
        for _ in 0..(60.0 * (COUNTDOWN + SECONDS) + 2.0) as u32 {
            demo.step(&held, 1.0 / 60.0);
            let title = demo.banner().map(|banner| banner.title).unwrap_or_default();
            if title.parse::<u32>().is_ok() {
                assert_eq!(demo.game.as_ref().unwrap().cars, before);
            }
            if titles.last() != Some(&title) {
                titles.push(title);
            }
        }
        assert_eq!(titles, ["3", "2", "1", "Go!", "", "Time is over"]);
    }

    #[test]
    fn who_takes_hold_of_a_car_earns_nothing() {
        let mut demo = started();
        let camera = demo.camera();
        let mut input = Input::of_held(&[Key::W]);
        input.pointer.aspect = 1.6;
        input.pointer.at = camera.project(demo.game.as_ref().unwrap().cars[0].center() + DVec3::Z, 1.6);
        input.pointer.down = true;
        demo.step(&input, 1.0 / 60.0);
        assert!(!demo.is_own);
    }

    #[test]
    fn the_keys_drive_the_car_of_the_player() {
        let mut demo = started();
        let before = demo.game.as_ref().unwrap().cars[0];
        (0..60).for_each(|_| demo.step(&Input::of_held(&[Key::W, Key::ArrowLeft]), 1.0 / 60.0));
        let after = demo.game.as_ref().unwrap().cars[0];
        assert!(after.heading > before.heading + 0.3 && after.velocity.length() > 3.0);
        demo.step(&Input::of_keys(&[Key::V]), 0.0);
        assert_eq!(demo.view, "top");
        assert_eq!(demo.game.as_ref().unwrap().cars[0], after);
    }

    #[test]
    fn enter_begins_anew_only_at_the_end_and_the_best_stays() {
        let mut demo = started();
        let left = |demo: &Cars| demo.game.as_ref().unwrap().left();
        let enter = Input::of_keys(&[Key::Enter]);
        (0..30).for_each(|_| demo.step(&enter, 1.0 / 60.0));
        assert!(left(&demo) < 29.6);
        (0..1800).for_each(|_| demo.step(&Input::of_held(&[Key::W]), 1.0 / 60.0));
        let hits = f64::from(demo.game.as_ref().unwrap().hits(0));
        assert!(demo.score() == Some(hits) && hits > 0.0);
        demo.step(&enter, 1.0 / 60.0);
        assert!(left(&demo) > 29.0 && demo.score() == Some(hits));
    }

    #[test]
    fn what_the_computer_drives_is_no_score() {
        let mut demo = started();
        demo.is_driven = true;
        (0..900).for_each(|_| demo.step(&Input::of_held(&[]), 1.0 / 60.0));
        demo.is_driven = false;
        (0..900).for_each(|_| demo.step(&Input::of_held(&[]), 1.0 / 60.0));
        assert!(demo.game.as_ref().unwrap().hits(0) > 0 && demo.score() == Some(0.0));
    }

    #[test]
    fn each_step_makes_a_row_as_long_as_its_head() {
        let mut demo = started();
        demo.record(true);
        (0..5).for_each(|_| demo.step(&Input::of_held(&[]), 1.0 / 60.0));
        let rows = demo.rows();
        let commas = |text: &str| text.matches(',').count();
        assert!(rows.len() == 5 && rows.iter().all(|row| commas(row) == commas(demo.columns().unwrap())));
        assert!(demo.rows().is_empty());
    }
}
