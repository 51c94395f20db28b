//! Curves that run along with a demo.

use std::collections::VecDeque;

use egui::{Color32, Rangef};
use egui_plot::{AxisHints, Line, Plot, PlotPoints, log_grid_spacer, uniform_grid_spacer};
use sudar_view::Color;

/// As many moments as a chart keeps: ten seconds.
const KEPT: usize = 200;

/// Steps of which the mean is one moment: more points than pixels would only take time.
const STEPS: usize = 3;

/// Least width of the marks beside a plot, in points.
const MARKS: f32 = 34.0;

/// Points between two marks at which the first of them is not seen, and at which all of it is.
pub const SPACING: Rangef = Rangef { min: 14.0, max: 26.0 };

/// Some curves over the last ten seconds.
#[derive(Debug, Clone)]
pub struct Chart {
    title: &'static str,
    names: Vec<&'static str>,
    /// Whether its values are measured times, which there are none of without a clock.
    is_timed: bool,
    is_logarithmic: bool,
    moments: VecDeque<(f64, Vec<f64>)>,
    /// Of the moment that is being gathered: its sums, and how many steps are in it.
    sum: (Vec<f64>, usize),
}

impl Chart {
    /// A chart of curves with these names.
    pub fn new(title: &'static str, names: &[&'static str]) -> Self {
        Self {
            title,
            names: names.to_vec(),
            is_timed: false,
            is_logarithmic: false,
            moments: VecDeque::new(),
            sum: (vec![0.0; names.len()], 0),
        }
    }

    /// The same for measured times: without a clock it is not shown.
    pub fn timed(title: &'static str, names: &[&'static str]) -> Self {
        Self { is_timed: true, ..Self::new(title, names) }
    }

    /// Whether it is shown where there is a clock or none.
    pub fn is_shown(&self, has_clock: bool) -> bool {
        has_clock || !self.is_timed
    }

    /// Other names for its curves, as many.
    pub fn rename(&mut self, names: &[&'static str]) {
        if self.names != names {
            self.names = names.to_vec();
            self.clear();
        }
    }

    /// Powers of ten at the axis, or the values themselves.
    pub fn set_logarithmic(&mut self, is_logarithmic: bool) {
        self.is_logarithmic = is_logarithmic;
    }

    /// Adds a value to each curve.
    pub fn add(&mut self, time: f64, values: &[f64]) {
        self.sum.0.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        self.sum.1 += 1;
        if self.sum.1 < STEPS {
            return;
        }
        let means = self.sum.0.iter().map(|sum| sum / STEPS as f64).collect();
        self.sum = (vec![0.0; self.names.len()], 0);
        self.moments.push_back((time, means));
        if self.moments.len() > KEPT {
            self.moments.pop_front();
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.moments.clear();
        self.sum = (vec![0.0; self.names.len()], 0);
    }

    /// A value as high as it is drawn; nothing has no logarithm.
    fn height(&self, value: f64) -> Option<f64> {
        if self.is_logarithmic { (value > 0.0).then(|| libm::log10(value)) } else { Some(value) }
    }

    /// How many moments there are.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// Draws it, so many points large.
    pub fn show(&self, ui: &mut egui::Ui, size: egui::Vec2) {
        ui.vertical(|ui| {
            ui.set_width(size.x);
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.small(self.title);
                let is_one = self.names.len() == 1;
                for (i, name) in self.names.iter().enumerate().filter(|_| !is_one) {
                    ui.label(
                        egui::RichText::new(*name).small().color(of(Color::cycle(i).mix(Color::WHITE, 0.3))),
                    );
                }
            });
            let is_logarithmic = self.is_logarithmic;
            let mut plot = still(self.title, size);
            let mut marks = marks();
            if is_logarithmic {
                plot = plot.y_grid_spacer(log_grid_spacer(10));
                marks = marks.formatter(|mark, _| power(mark.value));
            }
            let plot = plot.include_y(0.0).show_axes([false, true]).show_grid([false, true]);
            plot.custom_y_axes(vec![marks]).show(ui, |plot| {
                for (i, name) in self.names.iter().enumerate() {
                    let points =
                        self.moments.iter().filter_map(|(time, v)| Some([*time, self.height(*v.get(i)?)?]));
                    let line = Line::new(*name, points.collect::<PlotPoints>());
                    plot.line(line.color(of(Color::cycle(i).mix(Color::WHITE, 0.3))).width(1.5));
                }
            });
        });
    }
}

/// A plot that stays as it is, below its title, so many points large together.
pub fn still(title: &'static str, size: egui::Vec2) -> Plot<'static> {
    let plot = Plot::new(title)
        .width(size.x)
        .height(size.y - 18.0)
        .y_grid_spacer(uniform_grid_spacer(|input| steps(input.bounds)));
    plot.allow_scroll(false).allow_drag(false).allow_zoom(false)
}

/// The marks of the axis beside a plot.
pub fn marks() -> AxisHints<'static> {
    let marks = AxisHints::new_y().min_thickness(MARKS).label_spacing(SPACING);
    marks.formatter(|mark, _| {
        let digits = (-libm::log10(mark.step_size).floor()).clamp(0.0, 9.0) as usize;
        format!("{:.digits$}", mark.value)
    })
}

/// From mark to mark: 1, 2 or 5 times a power of ten, about six of them.
fn steps((from, to): (f64, f64)) -> [f64; 3] {
    let least = ((to - from) / 6.0).max(f64::MIN_POSITIVE);
    let power = libm::exp10(libm::log10(least).floor());
    [[1.0, 2.0, 5.0].into_iter().find(|step| step * power >= least).unwrap_or(10.0) * power; 3]
}

/// A mark of a logarithmic axis, at whole powers of ten alone.
fn power(exponent: f64) -> String {
    let is_whole = (exponent - exponent.round()).abs() < 1e-6;
    if is_whole { format!("{}", libm::exp10(exponent.round())) } else { String::new() }
}

/// A colour as `egui` has it.
pub fn of(color: Color) -> Color32 {
    let [r, g, b, a] = color.0;
    Color32::from_rgba_unmultiplied(r, g, b, a)
}

/// Some charts beside each other; where not all fit one scrolls.
pub fn row(ui: &mut egui::Ui, charts: &[&Chart]) {
    let size = size_of(ui, charts.len());
    scroll(ui, |ui| charts.iter().for_each(|chart| chart.show(ui, size)));
}

/// The size of each of so many charts beside each other.
pub fn size_of(ui: &egui::Ui, charts: usize) -> egui::Vec2 {
    let count = ((ui.available_width() / 220.0) as usize).clamp(1, charts.max(1));
    let width = ui.available_width() / count as f32 - 8.0;
    let height =
        ui.available_height().clamp(80.0, (0.25 * ui.ctx().content_rect().height()).clamp(80.0, 170.0));
    egui::vec2(width, height)
}

/// A row that scrolls where it is too long.
pub fn scroll(ui: &mut egui::Ui, show: impl FnOnce(&mut egui::Ui)) {
    egui::ScrollArea::horizontal().show(ui, |ui| ui.horizontal(show));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_at_numbers_that_are_easy_to_read() {
        for (range, step) in
            [((0.0, 70.0), 20.0), ((-0.35, 0.25), 0.1), ((-15.0, 15.0), 5.0), ((0.0, 0.0), 0.0)]
        {
            let [large, _, small] = steps(range);
            assert!((large - step).abs() < 1e-9 && large == small, "{range:?}: {large}");
        }
    }
}
