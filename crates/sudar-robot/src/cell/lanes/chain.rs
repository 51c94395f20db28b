//! Where eight configurations have the frames of a robot.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use fearless_simd::{Select, Simd, f32x8, prelude::*};

use super::vector::{Eight, Frame8, FrameRows, rounded};
use crate::frame::Frame;
use crate::node::{Axis, Coordinate, Motion, Node};

/// A frame of the robot with its numbers rounded.
#[derive(Debug, Clone, Copy)]
struct Step {
    parent: u32,
    origin: [[f32; 3]; 4],
    motion: Motion,
    /// The direction of the motion.
    axis: [f32; 3],
}

/// The frames of a robot in `f32`, from the origin of its root link.
#[derive(Debug)]
pub(super) struct ChainOfEight {
    steps: Vec<Step>,
    /// For each frame how far from the root its origin can be, without what slides.
    pub reach: Vec<f64>,
    /// The most frames above one.
    depth: u32,
}

/// The unit roundoff of `f32`.
pub(super) const UNIT: f64 = 1.0 / (1 << 24) as f64;
/// Angles beyond this are no numbers here: reduced by whole turns they would be less exact than `f32`.
const FARTHEST: f64 = 1e5;
/// Slides may be so many times as long as the robot.
const LONGEST: f64 = 100.0;

impl ChainOfEight {
    pub fn new(nodes: &[Node]) -> Self {
        let mut reach: Vec<f64> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let above = reach.get(node.parent as usize).map(|above| above + node.origin.t.length());
            reach.push(above.unwrap_or(0.0));
        }
        Self {
            steps: nodes.iter().enumerate().map(|(i, node)| Step::new(node, i == 0)).collect(),
            reach,
            depth: nodes.iter().map(|node| node.depth).max().unwrap_or(0),
        }
    }

    /// Bound on the error of a computed point, for each unit of length that it is from the root along the links, what
    /// slides included.
    ///
    /// With u the unit roundoff, each frame adds to the error of rotation, as a norm: 2 u for the rounding of its own
    /// entries, 9 u for nine products of three terms, as much again for a turn, and 6 u for sine and cosine, whose
    /// argument is at most π/4. So a rotation below `depth` frames is wrong by less than 32 u · depth, and a point by
    /// that times the length, and by 4 u · length a frame for the rounding of the sums.
    pub fn error(&self) -> f64 {
        36.0 * f64::from(self.depth + 2) * UNIT
    }

    /// How far what slides goes, at most, in any of eight configurations; `q` has eight values of each number.
    pub fn slides(&self, q: &[[f64; 8]]) -> f64 {
        let way = |step: &Step| match step.motion {
            Motion::Slide(_, by) => q[by.dof as usize]
                .iter()
                .fold(0.0, |most: f64, q| most.max((by.factor * q + by.offset).abs())),
            Motion::None | Motion::Turn(..) => 0.0,
        };
        self.steps.iter().map(way).sum()
    }

    /// Whether the numbers of a configuration are small enough to be computed with here.
    pub fn holds(&self, q: &[f64], length: f64) -> bool {
        self.steps.iter().all(|step| match step.motion {
            Motion::None => true,
            Motion::Turn(_, by) => by.value(q).abs() <= FARTHEST,
            Motion::Slide(_, by) => by.value(q).abs() <= LONGEST * length,
        })
    }

    /// The frames, in place of what `frames` holds.
    #[inline(always)]
    pub fn stand<S: Simd>(&self, simd: S, q: &[[f64; 8]], frames: &mut Vec<FrameRows>) {
        frames.clear();
        for step in &self.steps {
            let own = Frame8::splat(simd, step.origin);
            let at = match frames.get(step.parent as usize) {
                Some(parent) => Frame8::load(simd, parent).after(own),
                None => own,
            };
            frames.push(step.moved(simd, at, q).store());
        }
    }
}

impl Step {
    /// The root is at its own origin, wherever it stands.
    fn new(node: &Node, is_root: bool) -> Self {
        let Frame { x, y, z, t } = node.origin;
        let axis = match node.motion {
            Motion::None => [0.0; 3],
            Motion::Slide(axis, _) | Motion::Turn(axis, _) => rounded(axis.direction()),
        };
        let t = if is_root { [0.0; 3] } else { rounded(t) };
        let origin = [rounded(x), rounded(y), rounded(z), t];
        Self { parent: node.parent, origin, motion: node.motion, axis }
    }

    #[inline(always)]
    fn moved<S: Simd>(&self, simd: S, at: Frame8<S>, q: &[[f64; 8]]) -> Frame8<S> {
        match self.motion {
            Motion::None => at,
            Motion::Slide(_, by) => {
                let way = f32x8::from_slice(simd, &values(by, q).map(|x| x as f32));
                Frame8 { t: at.t.add(at.rotate(Eight::splat(simd, self.axis)).times(way)), ..at }
            }
            Motion::Turn(axis, by) => {
                let (s, c) = sine_and_cosine(simd, values(by, q));
                match axis {
                    Axis::X => {
                        let [y, z] = turned([at.y, at.z], s, c);
                        Frame8 { y, z, ..at }
                    }
                    Axis::Y => {
                        let [z, x] = turned([at.z, at.x], s, c);
                        Frame8 { z, x, ..at }
                    }
                    Axis::Z => {
                        let [x, y] = turned([at.x, at.y], s, c);
                        Frame8 { x, y, ..at }
                    }
                    Axis::Other(_) => at.after(about(simd, self.axis, s, c)),
                }
            }
        }
    }
}

/// Eight values of a motion.
#[inline(always)]
fn values(by: Coordinate, q: &[[f64; 8]]) -> [f64; 8] {
    let mut found = q[by.dof as usize];
    for value in &mut found {
        *value = by.factor * *value + by.offset;
    }
    found
}

/// Two axes, turned about the third.
#[inline(always)]
fn turned<S: Simd>([a, b]: [Eight<S>; 2], s: f32x8<S>, c: f32x8<S>) -> [Eight<S>; 2] {
    [a.times(c).add(b.times(s)), b.times(c).sub(a.times(s))]
}

/// Rodrigues' formula: R v = c v + s (a × v) + (1 − c) (a·v) a.
#[inline(always)]
fn about<S: Simd>(simd: S, [x, y, z]: [f32; 3], s: f32x8<S>, c: f32x8<S>) -> Frame8<S> {
    let (a, rest) = (Eight::splat(simd, [x, y, z]), f32x8::splat(simd, 1.0) - c);
    let [p, q, r] = [a.times(a.x * rest), a.times(a.y * rest), a.times(a.z * rest)];
    let zero = f32x8::splat(simd, 0.0);
    let (sx, sy, sz) = (a.x * s, a.y * s, a.z * s);
    Frame8 {
        x: p.add(Eight { x: c, y: sz, z: zero - sy }),
        y: q.add(Eight { x: zero - sz, y: c, z: sx }),
        z: r.add(Eight { x: sy, y: zero - sx, z: c }),
        t: Eight { x: zero, y: zero, z: zero },
    }
}

/// Sine and cosine, wrong by less than 3 units of roundoff; of angles that are too large no number.
///
/// The rest after whole quarters of a turn is at most π/4, where the first terms of the series leave less than half a
/// unit: r¹¹/11! and r¹⁰/10!.
#[inline(always)]
fn sine_and_cosine<S: Simd>(simd: S, angles: [f64; 8]) -> (f32x8<S>, f32x8<S>) {
    let (mut rest, mut quarters) = ([0.0_f32; 8], [0.0_f32; 8]);
    for i in 0..8 {
        let quarter = (angles[i] * FRAC_2_PI).round_ties_even();
        let is_known = angles[i].abs() <= FARTHEST;
        rest[i] = if is_known { (angles[i] - quarter * FRAC_PI_2) as f32 } else { f32::NAN };
        quarters[i] = (quarter - 4.0 * (quarter * 0.25).floor()) as f32;
    }
    let (r, k): (f32x8<S>, f32x8<S>) = (rest.simd_into(simd), quarters.simd_into(simd));
    let (zero, square) = (f32x8::splat(simd, 0.0), r * r);
    let sine =
        r + r * square * series(simd, square, [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0]);
    let cosine = f32x8::splat(simd, 1.0)
        + square * series(simd, square, [-0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0]);
    let is_first = k.simd_eq(f32x8::splat(simd, 1.0));
    let is_odd = is_first | k.simd_eq(f32x8::splat(simd, 3.0));
    let (s, c) = (is_odd.select(cosine, sine), is_odd.select(sine, cosine));
    let turns_sine = k.simd_gt(f32x8::splat(simd, 1.5));
    let turns_cosine = is_first | k.simd_eq(f32x8::splat(simd, 2.0));
    (turns_sine.select(zero - s, s), turns_cosine.select(zero - c, c))
}

/// The sum of the terms a + b x + c x² + d x³.
#[inline(always)]
fn series<S: Simd>(simd: S, x: f32x8<S>, [a, b, c, d]: [f64; 4]) -> f32x8<S> {
    let [a, b] = [f32x8::splat(simd, a as f32), f32x8::splat(simd, b as f32)];
    let [c, d] = [f32x8::splat(simd, c as f32), f32x8::splat(simd, d as f32)];
    a + x * (b + x * (c + x * d))
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};
    use sudar::DVec3;
    use sudar_testing::Random;

    use super::*;
    use crate::kinematics::moved;

    fn random_node(random: &mut Random, i: usize) -> Node {
        let pose = random.any_pose(0.7);
        let by =
            Coordinate { dof: random.below(4) as u32, factor: random.one_of(&[1.0, -1.0, 2.5]), offset: 0.3 };
        let axis = random.one_of(&[DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, 0.0, -0.8)]);
        let motion = match random.below(4) {
            0 => Motion::None,
            1 => Motion::slide(axis, by),
            _ => Motion::turn(axis, by),
        };
        Node { parent: i.saturating_sub(1) as u32, origin: Frame::of(&pose), motion, depth: i as u32 }
    }

    /// Frames in `f32` against those in `f64`: within the bound that tests of balls allow for, and not absurdly so.
    #[test]
    fn frames_are_within_their_error() {
        let mut nearest = f64::INFINITY;
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 1 + random.below(30);
            let mut nodes: Vec<Node> = (0..count).map(|i| random_node(&mut random, i)).collect();
            nodes[0].origin.t = DVec3::ZERO;
            let most = random.one_of(&[1.0, 6.0, 1e3, 3e4]);
            let q: Vec<[f64; 8]> = (0..4).map(|_| [0; 8].map(|_| random.within(-most, most))).collect();
            let (chain, mut frames) = (ChainOfEight::new(&nodes), Vec::new());
            dispatch!(Level::new(), simd => chain.stand(simd, &q, &mut frames));
            let slides = chain.slides(&q);
            for lane in 0..8 {
                let q = [q[0][lane], q[1][lane], q[2][lane], q[3][lane]];
                let mut exact: Vec<Frame> = Vec::new();
                for (i, node) in nodes.iter().enumerate() {
                    let at = exact
                        .get(node.parent as usize)
                        .map_or(node.origin, |parent| parent.after(&node.origin));
                    exact.push(moved(at, node, &q));
                    let bound = chain.error() * (chain.reach[i] + slides + 1.0);
                    let row =
                        |column: usize| DVec3::from_array(frames[i][column].map(|row| f64::from(row[lane])));
                    // Points at the origin of the frame and at one along each axis.
                    let [x, y, z, t] = [row(0), row(1), row(2), row(3)];
                    for (own, point) in [
                        (t, exact[i].t),
                        (t + x, exact[i].apply(DVec3::X)),
                        (t + y, exact[i].apply(DVec3::Y)),
                        (t + z, exact[i].apply(DVec3::Z)),
                    ] {
                        let error = (own - point).length();
                        assert!(error <= bound, "seed {seed}, frame {i}: {error} of {bound}");
                        nearest = if i > 0 { nearest.min(bound / error) } else { nearest };
                    }
                }
            }
        }
        assert!(nearest < 100.0, "{nearest}");
    }

    /// Angles beyond what is reduced are no number, so that nothing follows from them.
    #[test]
    fn angles_of_very_many_turns_are_left_open() {
        let (s, c): ([f32; 8], [f32; 8]) = dispatch!(Level::new(), simd => {
            let (s, c) = sine_and_cosine(simd, [0.0, 1.0, -1e5, 1e5, 1.1e5, -1e80, 1e300, 4.0]);
            (s.into(), c.into())
        });
        for (i, angle) in [(0, 0.0_f64), (1, 1.0), (2, -1e5), (3, 1e5), (7, 4.0)] {
            let (sine, cosine) = libm::sincos(angle);
            assert!((f64::from(s[i]) - sine).abs() < 3.0 * UNIT, "{angle}");
            assert!((f64::from(c[i]) - cosine).abs() < 3.0 * UNIT, "{angle}");
        }
        assert!((4..7).all(|i| s[i].is_nan() && c[i].is_nan()));
    }
}
