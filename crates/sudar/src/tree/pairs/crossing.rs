//! What the leaf filter proves of two triangles in `f32`: that they cross, or that they do not.
//!
//! The signs of Guigue and Devillers 2003, "Fast and robust triangle-triangle overlap test using orientation
//! predicates": on which sides of the other's plane the corners of each lie, and then how the two corners that are
//! alone on their side lie to each other. What lies too near to a zero stays open.

use fearless_simd::{Simd, SimdBase, f32x8, mask32x8};

use crate::math::simd::Three;
use crate::tree::lanes::Lanes3;

/// The side of a plane on which each corner of a triangle lies.
#[derive(Clone, Copy)]
pub(super) struct Sides<M> {
    /// Certainly above it.
    pub above: [M; 3],
    /// Each certainly above or certainly below.
    pub sure: M,
}

/// The corners, turned so that the one alone on its side of the other's plane comes first, and mirrored if the
/// other's lone corner is below this one's plane.
///
/// Both triangles so arranged look alike: each lone corner is above the other's plane.
#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn alone_first<S: Simd, N: SimdBase<S>>(
    corners: &[Three<N>; 3],
    own: &[N::Mask; 3],
    other: &[N::Mask; 3],
) -> [Three<N>; 3] {
    let (c, [a0, a1, a2], [b0, b1, b2]) = (corners, *own, *other);
    let (second, third) = ((a0 ^ a1) & (a1 ^ a2), (a0 ^ a2) & (a1 ^ a2));
    let first = Three::select(second, c[1], Three::select(third, c[2], c[0]));
    let left = Three::select(second, c[2], Three::select(third, c[0], c[1]));
    let right = Three::select(second, c[0], Three::select(third, c[1], c[2]));
    // Two or more above means that the lone corner is below.
    let mirror = (b0 & b1) | (b2 & (b0 | b1));
    [first, Three::select(mirror, right, left), Three::select(mirror, left, right)]
}

/// Whether triangles cross, and whether they certainly do not, given the sides of each corner by the other's plane.
#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn crossing<S: Simd>(
    (p, sides_p): (&[Lanes3<S>; 3], &Sides<mask32x8<S>>),
    (q, sides_q): (&[Lanes3<S>; 3], &Sides<mask32x8<S>>),
    slack: f32,
) -> (mask32x8<S>, mask32x8<S>) {
    let p = alone_first(p, &sides_p.above, &sides_q.above);
    let q = alone_first(q, &sides_q.above, &sides_p.above);
    let (start, too_late) = orientation(p[0], p[1], q[0], q[1], slack);
    let (end, too_early) = orientation(p[0], q[0], p[2], q[2], slack);
    let sure = sides_p.sure & sides_q.sure;
    (sure & start & end, sure & (too_late | too_early))
}

/// Where (a, b, c, d) is certainly negatively and where it is certainly positively oriented.
#[cfg_attr(not(opt_level_0), inline(always))]
fn orientation<S: Simd>(
    a: Lanes3<S>,
    b: Lanes3<S>,
    c: Lanes3<S>,
    d: Lanes3<S>,
    slack: f32,
) -> (mask32x8<S>, mask32x8<S>) {
    let (u, v, w) = (b.sub(a), c.sub(a), d.sub(a));
    let n = u.cross(v);
    let size = u.abs().largest().max(v.abs().largest());
    let error = NormalError::new(n, size, slack).along(w.abs().sum());
    let det = n.dot(w);
    (det.simd_lt(-error), det.simd_gt(error))
}

/// ε: half an ulp of one.
const ROUNDING: f32 = f32::EPSILON / 2.0;

/// By how much a product `n·w` may be off where `n = u × v` is one of differences of corners and `w` is another, each
/// difference off by at most s, the slack, in each coordinate.
///
/// With |u|, |v| ≤ E in each coordinate, each of n is off by 2s(E + E + s) and rounds by 4εE²; call the sum A. Then n·w
/// is off by A(|w|₁ + 3s) + s|n|₁ and rounds by 3ε|n|₁|w|₁. The factors are a little larger for their own rounding. The
/// error is never zero, so that nothing that underflows matters.
#[derive(Clone, Copy)]
pub(super) struct NormalError<S: Simd> {
    /// A.
    normal: f32x8<S>,
    /// |n|₁.
    length: f32x8<S>,
    slack: f32,
}

impl<S: Simd> NormalError<S> {
    /// Of `n`, a product of differences of at most `size` in each coordinate.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn new(n: Lanes3<S>, size: f32x8<S>, slack: f32) -> Self {
        let normal = size * (size * (4.1 * ROUNDING) + 4.1 * slack) + 2.1 * slack * slack;
        Self { normal, length: n.abs().sum(), slack }
    }

    /// Of its product with any difference whose coordinates add up to at most this.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn along(self, sum: f32x8<S>) -> f32x8<S> {
        self.normal * (sum + 3.0 * self.slack) + self.length * (sum * (3.1 * ROUNDING) + 1.1 * self.slack)
    }
}
