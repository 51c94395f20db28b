//! How far points of a moving body get in an interval of time.

use glam::DVec3;

use super::Motion;
use crate::math::{Interval, length};
use crate::shape::Aabb;

/// Relative rounding of the sums and products here.
const ROUNDED: f64 = 1.0 + 16.0 * f64::EPSILON;

impl Motion {
    /// Bound on how far any point at most `radius` from the centre gets from where it is at time `from`,
    /// until any time up to `until`. The centre's way and the chord of the turn, which is no longer than the
    /// diameter.
    pub fn travel(&self, radius: f64, from: f64, until: f64) -> f64 {
        let time = until - from;
        (length(self.velocity()) * time + chord(length(self.spin()) * time, radius)) * ROUNDED
    }

    /// Bounds on the way along a direction, in units of its length, of any point at most `radius` from the
    /// centre, from where it is at time `from` until any time up to `until`.
    pub fn travel_along(&self, direction: DVec3, radius: f64, from: f64, until: f64) -> Interval {
        let time = until - from;
        let way = self.velocity().dot(direction) * time;
        let size = length(direction);
        // The turn moves points across the axis alone.
        let across = crate::math::unit(self.spin()).map_or(0.0, |axis| length(axis.cross(direction)));
        let turn = chord(length(self.spin()) * time, radius) * across;
        let rounding = 16.0 * f64::EPSILON * (length(self.velocity()) * time * size + turn);
        Interval { lower: way.min(0.0) - turn - rounding, upper: way.max(0.0) + turn + rounding }
    }

    /// A box around everything that the points of a box in the frame of the body pass through from time
    /// `from` to `until`, rounded outward; [`Aabb::EVERYTHING`] if that has no bounds.
    ///
    /// The box at the middle of the interval, grown along each axis of the world by the way of half the interval.
    pub fn swept(&self, body: &Aabb, from: f64, until: f64) -> Aabb {
        let half = 0.5 * (until - from);
        let posed = body.posed(&self.at(from + half));
        let center = self.center_in_body();
        let radius = length((body.min - center).abs().max((body.max - center).abs()));
        let turn = chord(length(self.spin()) * half, radius);
        let across = crate::math::unit(self.spin())
            .map_or(DVec3::ZERO, |axis| DVec3::from(DVec3::AXES.map(|e| length(axis.cross(e)))));
        let way = (self.velocity().abs() * half + across * turn) * ROUNDED
            + DVec3::splat(self.rounding(body.reach(), until.abs().max(from.abs())));
        let swept = Aabb { min: posed.min - way, max: posed.max + way }.grown(0.0);
        if swept.min.is_finite() && swept.max.is_finite() { swept } else { Aabb::EVERYTHING }
    }
}

/// Bound on the chord of an arc: `2r·sin(angle/2)`, at most the diameter.
fn chord(angle: f64, radius: f64) -> f64 {
    let angle = angle.abs();
    if angle >= std::f64::consts::PI {
        2.0 * radius
    } else {
        (2.0 * libm::sin(0.5 * angle)) * radius * ROUNDED
    }
}

/// A bound on how much nearer any point of one body can have come to any point of the other, from one pair of
/// motions' times to another: the sum of the ways. Of bodies by their poses alone, `approach.rs` has a bound.
pub fn approach(motions: [&Motion; 2], radii: [f64; 2], from: f64, until: f64) -> f64 {
    let time = until - from;
    let way = length(motions[0].velocity() - motions[1].velocity()) * time;
    let turn = |i: usize| chord(length(motions[i].spin()) * time, radii[i]);
    (way + turn(0) + turn(1)) * ROUNDED
}

/// The box around a turned one, for tests of bounds by boxes.
#[cfg(test)]
fn corners(aabb: &Aabb) -> impl Iterator<Item = DVec3> {
    let (min, max) = (aabb.min, aabb.max);
    (0..8).map(move |i| {
        let pick = |k: usize| if i >> k & 1 == 1 { max[k] } else { min[k] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::math::Pose;
    use crate::testing::Random;

    fn random_motion(rng: &mut Random, spin: f64) -> Motion {
        let mut v = |s: f64| rng.point() * s;
        let turn = glam::DQuat::from_scaled_axis(v(3.0));
        Motion::new(Pose::new(v(2.0), turn).unwrap(), v(2.0), v(3.0), v(spin)).unwrap()
    }

    #[test]
    fn nothing_gets_farther_than_the_bounds() {
        let mut rng = Random::new(3);
        let mut tight: [f64; 3] = [0.0; 3];
        for case in 0..400 {
            let motion = random_motion(&mut rng, [0.1, 1.0, 8.0, 100.0][case % 4]);
            let mut v = |s: f64| rng.point() * s;
            let aabb = Aabb::around([v(1.0), v(1.0)]);
            let (from, direction) = (0.3, v(1.0));
            let until = from + [1e-3, 0.1, 0.7][case % 3];
            let swept = motion.swept(&aabb, from, until);
            let center = motion.center_in_body();
            for p in corners(&aabb) {
                let radius = (p - center).length();
                let (most, along) =
                    (motion.travel(radius, from, until), motion.travel_along(direction, radius, from, until));
                let first = motion.at(from).apply(p);
                for step in 0..=40 {
                    let at = motion.at(from + (until - from) * f64::from(step) / 40.0).apply(p);
                    assert!((at - first).length() <= most + 1e-13, "{case}");
                    let way = (at - first).dot(direction);
                    assert!(along.lower - 1e-13 <= way && way <= along.upper + 1e-13, "{case}");
                    assert!(swept.contains(at), "{case} {at} {swept:?}");
                    tight[0] = tight[0].max((at - first).length() / most);
                    tight[1] = tight[1].max(way / along.upper);
                    tight[2] = tight[2].max((at.x - swept.min.x) / swept.extent().x);
                }
            }
        }
        assert!(tight.iter().all(|t| *t > 0.95), "{tight:?}");
    }

    #[test]
    fn approach_is_that_of_heads_on() {
        let toward = |x: f64| Motion::linear(&Pose::IDENTITY, DVec3::X * x).unwrap();
        let found = approach([&toward(2.0), &toward(-1.0)], [1.0, 1.0], 0.0, 0.5);
        assert!((found - 1.5).abs() < 1e-14, "{found}");
    }
}
