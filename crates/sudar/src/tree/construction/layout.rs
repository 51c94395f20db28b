//! The shape of a tree without its boxes, to be kept beside a mesh: some four bytes a triangle.
//!
//! Boxes follow from the mesh and the shape, in one sweep, so that what is read back cannot hold a box that lies.

use std::sync::OnceLock;

use thiserror::Error;

use super::build::{Triangles, scaled_points};
use crate::shape::Mesh;
use crate::tree::pairs::frame::Frame;
use crate::tree::wide::{LEAF_SIZE, WideNode, WideTree};

/// Which triangles lie in which leaf of a tree, and how its nodes branch: [`WideTree::layout`] takes it off, and
/// [`WideTree::with_layout`] makes the same tree of it again, to the last bit, in a third of the time that building
/// takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TreeLayout {
    /// The numbers of the triangles, leaf by leaf.
    pub order: Vec<u32>,
    /// For each node, in the order of the nodes: how many children it has, then for each the number of triangles of a
    /// leaf, 0 for an inner node.
    pub children: Vec<u8>,
}

/// Why a layout was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// It is of a mesh with another number of triangles.
    #[error("the layout of the tree is for {layout} triangles, the mesh has {mesh}; build the tree anew")]
    Count {
        /// Triangles of the layout.
        layout: usize,
        /// Triangles of the mesh.
        mesh: usize,
    },
    /// A triangle is missing, or is there twice.
    #[error("the layout of the tree does not hold each triangle once; build the tree anew")]
    Order,
    /// Its nodes do not make one tree.
    #[error("the nodes of the layout do not make one tree; build the tree anew")]
    Nodes,
}

impl WideTree {
    /// The shape of the tree. O(n).
    pub fn layout(&self) -> TreeLayout {
        let mut children = Vec::with_capacity(self.nodes.len() * 6);
        for node in &self.nodes {
            let count = node.children();
            children.push(count as u8);
            children.extend_from_slice(&node.count[..count]);
        }
        TreeLayout { order: self.order.clone(), children }
    }

    /// The tree of this shape over a mesh. O(n), about 10 ns a triangle.
    ///
    /// # Errors
    /// [`LayoutError`] unless each triangle is in one leaf and the nodes make one tree.
    pub fn with_layout(mesh: &Mesh, layout: &TreeLayout) -> Result<Self, LayoutError> {
        let count = mesh.triangles().len();
        if layout.order.len() != count {
            return Err(LayoutError::Count { layout: layout.order.len(), mesh: count });
        }
        check_order(&layout.order)?;
        let frame = Frame::around(mesh.aabb());
        let mut tree = Self {
            frame,
            nodes: nodes(layout)?,
            order: layout.order.clone(),
            corners: vec![0.0; 9 * count + 7],
            costs: Vec::new(),
            slabs: OnceLock::new(),
            oriented: OnceLock::new(),
        };
        let points = scaled_points(mesh, &tree.frame);
        tree.fit(&Triangles { points: &points, corners: mesh.triangles() });
        Ok(tree)
    }
}

fn check_order(order: &[u32]) -> Result<(), LayoutError> {
    let mut seen = vec![false; order.len()];
    for &i in order {
        match seen.get_mut(i as usize) {
            Some(seen) if !*seen => *seen = true,
            Some(_) | None => return Err(LayoutError::Order),
        }
    }
    Ok(())
}

/// The nodes without boxes: each right before its descendants, leaves numbered as they come.
fn nodes(layout: &TreeLayout) -> Result<Vec<WideNode>, LayoutError> {
    let mut rest = layout.children.as_slice();
    let (mut nodes, mut triangles) = (Vec::new(), 0u32);
    // Nodes that are not finished: their numbers, and the next slot of each.
    let mut open: Vec<(usize, usize)> = Vec::new();
    loop {
        let children = take(&mut rest)?;
        // Below the root a node with one child would be none, and there could be any number of them.
        let least = if nodes.is_empty() { 1 } else { 2 };
        if !(least..=8).contains(&children) {
            return Err(LayoutError::Nodes);
        }
        let mut node = WideNode::EMPTY;
        for slot in 0..usize::from(children) {
            node.count[slot] = take(&mut rest)?;
            // In use, with a box to come.
            node.half[0][slot] = 0.0;
        }
        open.push((nodes.len(), 0));
        nodes.push(node);
        // The next inner child of the innermost node that has one left.
        let found = loop {
            let Some((place, slot)) = open.last_mut() else { break false };
            if *slot == nodes[*place].children() {
                open.pop();
                continue;
            }
            let (place, here) = (*place, *slot);
            *slot += 1;
            match nodes[place].count[here] {
                0 => {
                    let next = nodes.len() as u32;
                    nodes[place].first[here] = next;
                    break true;
                }
                count if usize::from(count) <= LEAF_SIZE => {
                    nodes[place].first[here] = triangles;
                    triangles += u32::from(count);
                }
                _ => return Err(LayoutError::Nodes),
            }
        };
        if !found {
            let is_whole = rest.is_empty() && triangles as usize == layout.order.len();
            return if is_whole { Ok(nodes) } else { Err(LayoutError::Nodes) };
        }
    }
}

fn take(rest: &mut &[u8]) -> Result<u8, LayoutError> {
    let (first, others) = rest.split_first().ok_or(LayoutError::Nodes)?;
    *rest = others;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::testing::Random;
    use crate::tree::construction::build::tests::check_tree;

    fn bits(tree: &WideTree) -> (String, &[u32], Vec<u32>) {
        let corners = tree.corners.iter().map(|x| x.to_bits()).collect();
        // Slots without a child hold any number.
        let mut nodes = tree.nodes.clone();
        for node in &mut nodes {
            let used = node.children();
            node.first[used..].fill(0);
        }
        (format!("{:?}{nodes:?}", tree.frame), &tree.order, corners)
    }

    #[test]
    fn a_tree_comes_back_to_the_last_bit() {
        for n in [1, 2, 8, 9, 65, 1000, 20_000] {
            let mesh = Random::new(n as u64).soup(n, 0.05);
            let tree = WideTree::new(&mesh);
            let layout = tree.layout();
            assert!(layout.children.len() < n + 2, "{} bytes for {n} triangles", layout.children.len());
            let again = WideTree::with_layout(&mesh, &layout).unwrap();
            check_tree(&mesh, &again);
            assert_eq!(bits(&tree), bits(&again));
            assert_eq!(again.layout(), layout);
        }
    }

    #[test]
    fn a_damaged_layout_is_refused_or_holds_all_triangles() {
        let mut random = Random::new(9);
        let mesh = random.soup(300, 0.2);
        let whole = WideTree::new(&mesh).layout();
        let mut refused = 0;
        for _ in 0..20_000 {
            let mut layout = whole.clone();
            match random.random_range(0..4) {
                0 => {
                    let i = random.random_range(0..layout.children.len());
                    layout.children[i] = random.random_range(0..11);
                }
                1 => {
                    let i = random.random_range(0..layout.children.len());
                    layout.children.remove(i);
                }
                2 => {
                    let i = random.random_range(0..layout.order.len());
                    layout.order[i] = random.random_range(0..310);
                }
                _ => layout.children.truncate(random.random_range(0..layout.children.len())),
            }
            match WideTree::with_layout(&mesh, &layout) {
                Ok(tree) => check_tree(&mesh, &tree),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 15_000, "{refused}");
        let short = TreeLayout { order: vec![0], children: vec![1, 1] };
        let count = LayoutError::Count { layout: 1, mesh: 300 };
        assert_eq!(WideTree::with_layout(&mesh, &short).unwrap_err(), count);
    }
}
