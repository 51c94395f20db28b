//! Whether a point is in a solid is told by a ray along x. In the frame of a turned solid the box around that
//! ray held much of the tree, so that each answer took time in proportion to the triangles.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use sudar::effort::Budget;
use sudar::query::{Body, Work};
use sudar::{Mesh, Pose, Solid};

/// A unit ball of 4·n·(n − 1) triangles.
fn ball(n: u32) -> Mesh {
    let around = 2 * n;
    let mut vertices = vec![DVec3::Z];
    for i in 1..n {
        let (out, up) = libm::sincos(PI * f64::from(i) / f64::from(n));
        vertices.extend((0..around).map(|j| {
            let (sin, cos) = libm::sincos(TAU * f64::from(j) / f64::from(around));
            DVec3::new(out * cos, out * sin, up)
        }));
    }
    vertices.push(-DVec3::Z);
    let last = vertices.len() as u32 - 1;
    let at = |i: u32, j: u32| 1 + (i - 1) * around + j % around;
    let mut triangles = Vec::new();
    for j in 0..around {
        triangles.extend([[0, at(1, j), at(1, j + 1)], [last, at(n - 1, j + 1), at(n - 1, j)]]);
        for i in 1..n - 1 {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

#[test]
fn a_point_in_a_turned_solid() {
    let mut random = rand_pcg::Pcg64::seed_from_u64(5);
    let mut vector = |size: f64| DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)));
    for scale in [1e-9, 1.0, 1e9] {
        let mesh = ball(60).mapped(|p| p * scale).unwrap();
        let solid = Body::new(Solid::new(Arc::new(mesh)).unwrap());
        let (mut inside, mut work) = (0, Work::new(Budget::UNLIMITED));
        for _ in 0..300 {
            let pose = Pose::new(vector(2.0 * scale), DQuat::from_scaled_axis(vector(3.0))).unwrap();
            let offset = vector(1.1);
            let found = work.contains(solid.at(&pose), pose.translation() + offset * scale);
            // The mesh lies between balls of radius cos(π/60)² and 1.
            let expected = match offset.length() {
                far if far < 0.99 => Some(true),
                far if far > 1.0 + 1e-9 => Some(false),
                _ => continue,
            };
            assert_eq!(found, Ok(expected), "{offset} at the scale {scale:e}");
            inside += u32::from(expected == Some(true));
        }
        // 14 160 triangles, of which the box of a ray held a thousand, in 60 nodes; the ray itself meets one or two.
        let [nodes, triangles] = [work.statistics().nodes, work.statistics().triangles].map(|sum| sum / 300);
        assert!((50..250).contains(&inside), "{inside} inside");
        assert!(nodes < 20 && triangles < 10, "{nodes} nodes and {triangles} triangles a point");
    }
}
