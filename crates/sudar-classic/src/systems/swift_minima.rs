//! Which pairs of nearest points are local minima of the distance.

use std::ops::ControlFlow;

use crate::tree::visit;
use sudar::effort::Meter;
use sudar::pair::{closest_point_triangle, disjoint_triangle_distance_bounds, triangles_intersect};
use sudar::{DVec3, Pose, Triangle};

use super::swift_nodes::Hierarchy;

/// The triangles around the points of a contact.
#[derive(Debug, Clone)]
pub(crate) struct Around {
    triangles: [Vec<u32>; 2],
}

impl Around {
    /// Those on which either point lies up to rounding.
    pub fn of(sides: [(&Hierarchy, &Pose); 2], points: [DVec3; 2]) -> Self {
        let [a, b] = [0, 1].map(|side| at_point(sides[side], points[side]));
        Self { triangles: [a, b] }
    }

    /// Whether none of the triangles around one point is nearer than `lower` to any around the other. The distance of
    /// two triangles is a convex function of the points on them: then no way from these points goes down, and else
    /// there is one.
    pub fn is_minimum(&self, sides: [(&Hierarchy, &Pose); 2], lower: f64) -> bool {
        let [first, second] = [0, 1].map(|side| {
            let place = |&t: &u32| posed(sides[side], t);
            self.triangles[side].iter().map(place).collect::<Vec<Triangle>>()
        });
        let is_nearer = |s: &Triangle, t: &Triangle| {
            triangles_intersect(s, t) || disjoint_triangle_distance_bounds(s, t).1.upper < lower
        };
        !first.iter().any(|s| second.iter().any(|t| is_nearer(s, t)))
    }

    /// Whether either point is on a triangle on which that of the other contact is too: of two minima on one pair of
    /// triangles all pairs of points between them are, so that they are one.
    pub fn meets(&self, other: &Self) -> bool {
        [0, 1].iter().all(|&side| self.triangles[side].iter().any(|t| other.triangles[side].contains(t)))
    }
}

fn posed((hierarchy, pose): (&Hierarchy, &Pose), t: u32) -> Triangle {
    hierarchy.mesh.triangle(t).corners().map(|p| pose.apply(p)).into()
}

fn at_point(side: (&Hierarchy, &Pose), point: DVec3) -> Vec<u32> {
    let ((hierarchy, pose), mut found) = (side, Vec::new());
    let reach = hierarchy.mesh.aabb().reach();
    let local = pose.unapply(point);
    // The point was combined of posed corners, in a few roundings of what the pose made of them.
    let slack = 64.0 * (pose.rounding(reach) + f64::EPSILON * (reach + point.abs().max_element()));
    let _ = visit(
        &hierarchy.triangles,
        &mut Meter::unlimited(),
        |aabb| aabb.grown(2.0 * slack).contains(local),
        |leaf| {
            let items = hierarchy.triangles.items(leaf).iter().copied();
            let is_there = |&t: &u32| closest_point_triangle(point, &posed(side, t)).distance() <= slack;
            found.extend(items.filter(is_there));
            ControlFlow::Continue(())
        },
    );
    found
}
