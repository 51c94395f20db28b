//! Where the two parts of a clash meet.

use std::collections::BTreeSet;

use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::contacts;
use sudar::{Aabb, DVec3};

use crate::document::ClashInfo;
use crate::options::ClashKind;
use crate::part::Part;

/// What two parts have in common.
pub struct Meeting {
    /// The triangles of each that meet the other, sorted; not more than a limit.
    pub hit: [Vec<u32>; 2],
    /// How many triangles of each meet the other.
    pub hits: [usize; 2],
    /// What the surfaces have in common.
    pub segments: Vec<[DVec3; 2]>,
    /// Where they lie on each other: triangles that the surfaces have in common. Their outlines are among the segments.
    pub area: Vec<[DVec3; 3]>,
    /// How many pairs of triangles meet, and of how many segments and area are.
    pub pairs: [usize; 2],
    /// Nearest points, for parts apart.
    pub gap: Option<[DVec3; 2]>,
    /// The box around all of this.
    pub focus: Aabb,
}

impl Meeting {
    /// Where the parts of a clash meet: not more than `limit` pairs and triangles of each.
    pub fn new(parts: &[Part], clash: &ClashInfo<'_>, limit: usize) -> Self {
        let (a, b) = (&parts[clash.a], &parts[clash.b]);
        let gap = (clash.kind == ClashKind::Clearance).then(|| nearest_points(clash));
        let pairs = if gap.is_some() { vec![] } else { contacts(a.body.at(&a.pose), b.body.at(&b.pose)) };
        let hit = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect::<BTreeSet<u32>>());
        let shown = pairs.len().min(limit);
        let (mut segments, mut area) = (Vec::new(), Vec::new());
        for &[i, j] in &pairs[..shown] {
            add_common(a, i, b, j, &mut segments, &mut area);
        }
        let ends = segments.iter().chain(&gap).flatten().copied();
        let focus = Aabb::around(ends.chain([clash.point]));
        let hits = [hit[0].len(), hit[1].len()];
        let hit = hit.map(|set| set.into_iter().take(limit).collect());
        Self { hit, hits, segments, area, pairs: [pairs.len(), shown], gap, focus }
    }
}

/// From the middle half the way along the normal to either side.
fn nearest_points(clash: &ClashInfo<'_>) -> [DVec3; 2] {
    let half = clash.normal.unwrap_or_default() * (clash.distance / 2.0);
    [clash.point - half, clash.point + half]
}

/// Adds what two triangles have in common: a segment, or a polygon by its outline and the triangles that fill it.
fn add_common(
    a: &Part,
    i: u32,
    b: &Part,
    j: u32,
    segments: &mut Vec<[DVec3; 2]>,
    area: &mut Vec<[DVec3; 3]>,
) {
    let (s, t) = (a.body.posed_triangle(&a.pose, i), b.body.posed_triangle(&b.pose, j));
    let (Some(s), Some(t)) = (s, t) else { return };
    match triangle_intersection(&s, &t) {
        Some(TriangleIntersection::Segment(s)) => segments.push([s.a, s.b]),
        Some(TriangleIntersection::Polygon(corners)) => {
            let next = corners.iter().cycle().skip(1);
            segments.extend(corners.iter().zip(next).map(|(p, q)| [*p, *q]));
            area.extend(corners.windows(2).skip(1).map(|side| [corners[0], side[0], side[1]]));
        }
        Some(TriangleIntersection::Point(_)) | None => {}
    }
}
