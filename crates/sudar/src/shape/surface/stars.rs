//! Which triangles of a mesh hang together at its vertices and edges.

use super::topology::weld;
use crate::shape::Mesh;

/// A vertex, edge or triangle of a mesh. Vertices are welded numbers, see [`Stars::welded`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Simplex {
    /// A vertex.
    Vertex(u32),
    /// The edge between two vertices.
    Edge(u32, u32),
    /// A triangle by its number, without its boundary.
    Triangle(u32),
}

/// The *star* of every vertex and edge of a mesh: the triangles that have it. Vertices of equal position are one
/// (−0 equals 0), without a tolerance; any number of triangles may share an edge.
///
/// Triangles that merely pass through each other, or end in the middle of another's edge, do not hang together: the
/// mesh is taken as the complex of triangles that it is, glued at corners and edges. 4 bytes a vertex for each of two
/// tables and 12 bytes a triangle.
#[derive(Debug, Clone)]
pub struct Stars {
    welded: Vec<u32>,
    /// Where the star of each vertex begins in `triangles`; one more at the end.
    first: Vec<u32>,
    /// The triangles around vertex 0, those around vertex 1, …, each in order.
    triangles: Vec<u32>,
}

impl Mesh {
    /// The triangles around its vertices and edges; O(n log n).
    pub fn stars(&self) -> Stars {
        Stars::of(self, |_| true)
    }

    /// The same, but of triangles with the same three corners only the first is in any star.
    pub(crate) fn stars_of_distinct(&self) -> Stars {
        let welded = weld(self.vertices());
        let mut all: Vec<([u32; 3], u32)> = (0..)
            .zip(self.triangles())
            .map(|(t, corners)| {
                let mut corners = corners.map(|i| welded[i as usize]);
                corners.sort_unstable();
                (corners, t)
            })
            .collect();
        all.sort_unstable();
        let mut is_first = vec![false; all.len()];
        for group in all.chunk_by(|p, q| p.0 == q.0) {
            is_first[group[0].1 as usize] = true;
        }
        Stars::of(self, |t| is_first[t])
    }
}

impl Stars {
    fn of(mesh: &Mesh, counts: impl Fn(usize) -> bool) -> Self {
        let welded = weld(mesh.vertices());
        let corners: Vec<[u32; 3]> = mesh.triangles().iter().map(|t| t.map(|i| welded[i as usize])).collect();
        let mut first = vec![0; welded.len() + 1];
        let counted = || corners.iter().enumerate().filter(|(t, _)| counts(*t));
        for v in counted().flat_map(|(_, corners)| distinct(corners)) {
            first[v as usize + 1] += 1;
        }
        for v in 0..welded.len() {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut triangles = vec![0; first[welded.len()] as usize];
        for (t, corners) in counted() {
            for v in distinct(corners) {
                triangles[next[v as usize] as usize] = t as u32;
                next[v as usize] += 1;
            }
        }
        Self { welded, first, triangles }
    }

    /// For each vertex of the mesh the least vertex at the same position: its *welded number*.
    pub fn welded(&self) -> &[u32] {
        &self.welded
    }

    /// The triangles that have the vertex, in order; none for numbers that are not welded ones.
    pub fn around_vertex(&self, vertex: u32) -> &[u32] {
        match self.first.get(vertex as usize..) {
            Some(&[from, to, ..]) => &self.triangles[from as usize..to as usize],
            Some(_) | None => &[],
        }
    }

    /// The triangles that have both vertices, in order.
    pub fn around_edge(&self, u: u32, v: u32) -> impl Iterator<Item = u32> {
        let (ours, theirs) = (self.around_vertex(u), self.around_vertex(v));
        let (few, many) = if ours.len() <= theirs.len() { (ours, theirs) } else { (theirs, ours) };
        few.iter().copied().filter(move |t| u == v || many.binary_search(t).is_ok())
    }

    /// The first triangle that has all these vertices.
    pub(crate) fn first_with(&self, vertices: &[u32]) -> Option<u32> {
        let stars = vertices.iter().map(|&v| self.around_vertex(v));
        let few = stars.clone().min_by_key(|star| star.len())?;
        few.iter().copied().find(|t| stars.clone().all(|star| star.binary_search(t).is_ok()))
    }

    /// The triangles that have the vertex or edge; a triangle alone.
    pub fn around(&self, simplex: Simplex) -> Vec<u32> {
        match simplex {
            Simplex::Vertex(v) => self.around_vertex(v).to_vec(),
            Simplex::Edge(u, v) => self.around_edge(u, v).collect(),
            Simplex::Triangle(t) => vec![t],
        }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.welded) + size_of_val(&*self.first) + size_of_val(&*self.triangles)
    }

    /// The welded corners of triangle `t` of the mesh that this was made from.
    #[inline]
    pub fn corners(&self, mesh: &Mesh, t: u32) -> [u32; 3] {
        mesh.triangles()[t as usize].map(|i| self.welded[i as usize])
    }
}

/// Each corner once.
fn distinct(&[a, b, c]: &[u32; 3]) -> impl Iterator<Item = u32> {
    [Some(a), (b != a).then_some(b), (c != a && c != b).then_some(c)].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Aabb;
    use glam::DVec3;

    #[test]
    fn stars_of_a_cube_agree_with_a_search_and_soup_has_the_same() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let soup = Mesh::new(
            (0..12).flat_map(|i| cube.triangle(i).corners()).collect(),
            (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
        )
        .unwrap();
        for mesh in [cube, soup] {
            let stars = mesh.stars();
            let with =
                |p: DVec3| (0..12).filter(|&t| mesh.triangle(t).corners().contains(&p)).collect::<Vec<u32>>();
            for t in 0..12 {
                let [a, b, _] = stars.corners(&mesh, t);
                let [p, q, _] = mesh.triangle(t).corners();
                assert_eq!(stars.around_vertex(a), with(p));
                let both: Vec<u32> = with(p).into_iter().filter(|t| with(q).contains(t)).collect();
                assert_eq!(stars.around_edge(a, b).collect::<Vec<_>>(), both);
                assert_eq!(both.len(), 2);
            }
        }
    }

    #[test]
    fn a_triangle_without_area_is_in_each_star_once() {
        let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::ZERO], vec![[0, 1, 2]]).unwrap();
        let stars = mesh.stars();
        assert_eq!((stars.around_vertex(0), stars.around_vertex(1)), (&[0][..], &[0][..]));
        assert_eq!(stars.around(Simplex::Edge(0, 0)), [0]);
        assert!(stars.around_vertex(2).is_empty() && stars.around_vertex(99).is_empty());
    }
}
