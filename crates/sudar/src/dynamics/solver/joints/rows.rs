//! The rows of eight joints side by side, and what impulses along them do.

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same rows")]

use fearless_simd::{Simd, f64x8, prelude::*};

use super::coordinates::Gradient;
use crate::dynamics::solver::bodies::{Masses, Twist};
use crate::dynamics::solver::groups::lanes::{LANES, Lane, Vector, put};
use crate::dynamics::solver::twists::Twists;
use crate::math::simd::{Eight3, Level, dispatch_to_avx2};

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
    pub bodies: [[u32; LANES]; 2],
    /// Which of them impulses move: bit by lane.
    pub moves: [u8; 2],
    pub inverse_mass: [Lane; 2],
    pub inverse_inertia: [[Lane; 6]; 2],
}

impl Ends {
    pub fn set(&mut self, lane: usize, bodies: [u32; 2], masses: [&Masses; 2]) {
        for side in 0..2 {
            self.bodies[side][lane] = bodies[side];
            let bit = u8::from(masses[side].inverse_mass > 0.0) << lane;
            self.moves[side] = self.moves[side] & !(1 << lane) | bit;
            self.inverse_mass[side][lane] = masses[side].inverse_mass;
            for k in 0..6 {
                self.inverse_inertia[side][k][lane] = masses[side].inverse_inertia[k];
            }
        }
    }
}

impl Line {
    pub fn set(&mut self, lane: usize, gradient: &Gradient) {
        for side in 0..2 {
            put(&mut self.straight[side], lane, gradient.straight[side]);
            put(&mut self.turning[side], lane, gradient.turning[side]);
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
pub fn weigh(level: Level, ends: &Ends, lines: &mut [Line]) {
    dispatch_to_avx2!(level, simd => weigh_at(simd, ends, lines));
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn weigh_at<S: Simd>(simd: S, ends: &Ends, lines: &mut [Line]) {
    for line in lines {
        let mut weight = f64x8::splat(simd, 0.0);
        for side in 0..2 {
            let mass: f64x8<S> = ends.inverse_mass[side].simd_into(simd);
            let straight = Eight3::of(simd, &line.straight[side]);
            let turning = Eight3::of(simd, &line.turning[side]);
            let (pushed, spun) = (straight.times(mass), turning.turned_by(simd, &ends.inverse_inertia[side]));
            weight += straight.dot(pushed) + turning.dot(spun);
            (line.pushed[side], line.spun[side]) = (pushed.stored(), spun.stored());
        }
        line.weight = weight.into();
    }
}

/// How fast the coordinates of rows change.
pub fn speeds(level: Level, ends: &Ends, lines: &[Line], all: &[Twist], found: &mut [Lane]) {
    dispatch_to_avx2!(level, simd => speeds_at(simd, ends, lines, all, found));
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn speeds_at<S: Simd>(simd: S, ends: &Ends, lines: &[Line], all: &[Twist], found: &mut [Lane]) {
    let both = [0, 1].map(|side| Twists::gather(simd, all, &ends.bodies[side]));
    for (line, found) in lines.iter().zip(found) {
        let mut sum = f64x8::splat(simd, 0.0);
        for side in 0..2 {
            let Twists { way, turn } = both[side];
            sum += Eight3::of(simd, &line.straight[side]).dot(way)
                + Eight3::of(simd, &line.turning[side]).dot(turn);
        }
        *found = sum.into();
    }
}

/// Applies impulses along rows.
pub fn push(level: Level, ends: &Ends, lines: &[Line], impulses: &[Lane], all: &mut [Twist]) {
    dispatch_to_avx2!(level, simd => push_at(simd, ends, lines, impulses, all));
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn push_at<S: Simd>(simd: S, ends: &Ends, lines: &[Line], impulses: &[Lane], all: &mut [Twist]) {
    for side in 0..2 {
        let Twists { mut way, mut turn } = Twists::gather(simd, all, &ends.bodies[side]);
        for (line, impulse) in lines.iter().zip(impulses) {
            let impulse: f64x8<S> = (*impulse).simd_into(simd);
            way = way.add(Eight3::of(simd, &line.pushed[side]).times(impulse));
            turn = turn.add(Eight3::of(simd, &line.spun[side]).times(impulse));
        }
        Twists { way, turn }.scatter(all, &ends.bodies[side], ends.moves[side]);
    }
}
