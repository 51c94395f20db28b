//! Clash detection: broad phase over boxes, then every candidate pair decided exactly.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

use super::depth::{BOX, box_separation};
use super::duplicate::same_triangles;
use super::stub::{Distance, SolidRelation, contains, distance, solid_relation};
use super::{ClashError, ClashKind, ClashOptions, Part, Scene, candidate_pairs};
use crate::math::{Interval, Sign, orient3d};
use crate::pair::{TriangleIntersection, triangle_intersection, triangles_cross};
use crate::query::{Body, contacts};
use crate::shape::{Aabb, Shape, Triangle, has_zero_area};

/// Two parts in each other's way, `a < b`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Clash {
    /// Number of the first part.
    pub a: usize,
    /// Number of the second part.
    pub b: usize,
    /// What is the matter.
    pub kind: ClashKind,
    /// The distance between the two: exactly 0 except for [`ClashKind::Clearance`].
    pub distance: Interval,
    /// How deep they overlap, by the measure that `depth_is` names. None for kinds without overlap.
    pub depth: Option<f64>,
    /// The measure of `depth`. `"box"`: the length of the shortest translation along a world axis that separates
    /// the bounding boxes of the two parts, rounded up. Moving `b` so far along `normal` certainly separates
    /// the interiors; a shorter way may exist, so this is an upper bound on the depth of penetration, not the depth.
    pub depth_is: Option<&'static str>,
    /// A point common to both, rounded; for [`ClashKind::Clearance`] the middle between two nearest points.
    pub point: DVec3,
    /// Unit vector from `a` to `b`: the direction of `depth` where there is one; for touching parts normal to the
    /// plane that separates the first pair of triangles that touch (where both lie in it, the way the triangle of `a`
    /// faces); for parts apart, from nearest point to nearest point. None where no direction is defined (two
    /// triangles without area).
    pub normal: Option<DVec3>,
    /// How many pairs of triangles, one of each part, have a point in common.
    pub triangle_pairs: usize,
}

/// The outcome of a clash check.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClashReport {
    /// What was found, sorted by (a, b).
    pub clashes: Vec<Clash>,
    /// How many pairs of parts the broad phase left to be examined.
    pub candidates: usize,
}

/// Finds all pairs of parts that are in each other's way, and how.
///
/// The kind is decided exactly for the triangles as they are posed. A part counts as a solid if its body is one
/// ([`super::body_of`] makes closed meshes solid); anything else is a surface, which a solid around it does not
/// touch: there the distance between the surfaces counts. Where rounding leaves open whether a distance
/// exceeds the clearance, the pair is reported.
///
/// `progress` is told how many candidate pairs are done, of how many: first with 0, then after each pair, from any
/// thread, with the counts in no particular order. Pairs are examined in parallel (feature `parallel`); the report
/// has the same bits for any number of threads. Cost: O(n log n) for n parts, plus the candidates on their
/// trees.
///
/// # Errors
/// [`ClashError::NotAMesh`] for a ball or half-space among the parts.
pub fn find_clashes(
    scene: &Scene,
    options: &ClashOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    if let Some((part, culprit)) = scene.parts.iter().enumerate().find(|(_, p)| p.body.mesh().is_none()) {
        return Err(ClashError::NotAMesh { part, name: culprit.name.clone() });
    }
    let boxes: Vec<Aabb> = scene.parts.iter().map(|p| p.body.aabb(&p.pose)).collect();
    let candidates = candidate_pairs(&with_clearance(&boxes, options));
    let done = AtomicUsize::new(0);
    progress(0, candidates.len());
    let examined = |&[a, b]: &[u32; 2]| {
        let clash = examine(scene, &boxes, options, a as usize, b as usize);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, candidates.len());
        clash
    };
    #[cfg(feature = "parallel")]
    let clashes = candidates.par_iter().filter_map(examined).collect();
    #[cfg(not(feature = "parallel"))]
    let clashes = candidates.iter().filter_map(examined).collect();
    Ok(ClashReport { clashes, candidates: candidates.len() })
}

/// Boxes that have a point in common wherever two parts are within their clearance: each grows by half of the greatest
/// clearance that applies to its part.
fn with_clearance(boxes: &[Aabb], options: &ClashOptions) -> Vec<Aabb> {
    let grown = |(i, b): (usize, &Aabb)| match options.clearance_around(i) {
        0.0 => *b,
        clearance => b.grown(clearance / 2.0),
    };
    boxes.iter().enumerate().map(grown).collect()
}

fn examine(scene: &Scene, boxes: &[Aabb], options: &ClashOptions, a: usize, b: usize) -> Option<Clash> {
    let ignored = |kind: &ClashKind| options.is_ignored(a, b, *kind);
    if ClashKind::ALL.iter().all(ignored) {
        return None;
    }
    let pair =
        Pair { a: &scene.parts[a], b: &scene.parts[b], boxes: [&boxes[a], &boxes[b]], numbers: [a, b] };
    let clash = pair.meeting().or_else(|| pair.within(options.clearance_between(a, b)))?;
    (!ignored(&clash.kind)).then_some(clash)
}

/// Two parts under examination.
struct Pair<'a> {
    a: &'a Part,
    b: &'a Part,
    boxes: [&'a Aabb; 2],
    numbers: [usize; 2],
}

impl Pair<'_> {
    /// The clash of parts that have a point in common.
    fn meeting(&self) -> Option<Clash> {
        let pairs = contacts(&self.a.body, &self.a.pose, &self.b.body, &self.b.pose);
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
        let (direction, length) = box_separation(self.boxes[0], self.boxes[1]);
        Some(Clash { depth: Some(length), depth_is: Some(BOX), normal: Some(direction), ..clash })
    }

    /// The clash of parts that are apart by at most `clearance`.
    fn within(&self, clearance: f64) -> Option<Clash> {
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
        if let (Some(a), Some(b)) = (self.a.body.solid(), self.b.body.solid()) {
            return match solid_relation(a, &self.a.pose, b, &self.b.pose, contacts) {
                SolidRelation::Apart => None,
                SolidRelation::Touching => Some(ClashKind::Touch),
                SolidRelation::Overlapping => Some(ClashKind::Hard),
                SolidRelation::AInB | SolidRelation::BInA => Some(ClashKind::Contained),
            };
        }
        match contacts {
            [] => None,
            pairs if pairs.iter().any(|p| self.crosses(p)) => Some(ClashKind::Hard),
            _ => Some(ClashKind::Touch),
        }
    }

    fn is_duplicate(&self) -> bool {
        let (Some(a), Some(b)) = (self.a.body.mesh(), self.b.body.mesh()) else { return false };
        self.boxes[0] == self.boxes[1] && same_triangles(a, &self.a.pose, b, &self.b.pose)
    }

    fn crosses(&self, pair: &[u32; 2]) -> bool {
        self.triangles(pair).is_some_and(|(s, t)| triangles_cross(&s, &t))
    }

    fn triangles(&self, &[i, j]: &[u32; 2]) -> Option<(Triangle, Triangle)> {
        let s = self.a.body.posed_triangle(&self.a.pose, i)?;
        Some((s, self.b.body.posed_triangle(&self.b.pose, j)?))
    }
}

/// Points and directions, for people and for what comes after; none of them decides anything.
impl Pair<'_> {
    /// A point of both: in the middle of what the two triangles have in common, or, where no triangles meet, a
    /// corner of one solid inside the other.
    fn common_point(&self, pair: Option<&[u32; 2]>) -> DVec3 {
        let meeting = pair.and_then(|p| self.triangles(p)).and_then(|(s, t)| triangle_intersection(&s, &t));
        match meeting {
            Some(TriangleIntersection::Point(p)) => p,
            Some(TriangleIntersection::Segment(s)) => s.a.midpoint(s.b),
            Some(TriangleIntersection::Polygon(corners)) => {
                corners.iter().fold(DVec3::ZERO, |sum, p| sum + *p / corners.len() as f64)
            }
            None => self.corner_inside(),
        }
    }

    fn corner_inside(&self) -> DVec3 {
        let inner = |inner: &Part, outer: &Part| {
            let solid = inner.body.solid()?;
            let corners = solid.representatives().iter().map(|&i| solid.mesh().vertices()[i as usize]);
            corners.map(|p| inner.pose.apply(p)).find(|&p| contains(&outer.body, &outer.pose, p) == Ok(true))
        };
        let common = inner(self.a, self.b).or_else(|| inner(self.b, self.a));
        common.unwrap_or_else(|| self.boxes[0].center())
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
        let found = distance(&self.a.body, &self.a.pose, &self.b.body, &self.b.pose, max);
        if found.interval.upper > 0.0 || self.a.body.solid().is_some() == self.b.body.solid().is_some() {
            return found;
        }
        let surface = |part: &Part| part.body.mesh().map(|m| Body::new(Shape::Mesh(m.clone())));
        match (surface(self.a), surface(self.b)) {
            (Some(a), Some(b)) => distance(&a, &self.a.pose, &b, &self.b.pose, max),
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
