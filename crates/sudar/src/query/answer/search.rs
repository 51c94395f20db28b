//! How narrow and how far a distance is searched, and why the search ended.

use crate::effort::StopReason;
use crate::math::Interval;

/// How narrow the interval of a distance has to be, and up to which distance it is of interest.
///
/// The search ends as soon as `upper − lower ≤ max(absolute, relative·upper)` or `lower > max`. Looser is faster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceOptions {
    /// Width that will do, as a length.
    pub absolute: f64,
    /// Width that will do, as a fraction of the upper end.
    pub relative: f64,
    /// Distances beyond this need not be known.
    pub max: f64,
}

impl DistanceOptions {
    /// As narrow as `f64` allows, at any distance.
    pub const EXACT: Self = Self { absolute: 0.0, relative: 0.0, max: f64::INFINITY };

    /// As narrow as `f64` allows, but only that it is more if it is more than `max`.
    pub const fn up_to(max: f64) -> Self {
        Self { max, ..Self::EXACT }
    }

    /// Whether an interval is narrow enough.
    pub(crate) fn accepts(&self, interval: Interval) -> bool {
        interval.width() <= self.absolute.max(self.relative * interval.upper)
    }

    /// Without what is no number: no width and no limit can be NaN or below zero.
    #[inline]
    pub(crate) fn checked(&self) -> Self {
        let max = if self.max.is_nan() { f64::INFINITY } else { self.max };
        // `f64::max` prefers the number to NaN.
        Self { absolute: self.absolute.max(0.0), relative: self.relative.max(0.0), max }
    }
}

impl Default for DistanceOptions {
    fn default() -> Self {
        Self::EXACT
    }
}

/// What a search is for.
#[derive(Clone, Copy)]
pub(in crate::query) struct Aim {
    /// How narrow, and up to which distance.
    pub search: DistanceOptions,
    /// What is certainly no farther apart than this is enough; below zero, only what meets.
    pub enough: f64,
}

impl Aim {
    /// The distance.
    pub fn distance(search: DistanceOptions) -> Self {
        Self { search, enough: -1.0 }
    }

    /// Whether it is at most a tolerance, for certain.
    pub fn within(tolerance: f64) -> Self {
        Self { search: DistanceOptions::up_to(tolerance), enough: tolerance }
    }

    /// Whether the question is only whether something is near enough.
    pub fn is_yes_or_no(&self) -> bool {
        self.enough >= 0.0
    }

    /// Whether no more need be known of a distance than that it lies in the interval.
    pub fn accepts(&self, known: Interval) -> bool {
        if self.is_yes_or_no() {
            return known.upper <= self.enough || known.lower > self.enough;
        }
        self.search.accepts(known)
    }
}

/// Why an interval is no narrower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum DistanceEnd {
    /// It is as narrow as `f64` gives it: up to a thousand units in the last place of the bodies' coordinates.
    Exact,
    /// It is as narrow as requested.
    Tolerance,
    /// The distance is certainly more than the requested `max`. The points need not be the nearest.
    BeyondMax,
    /// The search stopped before any of these.
    #[cfg_attr(feature = "serde", serde(untagged))]
    Stopped(StopReason),
}

impl DistanceEnd {
    /// Of a distance or a depth that was searched for among coordinates of the size `reach`; a budget may have stopped
    /// the search.
    pub fn of(interval: Interval, search: &DistanceOptions, reach: f64, stopped: bool) -> Self {
        Self::among(interval, search, || reach, stopped)
    }

    /// The same, with a size that few intervals ask for.
    #[inline]
    pub(in crate::query) fn among(
        interval: Interval,
        search: &DistanceOptions,
        reach: impl FnOnce() -> f64,
        stopped: bool,
    ) -> Self {
        let rounding = |width: f64, size: f64| width <= 1024.0 * f64::EPSILON * size;
        let (size, width) = (interval.upper.abs().max(interval.lower.abs()), interval.width());
        if interval.lower > search.max {
            Self::BeyondMax
        } else if width.is_nan() || rounding(width, size) || rounding(width, reach()) {
            Self::Exact
        } else if width <= search.absolute.max(search.relative * size) {
            Self::Tolerance
        } else if stopped {
            Self::Stopped(StopReason::Budget)
        } else {
            Self::Stopped(StopReason::Precision)
        }
    }
}
