//! What the tests of rays with round bodies share: the part of a line that is inside a slab or a ball.

use glam::DVec3;

use super::ray_aabb::EntryPoint;
use crate::math::exact::{rational, rounded};
use crate::math::{Rational, RationalVec3};
use crate::pair::exact_distance::compare_squares;
use crate::pair::nearest::length;
use crate::shape::Ray;

/// The hit of a ray that starts inside or on the boundary.
pub(crate) const START: EntryPoint = EntryPoint { t: 0.0, normal: DVec3::ZERO };

/// Depth below the surface, in radii, from which a line needs no exact arithmetic: at this depth
/// plain `f64` still gives the chord nine digits.
const NEAR_TANGENT: f64 = 1e-6;

/// The points of a line with parameters from `enter` to `exit`, which may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chord {
    pub enter: f64,
    pub exit: f64,
}

impl Chord {
    /// The whole line.
    pub const ALL: Self = Self { enter: f64::NEG_INFINITY, exit: f64::INFINITY };

    /// What a line has between `−half` and `half` in one coordinate, in which it starts at `origin`.
    pub fn slab(origin: f64, direction: f64, half: f64) -> Option<Self> {
        if direction == 0.0 {
            return (origin.abs() <= half).then_some(Self::ALL);
        }
        let (p, q) = ((-half - origin) / direction, (half - origin) / direction);
        Some(Self { enter: p.min(q), exit: p.max(q) })
    }

    /// What the line from `p` along `direction`, not zero, has inside the unit ball around the origin, tangents
    /// included. `square` is that of half the chord, exactly: for lines that pass near the surface.
    pub fn unit_ball(p: DVec3, direction: DVec3, square: impl FnOnce() -> Rational) -> Option<Self> {
        let speed = length(direction);
        let unit = direction / speed;
        let (middle, passes) = (-unit.dot(p), length(unit.cross(p)));
        let doubt = 16.0 * f64::EPSILON * p.abs().max_element();
        if passes > 1.0 + doubt {
            return None;
        }
        let half = if passes > 1.0 - doubt.max(NEAR_TANGENT) {
            let square = rounded(&square());
            if square < 0.0 {
                return None;
            }
            square.sqrt()
        } else {
            ((1.0 - passes) * (1.0 + passes)).sqrt()
        };
        Some(Self { enter: (middle - half) / speed, exit: (middle + half) / speed })
    }

    /// What the line has in the cylinder without ends around the z axis.
    pub fn tube(ray: &Ray, radius: f64) -> Option<Self> {
        let flat = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
        let (origin, direction) = (flat(ray.origin), flat(ray.direction));
        if direction / radius == DVec3::ZERO {
            return in_tube(origin, radius).then_some(Self::ALL);
        }
        Self::unit_ball(origin / radius, direction / radius, || half_chord_squared(origin, direction, radius))
    }

    /// What is in both, if that is anything.
    pub fn and(self, other: Self) -> Option<Self> {
        let (enter, exit) = (self.enter.max(other.enter), self.exit.min(other.exit));
        (enter <= exit).then_some(Self { enter, exit })
    }

    /// Where a ray that starts outside comes in: rounding may have put that before the start.
    pub fn entry(self) -> Option<f64> {
        (self.exit >= 0.0).then_some(self.enter.max(0.0))
    }
}

/// The ray with a direction whose largest coordinate is 1, so that it can be divided by lengths of any size, and what
/// its parameters are to be divided by.
pub(crate) fn steady(ray: &Ray) -> (Ray, f64) {
    let speed = ray.direction.abs().max_element();
    (Ray { direction: ray.direction / speed, ..*ray }, speed)
}

/// The square of half the chord of a line in a disc, in radii. Exact.
fn half_chord_squared(origin: DVec3, direction: DVec3, radius: f64) -> Rational {
    let (origin, direction, radius) =
        (RationalVec3::from(origin), RationalVec3::from(direction), rational(radius));
    let across = origin.cross(&direction);
    rational(1.0) - across.dot(&across) / (direction.dot(&direction) * &radius * &radius)
}

/// Whether the point is at most so far from the z axis. Exact.
pub(crate) fn in_tube(p: DVec3, radius: f64) -> bool {
    compare_squares(p.x * p.x + p.y * p.y, radius * radius).unwrap_or_else(|| {
        let radius = rational(radius);
        across_squared(p) <= &radius * &radius
    })
}

/// `x² + y²`. Exact.
pub(crate) fn across_squared(p: DVec3) -> Rational {
    let (x, y) = (rational(p.x), rational(p.y));
    &x * &x + &y * &y
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn a_line_that_leaves_the_unit_ball_between_two_numbers() {
        let square = || rational(0.0);
        let through = Chord::unit_ball(DVec3::new(-3.0, 0.6, 0.0), DVec3::X * 2.0, square);
        assert!(through.is_some_and(|c| (c.enter - 1.1).abs() < 1e-15 && (c.exit - 1.9).abs() < 1e-15));
        assert_eq!(Chord::unit_ball(DVec3::new(-3.0, 1.1, 0.0), DVec3::X, square), None);
        let touching = Chord::unit_ball(DVec3::new(-3.0, 1.0, 0.0), DVec3::X, square);
        assert_eq!(touching, Some(Chord { enter: 3.0, exit: 3.0 }));
        assert_eq!(Chord::slab(3.0, -2.0, 1.0), Some(Chord { enter: 1.0, exit: 2.0 }));
    }

    /// Compares a ray test of a convex body with the least value of `outside` along the ray, found by ternary search:
    /// a function that is convex, at most zero just inside, and changes about as fast as the distance does. Rays are
    /// thrown at random from about `size` away; the point of entry must be on the surface within 1e-12 of that.
    pub(crate) fn agrees_with_search(
        size: DVec3,
        test: impl Fn(&Ray) -> Option<EntryPoint>,
        outside: impl Fn(DVec3) -> f64,
    ) {
        let mut random = Random::new(size.max_element().to_bits());
        let mut seen = [0, 0];
        for case in 0..3000 {
            let (start, mut target) = (random.point() * size * 3.0, random.point() * size);
            if case % 5 == 0 {
                target[case % 3] = start[case % 3];
            }
            let ray =
                Ray { origin: start, direction: (target - start) * f64::powi(10.0, case as i32 % 21 - 10) };
            let scale = f64::powi(10.0, 10 - case as i32 % 21);
            let at = |s: f64| start + (target - start) * s;
            let (mut low, mut high) = (0.0, 8.0);
            for _ in 0..200 {
                let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if outside(at(p)) < outside(at(q)) { high = q } else { low = p }
            }
            let least = outside(at(low)).min(outside(start));
            // Only so far does the search go.
            let found = test(&ray).filter(|hit| hit.t / scale <= 8.0);
            seen[usize::from(found.is_some())] += 1;
            let reach = size.min_element() + start.abs().max_element();
            if least.abs() > 1e-12 * reach {
                assert_eq!(found.is_some(), least < 0.0, "{ray:?} {least}");
            }
            let Some(hit) = found else { continue };
            let p = at(hit.t / scale);
            if hit.normal == DVec3::ZERO {
                assert!(hit.t == 0.0 && outside(start) <= 1e-12 * reach);
                continue;
            }
            assert!(outside(p).abs() <= 1e-12 * reach, "{ray:?} {hit:?} {}", outside(p));
            assert!(
                (hit.normal.length() - 1.0).abs() < 1e-14
                    && hit.normal.dot(ray.direction) <= 1e-9 * ray.direction.length()
            );
            let mid = at(low.max(hit.t / scale));
            // The body is on the inner side of the tangent plane.
            assert!(hit.normal.dot(mid - p) <= 1e-9 * reach || outside(mid) > 0.0);
        }
        assert!(seen.iter().all(|&n| n > 300), "{seen:?}");
    }
}
