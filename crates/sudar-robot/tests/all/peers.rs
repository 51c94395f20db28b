//! Kinematics beside numbers that another library gave: `bench/robots.py kinematics` wrote them.

use sudar_robot::{LoadOptions, Robot};
use sudar_testing::oracle::data;

const TABLE: &str = include_str!("../kinematics.txt");

#[test]
fn links_are_where_another_library_has_them() {
    let Some(data) = data() else { return };
    let (mut compared, mut worst) = (0, 0.0_f64);
    let mut current: Option<(Robot, Vec<sudar::Pose>)> = None;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap();
        if name == "robot" {
            let path = data.join("robots").join(words.next().unwrap());
            let options = LoadOptions { skip_missing_meshes: true, ..LoadOptions::default() };
            let robot = Robot::load(path, &options).unwrap();
            let q: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
            let poses = robot.forward(&q).unwrap();
            current = Some((robot, poses));
            continue;
        }
        let (robot, poses) = current.as_ref().unwrap();
        let numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        let pose = &poses[robot.link(name).unwrap()];
        let (rotation, translation) =
            (pose.rotation().transpose().to_cols_array(), pose.translation().to_array());
        for (ours, theirs) in rotation.iter().chain(&translation).zip(&numbers) {
            worst = worst.max((ours - theirs).abs());
        }
        assert_eq!(numbers.len(), 12);
        compared += 1;
    }
    println!("{compared} poses, the worst off by {worst:.1e}");
    assert!(compared > 100 && worst <= 1e-12, "{compared} {worst}");
}
