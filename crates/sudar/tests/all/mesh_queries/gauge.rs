//! Round bodies as convex functions that are negative inside, and the least that such a function has on a triangle.

use sudar::{DVec3, Pose, Triangle};

/// A body of its own frame; of radius and half length along z, or of semi-axes.
#[derive(Debug, Clone, Copy)]
pub enum Gauge {
    Cylinder(f64, f64),
    Cone(f64, f64),
    Ellipsoid(DVec3),
}

impl Gauge {
    /// Zero on the surface, and in units of the body's size. Convex, as the largest of convex functions.
    fn at(&self, p: DVec3) -> f64 {
        match *self {
            Self::Cylinder(radius, half) => {
                (p.truncate().length() / radius - 1.0).max(p.z.abs() / half - 1.0)
            }
            // At height z the cone is radius·(half − z)/(2·half) wide.
            Self::Cone(radius, half) => {
                (p.truncate().length() / radius - (1.0 - p.z / half) * 0.5).max(p.z.abs() / half - 1.0)
            }
            Self::Ellipsoid(radii) => (p / radii).length() - 1.0,
        }
    }

    fn least_size(&self) -> f64 {
        match *self {
            Self::Cylinder(radius, half) | Self::Cone(radius, half) => radius.min(half),
            Self::Ellipsoid(radii) => radii.min_element(),
        }
    }

    /// Nearer to zero than this, rounding and the search below may have changed the sign.
    pub fn room(&self, pose: &Pose, t: &Triangle) -> f64 {
        let far = t.corners().map(|p| p.abs().max_element()).into_iter().fold(0.0, f64::max);
        let reach = far + pose.translation().abs().max_element();
        1e-12 + 1e-12 * reach / self.least_size()
    }
}

/// The least of a convex function on a triangle, up to 1e-13 of what it changes by: on each chord parallel to
/// a side the least is found by golden sections, and that is a convex function of the chord.
pub fn least(gauge: &Gauge, [a, b, c]: &[DVec3; 3]) -> f64 {
    golden(|s| {
        let (p, q) = (*a + (*b - *a) * s, *a + (*c - *a) * s);
        golden(|t| gauge.at(p + (q - p) * t))
    })
}

fn golden(f: impl Fn(f64) -> f64) -> f64 {
    const PART: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut p, mut q) = (high - PART, low + PART);
    let (mut at_p, mut at_q) = (f(p), f(q));
    let mut least = f(0.0).min(f(1.0)).min(at_p).min(at_q);
    for _ in 0..60 {
        if at_p < at_q {
            (high, q, at_q) = (q, p, at_p);
            p = high - PART * (high - low);
            at_p = f(p);
        } else {
            (low, p, at_p) = (p, q, at_q);
            q = low + PART * (high - low);
            at_q = f(q);
        }
        least = least.min(at_p).min(at_q);
    }
    least
}
