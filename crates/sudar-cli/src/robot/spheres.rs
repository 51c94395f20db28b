//! Spheres that cover links, as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use sudar_robot::{Robot, SphereOptions};

use crate::report;

#[derive(Debug, Serialize)]
struct Document<'r> {
    robot: &'r str,
    collision_spheres: BTreeMap<&'r str, Vec<One>>,
    beyond: BTreeMap<&'r str, f64>,
    not_covered: Vec<&'r str>,
}

#[derive(Debug, Serialize)]
struct One {
    center: [f64; 3],
    radius: f64,
}

pub fn write(path: &Path, robot: &Robot, most: usize) -> Result<()> {
    let found = robot.spheres(&SphereOptions { most, ..SphereOptions::default() })?;
    let name = |link: usize| robot.links()[link].name.as_str();
    let one = |(center, radius): &(sudar::DVec3, f64)| One { center: center.to_array(), radius: *radius };
    let document = Document {
        robot: robot.name(),
        collision_spheres: found
            .iter()
            .map(|of| (name(of.link), of.spheres.iter().map(one).collect()))
            .collect(),
        beyond: found.iter().map(|of| (name(of.link), of.beyond)).collect(),
        not_covered: found.iter().filter(|of| !of.is_covered).map(|of| name(of.link)).collect(),
    };
    report::write_whole(path, serde_json::to_string(&document)? + "\n")
}
