//! The rows of eight joints side by side, and what impulses along them do.

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same rows")]

use fearless_simd::{Simd, f64x8, prelude::*};

use super::coordinates::{Gradient, Slope};
use super::eights::{Eight, Speeds, Weights, speeds_of, three};
use super::plan::Plan;
use crate::dynamics::solver::groups::lanes::{LANES, Lane, Vector, put};
use crate::math::simd::{Eight3, Level, dispatch};

/// One row of each of eight joints.
#[derive(Clone, Default)]
pub struct Line {
    /// How the coordinate changes with the velocities and spins of both bodies.
    pub straight: [Vector; 2],
    pub turning: [Vector; 2],
    /// What an impulse along the row adds to them.
    pub pushed: [Vector; 2],
    pub spun: [Vector; 2],
    /// The speed that a unit impulse makes along the row, and what is added where the row yields.
    pub weight: Lane,
    pub compliance: Lane,
    /// 1 where the row is solved for.
    pub active: Lane,
    /// Impulse in this part of the sub-step.
    pub impulse: Lane,
}

/// The bodies of eight joints.
#[derive(Clone, Default)]
pub struct Ends {
    pub sides: [Eight; 2],
    /// Which of them impulses move: bit by lane.
    pub moves: [u8; 2],
}

impl Line {
    pub fn set(&mut self, lane: usize, gradient: &Gradient) {
        for side in 0..2 {
            put(&mut self.straight[side], lane, gradient.straight[side]);
            put(&mut self.turning[side], lane, gradient.turning[side]);
        }
    }

    /// The same of eight joints at once.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn put<S: Simd>(&mut self, slope: &Slope<f64x8<S>>) {
        for side in 0..2 {
            self.straight[side] = slope.straight[side].stored();
            self.turning[side] = slope.turning[side].stored();
        }
    }

    /// What the row and another do to each other at a body that is on the one side of this and on the other of that.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn product<S: Simd>(&self, simd: S, side: usize, other: &Self, its: usize) -> f64x8<S> {
        let (straight, turning) =
            (Eight3::of(simd, &self.straight[side]), Eight3::of(simd, &self.turning[side]));
        straight.dot(Eight3::of(simd, &other.pushed[its])) + turning.dot(Eight3::of(simd, &other.spun[its]))
    }
}

/// Fills in what impulses along rows do.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn weigh<S: Simd>(simd: S, ends: &Ends, lines: &mut [Line], weights: &[Weights]) {
    let (mut room, mut other) = ([[0.0; LANES]; 7], [[0.0; LANES]; 7]);
    let both = [ends.sides[0].gather(weights, &mut room), ends.sides[1].gather(weights, &mut other)];
    for line in lines {
        let mut weight = f64x8::splat(simd, 0.0);
        for side in 0..2 {
            let [mass, inertia @ ..] = both[side];
            let mass: f64x8<S> = (*mass).simd_into(simd);
            let straight = Eight3::of(simd, &line.straight[side]);
            let turning = Eight3::of(simd, &line.turning[side]);
            let (pushed, spun) = (straight.times(mass), turning.turned_by(simd, inertia));
            weight += straight.dot(pushed) + turning.dot(spun);
            (line.pushed[side], line.spun[side]) = (pushed.stored(), spun.stored());
        }
        line.weight = weight.into();
    }
}

/// How fast the coordinates of all rows change.
pub fn speeds(
    level: Level,
    plan: &Plan,
    (ends, lines): (&[Ends], &[Line]),
    all: &[Speeds],
    found: &mut [Lane],
) {
    dispatch!(level, simd => {
        for (ends, node) in ends.iter().zip(&plan.nodes) {
            let rows = node.first..node.first + node.rows;
            speeds_at(simd, ends, &lines[rows.clone()], all, &mut found[rows]);
        }
    });
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn speeds_at<S: Simd>(simd: S, ends: &Ends, lines: &[Line], all: &[Speeds], found: &mut [Lane]) {
    let (mut room, mut other) = ([[0.0; LANES]; 6], [[0.0; LANES]; 6]);
    let both = [ends.sides[0].gather(all, &mut room), ends.sides[1].gather(all, &mut other)];
    let both = [
        [three(simd, both[0], 0), three(simd, both[0], 3)],
        [three(simd, both[1], 0), three(simd, both[1], 3)],
    ];
    for (line, found) in lines.iter().zip(found) {
        let mut sum = f64x8::splat(simd, 0.0);
        for side in 0..2 {
            let [way, turn] = both[side];
            sum += Eight3::of(simd, &line.straight[side]).dot(way)
                + Eight3::of(simd, &line.turning[side]).dot(turn);
        }
        *found = sum.into();
    }
}

/// Applies impulses along all rows.
pub fn push(
    level: Level,
    plan: &Plan,
    (ends, lines): (&[Ends], &[Line]),
    impulses: &[Lane],
    all: &mut [Speeds],
) {
    dispatch!(level, simd => {
        for (ends, node) in ends.iter().zip(&plan.nodes) {
            let rows = node.first..node.first + node.rows;
            push_at(simd, ends, &lines[rows.clone()], &impulses[rows], all);
        }
    });
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn push_at<S: Simd>(simd: S, ends: &Ends, lines: &[Line], impulses: &[Lane], all: &mut [Speeds]) {
    for side in 0..2 {
        let mut room = [[0.0; LANES]; 6];
        let own = ends.sides[side].gather(all, &mut room);
        let (mut way, mut turn) = (three(simd, own, 0), three(simd, own, 3));
        for (line, impulse) in lines.iter().zip(impulses) {
            let impulse: f64x8<S> = (*impulse).simd_into(simd);
            way = way.add(Eight3::of(simd, &line.pushed[side]).times(impulse));
            turn = turn.add(Eight3::of(simd, &line.spun[side]).times(impulse));
        }
        ends.sides[side].scatter(all, &speeds_of(way, turn), ends.moves[side]);
    }
}
