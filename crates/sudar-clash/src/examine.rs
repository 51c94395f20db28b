//! Two parts under examination: what they are to each other, and where.

use sudar::effort::Partial;
use sudar::query::{DistanceEnd, StopReason, Within, Work};
use sudar::{DVec3, Interval, Triangle};

use crate::band::ByBand;
use crate::depth::{BOX, PENETRATION, REGION, box_separation, penetration_of, unit};
use crate::found::Clash;
use crate::options::{ClashKind, DepthMeasure};
use crate::pair::Pair;
use crate::planks::{Common, common};
use crate::regions::{Form, Overlap, Region, overlaps, whole_region};
use crate::separation::{is_overlap, separation};

/// Distances are looked for up to so many times the clearance.
const LOOK_BEYOND: f64 = 1.0 + 1.0 / 1024.0;

/// A budget or a flag ended the examination before anything was certain.
#[derive(Debug)]
pub(crate) struct Open;

impl Pair<'_> {
    /// The clash of parts that overlap, touch, or are apart by no more than their clearance; the budget is for each
    /// query on the way. What two solids are to each other, once all that meets is known, has no limit.
    pub fn examine(&self, work: &mut Work<'_>) -> Result<Option<Clash>, Open> {
        let clash = self.of_triangles(work)?;
        let mut is_near = || {
            let near = work.surfaces_within(self.a.at(), self.b.at(), self.deviations.sum());
            near.is_none_or(|near| near.is_some())
        };
        Ok(clash.map(|clash| self.deviations.widen(clash, self.clearance, self.touch, &mut is_near)))
    }

    /// The same of the triangles, whatever surfaces they stand for.
    ///
    /// Most candidates are far apart, and one short traversal says so: it runs before anything that needs
    /// exact tests, or distances and with them more of the trees.
    fn of_triangles(&self, work: &mut Work<'_>) -> Result<Option<Clash>, Open> {
        let [a, b] = [self.a.at(), self.b.at()];
        let reach = self.clearance.max(self.touch) + self.deviations.sum();
        let near = if reach > 0.0 { work.surfaces_within(a, b, reach) } else { None };
        let gap = near.map(|near| near.is_some());
        let known = match near.flatten().map_or(ByBand::Unknown, |near| self.by_band(near, work)) {
            ByBand::Touch(clash) => return Ok(Some(*clash)),
            ByBand::Apart => return Ok(self.within(reach, gap, work)?.map(|clash| self.banded(clash))),
            ByBand::Hard => Some(ClashKind::Hard),
            ByBand::Unknown => None,
        };
        let found = match self.meeting(gap, known, work)? {
            Some(clash) => Some(clash),
            None => self.within(reach, gap, work)?,
        };
        Ok(found.map(|clash| self.banded(clash)))
    }

    /// The clash of parts that have a point in common, given its kind if that is known.
    fn meeting(
        &self,
        gap: Option<bool>,
        known: Option<ClashKind>,
        work: &mut Work<'_>,
    ) -> Result<Option<Clash>, Open> {
        let contacts = match gap {
            Some(false) => Partial { found: Vec::new(), complete: true },
            Some(true) | None => work.contacts(self.a.at(), self.b.at()),
        };
        if !contacts.complete || !work.may_go_on() {
            return Err(Open);
        }
        let kind = known.or_else(|| self.kind(&contacts.found, work));
        Ok(kind.map(|kind| self.clash_of_contacts(kind, &contacts.found, work)))
    }

    /// The clash of parts of which these are all the triangles that meet.
    fn clash_of_contacts(&self, kind: ClashKind, pairs: &[[u32; 2]], work: &mut Work<'_>) -> Clash {
        let crossing = match kind {
            ClashKind::Hard => pairs.iter().find(|p| self.crosses(p)),
            ClashKind::Duplicate | ClashKind::Contained | ClashKind::Touch | ClashKind::Clearance => None,
        };
        let first = crossing.or(pairs.first());
        let mut clash = self.clash(kind, self.common_point(first), pairs.len());
        if kind == ClashKind::Touch {
            let axis = self.separating_normal_of_boxes();
            let normal = axis.or_else(|| pairs.iter().find_map(|p| self.separating_normal(p)));
            return Clash { normal, ..clash };
        }
        if kind == ClashKind::Hard && self.is_nearly_contained(pairs, work) {
            (clash.kind, clash.verdict_without_band) = (ClashKind::Contained, Some(kind.name()));
        }
        self.measure(&mut clash, pairs, work);
        clash
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
        let parts = [&self.a, &self.b];
        let overlaps = match clash.kind {
            ClashKind::Duplicate => whole_region(parts, work),
            ClashKind::Contained | ClashKind::Hard | ClashKind::Touch | ClashKind::Clearance => {
                overlaps(parts, pairs, self.touch, work)
            }
        };
        let mut overlaps = overlaps.unwrap_or_default();
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

    pub fn triangles(&self, &[i, j]: &[u32; 2]) -> Option<(Triangle, Triangle)> {
        Some((self.a.triangle(i)?, self.b.triangle(j)?))
    }
}

impl Pair<'_> {
    /// The thin way out of the deepest region; zero if nothing is inside both parts, none if a budget leaves that open
    /// or no region is found.
    pub fn way_out(&self, work: &mut Work<'_>) -> Option<DVec3> {
        let known = common([&self.a, &self.b], 0.0);
        if matches!(known, Some(Common::Thin { .. })) {
            return Some(DVec3::ZERO);
        }
        let contacts = work.contacts(self.a.at(), self.b.at());
        if !contacts.complete {
            return None;
        }
        if known.is_none() && !self.kind(&contacts.found, work).is_some_and(is_overlap) {
            return Some(DVec3::ZERO);
        }
        let left = overlaps([&self.a, &self.b], &contacts.found, 0.0, work)?;
        left.first().map(Overlap::way_out).filter(|way| *way != DVec3::ZERO)
    }
}
