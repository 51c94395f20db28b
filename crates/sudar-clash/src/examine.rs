//! Two parts under examination: what they are to each other, and where.

use sudar::effort::Partial;
use sudar::inside::{SolidRelation, Surface, is_on_triangle, solid_relation};
use sudar::math::{orient2d, orient3d};
use sudar::pair::{TriangleIntersection, triangle_intersection, triangles_cross};
use sudar::query::{Body, Distance, DistanceEnd, DistanceOptions, StopReason, Within, Work};
use sudar::{Aabb, DVec3, Interval, Shape, Sign, Triangle};

use crate::cells::enclose_nothing_common;
use crate::depth::{BOX, PENETRATION, REGION, box_separation, penetration_of, unit};
use crate::duplicate::same_triangles;
use crate::found::Clash;
use crate::options::{ClashKind, DepthMeasure};
use crate::pair::Pair;
use crate::posed::Posed;
use crate::regions::{Form, Overlap, Region, overlaps};
use crate::separate::{is_between, share_no_volume};
use crate::separation::{is_overlap, separation};

/// Distances are looked for up to so many times the clearance.
const LOOK_BEYOND: f64 = 1.0 + 1.0 / 1024.0;

/// How many pairs of touching triangles are looked at for a plane between two solids.
const PLANES_TO_TRY: usize = 8;

/// A budget or a flag ended the examination before anything was certain.
pub(crate) struct Open;

impl Pair<'_> {
    /// The clash of parts that have a point in common or are apart by at most `clearance`; the budget is for
    /// each query on the way. What two solids are to each other, once all that meets is known, has no limit.
    ///
    /// Most candidates are far apart, and one short traversal says so: it runs before anything that needs
    /// exact tests, or distances and with them more of the trees.
    pub fn examine(&self, clearance: f64, work: &mut Work<'_>) -> Result<Option<Clash>, Open> {
        let [a, b] = [self.a.at(), self.b.at()];
        let gap = if clearance > 0.0 { work.surfaces_within(a, b, clearance) } else { None };
        match self.meeting(gap, work)? {
            Some(clash) => Ok(Some(clash)),
            None => self.within(clearance, gap, work),
        }
    }

    /// The clash of parts that have a point in common.
    fn meeting(&self, gap: Option<bool>, work: &mut Work<'_>) -> Result<Option<Clash>, Open> {
        let contacts = match gap {
            Some(false) => Partial { found: Vec::new(), complete: true },
            Some(true) | None => work.contacts(self.a.at(), self.b.at()),
        };
        if !contacts.complete || !work.may_go_on() {
            return Err(Open);
        }
        Ok(self.clash_of_contacts(&contacts.found, work))
    }

    /// The clash of parts of which these are all the triangles that meet.
    fn clash_of_contacts(&self, pairs: &[[u32; 2]], work: &mut Work<'_>) -> Option<Clash> {
        let kind = self.kind(pairs)?;
        let crossing = match kind {
            ClashKind::Hard => pairs.iter().find(|p| self.crosses(p)),
            ClashKind::Duplicate | ClashKind::Contained | ClashKind::Touch | ClashKind::Clearance => None,
        };
        let first = crossing.or(pairs.first());
        let mut clash = self.clash(kind, self.common_point(first), pairs.len());
        if kind == ClashKind::Touch {
            let axis = share_no_volume(self.a.bounds, self.b.bounds)
                .then(|| box_separation(self.a.bounds, self.b.bounds).0);
            let normal = axis.or_else(|| pairs.iter().find_map(|p| self.separating_normal(p)));
            return Some(Clash { normal, ..clash });
        }
        if kind == ClashKind::Hard && self.is_nearly_contained(pairs, work) {
            (clash.kind, clash.verdict_without_band) = (ClashKind::Contained, Some(kind.name()));
        }
        self.measure(&mut clash, pairs, work);
        Some(clash)
    }

    /// Whether one solid sticks out of the other by no more than the band of what counts as touching: all its corners
    /// are in the other or that near to it, and so are its triangles that meet those of the other, beside their planes.
    fn is_nearly_contained(&self, pairs: &[[u32; 2]], work: &mut Work<'_>) -> bool {
        let both = [&self.a, &self.b];
        self.touch > 0.0
            && [0, 1].into_iter().any(|side| {
                let (inner, outer) = (both[side], both[1 - side]);
                let around = outer.bounds.grown(self.touch);
                around.contains(inner.bounds.min)
                    && around.contains(inner.bounds.max)
                    && pairs.iter().all(|pair| self.is_below(side, pair))
                    && inner.corners_are_in(outer, self.touch, work)
            })
    }

    /// Whether the triangle of one side is nowhere farther above the plane of the other than the band.
    fn is_below(&self, side: usize, pair: &[u32; 2]) -> bool {
        let (Some((s, t)), both) = (self.triangles(pair), [&self.a, &self.b]) else { return false };
        let (inner, outer) = if side == 0 { (s, t) } else { (t, s) };
        let outward = both[1 - side].corners().and_then(|corners| corners.faces_outward(pair[1 - side]));
        let Some((outward, normal)) = outward.zip(unit(outer.scaled_normal())) else { return false };
        let normal = if outward { normal } else { -normal };
        inner.corners().into_iter().all(|p| normal.dot(p - outer.a) <= self.touch)
    }

    /// Fills in how deep the parts of a clash overlap, and where.
    fn measure(&self, clash: &mut Clash, pairs: &[[u32; 2]], work: &mut Work<'_>) {
        let mut overlaps = overlaps([&self.a, &self.b], pairs, self.touch, work).unwrap_or_default();
        let whole = match clash.kind {
            ClashKind::Duplicate => Some(Form::Duplicate),
            ClashKind::Contained => Some(Form::Contained),
            ClashKind::Hard | ClashKind::Touch | ClashKind::Clearance => None,
        };
        for Overlap { region, .. } in &mut overlaps {
            region.form = whole.unwrap_or(region.form);
        }
        let out = separation(self, pairs, &overlaps, work);
        clash.separation = Some(out);
        let mut regions: Vec<Region> = overlaps.into_iter().map(|overlap| overlap.region).collect();
        for region in regions.iter_mut().filter(|region| region.is_whole()) {
            // What lies inside as a whole has to come out as a whole.
            let lower = region.depth.lower.max(out.length.lower).min(out.length.upper);
            region.depth = Interval { lower, upper: out.length.upper };
            region.direction = out.direction;
        }
        let (depth, depth_is, normal) = self.depth(&regions, work);
        (clash.depth, clash.depth_is, clash.normal) = (Some(depth), Some(depth_is), Some(normal));
        if let Some(deepest) = regions.first() {
            (clash.point, clash.form) = (deepest.point, Some(deepest.form));
        }
        clash.regions = regions;
    }

    /// How deep the parts overlap, the measure, and the direction.
    fn depth(&self, regions: &[Region], work: &mut Work<'_>) -> (Interval, &'static str, DVec3) {
        let exact = match self.depth_measure {
            DepthMeasure::Exact => penetration_of(self.a.at(), self.b.at(), work),
            DepthMeasure::Regions => None,
        };
        if let Some((depth, normal)) = exact {
            return (depth, PENETRATION, normal);
        }
        match regions.first().filter(|_| work.may_go_on()) {
            Some(deepest) => {
                let most = |end: fn(&Region) -> f64| regions.iter().map(end).fold(0.0, f64::max);
                let depth = Interval { lower: most(|r| r.depth.lower), upper: most(|r| r.depth.upper) };
                (depth, REGION, deepest.direction)
            }
            None => {
                let (normal, length) = box_separation(self.a.bounds, self.b.bounds);
                (Interval { lower: 0.0, upper: length }, BOX, normal)
            }
        }
    }

    /// The clash of parts that are apart, by at most `clearance`.
    fn within(&self, clearance: f64, gap: Option<bool>, work: &mut Work<'_>) -> Result<Option<Clash>, Open> {
        let is_beyond = match gap {
            Some(false) => true,
            Some(true) => false,
            None => self.is_beyond(clearance, work)?,
        };
        if clearance == 0.0 || is_beyond {
            return Ok(None);
        }
        // Looked for a little farther, so that the interval of what is within the clearance is narrow.
        let found = self.surface_distance(clearance * LOOK_BEYOND, work);
        if found.interval.lower > clearance {
            return Ok(None);
        }
        if found.end == DistanceEnd::Stopped(StopReason::Budget) && found.interval.upper > clearance {
            return Err(Open);
        }
        let point = found.point_a.midpoint(found.point_b);
        let clash = self.clash(ClashKind::Clearance, point, 0);
        let normal = unit(found.point_b - found.point_a);
        Ok(Some(Clash { distance: found.interval, normal, ..clash }))
    }

    /// Whether the two are certainly farther apart than that: a question that ends at the first proof, so it is asked
    /// before their distance is measured. Surfaces are at least as far apart as the solids that they enclose.
    fn is_beyond(&self, clearance: f64, work: &mut Work<'_>) -> Result<bool, Open> {
        match work.within(self.a.at(), self.b.at(), clearance) {
            Within::No { .. } => Ok(true),
            Within::Yes { .. } | Within::Undecided(StopReason::Precision) => Ok(false),
            Within::Undecided(StopReason::Budget) => Err(Open),
        }
    }

    fn clash(&self, kind: ClashKind, point: DVec3, triangle_pairs: usize) -> Clash {
        Clash { triangle_pairs, ..Clash::new(self.numbers, kind, point) }
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

    fn kind_of_solids(&self, a: &dyn Surface, b: &dyn Surface, contacts: &[[u32; 2]]) -> Option<ClashKind> {
        if !contacts.is_empty() && (self.touches_at_a_plane(contacts) || self.touches_in_cells(a, b)) {
            return Some(ClashKind::Touch);
        }
        if contacts.is_empty() && self.a.corner_in(&self.b).or_else(|| self.b.corner_in(&self.a)).is_none() {
            // The surfaces do not meet and no piece of one is inside the other.
            return None;
        }
        match solid_relation(a, b, contacts) {
            SolidRelation::Apart => None,
            SolidRelation::Touch => Some(ClashKind::Touch),
            SolidRelation::Overlap => Some(ClashKind::Hard),
            SolidRelation::AInB | SolidRelation::BInA | SolidRelation::Equal => Some(ClashKind::Contained),
        }
    }

    /// Whether the solids, which meet, lie on different sides of a plane, by a few tries. This settles most
    /// flush parts in a fraction of the time that the relation of solids needs.
    fn touches_at_a_plane(&self, contacts: &[[u32; 2]]) -> bool {
        let (Some(a), Some(b)) = (self.a.body.mesh(), self.b.body.mesh()) else { return false };
        let both = [(&**a, self.a.pose), (&**b, self.b.pose)];
        let mut tries = contacts.iter().take(PLANES_TO_TRY).filter_map(|p| self.triangles(p));
        let plane = |(s, t): (Triangle, Triangle)| is_between(&s, both) || is_between(&t, both);
        share_no_volume(self.a.bounds, self.b.bounds) || tries.any(plane)
    }

    /// Whether cells along the axes show that the solids, which meet, enclose nothing in common.
    fn touches_in_cells(&self, a: &dyn Surface, b: &dyn Surface) -> bool {
        let (x, y) = (self.a.bounds, self.b.bounds);
        enclose_nothing_common(a, b, &Aabb { min: x.min.max(y.min), max: x.max.min(y.max) })
    }

    fn is_duplicate(&self) -> bool {
        let (Some(a), Some(b)) = (self.a.body.mesh(), self.b.body.mesh()) else { return false };
        self.a.bounds == self.b.bounds && same_triangles(a, self.a.pose, b, self.b.pose)
    }

    fn crosses(&self, pair: &[u32; 2]) -> bool {
        self.triangles(pair).is_some_and(|(s, t)| triangles_cross(&s, &t))
    }

    pub fn triangles(&self, &[i, j]: &[u32; 2]) -> Option<(Triangle, Triangle)> {
        Some((self.a.triangle(i)?, self.b.triangle(j)?))
    }
}

impl Pair<'_> {
    /// The thin way out of the deepest region; zero if nothing is inside both parts, none if a budget leaves that open
    /// or no region is found.
    pub fn way_out(&self, work: &mut Work<'_>) -> Option<DVec3> {
        let contacts = work.contacts(self.a.at(), self.b.at());
        if !contacts.complete {
            return None;
        }
        if !self.kind(&contacts.found).is_some_and(is_overlap) {
            return Some(DVec3::ZERO);
        }
        let left = overlaps([&self.a, &self.b], &contacts.found, 0.0, work)?;
        left.first().map(Overlap::way_out).filter(|way| *way != DVec3::ZERO)
    }
}

/// Points and directions, for people and for what comes after; none of them decides anything.
impl Pair<'_> {
    /// A point of both: a corner of one triangle on the other, else the middle of what they have in common, or,
    /// where no triangles meet, a corner of one solid inside the other.
    fn common_point(&self, pair: Option<&[u32; 2]>) -> DVec3 {
        let Some((s, t)) = pair.and_then(|p| self.triangles(p)) else {
            let inner = self.a.corner_in(&self.b).or_else(|| self.b.corner_in(&self.a));
            return inner.unwrap_or_else(|| self.a.bounds.center());
        };
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
            // Does not happen: the pair was found to meet.
            None => s.a,
        }
    }

    /// Normal to the plane of one of the two triangles that has them on different sides, towards that of `b`; `None` if
    /// neither plane does, as where two tips meet.
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

    /// The distance of parts whose surfaces do not meet, between the surfaces if one is open: a solid around an open
    /// surface does not touch it.
    fn surface_distance(&self, max: f64, work: &mut Work<'_>) -> Distance {
        let options = DistanceOptions::up_to(max);
        if let Some(found) = work.disjoint_surface_distance(self.a.at(), self.b.at(), &options) {
            return found;
        }
        let found = work.distance(self.a.at(), self.b.at(), &options);
        if found.interval.upper > 0.0 || self.a.body.solid().is_some() == self.b.body.solid().is_some() {
            return found;
        }
        let surface = |part: &Posed<'_>| part.body.mesh().map(|m| Body::new(Shape::Mesh(m.clone())));
        match (surface(&self.a), surface(&self.b)) {
            (Some(a), Some(b)) => work.distance(a.at(self.a.pose), b.at(self.b.pose), &options),
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

/// Whether the three corners lie on one line, exactly: then all three shadows on the coordinate planes do.
fn has_zero_area(t: &Triangle) -> bool {
    let turned = |p: DVec3| DVec3::new(p.y, p.z, p.x);
    let flat = |[a, b, c]: [DVec3; 3]| orient2d(a.truncate(), b.truncate(), c.truncate()) == Sign::Zero;
    let [first, second] = [t.corners().map(turned), t.corners().map(turned).map(turned)];
    flat(t.corners()) && flat(first) && flat(second)
}
