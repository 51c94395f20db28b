//! A BSP tree over triangles (Fuchs, Kedem, Naylor 1980, "On visible surface generation by a priori tree structures").

use sudar::glam::DVec3;

use super::finder::{Finder, Probe};
use sudar::math::{Sign, orient3d};
use sudar::shape::{Aabb, Triangle};

/// Planes are those of triangles, or across an axis where these divide unevenly, as on convex bodies. Sides
/// are decided by exact orientations. A triangle on both sides of a plane is kept on both; none is cut.
#[derive(Debug, Clone)]
pub(super) struct BspOfTriangles {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The triangles of a leaf.
    first: u32,
    last: u32,
    inner: Option<(Plane, [u32; 2])>,
    /// The box around all triangles of this node and below: a plane does not end, what it divides does.
    bounds: Aabb,
}

#[derive(Debug, Clone, Copy)]
enum Plane {
    Through(Triangle),
    Across(usize, f64),
}

impl Plane {
    fn side(&self, p: DVec3) -> Sign {
        match self {
            Self::Through(t) => orient3d(t.a, t.b, t.c, p),
            Self::Across(axis, x) => compare(p[*axis], *x),
        }
    }

    /// Whether some of the points are behind, on and before the plane.
    fn sides(&self, points: &[DVec3]) -> [bool; 3] {
        let mut sides = [false; 3];
        for p in points {
            sides[match self.side(*p) {
                Sign::Negative => 0,
                Sign::Zero => 1,
                Sign::Positive => 2,
            }] = true;
        }
        sides
    }
}

/// Fewer triangles are not divided.
const LEAF_SIZE: usize = 8;

const DEPTH: u32 = 40;

/// Triangles whose planes are tried.
const TRIED: usize = 5;

impl BspOfTriangles {
    pub fn new(triangles: &[Triangle]) -> Self {
        let mut tree = Self { nodes: Vec::new(), items: Vec::new() };
        let all: Vec<u32> = (0..triangles.len() as u32).collect();
        tree.divide(triangles, &all, 0);
        tree
    }

    fn divide(&mut self, triangles: &[Triangle], items: &[u32], depth: u32) -> u32 {
        let mut inner = None;
        let mut own = items.to_vec();
        if items.len() > LEAF_SIZE && depth < DEPTH {
            let planes = planes(triangles, items);
            let parts = planes.into_iter().map(|plane| (plane, part(triangles, items, &plane)));
            // The first of the best, so that the tree is always the same.
            let best = parts.min_by_key(|(_, parts)| cost(items.len(), parts));
            if let Some((plane, [behind, before])) = best
                && 2 * (behind.len() + before.len()) <= 3 * items.len()
                && behind.len().max(before.len()) < items.len()
            {
                let children = [behind, before].map(|half| self.divide(triangles, &half, depth + 1));
                inner = Some((plane, children));
                own.clear();
            }
        }
        let first = self.items.len() as u32;
        self.items.extend(own);
        let bounds = items.iter().fold(Aabb::EMPTY, |bounds, &i| bounds.union(triangles[i as usize].aabb()));
        self.nodes.push(Node { first, last: self.items.len() as u32, inner, bounds });
        self.nodes.len() as u32 - 1
    }
}

/// Planes of some triangles, and across the axes at the median of the centres.
fn planes(triangles: &[Triangle], items: &[u32]) -> Vec<Plane> {
    let step = items.len().div_ceil(TRIED);
    let some = items.iter().step_by(step).map(|&i| Plane::Through(triangles[i as usize]));
    let across = (0..3).map(|axis| {
        let mut centers: Vec<f64> =
            items.iter().map(|&i| triangles[i as usize].aabb().center()[axis]).collect();
        let middle = centers.len() / 2;
        Plane::Across(axis, *centers.select_nth_unstable_by(middle, f64::total_cmp).1)
    });
    some.chain(across).collect()
}

/// What is behind a plane, and what is before it or in it.
fn part(triangles: &[Triangle], items: &[u32], plane: &Plane) -> [Vec<u32>; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    for &i in items {
        let [behind, _, before] = plane.sides(&triangles[i as usize].corners());
        if behind {
            parts[0].push(i);
        }
        if before || !behind {
            parts[1].push(i);
        }
    }
    parts
}

fn cost(n: usize, [behind, before]: &[Vec<u32>; 2]) -> usize {
    behind.len().abs_diff(before.len()) + 3 * (behind.len() + before.len() - n)
}

impl Finder for BspOfTriangles {
    fn find(&self, probe: &Probe, visit: &mut dyn FnMut(u32)) -> u64 {
        let corners = probe.corners();
        let mut todo = vec![self.nodes.len() as u32 - 1];
        let mut visits = 0;
        while let Some(number) = todo.pop() {
            visits += 1;
            let node = &self.nodes[number as usize];
            if !probe.meets_box(&node.bounds) {
                continue;
            }
            if let Some((plane, [behind, before])) = &node.inner {
                let sides = plane.sides(&corners);
                // What touches the plane may touch what ends at it on either side.
                if sides[0] || sides[1] {
                    todo.push(*behind);
                }
                if sides[2] || sides[1] {
                    todo.push(*before);
                }
            }
            self.items[node.first as usize..node.last as usize].iter().for_each(|&i| visit(i));
        }
        visits
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + 4 * self.items.capacity()
    }
}

/// The sign of a − b, also where the difference is too small for a number.
fn compare(a: f64, b: f64) -> Sign {
    if a > b {
        Sign::Positive
    } else if a < b {
        Sign::Negative
    } else {
        Sign::Zero
    }
}
