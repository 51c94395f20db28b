//! Whether two triangles meet, exactly.
//!
//! Devillers and Guigue 2002, "Faster triangle-triangle intersection tests": only signs of determinants of corners
//! are used, so the answer is that for the real triangles, of any shape. A first attempt in plain
//! `f64` with one error bound for each plane settles nearly all pairs; pairs that touch, are coplanar or have no
//! area are decided by exact predicates.

use glam::DVec3;

use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D, normal_and_size, orient3d_three};
use crate::math::{Sign, orient2d, orient3d};
use crate::pair::flat;
use crate::shape::Triangle;

/// Whether the two closed triangles have a point in common; touching counts.
///
/// Exact for coordinates up to 8e90 (every validated shape): no tolerance, the same answer for (`a`, `b`) and
/// (`b`, `a`) and for any order of corners. Triangles of zero area are the segment or point that they are. About
/// 30 ns where no corner is near the other's plane, otherwise a few hundred.
#[inline]
pub fn triangles_intersect(a: &Triangle, b: &Triangle) -> bool {
    let (corners_a, corners_b) = (a.corners(), b.corners());
    let Some(sides_a) = sides_fast(b, &corners_a) else {
        return decide(a, b);
    };
    if sides_a == 0 || sides_a == 7 {
        return false;
    }
    let Some(sides_b) = sides_fast(a, &corners_b) else {
        return decide(a, b);
    };
    if sides_b == 0 || sides_b == 7 {
        return false;
    }
    let p = alone_first(&corners_a, sides_a, sides_b);
    let q = alone_first(&corners_b, sides_b, sides_a);
    orient3d(p[0], p[1], q[0], q[1]) != Sign::Positive && orient3d(p[0], q[0], p[2], q[2]) != Sign::Positive
}

/// Whether the triangles intersect and each has points strictly on both sides of the other's plane. Exact.
///
/// So two triangles that share an edge, lie in one plane, or meet because a corner of one rests on the other do not
/// cross. A triangle of zero area has no plane and crosses nothing. Cost as [`triangles_intersect`].
pub fn triangles_cross(a: &Triangle, b: &Triangle) -> bool {
    let on_both_sides = |t, p: &[DVec3; 3]| {
        let sides = sides(t, p);
        sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative)
    };
    triangles_intersect(a, b) && on_both_sides(a, &b.corners()) && on_both_sides(b, &a.corners())
}

/// Whether the triangles pass through each other: they are not coplanar, and have a segment in common whose inner
/// points are inner points of both. Exact.
pub(crate) fn interiors_cross(a: &Triangle, b: &Triangle) -> bool {
    let straddles = |s: [Sign; 3]| s.contains(&Sign::Positive) && s.contains(&Sign::Negative);
    let (sides_a, sides_b) = (sides(b, &a.corners()), sides(a, &b.corners()));
    if !straddles(sides_a) || !straddles(sides_b) {
        return false;
    }
    lone_corners(a, sides_a, b, sides_b).is_some_and(|(p, q)| {
        orient3d(p[0], p[1], q[0], q[1]) == Sign::Negative
            && orient3d(p[0], q[0], p[2], q[2]) == Sign::Negative
    })
}

/// On which sides of `t`'s plane the points lie: bit i is set if point i is on the positive side, clear if it is on
/// the negative side. `None` unless plain arithmetic proves all three.
#[inline(always)]
fn sides_fast(t: &Triangle, points: &[DVec3; 3]) -> Option<u8> {
    let (normal, size) = normal_and_size(t.a, t.b, t.c);
    let w = points.map(|p| p - t.a);
    // One permanent that is no less than that of any of the three determinants.
    let permanent = size.dot(w[0].abs().max(w[1].abs()).max(w[2].abs()));
    let bound = ROUNDING_3D * permanent;
    let det = w.map(|w| normal.dot(w));
    let above = u8::from(det[0] > bound) | u8::from(det[1] > bound) << 1 | u8::from(det[2] > bound) << 2;
    let below = u8::from(det[0] < -bound) | u8::from(det[1] < -bound) << 1 | u8::from(det[2] < -bound) << 2;
    (permanent > LEAST_PERMANENT && above | below == 7).then_some(above)
}

/// The corners, turned so that the one alone on its side of the other's plane comes first, and mirrored if the
/// other's lone corner is below this one's plane. `own` and `other`: the sides as [`sides_fast`] gives them.
///
/// Both triangles so arranged look alike: each lone corner is above the other's plane.
#[inline(always)]
fn alone_first(corners: &[DVec3; 3], own: u8, other: u8) -> [DVec3; 3] {
    /// For each mask the lone corner and the two after it; masks 0 and 7 do not occur.
    const ORDER: [[usize; 3]; 8] =
        [[0, 1, 2], [0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 0, 1], [1, 2, 0], [0, 1, 2], [0, 1, 2]];
    let [i, j, k] = ORDER[usize::from(own & 7)];
    // Two or more above means that the lone corner is below.
    let (j, k) = if other.count_ones() > 1 { (k, j) } else { (j, k) };
    [corners[i], corners[j], corners[k]]
}

/// The exact answer where [`sides_fast`] left a sign open.
#[cold]
#[inline(never)]
fn decide(a: &Triangle, b: &Triangle) -> bool {
    if matches!(sides_fast(a, &b.corners()), Some(0 | 7)) {
        return false;
    }
    let sides_a = sides(b, &a.corners());
    if one_sided(sides_a) {
        return false;
    }
    let sides_b = sides(a, &b.corners());
    if one_sided(sides_b) {
        return false;
    }
    match lone_corners(a, sides_a, b, sides_b) {
        Some((p, q)) => {
            orient3d(p[0], p[1], q[0], q[1]) != Sign::Positive
                && orient3d(p[0], q[0], p[2], q[2]) != Sign::Positive
        }
        None => flat::intersect(a, b),
    }
}

/// The exact sides of `t`'s plane on which the points lie; all zero if `t` has no area.
pub(crate) fn sides(t: &Triangle, points: &[DVec3; 3]) -> [Sign; 3] {
    let flat = t.a.cmpeq(t.b) & t.a.cmpeq(t.c);
    match (0..3).find(|&k| flat.test(k)) {
        Some(axis) => sides_along(t, axis, points),
        None => orient3d_three(t.corners(), points),
    }
}

/// The same for a triangle square to an axis, as faces of buildings are: its normal is along the axis, so
/// that the signs are those of the differences on it, which comparisons tell.
fn sides_along(t: &Triangle, axis: usize, points: &[DVec3; 3]) -> [Sign; 3] {
    let [a, b, c] = t.corners().map(flat::SHADOWS[axis]);
    let turn = orient2d(a, b, c);
    points.map(|p| match turn {
        Sign::Zero => Sign::Zero,
        Sign::Positive => comparison(p[axis], t.a[axis]),
        Sign::Negative => comparison(t.a[axis], p[axis]),
    })
}

/// The sign of `x − y`.
fn comparison(x: f64, y: f64) -> Sign {
    if x > y {
        Sign::Positive
    } else if x < y {
        Sign::Negative
    } else {
        Sign::Zero
    }
}

/// Whether all three are strictly on the same side.
pub fn one_sided(sides: [Sign; 3]) -> bool {
    sides == [Sign::Positive; 3] || sides == [Sign::Negative; 3]
}

/// The corners of both, turned and mirrored as [`alone_first`] does: the first corner of each is on or above the
/// other's plane, the other two on or below it, and the first alone does not lie with another in that plane.
/// `None` if all of one lie in the other's plane: they are coplanar or one has no area.
///
/// With corners p of `a` and q of `b`, the plane of each cuts two edges of the other, p₀p₁ and p₀p₂, q₀q₁ and q₀q₂;
/// along the line common to both planes the cuts lie so that the intervals p₀p₁…p₀p₂ and q₀q₁…q₀q₂ overlap
/// exactly if (p₀, p₁, q₀, q₁) and (p₀, q₀, p₂, q₂) are not positively oriented.
#[inline]
pub fn lone_corners(
    a: &Triangle,
    sides_a: [Sign; 3],
    b: &Triangle,
    sides_b: [Sign; 3],
) -> Option<([DVec3; 3], [DVec3; 3])> {
    let (i, above_a) = lone_corner(sides_a)?;
    let (j, above_b) = lone_corner(sides_b)?;
    let turned = |c: [DVec3; 3], i: usize, mirror: bool| {
        let (second, third) = (c[(i + 1) % 3], c[(i + 2) % 3]);
        if mirror { [c[i], third, second] } else { [c[i], second, third] }
    };
    Some((turned(a.corners(), i, !above_b), turned(b.corners(), j, !above_a)))
}

/// Which corner has both others strictly opposite or in the plane while it is not with either, and whether the
/// others are below (it is above, or in the plane with both others below). `None` for all zero.
#[inline]
fn lone_corner(sides: [Sign; 3]) -> Option<(usize, bool)> {
    let mask = |s| (0..3).fold(0, |mask, i| mask | u32::from(sides[i] == s) << i);
    let first = |mask: u32| (mask.trailing_zeros() as usize).min(2);
    let (above, below) = (mask(Sign::Positive), mask(Sign::Negative));
    match (above.count_ones(), below.count_ones()) {
        (0, 0) | (3, _) | (_, 3) => None,
        // Alone above, others below or in the plane; or two in the plane and the third above.
        (1, _) => Some((first(above), true)),
        (_, 1) => Some((first(below), false)),
        // Alone in the plane, with two on one side of it.
        _ => Some((first(7 & !(above | below)), above == 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ORDERS, Random, triangle};
    use rand::RngExt;

    #[test]
    fn sides_of_triangles_square_to_an_axis_are_the_signs_of_determinants() {
        let mut rng = Random::new(71);
        let mut seen = [0; 3];
        for round in 0..3000 {
            let scale = [1.0, 0.1, 1e-80, 3e89][round % 4];
            let mut point =
                || DVec3::from_array(std::array::from_fn(|_| f64::from(rng.random_range(-2..=2)) * scale));
            let (axis, mut corners, points) =
                (round % 3, [point(), point(), point()], [point(), point(), point()]);
            for corner in &mut corners {
                corner[axis] = 0.3 * scale * f64::from(round as u32 % 2);
            }
            let t = Triangle::from(corners);
            let expected = points.map(|p| orient3d(t.a, t.b, t.c, p));
            assert_eq!(sides(&t, &points), expected, "{t:?} {points:?}");
            expected.iter().for_each(|sign| seen[*sign as usize] += 1);
        }
        assert!(seen.iter().all(|&n| n > 1000), "{seen:?}");
    }

    /// All answers under swap and all orders of corners, which must agree.
    fn meet(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> bool {
        let expected = triangles_intersect(&triangle(a), &triangle(b));
        for o in ORDERS {
            for q in ORDERS {
                let (s, t) = (triangle(o.map(|i| a[i])), triangle(q.map(|i| b[i])));
                assert_eq!(triangles_intersect(&s, &t), expected);
                assert_eq!(triangles_intersect(&t, &s), expected);
                assert!(expected || !triangles_cross(&s, &t));
            }
        }
        expected
    }

    const FLOOR: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn a_wall_through_the_floor_crosses_it() {
        let wall = [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 9.0, 0.5]];
        assert!(meet(FLOOR, wall));
        assert!(triangles_cross(&triangle(FLOOR), &triangle(wall)));
    }

    #[test]
    fn a_wall_beside_the_floor_misses_it() {
        assert!(!meet(FLOOR, [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [9.0, 9.0, 0.5]]));
        assert!(!meet(FLOOR, [[1.0, 1.0, 1.0], [1.0, 2.0, 1.0], [2.0, 1.0, 3.0]]));
    }

    #[test]
    fn touching_counts_and_does_not_cross() {
        let foot = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 2.0, 1.0]];
        let corner = [[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0]];
        let edge = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, -1.0, 1.0]];
        for other in [foot, corner, edge] {
            assert!(meet(FLOOR, other));
            assert!(!triangles_cross(&triangle(FLOOR), &triangle(other)));
        }
        assert!(!meet(FLOOR, foot.map(|[x, y, z]| [x, y, z + 5e-324])));
    }

    #[test]
    fn coplanar_triangles_meet_if_they_overlap_or_touch() {
        let moved = |d: f64| FLOOR.map(|[x, y, z]| [x + d, y, z]);
        assert!(meet(FLOOR, moved(1.0)));
        assert!(meet(FLOOR, moved(4.0)));
        assert!(!meet(FLOOR, moved(4.0_f64.next_up())));
        // One wholly inside the other.
        assert!(meet(FLOOR, [[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]]));
    }

    #[test]
    fn triangles_without_area_are_segments_and_points() {
        let segment = |p: [f64; 3], q: [f64; 3]| [p, q, [0, 1, 2].map(|i| (p[i] + q[i]) / 2.0)];
        assert!(meet(FLOOR, segment([1.0, 1.0, -1.0], [1.0, 1.0, 1.0])));
        assert!(!meet(FLOOR, segment([3.0, 3.0, -1.0], [3.0, 3.0, 1.0])));
        assert!(meet(FLOOR, segment([-1.0, 1.0, 0.0], [9.0, 2.0, 0.0])));
        assert!(!meet(FLOOR, segment([-1.0, 9.0, 0.0], [9.0, 9.0, 0.0])));
        assert!(meet(FLOOR, [[1.0, 1.0, 0.0]; 3]) && !meet(FLOOR, [[1.0, 1.0, 1e-9]; 3]));
        let along = segment([0.0, 0.0, 0.0], [2.0, 2.0, 2.0]);
        assert!(meet(along, segment([2.0, 0.0, 0.0], [0.0, 2.0, 2.0])));
        assert!(meet(along, segment([2.0, 2.0, 2.0], [3.0, 3.0, 3.0])));
        assert!(!meet(along, segment([2.5, 2.5, 2.5], [3.0, 3.0, 3.0])));
        assert!(meet(along, [[1.5; 3]; 3]) && !meet(along, [[2.5; 3]; 3]));
        assert!(meet([[1.0; 3]; 3], [[1.0; 3]; 3]) && !meet([[1.0; 3]; 3], [[2.0; 3]; 3]));
    }
}
