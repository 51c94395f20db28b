//! Boxes in an order in which neighbours lie close together, halved again and again: a balanced tree without pointers.

use glam::DVec3;

use crate::shape::Aabb;

/// Numbered boxes, ordered so that each [`Half`] is a compact part of them.
#[derive(Debug, Clone)]
pub(crate) struct Halving {
    order: Vec<u32>,
    /// The box around each half, by its number.
    bounds: Vec<Aabb>,
    /// Of the order when it was made, see [`Halving::length`].
    made_with: f64,
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
        let bounds = vec![Aabb::EMPTY; 2 * order.len().next_power_of_two()];
        let mut halving = Self { bounds, order, made_with: 0.0 };
        if boxes.len().is_power_of_two() {
            halving.enclose_all(boxes);
        } else if !boxes.is_empty() {
            halving.enclose(halving.whole(), boxes);
        }
        halving
    }

    /// Where the number of boxes is a power of two they have the last numbers, in order.
    fn enclose_all(&mut self, boxes: &[Aabb]) {
        let count = boxes.len();
        self.bounds[count..].iter_mut().zip(&self.order).for_each(|(leaf, i)| *leaf = boxes[*i as usize]);
        for half in (1..count).rev() {
            self.bounds[half] = self.bounds[2 * half].union(self.bounds[2 * half + 1]);
        }
    }

    /// The sum of the edges of all halves that have an end: what a search costs goes by it.
    fn length(&self) -> f64 {
        let lengths = self.bounds.iter().map(|aabb| aabb.extent().element_sum());
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
        4 * self.order.capacity() + self.bounds.capacity() * size_of::<Aabb>()
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
        self.bounds[leaf as usize] = aabb;
        let mut half = leaf as usize / 2;
        while half > 0 {
            self.bounds[half] = self.bounds[2 * half].union(self.bounds[2 * half + 1]);
            half /= 2;
        }
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
