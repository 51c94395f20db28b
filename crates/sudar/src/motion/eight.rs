//! How long eight boxes of one body certainly stay apart from a piece of the other: the bound of `free.rs`, a
//! box a lane.
//!
//! Everything is seen from the body of the eight boxes, so that these are taken as they lie in their tree.
//! The directions tried are those of two boxes: their axes, and from middle to middle. The best is looked at
//! as [`Facing::rough_free_time`](super::Facing) does; of turns by large angles at several times instead of
//! one.

use fearless_simd::{Simd, f64x8, prelude::*};
use glam::{DMat3, DVec3};

use super::course::Instant;
use super::piece::{Piece, Ring};
use crate::math::simd::{Eight3, Level, dispatch};
use crate::math::{Pose, unit};
use crate::shape::{Obb, Triangle};
use crate::tree::EightBoxes;

/// Turns of more than this, in radians, are looked at more closely.
const FAR: f64 = 0.5;

/// Times at which the bound of such turns is looked at.
const TRIALS: u32 = 5;

/// Axes may be orthonormal to seven digits only: heights make up for that.
const LOOSE: f64 = 2e-6;

const ROUNDED: f64 = 1.0 + 16.0 * f64::EPSILON;

/// A piece of the other body, and both motions, as eight boxes of one body see them at an instant.
pub struct Ahead {
    level: Level,
    /// A box around the piece.
    around: Obb,
    ring: Ring,
    mine: Turning,
    theirs: Turning,
    /// From the centre of my motion to that of the other, and its velocity.
    between: DVec3,
    velocity: DVec3,
    slack: f64,
    separation: f64,
}

/// How a body turns; the axis is zero for one that does not.
struct Turning {
    center: DVec3,
    axis: DVec3,
    rate: f64,
}

/// The direction that keeps a box apart longest, in each lane.
#[derive(Clone, Copy)]
struct Best<S: Simd> {
    normal: Eight3<S>,
    width: f64x8<S>,
    time: f64x8<S>,
    /// `|n × axis|` of both bodies.
    across: [f64x8<S>; 2],
}

impl Ahead {
    /// As body `side` sees a piece of the other; `None` for pieces that are no boxes or triangles.
    pub fn new(instant: &Instant, side: usize, piece: &Piece, separation: f64) -> Option<Self> {
        let around = match piece {
            Piece::Bound(bound) => *bound,
            Piece::Triangle(t) => thin_box(t),
            Piece::Convex(_) | Piece::Plane(_) => return None,
        };
        // Both motions as the first body sees them.
        let centers = [instant.centers[0], instant.centers[0] + instant.between];
        let seen = |i: usize| Turning {
            center: centers[i],
            axis: instant.seen[i].unwrap_or(DVec3::ZERO),
            rate: instant.rates[i],
        };
        let other = 1 - side;
        let ring = instant.axes[other].map(|axis| piece.ring(instant.centers[other], axis));
        let (first, velocity) = (&Pose::IDENTITY, instant.velocity);
        let ahead = Self {
            level: Level::new(),
            around: around.posed(if side == 0 { &instant.relative } else { first }),
            ring: ring.unwrap_or(Ring { radius: 0.0, low: 0.0, high: 0.0, margin: 0.0 }),
            mine: seen(side),
            theirs: seen(other),
            between: DVec3::ZERO,
            velocity: if side == 0 { velocity } else { -velocity },
            // Turning all of this into the frame of the second body is a few roundings more.
            slack: 2.0 * instant.slack,
            separation,
        };
        let ahead = if side == 0 { ahead } else { ahead.seen_from(&instant.relative) };
        Some(Self { between: ahead.theirs.center - ahead.mine.center, ..ahead })
    }

    /// The same in the frame that stands at a pose, whose rotation is orthonormal up to rounding.
    fn seen_from(self, pose: &Pose) -> Self {
        let back = pose.rotation().transpose();
        let point = |p: DVec3| back * (p - pose.translation());
        let turning = |t: Turning| Turning { center: point(t.center), axis: back * t.axis, rate: t.rate };
        let Obb { center, axes, half } = self.around;
        Self {
            around: Obb { center: point(center), axes: back * axes, half },
            mine: turning(self.mine),
            theirs: turning(self.theirs),
            velocity: back * self.velocity,
            ..self
        }
    }

    /// For how long each of the boxes certainly stays apart from the piece by more than the separation, at most `most`.
    #[inline]
    pub fn free_times(&self, boxes: &EightBoxes, most: f64) -> [f64; 8] {
        dispatch!(self.level, simd => self.kernel(simd, boxes, most))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn kernel<S: Simd>(&self, simd: S, boxes: &EightBoxes, most: f64) -> [f64; 8] {
        let mine = Lanes::new(simd, boxes, &self.mine);
        let zero = f64x8::splat(simd, 0.0);
        let start = Eight3 { x: zero, y: zero, z: zero };
        let mut best = Best { normal: start, width: zero, time: zero, across: [zero; 2] };
        self.boxes_axes(simd, &mine, &mut best);
        let most = f64x8::splat(simd, most);
        let free = if self.mine.rate + self.theirs.rate > 0.0 {
            self.turning(simd, &mine, &best, most)
        } else {
            best.time
        };
        let is_apart = best.width.simd_gt(zero);
        is_apart.select(free.min(most), zero).into()
    }

    /// Looks along the axes of both boxes, and from middle to middle.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn boxes_axes<S: Simd>(&self, simd: S, mine: &Lanes<S>, best: &mut Best<S>) {
        let Obb { center, axes, half } = self.around;
        let loose = LOOSE * half.element_sum();
        let way = Eight3::splat(simd, center).sub(mine.center);
        let mut theirs = [f64x8::splat(simd, 0.0); 3];
        for j in 0..3 {
            let axis = Eight3::splat(simd, axes.col(j));
            let mut reach = f64x8::splat(simd, half[j] + loose);
            for (i, reached) in theirs.iter_mut().enumerate() {
                let product = mine.axes[i].dot(axis).abs();
                reach += product * mine.half[i];
                *reached += product * (half[j] + loose);
            }
            self.look(simd, mine, axis, axis.dot(way), reach, best);
        }
        for (i, reached) in theirs.into_iter().enumerate() {
            self.look(simd, mine, mine.axes[i], mine.axes[i].dot(way), mine.half[i] + reached, best);
        }
        let far = way.length();
        let toward = way.times(f64x8::splat(simd, 1.0) / far);
        let reach = mine.reach(toward) + self.reach(simd, toward);
        self.look(simd, mine, toward, far, reach, best);
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn look<S: Simd>(
        &self,
        simd: S,
        mine: &Lanes<S>,
        axis: Eight3<S>,
        height: f64x8<S>,
        reach: f64x8<S>,
        best: &mut Best<S>,
    ) {
        let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
        let width = height.abs() - reach - (self.slack + self.separation) * (1.0 + LOOSE);
        let normal = axis.times(one.copysign(height));
        let across = [
            normal.cross(Eight3::splat(simd, self.mine.axis)).length(),
            normal.cross(Eight3::splat(simd, self.theirs.axis)).length(),
        ];
        let turning =
            across[0] * mine.radius * self.mine.rate + across[1] * (self.theirs.rate * self.ring.radius);
        let rate = turning * ROUNDED - normal.dot(Eight3::splat(simd, self.velocity));
        let time = time_of(simd, width, rate);
        let time = width.simd_gt(zero).select(time, zero);
        let better = time.simd_gt(best.time);
        best.normal = Eight3::select(better, normal, best.normal);
        best.width = better.select(width, best.width);
        best.time = better.select(time, best.time);
        best.across = [better.select(across[0], best.across[0]), better.select(across[1], best.across[1])];
    }

    /// How far the other box reaches along a direction.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn reach<S: Simd>(&self, simd: S, direction: Eight3<S>) -> f64x8<S> {
        let Obb { axes, half, .. } = self.around;
        let loose = LOOSE * half.element_sum();
        let mut reach = f64x8::splat(simd, 0.0);
        for j in 0..3 {
            reach += direction.dot(Eight3::splat(simd, axes.col(j))).abs() * (half[j] + loose);
        }
        reach
    }

    /// For how long the best direction keeps boxes apart that turn.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn turning<S: Simd>(&self, simd: S, mine: &Lanes<S>, best: &Best<S>, most: f64x8<S>) -> f64x8<S> {
        let zero = f64x8::splat(simd, 0.0);
        let mut low = best.time.max(self.revolving(simd, mine, best)).min(most);
        let (mut high, mut time) = (most, most);
        let trials = if (self.mine.rate + self.theirs.rate) * most[0] > FAR { TRIALS } else { 1 };
        for _ in 0..trials {
            let bound = self.bound(simd, mine, best, time);
            let holds = bound.simd_ge(zero);
            // A chord of a concave function lies below it.
            let chord = time * (best.width / (best.width - bound)) * (1.0 - 16.0 * f64::EPSILON);
            // Where numbers are out of range nothing is known.
            let chord = chord.simd_lt(time).select(chord, zero);
            low = low.max(holds.select(time, chord));
            high = holds.select(high, time);
            time = (low * high).sqrt();
        }
        low
    }

    /// The function f of the head of `free.rs`, less the separation.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn bound<S: Simd>(&self, simd: S, mine: &Lanes<S>, best: &Best<S>, time: f64x8<S>) -> f64x8<S> {
        let normal = best.normal;
        let spins = [self.mine.axis * self.mine.rate, self.theirs.axis * self.theirs.rate];
        let lean = [
            normal.add(normal.cross(Eight3::splat(simd, spins[0])).times(time)),
            normal.add(normal.cross(Eight3::splat(simd, spins[1])).times(time)),
        ];
        let way = normal.dot(Eight3::splat(simd, self.between))
            + time * normal.dot(Eight3::splat(simd, self.velocity));
        let mine_high = lean[0].dot(mine.arm) + mine.reach(lean[0]);
        let arm = Eight3::splat(simd, self.theirs.center - self.around.center);
        let theirs_high = lean[1].dot(arm) + self.reach(simd, lean[1]);
        let [first, second] = [self.mine.rate, self.theirs.rate];
        let bends = best.across[0] * mine.radius * (first * first)
            + best.across[1] * (second * second * self.ring.radius);
        let slack = (time * (first + second) + 1.0) * self.slack + self.separation;
        way - mine_high - theirs_high - slack - time * time * (bends * (0.5 * ROUNDED))
    }

    /// By the volumes of revolution that boxes and piece stay in as seen from their centres.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn revolving<S: Simd>(&self, simd: S, mine: &Lanes<S>, best: &Best<S>) -> f64x8<S> {
        let (normal, zero) = (best.normal, f64x8::splat(simd, 0.0));
        let [mine_high, theirs_high] = self.heights(simd, mine, best);
        let way = normal.dot(Eight3::splat(simd, self.between));
        let width = way - mine_high - theirs_high - (2.0 * self.slack + self.separation) * (1.0 + LOOSE);
        let rate = zero - normal.dot(Eight3::splat(simd, self.velocity));
        let time = time_of(simd, width, rate);
        (width.simd_gt(zero) & time.simd_gt(zero)).select(time, zero)
    }

    /// How far the boxes reach along the best direction while they turn, and the piece against it.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn heights<S: Simd>(&self, simd: S, mine: &Lanes<S>, best: &Best<S>) -> [f64x8<S>; 2] {
        let (normal, zero) = (best.normal, f64x8::splat(simd, 0.0));
        let mine_high = if self.mine.rate > 0.0 {
            let along = normal.dot(Eight3::splat(simd, self.mine.axis));
            (along * mine.low).max(along * mine.high) + best.across[0] * mine.radius
        } else {
            normal.dot(mine.arm) + mine.reach(normal)
        };
        let theirs_high = if self.theirs.rate > 0.0 {
            let along = zero - normal.dot(Eight3::splat(simd, self.theirs.axis));
            (along * self.ring.low).max(along * self.ring.high) + best.across[1] * self.ring.radius
        } else {
            let arm = Eight3::splat(simd, self.theirs.center - self.around.center);
            normal.dot(arm) + self.reach(simd, normal)
        };
        [mine_high, theirs_high]
    }
}

/// How long a width lasts at a rate; for ever at none.
#[cfg_attr(not(opt_level_0), inline(always))]
fn time_of<S: Simd>(simd: S, width: f64x8<S>, rate: f64x8<S>) -> f64x8<S> {
    let never = f64x8::splat(simd, f64::INFINITY);
    rate.simd_gt(f64x8::splat(simd, 0.0)).select(width / rate, never)
}

/// The eight boxes, with what bounds their turning.
struct Lanes<S: Simd> {
    center: Eight3<S>,
    axes: [Eight3<S>; 3],
    half: [f64x8<S>; 3],
    /// From the centre of the motion.
    arm: Eight3<S>,
    radius: f64x8<S>,
    low: f64x8<S>,
    high: f64x8<S>,
}

impl<S: Simd> Lanes<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn new(simd: S, boxes: &EightBoxes, turning: &Turning) -> Self {
        let load = |rows: &[[f64; 8]; 3]| Eight3::load(simd, [&rows[0], &rows[1], &rows[2]]);
        let center = load(&boxes.center);
        let axes = [load(&boxes.axes[0]), load(&boxes.axes[1]), load(&boxes.axes[2])];
        let half = load(&boxes.half);
        let loose = (half.x + half.y + half.z) * LOOSE;
        let half = [half.x + loose, half.y + loose, half.z + loose];
        let axis = Eight3::splat(simd, turning.axis);
        let arm = center.sub(Eight3::splat(simd, turning.center));
        let size = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
        let zero = f64x8::splat(simd, 0.0);
        let mut lanes =
            Self { center, axes, half, arm, radius: arm.cross(axis).length() + size, low: zero, high: zero };
        let (middle, reach) = (arm.dot(axis), lanes.reach(axis));
        (lanes.low, lanes.high) = (middle - reach, middle + reach);
        lanes
    }

    /// How far the boxes reach along a direction, from their middles.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn reach(&self, direction: Eight3<S>) -> f64x8<S> {
        let [a, b, c] = &self.axes;
        a.dot(direction).abs() * self.half[0]
            + b.dot(direction).abs() * self.half[1]
            + c.dot(direction).abs() * self.half[2]
    }
}

/// A box around a triangle, as thin as rounding allows, along its longest edge.
pub fn thin_box(t: &Triangle) -> Obb {
    let edges = [t.b - t.a, t.c - t.b, t.a - t.c];
    let longest = edges
        .into_iter()
        .fold(edges[0], |best, e| if e.length_squared() > best.length_squared() { e } else { best });
    let x = unit(longest).unwrap_or(DVec3::X);
    let square = edges[0].cross(edges[1]);
    let z = unit(square - x * square.dot(x)).unwrap_or_else(|| x.any_orthonormal_vector());
    let axes = DMat3::from_cols(x, z.cross(x), z);
    let seen = [t.b - t.a, t.c - t.a].map(|p| axes.transpose() * p);
    let (low, high) = seen.into_iter().fold((DVec3::ZERO, DVec3::ZERO), |(l, h), p| (l.min(p), h.max(p)));
    Obb { center: t.a + axes * ((low + high) * 0.5), axes, half: (high - low) * (0.5 * ROUNDED) }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::math::simd::other_levels;
    use crate::motion::{Course, Facing, Motion, apart};
    use crate::testing::Random;

    fn motion(rng: &mut Random, spin: f64) -> Motion {
        let start = Pose::new(rng.point() * 2.0, DQuat::from_scaled_axis(rng.point() * 3.0)).unwrap();
        Motion::new(start, rng.point() * 2.0, rng.point(), rng.point() * spin).unwrap()
    }

    fn one(rng: &mut Random) -> Obb {
        let axes = DMat3::from_quat(DQuat::from_scaled_axis(rng.point() * 3.0));
        Obb { center: rng.point() * 1.5, axes, half: (rng.point() * 0.4).abs() }
    }

    #[test]
    fn eight_boxes_at_once_are_free_as_long_as_one_by_one() {
        let mut rng = Random::new(2);
        let (mut longer, mut compared) = (0, 0);
        for case in 0..600 {
            let spins = [[0.0, 0.0], [0.1, 0.0], [0.0, 0.2], [0.1, 0.1], [0.0, 3.0], [9.0, 9.0]][case % 6];
            let motions = spins.map(|spin| motion(&mut rng, spin));
            let course = Course::new(motions, [3.0; 2], 1.0);
            let instant = course.at(0.3);
            let separation = [0.0, 0.05][case % 2];
            let boxes: [Obb; 8] = std::array::from_fn(|_| one(&mut rng));
            let mut eight = EightBoxes::NONE;
            (0..8).for_each(|i| eight.set(i, &boxes[i]));
            let other = Piece::Bound(one(&mut rng));
            for side in 0..2 {
                let ahead = Ahead::new(&instant, side, &other, separation).unwrap();
                let free = ahead.free_times(&eight, 0.7);
                for (i, found) in free.into_iter().enumerate() {
                    let mine = Piece::Bound(boxes[i]);
                    let facing = if side == 0 {
                        Facing::new(&instant, &mine, &other)
                    } else {
                        Facing::new(&instant, &other, &mine)
                    };
                    let gap = apart(&facing, separation);
                    let alone = gap.map_or(0.0, |gap| facing.rough_free_time(&gap, separation, 0.7));
                    if spins[0] + spins[1] < 0.5 {
                        // Boxes are a few millionths larger here.
                        assert!((alone - found).abs() < 1e-4, "{case} {side} {i}: {alone} {found}");
                        compared += usize::from(found > 0.0 && found < 0.7);
                    } else {
                        // Looked at in another way: neither is free longer than the zero of the bound.
                        let most = gap.map_or(0.0, |gap| facing.free_time(&gap, separation, 0.7));
                        assert!(found <= most.max(alone) * 1.1 + 1e-4, "{case} {side} {i}: {most} {found}");
                        longer += usize::from(found > 0.0);
                    }
                }
            }
        }
        assert!(compared > 50 && longer > 1000, "{compared} {longer}");
    }

    #[test]
    fn every_simd_level_frees_eight_boxes_as_long() {
        let mut rng = Random::new(7);
        for case in 0..100 {
            let motions = [0.2, [0.0, 5.0][case % 2]].map(|spin| motion(&mut rng, spin));
            let instant = Course::new(motions, [3.0; 2], 1.0).at(0.3);
            let mut eight = EightBoxes::NONE;
            (0..7).for_each(|i| eight.set(i, &one(&mut rng)));
            let mut ahead = Ahead::new(&instant, case % 2, &Piece::Bound(one(&mut rng)), 0.0).unwrap();
            let free = ahead.free_times(&eight, 0.7);
            for level in other_levels() {
                ahead.level = level;
                assert_eq!(ahead.free_times(&eight, 0.7), free);
            }
        }
    }

    #[test]
    fn a_thin_box_holds_its_triangle() {
        let mut rng = Random::new(6);
        for case in 0..300 {
            let size = [1.0, 1e-9, 1e9][case % 3];
            let (a, b) = (rng.point() * size, rng.point() * size);
            // Slender, straight, a point, and any.
            let c = match case % 5 {
                0 => a + (b - a) * 0.3 + rng.point() * (1e-9 * size),
                1 => a + (b - a) * 0.5,
                2 => a,
                _ => rng.point() * size,
            };
            let t = Triangle { a, b: if case % 10 == 2 { a } else { b }, c };
            let found = thin_box(&t);
            let loose = LOOSE * found.half.element_sum() + 1e-15 * size;
            for p in t.corners() {
                let seen = (found.axes.transpose() * (p - found.center)).abs();
                assert!(seen.cmple(found.half + loose).all(), "{case}: {seen} {found:?}");
            }
            let off = found.axes.transpose() * found.axes - DMat3::IDENTITY;
            assert!(off.to_cols_array().into_iter().all(|x| x.abs() < 1e-12), "{case}");
        }
    }
}
