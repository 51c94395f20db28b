//! Dynamic bounding volume hierarchies of fat boxes (Bullet's and Box2D's dynamic trees; Catto 2019, "Dynamic
//! bounding volume hierarchies").

use super::box_tree::BoxTree;
use super::boxes::{Boxes, overlap};
use super::finder::{ChangedPairs, Counters, FoundPairs, PairFinder};
use super::handle::Mobility;
use super::region::Region;
use super::touched::Touched;
use crate::query::RayEntry;
use crate::shape::{Aabb, Ray};

/// Two trees, of static and of moving boxes, the latter grown by a tenth of their size. A box that stays
/// within its grown box costs nothing but a comparison; one that leaves it is put elsewhere, and the pairs of
/// grown boxes are found anew for it. Where many leave at once the trees are built anew.
///
/// Where few boxes move at all, the trees are searched for what these met and for what they meet, and nothing else is
/// looked at; a list of pairs of grown boxes is kept where many move.
#[derive(Debug, Clone, Default)]
pub(super) struct DynamicBvh {
    trees: [BoxTree; 2],
    /// The grown box of each object as it is in the tree; `None` if it is in none.
    fat: Vec<Option<Aabb>>,
    /// Objects that are to be put elsewhere.
    restless: Vec<u32>,
    is_restless: Vec<bool>,
    /// Pairs of which the grown boxes overlap, if they are known.
    candidates: Option<Vec<[u32; 2]>>,
    /// What came, moved or went since the last step.
    touched: Touched,
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
        self.touched.add(i, None, self.most(boxes));
    }

    fn moved(&mut self, boxes: &Boxes, i: u32, before: &Aabb) {
        self.touched.add(i, Some(before), self.most(boxes));
        let aabb = boxes.get(i);
        let stays = |fat: &Aabb| fat.min.cmple(aabb.min).all() && aabb.max.cmple(fat.max).all();
        if !self.fat[i as usize].as_ref().is_some_and(stays) {
            self.disturb(i);
        }
    }

    fn removed(&mut self, boxes: &Boxes, i: u32, before: &Aabb) {
        self.disturb(i);
        self.touched.add(i, Some(before), self.most(boxes));
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        found.counters.swaps += self.restless.len() as u64;
        self.changes += self.restless.len();
        let are_many = self.restless.len() > 8 + boxes.len() / 4 || self.changes > 64 + 4 * boxes.len();
        if are_many || found.counted.is_some() {
            self.build(boxes, found);
        } else if self.touched.few().is_some() {
            found.changed = Some(self.follow(boxes, &mut found.counters));
            self.candidates = None;
        } else {
            self.mend(boxes, found);
        }
        for i in self.restless.drain(..) {
            self.is_restless[i as usize] = false;
        }
        self.touched.clear();
        for &[i, j] in self.candidates.as_deref().unwrap_or_default() {
            found.test(boxes, i, j);
        }
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
            + 8 * self.candidates.as_ref().map_or(0, Vec::capacity)
            + self.touched.bytes()
    }
}

/// Where at most one of 2⁶ boxes is touched, pairs of grown boxes are no longer kept; and where one of 2⁴ is, they are
/// listed again. Every box that moves asks for it: a shift, and no division.
const FEW: [u32; 2] = [6, 4];

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
        let counting = found.counted.is_some();
        let mut candidates = self.candidates.take().unwrap_or_default();
        candidates.clear();
        let mut keep = |i, j| if counting { found.test(boxes, i, j) } else { candidates.push([i, j]) };
        let visits = self.grown_pairs(&mut keep);
        found.counters.visits += visits;
        self.candidates = Some(candidates);
    }

    /// Calls `keep` with all pairs of grown boxes. Gives back how many nodes were visited.
    fn grown_pairs(&self, keep: &mut impl FnMut(u32, u32)) -> u64 {
        self.trees[MOVING].own_pairs(keep) + self.trees[MOVING].pairs_with(&self.trees[STATIC], keep)
    }

    /// How many touched boxes are few.
    fn most(&self, boxes: &Boxes) -> usize {
        boxes.len() >> FEW[usize::from(self.candidates.is_none())]
    }

    /// Puts restless boxes elsewhere in the trees.
    fn move_leaves(&mut self, boxes: &Boxes) {
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
    }

    /// Calls `keep` with boxes other than `i` that may form pairs with it and whose grown boxes meet one.
    #[inline(always)]
    fn near(&self, boxes: &Boxes, i: u32, aabb: &Aabb, mut keep: impl FnMut(u32)) -> u64 {
        let trees = if boxes.is_static(i) { &self.trees[..1] } else { &self.trees[..] };
        let mut visits = 0;
        for tree in trees {
            visits += tree.search(
                |other| overlap(other, aabb),
                |j| {
                    if j != i {
                        keep(j);
                    }
                },
            );
        }
        visits
    }

    /// Finds how the pairs of the few touched boxes changed: the trees hold all boxes as they were, then as they are.
    fn follow(&mut self, boxes: &Boxes, counters: &mut Counters) -> ChangedPairs {
        let mut changed = ChangedPairs::default();
        let touched = std::mem::take(&mut self.touched);
        let few = touched.few().unwrap_or_default();
        // Two that are both touched find each other twice.
        let is_first = |i: u32, j: u32| i < j || !touched.contains(j);
        for &(i, before) in few {
            let Some(before) = before else { continue };
            counters.visits += self.near(boxes, i, &before, |j| {
                counters.tests += 1;
                if is_first(i, j) && touched.met(boxes, i, j) && !boxes.meet(i, j) {
                    changed.removed.push([i.min(j), i.max(j)]);
                }
            });
        }
        self.move_leaves(boxes);
        for &(i, _) in few.iter().filter(|(i, _)| boxes.is_live(*i)) {
            counters.visits += self.near(boxes, i, boxes.get(i), |j| {
                counters.tests += 1;
                if is_first(i, j) && boxes.meet(i, j) && !touched.met(boxes, i, j) {
                    changed.added.push([i.min(j), i.max(j)]);
                }
            });
        }
        self.touched = touched;
        changed
    }

    /// Brings trees and candidates up to date.
    fn mend(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.move_leaves(boxes);
        let Some(mut candidates) = self.candidates.take() else {
            let mut candidates = Vec::new();
            found.counters.visits += self.grown_pairs(&mut |i, j| candidates.push([i, j]));
            self.candidates = Some(candidates);
            return;
        };
        let restless = &self.is_restless;
        candidates.retain(|[i, j]| !restless[*i as usize] && !restless[*j as usize]);
        for &i in &self.restless {
            let Some(fat) = self.fat[i as usize] else { continue };
            // Two that are both put elsewhere find each other twice.
            let mut keep = |j: u32| {
                if !(restless[j as usize] && j < i) {
                    candidates.push([i, j]);
                }
            };
            found.counters.visits += self.near(boxes, i, &fat, &mut keep);
        }
        self.candidates = Some(candidates);
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
