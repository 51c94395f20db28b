//! A ball, or a point, and a box.
//!
//! The foot of the point on the box is found in the frame of the box and proven in the world: by the plane through it,
//! behind which all corners are. So it does not matter that a pose may be off a rotation.

use glam::DVec3;

use super::cores::{in_cores, of_cores};
use crate::convex::PosedConvex;
use crate::math::{Interval, unit};
use crate::query::answer::Found;

/// The cores of the two, a point and a box, where they clearly do or do not meet.
pub(crate) struct PointCuboid<'a> {
    bodies: [&'a PosedConvex<'a>; 2],
    /// Whether the point is the second body.
    is_second: bool,
    cores: Cores,
}

enum Cores {
    /// The point is in the box.
    Inside,
    /// So far apart, with the way from the foot to the point.
    Apart(Interval, DVec3),
}

impl<'a> PointCuboid<'a> {
    /// `None` where rounding leaves it open, and for bodies of other kinds.
    #[inline]
    pub fn of_pair(a: &'a PosedConvex<'a>, b: &'a PosedConvex<'a>) -> Option<Self> {
        let is_second = b.convex().core().is_point();
        let cores = if is_second { Cores::of(b, a)? } else { Cores::of(a, b)? };
        Some(Self { bodies: [a, b], is_second, cores })
    }

    /// The sum of the margins.
    fn margin(&self) -> f64 {
        self.bodies[0].convex().margin() + self.bodies[1].convex().margin()
    }

    /// Whether the bodies have a point in common; `None` within rounding of touching.
    #[inline]
    pub fn meet(&self) -> Option<bool> {
        let margin = self.margin();
        match self.cores {
            Cores::Inside => Some(true),
            Cores::Apart(cores, _) if cores.lower > margin * (1.0 + 2.0 * f64::EPSILON) => Some(false),
            Cores::Apart(cores, _) if cores.upper < margin * (1.0 - 2.0 * f64::EPSILON) => Some(true),
            Cores::Apart(..) => None,
        }
    }

    /// Their distance, or a point of both; `None` within rounding of touching.
    #[inline]
    pub fn distance(&self) -> Option<Found> {
        let is_meeting = self.meet()?;
        let point = self.bodies[usize::from(self.is_second)].center();
        let Cores::Apart(cores, way) = self.cores else { return Some(Found::at(point, [0, 0])) };
        let foot = point - way;
        let witnesses = if self.is_second { (foot, point) } else { (point, foot) };
        if is_meeting {
            return Some(Found::at(in_cores(self.bodies, witnesses), [0, 0]));
        }
        let normal = unit(witnesses.1 - witnesses.0).unwrap_or(DVec3::ZERO);
        Some(of_cores(self.bodies, cores, witnesses, normal))
    }
}

impl Cores {
    #[inline]
    fn of(point: &PosedConvex, cuboid: &PosedConvex) -> Option<Self> {
        let half = cuboid.convex().core().half_extent()?;
        let turn = cuboid.pose().rotation();
        let from_center = point.center() - cuboid.center();
        let there = turn.transpose() * from_center;
        let foot = there.clamp(-half, half);
        let way = from_center - turn * foot;
        let size = from_center.abs().element_sum() + half.element_sum();
        let slack = cuboid.slack() + 16.0 * f64::EPSILON * size;
        let upper = way.length();
        if foot == there {
            // What the turn takes the point to is off the point by no more than this.
            let doubt = 2.0 * upper + slack;
            return ((half - there.abs()).min_element() > doubt).then_some(Self::Inside);
        }
        // How far beyond the plane across the way all corners are.
        let beyond = (turn.transpose() * way).abs().dot(half);
        let lower = (way.dot(from_center) - beyond) / upper;
        let is_proven = lower > 16.0 * slack && upper - lower <= 2.0 * slack;
        let cores = Interval { lower: lower - slack, upper: upper + slack };
        is_proven.then_some(Self::Apart(cores, way))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::query::{Body, DistanceOptions, distance, intersects};
    use crate::shape::{Cuboid, Sphere};
    use crate::testing::Random;

    fn one_of<const N: usize>(random: &mut Random, list: [f64; N]) -> f64 {
        list[(random.within(0.0, N as f64) as usize).min(N - 1)]
    }

    fn any_pose(random: &mut Random, far: f64) -> Pose {
        let translation = random.point() * far;
        random.pose(translation)
    }

    /// A point of a box with a direction along which it is the nearest point of the box to all beyond it: on a face, an
    /// edge or a corner, as many coordinates as `outside` has being at their ends.
    fn foot(random: &mut Random, half: DVec3, outside: [bool; 3]) -> (DVec3, DVec3) {
        let (mut foot, mut away) = (half * random.point() * 0.9, DVec3::ZERO);
        for (axis, is_outside) in outside.into_iter().enumerate() {
            if is_outside {
                let side = one_of(random, [-1.0, 1.0]);
                foot[axis] = side * half[axis];
                away[axis] = side * random.within(0.2, 1.0);
            }
        }
        (foot, away.normalize())
    }

    #[test]
    fn balls_beside_faces_edges_and_corners_are_as_far_as_they_were_put() {
        let mut random = Random::new(5);
        let mut closed = 0;
        for case in 0..7000 {
            let scale = 10.0_f64.powf(random.within(-6.0, 6.0));
            let half = DVec3::new(random.within(0.01, 1.0), random.within(0.1, 1.0), 0.5) * scale;
            let bits = 1 + case % 7;
            let (at, away) = foot(&mut random, half, [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0]);
            let radius = one_of(&mut random, [0.0, 0.3 * scale, 2.0 * scale]);
            let gap =
                10.0_f64.powf(random.within(-6.0, 1.0)) * one_of(&mut random, [scale, scale, -0.2 * scale]);
            let gap = gap.max(-0.9 * radius);
            let far = one_of(&mut random, [0.0, scale, 100.0 * scale]);
            let pose = any_pose(&mut random, far);
            let there = Pose::from_translation(pose.apply(at + away * (gap + radius))).unwrap();
            let cuboid = Body::new(Cuboid::new(half).unwrap());
            let ball = if radius > 0.0 {
                Body::new(Sphere::new(DVec3::ZERO, radius).unwrap())
            } else {
                Body::new(crate::shape::Shape::point(DVec3::ZERO).unwrap())
            };
            let size = far + 4.0 * (half.element_sum() + radius + gap.abs());
            let slack = 256.0 * f64::EPSILON * size;
            for swap in [false, true] {
                let (a, b) = (ball.at(&there), cuboid.at(&pose));
                let (a, b) = if swap { (b, a) } else { (a, b) };
                let found = distance(a, b, &DistanceOptions::EXACT);
                let expected = gap.max(0.0);
                let wide = Interval { lower: expected - slack, upper: expected + slack };
                assert!(
                    found.interval.lower <= wide.upper && wide.lower <= found.interval.upper,
                    "{case}: {found:?}"
                );
                assert!(found.interval.upper - found.interval.lower <= slack, "{case}: {found:?}");
                if gap.abs() > slack {
                    assert_eq!(intersects(a, b).is_touching(), gap < 0.0, "{case}");
                }
                let foot = if swap { found.point_a } else { found.point_b };
                if gap > 0.0 {
                    assert!((foot - pose.apply(at)).length() <= 1e-6 * size, "{case}: {foot}");
                }
                let [a, b] = [a, b].map(|body| body.convex().unwrap());
                closed += usize::from(PointCuboid::of_pair(&a.convex, &b.convex).is_some());
            }
        }
        assert!(closed > 10_000, "{closed}");
    }

    #[test]
    fn a_point_inside_is_a_common_point() {
        let mut random = Random::new(6);
        for _ in 0..1000 {
            let half = DVec3::new(0.1, 0.5, 2.0);
            let pose = any_pose(&mut random, 10.0);
            let at = Pose::from_translation(pose.apply(half * random.point() * 0.99)).unwrap();
            let (ball, cuboid) = (Sphere::new(DVec3::ZERO, 1e-3).unwrap(), Cuboid::new(half).unwrap());
            let found =
                distance(Body::new(ball).at(&at), Body::new(cuboid).at(&pose), &DistanceOptions::EXACT);
            assert_eq!((found.interval, found.point_a), (Interval::point(0.0), at.translation()));
        }
    }
}
