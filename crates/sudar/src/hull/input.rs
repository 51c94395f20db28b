//! What points a hull is built of.

use std::borrow::Cow;

use glam::DVec3;
use thiserror::Error;

use crate::math::{binary_exponent, power_of_two};
use crate::shape::MAX_COORDINATE;

/// So many points a hull may be built of: they and the edges of their hull are numbered with 32 bits.
const MAX_POINTS: usize = 1 << 28;

/// Why a convex hull could not be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HullError {
    /// There is no point.
    #[error("a hull needs at least one point")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("point {index} has a coordinate that is not finite")]
    NotFinite {
        /// Index of the first such point.
        index: usize,
    },
    /// A coordinate is too large to be computed with.
    #[error("point {index} has a coordinate beyond 1e90; scale the points down")]
    TooLarge {
        /// Index of the first such point.
        index: usize,
    },
    /// There are more than 2²⁸: points and edges are numbered with 32 bits.
    #[error(
        "{count} points are more than {MAX_POINTS}; build the hulls of parts first and the hull of their vertices"
    )]
    TooMany {
        /// How many there are.
        count: usize,
    },
}

/// Below this size all coordinates are scaled up, so that products of three differences do not underflow, which
/// would be no mistake but leave everything to slow arithmetic.
const SMALL: f64 = 1e-50;

/// The box around points, with the first points that reach its sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub min: DVec3,
    pub max: DVec3,
    /// For each axis the first point of least coordinate.
    pub least: [u32; 3],
    /// For each axis the first point of greatest coordinate.
    pub greatest: [u32; 3],
}

/// The points ready to be computed with: checked, and scaled by a power of two where they are tiny.
pub(super) fn prepared(points: &[DVec3]) -> Result<(Cow<'_, [DVec3]>, Bounds), HullError> {
    check(points)?;
    let bounds = Bounds::of(points);
    let size = bounds.min.abs().max(bounds.max.abs()).max_element();
    if size >= SMALL || size == 0.0 {
        return Ok((Cow::Borrowed(points), bounds));
    }
    // To a size in [1, 2), in two steps because 2ᵏ alone may be too large for an f64. Scaling up is exact.
    let exponent = -binary_exponent(size);
    let (once, twice) = (power_of_two(exponent / 2), power_of_two(exponent - exponent / 2));
    let scaled = |p: DVec3| p * once * twice;
    let bounds = Bounds { min: scaled(bounds.min), max: scaled(bounds.max), ..bounds };
    Ok((points.iter().map(|&p| scaled(p)).collect(), bounds))
}

fn check(points: &[DVec3]) -> Result<(), HullError> {
    if points.is_empty() {
        return Err(HullError::Empty);
    }
    if points.len() > MAX_POINTS {
        return Err(HullError::TooMany { count: points.len() });
    }
    let limit = DVec3::splat(MAX_COORDINATE);
    match points.iter().position(|p| !p.abs().cmple(limit).all()) {
        None => Ok(()),
        Some(index) if points[index].is_finite() => Err(HullError::TooLarge { index }),
        Some(index) => Err(HullError::NotFinite { index }),
    }
}

impl Bounds {
    fn of(points: &[DVec3]) -> Self {
        let mut bounds =
            Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY, least: [0; 3], greatest: [0; 3] };
        for (i, p) in points.iter().enumerate() {
            if (p.cmplt(bounds.min) | p.cmpgt(bounds.max)).any() {
                bounds.grow(i as u32, *p);
            }
        }
        bounds
    }

    fn grow(&mut self, i: u32, p: DVec3) {
        for axis in 0..3 {
            if p[axis] < self.min[axis] {
                (self.min[axis], self.least[axis]) = (p[axis], i);
            }
            if p[axis] > self.max[axis] {
                (self.max[axis], self.greatest[axis]) = (p[axis], i);
            }
        }
    }

    /// The lengths of the sides, rounded.
    pub fn extent(&self) -> DVec3 {
        self.max - self.min
    }

    /// The points that reach the six sides, sorted.
    pub fn extremes(&self) -> Vec<u32> {
        let mut all = [self.least, self.greatest].concat();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_point_is_named() {
        let error = |points: &[DVec3]| prepared(points).unwrap_err();
        assert_eq!(error(&[]), HullError::Empty);
        let (nan, large) = (DVec3::new(0.0, f64::NAN, 0.0), DVec3::new(0.0, 0.0, -1.1e90));
        assert_eq!(error(&[DVec3::ONE, nan, large]), HullError::NotFinite { index: 1 });
        assert_eq!(error(&[large, nan]), HullError::TooLarge { index: 0 });
        assert_eq!(error(&[DVec3::INFINITY]), HullError::NotFinite { index: 0 });
        assert!(prepared(&[DVec3::splat(-1e90)]).is_ok());
    }

    #[test]
    fn tiny_points_are_scaled_exactly() {
        for size in [1e-51, 3e-300, f64::MIN_POSITIVE, f64::from_bits(1), f64::from_bits(5)] {
            let points = [DVec3::ZERO, DVec3::new(size, -size, 0.0)];
            let (scaled, bounds) = prepared(&points).unwrap();
            assert!((1.0..2.0).contains(&scaled[1].x) && scaled[1].y == -scaled[1].x, "{size}: {scaled:?}");
            assert_eq!((scaled[1].x.log2() - size.log2()).fract(), 0.0);
            assert_eq!((bounds.max.x, bounds.min.y, bounds.greatest), (scaled[1].x, scaled[1].y, [1, 0, 0]));
        }
    }
}
