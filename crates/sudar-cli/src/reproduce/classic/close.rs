//! Poses of one body beside another, from far to deep inside.

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::query::{Body, DistanceOptions, distance};
use sudar::{DQuat, DVec3, Mesh, Pose};

/// How far apart bodies are, by the size of the smaller.
pub const GAPS: [(&str, f64); 4] = [("far", 0.5), ("near", 0.02), ("close", 0.001), ("inside", -0.1)];

/// Poses of b with about this gap, or so deep.
pub fn poses(a: &Mesh, b: &Mesh, gap: f64, count: usize) -> Result<Vec<Pose>> {
    let mut random = Pcg64::seed_from_u64(17);
    let mut point = || {
        let mut number = || random.random_range(-1.0..1.0);
        DVec3::new(number(), number(), number())
    };
    let (body_a, body_b) = (Body::new(a.clone()), Body::new(b.clone()));
    let size = a.aabb().extent().length().min(b.aabb().extent().length());
    let reach = a.aabb().extent().length() + b.aabb().extent().length();
    let mut poses = Vec::new();
    for _ in 0..count {
        let turn = DQuat::from_scaled_axis(point() * 3.0);
        let direction = point().normalize();
        let at =
            |along: f64| Pose::new(a.aabb().center() + direction * along - turn * b.aabb().center(), turn);
        let mut along = reach;
        // The distance is never overstepped: in some steps the body comes as near as wanted.
        for _ in 0..200 {
            let found = distance(&body_a, &Pose::IDENTITY, &body_b, &at(along)?, &DistanceOptions::EXACT);
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
