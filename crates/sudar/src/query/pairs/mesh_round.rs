//! A mesh or solid against a round or slender body: ball, capsule, segment, cylinder, cone, ellipsoid.
//!
//! One traversal of the tree finds the triangles that may be nearest, by bounds on eight at a time; the few
//! that are left are solved in `f64`, the most promising first. Whether the bodies meet, are within a
//! tolerance, or how far apart they are differs only in how far is looked and what is enough.

use glam::DVec3;

use super::certain::certainly;
use super::convex_distance::{apart, convex_triangle};
use super::mesh_convex::{first_met, form};
use super::sphere_capsule::Slender;
use super::sphere_curved::PointRound;
use super::triangle_convex::{core_of, triangle_meets};
use crate::convex::{Convex, Core, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use crate::effort::Meter;
use crate::kind::Profile;
use crate::math::{Interval, Pose, unit};
use crate::pair::{Nearest, disjoint_triangle_distance_bounds};
use crate::query::answer::{Aim, DistanceOptions, Found, rounding};
use crate::query::bodies::{PosedBody, PosedSurface};
use crate::shape::{Segment, Triangle};
use crate::tree::Around;

/// What a search has found.
pub(crate) enum Outcome {
    /// The body meets this triangle, or is inside a solid.
    Meets(u32),
    /// A triangle as near as is enough.
    Enough(Found),
    /// The nearest triangle found and how far apart they are, the mesh first. The interval begins at zero if
    /// the body may touch a triangle, as far as rounding tells.
    Apart(Found),
}

/// What a mesh or solid is to a body around which it is searched; `None` for a body that is not of simple form. A body
/// with its centre inside a solid meets it.
pub(crate) fn around(mesh: &PosedSurface, body: &PosedBody, aim: &Aim, meter: &mut Meter) -> Option<Outcome> {
    let form = form(&body.convex)?;
    let enclosed = mesh.encloses_metered(body.convex.center(), meter);
    if enclosed == Some(true) {
        let (hit, _) = first_met(mesh, body, 0.0, meter)?;
        return Some(Outcome::Meets(hit.unwrap_or(0)));
    }
    let mut hunt = Hunt::new(mesh, body, aim);
    // What is not known to be outside may be inside.
    hunt.may_touch = enclosed.is_none();
    Some(hunt.run(&form, meter))
}

/// Hulls of more corners are left to the search by pairs of boxes.
const CORNERS: usize = 64;

/// The distance of a mesh and a hull of few corners that do not meet; `None` for other bodies, and where they
/// are so near that it takes the triangles of the hull to tell.
pub(crate) fn around_hull(
    mesh: &PosedSurface,
    body: &PosedBody,
    search: &DistanceOptions,
    meter: &mut Meter,
) -> Option<Found> {
    let Core::Polytope(polytope) = body.convex.convex().core() else { return None };
    let (corners, convex) = (polytope.hull().vertices(), &body.convex);
    // Far from the origin of its frame the hull would be rounded more than a traversal makes up for.
    let is_off =
        convex.convex().reach() > 8.0 * (convex.convex().radius() + convex.center().abs().max_element());
    if corners.len() > CORNERS || is_off {
        return None;
    }
    let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let form = Around {
        center: body.convex.pose().apply(middle),
        axes: body.convex.pose().rotation(),
        profile: Profile::HULL,
        points: corners.iter().map(|p| *p - middle).collect(),
    };
    let mut hunt = Hunt::new(mesh, body, &Aim::distance(*search));
    hunt.is_apart = true;
    let Outcome::Apart(found) = hunt.run(&form, meter) else { return None };
    let clear = found.interval.lower > FAR_APART * mesh.reach().max(found.interval.upper);
    (clear || meter.is_stopped()).then_some(found)
}

/// Of the size of a mesh: hulls nearer than this are measured by their triangles.
const FAR_APART: f64 = 1e-9;

/// A triangle that may be the nearest.
#[derive(Clone, Copy)]
struct Candidate {
    lower: f64,
    triangle: u32,
    /// Whether it is known that the body does not certainly meet it.
    tested: bool,
}

struct Hunt<'h, 'a> {
    mesh: &'h PosedSurface<'a>,
    body: &'h PosedBody<'a>,
    aim: Aim,
    /// The nearest triangle is no farther than this.
    upper: f64,
    /// The triangle that says so.
    nearest: u32,
    candidates: Vec<Candidate>,
    met: Option<u32>,
    enough: Option<Found>,
    may_touch: bool,
    /// Triangles that are no candidates are no nearer than this.
    rest: f64,
    /// Whether it is known that the body meets no triangle.
    is_apart: bool,
    /// Whether the traversal came to its end, so that what is no candidate is beyond the limit.
    complete: bool,
    /// Upper bounds below this are mostly rounding: the body may well meet the triangle.
    close: f64,
}

impl<'h, 'a> Hunt<'h, 'a> {
    fn new(mesh: &'h PosedSurface<'a>, body: &'h PosedBody<'a>, aim: &Aim) -> Self {
        let extent = mesh.surface.mesh.aabb().extent().max_element();
        Self {
            mesh,
            body,
            aim: *aim,
            upper: f64::INFINITY,
            nearest: 0,
            candidates: Vec::new(),
            met: None,
            enough: None,
            may_touch: false,
            rest: 0.0,
            is_apart: false,
            complete: false,
            close: CLOSE * (extent + body.convex.convex().radius()),
        }
    }

    fn run(mut self, form: &Around, meter: &mut Meter) -> Outcome {
        let margin = self.body.convex.convex().margin();
        let rest = self.mesh.view().visit_around(form, self.limit() + margin, meter, |i, seen| {
            let (lower, upper) = (seen.lower - margin, seen.upper - margin);
            if self.see(i, Interval { lower, upper }) { self.limit() + margin } else { -1.0 }
        });
        self.complete = !meter.is_stopped();
        self.rest = if self.complete { self.limit() } else { (rest - margin).max(0.0) };
        self.settle()
    }

    /// Triangles farther than this are of no interest.
    fn limit(&self) -> f64 {
        self.aim.search.max.min(self.target(self.upper))
    }

    /// Where the lower end of an interval may stay. The width allowed is shared by halves with what is solved.
    fn target(&self, upper: f64) -> f64 {
        let DistanceOptions { absolute, relative, .. } = self.aim.search;
        if upper < f64::INFINITY { upper - 0.5 * absolute.max(relative * upper) } else { upper }.max(0.0)
    }

    /// Tests a triangle at a distance in this interval. Returns whether to go on.
    fn see(&mut self, i: u32, seen: Interval) -> bool {
        let tested = self.is_apart || (seen.lower <= 0.0 && seen.upper <= self.close);
        if tested && !self.is_apart && self.meets(i) {
            return false;
        }
        if seen.upper <= self.aim.enough {
            let found = self.solve(i, f64::INFINITY, DVec3::ZERO);
            if found.interval.upper <= self.aim.enough {
                self.enough = Some(found);
                return false;
            }
        }
        if seen.upper < self.upper {
            (self.upper, self.nearest) = (seen.upper, i);
        }
        self.candidates.push(Candidate { lower: seen.lower, triangle: i, tested });
        true
    }

    fn meets(&mut self, i: u32) -> bool {
        match triangle_meets(&self.mesh.triangle(i), self.body) {
            Some(true) => {
                self.met = Some(i);
                return true;
            }
            Some(false) => {}
            None => self.may_touch = true,
        }
        false
    }

    /// Solves the candidates that the traversal has left: first the one with the least upper bound, then by
    /// lower bound.
    fn settle(mut self) -> Outcome {
        if let Some(i) = self.met {
            return Outcome::Meets(i);
        }
        if let Some(found) = self.enough {
            return Outcome::Enough(found);
        }
        let limit = self.limit();
        self.rest = self.rest.min(limit);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain(|c| c.lower <= limit || c.triangle == self.nearest);
        let first = |c: &Candidate| if c.triangle == self.nearest { f64::NEG_INFINITY } else { c.lower };
        candidates.sort_unstable_by(|a, b| first(a).total_cmp(&first(b)).then(a.triangle.cmp(&b.triangle)));
        let mut best = Best::none();
        for c in &candidates {
            if c.lower > self.aim.search.max.min(self.target(best.found.interval.upper)) {
                self.rest = self.rest.min(c.lower);
                break;
            }
            if c.lower <= 0.0 && !c.tested && self.meets(c.triangle) {
                return Outcome::Meets(c.triangle);
            }
            self.try_one(c.triangle, &mut best);
            if best.found.interval.upper <= self.aim.enough {
                return Outcome::Enough(best.found);
            }
        }
        self.outcome(&best)
    }

    fn outcome(self, best: &Best) -> Outcome {
        let found = if best.found.interval.upper < f64::INFINITY {
            best.found
        } else {
            self.solve(0, f64::INFINITY, DVec3::ZERO)
        };
        // What is beyond the distance of interest is more than that.
        let max = self.aim.search.max;
        let rest = if self.complete && self.rest >= max { max.next_up() } else { self.rest };
        let lower = best.lower.min(rest).min(found.interval.upper).max(0.0);
        let interval = Interval { lower: if self.may_touch { 0.0 } else { lower }, ..found.interval };
        Outcome::Apart(Found { interval, ..found })
    }

    /// Compares a candidate with the best.
    fn try_one(&self, i: u32, best: &mut Best) {
        let so_far = best.found.interval;
        let seen = self.gap_beside(i, best.way);
        if seen > so_far.upper || (i > best.found.features[0] && seen >= so_far.lower) {
            best.lower = best.lower.min(seen);
            return;
        }
        let found = self.solve(i, so_far.upper, best.way);
        best.lower = best.lower.min(found.interval.lower);
        let Interval { lower, upper } = found.interval;
        // Equally near up to rounding: the first.
        let tie = i < best.found.features[0] && lower <= so_far.upper && self.is_sharp(&found);
        if upper < so_far.upper || tie {
            best.found = found;
            best.way = found.nearest.a - found.nearest.b;
        }
    }

    /// Whether the full distance is wanted, and is known of this triangle. Else what comes out nearer is
    /// taken for nearer.
    fn is_sharp(&self, found: &Found) -> bool {
        let exact = self.aim.search.absolute == 0.0 && self.aim.search.relative == 0.0;
        let reach = found.nearest.a.abs().max(found.nearest.b.abs()).max_element();
        exact && found.interval.width() <= SHARP * found.interval.upper + rounding(reach)
    }

    /// How far a triangle is from the body at least, as seen along a direction from the body.
    fn gap_beside(&self, i: u32, way: DVec3) -> f64 {
        let size = way.abs().max_element();
        if size == 0.0 || !size.is_finite() {
            return 0.0;
        }
        let convex = &self.body.convex;
        let way = way / size;
        let (center, reach) = (convex.center(), convex.support(way).offset);
        let Triangle { a, b, c } = self.mesh.triangle(i);
        let corners = [a - center, b - center, c - center];
        let low = corners.iter().fold(f64::INFINITY, |low, p| low.min(way.dot(*p)));
        let far = corners.iter().fold(0.0, |far: f64, p| far.max(p.abs().max_element()));
        let rounding = 32.0 * f64::EPSILON * (far + center.abs().max_element() + convex.convex().radius())
            + 2.0 * convex.slack();
        (low - way.dot(reach) - rounding) / way.length() - convex.convex().margin() * (1.0 + f64::EPSILON)
    }

    /// The distance of a triangle that the body does not certainly meet; bounds alone if that is more than `beyond`.
    fn solve(&self, i: u32, beyond: f64, way: DVec3) -> Found {
        let (t, convex) = (self.mesh.triangle(i), &self.body.convex);
        let found = match Slender::of(convex) {
            Some(slender) => of_thin(&slender.axis, slender.radius, &t),
            None => self.by_gjk(&t, beyond, way),
        };
        Found { features: [i, 0], ..found }
    }

    fn by_gjk(&self, t: &Triangle, beyond: f64, way: DVec3) -> Found {
        let convex = Convex::new(core_of(t), 0.0);
        let triangle = PosedConvex::new(&convex, &Pose::IDENTITY);
        if let Some(pair) = PointRound::new(&self.body.convex, &triangle) {
            return pair.distance().swapped();
        }
        let difference = Difference::unposed(self.body.convex, triangle);
        let DistanceOptions { absolute, relative, max } = self.aim.search;
        let exact = GjkOptions::DISTANCE;
        let options = GjkOptions {
            absolute: 0.5 * absolute,
            relative: exact.relative.max(0.5 * relative),
            beyond: beyond.min(max) * (1.0 + 4.0 * f64::EPSILON),
            within: self.aim.enough * (1.0 - 4.0 * f64::EPSILON),
            ..exact
        };
        let found = gjk(&difference, &GjkMemory { axis: way, ..GjkMemory::NONE }, &options);
        let far = apart(&difference, &found);
        // Searched anew as for a yes or no, so that a distance of zero and that never contradict each other.
        let may_meet = certainly(&difference, &found) == Some(true) || far.interval.upper == 0.0;
        if may_meet { convex_triangle(&self.body.convex, t) } else { far }.swapped()
    }
}

/// Of a distance, what it may be uncertain and still be as exact as searches make it.
const SHARP: f64 = 1e-11;

/// Of the size of mesh and body, what bounds in `f32` may be wide.
const CLOSE: f64 = 1.0 / (1 << 16) as f64;

/// The nearest triangle so far.
struct Best {
    found: Found,
    /// The least lower end of all that were compared.
    lower: f64,
    /// From the body to that triangle.
    way: DVec3,
}

impl Best {
    fn none() -> Self {
        let nowhere = DVec3::ZERO;
        let found = Found {
            nearest: Nearest::between(nowhere, nowhere),
            interval: Interval::point(f64::INFINITY),
            features: [u32::MAX, 0],
        };
        Self { found, lower: f64::INFINITY, way: nowhere }
    }
}

/// The distance of a triangle and a ball or capsule that do not meet, by that of triangle and axis. Triangle first.
pub(crate) fn of_thin(axis: &Segment, radius: f64, t: &Triangle) -> Found {
    let core = Triangle { a: axis.a, b: axis.b, c: axis.b };
    let (nearest, cores) = disjoint_triangle_distance_bounds(t, &core);
    let (between, doubt) = (nearest.a - nearest.b, 4.0 * f64::EPSILON * radius);
    let outward = unit(between).filter(|_| radius > 0.0).map_or(DVec3::ZERO, |way| way * radius);
    let lower = (cores.lower - radius - doubt).max(0.0);
    let interval = Interval { lower, upper: (cores.upper - radius + doubt).max(lower) };
    if interval.upper == 0.0 {
        // The nearest point of the triangle is in the body, and as good as any.
        return Found::at(nearest.a, [0, 0]);
    }
    Found { nearest: Nearest::between(nearest.a, nearest.b + outward), interval, features: [0, 0] }
}
