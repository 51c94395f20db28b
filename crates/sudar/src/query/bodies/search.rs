//! Branch and bound over pairs of boxes in halvings: the best first.

use std::ops::ControlFlow;

use super::halving::{Half, Halving};
use crate::effort::Meter;
use crate::search::{Queue, Waiting, best_first};
use crate::shape::Aabb;

/// A limit below every bound: the search ends.
pub(crate) const STOP: f64 = f64::NEG_INFINITY;

/// Shows the visitor pairs of different boxes of one tree, by their numbers, the lesser first: those of the
/// least gap first, while that is at most `upper`. The visitor returns the new `upper`, which never rises.
/// Returns a bound for all pairs not shown. Each pair of nodes opened costs a node.
pub(crate) fn visit_own_pairs(
    tree: &Halving,
    upper: f64,
    meter: &mut Meter,
    mut visit: impl FnMut([u32; 2], &mut Meter) -> f64,
) -> f64 {
    let bound = |[p, q]: [Half; 2]| tree.bounds(p).gap(tree.bounds(q));
    search([tree.whole(); 2], true, &bound, upper, meter, &mut |[p, q], meter| {
        let (i, j) = (tree.numbers(p)[0], tree.numbers(q)[0]);
        visit([i.min(j), i.max(j)], meter)
    })
}

/// The same for the boxes of a tree by themselves, of two halves that with the lesser bound first.
pub(crate) fn visit_by(
    tree: &Halving,
    bound: impl Fn(&Aabb) -> f64,
    upper: f64,
    meter: &mut Meter,
    mut visit: impl FnMut(u32, &mut Meter) -> f64,
) -> f64 {
    let show = |half: Half, meter: &mut Meter| visit(tree.numbers(half)[0], meter);
    descend(tree.whole(), |half, _| bound(tree.bounds(half)), upper, meter, show)
}

/// The same for halves of one box. The bound is told of `upper`, above which it need not be good.
pub(super) fn descend(
    whole: Half,
    bound: impl Fn(Half, f64) -> f64,
    mut upper: f64,
    meter: &mut Meter,
    mut visit: impl FnMut(Half, &mut Meter) -> f64,
) -> f64 {
    // The least bound of what is left out.
    let mut rest = f64::INFINITY;
    if whole.count() == 0 {
        return rest;
    }
    // One half waits at each level, so that a list beside a heap is short, and quicker by half.
    let mut waiting = Vec::with_capacity(u32::BITS as usize + 1);
    waiting.push((bound(whole, upper), whole));
    while let Some((least, half)) = waiting.pop() {
        if least > upper || least == f64::INFINITY {
            rest = rest.min(least);
        } else if half.count() == 1 {
            upper = visit(half, meter).min(upper);
        } else if meter.spend(1).is_break() {
            return waiting.iter().map(|(bound, _)| *bound).fold(rest.min(least), f64::min);
        } else {
            let [left, right] = half.split();
            let (left, right) = ((bound(left, upper), left), (bound(right, upper), right));
            let [later, next] = if right.0 < left.0 { [left, right] } else { [right, left] };
            waiting.push(later);
            waiting.push(next);
        }
    }
    rest
}

/// Shows the boxes of a tree that meet something, in no order. `meets` is right for boxes around others too;
/// empty ones meet nothing.
pub(crate) fn visit_meeting(tree: &Halving, meets: impl Fn(&Aabb) -> bool, mut visit: impl FnMut(u32)) {
    // What has no end overlaps even an empty box.
    let bound = |aabb: &Aabb| if !aabb.is_empty() && meets(aabb) { 0.0 } else { f64::INFINITY };
    visit_by(tree, bound, 0.0, &mut Meter::unlimited(), |i, _| {
        visit(i);
        0.0
    });
}

/// All pairs of one box of either tree.
pub(super) fn search_two(
    whole: [Half; 2],
    bound: &impl Fn([Half; 2]) -> f64,
    upper: f64,
    meter: &mut Meter,
    visit: &mut dyn FnMut([Half; 2], &mut Meter) -> f64,
) -> f64 {
    search(whole, false, bound, upper, meter, visit)
}

/// The parts of a pair of halves: the larger is halved, and in one tree a half that is paired with itself.
fn split([p, q]: [Half; 2], own: bool) -> impl Iterator<Item = [Half; 2]> {
    let [left, right] = if p.count() >= q.count() { p.split() } else { q.split() };
    let (two, third) = match (own && p == q, p.count() >= q.count()) {
        (true, _) => ([[left, right], [left, left]], Some([right, right])),
        (false, true) => ([[left, q], [right, q]], None),
        (false, false) => ([[p, left], [p, right]], None),
    };
    two.into_iter().chain(third)
}

fn search(
    whole: [Half; 2],
    own: bool,
    bound: &impl Fn([Half; 2]) -> f64,
    mut upper: f64,
    meter: &mut Meter,
    visit: &mut dyn FnMut([Half; 2], &mut Meter) -> f64,
) -> f64 {
    // Of equal bounds that with the fewest parts first, so that little is waiting at any time.
    let count = |[p, q]: [Half; 2]| u64::from(p.count()) + u64::from(q.count());
    // One box has no pair with itself.
    let is_pair = |[p, q]: &[Half; 2]| !own || p != q || p.count() > 1;
    let mut queue = Queue::default();
    if is_pair(&whole) {
        queue.add(bound(whole), (count(whole), whole));
    }
    // The least bound of what is not worth waiting for.
    let mut rest = f64::INFINITY;
    let ended = best_first(
        &mut queue,
        |queue| queue,
        |queue, Waiting { bound: next, place: (parts, halves) }| {
            if next > upper {
                return ControlFlow::Break(next);
            }
            if parts == 2 {
                upper = visit(halves, meter).min(upper);
                return ControlFlow::Continue(());
            }
            if meter.spend(1).is_break() {
                return ControlFlow::Break(next);
            }
            for halves in split(halves, own).filter(is_pair) {
                let bound = bound(halves);
                if bound > upper {
                    rest = rest.min(bound);
                } else {
                    queue.add(bound, (count(halves), halves));
                }
            }
            ControlFlow::Continue(())
        },
    );
    ended.map_or(rest, |bound| bound.min(rest))
}
