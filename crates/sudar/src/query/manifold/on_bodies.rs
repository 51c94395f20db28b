//! Contact points lie on their bodies: of all pairs of shapes, in poses that are aligned, nearly aligned and any.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use glam::{DQuat, DVec2, DVec3};

use super::{Contact, manifold};
use crate::hull::convex_hull;
use crate::math::Pose;
use crate::query::{Body, DistanceOptions, Placed, distance};
use crate::shape::{
    Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, Segment, Shape,
    Solid, Sphere, Triangle,
};
use crate::testing::Random;

/// A ring of rectangles, cut into triangles.
fn ring() -> Mesh {
    let corner = |radius: f64, z: f64| {
        move |i: u32| {
            let angle = f64::from(i) * TAU / 12.0;
            DVec3::new(libm::cos(angle) * radius, libm::sin(angle) * radius, z)
        }
    };
    let rings = [(0.4, 0.1), (0.2, 0.1), (0.4, -0.1), (0.2, -0.1)];
    let vertices = rings.iter().flat_map(|&(radius, z)| (0..12).map(corner(radius, z))).collect();
    let strip = |(p, q): (u32, u32)| {
        (0..12).flat_map(move |i| {
            let j = (i + 1) % 12;
            [[p * 12 + i, q * 12 + i, q * 12 + j], [p * 12 + i, q * 12 + j, p * 12 + j]]
        })
    };
    Mesh::new(vertices, [(0, 1), (3, 2), (2, 0), (1, 3)].into_iter().flat_map(strip).collect()).unwrap()
}

fn shapes() -> Vec<(&'static str, Body)> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.1, 1.0, 0.3]].map(|p| DVec3::from_array(p) * 0.4);
    let [a, b, c] = corners;
    let hull = convex_hull(&[a, b, c, DVec3::new(0.1, 0.05, 0.3), DVec3::new(0.2, 0.2, -0.2)]).unwrap();
    let triangles = Mesh::new(vec![a, b, c, DVec3::new(0.4, 0.4, 0.4)], vec![[0, 1, 2], [1, 3, 2]]).unwrap();
    let mut list = vec![
        ("point", Body::new(Shape::Point(DVec3::new(0.1, 0.0, 0.1)))),
        ("sphere", Body::new(Sphere::new(DVec3::new(0.0, 0.1, 0.0), 0.2).unwrap())),
        ("box", Body::new(Cuboid::new(DVec3::new(0.2, 0.3, 0.1)).unwrap())),
        ("capsule", Body::new(Capsule::new(0.1, 0.3).unwrap())),
        ("cylinder", Body::new(Cylinder::new(0.2, 0.2).unwrap())),
        ("cone", Body::new(Cone::new(0.2, 0.3).unwrap())),
        ("flat cone", Body::new(Cone::new(0.6, 0.02).unwrap())),
        ("ellipsoid", Body::new(Ellipsoid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap())),
        ("segment", Body::new(Segment::new(a, b).unwrap())),
        ("triangle", Body::new(Triangle::new(a, b, c).unwrap())),
        ("hull", Body::new(Shape::Hull(Arc::new(hull)))),
        ("triangles", Body::new(triangles)),
    ];
    let solid = Solid::new(Arc::new(ring())).unwrap();
    list.push(("ring", Body::new(Shape::Solid(Arc::new(solid)))));
    list.push(("half-space", Body::new(Halfspace::new(DVec3::new(0.0, 0.6, 0.8), -0.1).unwrap())));
    let parts =
        [(Cone::new(0.2, 0.1).unwrap().into(), 0.2), (Cuboid::new(DVec3::splat(0.1)).unwrap().into(), -0.2)];
    let parts = parts.map(|(shape, x)| (shape, Pose::from_translation(DVec3::X * x).unwrap()));
    list.push(("compound", Body::new(Compound::new(parts.to_vec()).unwrap())));
    let heights = [0.0, 0.05, 0.0, 0.1, 0.1, 0.0, 0.0, 0.0, 0.1];
    list.push(("heights", Body::new(HeightField::new(3, &heights, DVec2::splat(0.3)).unwrap())));
    list
}

/// Turned by quarters about the axes, by a little more in some cases, or anyhow.
fn pose(random: &mut Random, case: usize) -> Pose {
    let quarters = [DVec3::X, DVec3::Y, DVec3::Z]
        .map(|axis| DQuat::from_axis_angle(axis, random.whole(-2, 2) * FRAC_PI_2));
    let aligned = quarters[0] * quarters[1] * quarters[2];
    let little = f64::powi(10.0, -(random.within(1.0, 12.0) as i32));
    let rotation = match case % 4 {
        0 | 1 => aligned,
        2 => DQuat::from_axis_angle(random.direction(), little) * aligned,
        _ => random.rotation(),
    };
    let at = DVec3::new(random.number(), random.number(), random.number()) * 0.5;
    let at = if case.is_multiple_of(2) { (at * 8.0).round() / 8.0 } else { at };
    Pose::new(at, rotation).unwrap()
}

/// How far the points of contacts are off their bodies, at most.
fn off([a, b]: [Placed; 2], contacts: &[Contact]) -> f64 {
    let from = |body: Placed, p: DVec3| {
        let point = Body::new(Shape::Point(p));
        distance(point.at(&Pose::IDENTITY), body, &DistanceOptions::default()).interval.upper
    };
    contacts.iter().map(|c| from(a, c.point_a).max(from(b, c.point_b))).fold(0.0, f64::max)
}

/// A flat cone had a contact 6.5e-6 beside a triangle, and upright cylinders and cones had some 3.4e-7 beside meshes.
#[test]
fn contact_points_lie_on_their_bodies() {
    let (list, mut random) = (shapes(), Random::new(83));
    let mut worst = Vec::new();
    let cases = std::env::var("SUDAR_MANIFOLD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for (i, (one, a)) in list.iter().enumerate() {
        for (other, b) in &list[i..] {
            let (mut greatest, mut count) = (0.0, 0);
            for case in 0..cases {
                let (p, q) = (pose(&mut random, case), pose(&mut random, case / 4));
                let found = manifold(a.at(&p), b.at(&q), 0.02);
                count += found.len();
                greatest = f64::max(greatest, off([a.at(&p), b.at(&q)], &found));
            }
            worst.push((greatest, count, *one, *other));
        }
    }
    worst.sort_by(|x, y| y.0.total_cmp(&x.0));
    assert!(worst.iter().filter(|(_, count, ..)| *count > 20).count() > 60, "{worst:?}");
    assert!(worst[0].0 < 1e-12, "{worst:#?}");
}
