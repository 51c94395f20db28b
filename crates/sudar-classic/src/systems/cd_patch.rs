//! CD's leaf: a convex patch of triangles, searched from neighbour to neighbour.

use std::collections::VecDeque;

use sudar::pair::{IntervalAnswer, triangle_intervals};
use sudar::{DVec3, Triangle};

/// A connected convex patch, and for each triangle those of the patch that share an edge with it.
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    triangles: Vec<u32>,
    neighbours: Vec<Vec<usize>>,
}

/// What a search needs, kept from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    seen: Vec<bool>,
    queue: VecDeque<(usize, Near)>,
}

impl Patch {
    pub fn new(triangles: Vec<u32>, of_mesh: &[[u32; 3]]) -> Self {
        let place = |t: &u32| triangles.iter().position(|own| own == t);
        let neighbours = triangles.iter().map(|&t| of_mesh[t as usize].iter().filter_map(place).collect());
        Self { neighbours: neighbours.collect(), triangles }
    }

    pub fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Goes from the first triangle towards the plane of another and tests those that the plane cuts, each of
    /// which is shown with what the test says; the search ends when `show` says so.
    pub fn search(
        &self,
        triangle: impl Fn(u32) -> Triangle,
        outer: &Triangle,
        Scratch { seen, queue }: &mut Scratch,
        mut show: impl FnMut(IntervalAnswer) -> bool,
    ) -> bool {
        let normal = outer.scaled_normal();
        let near = |t: &Triangle| Near::of(t, normal, outer.a);
        seen.clear();
        seen.resize(self.triangles.len(), false);
        seen[0] = true;
        queue.clear();
        queue.push_back((0, near(&triangle(self.triangles[0]))));
        while let Some((at, from)) = queue.pop_front() {
            if from.is_cut && show(triangle_intervals(outer, &triangle(self.triangles[at]))) {
                return true;
            }
            for &next in &self.neighbours[at] {
                if std::mem::replace(&mut seen[next], true) {
                    continue;
                }
                let there = near(&triangle(self.triangles[next]));
                // Those that are cut come first; those that lead away are left out.
                if there.is_cut {
                    queue.push_front((next, there));
                } else if there.distance <= from.distance {
                    queue.push_back((next, there));
                }
            }
        }
        false
    }
}

/// How a triangle lies to a plane.
#[derive(Debug, Clone, Copy)]
struct Near {
    /// Of the nearest corner, times the length of the normal.
    distance: f64,
    is_cut: bool,
}

impl Near {
    fn of(t: &Triangle, normal: DVec3, base: DVec3) -> Self {
        let heights = t.corners().map(|p| normal.dot(p - base));
        let distance = heights.iter().fold(f64::INFINITY, |least, h| least.min(h.abs()));
        let one_sided = heights.iter().all(|&h| h > 0.0) || heights.iter().all(|&h| h < 0.0);
        Self { distance, is_cut: !one_sided }
    }
}
