//! All broad phases by name.

use super::auto::Auto;
use super::axis::OneAxis;
use super::boxes::{Boxes, check};
use super::brute::BruteForce;
use super::centre_grid::CentreGrid;
use super::dynamic_bvh::DynamicBvh;
use super::hash_grid::HashGrid;
use super::intervals::Intervals;
use super::orthtree::Orthtree;
use super::partition::{Face, Median, Partition};
use super::phase::{Found, Method, Tracked};
use super::strips::Strips;
use super::sweep_and_prune::SweepAndPrune;
use super::uniform_grid::UniformGrid;
use super::{BroadError, BroadPhase, Counters, Mobility};
use crate::shape::Aabb;

/// Broad-phase algorithm: how pairs of overlapping boxes are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Algorithm {
    /// Chooses one of the others, and another when the scene changes.
    #[default]
    Auto,
    /// Every box with every other, eight at a time.
    BruteForce,
    /// Sort and sweep along one axis.
    Axis,
    /// Interval overlap on three axes with flags for each pair: I-COLLIDE.
    Intervals,
    /// Incremental sweep and prune: three lists of end points sorted by insertion.
    SweepAndPrune,
    /// A grid in two dimensions with boxes by their centres.
    Grid2d,
    /// A grid in three dimensions with boxes by their centres.
    Grid3d,
    /// A uniform grid with boxes in all cells that they enter.
    UniformGrid,
    /// The same with cells in a hash.
    HashGrid,
    /// A quad tree: boxes in the deepest node that holds them whole, in two dimensions.
    QuadTree,
    /// An octree with boxes in all leaves that they enter.
    OctreeDuplicates,
    /// An octree with boxes in the deepest node that holds them whole.
    Octree,
    /// A k-d tree.
    KdTree,
    /// A BSP tree along faces of the boxes.
    BspTree,
    /// Dynamic hierarchies of grown boxes, one of moving and one of static objects.
    DynamicBvh,
    /// Strip sort and sweep.
    Strips,
}

/// Parameters of octrees and quad trees; other algorithms ignore them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// Most boxes in a leaf that is not divided, at least 1. 32 was best in Dimitrijević 2019.
    pub leaf_size: usize,
    /// Deepest level, at most 21; the root is level 0.
    pub depth: u32,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { leaf_size: 32, depth: 10 }
    }
}

impl Algorithm {
    /// All algorithms, [`Algorithm::Auto`] first.
    pub const ALL: [Self; 16] = [
        Self::Auto,
        Self::BruteForce,
        Self::Axis,
        Self::Intervals,
        Self::SweepAndPrune,
        Self::Grid2d,
        Self::Grid3d,
        Self::UniformGrid,
        Self::HashGrid,
        Self::QuadTree,
        Self::OctreeDuplicates,
        Self::Octree,
        Self::KdTree,
        Self::BspTree,
        Self::DynamicBvh,
        Self::Strips,
    ];

    /// The name in commands and query files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::BruteForce => "brute",
            Self::Axis => "axis",
            Self::Intervals => "intervals",
            Self::SweepAndPrune => "sap",
            Self::Grid2d => "grid2d",
            Self::Grid3d => "grid3d",
            Self::UniformGrid => "uniform",
            Self::HashGrid => "hash",
            Self::QuadTree => "quadtree",
            Self::OctreeDuplicates => "octree-dup",
            Self::Octree => "octree",
            Self::KdTree => "kd",
            Self::BspTree => "bsp",
            Self::DynamicBvh => "bvh",
            Self::Strips => "strips",
        }
    }

    /// The algorithm of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Creates an empty broad phase of this algorithm.
    pub fn build(self) -> Box<dyn BroadPhase> {
        self.build_with(Tuning::default())
    }

    /// Creates an empty broad phase with other parameters.
    pub fn build_with(self, tuning: Tuning) -> Box<dyn BroadPhase> {
        Box::new(Tracked::new(self.method(tuning)))
    }

    /// All pairs of boxes with a point in common, from scratch.
    ///
    /// # Errors
    /// [`BroadError::NotANumber`], [`BroadError::Inverted`] name the first box that is refused; [`BroadError::Full`].
    pub fn pairs_of(self, boxes: &[Aabb]) -> Result<Listing, BroadError> {
        // Without a copy of the boxes, where nothing is kept.
        if self == Self::Strips {
            return straight(boxes, by_caller(self));
        }
        if self == Self::Auto && boxes.len() > super::auto::FEW {
            return straight(boxes, because_new(boxes));
        }
        let mut phase = self.build();
        boxes.iter().try_for_each(|aabb| phase.insert(*aabb, Mobility::Moving).map(drop))?;
        phase.step();
        let (counters, memory) = (phase.counters(), phase.memory());
        let (algorithm, reason) = (phase.algorithm(), phase.reason());
        let pairs = phase.pairs().to_vec();
        Ok(Listing { count: pairs.len() as u64, pairs, algorithm, reason, counters, memory })
    }

    /// How many pairs of boxes have a point in common, from scratch: as [`pairs_of`](Self::pairs_of), without
    /// the memory that a list of them takes.
    ///
    /// # Errors
    /// Those of [`pairs_of`](Self::pairs_of).
    pub fn count_of(self, boxes: &[Aabb]) -> Result<Listing, BroadError> {
        let anew = self == Self::Auto && boxes.len() > super::auto::FEW;
        if anew || self == Self::Strips {
            check_all(boxes)?;
            let (count, counters) = super::strips::count_pairs(boxes);
            let reason = if anew { because_new(boxes) } else { by_caller(self) };
            let algorithm = Self::Strips;
            return Ok(Listing { pairs: Vec::new(), count, algorithm, reason, counters, memory: 0 });
        }
        let (mut kept, mut method) = (Boxes::default(), self.method(Tuning::default()));
        for aabb in boxes {
            let handle = kept.insert(*aabb, Mobility::Moving)?;
            method.inserted(&kept, handle.index());
        }
        let mut found = Found { counted: Some(0), ..Found::default() };
        method.gather(&kept, &mut found);
        Ok(Listing {
            count: found.counted.unwrap_or_default(),
            pairs: Vec::new(),
            algorithm: method.algorithm(),
            reason: method.reason().unwrap_or_else(|| by_caller(self)),
            counters: found.counters,
            memory: method.bytes(),
        })
    }

    pub(super) fn method(self, tuning: Tuning) -> Box<dyn Method> {
        let tuning = Tuning { depth: tuning.depth.min(21), ..tuning };
        match self {
            Self::Auto => Box::new(Auto::default()),
            Self::BruteForce => Box::new(BruteForce::default()),
            Self::Axis => Box::new(OneAxis::default()),
            Self::Intervals => Box::new(Intervals::default()),
            Self::SweepAndPrune => Box::new(SweepAndPrune::default()),
            Self::Grid2d => Box::new(CentreGrid::<2>::default()),
            Self::Grid3d => Box::new(CentreGrid::<3>::default()),
            Self::UniformGrid => Box::new(UniformGrid::default()),
            Self::HashGrid => Box::new(HashGrid::default()),
            Self::QuadTree => Box::new(Orthtree::<2, false>::new(tuning)),
            Self::OctreeDuplicates => Box::new(Orthtree::<3, true>::new(tuning)),
            Self::Octree => Box::new(Orthtree::<3, false>::new(tuning)),
            Self::KdTree => Box::new(Partition::<Median>::default()),
            Self::BspTree => Box::new(Partition::<Face>::default()),
            Self::DynamicBvh => Box::new(DynamicBvh::default()),
            Self::Strips => Box::new(Strips::default()),
        }
    }
}

/// Overlapping pairs of a set of boxes, with counters of the work that finding them took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Pairs `[i, j]`, `i < j`, sorted; none if they were only counted.
    pub pairs: Vec<[u32; 2]>,
    /// How many pairs there are.
    pub count: u64,
    /// The algorithm that was used.
    pub algorithm: Algorithm,
    /// Why, in one sentence.
    pub reason: String,
    /// The work that was done.
    pub counters: Counters,
    /// Memory in use at the end beyond the boxes and the list of pairs, in bytes.
    pub memory: usize,
}

fn straight(boxes: &[Aabb], reason: String) -> Result<Listing, BroadError> {
    check_all(boxes)?;
    let (pairs, counters) = super::strips::counted_pairs(boxes);
    let count = pairs.len() as u64;
    Ok(Listing { pairs, count, algorithm: Algorithm::Strips, reason, counters, memory: 0 })
}

fn check_all(boxes: &[Aabb]) -> Result<(), BroadError> {
    if boxes.len() > super::boxes::MOST {
        return Err(BroadError::Full);
    }
    boxes.iter().enumerate().try_for_each(|(i, aabb)| check(i as u32, aabb))
}

fn by_caller(algorithm: Algorithm) -> String {
    format!("{} was chosen by the caller", algorithm.name())
}

fn because_new(boxes: &[Aabb]) -> String {
    format!("strips because all {} boxes are new", boxes.len())
}
