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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::joint::{Axis, Measure};
    use crate::dynamics::matter::turn;
    use crate::dynamics::solver::joints::coordinates::{Kind, Place, Posed, Since};
    use crate::dynamics::solver::joints::eights::{NOWHERE, set_body};
    use crate::math::simd::{Level, dispatch};
    use crate::testing::Random;

    /// Coordinates and slopes of eight joints are, to the bit, those of each alone.
    #[test]
    fn eight_joints_measure_what_each_measures() {
        let mut random = Random::new(5);
        let mut fixtures = Fixtures::new([0, 8].map(|first| std::array::from_fn(|lane| first + lane as u32)));
        let mut places = [NOWHERE; 2];
        let mut alone = Vec::new();
        for lane in 0..LANES {
            let bodies =
                [0, 1].map(|_| Place { center: random.point(), rotation: turn(random.point() * 1.5) });
            for (side, Place { center, rotation }) in bodies.iter().enumerate() {
                let ([a, b, c], [d, e, f, g]) = (center.to_array(), rotation.to_array());
                set_body(&mut places, side * LANES + lane, [a, b, c, d, e, f, g]);
            }
            let geometry = Geometry {
                measure: Measure::Axes,
                arms: [0, 1].map(|_| random.point()),
                turns: [0, 1].map(|_| turn(random.point())),
                has_angles: true,
            };
            fixtures.set(lane, &geometry, 7.0);
            let since = Since { places: [&bodies[0], &bodies[1]], turned: 7.0 };
            alone.push(geometry.at([&bodies[0], &bodies[1]], since));
        }
        let numbers = dispatch!(Level::new(), simd => {
            fixtures.at(simd, &places).0.numbers().map(<[f64; LANES]>::from)
        });
        for (lane, alone) in alone.iter().enumerate() {
            let posed = Posed::with_axes(Measure::Axes, Framed::of_numbers(&numbers.map(|all| all[lane])));
            for axis in Axis::ALL {
                assert_eq!(posed.coordinate(axis), alone.coordinate(axis), "{axis:?}");
                assert!(posed.gradient(axis) == alone.gradient(axis), "{axis:?}");
            }
        }
        for (kind, axis) in
            [(Kind::Along(1), Axis::Y), (Kind::Twist, Axis::Twist), (Kind::SwingZ, Axis::SwingZ)]
        {
            let values: [f64; LANES] = dispatch!(Level::new(), simd => {
                fixtures.at(simd, &places).0.coordinate(kind).into()
            });
            assert!(alone.iter().zip(values).all(|(alone, value)| alone.coordinate(axis) == value));
        }
    }
}
