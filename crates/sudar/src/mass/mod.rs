//! Mass properties: volume, centre of mass and inertia tensor of bodies of uniform density.
//!
//! [`mass_properties`] integrates exactly but for rounding: in closed form over round bodies, as a sum over
//! the triangles of closed meshes and hulls. [`mesh_bounds`] says how far rounding can have gone.
//! [`voxel_mass`] sums along rays through a grid, which also does for meshes with holes, and estimates its
//! error.
//!
//! All is at density 1, so that the mass is the volume; [`MassProperties::at_density`] gives it any other, and
//! [`MassProperties::combined`] puts bodies of several densities together.

mod border;
mod bounds;
mod kernel;
mod polyhedron;
mod properties;
mod rays;
mod voxel;

pub use bounds::MassBounds;
pub use polyhedron::{certified_mass, mass_properties, mesh_bounds};
pub use properties::{MassProperties, PrincipalAxes};
pub use rays::{GridShift, OddRays};
pub(crate) use voxel::metered as voxel_mass_metered;
pub use voxel::{ErrorEstimate, MAX_CELLS, Resolution, VoxelMass, VoxelOptions, voxel_mass};

use thiserror::Error;

use crate::shape::NotClosed;

/// Why a body has no mass properties.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MassError {
    /// The mesh has holes.
    #[error("{0}; or measure it by voxels, which weigh by winding numbers where there are holes")]
    Open(#[from] NotClosed),
    /// Triangles of the mesh disagree about which side is outside.
    #[error(
        "the mesh is closed, but along {edges} edges its triangles disagree about which side is outside; turn them over, or measure it by voxels, which count crossings"
    )]
    NotOriented {
        /// Edges along which not as many triangles run one way as the other.
        edges: usize,
    },
    /// A half-space.
    #[error("a half-space goes on without end and has no mass; use a box of the extent that is meant")]
    Unbounded,
    /// A surface, line or point, or a body that is flat up to rounding.
    #[error("{what} has no volume; {way_out}")]
    NoVolume {
        /// What it is.
        what: &'static str,
        /// What to do.
        way_out: &'static str,
    },
    /// Fifth powers of its size leave the range of `f64`.
    #[error(
        "a body of size {size:e} is out of range, its inertia would be; scale it to between 1e-50 and 1e50"
    )]
    OutOfRange {
        /// The largest coordinate that counts.
        size: f64,
    },
    /// The grid cannot be had.
    #[error(
        "a grid needs 1 to {limit} cells along the longest side, this one would have {cells}; change the step"
    )]
    Grid {
        /// How many cells it would have.
        cells: f64,
        /// The most there can be.
        limit: u32,
    },
    /// Rays go along one, two or three axes.
    #[error("rays can go along 1, 2 or 3 axes, not {axes}")]
    Axes {
        /// How many were wanted.
        axes: u32,
    },
    /// A budget was used up, or the measurement cancelled.
    #[error("the measurement was stopped before its end; allow it more rays or more time")]
    Stopped,
    /// A part of a compound.
    #[error("part {part}: {error}")]
    Part {
        /// Its index.
        part: usize,
        /// What is wrong with it.
        error: Box<MassError>,
    },
}

impl MassError {
    /// The same error without saying which part of a compound it is of: for compounds of one part.
    #[must_use]
    pub fn of_whole(self) -> Self {
        if let Self::Part { error, .. } = self { *error } else { self }
    }
}

/// Sizes whose fifth powers, and sums of these, are normal numbers.
const RANGE: std::ops::RangeInclusive<f64> = 1e-50..=1e50;

/// Refuses sizes whose fifth powers are out of range.
fn check_size(size: f64) -> Result<(), MassError> {
    if RANGE.contains(&size) { Ok(()) } else { Err(MassError::OutOfRange { size }) }
}
