//! Models made by formulas, as large as those of the sources, and poses of one beside another.

use sudar::query::{Body, DistanceOptions, distance};
use sudar::{DQuat, Mesh, Pose};
pub use sudar_scene::models::{CarModel, bumpy, car, sheet, sphere, torus};

use crate::inputs::random::Random;
use crate::plan::Result;

/// How far apart bodies are, by the size of the smaller.
pub const GAPS: [(&str, f64); 4] = [("far", 0.5), ("near", 0.02), ("close", 0.001), ("inside", -0.1)];

/// Poses of b with about this gap, or so deep.
pub fn poses(a: &Mesh, b: &Mesh, gap: f64, count: usize) -> Result<Vec<Pose>> {
    let mut random = Random::new(17);
    let (body_a, body_b) = (Body::new(a.clone()), Body::new(b.clone()));
    let size = a.aabb().extent().length().min(b.aabb().extent().length());
    let reach = a.aabb().extent().length() + b.aabb().extent().length();
    let mut poses = Vec::new();
    for _ in 0..count {
        let turn = DQuat::from_scaled_axis(random.point(1.0) * 3.0);
        let direction = random.point(1.0).normalize();
        let at =
            |along: f64| Pose::new(a.aabb().center() + direction * along - turn * b.aabb().center(), turn);
        let mut along = reach;
        // The distance is never overstepped: in some steps the body comes as near as wanted.
        for _ in 0..200 {
            let found = distance(body_a.at(&Pose::IDENTITY), body_b.at(&at(along)?), &DistanceOptions::EXACT);
            let step = found.interval.lower - gap.max(0.0) * size;
            if step <= 1e-3 * gap.abs() * size || along <= 0.0 {
                break;
            }
            along -= step;
        }
        poses.push(at(if gap < 0.0 { along + gap * size } else { along })?);
    }
    Ok(poses)
}
