//! Bodies whose vertices move.

use std::sync::Arc;

use glam::DVec3;

use crate::query::Body;
use crate::shape::{MotionError, Shape};
use crate::tree::Refit;

impl Body {
    /// Moves the vertices of a mesh or solid: one new position for each, in their order; the triangles stay.
    ///
    /// The tree is fitted to the new positions and built again only where it has become bad, see
    /// [`WideTree::refit`](crate::tree::WideTree::refit).
    /// It is changed in place unless clones share it: they stay as they were, and the body gets a copy. All answers
    /// are those of a body made anew from the new positions; only which pair of features stands for a yes may
    /// differ. What was made when first needed is made again when next needed.
    ///
    /// O(n): some 10 ns a triangle in all while it fits the cache. A solid stays one as long as vertices at
    /// one position stay together, see [`Solid::with_vertices`](crate::Solid::with_vertices); that its
    /// surface does not pass through itself is not tested, now as when it was made.
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
    /// assert!(!intersects(jelly.at(&Pose::IDENTITY), wall.at(&pose)).is_touching());
    /// let wider = jelly.mesh().map(|mesh| mesh.vertices().iter().map(|p| *p * 2.0).collect());
    /// jelly.move_vertices(wider.unwrap_or_default())?;
    /// assert!(intersects(jelly.at(&Pose::IDENTITY), wall.at(&pose)).is_touching());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_vertices(&mut self, vertices: Vec<DVec3>) -> Result<Refit, MotionError> {
        let (shape, mesh, solid) = if let Shape::Mesh(mesh) = self.shape() {
            let mesh = Arc::new(mesh.with_vertices(vertices)?);
            (Shape::Mesh(mesh.clone()), mesh, None)
        } else if let Shape::Solid(solid) = self.shape() {
            let solid = Arc::new(solid.with_vertices(vertices)?);
            (Shape::Solid(solid.clone()), solid.mesh().clone(), Some(solid))
        } else {
            return Err(MotionError::NoMesh);
        };
        Ok(self.take_on(shape, mesh, solid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Aabb, Mesh, MeshError, Sphere};

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
    fn an_open_mesh_stays_connected_as_long_as_its_seams_hold() {
        // Two triangles that touch at vertices 2 and 3, and one beside them; an own copy of each corner.
        let [o, x, y] = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let far = DVec3::Z * 9.0;
        let vertices = vec![o, x, y, y, x + y, far, far + x, far + y];
        let mesh = Mesh::new(vertices.clone(), vec![[0, 1, 2], [3, 4, 4], [5, 6, 7]]).unwrap();
        let mut body = Body::new(mesh);
        let first = |body: &Body| body.surface().unwrap().first_of_each_piece().to_vec();
        assert_eq!(first(&body), [0, 2]);
        let kept = |body: &Body| body.surface().unwrap().first_of_each_piece().as_ptr();
        let before = kept(&body);
        body.move_vertices(vertices.iter().map(|p| *p * 3.0).collect()).unwrap();
        assert_eq!(kept(&body), before, "not found anew");
        let torn = vertices.iter().enumerate().map(|(i, p)| if i == 3 { *p + far } else { *p });
        body.move_vertices(torn.collect()).unwrap();
        // Vertex 3 now lies at that of number 7: its triangle belongs to the third.
        assert_eq!(first(&body), [0, 1]);
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
