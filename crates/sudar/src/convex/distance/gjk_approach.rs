//! GJK between polytopes: the steps that bring the simplex clearly nearer to the origin.
//!
//! Nearly all of a search is made of these. They know their points by number, look at faces and edges side by side
//! ([`super::fan`]) and branch only to end. What they cannot tell, for rounding, is left to
//! [`Search`](super::gjk_search::Search), which goes on from where they stopped.

use fearless_simd::Simd;
use glam::DVec3;

use super::fan::{Fan, NEWEST};
use super::gjk_answer::{Gjk, GjkOptions};
use super::gjk_search::{first_direction, is_early};
use super::simplex::weights_inside;
use super::supporting_plane::SupportingPlane;
use crate::convex::{Difference, GjkMemory, GjkSimplex, Vertex};
use crate::math::Interval;

/// A step makes the squared length less than so many times what it was.
const CLEARLY: f64 = 1.0 - 1e-9;

/// How far the steps came.
#[derive(Debug, Clone, Copy)]
pub struct Approach {
    /// The simplex, and the numbers of its points in the same places.
    fan: Fan,
    vertices: [[u32; 2]; 5],
    count: usize,
    /// The nearest point of the simplex and its squared length.
    nearest: DVec3,
    square: f64,
    plane: SupportingPlane,
    /// How many support points were computed.
    pub iterations: u32,
    pub end: End,
}

/// How an approach ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The distance is known as well as requested.
    Known,
    /// The origin may lie in the simplex with the newest point.
    Around,
    /// Rounding hides what is nearer.
    Unclear,
}

impl Approach {
    /// All steps of a search.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of<S: Simd>(simd: S, difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Self {
        let posed;
        let remembers = options.beyond == f64::INFINITY && memory.fits(difference);
        let difference = if !remembers && difference.is_unposed() {
            posed = difference.posed();
            &posed
        } else {
            difference
        };
        let mut approach = if remembers {
            Self::remembered(difference, memory)
        } else {
            Self::fresh(simd, difference, memory)
        };
        if approach.end == End::Known {
            approach.end = approach.run(simd, difference, options);
        }
        approach
    }

    /// Begins with the farthest point in a direction.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn fresh<S: Simd>(simd: S, difference: &Difference, memory: &GjkMemory) -> Self {
        let direction = first_direction(difference, memory.axis);
        let first = difference.support_at(simd, direction);
        let mut approach = Self::at(&[first], first.point);
        approach.plane.offer(-direction, first.point);
        approach
    }

    /// Begins with the simplex that an earlier search of two polytopes ended with.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn remembered(difference: &Difference, memory: &GjkMemory) -> Self {
        let mut simplex = memory.simplex(difference);
        let nearest = simplex.reduce();
        let known = simplex.vertices();
        let mut approach = Self::at(&known[..known.len().min(3)], nearest.unwrap_or(DVec3::ZERO));
        if let [.., newest] = known
            && nearest.is_none()
        {
            approach.fan.add(newest.point);
            (approach.vertices[NEWEST], approach.end) = (newest.vertices, End::Around);
        }
        approach
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn at(known: &[Vertex], nearest: DVec3) -> Self {
        let last = known.len() - 1;
        let [a, b, c] = [&known[0], &known[1.min(last)], &known[last]];
        Self {
            fan: Fan::new([a.point, b.point, c.point]),
            vertices: [a.vertices, b.vertices, c.vertices, a.vertices, c.vertices],
            count: known.len(),
            nearest,
            square: nearest.length_squared(),
            plane: SupportingPlane::NONE,
            iterations: 1,
            end: End::Known,
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn run<S: Simd>(&mut self, simd: S, difference: &Difference, options: &GjkOptions) -> End {
        let slack = difference.slack();
        if self.plane.height - slack > options.beyond {
            return End::Known;
        }
        let near = (options.within - slack).max(0.0);
        let enough = (near * near * (1.0 - 4.0 * f64::EPSILON)).max(slack * slack);
        let early = is_early(options);
        while self.square > enough && self.iterations < options.limit {
            let direction = self.nearest;
            let vertex = difference.support_at(simd, -direction);
            self.iterations += 1;
            if early && direction.dot(vertex.point) > 0.0 {
                self.plane.offer(direction, vertex.point);
                if self.decides(slack, options) {
                    return End::Known;
                }
            }
            if self.has(vertex.vertices) || self.is_no_farther(direction, vertex.point) {
                self.plane.offer(direction, vertex.point);
                return End::Known;
            }
            let end = self.add(simd, &vertex);
            if end != End::Known {
                return end;
            }
        }
        End::Known
    }

    /// Whether what is known now is enough.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn decides(&self, slack: f64, options: &GjkOptions) -> bool {
        let upper = self.square.sqrt();
        self.plane.height - slack > options.beyond
            || upper - self.plane.height <= options.absolute.max(options.relative * upper)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn has(&self, vertices: [u32; 2]) -> bool {
        let [a, b, c, ..] = self.vertices;
        (a == vertices) | (b == vertices) | (c == vertices)
    }

    /// Whether a support point lies no farther towards the origin than the simplex, as the fourth corner of a face does
    /// that two edges span.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn is_no_farther(&self, direction: DVec3, point: DVec3) -> bool {
        let gap = self.square - direction.dot(point);
        let rounding = 8.0 * f64::EPSILON;
        gap * gap <= rounding * rounding * self.square * point.length_squared()
    }

    /// Adds a point and keeps what is nearest, if that is clearly nearer.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn add<S: Simd>(&mut self, simd: S, vertex: &Vertex) -> End {
        self.vertices[NEWEST] = vertex.vertices;
        let Some(found) = self.fan.nearest(simd, vertex.point, self.count == 3) else {
            return if self.count == 3 { End::Around } else { End::Unclear };
        };
        let square = found.point.length_squared();
        if square >= self.square * CLEARLY {
            return End::Unclear;
        }
        let [i, j] = found.corners;
        self.fan.keep(found.corners);
        let [i, j] = [self.vertices[i], self.vertices[j]];
        self.vertices = [i, j, vertex.vertices, i, vertex.vertices];
        self.count = found.count;
        (self.nearest, self.square) = (found.point, square);
        End::Known
    }

    /// Makes the nearest point of what the steps know as true as it can be, of these weights: the distance.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn settle(&mut self, difference: &Difference, [p, q]: [f64; 2]) -> Interval {
        let [a, b, c] = self.points();
        let mixed = c + ((a - c) * p + (b - c) * q);
        // The foot of the origin on the plane of a face has a truer direction, unless the face is so thin that its
        // normal is not known: then it is not near the point that the weights make.
        let size = a.abs().max(b.abs()).max(c.abs()).max_element();
        let agree = (self.nearest - mixed).abs().max_element() <= 2.0 * f64::EPSILON * size;
        if !agree {
            (self.nearest, self.square) = (mixed, mixed.length_squared());
        }
        let upper = self.square.sqrt() * (1.0 + 4.0 * f64::EPSILON) + difference.rounding();
        Interval { lower: self.certain(difference).min(upper), upper }
    }

    /// The answer with the distance that was settled.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn answer(&self, difference: &Difference, distance: Interval, weights: [f64; 2]) -> Gjk {
        Gjk {
            distance,
            nearest: self.nearest,
            axis: self.plane.axis,
            simplex: self.simplex(difference, weights),
            encloses: false,
            iterations: self.iterations,
        }
    }

    /// The difference is certainly as far from the origin.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn certain(&self, difference: &Difference) -> f64 {
        self.plane.certain(difference.slack())
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn points(&self) -> [DVec3; 3] {
        [0, 1, 2].map(|place| self.fan.corner(place))
    }

    /// The weights with which the first two points make the nearest one; the last has what is left to 1. None is below
    /// zero, whatever rounding does, so that they always make a point of the simplex.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn weights(&self) -> [f64; 2] {
        let [a, b, c] = self.points();
        let (e, f) = (a - c, b - c);
        let [p, q] = match self.count {
            3 => {
                let normal = e.cross(f);
                let square = normal.length_squared();
                [f.cross(c).dot(normal) / square, c.cross(e).dot(normal) / square]
            }
            2 => [-e.dot(c) / e.length_squared(), 0.0],
            _ => [0.0, 0.0],
        };
        // A weight that is no number is zero as well.
        let p = if p > 0.0 { p.min(1.0) } else { 0.0 };
        [p, if q > 0.0 { q.min(1.0 - p) } else { 0.0 }]
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn simplex(&self, difference: &Difference, [p, q]: [f64; 2]) -> GjkSimplex {
        let [a, b, c, ..] = self.vertices;
        let rest = (1.0 - p) - q;
        let last = difference.vertex(c);
        let (vertices, weights) = match self.count {
            3 => ([difference.vertex(a), difference.vertex(b), last, last], [p, q, rest, 0.0]),
            2 => ([difference.vertex(a), last, last, last], [p, rest, 0.0, 0.0]),
            _ => ([last; 4], [1.0, 0.0, 0.0, 0.0]),
        };
        GjkSimplex::of(vertices, weights, self.count)
    }

    /// The weights that make the origin, if it is in the tetrahedron that the newest point makes.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn weights_inside(&self, difference: &Difference) -> Option<[f64; 4]> {
        let [a, b, c] = self.points();
        let weights = weights_inside([a, b, c, self.fan.corner(NEWEST)])?;
        (self.end == End::Around && self.certain(difference) == 0.0).then_some(weights)
    }

    /// The answer with such weights.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn enclosing(&self, difference: &Difference, weights: &[f64; 4]) -> Gjk {
        let [a, b, c, _, newest] = self.vertices;
        Gjk {
            distance: Interval { lower: 0.0, upper: 0.0 },
            nearest: DVec3::ZERO,
            axis: self.plane.axis,
            simplex: GjkSimplex::of([a, b, c, newest].map(|v| difference.vertex(v)), *weights, 4),
            encloses: true,
            iterations: self.iterations,
        }
    }

    /// What a search goes on from.
    pub fn memory(&self) -> GjkMemory {
        let [a, b, c, _, newest] = self.vertices;
        let mut memory = GjkMemory { axis: self.plane.axis, vertices: [a, newest, newest, newest], count: 2 };
        if self.count > 1 {
            (memory.vertices[2], memory.count) = (c, 3);
        }
        if self.count > 2 {
            (memory.vertices[3], memory.count) = (b, 4);
        }
        memory
    }
}

#[cfg(test)]
mod tests;
