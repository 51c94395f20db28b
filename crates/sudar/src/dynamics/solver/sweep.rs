//! Sweeps over the rows.

use super::Mobile;
use super::row::{Row, relative};
use crate::dynamics::matter::Rigid;

use glam::DVec3;

/// How often rows are swept over in a sub-step.
#[derive(Debug, Clone, Copy)]
pub struct Sweeps {
    most: u32,
    /// Changes of normal speed below which it is enough.
    quiet: f64,
}

/// Sweeps with and without the push in a sub-step.
const FEW: u32 = 2;
/// Sweeps over the contacts of one pair in each.
const INNER: usize = 4;
/// Sweeps where most contacts are new, as when a stack is put down.
const COLD: u32 = 64;
/// Ratio of masses from which on heavy bodies rest on light ones.
const HEAVY: f64 = 20.0;

impl Sweeps {
    /// Impulses travel one contact a sweep, and where heavy bodies press on light ones they take as many sweeps as the ratio of
    /// their masses. There contacts are hard, since a soft one yields by the mass of the lighter body.
    pub fn new(rigids: &[Rigid], rows: &mut [Row], pull: f64) -> Self {
        let ratio = |row: &Row| {
            let [a, b] = row.bodies.map(|i| rigids[i as usize].inertia.mass);
            if a.is_finite() && b.is_finite() { (a / b).max(b / a) } else { 1.0 }
        };
        let most = rows.iter().filter(|row| row.gap <= 0.01 * row.push).map(ratio).fold(1.0, f64::max);
        let closed = || rows.iter().filter(|row| row.gap <= 0.0);
        let cold = 2 * closed().filter(|row| row.is_new).count() > closed().count();
        if most <= HEAVY && cold {
            return Self { most: COLD, quiet: 1e-4 * pull };
        }
        if most <= HEAVY {
            return Self { most: FEW, quiet: 1e-2 * pull };
        }
        for row in rows {
            (row.soft.mass, row.soft.impulse) = (1.0, 0.0);
        }
        Self { most: (2.0 * most).min(2000.0) as u32, quiet: 1e-3 * pull }
    }

    fn run(&self, mut sweep: impl FnMut() -> f64) {
        for _ in 0..self.most {
            if sweep() <= self.quiet {
                return;
            }
        }
    }
}

/// One sub-step: warm start, soft sweeps down, motion, sweeps without push up.
pub fn substep(
    rows: &mut [Row],
    mobiles: &mut [Mobile],
    step: f64,
    sweeps: &Sweeps,
    fly: impl FnOnce(&mut [Mobile]),
) {
    for row in rows.iter() {
        let slide = row.tangents[0] * row.slide[0] + row.tangents[1] * row.slide[1];
        push(row, mobiles, row.normal * row.impulse + slide);
    }
    let (pace, quiet) = (1.0 / step, 0.1 * sweeps.quiet);
    sweeps.run(|| {
        rows.chunk_by_mut(same).map(|pair| press(pair, mobiles, pace, true, quiet)).fold(0.0, f64::max)
    });
    fly(mobiles);
    sweeps.run(|| {
        rows.chunk_by_mut(same).rev().map(|pair| press(pair, mobiles, pace, false, quiet)).fold(0.0, f64::max)
    });
    for row in rows {
        row.most = row.most.max(row.impulse);
        row.total += row.impulse;
    }
}

fn same(a: &Row, b: &Row) -> bool {
    a.bodies == b.bodies
}

/// Solves the contacts of a pair together, by sweeps to and fro: four corners of a face share what three could carry, and one sweep would give
/// most of it to the first and tilt the body.
fn press(pair: &mut [Row], mobiles: &mut [Mobile], pace: f64, soft: bool, quiet: f64) -> f64 {
    let mut first = 0.0;
    for round in 0..INNER {
        let mut change: f64 = 0.0;
        for k in 0..pair.len() {
            let k = if round % 2 == 0 { k } else { pair.len() - 1 - k };
            change = change.max(solve(&mut pair[k], mobiles, pace, soft));
        }
        if round == 0 {
            first = change;
        }
        if pair.len() == 1 || change <= quiet {
            break;
        }
    }
    first
}

#[inline]
fn push(row: &Row, mobiles: &mut [Mobile], impulse: DVec3) {
    let [a, b] = row.bodies;
    let first = &mut mobiles[a as usize];
    first.velocity -= impulse * first.inverse_mass;
    first.spin -= first.inverse_inertia * row.arms[0].cross(impulse);
    let second = &mut mobiles[b as usize];
    second.velocity += impulse * second.inverse_mass;
    second.spin += second.inverse_inertia * row.arms[1].cross(impulse);
}

/// The gap now.
#[inline]
fn gap(row: &Row, mobiles: &[Mobile]) -> f64 {
    let [a, b] = row.bodies.map(|i| &mobiles[i as usize]);
    let turned = (b.turned * row.arms[1] - row.arms[1]) - (a.turned * row.arms[0] - row.arms[0]);
    row.gap + row.normal.dot(b.moved - a.moved + turned)
}

/// Returns by how much the normal speed changed.
#[inline]
fn solve(row: &mut Row, mobiles: &mut [Mobile], pace: f64, soft: bool) -> f64 {
    let gap = gap(row, mobiles);
    let (bias, mass, decay) = if gap > 0.0 {
        (gap * pace, 1.0, 0.0)
    } else if soft {
        ((row.soft.rate * gap).max(-row.push), row.soft.mass, row.soft.impulse)
    } else {
        (0.0, 1.0, 0.0)
    };
    let speed = relative(row, mobiles).dot(row.normal);
    let wanted = row.impulse - row.normal_mass * mass * (speed + bias) - decay * row.impulse;
    let next = wanted.max(row.least);
    let more = next - row.impulse;
    row.impulse = next;
    push(row, mobiles, row.normal * more);
    rub(row, mobiles);
    more.abs() / row.normal_mass
}

/// Friction against sliding, within the cone of Coulomb.
#[inline]
fn rub(row: &mut Row, mobiles: &mut [Mobile]) {
    if row.friction == 0.0 {
        return;
    }
    let velocity = relative(row, mobiles);
    let wanted: [f64; 2] =
        std::array::from_fn(|k| row.slide[k] - row.tangent_mass[k] * velocity.dot(row.tangents[k]));
    let (most, length) = (row.friction * row.impulse.max(0.0), wanted[0].hypot(wanted[1]));
    let share = if length > most { most / length } else { 1.0 };
    let next = wanted.map(|x| x * share);
    let more = row.tangents[0] * (next[0] - row.slide[0]) + row.tangents[1] * (next[1] - row.slide[1]);
    row.slide = next;
    push(row, mobiles, more);
}

/// Bounces what approached faster than a threshold and was pushed.
pub fn restitution(rows: &mut [Row], mobiles: &mut [Mobile], threshold: f64) {
    for row in rows {
        if row.restitution == 0.0 || row.speed > -threshold || row.most <= 0.0 {
            continue;
        }
        let speed = relative(row, mobiles).dot(row.normal);
        let next = (row.impulse - row.normal_mass * (speed + row.restitution * row.speed)).max(0.0);
        let more = next - row.impulse;
        row.impulse = next;
        row.total += more;
        push(row, mobiles, row.normal * more);
    }
}
