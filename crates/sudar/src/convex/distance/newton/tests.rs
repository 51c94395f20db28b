use crate::convex::distance::newton::*;
use crate::convex::{Accuracy, Convex, GjkMemory, GjkOptions, PosedConvex, expanding_polytope, gjk};
use crate::math::Pose;
use crate::shape::{Cone, Cuboid, Cylinder, Ellipsoid};
use crate::testing::{Random, convex};

fn bodies(random: &mut Random) -> [Convex; 4] {
    let mut size = || 0.2 + random.number().abs();
    [
        convex(Cylinder::new(size(), size()).unwrap()),
        convex(Cone::new(size(), size()).unwrap()),
        convex(Ellipsoid::new(DVec3::new(size(), size(), size())).unwrap()),
        convex(Cuboid::new(DVec3::new(size(), size(), size())).unwrap()),
    ]
}

/// The least height of the difference over directions all over the sphere, then over ever smaller steps from the best:
/// it shares nothing with Newton's method.
fn least_height(difference: &Difference) -> f64 {
    let height = |n: DVec3| difference.support(n).point.dot(n);
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let spiral = |i: u32| {
        let z = 1.0 - (f64::from(i) + 0.5) / 500.0;
        let (sine, cosine) = libm::sincos(golden * f64::from(i));
        DVec3::new((1.0 - z * z).sqrt() * cosine, (1.0 - z * z).sqrt() * sine, z)
    };
    let mut starts: Vec<DVec3> = (0..1000).map(spiral).collect();
    starts.sort_by_cached_key(|p| (height(*p) * 1e12) as i64);
    let follow = |start: DVec3| {
        let (mut best, mut step) = (start, 0.1);
        while step > 1e-9 {
            let (u, v) = best.any_orthonormal_pair();
            let tries = [u, -u, v, -v, u + v, u - v, v - u, -u - v];
            let next = tries.map(|way| (best + way * step).normalize());
            match next.into_iter().find(|n| height(*n) < height(best)) {
                Some(next) => best = next,
                None => step *= 0.5,
            }
        }
        height(best)
    };
    starts[..20].iter().map(|n| follow(*n)).fold(f64::INFINITY, f64::min)
}

#[test]
fn depths_are_the_least_of_all_directions_and_distances_take_few_support_points() {
    let mut random = Random::new(77);
    let (mut apart, mut deep, mut points, mut expansions) = (0, 0, 0, 0);
    for round in 0..180 {
        let (first, second) = (bodies(&mut random), bodies(&mut random));
        let way = random.point().normalize() * (0.6 + 1.2 * random.number().abs());
        let (here, there) = (random.turned(DVec3::ZERO), random.turned(way));
        // The box is the last: at least one body is round.
        let (i, j) = (round % 3, round / 3 % 4);
        let (a, b) = (PosedConvex::new(&first[i], &here), PosedConvex::new(&second[j], &there));
        let difference = Difference::new(a, b);
        let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
        if found.distance.lower > 0.0 {
            (apart, points) = (apart + 1, points + found.iterations);
            assert!(
                found.distance.width() <= 2e-12 * found.distance.upper + 4.0 * difference.slack(),
                "{found:?}"
            );
            continue;
        }
        let accuracy = Accuracy::default();
        let depth = expanding_polytope(&difference, found.simplex.vertices(), &accuracy, 512);
        (deep, expansions) = (deep + 1, expansions + depth.expansions);
        let expected = least_height(&difference);
        // The search over all directions may end on a crease; but the normal shows the upper end itself.
        let shown = difference.support(depth.normal).point.dot(depth.normal);
        assert!(depth.depth.lower <= expected && shown <= depth.depth.upper, "{depth:?} {expected} {shown}");
        assert!(depth.depth.width() <= 2e-9 * depth.depth.upper + 16.0 * difference.slack(), "{depth:?}");
    }
    // Without Newton's method it is some 30 and 100.
    assert!(apart > 40 && points < 9 * apart, "{points} of {apart}");
    assert!(deep > 40 && expansions < 20 * deep, "{expansions} of {deep}");
}

#[test]
fn crossed_and_upright_cylinders_are_found_at_once() {
    let cylinder = convex(Cylinder::new(1.0, 3.0).unwrap());
    let crossed = glam::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    // Two cylinders at a right angle, 3.5 from axis to axis; the disc of one along the side of the other, 5
    // from centre to centre, where no pair of points is the only nearest.
    for (place, turn, expected) in [
        (DVec3::new(3.5, 0.4, 0.7), crossed, 1.5),
        (DVec3::new(5.0, 0.4, 0.7), glam::DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2), 1.0),
    ] {
        let pose = Pose::new(place, turn).unwrap();
        let (a, b) = (PosedConvex::new(&cylinder, &Pose::IDENTITY), PosedConvex::new(&cylinder, &pose));
        let found = gjk(&Difference::new(a, b), &GjkMemory::NONE, &GjkOptions::DISTANCE);
        assert!(found.distance.contains(expected) && found.distance.width() < 1e-12, "{found:?}");
        assert!(found.iterations < 16, "{found:?}");
    }
}
