//! How nodes of k-DOPs are tested under a motion: by re-fitting those of the second body.

use crate::tree::{Kernel, VolumeTree};
use crate::volume::{AlignedCorners, AlignedSlabs, Kdop, KdopCorners, SlabBound};
use sudar::volume::{Relative, Volume};

/// A way to fit a k-DOP around another that was turned.
pub trait Refitting<const SLABS: usize> {
    /// Around node `node`, whose own volume is given.
    fn refitted(&self, node: u32, volume: &Kdop<SLABS>) -> Kdop<SLABS>;
}

/// By a bound from three slabs, [`SlabBound`].
impl<const SLABS: usize> Refitting<SLABS> for AlignedSlabs<SLABS> {
    fn refitted(&self, _: u32, volume: &Kdop<SLABS>) -> Kdop<SLABS> {
        self.place(volume)
    }
}

/// By the corners of the k-DOPs, kept for every node.
#[derive(Debug, Clone, Copy)]
pub struct ByCorners<'a, const SLABS: usize> {
    corners: &'a [KdopCorners],
    aligned: AlignedCorners<SLABS>,
    root: Option<Kdop<SLABS>>,
}

impl<const SLABS: usize> Refitting<SLABS> for ByCorners<'_, SLABS> {
    fn refitted(&self, node: u32, _: &Kdop<SLABS>) -> Kdop<SLABS> {
        match self.root {
            Some(root) if node == 0 => root,
            _ => self.aligned.place(&self.corners[node as usize]),
        }
    }
}

/// Tests of two trees of k-DOPs, those of the second re-fitted.
#[derive(Debug, Clone, Copy)]
pub struct RefitKernel<'a, R, const SLABS: usize> {
    a: &'a VolumeTree<Kdop<SLABS>>,
    b: &'a VolumeTree<Kdop<SLABS>>,
    refit: R,
}

impl<'a, const SLABS: usize> RefitKernel<'a, AlignedSlabs<SLABS>, SLABS> {
    /// For one pair of poses; the bound is the same for all.
    pub fn by_slabs(
        a: &'a VolumeTree<Kdop<SLABS>>,
        b: &'a VolumeTree<Kdop<SLABS>>,
        bound: &SlabBound<SLABS>,
        motion: &Relative,
    ) -> Self {
        Self { a, b, refit: bound.under(motion) }
    }
}

impl<'a, const SLABS: usize> RefitKernel<'a, ByCorners<'a, SLABS>, SLABS> {
    /// The corners are those of the nodes of the second tree; `root` stands for its root if it is known already.
    pub fn by_corners(
        a: &'a VolumeTree<Kdop<SLABS>>,
        b: &'a VolumeTree<Kdop<SLABS>>,
        corners: &'a [KdopCorners],
        motion: &Relative,
        root: Option<Kdop<SLABS>>,
    ) -> Self {
        Self { a, b, refit: ByCorners { corners, aligned: AlignedCorners::under(motion), root } }
    }
}

impl<R: Refitting<SLABS>, const SLABS: usize> Kernel for RefitKernel<'_, R, SLABS> {
    type Placed = Kdop<SLABS>;

    fn place(&mut self, b: u32) -> Kdop<SLABS> {
        self.refit.refitted(b, &self.b.node(b).volume)
    }

    fn meets(&mut self, a: u32, placed: &Kdop<SLABS>) -> bool {
        self.a.node(a).volume.meets(placed)
    }

    fn between(&self, a: u32, placed: &Kdop<SLABS>) -> f64 {
        self.a.node(a).volume.between(placed)
    }

    fn size_a(&self, a: u32) -> f64 {
        self.a.node(a).volume.extents().element_product()
    }

    fn size_b(&self, b: u32) -> f64 {
        self.b.node(b).volume.extents().element_product()
    }
}
