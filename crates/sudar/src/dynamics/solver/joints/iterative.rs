//! Rows of large nets of joints, whose factors would fill: by conjugate gradients.
//!
//! Hestenes and Stiefel 1952, "Methods of conjugate gradients for solving linear systems", with the weights of the rows
//! as preconditioner. Nothing is assembled: impulses are applied to bodies at rest, and the speeds that they make are
//! looked at.

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same rows")]

use super::eights::Speeds;
use super::plan::Plan;
use super::rows::{Ends, Line, push, speeds};
use crate::dynamics::solver::groups::lanes::{LANES, Lane};
use crate::math::simd::Level;

/// What is left of what is missing where it is enough, and most rounds.
const LEFT: f64 = 1e-3;
const ROUNDS: u32 = 200;

/// Room to work in.
#[derive(Clone, Default)]
pub struct Gradients {
    found: Vec<Lane>,
    way: Vec<Lane>,
    made: Vec<Lane>,
    twists: Vec<Speeds>,
}

/// The rows of mechanisms.
#[derive(Clone, Copy)]
pub struct Net<'n> {
    pub plan: &'n Plan,
    pub ends: &'n [Ends],
    pub lines: &'n [Line],
    pub damping: &'n Lane,
}

impl Net<'_> {
    /// How easily each active row gives way; zero for the others.
    fn ease(&self, row: usize, lane: usize) -> f64 {
        let line = &self.lines[row];
        let whole = self.yields(row, lane) + line.weight[lane];
        if line.active[lane] > 0.0 && whole > 0.0 { 1.0 / whole } else { 0.0 }
    }

    fn yields(&self, row: usize, lane: usize) -> f64 {
        self.lines[row].compliance[lane] + self.damping[lane] * self.lines[row].weight[lane]
    }

    /// The speeds that impulses make along all rows.
    fn apply(&self, impulses: &[Lane], made: &mut [Lane], twists: &mut [Speeds]) {
        twists.fill([[0.0; LANES]; 6]);
        push(Level::new(), self.plan, (self.ends, self.lines), impulses, twists);
        speeds(Level::new(), self.plan, (self.ends, self.lines), twists, made);
        for (row, (made, impulse)) in made.iter_mut().zip(impulses).enumerate() {
            for lane in 0..LANES {
                let is_active = self.lines[row].active[lane] > 0.0;
                made[lane] =
                    if is_active { made[lane] + self.yields(row, lane) * impulse[lane] } else { 0.0 };
            }
        }
    }
}

fn product(a: &[Lane], b: &[Lane]) -> Lane {
    let mut sum = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        (0..LANES).for_each(|lane| sum[lane] += a[lane] * b[lane]);
    }
    sum
}

impl Gradients {
    /// Solves for the impulses of all rows, in place of what is to be brought about among so many eights of bodies.
    pub fn solve(&mut self, net: &Net, eights: usize, wanted: &mut [Lane]) {
        let rows = wanted.len();
        let Self { found, way, made, twists } = self;
        for list in [&mut *found, &mut *way, &mut *made] {
            list.clear();
            list.resize(rows, [0.0; LANES]);
        }
        twists.resize(eights, [[0.0; LANES]; 6]);
        let ease = |missing: &[Lane], to: &mut [Lane]| {
            for row in 0..rows {
                (0..LANES).for_each(|lane| to[row][lane] = missing[row][lane] * net.ease(row, lane));
            }
        };
        // From here on `wanted` is what is still missing.
        let mut eased = vec![[0.0; LANES]; rows];
        ease(wanted, &mut eased);
        way.copy_from_slice(&eased);
        let mut left = product(wanted, &eased);
        let enough = left.map(|left| left * LEFT * LEFT);
        for _ in 0..ROUNDS {
            if (0..LANES).all(|lane| left[lane] <= enough[lane]) {
                break;
            }
            net.apply(way, made, twists);
            let along = product(way, made);
            let step: Lane = std::array::from_fn(|lane| {
                if left[lane] > enough[lane] && along[lane] > 0.0 { left[lane] / along[lane] } else { 0.0 }
            });
            for row in 0..rows {
                for lane in 0..LANES {
                    found[row][lane] += step[lane] * way[row][lane];
                    wanted[row][lane] -= step[lane] * made[row][lane];
                }
            }
            ease(wanted, &mut eased);
            let next = product(wanted, &eased);
            for row in 0..rows {
                for lane in (0..LANES).filter(|lane| step[*lane] > 0.0) {
                    way[row][lane] = eased[row][lane] + next[lane] / left[lane] * way[row][lane];
                }
            }
            (0..LANES).filter(|lane| step[*lane] > 0.0).for_each(|lane| left[lane] = next[lane]);
            if step == [0.0; LANES] {
                break;
            }
        }
        wanted.copy_from_slice(found);
    }
}
