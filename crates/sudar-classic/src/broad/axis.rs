//! Sort and sweep along one axis (Baraff 1992, "Dynamic simulation of non-penetrating rigid bodies").

use sudar::broad::Boxes;
use sudar::broad::Region;
use sudar::broad::{FoundPairs, PairFinder};
use sudar::shape::Aabb;

/// The boxes are sorted by their least coordinate on the axis on which their centres vary most, and each is
/// compared with those that begin before it ends: O(n log n) plus the pairs that overlap on that axis.
///
/// The order is kept, so that sorting boxes which moved little is quick.
#[derive(Debug, Clone, Default)]
pub(super) struct OneAxis {
    axis: usize,
    order: Vec<u32>,
    /// Greatest length of a box on that axis.
    longest: f64,
}

impl PairFinder for OneAxis {
    fn name(&self) -> &str {
        "axis"
    }

    fn inserted(&mut self, _boxes: &Boxes, i: u32) {
        self.order.push(i);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.sort(boxes);
        let k = self.axis;
        for (place, &i) in self.order.iter().enumerate() {
            let end = boxes.get(i).max[k];
            let begun = self.order[place + 1..].iter().take_while(|&&j| boxes.get(j).min[k] <= end);
            begun.for_each(|&j| found.test(boxes, i, j));
        }
    }

    fn search(&self, boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        let Some(bounds) = region.bounds() else { return false };
        let k = self.axis;
        // No box that begins farther before the region than the longest is long reaches it.
        let early = bounds.min[k] - self.longest;
        let first = self.order.partition_point(|&i| boxes.get(i).min[k] < early.next_down());
        let begun = self.order[first..].iter().take_while(|&&i| boxes.get(i).min[k] <= bounds.max[k]);
        begun.for_each(|&i| visit(i));
        true
    }

    fn bytes(&self) -> usize {
        4 * self.order.capacity()
    }
}

impl OneAxis {
    fn sort(&mut self, boxes: &Boxes) {
        self.order.retain(|&i| boxes.is_live(i));
        self.axis = widest_axis(|| self.order.iter().map(|&i| boxes.get(i)));
        let k = self.axis;
        self.order.sort_by(|&i, &j| boxes.get(i).min[k].total_cmp(&boxes.get(j).min[k]).then(i.cmp(&j)));
        let lengths = self.order.iter().map(|&i| (boxes.get(i).max[k] - boxes.get(i).min[k]).next_up());
        self.longest = lengths.fold(0.0, f64::max);
    }
}

/// The axis on which the centres vary most; boxes without a finite centre do not count. The choice affects
/// the time only, so plain rounded sums do.
pub(super) fn widest_axis<'a, I: Iterator<Item = &'a Aabb>>(boxes: impl Fn() -> I) -> usize {
    let centers = || boxes().map(|b| b.center()).filter(|c| c.is_finite());
    let count = centers().count().max(1) as f64;
    let mean = centers().fold(sudar::glam::DVec3::ZERO, |sum, c| sum + c / count);
    let spread = centers().fold(sudar::glam::DVec3::ZERO, |sum, c| sum + (c - mean) * (c - mean));
    [1, 2].into_iter().fold(0, |best, k| if spread[k] > spread[best] { k } else { best })
}
