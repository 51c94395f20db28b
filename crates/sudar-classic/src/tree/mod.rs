//! A hierarchy of any kind of bounding volume, with its rules as values: what the classic systems are made of.
//!
//! [`VolumeTree`] is a flat array of nodes over [`Items`], which are triangles, patches or anything that has
//! points. How it is built is said by [`BuildRules`] (or bottom-up, or for spheres by octants), how two trees
//! are searched by a [`Descent`] and an order of [`Siblings`]; [`traverse`] is the search, [`Front`] the one
//! that begins where the last one ended; [`traverse_watched`] tells each pair that it tests.
//!
//! [`sudar::tree::WideTree`] is faster. This one is for comparing ideas on equal terms and for trees that are none
//! of triangles.

mod bottom_up;
mod build;
mod front;
mod items;
mod kernel;
mod octants;
mod rules;
mod split;
#[cfg(test)]
mod tests;
mod traverse;
mod watch;

pub use front::{Front, FrontDepth};
pub use items::Items;
pub use kernel::{Direct, Kernel};
pub use rules::{BuildRules, SplitAxis, SplitPoint, UnsplitRule};
pub(crate) use traverse::order_few;
pub use traverse::{Descent, End, Siblings, TraversalOrder, traverse, traverse_from, visit};
pub use watch::{Fate, Visit, traverse_watched};

use std::ops::Range;

use sudar::volume::Volume;

/// A node: a volume around items, and either children or items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<V> {
    /// Contains all points of all items below.
    pub volume: V,
    /// Of a leaf the place of its first item in [`VolumeTree::order`], else the number of the first child.
    pub first: u32,
    /// How many items or children.
    pub count: u32,
    /// Whether it has items.
    pub is_leaf: bool,
}

/// A tree of bounding volumes. Node 0 is the root, the children of a node follow each other, and come after it.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeTree<V> {
    nodes: Vec<Node<V>>,
    order: Vec<u32>,
}

impl<V> Default for VolumeTree<V> {
    /// A tree over no items.
    fn default() -> Self {
        Self { nodes: Vec::new(), order: Vec::new() }
    }
}

impl<V: Volume> VolumeTree<V> {
    /// The nodes; none only of a tree over no items.
    pub fn nodes(&self) -> &[Node<V>] {
        &self.nodes
    }

    /// The items in the order of the leaves.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Node `i`.
    #[inline]
    pub fn node(&self, i: u32) -> &Node<V> {
        &self.nodes[i as usize]
    }

    /// The numbers of the children of node `i`; none of a leaf.
    #[inline]
    pub fn children(&self, i: u32) -> Range<u32> {
        let node = self.node(i);
        if node.is_leaf { 0..0 } else { node.first..node.first + node.count }
    }

    /// The items of leaf `i`; none of an inner node.
    #[inline]
    pub fn items(&self, i: u32) -> &[u32] {
        let node = self.node(i);
        let (first, count) = (node.first as usize, if node.is_leaf { node.count as usize } else { 0 });
        self.order.get(first..first + count).unwrap_or(&[])
    }

    /// All items below node `i`, in the order of the leaves.
    pub fn items_below(&self, i: u32) -> Vec<u32> {
        let (mut todo, mut found) = (vec![i], Vec::new());
        todo.retain(|&i| (i as usize) < self.nodes.len());
        while let Some(i) = todo.pop() {
            found.extend_from_slice(self.items(i));
            todo.extend(self.children(i).rev());
        }
        found
    }

    /// The number of nodes on the longest way from the root to a leaf.
    pub fn depth(&self) -> usize {
        let mut depths = vec![1; self.nodes.len()];
        for i in 0..self.nodes.len() {
            for child in self.children(i as u32) {
                depths[child as usize] = depths[i] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The sum of the volumes of all nodes: what rules of splitting are compared by.
    pub fn total_volume(&self) -> f64 {
        self.nodes.iter().map(|node| node.volume.volume()).sum()
    }

    /// The memory of nodes and order.
    pub fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.order.as_slice())
    }

    /// Fits all volumes anew to items that have moved, from the leaves up: those of leaves to the points,
    /// those above by merging. The shape of the tree stays, so that it becomes looser than a new one where
    /// items move far. O(n).
    ///
    /// The items must be as many as the tree was built over; those beyond are left out.
    pub fn refit(&mut self, items: &Items) {
        let mut points = Vec::new();
        for i in (0..self.nodes.len()).rev() {
            let node = self.nodes[i];
            let fitted = if node.is_leaf {
                points.clear();
                self.items(i as u32).iter().for_each(|&item| points.extend_from_slice(items.points(item)));
                V::fit(&points)
            } else {
                let volumes = self.children(i as u32).map(|child| self.node(child).volume);
                volumes.reduce(|a, b| a.merged(&b))
            };
            self.nodes[i].volume = fitted.unwrap_or(node.volume);
        }
    }
}
