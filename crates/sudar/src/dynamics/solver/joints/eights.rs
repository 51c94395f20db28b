//! Numbers of bodies, eight bodies side by side: body k is lane k mod 8 of the eight k / 8.

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same lanes")]

use fearless_simd::{Simd, f64x8, prelude::*};

use super::coordinates::Spot;
use super::turns::Turn;
use crate::dynamics::solver::bodies::Twist;
use crate::dynamics::solver::groups::lanes::{LANES, Lane, Vector};
use crate::math::simd::Eight3;

/// Centres and rotations.
pub type Places = [Lane; 7];
/// Velocities and spins.
pub type Speeds = [Lane; 6];
/// Inverse masses, and xx, yy, zz, xy, yz, zx of inverse inertias in the world.
pub type Weights = [Lane; 7];

/// Of eight bodies that are nowhere.
pub const NOWHERE: Places = {
    let zero = [0.0; LANES];
    [zero, zero, zero, zero, zero, zero, [1.0; LANES]]
};

/// Which eight bodies: those of one eight, or any.
#[derive(Clone, Copy, Default)]
pub struct Eight {
    pub bodies: [u32; LANES],
    is_one: bool,
}

impl Eight {
    pub fn new(bodies: [u32; LANES]) -> Self {
        let first = bodies[0];
        let is_one =
            (first as usize).is_multiple_of(LANES) && (first..).zip(bodies).all(|(next, body)| next == body);
        Self { bodies, is_one }
    }

    /// Their numbers, from where they are or by `room`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn gather<'a, const N: usize>(&self, all: &'a [[Lane; N]], room: &'a mut [Lane; N]) -> &'a [Lane; N] {
        if self.is_one {
            return &all[self.bodies[0] as usize / LANES];
        }
        for lane in 0..LANES {
            let body = self.bodies[lane] as usize;
            let from = &all[body / LANES];
            for k in 0..N {
                room[k][lane] = from[k][body % LANES];
            }
        }
        room
    }

    /// Writes those of some lanes, bit by lane; no two of these are of one body.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn scatter<const N: usize>(&self, all: &mut [[Lane; N]], numbers: &[Lane; N], lanes: u8) {
        if self.is_one {
            all[self.bodies[0] as usize / LANES] = *numbers;
            return;
        }
        for lane in 0..LANES {
            if lanes >> lane & 1 == 1 {
                let body = self.bodies[lane] as usize;
                let to = &mut all[body / LANES];
                for k in 0..N {
                    to[k][body % LANES] = numbers[k][lane];
                }
            }
        }
    }
}

/// The numbers of a body.
pub fn of_body<const N: usize>(all: &[[Lane; N]], body: usize) -> [f64; N] {
    std::array::from_fn(|k| all[body / LANES][k][body % LANES])
}

/// Sets the numbers of a body.
pub fn set_body<const N: usize>(all: &mut [[Lane; N]], body: usize, numbers: [f64; N]) {
    for k in 0..N {
        all[body / LANES][k][body % LANES] = numbers[k];
    }
}

/// A velocity and a spin without the padding.
pub fn six(twist: &Twist) -> [f64; 6] {
    let [a, b, c, d, e, f, ..] = *twist;
    [a, b, c, d, e, f]
}

/// Three rows of several, from one on.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn three<S: Simd, const N: usize>(simd: S, rows: &[Lane; N], from: usize) -> Eight3<S> {
    Eight3::load(simd, [&rows[from], &rows[from + 1], &rows[from + 2]])
}

/// A rotation in four rows of several, from one on.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn rotation<S: Simd, const N: usize>(simd: S, rows: &[Lane; N], from: usize) -> Turn<f64x8<S>> {
    Turn { axis: three(simd, rows, from), w: rows[from + 3].simd_into(simd) }
}

#[cfg_attr(not(opt_level_0), inline(always))]
pub fn spot<S: Simd>(simd: S, places: &Places) -> Spot<f64x8<S>> {
    Spot { center: three(simd, places, 0), rotation: rotation(simd, places, 3) }
}

#[cfg_attr(not(opt_level_0), inline(always))]
pub fn places_of<S: Simd>(spot: Spot<f64x8<S>>) -> Places {
    let ([a, b, c], [d, e, f]) = (spot.center.stored(), spot.rotation.axis.stored());
    [a, b, c, d, e, f, spot.rotation.w.into()]
}

#[cfg_attr(not(opt_level_0), inline(always))]
pub fn speeds_of<S: Simd>(way: Eight3<S>, turn: Eight3<S>) -> Speeds {
    let ([a, b, c], [d, e, f]): (Vector, Vector) = (way.stored(), turn.stored());
    [a, b, c, d, e, f]
}
