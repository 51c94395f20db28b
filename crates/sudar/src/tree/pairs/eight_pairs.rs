//! Eight pairs of triangles at once: whether each meets, exactly.
//!
//! The same signs as [`triangles_intersect`] uses, with the same bounds on rounding, a pair a lane. A
//! lane in which plain arithmetic leaves a sign open is tested again on its own, so that the answers are the
//! same on every machine.

use fearless_simd::{Simd, f64x8, mask64x8, prelude::*};

use super::crossing::{Sides, alone_first};
use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D};
use crate::math::simd::{Eight3 as Points, Level, dispatch};
use crate::pair::triangles_intersect;
use crate::shape::Triangle;

/// Up to eight pairs of triangles. `corners[3·corner + axis][pair]`.
#[derive(Debug, Clone)]
pub(crate) struct EightPairs {
    level: Level,
    a: [[f64; 8]; 9],
    b: [[f64; 8]; 9],
    len: usize,
}

impl EightPairs {
    /// No pairs yet.
    pub fn new() -> Self {
        Self { level: Level::new(), a: [[0.0; 8]; 9], b: [[0.0; 8]; 9], len: 0 }
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds a pair; does nothing if there are eight.
    #[inline(always)]
    pub fn push(&mut self, a: &Triangle, b: &Triangle) {
        if self.len < 8 {
            set(&mut self.a, self.len, a);
            set(&mut self.b, self.len, b);
            self.len += 1;
        }
    }

    /// Empties it and returns which pairs met: bit i for the i-th, as [`triangles_intersect`] says.
    #[inline]
    pub fn take(&mut self) -> u32 {
        let valid = (1 << self.len) - 1;
        let (yes, open) = dispatch!(self.level, simd => decide(simd, self));
        self.len = 0;
        if open & valid == 0 { yes & valid } else { self.settled(yes & valid, open & valid) }
    }

    #[cold]
    #[inline(never)]
    fn settled(&self, yes: u32, open: u32) -> u32 {
        let meets = |&i: &usize| triangles_intersect(&get(&self.a, i), &get(&self.b, i));
        (0..8).filter(|i| open >> i & 1 == 1).filter(meets).fold(yes, |mask, i| mask | 1 << i)
    }
}

#[inline(always)]
fn set(corners: &mut [[f64; 8]; 9], lane: usize, t: &Triangle) {
    for (k, p) in t.corners().into_iter().enumerate() {
        (corners[3 * k][lane], corners[3 * k + 1][lane], corners[3 * k + 2][lane]) = (p.x, p.y, p.z);
    }
}

fn get(corners: &[[f64; 8]; 9], lane: usize) -> Triangle {
    Triangle::from([0, 3, 6].map(|k| [0, 1, 2].map(|axis| corners[k + axis][lane]).into()))
}

/// The corner of a number in each lane.
#[cfg_attr(not(opt_level_0), inline(always))]
fn corner<S: Simd>(simd: S, corners: &[[f64; 8]; 9], k: usize) -> Points<S> {
    Points::load(simd, [&corners[3 * k], &corners[3 * k + 1], &corners[3 * k + 2]])
}

/// The cross product (b−a)×(c−a) and the same with absolute values added instead of subtracted.
#[cfg_attr(not(opt_level_0), inline(always))]
fn normal_and_size<S: Simd>(a: Points<S>, b: Points<S>, c: Points<S>) -> (Points<S>, Points<S>) {
    let (u, v) = (b.sub(a), c.sub(a));
    let plus = Points { x: u.y * v.z, y: u.z * v.x, z: u.x * v.y };
    let minus = Points { x: u.z * v.y, y: u.x * v.z, z: u.y * v.x };
    let (p, m) = (plus.abs(), minus.abs());
    (plus.sub(minus), Points { x: p.x + m.x, y: p.y + m.y, z: p.z + m.z })
}

/// On which sides of `t`'s plane the points lie, with one permanent for all three, and whether certainly all on one.
#[cfg_attr(not(opt_level_0), inline(always))]
fn sides<S: Simd>(simd: S, t: &[Points<S>; 3], p: &[Points<S>; 3]) -> (Sides<mask64x8<S>>, mask64x8<S>) {
    let (normal, size) = normal_and_size(t[0], t[1], t[2]);
    let w = [p[0].sub(t[0]), p[1].sub(t[0]), p[2].sub(t[0])];
    let permanent = size.dot(w[0].abs().max(w[1].abs()).max(w[2].abs()));
    let bound = permanent * ROUNDING_3D;
    let [p, q, r] = [side(normal, w[0], bound), side(normal, w[1], bound), side(normal, w[2], bound)];
    let (above, below) = ([p.0, q.0, r.0], [p.1, q.1, r.1]);
    let proved = permanent.simd_gt(f64x8::splat(simd, LEAST_PERMANENT));
    let sure = proved & (above[0] | below[0]) & (above[1] | below[1]) & (above[2] | below[2]);
    let same = (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
    (Sides { above, sure }, sure & same)
}

/// Where a point is above and where it is below by more than the bound.
#[cfg_attr(not(opt_level_0), inline(always))]
fn side<S: Simd>(normal: Points<S>, w: Points<S>, bound: f64x8<S>) -> (mask64x8<S>, mask64x8<S>) {
    let det = normal.dot(w);
    (det.simd_gt(bound), det.simd_lt(-bound))
}

/// Where (a, b, c, d) is certainly negatively and where it is certainly positively oriented.
#[cfg_attr(not(opt_level_0), inline(always))]
fn orientation<S: Simd>(
    simd: S,
    a: Points<S>,
    b: Points<S>,
    c: Points<S>,
    d: Points<S>,
) -> (mask64x8<S>, mask64x8<S>) {
    let (normal, size) = normal_and_size(a, b, c);
    let w = d.sub(a);
    let (det, permanent) = (normal.dot(w), size.dot(w.abs()));
    let bound = permanent * ROUNDING_3D;
    let proved = permanent.simd_gt(f64x8::splat(simd, LEAST_PERMANENT));
    (proved & det.simd_lt(-bound), proved & det.simd_gt(bound))
}

/// Which pairs certainly meet, and of which this is open.
#[cfg_attr(not(opt_level_0), inline(always))]
fn decide<S: Simd>(simd: S, pairs: &EightPairs) -> (u32, u32) {
    let (a, b) = (&pairs.a, &pairs.b);
    let a = [corner(simd, a, 0), corner(simd, a, 1), corner(simd, a, 2)];
    let b = [corner(simd, b, 0), corner(simd, b, 1), corner(simd, b, 2)];
    let ((sides_a, beyond_b), (sides_b, beyond_a)) = (sides(simd, &b, &a), sides(simd, &a, &b));
    let p = alone_first(&a, &sides_a.above, &sides_b.above);
    let q = alone_first(&b, &sides_b.above, &sides_a.above);
    let (start, too_late) = orientation(simd, p[0], p[1], q[0], q[1]);
    let (end, too_early) = orientation(simd, p[0], q[0], p[2], q[2]);
    let sure = sides_a.sure & sides_b.sure;
    let apart = beyond_b | beyond_a;
    let no = apart | (sure & (too_late | too_early));
    let yes = sure & start & end & !apart;
    (yes.to_bitmask() as u32, (!(yes | no)).to_bitmask() as u32)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::RngExt;

    use super::*;
    use crate::math::simd::other_levels;
    use crate::testing::Random;

    /// Corners on a coarse lattice, where many touch, are coplanar or have no area; or anywhere, at any scale.
    fn triangle(lattice: bool, scale: f64, rng: &mut Random) -> Triangle {
        let mut coordinate = || {
            let x: f64 = rng.random_range(-2.0..2.0);
            scale * if lattice { x.round() } else { x }
        };
        Triangle::from([(); 3].map(|()| DVec3::new(coordinate(), coordinate(), coordinate())))
    }

    #[test]
    fn eight_pairs_answer_as_single_ones_at_every_level() {
        let mut rng = Random::new(41);
        let levels: Vec<Level> = other_levels().into_iter().chain([Level::new()]).collect();
        let mut met = 0;
        for round in 0..4000 {
            let scale = [1.0, 1e-80, 1e-150, 7e89][round % 4];
            let n = rng.random_range(0..=8);
            let pairs: Vec<_> =
                (0..n).map(|_| [(); 2].map(|()| triangle(round % 3 == 0, scale, &mut rng))).collect();
            for &level in &levels {
                let mut eight = EightPairs { level, ..EightPairs::new() };
                pairs.iter().for_each(|[a, b]| eight.push(a, b));
                assert_eq!(eight.len(), n);
                let mask = eight.take();
                assert_eq!((eight.len(), mask >> n), (0, 0));
                for (i, [a, b]) in pairs.iter().enumerate() {
                    assert_eq!(mask >> i & 1 == 1, triangles_intersect(a, b), "{a:?} {b:?} {level:?}");
                    met += usize::from(mask >> i & 1 == 1);
                }
            }
        }
        assert!(met > 1000, "only {met} met: the test lost its point");
    }

    #[test]
    fn what_is_clear_is_not_asked_again() {
        let mut rng = Random::new(42);
        let mut open = 0;
        for _ in 0..1000 {
            let mut eight = EightPairs::new();
            for _ in 0..8 {
                eight.push(&triangle(false, 1.0, &mut rng), &triangle(false, 1.0, &mut rng));
            }
            open += dispatch!(eight.level, simd => decide(simd, &eight)).1.count_ones();
        }
        assert_eq!(open, 0);
    }
}
