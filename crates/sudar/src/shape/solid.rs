//! Closed meshes, which have an inside.

use std::sync::Arc;

use thiserror::Error;

use super::{Cuboid, Mesh, Topology};

/// Why a mesh encloses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the mesh is not closed: {open_edges} edges have an odd number of triangles; close its holes or use it as a surface"
)]
pub struct NotClosed {
    /// Edges with an odd number of triangles.
    pub open_edges: usize,
}

/// A mesh certified to be closed: every edge (after joining vertices of equal position) has an even number of
/// triangles. A point is inside if a line from it to infinity crosses the surface an odd number of times; the
/// surface itself belongs to the solid. Triangle orientation plays no part.
#[derive(Debug, Clone)]
pub struct Solid {
    mesh: Arc<Mesh>,
    representatives: Vec<u32>,
    pieces: Vec<u32>,
}

impl Solid {
    /// Certifies the mesh; O(n log n).
    ///
    /// # Errors
    /// [`NotClosed`] with the number of offending edges.
    pub fn new(mesh: Arc<Mesh>) -> Result<Self, NotClosed> {
        let topology = mesh.topology();
        Self::with_topology(mesh, &topology)
    }

    /// Certifies the mesh, given its topology.
    ///
    /// # Errors
    /// [`NotClosed`] with the number of offending edges.
    pub fn with_topology(mesh: Arc<Mesh>, topology: &Topology) -> Result<Self, NotClosed> {
        let open_edges = topology.edges.iter().filter(|e| (e.forward + e.backward) % 2 == 1).count();
        if open_edges > 0 || topology.edges.is_empty() {
            return Err(NotClosed { open_edges });
        }
        let pieces = topology.pieces(&mesh);
        let representatives = first_vertex_of_each_piece(&mesh, &pieces);
        Ok(Self { mesh, representatives, pieces })
    }

    /// Its surface.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// One vertex of each connected piece of the surface: if two surfaces do not meet, these decide whether one
    /// solid lies inside the other.
    pub fn representatives(&self) -> &[u32] {
        &self.representatives
    }

    /// For each triangle the number of its connected piece, see [`Topology::pieces`].
    pub fn pieces(&self) -> &[u32] {
        &self.pieces
    }
}

impl From<Cuboid> for Solid {
    /// The twelve triangles of a box, which are closed by construction.
    fn from(cuboid: Cuboid) -> Self {
        let mesh = Mesh::from_aabb(cuboid.aabb());
        let pieces = vec![0; mesh.triangles().len()];
        Self { representatives: first_vertex_of_each_piece(&mesh, &pieces), pieces, mesh: Arc::new(mesh) }
    }
}

fn first_vertex_of_each_piece(mesh: &Mesh, pieces: &[u32]) -> Vec<u32> {
    let mut first = Vec::new();
    for (t, &piece) in mesh.triangles().iter().zip(pieces) {
        if piece as usize == first.len() {
            first.push(t[0]);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Aabb;
    use glam::DVec3;

    #[test]
    fn a_box_is_solid_and_an_open_box_is_not() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec()).unwrap();
        assert_eq!(Solid::new(Arc::new(cube)).unwrap().representatives(), [0]);
        let certified = Solid::from(Cuboid::new(DVec3::ONE).unwrap());
        assert_eq!(Solid::new(certified.mesh().clone()).unwrap().pieces(), certified.pieces());
        assert_eq!(Solid::new(Arc::new(open)).unwrap_err(), NotClosed { open_edges: 3 });
    }
}
