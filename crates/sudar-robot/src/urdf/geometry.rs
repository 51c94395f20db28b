//! Collision geometry: primitives and meshes to bodies.

use std::sync::Arc;

use sudar::hull::convex_hull;
use sudar::math::orient3d;
use sudar::query::Body;
use sudar::{
    Capsule, Cuboid, Cylinder, DVec3, Halfspace, Hull, Mesh, Pose, Shape, ShapeError, Sign, Solid, Sphere,
};

use super::Meshes;
use super::read::{Collision, Geometry};
use crate::RobotError;
use crate::xml::Place;

/// The bodies of a `collision`, with their poses in its frame. Planes are without end, and for links that stand.
pub(super) fn bodies(
    collision: &Collision,
    link: &str,
    stands: bool,
    meshes: &mut Meshes,
) -> Result<Vec<(Body, Pose)>, RobotError> {
    let one = |made: Result<Body, ShapeError>| one(made, link);
    let place = &collision.place;
    match &collision.geometry {
        Geometry::Box(size) if size.cmpge(DVec3::ZERO).all() && size.min_element() == 0.0 => {
            flat(&corners(*size * 0.5), link)
        }
        Geometry::Cylinder { radius, length: 0.0 } if *radius > 0.0 => {
            let what = format!("has a cylinder of length 0; a polygon of {SIDES} sides around it is taken");
            meshes.note(place, link, &what);
            flat(&around_disc(*radius), link)
        }
        Geometry::Cylinder { radius: 0.0, length } | Geometry::Capsule { radius: 0.0, length }
            if *length > 0.0 =>
        {
            flat(&[-0.5, 0.5].map(|end| DVec3::Z * (end * length)), link)
        }
        Geometry::Box(size) => one(Cuboid::new(*size * 0.5).map(Body::new)),
        Geometry::Sphere { radius } => one(Sphere::new(DVec3::ZERO, *radius).map(Body::new)),
        Geometry::Cylinder { radius, length } => one(Cylinder::new(*radius, length * 0.5).map(Body::new)),
        // A capsule without a straight part is a ball.
        Geometry::Capsule { radius, length: 0.0 } => one(Sphere::new(DVec3::ZERO, *radius).map(Body::new)),
        Geometry::Capsule { radius, length } => one(Capsule::new(*radius, length * 0.5).map(Body::new)),
        Geometry::Mesh { uri, scale } => meshes.bodies(uri, *scale, link, place),
        Geometry::Plane { normal } if stands => {
            meshes.note(place, link, "has a plane, which URDF does not have; all below it is solid");
            one(Halfspace::new(*normal, 0.0).map(Body::new))
        }
        Geometry::Plane { .. } => {
            meshes.note(place, link, "has a plane that moves, which is not checked");
            Ok(Vec::new())
        }
        Geometry::Other(what) => other(what, link, place, meshes),
    }
}

/// An element that URDF does not have: left out where meshes may be, else refused.
fn other(
    what: &str,
    link: &str,
    place: &Place,
    meshes: &mut Meshes,
) -> Result<Vec<(Body, Pose)>, RobotError> {
    if meshes.skips() {
        meshes.note(place, link, &format!("geometry {what} is not read and not checked"));
        return Ok(Vec::new());
    }
    let (file, line, link) = (place.file.to_string(), place.line, link.to_owned());
    Err(RobotError::NoGeometry { file, line, link, what: what.to_owned() })
}

/// Sides of the polygon that stands for a disc: it reaches 0.13 % farther at its corners.
const SIDES: u32 = 64;

/// One body in the frame of its element.
fn one<E: std::fmt::Display>(made: Result<Body, E>, link: &str) -> Result<Vec<(Body, Pose)>, RobotError> {
    match made {
        Ok(body) => Ok(vec![(body, Pose::IDENTITY)]),
        Err(error) => Err(RobotError::Geometry { link: link.to_owned(), why: error.to_string() }),
    }
}

/// The hull of points that may lie in one plane.
fn flat(points: &[DVec3], link: &str) -> Result<Vec<(Body, Pose)>, RobotError> {
    one(convex_hull(points).map(Body::new), link)
}

fn corners(half: DVec3) -> Vec<DVec3> {
    let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    (0..8).map(|i| half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4))).collect()
}

/// The corners of a polygon in the plane z = 0 that holds a disc.
fn around_disc(radius: f64) -> Vec<DVec3> {
    let step = std::f64::consts::PI / f64::from(SIDES);
    // Far more than the rounding of the corners.
    let radius = radius / libm::cos(step) * (1.0 + 1e-12);
    let corner = |i: u32| {
        let (sin, cos) = libm::sincos(step * f64::from(2 * i));
        DVec3::new(radius * cos, radius * sin, 0.0)
    };
    (0..SIDES).map(corner).collect()
}

/// Triangles times points that the test for convexity may cost; larger meshes keep their triangles.
const MOST_TESTS: usize = 20_000_000;

/// A mesh as a body: a hull where it is one, a solid where it is closed, else its surface.
pub(super) fn mesh_body(mesh: Arc<Mesh>) -> Body {
    match Solid::new(mesh.clone()) {
        Err(_) => Body::new(Shape::Mesh(mesh)),
        Ok(solid) => match hull_of(&mesh) {
            Some(hull) => Body::new(hull),
            None => Body::new(solid),
        },
    }
}

/// The hull of a closed mesh every triangle of which lies on it, decided exactly.
fn hull_of(mesh: &Mesh) -> Option<Hull> {
    let hull = convex_hull(mesh.vertices()).ok()?;
    if hull.dimension() < 3 || mesh.triangles().len().saturating_mul(hull.vertices().len()) > MOST_TESTS {
        return None;
    }
    (0..mesh.triangles().len() as u32).all(|i| is_outer(mesh, i, &hull)).then_some(hull)
}

/// Whether all of the hull is on one side of the triangle's plane.
fn is_outer(mesh: &Mesh, i: u32, hull: &Hull) -> bool {
    let t = mesh.triangle(i);
    let mut sides =
        hull.vertices().iter().map(|&p| orient3d(t.a, t.b, t.c, p)).filter(|side| *side != Sign::Zero);
    // Without a side it is a triangle of zero area, which bounds nothing; its neighbours do.
    let Some(first) = sides.next() else { return true };
    sides.all(|side| side == first)
}

#[cfg(test)]
mod tests {
    use sudar::Aabb;

    use super::*;

    #[test]
    fn only_convex_meshes_become_hulls() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let far = cube.mapped(|p| p + DVec3::X * 3.0).unwrap();
        assert!(matches!(mesh_body(Arc::new(cube.clone())).shape(), Shape::Hull(_)));
        let two = Mesh::joined([&cube, &far]).unwrap();
        assert!(matches!(mesh_body(Arc::new(two)).shape(), Shape::Solid(_)));
        let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec()).unwrap();
        assert!(matches!(mesh_body(Arc::new(open)).shape(), Shape::Mesh(_)));
        // A dent of one bit is a dent.
        let mut points = cube.vertices().to_vec();
        points.push(DVec3::new(0.5, 0.5, 1.0_f64.next_down()));
        let (top, sides): (Vec<[u32; 3]>, Vec<_>) =
            cube.triangles().iter().partition(|t| t.iter().all(|&i| points[i as usize].z == 1.0));
        assert_eq!(top.len(), 2);
        let mut ring: Vec<[u32; 2]> =
            top.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).collect();
        ring.retain(|[a, b]| {
            !top.iter().any(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].contains(&[*b, *a]))
        });
        let fan = ring.iter().map(|[a, b]| [*a, *b, 8]);
        let dented = Mesh::new(points, sides.into_iter().chain(fan).collect()).unwrap();
        assert!(matches!(mesh_body(Arc::new(dented)).shape(), Shape::Solid(_)));
    }
}
