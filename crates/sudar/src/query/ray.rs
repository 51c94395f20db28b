//! What a ray hits first.

use glam::DVec3;

use super::Body;
use super::posed::{Posed, PosedSurface};
use crate::math::Pose;
use crate::pair::{ray_halfspace, ray_sphere, ray_triangle};
use crate::shape::Ray;

/// The first point of a body on a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Where on the ray, in units of the length of its direction; 0 if it starts inside a solid.
    pub t: f64,
    /// The point, rounded.
    pub point: DVec3,
    /// Unit normal of the surface there: of a triangle that from which its corners are counter-clockwise,
    /// whichever side the ray comes from. Zero if the ray starts inside a solid, or where a normal is undefined
    /// (triangles of zero area, segments, points).
    pub normal: DVec3,
    /// The triangle hit, 0 for other shapes and rays that start inside a solid.
    pub feature: u32,
}

/// The first hit of a ray on the posed body at a parameter of at most `max`, on either face of triangles.
///
/// Watertight: no ray passes between two triangles that share an edge or a corner. Which triangles are hit is
/// exact; of several at the same parameter the least number is given. Expected cost O(log n).
pub fn ray(a: &Body, pose: &Pose, ray: &Ray, max: f64) -> Option<RayHit> {
    // NaN is no limit one can respect; a negative one leaves nothing.
    let max = if max.is_nan() { f64::INFINITY } else { max };
    if max < 0.0 {
        return None;
    }
    let simple =
        |hit: crate::pair::RayHit| RayHit { t: hit.t, point: ray.at(hit.t), normal: hit.normal, feature: 0 };
    match Posed::new(a, pose) {
        Posed::Flat(surface) => {
            first_on(&surface, ray, max).map(|hit| RayHit { feature: a.feature(hit.feature), ..hit })
        }
        Posed::Ball(ball) => ray_sphere(ray, &ball, max).map(simple),
        Posed::Halfspace(halfspace) => ray_halfspace(ray, &halfspace, max).map(simple),
    }
}

fn first_on(surface: &PosedSurface, ray: &Ray, max: f64) -> Option<RayHit> {
    if surface.encloses(ray.origin) {
        return Some(RayHit { t: 0.0, point: ray.origin, normal: DVec3::ZERO, feature: 0 });
    }
    let end = max.min(beyond(surface, ray));
    let mut best: Option<(f64, u32)> = None;
    surface.view.visit_segment(ray.origin, ray.at(end), |triangles| {
        for &i in triangles {
            let upto = best.map_or(max, |(t, _)| t);
            if let Some(hit) = ray_triangle(ray, &surface.triangle(i), upto)
                && best.is_none_or(|(t, j)| hit.t < t || (hit.t == t && i < j))
            {
                best = Some((hit.t, i));
            }
        }
        // Parameters are good to nine digits; look a little farther than the best.
        best.map_or(1.0, |(t, _)| if end > 0.0 { t / end * (1.0 + 1e-8) } else { 1.0 })
    });
    best.map(|(t, feature)| {
        let normal = surface.triangle(feature).scaled_normal();
        let size = normal.abs().max_element();
        let unit = if size > 0.0 { (normal / size).normalize_or_zero() } else { DVec3::ZERO };
        RayHit { t, point: ray.at(t), normal: unit, feature }
    })
}

/// A parameter beyond every point of the surface.
fn beyond(surface: &PosedSurface, ray: &Ray) -> f64 {
    let distance = 4.0 * (surface.reach() + ray.origin.abs().max_element());
    let longest = ray.direction.abs().max_element();
    (distance / longest).min(f64::MAX)
}
