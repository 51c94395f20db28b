//! Ray and sphere, in the two forms of the lecture.

use sudar::{Ray, Sphere};

/// The mathematical solution: `t² + 2bt + c = 0` with `b = D·(O − C)` and `c = (O − C)·(O − C) − r²`, for a direction D
/// of length 1. In plain `f64`: squares of lengths must be within its range, and digits cancel where the sphere is far.
///
/// ```
/// use sudar::{DVec3, Ray, Sphere};
/// use sudar_classic::pick::Mathematical;
///
/// let ball = Sphere::new(DVec3::ZERO, 1.0)?;
/// let found = Mathematical::new(&Ray::new(DVec3::X * -3.0, DVec3::X)?, &ball);
/// assert_eq!((found.discriminant, found.roots), (1.0, Some([2.0, 4.0])));
/// # Ok::<(), sudar::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mathematical {
    /// Half the coefficient of t.
    pub b: f64,
    /// The constant term.
    pub c: f64,
    /// `b² − c`: negative if the line passes by, 0 if it touches.
    pub discriminant: f64,
    /// Where the line comes in and goes out, in units of the ray's direction; `None` if it passes by.
    pub roots: Option<[f64; 2]>,
}

impl Mathematical {
    /// Solves the equation.
    pub fn new(ray: &Ray, sphere: &Sphere) -> Self {
        let speed = ray.direction.length();
        let from_center = ray.origin - sphere.center;
        let b = (ray.direction / speed).dot(from_center);
        let c = from_center.length_squared() - sphere.radius * sphere.radius;
        let discriminant = b * b - c;
        let root = discriminant.sqrt();
        let roots = (discriminant >= 0.0).then(|| [(-b - root) / speed, (-b + root) / speed]);
        Self { b, c, discriminant, roots }
    }

    /// The first point of the sphere on the ray; from inside where the ray leaves.
    pub fn first(&self) -> Option<f64> {
        self.roots?.into_iter().find(|t| *t >= 0.0)
    }
}

/// The optimal solution: two tests that reject before the root is taken.
///
/// ```
/// use sudar::{DVec3, Ray, Sphere};
/// use sudar_classic::pick::{Optimal, Rejected};
///
/// let ball = Sphere::new(DVec3::ZERO, 1.0)?;
/// let away = Optimal::new(&Ray::new(DVec3::X * 3.0, DVec3::X)?, &ball);
/// assert_eq!(away.outcome, Err(Rejected::Behind));
/// # Ok::<(), sudar::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimal {
    /// How far along the ray the centre is: d.
    pub along: f64,
    /// The square of its distance from the origin: l².
    pub far_squared: f64,
    /// The square of its distance from the line: m². `None` if the first test rejects.
    pub off_squared: Option<f64>,
    /// The first point of the sphere on the ray, in units of its direction; from inside where the ray leaves.
    pub outcome: Result<f64, Rejected>,
}

/// Why a ray misses a sphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rejected {
    /// The origin is outside and the centre behind it: d < 0 and l² > r², line 4.
    Behind,
    /// The line passes by: m² > r², line 6.
    Beside,
}

impl Optimal {
    /// The ten lines of the lecture.
    pub fn new(ray: &Ray, sphere: &Sphere) -> Self {
        let speed = ray.direction.length();
        let to_center = sphere.center - ray.origin;
        let along = to_center.dot(ray.direction / speed);
        let (far_squared, radius_squared) = (to_center.length_squared(), sphere.radius * sphere.radius);
        let found = |off_squared, outcome| Self { along, far_squared, off_squared, outcome };
        if along < 0.0 && far_squared > radius_squared {
            return found(None, Err(Rejected::Behind));
        }
        let off_squared = far_squared - along * along;
        if off_squared > radius_squared {
            return found(Some(off_squared), Err(Rejected::Beside));
        }
        let half_chord = (radius_squared - off_squared).sqrt();
        let t = if far_squared > radius_squared { along - half_chord } else { along + half_chord };
        found(Some(off_squared), Ok(t / speed))
    }
}

#[cfg(test)]
mod tests {
    use sudar::DVec3;
    use sudar::pair::ray_sphere;
    use sudar_testing::Random;

    use super::*;

    /// Both forms and the exact test agree on random rays; from inside, where the exact one says 0, both say where the
    /// ray leaves, which is on the sphere.
    #[test]
    fn both_forms_agree_with_the_exact_test() {
        let mut random = Random::new(5);
        let (mut hits, mut misses, mut inside) = (0, 0, 0);
        for _ in 0..20_000 {
            let sphere = Sphere::new(random.point(), random.within(0.1, 1.0)).unwrap();
            let origin = random.point() * 2.0;
            let near = sphere.center + 1.5 * sphere.radius * random.point();
            let ray = Ray::new(origin, (near - origin) * random.within(0.1, 9.0)).unwrap();
            let (one, other) = (Mathematical::new(&ray, &sphere), Optimal::new(&ray, &sphere));
            let exact = ray_sphere(&ray, &sphere, f64::INFINITY);
            let Some(entry) = exact else {
                misses += 1;
                assert!(one.first().is_none() && other.outcome.is_err(), "{ray:?} {sphere:?}");
                continue;
            };
            let (s, t) = (one.first().unwrap(), other.outcome.unwrap());
            assert!((s - t).abs() <= 1e-7 * (1.0 + t), "{ray:?} {sphere:?}: {s} {t}");
            if entry.t > 0.0 {
                hits += 1;
                assert!((t - entry.t).abs() <= 1e-7 * (1.0 + t), "{ray:?} {sphere:?}: {t} {}", entry.t);
            } else {
                inside += 1;
                assert!((ray.at(t).distance(sphere.center) - sphere.radius).abs() < 1e-12);
            }
        }
        assert!(hits > 1000 && misses > 1000 && inside > 300, "{hits} {misses} {inside}");
    }

    #[test]
    fn each_test_rejects_what_it_is_for() {
        let ball = Sphere::new(DVec3::ZERO, 1.0).unwrap();
        let outcome = |origin, direction| Optimal::new(&Ray::new(origin, direction).unwrap(), &ball).outcome;
        assert_eq!(outcome(DVec3::X * 3.0, DVec3::X), Err(Rejected::Behind));
        assert_eq!(outcome(DVec3::new(-3.0, 1.5, 0.0), DVec3::X), Err(Rejected::Beside));
        assert_eq!(outcome(DVec3::new(-3.0, 1.0, 0.0), DVec3::X * 2.0), Ok(1.5)); // touches
        assert_eq!(outcome(DVec3::X * 0.5, DVec3::X), Ok(0.5)); // leaves
    }
}
