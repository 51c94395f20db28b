//! Relations of what is said of a body and points, rays and segments.

use rand::RngExt;
use sudar::query::{
    Body, DistanceOptions, closest_point, contains, contains_by_winding, distance, intersects, ray, ray_all,
    ray_any,
};
use sudar::{DVec3, Interval, Pose, Ray, Segment, Shape};

use crate::cases::Case;
use crate::count::Count;
use crate::replay::Asked;

const ROUNDING: f64 = 1024.0;
/// Rays on round bodies are rounded in the frame of the body.
const RAYS: f64 = 1e-9;

pub fn relate(case: &Case, count: &mut Count) {
    let mut rng = case.rng.clone();
    let aabb = case.a.aabb(&case.pose_a);
    let (low, high) = if aabb.min.is_finite() && aabb.max.is_finite() {
        (aabb.min, aabb.max)
    } else {
        let at = case.pose_a.translation();
        (at - DVec3::splat(case.size), at + DVec3::splat(case.size))
    };
    let mut inside = |k: f64| {
        let mut number =
            || if case.style.is_on_grid() { f64::from(rng.random_range(0..=4)) / 4.0 } else { rng.random() };
        let t = DVec3::new(number(), number(), number());
        (low + high) * 0.5 + (high - low) * (t - 0.5) * k
    };
    let points = [inside(1.0), inside(3.0), low, inside(0.1)];
    for p in points {
        of_point(case, count, p);
    }
    let target = inside(1.0);
    let segments =
        [(points[1], points[0]), (points[1], points[3]), (points[0], points[2]), (points[1], target)];
    for (from, to) in segments {
        of_segment(case, count, from, to);
    }
}

fn of_point(case: &Case, count: &mut Count, p: DVec3) {
    let Case { a, pose_a, .. } = case;
    let reach = case.reach.max(p.abs().max_element());
    let slack = ROUNDING * f64::EPSILON * reach;
    let asked = Asked::ClosestPoint(p);
    let point = Body::new(p);
    let nearest = closest_point(a.at(pose_a), p);
    let apart = distance(a.at(pose_a), point.at(&Pose::IDENTITY), &DistanceOptions::EXACT);
    let meet = intersects(a.at(pose_a), point.at(&Pose::IDENTITY));
    let said = || format!("{nearest:?} {apart:?} {meet:?}");
    let Interval { lower, upper } = nearest.distance;
    let agree =
        lower <= apart.interval.upper && apart.interval.lower <= upper && lower >= 0.0 && lower <= upper;
    count.hold("the closest point is as far as the distance of the point", case, asked, agree, said);
    let length = (nearest.point - p).length();
    count.hold("the closest point is as far as said", case, asked, (length - upper).abs() <= slack, said);
    let again = closest_point(a.at(pose_a), nearest.point).distance.lower;
    count.hold("the closest point is on the body", case, asked, again <= slack, said);
    let agree = match meet.decided() {
        Some(true) => upper <= slack,
        Some(false) => upper > 0.0,
        None => lower <= slack,
    };
    count.hold("the closest point of a point of the body is near", case, asked, agree, said);
    if let Ok(inside) = contains(a.at(pose_a), p) {
        let asked = Asked::Contains(p);
        let agree = meet.decided() == Some(inside)
            || (meet.decided().is_none() && lower <= slack)
            || round_doubt(case, a, upper.max(0.0), pose_a, p);
        count.hold("what contains a point intersects it", case, asked, agree, || {
            format!("{inside} {meet:?} {nearest:?}")
        });
        let winding = contains_by_winding(a.at(pose_a), p);
        if let Some(by_winding) = winding.inside
            && a.solid().is_some()
        {
            // A point of the surface is inside, and has no winding number.
            let agree = by_winding == inside || upper <= slack || surface_of(a, pose_a, p) <= slack;
            count.hold("winding numbers agree with parity", case, asked, agree, || {
                format!("{inside} {winding:?}")
            });
        }
    }
}

/// How far the surface of a body with flat faces is.
fn surface_of(a: &Body, pose: &Pose, p: DVec3) -> f64 {
    a.mesh().map_or(f64::INFINITY, |mesh| {
        closest_point(Body::new(Shape::Mesh(mesh.clone())).at(pose), p).distance.lower
    })
}

/// Whether a point is within rounding of the surface of a round body, where `contains` rounds.
fn round_doubt(case: &Case, a: &Body, upper: f64, pose: &Pose, p: DVec3) -> bool {
    let round = crate::cases::names(a.shape()).iter().any(|n| ["cylinder", "cone", "ellipsoid"].contains(n));
    let deep = sudar::query::penetration(a.at(pose), Body::new(p).at(&Pose::IDENTITY)).signed;
    let slack = ROUNDING * f64::EPSILON * case.reach.max(p.abs().max_element());
    round && upper <= slack && deep.upper >= -slack
}

/// A ray from one point to another is the segment between them.
fn of_segment(case: &Case, count: &mut Count, from: DVec3, to: DVec3) {
    let Case { a, pose_a, .. } = case;
    let Ok(beam) = Ray::new(from, to - from) else { return };
    if from + (to - from) != to {
        // The target of the ray is another point.
        return;
    }
    let asked = Asked::Ray(beam, 1.0);
    let reach = case.reach.max(from.abs().max_element()).max(to.abs().max_element());
    let slack = ROUNDING * f64::EPSILON * reach;
    let hit = ray(a.at(pose_a), &beam, 1.0);
    let segment = Body::new(Segment::new(from, to).unwrap());
    let meet = intersects(a.at(pose_a), segment.at(&Pose::IDENTITY));
    let deep = sudar::query::penetration(a.at(pose_a), segment.at(&Pose::IDENTITY)).signed;
    let said = || format!("{hit:?} {meet:?} {deep:?}");
    let round = a.mesh().is_none();
    let margin = RAYS * case.size.max(reach * 1e-6);
    // Where the ray ends on the surface its last parameter is rounded.
    let ends = [from, to].iter().any(|p| surface_of(a, pose_a, *p) <= slack);
    let grazing = ends || round && deep.upper >= -margin && deep.lower <= margin;
    let agree = meet.decided() == Some(hit.is_some()) || grazing || (round && meet.decided().is_none());
    count.hold("a ray hits what its segment intersects", case, asked, agree, said);
    let any = ray_any(a.at(pose_a), &beam, 1.0);
    count.hold("any hit is a hit", case, asked, any == hit.is_some() || grazing, said);
    let all = ray_all(a.at(pose_a), &beam, 1.0);
    let agree = match (&hit, all.first()) {
        (Some(hit), Some(first)) => (first.t - hit.t).abs() <= 1e-9 || hit.normal == DVec3::ZERO,
        (None, None) => true,
        // From inside a solid nothing is hit but its own end.
        (Some(hit), None) => hit.t == 0.0,
        (None, Some(_)) => false,
    };
    count.hold("the first of all hits is the first hit", case, asked, agree || grazing, || {
        format!("{hit:?} {all:?}")
    });
    if let Some(hit) = hit {
        let nearest = closest_point(a.at(pose_a), hit.point).distance.lower;
        let near = nearest <= slack.max(if round { margin } else { 0.0 });
        count.hold("a hit is on the body", case, asked, near, || format!("{nearest:e} {hit:?}"));
        let way = (hit.point - from).length();
        let least = closest_point(a.at(pose_a), from).distance.lower;
        count.hold("no hit is nearer than the distance", case, asked, way >= least - slack, || {
            format!("{way:e} {least:e} {hit:?}")
        });
    }
}
