//! A tour of a minute through the demos: what Sudar is.

use egui::{Align2, Color32, FontId, Key, Rect, Ui, pos2, vec2};

use crate::input::Input;

/// A demo that the tour stops at.
#[derive(Debug)]
pub struct Stop {
    /// How it is opened.
    pub link: &'static str,
    /// What one sees, in one sentence.
    pub says: &'static str,
}

const fn stop(link: &'static str, says: &'static str) -> Stop {
    Stop { link, says }
}

/// How far the view is turned in a second, in points of dragging.
const TURN: f64 = 12.0;

/// All of them.
pub const STOPS: [Stop; 11] = [
    stop(
        "#explorer&objects=20000&lamps=3&speed=6",
        "Sudar tells which bodies touch. Here a broad phase follows 20 000 boxes from step to step.",
    ),
    stop(
        "#theatre&objects=200",
        "Every classic algorithm is here under its own name. All find the same pairs; none does the same work.",
    ),
    stop(
        "#microscope&play=on&handle=none",
        "How far apart, where, and when do they meet? Each answer is an interval that is proved.",
    ),
    stop(
        "#microscope&system=rapid&level=4&handle=none&plane=off&impact=off&along=0.6",
        "A tree of boxes around each body says quickly what cannot touch. Here the tree of RAPID, of 1996.",
    ),
    stop(
        "#box-objects&gravity=9.81&restitution=0.7&bodies=24&response=solver",
        "Then what happens? Bodies strike each other, roll and come to rest; nothing passes a wall.",
    ),
    stop(
        "#box-fighter&bodies=12&faults=free-spin&turned=on",
        "What went wrong in 2007: by the published rule these fighters gain energy. The cure is a switch away.",
    ),
    stop("#joints", "Joints tie bodies together. The gaps of this bridge stay below a billionth of a metre."),
    stop(
        "#level&play=on",
        "A character walks: stopped by walls, up stairs, carried by lifts and belts, and never in anything.",
    ),
    stop(
        "#bumper-cars&autopilot=on",
        "Games to play: bumper cars, and a tunnel to fly through with missiles.",
    ),
    stop("#robot-arm&play=on", "A path of a robot that is free at every moment of it: proved, not sampled."),
    stop("#gearbox&fault=2", "Where are parts of a building or a machine in each other's way, and how deep?"),
];

/// Seconds at a stop.
const SECONDS: f64 = 5.5;

/// Where the tour is.
#[derive(Debug, Default)]
pub struct Tour {
    /// Of the stop that comes next.
    next: usize,
    /// Seconds that are left at this one.
    left: f64,
}

/// What the tour wants.
#[derive(Debug, Clone, Copy)]
pub enum Wish {
    /// To go on as it is.
    Same,
    /// To open the next stop.
    Open(&'static Stop),
    /// To end in the demo that is open.
    Stay,
    /// To end in the gallery.
    End,
}

impl Tour {
    /// Lets time pass. Enter stays, Escape ends, and the arrows or the space bar go on at once.
    pub fn advance(&mut self, seconds: f64, input: &Input) -> Wish {
        self.left -= seconds;
        let goes_on = [Key::ArrowRight, Key::Space].into_iter().any(|key| input.is_struck(key));
        if input.is_struck(Key::Escape) {
            return Wish::End;
        }
        if input.is_struck(Key::Enter) && self.next > 0 {
            return Wish::Stay;
        }
        if self.left > 0.0 && !goes_on {
            return Wish::Same;
        }
        (self.left, self.next) = (SECONDS, self.next + 1);
        STOPS.get(self.next - 1).map_or(Wish::End, Wish::Open)
    }

    /// Turns the view, as the visitor's hand would.
    pub fn turn(input: &mut Input, seconds: f64) {
        input.pointer.drag.x += (TURN * seconds) as f32;
    }

    /// Shows the sentence below, how far the tour is, and buttons; what was clicked.
    pub fn show(&self, ui: &mut Ui, picture: Rect) -> Wish {
        let Some(stop) = self.next.checked_sub(1).and_then(|now| STOPS.get(now)) else { return Wish::Same };
        let painter = ui.painter_at(picture);
        let font = FontId::proportional((0.035 * picture.height()).clamp(16.0, 30.0));
        let wide = (picture.width() - 48.0).max(100.0);
        let galley = painter.layout(stop.says.to_owned(), font, Color32::WHITE, wide);
        let high = galley.size().y + 62.0;
        let band = Rect::from_min_max(pos2(picture.left(), picture.bottom() - high), picture.max);
        painter.rect_filled(band, 0.0, Color32::from_black_alpha(185));
        let at = Align2::CENTER_TOP.anchor_size(pos2(band.center().x, band.top() + 10.0), galley.size());
        painter.galley(at.min, galley, Color32::WHITE);
        self.show_progress(&painter, band);
        let row = Rect::from_center_size(
            pos2(band.center().x, band.bottom() - 24.0),
            vec2(330.0_f32.min(wide), 26.0),
        );
        buttons(ui, row)
    }

    fn show_progress(&self, painter: &egui::Painter, band: Rect) {
        let part = (self.next as f64 - self.left / SECONDS) / STOPS.len() as f64;
        let end = band.left() + band.width() * part.clamp(0.0, 1.0) as f32;
        let line = Rect::from_min_max(band.left_top(), pos2(end, band.top() + 3.0));
        painter.rect_filled(line, 0.0, Color32::from_rgb(86, 180, 233));
    }
}

fn buttons(ui: &mut Ui, row: Rect) -> Wish {
    let mut wish = Wish::Same;
    ui.scope_builder(egui::UiBuilder::new().max_rect(row), |ui| {
        ui.horizontal(|ui| {
            if ui.button("Try it yourself").on_hover_text("Enter").clicked() {
                wish = Wish::Stay;
            }
            if ui.button("End the tour: all demos").on_hover_text("Escape").clicked() {
                wish = Wish::End;
            }
        });
    });
    wish
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Lab, Link};

    const LENGTH: f64 = SECONDS * STOPS.len() as f64;

    #[test]
    fn every_stop_opens_and_all_take_a_minute() {
        let mut lab = Lab::default();
        for stop in &STOPS {
            lab.go(&Link::read(stop.link)).unwrap();
            assert!(lab.demo().is_some(), "{}", stop.link);
        }
        assert!((55.0..=65.0).contains(&LENGTH));
    }

    #[test]
    fn the_tour_goes_on_by_itself_or_by_keys_and_ends() {
        let (mut tour, idle) = (Tour::default(), Input::of_keys(&[]));
        let mut opened = Vec::new();
        let mut seconds = 0.0;
        loop {
            match tour.advance(0.1, &idle) {
                Wish::Open(stop) => opened.push(stop.link),
                Wish::Same => {}
                Wish::Stay | Wish::End => break,
            }
            seconds += 0.1;
        }
        assert!(opened.iter().eq(STOPS.iter().map(|stop| &stop.link)));
        assert!((seconds - LENGTH).abs() < 0.2 * STOPS.len() as f64);
        let mut tour = Tour::default();
        assert!(matches!(tour.advance(0.1, &idle), Wish::Open(_)));
        assert!(matches!(tour.advance(0.1, &Input::of_keys(&[Key::Space])), Wish::Open(_)));
        assert!(matches!(tour.advance(0.1, &Input::of_keys(&[Key::Enter])), Wish::Stay));
        assert!(matches!(tour.advance(0.1, &Input::of_keys(&[Key::Escape])), Wish::End));
    }
}
