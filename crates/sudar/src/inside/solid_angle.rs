//! The solid angle of a triangle seen from a point, with a bound on its rounding.

use std::f64::consts::PI;

use glam::DVec3;

use crate::math::{Interval, Sign, orient3d};
use crate::shape::Triangle;

/// How much of the sphere around the point the triangle covers, as a fraction of it: above zero if its
/// corners turn counter-clockwise when seen from beyond, that is, if its normal points away from the point.
/// The sum over a mesh is its winding number around the point.
///
/// By the formula of van Oosterom and Strackee 1983, "The solid angle of a plane triangle". The interval is
/// mostly a few ulp wide; on the triangle, where the angle jumps, it is −½ to ½, and wide so near to its
/// edges that `f64` cannot tell the sides apart. Beside a face it is that of the right side, however near.
/// Triangles without area cover nothing.
pub fn winding_of_triangle(t: &Triangle, p: DVec3) -> Interval {
    // Each difference is rounded once: every coordinate is right but for half an ulp of itself. The angle
    // does not depend on the scale.
    let far = t.corners().map(|corner| (corner - p).abs().max_element());
    let size = far[0].max(far[1]).max(far[2]);
    if size == 0.0 {
        return UNKNOWN;
    }
    let [a, b, c] = t.corners().map(|corner| (corner - p) / size);
    let (ab, ac) = ((t.b - t.a) / size, (t.c - t.a) / size);
    let [la, lb, lc] = [a, b, c].map(DVec3::length);
    let (edges, volume) = (ab.cross(ac), la * lb * lc);
    let height = a.dot(edges);
    let base = volume + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    // Of the height each factor is off by an ulp or two of itself, products of three by ten, six of them are added; the
    // base adds four products of three lengths, each off by no more than that.
    let height_error = ROUNDING * (la * ab.length() * ac.length());
    let base_error = ROUNDING * volume;
    let reach = (height * height + base * base).sqrt();
    let error = height_error + base_error;
    // Numbers that small may have lost digits to underflow.
    if error.is_nan() || reach <= 4.0 * error || reach < 1e-140 {
        return UNKNOWN;
    }
    // The angle of (base, height) turns by less than twice what the error has across the direction.
    let turn = 2.0
        * (height_error * base.abs() / reach + base_error * height.abs() / reach + error * (error / reach))
        / reach;
    let Some(height) = on_its_side(height, height_error, base, t, p) else { return UNKNOWN };
    let angle = libm::atan2(height, base);
    // Twice the angle in units of the 4π of the sphere.
    let (value, doubt) = (angle / (2.0 * PI), (turn + 4.0 * f64::EPSILON * angle.abs()) / (2.0 * PI));
    Interval::point(value).widened(doubt + 1e-300)
}

/// The height with the sign that it has exactly, where that matters: beside the face, on whose two sides the
/// angle is π and −π. `None` in the face.
fn on_its_side(height: f64, error: f64, base: f64, t: &Triangle, p: DVec3) -> Option<f64> {
    if base > 0.0 || height.abs() > error {
        return Some(height);
    }
    match orient3d(t.a, t.b, t.c, p) {
        Sign::Negative => Some(height.abs()),
        Sign::Positive => Some(-height.abs()),
        Sign::Zero => None,
    }
}

const UNKNOWN: Interval = Interval { lower: -0.5, upper: 0.5 };

/// Bound on the relative rounding of sums of products of three numbers that are off by an ulp or two.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Aabb, Mesh};

    fn of_mesh(mesh: &Mesh, p: DVec3) -> Interval {
        (0..mesh.triangles().len() as u32).fold(Interval::point(0.0), |sum, i| {
            let next = winding_of_triangle(&mesh.triangle(i), p);
            Interval { lower: sum.lower + next.lower, upper: sum.upper + next.upper }
        })
    }

    #[test]
    fn a_face_of_a_cube_covers_a_sixth_and_an_octant_an_eighth() {
        for scale in [1e-80, 1.0, 1e80] {
            let octant = Triangle { a: DVec3::X * scale, b: DVec3::Y * scale, c: DVec3::Z * scale };
            let eighth = winding_of_triangle(&octant, DVec3::ZERO);
            assert!(eighth.contains(0.125) && eighth.width() < 1e-13, "{eighth:?}");
            let back = winding_of_triangle(&Triangle { a: octant.b, b: octant.a, c: octant.c }, DVec3::ZERO);
            assert!(back.contains(-0.125) && back.width() < 1e-13);
            let half = scale * 0.5;
            let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-half), max: DVec3::splat(half) });
            let face = [0, 1].map(|i| winding_of_triangle(&cube.triangle(i), DVec3::ZERO));
            assert!((face[0].lower + face[1].lower - 1.0 / 6.0).abs() < 1e-13);
            for (p, expected) in [(0.3, 1.0), (0.499_999, 1.0), (0.500_001, 0.0), (7.0, 0.0), (1e9, 0.0)] {
                let found = of_mesh(&cube, DVec3::new(0.1, p, 0.2) * scale);
                assert!(found.contains(expected) && found.width() < 1e-8, "{p}: {found:?}");
            }
        }
    }

    #[test]
    fn a_flat_triangle_covers_nothing_and_an_edge_leaves_it_open() {
        let flat = Triangle { a: DVec3::X, b: DVec3::X * 2.0, c: DVec3::X * 4.0 };
        let none = winding_of_triangle(&flat, DVec3::new(0.3, 0.4, 0.5));
        assert!(none.contains(0.0) && none.width() < 1e-14);
        let t = Triangle { a: DVec3::X, b: DVec3::Y, c: DVec3::ZERO };
        for on in [DVec3::X, DVec3::ZERO, DVec3::X * 0.5, DVec3::new(0.5, 0.5, 0.0)] {
            let found = winding_of_triangle(&t, on);
            assert!(found.contains(-0.5) && found.contains(0.5), "{found:?}");
        }
        let inside = winding_of_triangle(&t, DVec3::new(0.25, 0.25, 0.0));
        assert!(inside.contains(-0.5) && inside.contains(0.5), "{inside:?}");
        // In the plane beside it the triangle is seen from its edge.
        let beside = winding_of_triangle(&t, DVec3::new(2.0, 3.0, 0.0));
        assert!(beside.contains(0.0) && beside.width() < 1e-14);
        let point = Triangle { a: DVec3::X, b: DVec3::X, c: DVec3::X };
        assert!(winding_of_triangle(&point, DVec3::Y).width() < 1e-14);
    }

    #[test]
    fn very_near_a_face_half_the_sphere_is_covered() {
        let t = Triangle { a: DVec3::X, b: DVec3::Y, c: -DVec3::X - DVec3::Y };
        for gap in [1e-3, 1e-9, 1e-15, 1e-100] {
            let (below, above) =
                (winding_of_triangle(&t, -DVec3::Z * gap), winding_of_triangle(&t, DVec3::Z * gap));
            assert!(below.contains(-above.lower) || below.upper >= -above.upper);
            assert!(
                (below.upper - 0.5).abs() < gap * 3.0 + 1e-12
                    && (above.lower + 0.5).abs() < gap * 3.0 + 1e-12
            );
        }
    }
}
