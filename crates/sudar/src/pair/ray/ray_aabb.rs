//! Ray and axis-aligned box.

use std::cmp::Ordering;

use glam::DVec3;

use crate::math::exact::rational;
use crate::shape::{Aabb, Ray};

/// Where a ray enters a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntryPoint {
    /// Parameter of the point of entry, in units of the length of the ray's direction; 0 if the ray starts
    /// inside or on the boundary.
    pub t: f64,
    /// Outward normal of the surface there, of unit length; zero if the ray starts inside or on the boundary.
    pub normal: DVec3,
}

/// Where the ray enters the box, if it does so at a parameter of at most `max`.
///
/// By slabs (Kay and Kajiya 1986, "Ray tracing complex scenes"): the ray is inside all three pairs of planes from
/// the last entry to the first exit. Whether it hits is exact, at edges, corners and along faces too; `t` is
/// rounded within one ulp. At an edge or corner the normal is that of the first axis. Nothing is hit in an empty
/// box; ends of the box may be infinite.
pub fn ray_aabb(ray: &Ray, aabb: &Aabb, max: f64) -> Option<EntryPoint> {
    let mut enter = Crossing { axis: 0, plane: f64::NAN, t: f64::NEG_INFINITY };
    let mut exit = Crossing { axis: 0, plane: f64::NAN, t: f64::INFINITY };
    for axis in 0..3 {
        let (low, high) = (aabb.min[axis], aabb.max[axis]);
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        // A ray along the slab, or one that starts outside and moves away, needs no division.
        let misses = (origin < low && direction <= 0.0) || (origin > high && direction >= 0.0);
        if misses || low > high {
            return None;
        }
        if direction == 0.0 {
            continue;
        }
        let (near, far) = if direction > 0.0 { (low, high) } else { (high, low) };
        let (near, far) = (Crossing::new(ray, axis, near), Crossing::new(ray, axis, far));
        enter = if near.compare(&enter, ray) == Ordering::Greater { near } else { enter };
        exit = if far.compare(&exit, ray) == Ordering::Less { far } else { exit };
    }
    if enter.t <= 0.0 {
        return (0.0 <= max && exit.t >= 0.0).then_some(EntryPoint { t: 0.0, normal: DVec3::ZERO });
    }
    let hits = enter.t <= max && enter.compare(&exit, ray) != Ordering::Greater;
    hits.then(|| EntryPoint { t: enter.t, normal: enter.normal(ray) })
}

/// Where a ray crosses a plane of a slab.
#[derive(Clone, Copy)]
struct Crossing {
    axis: usize,
    plane: f64,
    t: f64,
}

impl Crossing {
    /// Bound on the relative error of `t`: two roundings.
    const ROUNDING: f64 = 2.0 * f64::EPSILON;

    fn new(ray: &Ray, axis: usize, plane: f64) -> Self {
        Self { axis, plane, t: (plane - ray.origin[axis]) / ray.direction[axis] }
    }

    /// Which crossing comes first. Exact.
    fn compare(&self, other: &Self, ray: &Ray) -> Ordering {
        let doubt = Self::ROUNDING * (self.t.abs() + other.t.abs()) + f64::MIN_POSITIVE;
        let difference = self.t - other.t;
        if difference.abs() > doubt || difference.is_nan() || !doubt.is_finite() {
            return self.t.total_cmp(&other.t);
        }
        let exact =
            |c: &Self| (rational(c.plane) - rational(ray.origin[c.axis])) / rational(ray.direction[c.axis]);
        exact(self).cmp(&exact(other))
    }

    fn normal(&self, ray: &Ray) -> DVec3 {
        let mut normal = DVec3::ZERO;
        normal[self.axis] = -ray.direction[self.axis].signum();
        normal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const UNIT: Aabb = Aabb { min: DVec3::ZERO, max: DVec3::ONE };

    fn hit(origin: [f64; 3], direction: [f64; 3]) -> Option<f64> {
        let ray = Ray { origin: origin.into(), direction: direction.into() };
        ray_aabb(&ray, &UNIT, f64::INFINITY).map(|hit| hit.t)
    }

    #[test]
    fn rays_in_and_along_the_slab_planes_make_no_nan() {
        assert_eq!(hit([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), Some(1.0), "along an edge");
        assert_eq!(hit([-1.0, 1.0, 0.5], [1.0, -0.0, 0.0]), Some(1.0), "along a face");
        assert_eq!(hit([-1.0, 1.0f64.next_up(), 0.5], [1.0, 0.0, 0.0]), None);
        assert_eq!(hit([0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), Some(0.0), "leaving from a corner");
        assert_eq!(hit([0.5, 0.5, 1.0], [0.0, 0.0, 1.0]), Some(0.0), "leaving from a face");
        assert_eq!(hit([0.5, 0.5, 1.5], [0.0, 0.0, 1.0]), None);
        assert_eq!(hit([0.5, 0.5, 0.5], [0.0, 0.0, 1.0]), Some(0.0), "from inside");
    }

    #[test]
    fn the_parameter_counts_in_lengths_of_the_direction_and_stops_at_the_maximum() {
        let ray = Ray { origin: DVec3::new(-4.0, 0.5, 0.5), direction: DVec3::new(2.0, 0.0, 0.0) };
        let found = ray_aabb(&ray, &UNIT, 2.0);
        assert_eq!(found, Some(EntryPoint { t: 2.0, normal: -DVec3::X }));
        assert_eq!(ray_aabb(&ray, &UNIT, 2.0f64.next_down()), None);
    }

    #[test]
    fn grazing_an_edge_is_exact() {
        // Through the edge x = 0, y = 1: from (−q, 1 − q) along (1, 1), or an ulp above.
        for i in 1..200 {
            let q = f64::from(i) / 64.0;
            assert_eq!(hit([-q, 1.0 - q, 0.5], [1.0, 1.0, 0.0]), Some(q));
            assert_eq!(hit([-q, (1.0 - q).next_up(), 0.5], [1.0, 1.0, 0.0]), None);
        }
    }

    #[test]
    fn empty_and_infinite_boxes() {
        let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };
        assert_eq!(ray_aabb(&ray, &Aabb::EMPTY, f64::INFINITY), None);
        let all = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
        assert_eq!(ray_aabb(&ray, &all, 1.0).map(|hit| hit.t), Some(0.0));
        let right = Aabb { min: DVec3::new(2.0, f64::NEG_INFINITY, -1.0), max: DVec3::INFINITY };
        assert_eq!(ray_aabb(&ray, &right, 9.0).map(|hit| hit.t), Some(2.0));
    }

    #[test]
    fn points_of_the_box_are_hit_and_stepping_along_agrees() {
        let mut random = Random::new(8);
        for _ in 0..3000 {
            let (origin, target) = (random.grid_point(4), random.grid_point(4));
            if origin == target {
                continue;
            }
            let ray = Ray { origin, direction: target - origin };
            let aabb = Aabb::around(random.grid_points::<2>(2));
            let found = ray_aabb(&ray, &aabb, 1.0);
            // All crossings of these small whole numbers are multiples of 1/n, n ≤ 8; 840 is divisible by all.
            let first = (0..=840).find(|&i| {
                let p = (origin * 840.0) + (target - origin) * f64::from(i);
                (aabb.min * 840.0).cmple(p).all() && p.cmple(aabb.max * 840.0).all()
            });
            assert_eq!(found.is_some(), first.is_some());
            if let (Some(hit), Some(first)) = (found, first) {
                assert!((hit.t - f64::from(first) / 840.0).abs() < 1e-15);
            }
        }
    }
}
