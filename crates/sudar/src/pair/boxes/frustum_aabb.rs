//! View frustum and box.

use super::frustum_sphere::{Containment, encloses};
use super::plane_aabb::{Side, plane_aabb, plane_obb};
use super::point_obb::in_frame;
use crate::pair::triangle::triangle_aabb::triangle_aabb;
use crate::shape::{Aabb, Frustum, Obb, Plane, Triangle};

/// How the box is to the frustum, by its side of each of the six planes: `Outside` if it is beyond one of them,
/// `Inside` if it is below all of them. For boxes with finite ends; an empty one is outside.
///
/// Quick, and for culling: a box outside near an edge, beyond none of the planes, is reported as `Intersecting`.
/// [`frustum_aabb_exact`] is not. The planes are those of the frustum as they are, rounded; with those it is exact.
pub fn frustum_aabb(frustum: &Frustum, aabb: &Aabb) -> Containment {
    if aabb.is_empty() {
        return Containment::Outside;
    }
    by_planes(frustum, |plane| plane_aabb(plane, aabb))
}

/// The same for an oriented box. `Outside` and `Inside` are certain up to the rounding of the planes.
///
/// ```
/// use sudar::pair::{Containment, frustum_obb};
/// use sudar::shape::Frustum;
/// use sudar::{DMat3, DVec3, Obb, Pose};
///
/// let camera = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 10.0)?; // looks along −z
/// let cube = Obb { center: DVec3::Z * -5.0, axes: DMat3::IDENTITY, half: DVec3::ONE };
/// assert_eq!(frustum_obb(&camera, &cube), Containment::Inside);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frustum_obb(frustum: &Frustum, obb: &Obb) -> Containment {
    by_planes(frustum, |plane| plane_obb(plane, obb))
}

/// How the box is to the frustum, which here is the polyhedron of the twelve triangles between its corners. Exact, for
/// boxes with finite ends; microseconds.
///
/// If no triangle meets the box, the box is inside as a whole or outside. Each triangle is tried by 13 axes; all in all
/// these are the axes that separate two convex polyhedra: the normals of both, and the products of an edge of each.
///
/// ```
/// use sudar::pair::{Containment, frustum_aabb_exact};
/// use sudar::shape::Frustum;
/// use sudar::{Aabb, DVec3, Pose};
///
/// let camera = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 10.0)?; // looks along −z
/// let cut = Aabb { min: DVec3::new(-1.0, -1.0, -2.0), max: DVec3::new(1.0, 1.0, 0.0) };
/// assert_eq!(frustum_aabb_exact(&camera, &cut), Containment::Intersecting);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frustum_aabb_exact(frustum: &Frustum, aabb: &Aabb) -> Containment {
    if aabb.is_empty() {
        return Containment::Outside;
    }
    if frustum.triangles().iter().any(|t| triangle_aabb(t, aabb)) {
        Containment::Intersecting
    } else if encloses(frustum, aabb.min) {
        Containment::Inside
    } else {
        Containment::Outside
    }
}

/// The same for an oriented box, in its own frame: `Outside` and `Inside` are certain, and `Intersecting` may be a box
/// apart by up to 1e-12 of its half extents and the reach of the frustum from its centre.
///
/// ```
/// use sudar::pair::{Containment, frustum_obb_exact};
/// use sudar::shape::Frustum;
/// use sudar::{DMat3, DVec3, Obb, Pose};
///
/// let camera = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 10.0)?; // looks along −z
/// let behind = Obb { center: DVec3::Z * 2.0, axes: DMat3::IDENTITY, half: DVec3::ONE };
/// assert_eq!(frustum_obb_exact(&camera, &behind), Containment::Outside);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn frustum_obb_exact(frustum: &Frustum, obb: &Obb) -> Containment {
    let (local, aabb) = in_frame(*frustum.corners(), obb);
    let seen = |t: &Triangle| triangle_aabb(t, &aabb);
    let triangles = Frustum::triangles_between(&local);
    if triangles.iter().any(seen) {
        Containment::Intersecting
    } else if encloses(frustum, obb.center) {
        Containment::Inside
    } else {
        Containment::Outside
    }
}

fn by_planes(frustum: &Frustum, side: impl Fn(&Plane) -> Side) -> Containment {
    let mut found = Containment::Inside;
    for plane in frustum.planes() {
        match side(&Plane { normal: plane.normal, offset: plane.offset }) {
            Side::Above => return Containment::Outside,
            Side::Across => found = Containment::Intersecting,
            Side::Below => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};

    use super::*;
    use crate::math::Pose;
    use crate::pair::boxes::frustum_sphere::tests::{near_frustum, random_frustum};
    use crate::testing::Random;

    /// By separating axes in plain `f64`: how far apart the shadows of the corners are on the best axis, negative if
    /// they overlap on all. The axes are the normals of both and all products of an edge of each.
    fn gap(frustum: &Frustum, obb: &Obb) -> f64 {
        let (first, second) = (frustum.corners(), obb.corners());
        let edges = (0..8).flat_map(|i| [1, 2, 4].map(|bit| (i, i | bit))).filter(|(i, j)| i != j);
        let edges: Vec<DVec3> = edges.map(|(i, j)| first[j] - first[i]).collect();
        let box_axes = [0, 1, 2].map(|i| obb.axes.col(i));
        let products = edges.iter().flat_map(|e| box_axes.map(|axis| e.cross(axis)));
        let normals = frustum.planes().iter().map(|plane| plane.normal).chain(box_axes);
        let range = |axis: DVec3, points: &[DVec3; 8]| {
            points.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(axis.dot(*p)), h.max(axis.dot(*p))))
        };
        let axes = normals.chain(products).filter_map(DVec3::try_normalize);
        axes.map(|axis| {
            let ((a, b), (c, d)) = (range(axis, first), range(axis, &second));
            (c - b).max(a - d)
        })
        .fold(f64::NEG_INFINITY, f64::max)
    }

    fn expected(frustum: &Frustum, obb: &Obb) -> Option<Containment> {
        let gap = gap(frustum, obb);
        let heights = obb.corners().map(|p| {
            frustum.planes().iter().map(|h| h.normal.dot(p) - h.offset).fold(f64::NEG_INFINITY, f64::max)
        });
        let highest = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let doubtful = gap.abs() < 1e-11 || highest.abs() < 1e-11;
        let found = match (gap > 0.0, highest < 0.0) {
            (true, _) => Containment::Outside,
            (false, true) => Containment::Inside,
            (false, false) => Containment::Intersecting,
        };
        (!doubtful).then_some(found)
    }

    #[test]
    fn separating_axes_agree_and_the_quick_test_never_loses_a_box() {
        let mut random = Random::new(95);
        let (mut seen, mut kept) = ([0; 3], 0);
        for case in 0..6000 {
            let frustum = random_frustum(&mut random);
            let shrink = if case % 3 == 0 { 0.2 } else { 1.0 };
            let turned = random.obb();
            let center = near_frustum(&frustum, &mut random);
            let half = turned.half * shrink;
            let straight = Obb { center, half, axes: DMat3::IDENTITY };
            let turned = Obb { center, half, ..turned };
            let aabb = Aabb { min: center - half, max: center + half };
            let aligned = (frustum_aabb(&frustum, &aabb), frustum_aabb_exact(&frustum, &aabb), &straight);
            let oriented = (frustum_obb(&frustum, &turned), frustum_obb_exact(&frustum, &turned), &turned);
            for (quick, exact, obb) in [aligned, oriented] {
                let Some(expected) = expected(&frustum, obb) else { continue };
                assert_eq!(exact, expected);
                let agree =
                    quick == exact || (quick == Containment::Intersecting && exact == Containment::Outside);
                assert!(agree, "{quick:?} {exact:?}");
                kept += u32::from(quick != exact);
                seen[exact as usize] += 1;
            }
        }
        assert!(kept > 50 && seen.iter().all(|&n| n > 100), "{kept} {seen:?}");
    }

    #[test]
    fn touching_the_near_plane_from_both_sides() {
        let frustum = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 1.0, 9.0).unwrap();
        let cube = |low: f64, high: f64| {
            let aabb = Aabb { min: DVec3::new(-0.25, -0.25, low), max: DVec3::new(0.25, 0.25, high) };
            (frustum_aabb(&frustum, &aabb), frustum_aabb_exact(&frustum, &aabb))
        };
        let both = |x| (x, x);
        assert_eq!(cube(-1.0, 0.0), both(Containment::Intersecting));
        assert_eq!(cube((-1.0f64).next_up(), 0.0), both(Containment::Outside));
        assert_eq!(cube(-2.0, -1.0), both(Containment::Intersecting));
        assert_eq!(cube(-2.0, (-1.0f64).next_down()), both(Containment::Inside));
        assert_eq!(frustum_aabb(&frustum, &Aabb::EMPTY), Containment::Outside);
        assert_eq!(frustum_aabb_exact(&frustum, &Aabb::EMPTY), Containment::Outside);
        let all = Aabb { min: DVec3::splat(-99.0), max: DVec3::splat(99.0) };
        assert_eq!(frustum_aabb_exact(&frustum, &all), Containment::Intersecting);
    }
}
