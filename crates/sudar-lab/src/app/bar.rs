//! The bar above a demo: its title, its time, the way back.

use super::pace::Pace;
use crate::demo::Entry;

/// Width of the slider of time with its number and text, in points.
const SLIDER: f32 = 230.0;

/// What was clicked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    pub gallery: bool,
    pub restart: bool,
    pub help: bool,
    /// To show or to hide the options.
    pub options: bool,
}

pub fn show(ui: &mut egui::Ui, entry: &Entry, pace: &mut Pace) -> Wanted {
    let mut wanted = Wanted::default();
    // Large texts take a second row.
    ui.horizontal_wrapped(|ui| {
        wanted.gallery = ui.button("All demos").on_hover_text("Escape").clicked();
        wanted.help = ui.button("Keys: F1").clicked();
        wanted.options = ui.button("Options").on_hover_text("Show or hide them").clicked();
        ui.strong(entry.title);
        ui.separator();
        let (sign, says) = if pace.is_paused { ("Go on", "P") } else { ("Pause", "P") };
        if ui.button(sign).on_hover_text(says).clicked() {
            pace.is_paused = !pace.is_paused;
        }
        if ui.button("Step").on_hover_text("One step: the full stop").clicked() {
            (pace.is_paused, pace.single) = (true, pace.single + 1);
        }
        wanted.restart = ui.button("Restart").on_hover_text("Backspace").clicked();
        // A slider is not broken over two rows by itself.
        if ui.available_size_before_wrap().x < SLIDER {
            ui.end_row();
        }
        ui.add(egui::Slider::new(&mut pace.speed, 0.01..=4.0).logarithmic(true).text("× time"))
            .on_hover_text("Slow motion");
        if ui.button("1×").clicked() {
            pace.speed = 1.0;
        }
        ui.weak(entry.origin());
    });
    wanted
}
