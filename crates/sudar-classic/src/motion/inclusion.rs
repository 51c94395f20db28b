//! The inclusion-based search of Wang et al. 2021 ("Tight inclusion"), earliest times first.
//!
//! The way from a point of one thing to one of the other is a function of the time and of two parameters, u
//! and v, that is linear in each: over a box of these its values lie in the box around those at the eight
//! corners, and no smaller box holds them. Boxes whose values are certainly longer than the separation are
//! dropped, others halved, until the values of one are so close to each other that each of them is contact to
//! within delta. What meets lies in a box that is never dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sudar::glam::DVec3;

use super::corners::unit;
use super::corners::{Corners, Kind, Passage};
use sudar::math::Interval;

/// Most boxes that are tested.
const MOST_BOXES: u32 = 1 << 18;

/// A box of parameters by its ends: time, u and v. In units of 2⁻⁵², so that halves are exact and ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    from: [u64; 3],
    size: [u64; 3],
}

const ONE: u64 = 1 << 52;

fn number(x: u64) -> f64 {
    x as f64 / ONE as f64
}

/// An entry of a heap that yields the earliest box first; times are not negative, so their bits are in their order.
fn waiting_at(time: f64, cell: Cell) -> Reverse<(u64, Cell)> {
    Reverse((time.max(0.0).to_bits(), cell))
}

/// Searches from a time before which there is certainly no contact.
pub(super) fn search(corners: &Corners, after: f64) -> Passage {
    let finite = corners.start.iter().chain(&corners.way).all(|p| p.is_finite());
    if !finite {
        return Passage::Undecided(0.0);
    }
    let all = Cell { from: [0; 3], size: [ONE; 3] };
    let mut waiting = BinaryHeap::from([waiting_at(after, all)]);
    for _ in 0..MOST_BOXES {
        let Some(Reverse((bits, cell))) = waiting.pop() else { return Passage::Free };
        let bound = f64::from_bits(bits);
        let values = values(corners, &cell);
        if is_clear(&values, corners.separation + corners.slack) {
            continue;
        }
        let upper = number(cell.from[0] + cell.size[0]);
        if widest(&values) <= corners.delta - 4.0 * corners.slack || cell.size == [1; 3] {
            return Passage::Hit(Interval { lower: bound, upper });
        }
        let halves = halves(&cell, &values);
        for half in halves {
            let end = number(half.from[0] + half.size[0]);
            if end >= after && is_inside(corners.kind, &half) {
                waiting.push(waiting_at(number(half.from[0]).max(after), half));
            }
        }
    }
    Passage::Undecided(waiting.peek().map_or(1.0, |Reverse((bits, _))| f64::from_bits(*bits)))
}

/// Whether any point of the cell is one of the face: there u + v is at most 1.
fn is_inside(kind: Kind, cell: &Cell) -> bool {
    match kind {
        Kind::VertexFace => cell.from[1] + cell.from[2] <= ONE,
        Kind::EdgeEdge => true,
    }
}

/// From a point of the first thing to one of the second at the eight corners of a cell, bit 0 of the number
/// for the time, 1 for u, 2 for v.
fn values(corners: &Corners, cell: &Cell) -> [DVec3; 8] {
    let ends = |k: usize| [number(cell.from[k]), number(cell.from[k] + cell.size[k])];
    let (times, us, vs) = (ends(0), ends(1), ends(2));
    let mut values = [DVec3::ZERO; 8];
    for (i, time) in times.into_iter().enumerate() {
        let [a, b, c, d] = corners.at(time);
        for (j, (u, v)) in
            [(us[0], vs[0]), (us[1], vs[0]), (us[0], vs[1]), (us[1], vs[1])].into_iter().enumerate()
        {
            values[2 * j + i] = match corners.kind {
                Kind::VertexFace => (b - a) + ((c - b) * u + (d - b) * v),
                Kind::EdgeEdge => (c + (d - c) * v) - (a + (b - a) * u),
            };
        }
    }
    values
}

/// Whether all values are certainly longer than `most`: all on one side of a plane so far from the origin,
/// square to an axis or to their mean.
fn is_clear(values: &[DVec3; 8], most: f64) -> bool {
    let (low, high) = ends(values);
    if (0..3).any(|k| low[k] > most || high[k] < -most) {
        return true;
    }
    let mean = values.iter().copied().sum::<DVec3>();
    unit(mean).is_some_and(|n| values.iter().all(|p| n.dot(*p) > most))
}

fn ends(values: &[DVec3; 8]) -> (DVec3, DVec3) {
    let start = (values[0], values[0]);
    values.iter().fold(start, |(low, high), p| (low.min(*p), high.max(*p)))
}

/// Bound on how far apart any two values in the cell are.
fn widest(values: &[DVec3; 8]) -> f64 {
    let (low, high) = ends(values);
    (high - low).length() * (1.0 + 8.0 * f64::EPSILON)
}

/// The two halves along the parameter that changes the values most.
fn halves(cell: &Cell, values: &[DVec3; 8]) -> [Cell; 2] {
    let change = |k: usize| {
        let pairs = (0..8).filter(|i| i >> k & 1 == 0);
        pairs.fold(0.0, |most: f64, i| most.max((values[i | 1 << k] - values[i]).abs().max_element()))
    };
    let mut axis = 0;
    for k in 1..3 {
        let better = cell.size[axis] <= 1 || change(k) > change(axis);
        if cell.size[k] > 1 && better {
            axis = k;
        }
    }
    let mut halves = [*cell; 2];
    let half = (cell.size[axis] / 2).max(1);
    halves[0].size[axis] = half;
    halves[1].size[axis] = (cell.size[axis] - half).max(1);
    halves[1].from[axis] = cell.from[axis] + half.min(cell.size[axis] - 1);
    halves
}
