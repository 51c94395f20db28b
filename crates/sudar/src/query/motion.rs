//! Bodies whose vertices move.

use std::sync::Arc;

use glam::DVec3;

use super::Body;
use super::body::Surface;
use crate::shape::{Mesh, MotionError, Shape, Solid};
use crate::tree::{Refit, WideTree};

impl Body {
    /// Moves the vertices of a mesh or solid: one new position for each, in their order; the triangles stay.
    ///
    /// The tree is fitted to the new positions and built again only where it has become bad, see [`WideTree::refit`].
    /// It is changed in place unless clones share it: they stay as they were, and the body gets a copy. All answers
    /// are those of a body made anew from the new positions; only which pair of features stands for a yes may
    /// differ. What was made when first needed is made again when next needed.
    ///
    /// O(n): some 25 ns a triangle in all. A solid stays one as long as vertices at one position stay together, see
    /// [`Solid::with_vertices`]; that its surface does not pass through itself is not asked, now as when it was made.
    ///
    /// # Errors
    /// [`MotionError`]; the body then is as it was.
    ///
    /// ```
    /// use sudar::query::{Body, intersects};
    /// use sudar::{Aabb, DVec3, Mesh, Pose};
    ///
    /// let mut jelly = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
    /// let (wall, pose) = (jelly.clone(), Pose::from_translation(DVec3::X * 1.5)?);
    /// assert!(!intersects(&jelly, &Pose::IDENTITY, &wall, &pose).is_touching());
    /// let wider = jelly.mesh().map(|mesh| mesh.vertices().iter().map(|p| *p * 2.0).collect());
    /// jelly.move_vertices(wider.unwrap_or_default())?;
    /// assert!(intersects(&jelly, &Pose::IDENTITY, &wall, &pose).is_touching());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_vertices(&mut self, vertices: Vec<DVec3>) -> Result<Refit, MotionError> {
        let moved = Moved::new(self.shape(), vertices)?;
        let mesh = moved.mesh();
        let (tree, done) = match self.take_tree() {
            Some(mut tree) => {
                let done = tree.refit(mesh);
                (tree, done)
            }
            None => (WideTree::new(mesh), Refit::default()),
        };
        self.replace(moved.shape(), Surface::with_tree(tree, mesh.clone(), moved.solid()));
        Ok(done)
    }
}

/// A shape after its vertices moved.
enum Moved {
    Mesh(Arc<Mesh>),
    Solid(Arc<Solid>),
}

impl Moved {
    fn new(shape: &Shape, vertices: Vec<DVec3>) -> Result<Self, MotionError> {
        match shape {
            Shape::Mesh(mesh) => Ok(Self::Mesh(Arc::new(mesh.with_vertices(vertices)?))),
            Shape::Solid(solid) => Ok(Self::Solid(Arc::new(solid.with_vertices(vertices)?))),
            Shape::HeightField(_)
            | Shape::PointCloud(_)
            | Shape::Triangle(_)
            | Shape::Segment(_)
            | Shape::Point(_)
            | Shape::Sphere(_)
            | Shape::Cuboid(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Ellipsoid(_)
            | Shape::Hull(_)
            | Shape::Halfspace(_)
            | Shape::Compound(_) => Err(MotionError::NoMesh),
        }
    }

    fn mesh(&self) -> &Arc<Mesh> {
        match self {
            Self::Mesh(mesh) => mesh,
            Self::Solid(solid) => solid.mesh(),
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Self::Mesh(mesh) => Shape::Mesh(mesh.clone()),
            Self::Solid(solid) => Shape::Solid(solid.clone()),
        }
    }

    fn solid(&self) -> Option<Arc<Solid>> {
        match self {
            Self::Mesh(_) => None,
            Self::Solid(solid) => Some(solid.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Aabb, MeshError, Sphere};

    #[test]
    fn clones_keep_their_shape_and_a_lone_body_its_tree() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let mut body = Body::new(cube.clone());
        let before = body.clone();
        let moved: Vec<DVec3> = cube.vertices().iter().map(|p| *p + DVec3::Z).collect();
        body.move_vertices(moved.clone()).unwrap();
        assert_eq!(before.mesh().unwrap().as_ref(), &cube);
        assert_eq!(body.mesh().unwrap().vertices(), moved);
        let Shape::Mesh(shape) = body.shape() else { panic!() };
        assert!(Arc::ptr_eq(shape, body.mesh().unwrap()));
    }

    #[test]
    fn what_cannot_move_is_told_and_stays() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let mut body = Body::new(cube.clone());
        let error = MeshError::VertexCount { given: 0, expected: 8 };
        assert_eq!(body.move_vertices(Vec::new()), Err(MotionError::Mesh(error)));
        assert_eq!(body.mesh().unwrap().as_ref(), &cube);
        assert!(body.tree().is_some());
        let mut ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        assert_eq!(ball.move_vertices(Vec::new()), Err(MotionError::NoMesh));
    }
}
