//! The Minkowski difference of two bodies.

use fearless_simd::Simd;
use glam::DVec3;

use super::blocks::{argmax, at, farthest, farthest_of_two};
use super::corners::Corners;
use super::{PosedConvex, SupportPoint};
use crate::math::simd::Level;

/// The set of all a − b for points a, b of two cores (without margins), by its support mapping.
#[derive(Debug, Clone, Copy)]
pub struct Difference<'a> {
    /// The first body.
    pub a: PosedConvex<'a>,
    /// The second body.
    pub b: PosedConvex<'a>,
    /// From the centre of the first to that of the second.
    between: DVec3,
    corners: [Corners; 2],
    level: Level,
    /// All lengths are multiplied by this power of two; 1 but for extremely large or small bodies.
    scale: f64,
}

/// A point of the difference and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// The point a − b.
    pub point: DVec3,
    /// The point a, as seen from the centre of the first body.
    pub a: DVec3,
    /// The point b, as seen from the centre of the second body.
    pub b: DVec3,
    /// The numbers of the vertices a and b, see [`super::SupportPoint::vertex`].
    pub vertices: [u32; 2],
}

impl<'a> Difference<'a> {
    /// The difference of two posed bodies.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn new(a: PosedConvex<'a>, b: PosedConvex<'a>) -> Self {
        let corners = [Corners::new(&a), Corners::new(&b)];
        Self { a, b, between: b.center() - a.center(), corners, level: Level::new(), scale: 1.0 }
    }

    /// [`Difference::support`] where the SIMD level is known.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub(super) fn support_at<S: Simd>(&self, simd: S, direction: DVec3) -> Vertex {
        let (a, b) = (self.corners[0].blocks(), self.corners[1].blocks());
        if a.is_empty() || b.is_empty() {
            return self.support_of_each(direction);
        }
        let (i, j) = (argmax(simd, a, direction), argmax(simd, b, -direction));
        self.between_offsets(at(a, i), at(b, j), [i as u32, j as u32])
    }

    /// The same, with no vertices posed beforehand: for few support points, and for searches, which pose them by SIMD
    /// where that pays.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn unposed(a: PosedConvex<'a>, b: PosedConvex<'a>) -> Self {
        let corners = [Corners::None; 2];
        Self { a, b, between: b.center() - a.center(), corners, level: Level::new(), scale: 1.0 }
    }

    /// Whether no vertices were posed beforehand.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub(super) fn is_unposed(&self) -> bool {
        let [a, b] = &self.corners;
        a.blocks().is_empty() && b.blocks().is_empty()
    }

    /// The same with the vertices of small polytopes posed. Inlined into a kernel, it poses by SIMD.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub(super) fn posed(&self) -> Self {
        Self { corners: [Corners::new(&self.a), Corners::new(&self.b)], ..*self }
    }

    /// The same, computed with another SIMD level.
    #[cfg(test)]
    pub(super) fn at_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    #[inline]
    pub(super) fn level(&self) -> Level {
        self.level
    }

    /// The point farthest in a direction of any length but zero.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn support(&self, direction: DVec3) -> Vertex {
        let [a, b] = [self.corners[0].blocks(), self.corners[1].blocks()];
        if a.is_empty() || b.is_empty() {
            return self.support_of_each(direction);
        }
        let [i, j] = farthest_of_two(self.level, a, b, direction);
        self.between_offsets(at(a, i), at(b, j), [i as u32, j as u32])
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn between_offsets(&self, a: DVec3, b: DVec3, vertices: [u32; 2]) -> Vertex {
        let (a, b) = if self.scale == 1.0 { (a, b) } else { (a * self.scale, b * self.scale) };
        Vertex { point: (a - b) - self.between, a, b, vertices }
    }

    /// The same with all lengths multiplied by a power of two.
    pub(super) fn scaled(&self, scale: f64) -> Self {
        Self { between: self.between * scale, scale: self.scale * scale, ..*self }
    }

    /// A power of two that makes lengths about 1, or 1 if products of four of them stay within the range of `f64`
    /// anyway.
    #[inline]
    pub(super) fn scale_to_compute_with(&self) -> f64 {
        let far = self.between.abs().max_element() + self.radius();
        if (1e-60..1e60).contains(&far) || far == 0.0 { 1.0 } else { inverse_power_of_two(far) }
    }

    fn support_of_each(&self, direction: DVec3) -> Vertex {
        let [a, b] = &self.corners;
        let a = self.known(a, direction).unwrap_or_else(|| self.a.support(direction));
        let b = self.known(b, -direction).unwrap_or_else(|| self.b.support(-direction));
        self.between_offsets(a.offset, b.offset, [a.vertex, b.vertex])
    }

    /// The farthest of the corners of a body, if they are posed.
    #[inline]
    fn known(&self, corners: &Corners, direction: DVec3) -> Option<SupportPoint> {
        let blocks = corners.blocks();
        if blocks.is_empty() {
            return None;
        }
        let vertex = farthest(self.level, blocks, direction);
        Some(SupportPoint { offset: at(blocks, vertex), vertex: vertex as u32 })
    }

    /// The difference of two vertices of polytopes, given by their numbers.
    #[inline]
    pub fn vertex(&self, vertices: [u32; 2]) -> Vertex {
        let [i, j] = vertices;
        self.between_offsets(
            offset(&self.a, &self.corners[0], i),
            offset(&self.b, &self.corners[1], j),
            vertices,
        )
    }

    /// From the centre of the first body to that of the second: minus a point of the difference.
    #[inline]
    pub fn between(&self) -> DVec3 {
        self.between
    }

    /// Whether both cores are polytopes.
    #[inline]
    pub fn is_polytope(&self) -> bool {
        self.a.convex().is_polytope() && self.b.convex().is_polytope()
    }

    /// The sum of the margins of the two bodies.
    #[inline]
    pub fn margin(&self) -> f64 {
        (self.a.convex().margin() + self.b.convex().margin()) * self.scale
    }

    /// Bound on the distance of any point of the difference from the point that stands for the two centres.
    #[inline]
    pub fn radius(&self) -> f64 {
        (self.a.convex().radius() + self.b.convex().radius()) * self.scale
    }

    /// Bound on how far a point made of support points is from one of the real difference.
    #[inline]
    pub fn rounding(&self) -> f64 {
        8.0 * f64::EPSILON * (self.between.abs().max_element() + self.radius())
    }

    /// Bound on how far support points and their heights in unit directions are off: what this library calls certain
    /// is certain by at least this.
    #[inline]
    pub fn slack(&self) -> f64 {
        (self.a.slack() + self.b.slack()) * self.scale + self.rounding()
    }
}

/// A vertex of a polytope as seen from its centre.
#[inline]
fn offset(body: &PosedConvex, corners: &Corners, vertex: u32) -> DVec3 {
    let blocks = corners.blocks();
    if blocks.is_empty() { body.offset(vertex) } else { at(blocks, vertex as usize) }
}

/// 2⁻ᵏ for x from 2ᵏ to 2ᵏ⁺¹, where that is a normal number.
pub(super) fn inverse_power_of_two(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52 & 0x7ff).clamp(2, 2044);
    f64::from_bits((2046 - exponent) << 52)
}
