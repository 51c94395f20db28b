//! Boxes along a ray, eight at a time.
//!
//! They are grown by all that the ray is rounded by in `f32`, so that none is left out that it meets. (Slabs as in Kay
//! and Kajiya 1986, "Ray tracing complex scenes".)

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::DVec3;

use super::eights::{Eight, Eights, FAR, Test};
use crate::effort::Meter;
use crate::math::simd::{Level, dispatch_to_avx2};
use crate::shape::{Aabb, Ray};

/// A ray that goes no farther along an axis than this share of its greatest coordinate counts as square to it.
const SQUARE: f64 = 1e-6;

/// The most that boxes are grown by, in units of the whole; a ray that needs more is for `f64`.
const MOST_ROOM: f64 = 1.0 / 64.0;

impl Eights {
    /// Shows the places of the boxes that a ray may meet, about in its order, up to a parameter that `visit` returns;
    /// each node costs one of the meter. `entry` is where the ray enters the box around all, and `whole` that box.
    /// `false`, without a visit, for a ray that is not for `f32`.
    pub fn along(
        &self,
        ray: &Ray,
        entry: f64,
        whole: &Aabb,
        most: f64,
        meter: &mut Meter,
        visit: &mut dyn FnMut(u32) -> f64,
    ) -> bool {
        let Some(way) = Way::new(self, ray, entry, whole) else { return false };
        dispatch_to_avx2!(Level::new(), simd => {
            let limit = way.limit(most);
            self.traverse(simd, &mut Probe::new(simd, &way), limit, meter, |place, _| way.limit(visit(place)));
        });
        true
    }
}

/// A ray in the units of the tree, from where it enters the whole, with a greatest coordinate of its direction of 1.
struct Way {
    start: DVec3,
    direction: DVec3,
    /// By how much boxes are grown.
    room: f64,
    /// More than how far it goes along axes that it is square to.
    sideways: f64,
    /// The parameter at the start, and units of way for one of the parameter.
    entry: f64,
    rate: f64,
    /// What a parameter may be off by, in units of way, for one of the parameter.
    off: f64,
}

impl Way {
    /// `None` if the room for rounding would be large.
    ///
    /// In `f32` a start is off by 2⁻²⁴ of the reach r of the whole and the ray in it, the difference of an end and a
    /// start by 2⁻²⁴ of 2r, and its product with an inverse, as a length, by 2⁻²² of 2r: 2⁻²⁰·r in all, with room for
    /// as much again. Parameters of hits are good to nine digits, and the room for these is that of `RayEntry`.
    fn new(tree: &Eights, ray: &Ray, entry: f64, whole: &Aabb) -> Option<Self> {
        let longest = ray.direction.abs().max_element();
        let reach = [whole.min, whole.max].map(|p| ((p - tree.origin) * tree.scale).abs().max_element());
        let reach = reach[0].max(reach[1]).max(1.0);
        let far = whole.reach().max(ray.origin.abs().max_element()) * tree.scale;
        let room = reach / f64::from(1 << 18) + 3e-8 * far;
        let start = (ray.origin + ray.direction * entry - tree.origin) * tree.scale;
        let rate = longest * tree.scale;
        // False for what is no number too.
        let fits =
            room < MOST_ROOM * reach && reach < 1e6 && longest > 1e-100 && (1e-200..1e200).contains(&rate);
        let is_near = start.abs().max_element() < 2.0 * reach;
        let (direction, sideways) = (ray.direction / longest, 16.0 * SQUARE * reach);
        (fits && is_near).then_some(Self { start, direction, room, sideways, entry, rate, off: 1e-8 * rate })
    }

    /// Up to where boxes are of interest, rounded up.
    #[inline(always)]
    fn limit(&self, upto: f64) -> f32 {
        if upto < 0.0 {
            return -1.0;
        }
        let way = (upto - self.entry) * self.rate + upto.abs() * self.off;
        (way + way.abs() * (1.0 / f64::from(1 << 20))).clamp(-FAR, FAR) as f32
    }
}

/// A ray in all lanes.
struct Probe<S: Simd> {
    axes: [Axis<S>; 3],
}

/// One coordinate of a ray. Where it is square to the axis, it is within a slab all the way or never.
struct Axis<S: Simd> {
    low: f32x8<S>,
    high: f32x8<S>,
    inverse: f32x8<S>,
    is_backward: bool,
    is_square: bool,
}

impl<S: Simd> Axis<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn new(simd: S, start: f64, direction: f64, [room, sideways]: [f64; 2]) -> Self {
        let is_square = direction.abs() <= SQUARE;
        let room = if is_square { room + sideways } else { room };
        let inverse = if is_square { 0.0 } else { 1.0 / direction };
        Self {
            low: f32x8::splat(simd, (start + room) as f32),
            high: f32x8::splat(simd, (start - room) as f32),
            inverse: f32x8::splat(simd, inverse as f32),
            is_backward: direction < 0.0,
            is_square,
        }
    }
}

impl<S: Simd> Probe<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn new(simd: S, way: &Way) -> Self {
        let axis = |k: usize| Axis::new(simd, way.start[k], way.direction[k], [way.room, way.sideways]);
        Self { axes: [axis(0), axis(1), axis(2)] }
    }
}

impl<S: Simd> Test<S> for Probe<S> {
    /// Which of eight boxes the ray may enter before a limit, and where.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn pass(&mut self, simd: S, node: &Eight, limit: f32) -> (u32, [f32; 8]) {
        let zero = f32x8::splat(simd, 0.0);
        let (mut enter, mut leave) = (zero, f32x8::splat(simd, limit));
        let mut within = zero.simd_le(zero);
        for k in 0..3 {
            let axis = &self.axes[k];
            let low: f32x8<S> = node.low[k].simd_into(simd);
            let high: f32x8<S> = node.high[k].simd_into(simd);
            // Of the start: negative if the box begins before it.
            let (low, high) = (low - axis.low, high - axis.high);
            if axis.is_square {
                within &= low.simd_le(zero) & high.simd_ge(zero);
                continue;
            }
            let (near, far) = if axis.is_backward { (high, low) } else { (low, high) };
            enter = enter.max(near * axis.inverse);
            leave = leave.min(far * axis.inverse);
        }
        ((within & enter.simd_le(leave)).to_bitmask() as u32, enter.into())
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::super::Halving;
    use super::*;
    use crate::pair::ray_aabb;
    use crate::query::ray_entry;
    use crate::testing::Random;

    /// Boxes in a cube of edge 2 about the origin, some flat and some of them points, then scaled and moved.
    fn boxes(count: usize, size: f64, scale: f64, far: f64, random: &mut Random) -> Vec<Aabb> {
        let mut one = || {
            let (center, half) = (random.point(), random.point().abs() * size);
            let half = if random.random_bool(0.2) { half * DVec3::new(1.0, 0.0, 1.0) } else { half };
            let half = if random.random_bool(0.1) { DVec3::ZERO } else { half };
            let [min, max] = [center - half, center + half].map(|p| p * scale + DVec3::splat(far));
            Aabb { min, max }
        };
        (0..count).map(|_| one()).collect()
    }

    /// A ray from anywhere through a corner, an edge or a point of a box; some are square to axes.
    fn ray(aabb: &Aabb, away: f64, random: &mut Random) -> Ray {
        let part = DVec3::from_array(std::array::from_fn(|_| [0.0, 0.3, 1.0][random.random_range(0..3)]));
        let through = aabb.min + (aabb.max - aabb.min) * part;
        let mut way = random.point();
        for k in 0..3 {
            if random.random_bool(0.25) && way.abs().max_element() > way[k].abs() {
                way[k] *= [0.0, 1e-5, 1e-7, 1e-300][random.random_range(0..4)];
            }
        }
        Ray { origin: through - way * away, direction: way }
    }

    /// The numbers that a ray is shown; `None` if it is not for `f32`.
    fn shown(tree: &Halving, ray: &Ray, most: f64) -> Option<Vec<u32>> {
        let entry = ray_entry(ray, tree.bounds(tree.whole()));
        let mut shown = Vec::new();
        let is_shown = entry > most
            || tree.along(ray, entry, most, &mut Meter::unlimited(), |i| {
                shown.push(i);
                most
            });
        is_shown.then_some(shown)
    }

    /// Every box that a ray meets by the exact test of slabs is shown, once; how many were shown and how many are met.
    fn check(tree: &Halving, boxes: &[Aabb], ray: &Ray, most: f64) -> [usize; 2] {
        let Some(mut shown) = shown(tree, ray, most) else { return [0; 2] };
        shown.sort_unstable();
        assert!(shown.is_sorted_by(|i, j| i < j), "{shown:?}");
        let met = (0..boxes.len() as u32).filter(|&i| ray_aabb(ray, &boxes[i as usize], most).is_some());
        let met: Vec<u32> = met.collect();
        assert!(
            met.iter().all(|i| shown.binary_search(i).is_ok()),
            "{ray:?}: {met:?} are met, {shown:?} shown"
        );
        [shown.len(), met.len()]
    }

    #[test]
    fn a_ray_is_shown_every_box_that_it_meets() {
        let mut random = Random::new(91);
        let (mut sums, mut rays) = ([0; 2], 0);
        for (scale, far) in [(1.0, 0.0), (1e-60, 0.0), (1e80, 0.0), (1.0, 1e4), (1e-3, 3.0), (7.0, -50.0)] {
            for count in [2, 3, 4, 8, 9, 31, 32, 64, 100, 256] {
                let mut all = boxes(count, 0.1, scale, far, &mut random);
                let mut tree = Halving::new(&all);
                let leaves = tree.leaves();
                for step in 0..120 {
                    let place = random.random_range(0..all.len());
                    let away = [1.5, 0.0, 40.0, 1e4][random.random_range(0..4)] * scale;
                    let ray = ray(&all[place], away, &mut random);
                    let most = if step % 3 == 0 { scale } else { f64::MAX };
                    let found = check(&tree, &all, &ray, most);
                    (sums, rays) =
                        ([sums[0] + found[0], sums[1] + found[1]], rays + usize::from(found[0] > 0));
                    if step % 4 == 0 {
                        let reach = if step % 40 == 0 { 30.0 } else { 1.0 };
                        all[place] = boxes(1, 0.1, reach * scale, far, &mut random)[0];
                        tree.set(leaves[place], all[place]);
                    }
                }
            }
        }
        // Not in vain: most rays are for `f32`, and it shows not many more boxes than are met.
        assert!(rays > 4000 && sums[1] > 3000 && sums[0] < 2 * sums[1], "{rays} rays, {sums:?}");
    }

    #[test]
    fn what_is_beyond_an_end_is_not_shown_and_the_nearest_comes_first() {
        let low = |i: u32| DVec3::X * 2.0 * f64::from(i);
        let row: Vec<Aabb> = (0..64).map(|i| Aabb { min: low(i), max: low(i) + DVec3::ONE }).collect();
        let tree = Halving::new(&row);
        let along = Ray { origin: DVec3::new(-1.0, 0.5, 0.5), direction: DVec3::X };
        assert_eq!(shown(&tree, &along, 1e9), Some((0..64).collect::<Vec<u32>>()));
        // Boxes begin at 1, 3, 5 and 7.
        assert_eq!(shown(&tree, &along, 7.0).map(|shown| shown.len()), Some(4));
        let mut meter = Meter::unlimited();
        let mut first = Vec::new();
        tree.along(&along, 1.0, 1e9, &mut meter, |i| {
            first.push(i);
            1.0
        });
        assert!(first == [0] && meter.statistics().nodes == 2, "{first:?}");
    }

    #[test]
    fn what_is_not_for_f32_is_left_to_f64() {
        let mut random = Random::new(92);
        let all = boxes(64, 0.1, 1.0, 0.0, &mut random);
        let tree = Halving::new(&all);
        let from = |x: f64| Ray { origin: DVec3::X * x, direction: -DVec3::X };
        assert!(shown(&tree, &from(9.0), 99.0).is_some() && shown(&tree, &from(1e9), f64::MAX).is_none());
        for direction in [DVec3::ZERO, DVec3::NAN, DVec3::X * 1e-200, DVec3::X * 1e300] {
            let ray = Ray { origin: DVec3::ZERO, direction };
            assert!(!tree.along(&ray, 0.0, f64::MAX, &mut Meter::unlimited(), |_| f64::MAX), "{direction}");
        }
        let endless = [all.clone(), vec![Aabb::EVERYTHING; 64]].concat();
        let ray = from(9.0);
        let endless = Halving::new(&endless);
        assert!(!endless.along(&ray, 0.0, 99.0, &mut Meter::unlimited(), |_| 99.0));
    }
}
