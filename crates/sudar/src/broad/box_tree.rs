//! A binary tree of boxes that grows and shrinks leaf by leaf.

use std::ops::ControlFlow;

use crate::search::depth_first;
use crate::shape::Aabb;

/// Leaves hold one box and a number each.
#[derive(Debug, Clone)]
pub(crate) struct BoxTree {
    nodes: Vec<Node>,
    root: u32,
    free: Vec<u32>,
    /// The leaf of each number.
    leaf_of: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Aabb,
    parent: u32,
    /// Two nodes, or [`NONE`] and the number of a leaf.
    children: [u32; 2],
}

const NONE: u32 = u32::MAX;

/// Searches here go to their end.
const ALL: ControlFlow<()> = ControlFlow::Continue(());

impl Default for BoxTree {
    fn default() -> Self {
        Self { nodes: Vec::new(), root: NONE, free: Vec::new(), leaf_of: Vec::new() }
    }
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

impl BoxTree {
    /// A tree from scratch: at the median of the centres on the axis where they spread most. O(n log n).
    pub fn build(mut leaves: Vec<(Aabb, u32)>) -> Self {
        let mut tree = Self::default();
        tree.nodes.reserve(2 * leaves.len());
        tree.leaf_of.resize(leaves.iter().map(|(_, i)| *i as usize + 1).max().unwrap_or(0), NONE);
        if !leaves.is_empty() {
            tree.root = tree.build_below(&mut leaves);
        }
        tree
    }

    fn build_below(&mut self, leaves: &mut [(Aabb, u32)]) -> u32 {
        if let [(bounds, number)] = leaves {
            let leaf = self.add(Node { bounds: *bounds, parent: NONE, children: [NONE, *number] });
            self.leaf_of[*number as usize] = leaf;
            return leaf;
        }
        let centers = Aabb::around(leaves.iter().map(|(b, _)| middle(b)));
        let spread = centers.extent();
        let axis = [1, 2].into_iter().fold(0, |best, k| if spread[k] > spread[best] { k } else { best });
        let half = leaves.len() / 2;
        leaves.select_nth_unstable_by(half, |(a, i), (b, j)| {
            middle(a)[axis].total_cmp(&middle(b)[axis]).then(i.cmp(j))
        });
        let (low, high) = leaves.split_at_mut(half);
        let children = [self.build_below(low), self.build_below(high)];
        self.join(children)
    }

    /// The boxes of all nodes, each with its level, from the root down.
    pub fn levels(&self) -> Vec<(u32, Aabb)> {
        let mut found = Vec::new();
        let mut todo: Vec<(u32, u32)> = (self.root != NONE).then_some((0, self.root)).into_iter().collect();
        while let Some((level, number)) = todo.pop() {
            let node = &self.nodes[number as usize];
            found.push((level, node.bounds));
            if !node.is_leaf() {
                todo.extend(node.children.map(|child| (level + 1, child)));
            }
        }
        found
    }

    /// A new parent of two nodes.
    fn join(&mut self, children: [u32; 2]) -> u32 {
        let [a, b] = children.map(|child| self.nodes[child as usize].bounds);
        let parent = self.add(Node { bounds: a.union(b), parent: NONE, children });
        children.iter().for_each(|&child| self.nodes[child as usize].parent = parent);
        parent
    }

    fn add(&mut self, node: Node) -> u32 {
        if let Some(place) = self.free.pop() {
            self.nodes[place as usize] = node;
            return place;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Adds a leaf where it makes boxes grow least, going down from the root.
    pub fn insert(&mut self, bounds: Aabb, number: u32) {
        let leaf = self.add(Node { bounds, parent: NONE, children: [NONE, number] });
        if self.leaf_of.len() <= number as usize {
            self.leaf_of.resize(number as usize + 1, NONE);
        }
        self.leaf_of[number as usize] = leaf;
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.best_sibling(&bounds);
        let above = self.nodes[sibling as usize].parent;
        let parent = self.join([sibling, leaf]);
        self.replace_child(above, sibling, parent);
        self.refit(above);
    }

    /// Going down is worth it while a child can take the box with less growth than making it a sibling here costs.
    fn best_sibling(&self, bounds: &Aabb) -> u32 {
        let mut best = self.root;
        loop {
            let node = &self.nodes[best as usize];
            if node.is_leaf() {
                return best;
            }
            let (area, joined) = (surface(&node.bounds), surface(&node.bounds.union(*bounds)));
            let inherited = 2.0 * (joined - area);
            let cost = |child: u32| {
                let child = &self.nodes[child as usize];
                let union = surface(&child.bounds.union(*bounds));
                inherited + if child.is_leaf() { union } else { union - surface(&child.bounds) }
            };
            let [a, b] = node.children.map(cost);
            if 2.0 * joined < a && 2.0 * joined < b {
                return best;
            }
            best = node.children[usize::from(b < a)];
        }
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        self.nodes[new as usize].parent = parent;
        match self.nodes.get_mut(parent as usize) {
            Some(node) => node.children = node.children.map(|child| if child == old { new } else { child }),
            None => self.root = new,
        }
    }

    /// Makes the boxes of a node and of those above it fit.
    fn refit(&mut self, mut number: u32) {
        while number != NONE {
            let [a, b] = self.nodes[number as usize].children.map(|child| self.nodes[child as usize].bounds);
            let node = &mut self.nodes[number as usize];
            node.bounds = a.union(b);
            number = node.parent;
        }
    }

    /// Takes a leaf out, if it is there.
    pub fn remove(&mut self, number: u32) {
        let Some(place) = self.leaf_of.get_mut(number as usize) else { return };
        let leaf = std::mem::replace(place, NONE);
        if leaf == NONE {
            return;
        }
        self.free.push(leaf);
        let parent = self.nodes[leaf as usize].parent;
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { children: [a, b], parent: above, .. } = self.nodes[parent as usize];
        self.free.push(parent);
        self.replace_child(above, parent, if a == leaf { b } else { a });
        self.refit(above);
    }

    /// Calls `visit` with the numbers of all leaves whose box and those around it pass. Gives back how many
    /// nodes were visited.
    pub fn search(&self, passes: impl Fn(&Aabb) -> bool, mut visit: impl FnMut(u32)) -> u64 {
        let mut visits = 0;
        depth_first(self.roots(), |number, todo| {
            visits += 1;
            let node = &self.nodes[number as usize];
            if passes(&node.bounds) {
                if node.is_leaf() {
                    visit(node.children[1]);
                } else {
                    todo.extend(node.children);
                }
            }
            ALL
        });
        visits
    }

    /// The root, if there is one, and room for what is below it.
    fn roots(&self) -> Vec<u32> {
        let mut roots = Vec::with_capacity(64);
        roots.extend((self.root != NONE).then_some(self.root));
        roots
    }

    /// The box around all leaves.
    pub fn bounds(&self) -> Aabb {
        self.nodes.get(self.root as usize).map_or(Aabb::EMPTY, |root| root.bounds)
    }

    /// Calls `visit` with the numbers of leaves whose bound, and that of those around them, is at most
    /// `upto`, of two halves the nearer first. It returns the new `upto`, and so does this.
    pub fn nearest_first(
        &self,
        bound: impl Fn(&Aabb) -> f64,
        mut upto: f64,
        mut visit: impl FnMut(u32) -> f64,
    ) -> f64 {
        let bounded = |number: u32| (bound(&self.nodes[number as usize].bounds), number);
        let mut roots = Vec::with_capacity(64);
        roots.extend((self.root != NONE).then(|| bounded(self.root)));
        depth_first(roots, |(nearest, number), todo| {
            let node = &self.nodes[number as usize];
            if nearest <= upto && node.is_leaf() {
                upto = upto.min(visit(node.children[1]));
            } else if nearest <= upto {
                let (a, b) = (bounded(node.children[0]), bounded(node.children[1]));
                let farther_first = if b.0 < a.0 { [a, b] } else { [b, a] };
                todo.extend(farther_first.into_iter().filter(|(bound, _)| *bound <= upto));
            }
            ALL
        });
        upto
    }

    /// Calls `visit` with all pairs of leaves of this tree that overlap.
    pub fn own_pairs(&self, visit: &mut impl FnMut(u32, u32)) -> u64 {
        let mut visits = 0;
        depth_first(self.roots(), |number, todo| {
            let node = &self.nodes[number as usize];
            if !node.is_leaf() {
                todo.extend(node.children);
                visits += 1 + self.pairs_of(node.children[0], self, node.children[1], visit);
            }
            ALL
        });
        visits
    }

    /// Calls `visit` with all pairs of a leaf of this tree and one of another that overlap.
    pub fn pairs_with(&self, other: &Self, visit: &mut impl FnMut(u32, u32)) -> u64 {
        if self.root == NONE || other.root == NONE {
            0
        } else {
            self.pairs_of(self.root, other, other.root, visit)
        }
    }

    fn pairs_of(&self, a: u32, other: &Self, b: u32, visit: &mut impl FnMut(u32, u32)) -> u64 {
        let mut visits = 0;
        depth_first(vec![(a, b)], |(a, b), todo| {
            visits += 1;
            let (first, second) = (&self.nodes[a as usize], &other.nodes[b as usize]);
            if !super::boxes::overlap(&first.bounds, &second.bounds) {
                return ALL;
            }
            // The larger of two inner nodes is opened.
            let first_is_larger = || surface(&first.bounds) >= surface(&second.bounds);
            match (first.is_leaf(), second.is_leaf()) {
                (true, true) => visit(first.children[1], second.children[1]),
                (false, second_is_leaf) if second_is_leaf || first_is_larger() => {
                    todo.extend(first.children.map(|child| (child, b)));
                }
                _ => todo.extend(second.children.map(|child| (a, child))),
            }
            ALL
        });
        visits
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + 4 * (self.free.capacity() + self.leaf_of.capacity())
    }
}

/// Half the surface of a box.
fn surface(b: &Aabb) -> f64 {
    let e = b.extent();
    e.x * (e.y + e.z) + e.y * e.z
}

/// The centre of a box, also of one without end.
fn middle(b: &Aabb) -> glam::DVec3 {
    let range = glam::DVec3::splat(1e300);
    b.min.clamp(-range, range) * 0.5 + b.max.clamp(-range, range) * 0.5
}
