//! Fitting a tree to a mesh whose vertices have moved.
//!
//! Nodes stand before their descendants, so that one backward sweep makes every box anew from the boxes below it
//! (van den Bergen 1997, "Efficient collision detection of complex deformable models using AABB trees"). Boxes that
//! held neighbours come to overlap as these wander apart; the surface-area heuristic says how much that costs,
//! and what has become too dear is built again (after Lauterbach et al. 2006, "RT-DEFORM: interactive ray tracing of
//! dynamic scenes using BVHs", who rebuild the whole, and Kopta et al. 2012, "Fast, effective BVH updates for
//! animated scenes", who change parts).

use super::build::{Box3, Subtree, Triangles, build, scaled_points};
use crate::math::par::mapped;
use crate::shape::Mesh;
use crate::tree::pairs::frame::Frame;
use crate::tree::wide::{WideNode, WideTree};

/// A subtree is built again when a query is expected to open this many times the nodes in it that it did when it was
/// built.
const WORN: f32 = 1.5;

/// Counts of the subtrees that a refit had to rebuild.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Refit {
    /// Subtrees that were built again; one if that was the whole tree.
    pub rebuilt_subtrees: usize,
    /// Triangles in them.
    pub rebuilt_triangles: usize,
}

impl WideTree {
    /// Fits the tree to `mesh`: the same triangles over vertices that have moved.
    ///
    /// The frame and every box become what a new tree with these leaves would have, so that any motion is safe, also
    /// one that leaves the old frame or shrinks the mesh to a point. Subtrees in which a query is expected to open
    /// more than 1.5 times the nodes it did when they were built are built again; the others keep their leaves. If
    /// nothing has moved the tree stays the same to the last bit. The outcome depends on the mesh and the earlier
    /// motion alone, not on threads or platform. A mesh of another number of triangles gets a new tree.
    ///
    /// About 10 ns a triangle, and for those built again what building costs.
    pub fn refit(&mut self, mesh: &Mesh) -> Refit {
        if mesh.triangles().len() != self.order.len() {
            *self = build(mesh);
            return Refit { rebuilt_subtrees: 1, rebuilt_triangles: self.order.len() };
        }
        if self.costs.is_empty() {
            self.costs = costs(&self.nodes);
        }
        // Fitted anew when a traversal next becomes long.
        self.slabs.take();
        self.oriented.take();
        self.frame = Frame::around(mesh.aabb());
        let points = scaled_points(mesh, &self.frame);
        let triangles = Triangles { points: &points, corners: mesh.triangles() };
        self.fit(&triangles);
        let worn = self.worn();
        self.renew(&worn, &triangles)
    }

    /// Makes all boxes and corners anew.
    pub(super) fn fit(&mut self, triangles: &Triangles) {
        let mut bounds = vec![Box3::EMPTY; self.nodes.len()];
        for (n, node) in self.nodes.iter_mut().enumerate().rev() {
            let mut all = Box3::EMPTY;
            for slot in 0..node.children() {
                let first = node.first[slot] as usize;
                let around = match usize::from(node.count[slot]) {
                    0 => bounds[first],
                    count => triangles.place(
                        &self.order[first..first + count],
                        &mut self.corners[9 * first..9 * (first + count)],
                    ),
                };
                node.enclose(slot, &around);
                all.add(&around);
            }
            bounds[n] = all;
        }
    }

    /// The outermost subtrees that must be built again, in the order of the nodes.
    ///
    /// A worn subtree counts to those around it with the cost it had when it was built, as building it again will
    /// about restore that: so a node is worn only through what lies above its worn parts.
    fn worn(&self) -> Vec<Range> {
        let mut now = vec![0.0; self.nodes.len()];
        let mut worn: Vec<Range> = Vec::new();
        for n in (0..self.nodes.len()).rev() {
            let cost = cost(&self.nodes[n], &now);
            let is_worn = cost > WORN * self.costs[n];
            now[n] = if is_worn { self.costs[n] } else { cost };
            if is_worn {
                let range = self.below(n);
                // Those below it come after it, and were found just before.
                while worn.last().is_some_and(|inner| inner.node < range.end) {
                    worn.pop();
                }
                worn.push(range);
            }
        }
        worn.reverse();
        worn
    }

    /// What lies below node `n`: from its first to its last triangle, and up to the last node.
    fn below(&self, n: usize) -> Range {
        let (mut left, mut end) = (n, n);
        let first = loop {
            let node = &self.nodes[left];
            match node.count[0] {
                0 => left = node.first[0] as usize,
                _ => break node.first[0] as usize,
            }
        };
        let mut last = 0;
        let mut right = Some(n);
        while let Some(m) = right {
            let node = &self.nodes[m];
            let slots = 0..node.children();
            end = end.max(m);
            let inner = |slot: &usize| node.count[*slot] == 0;
            right = slots.clone().rev().find(inner).map(|slot| node.first[slot] as usize);
            let leaves = slots.filter(|&slot| node.count[slot] > 0);
            last = leaves
                .map(|slot| node.first[slot] as usize + node.count[slot] as usize)
                .fold(last, usize::max);
        }
        Range { node: n, end: end + 1, first, last }
    }

    /// Builds the subtrees again and puts them where the old ones were; nodes behind them move.
    fn renew(&mut self, worn: &[Range], triangles: &Triangles) -> Refit {
        if worn.is_empty() {
            return Refit::default();
        }
        let order = &self.order;
        let rebuild = |range: &Range| {
            let mut subtree = triangles.subtree(order[range.first..range.last].iter().copied());
            subtree.shift_leaves(range.first);
            subtree
        };
        let fresh = mapped(worn, 1, rebuild);
        for (range, subtree) in worn.iter().zip(&fresh) {
            self.order[range.first..range.last].copy_from_slice(&subtree.order);
            self.corners[9 * range.first..9 * range.last].copy_from_slice(&subtree.corners);
        }
        self.lay_out(worn, &fresh);
        let triangles = worn.iter().map(|range| range.last - range.first).sum();
        Refit { rebuilt_subtrees: worn.len(), rebuilt_triangles: triangles }
    }

    /// Replaces the nodes of the worn subtrees by those of the fresh ones.
    fn lay_out(&mut self, worn: &[Range], fresh: &[Subtree]) {
        let moves = Moves::new(worn, fresh);
        let mut nodes = Vec::with_capacity(moves.of(self.nodes.len()));
        let mut costs_of_nodes = Vec::with_capacity(nodes.capacity());
        let mut next = 0;
        for (range, subtree) in worn.iter().zip(fresh) {
            nodes.extend(self.nodes[next..range.node].iter().map(|node| moves.renumbered(node)));
            costs_of_nodes.extend_from_slice(&self.costs[next..range.node]);
            costs_of_nodes.extend(costs(&subtree.nodes));
            let root = nodes.len() as u32;
            nodes.extend(subtree.nodes.iter().map(|node| node.with_inner(|child| child + root)));
            next = range.end;
        }
        nodes.extend(self.nodes[next..].iter().map(|node| moves.renumbered(node)));
        costs_of_nodes.extend_from_slice(&self.costs[next..]);
        (self.nodes, self.costs) = (nodes, costs_of_nodes);
    }
}

/// A subtree: nodes from `node` to before `end`, triangles in the order of leaves from `first` to before `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    node: usize,
    end: usize,
    first: usize,
    last: usize,
}

/// Where nodes are after subtrees were replaced.
struct Moves<'a> {
    worn: &'a [Range],
    /// After each subtree: by how much the nodes behind it move.
    shifts: Vec<isize>,
}

impl<'a> Moves<'a> {
    fn new(worn: &'a [Range], fresh: &[Subtree]) -> Self {
        let mut shift = 0;
        let shifts = worn.iter().zip(fresh).map(|(range, subtree)| {
            shift += subtree.nodes.len() as isize - (range.end - range.node) as isize;
            shift
        });
        Self { worn, shifts: shifts.collect() }
    }

    /// The new number of a node that was kept or is the root of a replaced subtree.
    fn of(&self, node: usize) -> usize {
        let before = self.worn.partition_point(|range| range.node < node);
        let shift = before.checked_sub(1).map_or(0, |i| self.shifts[i]);
        node.wrapping_add_signed(shift)
    }

    fn renumbered(&self, node: &WideNode) -> WideNode {
        node.with_inner(|child| self.of(child as usize) as u32)
    }
}

impl Subtree {
    /// Renumbers the first triangles of its leaves as if so many stood before them.
    fn shift_leaves(&mut self, before: usize) {
        for node in &mut self.nodes {
            for slot in (0..8).filter(|&slot| node.count[slot] > 0) {
                node.first[slot] += before as u32;
            }
        }
    }
}

impl WideNode {
    /// Number of slots in use.
    #[inline(always)]
    pub(super) fn children(&self) -> usize {
        self.half[0].iter().take_while(|half| **half >= 0.0).count()
    }

    /// The same node with the numbers of inner children changed.
    fn with_inner(&self, number: impl Fn(u32) -> u32) -> Self {
        let mut node = *self;
        for slot in (0..self.children()).filter(|&slot| self.count[slot] == 0) {
            node.first[slot] = number(self.first[slot]);
        }
        node
    }
}

/// The costs of all subtrees.
fn costs(nodes: &[WideNode]) -> Vec<f32> {
    let mut costs = vec![0.0; nodes.len()];
    for n in (0..nodes.len()).rev() {
        costs[n] = cost(&nodes[n], &costs);
    }
    costs
}

/// The number of nodes and leaves that a query which opens this node is expected to open, itself included: a child
/// is opened as often as its surface is part of that around all of them. No motion of the whole and no scale
/// changes it.
#[inline(always)]
fn cost(node: &WideNode, costs: &[f32]) -> f32 {
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    let mut sum = 0.0;
    for slot in 0..node.children() {
        let mut extent = [0.0; 3];
        for axis in 0..3 {
            let (center, half) = (node.center[axis][slot], node.half[axis][slot]);
            min[axis] = min[axis].min(center - half);
            max[axis] = max[axis].max(center + half);
            extent[axis] = 2.0 * half;
        }
        let below = if node.count[slot] > 0 { 1.0 } else { costs[node.first[slot] as usize] };
        sum += area(extent) * below;
    }
    // Boxes are never smaller than their allowance for rounding, so that the area is positive.
    1.0 + sum / area([max[0] - min[0], max[1] - min[1], max[2] - min[2]])
}

/// Half the surface of a box.
#[inline(always)]
fn area([x, y, z]: [f32; 3]) -> f32 {
    x * y + y * z + z * x
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::RngExt;

    use super::*;
    use crate::testing::Random;
    use crate::tree::construction::build::tests::check_tree;

    /// Everything there is in a tree, costs aside.
    fn bits(tree: &WideTree) -> (String, &[u32], Vec<u32>) {
        let corners = tree.corners.iter().map(|x| x.to_bits()).collect();
        (format!("{:?}{:?}", tree.frame, tree.nodes), &tree.order, corners)
    }

    /// A tree that was never refitted, and the promise of the layout that a refit relies on.
    fn check(mesh: &Mesh, tree: &WideTree) {
        check_tree(mesh, tree);
        let whole = Range { node: 0, end: tree.nodes.len(), first: 0, last: tree.order.len() };
        assert_eq!(tree.below(0), whole);
        let (mut node, mut triangle) = (0, 0);
        follow(tree, &mut node, &mut triangle);
        assert_eq!((node, triangle), (tree.nodes.len(), tree.order.len()));
        assert_eq!(tree.costs.len(), tree.nodes.len());
        assert_eq!(tree.corners.len(), 9 * tree.order.len() + 7);
    }

    /// Walks all below `node` in the order of slots and finds every number to be the next.
    fn follow(tree: &WideTree, node: &mut usize, triangle: &mut usize) {
        let (this, start) = (*node, (*node, *triangle));
        *node += 1;
        let current = &tree.nodes[this];
        for slot in 0..current.children() {
            if current.count[slot] > 0 {
                assert_eq!(current.first[slot] as usize, *triangle);
                *triangle += current.count[slot] as usize;
            } else {
                assert_eq!(current.first[slot] as usize, *node);
                follow(tree, node, triangle);
            }
        }
        let range = Range { node: start.0, end: *node, first: start.1, last: *triangle };
        assert_eq!(tree.below(this), range);
    }

    #[test]
    fn where_nothing_moved_not_a_bit_changes() {
        for n in [1, 8, 9, 100, 20_000] {
            let mesh = Random::new(n as u64).soup(n, 0.05);
            let fresh = WideTree::new(&mesh);
            let mut tree = fresh.clone();
            assert_eq!(tree.refit(&mesh), Refit::default());
            assert_eq!(bits(&tree), bits(&fresh));
        }
    }

    #[test]
    fn turning_growing_and_moving_the_whole_wears_nothing() {
        let mesh = Random::new(1).soup(5000, 0.05);
        let mut tree = WideTree::new(&mesh);
        // Axes exchanged: the surfaces stay.
        let turned = mesh.mapped(|p| DVec3::new(p.y, -p.z, p.x) * 3e20 + DVec3::splat(1e21)).unwrap();
        assert_eq!(tree.refit(&turned), Refit::default());
        check(&turned, &tree);
    }

    #[test]
    fn after_any_motion_the_boxes_hold_the_triangles() {
        let mut rng = Random::new(2);
        for n in [3, 9, 60, 700] {
            let mesh = Random::new(n as u64).soup(n, 0.1);
            let mut tree = WideTree::new(&mesh);
            let mut rebuilt = 0;
            for step in 0..30 {
                let size = [1e-85, 1e-3, 1.0, 1e5, 1e85][rng.random_range(0..5)];
                let wild = [0.0, 0.01, 0.3, 5.0][rng.random_range(0..4)];
                let mut noise = || rng.random_range(-1.0..1.0) * wild;
                let moved = mesh.mapped(|p| (p + DVec3::new(noise(), noise(), noise())) * size).unwrap();
                rebuilt += tree.refit(&moved).rebuilt_triangles;
                check(&moved, &tree);
                assert!(step > 0 || !tree.costs.is_empty());
            }
            assert!(rebuilt > 0 || n < 60, "nothing was ever worn: the test lost its point");
        }
    }

    #[test]
    fn a_mesh_that_falls_onto_a_point_or_a_line_is_no_trouble() {
        let mesh = Random::new(3).soup(500, 0.1);
        let mut tree = WideTree::new(&mesh);
        for f in [|_: DVec3| DVec3::ONE, |p: DVec3| DVec3::X * p.x, |_: DVec3| DVec3::ZERO, |p: DVec3| p] {
            let moved = mesh.mapped(f).unwrap();
            tree.refit(&moved);
            check(&moved, &tree);
        }
    }

    #[test]
    fn scattered_triangles_are_built_again_as_if_new() {
        let mesh = Random::new(4).soup(3000, 0.02);
        let mut tree = WideTree::new(&mesh);
        let elsewhere = Random::new(5).soup(3000, 0.02);
        let done = tree.refit(&elsewhere);
        assert_eq!(done, Refit { rebuilt_subtrees: 1, rebuilt_triangles: 3000 });
        assert_eq!(bits(&tree), bits(&WideTree::new(&elsewhere)));
        check(&elsewhere, &tree);
    }

    #[test]
    fn what_moved_out_of_one_place_is_built_again_and_the_rest_stays() {
        let mesh = Random::new(6).soup(20_000, 0.01);
        let mut tree = WideTree::new(&mesh);
        // Within a small cube every triangle goes elsewhere in that cube.
        let mut rng = Random::new(7);
        let mut vertices = mesh.vertices().to_vec();
        for t in vertices.chunks_mut(3).filter(|t| t[0].abs().max_element() < 0.3) {
            let to = rng.point() * 0.3;
            let by = to - t[0];
            t.iter_mut().for_each(|p| *p += by);
        }
        let moved = mesh.with_vertices(vertices).unwrap();
        let done = tree.refit(&moved);
        // The cube holds 2.7 % of the volume.
        assert!((300..4000).contains(&done.rebuilt_triangles), "{done:?}");
        check(&moved, &tree);
        assert_eq!(tree.refit(&moved), Refit::default());
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn the_number_of_threads_changes_nothing() {
        let mesh = Random::new(8).soup(30_000, 0.01);
        let mut rng = Random::new(9);
        let mut noise = |wild: f64| rng.random_range(-1.0..1.0) * wild;
        let moved = mesh.mapped(|p| p + DVec3::new(noise(0.05), noise(0.05), noise(p.x.max(0.0)))).unwrap();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut tree = WideTree::new(&mesh);
            (pool.install(|| tree.refit(&moved)), tree)
        };
        let (one, several) = (on(1), on(3));
        assert!(one.0.rebuilt_triangles > 0);
        assert_eq!((one.0, bits(&one.1)), (several.0, bits(&several.1)));
    }
}
