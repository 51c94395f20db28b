//! Where two parts meet: the curve in which their surfaces cross, and the areas where they lie on each other.

use sudar::DVec3;
use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::contacts_up_to;

use crate::document::ClashInfo;
use crate::options::ClashKind;
use crate::part::Part;

/// No more pairs of triangles are looked at.
const PAIRS: usize = 5_000;

/// From the point of the clash.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub segments: Vec<[DVec3; 2]>,
    pub areas: Vec<[DVec3; 3]>,
}

impl Marks {
    pub fn of(parts: &[Part], clash: &ClashInfo<'_>) -> Self {
        let mut marks = Self::default();
        let (a, b) = (&parts[clash.a], &parts[clash.b]);
        if clash.kind == ClashKind::Clearance || clash.distance > 0.0 {
            // From the middle half the way to either side.
            let half = clash.normal.unwrap_or_default() * (0.5 * clash.distance);
            marks.segments.push([DVec3::ZERO - half, half]);
            return marks;
        }
        for [i, j] in contacts_up_to(a.body.at(&a.pose), b.body.at(&b.pose), PAIRS).found {
            let triangles = (a.body.posed_triangle(&a.pose, i), b.body.posed_triangle(&b.pose, j));
            if let (Some(s), Some(t)) = triangles {
                marks.add(triangle_intersection(&s, &t), clash.point);
            }
        }
        marks
    }

    fn add(&mut self, common: Option<TriangleIntersection>, origin: DVec3) {
        match common {
            Some(TriangleIntersection::Segment(s)) => self.segments.push([s.a - origin, s.b - origin]),
            Some(TriangleIntersection::Polygon(corners)) => {
                let corners: Vec<DVec3> = corners.iter().map(|&p| p - origin).collect();
                let fan = corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]);
                self.areas.extend(fan);
            }
            Some(TriangleIntersection::Point(_)) | None => {}
        }
    }

    /// Ends and middles of all.
    pub fn points(&self) -> Vec<DVec3> {
        let ends = self.segments.iter().flat_map(|&[a, b]| [a, b, 0.5 * (a + b)]);
        let corners = self.areas.iter().flat_map(|&[a, b, c]| [a, b, c, (a + b + c) / 3.0]);
        ends.chain(corners).collect()
    }
}
