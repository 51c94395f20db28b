//! Whether a point is in a solid is told by a ray along x. In the frame of a turned solid the box around that
//! ray held much of the tree, so that each answer took time in proportion to the triangles.

use glam::DQuat;
use sudar::Pose;
use sudar::effort::Budget;
use sudar::query::Work;
use sudar_testing::Random;
use sudar_testing::meshes::{solid, sphere};

#[test]
fn a_point_in_a_turned_solid() {
    let mut random = Random::new(5);
    let mut vector = |size: f64| random.point() * size;
    for scale in [1e-9, 1.0, 1e9] {
        let mesh = sphere(60, 1.0).mapped(|p| p * scale).unwrap();
        let body = solid(mesh);
        let (mut inside, mut work) = (0, Work::new(Budget::UNLIMITED));
        for _ in 0..300 {
            let pose = Pose::new(vector(2.0 * scale), DQuat::from_scaled_axis(vector(3.0))).unwrap();
            let offset = vector(1.1);
            let found = work.contains(body.at(&pose), pose.translation() + offset * scale);
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
