//! The broad phases of the sources, behind the trait of [`sudar::broad`]: every [`BroadPhase`] by its name.
//!
//! | name | algorithm | cost of a frame | good for |
//! |------|-----------|-----------------|----------|
//! | `axis` | sort and sweep along one axis | n log n + overlaps on one axis | long rows of boxes |
//! | `intervals` | overlap on three axes, flags for each pair: I-COLLIDE | n + swaps, memory n^(5/3) | small motions |
//! | `sap` | sweep and prune: three lists of ends sorted by insertion | n + swaps | many boxes that move very little |
//! | `grid2d`, `grid3d` | a grid with each box in the cell of its centre | n + neighbours | boxes of equal size |
//! | `uniform` | a grid with each box in all cells that it enters | n + cells | boxes of similar size, evenly spread |
//! | `hash` | the same with cells in a hash | n + cells | the same, without bounds |
//! | `quadtree`, `octree` | boxes in the deepest node that holds them | n log n + boxes in high nodes | static scenes |
//! | `octree-dup` | an octree with each box in all leaves that it enters | the same + copies | small boxes |
//! | `kd`, `bsp` | a k-d tree, a BSP tree along faces of boxes | n log n, built anew | clusters, sizes of all kinds |
//!
//! The other four names of [`ALL`] are those of [`sudar::broad::NAMES`].

mod active_pairs;
mod axis;
mod centre_grid;
mod end_points;
mod hash_grid;
mod intervals;
mod lattice;
mod orthtree;
mod pair_flags;
mod partition;
mod portals;
mod sight;
mod sweep_and_prune;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tuning;
mod uniform_grid;

use sudar::Aabb;
use sudar::broad::{self, BroadPhase};

use axis::OneAxis;
use centre_grid::CentreGrid;
use hash_grid::HashGrid;
use intervals::Intervals;
use orthtree::Orthtree;
use partition::{Face, Median, Partition};
use portals::Portals;
use sweep_and_prune::SweepAndPrune;
use uniform_grid::UniformGrid;

pub(crate) use lattice::CellHasher;
pub use sight::cells_in_sight;
pub use tuning::Tuning;

/// The names of all broad phases, those of [`sudar::broad`] among them, `auto` first.
pub const ALL: [&str; 16] = [
    "auto",
    "brute",
    "axis",
    "intervals",
    "sap",
    "grid2d",
    "grid3d",
    "uniform",
    "hash",
    "quadtree",
    "octree-dup",
    "octree",
    "kd",
    "bsp",
    "bvh",
    "strips",
];

/// No broad phase has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown algorithm \"{name}\"; known: {}", ALL.join(", "))]
pub struct UnknownBroadPhase {
    /// The name that was given.
    pub name: String,
}

/// Creates the broad phase of that name, one of [`ALL`].
///
/// # Errors
/// [`UnknownBroadPhase`], which lists the names.
///
/// ```
/// use sudar::broad::Mobility;
/// use sudar::{Aabb, DVec3};
///
/// let mut phase = sudar_classic::broad_phase("sap")?;
/// phase.insert(Aabb { min: DVec3::ZERO, max: DVec3::ONE }, Mobility::Moving)?;
/// phase.insert(Aabb { min: DVec3::ONE, max: DVec3::ONE * 2.0 }, Mobility::Moving)?;
/// assert_eq!(phase.step().added, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn broad_phase(name: &str) -> Result<Box<dyn BroadPhase>, UnknownBroadPhase> {
    broad_phase_with(name, Tuning::default())
}

/// Interval overlap on three axes with flags for each pair: I-COLLIDE.
pub fn intervals() -> Box<dyn BroadPhase> {
    broad::broad_phase(Intervals::default())
}

/// Cells and portals (Dimitrijević 2019, section 3.4): rooms, between which objects go through doors. Portals are
/// what two cells have in common. Good where each room holds few objects and these are smaller than the rooms. It has
/// no place in [`ALL`], for it needs cells.
///
/// ```
/// use sudar::broad::Mobility;
/// use sudar::{Aabb, DVec3};
///
/// let room = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 4.0, 4.0, 3.0) };
/// let mut phase = sudar_classic::broad::cells_and_portals(vec![room(0.0), room(4.0), room(8.0)]);
/// let cube = |x: f64| Aabb { min: DVec3::new(x, 1.0, 1.0), max: DVec3::new(x + 1.0, 2.0, 2.0) };
/// let first = phase.insert(cube(1.0), Mobility::Moving)?;
/// phase.insert(cube(4.2), Mobility::Moving)?;
/// assert!(phase.step().added.is_empty());
/// // The first comes to the door between its room and the next.
/// phase.update(first, cube(3.4))?;
/// assert_eq!(phase.step().added, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cells_and_portals(cells: Vec<Aabb>) -> Box<dyn BroadPhase> {
    broad::broad_phase(Portals::new(cells))
}

/// As [`broad_phase`], with parameters for `quadtree`, `octree` and `octree-dup`; the others have none.
///
/// # Errors
/// [`UnknownBroadPhase`].
pub fn broad_phase_with(name: &str, tuning: Tuning) -> Result<Box<dyn BroadPhase>, UnknownBroadPhase> {
    Ok(match name {
        "axis" => broad::broad_phase(OneAxis::default()),
        "intervals" => intervals(),
        "sap" => broad::broad_phase(SweepAndPrune::default()),
        "grid2d" => broad::broad_phase(CentreGrid::<2>::default()),
        "grid3d" => broad::broad_phase(CentreGrid::<3>::default()),
        "uniform" => broad::broad_phase(UniformGrid::default()),
        "hash" => broad::broad_phase(HashGrid::default()),
        "quadtree" => broad::broad_phase(Orthtree::<2, false>::new(tuning)),
        "octree-dup" => broad::broad_phase(Orthtree::<3, true>::new(tuning)),
        "octree" => broad::broad_phase(Orthtree::<3, false>::new(tuning)),
        "kd" => broad::broad_phase(Partition::<Median>::default()),
        "bsp" => broad::broad_phase(Partition::<Face>::default()),
        _ => return broad::by_name(name).ok_or_else(|| UnknownBroadPhase { name: name.to_owned() }),
    })
}
