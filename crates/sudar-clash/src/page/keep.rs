//! Which triangles the report keeps: those around each clash always, and of the parts around as many as there is room.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sudar::query::Batch;
use sudar::{Aabb, DVec3, Mesh, Pose};

use super::meeting::Meeting;
use crate::document::{ClashInfo, Document};
use crate::options::ClashKind;
use crate::part::Part;

/// No more triangles than this of parts in clashes in one file, some five bytes each, unless there are so many clashes
/// that this is less than [`LEAST`] for each of their parts.
const TRIANGLES: usize = 300_000;
const LEAST: usize = 8;

/// No more triangles than this of parts in no clash. Small meshes come first.
const AROUND: usize = 150_000;

/// Of a mesh in no clash that does not fit so many triangles near to clashes are kept, if it has not more than this
/// many times as many triangles as there are clashes at it.
const NEAR_AROUND: usize = 2_000;
const MOST_COMPARED: usize = 200_000_000;

/// How much of a mesh in a clash is kept: all of those up to `whole` triangles; of others `near` triangles for each
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

/// A mesh and what is kept of it.
pub struct Kept<'a> {
    /// The mesh.
    pub mesh: &'a Arc<Mesh>,
    /// The numbers of the triangles that are kept, sorted.
    pub triangles: Vec<u32>,
    /// The smallest depth or gap that the picture has to show; infinite if there is none.
    pub smallest: f64,
}

/// What is kept of the meshes of all parts: those in clashes in the order of the clashes, then others of which
/// something is kept. O(t) for each clash of a mesh of t triangles.
pub fn keep<'a>(parts: &'a [Part], document: &Document<'_>, meetings: &[Meeting]) -> Vec<Kept<'a>> {
    let uses = uses(parts, document, meetings);
    let detail = detail(&uses);
    let mut kept: Vec<Kept<'a>> = Batch::default().each(&uses, |_, uses| uses.kept(&detail)).answers;
    let known: BTreeSet<_> = uses.iter().map(|uses| Arc::as_ptr(uses.mesh)).collect();
    let others = others(parts, |mesh| known.contains(&Arc::as_ptr(mesh)));
    kept.extend(around(&others, meetings));
    kept
}

/// A mesh in clashes and the places where it is looked at.
struct Uses<'a, 'm> {
    mesh: &'a Arc<Mesh>,
    at: Vec<Look<'a, 'm>>,
    smallest: f64,
}

/// A place where a mesh is looked at: the pose of the part, the box to look at, and the triangles that meet.
#[derive(Clone, Copy)]
struct Look<'a, 'm> {
    pose: &'a Pose,
    focus: Aabb,
    hit: &'m [u32],
}

/// The meshes of parts in clashes, in the order of the clashes.
fn uses<'a, 'm>(parts: &'a [Part], document: &Document<'_>, meetings: &'m [Meeting]) -> Vec<Uses<'a, 'm>> {
    let mut numbers = HashMap::new();
    let mut all: Vec<Uses<'a, 'm>> = Vec::new();
    let mut add = |part: &'a Part, at: Option<(Aabb, &'m [u32])>, size: f64| {
        let Some(mesh) = part.body.mesh() else { return };
        let number = *numbers.entry(Arc::as_ptr(mesh)).or_insert(all.len());
        if number == all.len() {
            all.push(Uses { mesh, at: vec![], smallest: f64::INFINITY });
        }
        all[number].at.extend(at.map(|(focus, hit)| Look { pose: &part.pose, focus, hit }));
        all[number].smallest = all[number].smallest.min(size);
    };
    for (clash, meeting) in document.clashes.iter().zip(meetings) {
        for (side, i) in [clash.a, clash.b].into_iter().enumerate() {
            let seen = meeting.gap.iter().flatten().fold(meeting.focus, |focus, p| focus.with(*p));
            let focus = clash.regions.iter().map(|region| region.bounds).fold(seen, Aabb::union);
            add(&parts[i], Some((focus, &meeting.hit[side])), size(clash));
        }
    }
    for gone in document.gone.iter().flatten() {
        if let (Some(a), Some(b)) = (gone.a, gone.b) {
            let focus = gone.point.map(|p| Aabb { min: p.into(), max: p.into() });
            let at = focus.map(|focus| (focus, &[][..]));
            [a, b].iter().for_each(|&i| add(&parts[i], at, f64::INFINITY));
        }
    }
    all
}

/// How small the clash is; infinite if that is nothing to see.
fn size(clash: &ClashInfo<'_>) -> f64 {
    let size = if clash.kind == ClashKind::Clearance { Some(clash.distance) } else { clash.depth_at_least };
    // Not even a picture of 24 bits shows less.
    let least = 1e-6 * clash.point.abs().max_element();
    size.filter(|size| *size > least).unwrap_or(f64::INFINITY)
}

fn detail(uses: &[Uses<'_, '_>]) -> Detail {
    let size = |detail: &&Detail| uses.iter().map(|u| u.size(detail)).fold(0, usize::saturating_add);
    let looks: usize = uses.iter().map(|uses| uses.at.len()).sum();
    let share = (TRIANGLES / looks.max(1)).max(LEAST);
    let fitting = DETAILS.iter().find(|detail| size(detail) <= TRIANGLES);
    fitting.copied().unwrap_or(Detail { whole: share, near: share })
}

impl<'a> Uses<'a, '_> {
    fn all(&self) -> usize {
        self.mesh.triangles().len()
    }

    /// No more triangles than this are kept.
    fn size(&self, detail: &Detail) -> usize {
        let near = self.at.len().saturating_mul(detail.near);
        if self.all() <= detail.whole { self.all() } else { near.min(self.all()) }
    }

    fn kept(&self, detail: &Detail) -> Kept<'a> {
        let triangles = if self.all() <= detail.whole {
            (0..self.all() as u32).collect()
        } else {
            let each = self.at.iter().flat_map(|look| look.nearest(self.mesh, detail.near));
            each.collect::<BTreeSet<u32>>().into_iter().collect()
        };
        Kept { mesh: self.mesh, triangles, smallest: self.smallest }
    }
}

impl Look<'_, '_> {
    /// The triangles that meet the other part, then those that are nearest to the place.
    fn nearest(&self, mesh: &Mesh, count: usize) -> Vec<u32> {
        let far = |i: u32| {
            let is_hit = self.hit.binary_search(&i).is_ok();
            if is_hit { [-1.0; 2] } else { far(corners(mesh, i, self.pose), &self.focus) }
        };
        least((0..mesh.triangles().len() as u32).map(|i| (far(i), i)).collect(), count)
    }
}

/// How far a triangle is from a box: first that around it, then its middle.
fn far(corners: [DVec3; 3], focus: &Aabb) -> [f64; 2] {
    let middle = corners.iter().sum::<DVec3>() / 3.0;
    [Aabb::around(corners).gap(focus), middle.distance(middle.clamp(focus.min, focus.max))]
}

fn corners(mesh: &Mesh, i: u32, pose: &Pose) -> [DVec3; 3] {
    mesh.triangles()[i as usize].map(|v| pose.apply(mesh.vertices()[v as usize]))
}

/// The numbers of the least of these.
fn least(mut order: Vec<([f64; 2], u32)>, count: usize) -> Vec<u32> {
    if count < order.len() {
        order.select_nth_unstable_by(count, |s, t| {
            s.0[0].total_cmp(&t.0[0]).then(s.0[1].total_cmp(&t.0[1])).then(s.1.cmp(&t.1))
        });
        order.truncate(count);
    }
    order.into_iter().map(|(_, i)| i).collect()
}

/// The meshes of which no part is known, each with its first part, small ones first.
fn others(parts: &[Part], is_known: impl Fn(&Arc<Mesh>) -> bool) -> Vec<(&Arc<Mesh>, &Part)> {
    let mut seen = BTreeSet::new();
    let meshes = parts.iter().filter_map(|part| Some((part.body.mesh()?, part)));
    let mut others: Vec<_> =
        meshes.filter(|(mesh, _)| !is_known(mesh) && seen.insert(Arc::as_ptr(mesh))).collect();
    others.sort_by_key(|(mesh, _)| mesh.triangles().len());
    others
}

/// What there is room for: whole meshes, and of those that are too large what is near to clashes.
fn around<'a>(others: &[(&'a Arc<Mesh>, &'a Part)], meetings: &[Meeting]) -> Vec<Kept<'a>> {
    let mut left = AROUND;
    let mut kept = Vec::new();
    for &(mesh, part) in others {
        let all = mesh.triangles().len();
        let triangles = if all <= left {
            (0..all as u32).collect()
        } else {
            near_clashes(mesh, part, meetings, left.min(NEAR_AROUND))
        };
        left -= triangles.len();
        if !triangles.is_empty() {
            kept.push(Kept { mesh, triangles, smallest: f64::INFINITY });
        }
    }
    kept
}

/// Of a part in no clash the triangles near to clashes: at most so many, and none where that takes too long to find.
fn near_clashes(mesh: &Mesh, part: &Part, meetings: &[Meeting], count: usize) -> Vec<u32> {
    let bounds = part.body.aabb(&part.pose);
    let foci = meetings.iter().map(|meeting| meeting.focus.grown(meeting.focus.extent().length()));
    let foci: Vec<Aabb> = foci.filter(|focus| focus.gap(&bounds) <= 0.0).collect();
    let all = mesh.triangles().len();
    if foci.is_empty() || foci.len().saturating_mul(all) > MOST_COMPARED {
        return vec![];
    }
    let nearest = |i: u32| {
        let corners = corners(mesh, i, &part.pose);
        foci.iter().map(|focus| far(corners, focus)).min_by(|s, t| s[0].total_cmp(&t[0])).unwrap_or_default()
    };
    let mut near = least((0..all as u32).map(|i| (nearest(i), i)).collect(), count);
    near.sort_unstable();
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::body_of;

    /// The unit square in the plane z = 0, of 2·n² triangles.
    fn square(n: u32) -> Arc<Mesh> {
        let at = |i: u32| f64::from(i) / f64::from(n);
        let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| DVec3::new(at(i), at(j), 0.0)));
        let triangles = (0..n).flat_map(|i| {
            (0..n).flat_map(move |j| {
                let corner = i * (n + 1) + j;
                [[corner, corner + 1, corner + n + 1], [corner + 1, corner + n + 2, corner + n + 1]]
            })
        });
        Arc::new(Mesh::new(vertices.collect(), triangles.collect()).unwrap())
    }

    fn spot(x: f64, y: f64) -> Aabb {
        Aabb::around([DVec3::new(x, y, 0.0)]).grown(1e-6)
    }

    fn is_seen(mesh: &Mesh, kept: &[u32], focus: &Aabb) -> bool {
        kept.iter().any(|&i| far(corners(mesh, i, &Pose::IDENTITY), focus)[0] <= 0.0)
    }

    #[test]
    fn each_clash_has_its_triangles_however_many_there_are() {
        let mesh = square(150);
        let looks = 100;
        let at = |i: usize| spot((i as f64 + 0.3) / looks as f64, 0.37);
        let look = |i: usize| Look { pose: &Pose::IDENTITY, focus: at(i), hit: &[] };
        let of_mesh = || Uses { mesh: &mesh, at: (0..looks).map(look).collect(), smallest: f64::INFINITY };
        // 5000 clashes' sides share what fits: 60 triangles each.
        let uses: Vec<_> = (0..50).map(|_| of_mesh()).collect();
        let detail = detail(&uses);
        assert_eq!((detail.whole, detail.near), (60, 60));
        let kept = uses[0].kept(&detail).triangles;
        assert!(kept.len() <= looks * 60 && (0..looks).all(|i| is_seen(&mesh, &kept, &at(i))));
    }

    #[test]
    fn of_a_part_in_no_clash_that_is_too_large_what_is_near_to_clashes_is_kept() {
        let mesh = square(100);
        let part = Part { name: String::new(), body: body_of(mesh.clone()), pose: Pose::IDENTITY };
        let meeting = |focus| Meeting {
            hit: [vec![], vec![]],
            hits: [0; 2],
            segments: vec![],
            area: vec![],
            pairs: [0; 2],
            gap: None,
            focus,
        };
        let foci = [spot(0.1, 0.9), spot(0.8, 0.2), spot(3.0, 3.0)];
        let kept = near_clashes(&mesh, &part, &foci.map(meeting), 50);
        assert_eq!(kept.len(), 50);
        assert!(foci[..2].iter().all(|focus| is_seen(&mesh, &kept, focus)));
        assert!(near_clashes(&mesh, &part, &[meeting(foci[2])], 50).is_empty());
    }
}
