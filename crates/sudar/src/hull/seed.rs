//! Four points to begin with, or the proof that there are none.

use glam::DVec3;

use super::input::Bounds;
use crate::math::{Sign, orient3d};
use crate::shape::collinear;

/// The affine hull of the points, spanned by some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seed {
    /// All points are equal.
    Point,
    /// All points are collinear.
    Line,
    /// All points are coplanar; these three are not collinear.
    Plane([u32; 3]),
    /// These are not coplanar: the last is below the plane of the first three, which turn counter-clockwise seen
    /// from above.
    Space([u32; 4]),
}

impl Seed {
    /// Four points far apart if `among` holds such, otherwise any four; exact. A few comparisons, unless the points
    /// are flat: then exact arithmetic on all of them.
    pub fn of(points: &[DVec3], bounds: &Bounds, among: &[u32]) -> Self {
        let extent = bounds.extent();
        let axis = extent.max_position();
        if extent[axis] <= 0.0 {
            return Self::Point;
        }
        let at = |i: u32| points[i as usize] / extent[axis];
        let (a, b) = (bounds.least[axis], bounds.greatest[axis]);
        let off_line = |i: u32| (at(b) - at(a)).cross(at(i) - at(a)).length_squared();
        let is_off_line = |i: u32| !collinear(points[a as usize], points[b as usize], points[i as usize]);
        let Some(c) = farthest(points.len(), among, off_line, is_off_line) else { return Self::Line };
        let normal = (at(b) - at(a)).cross(at(c) - at(a));
        let side =
            |i: u32| orient3d(points[a as usize], points[b as usize], points[c as usize], points[i as usize]);
        let off_plane = |i: u32| normal.dot(at(i) - at(a)).abs();
        let Some(d) = farthest(points.len(), among, off_plane, |i| side(i) != Sign::Zero) else {
            return Self::Plane([a, b, c]);
        };
        Self::Space(if side(d) == Sign::Negative { [a, b, c, d] } else { [a, c, b, d] })
    }

    /// As [`Seed::of`] with the first points that will do.
    pub fn first(points: &[DVec3]) -> Self {
        let find = |good: &dyn Fn(DVec3) -> bool| points.iter().position(|&p| good(p)).map(|i| i as u32);
        let at = |i: u32| points[i as usize];
        let Some(b) = find(&|p| p != points[0]) else { return Self::Point };
        let Some(c) = find(&|p| !collinear(points[0], at(b), p)) else { return Self::Line };
        let side = |p| orient3d(points[0], at(b), at(c), p);
        let Some(d) = find(&|p| side(p) != Sign::Zero) else { return Self::Plane([0, b, c]) };
        Self::Space(if side(at(d)) == Sign::Negative { [0, b, c, d] } else { [0, c, b, d] })
    }
}

/// The point of `among` with the greatest measure if it is really good, otherwise the first good one of all.
fn farthest(
    count: usize,
    among: &[u32],
    measure: impl Fn(u32) -> f64,
    good: impl Fn(u32) -> bool,
) -> Option<u32> {
    let best =
        among.iter().copied().map(|i| (measure(i), i)).max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)));
    let first = || (0..count as u32).find(|&i| good(i));
    best.map(|(_, i)| i).filter(|&i| good(i)).or_else(first)
}

#[cfg(test)]
mod tests {
    use super::super::input::prepared;
    use super::*;

    fn seeds(points: &[DVec3]) -> [Seed; 2] {
        let (points, bounds) = prepared(points).unwrap();
        [Seed::of(&points, &bounds, &bounds.extremes()), Seed::first(&points)]
    }

    #[test]
    fn dimensions_are_told_apart_to_the_last_bit() {
        let third = DVec3::splat(1.0 / 3.0);
        assert_eq!(seeds(&[third; 5]), [Seed::Point; 2]);
        // t·(1, 2, 4) for powers of two t is exact.
        let mut points: Vec<_> = (-5..5).map(|k| DVec3::new(1.0, 2.0, 4.0) * 2.0_f64.powi(k)).collect();
        assert_eq!(seeds(&points), [Seed::Line; 2]);
        points.push(DVec3::new(1.0, 2.0, 4.0_f64.next_up()));
        assert!(seeds(&points).iter().all(|s| matches!(s, Seed::Plane(_))));
        points.push(DVec3::new(1.0_f64.next_down(), 2.0, 4.0));
        for seed in seeds(&points) {
            let Seed::Space(corners) = seed else { panic!("{seed:?}") };
            let [a, b, c, d] = corners.map(|i| points[i as usize]);
            assert_eq!(orient3d(a, b, c, d), Sign::Negative);
        }
    }
}
