//! Rays through a tree over boxes, or past all of them.

use crate::effort::Meter;
use crate::query::{Halving, RayEntry, visit_by};
use crate::shape::{Aabb, Ray};

/// Shows the numbers of the boxes that a ray may meet up to a finite parameter, about in its order, and perhaps of some
/// that it nearly meets. `visit` returns the parameter up to which others are of interest. Each node costs one of the
/// meter.
pub(crate) fn visit_along(
    tree: &Halving,
    ray: &Ray,
    most: f64,
    meter: &mut Meter,
    mut visit: impl FnMut(u32) -> f64,
) {
    let whole = tree.bounds(tree.whole());
    let bound = RayEntry::new(ray, whole);
    let entry = bound.of(whole);
    // Eight boxes at a time in `f32` where that holds all numbers, else two at a time in `f64`.
    if entry <= most && !tree.along(ray, entry, most, meter, &mut visit) {
        visit_by(tree, |aabb| bound.of(aabb), most, meter, |i, _| visit(i));
    }
}

/// Shows what a ray may meet of boxes that are in no tree, in its order, up to a finite parameter: for a single ray,
/// which does not pay for one. `number` tells the number of a box that the ray may meet, none if it does not count.
/// O(n).
pub(crate) fn visit_all_along<K>(
    boxes: impl Iterator<Item = (K, Aabb)>,
    number: impl Fn(K) -> Option<u32>,
    ray: &Ray,
    most: f64,
    mut visit: impl FnMut(u32) -> f64,
) {
    let bound = RayEntry::anywhere(ray);
    let entered = boxes.filter(|(_, aabb)| !bound.passes(aabb)).filter_map(|(key, aabb)| {
        let i = number(key)?;
        let entry = bound.of_any(&aabb);
        (entry <= most).then_some((entry, i))
    });
    let mut entered: Vec<(f64, u32)> = entered.collect();
    entered.sort_unstable_by(|(s, i), (t, j)| s.total_cmp(t).then(i.cmp(j)));
    let mut most = most;
    for (entry, i) in entered {
        if entry > most {
            break;
        }
        most = most.min(visit(i));
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::pair::ray_aabb;
    use crate::testing::Random;

    /// Near and far boxes, small and huge ones, and rays of any length from among them.
    #[test]
    fn a_ray_past_all_boxes_is_shown_what_the_tree_shows_and_in_its_order() {
        let mut random = Random::new(6);
        for scale in [1e-150, 1.0, 1e120] {
            let mut boxes: Vec<Aabb> = (0..200)
                .map(|_| Aabb::around([random.point() * scale]).grown(random.within(0.0, 0.2) * scale))
                .collect();
            boxes.push(Aabb::around([random.point() * 1e3 * scale]).grown(900.0 * scale));
            let tree = Halving::new(&boxes);
            for _ in 0..300 {
                let ray = Ray { origin: random.point() * scale, direction: random.point() * scale };
                let most = random.within(0.0, 3.0);
                let mut by_tree = Vec::new();
                visit_along(&tree, &ray, most, &mut Meter::unlimited(), |i| {
                    by_tree.push(i);
                    most
                });
                let mut past_all = Vec::new();
                let each = || (0..).zip(boxes.iter().copied());
                visit_all_along(each(), Some, &ray, most, |i| {
                    past_all.push(i);
                    most
                });
                let entry = |i: &u32| RayEntry::anywhere(&ray).of_any(&boxes[*i as usize]);
                assert!(past_all.is_sorted_by_key(entry));
                let first = past_all.first().copied();
                let mut nearest = Vec::new();
                visit_all_along(each(), Some, &ray, most, |i| {
                    nearest.push(i);
                    0.0
                });
                // What begins before the ray does is entered at 0 as well.
                assert!(
                    nearest.first().copied() == first
                        && nearest.iter().all(|i| Some(*i) == first || entry(i) == 0.0)
                );
                by_tree.sort_unstable();
                past_all.sort_unstable();
                let missed = by_tree.iter().filter(|i| past_all.binary_search(i).is_err());
                // The tree shows what is nearly met as well, by what `f32` rounds.
                for i in missed {
                    assert!(ray_aabb(&ray, &boxes[*i as usize], most).is_none());
                }
                let exactly =
                    (0..boxes.len() as u32).filter(|i| ray_aabb(&ray, &boxes[*i as usize], most).is_some());
                for i in exactly {
                    assert!(past_all.binary_search(&i).is_ok() && by_tree.binary_search(&i).is_ok());
                }
            }
        }
    }

    /// Rays through corners of flat boxes, needles and points, also far away, of any length.
    #[test]
    fn no_box_is_passed_by_a_line_through_a_corner_of_it() {
        let mut random = Random::new(8);
        let mut passed = 0;
        for round in 0..6000 {
            let scale = [1e-120, 1.0, 1e9, 1e140][round % 4];
            let far = random.point() * [0.0, 1e6][round / 4 % 2];
            let sizes = [DVec3::ONE, DVec3::new(1.0, 0.0, 1.0), DVec3::X, DVec3::ZERO][round / 8 % 4];
            let half = random.point().abs() * sizes * random.within(0.0, 1.0);
            let [min, max] = [far - half, far + half].map(|p| p * scale);
            let corner = DVec3::select((random.point()).cmplt(DVec3::ZERO), min, max);
            let away = random.point() * [1e-3, 1.0, 1e3][round % 3];
            // Square to the longest edge as well: then the corner is as far from the line as the middle can be.
            let away = if round % 5 == 0 { away * DVec3::new(0.0, 1.0, 1.0) } else { away };
            let ray = Ray { origin: corner - away * scale, direction: away * random.within(1e-3, 1e3) };
            let bound = RayEntry::anywhere(&ray);
            assert!(!bound.passes(&Aabb { min, max }), "{round}");
            let aside = DVec3::splat(5.0) * scale + half.max_element() * 4.0 * scale;
            passed += u32::from(bound.passes(&Aabb { min: min + aside, max: max + aside }));
        }
        assert!(passed > 3000, "{passed}");
    }
}
