//! Energy over time as a figure.

use sudar::dynamics::Energy;
use sudar_reproduce::{Axis, Figure, Panel, Series};

/// Points of a curve that a figure can show.
const MOST: usize = 1000;

/// Energies of all steps, thinned as they become many.
#[derive(Debug)]
pub struct Curve {
    points: Vec<(f64, [f64; 3])>,
    stride: usize,
    seen: usize,
}

impl Default for Curve {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1, seen: 0 }
    }
}

impl Curve {
    pub fn add(&mut self, time: f64, energy: &Energy) {
        if self.seen.is_multiple_of(self.stride) {
            self.points.push((time, [energy.kinetic, energy.potential, energy.total()]));
        }
        self.seen += 1;
        if self.points.len() > 2 * MOST {
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// The figure; the caption covers the whole run.
    pub fn figure(&self, scene: &str, caption: &str) -> Figure {
        let first = self.points.first().map_or(0.0, |(_, energies)| energies[2]);
        let most = self.points.iter().map(|(_, energies)| energies[0]).fold(first.abs(), f64::max);
        let change = |energies: &[f64; 3]| if most > 0.0 { (energies[2] - first) / most } else { 0.0 };
        let points = |value: &dyn Fn(&[f64; 3]) -> f64| {
            self.points.iter().map(|(time, energies)| (*time, value(energies))).collect()
        };
        let energies = vec![
            Series::line("kinetic", 0, points(&|e| e[0])),
            Series::line("potential", 1, points(&|e| e[1])),
            Series::dashed("total", 2, points(&|e| e[2])),
        ];
        let changes = vec![Series::dashed("total", 2, points(&change))];
        let time = || Axis::linear("time in s");
        let relative = Axis::linear("(E - first) / largest kinetic energy or |first|");
        let panels = vec![
            Panel::new("Energy", time(), Axis::linear("J"), energies),
            Panel::new("Change of the total, relative", time(), relative, changes),
        ];
        Figure::new(format!("Energy of {scene}"), panels, &[caption])
    }
}
