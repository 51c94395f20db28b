//! All demos: one picture and one sentence each.

use egui::{Key, RichText, Sense, Vec2, vec2};

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

/// Narrowest tile, and the space between two.
const TILE: f32 = 168.0;
const SPACE: f32 = 12.0;

/// Height of the words below a picture, about.
const WORDS: f32 = 124.0;

/// Width of a picture by its height, at least and at most.
const ASPECTS: [f32; 2] = [1.2, 2.35];

/// Tiles in a row, and the size of their pictures.
struct Layout {
    columns: usize,
    size: Vec2,
}

/// The largest pictures of which all are seen at once; where that is not possible, one scrolls through large ones.
fn layout(room: Vec2) -> Layout {
    let of = |columns: usize| {
        let rows = ALL.len().div_ceil(columns) as f32;
        let width = room.x / columns as f32 - SPACE;
        let height = (room.y / rows - WORDS).clamp(width / ASPECTS[1], width / ASPECTS[0]);
        let fits = (height + WORDS) * rows <= room.y + 1.0;
        (fits, Layout { columns, size: vec2(width, height) })
    };
    let most = ((room.x / (TILE + SPACE)) as usize).clamp(1, ALL.len());
    let area = |layout: &Layout| layout.size.x * layout.size.y;
    let fitting = (1..=most).map(of).filter_map(|(fits, layout)| fits.then_some(layout));
    let widest = || of(((room.x / (1.5 * TILE)) as usize).max(1)).1;
    fitting.max_by(|a, b| area(a).total_cmp(&area(b))).unwrap_or_else(widest)
}

/// Steps of a picture in one frame at most, so that the first frame does not wait for all of them.
const STEPS: u32 = 12;

impl Picture {
    fn new(entry: &Entry) -> Self {
        let mut demo = (entry.make)();
        let is_well = demo.begin().is_ok();
        Self { demo, time: 0.0, is_well }
    }

    /// Runs until its moment, then only under the pointer.
    fn advance(&mut self, entry: &Entry, passed: f64, aspect: f64, is_hovered: bool) {
        let until = if is_hovered { self.time + passed } else { entry.picture_at };
        let mut idle = Input::of_keys(&[]);
        idle.pointer.aspect = aspect;
        for _ in 0..STEPS {
            if self.time + 1e-9 >= until {
                break;
            }
            self.demo.step(&idle, super::pace::STEP);
            self.time += super::pace::STEP;
        }
    }
}

/// What was chosen in the gallery.
pub enum Chosen {
    /// A demo by its name.
    Demo(&'static str),
    /// The tour.
    Tour,
}

/// Shows all demos; what is chosen.
pub fn show(ui: &mut egui::Ui, gallery: &mut Gallery, input: &mut Input, passed: f64) -> Option<Chosen> {
    // One more each frame: the first is there at once.
    if let Some(entry) = ALL.get(gallery.pictures.len()) {
        gallery.pictures.push(Picture::new(entry));
    }
    let mut opened = None;
    egui::CentralPanel::default().show(ui, |ui| {
        ui.add_space(6.0);
        ui.heading("Sudar laboratory");
        ui.horizontal_wrapped(|ui| {
            ui.label("Bodies collide here. Click a picture, or choose with the arrow keys and Enter; F1 shows the keys.");
            if ui.button("A tour of one minute").clicked() {
                opened = Some(Chosen::Tour);
            }
        });
        ui.add_space(6.0);
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let Layout { columns, size } = layout(ui.available_size());
            choose(gallery, input, columns);
            for (r, row) in ALL.chunks(columns).enumerate() {
                ui.horizontal_top(|ui| {
                    for (c, entry) in row.iter().enumerate() {
                        let i = r * columns + c;
                        if tile(ui, gallery, i, entry, size, passed) {
                            opened = Some(Chosen::Demo(entry.name));
                        }
                    }
                });
                ui.add_space(8.0);
            }
        });
    });
    if input.is_struck(Key::Enter) {
        opened = opened.or(ALL.get(gallery.chosen).map(|entry| Chosen::Demo(entry.name)));
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
        let by = by * input.strikes(key);
        let to = if forth { gallery.chosen + by } else { gallery.chosen.saturating_sub(by) };
        gallery.chosen = to.min(last);
    }
}

fn tile(ui: &mut egui::Ui, gallery: &mut Gallery, i: usize, entry: &Entry, size: Vec2, passed: f64) -> bool {
    let is_chosen = gallery.chosen == i;
    let inner = ui.vertical(|ui| {
        ui.set_width(size.x);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        match gallery.pictures.get_mut(i) {
            Some(picture) if picture.is_well => {
                let aspect = f64::from(size.x / size.y);
                picture.advance(entry, passed, aspect, response.hovered());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pictures_fit_a_window_and_are_large_on_a_phone() {
        for [x, y] in [[1280.0, 650.0], [1900.0, 1000.0], [1024.0, 700.0]] {
            let Layout { columns, size } = layout(vec2(x, y));
            let rows = ALL.len().div_ceil(columns) as f32;
            assert!((size.x + SPACE) * columns as f32 <= x + 1.0, "{x} {size}");
            // At most a quarter of the window is left empty.
            let used = rows * (size.y + WORDS) / y;
            assert!((0.75..=1.001).contains(&used), "{x}: {columns} columns, {used}");
        }
        let phone = layout(vec2(380.0, 780.0));
        assert!(phone.columns == 1 && phone.size.x > 350.0);
    }
}
