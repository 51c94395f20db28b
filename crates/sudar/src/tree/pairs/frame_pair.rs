//! How far apart boxes along the axes of two posed frames are at least.

use glam::{DMat3, DVec3};

use crate::math::Pose;
use crate::shape::Aabb;

/// A pose's matrix may be off a rotation by 1e-6 an entry; lengths measured in a body's frame are therefore
/// only known to this factor, which is taken off every lower bound.
pub const METRIC: f64 = 1.0 - 4e-6;

/// A box along the axes of a frame, by its middle as seen from the origin of the boxes and half its edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameBox {
    pub center: DVec3,
    pub half: DVec3,
}

impl FrameBox {
    /// A box in the coordinates of its frame. What has no bounds is so large that it has no gap to anything.
    pub fn of(aabb: &Aabb) -> Self {
        const ENDLESS: f64 = 1e300;
        let (center, half) = (aabb.center(), aabb.extent() * 0.5);
        if half.is_finite() {
            Self { center, half }
        } else {
            Self { center: DVec3::ZERO, half: DVec3::splat(ENDLESS) }
        }
    }
}

/// Two posed frames, each seen from the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FramePair {
    /// From b to a.
    turn: DMat3,
    /// From a to b.
    back: DMat3,
    /// The sizes of their entries.
    spread: [DMat3; 2],
    /// The origin of the boxes of b in the axes of a, relative to that of the boxes of a.
    shift: DVec3,
    slack: f64,
}

impl FramePair {
    /// Frames by their poses. The boxes of either are given relative to a point of it, its origin; they and
    /// the origins have coordinates of at most `reach` altogether.
    pub fn new([(pose_a, origin_a), (pose_b, origin_b)]: [(&Pose, DVec3); 2], reach: f64) -> Self {
        let inverse_a = pose_a.rotation().inverse();
        let turn = inverse_a * pose_b.rotation();
        let back = turn.inverse();
        let from_a = (pose_b.rotate(origin_b) - pose_a.rotate(origin_a))
            + (pose_b.translation() - pose_a.translation());
        let far = reach + pose_a.translation().abs().max_element() + pose_b.translation().abs().max_element();
        Self {
            turn,
            back,
            spread: [turn, back].map(absolute),
            shift: inverse_a * from_a,
            slack: 128.0 * f64::EPSILON * far,
        }
    }

    /// A lower bound on the distance in the world of two boxes: the gaps along the axes of either, whichever is more.
    #[inline]
    pub fn gap(&self, a: FrameBox, b: FrameBox) -> f64 {
        let offset = self.turn * b.center + self.shift - a.center;
        let squared = |offset: DVec3, reach: DVec3| {
            (offset.abs() - reach - self.slack).max(DVec3::ZERO).length_squared()
        };
        if b.half == DVec3::ZERO {
            // A point: the gaps along the axes of the box are the distance.
            return squared(offset, a.half).sqrt() * METRIC;
        }
        let along_a = squared(offset, a.half + self.spread[0] * b.half);
        let along_b = squared(self.back * offset, b.half + self.spread[1] * a.half);
        along_a.max(along_b).sqrt() * METRIC
    }
}

/// A box of the second of two frames, seen from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameBeside {
    /// From the first frame to the second, and the sizes of its entries.
    back: DMat3,
    spread: DMat3,
    slack: f64,
    /// The box around it along the axes of the first frame, grown by the rounding of all.
    around: Aabb,
    center: DVec3,
    half: DVec3,
}

impl FramePair {
    /// For many boxes of the first frame beside one of the second.
    pub fn beside(&self, b: FrameBox) -> FrameBeside {
        let center = self.turn * b.center + self.shift;
        let reach = self.spread[0] * b.half + self.slack;
        let around = Aabb { min: center - reach, max: center + reach };
        FrameBeside {
            back: self.back,
            spread: self.spread[1],
            slack: self.slack,
            around,
            center,
            half: b.half,
        }
    }
}

impl FrameBeside {
    /// The box around it along the axes of the first frame.
    pub fn around(&self) -> &Aabb {
        &self.around
    }

    /// As [`FramePair::gap`], of a box of the first frame in its coordinates; along the axes of that alone if this is
    /// above `enough`.
    #[inline]
    pub fn gap(&self, a: &Aabb, enough: f64) -> f64 {
        let apart = (a.min - self.around.max).max(self.around.min - a.max).max(DVec3::ZERO);
        let along_a = apart.length_squared();
        let gap = along_a.sqrt() * METRIC;
        if gap > enough || self.half == DVec3::ZERO {
            return gap;
        }
        let FrameBox { center, half } = FrameBox::of(a);
        let offset = self.back * (self.center - center);
        let reach = self.half + self.spread * half + self.slack;
        let along_b = (offset.abs() - reach).max(DVec3::ZERO).length_squared();
        along_a.max(along_b).sqrt() * METRIC
    }
}

fn absolute(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::testing::Random;

    fn pose(random: &mut Random, far: f64) -> Pose {
        let [x, y, z] = random.point().to_array();
        Pose::new(random.point() * far, DQuat::from_xyzw(x, y, z, 0.3).normalize()).unwrap()
    }

    #[test]
    fn no_two_points_of_posed_boxes_are_nearer_than_their_gap() {
        let mut random = Random::new(11);
        for scale in [1e-60, 1e-9, 1.0, 1e9, 1e60] {
            let mut positive = 0;
            for _ in 0..200 {
                let poses: [Pose; 2] = std::array::from_fn(|_| pose(&mut random, 3.0 * scale));
                let boxes: [FrameBox; 2] = std::array::from_fn(|_| FrameBox {
                    center: random.point() * scale,
                    half: random.point().abs() * scale,
                });
                let pair = FramePair::new(poses.each_ref().map(|pose| (pose, DVec3::ZERO)), 4.0 * scale);
                let gap = pair.gap(boxes[0], boxes[1]);
                let FrameBox { center, half } = boxes[0];
                let own = Aabb { min: center - half, max: center + half };
                let beside = pair.beside(boxes[1]).gap(&own, f64::INFINITY);
                assert!((beside - gap).abs() <= 1e-12 * scale, "{scale}: {beside} and {gap}");
                assert!(pair.beside(boxes[1]).gap(&own, 0.0) <= beside, "{scale}");
                let gap = gap.max(beside);
                positive += i32::from(gap > 0.0);
                for _ in 0..50 {
                    let [p, q] = [0, 1].map(|k| {
                        let inside = boxes[k].center + boxes[k].half * random.point().signum();
                        poses[k].apply(inside)
                    });
                    assert!(gap <= (p - q).length(), "{scale}");
                }
            }
            assert!(positive > 50, "{scale}: {positive}");
        }
    }

    #[test]
    fn the_gap_of_a_point_is_its_distance_and_that_of_what_has_no_bounds_is_zero() {
        let mut random = Random::new(12);
        let pose = pose(&mut random, 1.0);
        let pair = FramePair::new([(&pose, DVec3::ZERO), (&Pose::IDENTITY, DVec3::ZERO)], 10.0);
        let unit = FrameBox { center: DVec3::ZERO, half: DVec3::ONE };
        let beyond = pose.apply(DVec3::new(3.0, 4.0, 0.0));
        let gap = pair.gap(unit, FrameBox { center: beyond, half: DVec3::ZERO });
        assert!((gap - 13f64.sqrt()).abs() < 1e-4, "{gap}");
        let endless = FrameBox::of(&Aabb::EVERYTHING);
        assert_eq!([pair.gap(unit, endless), pair.gap(endless, unit), pair.gap(endless, endless)], [0.0; 3]);
    }
}
