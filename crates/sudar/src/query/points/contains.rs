//! Is a point inside a body?

use glam::DVec3;
use thiserror::Error;

use crate::convex::Core;
use crate::effort::Meter;
use crate::pair::{point_capsule, point_halfspace, sphere_point};
use crate::query::Body;
use crate::query::bodies::{Placed, Posed, PosedBody, STOP, visit_parts_near};
use crate::query::pairs::sphere_capsule::{axis, ball};
use crate::shape::Shape;

/// The body has no inside.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "a mesh, height field, point cloud, triangle, segment or point has no inside; use a solid (a closed mesh), a primitive, a hull or a halfspace{}",
    mend(*closes_at)
)]
#[non_exhaustive]
pub struct NotSolid {
    /// For a mesh, the tolerance of [`Mesh::welded`](crate::Mesh::welded) that closes it, if a small one
    /// does; 0 if it is closed already. See [`Body::closing_tolerance`].
    pub closes_at: Option<f64>,
}

impl NotSolid {
    pub(crate) fn of(body: &Body) -> Self {
        Self { closes_at: body.closing_tolerance() }
    }
}

fn mend(closes_at: Option<f64>) -> String {
    match closes_at {
        None => String::new(),
        Some(0.0) => "; this mesh is closed, so that a solid can be made of it".to_owned(),
        Some(tolerance) => format!("; this mesh closes if welded at {tolerance:e}"),
    }
}

/// Whether the point is inside the posed body or on its surface. Exact: for closed meshes by parity of
/// crossings of the posed triangles; for cylinders, cones and ellipsoids it is the point brought into their
/// frame, rounded, that is tested. A flat hull contains the points that lie exactly on it. Expected cost
/// O(log n + number of triangles on a line).
///
/// # Errors
/// [`NotSolid`] for bodies without an inside, and compounds with such a part among them; for a mesh the first
/// such error costs O(n log n).
pub fn contains(a: Placed, point: DVec3) -> Result<bool, NotSolid> {
    if !has_inside(a.body()) {
        return Err(NotSolid::of(a.body()));
    }
    Ok(metered(a, point, &mut Meter::unlimited()) == Some(true))
}

/// Whether the body has an inside, so that [`contains`] answers: solids, primitives with a volume, hulls, half-spaces,
/// and compounds of these alone.
pub fn has_inside(a: &Body) -> bool {
    let is_surface = matches!(a.shape(), Shape::Mesh(_) | Shape::HeightField(_) | Shape::PointCloud(_));
    let is_thin = matches!(a.shape(), Shape::Triangle(_) | Shape::Segment(_) | Shape::Point(_));
    !is_surface && !is_thin && a.parts().iter().all(|(part, _)| has_inside(part))
}

/// Of a body that [`has_inside`]; `None` if the meter stopped the search before it was known.
pub(crate) fn metered(a: Placed, point: DVec3, meter: &mut Meter) -> Option<bool> {
    match a.form() {
        Posed::Mesh(surface) => surface.encloses_metered(point, meter),
        Posed::Convex(convex) => in_convex(&convex, point, meter),
        Posed::Halfspace(halfspace) => Some(point_halfspace(point, &halfspace)),
        Posed::Compound => in_parts(a, point, meter),
    }
}

/// In a compound if in any part; outside if outside of all.
fn in_parts(a: Placed, point: DVec3, meter: &mut Meter) -> Option<bool> {
    let (mut inside, mut known) = (false, true);
    let rest = visit_parts_near(a, point, 0.0, meter, |part, meter| {
        let found = metered(part.at(), point, meter);
        (inside, known) = (found == Some(true), known && found.is_some());
        if inside { STOP } else { 0.0 }
    });
    (inside || known && rest > 0.0).then_some(inside)
}

/// Round shapes are tested in their own frame, where the point is rounded once.
fn in_convex(body: &PosedBody, point: DVec3, meter: &mut Meter) -> Option<bool> {
    let (convex, pose) = (body.convex.convex(), body.convex.pose());
    match *convex.core() {
        Core::Round(round) => Some(round.contains(pose.unapply(point))),
        Core::Point(_) if convex.margin() > 0.0 => Some(sphere_point(&ball(&body.convex), point)),
        Core::Segment(ends) if convex.margin() > 0.0 => {
            Some(point_capsule(point, &axis(&body.convex, ends), convex.margin()))
        }
        Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) => {
            body.surface().map_or(Some(false), |surface| match surface.surface.solid {
                Some(_) => surface.encloses_metered(point, meter),
                None => surface.holds_metered(point, meter),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DQuat;

    use super::*;
    use crate::hull::convex_hull;
    use crate::math::Pose;
    use crate::shape::{Aabb, Compound, Mesh, Sphere};

    #[test]
    fn a_flat_hull_contains_the_points_that_lie_exactly_on_it() {
        let [p, q, r] = [DVec3::ZERO, DVec3::new(2.0, 2.0, 0.0), DVec3::new(2.0, 2.0, 2.0)];
        let hulls = [
            (
                vec![p, q, r, DVec3::new(0.0, 0.0, 2.0)],
                DVec3::new(0.75, 0.75, 1.5),
                DVec3::new(0.75, 0.75, 2.5),
            ),
            (vec![p, q], DVec3::new(0.5, 0.5, 0.0), DVec3::new(2.5, 2.5, 0.0)),
            (vec![q], q, p),
        ];
        for (points, on, beside) in hulls {
            let hull = convex_hull(&points).unwrap();
            let compound = Compound::new(vec![
                (Shape::Hull(Arc::new(hull.clone())), Pose::IDENTITY),
                (Shape::Sphere(Sphere::new(DVec3::splat(9.0), 1.0).unwrap()), Pose::IDENTITY),
            ]);
            // A quarter turn about z has exact entries, so that the points stay on the hull.
            let turned = Pose::new(DVec3::splat(4.0), DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0)).unwrap();
            for body in [Body::new(hull.clone()), Body::new(compound.unwrap())] {
                for pose in [Pose::IDENTITY, turned] {
                    let inside = |p: DVec3| contains(body.at(&pose), p).unwrap();
                    let there = pose.apply(on);
                    assert!(inside(there) && !inside(pose.apply(beside)), "{points:?}");
                    assert!(!inside(DVec3::new(there.x, there.y.next_up(), there.z)));
                }
            }
        }
    }

    #[test]
    fn what_has_no_inside_says_whether_welding_helps() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let mut corners: Vec<DVec3> = (0..12).flat_map(|i| cube.triangle(i).corners()).collect();
        let soup = |corners: Vec<DVec3>| {
            Mesh::new(corners, (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap()
        };
        let closes_at = |mesh: Mesh| {
            let error = contains(Body::new(mesh).at(&Pose::IDENTITY), DVec3::ZERO).unwrap_err();
            (error.closes_at, error.to_string())
        };
        assert_eq!(closes_at(soup(corners.clone())).0, Some(0.0));
        corners[5].x -= 3e-17;
        let (tolerance, text) = closes_at(soup(corners));
        assert_eq!(tolerance, Some(1e-9));
        assert!(text.ends_with("; this mesh closes if welded at 1e-9"), "{text}");
        let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[1..].to_vec()).unwrap();
        assert_eq!(closes_at(open).0, None);
    }
}
