//! Whether a mesh is closed, from the welded numbers of its vertices alone.

use crate::shape::Mesh;

/// What the edges of a mesh say about its inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parity {
    /// Edges with an odd number of triangles.
    pub open_edges: usize,
    /// Edges along which not as many triangles run one way as the other.
    pub turned_edges: usize,
}

impl Parity {
    /// Counts edges without sorting all of them: they are gathered at their lesser vertex, where few are. O(n) if the
    /// number of triangles at a vertex is bounded, otherwise O(n log n).
    ///
    /// Where vertices of one position have different numbers, an edge may count as open that is not; none counts as
    /// closed that is open, as numbers that are joined only add even counts to even ones.
    pub fn of(mesh: &Mesh, welded: &[u32]) -> Self {
        let (starts, ends) = gathered(mesh, welded);
        let mut found = Self { open_edges: 0, turned_edges: 0 };
        let mut here = Vec::new();
        for range in starts.windows(2) {
            here.clear();
            here.extend_from_slice(&ends[range[0] as usize..range[1] as usize]);
            here.sort_unstable();
            for uses in here.chunk_by(|one, other| one >> 1 == other >> 1) {
                let backward = uses.iter().filter(|end| **end & 1 == 1).count();
                found.open_edges += uses.len() % 2;
                found.turned_edges += usize::from(2 * backward != uses.len());
            }
        }
        found
    }
}

/// For each vertex the edges to greater ones: the other end, doubled, and one more if the triangle runs from there.
fn gathered(mesh: &Mesh, welded: &[u32]) -> (Vec<u64>, Vec<u64>) {
    let mut starts = vec![0u64; mesh.vertices().len() + 1];
    for [low, _, _] in half_edges(mesh, welded) {
        starts[low as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut next = starts.clone();
    let mut ends = vec![0; starts.last().map_or(0, |count| *count as usize)];
    for [low, high, backward] in half_edges(mesh, welded) {
        let place = &mut next[low as usize];
        ends[*place as usize] = u64::from(high) << 1 | u64::from(backward);
        *place += 1;
    }
    (starts, ends)
}

/// The lesser vertex, the greater one, and 1 if it runs from this to that. Triangles with two corners at one place have
/// none.
fn half_edges(mesh: &Mesh, welded: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let corners = mesh.triangles().iter().map(|t| t.map(|i| welded[i as usize]));
    let whole = corners.filter(|[a, b, c]| a != b && b != c && c != a);
    whole.flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]).map(|(from, to)| {
        let backward = u32::from(from > to);
        [from.min(to), from.max(to), backward]
    })
}
