//! The difference A − B of the convex hulls, and how methods walk in it.

use std::sync::Arc;

use sudar::convex::{Convex, Difference, PosedConvex};
use sudar::hull::convex_hull;
use sudar::{DVec3, Hull, Pose};
use sudar_classic::convex::Separation;
use sudar_classic::convex::trace::{
    Trace, points_of_difference, trace_chung_wang, trace_expanding_polytope, trace_gjk, trace_gjk_cases,
};
use sudar_view::Geometry;

use super::model::Model;

/// The methods.
pub const METHODS: [&str; 4] = ["gjk", "gjk-cases", "chung-wang", "epa"];

/// More pairs of vertices than this are drawn as points of the boundary.
const MOST_POINTS: usize = 1500;

/// Rounds of a method.
const ROUNDS: u32 = 60;

/// The difference as it is drawn, and the rounds of a method.
#[derive(Debug, Clone)]
pub struct Shown {
    pub hull: Arc<Hull>,
    pub geometry: Arc<Geometry>,
    pub trace: Trace,
    /// Its middle and half of its longest side.
    pub middle: DVec3,
    pub size: f64,
}

/// The difference of two models at their poses; `None` if one of them has no convex hull.
pub fn show(method: &str, models: [&Model; 2], poses: [&Pose; 2]) -> Option<Shown> {
    let (a, b) = (models[0].convex.as_ref()?, models[1].convex.as_ref()?);
    let difference = between([a, b], poses);
    let hull = convex_hull(&points_of_difference(&difference, MOST_POINTS)).ok()?;
    let triangles: Vec<[u32; 3]> = (0..hull.faces().len()).flat_map(|face| hull.fan(face)).collect();
    let all = hull.vertices().iter().copied();
    let (least, most) = (all.clone().reduce(DVec3::min)?, all.reduce(DVec3::max)?);
    Some(Shown {
        geometry: Geometry::of_triangles(hull.vertices(), &triangles),
        trace: trace(method, &difference),
        middle: 0.5 * (least + most),
        size: 0.5 * (most - least).max_element().max(1e-9),
        hull: Arc::new(hull),
    })
}

fn between<'a>([a, b]: [&'a Convex; 2], poses: [&'a Pose; 2]) -> Difference<'a> {
    Difference::new(PosedConvex::new(a, poses[0]), PosedConvex::new(b, poses[1]))
}

fn trace(method: &str, difference: &Difference) -> Trace {
    match method {
        "gjk-cases" => trace_gjk_cases(difference, DVec3::ZERO, ROUNDS),
        "chung-wang" => trace_chung_wang(difference, DVec3::ZERO, ROUNDS),
        "epa" => trace_expanding_polytope(difference, ROUNDS),
        _ => trace_gjk(difference, ROUNDS),
    }
}

/// The outcome in words.
pub fn says(outcome: Separation) -> &'static str {
    match outcome {
        Separation::Separated { .. } => "the hulls are apart: the origin is outside",
        Separation::Colliding => "the hulls meet: the origin is inside",
        Separation::Undecided => "not decided",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::microscope::model::built_in;
    use crate::demos::microscope::stand::Stand;

    /// The difference of boxes along the axes is a box of the sums of their sides about minus the way between them.
    #[test]
    fn the_difference_of_two_boxes_is_a_box() {
        let cuboid = built_in("box").unwrap();
        let pose = Stand::new(3.0, 0.0, 0.0).pose();
        let shown = show("gjk", [&cuboid, &cuboid], [&Pose::IDENTITY, &pose]).unwrap();
        assert_eq!(shown.hull.vertices().len(), 8);
        assert!((shown.middle - DVec3::new(-3.0, 0.0, 0.0)).length() < 1e-12);
        assert!((shown.size - 1.8).abs() < 1e-12);
        assert!((shown.trace.bounds().upper - 1.2).abs() < 1e-12);
    }

    #[test]
    fn every_method_says_what_the_origin_says() {
        let (hare, gear) = (built_in("hare").unwrap(), built_in("gear").unwrap());
        for (x, meet) in [(0.4, true), (4.0, false)] {
            let pose = Stand::new(x, 0.1, 0.2).pose();
            for method in METHODS {
                let shown = show(method, [&hare, &gear], [&Pose::IDENTITY, &pose]).unwrap();
                assert_eq!(shown.trace.outcome == Separation::Colliding, meet, "{method}");
                assert_eq!(shown.hull.contains(DVec3::ZERO), meet);
                assert_eq!(shown.trace.steps.is_empty(), method == "epa" && !meet);
            }
        }
    }
}
