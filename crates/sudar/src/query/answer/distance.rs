//! A distance, and what it is made of on the way there.

use glam::DVec3;

use super::search::{DistanceEnd, DistanceOptions};
use crate::math::Interval;
use crate::pair::Nearest;

/// The distance of two bodies and where it is attained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// Holds the true distance; zero exactly if the bodies have a point in common.
    pub interval: Interval,
    /// Nearest point of the first body, on its feature up to rounding.
    pub point_a: DVec3,
    /// Nearest point of the second body.
    pub point_b: DVec3,
    /// The triangles these lie on, 0 for other shapes.
    pub features: [u32; 2],
    /// Why the interval is no narrower. Unless it is as narrow as can be, the points need not be the nearest; they are
    /// points of the bodies all the same, `interval.upper` apart.
    pub end: DistanceEnd,
}

/// A pair of points with bounds on the distance: on its way to a [`Distance`].
#[derive(Clone, Copy)]
pub(in crate::query) struct Found {
    pub nearest: Nearest,
    pub interval: Interval,
    pub features: [u32; 2],
}

impl Found {
    /// The distance of bodies with coordinates of the size `reach`, as the options say.
    #[inline]
    pub fn answer(self, search: &DistanceOptions, reach: impl FnOnce() -> f64, stopped: bool) -> Distance {
        self.ended(self.end(search, reach, stopped))
    }

    /// Why the search for it ended.
    #[inline]
    pub fn end(&self, search: &DistanceOptions, reach: impl FnOnce() -> f64, stopped: bool) -> DistanceEnd {
        DistanceEnd::among(self.interval, search, reach, stopped)
    }

    /// The distance, of which it is known why its search ended.
    #[inline]
    pub fn ended(&self, end: DistanceEnd) -> Distance {
        let Nearest { a, b, .. } = self.nearest;
        Distance { interval: self.interval, point_a: a, point_b: b, features: self.features, end }
    }

    /// From two points that are the nearest up to rounding of coordinates of this size.
    pub fn rounded(a: DVec3, b: DVec3, features: [u32; 2], reach: f64) -> Self {
        let nearest = Nearest::between(a, b);
        let interval = Interval::point(nearest.distance()).widened(rounding(reach));
        // The bodies are known to be apart.
        let interval = Interval { lower: interval.lower.max(0.0), ..interval };
        Self { nearest, interval, features }
    }

    pub fn swapped(self) -> Self {
        let [i, j] = self.features;
        Self { nearest: self.nearest.swapped(), features: [j, i], ..self }
    }

    /// A point of both bodies.
    pub fn at(point: DVec3, features: [u32; 2]) -> Self {
        Self { nearest: Nearest::between(point, point), interval: Interval::point(0.0), features }
    }

    /// The second body has no numbered features.
    pub fn of_first(self) -> Self {
        Self { features: [self.features[0], 0], ..self }
    }
}

/// Bound on the error of a distance between points computed from coordinates of this size.
pub(in crate::query) fn rounding(reach: f64) -> f64 {
    64.0 * f64::EPSILON * reach
}
