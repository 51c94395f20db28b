//! Boxes in an order in which neighbours lie close together, halved again and again: a balanced tree without pointers.

mod along;
mod eights;
mod gaps;

use std::sync::OnceLock;

use glam::DVec3;

use crate::effort::Meter;
use crate::shape::{Aabb, Ray};
use eights::Eights;

/// Numbered boxes, ordered so that each [`Half`] is a compact part of them.
#[derive(Debug, Clone)]
pub(crate) struct Halving {
    order: Vec<u32>,
    /// The box around each half, by its number.
    bounds: Vec<Aabb>,
    /// Of the order when it was made, see [`Halving::length`].
    made_with: f64,
    /// Eight at a time, made when first needed; none if there is no such tree.
    eights: OnceLock<Option<Eights>>,
}

/// A range of the order. The halves of number k have numbers 2k and 2k + 1; the whole is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Half {
    number: u32,
    pub from: u32,
    pub to: u32,
}

impl Half {
    /// All of so many.
    pub fn whole(count: u32) -> Self {
        Self { number: 1, from: 0, to: count }
    }

    pub fn count(self) -> u32 {
        self.to - self.from
    }

    /// Its two halves, if it has more than one box.
    pub fn split(self) -> [Self; 2] {
        let middle = self.from + self.count() / 2;
        [
            Self { number: 2 * self.number, from: self.from, to: middle },
            Self { number: 2 * self.number + 1, from: middle, to: self.to },
        ]
    }
}

impl Halving {
    /// Halves at the median along the longest side of the box around the centres; O(n log n).
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let centers: Vec<DVec3> = boxes.iter().map(|aabb| center(*aabb)).collect();
        arrange(&mut order, &centers);
        let mut halving = Self::around(order, boxes);
        halving.made_with = halving.length();
        halving
    }

    /// The same order around as many boxes elsewhere, O(n); `None` if the halves became so much longer or
    /// shorter that another order is due.
    pub fn fitted(mut self, boxes: &[Aabb]) -> Option<Self> {
        self.eights = OnceLock::new();
        self.put_around(boxes);
        let length = self.length();
        (0.5 * self.made_with <= length && length <= 1.5 * self.made_with).then_some(self)
    }

    fn around(order: Vec<u32>, boxes: &[Aabb]) -> Self {
        let bounds = vec![Aabb::EMPTY; 2 * order.len().next_power_of_two()];
        let mut halving = Self { bounds, order, made_with: 0.0, eights: OnceLock::new() };
        halving.put_around(boxes);
        halving
    }

    fn put_around(&mut self, boxes: &[Aabb]) {
        if boxes.len().is_power_of_two() {
            self.enclose_all(boxes);
        } else if !boxes.is_empty() {
            self.enclose(self.whole(), boxes);
        }
    }

    /// Where the number of boxes is a power of two they have the last numbers, in order.
    fn enclose_all(&mut self, boxes: &[Aabb]) {
        for (bounds, i) in self.bounds[boxes.len()..].iter_mut().zip(&self.order) {
            *bounds = boxes[*i as usize];
        }
        for number in (1..boxes.len()).rev() {
            self.bounds[number] = self.bounds[2 * number].union(self.bounds[2 * number + 1]);
        }
    }

    /// The sum of the edges of all halves of about four boxes or more that have an end: what a search costs goes by it,
    /// and that of smaller ones goes with their boxes.
    fn length(&self) -> f64 {
        let numbers = 1..(self.bounds.len() / 4).max(2);
        let lengths = numbers.map(|number| self.bounds[number].extent().element_sum());
        lengths.filter(|length| length.is_finite()).sum()
    }

    pub fn whole(&self) -> Half {
        Half::whole(self.order.len() as u32)
    }

    /// The numbers of the boxes in a half.
    pub fn numbers(&self, half: Half) -> &[u32] {
        &self.order[half.from as usize..half.to as usize]
    }

    /// The box around a half.
    pub fn bounds(&self, half: Half) -> &Aabb {
        &self.bounds[half.number as usize]
    }

    pub fn bytes(&self) -> usize {
        let eights = self.eights.get().and_then(Option::as_ref).map_or(0, Eights::bytes);
        4 * self.order.capacity() + self.bounds.capacity() * size_of::<Aabb>() + eights
    }

    /// All numbers in order.
    pub fn into_order(self) -> Vec<u32> {
        self.order
    }

    /// The number of the half that is each box, by the number of the box.
    pub fn leaves(&self) -> Vec<u32> {
        let mut leaves = vec![0; self.order.len()];
        let mut halves = vec![self.whole()];
        while let Some(half) = halves.pop().filter(|_| !leaves.is_empty()) {
            if half.count() == 1 {
                leaves[self.order[half.from as usize] as usize] = half.number;
            } else {
                halves.extend(half.split());
            }
        }
        leaves
    }

    /// Puts a box elsewhere, given its leaf; O(log n).
    pub fn set(&mut self, leaf: u32, aabb: Aabb) {
        self.put(leaf, aabb);
        let mut half = leaf / 2;
        while half > 0 {
            let [left, right] = [2 * half, 2 * half + 1].map(|half| self.bounds[half as usize]);
            self.put(half, left.union(right));
            half /= 2;
        }
    }

    fn put(&mut self, half: u32, aabb: Aabb) {
        self.bounds[half as usize] = aabb;
        if !self.order.len().is_power_of_two() {
            // A leaf of the last level but one stands for two places of the last.
            self.eights = OnceLock::new();
        } else if let Some(Some(eights)) = self.eights.get_mut() {
            eights.set(half, &aabb);
        }
    }

    /// Shows the numbers of the boxes that a ray may meet up to a parameter, about in its order; it enters the box
    /// around all at `entry`. `visit` returns the parameter up to which others are of interest. `false`, without a
    /// visit, for rays and boxes that are not for `f32`. Each node costs one of the meter.
    pub fn along(
        &self,
        ray: &Ray,
        entry: f64,
        most: f64,
        meter: &mut Meter,
        mut visit: impl FnMut(u32) -> f64,
    ) -> bool {
        let Some(eights) = self.eights() else { return false };
        let mut visit = |place: u32| visit(self.order[self.at(place).from as usize]);
        eights.along(ray, entry, self.bounds(self.whole()), most, meter, &mut visit)
    }

    /// Shows the halves of one box that may be no farther from a box than `upper`, about the nearest first; `visit`
    /// returns the new `upper`. Returns no more than the gap of any that is not shown. `None`, without a visit, for
    /// boxes that are not for `f32`. Each node costs one of the meter.
    pub fn near(
        &self,
        around: &Aabb,
        upper: f64,
        meter: &mut Meter,
        mut visit: impl FnMut(Half, &mut Meter) -> f64,
    ) -> Option<f64> {
        let mut visit = |place: u32, meter: &mut Meter| visit(self.at(place), meter);
        self.eights()?.near(around, upper, meter, &mut visit)
    }

    fn eights(&self) -> Option<&Eights> {
        let made = || {
            let box_at = |place: u32| {
                let half = self.at(place);
                (half.number != 0).then(|| self.bounds(half))
            };
            Eights::new(self.depth(), self.bounds(self.whole()), box_at)
        };
        self.eights.get_or_init(made).as_ref()
    }

    /// How many levels there are below the whole.
    fn depth(&self) -> u32 {
        self.order.len().next_power_of_two().trailing_zeros()
    }

    /// The half of one box at a place of the last level, of which a leaf above it takes the first of its two; number 0
    /// at the second.
    #[inline]
    fn at(&self, place: u32) -> Half {
        let count = self.order.len();
        if count.is_power_of_two() {
            return Half { number: count as u32 + place, from: place, to: place + 1 };
        }
        let mut half = self.whole();
        for level in (0..self.depth()).rev() {
            let side = (place >> level & 1) as usize;
            half = match half.count() {
                1 if side == 0 => half,
                1 => return Half { number: 0, ..half },
                _ => half.split()[side],
            };
        }
        half
    }

    fn enclose(&mut self, half: Half, boxes: &[Aabb]) -> Aabb {
        let around = if half.count() == 1 {
            boxes[self.order[half.from as usize] as usize]
        } else {
            let [first, second] = half.split().map(|half| self.enclose(half, boxes));
            first.union(second)
        };
        self.bounds[half.number as usize] = around;
        around
    }
}

/// The middle of a box; zero for those without any.
fn center(aabb: Aabb) -> DVec3 {
    let center = aabb.center();
    if center.is_finite() { center } else { DVec3::ZERO }
}

fn arrange(order: &mut [u32], centers: &[DVec3]) {
    if order.len() < 2 {
        return;
    }
    let axis = Aabb::around(order.iter().map(|&i| centers[i as usize])).extent().max_position();
    let middle = order.len() / 2;
    order.select_nth_unstable_by(middle, |i, j| {
        let place = |i: &u32| centers[*i as usize][axis];
        place(i).total_cmp(&place(j)).then(i.cmp(j))
    });
    let (left, right) = order.split_at_mut(middle);
    arrange(left, centers);
    arrange(right, centers);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// The box of each half is that around its boxes, for numbers of boxes that are powers of two and others.
    #[test]
    fn each_half_is_around_its_boxes() {
        let mut random = Random::new(3);
        for count in [1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33] {
            let boxes: Vec<Aabb> =
                (0..count).map(|_| Aabb::around([random.point(), random.point()])).collect();
            let tree = Halving::new(&boxes);
            let moved: Vec<Aabb> = boxes.iter().map(|aabb| aabb.grown(0.01)).collect();
            for (tree, boxes) in [(tree.clone(), boxes), (tree.fitted(&moved).unwrap(), moved)] {
                let mut halves = vec![tree.whole()];
                while let Some(half) = halves.pop() {
                    let around = tree.numbers(half).iter().map(|i| boxes[*i as usize]);
                    assert_eq!(*tree.bounds(half), around.fold(Aabb::EMPTY, Aabb::union), "{count}");
                    if half.count() > 1 {
                        halves.extend(half.split());
                    }
                }
            }
        }
    }
}
