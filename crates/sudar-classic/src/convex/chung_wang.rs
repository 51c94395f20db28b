//! The algorithm of Chung and Wang: a vector that separates two bodies, or the proof that there is none.
//!
//! Chung and Wang 1996, "Quick collision detection of polytopes in virtual environments", and Chung 1996, "An efficient
//! collision detection algorithm for polytopes in virtual environments". A vector s separates if the support point of
//! the difference along it has negative height. If not, it is reflected at the plane across r, the unit vector from
//! that point to the origin: of two balls the reflected vector separates whenever any does. Every r collected bounds
//! a half-space in which all separating vectors lie; once these have nothing in common ([`common_direction`]) the
//! bodies collide.
//!
//! Two more stops, as Huotari 2011, "Törmäyksen tunnistus 3D-ympäristössä", describes them. If r comes twice
//! in a row, s is perpendicular to it, up to rounding: reflecting has come to rest. If after some rounds r
//! comes again, the vector w common to all half-spaces is tried instead: van den Bergen 1999, "A fast and
//! robust GJK implementation for collision detection of convex objects", showed that the published proof of
//! convergence fails because reflections need not come any closer to a separating vector. With w strictly
//! inside all half-spaces the next r is new, so that polytopes need finitely many rounds.
//!
//! Where this departs from the sources: rounding never decides. A repeated r does not count as "apart" but leads to w
//! too, and a collision counts only once a tetrahedron made of the support points surely holds the origin.

use sudar::glam::DVec3;

use super::enclosure::surely_encloses;
use super::half_spaces::common_direction;
use sudar::convex::{Difference, Vertex};

/// Rounds after which an r that rules out nothing new makes the search go on from w. Measured on random pairs of
/// polyhedra: 2 needs the fewest rounds of 1, 2, 4 and 8.
const PATIENCE: u32 = 2;
/// Unit vectors whose product is less than this in size are perpendicular up to rounding.
const ACROSS: f64 = 8.0 * f64::EPSILON;

/// Whether two bodies are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Separation {
    /// They have no point in common, for certain.
    Separated {
        /// Unit vector from the first body to the second: the normal of a plane between them.
        axis: DVec3,
    },
    /// They have a point in common, for certain.
    Colliding,
    /// Neither was proven: they touch up to rounding, or there were too few rounds.
    Undecided,
}

/// What [`chung_wang`] found and what it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChungWang {
    /// The answer.
    pub outcome: Separation,
    /// Support points of the difference that were computed, the last vector included.
    pub rounds: u32,
    /// How often the search went on from a vector common to all half-spaces instead of a reflected one.
    pub switches: u32,
    /// The vector tried last, of unit length: a good start for the same bodies a little later.
    pub vector: DVec3,
}

/// Whether two bodies are apart, margins included, starting from a guess of the separating vector (of any length;
/// zero for none) and trying at most `limit` vectors.
///
/// By the algorithm of Chung and Wang 1996, "Quick collision detection of polytopes in virtual environments", with the
/// switch to a vector common to all half-spaces that van den Bergen 1999 and Huotari 2011 require.
///
/// A margin swells the difference, so the support points computed are those of the swollen one; what is said of the
/// bodies includes their margins. Bodies whose difference is flat (two segments, say) can be found apart, but not
/// colliding, unless through their margins.
///
/// Cost of a round: a support point of each body, and the products of one vector with those collected whenever the
/// newest makes the common vector invalid.
pub fn chung_wang(difference: &Difference, start: DVec3, limit: u32) -> ChungWang {
    told(difference, start, limit, &mut |_, _, _| {})
}

/// The same, with each vector, its support point and all points that are kept told.
pub(super) fn told(
    difference: &Difference,
    start: DVec3,
    limit: u32,
    tell: &mut impl FnMut(DVec3, DVec3, &[DVec3]),
) -> ChungWang {
    Search::new(difference, start).run(limit, true, tell)
}

/// [`chung_wang`] as published, without the switch to a common vector: may go round in circles until `limit`.
/// For comparison.
pub fn chung_wang_reflections_only(difference: &Difference, start: DVec3, limit: u32) -> ChungWang {
    Search::new(difference, start).run(limit, false, &mut |_, _, _| {})
}

struct Search<'a> {
    difference: &'a Difference<'a>,
    margin: f64,
    slack: f64,
    /// Whether support points are known by the numbers of their vertices.
    numbered: bool,
    /// The vector tried, of unit length.
    vector: DVec3,
    /// Its support point.
    latest: DVec3,
    /// Support points of the swollen difference, each once, and unit vectors from them to the origin.
    points: Vec<DVec3>,
    numbers: Vec<[u32; 2]>,
    inward: Vec<DVec3>,
    /// A vector with no negative product with any of `inward`; `None` once there is none.
    common: Option<DVec3>,
    switches: u32,
}

impl<'a> Search<'a> {
    fn new(difference: &'a Difference<'a>, start: DVec3) -> Self {
        let margin = difference.margin();
        let start = [start, difference.between()].into_iter().find(|v| *v != DVec3::ZERO).unwrap_or(DVec3::X);
        Self {
            difference,
            margin,
            // The swollen point takes a product and a sum more.
            slack: difference.slack() + 4.0 * f64::EPSILON * margin,
            numbered: difference.is_polytope() && margin == 0.0,
            vector: unit(start),
            latest: DVec3::ZERO,
            points: Vec::new(),
            numbers: Vec::new(),
            inward: Vec::new(),
            common: Some(unit(start)),
            switches: 0,
        }
    }

    fn run(
        mut self,
        limit: u32,
        may_switch: bool,
        tell: &mut impl FnMut(DVec3, DVec3, &[DVec3]),
    ) -> ChungWang {
        let mut rounds = 0;
        while rounds < limit {
            rounds += 1;
            let tried = self.vector;
            let outcome = self.round(may_switch && rounds > PATIENCE);
            tell(tried, self.latest, &self.points);
            if let Some(outcome) = outcome {
                return self.finish(outcome, rounds);
            }
        }
        self.finish(Separation::Undecided, rounds)
    }

    fn finish(self, outcome: Separation, rounds: u32) -> ChungWang {
        let Self { switches, vector, .. } = self;
        ChungWang { outcome, rounds, switches, vector }
    }

    /// Tries the vector. Returns the answer if there is one; else the next vector stands ready.
    fn round(&mut self, may_switch: bool) -> Option<Separation> {
        let found = self.difference.support(self.vector);
        self.latest = found.point + self.vector * self.margin;
        if self.separates(&found) {
            return Some(Separation::Separated { axis: self.vector });
        }
        if self.meets_by_margin(found.point) {
            return Some(Separation::Colliding);
        }
        let point = self.latest;
        if point == DVec3::ZERO {
            return Some(Separation::Undecided);
        }
        let inward = unit(-point);
        let learnt = if self.repeats(&found, point) { false } else { self.collect(&found, point, inward) };
        if self.common.is_none() && learnt && surely_encloses(&self.points, self.slack) {
            return Some(Separation::Colliding);
        }
        if may_switch && !learnt { self.switch() } else { self.reflect(inward) }
    }

    /// Whether all of the swollen difference lies below the plane through the origin across the vector, for certain.
    fn separates(&self, found: &Vertex) -> bool {
        // Height: three products and two sums of numbers up to |point|, a vector whose length is off by 2ε.
        let gap = |v: &Vertex| -self.vector.dot(v.point) - 6.0 * f64::EPSILON * v.point.length() - self.slack;
        gap(found) > self.margin && gap(&self.difference.support(self.vector)) > self.margin
    }

    /// Whether a point of the cores' difference is nearer to the origin than the margin, for certain.
    fn meets_by_margin(&self, point: DVec3) -> bool {
        point.length() * (1.0 + 4.0 * f64::EPSILON) + self.slack <= self.margin
    }

    fn repeats(&self, found: &Vertex, point: DVec3) -> bool {
        if self.numbered { self.numbers.contains(&found.vertices) } else { self.points.contains(&point) }
    }

    /// Keeps a new support point. Returns whether it rules out the common vector so far.
    fn collect(&mut self, found: &Vertex, point: DVec3, inward: DVec3) -> bool {
        self.points.push(point);
        self.numbers.push(found.vertices);
        let height = self.common.map_or(-1.0, |w| w.dot(inward));
        // On the boundary of a half-space, too, a vector further inside is wanted.
        if height <= ACROSS {
            let known = &self.inward;
            self.common = self.common.and_then(|w| common_direction(known, inward, w));
        }
        self.inward.push(inward);
        height < -ACROSS
    }

    /// Goes on from the common vector, if there is one that was not just tried.
    fn switch(&mut self) -> Option<Separation> {
        match self.common {
            Some(w) if (w - self.vector).abs().max_element() > ACROSS => {
                self.vector = w;
                self.switches += 1;
                None
            }
            Some(_) | None => Some(Separation::Undecided),
        }
    }

    fn reflect(&mut self, inward: DVec3) -> Option<Separation> {
        self.vector = unit(self.vector - inward * (2.0 * inward.dot(self.vector)));
        None
    }
}

/// The vector at unit length, from any length but zero.
fn unit(v: DVec3) -> DVec3 {
    let scaled = v / v.abs().max_element();
    scaled / scaled.length()
}
