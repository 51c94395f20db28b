//! Hulls laid out for support mappings.

use std::sync::Arc;

use fearless_simd::Level;
use glam::DVec3;

use super::corners::{Block, LANES, farthest};
use crate::shape::Hull;

/// Up to this many vertices are compared one and all; above, the farthest is found by climbing from neighbour to
/// neighbour. Where eight numbers are compared at a time the two cost the same at some 500 vertices, where two are, at
/// some 100.
const CLIMB_FROM: usize = 256;
/// With more vertices than this within rounding of the highest, all are compared.
const PLATEAU: usize = 24;
/// More cells along an edge of the cube map than this are not worth their room.
const MAX_CELLS: usize = 64;
/// A hull, its coordinates in blocks of eight and the neighbours of its vertices in a list.
#[derive(Debug)]
pub struct Polytope {
    hull: Arc<Hull>,
    /// The last is filled up with the last vertex.
    blocks: Vec<Block>,
    /// The neighbours of vertex i are `neighbors[first[i]..first[i + 1]]`. Empty unless they are climbed.
    first: Vec<u32>,
    neighbors: Vec<u32>,
    /// For each vertex a half-edge that starts there; empty if there are no faces.
    outgoing: Vec<u32>,
    /// The vertex farthest in the direction of the middle of each cell of a cube map: where climbing starts.
    starts: Vec<u32>,
    /// Cells along an edge of the cube map.
    cells: usize,
    center: DVec3,
    /// The greatest sum of absolute coordinates of a vertex.
    reach: f64,
}

impl Polytope {
    /// Lays out a hull; O(number of vertices).
    pub fn new(hull: Arc<Hull>) -> Self {
        let blocks = blocks(hull.vertices());
        let climbs = hull.dimension() == 3 && hull.vertices().len() > CLIMB_FROM;
        let (first, neighbors) = if climbs { neighbors(&hull) } else { (Vec::new(), Vec::new()) };
        let (min, max) = hull
            .vertices()
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max): (DVec3, DVec3), p| {
                (min.min(*p), max.max(*p))
            });
        let center = min + (max - min) * 0.5;
        let reach = hull.vertices().iter().fold(0.0, |m: f64, p| m.max(p.abs().element_sum()));
        let outgoing = outgoing(&hull);
        let starts = Vec::new();
        let mut polytope = Self { hull, blocks, first, neighbors, outgoing, starts, cells: 0, center, reach };
        if climbs {
            polytope.fill_starts();
        }
        polytope
    }

    /// The hull.
    pub fn hull(&self) -> &Arc<Hull> {
        &self.hull
    }

    /// Whether the farthest vertex is found by climbing.
    #[inline]
    pub(super) fn climbs(&self) -> bool {
        !self.neighbors.is_empty()
    }

    /// The first half-edge that starts from a vertex; 0 if the hull has no faces.
    pub fn outgoing(&self, vertex: u32) -> u32 {
        self.outgoing.get(vertex as usize).copied().unwrap_or(0)
    }

    /// The middle of the box around the vertices.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The vertex farthest in a direction, up to rounding of the products. `start` is a guess, used if there are
    /// many vertices: the answer to a direction close by. Without one, [`Polytope::NO_START`].
    #[inline]
    pub fn farthest(&self, direction: DVec3, start: u32) -> u32 {
        if self.neighbors.is_empty() {
            return self.farthest_of_all(direction);
        }
        let mapped = self.starts[cell(direction, self.cells)];
        let height = |i: u32| direction.dot(self.hull.vertices()[i as usize]);
        let known = (start as usize) < self.hull.vertices().len();
        self.climb(direction, if known && height(start) > height(mapped) { start } else { mapped })
    }

    /// One cell for every two vertices or so; each cell starts from what was found for the one before.
    fn fill_starts(&mut self) {
        let mut cells = 2;
        while 12 * (cells + 1) * (cells + 1) <= self.hull.vertices().len() && cells < MAX_CELLS {
            cells += 1;
        }
        self.cells = cells;
        let mut start = 0;
        for i in 0..6 * cells * cells {
            start = self.climb(cell_direction(i, cells), start);
            self.starts.push(start);
        }
    }

    /// The vertex farthest in a direction, given one from which climbing went no farther: looks at all that are within
    /// rounding of it and reached through such. If none of those has a neighbour that is higher beyond doubt, the
    /// farthest of all is among them, since on a polytope some edge leads up from every vertex but the highest.
    pub(super) fn certainly_farthest(&self, direction: DVec3, found: u32) -> u32 {
        if self.neighbors.is_empty() {
            return found;
        }
        let vertices = self.hull.vertices();
        let height = |i: u32| direction.dot(vertices[i as usize]);
        // Three products of size |d|·ρ with two sums on either side.
        let doubt = 16.0 * f64::EPSILON * direction.abs().max_element() * self.reach;
        let (mut best, mut top) = (found, height(found));
        let mut plateau = [0u32; PLATEAU];
        (plateau[0], plateau[1]) = (found, found);
        let (mut seen, mut next) = (1, 0);
        while next < seen {
            let here = plateau[next] as usize;
            next += 1;
            for &n in &self.neighbors[self.first[here] as usize..self.first[here + 1] as usize] {
                let h = height(n);
                if h + doubt < top || plateau[..seen].contains(&n) {
                    continue;
                }
                if seen == PLATEAU {
                    return self.farthest_of_all(direction);
                }
                plateau[seen] = n;
                seen += 1;
                if h > top {
                    (best, top) = (n, h);
                }
            }
        }
        best
    }

    /// No guess where the farthest vertex may be.
    pub const NO_START: u32 = u32::MAX;

    #[inline]
    fn farthest_of_all(&self, direction: DVec3) -> u32 {
        let vertex = farthest(Level::new(), &self.blocks, direction) as u32;
        vertex.min(self.hull.vertices().len() as u32 - 1)
    }

    /// The vertices in blocks of eight.
    #[inline]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    #[inline]
    fn climb(&self, direction: DVec3, start: u32) -> u32 {
        let vertices = self.hull.vertices();
        let height = |i: u32| {
            let p = vertices[i as usize];
            (direction.x * p.x + direction.y * p.y) + direction.z * p.z
        };
        let (mut at, mut best) = (start, height(start));
        // Heights only grow, so no vertex is visited twice.
        loop {
            let here = at;
            let range = self.first[here as usize] as usize..self.first[here as usize + 1] as usize;
            for &next in &self.neighbors[range] {
                let h = height(next);
                if h > best {
                    (at, best) = (next, h);
                }
            }
            if at == here {
                return at;
            }
        }
    }
}

fn blocks(vertices: &[DVec3]) -> Vec<Block> {
    let block = |chunk: &[DVec3]| {
        let at = |lane: usize| chunk[lane.min(chunk.len() - 1)];
        [0, 1, 2].map(|axis| std::array::from_fn(|lane| at(lane)[axis]))
    };
    vertices.chunks(LANES).map(block).collect()
}

fn outgoing(hull: &Hull) -> Vec<u32> {
    if hull.half_edges().is_empty() {
        return Vec::new();
    }
    let mut outgoing = vec![0; hull.vertices().len()];
    for (i, edge) in hull.half_edges().iter().enumerate().rev() {
        outgoing[edge.origin as usize] = i as u32;
    }
    outgoing
}

fn neighbors(hull: &Hull) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; hull.vertices().len() + 1];
    for edge in hull.half_edges() {
        first[edge.origin as usize + 1] += 1;
    }
    for i in 1..first.len() {
        first[i] += first[i - 1];
    }
    let mut filled = first.clone();
    let mut neighbors = vec![0; hull.half_edges().len()];
    for edge in hull.half_edges() {
        let place = &mut filled[edge.origin as usize];
        neighbors[*place as usize] = hull.half_edges()[edge.twin as usize].origin;
        *place += 1;
    }
    (first, neighbors)
}

/// The middle of a cell: faces in the order +x −x +y −y +z −z, rows by the second of the other two axes.
fn cell_direction(i: usize, cells: usize) -> DVec3 {
    let (face, row, column) = (i / (cells * cells), i / cells % cells, i % cells);
    let middle = |k: usize| (2 * k + 1) as f64 / cells as f64 - 1.0;
    let (u, v, w) = (middle(column), middle(row), if face % 2 == 0 { 1.0 } else { -1.0 });
    match face / 2 {
        0 => DVec3::new(w, u, v),
        1 => DVec3::new(u, w, v),
        _ => DVec3::new(u, v, w),
    }
}

/// The number of the cell that a direction passes through.
#[inline]
fn cell(direction: DVec3, cells: usize) -> usize {
    let size = direction.abs();
    let (axis, u, v, w) = if size.x >= size.y && size.x >= size.z {
        (0, direction.y, direction.z, direction.x)
    } else if size.y >= size.z {
        (1, direction.x, direction.z, direction.y)
    } else {
        (2, direction.x, direction.y, direction.z)
    };
    let scale = 0.5 * cells as f64 / w.abs();
    // Not a number becomes 0, as does anything below it.
    let place = |x: f64| ((x * scale + 0.5 * cells as f64) as usize).min(cells - 1);
    let face = 2 * axis + usize::from(w < 0.0);
    (face * cells + place(v)) * cells + place(u)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_cell_is_in_the_cell() {
        for cells in [1, 2, 5, 16] {
            for i in 0..6 * cells * cells {
                assert_eq!(cell(cell_direction(i, cells) * 3.7, cells), i);
            }
        }
    }
}
