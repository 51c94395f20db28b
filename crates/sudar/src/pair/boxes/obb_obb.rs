//! Oriented box and oriented box, by separating axes; and with a triangle, in the box' frame.

use glam::{DMat3, DVec3};

use super::point_obb::in_frame;
use crate::pair::triangle::triangle_aabb::triangle_aabb;
use crate::shape::{Aabb, Obb, Segment, Triangle};

/// Allowance for rounding, relative to the sizes and the distance of the boxes. The projections below are sums of
/// a dozen products, each off by some 1e-15, and the axes may be orthonormal only within 1e-14.
const SLACK: f64 = 1e-13;

/// Whether the boxes have a point in common: unless one of 15 axes separates them, tried in this order: the three
/// of the first, the three of the second, and the nine products of one of each (Gottschalk, Lin and Manocha 1996,
/// "OBBTree: a hierarchical structure for rapid interference detection").
///
/// Never misses an overlap as long as the axes are orthonormal within 1e-14. It may report boxes that are apart by
/// up to 1e-6 of their sizes and distance when edges of theirs are parallel but for 1e-7, elsewhere by up to
/// 1e-12 divided by the sine of the angle between the edges.
pub fn obb_obb(first: &Obb, second: &Obb) -> bool {
    let pair = InFrame::new(first, second);
    !(0..3).any(|i| pair.face_of_first(i))
        && !(0..3).any(|j| pair.face_of_second(j))
        && !(0..3).any(|i| (0..3).any(|j| pair.edges(i, j)))
}

/// The first axis in the given order that separates the boxes for certain, by its number: 0 to 2 those of the
/// first box, 3 to 5 those of the second, 6 + 3i + j the product of axis i of the first and j of the second.
/// Other numbers are passed over.
///
/// [`obb_obb`] with another order of tests, and fewer where fewer are named: then boxes may count as
/// overlapping that are apart, which costs time in a traversal and never an answer (van den Bergen's "SAT
/// lite" has the first six).
pub fn obb_separating_axis(first: &Obb, second: &Obb, order: &[u8]) -> Option<u8> {
    let pair = InFrame::new(first, second);
    order.iter().copied().find(|&axis| match usize::from(axis) {
        i @ 0..3 => pair.face_of_first(i),
        j @ 3..6 => pair.face_of_second(j - 3),
        k @ 6..15 => pair.edges((k - 6) / 3, (k - 6) % 3),
        _ => false,
    })
}

/// Whether the axis-aligned and the oriented box have a point in common; as [`obb_obb`], and the coordinates of
/// the first count as a distance. It must have finite ends; if empty it meets nothing.
pub fn aabb_obb(aabb: &Aabb, obb: &Obb) -> bool {
    // The middle and the half extents are rounded, by less than the slack.
    let half = aabb.extent() * 0.5 + DVec3::splat(SLACK * aabb.reach());
    !aabb.is_empty() && obb_obb(&Obb { center: aabb.center(), axes: DMat3::IDENTITY, half }, obb)
}

/// Whether the triangle and the box have a point in common: exact in the frame of the box, into which the
/// corners come rounded. Never misses an overlap; may accept a pair apart by up to 1e-12 times the half extents and
/// the triangle's reach from the centre.
pub fn triangle_obb(triangle: &Triangle, obb: &Obb) -> bool {
    let ([a, b, c], aabb) = in_frame(triangle.corners(), obb);
    triangle_aabb(&Triangle { a, b, c }, &aabb)
}

/// Whether the segment and the box have a point in common; as [`triangle_obb`].
pub fn segment_obb(segment: &Segment, obb: &Obb) -> bool {
    triangle_obb(&Triangle { a: segment.a, b: segment.b, c: segment.b }, obb)
}

/// Two boxes seen from the frame of the first. Each test decides whether the projections on one axis are apart for
/// certain.
struct InFrame {
    first: DVec3,
    second: DVec3,
    /// From the first centre to the second.
    way: DVec3,
    /// `turn[j][i]` is the product of axis `i` of the first and axis `j` of the second.
    turn: [DVec3; 3],
    /// Its absolute values, enlarged by the slack.
    reach: [DVec3; 3],
    slack: f64,
}

impl InFrame {
    fn new(first: &Obb, second: &Obb) -> Self {
        let back = first.axes.transpose();
        let way = back * (second.center - first.center);
        let turn = [0, 1, 2].map(|j| back * second.axes.col(j));
        let reach = turn.map(|axis| axis.abs() + DVec3::splat(SLACK));
        let size = way.abs().max_element() + first.half.max_element() + second.half.max_element();
        Self { first: first.half, second: second.half, way, turn, reach, slack: SLACK * size }
    }

    fn face_of_first(&self, i: usize) -> bool {
        let second: f64 = (0..3).map(|j| self.second[j] * self.reach[j][i]).sum();
        self.way[i].abs() > self.first[i] + second + self.slack
    }

    fn face_of_second(&self, j: usize) -> bool {
        self.way.dot(self.turn[j]).abs() > self.first.dot(self.reach[j]) + self.second[j] + self.slack
    }

    /// The axis is the product of edge `i` of the first and edge `j` of the second.
    fn edges(&self, i: usize, j: usize) -> bool {
        let ((i1, i2), (j1, j2)) = (others(i), others(j));
        let first = self.first[i1] * self.reach[j][i2] + self.first[i2] * self.reach[j][i1];
        let second = self.second[j1] * self.reach[j2][i] + self.second[j2] * self.reach[j1][i];
        let apart = self.way[i2] * self.turn[j][i1] - self.way[i1] * self.turn[j][i2];
        apart.abs() > first + second + self.slack
    }
}

/// The two axes after this one.
fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{aabb_aabb, disjoint_triangle_distance, triangles_intersect};
    use crate::testing::Random;

    fn triangles(obb: &Obb) -> Vec<Triangle> {
        let c = obb.corners();
        // Faces by their corner numbers; bit k is the side of axis k.
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        faces
            .iter()
            .flat_map(|&[p, q, r, s]| [[p, q, r], [p, r, s]])
            .map(|[p, q, r]| Triangle { a: c[p], b: c[q], c: c[r] })
            .collect()
    }

    fn inside(p: DVec3, obb: &Obb) -> bool {
        (obb.axes.transpose() * (p - obb.center)).abs().cmple(obb.half).all()
    }

    /// Distance of the surfaces, or 0 if they or the boxes overlap.
    fn distance(first: &Obb, second: &Obb) -> f64 {
        if inside(first.center, second) || inside(second.center, first) {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for s in triangles(first) {
            for t in triangles(second) {
                if triangles_intersect(&s, &t) {
                    return 0.0;
                }
                best = best.min(disjoint_triangle_distance(&s, &t).distance());
            }
        }
        best
    }

    #[test]
    fn the_surfaces_of_random_boxes_agree() {
        let mut random = Random::new(14);
        let mut seen = [0, 0];
        for _ in 0..400 {
            let (first, second) = (random.obb(), random.obb());
            let found = obb_obb(&first, &second);
            assert_eq!(found, distance(&first, &second) < 1e-9);
            assert_eq!(found, obb_obb(&second, &first));
            seen[usize::from(found)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
    }

    #[test]
    fn any_order_of_all_axes_gives_the_same_answer() {
        let mut random = Random::new(18);
        let forward: Vec<u8> = (0..15).collect();
        let backward: Vec<u8> = (0..15).rev().collect();
        for _ in 0..500 {
            let (first, second) = (random.obb(), random.obb());
            let found = obb_obb(&first, &second);
            for order in [&forward, &backward] {
                assert_eq!(obb_separating_axis(&first, &second, order).is_none(), found);
            }
            assert!(!found || obb_separating_axis(&first, &second, &forward[..6]).is_none());
            assert_eq!(obb_separating_axis(&first, &second, &[15, 200]), None);
        }
    }

    #[test]
    fn boxes_with_nearly_parallel_edges_are_told_apart_at_a_millionth() {
        let mut random = Random::new(15);
        let mut pulled = 0;
        for case in 0..160 {
            let first = random.obb();
            let tilt = glam::DQuat::from_scaled_axis(random.point() * f64::powi(10.0, -(case % 16)));
            let mut second = Obb { axes: first.axes * DMat3::from_quat(tilt), ..random.obb() };
            // Pull the second along the line of centres to a distance of about a millionth.
            let way = (second.center - first.center).normalize();
            second.center = first.center + way * 20.0;
            let mut gap = distance(&first, &second);
            for _ in 0..40 {
                second.center -= way * (gap - 1e-6).max(0.0);
                gap = distance(&first, &second);
            }
            if gap > 0.99e-6 && gap < 3e-6 {
                pulled += 1;
                assert!(!obb_obb(&first, &second), "case {case}, {gap} apart");
            }
        }
        assert!(pulled > 100, "{pulled}");
    }

    #[test]
    fn unturned_boxes_are_axis_aligned_ones() {
        let mut random = Random::new(16);
        for exponent in [-200, 0, 200] {
            let k = f64::powi(2.0, exponent);
            for _ in 0..1000 {
                let [first, second] = [0, 1].map(|_| {
                    let [p, q] = random.grid_points::<2>(3);
                    Aabb::around([p * k, q * k])
                });
                let turned =
                    Obb { center: second.center(), axes: DMat3::IDENTITY, half: second.extent() * 0.5 };
                // On this grid boxes touch or are a unit apart.
                assert_eq!(aabb_obb(&first, &turned), aabb_aabb(&first, &second));
            }
        }
        assert!(!aabb_obb(&Aabb::EMPTY, &random.obb()));
    }

    #[test]
    fn triangles_and_segments_agree_with_the_surface_of_the_box() {
        let mut random = Random::new(17);
        let mut seen = [0, 0];
        for _ in 0..2000 {
            let obb = random.obb();
            let [a, b, c] = random.points::<3>().map(|p| p * 2.0);
            let meets =
                |t: &Triangle| inside(t.a, &obb) || triangles(&obb).iter().any(|f| triangles_intersect(f, t));
            let (triangle, flat) = (Triangle { a, b, c }, Triangle { a, b, c: b });
            assert_eq!(triangle_obb(&triangle, &obb), meets(&triangle));
            assert_eq!(segment_obb(&Segment { a, b }, &obb), meets(&flat));
            seen[usize::from(meets(&triangle))] += 1;
        }
        assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
    }
}
