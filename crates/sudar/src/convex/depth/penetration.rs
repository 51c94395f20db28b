//! What methods for the depth of an overlap answer.

use glam::DVec3;

use crate::convex::{Difference, Vertex};
use crate::math::Interval;

/// Where two overlapping cores are pushed apart by the least translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorePenetration {
    /// The length of that translation, for the cores without their margins; 0 if they only touch, or turn out to be
    /// apart.
    pub depth: Interval,
    /// Unit vector from the first body to the second: moving the second by `depth.upper·normal` separates the cores,
    /// up to the rounding of the normal.
    pub normal: DVec3,
    /// A point on the surface of the first core, deepest in the second.
    pub a: DVec3,
    /// A point on the surface of the second core, deepest in the first: `a − b` is about `depth·normal`.
    pub b: DVec3,
    /// Numbers of the vertices of first and second core between which `a` and `b` lie, see
    /// [`crate::convex::SupportPoint::vertex`].
    pub vertices: [[u32; 2]; 3],
    /// How often the polytope, or whatever the method refines, was refined.
    pub expansions: u32,
}

/// How narrow an interval is wanted. Narrower than rounding it does not get; zeros mean as narrow as possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Width at which to stop, zero or more.
    pub absolute: f64,
    /// Width relative to the upper end at which to stop, zero or more.
    pub relative: f64,
}

impl Accuracy {
    /// A relative width of 1e-9.
    pub const DEFAULT: Self = Self { absolute: 0.0, relative: 1e-9 };

    /// As narrow as rounding allows.
    pub const BEST: Self = Self { absolute: 0.0, relative: 0.0 };

    /// At most this wide.
    pub const fn absolute(absolute: f64) -> Self {
        Self { absolute, relative: 0.0 }
    }

    /// At most this wide in relation to the upper end.
    pub const fn relative(relative: f64) -> Self {
        Self { absolute: 0.0, relative }
    }

    /// The width at which to stop.
    #[inline]
    pub fn width(&self, upper: f64) -> f64 {
        self.absolute.max(self.relative * upper)
    }
}

impl Default for Accuracy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The points of both cores in the world that three points of their difference come from, with weights.
pub fn witnesses(difference: &Difference, corners: &[Vertex; 3], weights: [f64; 3]) -> [DVec3; 2] {
    let mix = |points: [DVec3; 3]| points[0] * weights[0] + points[1] * weights[1] + points[2] * weights[2];
    let [a, b] = [mix(corners.map(|v| v.a)), mix(corners.map(|v| v.b))];
    [difference.a.center() + a, difference.b.center() + b]
}

/// The weights of the corners, not negative and of sum 1, whose mean is the point of the triangle nearest to the
/// origin; about so where the triangle is thin. The corners must be of about size one.
pub fn nearest_weights(corners: [DVec3; 3]) -> [f64; 3] {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let inside = [b.cross(c), c.cross(a), a.cross(b)].map(|area| area.dot(normal));
    let sum = inside[0] + inside[1] + inside[2];
    if sum > 0.0 && inside.iter().all(|w| *w >= 0.0) {
        return inside.map(|w| w / sum);
    }
    let [ab, bc, ca] = [along(a, b), along(b, c), along(c, a)];
    let edges = [[1.0 - ab, ab, 0.0], [0.0, 1.0 - bc, bc], [ca, 0.0, 1.0 - ca]];
    let distance = |w: &[f64; 3]| (a * w[0] + b * w[1] + c * w[2]).length_squared();
    edges.into_iter().min_by(|v, w| distance(v).total_cmp(&distance(w))).unwrap_or([1.0, 0.0, 0.0])
}

/// How far along the segment from `a` to `b` the point nearest to the origin is, 0 to 1.
fn along(a: DVec3, b: DVec3) -> f64 {
    let (way, size) = (b - a, (b - a).length_squared());
    if size > 0.0 { (-a.dot(way) / size).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_face_edge_and_corner() {
        let at = |x: f64, y: f64| DVec3::new(x, y, 1.0);
        assert_eq!(nearest_weights([at(-1.0, -1.0), at(1.0, -1.0), at(0.0, 1.0)]), [0.25, 0.25, 0.5]);
        assert_eq!(nearest_weights([at(-1.0, 1.0), at(1.0, 1.0), at(0.0, 2.0)]), [0.5, 0.5, 0.0]);
        assert_eq!(nearest_weights([at(1.0, 1.0), at(2.0, 1.0), at(1.0, 2.0)]), [1.0, 0.0, 0.0]);
        assert_eq!(nearest_weights([at(1.0, 1.0); 3]), [1.0, 0.0, 0.0]);
    }
}
