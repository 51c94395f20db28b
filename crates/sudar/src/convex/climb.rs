//! The farthest vertex of a polyhedron by climbing from neighbour to neighbour.

use glam::DVec3;

use crate::shape::Hull;

/// A hull of dimension 3 with the neighbours of its vertices in a list.
pub(super) struct Climber<'a> {
    hull: &'a Hull,
    /// The neighbours of vertex i are `neighbors[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    neighbors: Vec<u32>,
    /// The greatest sum of absolute coordinates of a vertex.
    reach: f64,
}

impl<'a> Climber<'a> {
    pub fn new(hull: &'a Hull) -> Self {
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
        let reach = hull.vertices().iter().fold(0.0, |m: f64, p| m.max(p.abs().element_sum()));
        Self { hull, first, neighbors, reach }
    }

    pub fn position(&self, vertex: u32) -> DVec3 {
        self.hull.vertices()[vertex as usize]
    }

    pub fn neighbors(&self, vertex: u32) -> &[u32] {
        &self.neighbors[self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize]
    }

    /// Twice what a height along a direction with coordinates of at most 1 may be off: three products of a coordinate
    /// with two sums on either side of a comparison.
    pub fn doubt(&self) -> f64 {
        16.0 * f64::EPSILON * self.reach
    }

    /// A vertex from which no edge leads up, as far as rounded heights tell: the farthest but for rounding.
    /// Heights only grow on the way, so that it ends.
    pub fn climb(&self, direction: DVec3, start: u32) -> u32 {
        let height = |i: u32| direction.dot(self.position(i));
        let (mut at, mut best) = (start, height(start));
        loop {
            let here = at;
            for &next in self.neighbors(here) {
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
