//! The angles of Andrews' squeezer over its time, beside the published ones.

use std::f64::consts::TAU;

use egui::Vec2;
use egui_plot::{AxisHints, Line, MarkerShape, PlotPoints, Points};
use sudar::dynamics::DynamicsError;
use sudar_scene::mechanisms::Squeezer;
use sudar_view::Color;

use crate::chart;

/// The end of the published solution, in seconds.
pub const END: f64 = 0.03;

/// The coordinates with their values at the end: Mazzia and Magherini 2008, "Test set for initial value problem
/// solvers", problem Andrews.
const PUBLISHED: [(&str, f64); 7] = [
    ("β", 15.810_771_196_299_04),
    ("Θ", -15.756_371_059_842_98),
    ("γ", 0.040_822_240_133_073_101),
    ("Φ", -0.534_730_116_322_694_8),
    ("δ", 0.524_409_965_880_530_4),
    ("Ω", 0.534_730_116_322_694_8),
    ("ε", 1.048_080_741_042_263),
];

/// The plots: two angles count turns of the crank, the others are small.
pub const PLOTS: [(&str, std::ops::Range<usize>); 2] =
    [("crank, in rad, over ms", 0..2), ("other angles, in rad, over ms", 2..7)];

/// The angles so far.
#[derive(Debug, Clone, Default)]
pub struct Angles {
    /// Seconds, and the seven coordinates with their whole turns.
    moments: Vec<(f64, [f64; 7])>,
}

impl Angles {
    /// Adds those of a moment.
    ///
    /// # Errors
    /// None in practice.
    pub fn add(&mut self, squeezer: &Squeezer) -> Result<(), DynamicsError> {
        let [mut angles, _] = squeezer.coordinates()?;
        if let Some((_, before)) = self.moments.last() {
            angles
                .iter_mut()
                .zip(before)
                .for_each(|(angle, old)| *angle += TAU * ((old - *angle) / TAU).round());
        }
        self.moments.push((squeezer.mechanism.world.time(), angles));
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// The largest difference from the published angles, once the end is reached.
    pub fn error(&self) -> Option<f64> {
        let (_, angles) = self.moments.last().filter(|(time, _)| is_end(*time))?;
        let off = angles.iter().zip(PUBLISHED).map(|(angle, (_, known))| (angle - known).abs());
        off.reduce(f64::max)
    }

    /// Draws one of the [`PLOTS`], so many points large.
    pub fn show(&self, ui: &mut egui::Ui, number: usize, size: Vec2) {
        let (title, shown) = PLOTS[number].clone();
        let color = |k: usize| chart::of(Color::cycle(k).mix(Color::WHITE, 0.3));
        ui.vertical(|ui| {
            ui.set_width(size.x);
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.small(title);
                for k in shown.clone() {
                    ui.label(egui::RichText::new(PUBLISHED[k].0).small().color(color(k)));
                }
            });
            let below = AxisHints::new_x().label_spacing(chart::SPACING);
            let plot = chart::still(title, size).include_x(0.0).include_x(1.05e3 * END);
            plot.custom_x_axes(vec![below]).custom_y_axes(vec![chart::marks()]).show(ui, |plot| {
                for k in shown {
                    let (name, known) = PUBLISHED[k];
                    let points = self.moments.iter().map(|(time, angles)| [1e3 * time, angles[k]]);
                    let line = Line::new(name, points.collect::<PlotPoints>());
                    plot.line(line.color(color(k)).width(1.5));
                    let mark = Points::new(name, PlotPoints::from([1e3 * END, known])).radius(5.0);
                    plot.points(mark.shape(MarkerShape::Diamond).color(color(k)));
                }
            });
        });
    }
}

/// Whether the published solution goes no farther.
pub fn is_end(time: f64) -> bool {
    time > END - 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar_scene::mechanisms::squeezer;

    #[test]
    fn angles_count_turns_and_end_as_published() {
        let mut squeezer = squeezer(4).unwrap();
        let mut angles = Angles::default();
        for _ in 0..300 {
            assert_eq!(angles.error(), None);
            squeezer.mechanism.world.step(1e-4).unwrap();
            angles.add(&squeezer).unwrap();
        }
        assert!(angles.error().unwrap() < 1e-3, "{:?}", angles.error());
    }
}
