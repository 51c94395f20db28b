//! How deep two bodies are in each other.

use glam::DVec3;

use super::Body;
use super::convex_penetration::convex_convex;
use super::halfspace_pair::{Lowest, height, lowest_of_mesh};
use super::piecewise::pieces;
use super::posed::{Posed, PosedBody, PosedSurface};
use crate::convex::Accuracy;
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::shape::Halfspace;

/// How far two bodies have to be moved against each other to touch and no more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// Holds the distance of bodies that are apart, and minus the depth of bodies that overlap: the length of the least
    /// translation that separates them. Minus infinity if none does.
    pub signed: Interval,
    /// Unit direction from the first body to the second. Of convex shapes it is the one that shows the lower end of `signed`:
    /// along it the second lies beyond the first by that, but for rounding of the normal. So moving the second by the depth
    /// along it separates them. Of meshes and compounds that are apart it is the direction between the nearest points.
    pub normal: DVec3,
    /// The nearest point of the first body, or that which is deepest in the second.
    pub point_a: DVec3,
    /// The nearest point of the second body, or that which is deepest in the first.
    pub point_b: DVec3,
}

impl Penetration {
    pub(super) fn swapped(self) -> Self {
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }
}

/// The signed distance of two posed bodies to 1e-9 of its size: [`penetration_within`].
#[inline]
pub fn penetration(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Penetration {
    penetration_within(a, pose_a, b, pose_b, &Accuracy::default())
}

/// The signed distance of two posed bodies, above zero apart and below where they overlap, as an interval.
///
/// For convex shapes the interval is as narrow as asked, unless rounding of the coordinates or the number of faces
/// that a search may make (for cylinders, cones and ellipsoids) ends it before. Balls, capsules, boxes and half-spaces
/// by closed forms, all else by GJK and the expanding polytope.
///
/// For meshes and compounds that overlap it is a bound from both sides: the depth is at least that of each pair of
/// triangles or parts that meet, and at most the length of the translations tried, which are along the normals of these
/// pairs and the axes of the world.
#[inline]
pub fn penetration_within(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    accuracy: &Accuracy,
) -> Penetration {
    if let (Some(left), Some(right)) = (PosedBody::new(a, pose_a), PosedBody::new(b, pose_b)) {
        return convex_convex(&left, &right, accuracy);
    }
    metered(a, pose_a, b, pose_b, accuracy, &mut Meter::unlimited())
}

/// If the meter stops the search, the interval ends at what is certain by then: fewer pieces were compared, and fewer
/// translations tried.
#[inline(never)]
pub(super) fn metered(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    accuracy: &Accuracy,
    meter: &mut Meter,
) -> Penetration {
    match (Posed::new(a, pose_a), Posed::new(b, pose_b)) {
        (Some(Posed::Convex(left)), Some(Posed::Convex(right))) => convex_convex(&left, &right, accuracy),
        (Some(Posed::Halfspace(left)), Some(Posed::Halfspace(right))) => halfspaces(&left, &right),
        (Some(Posed::Convex(left)), Some(Posed::Halfspace(right))) => above(&left, &right),
        (Some(Posed::Halfspace(left)), Some(Posed::Convex(right))) => above(&right, &left).swapped(),
        (Some(Posed::Mesh(left)), Some(Posed::Halfspace(right))) => mesh_above(&left, &right),
        (Some(Posed::Halfspace(left)), Some(Posed::Mesh(right))) => mesh_above(&right, &left).swapped(),
        (Some(Posed::Mesh(_)), Some(Posed::Mesh(_) | Posed::Convex(_)))
        | (Some(Posed::Convex(_)), Some(Posed::Mesh(_)))
        | (None, _)
        | (_, None) => pieces((a, pose_a), (b, pose_b), accuracy, meter),
    }
}

/// A convex body over a half-space: the normal points down.
fn above(body: &PosedBody, halfspace: &Halfspace) -> Penetration {
    of_height(height(&body.convex, halfspace))
}

fn mesh_above(mesh: &PosedSurface, halfspace: &Halfspace) -> Penetration {
    of_height(lowest_of_mesh(mesh, halfspace))
}

fn of_height(Lowest { height: signed, point, normal }: Lowest) -> Penetration {
    let middle = signed.lower + (signed.upper - signed.lower) * 0.5;
    Penetration { signed, normal: -normal, point_a: point, point_b: point - normal * middle }
}

/// Half-spaces meet for ever unless their normals are exactly opposite.
fn halfspaces(a: &Halfspace, b: &Halfspace) -> Penetration {
    let unit = |h: &Halfspace| {
        let scaled = h.normal / h.normal.abs().max_element();
        (scaled / scaled.length(), h.offset / h.normal.abs().max_element() / scaled.length())
    };
    let ((m, d), (n, e)) = (unit(a), unit(b));
    let opposite = a.normal.cross(b.normal) == DVec3::ZERO && m.dot(n) < 0.0;
    if !opposite {
        let point = super::distance::in_both(a, b);
        return Penetration {
            signed: Interval::point(f64::NEG_INFINITY),
            normal: m,
            point_a: point,
            point_b: point,
        };
    }
    // Heights along m: the first reaches up to d, the second down to −e.
    let signed = Interval::point(-e - d).widened(4.0 * f64::EPSILON * (e.abs() + d.abs()));
    Penetration { signed, normal: m, point_a: m * d, point_b: m * -e }
}
