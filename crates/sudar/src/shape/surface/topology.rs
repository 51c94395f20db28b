//! How the triangles of a mesh hang together, and what is wrong with it.

use glam::DVec3;

use thiserror::Error;

use crate::math::sets::{find, join};
use crate::math::{Sign, orient2d};
use crate::shape::{Mesh, Triangle};

/// Mark for "no triangle" in [`Topology::neighbours`].
pub const NO_TRIANGLE: u32 = u32::MAX;

/// Counts of topological defects of a mesh. All zero: a clean closed surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Faults {
    /// Triangles of exactly zero area.
    pub degenerate: usize,
    /// Triangles with the same three corner positions as an earlier one, in any order.
    pub duplicate: usize,
    /// Vertices at exactly the position of an earlier one.
    pub unwelded: usize,
    /// Vertices that no triangle names.
    pub unreferenced: usize,
    /// Edges with just one triangle.
    pub boundary_edges: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Edges whose two triangles run along them in the same direction, so that their normals disagree.
    pub flipped_edges: usize,
}

impl std::ops::AddAssign for Faults {
    fn add_assign(&mut self, more: Self) {
        self.degenerate += more.degenerate;
        self.duplicate += more.duplicate;
        self.unwelded += more.unwelded;
        self.unreferenced += more.unreferenced;
        self.boundary_edges += more.boundary_edges;
        self.non_manifold_edges += more.non_manifold_edges;
        self.flipped_edges += more.flipped_edges;
    }
}

impl Faults {
    /// Whether every count is zero.
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }
}

/// An edge between two welded vertices and the half-edges that use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Lesser vertex, as a welded number.
    pub low: u32,
    /// Greater vertex, as a welded number.
    pub high: u32,
    /// Triangles that run along it from `low` to `high`.
    pub forward: u32,
    /// Triangles that run along it from `high` to `low`.
    pub backward: u32,
}

/// Adjacency of a mesh after joining vertices of equal position. Computed from positions and indices alone,
/// without a tolerance; triangle numbers stay those of the mesh.
#[derive(Debug, Clone)]
pub struct Topology {
    /// For each vertex the least vertex at the same position (−0 equals 0).
    pub welded: Vec<u32>,
    /// Every edge once, sorted by (`low`, `high`). Triangles that have two corners at one position contribute none.
    pub edges: Vec<Edge>,
    /// For each triangle the triangle across its edges 0–1, 1–2, 2–0, where exactly one other shares that edge;
    /// otherwise [`NO_TRIANGLE`].
    pub neighbours: Vec<[u32; 3]>,
    /// The counts.
    pub faults: Faults,
}

impl Mesh {
    /// Finds adjacency and faults; O(n log n).
    pub fn topology(&self) -> Topology {
        Topology::of(self)
    }
}

impl Topology {
    fn of(mesh: &Mesh) -> Self {
        let welded = weld(mesh.vertices());
        let corners: Vec<[u32; 3]> = mesh.triangles().iter().map(|t| t.map(|i| welded[i as usize])).collect();
        let half_edges = sorted_half_edges(&corners);
        let edges: Vec<Edge> = half_edges.chunk_by(|h, k| h.key() == k.key()).map(edge_of).collect();
        let faults = Faults {
            degenerate: (0..corners.len()).filter(|&i| has_zero_area(&mesh.triangle(i as u32))).count(),
            duplicate: count_duplicates(&corners),
            unwelded: welded.iter().enumerate().filter(|&(i, &w)| w != i as u32).count(),
            unreferenced: count_unreferenced(mesh),
            boundary_edges: edges.iter().filter(|e| e.forward + e.backward == 1).count(),
            non_manifold_edges: edges.iter().filter(|e| e.forward + e.backward > 2).count(),
            flipped_edges: edges
                .iter()
                .filter(|e| e.forward.max(e.backward) == 2 && e.forward + e.backward == 2)
                .count(),
        };
        let neighbours = neighbours(&half_edges, corners.len());
        Self { welded, edges, neighbours, faults }
    }

    /// Whether every edge has an even number of triangles, so that "inside" is well defined by parity.
    pub fn is_closed(&self) -> bool {
        self.edges.iter().all(|e| (e.forward + e.backward) % 2 == 0) && !self.edges.is_empty()
    }

    /// Succeeds if the mesh is closed ([`Topology::is_closed`]); otherwise how many edges are in the way,
    /// and which tolerance would close them.
    ///
    /// # Errors
    /// [`NotClosed`].
    pub fn check_closed(&self, mesh: &Mesh) -> Result<(), NotClosed> {
        if self.is_closed() {
            return Ok(());
        }
        let open_edges = self.edges.iter().filter(|e| (e.forward + e.backward) % 2 == 1).count();
        Err(NotClosed { open_edges, closes_at: self.closing_tolerance(mesh) })
    }

    /// Along how many edges not as many triangles run one way as the other; 0: the triangles of the closed
    /// mesh agree about which side is outside.
    pub fn turned_edges(&self) -> usize {
        self.edges.iter().filter(|e| e.forward != e.backward).count()
    }

    /// Whether no edge has more than two triangles.
    pub fn is_manifold(&self) -> bool {
        self.faults.non_manifold_edges == 0
    }

    /// Whether neighbouring triangles run along each shared edge in opposite directions, so that all normals of
    /// one piece point to the same side.
    pub fn is_oriented(&self) -> bool {
        self.edges.iter().all(|e| e.forward == e.backward || e.forward + e.backward == 1)
    }

    /// For each triangle the number of its connected piece, counted from 0 in order of first triangles; pieces
    /// are joined across edges and at common vertices.
    pub fn pieces(&self, mesh: &Mesh) -> Vec<u32> {
        pieces(mesh, &self.welded)
    }
}

/// As [`Topology::pieces`], of which only the welded numbers are needed.
pub fn pieces(mesh: &Mesh, welded: &[u32]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..welded.len() as u32).collect();
    for t in mesh.triangles() {
        let [a, b, c] = t.map(|i| welded[i as usize]);
        join(&mut parent, a, b);
        join(&mut parent, a, c);
    }
    let mut number = vec![NO_TRIANGLE; parent.len()];
    let mut next = 0;
    let mut piece_of = |t: &[u32; 3]| {
        let root = find(&mut parent, welded[t[0] as usize]) as usize;
        if number[root] == NO_TRIANGLE {
            number[root] = next;
            next += 1;
        }
        number[root]
    };
    mesh.triangles().iter().map(&mut piece_of).collect()
}

/// Whether the three corners lie on one line, exactly: then all three shadows on the coordinate planes do.
pub(crate) fn has_zero_area(t: &Triangle) -> bool {
    let flat = |f: fn(DVec3) -> glam::DVec2| orient2d(f(t.a), f(t.b), f(t.c)) == Sign::Zero;
    flat(DVec3::truncate) && flat(|p| glam::DVec2::new(p.y, p.z)) && flat(|p| glam::DVec2::new(p.z, p.x))
}

/// Bits that order and compare as the position does, with −0 equal to 0.
fn position_key(p: DVec3) -> [u64; 3] {
    p.to_array().map(|x| (x + 0.0).to_bits())
}

pub fn weld(vertices: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (position_key(vertices[i as usize]), i));
    let mut welded = vec![0; vertices.len()];
    let same = |i: &u32, j: &u32| position_key(vertices[*i as usize]) == position_key(vertices[*j as usize]);
    for group in order.chunk_by(same) {
        for &i in group {
            welded[i as usize] = group[0];
        }
    }
    welded
}

/// One side of a triangle: its edge, direction and place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    low: u32,
    high: u32,
    triangle: u32,
    side: u8,
    backward: bool,
}

impl HalfEdge {
    fn key(&self) -> (u32, u32) {
        (self.low, self.high)
    }
}

fn sorted_half_edges(corners: &[[u32; 3]]) -> Vec<HalfEdge> {
    let mut all = Vec::with_capacity(3 * corners.len());
    for (triangle, &[a, b, c]) in corners.iter().enumerate() {
        if a == b || b == c || c == a {
            continue;
        }
        for (side, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            let (low, high) = (from.min(to), from.max(to));
            all.push(HalfEdge {
                low,
                high,
                triangle: triangle as u32,
                side: side as u8,
                backward: from > to,
            });
        }
    }
    all.sort_unstable();
    all
}

fn edge_of(uses: &[HalfEdge]) -> Edge {
    let backward = uses.iter().filter(|h| h.backward).count() as u32;
    Edge { low: uses[0].low, high: uses[0].high, forward: uses.len() as u32 - backward, backward }
}

fn neighbours(half_edges: &[HalfEdge], triangles: usize) -> Vec<[u32; 3]> {
    let mut across = vec![[NO_TRIANGLE; 3]; triangles];
    for uses in half_edges.chunk_by(|h, k| h.key() == k.key()) {
        if let [h, k] = uses {
            across[h.triangle as usize][h.side as usize] = k.triangle;
            across[k.triangle as usize][k.side as usize] = h.triangle;
        }
    }
    across
}

fn count_duplicates(corners: &[[u32; 3]]) -> usize {
    let mut sorted: Vec<[u32; 3]> = corners.to_vec();
    for t in &mut sorted {
        t.sort_unstable();
    }
    sorted.sort_unstable();
    sorted.windows(2).filter(|w| w[0] == w[1]).count()
}

fn count_unreferenced(mesh: &Mesh) -> usize {
    let mut used = vec![false; mesh.vertices().len()];
    for &i in mesh.triangles().iter().flatten() {
        used[i as usize] = true;
    }
    used.iter().filter(|&&u| !u).count()
}

/// Why a mesh encloses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the mesh is not closed: {open_edges} edges have an odd number of triangles; {}", mend(*closes_at))]
#[non_exhaustive]
pub struct NotClosed {
    /// Edges with an odd number of triangles.
    pub open_edges: usize,
    /// A tolerance with which [`Mesh::welded`] closes it, if a small one does; see [`Topology::closing_tolerance`].
    pub closes_at: Option<f64>,
}

fn mend(closes_at: Option<f64>) -> String {
    match closes_at {
        Some(tolerance) => format!("it closes if welded at {tolerance:e}"),
        None => "close its holes or use it as a surface".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Aabb;

    fn cube() -> Mesh {
        Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE })
    }

    /// The cube with three own corners a triangle, as STL stores it.
    fn soup() -> Mesh {
        let cube = cube();
        let vertices = (0..12).flat_map(|i| cube.triangle(i).corners()).collect();
        Mesh::new(vertices, (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
    }

    #[test]
    fn a_cube_has_18_edges_and_no_fault() {
        let t = cube().topology();
        assert_eq!((t.edges.len(), t.faults), (18, Faults::default()));
        assert!(t.is_closed() && t.is_manifold() && t.is_oriented());
        assert!(t.neighbours.iter().flatten().all(|&n| n != NO_TRIANGLE));
    }

    #[test]
    fn welding_makes_soup_whole_and_counts_the_copies() {
        let t = soup().topology();
        assert_eq!((t.edges.len(), t.faults), (18, Faults { unwelded: 36 - 8, ..Faults::default() }));
        assert!(t.is_closed());
    }

    #[test]
    fn a_missing_a_doubled_and_a_turned_triangle_are_told_apart() {
        let cube = cube();
        let with = |f: fn(&mut Vec<[u32; 3]>)| {
            let mut triangles = cube.triangles().to_vec();
            f(&mut triangles);
            Mesh::new(cube.vertices().to_vec(), triangles).unwrap().topology()
        };
        let open = with(|t| t.truncate(11));
        assert_eq!((open.faults.boundary_edges, open.is_closed()), (3, false));
        let doubled = with(|t| t.push([2, 0, 3]));
        assert_eq!((doubled.faults.duplicate, doubled.faults.non_manifold_edges), (1, 3));
        let turned = with(|t| t[0].swap(0, 1));
        assert_eq!((turned.faults.flipped_edges, turned.is_closed(), turned.is_oriented()), (3, true, false));
    }

    #[test]
    fn zero_area_is_exact() {
        let t = |c: DVec3| Triangle { a: DVec3::ZERO, b: DVec3::splat(0.1), c };
        assert!(has_zero_area(&t(DVec3::splat(0.7))));
        assert!(!has_zero_area(&t(DVec3::new(0.7, 0.7, 0.7f64.next_up()))));
    }

    #[test]
    fn pieces_are_numbered_by_their_first_triangle() {
        let (a, b) = (cube(), cube().mapped(|p| p + DVec3::splat(5.0)).unwrap());
        let vertices = [b.vertices(), a.vertices()].concat();
        let shifted = a.triangles().iter().map(|t| t.map(|i| i + 8));
        let mesh = Mesh::new(vertices, b.triangles().iter().copied().chain(shifted).collect()).unwrap();
        let pieces = mesh.topology().pieces(&mesh);
        assert_eq!((&pieces[..12], &pieces[12..]), (&[0; 12][..], &[1; 12][..]));
    }
}
