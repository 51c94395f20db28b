//! One body of every shape.

use sudar::glam::DVec2;
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::{
    Capsule, Compound, Cone, Cuboid, Cylinder, DQuat, DVec3, Ellipsoid, Halfspace, HeightField, PointCloud,
    Pose, Segment, Shape, Sphere, Triangle,
};

use crate::meshes::{ball, solid};
use crate::{Random, at};

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
    let points = Random::new(seed).cloud(count);
    points.into_iter().map(|p| p.normalize() * DVec3::new(0.9, 0.7, 0.5)).collect()
}

/// Hills of 6 by 5 samples with a hole.
pub fn terrain() -> HeightField {
    let mut random = Random::new(6);
    let mut heights: Vec<_> = (0..30).map(|_| Some(random.within(-0.4, 0.4))).collect();
    heights[14] = None;
    HeightField::new(6, &heights, DVec2::new(0.2, 0.25)).unwrap()
}

/// A ball and a box at the ends of a capsule.
pub fn dumbbell() -> Compound {
    let along = |x| at(x, 0.0, 0.0);
    let upright = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2)).unwrap();
    Compound::new(vec![
        (Sphere::new(DVec3::ZERO, 0.3).unwrap().into(), along(-0.6)),
        (Capsule::new(0.1, 0.5).unwrap().into(), upright),
        (Cuboid::new(DVec3::splat(0.25)).unwrap().into(), along(0.6)),
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
