//! Two ellipsoids with the same centre.

use glam::{DMat3, DVec3};

use super::first_tetrahedron::Scaled;
use crate::convex::{CorePenetration, Difference, PosedConvex};
use crate::math::{Interval, symmetric_eigen};
use crate::shape::Round;

/// Steps after which the search stops whatever the width; some 30 do.
const STEPS: u32 = 1000;

/// The depth of two ellipsoids with the same centre but for rounding, turned in any way; to some 1e-15 of their
/// sizes. `None` if a core is no ellipsoid or the centres differ.
///
/// With matrices A, B whose heights in direction n are √(nᵀAn) and √(nᵀBn), the depth is the least sum of the two. As
/// (√a + √b)² is the least of a·(1 + 1/t) + b·(1 + t) over t > 0, the square of the depth is the least eigenvalue of
/// A·(1 + 1/t) + B·(1 + t), least over t. That is a function of one number with several minima. For each n the sum is
/// convex in log t, so its tangent in the middle of an interval bounds it from below, and the eigenvalue with it:
/// intervals are cut in two, the most promising first, until the bound meets the best value found.
pub fn concentric_ellipsoids(a: &PosedConvex, b: &PosedConvex) -> Option<CorePenetration> {
    let round = |body: &PosedConvex| body.convex().core().round().copied();
    let (Some(Round::Ellipsoid(p)), Some(Round::Ellipsoid(q))) = (round(a), round(b)) else { return None };
    let (p, q) = (p.radii, q.radii);
    let difference = Difference::new(*a, *b);
    let off = difference.between().length();
    if off > difference.slack() {
        return None;
    }
    let scale = Scaled::new(&difference).scale;
    let matrices =
        [(a, p * scale), (b, q * scale)].map(|(body, radii)| heights(body.pose().rotation(), radii));
    let mut search = Search { matrices, least: f64::INFINITY, normal: DVec3::Z };
    let (square, expansions) = search.run(first_interval(p, q));
    let [u, v] = [a.support(search.normal).offset, b.support(-search.normal).offset];
    let slack = difference.slack() + off;
    let upper = ((u - v).dot(search.normal) + slack).next_up();
    let lower = square.max(0.0).sqrt() / scale * (1.0 - 4.0 * f64::EPSILON) - slack;
    let depth = Interval { lower: lower.max(0.0).min(upper), upper };
    let (a, b, vertices) = (a.center() + u, b.center() + v, [[0; 2]; 3]);
    Some(CorePenetration { depth, normal: search.normal, a, b, vertices, expansions })
}

/// The matrix M with |diag(radii)·Rᵀn|² = nᵀMn.
fn heights(rotation: DMat3, radii: DVec3) -> DMat3 {
    let stretched = rotation * DMat3::from_diagonal(radii);
    stretched * stretched.transpose()
}

/// Values of t from `middle / factor` to `middle · factor`.
#[derive(Clone, Copy)]
struct Span {
    middle: f64,
    factor: f64,
    /// At least the logarithm of the factor.
    width: f64,
}

impl Span {
    fn new(middle: f64, factor: f64, width: f64) -> Self {
        // x ≤ sinh x; where factor is near 1 that loses to cancellation, and half the width of the parent is better.
        let sinh = (factor - 1.0 / factor) * 0.5;
        Self { middle, factor, width: if factor > 1.001 { width.min(sinh) } else { width } }
    }

    fn halves(&self) -> [Self; 2] {
        // Somewhat too wide rather than too narrow.
        let factor = self.factor.sqrt() * (1.0 + 2.0 * f64::EPSILON);
        let width = self.width * 0.5 + 2.0 * f64::EPSILON;
        [self.middle / factor, self.middle * factor].map(|middle| Self::new(middle, factor, width))
    }
}

/// At the least sum t is √a/√b, the ratio of two heights. The poses need not be quite rigid.
fn first_interval(p: DVec3, q: DVec3) -> Span {
    let (least, most) = (p.min_element() / q.max_element(), p.max_element() / q.min_element());
    let factor = (most / least).sqrt() * 1.01;
    Span::new(least.sqrt() * most.sqrt(), factor, f64::INFINITY)
}

struct Search {
    matrices: [DMat3; 2],
    /// The least square of a sum of heights, and in which direction.
    least: f64,
    normal: DVec3,
}

impl Search {
    /// A lower bound for the square of the depth, and the number of steps.
    fn run(&mut self, first: Span) -> (f64, u32) {
        let mut waiting = vec![(self.bound(&first), first)];
        for step in 0..STEPS {
            let next = (1..waiting.len()).fold(0, |m, i| if waiting[i].0 < waiting[m].0 { i } else { m });
            let (lower, span) = waiting[next];
            if self.least - lower <= 4.0 * self.rounding(span.middle)
                || span.factor <= 1.0 + 8.0 * f64::EPSILON
            {
                return (lower, step);
            }
            waiting.swap_remove(next);
            waiting.extend(span.halves().map(|half| (self.bound(&half), half)));
            waiting.retain(|(lower, _)| *lower <= self.least);
            if waiting.is_empty() {
                return (self.least, step);
            }
        }
        (waiting.iter().fold(self.least, |m, (lower, _)| m.min(*lower)), STEPS)
    }

    /// A lower bound for all t of the span; tries the direction that is best in its middle.
    fn bound(&mut self, span: &Span) -> f64 {
        let ([a, b], t) = (self.matrices, span.middle);
        let middle = a * (1.0 + 1.0 / t) + b * (1.0 + t);
        let slope = b * t - a * (1.0 / t);
        self.try_direction(symmetric_eigen(&middle).vectors.z_axis);
        let end = |width: f64| {
            if width.is_finite() {
                symmetric_eigen(&(middle + slope * width)).values.z
            } else {
                f64::NEG_INFINITY
            }
        };
        end(-span.width).min(end(span.width)) - self.rounding(t) * (1.0 + span.width.min(1e9))
    }

    /// What an eigenvalue of the sums at t may be off by: products and sums of the entries, and a few ulp of the
    /// greatest eigenvalue, which is at most the trace.
    fn rounding(&self, t: f64) -> f64 {
        let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        16.0 * f64::EPSILON
            * (trace(&self.matrices[0]) * (1.0 + 1.0 / t) + trace(&self.matrices[1]) * (1.0 + t))
    }

    fn try_direction(&mut self, n: DVec3) {
        let [a, b] = self.matrices.map(|m| n.dot(m * n).max(0.0).sqrt());
        if (a + b) * (a + b) < self.least {
            self.least = (a + b) * (a + b);
            self.normal = n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{Accuracy, Convex, expanding_polytope};
    use crate::math::Pose;
    use crate::shape::{Ellipsoid, Shape};
    use crate::testing::Random;

    fn ellipsoid(x: f64, y: f64, z: f64) -> Convex {
        Convex::of(&Shape::from(Ellipsoid::new(DVec3::new(x, y, z)).unwrap())).unwrap()
    }

    #[test]
    fn axes_in_common() {
        let (a, b) = (ellipsoid(1.0, 2.0, 3.0), ellipsoid(5.0, 1.0, 1.5));
        let pose = Pose::IDENTITY;
        // √(x² + 25x…) is concave between the axes: the least of 1 + 5, 2 + 1, 3 + 1.5.
        let found =
            concentric_ellipsoids(&PosedConvex::new(&a, &pose), &PosedConvex::new(&b, &pose)).unwrap();
        assert!(found.depth.contains(3.0) && found.depth.width() < 1e-12, "{found:?}");
        assert!(found.normal.abs().abs_diff_eq(DVec3::Y, 1e-7));
        let ball = ellipsoid(2.0, 2.0, 2.0);
        let found =
            concentric_ellipsoids(&PosedConvex::new(&ball, &pose), &PosedConvex::new(&ball, &pose)).unwrap();
        assert!(found.depth.contains(4.0) && found.depth.width() < 1e-13, "{found:?}");
    }

    #[test]
    fn any_turn_against_the_expanding_polytope() {
        let mut random = Random::new(31);
        let mut steps = Vec::new();
        for case in 0..150 {
            let k = f64::powi(10.0, case % 19 - 9);
            let thin = if case % 4 == 0 { 1e-3 } else { 1.0 };
            let mut body = || random.point().abs() + 0.1;
            let (p, q) = (body() * k, body() * k * DVec3::new(1.0, thin, 1.0));
            let (a, b) = (ellipsoid(p.x, p.y, p.z), ellipsoid(q.x, q.y, q.z));
            let (s, t) = (random.turned(DVec3::ONE * k), random.turned(DVec3::ONE * k));
            let (a, b) = (PosedConvex::new(&a, &s), PosedConvex::new(&b, &t));
            let found = concentric_ellipsoids(&a, &b).unwrap();
            let accuracy = Accuracy { absolute: 0.0, relative: 1e-6 };
            let other = expanding_polytope(&Difference::new(a, b), &[], &accuracy, 512).depth;
            assert!(
                found.depth.lower <= other.upper && other.lower <= found.depth.upper,
                "{found:?} {other:?}"
            );
            assert!(found.depth.width() < 2e-13 * k / thin, "{:e} {case} {found:?}", found.depth.width() / k);
            assert!((found.a - found.b - found.normal * found.depth.upper).length() < 1e-4 * k, "{found:?}");
            steps.push(found.expansions);
        }
        steps.sort_unstable();
        println!("concentric ellipsoids, steps: {steps:?}");
    }
}
