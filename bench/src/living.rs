//! Table: what lives in a world, sleeping bodies, sensors, characters, recordings: what each adds to a step.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use glam::DVec3;
use sudar::dynamics::{Character, Replay, RigidBody, Settings, World};
use sudar::query::Body;
use sudar::{Capsule, Cuboid, Cylinder, Halfspace, Mesh, Sphere};
use sudar_scene as scenes;

use crate::report::{Report, figure};
use crate::{machine, timing};

/// How long each is timed.
#[derive(Debug, Args)]
pub struct Options {
    /// Steps that count
    #[arg(long, default_value_t = 200)]
    steps: usize,
}

const STEP: f64 = 1.0 / 60.0;

/// Median, least and worst of some times, in milliseconds.
fn row(table: &mut Report, what: &str, mut times: Vec<f64>, beside: String) {
    let (least, worst) = times.iter().fold((f64::INFINITY, 0.0_f64), |(l, w), t| (l.min(*t), w.max(*t)));
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let times = [mean, timing::median(&mut times), least, worst].map(figure);
    table.row([what.to_owned()].into_iter().chain(times).chain([beside]).collect());
}

fn timed<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    times.push(start.elapsed().as_secs_f64() * 1e3);
    done
}

/// Times a world that goes on.
fn steps(world: &mut World, count: usize) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for _ in 0..count {
        timed(&mut times, || world.step(STEP))?;
    }
    Ok(times)
}

/// Boxes that sleep on a floor, and balls that bounce in the gaps between some of them.
fn asleep(boxes: u32, balls: u32) -> Result<World> {
    let mut world = World::new(Settings::default())?;
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
    let cube = Body::new(Cuboid::new(DVec3::splat(0.5))?);
    let side = f64::from(boxes).sqrt().ceil() as u32;
    let place = |i: u32| DVec3::new(f64::from(i % side), f64::from(i / side), 0.0) * 2.0;
    for i in 0..boxes {
        let position = place(i) + DVec3::Z * 0.5;
        world.add(RigidBody { position, ..RigidBody::new(format!("box {i}"), cube.clone()) })?;
    }
    for _ in 0..90 {
        world.step(STEP)?;
    }
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.3)?);
    for i in 0..balls {
        let position = place(i * (boxes / balls)) + DVec3::new(1.0, 1.0, 1.0 + 0.002 * f64::from(i));
        let body =
            RigidBody { restitution: 1.0, position, ..RigidBody::new(format!("ball {i}"), ball.clone()) };
        world.add(body)?;
    }
    for _ in 0..10 {
        world.step(STEP)?;
    }
    Ok(world)
}

/// A heap of boxes with sensors in it, or without.
fn heap(sensors: u32) -> Result<World> {
    let mut scene = scenes::boxes(1000)?;
    scene.settings.sleeps = false;
    let mut world = scene.into_world()?;
    for i in 0..sensors {
        let position = DVec3::new(f64::from(i % 10), f64::from(i / 10), 1.0) - DVec3::new(5.0, 5.0, 0.0);
        let zone = RigidBody::fixed(format!("zone {i}"), Cuboid::new(DVec3::splat(0.5))?);
        world.add(RigidBody { sensor: true, position, ..zone })?;
    }
    for _ in 0..120 {
        world.step(STEP)?;
    }
    Ok(world)
}

/// A level of 100 352 triangles.
fn level() -> Result<World> {
    const CELLS: u32 = 224;
    let height = |x: f64, y: f64| {
        let terrace = if (x / 8.0).floor() % 2.0 == 0.0 { 0.15 } else { 0.0 };
        0.6 * (0.35 * x).sin() * (0.3 * y).cos() + terrace
    };
    let corner = |i: u32| {
        let [x, y] = [i % (CELLS + 1), i / (CELLS + 1)].map(|k| 0.5 * f64::from(k));
        DVec3::new(x, y, height(x, y))
    };
    let corners = (0..(CELLS + 1) * (CELLS + 1)).map(corner).collect();
    let cell = |i: u32| {
        let a = i % CELLS + (CELLS + 1) * (i / CELLS);
        [[a, a + 1, a + CELLS + 2], [a, a + CELLS + 2, a + CELLS + 1]]
    };
    let mut world = World::new(Settings::default())?;
    let mesh = Mesh::new(corners, (0..CELLS * CELLS).flat_map(cell).collect())?;
    world.add(RigidBody::fixed("level", mesh))?;
    Ok(world)
}

/// A hundred characters that walk about: the times of all their moves, step by step.
fn characters(shape: &Body, count: usize) -> Result<Vec<f64>> {
    let mut world = level()?;
    let place = |k: u32| DVec3::new(10.0 + f64::from(k % 10) * 9.0, 10.0 + f64::from(k / 10) * 9.0, 3.0);
    let mut heroes: Vec<Character> = (0..100).map(|k| Character::new(shape.clone()).at(place(k))).collect();
    let mut times = Vec::new();
    for step in 0..60 + count {
        let start = Instant::now();
        let way = |k: usize| {
            let angle = 0.7 * k as f64 + 0.01 * step as f64;
            DVec3::new(angle.cos(), angle.sin(), 0.0) * 3.0
        };
        let ways: Vec<DVec3> = (0..heroes.len()).map(way).collect();
        Character::walk_all(&mut heroes, &mut world, &ways, STEP)?;
        if step >= 60 {
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    Ok(times)
}

/// Times everything.
///
/// # Errors
/// If the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let count = options.steps;
    let mut table = Report::new(&["what", "mean, ms", "median", "least", "worst", "beside"]);
    let mut world = asleep(99_000, 1000)?;
    row(&mut table, "100 000 bodies, of which 1000 balls bounce", steps(&mut world, count)?, String::new());
    // Step by step in turns, so that both have the same disturbances.
    let (mut without, mut with) = (heap(0)?, heap(100)?);
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..count {
        timed(&mut times[0], || without.step(STEP))?;
        timed(&mut times[1], || with.step(STEP))?;
    }
    let [plain, sensed] = times;
    let share = timing::median(&mut sensed.clone()) / timing::median(&mut plain.clone());
    row(&mut table, "1000 boxes in a heap", plain, String::new());
    row(&mut table, "the same with 100 sensors", sensed, format!("{share:.3} of the step without"));
    let shapes = [
        ("capsules", Body::new(Capsule::new(0.3, 0.6)?)),
        ("boxes", Body::new(Cuboid::new(DVec3::new(0.3, 0.3, 0.9))?)),
        ("cylinders", Body::new(Cylinder::new(0.3, 0.9)?)),
    ];
    for (name, shape) in shapes {
        let what = format!("100 characters, {name}, in 100 352 triangles");
        row(&mut table, &what, characters(&shape, count)?, String::new());
    }
    let make = || {
        let mut scene = scenes::pyramid_3d(20)?;
        scene.settings.sleeps = false;
        Ok::<_, anyhow::Error>(scene.into_world()?)
    };
    let (mut plain, mut recorded) = (make()?, make()?);
    recorded.record();
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..count {
        timed(&mut times[0], || plain.step(STEP))?;
        timed(&mut times[1], || recorded.step(STEP))?;
    }
    let mut replay = Replay::new(recorded.stop_recording().context("nothing was recorded")?)?;
    while !replay.is_over() {
        timed(&mut times[2], || replay.step())?;
    }
    let mean = |times: &[f64]| times.iter().sum::<f64>();
    let beside = [1, 2].map(|k| format!("{:.3} of the plain step", mean(&times[k]) / mean(&times[0])));
    let [plain, recorded, replayed] = times;
    row(&mut table, "a pyramid of 2870 boxes", plain, String::new());
    row(&mut table, "the same, recorded", recorded, beside[0].clone());
    row(&mut table, "the same, replayed and compared", replayed, beside[1].clone());
    writeln!(out, "{}", machine::header())?;
    writeln!(out, "Steps of 1/60 s, {count} that count.")?;
    table.print("What lives in a world", out)
}
