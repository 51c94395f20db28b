//! Blocks of pieces and directions along which they are apart.

use std::ops::ControlFlow;

use glam::DVec3;

use super::directions::{between, farthest, normal_of_top, of_flat_pieces};
use super::halves::Halves;
use crate::effort::Meter;
use crate::math::order::ascending;
use crate::math::sized;
use crate::proof::{Block, Form, Lower, Placed, block_gap, heights};
use crate::query::bodies::Half;
use crate::search::depth_first;

/// Most pairs of halves that are tested.
const MOST_PAIRS: usize = 20_000_000;
/// Steps towards the nearest points of the hulls of two halves, after which they are halved instead.
const STEPS: usize = 12;

/// Covers all pairs of pieces by blocks that are apart by `at_least`, less the rounding of a few coordinates.
/// Each pair of halves costs a node.
pub(super) fn prove(
    a: &Placed,
    b: &Placed,
    at_least: f64,
    towards: DVec3,
    meter: &mut Meter,
) -> Option<Lower> {
    let (a, b) = (Halves::new(a), Halves::new(b));
    let rounding = 64.0 * f64::EPSILON * (a.body.reach() + b.body.reach());
    let enough = (at_least - rounding).max(0.0);
    let towards = sized(towards);
    let mut search = Search { a: &a, b: &b, towards, enough, bound: at_least, blocks: Vec::new() };
    search.cover(meter)?;
    let Search { bound, blocks, .. } = search;
    Some(Lower { bound, order_a: a.into_order(), order_b: b.into_order(), blocks })
}

struct Search<'a> {
    a: &'a Halves<'a>,
    b: &'a Halves<'a>,
    /// The direction from body to body.
    towards: DVec3,
    /// What a block must have so that it is not cut further.
    enough: f64,
    /// What all blocks found have.
    bound: f64,
    blocks: Vec<Block>,
}

type Pair = (Half, Half, DVec3);

impl Search<'_> {
    fn cover(&mut self, meter: &mut Meter) -> Option<()> {
        let mut pairs = 0;
        let given_up = depth_first(vec![(self.a.whole(), self.b.whole(), self.towards)], |pair, open| {
            pairs += 1;
            if pairs > MOST_PAIRS || meter.spend(1).is_break() || self.decide(pair, open).is_none() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if given_up.is_some() { None } else { Some(()) }
    }

    /// Makes a block of two halves, or cuts them; `None` if neither can be.
    fn decide(&mut self, (a, b, hint): Pair, open: &mut Vec<Pair>) -> Option<()> {
        match self.separate(a, b, hint) {
            Ok(direction) => self.add(a, b, direction)?,
            Err(_) if a.count() == 1 && b.count() == 1 => {
                let direction = self.best_of_pieces(a, b, hint)?;
                self.add(a, b, direction)?;
            }
            Err(hint) => self.cut(a, b, hint, open),
        }
        Some(())
    }

    fn cut(&self, a: Half, b: Half, hint: DVec3, open: &mut Vec<Pair>) {
        if b.count() == 1 || (a.count() > 1 && self.a.size(a) > self.b.size(b)) {
            open.extend(a.split().map(|a| (a, b, hint)));
        } else {
            open.extend(b.split().map(|b| (a, b, hint)));
        }
    }

    fn add(&mut self, a: Half, b: Half, direction: DVec3) -> Option<()> {
        let (below, above, error) = self.heights(a, b, direction);
        // As in the checker: rounding of the length and of two products.
        if above - below - error < self.bound * direction.length() * (1.0 + 16.0 * f64::EPSILON) {
            self.bound = self.bound.min(self.gap(a, b, direction)?);
        }
        self.blocks.push(Block { a: [a.from, a.to], b: [b.from, b.to], direction });
        Some(())
    }

    fn heights(&self, a: Half, b: Half, direction: DVec3) -> (f64, f64, f64) {
        heights((self.a.body, self.a.pieces(a)), (self.b.body, self.b.pieces(b)), direction)
    }

    fn gap(&self, a: Half, b: Half, direction: DVec3) -> Option<f64> {
        block_gap((self.a.body, self.a.pieces(a)), (self.b.body, self.b.pieces(b)), direction)
    }

    /// A direction along which the halves are far enough apart, or else one that came near it.
    fn separate(&self, a: Half, b: Half, hint: DVec3) -> Result<DVec3, DVec3> {
        self.search(a, b, hint).or_else(|near| self.straightened(a, b, [hint, near]).ok_or(near))
    }

    /// Where two faces of many pieces lie along each other, the way between two points of them leans by their
    /// rounding over their distance, which may be just too much. If it is no more than that, the normals of
    /// the faces are tried.
    fn straightened(&self, a: Half, b: Half, near: [DVec3; 2]) -> Option<DVec3> {
        let gap = |n: &DVec3| {
            let (below, above, _) = self.heights(a, b, *n);
            (above - below) / n.length()
        };
        let is_close = |n: &DVec3| gap(n) >= ALMOST * self.enough;
        let near = near.into_iter().find(is_close).filter(|_| a.count() + b.count() > 2)?;
        let ours = normal_of_top(self.a.body, self.a.pieces(a), near);
        let theirs = normal_of_top(self.b.body, self.b.pieces(b), -near).map(|n| -n);
        ours.into_iter().chain(theirs).find(|&n| self.is_enough(a, b, n))
    }

    fn search(&self, a: Half, b: Half, hint: DVec3) -> Result<DVec3, DVec3> {
        if let Some(direction) = self.by_boxes(a, b) {
            return Ok(direction);
        }
        let mut direction = self.of_halfspace(a, b).unwrap_or(hint);
        let mut nearest: Option<DVec3> = None;
        for _ in 0..STEPS {
            if direction == DVec3::ZERO {
                break;
            }
            if self.is_enough(a, b, direction) {
                return Ok(direction);
            }
            let (Some(p), Some(q)) = (
                farthest(self.a.body, self.a.pieces(a), direction),
                farthest(self.b.body, self.b.pieces(b), -direction),
            ) else {
                break;
            };
            let next = nearest.map_or(q - p, |n| nearest_on_segment(n, q - p));
            // Points of the hulls are this near each other: no direction will do.
            if next.length() < self.enough || nearest == Some(next) {
                return Err(sized(next));
            }
            nearest = Some(next);
            direction = sized(next);
        }
        Err(direction)
    }

    /// Halves whose boxes are apart along an axis.
    fn by_boxes(&self, a: Half, b: Half) -> Option<DVec3> {
        let ([low_a, high_a], [low_b, high_b]) = (self.a.bounds(a), self.b.bounds(b));
        let (ahead, behind) = (low_b - high_a, low_a - high_b);
        let gap = ahead.max(behind);
        let axis = gap.max_position();
        let direction = DVec3::AXES[axis] * if ahead[axis] >= behind[axis] { 1.0 } else { -1.0 };
        (gap[axis].is_finite() && gap[axis] >= self.enough && self.is_enough(a, b, direction))
            .then_some(direction)
    }

    /// A half-space is bounded only along its normal.
    fn of_halfspace(&self, a: Half, b: Half) -> Option<DVec3> {
        let normal = |side: &Halves, half| {
            side.pieces(half).iter().find_map(|&i| match side.body.form(i) {
                Form::Halfspace { normal, .. } => Some(normal),
                Form::Hull { .. } | Form::Round(..) => None,
            })
        };
        normal(self.a, a).or_else(|| normal(self.b, b).map(|n| -n))
    }

    fn is_enough(&self, a: Half, b: Half, direction: DVec3) -> bool {
        let (below, above, error) = self.heights(a, b, direction);
        let (gap, needed) = (above - below, self.enough * direction.length());
        if gap - error > needed * (1.0 + 16.0 * f64::EPSILON) {
            return true;
        }
        gap + error >= needed && self.gap(a, b, direction).is_some_and(|gap| gap >= self.enough)
    }

    /// The best direction for two single pieces.
    fn best_of_pieces(&self, a: Half, b: Half, hint: DVec3) -> Option<DVec3> {
        let (i, j) = (self.a.pieces(a)[0], self.b.pieces(b)[0]);
        let mut tries = of_flat_pieces((self.a.body, i), (self.b.body, j));
        tries.extend([hint, self.towards]);
        tries.extend(self.of_halfspace(a, b));
        tries.extend(between((self.a.body, i), (self.b.body, j)));
        let height = |n: &DVec3| {
            let (below, above, _) = self.heights(a, b, *n);
            (above - below) / n.length()
        };
        tries.retain(|n| *n != DVec3::ZERO && !height(n).is_nan());
        let mut tries = ascending(tries, |n| -height(n));
        tries.truncate(EXACT_TRIES);
        let gap = |n: &DVec3| self.gap(a, b, *n).unwrap_or(-1.0);
        let best = tries.into_iter().max_by(|m, n| gap(m).total_cmp(&gap(n)))?;
        (gap(&best) >= 0.0).then_some(best)
    }
}

/// Directions of a pair of pieces whose gaps are computed exactly.
const EXACT_TRIES: usize = 4;

/// Of the requested gap. Directions with less are not a matter of rounding.
const ALMOST: f64 = 0.999;

/// The point of the segment from `p` to `q` that is nearest to the origin: the step of Gilbert 1966, "An iterative
/// procedure for computing the minimum of a quadratic form on a convex set".
fn nearest_on_segment(p: DVec3, q: DVec3) -> DVec3 {
    let along = q - p;
    let size = along.abs().max_element();
    if size == 0.0 {
        return p;
    }
    let unit = along / size;
    let t = (-(p / size).dot(unit) / unit.length_squared()).clamp(0.0, 1.0);
    p + along * t
}
