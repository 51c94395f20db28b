//! Everything that a ray hits.

use glam::DVec3;

use super::ray::{RayHit, along, at, checked_max, entry, on_convex, on_triangle};
use crate::effort::{Meter, Partial};
use crate::math::unit;
use crate::pair::ray_halfspace;
use crate::query::bodies::{Placed, Posed, PosedBody, PosedSurface, visit_parts};
use crate::shape::{Halfspace, Ray};

/// All hits of a ray on the surface of the posed body at parameters of at most `max`, sorted by parameter,
/// then by feature.
///
/// Of meshes, solids, height fields and point clouds: one hit for each triangle that the ray meets, on either
/// face, exactly as for [`ray`](fn@crate::query::ray), at the first point that they have in common. A ray
/// through an edge or a corner meets every triangle around it, and all of them are listed, at parameters that
/// are the same but for rounding; nothing is merged, for which of them belong together is no matter of a
/// tolerance. To count crossings use [`contains`](fn@crate::query::contains), which does so exactly.
///
/// Of balls, boxes and other convex bodies with an inside: where the ray enters and where it leaves, in this
/// order, both at the same place for a ray that only touches; only where it leaves if it begins inside. The
/// normals of both point out of the body. Flat hulls, triangles, segments and points have their first hit
/// alone. Of a compound: the hits of all its parts, also those inside another part.
///
/// The list is about the surface: unlike for the first hit, to begin inside a body is no hit.
/// Expected cost O(log n) and what is hit.
pub fn ray_all(a: Placed, ray: &Ray, max: f64) -> Vec<RayHit> {
    metered(a, ray, max, &mut Meter::unlimited()).found
}

/// If the meter stops the search, hits may be missing anywhere in the list.
pub(crate) fn metered(a: Placed, ray: &Ray, max: f64, meter: &mut Meter) -> Partial<Vec<RayHit>> {
    let mut found = checked_max(max).map_or(Vec::new(), |max| hits(a, ray, max, meter));
    found.sort_by(|p, q| p.t.total_cmp(&q.t).then(p.feature.cmp(&q.feature)));
    Partial { found, complete: !meter.is_stopped() }
}

fn hits(a: Placed, ray: &Ray, max: f64, meter: &mut Meter) -> Vec<RayHit> {
    match a.form() {
        Posed::Mesh(surface) => on_mesh(&surface, ray, max, meter),
        Posed::Convex(convex) => on_body(&convex, ray, max),
        Posed::Halfspace(halfspace) => on_halfspace(&halfspace, ray, max),
        Posed::Compound => {
            let mut all = Vec::new();
            visit_parts(
                a,
                max,
                |aabb| entry(ray, aabb),
                meter,
                |part, meter| {
                    let named = |hit: RayHit| RayHit { feature: part.feature(hit.feature), ..hit };
                    all.extend(hits(part.at(), ray, max, meter).into_iter().map(named));
                    max
                },
            );
            all
        }
    }
}

fn on_mesh(surface: &PosedSurface, ray: &Ray, max: f64, meter: &mut Meter) -> Vec<RayHit> {
    let mut all = Vec::new();
    along(surface, ray, max, meter, |i, hit| {
        all.push(on_triangle(surface, ray, hit.t, i));
        Some(max)
    });
    all
}

/// The plane of a half-space: entered from outside, left from inside. From inside, the other half-space is
/// entered there.
fn on_halfspace(halfspace: &Halfspace, ray: &Ray, max: f64) -> Vec<RayHit> {
    let outer = Halfspace { normal: -halfspace.normal, offset: -halfspace.offset };
    let inside = ray_halfspace(ray, halfspace, 0.0).is_some();
    let hit = ray_halfspace(ray, if inside { &outer } else { halfspace }, max);
    let normal = unit(halfspace.normal).unwrap_or(DVec3::ZERO);
    hit.map(|hit| RayHit { normal, ..at(ray, hit) }).into_iter().collect()
}

fn on_body(body: &PosedBody, ray: &Ray, max: f64) -> Vec<RayHit> {
    match body.surface() {
        Some(surface) if surface.surface.solid.is_some() => on_polytope(&surface, ray, max),
        Some(_) => on_convex(body, ray, max).into_iter().collect(),
        None => on_round(body, ray, max),
    }
}

/// Where a ray meets a triangle, and its number.
type Crossing = (f64, u32);

/// A ray enters a convex solid through a triangle that it meets from the front, and leaves through one from the back.
fn on_polytope(surface: &PosedSurface, ray: &Ray, max: f64) -> Vec<RayHit> {
    let (mut enter, mut leave): (Option<Crossing>, Option<Crossing>) = (None, None);
    along(surface, ray, f64::INFINITY, &mut Meter::unlimited(), |i, hit| {
        let next = (hit.t, i);
        if hit.front {
            enter = Some(enter.map_or(next, |best| if next < best { next } else { best }));
        } else if surface.triangle(i).scaled_normal().dot(ray.direction) > 0.0 {
            leave = Some(leave.map_or(next, |best| if next.0 > best.0 { next } else { best }));
        }
        Some(f64::INFINITY)
    });
    // Rounding may have exchanged them where the ray only touches.
    let leave = leave.map(|(t, i)| (enter.map_or(t, |(first, _)| t.max(first)), i));
    let hit = |(t, i)| RayHit { feature: 0, ..on_triangle(surface, ray, t, i) };
    enter.into_iter().chain(leave).filter(|&(t, _)| t <= max).map(hit).collect()
}

/// Where a ray leaves a round body, a ray from beyond enters it.
fn on_round(body: &PosedBody, ray: &Ray, max: f64) -> Vec<RayHit> {
    let Some(enter) = on_convex(body, ray, f64::INFINITY) else { return Vec::new() };
    let size = ray.direction.abs().max_element();
    let direction = ray.direction / size;
    // In units of the direction's largest coordinate, so that nothing leaves the range of `f64`.
    let reach = 2.0 * (body.convex.convex().radius() + body.convex.convex().margin()) + body.convex.slack();
    let middle = (body.convex.center() - ray.origin).dot(direction) / direction.length_squared();
    let far = middle + 2.0 * reach;
    let back = Ray { origin: ray.origin + direction * far, direction: -direction };
    let begins_inside = enter.t == 0.0 && enter.normal == DVec3::ZERO;
    let leave = match on_convex(body, &back, f64::INFINITY) {
        Some(hit) => {
            let t = ((far - hit.t) / size).max(if begins_inside { 0.0 } else { enter.t });
            Some(RayHit { t, point: ray.at(t), ..hit })
        }
        // A ray that touches within rounding.
        None if begins_inside => None,
        None => Some(enter),
    };
    let enter = (!begins_inside).then_some(enter);
    enter.into_iter().chain(leave).filter(|hit| hit.t <= max).collect()
}
