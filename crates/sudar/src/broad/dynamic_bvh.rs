//! Dynamic bounding volume hierarchies of fat boxes (Bullet's and Box2D's dynamic trees; Catto 2019, "Dynamic
//! bounding volume hierarchies").

use super::box_tree::BoxTree;
use super::boxes::{Boxes, overlap};
use super::finder::{FoundPairs, PairFinder};
use super::handle::Mobility;
use super::region::Region;
use crate::query::RayEntry;
use crate::shape::{Aabb, Ray};

/// Two trees, of static and of moving boxes, the latter grown by a tenth of their size. A box that stays
/// within its grown box costs nothing but a comparison; one that leaves it is put elsewhere, and the pairs of
/// grown boxes are found anew for it. Where many leave at once the trees are built anew.
#[derive(Debug, Clone, Default)]
pub(super) struct DynamicBvh {
    trees: [BoxTree; 2],
    /// The grown box of each object as it is in the tree; `None` if it is in none.
    fat: Vec<Option<Aabb>>,
    /// Objects that are to be put elsewhere.
    restless: Vec<u32>,
    is_restless: Vec<bool>,
    /// Pairs of which the grown boxes overlap.
    candidates: Vec<[u32; 2]>,
    /// Objects put elsewhere since the trees were built.
    changes: usize,
}

impl PairFinder for DynamicBvh {
    fn name(&self) -> &str {
        "bvh"
    }

    fn inserted(&mut self, boxes: &Boxes, i: u32) {
        let size = boxes.slots().len();
        self.fat.resize(size.max(self.fat.len()), None);
        self.is_restless.resize(size.max(self.fat.len()), false);
        self.disturb(i);
    }

    fn moved(&mut self, boxes: &Boxes, i: u32, _before: &Aabb) {
        let aabb = boxes.get(i);
        let stays = |fat: &Aabb| fat.min.cmple(aabb.min).all() && aabb.max.cmple(fat.max).all();
        if !self.fat[i as usize].as_ref().is_some_and(stays) {
            self.disturb(i);
        }
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, _before: &Aabb) {
        self.disturb(i);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        found.counters.swaps += self.restless.len() as u64;
        self.changes += self.restless.len();
        if self.restless.len() > 8 + boxes.len() / 4 || self.changes > 64 + 4 * boxes.len() {
            self.build(boxes, found);
        } else {
            self.mend(boxes, found);
        }
        for i in self.restless.drain(..) {
            self.is_restless[i as usize] = false;
        }
        self.candidates.iter().for_each(|&[i, j]| found.test(boxes, i, j));
    }

    fn search(&self, _boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        for tree in &self.trees {
            tree.search(|aabb| region.meets(aabb), &mut *visit);
        }
        true
    }

    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(u32) -> f64) -> bool {
        let mut upto = most;
        for tree in &self.trees {
            let entry = RayEntry::new(ray, &tree.bounds());
            upto = tree.nearest_first(|aabb| entry.of(aabb), upto, &mut *visit);
        }
        true
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        self.trees.iter().flat_map(BoxTree::levels).collect()
    }

    fn bytes(&self) -> usize {
        self.trees.iter().map(BoxTree::bytes).sum::<usize>()
            + self.fat.capacity() * size_of::<Option<Aabb>>()
            + 4 * self.restless.capacity()
            + self.is_restless.capacity()
            + 8 * self.candidates.capacity()
    }
}

const MOVING: usize = 0;
const STATIC: usize = 1;

impl DynamicBvh {
    fn disturb(&mut self, i: u32) {
        if !std::mem::replace(&mut self.is_restless[i as usize], true) {
            self.restless.push(i);
        }
    }

    fn build(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.changes = 0;
        let mut leaves = [Vec::new(), Vec::new()];
        for i in 0..boxes.slots().len() as u32 {
            let fat = boxes.is_live(i).then(|| grown(boxes, i));
            self.fat[i as usize] = fat;
            if let Some(fat) = fat {
                leaves[tree_of(boxes, i)].push((fat, i));
            }
        }
        self.trees = leaves.map(BoxTree::build);
        self.candidates.clear();
        let candidates = &mut self.candidates;
        let counting = found.counted.is_some();
        let mut keep = |i, j| if counting { found.test(boxes, i, j) } else { candidates.push([i, j]) };
        let visits = self.trees[MOVING].own_pairs(&mut keep)
            + self.trees[MOVING].pairs_with(&self.trees[STATIC], &mut keep);
        found.counters.visits += visits;
    }

    fn mend(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        for &i in &self.restless {
            if self.fat[i as usize].take().is_some() {
                self.trees.iter_mut().for_each(|tree| tree.remove(i));
            }
            if boxes.is_live(i) {
                let fat = grown(boxes, i);
                self.trees[tree_of(boxes, i)].insert(fat, i);
                self.fat[i as usize] = Some(fat);
            }
        }
        let restless = &self.is_restless;
        self.candidates.retain(|[i, j]| !restless[*i as usize] && !restless[*j as usize]);
        for &i in &self.restless {
            let Some(fat) = self.fat[i as usize] else { continue };
            let candidates = &mut self.candidates;
            // Two that are both put elsewhere find each other twice.
            let mut keep = |j: u32| {
                if j != i && !(restless[j as usize] && j < i) {
                    candidates.push([i, j]);
                }
            };
            let trees = if boxes.is_static(i) { &self.trees[..1] } else { &self.trees[..] };
            for tree in trees {
                found.counters.visits += tree.search(|aabb| overlap(aabb, &fat), &mut keep);
            }
        }
    }
}

fn tree_of(boxes: &Boxes, i: u32) -> usize {
    if boxes.is_static(i) { STATIC } else { MOVING }
}

/// The box of a moving object grown by a tenth of its longest edge.
fn grown(boxes: &Boxes, i: u32) -> Aabb {
    let aabb = *boxes.get(i);
    let mobility = if boxes.is_static(i) { Mobility::Static } else { Mobility::Moving };
    let margin = 0.1 * aabb.extent().max_element();
    match mobility {
        Mobility::Moving if margin.is_finite() => aabb.grown(margin),
        Mobility::Moving | Mobility::Static => aabb,
    }
}
