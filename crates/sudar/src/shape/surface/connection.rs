//! Which triangles of a mesh hang together, kept while its vertices move.

use super::topology::{pieces, weld};
use crate::shape::Mesh;

/// The connected pieces of a mesh.
///
/// They are connected through vertices at one position. As long as these stay together, so do the pieces, wherever
/// vertices move; others may come to touch them, which makes the pieces finer than they would be found anew.
#[derive(Debug)]
pub(crate) struct Connection {
    /// For each triangle the number of its piece, see [`crate::shape::Topology::pieces`].
    pub pieces: Vec<u32>,
    /// The first triangle of each piece.
    pub first_triangles: Vec<u32>,
    /// The first vertex of each of these.
    pub first_vertices: Vec<u32>,
    /// Every vertex that was at the position of an earlier one, and the first there.
    seams: Vec<[u32; 2]>,
}

impl Connection {
    /// Of any mesh; O(n log n).
    pub fn of(mesh: &Mesh) -> Self {
        Self::of_welded(mesh, &weld(mesh.vertices()))
    }

    /// From the welded numbers of the vertices, see [`crate::shape::Topology::welded`].
    pub fn of_welded(mesh: &Mesh, welded: &[u32]) -> Self {
        let all = (0..).zip(welded).map(|(vertex, &first)| [vertex, first]);
        let seams = all.filter(|[vertex, first]| vertex != first).collect();
        Self { seams, ..Self::without_seams(mesh, pieces(mesh, welded)) }
    }

    /// Of a mesh whose vertices are all at different positions, from its pieces.
    pub fn without_seams(mesh: &Mesh, pieces: Vec<u32>) -> Self {
        let (mut first_triangles, mut first_vertices) = (Vec::new(), Vec::new());
        for ((i, t), &piece) in (0..).zip(mesh.triangles()).zip(&pieces) {
            // Pieces are numbered in the order of their first triangles.
            if piece as usize == first_triangles.len() {
                first_triangles.push(i);
                first_vertices.push(t[0]);
            }
        }
        Self { pieces, first_triangles, first_vertices, seams: Vec::new() }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        let firsts = size_of_val(&*self.first_triangles) + size_of_val(&*self.first_vertices);
        size_of_val(&*self.pieces) + firsts + size_of_val(&*self.seams)
    }

    /// Whether all vertices that were at one position are so in `mesh`, where they may have moved.
    pub fn holds(&self, mesh: &Mesh) -> bool {
        let vertices = mesh.vertices();
        self.seams.iter().all(|&[i, j]| vertices[i as usize] == vertices[j as usize])
    }
}
