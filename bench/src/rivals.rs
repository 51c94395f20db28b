//! The Rust libraries compared with, reduced to what is compared. They use another release of `glam`, so
//! vectors pass through arrays.

use std::time::Duration;

use anyhow::Result;
use obvhs::BvhBuildParams;
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::triangle::Triangle;
use parry3d_f64::math::{Pose3, Rot3, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::TriMesh;
use sudar::{DQuat, DVec3, Mesh, Pose};

/// The mesh as parry's, its tree built.
///
/// # Errors
/// If parry refuses it.
pub fn parry_mesh((vertices, triangles): (Vec<Vector>, Vec<[u32; 3]>)) -> Result<TriMesh> {
    Ok(TriMesh::new(vertices, triangles)?)
}

/// What parry builds from.
pub fn parry_input(mesh: &Mesh) -> (Vec<Vector>, Vec<[u32; 3]>) {
    (mesh.vertices().iter().map(|p| Vector::from_array(p.to_array())).collect(), mesh.triangles().to_vec())
}

/// The pose as parry's: through a quaternion, so not to the last bit.
pub fn parry_pose(pose: &Pose) -> Pose3 {
    let q = DQuat::from_mat3(&pose.rotation()).normalize();
    let t = pose.translation();
    Pose3::from_parts(Vector::new(t.x, t.y, t.z), Rot3::from_xyzw(q.x, q.y, q.z, q.w))
}

/// parry's first hit; `None` if it does not support the pair.
pub fn parry_intersects(a: &TriMesh, pose_a: &Pose3, b: &TriMesh, pose_b: &Pose3) -> Option<bool> {
    query::intersection_test(pose_a, a, pose_b, b).ok().map(|hit| hit.intersecting)
}

/// parry's distance; NaN if it does not support the pair.
pub fn parry_distance(a: &TriMesh, pose_a: &Pose3, b: &TriMesh, pose_b: &Pose3) -> f64 {
    query::distance(pose_a, a, pose_b, b).map_or(f64::NAN, |found| found.distance)
}

/// What obvhs builds from.
pub fn obvhs_input(mesh: &Mesh) -> Vec<Triangle> {
    let one = |i| {
        let [v0, v1, v2] = mesh.triangle(i).corners().map(DVec3::as_vec3a);
        Triangle { v0, v1, v2 }
    };
    (0..mesh.triangles().len() as u32).map(one).collect()
}

/// A way to build a tree with obvhs.
#[derive(Debug, Clone, Copy)]
pub struct ObvhsPreset {
    /// Kind of tree and name of the preset.
    pub name: &'static str,
    /// Builds it and returns the number of its nodes.
    pub build: fn(&[Triangle]) -> usize,
}

/// Binary trees by three presets, and the eight-wide one that is nearest to ours in kind.
pub const OBVHS: [ObvhsPreset; 4] = [
    ObvhsPreset { name: "obvhs bvh2 fastest", build: |t| binary(t, BvhBuildParams::fastest_build()) },
    ObvhsPreset { name: "obvhs bvh2 fast", build: |t| binary(t, BvhBuildParams::fast_build()) },
    ObvhsPreset { name: "obvhs bvh2 medium", build: |t| binary(t, BvhBuildParams::medium_build()) },
    ObvhsPreset { name: "obvhs cwbvh medium", build: |t| wide(t, BvhBuildParams::medium_build()) },
];

fn binary(triangles: &[Triangle], preset: BvhBuildParams) -> usize {
    build_bvh2_from_tris(triangles, preset, &mut Duration::default()).nodes.len()
}

fn wide(triangles: &[Triangle], preset: BvhBuildParams) -> usize {
    build_cwbvh_from_tris(triangles, preset, &mut Duration::default()).nodes.len()
}
