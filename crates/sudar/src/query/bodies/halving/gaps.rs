//! Boxes near another, eight at a time: the gaps along the axes of the tree.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::DVec3;

use super::eights::{Eight, Eights, FAR, Test};
use crate::effort::Meter;
use crate::math::simd::{Level, dispatch_to_avx2};
use crate::shape::Aabb;

/// More than the relative rounding of a gap in `f32`: of three squares, their sum and its root.
const LOSS: f64 = 2e-6;

/// Boxes farther from the tree, in its units, have gaps whose squares overflow.
const MOST: f64 = 1e15;

impl Eights {
    /// Shows the places of the boxes that may be no farther from a box than `upper`, about the nearest first; `visit`
    /// returns the new `upper`. Returns no more than the gap of any that is not shown. Each node costs one of the
    /// meter. `None`, without a visit, for a box that is not for `f32`.
    pub fn near(
        &self,
        around: &Aabb,
        upper: f64,
        meter: &mut Meter,
        visit: &mut dyn FnMut(u32, &mut Meter) -> f64,
    ) -> Option<f64> {
        let [low, high] = [around.min, around.max].map(|p| p * self.scale - self.origin * self.scale);
        // False for what is no number too.
        if !(low.abs().max_element() < MOST && high.abs().max_element() < MOST) {
            return None;
        }
        let off = |p: DVec3| (p.abs() + DVec3::ONE) * (1.0 / f64::from(1 << 22));
        let [low, high] = [low - off(low), high + off(high)].map(|p| p.as_vec3().to_array());
        let limit = |upper: f64| (upper * self.scale * (1.0 + LOSS)).clamp(-1.0, FAR) as f32;
        let least = dispatch_to_avx2!(Level::new(), simd => {
            let mut test = Gaps::new(simd, low, high);
            let visit = |place: u32, meter: &mut Meter| limit(visit(place, meter));
            let listed = self.traverse(simd, &mut test, limit(upper), meter, visit);
            test.left_out().min(listed)
        });
        Some(f64::from(least) / self.scale * (1.0 - LOSS))
    }
}

/// A box in all lanes.
struct Gaps<S: Simd> {
    low: [f32x8<S>; 3],
    high: [f32x8<S>; 3],
    /// The least gaps of what was not of interest.
    left_out: f32x8<S>,
}

impl<S: Simd> Gaps<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn new(simd: S, low: [f32; 3], high: [f32; 3]) -> Self {
        let all = |x: f32| f32x8::splat(simd, x);
        let ([a, b, c], [p, q, r]) = (low, high);
        Self { low: [all(a), all(b), all(c)], high: [all(p), all(q), all(r)], left_out: all(f32::INFINITY) }
    }

    /// The least gap of the boxes that were tested and did not pass.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn left_out(&self) -> f32 {
        let all: [f32; 8] = self.left_out.into();
        all.iter().fold(f32::INFINITY, |least, gap| least.min(*gap))
    }
}

impl<S: Simd> Test<S> for Gaps<S> {
    /// Which of eight boxes are no farther than a limit, and how far each is.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn pass(&mut self, simd: S, node: &Eight, limit: f32) -> (u32, [f32; 8]) {
        let zero = f32x8::splat(simd, 0.0);
        let mut square = zero;
        for k in 0..3 {
            let low: f32x8<S> = node.low[k].simd_into(simd);
            let high: f32x8<S> = node.high[k].simd_into(simd);
            let apart = (low - self.high[k]).max(self.low[k] - high).max(zero);
            square += apart * apart;
        }
        let gap = square.sqrt();
        let near = gap.simd_le(f32x8::splat(simd, limit));
        self.left_out = self.left_out.min(near.select(self.left_out, gap));
        (near.to_bitmask() as u32, gap.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Halving;
    use super::*;
    use crate::effort::Budget;
    use crate::testing::Random;

    /// The gap of two boxes.
    fn gap(a: &Aabb, b: &Aabb) -> f64 {
        (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
    }

    /// Boxes and one beside them: all that are no farther than a limit that falls, once each, and for the rest a bound
    /// that none of them falls below and that is no less than the limit, but for rounding.
    #[test]
    fn all_boxes_that_are_near_are_shown_and_the_others_are_as_far_as_is_said() {
        let mut random = Random::new(95);
        let (mut some, mut others) = (0, 0);
        for (scale, far) in [(1.0, 0.0), (1e-60, 0.0), (1e80, 0.0), (1.0, 1e6), (7.0, -50.0)] {
            for count in [2, 3, 5, 8, 9, 31, 64, 100, 700] {
                let mut one = |away: f64, size: f64| {
                    let (center, half) = (random.point() * away, random.point().abs() * size);
                    let [min, max] =
                        [center - half, center + half].map(|p| p * scale + DVec3::splat(far * scale));
                    Aabb { min, max }
                };
                let boxes: Vec<Aabb> = (0..count).map(|_| one(1.0, 0.1)).collect();
                let tree = Halving::new(&boxes);
                for step in 0..60 {
                    let around = one([1.0, 3.0, 1e4][step % 3], [0.0, 0.1, 2.0][step / 3 % 3]);
                    let gaps: Vec<f64> = boxes.iter().map(|aabb| gap(aabb, &around)).collect();
                    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
                    let mut upper = [0.0, least, 2.0 * least + 0.1 * scale, f64::INFINITY][step % 4];
                    let start = upper;
                    let mut shown = Vec::new();
                    let found = tree.near(&around, upper, &mut Meter::unlimited(), |half, _| {
                        let i = tree.numbers(half)[0];
                        shown.push(i);
                        if step % 8 > 3 {
                            upper = upper.min(gaps[i as usize]);
                        }
                        upper
                    });
                    let rest = found.unwrap();
                    assert!(rest >= upper * (1.0 - 1e-5), "{rest} {upper}");
                    shown.sort_unstable();
                    assert!(shown.is_sorted_by(|i, j| i < j), "{shown:?}");
                    for (i, gap) in gaps.iter().enumerate() {
                        let is_shown = shown.binary_search(&(i as u32)).is_ok();
                        assert!(is_shown || (*gap > upper && *gap >= rest), "{i} of {count}: {gap} {rest}");
                        others += usize::from(!is_shown);
                    }
                    some += usize::from(start < f64::INFINITY && !shown.is_empty());
                }
            }
        }
        assert!(some > 500 && others > 10_000, "{some} {others}");
    }

    #[test]
    fn a_search_that_is_cut_short_bounds_what_it_did_not_open() {
        let mut random = Random::new(96);
        let boxes: Vec<Aabb> = (0..512).map(|_| Aabb::around([random.point(), random.point()])).collect();
        let tree = Halving::new(&boxes);
        let around = Aabb::around([DVec3::splat(9.0), DVec3::splat(9.5)]);
        let least = boxes.iter().map(|aabb| gap(aabb, &around)).fold(f64::INFINITY, f64::min);
        for most in 0..20 {
            let mut meter = Meter::new(&Budget::nodes(most));
            let mut upper = f64::INFINITY;
            let found = tree.near(&around, upper, &mut meter, |half, _| {
                upper = upper.min(gap(tree.bounds(half), &around));
                upper
            });
            assert!(found.unwrap().min(upper) <= least, "{most} {found:?}");
        }
        let endless = Aabb::EVERYTHING;
        assert_eq!(tree.near(&endless, 1.0, &mut Meter::unlimited(), |_, _| 1.0), None);
        assert_eq!(Halving::new(&[]).near(&around, 1.0, &mut Meter::unlimited(), |_, _| 1.0), None);
    }
}
