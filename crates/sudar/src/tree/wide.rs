//! The eight-wide tree over the triangles of a mesh: layout and meaning.
//!
//! Layout after Embree's wide BVHs (Wald et al. 2014, "Embree: a kernel framework for efficient CPU ray
//! tracing"): the boxes of a node's eight children side by side, one SIMD register a coordinate. Boxes are kept
//! as centre and half extent, which is what tests between oriented boxes need.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::oriented::Oriented;
use super::pairs::frame::Frame;
use crate::shape::Aabb;

/// Most triangles in a leaf; eight fill a SIMD register.
pub const LEAF_SIZE: usize = 8;

/// Eight boxes side by side: `center[axis][child]`, `half[axis][child]`. A slot without a child has a half
/// extent of −∞ and meets nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct WideNode {
    pub center: [[f32; 8]; 3],
    pub half: [[f32; 8]; 3],
    /// Inner child: number of its node. Leaf: place of its first triangle in the order of the leaves.
    pub first: [u32; 8],
    /// Number of triangles of a leaf; zero for an inner child.
    pub count: [u8; 8],
}

impl WideNode {
    /// A node without children.
    pub const EMPTY: Self =
        Self { center: [[0.0; 8]; 3], half: [[f32::NEG_INFINITY; 8]; 3], first: [0; 8], count: [0; 8] };
}

/// The slabs of a node's eight children, side by side: the points x of the frame of the tree with
/// `|normal·(x − c) − offset| ≤ half`, where c is the centre of the child's box.
///
/// Meant exactly, with the numbers as stored; the normal is of length one up to rounding, or zero where the areas
/// below cancel. Slots without a child hold zeros, which let everything through.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct SlabNode {
    pub normal: [[f32; 8]; 3],
    pub offset: [f32; 8],
    pub half: [f32; 8],
}

impl SlabNode {
    /// Of a node without children.
    pub const EMPTY: Self = Self { normal: [[0.0; 8]; 3], offset: [0.0; 8], half: [0.0; 8] };
}

/// A bounding-volume hierarchy over the triangles of one mesh, in the mesh's own frame.
///
/// Flat arrays, addressed by number: cheap to clone and share. About 50 bytes a triangle, of which 36 are the
/// triangle's corners in `f32` for the leaf filter. Every box holds the exact triangles below it, rounding
/// included. The tree depends on the mesh alone: not on threads, SIMD level or platform.
#[derive(Debug, Clone)]
pub struct WideTree {
    pub(super) frame: Frame,
    /// Node 0 is the root. A node stands right before its descendants: first those below its first slot, and so on.
    /// Slots are filled from the first.
    pub(super) nodes: Vec<WideNode>,
    /// Triangle numbers of the mesh, leaf by leaf in the order of the nodes: those below any node are neighbours.
    pub(super) order: Vec<u32>,
    /// The corners of each leaf's n triangles at `9·first`: nine runs of n numbers, ax ay az bx … cz; at the end
    /// seven numbers of padding, so that eight can be read at each run.
    pub(super) corners: Vec<f32>,
    /// What each node's subtree cost a query when it was built, see `refit.rs`; empty until the first refit.
    pub(super) costs: Vec<f32>,
    /// Fitted when a traversal first becomes long. Must be emptied when a box or corner moves.
    pub(super) slabs: OnceLock<Vec<SlabNode>>,
    /// Fitted on the first distance query, or a traversal finds that the boxes separate too little. To be
    /// emptied likewise.
    pub(super) oriented: OnceLock<Arc<Oriented>>,
}

impl WideTree {
    /// The frame of its numbers.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Memory of the tree in bytes, without the mesh.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes)
            + size_of_val(&*self.order)
            + size_of_val(&*self.corners)
            + size_of_val(&*self.costs)
            + self.slab_bytes()
    }

    /// The share of the slabs across mean normals in this; 0 as long as no search needed them.
    pub fn slab_bytes(&self) -> usize {
        self.slabs.get().map_or(0, |slabs| size_of_val(&**slabs))
    }

    /// Memory of the oriented boxes, which [`WideTree::bytes`] does not count; 0 as long as no search needed them.
    pub fn oriented_bytes(&self) -> usize {
        self.oriented.get().map_or(0, |oriented| oriented.bytes())
    }

    /// The boxes of node `n` in mesh coordinates with what they hold: an inner node's number or a leaf's
    /// triangles. For checking and drawing.
    pub fn children(&self, n: usize) -> impl Iterator<Item = (Aabb, Child<'_>)> {
        let node = &self.nodes[n];
        let unit = 1.0 / crate::math::power_of_two(self.frame.exponent);
        (0..8).filter(|&i| node.half[0][i] >= 0.0).map(move |i| {
            let at =
                |rows: &[[f32; 8]; 3]| DVec3::new(rows[0][i].into(), rows[1][i].into(), rows[2][i].into());
            let (center, half) = (at(&node.center), at(&node.half));
            let place = |p: DVec3| self.frame.origin + p * unit;
            let aabb = Aabb { min: place(center - half), max: place(center + half) };
            (aabb, self.child(node, i))
        })
    }

    fn child(&self, node: &WideNode, i: usize) -> Child<'_> {
        let first = node.first[i] as usize;
        match node.count[i] as usize {
            0 => Child::Node(first),
            n => Child::Leaf(&self.order[first..first + n]),
        }
    }

    /// The triangle numbers of a leaf.
    #[inline(always)]
    pub(super) fn leaf(&self, first: u32, count: u8) -> &[u32] {
        &self.order[first as usize..first as usize + count as usize]
    }
}

/// What a slot of a node holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child<'a> {
    /// The number of a node further down.
    Node(usize),
    /// The numbers of one to eight triangles.
    Leaf(&'a [u32]),
}
