//! Triangles that lie in one plane or have no area: what [`super::triangles_intersect`] leaves over. Exact.

use glam::{DVec2, DVec3};

use crate::math::{Sign, orient2d, orient3d};
use crate::shape::{Segment, Triangle, has_zero_area};

/// Whether two closed triangles meet that are coplanar or of which one or both have no area.
pub(super) fn intersect(a: &Triangle, b: &Triangle) -> bool {
    match (as_segment(a), as_segment(b)) {
        (None, None) => coplanar_triangles(a, b),
        (Some(s), None) => segment_meets_triangle(&s, b),
        (None, Some(s)) => segment_meets_triangle(&s, a),
        (Some(s), Some(t)) => segments_meet(&s, &t),
    }
}

/// The segment that a triangle of zero area is: points on a line are ordered along it as they are ordered by x,
/// then y, then z.
pub(crate) fn as_segment(t: &Triangle) -> Option<Segment> {
    has_zero_area(t).then(|| {
        let least = |p, q| if follows(p, q) { q } else { p };
        let greatest = |p, q| if follows(p, q) { p } else { q };
        Segment { a: least(least(t.a, t.b), t.c), b: greatest(greatest(t.a, t.b), t.c) }
    })
}

/// Whether `p` comes after `q` by x, then y, then z.
pub(super) fn follows(p: DVec3, q: DVec3) -> bool {
    (p.x, p.y, p.z) > (q.x, q.y, q.z)
}

/// Whether a segment, of any length, and a triangle that has an area meet.
pub(super) fn segment_meets_triangle(s: &Segment, t: &Triangle) -> bool {
    let (side_a, side_b) = (orient3d(t.a, t.b, t.c, s.a), orient3d(t.a, t.b, t.c, s.b));
    if side_a == Sign::Zero && side_b == Sign::Zero {
        let shadow = shadow_of_plane(t);
        let (t, s) = (t.corners().map(shadow), [shadow(s.a), shadow(s.b)]);
        return !beyond_an_edge(&t, &s) && !strictly_on_one_side(s[0], s[1], &t);
    }
    if side_a == side_b {
        return false;
    }
    // The line crosses the plane at one point: inside unless it passes two edges on different sides.
    let turns = [(t.a, t.b), (t.b, t.c), (t.c, t.a)].map(|(p, q)| orient3d(s.a, s.b, p, q));
    !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
}

/// Whether two segments, of any length, meet.
pub(super) fn segments_meet(s: &Segment, t: &Segment) -> bool {
    if orient3d(s.a, s.b, t.a, t.b) != Sign::Zero {
        return false;
    }
    for shadow in SHADOWS {
        let [a, b, c, d] = [s.a, s.b, t.a, t.b].map(shadow);
        let (c_side, d_side) = (orient2d(a, b, c), orient2d(a, b, d));
        let (a_side, b_side) = (orient2d(c, d, a), orient2d(c, d, b));
        if [c_side, d_side, a_side, b_side] != [Sign::Zero; 4] {
            // Not all on one line, and this shadow of their plane is one to one.
            let apart = |p, q| p == q && p != Sign::Zero;
            return !apart(c_side, d_side) && !apart(a_side, b_side);
        }
    }
    // All on one line.
    let (s, t) = (in_order(s), in_order(t));
    !follows(s.a, t.b) && !follows(t.a, s.b)
}

fn in_order(s: &Segment) -> Segment {
    if follows(s.a, s.b) { Segment { a: s.b, b: s.a } } else { *s }
}

/// Whether two triangles of one plane, both with an area, meet: unless an edge of one separates them.
fn coplanar_triangles(a: &Triangle, b: &Triangle) -> bool {
    let shadow = shadow_of_plane(a);
    let (a, b) = (a.corners().map(shadow), b.corners().map(shadow));
    !beyond_an_edge(&a, &b) && !beyond_an_edge(&b, &a)
}

/// Whether two triangles with an area lie in one plane and have inner points in common. Exact.
pub(crate) fn coplanar_interiors_overlap(a: &Triangle, b: &Triangle) -> bool {
    if b.corners().iter().any(|&p| orient3d(a.a, a.b, a.c, p) != Sign::Zero) {
        return false;
    }
    let shadow = shadow_of_plane(a);
    let (a, b) = (a.corners().map(shadow), b.corners().map(shadow));
    !outside_an_edge(&a, &b) && !outside_an_edge(&b, &a)
}

/// Whether all the points are beyond or on the line of one and the same edge of the triangle, which has an area.
fn outside_an_edge(t: &[DVec2; 3], points: &[DVec2]) -> bool {
    let inside = orient2d(t[0], t[1], t[2]);
    [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]
        .iter()
        .any(|&(p, q)| points.iter().all(|&point| orient2d(p, q, point) != inside))
}

/// Whether all the points are strictly beyond one and the same edge of the triangle, which has an area.
fn beyond_an_edge(t: &[DVec2; 3], points: &[DVec2]) -> bool {
    let outside = -orient2d(t[0], t[1], t[2]);
    [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]
        .iter()
        .any(|&(p, q)| points.iter().all(|&point| orient2d(p, q, point) == outside))
}

/// Whether all the points are strictly on the same side of the line through `p` and `q`.
fn strictly_on_one_side(p: DVec2, q: DVec2, points: &[DVec2; 3]) -> bool {
    let sides = points.map(|point| orient2d(p, q, point));
    sides[0] != Sign::Zero && sides[1] == sides[0] && sides[2] == sides[0]
}

/// A projection to two coordinates.
pub(crate) type Shadow = fn(DVec3) -> DVec2;

/// Along x, y and z.
pub(crate) const SHADOWS: [Shadow; 3] =
    [|p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x), |p| DVec2::new(p.x, p.y)];

/// A projection that is one to one on the plane of a triangle with an area: one in which it keeps an area,
/// preferably the largest.
pub(crate) fn shadow_of_plane(t: &Triangle) -> Shadow {
    let likely = t.scaled_normal().abs().max_position();
    let [a, b, c] = [likely, (likely + 1) % 3, (likely + 2) % 3].map(|i| SHADOWS[i]);
    let keeps_area = |f: &Shadow| orient2d(f(t.a), f(t.b), f(t.c)) != Sign::Zero;
    [a, b].into_iter().find(keeps_area).unwrap_or(c)
}
