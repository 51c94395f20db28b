//! What the report draws: the triangles of the parts, each mesh once, and where two parts meet.
//!
//! It is a picture: positions are rounded to a fraction of the mesh. Small meshes are kept whole, of large ones the
//! triangles nearest to the clashes; how many of how many is written down with them, and the page says it.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use sudar::query::{Batch, Work};
use sudar::{Aabb, DVec3, Mesh, Pose};

use super::bytes::{Bytes, Slice};
use super::keep::{Kept, keep};
use super::meeting::Meeting;
use crate::document::{ClashInfo, Document};
use crate::part::Part;

/// No more marked triangles and pieces of curve than this in one file, and in one clash.
const MARKS_IN_ALL: usize = 200_000;
const MARKS_OF_ONE: usize = 4_000;

/// Positions are whole numbers of steps, so many along each axis of a mesh; and along those of meshes whose clashes are
/// too small for that.
const STEPS: u32 = (1 << 16) - 1;
const FINE_STEPS: u32 = (1 << 24) - 1;

/// A clash smaller than so many steps is too small.
const CLEAR: f64 = 8.0;

/// All that is drawn.
#[derive(Debug, Serialize)]
pub struct Drawing {
    /// The meshes: first those of parts in clashes, then what there is room for.
    pub meshes: Vec<DrawnMesh>,
    /// For each part its place.
    pub parts: Vec<DrawnPart>,
    /// For each clash its marks.
    pub marks: Vec<Marks>,
}

/// Triangles in their own frame.
#[derive(Debug, Serialize)]
pub struct DrawnMesh {
    /// How many triangles the mesh has; fewer may be kept.
    pub triangles: usize,
    /// Where the steps begin.
    pub origin: DVec3,
    /// How long a step is along each axis.
    pub step: DVec3,
    /// Three numbers of steps a vertex.
    pub vertices: Slice,
    /// Three vertex numbers a triangle.
    pub corners: Slice,
}

/// Where a part is.
#[derive(Debug, Default, Serialize)]
pub struct DrawnPart {
    /// Its mesh, if that is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    /// The rows of its rotation and then its translation; none for parts that stand as in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<[f64; 12]>,
}

/// Where two parts meet.
#[derive(Debug, Serialize)]
pub struct Marks {
    /// The triangles of the first part and of the second that meet, by their numbers among those kept.
    pub hit: [Slice; 2],
    /// How many triangles of each meet.
    pub hits: [usize; 2],
    /// Segments that the surfaces have in common: two points of three numbers each, 65535ths of the box `focus`.
    pub curve: Slice,
    /// Triangles that the surfaces have in common: three points each, as those of the curve.
    pub area: Slice,
    /// How many pairs of triangles meet, and of how many curve and area are.
    pub pairs: [usize; 2],
    /// Nearest points, for parts apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<[DVec3; 2]>,
    /// The box around all of this.
    pub focus: Aabb,
}

/// Makes the drawing of a document about these parts, and the bytes that it names; `done` is called after each clash,
/// from any thread.
pub fn drawing(parts: &[Part], document: &Document<'_>, done: &(dyn Fn() + Sync)) -> (Drawing, Bytes) {
    let limit = (MARKS_IN_ALL / document.clashes.len().max(1)).min(MARKS_OF_ONE);
    let meeting = |_: &mut Work<'_>, clash: &ClashInfo<'_>| {
        let meeting = Meeting::new(parts, clash, limit);
        done();
        meeting
    };
    let meetings = Batch::default().each(&document.clashes, meeting).answers;
    let kept = keep(parts, document, &meetings);
    let number: HashMap<_, _> = kept.iter().enumerate().map(|(n, k)| (Arc::as_ptr(k.mesh), n)).collect();
    let mesh_of = |part: &Part| part.body.mesh().and_then(|mesh| number.get(&Arc::as_ptr(mesh)).copied());
    let mut bytes = Bytes::default();
    let meshes = kept.iter().map(|kept| drawn_mesh(kept, &mut bytes)).collect();
    let marks = meetings.iter().zip(&document.clashes).map(|(meeting, clash)| {
        let among = [clash.a, clash.b].map(|i| mesh_of(&parts[i]).map(|m| &kept[m].triangles[..]));
        marks(meeting, among, &mut bytes)
    });
    let marks = marks.collect();
    let parts = parts.iter().map(|part| drawn_part(part, mesh_of(part))).collect();
    (Drawing { meshes, parts, marks }, bytes)
}

fn marks(meeting: &Meeting, kept: [Option<&[u32]>; 2], bytes: &mut Bytes) -> Marks {
    let hit = [0, 1].map(|side| {
        let place = |i: &u32| Some(kept[side]?.binary_search(i).ok()? as u32);
        bytes.add(&meeting.hit[side].iter().filter_map(place).collect::<Vec<u32>>())
    });
    let step = meeting.focus.extent() / f64::from(STEPS);
    let rounded = |p: &DVec3| steps(*p, meeting.focus.min, step);
    let curve: Vec<u32> = meeting.segments.iter().flatten().flat_map(rounded).collect();
    let area: Vec<u32> = meeting.area.iter().flatten().flat_map(rounded).collect();
    Marks {
        hit,
        hits: meeting.hits,
        curve: bytes.add(&curve),
        area: bytes.add(&area),
        pairs: meeting.pairs,
        gap: meeting.gap,
        focus: meeting.focus,
    }
}

/// The nearest whole numbers of steps from an origin.
fn steps(p: DVec3, origin: DVec3, step: DVec3) -> [u32; 3] {
    let along = |k: usize| if step[k] > 0.0 { ((p[k] - origin[k]) / step[k]).round() as u32 } else { 0 };
    [along(0), along(1), along(2)]
}

/// The triangles that are kept of a mesh. Vertices that round to one place are one.
fn drawn_mesh(kept: &Kept<'_>, bytes: &mut Bytes) -> DrawnMesh {
    let mesh: &Mesh = kept.mesh;
    let corners_of = |&i: &u32| mesh.triangles()[i as usize].map(|v| mesh.vertices()[v as usize]);
    let bounds = Aabb::around(kept.triangles.iter().flat_map(corners_of));
    let bounds = if bounds.is_empty() { Aabb::around([DVec3::ZERO]) } else { bounds };
    let is_coarse = kept.smallest < CLEAR * bounds.extent().max_element() / f64::from(STEPS);
    let step = bounds.extent() / f64::from(if is_coarse { FINE_STEPS } else { STEPS });
    let mut number = HashMap::new();
    let mut vertices = Vec::new();
    let mut corners = Vec::with_capacity(3 * kept.triangles.len());
    for p in kept.triangles.iter().flat_map(corners_of) {
        let place = steps(p, bounds.min, step);
        let next = number.len() as u32;
        corners.push(*number.entry(place).or_insert_with(|| {
            vertices.extend(place);
            next
        }));
    }
    DrawnMesh {
        triangles: mesh.triangles().len(),
        origin: bounds.min,
        step,
        vertices: bytes.add(&vertices),
        corners: bytes.add(&corners),
    }
}

fn drawn_part(part: &Part, mesh: Option<usize>) -> DrawnPart {
    let is_moved = part.pose != Pose::IDENTITY && mesh.is_some();
    DrawnPart { mesh, pose: is_moved.then(|| rows(&part.pose)) }
}

fn rows(pose: &Pose) -> [f64; 12] {
    let mut rows = [0.0; 12];
    rows[..9].copy_from_slice(&pose.rotation().transpose().to_cols_array());
    rows[9..].copy_from_slice(&pose.translation().to_array());
    rows
}
