//! Convex hulls: polyhedra, and the flat ones.

use glam::DVec3;

use super::Cuboid;

/// One side of an edge: it runs along the boundary of one face, counter-clockwise seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HalfEdge {
    /// The vertex it starts from.
    pub origin: u32,
    /// The half-edge of the neighbouring face that runs the other way.
    pub twin: u32,
    /// The next half-edge around the same face.
    pub next: u32,
    /// The face.
    pub face: u32,
}

/// The convex hull of finitely many points: only its extreme points are vertices, and only faces that differ in
/// plane are different faces.
///
/// A hull of dimension 3 is a polyhedron. One of dimension 2 is a polygon, given as two faces, one for each side;
/// one of dimension 1 is a segment with two vertices and no faces, one of dimension 0 a single vertex. Made by the
/// functions of [`crate::hull`]; never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    pub(crate) vertices: Vec<DVec3>,
    /// For each vertex the index of the point that it was made from.
    pub(crate) sources: Vec<u32>,
    pub(crate) half_edges: Vec<HalfEdge>,
    /// For each face one of its half-edges.
    pub(crate) faces: Vec<u32>,
    pub(crate) dimension: u8,
}

impl Hull {
    /// The extreme points.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// For each vertex the index of the point that it was made from, the first of equals. Ascending.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// The same hull whose vertices have other sources: `rename` is given the present ones.
    #[must_use]
    pub fn with_sources(mut self, rename: impl Fn(u32) -> u32) -> Self {
        self.sources.iter_mut().for_each(|source| *source = rename(*source));
        self
    }

    /// The half-edges: those of one face follow each other, in the order of the faces.
    pub fn half_edges(&self) -> &[HalfEdge] {
        &self.half_edges
    }

    /// For each face one of its half-edges, the first in [`Hull::half_edges`].
    pub fn faces(&self) -> &[u32] {
        &self.faces
    }

    /// 3 for a polyhedron, 2 for a polygon, 1 for a segment, 0 for a point.
    pub fn dimension(&self) -> usize {
        usize::from(self.dimension)
    }

    /// The vertices of face `i`, counter-clockwise seen from outside.
    pub fn face(&self, i: usize) -> impl Iterator<Item = u32> + '_ {
        let first = self.faces[i] as usize;
        let end = self.faces.get(i + 1).map_or(self.half_edges.len(), |&e| e as usize);
        self.half_edges[first..end].iter().map(|e| e.origin)
    }
}

impl Hull {
    /// A polyhedron from the vertex loops of its faces, counter-clockwise seen from outside. Every edge must be run
    /// through once each way.
    pub(crate) fn from_loops(vertices: Vec<DVec3>, sources: Vec<u32>, loops: &[Vec<u32>]) -> Self {
        let mut half_edges = Vec::new();
        let mut faces = Vec::new();
        // From the two ends of a half-edge to its number, to find its twin by.
        let mut ends = Vec::new();
        for (face, corners) in loops.iter().enumerate() {
            let first = half_edges.len() as u32;
            faces.push(first);
            for (i, &origin) in corners.iter().enumerate() {
                let after = (i + 1) % corners.len();
                ends.push((origin, corners[after], first + i as u32));
                half_edges.push(HalfEdge { origin, twin: 0, next: first + after as u32, face: face as u32 });
            }
        }
        ends.sort_unstable();
        for &(from, to, number) in &ends {
            if let Ok(found) = ends.binary_search_by(|&(f, t, _)| (f, t).cmp(&(to, from))) {
                half_edges[number as usize].twin = ends[found].2;
            }
        }
        Self { vertices, sources, half_edges, faces, dimension: 3 }
    }
}

impl From<Cuboid> for Hull {
    /// The box with its faces in the order −x +x −y +y −z +z; bit 0, 1, 2 of a vertex number chooses the positive side
    /// of x, y, z.
    fn from(cuboid: Cuboid) -> Self {
        const FACES: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let vertices = cuboid.aabb().corners().to_vec();
        Self::from_loops(vertices, (0..8).collect(), &FACES.map(|f| f.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_edges_of_a_box_fit_together() {
        let hull = Hull::from(Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap());
        assert_eq!(hull.half_edges().len(), 24);
        for (i, edge) in hull.half_edges().iter().enumerate() {
            let twin = hull.half_edges()[edge.twin as usize];
            assert_eq!(twin.twin as usize, i);
            assert_eq!(twin.origin, hull.half_edges()[edge.next as usize].origin);
            assert_ne!(twin.face, edge.face);
        }
        for face in 0..6 {
            let corners: Vec<_> = hull.face(face).map(|v| hull.vertices()[v as usize]).collect();
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            assert!(normal.dot(corners[0]) > 0.0 && corners.len() == 4);
        }
    }
}
