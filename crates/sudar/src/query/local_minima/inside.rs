//! What lies inside solids.

use std::collections::HashSet;

use glam::DVec3;

use super::side::Side;
use crate::effort::Meter;
use crate::math::Pose;
use crate::pair::{closest_point_triangle, ray_triangle};
use crate::query::Body;
use crate::query::answer::rounding;
use crate::query::bodies::{Part, PosedSurface};
use crate::query::penetration::penetration;
use crate::query::points::contains;
use crate::shape::Ray;

/// Whether the way from `x`, a point of a surface, to `y` leads out of the solid that the surface
/// bounds; always if it bounds none.
///
/// `x` is nearest to `y` around it, so that the surface around it lies behind the plane across the way: the
/// way does not meet it again before some other triangle, and is inside up to there or outside. Where `y` is
/// within rounding of `x`, that is undecided and counts as outside. No if the meter stopped it before it was
/// known.
pub(super) fn is_outward(
    surface: &PosedSurface,
    (x, y): (DVec3, DVec3),
    slack: f64,
    meter: &mut Meter,
) -> bool {
    let distance = x.distance(y);
    if surface.surface.solid.is_none() || distance <= 4.0 * slack {
        return true;
    }
    let ray = Ray { origin: x, direction: y - x };
    let least = 2.0 * slack / distance;
    let mut next = 1.0_f64;
    surface.view().visit_segment(x, y, meter, |i| {
        let hit = ray_triangle(&ray, &surface.triangle(i), next);
        next = hit.map(|hit| hit.t).filter(|&t| t > least).unwrap_or(next);
        next
    });
    !meter.is_stopped() && surface.encloses_metered(x + (y - x) * (0.5 * next), meter) == Some(false)
}

/// A triangle and a corner of each connected piece of `inner` that lies inside the solid `outer` and has no triangle
/// among those that meet its surface. None if the meter stopped it before all were known.
pub(super) fn enclosed_pieces(
    inner: &PosedSurface,
    outer: &PosedSurface,
    meeting: impl Iterator<Item = u32>,
    meter: &mut Meter,
) -> Vec<(u32, DVec3)> {
    if outer.surface.solid.is_none() {
        return Vec::new();
    }
    let first_corner = |t: u32| inner.vertex(inner.surface.mesh.triangles()[t as usize][0]);
    let first = inner.surface.first_of_each_piece().iter();
    let mut enclosed: Vec<(u32, DVec3)> = first
        .map(|&t| (t, first_corner(t)))
        .filter(|(_, p)| !meter.is_stopped() && outer.encloses_metered(*p, meter) == Some(true))
        .collect();
    let meeting: HashSet<u32> = meeting.collect();
    if !(enclosed.is_empty() || meeting.is_empty()) {
        enclosed.retain(|(t, _)| !piece_has(inner, *t, &meeting, meter));
    }
    if meter.is_stopped() { Vec::new() } else { enclosed }
}

/// Whether one of the triangles hangs together with triangle `first`.
fn piece_has(surface: &PosedSurface, first: u32, triangles: &HashSet<u32>, meter: &mut Meter) -> bool {
    let side = Side::new(surface);
    let (mut seen, mut corners) = (HashSet::from([first]), HashSet::new());
    let mut todo = vec![first];
    while let Some(t) = todo.pop() {
        if triangles.contains(&t) {
            return true;
        }
        if meter.spend(1).is_break() {
            return false;
        }
        for v in side.corners(t).into_iter().filter(|&v| corners.insert(v)) {
            todo.extend(side.stars.around_vertex(v).iter().copied().filter(|&next| seen.insert(next)));
        }
    }
    false
}

/// Whether the point is inside a part by more than rounding.
pub(super) fn is_well_inside(part: &Part, point: DVec3, meter: &mut Meter) -> bool {
    if !contains::has_inside(part.body) || contains::metered(part.at(), point, meter) != Some(true) {
        return false;
    }
    match part.at().surface().filter(|_| part.body.convex().is_none()) {
        Some(surface) => {
            let slack = rounding(surface.reach() + point.abs().max_element());
            let mut touches = false;
            surface.view().visit_nearest(point, slack, meter, |i| {
                touches = closest_point_triangle(point, &surface.triangle(i)).distance() <= slack;
                if touches { -1.0 } else { slack }
            });
            !touches
        }
        None => {
            let slack = rounding(part.pose.translation().abs().max_element() + point.abs().max_element());
            let depth = penetration(part.body.at(&part.pose), Body::new(point).at(&Pose::IDENTITY)).signed;
            depth.upper < -slack
        }
    }
}
