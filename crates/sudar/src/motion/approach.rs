//! How much nearer two bodies can have come from one pair of poses to the next, whatever the motion in between.

use glam::{DMat3, DVec3};

use crate::math::Pose;
use crate::shape::Aabb;

/// A bound on how much nearer any point of one body can have come to any point of the other, from one pair of poses to
/// the next. The boxes are those around the bodies in their own frames.
///
/// Seen from the first body, a point x of the second goes from `P x` to `Q x`, both affine in x, so that the
/// way `(Q − P) x` is longest at a corner of the box. Its coordinates are bounded by those at the centre and
/// the half extents. Where both bodies move it is the smaller of the sum of both ways and the way of the
/// second as seen from the first.
pub(crate) fn approach_of_poses(boxes: [&Aabb; 2], before: &[Pose; 2], after: &[Pose; 2]) -> f64 {
    let far: f64 = (0..2).map(|i| reach(boxes[i], &before[i]) + reach(boxes[i], &after[i])).sum();
    let ways = [0, 1].map(|i| if before[i] == after[i] { 0.0 } else { way(boxes[i], &before[i], &after[i]) });
    let mut most = ways[0] + ways[1];
    if ways[0] > 0.0 && ways[1] > 0.0 {
        most = most.min(relative_way(boxes[1], before, after, far));
    }
    // Posed points and all of the above are rounded: some dozen operations on numbers up to `far`.
    most * (1.0 + 16.0 * f64::EPSILON) + 64.0 * f64::EPSILON * far
}

/// Largest absolute coordinate that a point of the posed box may have; rotations make three of one.
fn reach(aabb: &Aabb, pose: &Pose) -> f64 {
    2.0 * aabb.reach() + pose.translation().abs().max_element()
}

/// The longest way of a point of the box from one pose to the other.
fn way(aabb: &Aabb, before: &Pose, after: &Pose) -> f64 {
    let turn = after.rotation() - before.rotation();
    longest(aabb, turn, after.translation() - before.translation())
}

/// The longest vector `turn·x + shift`, or a little more, for x in the box.
fn longest(aabb: &Aabb, turn: DMat3, shift: DVec3) -> f64 {
    let center = turn * aabb.center() + shift;
    let spread = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
    let most = center.abs() + spread * (aabb.extent() * 0.5);
    // Scaled, so that tiny ways are not lost in their squares.
    let size = most.max_element();
    if size > 0.0 && size.is_finite() { (most / size).length() * size } else { size }
}

/// The longest way of a point of the second body as seen from the first.
///
/// The motion M of the first body back to where it was need not be quite rigid, as its matrices are only rotations to
/// 1e-6: lengths grow by at most |MᵀM − 1|, which is taken of the largest distance there can be.
fn relative_way(aabb: &Aabb, before: &[Pose; 2], after: &[Pose; 2], far: f64) -> f64 {
    let back = before[0].rotation() * after[0].rotation().inverse();
    let turn = back * after[1].rotation() - before[1].rotation();
    let shift = back * (after[1].translation() - after[0].translation())
        - (before[1].translation() - before[0].translation());
    let gram = back.transpose() * back - DMat3::IDENTITY;
    let stretch = gram.to_cols_array().into_iter().map(|x| x * x).sum::<f64>().sqrt();
    longest(aabb, turn, shift) + stretch * 4.0 * far
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::testing::Random;

    fn near(rng: &mut Random, pose: &Pose, size: f64) -> Pose {
        let turn = DQuat::from_scaled_axis(rng.point() * size);
        let moved = Pose::new(rng.point() * size, turn).unwrap();
        moved.after(pose)
    }

    #[test]
    fn no_two_points_come_nearer_than_the_bound() {
        let mut rng = Random::new(5);
        let mut tight: f64 = 0.0;
        for case in 0..3000 {
            let size = [1.0, 1e-3, 1e-7, 1e3][case % 4];
            let boxes = [1.0, 0.3].map(|s| Aabb::around([rng.point() * s, rng.point() * s]));
            let before = [0, 1].map(|_| near(&mut rng, &Pose::IDENTITY, 3.0));
            // The first stays, the second stays, both move, both move together.
            let mut after = [0, 1].map(|i| near(&mut rng, &before[i], size));
            match case % 5 {
                0 => after[0] = before[0],
                1 => after[1] = before[1],
                2 => {
                    let way = near(&mut rng, &Pose::IDENTITY, size);
                    after = before.map(|pose| way.after(&pose));
                }
                _ => {}
            }
            let bound = approach_of_poses([&boxes[0], &boxes[1]], &before, &after);
            for _ in 0..20 {
                let [x, y] = boxes.map(|b| b.min + b.extent() * (rng.point() * 0.5 + 0.5));
                let gap = |poses: &[Pose; 2]| (poses[0].apply(x) - poses[1].apply(y)).length();
                let nearer = gap(&before) - gap(&after);
                assert!(nearer <= bound, "{nearer} > {bound} in case {case}");
                tight = tight.max(nearer / bound);
            }
            if case % 5 == 2 {
                // Moving together is not moving.
                assert!(bound < 1e-11 * (1.0 + size), "{bound}");
            }
        }
        assert!(tight > 0.8, "the bound is never nearly reached: {tight}");
    }

    #[test]
    fn no_motion_is_a_few_ulp() {
        let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
        let stand = [Pose::IDENTITY; 2];
        assert!(approach_of_poses([&unit, &unit], &stand, &stand) < 1e-12);
        let away = [Pose::IDENTITY, Pose::from_translation(DVec3::X * 1e-5).unwrap()];
        let found = approach_of_poses([&unit, &unit], &stand, &away);
        assert!((found - 1e-5).abs() < 1e-12, "{found}");
    }
}
