//! What a ray hits first.

use glam::DVec3;

use super::Body;
use super::convex_pair::ball;
use super::posed::{Posed, PosedBody, PosedSurface, parts};
use crate::math::Pose;
use crate::pair::{
    ray_capsule, ray_cone, ray_cylinder, ray_ellipsoid, ray_halfspace, ray_sphere, ray_triangle,
};
use crate::shape::{Ray, Shape};

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
    match Posed::new(a, pose) {
        Some(Posed::Mesh(surface)) => {
            first_on(&surface, ray, max).map(|hit| RayHit { feature: a.feature(hit.feature), ..hit })
        }
        Some(Posed::Convex(convex)) => on_convex(&convex, a.shape(), ray, max),
        Some(Posed::Halfspace(halfspace)) => ray_halfspace(ray, &halfspace, max).map(|hit| at(ray, hit)),
        None => on_parts(a, pose, ray, max),
    }
}

fn at(ray: &Ray, hit: crate::pair::RayHit) -> RayHit {
    RayHit { t: hit.t, point: ray.at(hit.t), normal: hit.normal, feature: 0 }
}

/// The first of the parts of a compound; of those hit at the same parameter, the first.
fn on_parts(a: &Body, pose: &Pose, to: &Ray, max: f64) -> Option<RayHit> {
    let mut best: Option<RayHit> = None;
    for part in parts(a, pose) {
        let upto = best.map_or(max, |hit| hit.t);
        if let Some(hit) = ray(part.body, &part.pose, to, upto)
            && best.is_none_or(|b| hit.t < b.t)
        {
            best = Some(RayHit { feature: part.index, ..hit });
        }
    }
    best
}

/// Flat faces by their triangles; round bodies in their own frame, where the ray is rounded once.
fn on_convex(body: &PosedBody, shape: &Shape, to: &Ray, max: f64) -> Option<RayHit> {
    let pose = body.convex.pose();
    let there = Ray { origin: pose.unapply(to.origin), direction: pose.unrotate(to.direction) };
    let back =
        |hit: crate::pair::RayHit| at(to, crate::pair::RayHit { normal: pose.rotate(hit.normal), ..hit });
    match shape {
        Shape::Sphere(_) => ray_sphere(to, &ball(&body.convex), max).map(|hit| at(to, hit)),
        Shape::Capsule(c) => ray_capsule(&there, c, max).map(back),
        Shape::Cylinder(c) => ray_cylinder(&there, c, max).map(back),
        Shape::Cone(c) => ray_cone(&there, c, max).map(back),
        Shape::Ellipsoid(e) => ray_ellipsoid(&there, e, max).map(back),
        Shape::Mesh(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Solid(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_)
        | Shape::Cuboid(_)
        | Shape::Hull(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => {
            let hit = body.surface().and_then(|surface| first_on(&surface, to, max));
            hit.map(|hit| RayHit { feature: 0, ..hit })
        }
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
