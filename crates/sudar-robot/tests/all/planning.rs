//! Real robots among the obstacles of planning problems (MotionBenchMaker), link by link.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;
use sudar::query::{Batch, Body};
use sudar::{Cuboid, Cylinder, DQuat, DVec3, Pose};
use sudar_robot::{CellOptions, LoadOptions, PairOptions, Robot, RobotCell};
use sudar_testing::oracle::data;

use crate::arms::pairwise;

pub struct Problem {
    pub scene: Vec<(String, Body, Pose)>,
    pub start: Vec<f64>,
    pub goals: Vec<Vec<f64>>,
}

pub fn robot(data: &Path, name: &str, urdf: &str) -> Robot {
    let folder = data.join("robots").join(name);
    let srdf = Some(folder.join(format!("{name}.srdf")));
    Robot::load(folder.join(urdf), &LoadOptions { srdf, skip_missing_meshes: true, ..LoadOptions::default() })
        .unwrap()
}

/// The problems of a robot, every `step`th.
pub fn problems(data: &Path, robot: &Robot, file: &str, step: usize) -> Vec<Problem> {
    let path: PathBuf = data.join("planning").join(file);
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let sets = all.as_object().unwrap().values();
    let each = sets.flat_map(|set| set.as_array().unwrap()).step_by(step);
    each.map(|problem| read(robot, problem)).collect()
}

fn read(robot: &Robot, problem: &Value) -> Problem {
    let start = &problem["start"];
    let values = |state: &Value| {
        let value = |name: &&str| state[*name].as_f64().or_else(|| start[*name].as_f64());
        robot.joint_names().iter().map(|name| value(name).unwrap_or(0.0)).collect()
    };
    Problem {
        scene: problem["obstacles"].as_array().unwrap().iter().map(obstacle).collect(),
        start: values(start),
        goals: problem["goals"].as_array().unwrap().iter().map(values).collect(),
    }
}

fn obstacle(value: &Value) -> (String, Body, Pose) {
    let list = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let size = list(&value["dimensions"]);
    let body = match value["type"].as_str().unwrap() {
        "box" => Body::new(Cuboid::new(DVec3::from_slice(&size) * 0.5).unwrap()),
        _ => Body::new(Cylinder::new(size[1], size[0] * 0.5).unwrap()),
    };
    let (t, r) = (list(&value["pose"]["position"]), list(&value["pose"]["orientation"]));
    let pose = Pose::new(DVec3::from_slice(&t), DQuat::from_slice(&r).normalize()).unwrap();
    (value["id"].as_str().unwrap().to_owned(), body, pose)
}

pub fn cell(robot: &Robot, scene: &[(String, Body, Pose)]) -> RobotCell {
    RobotCell::new(robot, scene.to_vec(), &CellOptions::default()).unwrap()
}

fn every_start_and_goal(name: &str, urdf: &str, file: &str) {
    let Some(data) = data() else { return };
    let robot = robot(&data, name, urdf);
    robot.notes().iter().for_each(|note| println!("{name} {urdf}: {note}"));
    let (mut checked, mut valid) = (0, 0);
    // The pairs depend on the robot alone.
    let samples = RobotCell::new(&robot, Vec::new(), &CellOptions::default()).unwrap();
    let left_out: Vec<[String; 2]> = samples
        .self_pairs()
        .iter()
        .filter(|pair| !pair.is_checked())
        .map(|pair| pair.parts.map(|part| samples.parts()[part].name.clone()))
        .collect();
    let pairs = PairOptions { samples: 0, ..PairOptions::default() };
    let options = CellOptions { pairs, check_limits: false, ignored: left_out, ..CellOptions::default() };
    for problem in problems(&data, &robot, file, 1) {
        let cell = RobotCell::new(&robot, problem.scene.clone(), &options).unwrap();
        let q: Vec<f64> = [vec![problem.start], problem.goals].concat().concat();
        let found = cell.check(&q, &Batch::default()).unwrap();
        let first = cell.first_contact(&q, &Batch::default()).unwrap();
        for (row, (q, is_valid)) in q.chunks(robot.dof()).zip(found).enumerate() {
            let expected = pairwise(&cell, &problem.scene, q);
            assert_eq!(is_valid, expected.is_empty());
            let name = first[row].map(|contact| (contact.part, cell.name_of(contact.other).to_owned()));
            assert_eq!(name, expected.first().cloned());
            checked += 1;
            valid += usize::from(is_valid);
        }
    }
    println!("{name} {urdf}: {checked} configurations, {valid} valid");
    assert!(checked > 1000 && valid > checked / 3);
}

#[test]
fn panda_of_meshes() {
    every_start_and_goal("panda", "panda.urdf", "mbm_panda.json.gz");
}

#[test]
fn panda_of_balls() {
    every_start_and_goal("panda", "panda_spherized.urdf", "mbm_panda.json.gz");
}

#[test]
fn ur5_of_meshes() {
    every_start_and_goal("ur5", "ur5.urdf", "mbm_ur5.json.gz");
}

#[test]
fn ur5_of_balls() {
    every_start_and_goal("ur5", "ur5_spherized.urdf", "mbm_ur5.json.gz");
}
