//! k-DOPs as bounding volumes.

use sudar::glam::DVec3;
use sudar::volume::{Relative, Volume};

use super::kdop::{Kdop, height};
use super::kdop_refit::{AlignedSlabs, SlabBound};

impl<const SLABS: usize> Volume for Kdop<SLABS> {
    type Placed = Self;
    type Motion = AlignedSlabs<SLABS>;

    fn fit(points: &[DVec3]) -> Option<Self> {
        (!points.is_empty()).then(|| Self::around(points.iter().copied()))
    }

    fn merged(&self, other: &Self) -> Self {
        let mut merged = *self;
        for i in 0..SLABS {
            merged.low[i] = merged.low[i].min(other.low[i]);
            merged.high[i] = merged.high[i].max(other.high[i]);
        }
        merged
    }

    fn volume(&self) -> f64 {
        if SLABS == 3 { self.extents().element_product() } else { self.polytope().volume() }
    }

    fn middle(&self) -> DVec3 {
        let middle = |i: usize| f64::midpoint(self.low[i], self.high[i]);
        DVec3::new(middle(0), middle(1), middle(2))
    }

    fn extents(&self) -> DVec3 {
        let extent = |i: usize| self.high[i] - self.low[i];
        DVec3::new(extent(0), extent(1), extent(2))
    }

    fn holds(&self, p: DVec3) -> bool {
        Self::DIRECTIONS.iter().enumerate().all(|(i, direction)| {
            let (low, high) = height(*direction, p);
            self.low[i] <= high && low <= self.high[i]
        })
    }

    /// Along the shared directions only, so that two that are apart along another may count as overlapping.
    fn overlaps(&self, other: &Self) -> bool {
        self.separating_direction(other).is_none()
    }

    fn under(motion: &Relative) -> AlignedSlabs<SLABS> {
        SlabBound::new().under(motion)
    }

    /// The re-fit by [`SlabBound`].
    fn placed(&self, motion: &AlignedSlabs<SLABS>) -> Self {
        motion.place(self)
    }

    fn meets(&self, placed: &Self) -> bool {
        self.separating_direction(placed).is_none()
    }

    fn between(&self, placed: &Self) -> f64 {
        (self.middle() - placed.middle()).length_squared()
    }
}
