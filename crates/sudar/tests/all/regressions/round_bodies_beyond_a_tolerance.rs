//! `within` was undecided for capsules, cylinders, cones and ellipsoids farther from a mesh than the
//! tolerance, however far, and `distance` with a `max` ended exactly at it, as if that were exact. Found by
//! relating the verbs to each other.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use sudar::query::{Body, DistanceEnd, DistanceOptions, Memory, Within, distance, within};
use sudar::{Capsule, Compound, Cone, Cylinder, DVec3, Ellipsoid, Mesh, Pose, Segment, Shape, Solid, Sphere};

/// The triangle with corners (10, 0, 0), (11, 0, 0) and (10, 1, 0).
fn triangle() -> Body {
    let corners = vec![DVec3::X * 10.0, DVec3::X * 11.0, DVec3::new(10.0, 1.0, 0.0)];
    Body::new(Mesh::new(corners, vec![[0, 1, 2]]).unwrap())
}

#[test]
fn they_are_not_within_it() {
    // All of these reach from x = −1 to 1, so that they are 9 from the mesh.
    let capsule = Capsule::new(1.0, 1.0).unwrap();
    let round: [Shape; 6] = [
        capsule.into(),
        Cylinder::new(1.0, 1.0).unwrap().into(),
        Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap().into(),
        Sphere::new(DVec3::ZERO, 1.0).unwrap().into(),
        Segment::new(-DVec3::X, DVec3::X).unwrap().into(),
        Compound::new(vec![(capsule.into(), Pose::IDENTITY)]).unwrap().into(),
    ];
    let here = Pose::IDENTITY;
    for (a, b) in round
        .map(|shape| (Body::new(shape), triangle()))
        .into_iter()
        .flat_map(|(a, b)| [(a.clone(), b.clone()), (b, a)])
    {
        let said = format!("{:?} {:?}", a.shape(), b.shape());
        assert!(
            matches!(within(a.at(&here), b.at(&here), 1.0), Within::No { lower, .. } if lower >= 1.0),
            "{said}"
        );
        assert_eq!(within(a.at(&here), b.at(&here), 8.999_999).decided(), Some(false), "{said}");
        assert_eq!(within(a.at(&here), b.at(&here), 9.000_001).decided(), Some(true), "{said}");
        for max in [0.0, 1.0, 8.999] {
            let found = distance(a.at(&here), b.at(&here), &DistanceOptions::up_to(max));
            assert!(found.end == DistanceEnd::BeyondMax && found.interval.lower > max, "{said}: {found:?}");
            assert!(found.interval.contains(9.0), "{said}: {found:?}");
        }
    }
}

#[test]
fn a_cone_is_not_within_it() {
    // Its apex is at z = 1 and 9 below the mesh.
    let cone = Body::new(Cone::new(1.0, 1.0).unwrap());
    let at = Pose::from_translation(DVec3::new(10.25, 0.25, -10.0)).unwrap();
    for tolerance in [0.0, 1.0, 8.999_999] {
        let answer = within(cone.at(&at), triangle().at(&Pose::IDENTITY), tolerance);
        assert_eq!(answer.decided(), Some(false), "{tolerance}");
    }
}

/// Remembered fronts ended at `max` too.
#[test]
fn a_memory_is_beyond_max_as_well() {
    let mesh = |z: f64| {
        let points: Vec<DVec3> =
            (0..4).flat_map(|i| (0..4).map(move |j| DVec3::new(f64::from(i), f64::from(j), z))).collect();
        let squares = (0..3).flat_map(|i| (0..3).map(move |j| 4 * i + j));
        Mesh::new(points, squares.flat_map(|k| [[k, k + 1, k + 4], [k + 1, k + 5, k + 4]]).collect()).unwrap()
    };
    let (a, b) = (Body::new(mesh(0.0)), Body::new(mesh(2.0)));
    let mut memory = Memory::default();
    for _ in 0..4 {
        let found =
            memory.distance(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), &DistanceOptions::up_to(1.0));
        assert!(found.end == DistanceEnd::BeyondMax && found.interval.lower > 1.0, "{found:?}");
        memory.distance(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), &DistanceOptions::EXACT);
    }
}

/// The sum of radius and tolerance is not rounded.
#[test]
fn balls_are_within_their_very_distance() {
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    let cube = Mesh::from_aabb(sudar::Aabb { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) });
    let solid = Body::new(Solid::new(cube.clone().into()).unwrap());
    for other in [Body::new(cube), solid] {
        // (3, 4, 0) off the corner (2, 2, 2) less the radius: 4.
        let at = Pose::from_translation(DVec3::new(5.0, 6.0, 2.0)).unwrap();
        let ask = |tolerance: f64| within(ball.at(&at), other.at(&Pose::IDENTITY), tolerance).decided();
        assert_eq!((ask(4.0), ask(4.0f64.next_down())), (Some(true), Some(false)));
    }
}
