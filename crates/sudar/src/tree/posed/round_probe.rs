//! A convex body as what a traversal of one tree looks for: lower bounds on its distance from eight boxes at once, and
//! bounds from both sides for the triangles of a leaf.
//!
//! The direction in which a box is seen apart from the body is that between two about nearest points, found by
//! projecting to and fro (von Neumann 1933; Cheney and Goldstein 1959, "Proximity maps for convex sets"); those
//! along the axes of the frame are added, for they settle what is far.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DMat3, DVec3};

use super::probe::Probe;
use super::round_core::RoundCore;
use crate::kind::Profile;
use crate::math::simd::Number;
use crate::math::simd::Three;
use crate::tree::lanes::{Lanes3, corner};
use crate::tree::wide::WideNode;

/// Bodies that reach farther from the frame's centre are compared in `f64`.
const NEAR: f64 = 64.0;

/// Bound on what rounding adds up to, in units in the last place of the sizes of all that takes part: places and the
/// product with the direction 9, the support function 13, that of a box 4, the quotient by the length 7.
const ROUNDINGS: f64 = 64.0;

/// Boxes so many times as far from a hull as it is large are seen as from its centre. The direction is off by no more
/// than the angle at which the hull is seen, which costs a sixteenth of its size.
const FAR: f64 = 8.0;

/// Thinner than this, in units of the frame, a body is taken for this thick, which is less than rounding and keeps
/// powers of its size within range.
const THIN: f64 = 1e-7;
/// The same for `f64`.
const VERY_THIN: f64 = 1e-14;

/// Squares of larger numbers, with a few factors more, might leave the range of `f64`: such bodies are
/// compared triangle by triangle.
const HUGE: f64 = 1e60;

/// Bounds on the distance of a triangle in units of the frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen<T> {
    pub lower: T,
    pub upper: T,
}

/// A body in the frame of a tree in `f64`, with a bound on the error of its place.
#[derive(Clone)]
pub struct Placed {
    pub center: DVec3,
    pub axes: DMat3,
    pub profile: Profile,
    /// Of a hull, as seen from its centre.
    pub points: Vec<DVec3>,
    pub slack: f64,
}

impl Placed {
    fn size(&self) -> f64 {
        self.center.abs().max_element() + self.profile.radius(&self.points) + 2.0
    }

    pub fn is_near(&self) -> bool {
        self.size() <= NEAR
    }

    fn core<T: Copy>(&self, thin: f64, round: impl Fn(f64) -> T) -> RoundCore<T> {
        let vector = |v: DVec3| v.to_array().map(&round);
        RoundCore {
            center: vector(self.center),
            axes: [self.axes.x_axis, self.axes.y_axis, self.axes.z_axis].map(vector),
            profile: self.profile.map(|x| round(x.max(thin))),
            points: self.points.iter().copied().map(vector).collect(),
        }
    }

    /// The square of the distance from which boxes are seen as from its centre: infinite but for hulls, the nearest
    /// points of which take many steps.
    fn far(&self) -> f64 {
        let radius = self.profile.radius(&self.points);
        if self.points.is_empty() { f64::INFINITY } else { (FAR * radius).powi(2) }
    }

    /// How far the body reaches along the axes of the frame.
    fn extents(&self) -> [f64; 3] {
        let core = self.core(VERY_THIN, |x| x);
        let along = |x: f64, y: f64, z: f64| {
            core.height((), Three { x, y, z }).max(core.height((), Three { x: -x, y: -y, z: -z }))
        };
        [along(1.0, 0.0, 0.0), along(0.0, 1.0, 0.0), along(0.0, 0.0, 1.0)]
    }
}

/// A body near the tree; keys are lower bounds on distances.
pub struct NearRound {
    core: RoundCore<f32>,
    extents: [f32; 3],
    slack: f32,
    /// The square of the distance from which boxes are seen as from the centre.
    far: f32,
}

impl NearRound {
    pub fn new(body: &Placed) -> Self {
        let rounding = ROUNDINGS * body.size() / f64::from(1 << 24);
        Self {
            core: body.core(THIN, |x| x as f32),
            extents: body.extents().map(|x| x as f32),
            slack: ((body.slack + rounding).min(1e30) as f32).next_up(),
            far: body.far().min(1e30) as f32,
        }
    }

    /// A distance in units of the frame as a key that none at this distance or nearer exceeds.
    pub fn limit(distance: f64) -> f32 {
        (distance.min(1e30) as f32).next_up()
    }
}

impl Probe for NearRound {
    type Seen = Seen<f32>;

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn children<S: Simd>(&self, simd: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]) {
        let (center, half) = (Lanes3::load(simd, &node.center), Lanes3::load(simd, &node.half));
        let none = f32x8::splat(simd, 0.0);
        // Slots without a child have a half extent of −∞.
        let present = half.x.simd_ge(none);
        let half = half.greatest(Three { x: none, y: none, z: none });
        let center = center.sub(Three::of_scalars(simd, self.core.center));
        let gap = center.size().sub(half).greatest(Three { x: none, y: none, z: none });
        let is_near = gap.dot(gap).simd_lt(f32x8::splat(simd, self.far));
        let is_far = !(present & is_near).any_true();
        let key = box_bound(simd, &self.core, self.extents, center, half, is_far) - self.slack;
        ((present & key.simd_le(f32x8::splat(simd, limit))).to_bitmask() as u32, key.into())
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles<S: Simd>(
        &self,
        simd: S,
        corners: &[f32],
        n: usize,
        _: f32,
        limit: f32,
    ) -> (u32, [Self::Seen; 8]) {
        let center = Three::of_scalars(simd, self.core.center);
        let seen = triangle_bounds(
            simd,
            &self.core,
            [
                corner(simd, corners, n, 0).sub(center),
                corner(simd, corners, n, 3).sub(center),
                corner(simd, corners, n, 6).sub(center),
            ],
        );
        let (lower, upper) = (seen.lower - self.slack, seen.upper + self.slack);
        let mask = lower.simd_le(f32x8::splat(simd, limit)).to_bitmask() as u32;
        let (lower, upper): ([f32; 8], [f32; 8]) = (lower.into(), upper.into());
        let mut each = [Seen::default(); 8];
        for (i, seen) in each.iter_mut().enumerate() {
            *seen = Seen { lower: lower[i], upper: upper[i] };
        }
        (mask, each)
    }
}

/// A body too far or too large for `f32`; keys are distances less that of the frame's cube.
pub struct FarRound {
    core: RoundCore<f64>,
    extents: [f64; 3],
    slack: f64,
    /// At most the distance of anything in the tree.
    base: f64,
    /// Whether nothing can be computed with it.
    is_huge: bool,
}

impl FarRound {
    pub fn new(body: &Placed) -> Self {
        let core = body.core(VERY_THIN, |x| x);
        let slack = body.slack + ROUNDINGS * body.size() * f64::EPSILON;
        let extents = body.extents();
        // A cube a little larger than that of the frame, for the boxes are rounded outward.
        let half = 1.0 + 1e-3;
        let cube = Three { x: half, y: half, z: half };
        let is_huge = body.size().is_nan() || body.size() > HUGE;
        let base = box_bound((), &core, extents, away(&core), cube, false) - slack;
        let base = if is_huge { 0.0 } else { base.max(0.0) };
        Self { core, extents, slack, base, is_huge }
    }

    /// As [`NearRound::limit`].
    pub fn limit(&self, distance: f64) -> f32 {
        (((distance - self.base).min(1e30) as f32).next_up()).max(0.0)
    }

    /// The distance that a key stands for.
    pub fn distance(&self, key: f32) -> f64 {
        (self.base + f64::from(key)) * (1.0 - 2.0 * f64::EPSILON)
    }
}

/// The centre of the frame as seen from a body.
#[cfg_attr(not(opt_level_0), inline(always))]
fn away(core: &RoundCore<f64>) -> Three<f64> {
    let [x, y, z] = core.center;
    Three { x: -x, y: -y, z: -z }
}

impl Probe for FarRound {
    type Seen = Seen<f64>;

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn children<S: Simd>(&self, _: S, node: &WideNode, limit: f32) -> (u32, [f32; 8]) {
        let (mut mask, mut keys) = (0, [f32::INFINITY; 8]);
        for (slot, key) in keys.iter_mut().enumerate() {
            if node.half[0][slot] >= 0.0 {
                let center = lane(&node.center, slot).add(away(&self.core));
                let gap = box_bound((), &self.core, self.extents, center, lane(&node.half, slot), false);
                *key = if self.is_huge { 0.0 } else { ((gap - self.slack - self.base) as f32).next_down() };
                mask |= u32::from(*key <= limit) << slot;
            }
        }
        (mask, keys)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles<S: Simd>(
        &self,
        _: S,
        corners: &[f32],
        n: usize,
        _: f32,
        limit: f32,
    ) -> (u32, [Self::Seen; 8]) {
        if self.is_huge {
            return (0xff, [Seen { lower: 0.0, upper: f64::INFINITY }; 8]);
        }
        let (mut mask, mut each) = (0, [Seen::default(); 8]);
        for (i, seen) in each.iter_mut().enumerate().take(n) {
            let at = |k: usize| {
                let k = k * n + i;
                let (x, y, z) = (corners[k], corners[k + n], corners[k + 2 * n]);
                Three { x: x.into(), y: y.into(), z: z.into() }.add(away(&self.core))
            };
            let found = triangle_bounds((), &self.core, [at(0), at(3), at(6)]);
            // The corners are stored in `f32`.
            let slack = self.slack + 2.0 * f64::from(crate::tree::pairs::frame::STORED);
            *seen = Seen { lower: found.lower - slack, upper: found.upper + slack };
            mask |= u32::from(((seen.lower - self.base) as f32).next_down() <= limit) << i;
        }
        (mask, each)
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn lane(rows: &[[f32; 8]; 3], slot: usize) -> Three<f64> {
    Three { x: rows[0][slot].into(), y: rows[1][slot].into(), z: rows[2][slot].into() }
}

/// A lower bound, but for rounding, on the distance of a body from a box, which is seen from the body's centre.
#[cfg_attr(not(opt_level_0), inline(always))]
fn box_bound<N: Number>(
    token: N::Token,
    core: &RoundCore<N::Scalar>,
    extents: [N::Scalar; 3],
    center: Three<N>,
    half: Three<N>,
    is_far: bool,
) -> N {
    let none = N::constant(token, 0.0);
    let middle = Three { x: none, y: none, z: none };
    let q = if is_far { middle } else { core.foot(token, center) };
    let p = center.add(q.sub(center).within(token, half));
    let n = if is_far { p } else { p.sub(core.foot(token, p)) };
    let gap = center.size().sub(half).sub(Three::of_scalars(token, extents));
    let gap = gap.greatest(Three { x: none, y: none, z: none });
    let seen = (n.dot(center) - core.height(token, n) - n.size().dot(half)) / length(token, n);
    seen.greatest(gap.dot(gap).root())
}

/// The length of a vector, never zero.
#[cfg_attr(not(opt_level_0), inline(always))]
fn length<N: Number>(token: N::Token, n: Three<N>) -> N {
    n.dot(n).greatest(N::constant(token, 1e-30)).root()
}

/// Bounds on the distance of a body from a triangle, which is seen from the body's centre.
#[cfg_attr(not(opt_level_0), inline(always))]
fn triangle_bounds<N: Number>(
    token: N::Token,
    core: &RoundCore<N::Scalar>,
    corners: [Three<N>; 3],
) -> Seen<N> {
    let [a, b, c] = corners;
    let middle = a.add(b).add(c).times(N::constant(token, 1.0 / 3.0));
    let p = on_triangle(token, core.foot(token, middle), corners);
    let n = p.sub(core.foot(token, p));
    let normal = b.sub(a).cross(c.sub(a));
    let side = N::constant(token, 0.0);
    let minus = Three { x: side - normal.x, y: side - normal.y, z: side - normal.z };
    let normal = Three::if_less(normal.dot(a), side, minus, normal);
    let lower = along(token, core, n, corners).greatest(along(token, core, normal, corners));
    Seen { lower, upper: n.dot(n).root() }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn along<N: Number>(
    token: N::Token,
    core: &RoundCore<N::Scalar>,
    n: Three<N>,
    [a, b, c]: [Three<N>; 3],
) -> N {
    let low = n.dot(a).least(n.dot(b)).least(n.dot(c));
    (low - core.height(token, n)) / length(token, n)
}

/// About the point of a triangle nearest to `p`; a point of it, up to rounding, for any triangle.
#[cfg_attr(not(opt_level_0), inline(always))]
fn on_triangle<N: Number>(token: N::Token, p: Three<N>, [a, b, c]: [Three<N>; 3]) -> Three<N> {
    let (none, one) = (N::constant(token, 0.0), N::constant(token, 1.0));
    let (u, v, w) = (b.sub(a), c.sub(a), p.sub(a));
    let normal = u.cross(v);
    let square = normal.dot(normal);
    let inverse = one / square.greatest(N::constant(token, TINY_AREA));
    // Barycentric coordinates of the foot in the plane.
    let (s, t) = (w.cross(v).dot(normal) * inverse, u.cross(w).dot(normal) * inverse);
    let inside = s.least(t).least(one - s - t);
    let inside = N::constant(token, TINY_AREA).if_less(square, inside, none - one);
    let face = a.add(u.times(s)).add(v.times(t));
    let mut nearest = on_edge(token, p, a, u);
    let mut least = p.sub(nearest);
    for (start, way) in [(b, c.sub(b)), (a, v)] {
        let next = on_edge(token, p, start, way);
        let off = p.sub(next);
        let nearer = (off.dot(off), least.dot(least));
        nearest = Three::if_less(nearer.0, nearer.1, next, nearest);
        least = Three::if_less(nearer.0, nearer.1, off, least);
    }
    Three::if_less(inside, none, nearest, face)
}

/// Triangles with a smaller square of twice their area have no inside to speak of.
const TINY_AREA: f64 = 1e-30;

#[cfg_attr(not(opt_level_0), inline(always))]
fn on_edge<N: Number>(token: N::Token, p: Three<N>, start: Three<N>, way: Three<N>) -> Three<N> {
    let (none, one) = (N::constant(token, 0.0), N::constant(token, 1.0));
    let share = way.dot(p.sub(start)) / way.dot(way).greatest(N::constant(token, 1e-36));
    start.add(way.times(share.greatest(none).least(one)))
}
