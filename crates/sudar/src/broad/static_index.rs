//! Indices over triangles that do not move.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::bsp_tree::BspOfTriangles;
use super::lattice::CellHasher;
use super::portals::Portals;
use super::tetrahedra::TetrahedralMesh;
use super::voxels::Voxels;
use super::{BroadError, Counters};
use crate::pair::{segment_aabb, segment_triangle, triangle_aabb};
use crate::shape::{Aabb, Segment, Triangle};

/// Built once over triangles, tells which of them a box or a segment meets.
///
/// All implementations give the same triangles, those that brute force gives; they differ in cost alone.
pub trait StaticIndex: Send + Sync {
    /// The triangles that have a point in common with the probe. Exact; touching counts.
    fn query(&self, probe: &Probe) -> Met;

    /// The triangles, as given.
    fn triangles(&self) -> &[Triangle];

    /// Memory in use beyond the triangles, in bytes.
    fn memory(&self) -> usize;

    /// Which index this is.
    fn kind(&self) -> IndexKind;
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Probe {
    /// A box. An empty one meets nothing.
    Box(Aabb),
    /// A segment, within 1e90 as [`Segment::new`] makes sure. One with an end that is not finite meets nothing.
    Segment(Segment),
}

impl Probe {
    /// A box that moves: the box around it at both ends. What it meets on a straight way is among what this meets.
    pub fn moving_box(from: &Aabb, to: &Aabb) -> Self {
        Self::Box(from.union(*to))
    }

    /// The same without what is so far away that there are no triangles; `None` for what holds no point.
    fn within_range(&self) -> Option<Self> {
        match self {
            Self::Box(aabb) => {
                let range = glam::DVec3::splat(2e90);
                let part = Aabb { min: aabb.min.clamp(-range, range), max: aabb.max.clamp(-range, range) };
                aabb.min.cmple(aabb.max).all().then_some(Self::Box(part))
            }
            Self::Segment(segment) => (segment.a.is_finite() && segment.b.is_finite()).then_some(*self),
        }
    }

    /// Whether it has a point in common with a triangle. Exact.
    pub(super) fn meets(&self, triangle: &Triangle) -> bool {
        match self {
            Self::Box(aabb) => triangle_aabb(triangle, aabb),
            Self::Segment(segment) => segment_triangle(segment, triangle),
        }
    }

    /// Whether it has a point in common with a box. Exact.
    pub(super) fn meets_box(&self, aabb: &Aabb) -> bool {
        match self {
            Self::Box(own) => super::boxes::overlap(own, aabb),
            Self::Segment(segment) => segment_aabb(segment, aabb),
        }
    }

    /// Points of which it is the hull.
    pub(super) fn corners(&self) -> Vec<glam::DVec3> {
        match self {
            Self::Box(aabb) => aabb.corners().to_vec(),
            Self::Segment(segment) => vec![segment.a, segment.b],
        }
    }
}

/// What a probe met.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Met {
    /// Numbers of the triangles, sorted.
    pub triangles: Vec<u32>,
    /// `tests`: triangles that were compared; `visits`: nodes, cells or tetrahedra that were visited.
    pub counters: Counters,
}

/// The indices by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexKind {
    /// Every triangle is compared.
    BruteForce,
    /// Planes of triangles, or across an axis, divide space in two again and again.
    BspTree,
    /// Cells of a BSP tree, which are boxes, and the portals between neighbours.
    CellsAndPortals,
    /// A Delaunay mesh of the corners; from tetrahedron to tetrahedron.
    TetrahedralMesh,
    /// Equal voxels.
    VoxelGrid,
}

impl IndexKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::BruteForce, Self::BspTree, Self::CellsAndPortals, Self::TetrahedralMesh, Self::VoxelGrid];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BruteForce => "brute",
            Self::BspTree => "bsp",
            Self::CellsAndPortals => "portals",
            Self::TetrahedralMesh => "tetrahedra",
            Self::VoxelGrid => "voxels",
        }
    }

    /// An index over these triangles.
    ///
    /// # Errors
    /// [`BroadError::NotANumber`] and [`BroadError::TooFar`] name the triangle; [`BroadError::Full`] beyond 2³¹ of them.
    pub fn build(self, triangles: Vec<Triangle>) -> Result<Box<dyn StaticIndex>, BroadError> {
        check(&triangles)?;
        let finder: Box<dyn Finder> = match self {
            Self::BruteForce => Box::new(All(triangles.len() as u32)),
            Self::BspTree => Box::new(BspOfTriangles::new(&triangles)),
            Self::CellsAndPortals => Box::new(Portals::new(&triangles)),
            Self::TetrahedralMesh => Box::new(TetrahedralMesh::new(&triangles)),
            Self::VoxelGrid => Box::new(Voxels::new(&triangles)),
        };
        Ok(Box::new(Index { kind: self, triangles, finder }))
    }
}

/// Cells and portals with cells of your own, such as one a piece of a tunnel. They may overlap, touch or be apart; portals
/// are where two of them meet. A triangle that lies in no single cell as a whole is compared with every probe.
///
/// # Errors
/// Those of [`IndexKind::build`]; for a cell that is no box those name the cell.
pub fn cells_and_portals(
    triangles: Vec<Triangle>,
    cells: Vec<Aabb>,
) -> Result<Box<dyn StaticIndex>, BroadError> {
    check(&triangles)?;
    for (i, cell) in cells.iter().enumerate() {
        super::boxes::check(i as u32, cell)?;
    }
    let finder = Box::new(Portals::with_cells(&triangles, cells));
    Ok(Box::new(Index { kind: IndexKind::CellsAndPortals, triangles, finder }))
}

fn check(triangles: &[Triangle]) -> Result<(), BroadError> {
    if triangles.len() > 1 << 31 {
        return Err(BroadError::Full);
    }
    for (i, triangle) in triangles.iter().enumerate() {
        let object = i as u32;
        if triangle.corners().iter().any(|p| p.is_nan()) {
            return Err(BroadError::NotANumber { object });
        }
        if triangle.aabb().reach() > 1e90 {
            return Err(BroadError::TooFar { object });
        }
    }
    Ok(())
}

/// Finds triangles that a probe may meet.
pub(super) trait Finder: Send + Sync {
    /// Calls `visit` with candidates, all that the probe meets among them; each may come more than once. Gives back how many
    /// nodes or cells were visited.
    fn find(&self, probe: &Probe, visit: &mut dyn FnMut(u32)) -> u64;

    fn bytes(&self) -> usize;
}

/// Nothing is left out.
struct All(u32);

impl Finder for All {
    fn find(&self, _probe: &Probe, visit: &mut dyn FnMut(u32)) -> u64 {
        (0..self.0).for_each(visit);
        1
    }

    fn bytes(&self) -> usize {
        0
    }
}

struct Index {
    kind: IndexKind,
    triangles: Vec<Triangle>,
    finder: Box<dyn Finder>,
}

impl StaticIndex for Index {
    fn query(&self, probe: &Probe) -> Met {
        let mut candidates = Vec::new();
        let Some(probe) = &probe.within_range() else { return Met::default() };
        let visits = self.finder.find(probe, &mut |i| candidates.push(i));
        candidates.sort_unstable();
        candidates.dedup();
        let tests = candidates.len() as u64;
        candidates.retain(|&i| probe.meets(&self.triangles[i as usize]));
        Met { triangles: candidates, counters: Counters { tests, visits, swaps: 0 } }
    }

    fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    fn memory(&self) -> usize {
        self.finder.bytes()
    }

    fn kind(&self) -> IndexKind {
        self.kind
    }
}

/// A set of numbers, for what was visited.
pub(super) type NumberSet = HashSet<u32, BuildHasherDefault<CellHasher>>;

/// The box around all triangles, a little larger, so that it is not flat.
pub(super) fn bounds_of(triangles: &[Triangle]) -> Aabb {
    let bounds = triangles.iter().fold(Aabb::EMPTY, |bounds, triangle| bounds.union(triangle.aabb()));
    if bounds.is_empty() {
        return Aabb { min: -glam::DVec3::ONE, max: glam::DVec3::ONE };
    }
    let room = (bounds.extent().max_element() * 1e-3).max(bounds.reach() * 1e-9).max(1e-200);
    bounds.grown(room)
}
