//! Closed surfaces as the rest of this room sees them.

use glam::DVec3;

use super::{ExactPoint, Location, Parity};
use crate::math::Pose;
use crate::shape::{Aabb, Solid, Triangle, has_zero_area};

/// A closed surface of numbered triangles in world coordinates.
pub trait Surface {
    /// How many triangles there are.
    fn triangles(&self) -> u32;
    /// Triangle `i`.
    fn triangle(&self, i: u32) -> Triangle;
    /// The number of the connected piece that triangle `i` belongs to; pieces are joined at common vertices.
    fn piece(&self, i: u32) -> u32;
    /// Visits every triangle whose box meets the region, each once; it may visit others too.
    fn near(&self, region: &Aabb, visit: &mut dyn FnMut(u32));
}

/// Where a point is with respect to a surface. Exact; triangles without area count for nothing.
pub fn locate<P: ExactPoint>(point: P, surface: &dyn Surface) -> Location {
    let mut parity = Parity::new(point);
    surface.near(&parity.reach(), &mut |i| {
        let t = surface.triangle(i);
        if !has_zero_area(&t) {
            parity.feed(i, &t);
        }
    });
    parity.result()
}

/// A surface with a tree of boxes of its own, for when there is no other.
pub struct ListedSurface {
    triangles: Vec<Triangle>,
    pieces: Vec<u32>,
    /// Triangle numbers, so ordered that every node of the tree holds a range of them.
    order: Vec<u32>,
    /// The root, its first half, that half's first half, and so on.
    nodes: Vec<Node>,
}

struct Node {
    around: Aabb,
    /// The first node that is not below this one.
    next: u32,
}

/// Nodes with up to this many triangles are not divided.
const LEAF: usize = 4;

impl ListedSurface {
    /// A posed solid; O(n log n).
    pub fn new(solid: &Solid, pose: &Pose) -> Self {
        let mesh = solid.mesh();
        let posed = |i| Triangle::from(mesh.triangle(i).corners().map(|p| pose.apply(p)));
        let triangles = (0..mesh.triangles().len() as u32).map(posed).collect();
        Self::from_pieces(triangles, solid.pieces().to_vec())
    }

    /// From triangles and for each the number of its piece.
    fn from_pieces(triangles: Vec<Triangle>, pieces: Vec<u32>) -> Self {
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut nodes = Vec::with_capacity(triangles.len());
        divide(&triangles, &mut order, &mut nodes);
        Self { triangles, pieces, order, nodes }
    }

    /// Visits the node at `node` that holds these numbers; gives the number of the next node.
    fn visit(&self, numbers: &[u32], node: usize, region: &Aabb, visit: &mut dyn FnMut(u32)) -> usize {
        let meets = |b: &Aabb| !(b.min.cmpgt(region.max).any() || region.min.cmpgt(b.max).any());
        if !meets(&self.nodes[node].around) {
            return self.nodes[node].next as usize;
        }
        if numbers.len() <= LEAF {
            numbers.iter().filter(|&&i| meets(&self.triangles[i as usize].aabb())).for_each(|&i| visit(i));
            return node + 1;
        }
        let (first, second) = numbers.split_at(numbers.len() / 2);
        let next = self.visit(first, node + 1, region, visit);
        self.visit(second, next, region, visit)
    }
}

impl Surface for ListedSurface {
    fn triangles(&self) -> u32 {
        self.triangles.len() as u32
    }

    fn triangle(&self, i: u32) -> Triangle {
        self.triangles[i as usize]
    }

    fn piece(&self, i: u32) -> u32 {
        self.pieces[i as usize]
    }

    fn near(&self, region: &Aabb, visit: &mut dyn FnMut(u32)) {
        if !self.order.is_empty() {
            self.visit(&self.order, 0, region, visit);
        }
    }
}

/// Orders the triangles of a node by halves along its longest side, and appends its subtree.
fn divide(triangles: &[Triangle], numbers: &mut [u32], nodes: &mut Vec<Node>) {
    let box_of = |&i: &u32| triangles[i as usize].aabb();
    let around = numbers.iter().map(box_of).fold(Aabb::EMPTY, Aabb::union);
    let here = nodes.len();
    nodes.push(Node { around, next: here as u32 + 1 });
    if numbers.len() <= LEAF {
        return;
    }
    let axis = around.extent().max_position();
    let centre = |i: &u32| -> DVec3 { box_of(i).center() };
    let middle = numbers.len() / 2;
    numbers.select_nth_unstable_by(middle, |i, j| centre(i)[axis].total_cmp(&centre(j)[axis]).then(i.cmp(j)));
    let (first, second) = numbers.split_at_mut(middle);
    divide(triangles, first, nodes);
    divide(triangles, second, nodes);
    nodes[here].next = nodes.len() as u32;
}
