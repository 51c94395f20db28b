//! Two balls at constant velocities.

use glam::DVec3;

use crate::math::Interval;
use crate::pair::ray_sphere;
use crate::shape::{Ray, Sphere};

/// The first time from 0 to `until` at which two balls touch that move at constant velocities; 0 if they
/// overlap at the beginning.
///
/// As seen from the first ball the centre of the second is a ray, and the balls touch where it enters the
/// ball whose radius is the sum of both (Huotari 2011, chapter 6.1). Accurate to a few ulp, near tangents to
/// eleven digits; for an interval with proof use [`sweep`](fn@crate::query::sweep).
///
/// ```
/// use sudar::motion::moving_spheres;
/// use sudar::{DVec3, Sphere};
///
/// let ball = |x| Sphere::new(DVec3::X * x, 1.0);
/// let time = moving_spheres(&ball(0.0)?, DVec3::X, &ball(5.0)?, -DVec3::X, 10.0);
/// assert_eq!(time, Some(1.5));
/// # Ok::<(), sudar::ShapeError>(())
/// ```
pub fn moving_spheres(
    a: &Sphere,
    velocity_a: DVec3,
    b: &Sphere,
    velocity_b: DVec3,
    until: f64,
) -> Option<f64> {
    let sum = Sphere { center: a.center, radius: a.radius + b.radius };
    entry(&sum, b.center, velocity_b - velocity_a, until)
}

/// When a point enters a ball.
pub(crate) fn entry(ball: &Sphere, origin: DVec3, velocity: DVec3, until: f64) -> Option<f64> {
    if velocity == DVec3::ZERO {
        return crate::pair::sphere_point(ball, origin).then_some(0.0);
    }
    ray_sphere(&Ray { origin, direction: velocity }, ball, until).map(|hit| hit.t)
}

/// When a ball on a line enters the one around the origin, for certain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Entry {
    /// It does not.
    Never,
    /// Not before the lower end; by the upper end it has entered, or come as near as it ever does.
    Within(Interval),
    /// They overlap now or nearly so, or the numbers are out of range.
    Open,
}

/// Squares of sizes whose fourth powers are far from the ends of the range.
const SQUARES: std::ops::Range<f64> = 1e-130..1e140;

/// When a point at `from` with a constant velocity enters the ball of a radius around the origin, both off by
/// no more than `slack`.
///
/// With `a` the square of the speed, `along` the way to where the centre is nearest times the speed and `miss` its
/// distance there times the speed, squared: the times are `(along ∓ √(r²·a − miss)) / a`. These are the exact ones of a
/// point and a radius that are off by a few roundings, so that a slightly larger ball is entered no later and a
/// slightly smaller one no earlier, however near to a tangent the way is.
#[inline]
pub(crate) fn certain_entry(from: DVec3, velocity: DVec3, radius: f64, slack: f64) -> Entry {
    let (a, square) = (velocity.length_squared(), from.length_squared());
    if !SQUARES.contains(&a) || !SQUARES.contains(&square) || radius > 1e70 {
        return Entry::Open;
    }
    let (along, miss) = (-from.dot(velocity), from.cross(velocity).length_squared());
    // At least 32 roundings of distance and radius. The cross product, what is under the roots and the product along
    // the velocity are off by fewer than eight each.
    let doubt = slack + 16.0 * f64::EPSILON * (from.abs().element_sum() + radius);
    let (outer, inner) = (radius + 2.0 * doubt, radius - 2.0 * doubt);
    let chord = outer * outer * a - miss;
    if square <= outer * outer {
        return Entry::Open;
    }
    let speed = a.sqrt();
    if along < -doubt * speed || chord < 0.0 {
        return Entry::Never;
    }
    let half = if inner > 0.0 { (inner * inner * a - miss).max(0.0).sqrt() } else { 0.0 };
    let (inverse, doubt) = (1.0 / a, doubt * speed);
    // A reciprocal of a sum of three squares, and a product.
    let time = |way: f64, side: f64| way * inverse * (1.0 + side * 4.0 * f64::EPSILON);
    let lower = time(along - chord.sqrt() - doubt, -1.0).max(0.0);
    Entry::Within(Interval { lower, upper: time(along - half + doubt, 1.0).max(lower) })
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::testing::Random;

    #[test]
    fn certain_entries_hold_the_exact_ones() {
        // Along x past the origin at height m a ball of radius 1 is entered at −√(1 − m²).
        for (k, miss) in [0.0, 0.5, 0.6, 0.8, 1.0 - 1e-9, 1.0 - 1e-14, 1.0].into_iter().enumerate() {
            for scale in [1.0, 1e-40, 1e40] {
                let from = DVec3::new(-5.0, miss, 0.0) * scale;
                let found = certain_entry(from, DVec3::X * scale, scale, 0.0);
                let exact = 5.0 - ((1.0 - miss) * (1.0 + miss)).sqrt();
                let Entry::Within(time) = found else { panic!("{k}: {found:?}") };
                assert!(
                    time.lower <= exact && exact <= time.upper && time.width() < 1e-6,
                    "{k}: {time:?} {exact}"
                );
            }
        }
        assert_eq!(certain_entry(DVec3::new(-5.0, 1.0 + 1e-12, 0.0), DVec3::X, 1.0, 0.0), Entry::Never);
        assert_eq!(certain_entry(DVec3::new(-5.0, 0.0, 0.0), -DVec3::X, 1.0, 0.0), Entry::Never);
        assert_eq!(certain_entry(DVec3::new(-0.5, 0.0, 0.0), DVec3::X, 1.0, 0.0), Entry::Open);
        assert_eq!(certain_entry(DVec3::new(-5.0, 0.0, 0.0), DVec3::ZERO, 1.0, 0.0), Entry::Open);
    }

    #[test]
    fn certain_entries_agree_with_the_ray_of_the_ball() {
        let mut rng = Random::new(8);
        let mut hits = 0;
        for _ in 0..20_000 {
            let mut v = |s: f64| rng.point() * s;
            let (from, velocity) = (v(3.0), v(2.0));
            let ball = Sphere { center: DVec3::ZERO, radius: 1.0 };
            let exact = entry(&ball, from, velocity, f64::INFINITY);
            match (certain_entry(from, velocity, 1.0, 0.0), exact) {
                (Entry::Within(time), Some(exact)) => {
                    hits += 1;
                    assert!(time.lower <= exact && exact <= time.upper, "{time:?} {exact}");
                }
                (Entry::Within(_), None) => panic!("{from} {velocity}"),
                (Entry::Never, found) => assert_eq!(found, None),
                (Entry::Open, _) => assert!(from.length() < 1.0 + 1e-12),
            }
        }
        assert!(hits > 200, "{hits}");
    }
}
