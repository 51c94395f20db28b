//! Contact manifolds against closed forms, the surfaces they must lie on, the penetration, and brute force.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod closed_forms;
mod cuts;
mod extremes;
mod ghosts;
mod invariants;
mod meshes;

use glam::{DQuat, DVec3};
use sudar::hull::convex_hull;
use sudar::query::{Body, Contact, closest_point};
use sudar::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Hull, Pose, Segment, Shape, Sphere, Triangle};
use sudar_testing::Random;

fn turned(angle: f64, axis: DVec3, at: DVec3) -> Pose {
    Pose::new(at, DQuat::from_axis_angle(axis.normalize(), angle)).unwrap()
}

fn cuboid(x: f64, y: f64, z: f64) -> Body {
    Body::new(Cuboid::new(DVec3::new(x, y, z)).unwrap())
}

/// One body of every convex shape, of size about 1.
fn zoo(rng: &mut Random) -> Vec<(&'static str, Body)> {
    let cloud: Vec<DVec3> = (0..14).map(|_| rng.point() * 0.8).collect();
    let flat: Vec<DVec3> = cloud.iter().map(|p| DVec3::new(p.x, p.y, 0.25)).collect();
    let ball: Vec<DVec3> = (0..200).map(|_| rng.point().normalize()).collect();
    vec![
        ("triangle", Body::new(Triangle::new(DVec3::X, DVec3::Y, -DVec3::ONE).unwrap())),
        ("segment", Body::new(Segment::new(-DVec3::X, DVec3::splat(0.5)).unwrap())),
        ("point", Body::new(DVec3::new(0.1, 0.2, 0.3))),
        ("sphere", Body::new(Sphere::new(DVec3::new(0.1, 0.0, 0.0), 0.8).unwrap())),
        ("cuboid", cuboid(0.5, 0.7, 0.9)),
        ("capsule", Body::new(Capsule::new(0.4, 0.7).unwrap())),
        ("cylinder", Body::new(Cylinder::new(0.6, 0.7).unwrap())),
        ("cone", Body::new(Cone::new(0.8, 0.6).unwrap())),
        ("ellipsoid", Body::new(Ellipsoid::new(DVec3::new(0.9, 0.6, 0.4)).unwrap())),
        ("hull", Body::new(Shape::Hull(convex_hull(&cloud).unwrap().into()))),
        ("polygon", Body::new(Shape::Hull(convex_hull(&flat).unwrap().into()))),
        ("round hull", Body::new(Shape::Hull(convex_hull(&ball).unwrap().into()))),
    ]
}

/// How far a point is from the surface of a convex body, zero on it; by the equations of the surface.
fn off_surface(body: &Body, pose: &Pose, p: DVec3) -> f64 {
    let local = pose.unapply(p);
    let rim = DVec3::new(local.x.hypot(local.y), 0.0, local.z);
    match body.shape() {
        Shape::Sphere(s) => (local - s.center).length() - s.radius,
        Shape::Cuboid(c) => (local.abs() - c.half).max_element(),
        Shape::Capsule(c) => {
            let on_axis = DVec3::Z * local.z.clamp(-c.half_length, c.half_length);
            (local - on_axis).length() - c.radius
        }
        Shape::Cylinder(c) => (rim.x - c.radius).max(local.z.abs() - c.half_length),
        Shape::Cone(c) => {
            let height = 2.0 * c.half_length;
            let side = (rim.x * height + (local.z - c.half_length) * c.radius) / height.hypot(c.radius);
            side.max(-c.half_length - local.z)
        }
        Shape::Ellipsoid(e) => ((local / e.radii).length() - 1.0) * e.radii.min_element(),
        Shape::Hull(hull) if hull.dimension() == 3 => above_faces(hull, local),
        Shape::Hull(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::Mesh(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Solid(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => closest_point(body.at(pose), p).distance.upper,
    }
}

fn above_faces(hull: &Hull, p: DVec3) -> f64 {
    let above = |f: usize| {
        let corners: Vec<DVec3> = hull.face(f).map(|v| hull.vertices()[v as usize]).collect();
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        normal.dot(p - corners[0])
    };
    (0..hull.faces().len()).map(above).fold(f64::NEG_INFINITY, f64::max)
}

/// That the contacts are half way at these places, in any order, with this depth.
#[track_caller]
fn expect(contacts: &[Contact], depth: f64, expected: &[[f64; 3]]) {
    assert_eq!(contacts.len(), expected.len(), "{contacts:?}");
    for place in expected {
        let near = |c: &&Contact| ((c.point_a + c.point_b) * 0.5 - DVec3::from(*place)).length() < 1e-12;
        assert_eq!(contacts.iter().filter(near).count(), 1, "{place:?} in {contacts:?}");
    }
    for c in contacts {
        assert!((c.depth - depth).abs() < 1e-12, "{depth} {c:?}");
        assert!(((c.point_a - c.point_b) - c.normal * depth).length() < 1e-12, "{c:?}");
    }
}
