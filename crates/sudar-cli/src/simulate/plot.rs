//! Energy over time as a figure.

use anyhow::Result;
use sudar::dynamics::Energy;

use super::Document;
use crate::report::short;
use crate::reproduce::axis::{Axis, Scale};
use crate::reproduce::figure::{Figure, Kind, Look, Panel, Series};

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

    pub fn svg(&self, document: &Document) -> Result<String> {
        let first = self.points.first().map_or(0.0, |(_, energies)| energies[2]);
        let most = self.points.iter().map(|(_, energies)| energies[0]).fold(first.abs(), f64::max);
        let change = |energies: &[f64; 3]| if most > 0.0 { (energies[2] - first) / most } else { 0.0 };
        let line = |number, kind, label: &str, value: &dyn Fn(&[f64; 3]) -> f64| Series {
            label: label.to_owned(),
            look: Look { number, kind },
            points: self.points.iter().map(|(time, energies)| (*time, value(energies))).collect(),
        };
        let time = Axis::new("time in s", Scale::Linear);
        let energies = Panel {
            title: "Energy".to_owned(),
            x: time.clone(),
            y: Axis::new("J", Scale::Linear),
            series: vec![
                line(0, Kind::Line, "kinetic", &|e| e[0]),
                line(1, Kind::Line, "potential", &|e| e[1]),
                line(2, Kind::DashedLine, "total", &|e| e[2]),
            ],
        };
        let changes = Panel {
            title: "Change of the total, relative".to_owned(),
            x: time,
            y: Axis::new("(E - first) / largest kinetic energy or |first|", Scale::Linear),
            series: vec![line(2, Kind::DashedLine, "total", &change)],
        };
        let Document { scene, bodies, steps, energy, .. } = document;
        let caption = format!(
            "{bodies} bodies, {steps} steps; largest relative change {}; largest depth {} m.",
            short(energy.largest_relative_change),
            short(document.deepest)
        );
        Figure {
            title: format!("Energy of {scene}"),
            panels: vec![energies, changes],
            caption: vec![caption],
        }
        .svg()
    }
}
