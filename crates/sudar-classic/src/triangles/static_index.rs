//! Indices over triangles that do not move.

use super::bsp_tree::BspOfTriangles;
use super::finder::{Finder, Probe};
use super::portals::Portals;
use super::tetrahedra::TetrahedralMesh;
use super::voxels::Voxels;
use sudar::broad::{BroadError, Counters};
use sudar::shape::{Aabb, Triangle};

/// Spatial index over triangles that do not move: finds those that a box or a segment meets.
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

/// Triangles found by a query of a static index, with the work it took.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Met {
    /// Numbers of the triangles, sorted.
    pub triangles: Vec<u32>,
    /// `tests`: triangles that were compared; `visits`: nodes, cells or tetrahedra that were visited.
    pub counters: Counters,
}

/// Kinds of static index.
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
    /// [`BroadError::NotANumber`] and [`BroadError::TooFar`] name the triangle; [`BroadError::Full`] beyond
    /// 2³¹ of them.
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

/// Cells and portals with cells of your own, such as one a piece of a tunnel. They may overlap, touch or be
/// apart; portals are where two of them meet. A triangle that lies in no single cell as a whole is compared
/// with every probe.
///
/// # Errors
/// Those of [`IndexKind::build`]; for a cell that is no box those name the cell.
pub fn cells_and_portals(
    triangles: Vec<Triangle>,
    cells: Vec<Aabb>,
) -> Result<Box<dyn StaticIndex>, BroadError> {
    check(&triangles)?;
    for (i, cell) in cells.iter().enumerate() {
        BroadError::check(i as u32, cell)?;
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
