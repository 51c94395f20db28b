//! Eight joints with axes where their bodies are, side by side.

use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DQuat;

use super::coordinates::{Framed, Frames, Geometry};
use super::eights::{Eight, Places, rotation, spot};
use crate::dynamics::solver::groups::lanes::{LANES, Lane, Vector, put};
use crate::math::simd::{Eight3, Three};

/// What does not change of eight joints, and the turns that are counted.
#[derive(Clone)]
pub struct Fixtures {
    pub sides: [Eight; 2],
    arms: [Vector; 2],
    turns: [[Lane; 4]; 2],
    /// 1 where twist and swing are asked for, and whether they are anywhere.
    counts: Lane,
    has_angles: bool,
    pub turned: Lane,
}

impl Fixtures {
    /// Joints of these bodies, of which none has frames yet.
    pub fn new(bodies: [[u32; LANES]; 2]) -> Self {
        let (zero, one) = ([0.0; LANES], [1.0; LANES]);
        Self {
            sides: bodies.map(Eight::new),
            arms: [[zero; 3]; 2],
            turns: [[zero, zero, zero, one]; 2],
            counts: zero,
            has_angles: false,
            turned: zero,
        }
    }

    pub fn set(&mut self, lane: usize, geometry: &Geometry, turned: f64) {
        for side in 0..2 {
            put(&mut self.arms[side], lane, geometry.arms[side]);
            let turn = DQuat::to_array(&geometry.turns[side]);
            (0..4).for_each(|k| self.turns[side][k][lane] = turn[k]);
        }
        let counts = geometry.has_angles && geometry.has_axes();
        self.counts[lane] = f64::from(u8::from(counts));
        self.has_angles |= counts;
        self.turned[lane] = turned;
    }

    /// The joints where their bodies are, and the largest coordinate of the centres of these.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn at<S: Simd>(&self, simd: S, places: &[Places]) -> (Framed<f64x8<S>>, f64x8<S>) {
        let (mut room, mut other) = ([[0.0; LANES]; 7], [[0.0; LANES]; 7]);
        let a = spot(simd, self.sides[0].gather(places, &mut room));
        let b = spot(simd, self.sides[1].gather(places, &mut other));
        let frames = Frames {
            arms: [Eight3::of(simd, &self.arms[0]), Eight3::of(simd, &self.arms[1])],
            turns: [rotation(simd, &self.turns[0], 0), rotation(simd, &self.turns[1], 0)],
        };
        let counted: f64x8<S> = self.turned.simd_into(simd);
        let mut framed =
            Framed::new(simd, &frames, [a, b], if self.has_angles { Some(counted) } else { None });
        let counts: f64x8<S> = self.counts.simd_into(simd);
        framed.turned = counts.simd_gt(f64x8::splat(simd, 0.0)).select(framed.turned, counted);
        let far: Three<f64x8<S>> = a.center.abs().max(b.center.abs());
        (framed, far.x.max(far.y).max(far.z))
    }
}
