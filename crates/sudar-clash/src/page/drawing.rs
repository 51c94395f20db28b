//! What the report draws: the triangles of the parts in a clash, each mesh once, and where two parts meet.
//!
//! Small meshes are kept whole. Of large ones only the triangles nearest to their clashes are kept, so that
//! the file stays small; how many of how many is written down with them, and the page says it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::{Batch, Work, contacts};
use sudar::{Aabb, DVec3, Mesh, Pose};

use crate::document::{ClashInfo, Document};
use crate::options::ClashKind;
use crate::part::Part;

/// No more triangles than this in one file, some 25 bytes each.
const TRIANGLES_IN_ALL: usize = 300_000;

/// No more marked triangles and pieces of curve than this in one file, and in one clash.
const MARKS_IN_ALL: usize = 400_000;
const MARKS_OF_ONE: usize = 4_000;

/// How much of a mesh is kept: all of those up to `whole` triangles; of others `near` triangles for each
/// clash. The first that keeps to the limit is taken.
const DETAILS: [Detail; 6] = [
    Detail { whole: 20_000, near: 6_000 },
    Detail { whole: 8_000, near: 3_000 },
    Detail { whole: 3_000, near: 1_200 },
    Detail { whole: 1_000, near: 500 },
    Detail { whole: 400, near: 200 },
    Detail { whole: 150, near: 75 },
];

#[derive(Debug, Clone, Copy)]
struct Detail {
    whole: usize,
    near: usize,
}

/// All that is drawn.
#[derive(Debug, Serialize)]
pub struct Drawing {
    /// The meshes of parts in clashes.
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
    /// Added to every vertex.
    pub origin: DVec3,
    /// Three coordinates a vertex, from the origin.
    pub vertices: Floats,
    /// Three vertex numbers a triangle.
    pub corners: Numbers,
}

/// Where a part is.
#[derive(Debug, Default, Serialize)]
pub struct DrawnPart {
    /// Its mesh, for parts in clashes.
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
    pub hit: [Numbers; 2],
    /// How many triangles of each meet.
    pub hits: [usize; 2],
    /// Segments that the surfaces have in common, two points of three coordinates each, from the clash's point.
    pub curve: Floats,
    /// How many pairs of triangles meet, and how many of them the curve holds.
    pub pairs: [usize; 2],
    /// Nearest points, for parts apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<[DVec3; 2]>,
    /// The box to look at.
    pub focus: Aabb,
}

/// Numbers that the file holds as base64 of little-endian `f32`.
#[derive(Debug, Default)]
pub struct Floats(Vec<f32>);

impl Serialize for Floats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encoded(self.0.iter().map(|x| x.to_le_bytes()), serializer)
    }
}

/// Numbers that the file holds as base64 of little-endian `u32`.
#[derive(Debug, Default)]
pub struct Numbers(Vec<u32>);

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encoded(self.0.iter().map(|x| x.to_le_bytes()), serializer)
    }
}

fn encoded<S: Serializer>(words: impl Iterator<Item = [u8; 4]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(words.flatten().collect::<Vec<u8>>()))
}

/// Makes the drawing of a document about these parts; `done` is called after each clash, from any thread.
pub fn drawing(parts: &[Part], document: &Document<'_>, done: &(dyn Fn() + Sync)) -> Drawing {
    let limit = (MARKS_IN_ALL / document.clashes.len().max(1)).min(MARKS_OF_ONE);
    let meeting = |_: &mut Work<'_>, clash: &ClashInfo<'_>| {
        let meeting = Meeting::new(parts, clash, limit);
        done();
        meeting
    };
    let meetings = Batch::default().each(&document.clashes, meeting).answers;
    let uses = uses(parts, document, &meetings);
    let kept = keep(&uses);
    let meshes = uses.iter().zip(&kept).map(|(of_mesh, kept)| drawn_mesh(of_mesh.mesh, kept)).collect();
    let number: HashMap<_, _> = uses.iter().enumerate().map(|(n, u)| (Arc::as_ptr(u.mesh), n)).collect();
    let mesh_of = |part: &Part| part.body.mesh().and_then(|mesh| number.get(&Arc::as_ptr(mesh)).copied());
    let marks = meetings.into_iter().zip(&document.clashes).map(|(meeting, clash)| {
        let among = [clash.a, clash.b].map(|i| mesh_of(&parts[i]).and_then(|m| kept.get(m)));
        meeting.marks(clash, among)
    });
    let marks = marks.collect();
    Drawing { meshes, parts: parts.iter().map(|part| drawn_part(part, mesh_of(part))).collect(), marks }
}

/// What two parts have in common.
struct Meeting {
    hit: [Vec<u32>; 2],
    hits: [usize; 2],
    segments: Vec<[DVec3; 2]>,
    pairs: [usize; 2],
    gap: Option<[DVec3; 2]>,
    focus: Aabb,
}

impl Meeting {
    fn new(parts: &[Part], clash: &ClashInfo<'_>, limit: usize) -> Self {
        let (a, b) = (&parts[clash.a], &parts[clash.b]);
        let gap = (clash.kind == ClashKind::Clearance).then(|| nearest_points(clash));
        let pairs = if gap.is_some() { vec![] } else { contacts(a.body.at(&a.pose), b.body.at(&b.pose)) };
        let hit = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect::<BTreeSet<u32>>());
        let shown = pairs.len().min(limit);
        let segments: Vec<_> = pairs[..shown].iter().flat_map(|&[i, j]| common_part(a, i, b, j)).collect();
        let ends = segments.iter().chain(&gap).flatten().copied();
        let focus = Aabb::around(ends.chain([clash.point]));
        let hits = [hit[0].len(), hit[1].len()];
        let hit = hit.map(|set| set.into_iter().take(limit).collect());
        Self { hit, hits, segments, pairs: [pairs.len(), shown], gap, focus }
    }

    fn marks(self, clash: &ClashInfo<'_>, kept: [Option<&Vec<u32>>; 2]) -> Marks {
        let place = |side: usize| {
            let place = |i: &u32| Some(kept[side]?.binary_search(i).ok()? as u32);
            Numbers(self.hit[side].iter().filter_map(place).collect())
        };
        let curve = self.segments.iter().flatten().flat_map(|&p| small(p - clash.point)).collect();
        Marks {
            hit: [place(0), place(1)],
            hits: self.hits,
            curve: Floats(curve),
            pairs: self.pairs,
            gap: self.gap,
            focus: self.focus,
        }
    }
}

fn small(p: DVec3) -> [f32; 3] {
    p.as_vec3().to_array()
}

/// From the middle half the way along the normal to either side.
fn nearest_points(clash: &ClashInfo<'_>) -> [DVec3; 2] {
    let half = clash.normal.unwrap_or_default() * (clash.distance / 2.0);
    [clash.point - half, clash.point + half]
}

/// The outline of what two triangles have in common.
fn common_part(a: &Part, i: u32, b: &Part, j: u32) -> Vec<[DVec3; 2]> {
    let (s, t) = (a.body.posed_triangle(&a.pose, i), b.body.posed_triangle(&b.pose, j));
    let (Some(s), Some(t)) = (s, t) else { return vec![] };
    match triangle_intersection(&s, &t) {
        Some(TriangleIntersection::Segment(s)) => vec![[s.a, s.b]],
        Some(TriangleIntersection::Polygon(corners)) => {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(p, q)| [*p, *q]).collect()
        }
        Some(TriangleIntersection::Point(_)) | None => vec![],
    }
}

/// A mesh and the places where it is looked at.
struct Uses<'a> {
    mesh: &'a Arc<Mesh>,
    /// The pose of the part, the box to look at, and the triangles that meet.
    at: Vec<(&'a Pose, Aabb, &'a [u32])>,
}

/// The meshes of parts in clashes, in the order of the clashes.
fn uses<'a>(parts: &'a [Part], document: &Document<'_>, meetings: &'a [Meeting]) -> Vec<Uses<'a>> {
    let mut numbers = HashMap::new();
    let mut all: Vec<Uses<'a>> = Vec::new();
    let mut add = |part: &'a Part, at: Option<(Aabb, &'a [u32])>| {
        let Some(mesh) = part.body.mesh() else { return };
        let number = *numbers.entry(Arc::as_ptr(mesh)).or_insert(all.len());
        if number == all.len() {
            all.push(Uses { mesh, at: vec![] });
        }
        all[number].at.extend(at.map(|(focus, hit)| (&part.pose, focus, hit)));
    };
    for (clash, meeting) in document.clashes.iter().zip(meetings) {
        for (side, i) in [clash.a, clash.b].into_iter().enumerate() {
            add(&parts[i], Some((meeting.focus, &meeting.hit[side])));
        }
    }
    for gone in document.gone.iter().flatten() {
        if let (Some(a), Some(b)) = (gone.a, gone.b) {
            let focus = gone.point.map(|p| Aabb { min: p.into(), max: p.into() });
            [a, b].iter().for_each(|&i| add(&parts[i], focus.map(|focus| (focus, &[][..]))));
        }
    }
    all
}

/// For each mesh the numbers of the triangles to keep, sorted.
fn keep(uses: &[Uses<'_>]) -> Vec<Vec<u32>> {
    let size = |detail: &Detail| uses.iter().map(|u| u.size(detail)).fold(0, usize::saturating_add);
    let fitting = DETAILS.iter().find(|detail| size(detail) <= TRIANGLES_IN_ALL);
    let detail = fitting.unwrap_or(&DETAILS[DETAILS.len() - 1]);
    let mut left = TRIANGLES_IN_ALL;
    // Where not even the least detail fits, the last meshes keep nothing; the page draws their boxes.
    let mut fits = |u: &Uses<'_>| {
        let fits = u.size(detail) <= left;
        left -= if fits { u.size(detail) } else { 0 };
        fits
    };
    let fit: Vec<bool> = uses.iter().map(&mut fits).collect();
    let used: Vec<_> = uses.iter().zip(fit).collect();
    Batch::default().each(&used, |_, (u, fits)| if *fits { u.kept(detail) } else { vec![] }).answers
}

impl Uses<'_> {
    fn all(&self) -> usize {
        self.mesh.triangles().len()
    }

    /// No more triangles than this are kept.
    fn size(&self, detail: &Detail) -> usize {
        let near = self.at.len().saturating_mul(detail.near);
        if self.all() <= detail.whole { self.all() } else { near.min(self.all()) }
    }

    fn kept(&self, detail: &Detail) -> Vec<u32> {
        let all = 0..self.all() as u32;
        if self.all() <= detail.whole {
            return all.collect();
        }
        let mut kept = BTreeSet::new();
        for (pose, focus, hit) in &self.at {
            kept.extend(self.nearest(pose, focus, hit, detail.near));
        }
        kept.into_iter().collect()
    }

    /// Those that meet the other part, and the triangles whose middles are nearest to a box.
    fn nearest(&self, pose: &Pose, focus: &Aabb, hit: &[u32], count: usize) -> Vec<u32> {
        let far = |i: u32| {
            if hit.binary_search(&i).is_ok() {
                return -1.0;
            }
            let t = self.mesh.triangle(i);
            let middle = pose.apply((t.a + t.b + t.c) / 3.0);
            middle.distance(middle.clamp(focus.min, focus.max))
        };
        let mut order: Vec<(f64, u32)> = (0..self.all() as u32).map(|i| (far(i), i)).collect();
        if count < order.len() {
            order.select_nth_unstable_by(count, |s, t| s.0.total_cmp(&t.0).then(s.1.cmp(&t.1)));
            order.truncate(count);
        }
        order.into_iter().map(|(_, i)| i).collect()
    }
}

fn drawn_mesh(mesh: &Mesh, kept: &[u32]) -> DrawnMesh {
    let origin = mesh.aabb().center();
    let mut number = HashMap::new();
    let mut vertices = Vec::new();
    let mut corners = Vec::with_capacity(3 * kept.len());
    for &i in kept {
        for vertex in mesh.triangles()[i as usize] {
            let next = number.len() as u32;
            corners.push(*number.entry(vertex).or_insert_with(|| {
                vertices.extend(small(mesh.vertices()[vertex as usize] - origin));
                next
            }));
        }
    }
    DrawnMesh {
        triangles: mesh.triangles().len(),
        origin,
        vertices: Floats(vertices),
        corners: Numbers(corners),
    }
}

fn drawn_part(part: &Part, mesh: Option<usize>) -> DrawnPart {
    let moved = part.pose != Pose::IDENTITY && mesh.is_some();
    DrawnPart { mesh, pose: moved.then(|| rows(&part.pose)) }
}

fn rows(pose: &Pose) -> [f64; 12] {
    let mut rows = [0.0; 12];
    rows[..9].copy_from_slice(&pose.rotation().transpose().to_cols_array());
    rows[9..].copy_from_slice(&pose.translation().to_array());
    rows
}
