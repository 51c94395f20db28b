//! Half-spaces against everything else.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::convex::PosedConvex;
use crate::effort::Meter;
use crate::math::Interval;
use crate::pair::{point_halfspace, sphere_halfspace, triangle_halfspace};
use crate::query::answer::{Intersection, StopReason};
use crate::query::bodies::{PosedBody, PosedSurface, STOP};
use crate::search::depth_first;
use crate::shape::{Aabb, Halfspace, Sphere};
use crate::tree::Child;

/// Whether a mesh has a point in the half-space, and a triangle that has. Exact.
pub(crate) fn mesh_halfspace(mesh: &PosedSurface, halfspace: &Halfspace, meter: &mut Meter) -> Intersection {
    let mut hit = None;
    visit_low(mesh, halfspace.normal, halfspace.offset, meter, |i| {
        hit = triangle_halfspace(&mesh.triangle(i), halfspace).then_some(i);
        if hit.is_some() { STOP } else { halfspace.offset }
    });
    match hit {
        Some(i) => Intersection::Touching { features: [i, 0] },
        None if meter.is_stopped() => Intersection::Undecided(StopReason::Budget),
        None => Intersection::Apart,
    }
}

/// Shows the visitor the triangles of a mesh that may reach down to a height of `upper` along a direction,
/// which may be of any length, about the lowest first. The visitor returns the new height, which never rises.
/// Returns a height below which no triangle reaches that was not shown.
pub(crate) fn visit_low(
    mesh: &PosedSurface,
    normal: DVec3,
    mut upper: f64,
    meter: &mut Meter,
    mut visit: impl FnMut(u32) -> f64,
) -> f64 {
    let spread = (mesh.pose.rotation().transpose() * normal).abs();
    // Posed points and centres, the spread and the heights of both are rounded.
    let slack = 64.0 * f64::EPSILON * normal.abs().element_sum() * mesh.reach();
    let low =
        |aabb: &Aabb| normal.dot(mesh.pose.apply(aabb.center())) - spread.dot(aabb.extent() * 0.5) - slack;
    let ended = depth_first(vec![(f64::NEG_INFINITY, 0)], |(height, node), waiting| {
        if height > upper {
            return ControlFlow::Continue(());
        }
        if meter.spend(1).is_break() {
            return ControlFlow::Break(waiting.iter().fold(height, |least, (height, _)| least.min(*height)));
        }
        let mut children: Vec<_> =
            mesh.surface.tree.children(node).map(|(aabb, child)| (low(&aabb), child)).collect();
        lowest_first(&mut children);
        let start = waiting.len();
        for (height, child) in children {
            match child {
                _ if height > upper => break,
                Child::Node(node) => waiting.push((height, node)),
                Child::Leaf(triangles) => {
                    meter.count_triangles(triangles.len() as u64);
                    for &i in triangles {
                        upper = visit(i).min(upper);
                        if upper == STOP {
                            return ControlFlow::Break(upper);
                        }
                    }
                }
            }
        }
        waiting[start..].reverse();
        ControlFlow::Continue(())
    });
    ended.unwrap_or(upper)
}

/// Compiled once, unlike what is beside each visitor.
fn lowest_first(children: &mut [(f64, Child)]) {
    children.sort_by(|a, b| a.0.total_cmp(&b.0));
}

/// Whether a convex body has a point in the half-space. Exact for polytopes, balls and capsules; `None` where rounding
/// hides it.
pub(crate) fn convex_halfspace(body: &PosedBody, halfspace: &Halfspace) -> Option<bool> {
    let convex = &body.convex;
    let (margin, pose) = (convex.convex().margin(), convex.pose());
    let inside = |p: DVec3| {
        let point = pose.apply(p);
        if margin > 0.0 {
            sphere_halfspace(&Sphere { center: point, radius: margin }, halfspace)
        } else {
            point_halfspace(point, halfspace)
        }
    };
    let points = convex.convex().core().points();
    let any_inside = |points: &[DVec3]| points.iter().any(|&p| inside(p));
    if let Some(few) = points.filter(|points| points.len() <= 3) {
        return Some(any_inside(few));
    }
    match height(convex, halfspace).height {
        Interval { lower, .. } if lower > 0.0 => Some(false),
        Interval { upper, .. } if upper <= 0.0 => Some(true),
        Interval { .. } => points.map(any_inside),
    }
}

/// How high above the plane of a half-space a convex body reaches down.
pub(crate) struct Lowest {
    /// Height of the lowest point above the plane, negative inside.
    pub height: Interval,
    /// The lowest point.
    pub point: DVec3,
    /// Unit normal of the half-space.
    pub normal: DVec3,
    /// The triangle that has the point, 0 for other shapes.
    pub feature: u32,
}

/// The point of a convex body lowest above a half-space.
pub(crate) fn height(convex: &PosedConvex, halfspace: &Halfspace) -> Lowest {
    let (normal, offset) = unit(halfspace);
    let margin = convex.convex().margin();
    let deepest = convex.support(-normal).offset;
    let center = normal.dot(convex.center());
    let height = ((center - offset) + normal.dot(deepest)) - margin;
    // Each product and sum is off by half an ulp of a number below these.
    let far = convex.center().abs().element_sum() + offset.abs() + convex.convex().radius() + margin;
    let doubt = convex.slack() + 8.0 * f64::EPSILON * far;
    let point = (convex.center() + deepest) - normal * margin;
    Lowest { height: Interval::point(height).widened(doubt), point, normal, feature: 0 }
}

/// The corner of a mesh lowest above a half-space, of those as low the first. If the meter stops the search,
/// it is no higher than those of the triangle given, and the height may be less than that of the point.
pub(crate) fn lowest_of_mesh(
    mesh: &PosedSurface,
    halfspace: &Halfspace,
    first: u32,
    meter: &mut Meter,
) -> Lowest {
    let (normal, offset) = unit(halfspace);
    let lowest_of = |i: u32| {
        let lower =
            |low: (f64, DVec3), p: DVec3| if normal.dot(p) < low.0 { (normal.dot(p), p) } else { low };
        mesh.triangle(i).corners().into_iter().fold((f64::INFINITY, DVec3::ZERO), lower)
    };
    let ((mut height, mut point), mut feature) = (lowest_of(first), first);
    let rest = visit_low(mesh, normal, height, meter, |i| {
        let (low, at) = lowest_of(i);
        if low < height || (low == height && i < feature) {
            (height, point, feature) = (low, at, i);
        }
        height
    });
    let doubt = 8.0 * f64::EPSILON * (2.0 * mesh.reach() + offset.abs());
    let height = Interval { lower: height.min(rest) - offset, upper: height - offset }.widened(doubt);
    Lowest { height, point, normal, feature }
}

/// The unit normal, and the height of the plane along it.
pub(crate) fn unit(halfspace: &Halfspace) -> (DVec3, f64) {
    let size = halfspace.normal.abs().max_element();
    let scaled = halfspace.normal / size;
    let length = scaled.length();
    (scaled / length, halfspace.offset / size / length)
}
