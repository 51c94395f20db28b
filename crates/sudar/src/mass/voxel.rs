//! Mass properties by rays through a grid.
//!
//! After Maštera 2007 ("Simulation of collisions on a physical model"), whose tool steps along rays through
//! voxels: rays run along one to three axes, through each cell across them, and what lies between two
//! crossings is summed up in closed form. Here the runs end where the surface is and not at the next voxel unless
//! that is wanted, the sums are `f64`, and a comparison with coarser grids estimates what the grid leaves out.

mod along;
mod parts;
mod runs;

use glam::DVec3;

use super::polyhedron::no_volume;
use super::rays::{GridShift, OddRays, Rays};
use super::{MassError, MassProperties, check_size};
use crate::effort::Meter;
use crate::math::Pose;
use crate::shape::{Aabb, Shape};
use along::moments;
use parts::collect;
use runs::Moments;

/// Most cells along the longest side.
pub const MAX_CELLS: u32 = 4096;

/// How fine the grid is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// As many cells along the longest side of the bounding box.
    Cells(u32),
    /// Cells no wider than this.
    Step(f64),
}

/// How to measure by voxels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelOptions {
    /// How fine the grid is.
    pub resolution: Resolution,
    /// Along how many axes rays go, 1 to 3: x, then y, then z. Their results are averaged.
    pub axes: u32,
    /// What to do at holes.
    pub odd_rays: OddRays,
    /// Where in their cells rays run.
    pub shift: GridShift,
    /// Whether runs end at whole cells as in the source, the nearest plane of the grid included at either end, and
    /// not where the surface is. The planes are a third of a cell off the borders.
    pub snap: bool,
}

impl Default for VoxelOptions {
    /// 100 cells along the longest side, rays along all axes, runs up to the surface.
    fn default() -> Self {
        Self {
            resolution: Resolution::Cells(100),
            axes: 3,
            odd_rays: OddRays::Weigh,
            shift: GridShift::Alternating,
            snap: false,
        }
    }
}

impl VoxelOptions {
    /// How many rays [`voxel_mass`] sends through a box, those of the coarser grids included, for each
    /// surface or convex body in it. A ray is a node of its [`Progress`](crate::effort::Progress).
    pub fn rays(&self, aabb: &Aabb) -> u64 {
        let longest = aabb.extent().max_element();
        let Ok(step) = step(self.resolution, longest) else { return 0 };
        let along = |axis: u32, factor: f64| self.grid(aabb, axis as usize, step * factor).count();
        let grids = || [1.0].into_iter().chain(COARSER);
        (0..self.axes.min(3)).map(|axis| grids().map(|factor| along(axis, factor)).sum::<u64>()).sum()
    }

    fn grid(&self, aabb: &Aabb, axis: usize, step: f64) -> Rays {
        Rays::new(aabb, axis, step, self.shift)
    }
}

/// How far off a result by voxels may be: estimated by what coarser grids and single axes give, not proven.
///
/// ```
/// use sudar::mass::{ErrorEstimate, VoxelOptions, voxel_mass};
/// use sudar::{DVec3, Sphere};
///
/// let ball = Sphere::new(DVec3::ZERO, 1.0)?.into();
/// let found = voxel_mass(&ball, &VoxelOptions::default())?;
/// let ErrorEstimate { mass, .. } = found.error;
/// assert!((found.properties.mass - 4.0 / 3.0 * std::f64::consts::PI).abs() < 0.02 && mass < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorEstimate {
    /// Of the mass at density 1, the volume.
    pub mass: f64,
    /// Of the centre: a distance.
    pub center: f64,
    /// Of any entry of the inertia tensor.
    pub inertia: f64,
}

/// What measuring by voxels gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelMass {
    /// At density 1.
    pub properties: MassProperties,
    /// How far off they may be.
    pub error: ErrorEstimate,
    /// Cells along x, y, z.
    pub cells: [u32; 3],
    /// How many rays there were.
    pub rays: u64,
    /// How many crossed an open mesh an odd number of times.
    pub odd_rays: u64,
}

/// Mass properties of a body by rays through a grid, also of meshes with holes.
///
/// Closed meshes count as in [`mass_properties`](super::mass_properties), those whose triangles disagree
/// about the outside by parity; the parts of a compound are added up. O(triangles + rays and crossings) for
/// each axis; of a mesh with holes each ray takes time in proportion to the length of its border besides.
/// [`Work::voxel_mass`](crate::query::Work::voxel_mass) reports progress, and can be stopped.
///
/// # Errors
/// [`MassError`] for shapes that have no inside, for a grid that is too fine, and if no ray meets the body.
pub fn voxel_mass(shape: &Shape, options: &VoxelOptions) -> Result<VoxelMass, MassError> {
    metered(shape, options, &mut Meter::unlimited())
}

/// Each ray costs a node.
pub(crate) fn metered(
    shape: &Shape,
    options: &VoxelOptions,
    meter: &mut Meter,
) -> Result<VoxelMass, MassError> {
    if !(1..=3).contains(&options.axes) {
        return Err(MassError::Axes { axes: options.axes });
    }
    let mut parts = Vec::new();
    collect(shape, &Pose::IDENTITY, &mut parts)?;
    let aabb = parts.iter().fold(Aabb::EMPTY, |sum, part| sum.union(part.aabb()));
    let longest = aabb.extent().max_element();
    check_size(longest)?;
    let step = step(options.resolution, longest)?;
    let mut odd_rays = 0;
    let mut measured = |step: f64, odd_rays: &mut u64| -> Vec<Moments> {
        let manner = (options.odd_rays, options.snap);
        let along = |axis| moments(&parts, &options.grid(&aabb, axis, step), manner, odd_rays, meter);
        (0..options.axes as usize).map(along).collect()
    };
    let fine = measured(step, &mut odd_rays);
    let others: Vec<Moments> = COARSER
        .iter()
        .flat_map(|factor| measured(step * factor, &mut 0))
        .chain(fine.iter().copied())
        .collect();
    if meter.is_stopped() {
        return Err(MassError::Stopped);
    }
    let all = Moments::mean(&fine);
    let origin = aabb.center();
    let properties = all.properties(origin).ok_or_else(|| {
        no_volume("what the rays hit", "take more cells, or turn over pieces that face inward")
    })?;
    let cells = |axis: usize| options.grid(&aabb, axis, step).along.count;
    Ok(VoxelMass {
        properties,
        error: estimate(&properties, &others, origin, &aabb),
        cells: [cells(0), cells(1), cells(2)],
        rays: (0..options.axes as usize).map(|axis| options.grid(&aabb, axis, step).count()).sum(),
        odd_rays,
    })
}

/// How much wider the cells of the grids are with which the result is compared.
const COARSER: [f64; 4] = [1.2, 1.45, 1.7, 2.0];
/// Greatest difference to one of them, times this, is the estimate.
const CAUTION: f64 = 2.0;

fn step(resolution: Resolution, longest: f64) -> Result<f64, MassError> {
    let (step, cells) = match resolution {
        Resolution::Cells(n) => (longest / f64::from(n), f64::from(n)),
        Resolution::Step(step) => (step, (longest / step).ceil()),
    };
    let fits = step > 0.0 && (1.0..=f64::from(MAX_CELLS)).contains(&cells);
    if fits { Ok(step.min(longest)) } else { Err(MassError::Grid { cells, limit: MAX_CELLS }) }
}

/// The greatest differences of the other results to this one.
fn estimate(found: &MassProperties, others: &[Moments], origin: DVec3, aabb: &Aabb) -> ErrorEstimate {
    // No more is known of what none of the rays of a coarser grid hits.
    let mut error = ErrorEstimate { mass: 0.0, center: 0.0, inertia: 0.0 };
    let reach = aabb.extent().length();
    for other in others {
        let Some(other) = other.properties(origin) else {
            error.center = error.center.max(reach);
            error.mass = error.mass.max(found.mass.abs());
            error.inertia = error.inertia.max(found.mass.abs() * reach * reach);
            continue;
        };
        let inertia = other.inertia - found.inertia;
        error.mass = error.mass.max((other.mass - found.mass).abs());
        error.center = error.center.max((other.center - found.center).length());
        error.inertia = inertia.to_cols_array().into_iter().fold(error.inertia, |m, x| m.max(x.abs()));
    }
    // Rounding, where all grids agree.
    let rounding = 1e-12 * found.mass.abs();
    ErrorEstimate {
        mass: CAUTION * error.mass + rounding,
        center: CAUTION * error.center + 1e-12 * (reach + origin.length()),
        inertia: CAUTION * error.inertia + rounding * reach * reach,
    }
}

#[cfg(test)]
mod tests;
