//! The algorithm of Gilbert, Johnson and Keerthi: distance and intersection from support mappings alone.
//!
//! Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between complex objects in
//! three-dimensional space". The answer is an interval: above stands the best point found, below the best supporting
//! plane (the duality gap of the Frank–Wolfe view: Montaut, Le Lidec, Petrik, Sivic and Carpentier 2022, "Collision
//! detection accelerated: an optimization perspective"). Running out of iterations widens it and never turns it into
//! a wrong yes or no.

use super::gjk_answer::{Acceleration, Gjk, GjkOptions};
use super::gjk_approach::{Approach, End};
use super::gjk_search::Search;
use super::refine::refined;
use crate::convex::{Difference, GjkMemory};
use crate::math::Interval;
use crate::math::simd::dispatch_to_avx2;
use fearless_simd::Simd;

/// The distance of two cores, the margins left aside.
///
/// `memory` starts the search from what an earlier one ended with; bodies that moved little then need one or
/// two iterations. Where a core is round, Newton's method on the smooth pieces that face each other ends the
/// search after five or six. Cost of an iteration: a support point of each body and some tens of nanoseconds. The
/// vertices of bodies that have no more than 32 are posed once ([`Difference::unposed`]).
pub fn gjk(difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    let scale = difference.scale_to_compute_with();
    if scale == 1.0 {
        search(difference, memory, options)
    } else {
        search_scaled(difference, scale, memory, options)
    }
}

fn search(difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    if difference.is_polytope() && options.acceleration == Acceleration::None {
        let mut approach =
            dispatch_to_avx2!(difference.level(), simd => Approach::of(simd, difference, memory, options));
        if approach.end != End::Known {
            return unsettled(difference, &approach, options);
        }
        let weights = approach.weights();
        let distance = approach.settle(difference, weights);
        if suffices(difference, distance, options) {
            return approach.answer(difference, distance, weights);
        }
        return refined_to(difference, approach.answer(difference, distance, weights), options);
    }
    refined_to(difference, by_search(difference, memory, options), options)
}

/// What was found, with a narrower interval if it is wide.
#[inline]
fn refined_to(difference: &Difference, found: Gjk, options: &GjkOptions) -> Gjk {
    if found.encloses || suffices(difference, found.distance, options) {
        return found;
    }
    refined(difference, found, enough(difference, found.distance, options))
}

/// Whether an interval is narrow enough. Where a yes or no is asked for, any that gives it will do.
#[inline]
fn suffices(difference: &Difference, distance: Interval, options: &GjkOptions) -> bool {
    let is_measured = options.beyond == f64::INFINITY && options.within == 0.0;
    !(is_measured && distance.width() > enough(difference, distance, options))
}

#[inline]
fn enough(difference: &Difference, distance: Interval, options: &GjkOptions) -> f64 {
    options.absolute.max(options.relative * distance.upper).max(WIDE * difference.slack())
}

/// Where the steps end in a tetrahedron around the origin, or with what rounding hides.
#[inline(never)]
fn unsettled(difference: &Difference, approach: &Approach, options: &GjkOptions) -> Gjk {
    match approach.weights_inside(difference) {
        Some(weights) => approach.enclosing(difference, &weights),
        None => refined_to(difference, go_on(difference, approach, options), options),
    }
}

/// From where rounding made an approach end.
#[cold]
fn go_on(difference: &Difference, approach: &Approach, options: &GjkOptions) -> Gjk {
    let found = by_search(difference, &approach.memory(), options);
    let lower = found.distance.lower.max(approach.certain(difference)).min(found.distance.upper);
    Gjk {
        distance: Interval { lower, ..found.distance },
        iterations: found.iterations + approach.iterations,
        ..found
    }
}

#[inline(never)]
fn by_search(difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    let posed;
    let difference = if difference.is_unposed() && memory.count == 0 {
        posed = difference.posed();
        &posed
    } else {
        difference
    };
    dispatch_to_avx2!(difference.level(), simd => search_at(simd, difference, memory, options))
}

/// An interval of a distance so many times as wide as the slack is worth to be narrowed.
const WIDE: f64 = 8.0;

/// All that is called here is inlined, so as to be compiled for the SIMD level: also arithmetic on single numbers takes
/// fewer instructions there. No closures: they would not be.
#[cfg_attr(not(opt_level_0), inline(always))]
fn search_at<S: Simd>(simd: S, difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    let mut search = Search::new(simd, difference, memory, options);
    if !search.begin(options) {
        while search.iterations < options.limit && !search.step(options) {}
    }
    search.finish()
}

/// Bodies so large or small that products of four of their lengths leave the range of `f64`.
#[cold]
fn search_scaled(difference: &Difference, scale: f64, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    let options = GjkOptions {
        absolute: options.absolute * scale,
        beyond: options.beyond * scale,
        within: options.within * scale,
        ..*options
    };
    let found = search(&difference.scaled(scale), memory, &options);
    let Interval { lower, upper } = found.distance;
    Gjk {
        distance: Interval { lower: lower / scale, upper: upper / scale },
        nearest: found.nearest / scale,
        simplex: found.simplex.divided_by(scale),
        ..found
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::RngExt;

    use super::*;
    use crate::convex::{Acceleration, Convex, PosedConvex};
    use crate::math::Pose;
    use crate::math::simd::other_levels;
    use crate::pair::{closest_points_segments, disjoint_triangle_distance_bounds, triangles_intersect};
    use crate::shape::{Cuboid, Cylinder, Ellipsoid, Segment, Sphere, Triangle};
    use crate::testing::{Random, at, convex};

    fn ask(a: &Convex, pose_a: &Pose, b: &Convex, pose_b: &Pose, options: &GjkOptions) -> Gjk {
        let difference = Difference::new(PosedConvex::new(a, pose_a), PosedConvex::new(b, pose_b));
        gjk(&difference, &GjkMemory::NONE, options)
    }

    #[test]
    fn boxes_along_the_axes_at_every_scale() {
        for scale in [1e-9, 1e-3, 1.0, 1e6, 1e9] {
            let cube = convex(Cuboid::new(DVec3::splat(scale)).unwrap());
            // Gaps of the projections: (2, 3, 6) makes 7, (3, 4, −) makes 5, one axis alone that gap.
            for (offset, expected) in
                [([4.0, 5.0, 8.0], 7.0), ([5.0, -6.0, 1.5], 5.0), ([0.3, 0.2, -2.5], 0.5)]
            {
                let [x, y, z] = offset.map(|c: f64| c * scale);
                let found = ask(&cube, &Pose::IDENTITY, &cube, &at(x, y, z), &GjkOptions::DISTANCE);
                let expected = expected * scale;
                assert!(found.distance.contains(expected), "{found:?}");
                assert!(found.distance.width() < 2e-13 * scale, "{:?}", found.distance);
            }
            let found = ask(&cube, &Pose::IDENTITY, &cube, &at(scale, scale, -scale), &GjkOptions::DISTANCE);
            assert!(found.distance.lower == 0.0 && found.distance.upper < 1e-14 * scale);
        }
    }

    #[test]
    fn segments_and_triangles_agree_with_their_closed_forms() {
        let mut rng = Random::new(5);
        let (mut apart, mut most) = (0, 0);
        for _ in 0..20_000 {
            let mut point = || DVec3::new(rng.random(), rng.random(), rng.random());
            let [p, q, r, s, t, u] = std::array::from_fn(|_| point());
            let segments = [Segment { a: p, b: q }, Segment { a: r, b: s }];
            let expected = closest_points_segments(&segments[0], &segments[1]).distance();
            let [left, right] = segments.map(convex);
            let found = ask(&left, &Pose::IDENTITY, &right, &Pose::IDENTITY, &GjkOptions::DISTANCE);
            assert!((found.distance.upper - expected).abs() < 8e-15, "{expected} {found:?}");
            assert!(found.distance.width() < 4e-14, "{expected} {found:?}");
            let triangles = [Triangle { a: p, b: q, c: r }, Triangle { a: s, b: t, c: u }];
            let [left, right] = triangles.map(convex);
            let found = ask(&left, &Pose::IDENTITY, &right, &Pose::IDENTITY, &GjkOptions::DISTANCE);
            most = most.max(found.iterations);
            if triangles_intersect(&triangles[0], &triangles[1]) {
                assert_eq!(found.distance.lower, 0.0);
                assert!(found.distance.upper < 1e-14);
            } else {
                let (_, expected) = disjoint_triangle_distance_bounds(&triangles[0], &triangles[1]);
                assert!(found.distance.lower <= expected.upper && found.distance.upper >= expected.lower);
                assert!(found.distance.width() < 1e-12, "{expected:?} {found:?}");
                apart += 1;
            }
        }
        assert!(apart > 10_000 && most < 20, "{apart} {most}");
    }

    #[test]
    fn round_bodies_converge_to_the_last_digits() {
        let id = Pose::IDENTITY;
        let ball = convex(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        // Along x from the end of the axis; from a point along the normal of the ellipsoid at (2·0.6, 0.8, 0), which is
        // (1.2/4, 0.8/1, 0): twice that normal away.
        let ellipsoid = convex(Ellipsoid::new(DVec3::new(2.0, 1.0, 0.5)).unwrap());
        let normal = DVec3::new(0.3, 0.8, 0.0);
        let place = DVec3::new(1.2, 0.8, 0.0) + normal * 2.0;
        for (pose, expected) in
            [(at(5.0, 0.0, 0.0), 3.0), (at(place.x, place.y, place.z), 2.0 * normal.length())]
        {
            for acceleration in [Acceleration::None, Acceleration::Nesterov] {
                let options = GjkOptions { acceleration, ..GjkOptions::DISTANCE };
                let found = ask(&ellipsoid, &id, &ball, &pose, &options);
                assert!(found.distance.contains(expected) && found.distance.width() < 4e-12, "{found:?}");
            }
        }
        let cylinder = convex(Cylinder::new(5.0, 1.0).unwrap());
        // From the rim at (3, 4, 1): offset (3, 4, 12) is 13 long and inside the rim's cone of normals.
        let found = ask(&cylinder, &id, &ball, &at(6.0, 8.0, 13.0), &GjkOptions::DISTANCE);
        assert!(found.distance.contains(13.0) && found.distance.width() < 3e-13, "{found:?}");
    }

    #[test]
    fn a_search_from_memory_ends_at_once_and_where_the_first_one_did() {
        let cube = convex(Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap());
        let id = Pose::IDENTITY;
        for x in [0.5, 2.5, 7.0] {
            let pose = at(x, 0.7, -0.2);
            let difference = Difference::new(PosedConvex::new(&cube, &id), PosedConvex::new(&cube, &pose));
            let cold = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
            let warm = gjk(&difference, &GjkMemory::of(&difference, &cold), &GjkOptions::DISTANCE);
            assert_eq!(warm.distance, cold.distance);
            assert!(warm.iterations <= 2, "{}", warm.iterations);
        }
    }

    #[test]
    fn every_simd_level_searches_the_same_way_to_the_bit() {
        let mut rng = Random::new(9);
        let mut number = || rng.random_range(-1.0..1.0);
        for count in [8, 20, 60] {
            let mut hull = || {
                let points: Vec<_> = (0..count).map(|_| DVec3::new(number(), number(), number())).collect();
                convex(crate::hull::convex_hull(&points).unwrap())
            };
            let (a, b) = (hull(), hull());
            for _ in 0..50 {
                let pose = at(2.0 * number(), 2.0 * number(), 2.0 * number());
                let id = Pose::IDENTITY;
                let difference = Difference::new(PosedConvex::new(&a, &id), PosedConvex::new(&b, &pose));
                let best = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
                for level in other_levels() {
                    let found = gjk(&difference.at_level(level), &GjkMemory::NONE, &GjkOptions::DISTANCE);
                    assert_eq!(format!("{found:?}"), format!("{best:?}"), "{level:?}");
                }
            }
        }
    }

    #[test]
    fn the_search_ends_early_where_a_bound_is_enough() {
        let ellipsoid = convex(Ellipsoid::new(DVec3::new(2.0, 1.0, 0.5)).unwrap());
        let id = Pose::IDENTITY;
        let full = ask(&ellipsoid, &id, &ellipsoid, &at(5.0, 1.0, 0.7), &GjkOptions::DISTANCE);
        let beyond = GjkOptions { beyond: 0.5, ..GjkOptions::DISTANCE };
        let early = ask(&ellipsoid, &id, &ellipsoid, &at(5.0, 1.0, 0.7), &beyond);
        assert!(early.distance.lower > 0.5 && early.iterations < full.iterations);
        assert!(early.distance.lower <= full.distance.upper && early.distance.upper >= full.distance.lower);
        let within = GjkOptions { within: 4.0, ..GjkOptions::DISTANCE };
        let near = ask(&ellipsoid, &id, &ellipsoid, &at(5.0, 1.0, 0.7), &within);
        assert!(near.distance.upper <= 4.0 && near.iterations < full.iterations);
    }
}
