//! Two posed bodies seen from the frame of the first.

use glam::{DMat3, DVec3};

use crate::math::Pose;

/// The motion that takes the frame of a second body to that of a first, with what rounding may hide.
///
/// Points of posed bodies are those that [`Pose::apply`] returns. Two of them that are equal in the world lie within
/// [`slack`](Self::slack) of each other in the frame of the first body, when the second is brought there by
/// [`apply`](Self::apply): volumes grown by so much miss nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relative {
    pose: Pose,
    slack: f64,
}

impl Relative {
    /// Of two bodies at their poses; `reach` is the largest absolute coordinate of any point of a body in its
    /// own frame.
    pub fn new(pose_a: &Pose, reach_a: f64, pose_b: &Pose, reach_b: f64) -> Self {
        let pose = pose_a.inverse().after(pose_b);
        let posed = pose_a.rounding(reach_a) + pose_b.rounding(reach_b);
        // The inverse of a matrix and the product of two are each off by some ten ulp of entries of at most
        // about one, and the translation by as many of the sizes that meet in it.
        let shifts = pose_a.translation().abs().max_element() + pose_b.translation().abs().max_element();
        let composed = 64.0 * f64::EPSILON * (3.0 * (reach_a + reach_b) + shifts);
        // The matrix takes points to where a rotation does up to this, and separating axes are off by as much
        // of what they measure, which for volumes that overlap is no more than both.
        let bend = 8.0 * departure(&pose.rotation()) * (reach_a + reach_b);
        Self { pose, slack: 4.0 * posed + composed + bend }
    }

    /// A motion alone, without allowance for the rounding of posed points: to place volumes by.
    pub const fn exact(pose: Pose) -> Self {
        Self { pose, slack: 0.0 }
    }

    /// The pose of the second frame in the first.
    pub const fn pose(&self) -> &Pose {
        &self.pose
    }

    /// A point of the second body in the frame of the first.
    #[inline]
    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.pose.apply(p)
    }

    /// How far apart, in each coordinate and as a length, points may be there that are equal in the world.
    pub const fn slack(&self) -> f64 {
        self.slack
    }
}

/// The largest entry of `MᵀM − I`.
pub(super) fn departure(m: &DMat3) -> f64 {
    let gram = m.transpose() * *m - DMat3::IDENTITY;
    gram.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}
