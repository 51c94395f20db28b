//! Ray and box, by slabs.

use sudar::{Aabb, Ray};

/// The method of slabs: a box is what three slabs have in common, and a line is in it from the last entry into a slab
/// to the first exit from one. In plain `f64`.
///
/// ```
/// use sudar::{Aabb, DVec3, Ray};
/// use sudar_classic::pick::Slabs;
///
/// let cube = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
/// let found = Slabs::new(&Ray::new(DVec3::new(-1.0, 0.5, -0.5), DVec3::new(1.0, 0.0, 1.0))?, &cube);
/// assert_eq!((found.intervals[0], found.intervals[2]), ([1.0, 2.0], [0.5, 1.5]));
/// assert_eq!(found.first(), Some(1.0));
/// # Ok::<(), sudar::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slabs {
    /// Of the slab across x, y and z the parameters at which the line comes in and goes out; all numbers if it runs
    /// along and within, `[∞, −∞]` if it runs along and outside.
    pub intervals: [[f64; 2]; 3],
    /// The last entry.
    pub enter: f64,
    /// The first exit.
    pub exit: f64,
}

impl Slabs {
    /// Cuts the line with each slab.
    pub fn new(ray: &Ray, aabb: &Aabb) -> Self {
        let intervals = [0, 1, 2].map(|axis| {
            let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
            let [low, high] = [aabb.min[axis], aabb.max[axis]];
            if direction == 0.0 {
                let within = low <= origin && origin <= high;
                return if within {
                    [f64::NEG_INFINITY, f64::INFINITY]
                } else {
                    [f64::INFINITY, f64::NEG_INFINITY]
                };
            }
            let [s, t] = [(low - origin) / direction, (high - origin) / direction];
            [s.min(t), s.max(t)]
        });
        let enter = intervals.iter().fold(f64::NEG_INFINITY, |most, interval| most.max(interval[0]));
        let exit = intervals.iter().fold(f64::INFINITY, |least, interval| least.min(interval[1]));
        Self { intervals, enter, exit }
    }

    /// The first point of the surface on the ray; from inside where it leaves.
    pub fn first(&self) -> Option<f64> {
        (self.enter <= self.exit && self.exit >= 0.0).then_some(if self.enter >= 0.0 {
            self.enter
        } else {
            self.exit
        })
    }
}

#[cfg(test)]
mod tests {
    use sudar::DVec3;
    use sudar::pair::ray_aabb;
    use sudar_testing::Random;

    use super::*;

    #[test]
    fn slabs_agree_with_the_exact_test() {
        let mut random = Random::new(6);
        let mut hits = 0;
        for case in 0..20_000 {
            let (p, q) = (random.point(), random.point());
            let aabb = Aabb { min: p.min(q), max: p.max(q) };
            let origin = random.point() * 2.0;
            let mut direction = random.point() - origin;
            if case % 3 == 0 {
                direction[case % 9 / 3] = 0.0;
            }
            let ray = Ray::new(origin, direction).unwrap();
            let (found, exact) = (Slabs::new(&ray, &aabb).first(), ray_aabb(&ray, &aabb, f64::INFINITY));
            assert_eq!(found.is_some(), exact.is_some(), "{ray:?} {aabb:?}");
            if let (Some(t), Some(entry)) = (found, exact)
                && entry.t > 0.0
            {
                hits += 1;
                assert!((t - entry.t).abs() <= 1e-14 * (1.0 + t));
            }
        }
        assert!(hits > 1000, "{hits}");
        let inside = Ray::new(DVec3::splat(0.5), DVec3::X).unwrap();
        assert_eq!(Slabs::new(&inside, &Aabb { min: DVec3::ZERO, max: DVec3::ONE }).first(), Some(0.5));
    }
}
