//! Many triangles seen from afar: how much of the sphere they cover, from a few sums over them.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::math::{Interval, outer};
use crate::shape::Triangle;

/// Sums over a group of triangles: what the far field of their solid angle needs.
///
/// The solid angle of a surface around a point p is the flux ∫ n·g dA of the field g(q) = (q − p)/|q − p|³
/// through it. Expanded around a centre (Barill, Dickson, Schmidt, Levin and Jacobson 2018, "Fast winding
/// numbers for soups and clouds") it is N·g + L:∇g + …, where N = ∫ n dA and L = ∫ n (q − c)ᵀ dA are sums
/// over the triangles. What is left out is at most ½·∫ |q − c|² dA · sup |∇²g|, and the second derivatives of
/// g, which are third ones of 1/|x|, are at most 3!/|x|⁴: the expansion has a bound of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// The centre c: that of area.
    center: DVec3,
    /// No corner is farther from the centre.
    radius: f64,
    area: f64,
    /// Of all edges of all triangles.
    edges: f64,
    normal: DVec3,
    linear: DMat3,
}

impl Moments {
    /// Of no triangle.
    pub const NONE: Self = Self {
        center: DVec3::ZERO,
        radius: 0.0,
        area: 0.0,
        edges: 0.0,
        normal: DVec3::ZERO,
        linear: DMat3::ZERO,
    };

    /// Of one triangle, with coordinates of at most about 1.
    pub fn of(t: &Triangle) -> Self {
        let center = (t.a + t.b + t.c) / 3.0;
        let normal = (t.b - t.a).cross(t.c - t.a) * 0.5;
        let radius = t.corners().iter().fold(0.0, |r: f64, p| r.max((*p - center).length()));
        let edges = (t.b - t.a).length() + (t.c - t.b).length() + (t.a - t.c).length();
        Self {
            center,
            radius: radius * UP,
            area: normal.length() * UP,
            edges: edges * UP,
            normal,
            linear: DMat3::ZERO,
        }
    }

    /// Of several groups together.
    pub fn joined(groups: &[Self]) -> Self {
        let area: f64 = groups.iter().map(|m| m.area).sum();
        let count = groups.len().max(1) as f64;
        // Points and segments have no area; any centre among them will do.
        let center = if area > 0.0 {
            groups.iter().map(|m| m.center * (m.area / area)).sum::<DVec3>()
        } else {
            groups.iter().map(|m| m.center / count).sum::<DVec3>()
        };
        let mut all = Self { center, ..Self::NONE };
        for m in groups {
            let offset = m.center - center;
            all.radius = all.radius.max((offset.length() + m.radius) * UP);
            all.area += m.area * UP;
            all.edges += m.edges * UP;
            all.normal += m.normal;
            all.linear += m.linear + outer(m.normal, offset);
        }
        all
    }

    /// The same after a linear map that is a rotation but for 1e-5; `cofactor` is its matrix of cofactors, by
    /// which normals turn.
    #[must_use]
    pub fn turned(&self, turn: &DMat3, cofactor: &DMat3) -> Self {
        Self {
            center: *turn * self.center,
            radius: self.radius * STRETCH,
            area: self.area * STRETCH,
            edges: self.edges * STRETCH,
            normal: *cofactor * self.normal,
            linear: *cofactor * self.linear * turn.transpose(),
        }
    }

    /// Around which fraction of the sphere around `p` the triangles wind, as an interval: of all corners off
    /// by up to `slack`. Everything if the point is too near to tell from these sums.
    pub fn winding(&self, p: DVec3, slack: f64) -> Interval {
        let x = self.center - p;
        let distance = x.length();
        let gap = distance - self.radius;
        if !(gap > 4.0 * slack && gap > 1e-12 * distance && distance < 1e60) {
            return EVERYTHING;
        }
        let (square, cube) = (distance * distance, distance * distance * distance);
        let trace = self.linear.x_axis.x + self.linear.y_axis.y + self.linear.z_axis.z;
        let first = self.normal.dot(x) / cube;
        let second = (trace - 3.0 * x.dot(self.linear * x) / square) / cube;
        let near = 1.0 / (gap * gap);
        // What is left out; then rounding: of sums over 30 levels of eight groups 240 halves of an ulp, and a
        // few dozen here; then what moved corners change: the flux through the strips along the edges, for
        // each triangle by itself.
        let cut_off = 3.0 * self.area * (self.radius * near) * (self.radius * near);
        let error = cut_off + (1e-13 * self.area + 3.0 * self.edges * slack) * near;
        let scale = 1.0 / (4.0 * PI);
        Interval::point((first + second) * scale).widened(error * scale * 1.01)
    }
}

/// Nothing is known of it.
const EVERYTHING: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
/// More than the rounding of a length or of a sum of a few numbers.
const UP: f64 = 1.0 + 16.0 * f64::EPSILON;
/// More than a map that is a rotation but for 1e-5 can stretch lengths and areas.
const STRETCH: f64 = 1.0 + 1e-4;

#[cfg(test)]
mod tests {

    use super::*;
    use crate::inside::winding_of_triangle;
    use crate::testing::Random;

    #[test]
    fn the_far_field_holds_the_sum_of_the_triangles_and_narrows_with_the_fourth_power() {
        let mut rng = Random::new(3);
        let mut point = |size: f64| rng.point() * size;
        for _ in 0..200 {
            let triangles: Vec<Triangle> =
                (0..12).map(|_| Triangle { a: point(0.2), b: point(0.2), c: point(0.2) }).collect();
            let groups: Vec<Moments> = triangles
                .chunks(4)
                .map(|chunk| Moments::joined(&chunk.iter().map(Moments::of).collect::<Vec<_>>()))
                .collect();
            let all = Moments::joined(&groups);
            let direction = point(1.0).normalize();
            let mut widths = Vec::new();
            for far in [0.6, 2.0, 20.0] {
                let p = direction * far;
                let each = triangles.iter().map(|t| winding_of_triangle(t, p));
                let (low, high) = each.fold((0.0, 0.0), |sum, w| (sum.0 + w.lower, sum.1 + w.upper));
                let found = all.winding(p, 0.0);
                assert!(found.lower <= high && low <= found.upper, "{found:?} {low} {high}");
                widths.push(found.width());
            }
            assert!(widths[2] < widths[1] * 2e-4, "{widths:?}");
        }
    }
}
