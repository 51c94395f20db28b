//! What stands at the side and in the corner, in words.

use egui::{Grid, RichText, Ui};
use sudar_clash::Clash;
use sudar_clash::gearbox::FAULTS;

use super::parts::{Parts, View};
use super::search::{Guess, Search, says};

/// What came of the last click.
pub fn guess(search: &Search, parts: &Parts) -> String {
    match search.last {
        None => "Click on two parts that are in each other's way".to_owned(),
        Some(Guess::First(part)) => format!("{}, and which other part?", parts.name(part)),
        Some(Guess::Dropped) => "Click on two different parts".to_owned(),
        Some(Guess::Found(fault)) => format!("Found: {}", says(fault)),
        Some(Guess::Again(fault)) => format!("Found before: {}", says(fault)),
        Some(Guess::Wrong([a, b])) => {
            format!("{} and {} are as they should be", parts.name(a), parts.name(b))
        }
    }
}

/// Kind, measure and place of a clash.
pub fn clash(clash: &Clash, number: u32, parts: &Parts) -> [String; 2] {
    let (point, [a, b]) = (clash.point, [clash.a, clash.b].map(|part| parts.name(part)));
    let measure = match (clash.depth, clash.depth_is) {
        (Some(depth), Some("box")) => format!("depth at most {:.4} mm, by boxes", depth.upper),
        (Some(depth), _) => format!("depth {:.4} to {:.4} mm", depth.lower, depth.upper),
        _ if clash.distance.upper > 0.0 => {
            format!("distance {:.6} to {:.6} mm", clash.distance.lower, clash.distance.upper)
        }
        _ => format!("{} pairs of triangles meet", clash.triangle_pairs),
    };
    [
        format!("Fault {number} of {}: {a} - {b}: {}", FAULTS.len(), clash.kind.name()),
        format!("{measure}, at {:.2} {:.2} {:.2}", point.x, point.y, point.z),
    ]
}

/// What was found.
pub fn show_found(ui: &mut Ui, search: &Search, parts: &Parts) {
    ui.strong(format!("Found {} of {}, {} wrong", search.found.len(), FAULTS.len(), search.wrong));
    ui.label(guess(search, parts));
    for fault in &search.found {
        ui.label(RichText::new(says(*fault)).color(egui::Color32::from_rgb(140, 220, 170)));
    }
    if search.is_over() {
        ui.strong("All seven are found.");
    }
}

/// The clash check, and what it found; the fault that is to be shown now, 0 for all of the gearbox.
pub fn show_check(ui: &mut Ui, parts: &Parts, clashes: &[Clash], shown: u32, took: f64) -> Option<u32> {
    let mut wanted = None;
    let count = clashes.len() as u32;
    ui.horizontal(|ui| {
        if ui.button("Show me").on_hover_text("Run the clash check").clicked() {
            wanted = Some(1);
        }
        if count == 0 {
            return;
        }
        for (name, to) in [("Back", before(shown, count)), ("Next", after(shown, count)), ("All of it", 0)] {
            if ui.button(name).clicked() {
                wanted = Some(to);
            }
        }
    });
    if took > 0.0 {
        ui.weak(format!("The check took {took:.2} s."));
    }
    Grid::new("clashes").num_columns(2).striped(true).show(ui, |ui| {
        for (k, clash) in (1..).zip(clashes) {
            if ui.selectable_label(shown == k, clash.kind.name()).clicked() {
                wanted = Some(k);
            }
            ui.label(format!("{} - {}", parts.name(clash.a), parts.name(clash.b)));
            ui.end_row();
        }
    });
    wanted
}

/// The fault after one, and after the last the first.
pub fn after(fault: u32, count: u32) -> u32 {
    fault % count.max(1) + 1
}

/// The fault before one, and before the first the last.
pub fn before(fault: u32, count: u32) -> u32 {
    let count = count.max(1);
    (fault.max(1) + count - 2) % count + 1
}

/// All parts, each with a button that shows it whole, clear or not at all.
pub fn show_parts(ui: &mut Ui, parts: &mut Parts) {
    ui.collapsing("Parts", |ui| {
        for part in 0..parts.views.len() {
            ui.horizontal(|ui| {
                let view = parts.views[part];
                let (name, next) = match view {
                    View::Whole => ("whole", View::Clear),
                    View::Clear => ("clear", View::Hidden),
                    View::Hidden => ("hidden", View::Whole),
                };
                if ui.small_button(name).on_hover_text("Whole, clear, hidden").clicked() {
                    parts.views[part] = next;
                }
                ui.label(parts.name(part));
            });
        }
    });
}
