//! Hulls laid out for support mappings.

use std::sync::Arc;

use glam::DVec3;

use super::blocks::{Block, LANES, farthest};
use super::candidates::Candidates;
use crate::math::simd::Level;
use crate::shape::{Aabb, Hull};

/// Up to this many vertices are compared one and all; above, those that a direction makes possible.
const FEW: usize = 32;

/// A hull made ready for support mappings: its coordinates in blocks of eight, and for many vertices lists of those
/// that can be farthest.
#[derive(Debug)]
pub struct Polytope {
    hull: Arc<Hull>,
    /// The last is filled up with the last vertex.
    blocks: Vec<Block>,
    candidates: Option<Candidates>,
    /// For each vertex a half-edge that starts there; empty if there are no faces.
    outgoing: Vec<u32>,
    /// Around its vertices.
    bounds: Aabb,
}

impl Polytope {
    /// Lays out a hull; O(number of vertices), about a microsecond a vertex if there are more than 32.
    pub fn new(hull: Arc<Hull>) -> Self {
        let many = hull.dimension() == 3 && hull.vertices().len() > FEW;
        Self {
            blocks: blocks(hull.vertices()),
            candidates: many.then(|| Candidates::new(&hull)),
            outgoing: outgoing(&hull),
            bounds: Aabb::around(hull.vertices().iter().copied()),
            hull,
        }
    }

    /// The hull.
    pub fn hull(&self) -> &Arc<Hull> {
        &self.hull
    }

    /// The smallest box around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The first half-edge that starts from a vertex; 0 if the hull has no faces.
    pub fn outgoing(&self, vertex: u32) -> u32 {
        self.outgoing.get(vertex as usize).copied().unwrap_or(0)
    }

    /// The middle of the box around the vertices.
    pub fn center(&self) -> DVec3 {
        self.bounds.center()
    }

    /// The vertex farthest in a direction, up to rounding of the products; of equals, the first.
    #[inline]
    pub fn farthest(&self, direction: DVec3) -> u32 {
        match &self.candidates {
            Some(candidates) => candidates.farthest(direction),
            None => {
                let vertex = farthest(Level::new(), &self.blocks, direction) as u32;
                vertex.min(self.hull.vertices().len() as u32 - 1)
            }
        }
    }

    /// The vertices in blocks of eight.
    #[inline]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
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
    let mut outgoing = vec![0; if hull.faces().is_empty() { 0 } else { hull.vertices().len() }];
    for (i, edge) in hull.half_edges().iter().enumerate().rev() {
        outgoing[edge.origin as usize] = i as u32;
    }
    outgoing
}
