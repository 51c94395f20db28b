//! Whether two triangles of one surface meet elsewhere than where they are joined. Exact.

use glam::DVec3;

use super::segment_triangle::segment_triangle;
use super::triangle_triangle::triangles_intersect;
use crate::math::{Sign, orient2d, orient3d};
use crate::pair::flat::{follows, shadow_of_plane};
use crate::shape::{Segment, Triangle, has_zero_area};

/// Whether two triangles have a point in common beyond what is explained by the corners they share: corners at
/// exactly the same position.
///
/// With no shared corner any common point counts, touching included; with one, any other than that corner;
/// with two, any that is not on the edge between them. So neighbours that fold flat onto each other meet,
/// also where they overlap in their plane, and neighbours at an angle do not. Two triangles with the same
/// three corners always do. A triangle of zero area is the segment or point that it is, and has only one or
/// two corners if others coincide with these.
///
/// Exact for coordinates up to 8e90, the same for (`a`, `b`) and (`b`, `a`) and any order of corners. Some 20 ns for
/// neighbours at an angle, some microseconds for those in one plane.
#[inline]
pub fn triangles_meet_beyond_shared_corners(a: &Triangle, b: &Triangle) -> bool {
    let (p, q) = (a.corners(), b.corners());
    let joint = equal_corners(&p, &q);
    let plain = match joint.count_ones() {
        0 => return triangles_intersect(a, b),
        1 => meet_beyond_plain_corner(&p, &q, joint.trailing_zeros() as usize),
        2 => meet_beyond_plain_edge(&p, &q, joint),
        _ => None,
    };
    plain.unwrap_or_else(|| decide(a, b))
}

/// Bit 3i + j is set if corner i of the first is at the position of corner j of the second.
#[inline]
fn equal_corners(p: &[DVec3; 3], q: &[DVec3; 3]) -> u32 {
    let mut joint = 0;
    for (i, p) in p.iter().enumerate() {
        for (j, q) in q.iter().enumerate() {
            joint |= u32::from(p.x == q.x && p.y == q.y && p.z == q.z) << (3 * i + j);
        }
    }
    joint
}

/// For triangles with the one corner v in common; `None` if a corner of one lies in the plane of the other, as always
/// where one has no area.
///
/// With u₁, u₂ the edges of the one at v, w₁, w₂ those of the other, M = u₁×u₂ and N = w₁×w₂ their normals, the line
/// common to both planes has the direction M×N = w₁(M·w₂) − w₂(M·w₁) = u₂(N·u₁) − u₁(N·u₂). If u₁ points above the
/// other plane and u₂ below, the latter says that the first triangle lies on this line in the direction M×N from v; if
/// w₁ is above and w₂ below, the former that the second lies in the direction −M×N. So they lie in the same
/// direction, and have a piece of the line in common, if and only if u₁ and w₁ are on different sides.
#[inline]
fn meet_beyond_plain_corner(p: &[DVec3; 3], q: &[DVec3; 3], joint: usize) -> Option<bool> {
    let (i, j) = (joint / 3, joint % 3);
    let v = p[i];
    let (p, q) = ([p[(i + 1) % 3], p[(i + 2) % 3]], [q[(j + 1) % 3], q[(j + 2) % 3]]);
    let of_p = p.map(|p| orient3d(v, q[0], q[1], p));
    if of_p[0] == of_p[1] && of_p[0] != Sign::Zero {
        return Some(false);
    }
    let of_q = q.map(|q| orient3d(v, p[0], p[1], q));
    if of_q[0] == of_q[1] && of_q[0] != Sign::Zero {
        return Some(false);
    }
    let open = of_p.contains(&Sign::Zero) || of_q.contains(&Sign::Zero);
    (!open).then_some(of_p[0] != of_q[0])
}

/// For triangles with two corners in common, which do not meet beyond their edge unless they lie in one plane; `None`
/// if they do.
#[inline]
fn meet_beyond_plain_edge(p: &[DVec3; 3], q: &[DVec3; 3], joint: u32) -> Option<bool> {
    let (first, last) = (joint.trailing_zeros() as usize, joint.ilog2() as usize);
    // The corner that is left over, if two different ones of each are shared: 0 + 1 + 2 less the others.
    let (i, j) = (3usize.checked_sub(first / 3 + last / 3)?, 3usize.checked_sub(first % 3 + last % 3)?);
    if first / 3 == last / 3 || first % 3 == last % 3 {
        return None;
    }
    (orient3d(p[first / 3], p[last / 3], p[i], q[j]) != Sign::Zero).then_some(false)
}

/// The answer for triangles in one plane, without area, or twice at one corner.
#[cold]
#[inline(never)]
fn decide(a: &Triangle, b: &Triangle) -> bool {
    let shared = Shared::of(a, b);
    match shared.corners[..shared.count] {
        [] => triangles_intersect(a, b),
        [v] => meet_beyond_corner(a, b, v),
        [u, v] => meet_beyond_edge(a, b, u, v),
        _ => true,
    }
}

/// The different positions that are corners of both.
struct Shared {
    corners: [DVec3; 3],
    count: usize,
}

impl Shared {
    fn of(a: &Triangle, b: &Triangle) -> Self {
        let mut shared = Self { corners: [DVec3::ZERO; 3], count: 0 };
        let theirs = b.corners();
        for p in a.corners() {
            if theirs.contains(&p) && !shared.corners[..shared.count].contains(&p) {
                shared.corners[shared.count] = p;
                shared.count += 1;
            }
        }
        shared
    }
}

/// For triangles that share the corner `v` alone. If they have another point in common, then all between it
/// and `v`; going on from there away from `v`, one leaves one of them first, and does so on its far side, in
/// a point of the other.
fn meet_beyond_corner(a: &Triangle, b: &Triangle, v: DVec3) -> bool {
    let reaches = |from: &Triangle, to: &Triangle| {
        far_sides(from, v).iter().flatten().any(|side| segment_triangle(side, to))
    };
    reaches(a, b) || reaches(b, a)
}

/// Where rays from the corner `v` leave the triangle: on the opposite edge, or if it has no area at another corner.
fn far_sides(t: &Triangle, v: DVec3) -> [Option<Segment>; 3] {
    let corners = t.corners();
    let others = corners.map(|p| (p != v).then_some(p));
    if let ([Some(a), Some(b), None] | [Some(a), None, Some(b)] | [None, Some(a), Some(b)], false) =
        (others, has_zero_area(t))
    {
        return [Some(Segment { a, b }), None, None];
    }
    others.map(|p| p.map(|p| Segment { a: p, b: p }))
}

/// For triangles that share the corners `u` and `v` alone: they meet beyond the edge if they lie in one plane and on
/// the same side of it. Those without area do if both go on beyond the same end of it.
fn meet_beyond_edge(a: &Triangle, b: &Triangle, u: DVec3, v: DVec3) -> bool {
    let third = |t: &Triangle| t.corners().into_iter().find(|p| *p != u && *p != v);
    let (Some(p), Some(q)) = (third(a), third(b)) else {
        // One is no more than the edge.
        return false;
    };
    if orient3d(u, v, p, q) != Sign::Zero {
        return false;
    }
    match (has_zero_area(a), has_zero_area(b)) {
        (false, false) => {
            let shadow = shadow_of_plane(a);
            let side = |p| orient2d(shadow(u), shadow(v), shadow(p));
            side(p) == side(q)
        }
        (true, true) => {
            let (low, high) = if follows(u, v) { (v, u) } else { (u, v) };
            follows(p, high) && follows(q, high) || follows(low, p) && follows(low, q)
        }
        // On the line of the edge a triangle with an area has nothing but the edge.
        (true, false) | (false, true) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ORDERS, triangle};

    fn meet(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> bool {
        let expected = triangles_meet_beyond_shared_corners(&triangle(a), &triangle(b));
        for o in ORDERS {
            for q in ORDERS {
                let (s, t) = (triangle(o.map(|i| a[i])), triangle(q.map(|i| b[i])));
                assert_eq!(triangles_meet_beyond_shared_corners(&s, &t), expected);
                assert_eq!(triangles_meet_beyond_shared_corners(&t, &s), expected);
            }
        }
        expected
    }

    const O: [f64; 3] = [0.0, 0.0, 0.0];
    const X: [f64; 3] = [1.0, 0.0, 0.0];
    const Y: [f64; 3] = [0.0, 1.0, 0.0];
    const FLOOR: [[f64; 3]; 3] = [O, X, Y];

    #[test]
    fn neighbours_across_an_edge_meet_if_folded_flat() {
        assert!(!meet(FLOOR, [O, X, [0.0, -1.0, 0.0]]));
        assert!(!meet(FLOOR, [O, X, [0.0, 1.0, 1e-300]]));
        assert!(meet(FLOOR, [O, X, [0.0, 2.0, 0.0]]));
        assert!(meet(FLOOR, [O, X, [7.0, 0.1, 0.0]]));
    }

    #[test]
    fn neighbours_at_a_corner_meet_if_one_goes_through_the_other_or_lies_on_it() {
        assert!(!meet(FLOOR, [O, [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0]]));
        // A blade through the corner and the floor, and one that stands on the floor with an edge.
        assert!(meet(FLOOR, [O, [1.0, 1.0, -1.0], [1.0, 1.0, 1.0]]));
        assert!(meet(FLOOR, [O, [0.1, 0.1, 0.0], [0.1, 0.1, 1.0]]));
        assert!(meet(FLOOR, [O, [3.0, 3.0, 0.0], [0.1, 0.1, 1.0]]));
        // The blade turned so that it cuts the floor's plane beside the floor.
        assert!(!meet(FLOOR, [O, [-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]]));
        // In the plane: opposite, overlapping, and along a part of an edge.
        assert!(!meet(FLOOR, [O, [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]));
        assert!(meet(FLOOR, [O, [2.0, 1.0, 0.0], [1.0, 2.0, 0.0]]));
        assert!(meet(FLOOR, [O, [0.5, 0.0, 0.0], [0.0, -1.0, 0.0]]));
    }

    #[test]
    fn others_meet_if_they_touch_and_the_same_triangle_twice_always() {
        assert!(meet(FLOOR, [[0.1, 0.1, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]));
        assert!(!meet(FLOOR, [[0.1, 0.1, 0.1], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]));
        assert!(meet(FLOOR, FLOOR));
    }

    #[test]
    fn triangles_without_area_are_segments_and_points() {
        let (half, double) = ([0.5, 0.0, 0.0], [2.0, 0.0, 0.0]);
        // The edge itself, however it is written, and a corner.
        assert!(!meet(FLOOR, [O, X, X]) && !meet([O, O, X], [O, X, X]));
        assert!(!meet(FLOOR, [O, half, X]) && !meet(FLOOR, [O, X, double]));
        assert!(!meet(FLOOR, [O, O, O]) && !meet([O, O, O], [O, O, O]));
        // From a corner along an edge, across the floor, away from it.
        assert!(meet(FLOOR, [O, half, half]) && meet(FLOOR, [O, half, double]));
        assert!(meet(FLOOR, [O, O, [1.0, 1.0, 0.0]]));
        assert!(!meet(FLOOR, [O, O, [0.0, 0.0, 1.0]]));
        // With the corner in its middle.
        assert!(!meet(FLOOR, [O, [-1.0, -1.0, 1.0], [1.0, 1.0, -1.0]]));
        assert!(meet(FLOOR, [O, [-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]]));
        // On one line: beyond the same end of what they share, or not.
        assert!(meet([O, X, double], [O, X, [3.0, 0.0, 0.0]]));
        assert!(!meet([O, X, double], [O, X, [-1.0, 0.0, 0.0]]));
        assert!(!meet([O, X, double], [O, X, half]));
        assert!(meet([O, O, X], [O, O, half]) && !meet([O, O, X], [O, O, [-1.0, 0.0, 0.0]]));
    }
}
