//! Is a point in a piece, or in a solid? Decided in rational numbers.

use std::ops::Range;

use glam::{DMat3, DVec3};
use num_traits::{One, Signed, Zero};

use super::exact::{Point, Real, dot, minus, plus, point, real, times};
use super::placed::{Form, Placed};
use super::round::in_round;
use super::simplex::hulls_meet;

/// Whether the point lies in the piece, boundary included. Hulls with a radius have at most two corners.
pub(crate) fn in_piece(p: DVec3, body: &Placed, piece: u32) -> bool {
    let exact = point(p);
    match body.form(piece) {
        Form::Hull { radius: 0.0 } => in_hull(p, &exact, body, piece),
        Form::Hull { radius } => {
            let mut corners = body.corners(piece).map(point);
            let Some(first) = corners.next() else { return false };
            let off = minus(&exact, &nearest_on_segment(&exact, &first, corners.next().as_ref()));
            dot(&off, &off) <= real(radius) * real(radius)
        }
        Form::Round(round, map) => {
            let Some(center) = body.corners(piece).next() else { return false };
            unmapped(map, &minus(&exact, &point(center))).is_some_and(|q| in_round(round, &q))
        }
        Form::Halfspace { normal, offset } => dot(&point(normal), &exact) <= real(offset),
    }
}

fn in_hull(p: DVec3, exact: &Point, body: &Placed, piece: u32) -> bool {
    let corners = body.corners(piece);
    if corners.clone().any(|corner| corner == p) {
        return true;
    }
    let outside = |k: usize| corners.clone().all(|c| c[k] < p[k]) || corners.clone().all(|c| c[k] > p[k]);
    if (0..3).any(outside) {
        return false;
    }
    hulls_meet(&corners.map(point).collect::<Vec<_>>(), std::slice::from_ref(exact))
}

/// The nearest point of the segment from `a` to `b`, or `a`.
fn nearest_on_segment(p: &Point, a: &Point, b: Option<&Point>) -> Point {
    let Some(b) = b else { return a.clone() };
    let along = minus(b, a);
    let square = dot(&along, &along);
    if square.is_zero() {
        return a.clone();
    }
    let t = (dot(&minus(p, a), &along) / square).max(Real::zero()).min(Real::one());
    plus(a, &times(&along, &t))
}

/// The point that the map takes to `p`, by Cramer's rule.
fn unmapped(map: DMat3, p: &Point) -> Option<Point> {
    let [x, y, z] = [map.x_axis, map.y_axis, map.z_axis].map(point);
    let determinant = dot(&x, &cross(&y, &z));
    if determinant.is_zero() {
        return None;
    }
    let part = |u: &Point, v: &Point| dot(p, &cross(u, v)) / &determinant;
    Some([part(&y, &z), part(&z, &x), part(&x, &y)])
}

fn cross(u: &Point, v: &Point) -> Point {
    let entry = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    [entry(1, 2), entry(2, 0), entry(0, 1)]
}

/// Where a point is with respect to a closed surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Located {
    Outside,
    On,
    Inside,
}

/// Where the point is with respect to the solid that these triangles bound.
///
/// Triangles crossed by the ray from the point along x are counted. Seen along it, the point is taken to be moved by an
/// infinitesimal amount in y and by a still smaller one in z, so that it never lies on an edge of a triangle
/// (Edelsbrunner and Mücke 1990, "Simulation of simplicity"); where it lies in the plane of a triangle that then
/// covers it, the point is on the surface.
pub(super) fn located(p: DVec3, body: &Placed, triangles: &Range<u32>) -> Located {
    let mut crossings = 0;
    for i in triangles.clone() {
        let mut corners = body.corners(i);
        let (Some(a), Some(b), Some(c)) = (corners.next(), corners.next(), corners.next()) else { continue };
        if in_piece_box(p, &[a, b, c]) && in_hull(p, &point(p), body, i) {
            return Located::On;
        }
        let covers = [(a, b), (b, c), (c, a)].into_iter().filter(|&(u, v)| edge_is_right_of(u, v, p)).count();
        if covers == 1 && is_ahead(p, [a, b, c]) {
            crossings += 1;
        }
    }
    if crossings % 2 == 1 { Located::Inside } else { Located::Outside }
}

fn in_piece_box(p: DVec3, corners: &[DVec3; 3]) -> bool {
    let [a, b, c] = *corners;
    a.min(b).min(c).cmple(p).all() && a.max(b).max(c).cmpge(p).all()
}

/// Whether in the plane of y and z the ray from the moved point along +y crosses the edge.
fn edge_is_right_of(u: DVec3, v: DVec3, p: DVec3) -> bool {
    if (u.z > p.z) == (v.z > p.z) || u.y.max(v.y) <= p.y {
        return false;
    }
    if u.y.min(v.y) > p.y {
        return true;
    }
    let (low, high) = if u.z < v.z { (u, v) } else { (v, u) };
    let [low, high, p] = [low, high, p].map(point);
    // Of the sign of (y of the edge at the point's z) − (y of the point); the point moved towards +y, so that zero is
    // not to its right.
    let side = (&high[1] - &low[1]) * (&p[2] - &low[2]) - (&high[2] - &low[2]) * (&p[1] - &low[1]);
    side.is_positive()
}

/// Whether the triangle, which covers the point as seen along x, lies on its +x side.
fn is_ahead(p: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let (least, greatest) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
    if least > p.x || greatest < p.x {
        return least > p.x;
    }
    let [a, b, c, p] = [a, b, c, p].map(point);
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    // n·(a − p) = nₓ·(how far the plane is ahead along x).
    let ahead = dot(&normal, &minus(&a, &p)) * &normal[0];
    ahead.is_positive()
}
