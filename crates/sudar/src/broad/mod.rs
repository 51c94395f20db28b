//! Broad phases: which of many boxes overlap.
//!
//! A [`BroadPhase`] holds n boxes that move and lists the pairs that overlap. All implementations list the same pairs
//! and differ in cost alone:
//!
//! | made by | name | cost of a frame | good for |
//! |---------|------|-----------------|----------|
//! | [`auto`] | `auto` | that of the one it chooses | everything; chooses among the others by counts of work |
//! | [`brute_force`] | `brute` | n² / 8 | up to some hundred boxes |
//! | [`bvh`] | `bvh` | moved · log n + pairs | few that move, sizes of all kinds, many queries |
//! | [`strips`](strips()) | `strips` | n log n at the speed of memory | everything that moves |
//!
//! The crate `sudar-classic` has twelve more, from sweep and prune to octrees, and everybody can write one: an
//! algorithm is a [`PairFinder`], and [`broad_phase`] makes a broad phase of it. [`candidate_pairs`] lists the pairs of
//! boxes that do not move.
//!
//! Boxes are compared exactly. Ends may be infinite; a coordinate that is not a number, or a box that ends
//! before it begins, is refused and changes nothing. Results are the same bits for any number of threads.

mod along;
mod auto;
mod box_tree;
mod boxes;
mod brute;
mod dynamic_bvh;
mod error;
mod filter;
mod finder;
mod handle;
mod pairs;
mod phase;
mod region;
mod rows;
mod strip_sort;
mod touched;
mod tracked;

pub(crate) use along::{visit_all_along, visit_along};
pub(crate) use box_tree::BoxTree;
pub use boxes::{Boxes, Extent, overlap};
pub use error::BroadError;
pub use filter::{Filter, Seek, Without};
pub use finder::{Choice, CloneFinder, Counters, FoundPairs, PairFinder};
pub use handle::{Handle, Mobility};
pub use phase::{BroadPhase, Changes, Listing, Output};
pub use region::Region;
pub use strip_sort::{candidate_pairs, overlapping_lists};
pub use tracked::broad_phase;

/// The names of the broad phases of this crate, [`auto`] first.
pub const NAMES: [&str; 4] = ["auto", "brute", "bvh", strip_sort::NAME];

/// The broad phase of this crate with that name.
pub fn by_name(name: &str) -> Option<Box<dyn BroadPhase>> {
    let makers = [auto, brute_force, bvh, strips];
    NAMES.into_iter().zip(makers).find(|(known, _)| *known == name).map(|(_, make)| make())
}

/// A broad phase that chooses one of the others by counts of boxes, moves and operations, and another when the scene
/// changes; never by the clock.
pub fn auto() -> Box<dyn BroadPhase> {
    broad_phase(auto::Auto::default())
}

/// Every box with every other, eight at a time.
pub fn brute_force() -> Box<dyn BroadPhase> {
    broad_phase(brute::BruteForce::default())
}

/// Dynamic hierarchies of grown boxes, one of moving and one of static objects.
pub fn bvh() -> Box<dyn BroadPhase> {
    broad_phase(dynamic_bvh::DynamicBvh::default())
}

/// Strip sort and sweep.
pub fn strips() -> Box<dyn BroadPhase> {
    broad_phase(strip_sort::Strips::default())
}
