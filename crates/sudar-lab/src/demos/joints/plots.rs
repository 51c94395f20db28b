//! The curves below the picture: gaps, energy, and the angles of the squeezer.

use super::angles::{Angles, PLOTS};
use super::subject::{Bodies, Subject};
use crate::chart::{self, Chart};
use crate::demo::{DemoError, Plots};

/// The largest gap, and the energy, over the last seconds; the angles since the start.
pub struct Curves {
    charts: [Chart; 2],
    /// Joules of its unit, and the potential energy at the start.
    energy: [f64; 2],
    pub angles: Angles,
}

impl Curves {
    pub fn new(subject: &Subject, bodies: &Bodies) -> Result<Self, DemoError> {
        let (unit, title) = subject.energy;
        let mut gaps = Chart::new("largest gap in nm", &["gap"]);
        gaps.set_logarithmic(true);
        let energy = Chart::new(title, &["kinetic", "potential", "total"]);
        let mut angles = Angles::default();
        if let Bodies::Squeezer(squeezer) = bodies {
            angles.add(squeezer).map_err(DemoError::of)?;
        }
        let start = bodies.world().energy().potential;
        Ok(Self { charts: [gaps, energy], energy: [unit, start], angles })
    }

    /// Adds those of a step after which the largest gap is of so many metres.
    pub fn add(&mut self, bodies: &Bodies, gap: f64) -> Result<(), DemoError> {
        let (time, energy, [unit, start]) = (bodies.world().time(), bodies.world().energy(), self.energy);
        let parts = [energy.kinetic, energy.potential - start, energy.total() - start];
        // Smaller ones are rounding.
        self.charts[0].add(time, &[(1e9 * gap).max(1e-3)]);
        self.charts[1].add(time, &parts.map(|part| part / unit));
        match bodies {
            Bodies::Squeezer(squeezer) => self.angles.add(squeezer).map_err(DemoError::of),
            Bodies::Scene(_) | Bodies::Robot(_) => Ok(()),
        }
    }

    pub fn plots(&self) -> Plots<'_> {
        if self.angles.is_empty() {
            return Plots::Charts(self.charts.iter().collect());
        }
        Plots::Own(Box::new(|ui| {
            let size = chart::size_of(ui, PLOTS.len() + self.charts.len());
            chart::scroll(ui, |ui| {
                (0..PLOTS.len()).for_each(|number| self.angles.show(ui, number, size));
                self.charts.iter().for_each(|chart| chart.show(ui, size));
            });
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::joints::choice::Choice;

    #[test]
    fn energy_begins_at_nothing() {
        let subject = Subject::by_name("cloth");
        let bodies = subject.make(&Choice { knots: 4, ..Choice::default() }, None).unwrap();
        let curves = Curves::new(subject, &bodies).unwrap();
        assert_eq!(bodies.world().energy().total(), curves.energy[1]);
        assert!(matches!(curves.plots(), Plots::Charts(charts) if charts.len() == 2));
    }
}
