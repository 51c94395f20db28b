//! From what queries find to how it is written down.

use sudar::DVec3;
use sudar::broad::Output;
use sudar::convex::Accuracy;
use sudar::effort::Partial;
use sudar::hull::convex_hull;
use sudar::math::Interval;
use sudar::query::{
    self, ByWinding, DistanceEnd, DistanceOptions, Intersection, LocalMinimum, Placed, StopReason, Within,
    Work, has_inside,
};
use sudar::shape::{Aabb, Ray};
use sudar_classic::broad_phase;

use crate::answer::{
    ClosestPointAnswer, ContactAnswer, ContactsAnswer, ContainsAnswer, DistanceAnswer, HullAnswer,
    IntersectsAnswer, LocalMinimaAnswer, ManifoldAnswer, MinimumAnswer, PairsAnswer, PenetrationAnswer,
    RayAnswer, Status, WithinAnswer, Witness,
};
use crate::error::RecordError;
use crate::query::InsideMethod;

pub(super) fn intersects([a, b]: [Placed; 2], work: &mut Work<'_>) -> IntersectsAnswer {
    let answer = |intersects, features| IntersectsAnswer { intersects, undecided: None, features };
    match work.intersects(a, b) {
        Intersection::Apart => answer(Some(false), None),
        Intersection::Touching { features } => answer(Some(true), Some(features)),
        Intersection::Undecided(doubt) => {
            IntersectsAnswer { undecided: Some(written(doubt)), ..answer(None, None) }
        }
    }
}

/// How a doubt is written.
pub(super) fn written(doubt: StopReason) -> String {
    let word = match doubt {
        StopReason::Precision => "precision",
        StopReason::Budget => "budget",
    };
    word.to_owned()
}

/// The doubt of an answer that the budget ended, unless it is complete.
fn unless(complete: bool) -> Option<String> {
    (!complete).then(|| written(StopReason::Budget))
}

pub(super) fn contacts([a, b]: [Placed; 2], max: usize, work: &mut Work<'_>) -> ContactsAnswer {
    let Partial { found: mut pairs, complete } = work.contacts(a, b);
    let count = pairs.len();
    pairs.truncate(max);
    // Surfaces that nowhere meet still have points in common if one lies inside a solid.
    let intersects = if count > 0 { Some(true) } else { intersects([a, b], work).intersects };
    ContactsAnswer { intersects, undecided: unless(complete), count, pairs }
}

pub(super) fn manifold([a, b]: [Placed; 2], margin: f64, work: &mut Work<'_>) -> ManifoldAnswer {
    let Partial { found, complete } = work.manifold(a, b, margin);
    let contact = |c: query::Contact| ContactAnswer {
        point_a: c.point_a,
        point_b: c.point_b,
        normal: c.normal,
        depth: c.depth,
    };
    ManifoldAnswer { contacts: found.into_iter().map(contact).collect(), undecided: unless(complete) }
}

pub(super) fn distance([a, b]: [Placed; 2], search: &DistanceOptions, work: &mut Work<'_>) -> DistanceAnswer {
    let found = work.distance(a, b, search);
    DistanceAnswer {
        lower: found.interval.lower,
        upper: found.interval.upper,
        point_a: found.point_a,
        point_b: found.point_b,
        features: found.features,
        status: match found.end {
            DistanceEnd::Exact => Status::Exact,
            DistanceEnd::Tolerance => Status::Tolerance,
            DistanceEnd::BeyondMax => Status::BeyondMax,
            DistanceEnd::Stopped(StopReason::Precision) => Status::Precision,
            DistanceEnd::Stopped(StopReason::Budget) => Status::Budget,
        },
    }
}

pub(super) fn within([a, b]: [Placed; 2], tolerance: f64, work: &mut Work<'_>) -> WithinAnswer {
    let found = work.within(a, b, tolerance);
    let answer = |witness| WithinAnswer { within: found.decided(), undecided: None, witness };
    match found {
        Within::Yes { point_a, point_b, .. } => answer(Some(Witness::Points { point_a, point_b })),
        Within::No { plane, .. } => answer(plane.map(|p| {
            let n = p.normal;
            Witness::Plane { plane: [n.x, n.y, n.z, p.offset] }
        })),
        Within::Undecided(doubt) => WithinAnswer { undecided: Some(written(doubt)), ..answer(None) },
    }
}

pub(super) fn local_minima([a, b]: [Placed; 2], tolerance: f64, work: &mut Work<'_>) -> LocalMinimaAnswer {
    let Partial { found, complete } = work.local_minima(a, b, tolerance);
    let minimum = |m: LocalMinimum| MinimumAnswer {
        // What the points say, as far as it is certain.
        distance: (m.point_b - m.point_a).length().clamp(m.interval.lower, m.interval.upper),
        point_a: m.point_a,
        point_b: m.point_b,
        features: m.features,
    };
    let mut minima: Vec<MinimumAnswer> = found.into_iter().map(minimum).collect();
    minima.sort_by(|m, n| m.distance.total_cmp(&n.distance));
    LocalMinimaAnswer { minima, undecided: unless(complete) }
}

pub(super) fn penetration(
    [a, b]: [Placed; 2],
    accuracy: &Accuracy,
    work: &mut Work<'_>,
) -> PenetrationAnswer {
    let found = work.penetration_within(a, b, accuracy);
    let finite = |x: f64| x.is_finite().then_some(x);
    PenetrationAnswer {
        signed_lower: finite(found.signed.lower),
        signed_upper: finite(found.signed.upper),
        normal: found.normal,
        point_a: found.point_a,
        point_b: found.point_b,
        status: status(found.signed, &[found.point_a, found.point_b], accuracy, work.was_stopped()),
    }
}

/// How narrow an interval is: up to a thousand ulp of the coordinates it was computed from count as exact.
fn status(interval: Interval, points: &[DVec3], accuracy: &Accuracy, stopped: bool) -> Status {
    let size = interval.upper.abs().max(interval.lower.abs());
    let reach = points.iter().fold(size, |m, p| m.max(p.abs().max_element()));
    let width = interval.width();
    if width.is_nan() || width <= 1024.0 * f64::EPSILON * reach {
        Status::Exact
    } else if width <= accuracy.absolute.max(accuracy.relative * size) {
        Status::Tolerance
    } else if stopped {
        Status::Budget
    } else {
        Status::Precision
    }
}

/// The first hit if it is certain that it is the first. One that was found before the budget ended says only
/// how far the ray gets at most.
pub(super) fn first_hit(a: Placed, ray: &Ray, max: f64, work: &mut Work<'_>) -> RayAnswer {
    match work.ray(a, ray, max) {
        Partial { found: None, complete } => {
            RayAnswer { hit: complete.then_some(false), undecided: unless(complete), ..RayAnswer::default() }
        }
        Partial { found: Some(hit), complete: true } => RayAnswer {
            hit: Some(true),
            t: Some(hit.t),
            point: Some(hit.point),
            normal: Some(hit.normal),
            feature: Some(hit.feature),
            ..RayAnswer::default()
        },
        Partial { found: Some(hit), complete: false } => RayAnswer {
            hit: Some(true),
            t_upper: Some(hit.t),
            undecided: unless(false),
            ..RayAnswer::default()
        },
    }
}

pub(super) fn closest_point(a: Placed, point: DVec3, work: &mut Work<'_>) -> ClosestPointAnswer {
    let found = work.closest_point(a, point);
    // What the point itself says, as far as it is certain.
    let Interval { lower, upper } = found.distance;
    let distance = (found.point - point).length().clamp(lower, upper);
    let stopped = work.was_stopped();
    ClosestPointAnswer {
        distance,
        point: found.point,
        feature: found.feature,
        lower: stopped.then_some(lower),
        status: stopped.then_some(Status::Budget),
    }
}

pub(super) fn contains(
    a: Placed,
    point: DVec3,
    method: Option<InsideMethod>,
    work: &mut Work<'_>,
) -> Result<ContainsAnswer, RecordError> {
    if method == Some(InsideMethod::Winding) && !has_inside(a.body()) {
        return Ok(by_winding(a, point, work));
    }
    let inside = work.contains(a, point).map_err(RecordError::NeedsSolid)?;
    Ok(ContainsAnswer {
        inside,
        undecided: unless(inside.is_some()),
        method: method.map(|_| InsideMethod::Exact),
        winding: None,
    })
}

fn by_winding(a: Placed, point: DVec3, work: &mut Work<'_>) -> ContainsAnswer {
    let ByWinding { inside, number } = work.contains_by_winding(a, point);
    let doubt = if work.was_stopped() { StopReason::Budget } else { StopReason::Precision };
    let known = number.lower.is_finite() && number.upper.is_finite();
    ContainsAnswer {
        inside,
        undecided: inside.is_none().then(|| written(doubt)),
        method: Some(InsideMethod::Winding),
        winding: known.then_some([number.lower, number.upper]),
    }
}

/// The pairs of boxes that overlap.
pub(super) fn pairs(boxes: &[Aabb], algorithm: &str, list: bool) -> Result<PairsAnswer, RecordError> {
    let phase = broad_phase(algorithm)?;
    let listing = phase.list(boxes, if list { Output::Pairs } else { Output::Count });
    let listing = listing.map_err(|e| RecordError::from(e).inside("boxes"))?;
    let (count, algorithm) = (listing.count, listing.choice.algorithm);
    Ok(PairsAnswer { count, pairs: list.then_some(listing.pairs), algorithm })
}

pub(super) fn hull(points: &[DVec3]) -> Result<HullAnswer, RecordError> {
    if points.is_empty() {
        return Ok(HullAnswer {
            dimension: -1,
            vertices: Vec::new(),
            faces: Vec::new(),
            volume: 0.0,
            area: 0.0,
        });
    }
    let hull = convex_hull(points)?;
    let sources = hull.sources();
    Ok(HullAnswer {
        dimension: hull.dimension() as i8,
        vertices: sources.to_vec(),
        faces: (0..hull.faces().len()).map(|i| hull.face(i).map(|v| sources[v as usize]).collect()).collect(),
        volume: hull.volume(),
        area: hull.area(),
    })
}
