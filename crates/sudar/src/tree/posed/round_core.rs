//! A convex body of simple form in the frame of a tree.

use crate::kind::Profile;
use crate::math::simd::{Number, Three};

/// A body in the frame of a tree; places are as seen from its centre.
#[derive(Debug, Clone)]
pub struct RoundCore<T> {
    pub center: [T; 3],
    /// The axes of its own frame: orthonormal but for what poses may be off.
    pub axes: [[T; 3]; 3],
    pub profile: Profile<T>,
    /// Of a hull.
    pub points: Vec<[T; 3]>,
}

impl<T: Copy> RoundCore<T> {
    /// About the point of the body nearest to `p`: a point of it, up to rounding.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn foot<N: Number<Scalar = T>>(&self, token: N::Token, p: Three<N>) -> Three<N> {
        let [u, v, w] = self.axes;
        let (u, v, w) =
            (Three::of_scalars(token, u), Three::of_scalars(token, v), Three::of_scalars(token, w));
        let local = Three { x: u.dot(p), y: v.dot(p), z: w.dot(p) };
        let q = self.profile.foot(token, local, &self.points);
        u.times(q.x).add(v.times(q.y)).add(w.times(q.z))
    }

    /// How far the body reaches from its centre along `n`, times the length of `n`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn height<N: Number<Scalar = T>>(&self, token: N::Token, n: Three<N>) -> N {
        let [u, v, w] = self.axes;
        let local = Three {
            x: Three::of_scalars(token, u).dot(n),
            y: Three::of_scalars(token, v).dot(n),
            z: Three::of_scalars(token, w).dot(n),
        };
        self.profile.height(token, local, &self.points)
    }
}
