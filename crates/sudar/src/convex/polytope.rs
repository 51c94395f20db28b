//! Hulls laid out for support mappings.

use std::sync::Arc;

use glam::DVec3;

use crate::shape::Hull;

/// Up to this many vertices are compared one and all; above, the farthest is found by climbing from neighbour to
/// neighbour. Measured: at 64 the two cost the same.
const CLIMB_FROM: usize = 64;
/// Vertices compared at a time.
const LANES: usize = 4;

/// A hull, its coordinates in blocks of four and the neighbours of its vertices in a list.
#[derive(Debug)]
pub struct Polytope {
    hull: Arc<Hull>,
    /// x of four vertices, then y, then z; the last block is filled up with the last vertex.
    blocks: Vec<[[f64; LANES]; 3]>,
    /// The neighbours of vertex i are `neighbors[first[i]..first[i + 1]]`. Empty unless they are climbed.
    first: Vec<u32>,
    neighbors: Vec<u32>,
    /// The vertex farthest in the direction of each face, edge and corner of a cube: where climbing starts.
    starts: Vec<u32>,
    center: DVec3,
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
        let mut polytope = Self { hull, blocks, first, neighbors, starts: Vec::new(), center };
        if climbs {
            polytope.starts = (0..27).map(|i| polytope.farthest_of_all(cube_direction(i))).collect();
        }
        polytope
    }

    /// The hull.
    pub fn hull(&self) -> &Arc<Hull> {
        &self.hull
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
        let start = match self.starts.len() {
            0 => 0,
            _ if (start as usize) < self.hull.vertices().len() => start,
            _ => self.starts[cube_index(direction)],
        };
        self.climb(direction, start)
    }

    /// No guess where the farthest vertex may be.
    pub const NO_START: u32 = u32::MAX;

    #[inline]
    fn farthest_of_all(&self, direction: DVec3) -> u32 {
        let mut best = [f64::NEG_INFINITY; LANES];
        let mut found = [0u32; LANES];
        for (n, [x, y, z]) in self.blocks.iter().enumerate() {
            for lane in 0..LANES {
                let height = (direction.x * x[lane] + direction.y * y[lane]) + direction.z * z[lane];
                let higher = height > best[lane];
                best[lane] = if higher { height } else { best[lane] };
                found[lane] = if higher { n as u32 } else { found[lane] };
            }
        }
        let mut lane = 0;
        for other in 1..LANES {
            if best[other] > best[lane] {
                lane = other;
            }
        }
        let vertex = found[lane] * LANES as u32 + lane as u32;
        vertex.min(self.hull.vertices().len() as u32 - 1)
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

fn blocks(vertices: &[DVec3]) -> Vec<[[f64; LANES]; 3]> {
    let block = |chunk: &[DVec3]| {
        let at = |lane: usize| chunk[lane.min(chunk.len() - 1)];
        [0, 1, 2].map(|axis| std::array::from_fn(|lane| at(lane)[axis]))
    };
    vertices.chunks(LANES).map(block).collect()
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

/// One of 27 directions, each coordinate −1, 0 or 1.
fn cube_direction(i: usize) -> DVec3 {
    DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64) - DVec3::ONE
}

/// The number of the direction among those of [`cube_direction`] about nearest to this one.
fn cube_index(direction: DVec3) -> usize {
    // tan 22.5°: coordinates below this fraction of the largest count as zero.
    let small = 0.4142 * direction.abs().max_element();
    let digit = |x: f64| {
        if x > small {
            2
        } else if x < -small {
            0
        } else {
            1
        }
    };
    digit(direction.x) + 3 * digit(direction.y) + 9 * digit(direction.z)
}
