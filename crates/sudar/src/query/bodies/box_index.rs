//! A tree over many boxes that move, made when a search first needs it.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::halving::Halving;
use crate::shape::Aabb;

/// After a change a first ray looks at all boxes by itself; the next search, or a first one of another kind, fits the
/// tree to the boxes again, and all others find it as it is.
#[derive(Debug, Default)]
pub(crate) struct BoxIndex {
    now: OnceLock<Halving>,
    /// The tree before the last change, which the next search fits to the boxes where it stands.
    before: Mutex<Option<Halving>>,
    /// Set by the first ray after a change, which alone does not pay for a tree.
    asked: OnceLock<()>,
    /// The leaves of the tree as it is, where boxes were put elsewhere one by one, and how often that was.
    leaves: Vec<u32>,
    set: usize,
}

impl BoxIndex {
    /// To be called when boxes moved, came or went; of many calls only the first has something to do.
    #[inline]
    pub fn changed(&mut self) {
        self.asked = OnceLock::new();
        if let Some(tree) = self.now.take() {
            self.before = Mutex::new(Some(tree));
            (self.leaves, self.set) = (Vec::new(), 0);
        }
    }

    /// Whether a ray that asks this is the first search after a change: `true` once. It looks at all boxes, as it would
    /// to make the tree.
    pub fn is_first_ray(&self) -> bool {
        self.now.get().is_none() && self.asked.set(()).is_ok()
    }

    /// Puts one box elsewhere, in amortised O(log n) if the tree is there: after as many as there are boxes it is
    /// fitted again.
    pub fn set(&mut self, i: u32, aabb: Aabb) {
        let Some(tree) = self.now.get_mut() else { return };
        if self.leaves.is_empty() {
            self.leaves = tree.leaves();
        }
        self.set += 1;
        match self.leaves.get(i as usize) {
            Some(&leaf) if self.set <= self.leaves.len() => tree.set(leaf, aabb),
            _ => self.changed(),
        }
    }

    /// The tree over boxes by their numbers; what has no box has [`Aabb::EMPTY`]. They are requested after a
    /// change alone. O(n), and O(n log n) where the order of before does not fit any more.
    pub fn tree(&self, boxes: impl FnOnce() -> Vec<Aabb>) -> &Halving {
        self.now.get_or_init(|| {
            let mut boxes = boxes();
            // Room for others: the order is kept until their number has doubled.
            boxes.resize(boxes.len().next_power_of_two(), Aabb::EMPTY);
            let before = self.before().take();
            let same_number = before.filter(|tree| tree.whole().count() as usize == boxes.len());
            same_number.and_then(|tree| tree.fitted(&boxes)).unwrap_or_else(|| Halving::new(&boxes))
        })
    }

    pub fn bytes(&self) -> usize {
        self.now.get().into_iter().chain(self.before().as_ref()).map(Halving::bytes).sum()
    }

    fn before(&self) -> MutexGuard<'_, Option<Halving>> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for BoxIndex {
    fn clone(&self) -> Self {
        let before = Mutex::new(self.before().clone());
        Self {
            before,
            now: self.now.clone(),
            asked: OnceLock::new(),
            leaves: self.leaves.clone(),
            set: self.set,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::effort::Meter;
    use crate::query::bodies::{visit_by, visit_meeting};

    fn row(count: u32, shift: f64) -> Vec<Aabb> {
        let low = |i: u32| DVec3::new(2.0 * f64::from(i) + shift, 0.0, 0.0);
        (0..count).map(|i| Aabb { min: low(i), max: low(i) + DVec3::ONE }).collect()
    }

    /// The numbers of the boxes that hold a point, and how many nodes that took.
    fn holding(tree: &Halving, p: DVec3) -> (Vec<u32>, u64) {
        let mut meter = Meter::unlimited();
        let mut found = Vec::new();
        let bound = |aabb: &Aabb| if aabb.contains(p) { 0.0 } else { f64::INFINITY };
        visit_by(tree, bound, 0.0, &mut meter, |i, _| {
            found.push(i);
            0.0
        });
        (found, meter.statistics().nodes)
    }

    #[test]
    fn boxes_are_asked_for_once_after_each_change() {
        let mut index = BoxIndex::default();
        for (count, shift) in [(1000, 0.0), (1000, 0.5), (1001, 0.5), (1001, 400.5), (3, 0.0), (0, 0.0)] {
            index.changed();
            let mut asked = 0;
            for i in 0..count.min(700) {
                let tree = index.tree(|| {
                    asked += 1;
                    row(count, shift)
                });
                let (found, nodes) = holding(tree, DVec3::new(2.0 * f64::from(i) + shift + 0.5, 0.5, 1.0));
                // One way from the root to a leaf of 2^10, and one to the box that took an empty place far from it.
                assert!(found == [i] && nodes <= 20, "{count} {shift}: {found:?} in {nodes}");
            }
            assert_eq!(asked, u32::from(count > 0));
        }
    }

    #[test]
    fn boxes_that_change_places_get_a_new_order() {
        let mut index = BoxIndex::default();
        index.tree(|| row(1024, 0.0));
        index.changed();
        let mixed: Vec<Aabb> = (0..1024_u32).map(|i| row(1024, 0.0)[(i * 387 % 1024) as usize]).collect();
        let (found, nodes) = holding(index.tree(|| mixed), DVec3::new(0.5, 0.5, 0.5));
        assert!(found == [0] && nodes <= 11, "{found:?} in {nodes}");
    }

    /// A region without end overlaps an empty box as inequalities go: numbers beyond all bodies were shown.
    #[test]
    fn places_without_a_box_are_never_shown() {
        let index = BoxIndex::default();
        let tree = index.tree(|| [row(2, 0.0), vec![Aabb::EMPTY], row(2, 9.0)].concat());
        let mut found = Vec::new();
        visit_meeting(tree, |_| true, |i| found.push(i));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 3, 4]);
    }
}
