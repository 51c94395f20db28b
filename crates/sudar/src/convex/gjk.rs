//! The algorithm of Gilbert, Johnson and Keerthi: distance and intersection from support mappings alone.
//!
//! Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between complex objects in
//! three-dimensional space". The answer is an interval: above stands the best point found, below the best supporting
//! plane (the duality gap of the Frank–Wolfe view: Montaut, Le Lidec, Petrik, Sivic and Carpentier 2022, "Collision
//! detection accelerated: an optimization perspective"). Running out of iterations widens it and never turns it into
//! a wrong yes or no.

use fearless_simd::{Simd, dispatch};
use glam::DVec3;

use super::simplex::Step;
use super::{Difference, GjkMemory, Simplex, Vertex};
use crate::math::Interval;

/// How a search is done and when it may end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GjkOptions {
    /// End when the interval is at most this wide.
    pub absolute: f64,
    /// End when the interval is at most this wide in relation to its upper end.
    pub relative: f64,
    /// End when the distance of the cores is certainly more than this.
    pub beyond: f64,
    /// End when the distance of the cores is certainly no more than this.
    pub within: f64,
    /// End after so many support points.
    pub limit: u32,
    /// Which support point is asked for next.
    pub acceleration: Acceleration,
}

/// Which direction is searched next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Acceleration {
    /// Towards the origin from the nearest point so far.
    #[default]
    None,
    /// With the momentum of Nesterov's method while that still makes progress (Montaut et al. 2022). Measured on random
    /// bodies it saves a tenth of the iterations between ellipsoids, costs one more between polytopes of any size, and
    /// several more where cones and cylinders take part.
    Nesterov,
}

impl GjkOptions {
    /// The distance of polytopes as exactly as `f64` gives it, of round bodies to twelve digits.
    pub const DISTANCE: Self = Self {
        absolute: 0.0,
        relative: 1e-12,
        beyond: f64::INFINITY,
        within: 0.0,
        limit: 256,
        acceleration: Acceleration::None,
    };
}

/// What is known of two cores.
#[derive(Debug, Clone, Copy)]
pub struct Gjk {
    /// Holds their distance. Its lower end is above 0 only if they are certainly apart.
    pub distance: Interval,
    /// The point of the difference nearest to the origin; zero if the cores meet.
    pub nearest: DVec3,
    /// The direction from the first body to the second in which the lower end was seen; of any length, zero if there
    /// is none.
    pub axis: DVec3,
    /// What the nearest point is made of, or a tetrahedron that holds the origin if the cores meet.
    pub simplex: Simplex,
    /// Whether the simplex is such a tetrahedron.
    pub encloses: bool,
    /// How many support points were computed.
    pub iterations: u32,
}

/// The distance of two cores, the margins left aside.
///
/// `memory` starts the search from what an earlier one ended with; bodies that moved little then need one or two
/// iterations. Cost of an iteration: a support point of each body and about 50 ns.
pub fn gjk(difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    let scale = difference.scale_to_compute_with();
    if scale == 1.0 {
        search(difference, memory, options)
    } else {
        search_scaled(difference, scale, memory, options)
    }
}

fn search(difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    dispatch!(difference.level(), simd => search_at(simd, difference, memory, options))
}

/// All that is called here is inlined, so as to be compiled for the SIMD level: also arithmetic on single numbers takes
/// fewer instructions there. No closures: they would not be.
#[inline(always)]
fn search_at<S: Simd>(simd: S, difference: &Difference, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    let mut search = Search::new(simd, difference, memory, options);
    if !search.begin(options) {
        while search.iterations < options.limit && !search.step(options) {}
    }
    search.finish()
}

/// Bodies so large or small that products of four of their lengths leave the range of `f64`.
#[cold]
fn search_scaled(difference: &Difference, scale: f64, memory: &GjkMemory, options: &GjkOptions) -> Gjk {
    let options = GjkOptions {
        absolute: options.absolute * scale,
        beyond: options.beyond * scale,
        within: options.within * scale,
        ..*options
    };
    let found = search(&difference.scaled(scale), memory, &options);
    let Interval { lower, upper } = found.distance;
    Gjk {
        distance: Interval { lower: lower / scale, upper: upper / scale },
        nearest: found.nearest / scale,
        simplex: found.simplex.divided_by(scale),
        ..found
    }
}

/// Most steps in a row that are no nearer than the one before.
const SIDEWAYS: u32 = 4;

struct Search<'a, S: Simd> {
    simd: S,
    difference: &'a Difference<'a>,
    slack: f64,
    polytope: bool,
    simplex: Simplex,
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
    lower: f64,
    axis: DVec3,
    /// Direction of the last search, while momentum is used.
    momentum: Option<DVec3>,
    iterations: u32,
}

impl<'a, S: Simd> Search<'a, S> {
    /// Goes on from the simplex remembered if the distance is asked for. Else the first support point is the farthest in
    /// the direction remembered, or from centre to centre: it may prove the bodies apart right away.
    #[inline(always)]
    fn new(simd: S, difference: &'a Difference<'a>, memory: &GjkMemory, options: &GjkOptions) -> Self {
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
            simplex: Simplex::new(first),
            nearest: first.point,
            square: first.point.length_squared(),
            encloses: false,
            least: f64::INFINITY,
            sideways: 0,
            near_enough: 0.0,
            lower: f64::NEG_INFINITY,
            axis: DVec3::ZERO,
            momentum: None,
            iterations: 1,
        };
        if known {
            search.simplex = memory.simplex(difference);
            search.square = f64::INFINITY;
            search.reduce();
        } else {
            search.bound(-direction, first.point);
        }
        search
    }

    /// Returns whether the search has ended before it began.
    #[inline(always)]
    fn begin(&mut self, options: &GjkOptions) -> bool {
        if self.lower - self.slack > options.beyond {
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
    #[inline(always)]
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
    #[inline(always)]
    fn step(&mut self, options: &GjkOptions) -> bool {
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
        let early = options.beyond < f64::INFINITY || options.relative > GjkOptions::DISTANCE.relative;
        if (!self.polytope || early) && self.bounded(direction, vertex.point, options) {
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
            self.bound(direction, vertex.point);
            if !self.polytope {
                self.bound_by_pairs(vertex);
            }
            return true;
        }
        false
    }

    /// Whether what is known now is enough.
    #[inline(always)]
    fn bounded(&mut self, direction: DVec3, point: DVec3, options: &GjkOptions) -> bool {
        if direction.dot(point) <= 0.0 {
            return false;
        }
        self.bound(direction, point);
        let upper = self.square.sqrt();
        self.lower - self.slack > options.beyond
            || upper - self.lower <= options.absolute.max(self.relative(options) * upper)
    }

    /// A far vertex may turn the nearest point without bringing it nearer by more than rounding hides, and still its plane
    /// bounds the distance better, or the next vertex brings it nearer. So a few steps are taken that are no nearer, none
    /// farther than rounding. Returns whether this is one.
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
        if upper - self.lower <= 4.0 * self.slack {
            return;
        }
        let mut points = self.simplex.vertices().to_vec();
        points.push(newest);
        for (i, p) in points.iter().enumerate() {
            for q in &points[..i] {
                let mut pair = Simplex::new(*p);
                pair.push(*q);
                if let Step::Nearer(normal) = pair.nearer(self.square * (1.0 + 1e-6)) {
                    let farthest = self.difference.support(-normal);
                    self.bound(normal, farthest.point);
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
        self.simplex = Simplex::new(Vertex { point: self.nearest, a, b, vertices: [0, 0] });
        self.simplex.push(vertex);
        let nearer = self.reduce();
        if !nearer {
            self.simplex = before;
        }
        nearer
    }

    /// Polytopes have finitely many points, so that the search for the exact answer ends.
    #[inline(always)]
    fn relative(&self, options: &GjkOptions) -> f64 {
        let all = self.polytope && options.relative <= GjkOptions::DISTANCE.relative;
        if all { options.relative.min(4.0 * f64::EPSILON) } else { options.relative }
    }

    /// The normal of the next supporting plane, on the side of the difference: the nearest point, or with momentum a
    /// mean of it, of the last support point and of the normals before, weighted as by Montaut et al. 2022.
    #[inline(always)]
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

    /// All of the difference lies beyond the plane through `point` with this normal.
    #[inline(always)]
    fn bound(&mut self, direction: DVec3, point: DVec3) {
        let height = direction.dot(point) / direction.length();
        if height > self.lower {
            (self.lower, self.axis) = (height, -direction);
        }
    }

    #[inline(always)]
    fn finish(mut self) -> Gjk {
        if self.axis == DVec3::ZERO && !self.encloses && self.square > 0.0 {
            let vertex = self.difference.support_at(self.simd, -self.nearest);
            self.bound(self.nearest, vertex.point);
        }
        let upper = if self.encloses { 0.0 } else { self.square.sqrt() };
        let lower = if self.lower > 0.0 { self.certified_lower() } else { 0.0 };
        let upper = if lower > 0.0 || !self.encloses {
            upper * (1.0 + 4.0 * f64::EPSILON) + self.difference.rounding()
        } else {
            0.0
        };
        Gjk {
            distance: Interval { lower: lower.min(upper), upper },
            nearest: self.nearest,
            axis: self.axis,
            simplex: self.simplex,
            encloses: self.encloses,
            iterations: self.iterations,
        }
    }

    /// The height of the supporting plane along the best axis, for certain.
    #[inline(always)]
    fn certified_lower(&self) -> f64 {
        (self.lower * (1.0 - 4.0 * f64::EPSILON) - self.slack).max(0.0)
    }
}

/// A direction to begin with, never zero: the one remembered, or from centre to centre.
#[inline]
fn first_direction(difference: &Difference, axis: DVec3) -> DVec3 {
    [axis, difference.between()].into_iter().find(|d| *d != DVec3::ZERO).unwrap_or(DVec3::X)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::convex::{Convex, PosedConvex};
    use crate::math::Pose;
    use crate::pair::{closest_points_segments, disjoint_triangle_distance_bounds, triangles_intersect};
    use crate::shape::{Cuboid, Cylinder, Ellipsoid, Segment, Shape, Sphere, Triangle};
    use crate::tree::levels::other_levels;

    fn ask(a: &Convex, pose_a: &Pose, b: &Convex, pose_b: &Pose, options: &GjkOptions) -> Gjk {
        let difference = Difference::new(PosedConvex::new(a, pose_a), PosedConvex::new(b, pose_b));
        gjk(&difference, &GjkMemory::NONE, options)
    }

    fn convex(shape: impl Into<Shape>) -> Convex {
        Convex::of(&shape.into()).unwrap()
    }

    fn moved(x: f64, y: f64, z: f64) -> Pose {
        Pose::from_translation(DVec3::new(x, y, z)).unwrap()
    }

    #[test]
    fn boxes_along_the_axes_at_every_scale() {
        for scale in [1e-9, 1e-3, 1.0, 1e6, 1e9] {
            let cube = convex(Cuboid::new(DVec3::splat(scale)).unwrap());
            // Gaps of the projections: (2, 3, 6) makes 7, (3, 4, −) makes 5, one axis alone that gap.
            for (offset, expected) in
                [([4.0, 5.0, 8.0], 7.0), ([5.0, -6.0, 1.5], 5.0), ([0.3, 0.2, -2.5], 0.5)]
            {
                let [x, y, z] = offset.map(|c: f64| c * scale);
                let found = ask(&cube, &Pose::IDENTITY, &cube, &moved(x, y, z), &GjkOptions::DISTANCE);
                let expected = expected * scale;
                assert!(found.distance.contains(expected), "{found:?}");
                assert!(found.distance.width() < 2e-13 * scale, "{:?}", found.distance);
            }
            let found =
                ask(&cube, &Pose::IDENTITY, &cube, &moved(scale, scale, -scale), &GjkOptions::DISTANCE);
            assert!(found.distance.lower == 0.0 && found.distance.upper < 1e-14 * scale);
        }
    }

    #[test]
    fn segments_and_triangles_agree_with_their_closed_forms() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(5);
        let (mut apart, mut most) = (0, 0);
        for _ in 0..20_000 {
            let mut point = || DVec3::new(rng.random(), rng.random(), rng.random());
            let [p, q, r, s, t, u] = std::array::from_fn(|_| point());
            let segments = [Segment { a: p, b: q }, Segment { a: r, b: s }];
            let expected = closest_points_segments(&segments[0], &segments[1]).distance();
            let [left, right] = segments.map(convex);
            let found = ask(&left, &Pose::IDENTITY, &right, &Pose::IDENTITY, &GjkOptions::DISTANCE);
            assert!((found.distance.upper - expected).abs() < 8e-15, "{expected} {found:?}");
            assert!(found.distance.width() < 4e-14, "{expected} {found:?}");
            let triangles = [Triangle { a: p, b: q, c: r }, Triangle { a: s, b: t, c: u }];
            let [left, right] = triangles.map(convex);
            let found = ask(&left, &Pose::IDENTITY, &right, &Pose::IDENTITY, &GjkOptions::DISTANCE);
            most = most.max(found.iterations);
            if triangles_intersect(&triangles[0], &triangles[1]) {
                assert_eq!(found.distance.lower, 0.0);
                assert!(found.distance.upper < 1e-14);
            } else {
                let (_, expected) = disjoint_triangle_distance_bounds(&triangles[0], &triangles[1]);
                assert!(found.distance.lower <= expected.upper && found.distance.upper >= expected.lower);
                assert!(found.distance.width() < 1e-12, "{expected:?} {found:?}");
                apart += 1;
            }
        }
        assert!(apart > 10_000 && most < 20, "{apart} {most}");
    }

    #[test]
    fn round_bodies_converge_to_the_last_digits() {
        let id = Pose::IDENTITY;
        let ball = convex(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        // Along x from the end of the axis; from a point along the normal of the ellipsoid at (2·0.6, 0.8, 0), which is
        // (1.2/4, 0.8/1, 0): twice that normal away.
        let ellipsoid = convex(Ellipsoid::new(DVec3::new(2.0, 1.0, 0.5)).unwrap());
        let normal = DVec3::new(0.3, 0.8, 0.0);
        let at = DVec3::new(1.2, 0.8, 0.0) + normal * 2.0;
        for (pose, expected) in
            [(moved(5.0, 0.0, 0.0), 3.0), (moved(at.x, at.y, at.z), 2.0 * normal.length())]
        {
            for acceleration in [Acceleration::None, Acceleration::Nesterov] {
                let options = GjkOptions { acceleration, ..GjkOptions::DISTANCE };
                let found = ask(&ellipsoid, &id, &ball, &pose, &options);
                assert!(found.distance.contains(expected) && found.distance.width() < 4e-12, "{found:?}");
            }
        }
        let cylinder = convex(Cylinder::new(5.0, 1.0).unwrap());
        // From the rim at (3, 4, 1): offset (3, 4, 12) is 13 long and inside the rim's cone of normals.
        let found = ask(&cylinder, &id, &ball, &moved(6.0, 8.0, 13.0), &GjkOptions::DISTANCE);
        assert!(found.distance.contains(13.0) && found.distance.width() < 3e-13, "{found:?}");
    }

    #[test]
    fn a_search_from_memory_ends_at_once_and_where_the_first_one_did() {
        let cube = convex(Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap());
        let id = Pose::IDENTITY;
        for x in [0.5, 2.5, 7.0] {
            let pose = moved(x, 0.7, -0.2);
            let difference = Difference::new(PosedConvex::new(&cube, &id), PosedConvex::new(&cube, &pose));
            let cold = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
            let warm = gjk(&difference, &GjkMemory::of(&difference, &cold), &GjkOptions::DISTANCE);
            assert_eq!(warm.distance, cold.distance);
            assert!(warm.iterations <= 2, "{}", warm.iterations);
        }
    }

    #[test]
    fn every_simd_level_searches_the_same_way_to_the_bit() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(9);
        let mut number = || rng.random_range(-1.0..1.0);
        for count in [8, 20, 60] {
            let mut hull = || {
                let points: Vec<_> = (0..count).map(|_| DVec3::new(number(), number(), number())).collect();
                convex(crate::hull::convex_hull(&points).unwrap())
            };
            let (a, b) = (hull(), hull());
            for _ in 0..50 {
                let pose = moved(2.0 * number(), 2.0 * number(), 2.0 * number());
                let id = Pose::IDENTITY;
                let difference = Difference::new(PosedConvex::new(&a, &id), PosedConvex::new(&b, &pose));
                let best = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
                for level in other_levels() {
                    let found = gjk(&difference.at_level(level), &GjkMemory::NONE, &GjkOptions::DISTANCE);
                    assert_eq!(format!("{found:?}"), format!("{best:?}"), "{level:?}");
                }
            }
        }
    }

    #[test]
    fn the_search_ends_early_where_a_bound_is_enough() {
        let ellipsoid = convex(Ellipsoid::new(DVec3::new(2.0, 1.0, 0.5)).unwrap());
        let id = Pose::IDENTITY;
        let full = ask(&ellipsoid, &id, &ellipsoid, &moved(5.0, 1.0, 0.7), &GjkOptions::DISTANCE);
        let beyond = GjkOptions { beyond: 0.5, ..GjkOptions::DISTANCE };
        let early = ask(&ellipsoid, &id, &ellipsoid, &moved(5.0, 1.0, 0.7), &beyond);
        assert!(early.distance.lower > 0.5 && early.iterations < full.iterations);
        assert!(early.distance.lower <= full.distance.upper && early.distance.upper >= full.distance.lower);
        let within = GjkOptions { within: 4.0, ..GjkOptions::DISTANCE };
        let near = ask(&ellipsoid, &id, &ellipsoid, &moved(5.0, 1.0, 0.7), &within);
        assert!(near.distance.upper <= 4.0 && near.iterations < full.iterations);
    }
}
