//! The table of pairs at the side.

use egui::{Grid, RichText, Ui};

use super::game::Game;
use super::picture::NAMES;
use super::referee::{CARS, Outcome, PAIRS, formula};
use crate::chart;

pub fn show(ui: &mut Ui, game: &Game, milliseconds: f64) {
    Grid::new("hits").num_columns(2).striped(true).show(ui, |ui| {
        for (i, name) in NAMES.iter().enumerate() {
            ui.colored_label(chart::of(super::picture::color(i)), *name);
            let hits = game.hits(i);
            ui.label(says_hits(hits));
            ui.end_row();
        }
    });
    ui.separator();
    ui.label("Time that a test may take, in ms, by the three formulas of the source:");
    let Ok(turns) = game.turns().try_into() else { return };
    for (car, name) in NAMES.iter().enumerate().take(CARS - 1) {
        let Some(turn) = game.turns().iter().find(|turn| turn.pair[0] == car && turn.share > 0.0) else {
            ui.weak(format!("{name}: no test"));
            continue;
        };
        let share = turn.share * milliseconds;
        ui.label(format!("{name}: {} = {share:.3}", formula(turns, car, milliseconds)));
    }
    ui.separator();
    Grid::new("pairs").num_columns(3).striped(true).show(ui, |ui| {
        for turn in game.turns() {
            let [a, b] = turn.pair.map(|i| NAMES[i]);
            ui.label(format!("{a} - {b}"));
            ui.label(says(turn.outcome));
            let took =
                if turn.milliseconds > 0.0 { format!("{:.2} ms", turn.milliseconds) } else { String::new() };
            ui.label(RichText::new(took).weak());
            ui.end_row();
        }
    });
    let late = game.turns().iter().filter(|turn| matches!(turn.outcome, Outcome::Assumed(_))).count();
    ui.label(format!("{late} of {} tests were cut off in this step.", PAIRS.len()));
}

/// A number of hits in words.
pub fn says_hits(hits: u32) -> String {
    if hits == 1 { "1 hit".to_owned() } else { format!("{hits} hits") }
}

fn says(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotNeeded => "not needed: far cells",
        Outcome::Apart => "apart",
        Outcome::Hit(_) => "collide",
        Outcome::Assumed(_) => "out of time: assumed",
    }
}
