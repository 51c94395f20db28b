//! Triangles for shapes that have none: the rule knows nothing else.

use std::sync::Arc;

use sudar::dynamics::{MassSpec, RigidBody};
use sudar::query::Body;
use sudar::shape::{Shape, Solid};
use sudar::{Mesh, Pose};
use thiserror::Error;

/// How far triangles may be from a round surface, beside its longest side.
const COARSE: f64 = 0.015;

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
    let mesh = Arc::new(surface(&body.body).ok_or_else(refused)?);
    let closed = Solid::new(mesh.clone()).map_or_else(|_| Shape::Mesh(mesh), Shape::from);
    if matches!(body.body.shape(), Shape::Cuboid(_)) {
        return Ok(RigidBody { body: closed.into(), ..body.clone() });
    }
    let own = body.inertia().map_err(|_| refused())?;
    let matter = MassSpec::Given { mass: own.mass, inertia: own.tensor, center: own.center };
    Ok(RigidBody { body: closed.into(), matter, ..body.clone() })
}

fn surface(body: &Body) -> Option<Mesh> {
    let shape = body.shape();
    let is_thin = match shape {
        Shape::HeightField(_) | Shape::Triangle(_) => true,
        Shape::Segment(_) | Shape::Point(_) | Shape::PointCloud(_) => true,
        Shape::Mesh(_) | Shape::Solid(_) | Shape::Cuboid(_) | Shape::Hull(_) => false,
        Shape::Sphere(_) | Shape::Capsule(_) | Shape::Cylinder(_) | Shape::Cone(_) => false,
        Shape::Ellipsoid(_) | Shape::Compound(_) | Shape::Halfspace(_) => false,
    };
    let size = body.aabb(&Pose::IDENTITY).extent().max_element();
    if is_thin { None } else { Some(Mesh::from_shape(shape, COARSE * size).ok()?.mesh) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::{Capsule, Compound, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Halfspace, Sphere};

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
