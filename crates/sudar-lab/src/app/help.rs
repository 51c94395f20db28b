//! The keys of everything.

use crate::demo::Entry;

/// Keys that work in each demo.
const COMMON: [[&str; 2]; 6] = [
    ["Escape", "Back to all demos"],
    ["F1, H", "This help"],
    ["P", "Pause and go on"],
    [".", "One step"],
    ["Backspace", "Begin anew"],
    ["F11", "The picture alone"],
];

/// Shows the keys; whether they stay.
pub fn show(ctx: &egui::Context, open: Option<(Entry, Vec<[&'static str; 2]>)>) -> bool {
    let mut is_open = true;
    // Below the title of the window; with large texts one scrolls.
    let height = (ctx.content_rect().height() - 80.0).max(100.0);
    egui::Window::new("Keys").open(&mut is_open).anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]).show(
        ctx,
        |ui| {
            egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                if let Some((entry, keys)) = open {
                    ui.heading(entry.title);
                    ui.label(entry.about);
                    ui.weak(entry.origin());
                    ui.separator();
                    table(ui, "demo", &keys);
                } else {
                    ui.label("Choose a demo with a click, or with the arrow keys and Enter.");
                }
                ui.separator();
                table(ui, "common", &COMMON);
            });
        },
    );
    is_open
}

fn table(ui: &mut egui::Ui, name: &str, keys: &[[&str; 2]]) {
    egui::Grid::new(name).num_columns(2).striped(true).show(ui, |ui| {
        for [key, does] in keys {
            ui.strong(*key);
            ui.label(*does);
            ui.end_row();
        }
    });
}
