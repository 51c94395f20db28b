//! The nearest triangles of two surfaces that do not meet.

use glam::DVec3;

use crate::effort::Meter;
use crate::math::Interval;
use crate::pair::{disjoint_triangle_distance_bounds, gap_along, triangles_within, widest_direction};
use crate::query::answer::{Aim, DistanceOptions, Found};
use crate::query::bodies::PosedSurface;
use crate::tree::{Candidate, Judge, ObbPair, Remaining, Standing, search as nearest_triangles};

/// What a search has left, and what it learned of the surfaces as wholes.
pub(crate) struct Left {
    pub remaining: Remaining,
    /// The surfaces are no nearer than this.
    pub gap: f64,
}

/// Searches until what is known is what is aimed for.
pub(crate) fn search_for(a: &PosedSurface, b: &PosedSurface, aim: &Aim, meter: &mut Meter) -> Left {
    search_until(a, b, aim, meter, &|known| aim.accepts(known))
}

/// Searches until `enough` says of an interval for the distance that it will do.
pub(crate) fn search_until(
    a: &PosedSurface,
    b: &PosedSurface,
    aim: &Aim,
    meter: &mut Meter,
    enough: &dyn Fn(Interval) -> bool,
) -> Left {
    let apart = ObbPair::new(a.layered(), b.layered());
    let mut plateau = Plateau { steps: 0, gap: 0.0, aim: *aim, max: aim.search.max, enough, a, b };
    let remaining = nearest_triangles(&apart, aim.search.max, meter, &mut plateau);
    Left { remaining, gap: plateau.gap }
}

/// Surfaces that run beside each other at the same distance over many triangles, as parallel plates do: the
/// boxes of all these are as near as the triangles, up to the rounding of boxes, and a search by boxes would
/// open them all. If a slab as thick as the distance fits between the surfaces, one look at their boxes as
/// wholes or at every vertex settles it.
struct Plateau<'p, 'a> {
    steps: usize,
    gap: f64,
    aim: Aim,
    max: f64,
    enough: &'p dyn Fn(Interval) -> bool,
    a: &'p PosedSurface<'a>,
    b: &'p PosedSurface<'a>,
}

impl Judge for Plateau<'_, '_> {
    fn is_enough(&mut self, known: &Standing) -> bool {
        (self.enough)(known.interval) || self.is_settled(known)
    }

    fn settle(&mut self, candidates: &mut Vec<Candidate>) -> f64 {
        let (a, b) = (self.a, self.b);
        let Some(first) = candidates.first().map(|candidate| candidate.triangles) else {
            return f64::INFINITY;
        };
        let close = |candidate: &&Candidate| {
            let [i, j] = candidate.triangles;
            triangles_within(&a.triangle(i), &b.triangle(j), self.max)
        };
        if self.aim.is_yes_or_no() {
            let Some(near) = candidates.iter().find(close) else {
                candidates.clear();
                return self.max.next_up();
            };
            let near = *near;
            candidates.clear();
            candidates.push(Candidate { upper: self.max.min(near.upper), ..near });
            return f64::INFINITY;
        }
        let (found, lower) = nearest_among(a, b, candidates, exactly(a, b, first), &mut Meter::unlimited());
        candidates.retain(|candidate| candidate.triangles == found.features);
        for candidate in candidates {
            (candidate.lower, candidate.upper) = (found.interval.lower, found.interval.upper);
        }
        lower
    }
}

impl Plateau<'_, '_> {
    /// Tried at steps ever farther apart: first the boxes as wholes; all vertices when the search has cost
    /// about as much as looking at each does.
    fn is_settled(&mut self, known: &Standing) -> bool {
        self.steps += 1;
        let least = 256 + (self.a.surface.mesh.vertices().len() + self.b.surface.mesh.vertices().len()) / 32;
        let due = |step: usize| self.steps.is_multiple_of(step) && (self.steps / step).is_power_of_two();
        let (boxes, vertices) = (self.steps <= WHOLES && self.steps.is_power_of_two(), due(least));
        (boxes || vertices) && self.is_flat(known) && self.slab(known, vertices)
    }

    /// Whether what is left open is about as much as bounds by boxes stay below the truth.
    fn is_flat(&self, known: &Standing) -> bool {
        known.interval.upper.min(self.max) - known.interval.lower
            <= 1e-4 * (known.interval.upper + self.size())
    }

    fn size(&self) -> f64 {
        let size = |surface: &PosedSurface| surface.surface.mesh.aabb().extent().max_element();
        size(self.a).min(size(self.b))
    }

    /// The nearest of the first few candidates.
    fn nearest_of(&self, known: &Standing, most: usize) -> Found {
        let candidates = known.candidates.iter().take(most).map(|candidate| candidate.triangles);
        let all = candidates.map(|features| exactly(self.a, self.b, features));
        let nearer = |m: Found, next: Found| if next.interval.upper < m.interval.upper { next } else { m };
        all.fold(exactly(self.a, self.b, known.best), nearer)
    }

    fn slab(&mut self, known: &Standing, by_vertices: bool) -> bool {
        if !by_vertices {
            self.gap = self.gap.max(self.a.gap_of_wholes(self.b));
            // A little more than what points of the surface are off by in `f32`.
            let close = known.interval.upper - self.gap <= 1e-5 * (known.interval.upper + self.size());
            if self.gap > self.max || self.aim.is_yes_or_no() || !close {
                return self.gap > self.max;
            }
        }
        let found = self.nearest_of(known, if by_vertices { 64 } else { 4 });
        if by_vertices {
            self.gap = self.gap.max(self.gap_of_vertices(&found));
        }
        let reach = self.a.reach() + self.b.reach();
        let as_near = found.interval.upper - self.gap <= 256.0 * f64::EPSILON * reach;
        // Within rounding of a tolerance only exact comparisons of the pairs left can tell.
        self.gap > self.max || (as_near && !self.aim.is_yes_or_no())
    }

    fn gap_of_vertices(&self, found: &Found) -> f64 {
        let points = |surface: &PosedSurface| {
            surface.surface.mesh.vertices().iter().map(|p| surface.pose.apply(*p)).collect::<Vec<DVec3>>()
        };
        gap_along(&points(self.a), &points(self.b), found.nearest.a, way_of(self.a, self.b, found))
    }
}

/// Steps up to which the boxes as wholes are tried.
const WHOLES: usize = 16;

/// The distance of two surfaces that do not meet, as narrow as the options request.
pub(crate) fn nearest_pair(
    a: &PosedSurface,
    b: &PosedSurface,
    search: &DistanceOptions,
    meter: &mut Meter,
) -> Found {
    let left = search_for(a, b, &Aim::distance(*search), meter);
    nearest_of(a, b, &left, meter)
}

/// The nearest of the candidates, and how far apart the surfaces are at least.
///
/// Candidates are tested in the order of their numbers. Neighbours of the nearest triangles mostly reach
/// as far as the point that they share, and no farther; they are recognised by the gap along the direction of the
/// nearest, for less than their own distance costs.
pub(crate) fn nearest_of(a: &PosedSurface, b: &PosedSurface, left: &Left, meter: &mut Meter) -> Found {
    let remaining = &left.remaining;
    let best = exactly(a, b, remaining.best);
    let (mut best, lower) = nearest_among(a, b, &remaining.candidates, best, meter);
    best.interval.lower = lower.min(remaining.rest).max(left.gap).min(best.interval.upper);
    best
}

/// The nearest of some pairs and one more, and a number that the distance of none of them falls below.
fn nearest_among(
    a: &PosedSurface,
    b: &PosedSurface,
    candidates: &[Candidate],
    mut best: Found,
    meter: &mut Meter,
) -> (Found, f64) {
    let mut way = way_of(a, b, &best);
    let mut lower = best.interval.lower;
    let mut candidates: Vec<&Candidate> = candidates.iter().collect();
    candidates.sort_unstable_by_key(|candidate| candidate.triangles);
    for candidate in candidates {
        if candidate.lower > best.interval.upper || candidate.triangles == best.features {
            continue;
        }
        let seen = gap_beside(a, b, candidate.triangles, way);
        if seen.lower > best.interval.upper {
            continue;
        }
        if candidate.triangles > best.features && seen.upper >= best.interval.lower {
            lower = lower.min(seen.lower);
            continue;
        }
        meter.count_triangles(1);
        let next = exactly(a, b, candidate.triangles);
        lower = lower.min(next.interval.lower);
        // As near up to rounding: the first.
        let tie = candidate.triangles < best.features && next.interval.lower <= best.interval.upper;
        let nearer = next.nearest.distance_squared < best.nearest.distance_squared;
        if nearer || (tie && next.interval.upper <= best.interval.upper + seen.width()) {
            best = next;
            way = way_of(a, b, &best);
        }
    }
    (best, lower)
}

/// The direction in which the nearest triangles are apart.
fn way_of(a: &PosedSurface, b: &PosedSurface, found: &Found) -> DVec3 {
    let [i, j] = found.features;
    widest_direction(&a.triangle(i), &b.triangle(j), &found.nearest)
}

/// How far two triangles are apart along a direction: at least the lower end, and but for rounding the upper.
fn gap_beside(a: &PosedSurface, b: &PosedSurface, [i, j]: [u32; 2], way: DVec3) -> Interval {
    let (t, u) = (a.triangle(i).corners(), b.triangle(j).corners());
    let gap = gap_along(&t, &u, t[0], way);
    let size = t.iter().chain(&u).fold(0.0, |size: f64, p| size.max((*p - t[0]).abs().max_element()));
    Interval { lower: gap, upper: gap + 64.0 * f64::EPSILON * size }
}

/// The distance of two triangles of surfaces that do not meet.
pub(crate) fn exactly(a: &PosedSurface, b: &PosedSurface, features: [u32; 2]) -> Found {
    let (t, u) = (a.triangle(features[0]), b.triangle(features[1]));
    let (nearest, interval) = disjoint_triangle_distance_bounds(&t, &u);
    Found { nearest, interval, features }
}
