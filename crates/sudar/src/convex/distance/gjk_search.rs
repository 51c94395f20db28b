//! The search that `gjk.rs` makes: support point after support point, a simplex that comes nearer to the origin.
//!
//! All of it is inlined into the SIMD level it is called at, but for what is rarely needed. No closures: they
//! would not be.

use fearless_simd::Simd;
use glam::DVec3;

use super::gjk_answer::{Acceleration, Gjk, GjkOptions};
use super::newton::{Polished, nearest_points};
use super::simplex::Step;
use super::supporting_plane::SupportingPlane;
use crate::convex::{Difference, GjkMemory, GjkSimplex, Vertex};
use crate::math::Interval;

/// Most steps in a row that are no nearer than the one before.
const SIDEWAYS: u32 = 4;

/// Support points before Newton's method is tried, and between two tries.
const FIRST_POLISH: u32 = 3;
const NEXT_POLISH: u32 = 3;

/// A search on its way: the simplex so far, the nearest point of it, and the best supporting plane.
pub struct Search<'a, S: Simd> {
    simd: S,
    difference: &'a Difference<'a>,
    slack: f64,
    polytope: bool,
    simplex: GjkSimplex,
    /// The nearest point of the simplex and its squared length.
    nearest: DVec3,
    square: f64,
    encloses: bool,
    /// The least squared length there was, and how many steps ago.
    least: f64,
    sideways: u32,
    /// A squared length that is near enough to end with.
    near_enough: f64,
    /// The best lower bound without slack, and the direction it was seen in.
    plane: SupportingPlane,
    /// Direction of the last search, while momentum is used.
    momentum: Option<DVec3>,
    /// Newton's method is not tried before so many support points.
    polish_at: u32,
    /// How many support points were computed.
    pub iterations: u32,
}

impl<'a, S: Simd> Search<'a, S> {
    /// Goes on from the simplex remembered for a distance. Else the first support point is the farthest in
    /// the direction remembered, or from centre to centre: it may prove the bodies apart right away.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn new(simd: S, difference: &'a Difference<'a>, memory: &GjkMemory, options: &GjkOptions) -> Self {
        let known = options.beyond == f64::INFINITY && memory.fits(difference);
        let direction = first_direction(difference, memory.axis);
        let first = if known {
            difference.vertex(memory.vertices[0])
        } else {
            difference.support_at(simd, direction)
        };
        let mut search = Self {
            simd,
            difference,
            slack: difference.slack(),
            polytope: difference.is_polytope(),
            simplex: GjkSimplex::new(first),
            nearest: first.point,
            square: first.point.length_squared(),
            encloses: false,
            least: f64::INFINITY,
            sideways: 0,
            near_enough: 0.0,
            plane: SupportingPlane::NONE,
            momentum: None,
            polish_at: FIRST_POLISH,
            iterations: 1,
        };
        if known {
            search.simplex = memory.simplex(difference);
            search.square = f64::INFINITY;
            search.reduce();
        } else {
            search.plane.offer(-direction, first.point);
        }
        search
    }

    /// Returns whether the search has ended before it began.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn begin(&mut self, options: &GjkOptions) -> bool {
        if self.plane.height - self.slack > options.beyond {
            return true;
        }
        let near = (options.within - self.slack).max(0.0);
        self.near_enough = near * near * (1.0 - 4.0 * f64::EPSILON);
        self.momentum = match options.acceleration {
            Acceleration::None => None,
            Acceleration::Nesterov => Some(self.nearest),
        };
        false
    }

    /// Looks at the nearest point of the simplex. Returns whether that is nearer than before.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn reduce(&mut self) -> bool {
        match self.simplex.nearer(self.square) {
            Step::Nearer(nearest) => {
                (self.nearest, self.square) = (nearest, nearest.length_squared());
                true
            }
            Step::NoNearer => false,
            Step::Encloses => {
                (self.nearest, self.square, self.encloses) = (DVec3::ZERO, 0.0, true);
                true
            }
        }
    }

    /// Adds a support point. Returns whether the search has ended.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn step(&mut self, options: &GjkOptions) -> bool {
        if self.encloses || self.square <= self.slack * self.slack {
            return true;
        }
        if self.square <= self.near_enough {
            return true;
        }
        let direction = self.direction();
        let vertex = self.difference.support_at(self.simd, -direction);
        self.iterations += 1;
        // A polytope has finitely many points: the search for its distance ends without looking at bounds.
        if (!self.polytope || is_early(options)) && self.bounded(direction, vertex.point, options) {
            return true;
        }
        if !self.polytope && self.iterations >= self.polish_at && self.polished(options) {
            return true;
        }
        if !(self.polytope && self.simplex.has(vertex.vertices)) {
            self.simplex.push(vertex);
            if self.reduce() || self.reduce_sideways(vertex.point) {
                return false;
            }
            self.simplex.pop();
            if !self.polytope && self.go_on_from_the_nearest(vertex) {
                return false;
            }
        }
        // No progress: with momentum, that may be at fault.
        if self.momentum.take().is_none() {
            self.plane.offer(direction, vertex.point);
            if !self.polytope {
                self.bound_by_pairs(vertex);
            }
            return true;
        }
        false
    }

    /// Whether what is known now is enough.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn bounded(&mut self, direction: DVec3, point: DVec3, options: &GjkOptions) -> bool {
        if direction.dot(point) <= 0.0 {
            return false;
        }
        self.plane.offer(direction, point);
        let upper = self.square.sqrt();
        self.plane.height - self.slack > options.beyond
            || upper - self.plane.height <= options.absolute.max(self.relative(options) * upper)
    }

    /// Goes on by Newton's method on the smooth pieces of the bodies that are nearest. Returns whether that
    /// ends the search.
    #[inline(never)]
    fn polished(&mut self, options: &GjkOptions) -> bool {
        if self.plane.height < 0.25 * self.square.sqrt() {
            return false;
        }
        self.polish_at = self.iterations + NEXT_POLISH;
        let Some(found) =
            nearest_points(self.difference, self.simplex.vertices(), self.plane.axis, options.relative)
        else {
            return false;
        };
        let farthest = self.difference.support_at(self.simd, found.normal);
        self.plane.offer(-found.normal, farthest.point);
        let length = found.point.length();
        let enough =
            length - self.plane.height <= self.slack.max(options.absolute).max(options.relative * length);
        if enough {
            let Polished { a, b, point, .. } = found;
            self.simplex = GjkSimplex::new(Vertex { point, a, b, vertices: [0, 0] });
            (self.nearest, self.square) = (point, point.length_squared());
        }
        enough
    }

    /// A far vertex may turn the nearest point without bringing it nearer by more than rounding hides, and
    /// still its plane bounds the distance better, or the next vertex brings it nearer. So a few steps are
    /// taken that are no nearer, none farther than rounding. Returns whether this is one.
    #[cold]
    fn reduce_sideways(&mut self, vertex: DVec3) -> bool {
        if self.nearest.dot(self.nearest - vertex) <= self.slack * self.nearest.length() {
            return false;
        }
        if self.square < self.least {
            (self.least, self.sideways) = (self.square, 0);
        }
        self.sideways += 1;
        let (simplex, nearest, square) = (self.simplex, self.nearest, self.square);
        self.square = self.least * (1.0 + 8.0 * f64::EPSILON);
        if self.sideways <= SIDEWAYS && self.reduce() && self.nearest != nearest {
            return true;
        }
        (self.simplex, self.nearest, self.square) = (simplex, nearest, square);
        false
    }

    /// Of a simplex with two points so close that rounding tilts it, each two of the points may have a truer normal, as
    /// along the wall of a cone, and bound the distance better.
    #[cold]
    fn bound_by_pairs(&mut self, newest: Vertex) {
        let upper = self.square.sqrt();
        if upper - self.plane.height <= 4.0 * self.slack {
            return;
        }
        let mut points = self.simplex.vertices().to_vec();
        points.push(newest);
        for (i, p) in points.iter().enumerate() {
            for q in &points[..i] {
                let mut pair = GjkSimplex::new(*p);
                pair.push(*q);
                if let Step::Nearer(normal) = pair.nearer(self.square * (1.0 + 1e-6)) {
                    let farthest = self.difference.support(-normal);
                    self.plane.offer(normal, farthest.point);
                }
            }
        }
    }

    /// Points found on a round body come to lie so close together that the simplex they span is lost in rounding. Then
    /// the nearest point itself, which is one of the difference, takes its place. Returns whether that helped.
    #[cold]
    fn go_on_from_the_nearest(&mut self, vertex: Vertex) -> bool {
        let before = self.simplex;
        let (a, b) = before.witnesses();
        self.simplex = GjkSimplex::new(Vertex { point: self.nearest, a, b, vertices: [0, 0] });
        self.simplex.push(vertex);
        let nearer = self.reduce();
        if !nearer {
            self.simplex = before;
        }
        nearer
    }

    /// Polytopes have finitely many points, so that the search for the exact answer ends.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn relative(&self, options: &GjkOptions) -> f64 {
        let all = self.polytope && options.relative <= GjkOptions::DISTANCE.relative;
        if all { options.relative.min(4.0 * f64::EPSILON) } else { options.relative }
    }

    /// The normal of the next supporting plane, on the side of the difference: the nearest point, or with momentum a
    /// mean of it, of the last support point and of the normals before, weighted as by Montaut et al. 2022.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn direction(&mut self) -> DVec3 {
        let Some(before) = self.momentum else { return self.nearest };
        let keep = f64::from(self.iterations) / f64::from(self.iterations + 2);
        let last = self.simplex.vertices().last().map_or(self.nearest, |v| v.point);
        let target = self.nearest * keep + last * (1.0 - keep);
        let direction = before * keep + target * (1.0 - keep);
        if direction == DVec3::ZERO {
            return self.nearest;
        }
        self.momentum = Some(direction);
        direction
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn finish(mut self) -> Gjk {
        if self.plane.axis == DVec3::ZERO && !self.encloses && self.square > 0.0 {
            let vertex = self.difference.support_at(self.simd, -self.nearest);
            self.plane.offer(self.nearest, vertex.point);
        }
        let upper = if self.encloses { 0.0 } else { self.square.sqrt() };
        let lower = if self.plane.height > 0.0 { self.plane.certain(self.slack) } else { 0.0 };
        let upper = if lower > 0.0 || !self.encloses {
            upper * (1.0 + 4.0 * f64::EPSILON) + self.difference.rounding()
        } else {
            0.0
        };
        Gjk {
            distance: Interval { lower: lower.min(upper), upper },
            nearest: self.nearest,
            axis: self.plane.axis,
            simplex: self.simplex,
            encloses: self.encloses,
            iterations: self.iterations,
        }
    }
}

/// Whether the search of a polytope may end before its last support point.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn is_early(options: &GjkOptions) -> bool {
    options.beyond < f64::INFINITY || options.relative > GjkOptions::DISTANCE.relative
}

/// A direction to begin with, never zero: the one remembered, or from centre to centre.
#[inline]
pub fn first_direction(difference: &Difference, axis: DVec3) -> DVec3 {
    [axis, difference.between()].into_iter().find(|d| *d != DVec3::ZERO).unwrap_or(DVec3::X)
}
