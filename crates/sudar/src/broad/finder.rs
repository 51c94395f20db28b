//! The algorithm inside a broad phase, as a trait.

use super::boxes::Boxes;
use super::region::Region;
use crate::shape::{Aabb, Ray};

/// Counters of the work of one step of a broad phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Pairs of boxes that were compared.
    pub tests: u64,
    /// Nodes, cells or list entries that were visited.
    pub visits: u64,
    /// End points swapped, or boxes put elsewhere in the structure.
    pub swaps: u64,
}

impl Counters {
    /// Weighted sum of the counters, by which [`auto`](super::auto()) compares algorithms.
    pub fn operations(&self) -> u64 {
        self.tests + self.visits + self.swaps
    }
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, more: Self) {
        self.tests += more.tests;
        self.visits += more.visits;
        self.swaps += more.swaps;
    }
}

/// Result of one run of a [`PairFinder`]: a list of pairs, or their number where nobody needs the list.
#[derive(Debug, Clone, Default)]
pub struct FoundPairs {
    /// Pairs `[i, j]`, `i < j`, in any order.
    pub(super) pairs: Vec<[u32; 2]>,
    /// Number of pairs, if they are to be counted instead of listed.
    pub(super) counted: Option<u64>,
    /// Whether the pairs are sorted and none is there twice.
    pub(super) sorted: bool,
    /// How the pairs changed since the last run, from a finder that lists this instead of the pairs. Pairs of
    /// removed objects need not be listed.
    pub(super) changed: Option<ChangedPairs>,
    /// The work that was done.
    pub counters: Counters,
}

/// Pairs that are new and pairs that are no more, in any order, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct ChangedPairs {
    pub added: Vec<[u32; 2]>,
    pub removed: Vec<[u32; 2]>,
}

impl FoundPairs {
    /// Compares two boxes and keeps them if they are a pair.
    #[inline]
    pub fn test(&mut self, boxes: &Boxes, i: u32, j: u32) {
        self.counters.tests += 1;
        if boxes.meet(i, j) {
            self.keep(i, j);
        }
    }

    /// Keeps a pair that is known to overlap. In one run each pair once, for where pairs are only counted they
    /// cannot be compared.
    #[inline]
    pub fn keep(&mut self, i: u32, j: u32) {
        match &mut self.counted {
            Some(count) => *count += 1,
            None => self.pairs.push([i.min(j), i.max(j)]),
        }
    }
}

/// Clones finders behind a box: what is `Clone` has it, and a broad phase can be cloned as it is.
///
/// ```
/// use sudar::broad::{self, Mobility};
/// use sudar::{Aabb, DVec3};
///
/// let unit = |x: f64| Aabb { min: DVec3::X * x, max: DVec3::X * x + DVec3::ONE };
/// let mut phase = broad::bvh();
/// phase.insert(unit(0.0), Mobility::Moving)?;
/// let mut copy = phase.clone();
/// copy.insert(unit(0.5), Mobility::Moving)?;
/// assert!(copy.step().added == [[0, 1]] && phase.step().added.is_empty());
/// # Ok::<(), broad::BroadError>(())
/// ```
pub trait CloneFinder {
    /// The same finder in the same state.
    fn boxed_clone(&self) -> Box<dyn PairFinder>;
}

impl<F: PairFinder + Clone + 'static> CloneFinder for F {
    fn boxed_clone(&self) -> Box<dyn PairFinder> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn PairFinder> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// Algorithm that finds overlapping boxes: what a broad phase of one's own implements;
/// [`broad_phase`](super::broad_phase()) makes a [`BroadPhase`](super::BroadPhase) of it, which keeps the
/// boxes and the list of pairs.
///
/// It receives changes one at a time and, in each step, gathers all pairs: exactly those for which
/// [`Boxes::meet`] holds, each once, by [`FoundPairs::test`] or [`FoundPairs::keep`]. Determinism is its own
/// duty: the same calls give the same pairs.
///
/// ```
/// use sudar::broad::{self, Boxes, FoundPairs, Mobility, PairFinder};
/// use sudar::{Aabb, DVec3};
///
/// #[derive(Clone)]
/// struct AllPairs;
///
/// impl PairFinder for AllPairs {
///     fn name(&self) -> &str {
///         "all pairs"
///     }
///
///     fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
///         for i in boxes.live() {
///             boxes.live().filter(|&j| i < j).for_each(|j| found.test(boxes, i, j));
///         }
///     }
/// }
///
/// let mut phase = broad::broad_phase(AllPairs);
/// phase.insert(Aabb { min: DVec3::ZERO, max: DVec3::ONE }, Mobility::Moving)?;
/// phase.insert(Aabb { min: DVec3::ONE, max: DVec3::ONE * 2.0 }, Mobility::Moving)?;
/// assert_eq!(phase.step().added, [[0, 1]]);
/// # Ok::<(), broad::BroadError>(())
/// ```
pub trait PairFinder: CloneFinder + Send + Sync {
    /// The name of the algorithm, as in commands and query files.
    fn name(&self) -> &str;

    /// The name of the algorithm that does the work now, for one that chooses among others.
    fn choice(&self) -> &str {
        self.name()
    }

    /// Parameters that differ from the default ones, in words; empty if there are none.
    fn parameters(&self) -> String {
        String::new()
    }

    /// Follows a box that was inserted under the number `i`.
    fn inserted(&mut self, _boxes: &Boxes, _i: u32) {}

    /// Follows a box that was at `before`.
    fn moved(&mut self, _boxes: &Boxes, _i: u32, _before: &Aabb) {}

    /// Follows a box that was removed; it was at `before`.
    fn removed(&mut self, _boxes: &Boxes, _i: u32, _before: &Aabb) {}

    /// Whether [`moved`](Self::moved) does anything.
    fn follows_moves(&self) -> bool {
        true
    }

    /// Whether these boxes, numbered from `first` on, are where the finder predicts them for the next step.
    fn expects(&self, _first: usize, _boxes: &[Aabb]) -> bool {
        false
    }

    /// Follows a count of boxes that moved at once, without a call to [`moved`](Self::moved) for each;
    /// `expected` if [`expects`](Self::expects) holds for all boxes.
    fn moved_many(&mut self, _count: usize, _expected: bool) {}

    /// Gathers all pairs, each once.
    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs);

    /// Calls `visit` with boxes that may meet the region, all that do among them; each may come more than
    /// once. `false`, without a call, where it has nothing that is quicker to search than all boxes.
    fn search(&self, _boxes: &Boxes, _region: &Region<'_>, _visit: &mut dyn FnMut(u32)) -> bool {
        false
    }

    /// Calls `visit` with boxes that a ray may meet up to a parameter, all that do among them, about in its
    /// order; `visit` returns the parameter up to which others are of interest. `false` as for
    /// [`search`](Self::search).
    fn along(&self, _ray: &Ray, _most: f64, _visit: &mut dyn FnMut(u32) -> f64) -> bool {
        false
    }

    /// Lists pairs of boxes from scratch, without the boxes being inserted first, where that is quicker. Only
    /// the number of pairs if `found.counted` is set. `None`, without a change, if there is no such way.
    fn straight(&self, _boxes: &[Aabb], _found: &mut FoundPairs) -> Option<Choice> {
        None
    }

    /// The parts into which boxes or space are divided now, each with its level, the whole at level 0: for pictures.
    /// None where nothing is kept from one step to the next.
    fn cells(&self) -> Vec<(u32, Aabb)> {
        Vec::new()
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> usize {
        0
    }

    /// The reason of the [`choice`](Self::choice), in one sentence, if there was one.
    fn reason(&self) -> Option<String> {
        None
    }
}

/// The algorithm that did the work, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Name of the algorithm.
    pub algorithm: String,
    /// Why it did the work, in one sentence.
    pub reason: String,
}
