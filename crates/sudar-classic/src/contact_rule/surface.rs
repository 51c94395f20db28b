//! Triangles for shapes that have none: the rule knows nothing else.

use std::sync::Arc;

use sudar::dynamics::{MassSpec, RigidBody};
use sudar::hull::convex_hull;
use sudar::shape::{Shape, Solid};
use sudar::{Aabb, DVec3, Mesh};
use thiserror::Error;

/// Corners around an axis.
const AROUND: u32 = 16;

/// Rings of corners from pole to pole of a ball.
const RINGS: u32 = 8;

/// A body whose surface cannot be made of triangles.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("body \"{body}\": its shape has no surface of triangles; give it a mesh")]
pub struct NoSurface {
    /// The name of the body.
    pub body: String,
}

/// The body with triangles as its surface. Meshes and solids stay; boxes become solids; round bodies become polyhedra
/// with their corners on the round surface, compounds the meshes of their parts, and these keep the mass of the body.
///
/// # Errors
/// [`NoSurface`] for half-spaces, points and segments, or a body without mass.
pub fn with_triangles(body: &RigidBody) -> Result<RigidBody, NoSurface> {
    let refused = || NoSurface { body: body.name.clone() };
    if matches!(body.body.shape(), Shape::Mesh(_) | Shape::Solid(_)) {
        return Ok(body.clone());
    }
    let mesh = Arc::new(surface(body.body.shape()).ok_or_else(refused)?);
    let closed = Solid::new(mesh.clone()).map_or_else(|_| Shape::Mesh(mesh), Shape::from);
    if matches!(body.body.shape(), Shape::Cuboid(_)) {
        return Ok(RigidBody { body: closed.into(), ..body.clone() });
    }
    let own = body.inertia().map_err(|_| refused())?;
    let matter = MassSpec::Given { mass: own.mass, inertia: own.tensor, center: own.center };
    Ok(RigidBody { body: closed.into(), matter, ..body.clone() })
}

fn surface(shape: &Shape) -> Option<Mesh> {
    match shape {
        Shape::Mesh(mesh) => Some((**mesh).clone()),
        Shape::Solid(solid) => Some((**solid.mesh()).clone()),
        Shape::Cuboid(c) => Some(Mesh::from_aabb(Aabb { min: -c.half, max: c.half })),
        Shape::Hull(hull) => {
            let triangles = (0..hull.faces().len()).flat_map(|i| hull.fan(i)).collect();
            Mesh::new(hull.vertices().to_vec(), triangles).ok()
        }
        Shape::Sphere(s) => around(&ball(s.center, DVec3::splat(s.radius))),
        Shape::Ellipsoid(e) => around(&ball(DVec3::ZERO, e.radii)),
        Shape::Capsule(c) => {
            let end = |z: f64| ball(DVec3::Z * z, DVec3::splat(c.radius));
            around(&[end(c.half_length), end(-c.half_length)].concat())
        }
        Shape::Cylinder(c) => {
            around(&[ring(c.radius, c.half_length), ring(c.radius, -c.half_length)].concat())
        }
        Shape::Cone(c) => around(&[ring(c.radius, -c.half_length), vec![DVec3::Z * c.half_length]].concat()),
        Shape::Compound(compound) => {
            let one = |(part, pose): &(Shape, sudar::Pose)| surface(part)?.mapped(|p| pose.apply(p)).ok();
            Mesh::joined(&compound.parts().iter().map(one).collect::<Option<Vec<_>>>()?).ok()
        }
        Shape::HeightField(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::Halfspace(_)
        | Shape::PointCloud(_) => None,
    }
}

/// The hull of some points.
fn around(points: &[DVec3]) -> Option<Mesh> {
    let hull = convex_hull(points).ok()?;
    surface(&Shape::Hull(hull.into()))
}

/// Points around z at a height.
fn ring(radius: f64, z: f64) -> Vec<DVec3> {
    let at = |i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(AROUND);
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z)
    };
    (0..AROUND).map(at).collect()
}

/// Points of an ellipsoid, with both poles.
fn ball(center: DVec3, radii: DVec3) -> Vec<DVec3> {
    let mut points = vec![DVec3::Z, DVec3::NEG_Z];
    for i in 1..RINGS {
        let angle = std::f64::consts::PI * f64::from(i) / f64::from(RINGS);
        points.extend(ring(libm::sin(angle), libm::cos(angle)));
    }
    points.into_iter().map(|p| center + p * radii).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::{Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, Pose, Sphere};

    #[test]
    fn every_solid_gets_a_closed_surface_of_its_size_and_keeps_its_mass() {
        let shapes: [Shape; 6] = [
            Sphere::new(DVec3::new(0.2, 0.0, 0.0), 0.8).unwrap().into(),
            Cuboid::new(DVec3::new(0.5, 0.7, 0.9)).unwrap().into(),
            Capsule::new(0.4, 0.7).unwrap().into(),
            Cylinder::new(0.6, 0.5).unwrap().into(),
            Cone::new(0.8, 0.7).unwrap().into(),
            Ellipsoid::new(DVec3::new(0.9, 0.7, 0.5)).unwrap().into(),
        ];
        for shape in shapes {
            let body = RigidBody::new("body", shape);
            let made = with_triangles(&body).unwrap();
            let [own, new] = [&body, &made].map(|b| b.body.aabb(&Pose::IDENTITY));
            assert!((own.extent() - new.extent()).abs().max_element() < 1e-6, "{own:?} {new:?}");
            assert!(made.body.solid().is_some(), "{:?}", body.body.shape());
            let [own, new] = [&body, &made].map(|b| b.inertia().unwrap());
            assert!((own.mass / new.mass - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_compound_is_the_meshes_of_its_parts() {
        let half: Shape = Cuboid::new(DVec3::splat(0.5)).unwrap().into();
        let above = Pose::from_translation(DVec3::Z).unwrap();
        let both = Compound::new(vec![(half.clone(), Pose::IDENTITY), (half, above)]).unwrap();
        let made = with_triangles(&RigidBody::new("two", both)).unwrap();
        assert_eq!(made.body.mesh().unwrap().triangles().len(), 24);
        assert_eq!(made.body.aabb(&Pose::IDENTITY).max.z, 1.5);
    }

    #[test]
    fn what_has_no_end_has_no_surface() {
        let plane = RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap());
        let error = with_triangles(&plane).unwrap_err().to_string();
        assert!(error.starts_with("body \"floor\": its shape has no surface"), "{error}");
    }
}
