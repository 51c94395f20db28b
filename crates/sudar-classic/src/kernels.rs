//! How nodes of k-DOPs are tested under a motion: by re-fitting those of the second body.

use sudar::tree::{Kernel, VolumeTree};
use sudar::volume::{AlignedCorners, AlignedSlabs, Kdop, KdopCorners, Relative, SlabBound, Volume};

/// Re-fits by a bound from three slabs, [`SlabBound`].
#[derive(Debug, Clone, Copy)]
pub struct SlabKernel<'a, const SLABS: usize> {
    a: &'a VolumeTree<Kdop<SLABS>>,
    b: &'a VolumeTree<Kdop<SLABS>>,
    aligned: AlignedSlabs<SLABS>,
}

impl<'a, const SLABS: usize> SlabKernel<'a, SLABS> {
    /// For one pair of poses; the bound is the same for all.
    pub fn new(
        a: &'a VolumeTree<Kdop<SLABS>>,
        b: &'a VolumeTree<Kdop<SLABS>>,
        bound: &SlabBound<SLABS>,
        motion: &Relative,
    ) -> Self {
        Self { a, b, aligned: bound.under(motion) }
    }
}

impl<const SLABS: usize> Kernel for SlabKernel<'_, SLABS> {
    type Placed = Kdop<SLABS>;

    fn place(&mut self, b: u32) -> Kdop<SLABS> {
        self.aligned.place(&self.b.node(b).volume)
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

/// Re-fits by the corners of the k-DOPs, kept for every node.
#[derive(Debug, Clone, Copy)]
pub struct CornerKernel<'a, const SLABS: usize> {
    a: &'a VolumeTree<Kdop<SLABS>>,
    b: &'a VolumeTree<Kdop<SLABS>>,
    corners: &'a [KdopCorners],
    aligned: AlignedCorners<SLABS>,
    root: Option<Kdop<SLABS>>,
}

impl<'a, const SLABS: usize> CornerKernel<'a, SLABS> {
    /// The corners are those of the nodes of the second tree; `root` stands for its root if it is known already.
    pub fn new(
        a: &'a VolumeTree<Kdop<SLABS>>,
        b: &'a VolumeTree<Kdop<SLABS>>,
        corners: &'a [KdopCorners],
        motion: &Relative,
        root: Option<Kdop<SLABS>>,
    ) -> Self {
        Self { a, b, corners, aligned: AlignedCorners::under(motion), root }
    }
}

impl<const SLABS: usize> Kernel for CornerKernel<'_, SLABS> {
    type Placed = Kdop<SLABS>;

    fn place(&mut self, b: u32) -> Kdop<SLABS> {
        match self.root {
            Some(root) if b == 0 => root,
            _ => self.aligned.place(&self.corners[b as usize]),
        }
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
