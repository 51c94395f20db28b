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
const LEFT: f64 = 1e-2;
const ROUNDS: u32 = 200;

/// Room to work in, and what was found before.
#[derive(Clone, Default)]
pub struct Gradients {
    /// Impulses that were found last, of each part of a sub-step: those of the next are much like them.
    guesses: [Vec<Lane>; 2],
    found: Vec<Lane>,
    way: Vec<Lane>,
    made: Vec<Lane>,
    eased: Vec<Lane>,
    /// How easily each active row gives way, zero for the others; and how much it yields.
    eases: Vec<Lane>,
    yields: Vec<Lane>,
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
    /// How easily each row gives way, and how much it yields.
    fn look(&self, eases: &mut Vec<Lane>, yields: &mut Vec<Lane>) {
        eases.clear();
        yields.clear();
        for line in self.lines {
            let own: Lane =
                std::array::from_fn(|lane| line.compliance[lane] + self.damping[lane] * line.weight[lane]);
            let ease = |lane: usize| {
                let whole = own[lane] + line.weight[lane];
                if line.active[lane] > 0.0 && whole > 0.0 { 1.0 / whole } else { 0.0 }
            };
            eases.push(std::array::from_fn(ease));
            yields.push(own);
        }
    }

    /// The products of two lists in each mechanism.
    fn product(&self, a: &[Lane], b: &[Lane]) -> Lane {
        let mut sum = [0.0; LANES];
        for (a, b) in a.iter().zip(b) {
            (0..LANES).for_each(|lane| sum[lane] += a[lane] * b[lane]);
        }
        if self.plan.is_lone { [sum.iter().sum(); LANES] } else { sum }
    }
}

impl Gradients {
    /// Forgets what was found.
    pub fn forget(&mut self) {
        self.guesses = Default::default();
    }

    /// The speeds that impulses make along all rows.
    fn apply(&mut self, net: &Net) {
        let Self { way, made, twists, yields, .. } = self;
        twists.fill([[0.0; LANES]; 6]);
        push(Level::new(), net.plan, (net.ends, net.lines), way, twists);
        speeds(Level::new(), net.plan, (net.ends, net.lines), twists, made);
        for (made, (yields, impulse)) in made.iter_mut().zip(yields.iter().zip(way)) {
            (0..LANES).for_each(|lane| made[lane] += yields[lane] * impulse[lane]);
        }
    }

    /// Goes along the way in each mechanism; `missing` is what is left to bring about.
    fn go(&mut self, missing: &mut [Lane], step: &Lane) {
        let Self { found, way, made, .. } = self;
        for ((found, missing), (way, made)) in found.iter_mut().zip(missing).zip(way.iter().zip(made)) {
            for lane in 0..LANES {
                found[lane] += step[lane] * way[lane];
                missing[lane] -= step[lane] * made[lane];
            }
        }
    }

    fn ease(&mut self, missing: &[Lane]) {
        for ((eased, ease), missing) in self.eased.iter_mut().zip(&self.eases).zip(missing) {
            *eased = std::array::from_fn(|lane| missing[lane] * ease[lane]);
        }
    }

    /// Solves for the impulses of all rows, in place of what is to be brought about among so many eights of bodies; as
    /// in the same part of a sub-step before, if there was one.
    pub fn solve(&mut self, net: &Net, eights: usize, part: usize, wanted: &mut [Lane]) {
        let rows = wanted.len();
        for list in [&mut self.found, &mut self.way, &mut self.made, &mut self.eased] {
            list.clear();
            list.resize(rows, [0.0; LANES]);
        }
        self.twists.resize(eights, [[0.0; LANES]; 6]);
        net.look(&mut self.eases, &mut self.yields);
        // From here on `wanted` is what is still missing.
        self.ease(wanted);
        let mut left = net.product(wanted, &self.eased);
        let enough = left.map(|left| left * LEFT * LEFT);
        if self.guesses[part].len() == rows {
            self.guess(net, part, wanted);
            self.ease(wanted);
            left = net.product(wanted, &self.eased);
        }
        self.way.clone_from(&self.eased);
        for _ in 0..ROUNDS {
            if (0..LANES).all(|lane| left[lane] <= enough[lane]) {
                break;
            }
            self.apply(net);
            let along = net.product(&self.way, &self.made);
            let is_open = |lane: usize| left[lane] > enough[lane] && along[lane] > 0.0;
            let step = std::array::from_fn(|lane| if is_open(lane) { left[lane] / along[lane] } else { 0.0 });
            self.go(wanted, &step);
            self.ease(wanted);
            let next = net.product(wanted, &self.eased);
            let turned: Lane =
                std::array::from_fn(|lane| if step[lane] > 0.0 { next[lane] / left[lane] } else { 0.0 });
            for (way, eased) in self.way.iter_mut().zip(&self.eased) {
                (0..LANES).for_each(|lane| way[lane] = eased[lane] + turned[lane] * way[lane]);
            }
            if step == [0.0; LANES] {
                break;
            }
            (0..LANES).filter(|lane| step[*lane] > 0.0).for_each(|lane| left[lane] = next[lane]);
        }
        self.guesses[part].clone_from(&self.found);
        wanted.copy_from_slice(&self.found);
    }

    /// Starts with so much of the impulses of the part before as is nearest in energy.
    fn guess(&mut self, net: &Net, part: usize, missing: &mut [Lane]) {
        for ((way, guess), ease) in self.way.iter_mut().zip(&self.guesses[part]).zip(&self.eases) {
            *way = std::array::from_fn(|lane| if ease[lane] > 0.0 { guess[lane] } else { 0.0 });
        }
        self.apply(net);
        let [of, along] = [net.product(&self.way, missing), net.product(&self.way, &self.made)];
        let step = std::array::from_fn(|lane| if along[lane] > 0.0 { of[lane] / along[lane] } else { 0.0 });
        self.go(missing, &step);
    }
}
