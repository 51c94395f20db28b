//! Triangle meshes.

use std::sync::Arc;

use glam::DVec3;
use thiserror::Error;

use crate::shape::{Aabb, Hull, Triangle};

/// Largest absolute coordinate of a mesh: beyond it, products of three coordinates leave the range of `f64`.
pub const MAX_COORDINATE: f64 = 1e90;
/// The largest absolute coordinate of a mesh must reach this (or all be zero), else squared lengths underflow.
const MIN_COORDINATE: f64 = 1e-90;
/// Most triangles or vertices of one mesh: indices are `u32`, and a few values are kept for marks.
const MAX_COUNT: usize = u32::MAX as usize - 15;

/// Why a triangle mesh is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There is no triangle.
    #[error("a mesh needs at least one triangle")]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle} names vertex {index}, but there are only {vertices} vertices (numbered from 0)"
    )]
    IndexOutOfRange {
        /// The triangle's number from 0.
        triangle: usize,
        /// The index it gives.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A vertex has a coordinate that is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is NaN or infinite")]
    NotFinite {
        /// The vertex' number from 0.
        vertex: usize,
    },
    /// A vertex lies too far out.
    #[error("vertex {vertex} has a coordinate beyond 1e90; scale the model down")]
    TooLarge {
        /// The vertex' number from 0.
        vertex: usize,
    },
    /// The whole mesh is smaller than can be computed with.
    #[error("no coordinate of the mesh reaches 1e-90; scale the model up")]
    TooSmall,
    /// More than `u32` can number.
    #[error("{count} {what} are more than one mesh can hold (about 4.29e9); split it")]
    TooMany {
        /// "triangles" or "vertices".
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// New positions were given for another number of vertices than there are.
    #[error(
        "{given} positions were given for {expected} vertices; give one for each, also for those that stay"
    )]
    VertexCount {
        /// How many were given.
        given: usize,
        /// How many vertices the mesh has.
        expected: usize,
    },
}

/// Indexed triangle mesh in the body's frame: vertices, and triangles that refer to them by number.
///
/// Construction checks what would break queries (indices, finite numbers, range) and nothing else: degenerate,
/// duplicate and badly connected triangles are kept under their numbers, and [`Mesh::topology`] counts them.
/// Immutable and cheap to share behind an [`Arc`]; [`Mesh::with_vertices`] makes the next one of a motion.
///
/// ```
/// use sudar::{DVec3, Mesh, Solid};
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let tetrahedron = Mesh::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert!(tetrahedron.topology().is_closed());
/// let solid = Solid::new(tetrahedron.into())?; // with an inside
/// assert_eq!(solid.mesh().triangles().len(), 4);
///
/// let error = Mesh::new(corners, vec![[0, 1, 7]]).unwrap_err();
/// assert!(error.to_string().starts_with("triangle 0 names vertex 7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    vertices: Vec<DVec3>,
    /// Shared with the meshes that differ in positions only.
    triangles: Arc<[[u32; 3]]>,
    aabb: Aabb,
    /// Whether every vertex is a corner of some triangle: then the box around the vertices is that around the
    /// triangles.
    all_used: bool,
}

impl Mesh {
    /// A mesh from vertices and triples of vertex numbers, counter-clockwise when seen from outside.
    ///
    /// Vertices that no triangle names are allowed, checked like the others, and do not count to the bounds.
    ///
    /// # Errors
    /// One variant of [`MeshError`] per cause, naming the first offender.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check_counts(&vertices, &triangles)?;
        check_indices(&triangles, vertices.len())?;
        check_coordinates(&vertices)?;
        let all_used = all_used(&triangles, vertices.len());
        Ok(Self::checked(vertices, triangles.into(), all_used))
    }

    /// A mesh of what has passed all checks.
    fn checked(vertices: Vec<DVec3>, triangles: Arc<[[u32; 3]]>, all_used: bool) -> Self {
        let mesh = Self { vertices, triangles, aabb: Aabb::EMPTY, all_used };
        Self { aabb: mesh.around(|p| p), ..mesh }
    }

    /// The smallest box around the corners of all triangles, each put where `place` says.
    pub(crate) fn around(&self, place: impl Fn(DVec3) -> DVec3) -> Aabb {
        if self.all_used {
            return Aabb::around(self.vertices.iter().map(|&p| place(p)));
        }
        Aabb::around(self.triangles.iter().flatten().map(|&i| place(self.vertices[i as usize])))
    }

    /// The same triangles over vertices that have moved: one new position for each vertex, in their order. The list of
    /// triangles is shared, not copied; O(n).
    ///
    /// # Errors
    /// [`MeshError::VertexCount`], and as [`Mesh::new`] for positions that are not finite, too large or too small.
    pub fn with_vertices(&self, vertices: Vec<DVec3>) -> Result<Self, MeshError> {
        let (given, expected) = (vertices.len(), self.vertices.len());
        if given != expected {
            return Err(MeshError::VertexCount { given, expected });
        }
        check_coordinates(&vertices)?;
        Ok(Self::checked(vertices, self.triangles.clone(), self.all_used))
    }

    /// Several meshes as one: their vertices one after another, and their triangles, whose numbers go on from
    /// part to part.
    ///
    /// # Errors
    /// [`MeshError::Empty`] without any part, [`MeshError::TooMany`] if they are too many together.
    pub fn joined<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Result<Self, MeshError> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for part in parts {
            // Where this wraps around there are too many, which is reported below.
            let first = vertices.len() as u32;
            vertices.extend_from_slice(&part.vertices);
            triangles.extend(part.triangles.iter().map(|t| t.map(|i| i.wrapping_add(first))));
        }
        Self::new(vertices, triangles)
    }

    /// A mesh of one triangle, which may be degenerate.
    pub fn from_triangle(t: Triangle) -> Self {
        Self { vertices: t.corners().to_vec(), triangles: [[0, 1, 2]].into(), aabb: t.aabb(), all_used: true }
    }

    /// The twelve triangles of a box, outward; triangles 2k and 2k+1 lie on face k in the order −x +x −y +y −z +z.
    pub fn from_aabb(aabb: Aabb) -> Self {
        const FACES: [[u32; 3]; 12] = [
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
        ];
        Self { vertices: aabb.corners().to_vec(), triangles: FACES.into(), aabb, all_used: true }
    }

    /// The triangles of a hull: those of each face fan out from its first corner; of a flat hull those of one side, a
    /// segment or point is one triangle without area.
    pub(crate) fn from_hull(hull: &Hull) -> Self {
        let vertices = hull.vertices().to_vec();
        let fan = |face: usize| {
            let corners: Vec<u32> = hull.face(face).collect();
            (2..corners.len()).map(move |i| [corners[0], corners[i - 1], corners[i]]).collect::<Vec<_>>()
        };
        let sides = if hull.dimension() == 3 { hull.faces().len() } else { hull.faces().len().min(1) };
        let mut triangles: Vec<[u32; 3]> = (0..sides).flat_map(fan).collect();
        if triangles.is_empty() {
            let last = vertices.len() as u32 - 1;
            triangles.push([0, last, last]);
        }
        let aabb = Aabb::around(vertices.iter().copied());
        let all_used = all_used(&triangles, vertices.len());
        Self { vertices, triangles: triangles.into(), aabb, all_used }
    }

    /// The vertices, in the order they were given.
    #[inline]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles, in the order they were given.
    #[inline]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of triangle `i < self.triangles().len()`.
    #[inline]
    pub fn triangle(&self, i: u32) -> Triangle {
        let [a, b, c] = self.triangles[i as usize];
        Triangle { a: self.vertices[a as usize], b: self.vertices[b as usize], c: self.vertices[c as usize] }
    }

    /// The smallest axis-aligned box around all triangles. Exact.
    #[inline]
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// The same mesh with every vertex passed through `f` (a change of unit, a baked scale).
    ///
    /// # Errors
    /// As [`Mesh::new`], if `f` makes a coordinate not finite or too large.
    pub fn mapped(&self, f: impl FnMut(DVec3) -> DVec3) -> Result<Self, MeshError> {
        self.with_vertices(self.vertices.iter().copied().map(f).collect())
    }
}

fn check_counts(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    if triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    for (what, count) in [("triangles", triangles.len()), ("vertices", vertices.len())] {
        if count > MAX_COUNT {
            return Err(MeshError::TooMany { what, count });
        }
    }
    Ok(())
}

fn check_indices(triangles: &[[u32; 3]], vertices: usize) -> Result<(), MeshError> {
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&i| i as usize >= vertices) {
            return Err(MeshError::IndexOutOfRange { triangle, index, vertices });
        }
    }
    Ok(())
}

fn all_used(triangles: &[[u32; 3]], vertices: usize) -> bool {
    let mut used = vec![false; vertices];
    for &i in triangles.iter().flatten() {
        used[i as usize] = true;
    }
    !used.contains(&false)
}

fn check_coordinates(vertices: &[DVec3]) -> Result<(), MeshError> {
    let mut reach: f64 = 0.0;
    for (vertex, p) in vertices.iter().enumerate() {
        if !p.is_finite() {
            return Err(MeshError::NotFinite { vertex });
        }
        let size = p.abs().max_element();
        if size > MAX_COORDINATE {
            return Err(MeshError::TooLarge { vertex });
        }
        reach = reach.max(size);
    }
    if reach > 0.0 && reach < MIN_COORDINATE { Err(MeshError::TooSmall) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f64) -> Vec<DVec3> {
        vec![DVec3::new(x, 0.0, 0.0), DVec3::Y, DVec3::Z]
    }

    #[test]
    fn each_fault_that_would_break_a_query_has_its_error() {
        assert_eq!(Mesh::new(corner(1.0), vec![]), Err(MeshError::Empty));
        let out = MeshError::IndexOutOfRange { triangle: 1, index: 3, vertices: 3 };
        assert_eq!(Mesh::new(corner(1.0), vec![[0, 1, 2], [0, 1, 3]]), Err(out));
        assert_eq!(Mesh::new(corner(f64::NAN), vec![[0, 1, 2]]), Err(MeshError::NotFinite { vertex: 0 }));
        assert_eq!(Mesh::new(corner(-2e90), vec![[0, 1, 2]]), Err(MeshError::TooLarge { vertex: 0 }));
        let dust = corner(1.0).iter().map(|p| *p * 1e-91).collect();
        assert_eq!(Mesh::new(dust, vec![[0, 1, 2]]), Err(MeshError::TooSmall));
    }

    #[test]
    fn bounds_ignore_vertices_that_no_triangle_names() {
        let mut v = corner(1.0);
        v.push(DVec3::splat(9.0));
        let mesh = Mesh::new(v, vec![[0, 1, 2]]).unwrap();
        assert_eq!(mesh.aabb(), Aabb { min: DVec3::ZERO, max: DVec3::ONE });
    }

    #[test]
    fn joined_meshes_keep_their_order() {
        let [one, two] = [1.0, 2.0].map(|x| Mesh::new(corner(x), vec![[0, 1, 2]]).unwrap());
        let both = Mesh::joined([&two, &one, &two]).unwrap();
        assert_eq!(both.triangles(), [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
        assert_eq!([0, 1, 2].map(|i| both.triangle(i).a.x), [2.0, 1.0, 2.0]);
        assert_eq!(Mesh::joined([]), Err(MeshError::Empty));
    }

    #[test]
    fn moved_vertices_share_their_triangles_and_are_checked() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let doubled: Vec<DVec3> = cube.vertices().iter().map(|p| *p * 2.0).collect();
        let moved = cube.with_vertices(doubled.clone()).unwrap();
        assert_eq!(moved, Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::splat(2.0) }));
        assert!(Arc::ptr_eq(&moved.triangles, &cube.triangles));
        let short = MeshError::VertexCount { given: 7, expected: 8 };
        assert_eq!(cube.with_vertices(doubled[1..].to_vec()), Err(short));
        let mut lost = doubled;
        lost[3].y = f64::INFINITY;
        assert_eq!(cube.with_vertices(lost), Err(MeshError::NotFinite { vertex: 3 }));
    }

    #[test]
    fn a_box_faces_outward() {
        let mesh = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
        for i in 0..12 {
            let t = mesh.triangle(i);
            assert!(t.scaled_normal().dot(t.a) > 0.0, "triangle {i}");
            assert_eq!(t.scaled_normal().abs().max_element(), 4.0);
        }
    }
}
