//! From a surface of triangles to maximal faces.

use glam::DVec3;

use crate::math::{Sign, orient3d};
use crate::shape::{HalfEdge, Hull};

/// No face, vertex or edge.
pub(super) const NONE: u32 = u32::MAX;

/// The surface of a hull as triangles, counter-clockwise seen from outside. Triangles may be coplanar, vertices may
/// lie inside faces and on edges, but no triangle is flat.
///
/// Edge i of a triangle runs from its corner i to the next one. All edges are numbered 3·triangle + i.
#[derive(Debug)]
pub(super) struct Surface {
    pub triangles: Vec<[u32; 3]>,
    /// For each edge the edge of the neighbour that runs the other way.
    pub twins: Vec<u32>,
}

impl Surface {
    /// Finds the twins; every edge must be run through once each way.
    pub fn from_triangles(triangles: Vec<[u32; 3]>) -> Self {
        let ends = |edge: u32| {
            let t = triangles[edge as usize / 3];
            (t[edge as usize % 3], t[(edge as usize + 1) % 3])
        };
        let mut edges: Vec<_> = (0..3 * triangles.len() as u32).map(|e| (ends(e), e)).collect();
        edges.sort_unstable();
        let twin = |e| {
            let (from, to) = ends(e);
            edges.binary_search_by(|probe| probe.0.cmp(&(to, from))).map_or(NONE, |found| edges[found].1)
        };
        let twins = (0..3 * triangles.len() as u32).map(twin).collect();
        Self { triangles, twins }
    }

    fn origin(&self, edge: u32) -> u32 {
        self.triangles[edge as usize / 3][edge as usize % 3]
    }

    /// The two corners that are not the origin, in order.
    fn others(&self, edge: u32) -> [u32; 2] {
        let after = following(edge);
        [self.origin(after), self.origin(following(after))]
    }
}

/// The next edge around the same triangle.
fn following(edge: u32) -> u32 {
    if edge % 3 == 2 { edge - 2 } else { edge + 1 }
}

/// The hull with this surface, in its one form. `points` are those that the caller gave, `local` those that the
/// surface is made of and `sources` their numbers among the former; coordinates may differ by a power of two.
pub(super) fn hull_of(points: &[DVec3], local: &[DVec3], sources: &[u32], surface: &Surface) -> Hull {
    let creases = creases(local, surface);
    let (sources, ranks) = extreme(local.len(), sources, surface, &creases);
    let loops = Loops::of(surface, &creases, &ranks);
    let order = loops.sorted(sources.len());
    let vertices = sources.iter().map(|&i| points[i as usize]).collect();
    let (half_edges, faces) = loops.half_edges(surface, &order);
    Hull { vertices, sources, half_edges, faces, dimension: 3 }
}

/// For each edge whether the surface is bent there: the others are inside faces.
fn creases(points: &[DVec3], surface: &Surface) -> Vec<bool> {
    let at = |i: u32| points[i as usize];
    let mut bent = vec![true; surface.twins.len()];
    for edge in 0..surface.twins.len() as u32 {
        let twin = surface.twins[edge as usize];
        if edge < twin {
            let [b, c] = surface.others(edge);
            let [_, d] = surface.others(twin);
            if orient3d(at(surface.origin(edge)), at(b), at(c), at(d)) == Sign::Zero {
                (bent[edge as usize], bent[twin as usize]) = (false, false);
            }
        }
    }
    bent
}

/// The sources of the extreme points, ascending, and for each local point its place in that list. A point with no
/// crease is inside a face, one with two is on a straight edge, one with three or more is extreme.
fn extreme(count: usize, sources: &[u32], surface: &Surface, creases: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let mut degrees = vec![0u32; count];
    for (edge, _) in creases.iter().enumerate().filter(|(_, bent)| **bent) {
        degrees[surface.origin(edge as u32) as usize] += 1;
    }
    let corners = degrees.iter().enumerate().filter(|(_, degree)| **degree >= 3);
    let mut found: Vec<(u32, u32)> = corners.map(|(i, _)| (sources[i], i as u32)).collect();
    found.sort_unstable();
    let mut ranks = vec![NONE; count];
    for (rank, (_, i)) in found.iter().enumerate() {
        ranks[*i as usize] = rank as u32;
    }
    (found.into_iter().map(|(source, _)| source).collect(), ranks)
}

/// One side of a maximal face: edges of triangles in a straight line.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// The vertex where it starts.
    origin: u32,
    /// Its first edge.
    first: u32,
    /// Its last edge.
    last: u32,
}

/// The sides of all maximal faces, face by face, each from its smallest vertex on.
#[derive(Debug, Default)]
struct Loops {
    sides: Vec<Side>,
    /// Where each face starts, and the end.
    starts: Vec<u32>,
}

impl Loops {
    fn of(surface: &Surface, creases: &[bool], ranks: &[u32]) -> Self {
        let mut loops = Self { sides: Vec::with_capacity(creases.len()), starts: vec![0] };
        let mut done = vec![false; creases.len()];
        for edge in 0..creases.len() as u32 {
            if creases[edge as usize] && !done[edge as usize] && ranks[surface.origin(edge) as usize] != NONE
            {
                loops.follow(edge, surface, creases, ranks, &mut done);
            }
        }
        loops
    }

    /// Runs around the face that `start` bounds, each edge of which is met once.
    fn follow(&mut self, start: u32, surface: &Surface, creases: &[bool], ranks: &[u32], done: &mut [bool]) {
        let begin = self.sides.len();
        let mut edge = start;
        while !done[edge as usize] {
            done[edge as usize] = true;
            let origin = ranks[surface.origin(edge) as usize];
            match self.sides.last_mut() {
                Some(side) if origin == NONE => side.last = edge,
                _ => self.sides.push(Side { origin, first: edge, last: edge }),
            }
            edge = after(edge, surface, creases);
        }
        let sides = &mut self.sides[begin..];
        let least = (0..sides.len()).min_by_key(|&i| sides[i].origin).unwrap_or(0);
        sides.rotate_left(least);
        self.starts.push(self.sides.len() as u32);
    }

    /// The faces in the order of their loops. No two faces have their first two vertices in common, for these are the
    /// ends of a half-edge.
    fn sorted(&self, vertices: usize) -> Vec<u32> {
        let key = |face: u32| {
            let first = self.starts[face as usize] as usize;
            (self.sides[first].origin, self.sides[first + 1].origin)
        };
        let count = self.starts.len() - 1;
        // Sorted by counting, for there are about as many first vertices as faces.
        let mut ends = vec![0u32; vertices + 1];
        for face in 0..count as u32 {
            ends[key(face).0 as usize + 1] += 1;
        }
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        let mut order = vec![0u32; count];
        for face in 0..count as u32 {
            let place = &mut ends[key(face).0 as usize];
            order[*place as usize] = face;
            *place += 1;
        }
        let mut begin = 0;
        for &end in &ends[..vertices] {
            order[begin..end as usize].sort_unstable_by_key(|&face| key(face).1);
            begin = end as usize;
        }
        order
    }

    fn half_edges(&self, surface: &Surface, order: &[u32]) -> (Vec<HalfEdge>, Vec<u32>) {
        let mut half_edges = Vec::with_capacity(self.sides.len());
        let mut faces = Vec::with_capacity(order.len());
        // The half-edge that starts with this edge; for each half-edge, the edge that its twin starts with.
        let mut numbers = vec![NONE; surface.twins.len()];
        for (face, &old) in order.iter().enumerate() {
            let first = half_edges.len() as u32;
            faces.push(first);
            let sides =
                &self.sides[self.starts[old as usize] as usize..self.starts[old as usize + 1] as usize];
            for (k, side) in sides.iter().enumerate() {
                numbers[side.first as usize] = first + k as u32;
                let next = first + if k + 1 == sides.len() { 0 } else { k as u32 + 1 };
                let twin = surface.twins[side.last as usize];
                half_edges.push(HalfEdge { origin: side.origin, twin, next, face: face as u32 });
            }
        }
        for edge in &mut half_edges {
            edge.twin = numbers[edge.twin as usize];
        }
        (half_edges, faces)
    }
}

/// The next edge around the maximal face: the next crease around the end of this one.
fn after(edge: u32, surface: &Surface, creases: &[bool]) -> u32 {
    let mut next = following(edge);
    // At most once around the vertex, which ends at the edge itself.
    while !creases[next as usize] {
        next = following(surface.twins[next as usize]);
    }
    next
}
