//! What a walk from a front sees of two surfaces.

use crate::effort::Meter;
use crate::pair::{disjoint_triangle_distance_bounds, gap_along, triangles_intersect};
use crate::query::answer::{Found, Search};
use crate::query::bodies::PosedSurface;
use crate::tree::{Along, Candidate, LeafReach, Look, Pair, Pairs, Pending};

/// A walk's view of two surfaces.
pub(super) struct Looking<'l, 'a> {
    sides: [&'l PosedSurface<'a>; 2],
    search: &'l Search,
    along: Along<'l, 'a>,
    pub seen: Seen,
    /// All triangles looked at are at least so far apart.
    pub lower: f64,
    pending: Pending,
    candidates: Vec<Candidate>,
}

/// So many candidates are looked at at once.
const CROWD: usize = 64;

impl<'l, 'a> Looking<'l, 'a> {
    pub fn new(
        sides: [&'l PosedSurface<'a>; 2],
        seen: Seen,
        search: &'l Search,
        along: Along<'l, 'a>,
    ) -> Self {
        let candidates = Vec::with_capacity(CROWD);
        Self { sides, search, along, seen, lower: f64::INFINITY, pending: Pending::default(), candidates }
    }
}

impl<'a> Look<Pairs<'_, 'a>> for Looking<'_, 'a> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.seen.limit(self.search)
    }

    fn leaves(&mut self, pair: Pair, leaves: [&LeafReach; 2], meter: &mut Meter) -> u64 {
        let limit = self.limit();
        let before = self.pending.total();
        self.along.leaves(pair, leaves, limit, &mut self.pending, &mut self.candidates);
        let shown = self.pending.total() - before;
        if self.candidates.len() >= CROWD {
            self.settle(meter);
        }
        shown
    }

    fn settle(&mut self, meter: &mut Meter) {
        let limit = self.limit();
        self.along.apart.flush(limit, &mut self.pending, &mut self.candidates);
        if self.candidates.is_empty() {
            return;
        }
        let [a, b] = self.sides;
        let lower = self.seen.look_at_all(a, b, &mut self.candidates, self.search, meter);
        self.lower = self.lower.min(lower);
    }
}

/// No pair is of interest.
const NOTHING: f64 = -1.0;

/// What a walk has seen of two surfaces.
pub(super) struct Seen {
    /// They are at least so far apart.
    pub lower: f64,
    /// The nearest pair of triangles so far, less what [`Seen::lower`] says.
    pub nearest: Option<Found>,
    /// A pair of triangles that meet.
    pub hit: Option<[u32; 2]>,
}

impl Seen {
    pub fn nothing() -> Self {
        Self { lower: 0.0, nearest: None, hit: None }
    }

    /// How far pairs are of interest to a search.
    pub fn limit(&self, search: &Search) -> f64 {
        if self.hit.is_some() {
            return NOTHING;
        }
        // Where nothing was found yet any width is too much.
        let narrow = self.nearest.map_or(f64::INFINITY, |found| {
            let upper = found.interval.upper;
            (upper - search.absolute.max(search.relative * upper)).next_up().next_up()
        });
        // What is left out is beyond `max`, not at it.
        narrow.min(search.max.next_up())
    }

    /// Looks at candidates, the most promising first, while they are of interest; a lower bound on the distance of all.
    fn look_at_all(
        &mut self,
        a: &PosedSurface,
        b: &PosedSurface,
        candidates: &mut Vec<Candidate>,
        search: &Search,
        meter: &mut Meter,
    ) -> f64 {
        candidates.sort_unstable_by(|p, q| p.upper.total_cmp(&q.upper).then(p.triangles.cmp(&q.triangles)));
        let mut lower = f64::INFINITY;
        for candidate in candidates.drain(..) {
            let at_least = candidate.lower.max(self.beside(a, b, candidate.triangles));
            // No farther look is needed at what is no nearer than the nearest, up to rounding.
            let nearest = self.nearest.map_or(f64::INFINITY, |found| found.interval.lower);
            let farther = at_least > self.limit(search).min(nearest.next_down());
            lower = lower.min(if farther { at_least } else { self.look(a, b, candidate.triangles, meter) });
        }
        lower
    }

    /// How far two triangles are apart along the way between the nearest, at least. Neighbours of these mostly reach as far
    /// as the point that they share.
    fn beside(&self, a: &PosedSurface, b: &PosedSurface, [i, j]: [u32; 2]) -> f64 {
        let Some(found) = self.nearest else { return 0.0 };
        let (t, u) = (a.triangle(i).corners(), b.triangle(j).corners());
        gap_along(&t, &u, t[0], found.nearest.b - found.nearest.a).max(0.0)
    }

    /// Looks at two triangles; a lower bound on their distance.
    pub fn look(&mut self, a: &PosedSurface, b: &PosedSurface, [i, j]: [u32; 2], meter: &mut Meter) -> f64 {
        meter.count_triangles(1);
        let (t, u) = (a.triangle(i), b.triangle(j));
        if triangles_intersect(&t, &u) {
            self.hit = self.hit.or(Some([i, j]));
            return 0.0;
        }
        let (nearest, interval) = disjoint_triangle_distance_bounds(&t, &u);
        let found = Found { nearest, interval, features: [i, j] };
        if self.nearest.is_none_or(|best| interval.upper < best.interval.upper) {
            self.nearest = Some(found);
        }
        interval.lower
    }
}
