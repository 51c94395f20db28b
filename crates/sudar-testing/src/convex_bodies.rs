//! Random convex bodies of every kind, and what can be said of them without support mappings of the library.

use sudar::hull::convex_hull;
use sudar::pair::{closest_point_capsule, closest_point_triangle};
use sudar::query::Body;
use sudar::shape::Round;
use sudar::{Capsule, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Pose, Segment, Shape, Sphere, Triangle};

use crate::Random;

/// The convex kinds. Hulls come flat, with up to 12 and with up to 200 vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Point,
    Segment,
    Triangle,
    FlatHull,
    SmallHull,
    LargeHull,
    Cuboid,
    Sphere,
    Capsule,
    Cylinder,
    Cone,
    Ellipsoid,
}

pub const KINDS: [Kind; 12] = [
    Kind::Point,
    Kind::Segment,
    Kind::Triangle,
    Kind::FlatHull,
    Kind::SmallHull,
    Kind::LargeHull,
    Kind::Cuboid,
    Kind::Sphere,
    Kind::Capsule,
    Kind::Cylinder,
    Kind::Cone,
    Kind::Ellipsoid,
];

impl Kind {
    /// Whether the surface is curved other than by a margin: only then may an answer be undecided.
    pub fn is_round(self) -> bool {
        matches!(self, Self::Cylinder | Self::Cone | Self::Ellipsoid)
    }

    /// Whether it is the hull of finitely many points.
    pub fn is_polytope(self) -> bool {
        !self.is_round() && !matches!(self, Self::Sphere | Self::Capsule)
    }
}

impl Random {
    pub fn kind(&mut self) -> Kind {
        self.one_of(&KINDS)
    }
}

/// A body of the kind whose extents lie between `size / aspect` and `size`.
pub fn body(random: &mut Random, kind: Kind, size: f64, aspect: f64) -> Shape {
    let mut extents = DVec3::ZERO;
    for i in 0..3 {
        extents[i] = size * aspect.powf(-random.within(0.0, 1.0));
    }
    let [x, y, z] = extents.to_array();
    // Not around the origin of their frames.
    let off = if random.below(2) == 0 { DVec3::ZERO } else { random.point() * size };
    let mut p = || off + random.point() * extents;
    match kind {
        Kind::Point => Shape::Point(off),
        Kind::Segment => Segment::new(p(), p()).unwrap().into(),
        Kind::Triangle => Triangle::new(p(), p(), p()).unwrap().into(),
        Kind::Sphere => Sphere::new(off, x).unwrap().into(),
        Kind::Cuboid => Cuboid::new(extents).unwrap().into(),
        Kind::Capsule => Capsule::new(x, y).unwrap().into(),
        Kind::Cylinder => Cylinder::new(x, z).unwrap().into(),
        Kind::Cone => Cone::new(x, z).unwrap().into(),
        Kind::Ellipsoid => Ellipsoid::new(extents).unwrap().into(),
        Kind::FlatHull => {
            let n = 3 + random.below(8);
            hull((0..n).map(|_| off + random.point().with_z(0.0) * extents))
        }
        Kind::SmallHull => {
            let n = 4 + random.below(9);
            hull((0..n).map(|_| off + random.point() * extents))
        }
        Kind::LargeHull => {
            let n = 13 + if random.below(16) == 0 { random.below(188) } else { random.below(40) };
            hull((0..n).map(|_| off + random.direction() * extents))
        }
    }
}

/// A body of the kind with small whole coordinates.
pub fn lattice_body(random: &mut Random, kind: Kind) -> Shape {
    let mut whole = || random.whole(1, 4);
    let [x, y, z] = [whole(), whole(), whole()];
    let mut p = || random.grid_point(3);
    match kind {
        Kind::Point => Shape::Point(p()),
        Kind::Segment => Segment::new(p(), p()).unwrap().into(),
        Kind::Triangle => Triangle::new(p(), p(), p()).unwrap().into(),
        Kind::Sphere => Sphere::new(p(), x).unwrap().into(),
        Kind::Cuboid => Cuboid::new(DVec3::new(x, y, z)).unwrap().into(),
        Kind::Capsule => Capsule::new(x, y).unwrap().into(),
        Kind::Cylinder => Cylinder::new(x, z).unwrap().into(),
        Kind::Cone => Cone::new(x, z).unwrap().into(),
        Kind::Ellipsoid => Ellipsoid::new(DVec3::new(x, y, z)).unwrap().into(),
        Kind::FlatHull => hull((0..6).map(|_| p().with_z(0.0))),
        Kind::SmallHull => hull((0..7).map(|_| p())),
        Kind::LargeHull => hull((0..30).map(|_| p())),
    }
}

pub fn hull(points: impl Iterator<Item = DVec3>) -> Shape {
    convex_hull(&points.collect::<Vec<_>>()).unwrap().into()
}

/// The shape with all lengths multiplied.
pub fn scaled(shape: &Shape, k: f64) -> Shape {
    match shape {
        Shape::Point(p) => Shape::Point(*p * k),
        Shape::Segment(s) => Segment::new(s.a * k, s.b * k).unwrap().into(),
        Shape::Triangle(t) => Triangle::new(t.a * k, t.b * k, t.c * k).unwrap().into(),
        Shape::Sphere(s) => Sphere::new(s.center * k, s.radius * k).unwrap().into(),
        Shape::Cuboid(c) => Cuboid::new(c.half * k).unwrap().into(),
        Shape::Capsule(c) => Capsule::new(c.radius * k, c.half_length * k).unwrap().into(),
        Shape::Cylinder(c) => Cylinder::new(c.radius * k, c.half_length * k).unwrap().into(),
        Shape::Cone(c) => Cone::new(c.radius * k, c.half_length * k).unwrap().into(),
        Shape::Ellipsoid(e) => Ellipsoid::new(e.radii * k).unwrap().into(),
        Shape::Hull(h) => hull(h.vertices().iter().map(|p| *p * k)),
        Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => unreachable!(),
    }
}

/// The vertices of a polytope in its frame; none of other bodies.
pub fn vertices(shape: &Shape) -> Vec<DVec3> {
    match shape {
        Shape::Point(p) => vec![*p],
        Shape::Segment(s) => vec![s.a, s.b],
        Shape::Triangle(t) => t.corners().to_vec(),
        Shape::Cuboid(c) => c.aabb().corners().to_vec(),
        Shape::Hull(h) => h.vertices().to_vec(),
        Shape::Sphere(_) | Shape::Capsule(_) | Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => {
            vec![]
        }
        Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => unreachable!(),
    }
}

/// The height of the posed body above `base` in a unit direction, by the closed form of each shape.
pub fn height(shape: &Shape, pose: &Pose, n: DVec3, base: DVec3) -> f64 {
    let at = |p: DVec3| n.dot(pose.apply(p) - base);
    let highest = |points: &[DVec3]| points.iter().fold(f64::NEG_INFINITY, |m, p| m.max(at(*p)));
    // Along the axis z and across.
    let turned = || {
        let axis = pose.rotate(DVec3::Z);
        (n.dot(pose.translation() - base), n.dot(axis), n.cross(axis).length())
    };
    match shape {
        Shape::Point(p) => at(*p),
        Shape::Segment(s) => highest(&[s.a, s.b]),
        Shape::Triangle(t) => highest(&t.corners()),
        Shape::Cuboid(c) => highest(&c.aabb().corners()),
        Shape::Hull(h) => highest(h.vertices()),
        Shape::Sphere(s) => at(s.center) + s.radius,
        Shape::Capsule(c) => highest(&[c.axis().a, c.axis().b]) + c.radius,
        Shape::Cylinder(c) => {
            let (center, along, across) = turned();
            center + (c.half_length * along.abs() + c.radius * across)
        }
        Shape::Cone(c) => {
            let (center, along, across) = turned();
            center + (c.half_length * along).max(c.radius * across - c.half_length * along)
        }
        Shape::Ellipsoid(e) => {
            let size = e.radii.max_element();
            n.dot(pose.translation() - base) + size * (e.radii / size * pose.unrotate(n)).length()
        }
        Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => unreachable!(),
    }
}

/// How far a point is from the body: closed forms, for polytopes the nearest of the triangles unless inside of all.
pub fn excess(body: &Body, pose: &Pose, p: DVec3) -> f64 {
    let there = pose.unapply(p);
    match body.shape() {
        Shape::Sphere(s) => ((there - s.center).length() - s.radius).max(0.0),
        Shape::Capsule(c) => closest_point_capsule(there, &c.axis(), c.radius).distance(),
        Shape::Cylinder(c) => Round::Cylinder(*c).closest_point(there).distance(),
        Shape::Cone(c) => Round::Cone(*c).closest_point(there).distance(),
        Shape::Ellipsoid(e) => Round::Ellipsoid(*e).closest_point(there).distance(),
        Shape::Cuboid(c) => (there.abs() - c.half).max(DVec3::ZERO).length(),
        Shape::Point(_) | Shape::Segment(_) | Shape::Triangle(_) | Shape::Hull(_) => {
            let mesh = body.mesh().unwrap();
            let triangles = || (0..mesh.triangles().len() as u32).map(|i| mesh.triangle(i));
            let inside =
                body.solid().is_some() && triangles().all(|t| t.scaled_normal().dot(there - t.a) <= 0.0);
            if inside {
                return 0.0;
            }
            triangles().map(|t| closest_point_triangle(there, &t).distance()).fold(f64::INFINITY, f64::min)
        }
        Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => unreachable!(),
    }
}
