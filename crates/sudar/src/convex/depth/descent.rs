//! The height of a smooth difference, made least by going downhill.

use glam::DVec3;

use super::first_tetrahedron::Scaled;

/// Steps, and halvings of each; a handful and none do where the body is smooth.
const STEPS: u32 = 8;
const HALVINGS: u32 = 6;
/// How far the directions of two gradients are apart, of which the second derivative is made: the root of the
/// rounding, by which rounding and curvature do equal harm.
const APART: f64 = 1e-6;

/// A unit normal near this one along which the difference is less high, and that height in the measure of
/// [`Scaled`]: Newton's method on the sphere of directions, the second derivative from differences of support points,
/// which are the gradient. The height only falls; where the difference has corners it may stop at once.
pub fn descend(difference: &Scaled, normal: DVec3) -> (DVec3, f64) {
    let mut at = Place::new(difference, normal);
    for _ in 0..STEPS {
        let Some(next) = at.step(difference) else {
            break;
        };
        at = next;
    }
    (at.normal, at.height)
}

struct Place {
    normal: DVec3,
    /// Where the difference is highest along the normal.
    point: DVec3,
    height: f64,
}

impl Place {
    fn new(difference: &Scaled, normal: DVec3) -> Self {
        let point = difference.support(normal).point;
        Self { normal, point, height: point.dot(normal) }
    }

    /// A place less high, if there is one this way.
    fn step(&self, difference: &Scaled) -> Option<Self> {
        let (u, v) = self.normal.any_orthonormal_pair();
        let gradient = |at: &Self| {
            [at.point.dot(u) - at.height * at.normal.dot(u), at.point.dot(v) - at.height * at.normal.dot(v)]
        };
        let here = gradient(self);
        let beside = |way: DVec3| Self::new(difference, (self.normal + way * APART).normalize());
        let slope = |way: DVec3| {
            let [x, y] = gradient(&beside(way));
            [(x - here[0]) / APART, (y - here[1]) / APART]
        };
        let way = newton([slope(u), slope(v)], here).unwrap_or([-here[0], -here[1]]);
        let way = u * way[0] + v * way[1];
        (0..HALVINGS)
            .map(|i| Self::new(difference, (self.normal + way / f64::from(1 << i)).normalize()))
            .find(|next| next.height < self.height)
    }
}

/// Where the gradient vanishes; `None` unless the second derivative says that it is a minimum, not far away.
fn newton([[a, b], [c, d]]: [[f64; 2]; 2], [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let (beside, determinant) = ((b + c) * 0.5, a * d - (b + c) * (b + c) * 0.25);
    let way = [(beside * y - d * x) / determinant, (beside * x - a * y) / determinant];
    (a > 0.0 && determinant > 0.0 && way[0].abs().max(way[1].abs()) < 0.5).then_some(way)
}
