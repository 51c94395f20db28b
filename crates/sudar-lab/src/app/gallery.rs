//! All demos: one picture and one sentence each.

use egui::{Key, RichText, Sense, vec2};

use crate::demo::{Demo, Entry};
use crate::demos::ALL;
use crate::input::Input;
use crate::stage;

/// The pictures so far, and which demo is chosen.
#[derive(Default)]
pub struct Gallery {
    pictures: Vec<Picture>,
    chosen: usize,
}

/// A demo that runs in its tile.
struct Picture {
    demo: Box<dyn Demo>,
    /// Seconds that it has run.
    time: f64,
    is_well: bool,
}

/// Widest tile.
const TILE: f32 = 260.0;

/// Steps of a picture in one frame at most, so that the first frame does not wait for all of them.
const STEPS: u32 = 12;

impl Picture {
    fn new(entry: &Entry) -> Self {
        let mut demo = (entry.make)();
        let is_well = demo.begin().is_ok();
        Self { demo, time: 0.0, is_well }
    }

    /// Runs until its moment, then only under the pointer.
    fn advance(&mut self, entry: &Entry, passed: f64, is_hovered: bool) {
        let until = if is_hovered { self.time + passed } else { entry.picture_at };
        let idle = Input::of_keys(&[]);
        for _ in 0..STEPS {
            if self.time + 1e-9 >= until {
                break;
            }
            self.demo.step(&idle, super::pace::STEP);
            self.time += super::pace::STEP;
        }
    }
}

/// Shows all demos; the name of the one that is opened.
pub fn show(
    ui: &mut egui::Ui,
    gallery: &mut Gallery,
    input: &mut Input,
    passed: f64,
) -> Option<&'static str> {
    // One more each frame: the first is there at once.
    if let Some(entry) = ALL.get(gallery.pictures.len()) {
        gallery.pictures.push(Picture::new(entry));
    }
    let mut opened = None;
    egui::CentralPanel::default().show(ui, |ui| {
        ui.add_space(6.0);
        ui.heading("Sudar laboratory");
        ui.label("Bodies collide here. Click a picture, or choose with the arrow keys and Enter; F1 shows the keys.");
        ui.add_space(6.0);
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let columns = ((ui.available_width() / TILE).ceil() as usize).clamp(1, 5);
            let width = ui.available_width() / columns as f32 - 12.0;
            choose(gallery, input, columns);
            for (r, row) in ALL.chunks(columns).enumerate() {
                ui.horizontal_top(|ui| {
                    for (c, entry) in row.iter().enumerate() {
                        let i = r * columns + c;
                        if tile(ui, gallery, i, entry, width, passed) {
                            opened = Some(entry.name);
                        }
                    }
                });
                ui.add_space(8.0);
            }
        });
    });
    if input.is_struck(Key::Enter) {
        opened = opened.or(ALL.get(gallery.chosen).map(|entry| entry.name));
    }
    input.pass();
    opened
}

fn choose(gallery: &mut Gallery, input: &Input, columns: usize) {
    let last = ALL.len() - 1;
    for (key, forth, by) in [
        (Key::ArrowRight, true, 1),
        (Key::ArrowDown, true, columns),
        (Key::ArrowLeft, false, 1),
        (Key::ArrowUp, false, columns),
    ] {
        if input.is_struck(key) {
            let to = if forth { gallery.chosen + by } else { gallery.chosen.saturating_sub(by) };
            gallery.chosen = to.min(last);
        }
    }
}

fn tile(ui: &mut egui::Ui, gallery: &mut Gallery, i: usize, entry: &Entry, width: f32, passed: f64) -> bool {
    let is_chosen = gallery.chosen == i;
    let inner = ui.vertical(|ui| {
        ui.set_width(width);
        let (rect, response) = ui.allocate_exact_size(vec2(width, width * 9.0 / 16.0), Sense::click());
        match gallery.pictures.get_mut(i) {
            Some(picture) if picture.is_well => {
                picture.advance(entry, passed, response.hovered());
                if ui.is_rect_visible(rect) {
                    stage::small_picture(ui, rect, &mut *picture.demo);
                }
            }
            _ => {
                ui.painter().rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
            }
        }
        if is_chosen || response.hovered() {
            let stroke = egui::Stroke::new(2.0, ui.visuals().selection.bg_fill);
            ui.painter().rect_stroke(rect, 2.0, stroke, egui::StrokeKind::Outside);
        }
        ui.label(RichText::new(entry.title).strong().size(16.0));
        ui.label(entry.about);
        ui.weak(RichText::new(entry.origin()).small());
        response.clicked()
    });
    inner.inner
}
