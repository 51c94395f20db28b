//! Solids, random poses, smooth motions, and brute force.

use std::sync::Arc;

use sudar::convex::{Convex, Difference, PosedConvex};
use sudar::hull::convex_hull;
use sudar::pair::{closest_point_triangle, closest_points_segments};
use sudar::{DQuat, DVec3, Hull, Pose, Segment, Shape, Triangle, glam};
use sudar_classic::convex::{FeatureMap, PosedFeatures};
use sudar_testing::{Random, polyhedra};

/// A polyhedron made ready for everything.
pub struct Solid {
    pub hull: Arc<Hull>,
    pub convex: Convex,
    pub map: FeatureMap,
}

impl Solid {
    /// The hull of the points.
    pub fn new(points: &[DVec3]) -> Self {
        let hull = Arc::new(convex_hull(points).unwrap());
        let convex = Convex::of(&Shape::Hull(hull.clone())).unwrap();
        let map = FeatureMap::of(&convex).unwrap();
        Self { hull, convex, map }
    }

    /// One of many kinds, of about unit size, stretched by up to `stretch` along one axis.
    pub fn any(random: &mut Random, stretch: f64) -> Self {
        Self::new(&polyhedra::any(random, stretch))
    }

    pub fn scaled(&self, factor: f64) -> Self {
        Self::new(&self.hull.vertices().iter().map(|p| *p * factor).collect::<Vec<_>>())
    }

    pub fn at<'a>(&'a self, pose: &'a Pose) -> PosedFeatures<'a> {
        PosedFeatures::new(&self.map, PosedConvex::new(&self.convex, pose)).unwrap()
    }
}

pub fn difference<'a>(a: &'a Solid, pose_a: &'a Pose, b: &'a Solid, pose_b: &'a Pose) -> Difference<'a> {
    Difference::new(PosedConvex::new(&a.convex, pose_a), PosedConvex::new(&b.convex, pose_b))
}

/// A polyhedron in the world, by all its features.
pub struct World {
    pub vertices: Vec<DVec3>,
    edges: Vec<[DVec3; 2]>,
    faces: Vec<Vec<DVec3>>,
}

impl World {
    pub fn new(solid: &Solid, pose: &Pose) -> Self {
        let vertices: Vec<DVec3> = solid.hull.vertices().iter().map(|p| pose.apply(*p)).collect();
        let at = |v: u32| vertices[v as usize];
        let half_edges = solid.hull.half_edges();
        let edges = half_edges.iter().filter(|e| e.origin < half_edges[e.twin as usize].origin);
        let edges = edges.map(|e| [at(e.origin), at(half_edges[e.twin as usize].origin)]).collect();
        let faces = (0..solid.hull.faces().len()).map(|f| solid.hull.face(f).map(at).collect()).collect();
        Self { vertices, edges, faces }
    }

    fn triangles(&self) -> impl Iterator<Item = Triangle> + '_ {
        self.faces.iter().flat_map(|f| f[1..].windows(2).map(|p| Triangle { a: f[0], b: p[0], c: p[1] }))
    }

    fn normals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.faces.iter().map(|f| (f[1] - f[0]).cross(f[2] - f[0]))
    }
}

/// The greatest gap between two polyhedra along the normals of their faces and the common perpendiculars of their
/// edges: positive if and only if they are apart (separating axis theorem), else minus the depth of the overlap.
pub fn greatest_gap(a: &World, b: &World) -> f64 {
    let crossed = a.edges.iter().flat_map(|e| b.edges.iter().map(move |f| (e[1] - e[0]).cross(f[1] - f[0])));
    let gap = |axis: DVec3| {
        let range = |w: &World| {
            let heights = w.vertices.iter().map(|p| axis.dot(*p - a.vertices[0]));
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (x.min(l), x.max(h)))
        };
        let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
        (low_b - high_a).max(low_a - high_b)
    };
    let size = |w: &World| w.edges.iter().fold(0.0, |m: f64, e| m.max((e[1] - e[0]).length()));
    // Perpendiculars of edges parallel up to rounding point anywhere; the face normals do their work.
    let least = 1e-9 * size(a) * size(b);
    a.normals()
        .chain(b.normals())
        .chain(crossed)
        .filter(|axis| axis.length() > least)
        .map(|axis| gap(axis.normalize()))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// The distance of two polyhedra that are apart: the least of all vertices from all faces and all edges from all edges.
pub fn least_distance(a: &World, b: &World) -> f64 {
    let one_way = |a: &World, b: &World| {
        let all = a
            .vertices
            .iter()
            .flat_map(|p| b.triangles().map(move |t| closest_point_triangle(*p, &t).distance()));
        all.fold(f64::INFINITY, f64::min)
    };
    let edges = a.edges.iter().flat_map(|e| b.edges.iter().map(move |f| (e, f))).map(|(e, f)| {
        closest_points_segments(&Segment { a: e[0], b: e[1] }, &Segment { a: f[0], b: f[1] }).distance()
    });
    one_way(a, b).min(one_way(b, a)).min(edges.fold(f64::INFINITY, f64::min))
}

/// A smooth motion past the origin: step `i` of `n` on an ellipse that a body of unit size at the origin is partly
/// in the way of, turning as it goes.
pub fn on_an_orbit(i: usize, n: usize, least: f64) -> Pose {
    let angle = std::f64::consts::TAU * i as f64 / n as f64;
    let place = DVec3::new(3.0 * angle.cos(), least * angle.sin(), 0.4 * (2.0 * angle).sin());
    Pose::new(place, DQuat::from_euler(glam::EulerRot::XYZ, angle, 2.0 * angle, -angle).normalize()).unwrap()
}
