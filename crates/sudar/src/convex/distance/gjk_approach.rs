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
    /// The best lower bound without slack, and the direction it was seen in.
    lower: f64,
    axis: DVec3,
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
        approach.bound(-direction, first.point);
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
            lower: f64::NEG_INFINITY,
            axis: DVec3::ZERO,
            iterations: 1,
            end: End::Known,
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn run<S: Simd>(&mut self, simd: S, difference: &Difference, options: &GjkOptions) -> End {
        let slack = difference.slack();
        if self.lower - slack > options.beyond {
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
                self.bound(direction, vertex.point);
                if self.decides(slack, options) {
                    return End::Known;
                }
            }
            if self.has(vertex.vertices) || self.is_no_farther(direction, vertex.point) {
                self.bound(direction, vertex.point);
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
        self.lower - slack > options.beyond
            || upper - self.lower <= options.absolute.max(options.relative * upper)
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

    /// All of the difference lies beyond the plane through `point` with this normal.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn bound(&mut self, direction: DVec3, point: DVec3) {
        let height = direction.dot(point) / direction.length();
        if height > self.lower {
            (self.lower, self.axis) = (height, -direction);
        }
    }

    /// Makes the nearest point of what the steps know as true as it can be: the distance.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn settle(&mut self, difference: &Difference) -> Interval {
        let [a, b, c] = self.points();
        let [p, q] = self.weights();
        let mixed = c + ((a - c) * p + (b - c) * q);
        // The foot of the origin on the plane of a face has a truer direction, unless the face is so thin that its
        // normal is not known: then it is not near the point that the weights make.
        let size = a.abs().max(b.abs()).max(c.abs()).max_element();
        let agree = (self.nearest - mixed).abs().max_element() <= 2.0 * f64::EPSILON * size;
        if !agree {
            (self.nearest, self.square) = (mixed, mixed.length_squared());
        }
        let upper = self.square.sqrt() * (1.0 + 4.0 * f64::EPSILON) + difference.rounding();
        Interval { lower: self.certified_lower(difference).min(upper), upper }
    }

    /// The answer with the distance that was settled.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn answer(&self, difference: &Difference, distance: Interval) -> Gjk {
        Gjk {
            distance,
            nearest: self.nearest,
            axis: self.axis,
            simplex: self.simplex(difference),
            encloses: false,
            iterations: self.iterations,
        }
    }

    /// The height of the supporting plane along the best axis, for certain.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn certified_lower(&self, difference: &Difference) -> f64 {
        (self.lower * (1.0 - 4.0 * f64::EPSILON) - difference.slack()).max(0.0)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn points(&self) -> [DVec3; 3] {
        [0, 1, 2].map(|place| self.fan.corner(place))
    }

    /// The weights with which the first two points make the nearest one; the last has what is left to 1. None is below
    /// zero, whatever rounding does, so that they always make a point of the simplex.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn weights(&self) -> [f64; 2] {
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
    fn simplex(&self, difference: &Difference) -> GjkSimplex {
        let [a, b, c, ..] = self.vertices;
        let [p, q] = self.weights();
        let rest = (1.0 - p) - q;
        let at = |vertices| difference.vertex(vertices);
        match self.count {
            3 => GjkSimplex::weighted(&[at(a), at(b), at(c)], &[p, q, rest]),
            2 => GjkSimplex::weighted(&[at(a), at(c)], &[p, rest]),
            _ => GjkSimplex::weighted(&[at(c)], &[1.0]),
        }
    }

    /// The weights that make the origin, if it is in the tetrahedron that the newest point makes.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn weights_inside(&self, difference: &Difference) -> Option<[f64; 4]> {
        let [a, b, c] = self.points();
        let weights = weights_inside([a, b, c, self.fan.corner(NEWEST)])?;
        (self.end == End::Around && self.certified_lower(difference) == 0.0).then_some(weights)
    }

    /// The answer with such weights.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn enclosing(&self, difference: &Difference, weights: &[f64; 4]) -> Gjk {
        let [a, b, c, _, newest] = self.vertices;
        Gjk {
            distance: Interval { lower: 0.0, upper: 0.0 },
            nearest: DVec3::ZERO,
            axis: self.axis,
            simplex: GjkSimplex::weighted(&[a, b, c, newest].map(|v| difference.vertex(v)), weights),
            encloses: true,
            iterations: self.iterations,
        }
    }

    /// What a search goes on from.
    pub fn memory(&self) -> GjkMemory {
        let [a, b, c, _, newest] = self.vertices;
        let mut memory = GjkMemory { axis: self.axis, vertices: [a, newest, newest, newest], count: 2 };
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
mod tests {
    use super::*;
    use crate::convex::distance::gjk::gjk;
    use crate::convex::{Acceleration, Convex, PosedConvex};
    use crate::hull::convex_hull;
    use crate::math::simd::dispatch_to_avx2;
    use crate::shape::{Cuboid, Segment, Sphere};
    use crate::testing::{Random, convex};

    fn approach(difference: &Difference, options: &GjkOptions) -> Approach {
        dispatch_to_avx2!(difference.level(), simd => Approach::of(simd, difference, &GjkMemory::NONE, options))
    }

    fn hull(random: &mut Random, count: usize) -> Convex {
        let points: Vec<DVec3> = (0..count).map(|_| random.direction()).collect();
        Convex::of(&convex_hull(&points).unwrap().into()).unwrap()
    }

    /// Bodies of few, of up to 32 and of more corners, and of one and two.
    fn bodies(random: &mut Random) -> Vec<Convex> {
        let segment = Segment::new(DVec3::new(-0.5, 0.1, 0.0), DVec3::new(0.7, 0.0, 0.2)).unwrap();
        let (cuboid, ball) = (Cuboid::new(DVec3::new(0.5, 0.3, 0.9)), Sphere::new(DVec3::ZERO, 0.2));
        let mut bodies: Vec<Convex> = [4, 8, 9, 32, 33, 80].map(|count| hull(random, count)).into();
        bodies.extend([Convex::of(&segment.into()).unwrap(), convex(cuboid.unwrap()), convex(ball.unwrap())]);
        bodies
    }

    #[test]
    fn the_steps_find_what_the_other_search_finds() {
        let mut random = Random::new(3);
        let bodies = bodies(&mut random);
        let (mut left, mut all) = (0, 0);
        for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
            for _ in 0..40 {
                let way = random.direction() * random.within(0.2, 2.2);
                let (p, q) = (random.pose(DVec3::ZERO), random.pose(way));
                let difference = Difference::unposed(PosedConvex::new(a, &p), PosedConvex::new(b, &q));
                // Momentum is not for these steps, so that it is found by the other search.
                let other = GjkOptions::DISTANCE.accelerated(Acceleration::Nesterov);
                let expected = gjk(&difference, &GjkMemory::NONE, &other);
                let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
                all += 1;
                left += u32::from(approach(&difference, &GjkOptions::DISTANCE).end == End::Unclear);
                assert_eq!(found.encloses, expected.encloses);
                let near = (found.nearest - expected.nearest).length();
                assert!(near <= 1e-12, "{near:e}");
                assert!(found.distance.width() <= 8.0 * difference.slack());
                assert!(found.distance.lower <= expected.distance.upper);
                assert!(expected.distance.lower <= found.distance.upper);
            }
        }
        assert!(100 * left < all, "{left} of {all} are left to the other search");
    }

    /// Needles and plates of a billionth, and hulls of no thickness: every interval overlaps that of the other search.
    #[test]
    fn slender_bodies_have_true_intervals_too() {
        let mut random = Random::new(5);
        let slender =
            [[1.0, 1e-9, 1e-9], [1.0, 1.0, 1e-9], [1.0, 1e-4, 1e-8], [1.0, 0.7, 0.0], [1e-3, 1.0, 1e-6]];
        let bodies = slender.map(|size| {
            let points: Vec<DVec3> = (0..12).map(|_| random.direction() * DVec3::from_array(size)).collect();
            Convex::of(&convex_hull(&points).unwrap().into()).unwrap()
        });
        for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
            for round in 0..60 {
                let way = random.direction() * [0.0, 1e-9, 1e-3, 0.5, 1.5][round % 5];
                let (p, q) = (random.pose(DVec3::ZERO), random.pose(way));
                let difference = Difference::unposed(PosedConvex::new(a, &p), PosedConvex::new(b, &q));
                let other = GjkOptions::DISTANCE.accelerated(Acceleration::Nesterov);
                let expected = gjk(&difference, &GjkMemory::NONE, &other).distance;
                let mut memory = GjkMemory::NONE;
                for _ in 0..2 {
                    let found = gjk(&difference, &memory, &GjkOptions::DISTANCE);
                    let Interval { lower, upper } = found.distance;
                    let slack = difference.slack();
                    assert!(lower <= expected.upper + slack && expected.lower <= upper + slack, "{found:?}");
                    assert!(found.simplex.weights().iter().all(|weight| *weight >= 0.0));
                    memory = GjkMemory::of(&difference, &found);
                }
            }
        }
    }

    #[test]
    fn a_search_goes_on_from_what_it_remembers() {
        let mut random = Random::new(4);
        let bodies = bodies(&mut random);
        for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
            let way = random.direction() * random.within(0.2, 2.2);
            let (p, q) = (random.pose(DVec3::ZERO), random.pose(way));
            let difference = Difference::unposed(PosedConvex::new(a, &p), PosedConvex::new(b, &q));
            let first = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
            let again = gjk(&difference, &GjkMemory::of(&difference, &first), &GjkOptions::DISTANCE);
            assert_eq!(again.encloses, first.encloses);
            assert!((again.nearest - first.nearest).length() <= 1e-13);
            assert!(again.iterations <= 2, "{} support points", again.iterations);
        }
    }
}
