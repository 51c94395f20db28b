//! The walk of Lin and Canny from feature to feature, with the Voronoi regions that it looks into.

use std::sync::Arc;

use sudar::convex::{Convex, PosedConvex};
use sudar::hull::convex_hull;
use sudar::{DVec3, Pose, Shape};
use sudar_classic::convex::{
    Closest, ClosestFeatures, Feature, FeatureMap, FeatureOutcome, PosedFeatures, VoronoiRegion,
};
use sudar_view::{Color, Scene};

use super::model::Model;

/// A body as a polyhedron, with its features.
#[derive(Debug, Clone)]
struct Polyhedron {
    convex: Convex,
    map: FeatureMap,
}

impl Polyhedron {
    /// The convex hull of a model; of a round one that of its triangles.
    fn of(model: &Model) -> Option<Self> {
        let own = model.convex.clone();
        let of_triangles = || {
            let hull = convex_hull(model.mesh.as_ref()?.vertices()).ok()?;
            Convex::of(&Shape::Hull(Arc::new(hull)))
        };
        let convex = own.filter(|convex| FeatureMap::of(convex).is_some()).or_else(of_triangles)?;
        Some(Self { map: FeatureMap::of(&convex)?, convex })
    }
}

/// A walk from the vertices that face each other to the nearest features.
#[derive(Debug, Clone)]
pub struct Walk {
    bodies: [Polyhedron; 2],
    poses: [Pose; 2],
    /// Each pair of features that was tested, with their nearest points.
    pub steps: Vec<Closest>,
    outcome: FeatureOutcome,
}

/// The walk for two models at their poses; `None` where one has no features.
pub fn walk(models: [&Model; 2], poses: [&Pose; 2]) -> Option<Walk> {
    let bodies = [Polyhedron::of(models[0])?, Polyhedron::of(models[1])?];
    let posed = |k: usize| PosedFeatures::new(&bodies[k].map, PosedConvex::new(&bodies[k].convex, poses[k]));
    let (answer, steps) = ClosestFeatures::new().trace(&posed(0)?, &posed(1)?);
    Some(Walk { bodies, poses: poses.map(|pose| *pose), steps, outcome: answer.outcome })
}

impl Walk {
    /// The step of that number, from 1; the last if there are fewer.
    fn step(&self, number: u32) -> Option<&Closest> {
        self.steps.get((number.max(1) as usize).min(self.steps.len()).checked_sub(1)?)
    }

    /// The step in words, and after the last what came of it.
    pub fn lines(&self, number: u32) -> Vec<String> {
        let Some(step) = self.step(number) else { return Vec::new() };
        let (last, number) = (self.steps.len(), (number as usize).min(self.steps.len()));
        let [a, b] = step.features.map(says);
        let mut lines =
            vec![format!("features: {number} of {last}: {a} of A, {b} of B, {:.6} m", step.distance)];
        if number == last {
            lines.push(self.says_outcome().to_owned());
        }
        lines
    }

    fn says_outcome(&self) -> &'static str {
        match self.outcome {
            FeatureOutcome::Apart(_) => "each point is in the region of the other feature: these are nearest",
            FeatureOutcome::Touching(_) => "they are nearest, and too near to tell the bodies apart",
            FeatureOutcome::Penetrating => "a point of one body is inside the other",
            FeatureOutcome::GaveUp => "the walk gave up: another method must decide",
        }
    }

    /// Both features, the edges of their regions, and the nearest points.
    pub fn draw(&self, number: u32, colors: [Color; 2], scene: &mut Scene) {
        let Some(step) = self.step(number) else { return };
        for (side, color) in colors.into_iter().enumerate() {
            let light = color.mix(Color::WHITE, 0.45);
            self.draw_feature(side, step.features[side], light, scene);
            self.draw_region(side, step.features[side], light, scene);
        }
        scene.line_on_top(step.point_a, step.point_b, Color::WHITE, 3.0);
        scene.dot(step.point_a, 6.0, Color::WHITE);
        scene.dot(step.point_b, 6.0, Color::WHITE);
    }

    fn draw_feature(&self, side: usize, feature: Feature, color: Color, scene: &mut Scene) {
        let (hull, pose) = (self.bodies[side].map.hull(), &self.poses[side]);
        let at = |v: u32| pose.apply(hull.vertices()[v as usize]);
        match feature {
            Feature::Vertex(v) => scene.dot(at(v), 9.0, color),
            Feature::Edge(e) => {
                let edge = hull.half_edges()[e as usize];
                scene.line_on_top(
                    at(edge.origin),
                    at(hull.half_edges()[edge.twin as usize].origin),
                    color,
                    5.0,
                );
            }
            Feature::Face(f) => {
                let corners: Vec<DVec3> = hull.face(f as usize).map(at).collect();
                for (k, corner) in corners.iter().enumerate() {
                    scene.line_on_top(*corner, corners[(k + 1) % corners.len()], color, 5.0);
                }
            }
        }
    }

    /// The edges of the region, so long that the other point is among them, and the planes between them as bands.
    fn draw_region(&self, side: usize, feature: Feature, color: Color, scene: &mut Scene) {
        let (Polyhedron { convex, map }, pose) = (&self.bodies[side], &self.poses[side]);
        let region = VoronoiRegion::of(map, feature, convex.center());
        let size = map.hull().vertices().iter().map(|v| v.distance(convex.center())).fold(0.0, f64::max);
        let end = |[at, way]: [DVec3; 2], part: f64| pose.apply(at + way * (part * size));
        for (k, ray) in region.rays.iter().enumerate() {
            let next = region.rays[(k + 1) % region.rays.len()];
            scene.line(end(*ray, 0.0), end(*ray, 1.2), color.faded(0.9), 2.0);
            for band in [0.4, 0.8, 1.2] {
                scene.line(end(*ray, band), end(next, band), color.faded(0.5), 1.5);
            }
        }
    }
}

fn says(feature: Feature) -> String {
    match feature {
        Feature::Vertex(v) => format!("vertex {v}"),
        Feature::Edge(e) => format!("edge {e}"),
        Feature::Face(f) => format!("face {f}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::microscope::model::{NAMES, built_in};
    use crate::demos::microscope::stand::Stand;

    /// Boxes of 1.8 × 1.2 × 0.9 m beside each other: two faces, 1.2 m apart.
    #[test]
    fn the_walk_ends_at_the_nearest_features_and_never_goes_away() {
        let cuboid = built_in("box").unwrap();
        let found = walk([&cuboid, &cuboid], [&Pose::IDENTITY, &Stand::new(3.0, 0.1, 0.05).pose()]).unwrap();
        assert!(matches!(found.outcome, FeatureOutcome::Apart(_)));
        assert!((found.steps.last().unwrap().distance - 1.2).abs() < 1e-12);
        assert!(found.steps.windows(2).all(|two| two[1].distance <= two[0].distance + 1e-12));
        let lines = found.lines(1000);
        assert!(
            lines.len() == 2 && lines[0].contains("1.200000 m") && lines[1].contains("nearest"),
            "{lines:?}"
        );
        assert_eq!(found.lines(1).len(), usize::from(found.steps.len() == 1) + 1);
    }

    #[test]
    fn every_model_has_features_and_a_walk() {
        let gear = built_in("gear").unwrap();
        let pose = Stand::new(2.5, 0.3, -0.4).pose();
        for name in NAMES.into_iter().filter(|name| *name != super::super::model::FILE) {
            let model = built_in(name).unwrap();
            let found = walk([&gear, &model], [&Pose::IDENTITY, &pose]).unwrap();
            assert!(!found.steps.is_empty(), "{name}");
        }
    }
}
