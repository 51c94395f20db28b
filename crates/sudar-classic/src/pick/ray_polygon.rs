//! Ray and polygon, by projection and crossings.

use sudar::glam::DVec2;
use sudar::shape::Polygon;
use sudar::{DVec3, Ray};

/// The polygon's plane is cut, polygon and point are seen along the axis on which the polygon has the largest shadow,
/// and the edges are counted that a line from the point to one side crosses there: the point is inside if they are odd,
/// for concave polygons and those that cross themselves as well. In plain `f64`.
///
/// ```
/// use sudar::shape::Polygon;
/// use sudar::{DVec3, Ray};
/// use sudar_classic::pick::Crossings;
///
/// let square = Polygon::new(vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y])?;
/// let found = Crossings::new(&Ray::new(DVec3::new(0.5, 0.4, 3.0), -DVec3::Z)?, &square).ok_or("it is along")?;
/// assert_eq!((found.t, found.axis, found.edges.len()), (3.0, 2, 1));
/// assert!(found.is_inside());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Crossings {
    /// Where the ray meets the plane, in units of its direction.
    pub t: f64,
    /// The point.
    pub point: DVec3,
    /// The coordinate that is dropped: 0 for x, 1 for y, 2 for z.
    pub axis: usize,
    /// The edges crossed, by the numbers of their first corners.
    pub edges: Vec<u32>,
}

impl Crossings {
    /// Of a ray that meets the plane; `None` if it is along it or leads away.
    pub fn new(ray: &Ray, polygon: &Polygon) -> Option<Self> {
        let slope = polygon.normal().dot(ray.direction);
        let t = polygon.normal().dot(polygon.middle() - ray.origin) / slope;
        if slope == 0.0 || t < 0.0 {
            return None;
        }
        let (point, axis) = (ray.at(t), polygon.axis());
        let flat = |p: DVec3| DVec2::new(p[(axis + 1) % 3], p[(axis + 2) % 3]);
        let seen = flat(point);
        let crossed = |(a, b): (DVec3, DVec3)| crosses(seen, flat(a), flat(b));
        let edges = (0..).zip(polygon.edges()).filter(|(_, edge)| crossed(*edge)).map(|(i, _)| i).collect();
        Some(Self { t, point, axis, edges })
    }

    /// Whether the point is in the polygon.
    pub fn is_inside(&self) -> bool {
        self.edges.len() % 2 == 1
    }
}

/// Whether the line from a point along the first axis crosses an edge; of the ends of an edge the lower counts.
fn crosses(p: DVec2, a: DVec2, b: DVec2) -> bool {
    let (below_a, below_b) = (a.y <= p.y, b.y <= p.y);
    below_a != below_b && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use sudar::pair::ray_polygon;
    use sudar::{DQuat, Pose};
    use sudar_testing::Random;

    use super::*;

    /// Regular pentagons, concave stars and five-pointed stars in one stroke, in any plane.
    fn polygon(kind: usize, random: &mut Random) -> Polygon {
        let around = |k: usize, n: usize, r: f64| {
            let (s, c) = libm::sincos(TAU * k as f64 / n as f64);
            DVec3::new(r * c, r * s, 0.0)
        };
        let corners: Vec<DVec3> = match kind {
            0 => (0..5).map(|k| around(k, 5, 1.0)).collect(),
            1 => (0..10).map(|k| around(k, 10, if k % 2 == 0 { 1.0 } else { 0.3 })).collect(),
            _ => (0..5).map(|k| around(2 * k, 5, 1.0)).collect(),
        };
        let turn = DQuat::from_axis_angle(random.point().normalize(), random.within(0.0, 3.0));
        let pose = Pose::new(random.point() * 0.2, turn).unwrap();
        Polygon::new(corners.into_iter().map(|p| pose.apply(p)).collect()).unwrap()
    }

    #[test]
    fn crossings_agree_with_the_exact_test() {
        let mut random = Random::new(7);
        let mut hits = [0; 3];
        for case in 0..6000 {
            let polygon = polygon(case % 3, &mut random);
            let origin = random.point() * 2.0;
            let ray = Ray::new(origin, random.point() - origin).unwrap();
            let found = Crossings::new(&ray, &polygon).filter(Crossings::is_inside);
            let exact = ray_polygon(&ray, &polygon, f64::INFINITY);
            assert_eq!(found.is_some(), exact.is_some(), "{ray:?} {polygon:?}");
            if let (Some(found), Some(exact)) = (found, exact) {
                hits[case % 3] += 1;
                assert!((found.t - exact.t).abs() <= 1e-12 * (1.0 + exact.t));
            }
        }
        assert!(hits.iter().all(|count| *count > 100), "{hits:?}");
    }
}
