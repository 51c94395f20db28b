//! Bodies at rest on each other, where the contacts can be read off.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, SQRT_2};

use glam::DVec3;
use sudar::query::{Body, Contact, manifold};
use sudar::{Capsule, Cone, Cylinder, Ellipsoid, Halfspace, Pose, Sphere, Triangle};
use sudar_testing::at;

use super::{cuboid, expect, off_surface, turned};

/// The contacts of a body with a slab of half edges 3, 3, 1 whose top is the plane z = 0, the slab first.
fn on_slab(body: &Body, pose: &Pose, margin: f64) -> Vec<Contact> {
    manifold(cuboid(3.0, 3.0, 1.0).at(&at(0.0, 0.0, -1.0)), body.at(pose), margin)
}

/// The contacts of a body with the half-space z ≤ 0, the half-space first.
fn on_ground(body: &Body, pose: &Pose, margin: f64) -> Vec<Contact> {
    let ground = Body::new(Halfspace::new(DVec3::new(0.0, 0.0, 2.0), 0.0).unwrap());
    manifold(ground.at(&Pose::IDENTITY), body.at(pose), margin)
}

#[test]
fn a_box_flat_on_a_box_has_the_four_corners() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for (height, margin) in [(0.75, 0.0), (1.0, 0.0), (1.25, 0.5)] {
        let middle = (height - 1.0) / 2.0;
        let corners = [[-0.5, -1.0], [1.5, -1.0], [-0.5, 1.0], [1.5, 1.0]].map(|[x, y]| [x, y, middle]);
        let contacts = on_slab(&cube, &at(0.5, 0.0, height), margin);
        expect(&contacts, 1.0 - height, &corners);
        assert!(contacts.iter().all(|c| c.normal == DVec3::Z && c.features == [0, 0] && c.region == 0));
        expect(&on_ground(&cube, &at(0.5, 0.0, height), margin), 1.0 - height, &corners);
    }
    assert!(on_slab(&cube, &at(0.0, 0.0, 1.25), 0.2).is_empty());
    assert!(on_ground(&cube, &at(0.0, 0.0, 1.25), 0.2).is_empty());
}

#[test]
fn overhanging_boxes_touch_where_they_overlap() {
    // x from 2 to 3, y from 1 to 3.
    let contacts = on_slab(&cuboid(1.0, 1.0, 1.0), &at(3.0, 2.0, 0.9), 0.0);
    let z = -0.05;
    expect(&contacts, 0.1, &[[2.0, 1.0, z], [3.0, 1.0, z], [2.0, 3.0, z], [3.0, 3.0, z]]);
}

#[test]
fn of_the_eight_corners_of_two_crossed_squares_four_are_kept() {
    // Squares of half edge 1, one turned by 45°: an octagon with corners at (±1, ±t), (±t, ±1), t = √2 − 1.
    let cube = cuboid(1.0, 1.0, 1.0);
    let pose = turned(FRAC_PI_4, DVec3::Z, DVec3::new(0.0, 0.0, 1.9));
    let contacts = manifold(cube.at(&Pose::IDENTITY), cube.at(&pose), 0.0);
    assert_eq!(contacts.len(), 4);
    let t = SQRT_2 - 1.0;
    for c in &contacts {
        let (x, y) = (c.point_a.x.abs(), c.point_a.y.abs());
        assert!((x.max(y) - 1.0).abs() < 1e-12 && (x.min(y) - t).abs() < 1e-12, "{c:?}");
        assert!((c.depth - 0.1).abs() < 1e-12);
    }
    // The two farthest are opposite each other, and the other two on either side.
    let [p, q, r, s] = [0, 1, 2, 3].map(|i| contacts[i].point_a);
    assert!((p.truncate() + q.truncate()).length() < 1e-12);
    assert!((q - p).cross(r - p).z * (q - p).cross(s - p).z < 0.0);
}

#[test]
fn a_box_on_its_edge_has_two_and_on_its_corner_one() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let on_edge = turned(FRAC_PI_4, DVec3::Y, DVec3::new(0.0, 0.5, SQRT_2 - 0.125));
    let ends = [[0.0, -0.5, -0.0625], [0.0, 1.5, -0.0625]];
    expect(&on_slab(&cube, &on_edge, 0.0), 0.125, &ends);
    expect(&on_ground(&cube, &on_edge, 0.0), 0.125, &ends);
    // The diagonal upright: (1, 1, 1)/√3 turns to z.
    let diagonal = glam::DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let on_corner = Pose::new(DVec3::new(0.25, 0.0, 3.0f64.sqrt() - 0.125), diagonal).unwrap();
    expect(&on_slab(&cube, &on_corner, 0.0), 0.125, &[[0.25, 0.0, -0.0625]]);
    expect(&on_ground(&cube, &on_corner, 0.0), 0.125, &[[0.25, 0.0, -0.0625]]);
}

#[test]
fn crossed_edges_touch_once() {
    // Each box lies on an edge, one along y with its ridge up, one along x with its ridge down.
    let cube = cuboid(1.0, 1.0, 1.0);
    let below = turned(FRAC_PI_4, DVec3::Y, DVec3::new(0.0, 0.0, -SQRT_2));
    let above = turned(FRAC_PI_4, DVec3::X, DVec3::new(0.25, 0.125, SQRT_2 - 0.0625));
    let contacts = manifold(cube.at(&below), cube.at(&above), 0.0);
    expect(&contacts, 0.0625, &[[0.0, 0.125, -0.03125]]);
}

#[test]
fn capsules_lying_and_standing() {
    let capsule = Body::new(Capsule::new(0.5, 1.0).unwrap());
    let lying = turned(FRAC_PI_2, DVec3::Y, DVec3::new(0.0, 0.25, 0.375));
    for contacts in [on_slab(&capsule, &lying, 0.0), on_ground(&capsule, &lying, 0.0)] {
        expect(&contacts, 0.125, &[[-1.0, 0.25, -0.0625], [1.0, 0.25, -0.0625]]);
    }
    let standing = at(0.0, 0.25, 1.375);
    for contacts in [on_slab(&capsule, &standing, 0.0), on_ground(&capsule, &standing, 0.0)] {
        expect(&contacts, 0.125, &[[0.0, 0.25, -0.0625]]);
    }
    // Hanging over the edge of the slab at x = 3.
    let over = turned(FRAC_PI_2, DVec3::Y, DVec3::new(3.25, 0.0, 0.375));
    expect(&on_slab(&capsule, &over, 0.0), 0.125, &[[2.25, 0.0, -0.0625], [3.0, 0.0, -0.0625]]);
    // Side by side along z, the second a half length higher.
    let beside = manifold(capsule.at(&Pose::IDENTITY), capsule.at(&at(0.75, 0.0, 0.5)), 0.0);
    expect(&beside, 0.25, &[[0.375, 0.0, -0.5], [0.375, 0.0, 1.0]]);
}

#[test]
fn a_tilted_capsule_touches_with_its_deepest_point() {
    let capsule = Body::new(Capsule::new(0.5, 1.0).unwrap());
    let tilted = turned(FRAC_PI_2 - 0.1, DVec3::Y, DVec3::new(0.0, 0.0, 0.5));
    for contacts in [on_slab(&capsule, &tilted, 1.0), on_ground(&capsule, &tilted, 1.0)] {
        assert_eq!(contacts.len(), 2);
        // The lower ball's centre is at height 0.5 − sin 0.1.
        assert!((contacts[0].depth - 0.1f64.sin()).abs() < 1e-12, "{contacts:?}");
        assert!(contacts.iter().all(|c| off_surface(&capsule, &tilted, c.point_b).abs() < 1e-12));
    }
}

#[test]
fn cylinders_standing_and_lying() {
    let cylinder = Body::new(Cylinder::new(0.5, 1.0).unwrap());
    let standing = turned(0.3, DVec3::Z, DVec3::new(0.25, 0.0, 0.875));
    for contacts in [on_slab(&cylinder, &standing, 0.0), on_ground(&cylinder, &standing, 0.0)] {
        assert_eq!(contacts.len(), 4);
        for c in &contacts {
            assert!((c.point_b - DVec3::new(0.25, 0.0, -0.125)).length() - 0.5 < 1e-12);
            assert!(
                (c.depth - 0.125).abs() < 1e-12 && off_surface(&cylinder, &standing, c.point_b).abs() < 1e-12
            );
        }
        // Four of eight points of the rim, two and two opposite each other.
        let middle = contacts.iter().fold(DVec3::ZERO, |sum, c| sum + c.point_b) / 4.0;
        assert!((middle - DVec3::new(0.25, 0.0, -0.125)).length() < 1e-12, "{contacts:?}");
    }
    let lying = turned(FRAC_PI_2, DVec3::X, DVec3::new(0.0, 0.0, 0.375));
    for contacts in [on_slab(&cylinder, &lying, 0.0), on_ground(&cylinder, &lying, 0.0)] {
        expect(&contacts, 0.125, &[[0.0, -1.0, -0.0625], [0.0, 1.0, -0.0625]]);
    }
}

#[test]
fn a_leaning_cylinder_touches_with_the_lowest_point_of_its_rim() {
    let cylinder = Body::new(Cylinder::new(0.5, 1.0).unwrap());
    // Leaning towards the direction of 20°, between two of the eight points: lowest by cos + 0.5 sin of the angle.
    let (sin, cos) = 0.05f64.sin_cos();
    let axis = turned(20.0f64.to_radians(), DVec3::Z, DVec3::ZERO).rotate(DVec3::Y);
    let leaning = turned(0.05, axis, DVec3::new(0.0, 0.0, cos + 0.5 * sin - 0.01));
    for contacts in [on_slab(&cylinder, &leaning, 0.02), on_ground(&cylinder, &leaning, 0.02)] {
        assert!((contacts[0].depth - 0.01).abs() < 1e-9, "{contacts:?}");
        assert!(contacts.iter().all(|c| off_surface(&cylinder, &leaning, c.point_b).abs() < 1e-9));
    }
}

#[test]
fn cones_on_base_side_and_apex() {
    let cone = Body::new(Cone::new(1.0, 1.0).unwrap());
    let standing = at(0.0, 0.0, 0.875);
    for contacts in [on_slab(&cone, &standing, 0.0), on_ground(&cone, &standing, 0.0)] {
        assert!(
            contacts.len() == 4 && contacts.iter().all(|c| (c.depth - 0.125).abs() < 1e-12),
            "{contacts:?}"
        );
        assert!(contacts.iter().all(|c| (c.point_b.truncate().length() - 1.0).abs() < 1e-12));
    }
    let upside_down = turned(std::f64::consts::PI, DVec3::X, DVec3::new(0.5, 0.0, 0.875));
    for contacts in [on_slab(&cone, &upside_down, 0.0), on_ground(&cone, &upside_down, 0.0)] {
        expect(&contacts, 0.125, &[[0.5, 0.0, -0.0625]]);
    }
    // On its side: the side falls 1 in 2, its line is √5 long, and the axis stands 1/√5·… over it: the apex angle is
    // atan(1/2), so the body is turned by 90° + atan(1/2) from upright and the line is level.
    let lying = turned(FRAC_PI_2 + 0.5f64.atan(), DVec3::Y, DVec3::ZERO);
    let apex = lying.apply(DVec3::Z);
    let on_side = turned(FRAC_PI_2 + 0.5f64.atan(), DVec3::Y, DVec3::new(0.0, 0.0, -apex.z - 0.125));
    for contacts in [on_slab(&cone, &on_side, 0.0), on_ground(&cone, &on_side, 0.0)] {
        let ends = [[apex.x, 0.0, -0.0625], [apex.x - 5.0f64.sqrt(), 0.0, -0.0625]];
        expect(&contacts, 0.125, &ends);
    }
}

#[test]
fn balls_and_ellipsoids_touch_once() {
    let ball = Body::new(Sphere::new(DVec3::X, 0.5).unwrap());
    for contacts in [on_slab(&ball, &at(0.0, 0.0, 0.375), 0.0), on_ground(&ball, &at(0.0, 0.0, 0.375), 0.0)] {
        expect(&contacts, 0.125, &[[1.0, 0.0, -0.0625]]);
    }
    let ellipsoid = Body::new(Ellipsoid::new(DVec3::new(1.0, 0.75, 0.5)).unwrap());
    expect(&on_ground(&ellipsoid, &at(0.0, 0.0, 0.375), 0.0), 0.125, &[[0.0, 0.0, -0.0625]]);
    let contacts = on_slab(&ellipsoid, &at(0.0, 0.0, 0.375), 0.0);
    assert!(contacts.len() == 1 && (contacts[0].depth - 0.125).abs() < 1e-8, "{contacts:?}");
    let balls = manifold(ball.at(&Pose::IDENTITY), ball.at(&at(0.6, 0.8, 0.0)), 0.5);
    expect(&balls, 0.0, &[[1.3, 0.4, 0.0]]);
}

#[test]
fn flat_bodies_lie_on_a_box_and_stand_on_their_edges() {
    let triangle = Body::new(Triangle::new(DVec3::ZERO, DVec3::X, DVec3::Y).unwrap());
    let contacts = on_slab(&triangle, &at(0.0, 0.0, 0.125), 0.25);
    expect(&contacts, -0.125, &[[0.0, 0.0, 0.0625], [1.0, 0.0, 0.0625], [0.0, 1.0, 0.0625]]);
    // Turned about x so that y points up: the edge along x is the lowest.
    let upright = turned(FRAC_PI_2, DVec3::X, DVec3::new(0.0, 0.5, -0.125));
    expect(&on_slab(&triangle, &upright, 0.0), 0.125, &[[0.0, 0.5, -0.0625], [1.0, 0.5, -0.0625]]);
    expect(&on_ground(&triangle, &upright, 0.0), 0.125, &[[0.0, 0.5, -0.0625], [1.0, 0.5, -0.0625]]);
    // Upside down on the corner (0, 1, 0) and leaning, so that the edges rise to both sides.
    let down = turned(FRAC_PI_2, -DVec3::X, DVec3::ZERO);
    let leaning = turned(10.0f64.to_radians(), DVec3::Y, DVec3::ZERO).after(&down);
    let tip = leaning.apply(DVec3::Y);
    assert!(tip.z < leaning.apply(DVec3::X).z && tip.z < 0.0);
    let on_tip = at(0.0, 0.0, -tip.z - 0.125).after(&leaning);
    for contacts in [on_slab(&triangle, &on_tip, 0.0), on_ground(&triangle, &on_tip, 0.0)] {
        expect(&contacts, 0.125, &[[tip.x, 0.0, -0.0625]]);
    }
}

#[test]
fn features_name_contacts_through_small_motions() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let ids = |x: f64, angle: f64| {
        let pose = turned(angle, DVec3::new(1.0, 2.0, 0.1), DVec3::new(x, 0.3, 0.99));
        let mut ids: Vec<_> = on_slab(&cube, &pose, 0.01).iter().map(|c| c.id).collect();
        ids.sort_unstable();
        ids
    };
    let first = ids(0.0, 0.0);
    assert_eq!(first.len(), 4);
    for (x, angle) in [(0.1, 0.0), (0.2, 1e-4), (-0.1, 1e-9), (0.3, -1e-3)] {
        assert_eq!(ids(x, angle), first, "{x} {angle}");
    }
}

#[test]
fn half_spaces_face_each_other_or_overlap_for_ever() {
    let ground = Body::new(Halfspace::new(DVec3::Z, 0.125).unwrap());
    let ceiling = Body::new(Halfspace::new(DVec3::new(0.0, 0.0, -2.0), 0.0).unwrap());
    let contacts = manifold(ground.at(&Pose::IDENTITY), ceiling.at(&Pose::IDENTITY), 0.0);
    assert!(
        contacts.len() == 1 && (contacts[0].depth - 0.125).abs() < 1e-15 && contacts[0].normal == DVec3::Z
    );
    let slanted = turned(FRAC_1_SQRT_2, DVec3::X, DVec3::ZERO);
    assert!(manifold(ground.at(&Pose::IDENTITY), ceiling.at(&slanted), 1.0).is_empty());
    assert!(manifold(ground.at(&Pose::IDENTITY), ceiling.at(&at(0.0, 0.0, 1.0)), 0.5).is_empty());
}
