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
use sudar_view::Scene;

use crate::chart::{self, Chart};
use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Hands};
use crate::input::Input;
use crate::options::{Visit, field};
use car::Controls;
use game::{Game, SECONDS};
use picture::Picture;
use referee::{Allowance, Outcome};

pub const ENTRY: Entry = Entry {
    name: "bumper-cars",
    title: "Bumper cars",
    about: "Thirty seconds in a round arena: hit the other cars as often as you can. Arrow keys or W A S D drive.",
    source: "{Daneu 2002}, sections 4.1.4 to 4.3",
    make: || Box::new(Cars::new()),
    picture_at: 3.0,
};

/// Where the arena is seen from.
const VIEWS: [&str; 2] = ["chase", "top"];

/// What ends a test of two cars.
const LIMITS: [&str; 2] = ["time", "work"];

struct Cars {
    game: Option<Game>,
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
            picture: Picture::default(),
            clock: Clock::default(),
            best: 0.0,
            view: "chase",
            limit: "time",
            budget: 30.0,
            is_shown: true,
            is_driven: false,
            is_own: true,
            spent: Chart::new("Time of the tests of a step, in ms", &["all pairs"]),
            tests: Chart::new("Tests of a step", &["of volumes", "of triangles"]),
            rows: None,
        }
    }

    fn allowance(&self) -> Allowance {
        Allowance { milliseconds: self.budget, is_measured: self.limit == "time" }
    }

    fn advance(&mut self, input: &Input, seconds: f64) {
        let (allowance, clock) = (self.allowance(), self.clock);
        let Some(game) = &mut self.game else { return };
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
    let both = |plus: [Key; 2], minus: [Key; 2]| {
        (input.axis(plus[0], minus[0]) + input.axis(plus[1], minus[1])).clamp(-1.0, 1.0)
    };
    Controls {
        throttle: both([Key::ArrowUp, Key::W], [Key::ArrowDown, Key::S]),
        steer: both([Key::ArrowLeft, Key::A], [Key::ArrowRight, Key::D]),
    }
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
        self.is_own = true;
        self.spent.clear();
        self.tests.clear();
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        if input.is_struck(Key::V) || input.is_struck(Key::C) {
            self.view = if self.view == "chase" { "top" } else { "chase" };
        }
        if input.is_struck(Key::Enter) && self.game.as_ref().is_some_and(Game::is_over) {
            // Beginning has succeeded before.
            let _ = self.begin();
        }
        if seconds > 0.0 {
            self.advance(input, seconds);
        }
    }

    fn draw(&mut self, scene: &mut Scene) {
        if let Some(game) = &self.game {
            self.picture.draw(game, scene, self.view == "top", self.is_shown);
        }
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

    fn plots(&mut self, ui: &mut egui::Ui) -> bool {
        let has_clock = self.clock.0.is_some();
        let charts = [&self.tests, &self.spent];
        chart::row(ui, &charts[..1 + usize::from(has_clock)]);
        true
    }

    fn status(&self) -> Vec<String> {
        let Some(game) = &self.game else { return Vec::new() };
        let hits = game.hits(0);
        if game.is_over() {
            return vec![
                format!("Time is over: {hits} hits, best {}", self.best),
                "Enter: play again".to_owned(),
            ];
        }
        vec![format!("{:4.1} s   hits {hits}   best {}", game.left(), self.best)]
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        vec![
            ["Up, W / Down, S", "Drive forward and backward"],
            ["Left, A / Right, D", "Turn the wheel"],
            ["V, C", "See from behind or from above"],
            ["Enter", "Play again when the time is over"],
        ]
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

    #[test]
    fn the_keys_drive_the_car_of_the_player() {
        let mut demo = Cars::new();
        demo.begin().unwrap();
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
        let mut demo = Cars::new();
        demo.begin().unwrap();
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
        let mut demo = Cars::new();
        demo.is_driven = true;
        demo.begin().unwrap();
        (0..900).for_each(|_| demo.step(&Input::of_held(&[]), 1.0 / 60.0));
        demo.is_driven = false;
        (0..900).for_each(|_| demo.step(&Input::of_held(&[]), 1.0 / 60.0));
        assert!(demo.game.as_ref().unwrap().hits(0) > 0 && demo.score() == Some(0.0));
    }

    #[test]
    fn each_step_makes_a_row_as_long_as_its_head() {
        let mut demo = Cars::new();
        demo.begin().unwrap();
        demo.record(true);
        (0..5).for_each(|_| demo.step(&Input::of_held(&[]), 1.0 / 60.0));
        let rows = demo.rows();
        let commas = |text: &str| text.matches(',').count();
        assert!(rows.len() == 5 && rows.iter().all(|row| commas(row) == commas(demo.columns().unwrap())));
        assert!(demo.rows().is_empty());
    }
}
