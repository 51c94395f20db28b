//! Boxes in an order in which neighbours lie close together, halved again and again: a balanced tree without pointers.

mod eights;

use std::sync::OnceLock;

use glam::DVec3;

use crate::effort::Meter;
use crate::shape::{Aabb, Ray};
use eights::Eights;

/// Numbered boxes, ordered so that each [`Half`] is a compact part of them.
#[derive(Debug, Clone)]
pub(crate) struct Halving {
    order: Vec<u32>,
    /// The box around each half, the last number first: what is around others is written after them.
    bounds: Vec<Aabb>,
    /// Of the order when it was made, see [`Halving::length`].
    made_with: f64,
    /// For rays, made with the second, as one alone does not pay for it; none if there is no such tree.
    eights: OnceLock<Option<Eights>>,
    /// Set by the first ray.
    asked: OnceLock<()>,
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
    pub fn fitted(&self, boxes: &[Aabb]) -> Option<Self> {
        let fitted = Self { made_with: self.made_with, ..Self::around(self.order.clone(), boxes) };
        let length = fitted.length();
        (0.5 * self.made_with <= length && length <= 1.5 * self.made_with).then_some(fitted)
    }

    fn around(order: Vec<u32>, boxes: &[Aabb]) -> Self {
        let bounds = Vec::with_capacity(2 * order.len().next_power_of_two());
        let mut halving =
            Self { bounds, order, made_with: 0.0, eights: OnceLock::new(), asked: OnceLock::new() };
        if boxes.len().is_power_of_two() {
            halving.enclose_all(boxes);
        } else {
            halving.bounds.resize(halving.bounds.capacity(), Aabb::EMPTY);
        }
        if !boxes.is_empty() && !boxes.len().is_power_of_two() {
            halving.enclose(halving.whole(), boxes);
        }
        halving
    }

    /// Where the number of boxes is a power of two they have the last numbers, in order.
    fn enclose_all(&mut self, boxes: &[Aabb]) {
        self.bounds.extend(self.order.iter().rev().map(|i| boxes[*i as usize]));
        for pair in 0..boxes.len() - 1 {
            self.bounds.push(self.bounds[2 * pair].union(self.bounds[2 * pair + 1]));
        }
        // No half has the number 0.
        self.bounds.push(Aabb::EMPTY);
    }

    /// The place of the box of a half, by its number.
    fn place(&self, number: u32) -> usize {
        self.bounds.len() - 1 - number as usize
    }

    /// The sum of the edges of all halves of about four boxes or more that have an end: what a search costs goes by it,
    /// and that of smaller ones goes with their boxes.
    fn length(&self) -> f64 {
        let numbers = 1..(self.bounds.len() as u32 / 4).max(2);
        let lengths = numbers.map(|number| self.bounds[self.place(number)].extent().element_sum());
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
        &self.bounds[self.place(half.number)]
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
            let [left, right] = [2 * half, 2 * half + 1].map(|half| self.bounds[self.place(half)]);
            self.put(half, left.union(right));
            half /= 2;
        }
    }

    fn put(&mut self, half: u32, aabb: Aabb) {
        let place = self.place(half);
        self.bounds[place] = aabb;
        if let Some(Some(eights)) = self.eights.get_mut() {
            eights.set(half, &aabb);
        }
    }

    /// Shows the numbers of the boxes that a ray may meet up to a parameter, about in its order; it enters the box
    /// around all at `entry`. `visit` returns the parameter up to which others are of interest. `false`, without a
    /// visit, for the first ray, for rays and boxes that are not for `f32`, and where the number of boxes is no power
    /// of two. Each node costs one of the meter.
    pub fn along(
        &self,
        ray: &Ray,
        entry: f64,
        most: f64,
        meter: &mut Meter,
        mut visit: impl FnMut(u32) -> f64,
    ) -> bool {
        if self.asked.set(()).is_ok() {
            return false;
        }
        let Some(eights) = self.eights.get_or_init(|| self.eights()) else { return false };
        let mut visit = |place: u32| visit(self.order[place as usize]);
        eights.along(ray, entry, self.bounds(self.whole()), most, meter, &mut visit)
    }

    fn eights(&self) -> Option<Eights> {
        let count = self.order.len();
        let is_even = count > 1 && count.is_power_of_two();
        is_even.then(|| Eights::new(count.trailing_zeros(), |half| &self.bounds[self.place(half)])).flatten()
    }

    fn enclose(&mut self, half: Half, boxes: &[Aabb]) -> Aabb {
        let around = if half.count() == 1 {
            boxes[self.order[half.from as usize] as usize]
        } else {
            let [first, second] = half.split().map(|half| self.enclose(half, boxes));
            first.union(second)
        };
        let place = self.place(half.number);
        self.bounds[place] = around;
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
