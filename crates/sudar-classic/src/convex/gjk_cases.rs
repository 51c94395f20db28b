//! GJK that only says whether two bodies meet, by the cases of a line, a triangle and a tetrahedron.
//!
//! Muratori 2006, "Implementing GJK" (a lecture), as Huotari 2011, "Törmäyksen tunnistus 3D-ympäristössä",
//! writes it down: the newest point lies as far towards the origin as the difference reaches, so only the
//! regions around it have to be distinguished by signs alone; no nearest point is computed. Either a support
//! point falls short of the origin, then its direction separates; or a tetrahedron around the origin is
//! found.

use sudar::glam::DVec3;

use super::Separation;
use super::enclosure::surely_encloses;
use sudar::convex::{Difference, Vertex};

/// What [`gjk_cases`] found and what it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GjkCases {
    /// The answer.
    pub outcome: Separation,
    /// Support points of the difference that were computed.
    pub iterations: u32,
}

/// Whether two bodies are apart, margins included, starting in the direction `start` from the first body to the second
/// (of any length; zero for none) and computing at most `limit` support points.
///
/// "Apart" and "colliding" are certain. Undecided are bodies that touch up to rounding, those whose difference is flat,
/// and those not finished within `limit`. Cost of an iteration: a support point of each body and some 20 ns.
pub fn gjk_cases(difference: &Difference, start: DVec3, limit: u32) -> GjkCases {
    told(difference, start, limit, &mut |_, _, _| {})
}

/// The same, with each direction, its support point and the simplex that is kept told.
pub(super) fn told(
    difference: &Difference,
    start: DVec3,
    limit: u32,
    tell: &mut impl FnMut(DVec3, DVec3, &[DVec3]),
) -> GjkCases {
    let mut search = Search::new(difference, start);
    let outcome = search.run(limit, tell);
    GjkCases { outcome, iterations: search.iterations }
}

/// Whether two bodies come into contact while the second moves by `way` as seen from the first, without
/// turning: whether the difference and the segment from the origin to `way` have a common point (Huotari
/// 2011, chapter 6.2). That is so if the difference drawn along the segment holds the origin, which the same
/// cases tell. Yes or no, and nothing of when; otherwise as [`gjk_cases`].
pub fn gjk_cases_moving(difference: &Difference, way: DVec3, start: DVec3, limit: u32) -> GjkCases {
    let mut search = Search::new(difference, start);
    search.way = way;
    search.slack += 4.0 * f64::EPSILON * way.abs().max_element();
    let outcome = search.run(limit, &mut |_, _, _| {});
    GjkCases { outcome, iterations: search.iterations }
}

struct Search<'a> {
    difference: &'a Difference<'a>,
    /// The difference is drawn along minus this.
    way: DVec3,
    slack: f64,
    /// The newest point last.
    points: [DVec3; 4],
    count: usize,
    /// Where to look next: towards the origin.
    direction: DVec3,
    iterations: u32,
}

impl<'a> Search<'a> {
    fn new(difference: &'a Difference<'a>, start: DVec3) -> Self {
        let first = [start, difference.between()].into_iter().find(|d| *d != DVec3::ZERO);
        Self {
            difference,
            way: DVec3::ZERO,
            slack: difference.slack(),
            points: [DVec3::ZERO; 4],
            count: 0,
            direction: first.unwrap_or(DVec3::X),
            iterations: 0,
        }
    }

    fn run(&mut self, limit: u32, tell: &mut impl FnMut(DVec3, DVec3, &[DVec3])) -> Separation {
        while self.iterations < limit {
            let size = self.direction.abs().max_element();
            if size == 0.0 || !size.is_finite() {
                return Separation::Undecided;
            }
            let unit = (self.direction / size).normalize();
            let vertex = self.support(unit);
            let height = unit.dot(vertex.point);
            if height < -self.slack {
                tell(unit, vertex.point, &self.points[..self.count]);
                return Separation::Separated { axis: unit };
            }
            if self.points[..self.count].contains(&vertex.point) {
                tell(unit, vertex.point, &self.points[..self.count]);
                return Separation::Undecided;
            }
            self.points[self.count] = vertex.point;
            self.count += 1;
            let enclosed = self.enclosed();
            tell(unit, vertex.point, &self.points[..self.count]);
            if enclosed {
                let sure = surely_encloses(&self.points, self.slack);
                return if sure { Separation::Colliding } else { Separation::Undecided };
            }
        }
        Separation::Undecided
    }

    /// The support point of the difference with its margin.
    fn support(&mut self, unit: DVec3) -> Vertex {
        let vertex = self.difference.support(unit);
        self.iterations += 1;
        let drawn = if unit.dot(self.way) < 0.0 { vertex.point - self.way } else { vertex.point };
        Vertex { point: drawn + unit * self.difference.margin(), ..vertex }
    }

    /// Keeps of the simplex what the origin is nearest to and turns the direction towards the origin from there.
    /// Returns whether the simplex is a tetrahedron around it.
    fn enclosed(&mut self) -> bool {
        match self.count {
            1 => self.direction = -self.points[0],
            2 => self.line(self.points[1], self.points[0]),
            3 => self.triangle(self.points[2], self.points[1], self.points[0]),
            _ => return self.tetrahedron(),
        }
        false
    }

    fn keep<const N: usize>(&mut self, points: [DVec3; N], direction: DVec3) {
        self.points[..N].copy_from_slice(&points);
        (self.count, self.direction) = (N, direction);
    }

    /// `a` is the newest.
    fn line(&mut self, a: DVec3, b: DVec3) {
        let (ab, ao) = (b - a, -a);
        if ab.dot(ao) > 0.0 {
            let across = ab.cross(ao).cross(ab);
            // The line passes through the origin: any direction across it will do.
            let aside = if across == DVec3::ZERO { ab.any_orthogonal_vector() } else { across };
            self.keep([b, a], aside);
        } else {
            self.keep([a], ao);
        }
    }

    /// `a` is the newest.
    fn triangle(&mut self, a: DVec3, b: DVec3, c: DVec3) {
        let (ab, ac, ao) = (b - a, c - a, -a);
        let normal = ab.cross(ac);
        if normal.cross(ac).dot(ao) > 0.0 {
            if ac.dot(ao) > 0.0 { self.line(a, c) } else { self.line(a, b) }
        } else if ab.cross(normal).dot(ao) > 0.0 {
            self.line(a, b);
        } else if normal.dot(ao) >= 0.0 {
            self.keep([c, b, a], normal);
        } else {
            self.keep([b, c, a], -normal);
        }
    }

    /// The origin is on the near side of the face opposite the newest point, for that point was looked for from there.
    fn tetrahedron(&mut self) -> bool {
        let [d, c, b, a] = self.points;
        // Seen from outside, the faces that meet in `a` are these, if b, c, d are counter-clockwise seen from `a`.
        let (b, c) = if (b - a).cross(c - a).dot(d - a) < 0.0 { (b, c) } else { (c, b) };
        for [p, q] in [[b, c], [c, d], [d, b]] {
            let outward = (p - a).cross(q - a);
            if outward.dot(-a) > 0.0 {
                self.triangle(a, p, q);
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::convex::{Convex, GjkMemory, GjkOptions, PosedConvex, gjk};
    use sudar::math::Pose;
    use sudar_testing::convex_bodies::hull;
    use sudar_testing::{Random, polyhedra};

    fn solid(random: &mut Random) -> Convex {
        Convex::of(&hull(polyhedra::any(random, 2.0).into_iter())).unwrap()
    }

    fn difference<'a>((a, p): (&'a Convex, &'a Pose), (b, q): (&'a Convex, &'a Pose)) -> Difference<'a> {
        Difference::new(PosedConvex::new(a, p), PosedConvex::new(b, q))
    }

    #[test]
    fn it_agrees_with_the_distance_of_random_solids() {
        let mut random = Random::new(31);
        let (mut apart, mut colliding, mut most) = (0, 0, 0);
        for _ in 0..10_000 {
            let (a, b) = (solid(&mut random), solid(&mut random));
            let (to, turn) = (random.direction() * (2.0 + random.number()), random.pose(DVec3::ZERO));
            let place = random.pose(to);
            let difference = difference((&a, &turn), (&b, &place));
            let found = gjk_cases(&difference, DVec3::ZERO, 64);
            let expected = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
            match found.outcome {
                Separation::Separated { axis } => {
                    assert!(expected.distance.upper > 0.0 && !expected.encloses);
                    assert!(axis.dot(difference.support(axis).point) < 0.0);
                    apart += 1;
                }
                Separation::Colliding => {
                    assert_eq!(expected.distance.lower, 0.0);
                    colliding += 1;
                }
                Separation::Undecided => {}
            }
            most = most.max(found.iterations);
        }
        assert!(apart > 2000 && colliding > 2000 && apart + colliding > 9990, "{apart} {colliding}");
        assert!(most < 40, "{most}");
    }

    #[test]
    fn moving_bodies_meet_if_they_do_on_the_way() {
        let mut random = Random::new(32);
        let (mut apart, mut colliding) = (0, 0);
        for _ in 0..2000 {
            let (a, b) = (solid(&mut random), solid(&mut random));
            let (to, turn) = (random.direction() * (2.0 + 2.0 * random.number()), random.pose(DVec3::ZERO));
            let (place, way) = (random.pose(to), random.direction() * (4.0 * random.number()));
            let found = gjk_cases_moving(&difference((&a, &turn), (&b, &place)), way, DVec3::ZERO, 64);
            // The least distance on the way, which is convex in time: golden sections.
            let apart_at = |time: f64| {
                let moved = Pose::from_matrix(place.rotation(), to + way * time).unwrap();
                gjk(&difference((&a, &turn), (&b, &moved)), &GjkMemory::NONE, &GjkOptions::DISTANCE)
                    .distance
                    .upper
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let (left, right) = (high - 0.618 * (high - low), low + 0.618 * (high - low));
                if apart_at(left) <= apart_at(right) { high = right } else { low = left }
            }
            let least = apart_at(low).min(apart_at(0.0)).min(apart_at(1.0));
            match found.outcome {
                Separation::Separated { .. } => {
                    assert!(least > 0.0, "{least}");
                    apart += 1;
                }
                Separation::Colliding => {
                    assert!(least < 1e-6, "{least}");
                    colliding += 1;
                }
                Separation::Undecided => {}
            }
        }
        assert!(apart > 400 && colliding > 400 && apart + colliding > 1990, "{apart} {colliding}");
    }
}
