//! How far two overlapping parts would have to be moved as a whole: the measures `penetration` and `box`.

use sudar::query::{Penetration, Placed, Work};
use sudar::{Aabb, DVec3, Interval};

/// Name of the measure of [`penetration_of`] in reports.
pub(crate) const PENETRATION: &str = "penetration";

/// Name of the measure of regions in reports.
pub(crate) const REGION: &str = "region";

/// Name of the measure of [`box_separation`] in reports.
pub(crate) const BOX: &str = "box";

/// The length of the least translation of `b` after which two bodies share no interior point, and its direction;
/// `None` if a budget left it open.
pub(crate) fn penetration_of(a: Placed, b: Placed, work: &mut Work<'_>) -> Option<(Interval, DVec3)> {
    let Penetration { signed, normal, .. } = work.penetration(a, b);
    let depth = Interval { lower: (-signed.upper).max(0.0), upper: -signed.lower };
    (depth.upper.is_finite() && depth.upper >= 0.0 && work.may_go_on()).then_some((depth, normal))
}

/// `v` made of length 1, whatever its size; `None` for zero.
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    if size == 0.0 || !size.is_finite() {
        return None;
    }
    (v / size).try_normalize()
}

/// The shortest translation of `b` along a world axis after which the boxes share no interior point: its
/// direction and its length, rounded up. Of equal lengths the first in the order +x −x +y −y +z −z counts.
pub(crate) fn box_separation(a: &Aabb, b: &Aabb) -> (DVec3, f64) {
    let mut best = (DVec3::X, f64::INFINITY);
    for (k, axis) in DVec3::AXES.into_iter().enumerate() {
        // Zero minus the axis and not its negation, whose zeros would be negative.
        let ways = [
            (axis, difference_up(a.max[k], b.min[k])),
            (DVec3::ZERO - axis, difference_up(b.max[k], a.min[k])),
        ];
        for (direction, length) in ways {
            if length < best.1 {
                best = (direction, length);
            }
        }
    }
    best
}

/// `x − y`, rounded up unless exact (the error term of Knuth's two-sum says which).
fn difference_up(x: f64, y: f64) -> f64 {
    let d = x - y;
    let part = d - x;
    let error = (x - (d - part)) - (y + part);
    if error > 0.0 { d.next_up() } else { d }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(x: f64) -> Aabb {
        Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) }
    }

    #[test]
    fn the_shortest_way_out_is_found_on_either_side() {
        // [0, 1] and [0.75, 1.75]: b moves on by 0.25. With the roles swapped it is b that moves back.
        assert_eq!(box_separation(&cube(0.0), &cube(0.75)), (DVec3::X, 0.25));
        assert_eq!(box_separation(&cube(0.75), &cube(0.0)), (-DVec3::X, 0.25));
        assert_eq!(box_separation(&cube(0.0), &cube(0.0)), (DVec3::X, 1.0));
    }

    #[test]
    fn the_length_is_never_rounded_down() {
        // 1 + 2⁻⁶⁰ does not fit in f64: the difference must be the next number above 1, or 1 if it is below.
        let tiny = 2f64.powi(-60);
        assert_eq!(difference_up(1.0, -tiny), 1f64.next_up());
        assert_eq!(difference_up(1.0, tiny), 1.0);
        assert_eq!(difference_up(0.75, 0.5), 0.25);
        assert_eq!(difference_up(tiny, -1.0), 1f64.next_up());
    }
}
