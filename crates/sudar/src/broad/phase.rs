//! Broad phases as their users see them.

use super::error::BroadError;
use super::finder::{Choice, Counters};
use super::handle::{Handle, Mobility};
use super::region::Region;
use crate::query::ray_entry;
use crate::shape::{Aabb, Ray};

/// Finds which of many moving boxes overlap, frame after frame.
///
/// Insert, update and remove boxes as you like, then call [`step`](Self::step): it brings the list of pairs
/// up to date and says how it changed. All implementations give exactly the pairs of boxes that have a point
/// in common (touching counts) and are not both static, in sorted order; they differ in cost alone.
///
/// ```
/// use sudar::broad::{self, Mobility};
/// use sudar::{Aabb, DVec3};
///
/// let unit = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) };
/// let mut phase = broad::auto();
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

    /// Moves many boxes, which is quicker than one by one. Boxes that are left out stay where they were put last, so a
    /// caller that knows which boxes moved gives these alone; pairs are the same as if all were given.
    ///
    /// Boxes that are given and have not moved cost a comparison each, and a step after which none has moved costs
    /// nothing. With [`bvh`](super::bvh()), which [`auto`](super::auto()) chooses where it pays, a step in which few
    /// boxes moved searches for these alone: O(moved · log n), and what it takes to change the list of pairs.
    ///
    /// ```
    /// use sudar::broad::{self, Mobility};
    /// use sudar::{Aabb, DVec3};
    ///
    /// let unit = |x: f64| Aabb { min: DVec3::X * x, max: DVec3::X * x + DVec3::ONE };
    /// let mut phase = broad::auto();
    /// let row = (0..1000).map(|i| phase.insert(unit(2.0 * f64::from(i)), Mobility::Moving));
    /// let handles = row.collect::<Result<Vec<_>, _>>()?;
    /// phase.step();
    /// // Two of the thousand move, each against its neighbour.
    /// phase.update_all(&[handles[3], handles[700]], &[unit(7.0), unit(1401.0)])?;
    /// assert_eq!(phase.step().added, [[3, 4], [700, 701]]);
    /// # Ok::<(), broad::BroadError>(())
    /// ```
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

    /// The parts into which the algorithm divides boxes or space now, each with its level, the whole at level 0: for
    /// pictures. Cells of grids have level 0 all; ends may be infinite. Empty for algorithms that keep none. O(cells).
    ///
    /// ```
    /// use sudar::broad::{self, Mobility};
    /// use sudar::{Aabb, DVec3};
    ///
    /// let mut phase = broad::bvh();
    /// for x in [0.0, 2.0] {
    ///     let min = DVec3::X * x;
    ///     phase.insert(Aabb { min, max: min + DVec3::ONE }, Mobility::Static)?;
    /// }
    /// phase.step();
    /// // The box around both, and each of them.
    /// let levels: Vec<u32> = phase.cells().iter().map(|(level, _)| *level).collect();
    /// assert_eq!(levels, [0, 1, 1]);
    /// # Ok::<(), broad::BroadError>(())
    /// ```
    fn cells(&self) -> Vec<(u32, Aabb)> {
        Vec::new()
    }

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

    /// The name of the broad phase, as in commands and query files.
    fn name(&self) -> &str;

    /// Parameters that differ from the default ones, in words; empty if there are none.
    fn parameters(&self) -> String;

    /// The algorithm that does the work now, which [`auto`](super::auto()) chooses, and why.
    fn choice(&self) -> Choice;

    /// Inserts the boxes and lists all pairs, or only counts them, which takes no memory for a list. Quicker than
    /// [`insert`](Self::insert) and [`step`](Self::step) for boxes that are needed once.
    ///
    /// # Errors
    /// [`BroadError::NotANumber`], [`BroadError::Inverted`] name the first box that is refused; [`BroadError::Full`].
    fn list(self: Box<Self>, boxes: &[Aabb], output: Output) -> Result<Listing, BroadError>;

    /// The same broad phase with the same boxes.
    fn boxed_clone(&self) -> Box<dyn BroadPhase>;
}

impl Clone for Box<dyn BroadPhase> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
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

/// Whether pairs are listed or only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// A list of the pairs.
    Pairs,
    /// The number of pairs.
    Count,
}

/// Overlapping pairs of a set of boxes, with counters of the work that finding them took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Pairs `[i, j]`, `i < j`, sorted; none if they were only counted.
    pub pairs: Vec<[u32; 2]>,
    /// Number of pairs.
    pub count: u64,
    /// The algorithm that was used, and why.
    pub choice: Choice,
    /// The work that was done.
    pub counters: Counters,
    /// Memory in use at the end beyond the boxes and the list of pairs, in bytes.
    pub memory: usize,
}
