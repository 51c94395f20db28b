//! CD's leaf: a convex patch of triangles, searched from neighbour to neighbour.

use std::collections::VecDeque;

use sudar::pair::{IntervalAnswer, triangle_intervals};
use sudar::{DVec3, Mesh, Pose, Triangle};

/// A connected convex patch, and for each triangle those of the patch that share an edge with it.
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    triangles: Vec<u32>,
    neighbours: Vec<Vec<usize>>,
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
        posed: impl Fn(u32) -> Triangle,
        outer: &Triangle,
        mut show: impl FnMut(IntervalAnswer) -> bool,
    ) -> bool {
        let normal = outer.scaled_normal();
        let near = |t: &Triangle| Near::of(t, normal, outer.a);
        let mut seen = vec![false; self.triangles.len()];
        let first = near(&posed(self.triangles[0]));
        let mut queue = VecDeque::from([(0, first)]);
        seen[0] = true;
        while let Some((at, from)) = queue.pop_front() {
            if from.is_cut && show(triangle_intervals(outer, &posed(self.triangles[at]))) {
                return true;
            }
            for &next in &self.neighbours[at] {
                if std::mem::replace(&mut seen[next], true) {
                    continue;
                }
                let there = near(&posed(self.triangles[next]));
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

/// A triangle of a mesh in the world.
pub(crate) fn posed(mesh: &Mesh, pose: &Pose, t: u32) -> Triangle {
    mesh.triangle(t).corners().map(|p| pose.apply(p)).into()
}
