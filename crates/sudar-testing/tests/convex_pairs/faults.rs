//! One test for each fault that these comparisons found.

use sudar::convex::PosedConvex;
use sudar::query::{Body, DistanceOptions, Intersection, closest_point, distance, intersects, penetration};
use sudar::{Cone, Cuboid, Cylinder, DVec3, Pose, Segment, Shape};
use sudar_testing::convex_bodies::{Kind, body, hull};
use sudar_testing::convex_pairs::{Case, beside};
use sudar_testing::{Random, at};

const FAR: &DistanceOptions = &DistanceOptions::EXACT;

/// The origin lies on an edge of the first simplex, and the polytope that was to grow around it stopped at once.
#[test]
fn bodies_that_share_their_centre_were_undecided() {
    let cone = Body::new(Cone::new(0.2, 0.3).unwrap());
    let others: [Shape; 3] = [
        Cuboid::new(DVec3::new(0.2, 0.1, 0.3)).unwrap().into(),
        Cylinder::new(0.4, 0.1).unwrap().into(),
        Segment::new(-DVec3::Z, DVec3::Z).unwrap().into(),
    ];
    for other in others.map(Body::new) {
        let id = Pose::IDENTITY;
        assert!(intersects(cone.at(&id), other.at(&id)).is_touching(), "{:?}", other.shape());
        assert!(intersects(other.at(&id), cone.at(&id)).is_touching());
        assert_eq!(distance(cone.at(&id), other.at(&id), FAR).interval.upper, 0.0);
    }
}

/// Smooth bodies nearer than some 1e-9 of their size: the simplex of GJK is lost in rounding.
#[test]
fn round_bodies_a_billionth_apart_were_undecided() {
    let mut random = Random::new(5);
    for i in 0..600 {
        let kinds = [Kind::Ellipsoid, [Kind::Ellipsoid, Kind::Cylinder, Kind::Triangle][i % 3]];
        let [a, b] = kinds.map(|k| Body::new(body(&mut random, k, 1.0, 4.0)));
        let away = random.point() * 0.4;
        let (p, q) = (random.pose(DVec3::ZERO), random.pose(away));
        let found = penetration(a.at(&p), b.at(&q));
        if found.signed.upper < -1e-3 {
            let way = found.normal * (-found.signed.lower + 1e-9);
            let moved = Pose::from_matrix(q.rotation(), q.translation() + way).unwrap();
            assert_eq!(intersects(a.at(&p), b.at(&moved)), Intersection::Apart, "{i} {found:?}");
            assert!(distance(a.at(&p), b.at(&moved), FAR).interval.lower > 0.0, "{i}");
        }
    }
}

/// A ball near the axis of a cone or cylinder took the polytope 512 faces, and its depth was known to 1e-4.
#[test]
fn balls_in_round_bodies_were_known_roughly() {
    let mut random = Random::new(6);
    let cylinder = Body::new(Cylinder::new(0.7, 2.0).unwrap());
    let ball = body(&mut random, Kind::Sphere, 0.1, 1.0);
    let Shape::Sphere(sphere) = &ball else { unreachable!() };
    let (radius, center) = (sphere.radius, sphere.center);
    let ball = Body::new(ball);
    for offset in [1e-3, 1e-8, 0.0] {
        // Out through the wall: radius and radius less the offset.
        let place = DVec3::new(offset, 0.0, 0.3) - center;
        let found = penetration(cylinder.at(&Pose::IDENTITY), ball.at(&at(place.x, place.y, place.z)));
        let depth = 0.7 - offset + radius;
        assert!(found.signed.contains(-depth) && found.signed.width() < 1e-13, "{found:?}");
    }
}

/// A far vertex turns the nearest point by 1e-9 and brings it nearer by 1e-18, which is no progress: the interval of
/// the distance stayed as wide as 1e-9.
#[test]
fn cylinders_side_by_side_whose_ends_overlap_by_a_nanometre_had_wide_distances() {
    let (low, high) = (Cylinder::new(0.4, 0.3).unwrap(), Cylinder::new(0.3, 0.5).unwrap());
    let (a, b) = (Body::new(low), Body::new(high));
    let up = 0.3 + 0.5 - 1e-9;
    // Beside each other: 1.5 less both radii.
    let found = distance(a.at(&Pose::IDENTITY), b.at(&at(0.9, 1.2, up)), FAR).interval;
    assert!(found.contains(0.8) && found.width() < 1e-13, "{found:?}");
    let points = [DVec3::new(-0.3, -0.3, -0.5), DVec3::new(0.3, -0.3, -0.5), DVec3::new(0.0, 0.3, -0.5)];
    let prism = Body::new(hull(points.into_iter().flat_map(|p| [p, p.with_z(0.5)])));
    let cuboid = Body::new(Cuboid::new(DVec3::splat(0.3)).unwrap());
    let found = distance(prism.at(&Pose::IDENTITY), cuboid.at(&at(0.0, 1.0, up)), FAR).interval;
    assert!(found.contains(0.4) && found.width() < 1e-13, "{found:?}");
}

/// The search ended at a sliver that could not grow, and the depth was known to a third of the segment's length.
#[test]
fn the_depth_of_a_long_segment_in_a_box_was_as_long_as_the_segment() {
    let cuboid = Body::new(Cuboid::new(DVec3::new(0.6, 0.4, 0.8)).unwrap());
    let mut random = Random::new(7);
    for length in [1e2, 1e3, 1e4, 1e5] {
        for _ in 0..50 {
            let way = random.direction() * length;
            let segment = Body::new(Segment::new(-way * random.within(0.1, 1.0), way).unwrap());
            let place = random.point() * 0.1;
            let q = random.pose(place);
            let signed = penetration(segment.at(&Pose::IDENTITY), cuboid.at(&q)).signed;
            // Across the segment the box is at most as wide as its diagonal.
            assert!(signed.lower > -1.1 && signed.upper <= 1e-9, "{length} {signed:?}");
        }
    }
}

/// Bodies that touch to the last digit had witnesses half a body apart.
#[test]
fn witnesses_of_the_depth_of_touching_bodies_were_far_apart() {
    let mut random = Random::new(8);
    for _ in 0..500 {
        let shapes = [Kind::LargeHull, Kind::Segment].map(|k| body(&mut random, k, 1.0, 10.0));
        let (shapes, [p, q]) = beside(&mut random, shapes, 0.0);
        let [a, b] = shapes.map(Body::new);
        let found = penetration(a.at(&p), b.at(&q));
        assert!((found.point_a - found.point_b).length() < 1e-12, "{found:?}");
        assert!(closest_point(a.at(&p), found.point_a).distance.upper < 1e-12, "{found:?}");
        // And those that are certainly apart have a distance.
        if intersects(a.at(&p), b.at(&q)) == Intersection::Apart {
            assert!(distance(a.at(&p), b.at(&q), FAR).interval.upper > 0.0 && found.signed.upper > 0.0);
        }
    }
}

/// The middle of the two points of the penetration is in neither of a large box and a small one deep inside.
#[test]
fn the_common_point_of_nested_boxes_was_in_neither() {
    let (large, small) = (Cuboid::new(DVec3::splat(5.0)).unwrap(), Cuboid::new(DVec3::splat(0.1)).unwrap());
    let (large, small) = (Body::new(large), Body::new(small));
    let inside = at(1.0, 0.5, -2.0);
    let found = distance(large.at(&Pose::IDENTITY), small.at(&inside), FAR);
    assert_eq!((found.interval.upper, found.point_a), (0.0, found.point_b));
    assert!((found.point_a - inside.translation()).abs().max_element() <= 0.1 + 1e-15, "{found:?}");
}

/// Crossing segments that all but meet: the direction between their nearest points is rounding.
#[test]
fn the_normal_of_segments_that_meet_was_rounding() {
    let mut random = Random::new(9);
    for _ in 0..500 {
        let (u, v, center) = (random.point(), random.point(), random.point());
        let [a, b] = [u, v].map(|w| Body::new(Segment::new(center - w, center + w * 0.7).unwrap()));
        let found = penetration(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY));
        let tilt = found.normal.dot(u).abs().max(found.normal.dot(v).abs());
        assert!(found.signed.upper < 1e-14 && tilt < 1e-14, "{found:?}");
    }
}

/// The tetrahedron of GJK held the origin but no ball around it, and was too thin for witnesses.
#[test]
fn undecided_bodies_had_a_distance_of_zero_and_witnesses_apart() {
    for number in [356_514, 396_882] {
        let case = Case::numbered(number);
        let ([a, b], [p, q]) = (&case.bodies, &case.poses);
        let found = distance(a.at(p), b.at(q), FAR);
        let touching = intersects(a.at(p), b.at(q)).is_touching();
        assert_eq!(found.interval.upper == 0.0, touching, "{found:?}");
        assert!((found.point_a - found.point_b).length() <= found.interval.upper, "{found:?}");
    }
}

/// The depth of a cone in a box was right, and so was its normal; but moved along it by that and 256 ulp,
/// they were said to touch: a thin tetrahedron seemed to hold the origin, by a face whose plane was rounding.
#[test]
fn a_cone_and_a_box_a_hair_apart_were_touching() {
    let case = Case::numbered(2_855_177);
    let ([a, b], [p, q]) = (&case.bodies, &case.poses);
    let found = penetration(a.at(p), b.at(q));
    let way = found.normal * (-found.signed.lower * (1.0 + 1e-9) + 256.0 * case.unit);
    let moved = Pose::from_matrix(q.rotation(), q.translation() + way).unwrap();
    assert_ne!(intersects(a.at(p), b.at(&moved)).decided(), Some(true), "{found:?}");
}

/// The normal was the direction between points found, along which the shadows were less far apart than the
/// distance, by 1.9e-5 of the size.
#[test]
fn the_normal_of_round_bodies_apart_showed_less_than_the_distance() {
    for number in [1_286_872, 2_297_432] {
        let case = Case::numbered(number);
        let ([a, b], [p, q]) = (&case.bodies, &case.poses);
        let found = penetration(a.at(p), b.at(q));
        assert!(found.signed.lower > 0.0, "{number}: {found:?}");
        // By the shadows of the bodies themselves: the gap is that between supports, and these are part of room convex.
        let [a, b] = [(a, p), (b, q)].map(|(body, pose)| PosedConvex::new(body.convex().unwrap(), pose));
        let height = |body: &PosedConvex, n: DVec3| {
            n.dot(body.center() - p.translation()) + n.dot(body.support(n).offset) + body.convex().margin()
        };
        let gap = -height(&a, found.normal) - height(&b, -found.normal);
        assert!(gap >= found.signed.lower - 64.0 * case.unit, "{number}: {gap} {found:?}");
    }
}
