//! Six numbers of each of eight bodies, taken from a list of all and put back.

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same lanes")]

use fearless_simd::Simd;

use super::bodies::Twist;
use super::groups::lanes::LANES;
use crate::math::simd::Eight3;

/// Velocities and spins of eight bodies, or how far they moved and turned.
#[derive(Clone, Copy)]
pub struct Twists<S: Simd> {
    pub way: Eight3<S>,
    pub turn: Eight3<S>,
}

impl<S: Simd> Twists<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn gather(simd: S, all: &[Twist], bodies: &[u32; LANES]) -> Self {
        let mut rows = [[0.0; LANES]; 6];
        for lane in 0..LANES {
            let twist = &all[bodies[lane] as usize];
            for k in 0..6 {
                rows[k][lane] = twist[k];
            }
        }
        let [a, b, c, d, e, f] = rows;
        Self { way: Eight3::of(simd, &[a, b, c]), turn: Eight3::of(simd, &[d, e, f]) }
    }

    /// Writes those of bodies that move, bit by lane; no two of them are the same.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn scatter(self, all: &mut [Twist], bodies: &[u32; LANES], moves: u8) {
        let rows: [[f64; LANES]; 6] = [
            self.way.x.into(),
            self.way.y.into(),
            self.way.z.into(),
            self.turn.x.into(),
            self.turn.y.into(),
            self.turn.z.into(),
        ];
        for lane in 0..LANES {
            if moves >> lane & 1 == 1 {
                let twist = &mut all[bodies[lane] as usize];
                for k in 0..6 {
                    twist[k] = rows[k][lane];
                }
            }
        }
    }
}
