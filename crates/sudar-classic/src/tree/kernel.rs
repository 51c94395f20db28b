//! What is tested where two trees meet.

use super::VolumeTree;
use sudar::volume::{Relative, Volume};

/// Tests nodes of a first tree against those of a second, which is seen from the frame of the first.
pub trait Kernel {
    /// A node of the second tree in the frame of the first.
    type Placed: Copy;

    /// Brings a node of the second tree into the frame of the first.
    fn place(&mut self, b: u32) -> Self::Placed;

    /// Whether a node of the first tree and one of the second may have a point in common.
    fn meets(&mut self, a: u32, placed: &Self::Placed) -> bool;

    /// A number that is smaller for pairs that are nearer to each other.
    fn between(&self, a: u32, placed: &Self::Placed) -> f64;

    /// How large a node of the first tree is, to be compared with one of the second.
    fn size_a(&self, a: u32) -> f64;

    /// How large a node of the second tree is.
    fn size_b(&self, b: u32) -> f64;
}

/// Tests volumes as they are.
#[derive(Debug, Clone)]
pub struct Direct<'a, V: Volume> {
    a: &'a VolumeTree<V>,
    b: &'a VolumeTree<V>,
    motion: V::Motion,
}

impl<'a, V: Volume> Direct<'a, V> {
    /// The second tree moved into the frame of the first.
    pub fn new(a: &'a VolumeTree<V>, b: &'a VolumeTree<V>, motion: &Relative) -> Self {
        Self { a, b, motion: V::under(motion) }
    }
}

impl<V: Volume> Kernel for Direct<'_, V> {
    type Placed = V::Placed;

    fn place(&mut self, b: u32) -> V::Placed {
        self.b.node(b).volume.placed(&self.motion)
    }

    fn meets(&mut self, a: u32, placed: &V::Placed) -> bool {
        self.a.node(a).volume.meets(placed)
    }

    fn between(&self, a: u32, placed: &V::Placed) -> f64 {
        self.a.node(a).volume.between(placed)
    }

    fn size_a(&self, a: u32) -> f64 {
        size(&self.a.node(a).volume)
    }

    fn size_b(&self, b: u32) -> f64 {
        size(&self.b.node(b).volume)
    }
}

/// The product of the extents, as quick to have for a k-DOP as for a box.
fn size<V: Volume>(volume: &V) -> f64 {
    volume.extents().element_product()
}
