//! The methods that say yes or no, told while they run.

use sudar::DVec3;
use sudar::convex::Difference;

use super::super::{chung_wang, gjk_cases};
use super::{Trace, TraceStep, UNKNOWN};

fn step(direction: DVec3, support: DVec3, points: &[DVec3]) -> TraceStep {
    let (points, faces) = (points.to_vec(), Vec::new());
    TraceStep { direction, support, points, faces, nearest: None, bounds: UNKNOWN }
}

/// [`gjk_cases`](super::super::gjk_cases()) with every support point told: the simplex of a step is what is kept for
/// the next, the last one whole.
pub fn trace_gjk_cases(difference: &Difference, start: DVec3, limit: u32) -> Trace {
    let mut steps = Vec::new();
    let found = gjk_cases::told(difference, start, limit, &mut |direction, support, simplex| {
        steps.push(step(direction, support, simplex));
    });
    Trace { steps, outcome: found.outcome }
}

/// [`chung_wang`](super::super::chung_wang()) with every vector told: its points are all support points so far.
pub fn trace_chung_wang(difference: &Difference, start: DVec3, limit: u32) -> Trace {
    let mut steps = Vec::new();
    let found = chung_wang::told(difference, start, limit, &mut |vector, support, points| {
        steps.push(step(vector, support, points));
    });
    Trace { steps, outcome: found.outcome }
}

#[cfg(test)]
mod tests {
    use sudar::convex::{Accuracy, Convex, GjkMemory, GjkOptions, PosedConvex, expanding_polytope, gjk};
    use sudar::hull::convex_hull;
    use sudar_testing::convex_bodies::hull;
    use sudar_testing::{Random, polyhedra};

    use super::super::super::{Separation, chung_wang, gjk_cases};
    use super::super::{points_of_difference, trace_expanding_polytope, trace_gjk};
    use super::*;

    /// Random polyhedra, apart and in each other.
    fn each_pair(count: u32, mut show: impl FnMut(&Difference)) {
        let mut random = Random::new(77);
        for _ in 0..count {
            let mut solid = || Convex::of(&hull(polyhedra::any(&mut random, 2.0).into_iter())).unwrap();
            let (a, b) = (solid(), solid());
            let way = random.direction() * (1.0 + 2.0 * random.number());
            let (turn, place) = (random.pose(DVec3::ZERO), random.pose(way));
            show(&Difference::new(PosedConvex::new(&a, &turn), PosedConvex::new(&b, &place)));
        }
    }

    #[test]
    fn what_is_told_ends_as_the_search_does() {
        each_pair(500, |difference| {
            let found = gjk_cases(difference, DVec3::ZERO, 64);
            let trace = trace_gjk_cases(difference, DVec3::ZERO, 64);
            assert_eq!((trace.outcome, trace.steps.len() as u32), (found.outcome, found.iterations));
            let found = chung_wang(difference, DVec3::ZERO, 64);
            let trace = trace_chung_wang(difference, DVec3::ZERO, 64);
            assert_eq!((trace.outcome, trace.steps.len() as u32), (found.outcome, found.rounds));
            assert_eq!(trace.steps.last().map(|step| step.direction), Some(found.vector));
        });
    }

    #[test]
    fn the_plain_distance_and_depth_are_those_of_the_engine() {
        let (mut apart, mut deep) = (0, 0);
        each_pair(500, |difference| {
            let exact = gjk(difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
            let trace = trace_gjk(difference, 64);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(near(trace.bounds().upper, exact.distance.upper), "{trace:?}");
            // Every bound on the way holds.
            for step in &trace.steps {
                assert!(step.bounds.lower <= exact.distance.upper + 1e-12);
                assert!(step.bounds.upper >= exact.distance.lower - 1e-12);
            }
            let polytope = trace_expanding_polytope(difference, 100);
            if exact.distance.lower > 0.0 {
                apart += 1;
                assert!(matches!(trace.outcome, Separation::Separated { .. }) && polytope.steps.is_empty());
                return;
            }
            assert_eq!(trace.outcome, Separation::Colliding);
            let depth =
                expanding_polytope(difference, exact.simplex.vertices(), &Accuracy::DEFAULT, 100).depth;
            deep += u32::from(depth.lower > 1e-3);
            if depth.lower > 1e-3 {
                assert!(near(polytope.bounds().upper, depth.upper), "{polytope:?} {depth:?}");
                assert!(near(polytope.bounds().lower, depth.lower), "{polytope:?} {depth:?}");
            }
        });
        assert!(apart > 100 && deep > 100, "{apart} {deep}");
    }

    /// Everything that is told lies in the difference that is drawn.
    #[test]
    fn steps_are_points_of_the_difference() {
        each_pair(60, |difference| {
            let whole = convex_hull(&points_of_difference(difference, 4000)).unwrap();
            let planes: Vec<_> = (0..whole.faces().len()).map(|i| whole.plane(i)).collect();
            let traces = [
                trace_gjk(difference, 64),
                trace_gjk_cases(difference, DVec3::ZERO, 64),
                trace_chung_wang(difference, DVec3::ZERO, 64),
                trace_expanding_polytope(difference, 64),
            ];
            for point in traces.iter().flat_map(|t| &t.steps).flat_map(|s| &s.points) {
                assert!(planes.iter().all(|plane| plane.normal.dot(*point) <= plane.offset + 1e-9));
            }
        });
    }
}
