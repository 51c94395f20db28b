//! "Reproduce this figure": buttons, progress and plots.

use egui_plot::{Legend, Line, MarkerShape, Plot, PlotPoints, Points};
use sudar_view::Color;

use super::crowd::Crowd;
use super::sweep::{Along, FIGURES, Sweep};
use crate::chart;
use crate::clock::Clock;

/// Milliseconds of measuring in a frame of the window, about.
const SLICE: f64 = 0.03;

/// A figure that is measured, or has been.
pub struct Shown {
    sweep: Sweep,
    problem: Option<String>,
}

impl Shown {
    /// Goes on measuring; `frame`: seconds of the last frame, if there was a picture since the last step.
    pub fn step(&mut self, clock: Clock, frame: Option<f64>) {
        let start = clock.now();
        if let Some(frame) = frame {
            self.sweep.frame = frame;
        } else if self.sweep.shown().is_some() {
            return;
        }
        loop {
            if self.sweep.is_done() || self.problem.is_some() {
                return;
            }
            self.problem = self.sweep.step(clock).err();
            // What is drawn is measured with a picture for each step.
            if self.sweep.shown().is_some() || clock.0.is_none() || clock.now() - start > SLICE {
                return;
            }
        }
    }

    /// What is to be drawn.
    pub fn crowd(&self) -> Option<&Crowd> {
        self.sweep.shown()
    }
}

/// The buttons.
pub fn choose(ui: &mut egui::Ui, shown: &mut Option<Shown>) {
    ui.strong("Reproduce a figure of 2019");
    ui.horizontal_wrapped(|ui| {
        for figure in FIGURES {
            if ui.button(figure.number).on_hover_text(figure.title).clicked() {
                *shown = Some(Shown { sweep: Sweep::new(figure), problem: None });
            }
        }
    });
    if let Some(now) = shown {
        ui.label(format!("Figure {}: {}", now.sweep.figure.number, now.sweep.figure.title));
        if let Some(problem) = &now.problem {
            ui.colored_label(chart::of(Color::ORANGE), problem);
        }
        now.sweep.remarks().for_each(|says| drop(ui.label(says)));
        ui.add(egui::ProgressBar::new(now.sweep.part() as f32).show_percentage());
        if ui.button("Back to the explorer").clicked() {
            *shown = None;
        }
    }
}

/// The curves, with what the source gives beside them.
pub fn show(ui: &mut egui::Ui, shown: &Shown) {
    let sweep = &shown.sweep;
    let below = match sweep.figure.along {
        Along::Objects(_) => "objects",
        Along::Leaves(..) => "most objects in a leaf",
        Along::Gathering(_) | Along::Feedback(_) => "seconds",
    };
    let height = (0.36 * ui.ctx().content_rect().height()).clamp(150.0, 400.0);
    let plot = Plot::new(("figure", sweep.figure.number))
        .height(height)
        .legend(Legend::default().position(egui_plot::Corner::LeftTop).background_alpha(0.4))
        .x_axis_label(below)
        .y_axis_label("frame in 1/60 s")
        .include_y(0.0)
        .include_x(0.0)
        .allow_scroll(false);
    plot.show(ui, |plot| {
        for (i, ((name, ..), points)) in sweep.figure.curves.iter().zip(&sweep.curves).enumerate() {
            let color = chart::of(Color::cycle(i));
            plot.line(
                Line::new(*name, points.iter().copied().collect::<PlotPoints>()).color(color).width(2.0),
            );
            // Of one point there is no line.
            let dots: PlotPoints = points.iter().copied().collect();
            plot.points(Points::new(*name, dots).radius(3.0).color(color));
        }
        for (name, points) in sweep.figure.published {
            let points: PlotPoints = points.iter().copied().collect();
            let mark = Points::new(*name, points).radius(6.0).shape(MarkerShape::Diamond);
            plot.points(mark.color(egui::Color32::WHITE));
        }
        if !matches!(sweep.figure.along, Along::Feedback(_)) {
            for (name, level) in [("60 frames a second", 1.0), ("30 frames a second", 2.0)] {
                let ends = [0.0, end(sweep)].map(|along| [along, level]);
                let line = Line::new(name, ends.into_iter().collect::<PlotPoints>());
                plot.line(line.color(chart::of(Color::STONE)).width(1.0));
            }
        } else {
            let most = sweep.swaps.iter().map(|[_, n]| *n).fold(1.0, f64::max);
            let top = sweep.curves.iter().flatten().map(|[_, dt]| *dt).fold(0.1, f64::max);
            let scaled: PlotPoints = sweep.swaps.iter().map(|[time, n]| [*time, n / most * top]).collect();
            plot.line(Line::new(format!("swaps, of {most:.0}"), scaled).color(chart::of(Color::VERMILION)));
        }
    });
}

/// How far a figure goes along its axis.
fn end(sweep: &Sweep) -> f64 {
    let measured = sweep.curves.iter().flatten();
    let published = sweep.figure.published.iter().flat_map(|(_, points)| *points);
    measured.chain(published).map(|[along, _]| *along).fold(0.0, f64::max)
}
