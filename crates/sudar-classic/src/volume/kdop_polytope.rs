//! The faces of a k-DOP: what its slabs have in common, as a polyhedron.

use sudar::glam::DVec3;

use super::kdop::Kdop;

/// A convex polyhedron by the loops of its faces, up to rounding.
#[derive(Debug, Clone, PartialEq)]
pub struct Polytope {
    faces: Vec<Vec<DVec3>>,
    middle: DVec3,
}

impl Polytope {
    /// Each face is a large square in its plane, cut by every other plane (Sutherland and Hodgman 1974). O(k²).
    pub(super) fn of<const SLABS: usize>(kdop: &Kdop<SLABS>) -> Self {
        let mut planes = Vec::with_capacity(2 * SLABS);
        let middle = DVec3::from_array([0, 1, 2].map(|k| f64::midpoint(kdop.low[k], kdop.high[k])));
        for i in 0..SLABS {
            let direction = Kdop::<SLABS>::direction(i);
            let (at, length) = (direction.dot(middle), direction.length());
            let normal = direction / length;
            planes.push((normal, (kdop.high[i] - at) / length));
            planes.push((-normal, (at - kdop.low[i]) / length));
        }
        let reach = 2.0 * (0..3).map(|k| kdop.high[k] - kdop.low[k]).fold(0.0, f64::max);
        let face = |i: usize| {
            let mut corners = square(planes[i].0, planes[i].1, reach);
            for (j, plane) in planes.iter().enumerate() {
                if j != i {
                    corners = clipped(&corners, plane.0, plane.1);
                }
            }
            corners
        };
        Self { faces: (0..planes.len()).map(face).filter(|corners| corners.len() > 2).collect(), middle }
    }

    /// The corners of each face, counter-clockwise from outside.
    pub fn faces(&self) -> impl Iterator<Item = Vec<DVec3>> + '_ {
        self.faces.iter().map(|face| face.iter().map(|p| *p + self.middle).collect())
    }

    /// All corners, those of several faces as often.
    pub fn corners(&self) -> Vec<DVec3> {
        self.faces().flatten().collect()
    }

    /// Its volume: of the pyramids over the faces.
    pub fn volume(&self) -> f64 {
        let pyramid = |face: &Vec<DVec3>| {
            let fan = (2..face.len()).map(|i| face[0].dot(face[i - 1].cross(face[i])));
            fan.sum::<f64>() / 6.0
        };
        self.faces.iter().map(pyramid).sum::<f64>().max(0.0)
    }
}

/// A square with a half side of `reach` in the plane, counter-clockwise from the side of the normal.
fn square(normal: DVec3, offset: f64, reach: f64) -> Vec<DVec3> {
    let (u, v) = normal.any_orthonormal_pair();
    let (u, v) = if u.cross(v).dot(normal) > 0.0 { (u * reach, v * reach) } else { (v * reach, u * reach) };
    let at = normal * offset;
    vec![at - u - v, at + u - v, at + u + v, at - u + v]
}

/// The part of a polygon with `normal·p ≤ offset`.
fn clipped(corners: &[DVec3], normal: DVec3, offset: f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (i, &p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        let (over_p, over_q) = (normal.dot(p) - offset, normal.dot(q) - offset);
        if over_p <= 0.0 {
            kept.push(p);
        }
        if (over_p < 0.0 && over_q > 0.0) || (over_p > 0.0 && over_q < 0.0) {
            kept.push(p + (q - p) * (over_p / (over_p - over_q)));
        }
    }
    kept
}

impl<const SLABS: usize> Kdop<SLABS> {
    /// Its corners, edges and faces.
    pub fn polytope(&self) -> Polytope {
        Polytope::of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dop14, Dop18, Dop26};
    use super::*;
    use sudar::hull::convex_hull;
    use sudar::volume::Volume;
    use sudar_testing::Random;

    #[test]
    fn known_volumes() {
        // Around the points ±e the 14-DOP is the octahedron |x| + |y| + |z| ≤ 1 of volume 4/3.
        let points = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|p| [p, -p]);
        assert!((Dop14::around(points.clone()).volume() - 4.0 / 3.0).abs() < 1e-14);
        // |x ± y| ≤ 1 and so on leaves the octahedron's six pyramids grown together: a rhombic dodecahedron, volume 2.
        assert!((Dop18::around(points).volume() - 2.0).abs() < 1e-14);
        assert_eq!(Dop26::around([DVec3::ONE]).volume(), 0.0);
    }

    #[test]
    fn the_volume_is_that_of_the_hull_of_the_corners() {
        let mut random = Random::new(8);
        for case in 0..60 {
            let k = f64::powi(10.0, case % 19 - 9);
            let points: Vec<DVec3> = (0..20).map(|_| random.point() * k).collect();
            let kdop = Dop26::around(points);
            let hull = convex_hull(&kdop.polytope().corners()).unwrap();
            assert!((kdop.volume() / hull.volume() - 1.0).abs() < 1e-9);
            let boxed = kdop.extents().element_product();
            assert!(kdop.volume() < boxed);
        }
    }
}
