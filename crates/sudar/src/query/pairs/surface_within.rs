//! Whether two surfaces come as near as this, by one traversal that prunes all that is farther apart.

use std::ops::ControlFlow;

use glam::DVec3;

use super::meeting::candidates;
use super::surface_distance::{Left, nearest_of, nearest_pair};
use crate::effort::Meter;
use crate::pair::{disjoint_triangle_distance_bounds, gap_along, triangles_intersect, triangles_within};
use crate::query::answer::{Distance, DistanceOptions, Found};
use crate::query::bodies::PosedSurface;
use crate::shape::Triangle;
use crate::tree::{
    Bodies, Candidate, CandidateVisitor, LeafPair, Remaining, Vicinity, visit_near_candidates,
};

/// What a traversal has found.
pub(crate) enum Traversed {
    /// Two triangles that meet.
    Meeting([u32; 2]),
    /// Two triangles that do not, and are at most the tolerance apart.
    Near(Found),
    /// Neither: the surfaces are no nearer than this, which is at least the tolerance.
    Far(f64),
    /// Not known: the traversal was too long, or stopped by the meter.
    Open,
}

/// Most pairs of triangles that are measured. Where more are about as far apart as the tolerance, as between
/// plates, the search for the distance has better means.
const MOST_MEASURED: u32 = 256;

/// Most steps of a traversal for a tolerance, where the search can take over: the more it is of the size of
/// the smaller body, the fewer, as then much of the bodies may be about that far apart, of which the
/// traversal prunes nothing, while the search does.
pub(crate) fn short(a: &PosedSurface, b: &PosedSurface, tolerance: f64) -> u32 {
    const LEAST: f64 = 32.0;
    const MOST: f64 = 512.0;
    if tolerance == 0.0 {
        return u32::MAX;
    }
    let size = |surface: &PosedSurface| surface.surface.mesh.aabb().extent().max_element();
    (4.0 * size(a).min(size(b)) / tolerance).clamp(LEAST, MOST) as u32
}

/// Most steps where the search would have to fit oriented boxes first, at the cost of about a step a triangle.
fn long(a: &PosedSurface, b: &PosedSurface) -> u32 {
    a.count().saturating_add(b.count()).saturating_add(512)
}

/// What a traversal prunes is farther apart than the tolerance times this: see `STRETCH` in `tree/frame.rs`,
/// of which about 1.3e-5 are used up.
const PRUNED_BEYOND: f64 = 1.0 + 1.0 / (1 << 17) as f64;

/// Looks for two triangles at most `tolerance ≥ 0` apart, nearest boxes first, in at most so many steps. Exact.
pub(crate) fn traverse_near(
    a: &PosedSurface,
    b: &PosedSurface,
    tolerance: f64,
    most: u32,
    meter: &mut Meter,
) -> Traversed {
    let lower = (tolerance * PRUNED_BEYOND).min(f64::MAX);
    let mut traversal = NearTraversal {
        a: *a,
        b: *b,
        tolerance,
        lower,
        way: DVec3::ZERO,
        looked: 0,
        measured: 0,
        found: Traversed::Open,
    };
    let bodies = Bodies { a: &a.surface.tree, pose_a: a.pose, b: &b.surface.tree, pose_b: b.pose };
    let vicinity = Vicinity { margin: tolerance, most };
    let is_whole = visit_near_candidates(&bodies, vicinity, &mut traversal, meter)
        && traversal.measured < MOST_MEASURED
        && !meter.is_stopped();
    meter.count_triangles(traversal.looked);
    match traversal.found {
        Traversed::Open if is_whole => Traversed::Far(traversal.lower),
        found @ (Traversed::Open | Traversed::Meeting(_) | Traversed::Near(_) | Traversed::Far(_)) => found,
    }
}

struct NearTraversal<'a> {
    a: PosedSurface<'a>,
    b: PosedSurface<'a>,
    tolerance: f64,
    /// All that was pruned or tested in vain is no nearer than this.
    lower: f64,
    /// Along which the last two triangles measured were apart: neighbours mostly are so too.
    way: DVec3,
    looked: u64,
    measured: u32,
    found: Traversed,
}

impl CandidateVisitor for NearTraversal<'_> {
    fn deepest_first(&self) -> bool {
        true
    }

    fn gap_of_wholes(&self) -> f64 {
        self.a.gap_of_wholes(&self.b)
    }

    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
        let (left, right) = (self.a, self.b);
        candidates(&left, &right, leaves, |features, t, u| self.look(features, t, u))
    }
}

impl NearTraversal<'_> {
    fn look(&mut self, features: [u32; 2], t: &Triangle, u: &Triangle) -> ControlFlow<()> {
        let gap = gap_along(&t.corners(), &u.corners(), t.a, self.way);
        if gap > self.tolerance {
            self.lower = self.lower.min(gap);
            return ControlFlow::Continue(());
        }
        self.looked += 1;
        if triangles_intersect(t, u) {
            self.found = Traversed::Meeting(features);
            return ControlFlow::Break(());
        }
        if self.tolerance == 0.0 {
            return ControlFlow::Continue(());
        }
        self.measured += 1;
        let (nearest, interval) = disjoint_triangle_distance_bounds(t, u);
        let near = interval.upper <= self.tolerance
            || (interval.lower <= self.tolerance && triangles_within(t, u, self.tolerance));
        if near {
            self.found = Traversed::Near(Found { nearest, interval, features });
            return ControlFlow::Break(());
        }
        self.way = nearest.b - nearest.a;
        // Where rounding leaves it open, an exact comparison has said that they are farther apart.
        self.lower = self.lower.min(interval.lower.max(self.tolerance));
        if self.measured < MOST_MEASURED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Two triangles of two surfaces that are at most `tolerance ≥ 0` apart, if there are any, as far as that is known
/// without a long traversal; insides do not count.
pub(crate) fn surfaces_within(
    a: &PosedSurface,
    b: &PosedSurface,
    tolerance: f64,
    meter: &mut Meter,
) -> Option<Option<[u32; 2]>> {
    match traverse_near(a, b, tolerance, long(a, b), meter) {
        Traversed::Meeting(features) | Traversed::Near(Found { features, .. }) => Some(Some(features)),
        Traversed::Far(_) => Some(None),
        Traversed::Open => None,
    }
}

/// The distance of two surfaces that do not meet, as [`distance`](crate::query::distance) finds it; insides
/// do not count.
///
/// By short traversals where it is small beside the surfaces: oriented boxes cost more to make than many such
/// questions do.
pub(crate) fn disjoint_surface_distance(
    a: &PosedSurface,
    b: &PosedSurface,
    search: &DistanceOptions,
    meter: &mut Meter,
) -> Distance {
    let found =
        near_enough(a, b, search, meter).unwrap_or_else(|| match near_candidates(a, b, search.max, meter) {
            Some(left) => nearest_of(a, b, &left, meter),
            None => nearest_pair(a, b, search, meter),
        });
    found.answer(search, || a.reach().max(b.reach()), meter.is_stopped())
}

/// Two triangles so near that it need not be known how much nearer others are.
fn near_enough(
    a: &PosedSurface,
    b: &PosedSurface,
    search: &DistanceOptions,
    meter: &mut Meter,
) -> Option<Found> {
    let wanted = search.absolute.min(search.max);
    let found = (wanted > 0.0).then(|| traverse_near(a, b, wanted, long(a, b), meter))?;
    let Traversed::Near(mut found) = found else { return None };
    found.interval.lower = 0.0;
    search.accepts(found.interval).then_some(found)
}

/// Most traversals, each for a quarter of what the one before has found.
const MOST_TRAVERSALS: usize = 32;

/// Most pairs of triangles to choose the nearest from.
const MOST_CANDIDATES: usize = 4096;

/// All pairs of triangles of which one may be the nearest, if that is at most `max` apart and soon found.
fn near_candidates(a: &PosedSurface, b: &PosedSurface, max: f64, meter: &mut Meter) -> Option<Left> {
    let most = long(a, b);
    let Traversed::Near(mut best) = traverse_near(a, b, max, most, meter) else { return None };
    for _ in 0..MOST_TRAVERSALS {
        match traverse_near(a, b, 0.25 * best.interval.upper, most, meter) {
            Traversed::Near(nearer) => best = nearer,
            Traversed::Far(_) => break,
            Traversed::Meeting(_) | Traversed::Open => return None,
        }
    }
    let upper = best.interval.upper;
    let mut gathered = Gathered { candidates: Vec::new() };
    let bodies = Bodies { a: &a.surface.tree, pose_a: a.pose, b: &b.surface.tree, pose_b: b.pose };
    let vicinity = Vicinity { margin: upper, most };
    let is_whole = visit_near_candidates(&bodies, vicinity, &mut gathered, meter)
        && gathered.candidates.len() <= MOST_CANDIDATES
        && !meter.is_stopped();
    let candidates = gathered.candidates;
    let remaining = Remaining { rest: upper * PRUNED_BEYOND, upper, best: best.features, candidates };
    is_whole.then_some(Left { remaining, gap: 0.0 })
}

/// All pairs that a traversal shows, up to one more than can be used.
struct Gathered {
    candidates: Vec<Candidate>,
}

impl CandidateVisitor for Gathered {
    fn deepest_first(&self) -> bool {
        false
    }

    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
        for (&i, &mask) in leaves.a.iter().zip(&leaves.may_meet) {
            for (_, &j) in leaves.b.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 1) {
                let any = Candidate { lower: 0.0, upper: f64::INFINITY, triangles: [i, j], way: DVec3::ZERO };
                self.candidates.push(any);
            }
        }
        if self.candidates.len() > MOST_CANDIDATES {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use rand::RngExt;

    use super::*;
    use crate::math::Pose;
    use crate::query::{Body, distance};
    use crate::testing::Random;
    use crate::testing::sheet;

    /// A sheet of 2n² triangles, bent upward at its rim.
    fn bowl(n: u32, bend: f64) -> Body {
        Body::new(sheet(n, |x, y| bend * (x * x + y * y)))
    }

    fn surface<'a>(body: &'a Body, pose: &'a Pose) -> PosedSurface<'a> {
        PosedSurface::new(body.surface().unwrap(), pose)
    }

    #[test]
    fn distances_by_traversals_are_those_of_the_search() {
        let mut rng = Random::new(61);
        let (a, b) = (bowl(24, 0.3), bowl(17, 0.8));
        let mut walked = 0;
        for round in 0..60 {
            let gap = [1e-3, 3e-3, 0.02, 0.1][round % 4];
            let turn = DQuat::from_rotation_x(std::f64::consts::PI + rng.random_range(-0.05..0.05));
            let away = DVec3::new(rng.random_range(-0.2..0.2), rng.random_range(-0.2..0.2), -gap);
            let (here, there) = (Pose::IDENTITY, Pose::new(away, turn).unwrap());
            let expected = distance(a.at(&here), b.at(&there), &DistanceOptions::EXACT);
            if expected.interval.upper == 0.0 {
                continue;
            }
            let (p, q) = (surface(&a, &here), surface(&b, &there));
            let options = DistanceOptions::up_to(1.01 * expected.interval.upper);
            let found = disjoint_surface_distance(&p, &q, &options, &mut Meter::unlimited());
            assert_eq!(found.features, expected.features);
            assert_eq!((found.point_a, found.point_b), (expected.point_a, expected.point_b));
            assert!((found.interval.lower - expected.interval.lower).abs() < 1e-13);
            assert!((found.interval.upper - expected.interval.upper).abs() < 1e-13);
            walked += usize::from(near_candidates(&p, &q, 1.0, &mut Meter::unlimited()).is_some());
        }
        assert!(walked > 20, "only {walked} were found by walks: the test lost its point");
    }

    /// A traversal that a budget ended was taken for a whole one, and of the few triangles seen the nearest
    /// for the nearest of all.
    #[test]
    fn a_stopped_search_for_the_nearest_keeps_the_distance_in_its_interval() {
        let (a, b) = (bowl(24, 0.3), bowl(17, 0.8));
        let turn = DQuat::from_rotation_x(std::f64::consts::PI + 0.04);
        let (here, there) = (Pose::IDENTITY, Pose::new(DVec3::new(0.1, -0.2, -0.02), turn).unwrap());
        let (p, q) = (surface(&a, &here), surface(&b, &there));
        let within = |nodes| {
            let meter = &mut Meter::new(&crate::effort::Budget::nodes(nodes));
            disjoint_surface_distance(&p, &q, &DistanceOptions::up_to(0.1), meter).interval
        };
        let exact = within(u64::MAX);
        assert!(exact.width() < 1e-12);
        for nodes in 0..400 {
            let interval = within(nodes);
            assert!(
                interval.lower <= exact.upper && exact.lower <= interval.upper,
                "{nodes}: {interval:?} {exact:?}"
            );
        }
    }

    #[test]
    fn a_traversal_tells_near_from_far_and_gives_up_between_plates() {
        // Flat sheets, 1 apart: all pairs of triangles above each other are.
        let plate = bowl(40, 0.0);
        let (here, there) = (Pose::IDENTITY, Pose::from_translation(DVec3::Z).unwrap());
        let (p, q) = (surface(&plate, &here), surface(&plate, &there));
        let gap = |other, tolerance| surfaces_within(&p, other, tolerance, &mut Meter::unlimited());
        assert!(matches!(gap(&q, 1.0), Some(Some(_))));
        assert_eq!(gap(&q, 0.9), Some(None));
        assert!(matches!(gap(&p, 0.0), Some(Some(_))));
        let traverse = |tolerance| traverse_near(&p, &q, tolerance, 10_000, &mut Meter::unlimited());
        assert!(matches!(traverse(0.9), Traversed::Far(lower) if lower > 0.9 && lower <= 1.0));
        // A ulp less than the distance: of each pair that takes a gap along the last way, which is square to
        // the plates.
        assert!(matches!(traverse(1f64.next_down()), Traversed::Far(_) | Traversed::Open));
    }
}
