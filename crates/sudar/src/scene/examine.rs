//! Two parts under examination: what they are to each other, and where.

use std::sync::OnceLock;

use glam::DVec3;

use super::depth::{BOX, box_separation};
use super::duplicate::same_triangles;
use super::separate::{is_between, share_no_volume};
use super::stub::{Distance, distance};
use super::{Clash, ClashKind};
use crate::inside::{
    ListedSurface, Location, SolidRelation, Surface, is_on_triangle, locate, solid_relation,
};
use crate::math::{Interval, Pose, Sign, orient3d};
use crate::pair::{TriangleIntersection, triangle_intersection, triangles_cross};
use crate::query::{Body, contacts};
use crate::shape::{Aabb, Shape, Solid, Triangle, has_zero_area};

/// How many pairs of touching triangles are looked at for a plane between two solids.
const PLANES_TO_TRY: usize = 8;

/// Two parts under examination.
pub(super) struct Pair<'a> {
    pub a: Posed<'a>,
    pub b: Posed<'a>,
    /// The numbers of the parts.
    pub numbers: [usize; 2],
}

/// A part in its place.
pub(super) struct Posed<'a> {
    pub body: &'a Body,
    pub pose: &'a Pose,
    /// The smallest box around it.
    pub bounds: &'a Aabb,
    /// Made when it is first needed.
    pub surface: &'a OnceLock<ListedSurface>,
}

/// A solid in its place, as the exact tests want to see it.
struct PosedSolid<'a> {
    solid: &'a Solid,
    pose: &'a Pose,
    surface: &'a OnceLock<ListedSurface>,
}

impl Surface for PosedSolid<'_> {
    fn triangles(&self) -> u32 {
        self.solid.mesh().triangles().len() as u32
    }

    fn triangle(&self, i: u32) -> Triangle {
        Triangle::from(self.solid.mesh().triangle(i).corners().map(|p| self.pose.apply(p)))
    }

    fn piece(&self, i: u32) -> u32 {
        self.solid.pieces()[i as usize]
    }

    fn near(&self, region: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.surface.get_or_init(|| ListedSurface::new(self.solid, self.pose)).near(region, visit);
    }
}

impl<'a> Posed<'a> {
    fn solid(&self) -> Option<PosedSolid<'a>> {
        self.body.solid().map(|solid| PosedSolid { solid, pose: self.pose, surface: self.surface })
    }

    fn triangle(&self, i: u32) -> Option<Triangle> {
        self.body.posed_triangle(self.pose, i)
    }
}

impl Pair<'_> {
    /// The clash of parts that have a point in common.
    pub fn meeting(&self) -> Option<Clash> {
        let pairs = contacts(self.a.body, self.a.pose, self.b.body, self.b.pose);
        let kind = self.kind(&pairs)?;
        let crossing = match kind {
            ClashKind::Hard => pairs.iter().find(|p| self.crosses(p)),
            ClashKind::Duplicate | ClashKind::Contained | ClashKind::Touch | ClashKind::Clearance => None,
        };
        let first = crossing.or(pairs.first());
        let clash = self.clash(kind, self.common_point(first), pairs.len());
        if kind == ClashKind::Touch {
            return Some(Clash { normal: first.and_then(|p| self.separating_normal(p)), ..clash });
        }
        let (direction, length) = box_separation(self.a.bounds, self.b.bounds);
        Some(Clash { depth: Some(length), depth_is: Some(BOX), normal: Some(direction), ..clash })
    }

    /// The clash of parts that are apart by at most `clearance`.
    pub fn within(&self, clearance: f64) -> Option<Clash> {
        if clearance == 0.0 {
            return None;
        }
        let found = self.surface_distance(clearance);
        if found.beyond_max || found.interval.lower > clearance {
            return None;
        }
        let point = found.point_a.midpoint(found.point_b);
        let clash = self.clash(ClashKind::Clearance, point, 0);
        let normal = unit(found.point_b - found.point_a);
        Some(Clash { distance: found.interval, normal, ..clash })
    }

    fn clash(&self, kind: ClashKind, point: DVec3, triangle_pairs: usize) -> Clash {
        let [a, b] = self.numbers;
        let distance = Interval::point(0.0);
        Clash { a, b, kind, distance, depth: None, depth_is: None, point, normal: None, triangle_pairs }
    }

    /// What the two are to each other, given the triangles that meet; `None` if they are apart.
    fn kind(&self, contacts: &[[u32; 2]]) -> Option<ClashKind> {
        if self.is_duplicate() {
            return Some(ClashKind::Duplicate);
        }
        if let (Some(a), Some(b)) = (self.a.solid(), self.b.solid()) {
            return self.kind_of_solids(&a, &b, contacts);
        }
        match contacts {
            [] => None,
            pairs if pairs.iter().any(|p| self.crosses(p)) => Some(ClashKind::Hard),
            _ => Some(ClashKind::Touch),
        }
    }

    fn kind_of_solids(&self, a: &PosedSolid, b: &PosedSolid, contacts: &[[u32; 2]]) -> Option<ClashKind> {
        if self.touches_at_a_plane(contacts) {
            return Some(ClashKind::Touch);
        }
        match solid_relation(a, b, contacts) {
            SolidRelation::Apart => None,
            SolidRelation::Touch => Some(ClashKind::Touch),
            SolidRelation::Overlap => Some(ClashKind::Hard),
            SolidRelation::AInB | SolidRelation::BInA | SolidRelation::Equal => Some(ClashKind::Contained),
        }
    }

    /// Whether the solids meet and lie on different sides of a plane, as far as a few tries tell. This settles most
    /// flush parts in a fraction of the time that the relation of solids needs.
    fn touches_at_a_plane(&self, contacts: &[[u32; 2]]) -> bool {
        let (Some(a), Some(b)) = (self.a.body.mesh(), self.b.body.mesh()) else { return false };
        let both = [(&**a, self.a.pose), (&**b, self.b.pose)];
        let tries = contacts.iter().take(PLANES_TO_TRY).filter_map(|p| self.triangles(p));
        let plane = |(s, t): (Triangle, Triangle)| is_between(&s, both) || is_between(&t, both);
        !contacts.is_empty()
            && (share_no_volume(self.a.bounds, self.b.bounds) || tries.map(plane).any(std::convert::identity))
    }

    fn is_duplicate(&self) -> bool {
        let (Some(a), Some(b)) = (self.a.body.mesh(), self.b.body.mesh()) else { return false };
        self.a.bounds == self.b.bounds && same_triangles(a, self.a.pose, b, self.b.pose)
    }

    fn crosses(&self, pair: &[u32; 2]) -> bool {
        self.triangles(pair).is_some_and(|(s, t)| triangles_cross(&s, &t))
    }

    fn triangles(&self, &[i, j]: &[u32; 2]) -> Option<(Triangle, Triangle)> {
        Some((self.a.triangle(i)?, self.b.triangle(j)?))
    }
}

/// Points and directions, for people and for what comes after; none of them decides anything.
impl Pair<'_> {
    /// A point of both: a corner of one triangle on the other, else the middle of what they have in common, or,
    /// where no triangles meet, a corner of one solid inside the other.
    fn common_point(&self, pair: Option<&[u32; 2]>) -> DVec3 {
        let Some((s, t)) = pair.and_then(|p| self.triangles(p)) else { return self.corner_inside() };
        let mut corners = s.corners().map(|p| (p, &t)).into_iter().chain(t.corners().map(|p| (p, &s)));
        if let Some((corner, _)) = corners.find(|&(p, other)| is_on_triangle(&p, other)) {
            return corner;
        }
        match triangle_intersection(&s, &t) {
            Some(TriangleIntersection::Point(p)) => p,
            Some(TriangleIntersection::Segment(s)) => s.a.midpoint(s.b),
            Some(TriangleIntersection::Polygon(corners)) => {
                corners.iter().fold(DVec3::ZERO, |sum, p| sum + *p / corners.len() as f64)
            }
            None => self.corner_inside(),
        }
    }

    fn corner_inside(&self) -> DVec3 {
        let inner = |inner: &Posed<'_>, outer: &Posed<'_>| {
            let (inner, outer) = (inner.solid()?, outer.solid()?);
            let first =
                inner.solid.representatives().iter().map(|&i| inner.solid.mesh().vertices()[i as usize]);
            first.map(|p| inner.pose.apply(p)).find(|&p| locate(p, &outer) != Location::Outside)
        };
        let common = inner(&self.a, &self.b).or_else(|| inner(&self.b, &self.a));
        common.unwrap_or_else(|| self.a.bounds.center())
    }

    /// Normal to a plane that has the two triangles on different sides, towards that of `b`. As they do not cross, the
    /// plane of one of them does, unless both have no area.
    fn separating_normal(&self, pair: &[u32; 2]) -> Option<DVec3> {
        let (s, t) = self.triangles(pair)?;
        match side(&s, &t) {
            Some(Sign::Negative) => unit(-s.scaled_normal()),
            Some(Sign::Zero | Sign::Positive) => unit(s.scaled_normal()),
            None => match side(&t, &s) {
                Some(Sign::Positive) => unit(-t.scaled_normal()),
                Some(Sign::Zero | Sign::Negative) => unit(t.scaled_normal()),
                None => None,
            },
        }
    }

    /// The distance, between the surfaces if one is open: a solid around an open surface does not touch it.
    fn surface_distance(&self, max: f64) -> Distance {
        let found = distance(self.a.body, self.a.pose, self.b.body, self.b.pose, max);
        if found.interval.upper > 0.0 || self.a.body.solid().is_some() == self.b.body.solid().is_some() {
            return found;
        }
        let surface = |part: &Posed<'_>| part.body.mesh().map(|m| Body::new(Shape::Mesh(m.clone())));
        match (surface(&self.a), surface(&self.b)) {
            (Some(a), Some(b)) => distance(&a, self.a.pose, &b, self.b.pose, max),
            _ => found,
        }
    }
}

/// On which side of `s`'s plane `t` lies; zero if in it, `None` if on both sides or if `s` has no area.
fn side(s: &Triangle, t: &Triangle) -> Option<Sign> {
    let signs = t.corners().map(|p| orient3d(s.a, s.b, s.c, p));
    let (below, above) = (signs.contains(&Sign::Negative), signs.contains(&Sign::Positive));
    match (below, above) {
        (true, true) => None,
        (true, false) => Some(Sign::Negative),
        (false, true) => Some(Sign::Positive),
        (false, false) => (!has_zero_area(s)).then_some(Sign::Zero),
    }
}

/// `v` made of length 1, whatever its size; `None` for zero.
fn unit(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    if size == 0.0 || !size.is_finite() {
        return None;
    }
    (v / size).try_normalize()
}
