//! Each point of a cloud is a piece of its own: a box that meets none of them was compared with all, however
//! far they were.

use glam::{DQuat, DVec3};
use rand::RngExt;
use sudar::query::{Body, Intersection, intersects, within};
use sudar::{Cuboid, PointCloud, Pose};
use sudar_testing::Random;

#[test]
fn a_box_among_many_points() {
    let mut random = Random::new(3);
    let mut number = |size: f64| random.random_range(-size..size);
    let points: Vec<DVec3> = (0..3000).map(|_| DVec3::new(number(1.0), number(1.0), number(1.0))).collect();
    let cloud = Body::new(PointCloud::new(points.clone()).unwrap());
    let half = DVec3::new(0.12, 0.07, 0.02);
    let brick = Body::new(Cuboid::new(half).unwrap());
    let (mut touching, mut apart) = (0, 0);
    for _ in 0..300 {
        let turn = DQuat::from_scaled_axis(DVec3::new(number(3.0), number(3.0), number(3.0)));
        let pose = Pose::new(DVec3::new(number(1.1), number(1.1), number(1.1)), turn).unwrap();
        let back = pose.rotation().transpose();
        // How far beyond the box a point lies along one of its axes.
        let beyond = |p: &DVec3| ((back * (*p - pose.translation())).abs() - half).max_element();
        let least = points.iter().map(beyond).fold(f64::INFINITY, f64::min);
        assert!(least.abs() > 1e-12, "a point on the surface of a random box");
        match intersects(cloud.at(&Pose::IDENTITY), brick.at(&pose)) {
            Intersection::Touching { features: [i, _] } => {
                assert!(beyond(&points[i as usize]) < 0.0);
                touching += 1;
            }
            Intersection::Apart => {
                assert!(least > 0.0);
                apart += 1;
            }
            Intersection::Undecided(_) => unreachable!("boxes and points are decided exactly"),
        }
        assert_eq!(intersects(brick.at(&pose), cloud.at(&Pose::IDENTITY)).is_touching(), least < 0.0);
        assert_eq!(within(cloud.at(&Pose::IDENTITY), brick.at(&pose), 0.0).decided(), Some(least < 0.0));
    }
    assert!(touching > 50 && apart > 50, "{touching} touching, {apart} apart");
}
