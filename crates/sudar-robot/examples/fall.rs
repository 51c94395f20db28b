//! What the links of a robot weigh, where they are, and where they are after a fall without contacts: JSON.
//!
//! `cargo run --release -p sudar-robot --example fall -- humanoid.xml 0.5 0.001 [free] < configurations`
//!
//! Reads configurations from the standard input, a line each, and falls from each for so many seconds in such steps;
//! with `free` without the limits and the friction of joints. `bench/mjcf.py` compares the
//! answers with those of MuJoCo.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints what it finds")]

use std::error::Error;
use std::io::BufRead;

use sudar::dynamics::{Row, Settings, World};
use sudar::{Interval, Pose};
use sudar_robot::{LoadOptions, Robot, WorldOptions};

/// Translation, then the rows of the rotation.
fn numbers(pose: &Pose) -> Vec<f64> {
    [pose.translation().to_array().to_vec(), pose.rotation().transpose().to_cols_array().to_vec()].concat()
}

fn fall(
    robot: &Robot,
    q: &[f64],
    [seconds, step]: [f64; 2],
    is_free: bool,
) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let mut world = World::new(Settings { substeps: 1, sleeps: false, ..Settings::default() })?;
    let options = WorldOptions { hold: None, ..WorldOptions::default() };
    let bodies = robot.add_to(&mut world, q, &options)?;
    // Contacts off, also with the floor.
    let handles: Vec<_> = world.bodies().map(|(handle, _)| handle).collect();
    for (k, a) in handles.iter().enumerate() {
        handles[k + 1..].iter().try_for_each(|b| world.ignore(*a, *b))?;
    }
    if is_free {
        for joint in bodies.joints.iter().flatten() {
            world.joint_mut(*joint)?.modify(|joint| joint.rows.iter_mut().for_each(release))?;
        }
    }
    for _ in 0..(seconds / step).round() as u32 {
        world.step(step)?;
    }
    let place = |link| Ok(numbers(&bodies.link_pose(&world, link)?));
    (0..robot.links().len()).map(place).collect()
}

/// Takes limits and friction from what is not locked.
fn release(row: &mut Row) {
    if !row.is_locked() {
        *row = Row { spring: row.spring, ..Row::FREE };
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, seconds, step, rest @ ..] = &arguments[..] else {
        return Err("give a file, seconds and a step".into());
    };
    let robot = Robot::load(path, &LoadOptions::default())?;
    robot.notes().iter().for_each(|note| eprintln!("note: {note}"));
    let time = [seconds.parse()?, step.parse()?];
    let is_free = rest.first().is_some_and(|word| word == "free");
    let weigh = |link: &sudar_robot::Link| {
        let own = link.inertial.unwrap_or(sudar_robot::Inertial {
            mass: 0.0,
            center: sudar::DVec3::ZERO,
            inertia: sudar::DMat3::ZERO,
        });
        let inertia = own.inertia.to_cols_array();
        format!(
            "{{\"name\":{:?},\"mass\":{:?},\"center\":{:?},\"inertia\":{inertia:?}}}",
            link.name,
            own.mass,
            own.center.to_array()
        )
    };
    let links: Vec<String> = robot.links().iter().map(weigh).collect();
    let mut falls = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let q = line?.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        let start: Vec<Vec<f64>> = robot.forward(&q)?.iter().map(numbers).collect();
        falls.push(format!("{{\"start\":{start:?},\"end\":{:?}}}", fall(&robot, &q, time, is_free)?));
    }
    let keys: Vec<&[f64]> = robot.keyframes().iter().map(|key| &key.configuration[..]).collect();
    let limits = robot.limits();
    // JSON has no infinity.
    let ends =
        |end: fn(&Interval) -> f64| limits.iter().map(end).map(|x| x.clamp(-1e9, 1e9)).collect::<Vec<_>>();
    println!(
        "{{\"lower\":{:?},\"upper\":{:?},\"joints\":{:?},\"home\":{:?},\"keyframes\":{keys:?},\"links\":[{}],\"falls\":[{}]}}",
        ends(|limit| limit.lower),
        ends(|limit| limit.upper),
        robot.joint_names(),
        robot.home(),
        links.join(","),
        falls.join(",")
    );
    Ok(())
}
