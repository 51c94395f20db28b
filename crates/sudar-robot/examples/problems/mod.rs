//! The problems of MotionBenchMaker as the folder of `SUDAR_DATA` has them.
#![allow(dead_code, reason = "not every example uses all of a problem")]

use std::error::Error;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use sudar::query::Body;
use sudar::{Cuboid, Cylinder, DQuat, DVec3, Pose};
use sudar_robot::Robot;

/// The obstacles.
pub type Scene = Vec<(String, Body, Pose)>;

/// A problem.
pub struct Problem {
    /// The set that it is of.
    pub set: String,
    /// The obstacles.
    pub scene: Scene,
    /// A configuration.
    pub start: Vec<f64>,
    /// One or more.
    pub goals: Vec<f64>,
}

/// All problems of a file, set by set.
pub fn read(file: &Path, robot: &Robot) -> Result<Vec<Problem>, Box<dyn Error>> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(file)?).read_to_string(&mut text)?;
    let all: Value = serde_json::from_str(&text)?;
    let mut problems = Vec::new();
    for (set, list) in all.as_object().ok_or("no object")? {
        for problem in list.as_array().ok_or("no list")? {
            problems.push(one(set, robot, problem)?);
        }
    }
    Ok(problems)
}

fn one(set: &str, robot: &Robot, problem: &Value) -> Result<Problem, Box<dyn Error>> {
    let start = &problem["start"];
    let values = |state: &Value| -> Vec<f64> {
        let value = |name: &&str| state[*name].as_f64().or_else(|| start[*name].as_f64()).unwrap_or(0.0);
        robot.joint_names().iter().map(value).collect()
    };
    let goals = problem["goals"].as_array().ok_or("no goals")?.iter().flat_map(values).collect();
    let scene = problem["obstacles"].as_array().ok_or("no obstacles")?.iter().map(obstacle);
    let scene = scene.collect::<Result<Scene, _>>()?;
    Ok(Problem { set: set.to_owned(), scene, start: values(start), goals })
}

fn obstacle(value: &Value) -> Result<(String, Body, Pose), Box<dyn Error>> {
    let list = |value: &Value| -> Vec<f64> {
        value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let size = list(&value["dimensions"]);
    let body = match value["type"].as_str() {
        Some("box") => Body::new(Cuboid::new(DVec3::from_slice(&size) * 0.5)?),
        _ => Body::new(Cylinder::new(size[1], size[0] * 0.5)?),
    };
    let (t, r) = (list(&value["pose"]["position"]), list(&value["pose"]["orientation"]));
    let pose = Pose::new(DVec3::from_slice(&t), DQuat::from_slice(&r).normalize())?;
    Ok((value["id"].as_str().unwrap_or("object").to_owned(), body, pose))
}
