//! Two triangles by the intervals that they cut from the line of both planes, in plain `f64`: the classic test.

use glam::{DVec2, DVec3};

use crate::shape::{Segment, Triangle};

/// What [`triangle_intervals`] says of two triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IntervalAnswer {
    /// They have no point in common.
    Apart,
    /// They meet in this segment.
    Segment(Segment),
    /// They lie in one plane and overlap.
    Coplanar,
}

impl IntervalAnswer {
    /// Whether they meet.
    pub const fn meets(self) -> bool {
        !matches!(self, Self::Apart)
    }
}

/// Whether two triangles meet, and where (Möller 1997, "A fast triangle–triangle intersection test"): the
/// leaf test of CD.
///
/// Each triangle must have corners on both sides of the other's plane; then either cuts an interval from the
/// line in which the planes meet, and these must overlap. Signs are those of rounded numbers and there is no
/// tolerance, unlike in the published code: for triangles that touch, are nearly in one plane or far from the
/// origin the answer may be wrong either way. [`crate::pair::triangles_intersect`] is exact and no slower.
pub fn triangle_intervals(a: &Triangle, b: &Triangle) -> IntervalAnswer {
    let (normal_b, heights_a) = heights(b, a);
    if one_sided(heights_a) {
        return IntervalAnswer::Apart;
    }
    let (normal_a, heights_b) = heights(a, b);
    if one_sided(heights_b) {
        return IntervalAnswer::Apart;
    }
    let line = normal_a.cross(normal_b);
    let (Some(cut_a), Some(cut_b)) = (cut(a, heights_a), cut(b, heights_b)) else {
        return if coplanar(a, b, normal_a) { IntervalAnswer::Coplanar } else { IntervalAnswer::Apart };
    };
    let size = line.abs();
    let axis = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    let ordered = |[p, q]: [DVec3; 2]| if p[axis] <= q[axis] { [p, q] } else { [q, p] };
    let ([p, q], [r, s]) = (ordered(cut_a), ordered(cut_b));
    let (start, end) = (if p[axis] > r[axis] { p } else { r }, if q[axis] < s[axis] { q } else { s });
    if start[axis] > end[axis] {
        return IntervalAnswer::Apart;
    }
    IntervalAnswer::Segment(Segment { a: start, b: end })
}

/// The normal of a triangle and the heights of another's corners above its plane, times the length of the normal.
fn heights(of: &Triangle, corners: &Triangle) -> (DVec3, [f64; 3]) {
    let normal = of.scaled_normal();
    (normal, corners.corners().map(|p| normal.dot(p - of.a)))
}

fn one_sided(heights: [f64; 3]) -> bool {
    heights.iter().all(|&h| h > 0.0) || heights.iter().all(|&h| h < 0.0)
}

/// Where a triangle cuts the plane that its corners have these heights above; `None` if it lies in it.
fn cut(t: &Triangle, heights: [f64; 3]) -> Option<[DVec3; 2]> {
    let corners = t.corners();
    let lone = (0..3).find(|&i| {
        let (own, next, last) = (heights[i], heights[(i + 1) % 3], heights[(i + 2) % 3]);
        (own > 0.0 && next <= 0.0 && last <= 0.0) || (own < 0.0 && next >= 0.0 && last >= 0.0)
    });
    if let Some(i) = lone {
        let on = |j: usize| corners[i] + (corners[j] - corners[i]) * (heights[i] / (heights[i] - heights[j]));
        return Some([on((i + 1) % 3), on((i + 2) % 3)]);
    }
    // One corner is in the plane and the others are on one side, or all are in the plane.
    let zeros: Vec<usize> = (0..3).filter(|&i| heights[i] == 0.0).collect();
    (zeros.len() == 1).then(|| [corners[zeros[0]]; 2])
}

/// Triangles in one plane: an edge of one crosses one of the other, or a corner of one is in the other.
fn coplanar(a: &Triangle, b: &Triangle, normal: DVec3) -> bool {
    let size = normal.abs();
    let drop = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    let flat = |p: DVec3| DVec2::new(p[(drop + 1) % 3], p[(drop + 2) % 3]);
    let (p, q) = (a.corners().map(flat), b.corners().map(flat));
    let edges = |t: [DVec2; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    edges(p).iter().any(|e| edges(q).iter().any(|f| crosses(*e, *f))) || holds(p, q[0]) || holds(q, p[0])
}

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

fn crosses((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> bool {
    turn(a, b, c) * turn(a, b, d) <= 0.0 && turn(c, d, a) * turn(c, d, b) <= 0.0 && {
        // On one line their extents decide.
        let (low, high) = (a.min(b).max(c.min(d)), a.max(b).min(c.max(d)));
        low.cmple(high).all()
    }
}

fn holds([a, b, c]: [DVec2; 3], p: DVec2) -> bool {
    let turns = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
    turns.iter().all(|&t| t >= 0.0) || turns.iter().all(|&t| t <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::triangles_intersect;
    use crate::testing::Random;

    #[test]
    fn it_agrees_with_the_exact_test_away_from_degeneracy() {
        let mut random = Random::new(31);
        let mut seen = [0, 0];
        for _ in 0..20_000 {
            let (a, b) = (Triangle::from(random.points::<3>()), Triangle::from(random.points::<3>()));
            let (exact, found) = (triangles_intersect(&a, &b), triangle_intervals(&a, &b));
            assert_eq!(exact, found.meets(), "{a:?} {b:?}");
            seen[usize::from(exact)] += 1;
            if let IntervalAnswer::Segment(s) = found {
                for p in [s.a, s.b] {
                    for t in [&a, &b] {
                        let normal = t.scaled_normal();
                        assert!((normal.dot(p - t.a) / normal.length()).abs() < 1e-9);
                    }
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 1000), "{seen:?}");
    }

    #[test]
    fn coplanar_triangles_on_a_grid_agree() {
        let mut random = Random::new(32);
        let mut overlaps = 0;
        for _ in 0..3000 {
            let flat = |random: &mut Random| {
                Triangle::from(random.grid_points::<3>(4).map(|p| DVec3::new(p.x, p.y, 1.0)))
            };
            let (a, b) = (flat(&mut random), flat(&mut random));
            if a.scaled_normal().z != 0.0 && b.scaled_normal().z != 0.0 {
                assert_eq!(triangle_intervals(&a, &b).meets(), triangles_intersect(&a, &b), "{a:?} {b:?}");
                overlaps += usize::from(triangles_intersect(&a, &b));
            }
        }
        assert!(overlaps > 300);
    }

    #[test]
    fn rounding_makes_it_wrong_where_corners_are_near_a_plane() {
        // Corners near the plane x + y + z = 0.1 + 0.2 + 0.3 of numbers that are no binary fractions: which
        // side they are on is lost.
        let mut random = Random::new(33);
        let mut wrong = 0;
        for _ in 0..20_000 {
            let grid = |random: &mut Random| random.grid_point(4) * 0.1 + DVec3::new(0.1, 0.2, 0.3);
            let [a, b] = [0, 1].map(|_| Triangle::from([0, 1, 2].map(|_| grid(&mut random))));
            wrong += usize::from(triangle_intervals(&a, &b).meets() != triangles_intersect(&a, &b));
        }
        assert!(wrong > 10, "{wrong}");
    }
}
