//! Which boxes overlap a box, while boxes grow: cells of a grid.

use std::collections::HashMap;

use glam::DVec3;

use crate::shape::Aabb;

/// Boxes by the cells that they touch. Boxes without end, and those in very many cells, are kept apart.
#[derive(Debug)]
pub struct Cells {
    size: f64,
    cells: HashMap<[i64; 3], Vec<u32>>,
    large: Vec<u32>,
}

/// Cells of a box, at most.
const MOST: i64 = 64;

impl Cells {
    /// The boxes, in cells as large as their mean.
    pub fn new(boxes: &[Aabb]) -> Self {
        let sides = boxes.iter().map(|own| own.extent().max_element()).filter(|side| side.is_finite());
        let (sum, count) = sides.fold((0.0, 0.0), |(sum, count), side| (sum + side, count + 1.0));
        let size = if sum > 0.0 { sum / count } else { 1.0 };
        let mut cells = Self { size, cells: HashMap::new(), large: Vec::new() };
        for (own, i) in boxes.iter().zip(0..) {
            match cells.range(own) {
                Some(range) => cells.insert(i, range, None),
                None => cells.large.push(i),
            }
        }
        cells
    }

    /// A box grows.
    pub fn grow(&mut self, i: u32, before: &Aabb, after: &Aabb) {
        match (self.range(before), self.range(after)) {
            (Some(old), Some(new)) => self.insert(i, new, Some(old)),
            (Some(_), None) => self.large.push(i),
            (None, _) => {}
        }
    }

    /// Numbers of the boxes that may overlap one, sorted.
    pub fn near(&self, aabb: &Aabb, all: u32) -> Vec<u32> {
        let Some(range) = self.range(aabb) else { return (0..all).collect() };
        let mut found = self.large.clone();
        for_each(range, |cell| found.extend(self.cells.get(&cell).into_iter().flatten()));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Enters a box in its cells, except in those where it is already.
    fn insert(&mut self, i: u32, range: [[i64; 3]; 2], known: Option<[[i64; 3]; 2]>) {
        for_each(range, |cell| {
            let is_known =
                known.is_some_and(|[from, to]| (0..3).all(|k| (from[k]..=to[k]).contains(&cell[k])));
            if !is_known {
                self.cells.entry(cell).or_default().push(i);
            }
        });
    }

    /// The first and last cell of a box along each axis, if they are not too many.
    fn range(&self, aabb: &Aabb) -> Option<[[i64; 3]; 2]> {
        let [from, to] = [aabb.min / self.size, aabb.max / self.size].map(DVec3::floor);
        let fits = from.abs().max_element() < 1e15 && to.abs().max_element() < 1e15;
        if !fits || (to - from + 1.0).element_product() > MOST as f64 {
            return None;
        }
        Some([from, to].map(|at| at.to_array().map(|x| x as i64)))
    }
}

fn for_each([from, to]: [[i64; 3]; 2], mut work: impl FnMut([i64; 3])) {
    for x in from[0]..=to[0] {
        for y in from[1]..=to[1] {
            for z in from[2]..=to[2] {
                work([x, y, z]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_overlap_are_found_also_after_they_have_grown() {
        let place = |i: u32| {
            let f = |k: u32| f64::from((i * 7919 + k * 104_729) % 1000) * 0.01;
            DVec3::new(f(1), f(2), f(3))
        };
        let mut boxes: Vec<Aabb> = (0..200).map(|i| Aabb::around([place(i)]).grown(0.3)).collect();
        boxes[7] = Aabb::EVERYTHING;
        boxes[8] = Aabb::around([DVec3::ZERO]).grown(1e30);
        let mut cells = Cells::new(&boxes);
        for i in 0..200 {
            let wider = boxes[i].union(boxes[i].grown(if i == 20 { 50.0 } else { 0.01 * i as f64 }));
            cells.grow(i as u32, &boxes[i], &wider);
            boxes[i] = wider;
            let near = cells.near(&wider, 200);
            assert!(near.is_sorted());
            for (j, other) in boxes.iter().enumerate() {
                let overlaps = wider.min.cmple(other.max).all() && other.min.cmple(wider.max).all();
                assert!(!overlaps || near.contains(&(j as u32)), "{i} {j}");
            }
        }
    }
}
