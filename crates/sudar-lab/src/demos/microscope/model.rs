//! What lies under the microscope: built in, or from a file.

use std::sync::Arc;

use sudar::convex::Convex;
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::{Capsule, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Mesh, Pose, Shape, Solid, Sphere};
use sudar_scene::fighter;
use sudar_scene::models::{self, CarModel};
use sudar_view::Figure;

use crate::demo::DemoError;
use crate::demos::random::Random;

/// The name of what came from a file or a line.
pub const FILE: &str = "file";

/// All names. The last is there once a file was dropped or a line loaded.
pub const NAMES: [&str; 16] = [
    "box",
    "ball",
    "capsule",
    "cone",
    "cylinder",
    "ellipsoid",
    "hull",
    "gear",
    "torus",
    "hare",
    "bumpy",
    "sphere",
    "fighter",
    "car",
    "second-car",
    FILE,
];

/// A model with all that queries and pictures need of it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Model {
    /// What it is called.
    pub name: String,
    /// For queries.
    pub body: Body,
    /// For pictures.
    pub figure: Figure,
    /// Its triangles. Those of round bodies are a little inside: systems of triangles see these.
    pub mesh: Option<Arc<Mesh>>,
    /// It, or its convex hull, for the methods of convex bodies.
    pub convex: Option<Convex>,
}

impl Model {
    /// Of any shape.
    pub fn new(name: &str, shape: Shape) -> Self {
        let body = Body::new(shape);
        let figure = Figure::new(body.shape());
        let own = Convex::of(body.shape());
        let mesh = body.mesh().cloned().or_else(|| own.as_ref().and_then(|_| mesh_of(&body)));
        let convex = own.or_else(|| {
            let hull = convex_hull(mesh.as_ref()?.vertices()).ok()?;
            Convex::of(&Shape::Hull(Arc::new(hull)))
        });
        Self { name: name.to_owned(), body, figure, mesh, convex }
    }

    /// Of a mesh, as a solid if it is one.
    pub fn of_mesh(name: &str, mesh: Mesh) -> Self {
        let mesh = Arc::new(mesh);
        let shape = Solid::new(mesh.clone()).map_or_else(|_| Shape::Mesh(mesh), Shape::from);
        Self::new(name, shape)
    }

    /// Half of the longest side of the box around it, in its own frame.
    pub fn size(&self) -> f64 {
        let extent = self.body.aabb(&Pose::IDENTITY).extent().max_element();
        if extent.is_finite() && extent > 0.0 { 0.5 * extent } else { 1.0 }
    }

    /// Whether the triangles stand for a round body.
    pub fn is_round(&self) -> bool {
        self.body.mesh().is_none()
    }
}

/// The built-in model of that name.
///
/// # Errors
/// [`DemoError`] if there is none.
pub fn built_in(name: &str) -> Result<Model, DemoError> {
    let shape: Shape = match name {
        "box" => Cuboid::new(DVec3::new(0.9, 0.6, 0.45)).map_err(DemoError::of)?.into(),
        "ball" => Sphere::new(DVec3::ZERO, 0.8).map_err(DemoError::of)?.into(),
        "capsule" => Capsule::new(0.4, 0.6).map_err(DemoError::of)?.into(),
        "cone" => Cone::new(0.7, 0.8).map_err(DemoError::of)?.into(),
        "cylinder" => Cylinder::new(0.6, 0.7).map_err(DemoError::of)?.into(),
        "ellipsoid" => Ellipsoid::new(DVec3::new(1.1, 0.7, 0.45)).map_err(DemoError::of)?.into(),
        "hull" => hull()?,
        "fighter" => fighter().map_err(DemoError::of)?,
        "gear" => return Ok(Model::of_mesh(name, models::gear(14).map_err(DemoError::of)?)),
        "torus" => return Ok(Model::of_mesh(name, models::torus(24).map_err(DemoError::of)?)),
        "hare" => return Ok(Model::of_mesh(name, models::hare(22).map_err(DemoError::of)?)),
        "bumpy" => return Ok(Model::of_mesh(name, models::bumpy(18).map_err(DemoError::of)?)),
        "sphere" => return Ok(Model::of_mesh(name, models::sphere(32, 1.0).map_err(DemoError::of)?)),
        "car" => return Ok(Model::of_mesh(name, models::car(CarModel::First).map_err(DemoError::of)?)),
        "second-car" => {
            return Ok(Model::of_mesh(name, models::car(CarModel::Second).map_err(DemoError::of)?));
        }
        FILE => {
            return Err(DemoError("drop a file first: OBJ, STL, PLY, OFF, glTF, VRML or COLLADA".to_owned()));
        }
        _ => return Err(DemoError(format!("there is no model {name:?}"))),
    };
    Ok(Model::new(name, shape))
}

/// Twenty-four points on a ball.
fn hull() -> Result<Shape, DemoError> {
    let mut random = Random::new(7);
    let points: Vec<DVec3> = (0..24).map(|_| random.direction() * 0.9).collect();
    Ok(Shape::Hull(Arc::new(convex_hull(&points).map_err(DemoError::of)?)))
}

/// The triangles of a round body: fine enough to look round, coarse enough to see them.
fn mesh_of(body: &Body) -> Option<Arc<Mesh>> {
    const COARSE: f64 = 0.004;
    let size = body.aabb(&Pose::IDENTITY).extent().max_element();
    Mesh::from_shape(body.shape(), COARSE * size).ok().map(|round| Arc::new(round.mesh))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_triangles_and_a_hull() {
        for name in NAMES.into_iter().filter(|name| *name != FILE) {
            let model = built_in(name).unwrap();
            let mesh = model.mesh.as_ref().unwrap();
            assert!(mesh.triangles().len() >= 12 && model.convex.is_some(), "{name}");
            let [a, b] = [mesh.aabb().extent(), model.body.aabb(&Pose::IDENTITY).extent()];
            assert!((a - b).abs().max_element() < 0.05 * b.max_element(), "{name}: {a} {b}");
            assert!((0.3..4.0).contains(&model.size()), "{name}");
        }
        assert!(built_in(FILE).is_err() && built_in("cow").is_err());
    }
}
