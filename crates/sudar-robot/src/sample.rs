//! Random configurations.

use sudar::Interval;

use crate::Robot;
use crate::pcg::Pcg;
use crate::robot::Dof;

impl Robot {
    /// Configurations at random within the limits, evenly and independently, the same for the same seed on every
    /// machine. Angles without limits are from −π to π, lengths without limits from −1 to 1 m.
    pub fn sample(&self, configurations: usize, seed: u64) -> Vec<f64> {
        let mut random = Pcg::new(seed);
        let ranges: Vec<Interval> = self.dofs.iter().map(range).collect();
        let one = |range: &Interval, x: f64| {
            (range.lower + x * (range.upper - range.lower)).clamp(range.lower, range.upper)
        };
        let mut q = Vec::with_capacity(configurations * ranges.len());
        for _ in 0..configurations {
            q.extend(ranges.iter().map(|range| one(range, random.number())));
        }
        q
    }
}

/// Where a number is sampled.
pub(crate) fn range(dof: &Dof) -> Interval {
    let most = if dof.is_angle { std::f64::consts::PI } else { 1.0 };
    let Interval { lower, upper } = dof.limits;
    match (lower.is_finite(), upper.is_finite()) {
        // Copies may leave nothing between the limits.
        (true, true) if lower <= upper => dof.limits,
        (true, true) => Interval::point(lower),
        (true, false) => Interval { lower, upper: lower + 2.0 * most },
        (false, true) => Interval { lower: upper - 2.0 * most, upper },
        (false, false) => Interval { lower: -most, upper: most },
    }
}
