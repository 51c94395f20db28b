//! Records of fixed length: one a mesh, one a mesh's place, one a part.

use sudar::{Aabb, DMat3, Faults, Pose, PoseError};

use crate::bytes::{Reader, Writer};
use crate::digest::Digest;

/// A mesh of a store, without its triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredMesh {
    /// How many vertices it has.
    pub vertices: u32,
    /// How many triangles.
    pub triangles: u32,
    /// The smallest box around its triangles, in its own frame.
    pub aabb: Aabb,
    /// Whether every edge has an even number of triangles, so that it has an inside.
    pub is_solid: bool,
    /// What is wrong with its triangles.
    pub faults: Faults,
    /// The tolerance that closes it if it is welded, of a mesh that is not closed.
    pub closes_at: Option<f64>,
    /// The checksum of its vertices and triangles. Meshes of equal checksums are one.
    pub content: u128,
    /// Bytes of the layout of its tree.
    pub(crate) layout: u32,
    /// Whether vertices share positions, so that their welded numbers are stored.
    pub(crate) is_welded: bool,
    /// The checksum of the layout and of the welded numbers.
    pub(crate) extras: Digest,
}

const SOLID: u32 = 1;
const WELDED: u32 = 2;
const CLOSES: u32 = 4;

impl StoredMesh {
    /// Bytes of a record.
    pub const SIZE: u64 = 160;

    pub(crate) fn write(&self, to: &mut Writer) {
        to.u128(self.content);
        to.u128(self.extras);
        to.u32(self.vertices);
        to.u32(self.triangles);
        to.u32(self.layout);
        let flag = |is_set: bool, flag| if is_set { flag } else { 0 };
        to.u32(
            flag(self.is_solid, SOLID)
                | flag(self.is_welded, WELDED)
                | flag(self.closes_at.is_some(), CLOSES),
        );
        to.f64(self.closes_at.unwrap_or(0.0));
        to.point(self.aabb.min);
        to.point(self.aabb.max);
        of_faults(&self.faults).into_iter().for_each(|count| to.u64(count as u64));
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (content, extras) = (from.u128()?, from.u128()?);
        let (vertices, triangles, layout, flags) = (from.u32()?, from.u32()?, from.u32()?, from.u32()?);
        let closes_at = from.f64()?;
        let aabb = Aabb { min: from.point()?, max: from.point()? };
        let mut counts = [0; 7];
        for count in &mut counts {
            *count = usize::try_from(from.u64()?).ok()?;
        }
        let is_set = |flag: u32| flags & flag != 0;
        let is_right = flags <= SOLID | WELDED | CLOSES
            && triangles > 0
            && closes_at.is_finite()
            && aabb.min.is_finite()
            && aabb.max.is_finite()
            && aabb.min.cmple(aabb.max).all();
        is_right.then_some(Self {
            vertices,
            triangles,
            aabb,
            is_solid: is_set(SOLID),
            faults: faults(counts),
            closes_at: is_set(CLOSES).then_some(closes_at),
            content,
            layout,
            is_welded: is_set(WELDED),
            extras,
        })
    }

    /// The lengths in bytes of vertices, triangles, order, layout and welded numbers, as they follow each other.
    pub(crate) fn lengths(&self) -> [u64; 5] {
        let (vertices, triangles) = (u64::from(self.vertices), u64::from(self.triangles));
        let welded = if self.is_welded { 4 * vertices } else { 0 };
        [24 * vertices, 12 * triangles, 4 * triangles, u64::from(self.layout), welded]
    }

    /// Bytes of its arrays.
    pub fn bytes(&self) -> u64 {
        self.lengths().into_iter().sum()
    }
}

fn of_faults(faults: &Faults) -> [usize; 7] {
    [
        faults.degenerate,
        faults.duplicate,
        faults.unwelded,
        faults.unreferenced,
        faults.boundary_edges,
        faults.non_manifold_edges,
        faults.flipped_edges,
    ]
}

fn faults(counts: [usize; 7]) -> Faults {
    let mut faults = Faults::default();
    [
        faults.degenerate,
        faults.duplicate,
        faults.unwelded,
        faults.unreferenced,
        faults.boundary_edges,
        faults.non_manifold_edges,
        faults.flipped_edges,
    ] = counts;
    faults
}

/// Where the arrays of a mesh lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Which segment, in the order of the head.
    pub segment: u32,
    /// The first byte.
    pub offset: u64,
}

impl Place {
    /// Bytes of a record.
    pub const SIZE: u64 = 16;

    pub fn write(&self, to: &mut Writer) {
        to.u32(self.segment);
        to.u32(0);
        to.u64(self.offset);
    }

    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (segment, padding) = (from.u32()?, from.u32()?);
        let offset = from.u64()?;
        (padding == 0).then_some(Self { segment, offset })
    }
}

/// A part as its record has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartRecord {
    pub name: u32,
    pub mesh: u32,
    pub file: u32,
    /// Which of the lists of weld reports, and one more; 0 for none.
    pub weld: u32,
    /// The first of its properties, and how many they are.
    pub properties: (u64, u32),
    pub pose: Pose,
    pub deviation: f64,
}

impl PartRecord {
    /// Bytes of a record.
    pub const SIZE: u64 = 136;

    pub fn write(&self, to: &mut Writer) {
        to.u32(self.name);
        to.u32(self.mesh);
        to.u32(self.file);
        to.u32(self.weld);
        to.u64(self.properties.0);
        to.u32(self.properties.1);
        to.u32(0);
        self.pose.rotation().to_cols_array().into_iter().for_each(|x| to.f64(x));
        to.point(self.pose.translation());
        to.f64(self.deviation);
    }

    /// None for a record that makes no sense beside its pose.
    pub fn read(from: &mut Reader<'_>) -> Option<Result<Self, PoseError>> {
        let (name, mesh, file, weld) = (from.u32()?, from.u32()?, from.u32()?, from.u32()?);
        let properties = (from.u64()?, from.u32()?);
        let padding = from.u32()?;
        let rotation = DMat3::from_cols(from.point()?, from.point()?, from.point()?);
        let (translation, deviation) = (from.point()?, from.f64()?);
        let is_right = padding == 0 && deviation.is_finite() && deviation >= 0.0;
        let record = |pose| Self { name, mesh, file, weld, properties, pose, deviation };
        is_right.then(|| Pose::from_matrix(rotation, translation).map(record))
    }
}
