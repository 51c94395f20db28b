//! Automatic choice of the broad phase (wished for in Dimitrijević 2019).

use std::sync::atomic::{AtomicUsize, Ordering};

use super::boxes::Boxes;
use super::brute::BruteForce;
use super::dynamic_bvh::DynamicBvh;
use super::finder::{Choice, FoundPairs, PairFinder};
use super::region::Region;
use super::strip_sort::{NAME, Strips, list_or_count};
use crate::shape::{Aabb, Ray};

/// The algorithms to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    BruteForce,
    DynamicBvh,
    Strips,
}

impl Algorithm {
    fn build(self) -> Box<dyn PairFinder> {
        match self {
            Self::BruteForce => Box::new(BruteForce::default()),
            Self::DynamicBvh => Box::new(DynamicBvh::default()),
            Self::Strips => Box::new(Strips::default()),
        }
    }
}

/// Chooses by counts: of boxes, of those that moved, and of operations. Never by the clock, so that the same
/// calls always lead to the same choice. A choice is changed only after another one seemed better for
/// [`PATIENCE`] steps on end.
pub(super) struct Auto {
    current: Box<dyn PairFinder>,
    chosen: Algorithm,
    why: String,
    /// Changes since the last step.
    moves: usize,
    /// Searches since the last step.
    searches: AtomicUsize,
    /// Pairs found in the last step.
    pairs: usize,
    /// Operations of the last step, and of the last one of strips from scratch.
    work: [u64; 2],
    /// Whether the last step of strips was from scratch.
    anew: bool,
    /// Steps before trees are tried again for the sake of pairs, and how many the next time.
    pause: [u32; 2],
    /// How long another algorithm has seemed better.
    doubts: u32,
    steps: u64,
}

/// Steps before a choice is changed.
const PATIENCE: u32 = 4;

/// Up to so many boxes brute force is quickest.
const FEW: usize = 128;

/// Where at most one of so many boxes moves, trees may be kept.
const CALM: usize = 16;

/// They are kept for the sake of searches, of which there are at least so many in a step, or where strips
/// begin anew in every step although so few boxes move.
const SEARCHES: usize = 4;

/// An operation of trees costs as much as so many of strips from scratch.
const TREES_COST: u64 = 2;

/// Steps before trees are tried again which were more work than strips, at first and at most.
const PAUSES: [u32; 2] = [64, 1024];

/// Where there are more pairs than this for each box, trees do not separate boxes.
const DENSE: usize = 8;

impl Default for Auto {
    fn default() -> Self {
        let chosen = Algorithm::BruteForce;
        Self {
            current: chosen.build(),
            chosen,
            why: "there are no boxes yet".to_owned(),
            moves: 0,
            searches: AtomicUsize::new(0),
            pairs: 0,
            work: [0; 2],
            anew: false,
            pause: [0, PAUSES[0]],
            doubts: 0,
            steps: 0,
        }
    }
}

impl Clone for Auto {
    fn clone(&self) -> Self {
        Self {
            current: self.current.clone(),
            why: self.why.clone(),
            searches: AtomicUsize::new(self.searches.load(Ordering::Relaxed)),
            ..*self
        }
    }
}

impl PairFinder for Auto {
    fn name(&self) -> &str {
        "auto"
    }

    fn choice(&self) -> &str {
        self.current.name()
    }

    fn inserted(&mut self, boxes: &Boxes, i: u32) {
        self.moves += 1;
        self.current.inserted(boxes, i);
    }

    fn moved(&mut self, boxes: &Boxes, i: u32, before: &Aabb) {
        self.moves += 1;
        self.current.moved(boxes, i, before);
    }

    fn removed(&mut self, boxes: &Boxes, i: u32, before: &Aabb) {
        self.moves += 1;
        self.current.removed(boxes, i, before);
    }

    fn follows_moves(&self) -> bool {
        self.current.follows_moves()
    }

    fn expects(&self, first: usize, boxes: &[Aabb]) -> bool {
        self.current.expects(first, boxes)
    }

    fn moved_many(&mut self, count: usize, expected: bool) {
        self.moves += count;
        self.current.moved_many(count, expected);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.reconsider(boxes);
        self.moves = 0;
        *self.searches.get_mut() = 0;
        self.steps += 1;
        self.current.gather(boxes, found);
        self.work[0] = found.counters.operations();
        self.anew = self.chosen == Algorithm::Strips && found.changed.is_none();
        if self.anew {
            self.work[1] = self.work[0];
        }
        self.pairs = match &found.changed {
            Some(changed) => (self.pairs + changed.added.len()).saturating_sub(changed.removed.len()),
            None => found.pairs.len(),
        };
    }

    fn search(&self, boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        self.searches.fetch_add(1, Ordering::Relaxed);
        self.current.search(boxes, region, visit)
    }

    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(u32) -> f64) -> bool {
        self.searches.fetch_add(1, Ordering::Relaxed);
        self.current.along(ray, most, visit)
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        self.current.cells()
    }

    fn bytes(&self) -> usize {
        self.current.bytes()
    }

    fn reason(&self) -> Option<String> {
        Some(format!("{} because {}", self.choice(), self.why))
    }

    fn straight(&self, boxes: &[Aabb], found: &mut FoundPairs) -> Option<Choice> {
        let n = boxes.len();
        (n > FEW).then(|| {
            list_or_count(boxes, found);
            let algorithm = NAME.to_owned();
            Choice { reason: format!("{algorithm} because all {n} boxes are new"), algorithm }
        })
    }
}

impl Auto {
    fn reconsider(&mut self, boxes: &Boxes) {
        self.pause[0] = self.pause[0].saturating_sub(1);
        let (better, why) = self.best(boxes);
        if better == self.chosen {
            self.doubts = 0;
            self.why = why;
            return;
        }
        self.doubts += 1;
        if self.doubts > PATIENCE || self.steps == 0 {
            self.change(better, why, boxes);
        }
    }

    fn best(&self, boxes: &Boxes) -> (Algorithm, String) {
        let (n, moves, searches) = (boxes.len(), self.moves, self.searches.load(Ordering::Relaxed));
        // What is in use is kept where the difference is small.
        let few = if self.chosen == Algorithm::BruteForce { FEW + FEW / 2 } else { FEW };
        let has_trees = self.chosen == Algorithm::DynamicBvh;
        let calm = if has_trees { CALM / 2 } else { CALM };
        let often = if has_trees { SEARCHES / 2 } else { SEARCHES };
        if n <= few {
            (
                Algorithm::BruteForce,
                format!("comparing {n} boxes with each other is less work than sorting them"),
            )
        } else if searches >= often && moves <= n / calm && self.pairs <= DENSE * n {
            let why =
                format!("{searches} searches were made, and only {moves} of {n} boxes changed, in a step");
            (Algorithm::DynamicBvh, why)
        } else if moves <= n / calm && self.pairs <= DENSE * n && self.trees_are_less_work() {
            let why =
                format!("only {moves} of {n} boxes changed in a step, but too far for strips to be kept");
            (Algorithm::DynamicBvh, why)
        } else {
            (Algorithm::Strips, format!("{moves} of {n} boxes changed in a step"))
        }
    }

    /// Whether trees find the pairs with less work than strips, as far as is known.
    fn trees_are_less_work(&self) -> bool {
        if self.chosen == Algorithm::DynamicBvh {
            TREES_COST * self.work[0] <= self.work[1]
        } else {
            self.anew && self.pause[0] == 0
        }
    }

    fn change(&mut self, better: Algorithm, why: String, boxes: &Boxes) {
        if self.chosen == Algorithm::DynamicBvh {
            let [_, next] = self.pause;
            self.pause = [next, (2 * next).min(PAUSES[1])];
        }
        self.current = better.build();
        (self.chosen, self.why, self.doubts) = (better, why, 0);
        boxes.live().for_each(|i| self.current.inserted(boxes, i));
    }
}
