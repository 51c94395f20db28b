//! The trait of all broad phases, and what they have in common.

use super::boxes::Boxes;
use super::pairs::{apply, difference, sort_pairs};
use super::{Algorithm, BroadError, Handle, Mobility, Region};
use crate::effort::Meter;
use crate::query::{BoxIndex, Halving, RayEntry, ray_entry, visit_by, visit_meeting};
use crate::shape::{Aabb, Ray};

/// Up to so many boxes are looked at one by one.
const FEW: usize = 32;

/// Finds which of many moving boxes overlap, frame after frame.
///
/// Insert, update and remove boxes as you like, then call [`step`](Self::step): it brings the list of pairs
/// up to date and says how it changed. All implementations give exactly the pairs of boxes that have a point
/// in common (touching counts) and are not both static, in sorted order; they differ in cost alone.
///
/// ```
/// use sudar::broad::{Algorithm, Mobility};
/// use sudar::{Aabb, DVec3};
///
/// let unit = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) };
/// let mut phase = Algorithm::Auto.build();
/// let a = phase.insert(unit(0.0), Mobility::Moving)?;
/// let b = phase.insert(unit(3.0), Mobility::Moving)?;
/// assert!(phase.step().added.is_empty());
/// phase.update(b, unit(1.0))?; // now they touch
/// assert_eq!(phase.step().added, [[a.index(), b.index()]]);
/// assert_eq!(phase.pairs(), [[0, 1]]);
/// # Ok::<(), sudar::broad::BroadError>(())
/// ```
pub trait BroadPhase: Send + Sync {
    /// Adds a box. Its number is the least that is free, or the next.
    ///
    /// # Errors
    /// [`BroadError::NotANumber`], [`BroadError::Inverted`], [`BroadError::Full`]; then nothing has changed.
    fn insert(&mut self, aabb: Aabb, mobility: Mobility) -> Result<Handle, BroadError>;

    /// Moves a box.
    ///
    /// # Errors
    /// [`BroadError::Unknown`], [`BroadError::NotANumber`], [`BroadError::Inverted`]; then nothing has changed.
    fn update(&mut self, handle: Handle, aabb: Aabb) -> Result<(), BroadError>;

    /// Moves many boxes, which is quicker than one by one.
    ///
    /// # Errors
    /// Those of [`update`](Self::update), for the first box that is refused; [`BroadError::Lengths`]. Then nothing has
    /// changed.
    fn update_all(&mut self, handles: &[Handle], boxes: &[Aabb]) -> Result<(), BroadError>;

    /// Removes a box.
    ///
    /// # Errors
    /// [`BroadError::Unknown`].
    fn remove(&mut self, handle: Handle) -> Result<(), BroadError>;

    /// Brings the pairs up to date; says which were added and which removed since the last step.
    fn step(&mut self) -> Changes<'_>;

    /// The pairs `[i, j]`, `i < j`, as of the last step, by [`Handle::index`], sorted.
    fn pairs(&self) -> &[[u32; 2]];

    /// All boxes that have a point in common with a region, sorted by number. Always right, also between a
    /// change and the next step. By the structure of the algorithm where that can be searched, else by a tree
    /// over all boxes, which the first search after a change makes or fits to them in O(n).
    fn query(&self, region: &Region<'_>) -> Vec<Handle>;

    /// Shows the boxes that a ray meets up to a parameter, in units of the length of its direction, about in
    /// the order in which it enters them, and perhaps some that it nearly meets. `visit` returns the
    /// parameter up to which others are of interest. As [`query`](Self::query) otherwise.
    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64) {
        let entry = |handle| self.aabb(handle).map_or(f64::INFINITY, |aabb| ray_entry(ray, &aabb));
        let met = self.query(&Region::Ray(*ray, most)).into_iter();
        let mut met: Vec<(f64, Handle)> = met.map(|handle| (entry(handle), handle)).collect();
        met.sort_by(|(s, a), (t, b)| s.total_cmp(t).then(a.cmp(b)));
        let mut upto = most;
        for (entry, handle) in met {
            if entry > upto {
                return;
            }
            upto = upto.min(visit(handle));
        }
    }

    /// Where an object is.
    ///
    /// # Errors
    /// [`BroadError::Unknown`].
    fn aabb(&self, handle: Handle) -> Result<Aabb, BroadError>;

    /// Number of objects.
    fn len(&self) -> usize;

    /// Whether there are no objects.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The work of the last step. The same on every machine, for any number of threads.
    fn counters(&self) -> Counters;

    /// Memory in use beyond the boxes and the list of pairs, in bytes.
    fn memory(&self) -> usize;

    /// Which algorithm does the work now.
    fn algorithm(&self) -> Algorithm;

    /// Why this algorithm does, in one sentence.
    fn reason(&self) -> String {
        format!("{} was chosen by the caller", self.algorithm().name())
    }
}

/// How the pairs changed in a step: sorted lists of pairs as in [`BroadPhase::pairs`]. The numbers of removed
/// objects stand in `removed`; they are not used again before the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changes<'a> {
    /// Pairs that are new.
    pub added: &'a [[u32; 2]],
    /// Pairs that are no more.
    pub removed: &'a [[u32; 2]],
}

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
    /// Weighted sum of the counters, by which [`Algorithm::Auto`] compares algorithms.
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

/// What an algorithm found in a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Pairs `[i, j]`, `i < j`, in any order.
    pub pairs: Vec<[u32; 2]>,
    /// How many pairs there are, if they are to be counted instead of listed.
    pub counted: Option<u64>,
    /// Whether the pairs are sorted and none is there twice.
    pub sorted: bool,
    /// If the method tells how the pairs changed since it was asked last, instead of what they are. Pairs of
    /// removed objects need not be named.
    pub changed: Option<Changed>,
    pub counters: Counters,
}

/// Pairs that are new and pairs that are no more, in any order, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Changed {
    pub added: Vec<[u32; 2]>,
    pub removed: Vec<[u32; 2]>,
}

impl Found {
    /// Compares two boxes and keeps them if they are a pair.
    #[inline]
    pub fn test(&mut self, boxes: &Boxes, i: u32, j: u32) {
        self.counters.tests += 1;
        if boxes.meet(i, j) {
            self.keep(i, j);
        }
    }

    #[inline]
    pub fn keep(&mut self, i: u32, j: u32) {
        match &mut self.counted {
            Some(count) => *count += 1,
            None => self.pairs.push([i.min(j), i.max(j)]),
        }
    }
}

/// One way to find pairs. It follows changes one at a time and, in each step, gathers all pairs.
pub(super) trait Method: Send + Sync {
    fn algorithm(&self) -> Algorithm;

    fn inserted(&mut self, _boxes: &Boxes, _i: u32) {}

    fn moved(&mut self, _boxes: &Boxes, _i: u32, _before: &Aabb) {}

    fn removed(&mut self, _boxes: &Boxes, _i: u32, _before: &Aabb) {}

    /// Whether [`moved`](Self::moved) does anything.
    fn follows_moves(&self) -> bool {
        true
    }

    /// Whether these boxes, the first with this number, are where it expects them in the next step.
    fn expects(&self, _first: usize, _boxes: &[Aabb]) -> bool {
        false
    }

    /// Follows a count of boxes that moved at once, without a call to [`moved`](Self::moved) for each;
    /// `expected` if all boxes are where [`expects`](Self::expects) wants them.
    fn moved_many(&mut self, _count: usize, _expected: bool) {}

    /// Gathers all pairs.
    fn gather(&mut self, boxes: &Boxes, found: &mut Found);

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

    /// Memory in use, in bytes.
    fn bytes(&self) -> usize;

    /// Why this algorithm does the work.
    fn reason(&self) -> Option<String> {
        None
    }
}

/// A broad phase by one method: keeps the boxes and the list of pairs, and compares it with the last.
pub(super) struct Tracked {
    boxes: Boxes,
    method: Box<dyn Method>,
    pairs: Vec<[u32; 2]>,
    /// Memory for the next list.
    spare: Vec<[u32; 2]>,
    added: Vec<[u32; 2]>,
    removed: Vec<[u32; 2]>,
    counters: Counters,
    stale: bool,
    /// For searches.
    index: BoxIndex,
}

impl Tracked {
    pub fn new(method: Box<dyn Method>) -> Self {
        Self {
            boxes: Boxes::default(),
            method,
            pairs: Vec::new(),
            spare: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            counters: Counters::default(),
            stale: false,
            index: BoxIndex::default(),
        }
    }

    #[inline]
    fn moved(&mut self, handle: Handle, aabb: Aabb) -> Result<(), BroadError> {
        let before = self.boxes.update(handle, aabb)?;
        if before != aabb {
            self.method.moved(&self.boxes, handle.index(), &before);
            self.changed();
        }
        Ok(())
    }
}

impl Tracked {
    fn changed(&mut self) {
        self.stale = true;
        self.index.changed();
    }

    /// The tree over all boxes as they are.
    fn tree(&self) -> &Halving {
        let now = |i: u32| if self.boxes.is_live(i) { *self.boxes.get(i) } else { Aabb::EMPTY };
        self.index.tree(|| (0..self.boxes.slots().len() as u32).map(now).collect())
    }

    /// Keeps the changes that a method found.
    fn change(&mut self, Changed { added, mut removed }: Changed) {
        if self.boxes.some_retired() {
            let gone = |pair: &&[u32; 2]| pair.iter().any(|&i| !self.boxes.is_live(i));
            removed.extend(self.pairs.iter().filter(gone));
        }
        (self.added, self.removed) = (added, removed);
        let count = self.boxes.slots().len();
        sort_pairs(&mut self.added, count);
        sort_pairs(&mut self.removed, count);
        apply(&mut self.pairs, &self.added, &self.removed);
        self.spare = Vec::new();
    }

    /// Takes all pairs that a method found, and compares them with those of the last step.
    fn replace(&mut self, mut found: Found) {
        if !found.sorted {
            sort_pairs(&mut found.pairs, self.boxes.slots().len());
            found.pairs.dedup();
        }
        difference(&self.pairs, &found.pairs, &mut self.added, &mut self.removed);
        self.spare = std::mem::replace(&mut self.pairs, found.pairs);
    }
}

/// Empties a list, and gives back most of its memory if it had far more than it needed.
fn empty(list: &mut Vec<[u32; 2]>) {
    let used = list.len();
    list.clear();
    if list.capacity() > 1024 + 8 * used {
        list.shrink_to(2 * used);
    }
}

impl BroadPhase for Tracked {
    fn insert(&mut self, aabb: Aabb, mobility: Mobility) -> Result<Handle, BroadError> {
        let handle = self.boxes.insert(aabb, mobility)?;
        self.method.inserted(&self.boxes, handle.index());
        self.changed();
        Ok(handle)
    }

    fn update(&mut self, handle: Handle, aabb: Aabb) -> Result<(), BroadError> {
        self.moved(handle, aabb)
    }

    fn update_all(&mut self, handles: &[Handle], boxes: &[Aabb]) -> Result<(), BroadError> {
        if handles.len() != boxes.len() {
            return Err(BroadError::Lengths { handles: handles.len(), boxes: boxes.len() });
        }
        let is_run = self.boxes.check_all(handles, boxes)?;
        if !self.method.follows_moves()
            && is_run
            && let Some(first) = handles.first()
        {
            let see = |first: usize, boxes: &[Aabb]| self.method.expects(first, boxes);
            let (count, expected) = self.boxes.update_run(*first, boxes, see);
            self.method.moved_many(count, expected && boxes.len() == self.boxes.slots().len());
            if count > 0 {
                self.changed();
            }
            return Ok(());
        }
        handles.iter().zip(boxes).try_for_each(|(handle, aabb)| self.moved(*handle, *aabb))
    }

    fn remove(&mut self, handle: Handle) -> Result<(), BroadError> {
        let before = self.boxes.remove(handle)?;
        self.method.removed(&self.boxes, handle.index(), &before);
        self.changed();
        Ok(())
    }

    fn step(&mut self) -> Changes<'_> {
        empty(&mut self.added);
        empty(&mut self.removed);
        self.counters = Counters::default();
        if std::mem::take(&mut self.stale) {
            let mut found = Found { pairs: std::mem::take(&mut self.spare), ..Found::default() };
            found.pairs.clear();
            self.method.gather(&self.boxes, &mut found);
            self.counters = found.counters;
            match found.changed.take() {
                Some(changed) => self.change(changed),
                None => self.replace(found),
            }
            self.boxes.end_step();
        }
        Changes { added: &self.added, removed: &self.removed }
    }

    fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    fn query(&self, region: &Region<'_>) -> Vec<Handle> {
        let mut found = Vec::new();
        let mut visit = |i: u32| {
            if self.boxes.is_live(i) && region.meets(self.boxes.get(i)) {
                found.push(i);
            }
        };
        if self.boxes.len() <= FEW {
            self.boxes.live().for_each(&mut visit);
        } else if self.stale || !self.method.search(&self.boxes, region, &mut visit) {
            visit_meeting(self.tree(), |aabb| region.meets(aabb), &mut visit);
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|i| self.boxes.handle(i)).collect()
    }

    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64) {
        // What is not met has no bound.
        let most = if most.is_nan() { f64::MAX } else { most.min(f64::MAX) };
        let mut visit = |i: u32| visit(self.boxes.handle(i));
        if self.stale || !self.method.along(ray, most, &mut visit) {
            let tree = self.tree();
            let entry = RayEntry::new(ray, &tree.bounds(tree.whole()));
            visit_by(tree, |aabb| entry.of(aabb), most, &mut Meter::unlimited(), |i, _| visit(i));
        }
    }

    fn aabb(&self, handle: Handle) -> Result<Aabb, BroadError> {
        self.boxes.find(handle).map(|i| self.boxes.slots()[i])
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn memory(&self) -> usize {
        let lists = self.spare.capacity() + self.added.capacity() + self.removed.capacity();
        let boxes = self.boxes.bytes().saturating_sub(size_of_val(self.boxes.slots()));
        self.method.bytes() + self.index.bytes() + boxes + lists * size_of::<[u32; 2]>()
    }

    fn algorithm(&self) -> Algorithm {
        self.method.algorithm()
    }

    fn reason(&self) -> String {
        let chosen = || format!("{} was chosen by the caller", self.method.algorithm().name());
        self.method.reason().unwrap_or_else(chosen)
    }
}
