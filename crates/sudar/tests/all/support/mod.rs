//! Bodies and poses for tests across rooms.
#![allow(dead_code, reason = "each test crate uses a part of this")]
#![allow(clippy::unwrap_used, reason = "all of this is test code")]

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use sudar::glam::{DQuat, DVec2, DVec3};
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::{
    Aabb, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud,
    Pose, Segment, Shape, Solid, Sphere, Triangle,
};

/// The generator that tests seed.
pub type Rng = rand_pcg::Pcg64;

/// A point of the cube of that half side.
pub fn point(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.random_range(-size..=size)))
}

/// Any rotation, and a place as far as that along each axis.
pub fn pose(rng: &mut Rng, far: f64) -> Pose {
    let q: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
    Pose::new(point(rng, far), DQuat::from_array(q).normalize()).unwrap()
}

/// An ellipsoid of 8·4ⁿ triangles from an octahedron.
pub fn ball(n: u32, radii: DVec3) -> Mesh {
    let mut triangles: Vec<[DVec3; 3]> = Vec::new();
    for i in 0..8 {
        let sign = |k: u32| if i >> k & 1 == 0 { 1.0 } else { -1.0 };
        let [x, y, z] = [DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)];
        triangles.push(if sign(0) * sign(1) * sign(2) > 0.0 { [x, y, z] } else { [x, z, y] });
    }
    for _ in 0..n {
        let middle = |p: DVec3, q: DVec3| (p + q).normalize();
        let split = |[a, b, c]: [DVec3; 3]| {
            let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    let count = triangles.len() as u32;
    let corners = triangles.concat().into_iter().map(|p| p * radii).collect();
    Mesh::new(corners, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
}

/// What a closed mesh bounds.
pub fn solid(mesh: Mesh) -> Body {
    Body::new(Solid::new(Arc::new(mesh)).unwrap())
}

/// The cube around the origin of that half side.
pub fn cube(half: f64) -> Mesh {
    Mesh::from_aabb(Aabb { min: DVec3::splat(-half), max: DVec3::splat(half) })
}

/// One body of every shape, none larger than about 1.
pub fn zoo() -> Vec<(&'static str, Body)> {
    let triangle = Triangle::new(DVec3::X, DVec3::Y, DVec3::Z).unwrap();
    let segment = Segment::new(-DVec3::X, DVec3::splat(0.5)).unwrap();
    vec![
        ("mesh", Body::new(ball(2, DVec3::ONE))),
        ("solid", solid(ball(2, DVec3::ONE))),
        ("triangle", Body::new(triangle)),
        ("segment", Body::new(segment)),
        ("point", Body::new(Shape::Point(DVec3::new(0.1, 0.2, 0.3)))),
        ("sphere", Body::new(Sphere::new(DVec3::new(0.1, 0.0, 0.0), 0.8).unwrap())),
        ("cuboid", Body::new(Cuboid::new(DVec3::new(0.5, 0.7, 0.9)).unwrap())),
        ("halfspace", Body::new(Halfspace::new(DVec3::new(1.0, 2.0, 2.0), 0.6).unwrap())),
        ("capsule", Body::new(Capsule::new(0.3, 0.6).unwrap())),
        ("cylinder", Body::new(Cylinder::new(0.5, 0.4).unwrap())),
        ("cone", Body::new(Cone::new(0.6, 0.5).unwrap())),
        ("ellipsoid", Body::new(Ellipsoid::new(DVec3::new(0.9, 0.5, 0.3)).unwrap())),
        ("hull", Body::new(convex_hull(&corners(40, 3)).unwrap())),
        ("height field", Body::new(terrain())),
        ("point cloud", Body::new(PointCloud::new(corners(60, 5)).unwrap())),
        ("compound", Body::new(dumbbell())),
    ]
}

/// Points on an ellipsoid.
pub fn corners(count: usize, seed: u64) -> Vec<DVec3> {
    let mut rng = Rng::seed_from_u64(seed);
    (0..count).map(|_| point(&mut rng, 1.0).normalize() * DVec3::new(0.9, 0.7, 0.5)).collect()
}

/// Hills of 6 by 5 samples with a hole.
pub fn terrain() -> HeightField {
    let mut rng = Rng::seed_from_u64(6);
    let mut heights: Vec<_> = (0..30).map(|_| Some(rng.random_range(-0.4..0.4))).collect();
    heights[14] = None;
    HeightField::new(6, &heights, DVec2::new(0.2, 0.25)).unwrap()
}

/// A ball and a box at the ends of a capsule.
pub fn dumbbell() -> Compound {
    let at = |x| Pose::from_translation(DVec3::X * x).unwrap();
    let upright = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2)).unwrap();
    Compound::new(vec![
        (Sphere::new(DVec3::ZERO, 0.3).unwrap().into(), at(-0.6)),
        (Capsule::new(0.1, 0.5).unwrap().into(), upright),
        (Cuboid::new(DVec3::splat(0.25)).unwrap().into(), at(0.6)),
    ])
    .unwrap()
}

/// Counts the shapes: a new variant of `Shape` does not compile here until it is in the zoo.
pub fn name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Mesh(_) => "mesh",
        Shape::Solid(_) => "solid",
        Shape::Triangle(_) => "triangle",
        Shape::Segment(_) => "segment",
        Shape::Point(_) => "point",
        Shape::Sphere(_) => "sphere",
        Shape::Cuboid(_) => "cuboid",
        Shape::Halfspace(_) => "halfspace",
        Shape::Capsule(_) => "capsule",
        Shape::Cylinder(_) => "cylinder",
        Shape::Cone(_) => "cone",
        Shape::Ellipsoid(_) => "ellipsoid",
        Shape::Hull(_) => "hull",
        Shape::HeightField(_) => "height field",
        Shape::PointCloud(_) => "point cloud",
        Shape::Compound(_) => "compound",
    }
}

/// The triangles of a mesh as they stand.
pub fn posed(mesh: &Mesh, pose: &Pose) -> Vec<Triangle> {
    let corners = |i: u32| mesh.triangle(i).corners().map(|p| pose.apply(p));
    (0..mesh.triangles().len() as u32).map(|i| Triangle::from(corners(i))).collect()
}
