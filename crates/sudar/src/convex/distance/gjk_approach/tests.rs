use super::*;
use crate::convex::distance::gjk::gjk;
use crate::convex::{Acceleration, Convex, PosedConvex};
use crate::hull::convex_hull;
use crate::math::simd::dispatch_to_avx2;
use crate::shape::{Cuboid, Segment, Sphere};
use crate::testing::{Random, convex};

fn approach(difference: &Difference, options: &GjkOptions) -> Approach {
    dispatch_to_avx2!(difference.level(), simd => Approach::of(simd, difference, &GjkMemory::NONE, options))
}

fn hull(random: &mut Random, count: usize) -> Convex {
    let points: Vec<DVec3> = (0..count).map(|_| random.direction()).collect();
    Convex::of(&convex_hull(&points).unwrap().into()).unwrap()
}

/// Bodies of few, of up to 32 and of more corners, and of one and two.
fn bodies(random: &mut Random) -> Vec<Convex> {
    let segment = Segment::new(DVec3::new(-0.5, 0.1, 0.0), DVec3::new(0.7, 0.0, 0.2)).unwrap();
    let (cuboid, ball) = (Cuboid::new(DVec3::new(0.5, 0.3, 0.9)), Sphere::new(DVec3::ZERO, 0.2));
    let mut bodies: Vec<Convex> = [4, 8, 9, 32, 33, 80].map(|count| hull(random, count)).into();
    bodies.extend([Convex::of(&segment.into()).unwrap(), convex(cuboid.unwrap()), convex(ball.unwrap())]);
    bodies
}

#[test]
fn the_steps_find_what_the_other_search_finds() {
    let mut random = Random::new(3);
    let bodies = bodies(&mut random);
    let (mut left, mut all) = (0, 0);
    for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
        for _ in 0..40 {
            let way = random.direction() * random.within(0.2, 2.2);
            let (p, q) = (random.pose(DVec3::ZERO), random.pose(way));
            let difference = Difference::unposed(PosedConvex::new(a, &p), PosedConvex::new(b, &q));
            // Momentum is not for these steps, so that it is found by the other search.
            let other = GjkOptions::DISTANCE.accelerated(Acceleration::Nesterov);
            let expected = gjk(&difference, &GjkMemory::NONE, &other);
            let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
            all += 1;
            left += u32::from(approach(&difference, &GjkOptions::DISTANCE).end == End::Unclear);
            assert_eq!(found.encloses, expected.encloses);
            let near = (found.nearest - expected.nearest).length();
            assert!(near <= 1e-12, "{near:e}");
            assert!(found.distance.width() <= 8.0 * difference.slack());
            assert!(found.distance.lower <= expected.distance.upper);
            assert!(expected.distance.lower <= found.distance.upper);
        }
    }
    assert!(100 * left < all, "{left} of {all} are left to the other search");
}

/// Needles and plates of a billionth, and hulls of no thickness: every interval overlaps that of the other search.
#[test]
fn slender_bodies_have_true_intervals_too() {
    let mut random = Random::new(5);
    let slender =
        [[1.0, 1e-9, 1e-9], [1.0, 1.0, 1e-9], [1.0, 1e-4, 1e-8], [1.0, 0.7, 0.0], [1e-3, 1.0, 1e-6]];
    let bodies = slender.map(|size| {
        let points: Vec<DVec3> = (0..12).map(|_| random.direction() * DVec3::from_array(size)).collect();
        Convex::of(&convex_hull(&points).unwrap().into()).unwrap()
    });
    for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
        for round in 0..60 {
            let way = random.direction() * [0.0, 1e-9, 1e-3, 0.5, 1.5][round % 5];
            let (p, q) = (random.pose(DVec3::ZERO), random.pose(way));
            let difference = Difference::unposed(PosedConvex::new(a, &p), PosedConvex::new(b, &q));
            let other = GjkOptions::DISTANCE.accelerated(Acceleration::Nesterov);
            let expected = gjk(&difference, &GjkMemory::NONE, &other).distance;
            let mut memory = GjkMemory::NONE;
            for _ in 0..2 {
                let found = gjk(&difference, &memory, &GjkOptions::DISTANCE);
                let Interval { lower, upper } = found.distance;
                let slack = difference.slack();
                assert!(lower <= expected.upper + slack && expected.lower <= upper + slack, "{found:?}");
                assert!(found.simplex.weights().iter().all(|weight| *weight >= 0.0));
                memory = GjkMemory::of(&difference, &found);
            }
        }
    }
}

#[test]
fn a_search_goes_on_from_what_it_remembers() {
    let mut random = Random::new(4);
    let bodies = bodies(&mut random);
    for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
        let way = random.direction() * random.within(0.2, 2.2);
        let (p, q) = (random.pose(DVec3::ZERO), random.pose(way));
        let difference = Difference::unposed(PosedConvex::new(a, &p), PosedConvex::new(b, &q));
        let first = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
        let again = gjk(&difference, &GjkMemory::of(&difference, &first), &GjkOptions::DISTANCE);
        assert_eq!(again.encloses, first.encloses);
        assert!((again.nearest - first.nearest).length() <= 1e-13);
        assert!(again.iterations <= 2, "{} support points", again.iterations);
    }
}
