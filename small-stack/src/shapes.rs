//! One body of every shape.

use std::sync::Arc;

use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::{
    Aabb, Capsule, Compound, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Halfspace, HeightField, Mesh,
    PointCloud, Pose, Segment, Shape, Solid, Sphere, Triangle,
};

type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Points between −1 and 1 by a linear congruential generator (constants of Knuth's MMIX).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / f64::powi(2.0, 52) - 1.0
    }

    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    pub fn pose(&mut self, reach: f64) -> Fallible<Pose> {
        let (axis, turn) = (self.point(), self.number());
        let rotation = sudar::DQuat::from_xyzw(axis.x, axis.y, axis.z, turn).normalize();
        Ok(Pose::new(self.point() * reach, rotation)?)
    }
}

/// A closed mesh of 8 · 4ⁿ triangles: an octahedron halved again and again, on a bumpy ball.
pub fn bumpy_ball(halvings: u32) -> Fallible<Mesh> {
    let mut faces: Vec<[DVec3; 3]> = Vec::new();
    for signs in 0..8_u32 {
        let side = |k: u32| if signs >> k & 1 == 0 { 1.0 } else { -1.0 };
        let [x, y, z] = [DVec3::X * side(0), DVec3::Y * side(1), DVec3::Z * side(2)];
        faces.push(if signs.count_ones() % 2 == 0 { [x, y, z] } else { [y, x, z] });
    }
    for _ in 0..halvings {
        let quarters = |[a, b, c]: &[DVec3; 3]| {
            let [d, e, f] = [*a + *b, *b + *c, *c + *a].map(DVec3::normalize);
            [[*a, d, f], [d, *b, e], [f, e, *c], [d, e, f]]
        };
        faces = faces.iter().flat_map(quarters).collect();
    }
    let bumpy = |p: DVec3| p * (0.6 + 0.05 * ((9.0 * p.x).sin() + (7.0 * p.y).cos()));
    let (mut vertices, mut triangles): (Vec<DVec3>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
    for corner in faces.iter().flatten() {
        vertices.push(bumpy(*corner));
    }
    triangles.extend((0..faces.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]));
    Ok(Mesh::new(vertices, triangles)?)
}

pub fn bodies() -> Fallible<Vec<Body>> {
    let mut numbers = Numbers(1);
    let ball = bumpy_ball(2)?;
    let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-0.4), max: DVec3::splat(0.4) });
    let points: Vec<DVec3> = (0..60).map(|_| numbers.point() * 0.6).collect();
    let heights: Vec<f64> = (0..81).map(|i| 0.1 * f64::from(i % 7)).collect();
    let small: Shape = Sphere::new(DVec3::ZERO, 0.3)?.into();
    let parts =
        vec![(small, numbers.pose(0.5)?), (Cuboid::new(DVec3::splat(0.2))?.into(), numbers.pose(0.5)?)];
    let [p, q, r] = [numbers.point(), numbers.point(), numbers.point()];
    Ok(vec![
        Body::new(ball.clone()),
        Body::new(Solid::new(Arc::new(ball))?),
        Body::new(Solid::new(Arc::new(cube))?),
        Body::new(convex_hull(&points)?),
        Body::new(Sphere::new(DVec3::ZERO, 0.5)?),
        Body::new(Cuboid::new(DVec3::new(0.5, 0.3, 0.2))?),
        Body::new(Capsule::new(0.2, 0.5)?),
        Body::new(Cylinder::new(0.3, 0.4)?),
        Body::new(Cone::new(0.4, 0.5)?),
        Body::new(Ellipsoid::new(DVec3::new(0.6, 0.4, 0.2))?),
        Body::new(Halfspace::new(DVec3::Z, -0.5)?),
        Body::new(HeightField::new(9, &heights, sudar::glam::DVec2::splat(0.2))?),
        Body::new(PointCloud::new(points)?),
        Body::new(Compound::new(parts)?),
        Body::new(Triangle::new(p, q, r)?),
        Body::new(Segment::new(p, q)?),
        Body::new(Shape::Point(p)),
    ])
}
