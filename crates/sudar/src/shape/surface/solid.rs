//! Closed meshes, which have an inside.

use std::sync::Arc;

use thiserror::Error;

use super::connection::Connection;
use super::parity::Parity;
use crate::shape::{Cuboid, Mesh, MeshError, NotClosed, Topology};

/// A mesh certified to be closed: every edge (after joining vertices of equal position) has an even number of
/// triangles. A point is inside if a line from it to infinity crosses the surface an odd number of times; the
/// surface itself belongs to the solid. Triangle orientation plays no part.
#[derive(Debug, Clone)]
pub struct Solid {
    mesh: Arc<Mesh>,
    connection: Arc<Connection>,
    /// Whether along every edge as many triangles run one way as the other. Moving vertices leaves that so.
    oriented: bool,
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
        topology.check_closed(&mesh)?;
        let connection = Arc::new(Connection::of_welded(&mesh, &topology.welded));
        Ok(Self { mesh, connection, oriented: topology.turned_edges() == 0 })
    }

    /// Certifies the mesh, given [`Topology::welded`] of it that was kept: exact, and several times as quick as finding
    /// the topology again. O(n) for meshes with few triangles at a vertex.
    ///
    /// Numbers that leave vertices of one position apart can only make more pieces, or make a closed mesh count as
    /// open; no numbers make an open mesh a solid.
    ///
    /// # Errors
    /// [`WeldedError`] for numbers that do not fit the vertices, or with the number of edges that are open.
    ///
    /// ```
    /// use sudar::{Aabb, DVec3, Mesh, Solid};
    ///
    /// let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
    /// let kept = cube.topology().welded;
    /// let solid = Solid::with_welded(cube.into(), &kept)?;
    /// assert_eq!(solid.pieces(), [0; 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_welded(mesh: Arc<Mesh>, welded: &[u32]) -> Result<Self, WeldedError> {
        check_welded(&mesh, welded)?;
        let Parity { open_edges, turned_edges } = Parity::of(&mesh, welded);
        if open_edges > 0 || !has_edges(&mesh) {
            return Err(WeldedError::Open { open_edges });
        }
        let connection = Arc::new(Connection::of_welded(&mesh, welded));
        Ok(Self { mesh, connection, oriented: turned_edges == 0 })
    }

    /// The same triangles over moved vertices, see [`Mesh::with_vertices`]; O(n).
    ///
    /// Moving vertices opens no edge as long as vertices of one position stay at one position: each piece stays closed,
    /// also where others come to lie on it. Where such vertices part, the mesh is certified anew, O(n log n). Otherwise
    /// pieces are not counted anew: those that come to touch at a vertex stay apart in [`Solid::pieces`].
    ///
    /// # Errors
    /// [`MeshError`] of the positions, or [`NotClosed`] if a seam opened or no triangle has three corners any more.
    pub fn with_vertices(&self, vertices: Vec<glam::DVec3>) -> Result<Self, MotionError> {
        let mesh = Arc::new(self.mesh.with_vertices(vertices)?);
        if self.connection.holds(&mesh) && has_edges(&mesh) {
            return Ok(Self { mesh, ..self.clone() });
        }
        Ok(Self::new(mesh)?)
    }

    /// Its surface.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// Whether its triangles agree about which side is outside: along every edge as many run one way as the
    /// other. After [`Solid::with_vertices`] it may be false for a solid whose edges have come to lie on each
    /// other.
    pub fn is_oriented(&self) -> bool {
        self.oriented
    }

    /// One vertex of each connected piece of the surface: if two surfaces do not meet, these decide whether one
    /// solid lies inside the other.
    pub fn representatives(&self) -> &[u32] {
        &self.connection.first_vertices
    }

    /// For each triangle the number of its connected piece, see [`Topology::pieces`].
    pub fn pieces(&self) -> &[u32] {
        &self.connection.pieces
    }

    /// The connection of its triangles.
    pub(crate) fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }
}

impl From<Cuboid> for Solid {
    /// The twelve triangles of a box, which are closed by construction.
    fn from(cuboid: Cuboid) -> Self {
        let mesh = Mesh::from_aabb(cuboid.aabb());
        let pieces = vec![0; mesh.triangles().len()];
        let connection = Arc::new(Connection::without_seams(&mesh, pieces));
        Self { connection, mesh: Arc::new(mesh), oriented: true }
    }
}

/// Why a mesh is no solid by the welded numbers that were kept of its vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WeldedError {
    /// There are more or fewer than vertices.
    #[error("{given} welded numbers were given for {expected} vertices; find the topology anew")]
    Count {
        /// How many were given.
        given: usize,
        /// How many vertices the mesh has.
        expected: usize,
    },
    /// One names no earlier vertex of the same position that names itself.
    #[error("the welded number of vertex {vertex} names no vertex at its position; find the topology anew")]
    Elsewhere {
        /// The vertex' number from 0.
        vertex: usize,
    },
    /// The mesh is not closed.
    #[error("the mesh is not closed: {open_edges} edges are open")]
    Open {
        /// Edges with an odd number of triangles.
        open_edges: usize,
    },
}

/// Why vertices could not be moved.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// The new positions make no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The solid would no longer be closed.
    #[error(transparent)]
    NotClosed(#[from] NotClosed),
    /// The shape has no vertices that can be moved by themselves.
    #[error("only the vertices of meshes and solids can be moved; make a body from a mesh of this shape")]
    NoMesh,
}

/// Whether each number is that of a vertex at the same position, no later one, which has its own number.
fn check_welded(mesh: &Mesh, welded: &[u32]) -> Result<(), WeldedError> {
    let vertices = mesh.vertices();
    let (given, expected) = (welded.len(), vertices.len());
    if given != expected {
        return Err(WeldedError::Count { given, expected });
    }
    let is_right = |vertex: usize, first: usize| {
        first == vertex
            || first < vertex && welded[first] as usize == first && vertices[first] == vertices[vertex]
    };
    let wrong = (0..expected).find(|&vertex| !is_right(vertex, welded[vertex] as usize));
    wrong.map_or(Ok(()), |vertex| Err(WeldedError::Elsewhere { vertex }))
}

/// Whether any triangle has three different corners, without which nothing is enclosed.
fn has_edges(mesh: &Mesh) -> bool {
    let at = |i: u32| mesh.vertices()[i as usize];
    mesh.triangles().iter().any(|t| {
        let [a, b, c] = t.map(at);
        a != b && b != c && c != a
    })
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
        assert_eq!(Solid::new(Arc::new(open)).unwrap_err(), NotClosed { open_edges: 3, closes_at: None });
    }

    /// The box as STL stores it: three corners of its own for each triangle.
    fn soup() -> Mesh {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let vertices = (0..12).flat_map(|i| cube.triangle(i).corners()).collect();
        Mesh::new(vertices, (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
    }

    #[test]
    fn kept_numbers_make_the_same_solid_or_none() {
        let mut open = soup();
        for mesh in [soup(), open.clone()] {
            let topology = mesh.topology();
            let (mesh, welded) = (Arc::new(mesh), topology.welded);
            let (whole, kept) =
                (Solid::new(mesh.clone()).unwrap(), Solid::with_welded(mesh, &welded).unwrap());
            assert_eq!((whole.pieces(), whole.representatives()), (kept.pieces(), kept.representatives()));
            assert_eq!(whole.is_oriented(), kept.is_oriented());
        }
        open = Mesh::new(open.vertices().to_vec(), open.triangles()[1..].to_vec()).unwrap();
        let welded = open.topology().welded;
        let error = Solid::with_welded(Arc::new(open), &welded).unwrap_err();
        assert_eq!(error, WeldedError::Open { open_edges: 3 });
        // Each corner for itself: every edge is open. Any vertex for another: it is elsewhere.
        let own: Vec<u32> = (0..36).collect();
        let error = Solid::with_welded(Arc::new(soup()), &own).unwrap_err();
        assert_eq!(error, WeldedError::Open { open_edges: 36 });
        let error = Solid::with_welded(Arc::new(soup()), &[0; 36]).unwrap_err();
        assert!(matches!(error, WeldedError::Elsewhere { vertex: 1 }));
        let error = Solid::with_welded(Arc::new(soup()), &[0]).unwrap_err();
        assert_eq!(error, WeldedError::Count { given: 1, expected: 36 });
    }

    #[test]
    fn no_kept_numbers_close_what_is_open() {
        let mut random = crate::testing::Random::new(3);
        for round in 0..2000u64 {
            // Few positions, so that edges meet in all ways.
            let places: Vec<DVec3> = (0..6).map(|_| random.point()).collect();
            let mut pick = |n: usize| rand::RngExt::random_range(&mut random, 0..n);
            let vertices: Vec<DVec3> = (0..12).map(|_| places[pick(6)]).collect();
            let count = 2 + (round % 7) as usize;
            let triangles = (0..count).map(|_| [0; 3].map(|_: i32| pick(12) as u32)).collect();
            let mesh = Arc::new(Mesh::new(vertices, triangles).unwrap());
            let topology = mesh.topology();
            let welded = topology.welded.clone();
            let exact = Solid::with_topology(mesh.clone(), &topology).map(|solid| solid.is_oriented()).ok();
            let kept = Solid::with_welded(mesh.clone(), &welded).map(|solid| solid.is_oriented()).ok();
            assert_eq!(kept, exact);
            let lazy: Vec<u32> =
                (0..).zip(&welded).map(|(i, &first)| if pick(2) == 0 { i } else { first }).collect();
            if Solid::with_welded(mesh, &lazy).is_ok() {
                assert!(exact.is_some());
            }
        }
    }

    #[test]
    fn a_solid_in_motion_stays_closed_unless_a_seam_opens() {
        let solid = Solid::new(Arc::new(soup())).unwrap();
        let sheared = |p: &DVec3| DVec3::new(p.x + 0.3 * p.z, p.y * p.z, -p.z);
        let moved: Vec<DVec3> = solid.mesh().vertices().iter().map(sheared).collect();
        let after = solid.with_vertices(moved.clone()).unwrap();
        assert!(Arc::ptr_eq(&after.connection, &solid.connection));
        // One triangle torn off: its three edges and the three it leaves behind.
        let torn: Vec<DVec3> =
            (0..).zip(&moved).map(|(i, p)| if i < 3 { *p + DVec3::ONE } else { *p }).collect();
        let error = solid.with_vertices(torn).unwrap_err();
        assert_eq!(error, MotionError::NotClosed(NotClosed { open_edges: 6, closes_at: None }));
        let point = solid.with_vertices(vec![DVec3::ONE; 36]).unwrap_err();
        assert_eq!(point, MotionError::NotClosed(NotClosed { open_edges: 0, closes_at: None }));
    }
}
