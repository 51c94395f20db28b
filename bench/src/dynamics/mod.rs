//! Table: rigid bodies that fall, rest and bounce, by our stacking solver, by rapier3d and by Box3D.

#[cfg(test)]
mod agreement;
mod box3d;
mod box3d_joints;
mod rapier;

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use glam::{DQuat, DVec3};
use rayon::ThreadPoolBuilder;
use sudar::dynamics::{
    Anchors, BodyState, BodyType, Handle, Joint, RigidBody, Settings, SoftContacts, World,
};
use sudar::query::Body;
use sudar::{Cuboid, Halfspace, Mesh, Sphere};
use sudar_scene::{self as scenes, Scene, SceneError};

use crate::report::{Report, figure};
use crate::{machine, timing};
pub use box3d::Box3d;
pub use rapier::Rapier;

/// Which scenes, how long, and on how many threads.
#[derive(Debug, Args)]
pub struct Options {
    /// Scenes by name
    #[arg(long, num_args = 1.., default_values_t = CASES.map(|case| case.name.to_owned()))]
    scenes: Vec<String>,
    /// Steps that do not count
    #[arg(long, default_value_t = 120)]
    warm: u32,
    /// Steps that count
    #[arg(long, default_value_t = 100)]
    steps: u32,
    /// Numbers of threads
    #[arg(long, num_args = 1.., default_values_t = [1, 2])]
    threads: Vec<usize>,
}

/// A scene in another library.
pub trait Rival {
    /// Advances by the step of the scene.
    fn step(&mut self);

    /// Where the bodies of the scene are. Their centres of mass are those of the library.
    fn motions(&self) -> Vec<BodyState>;
}

/// Puts a scene into another library.
pub type Make = fn(&Scene) -> Result<Box<dyn Rival>>;

/// The libraries compared with, by name.
pub const RIVALS: [(&str, Make); 2] = [
    ("rapier3d", |scene| Ok(Box::new(Rapier::new(scene)?))),
    ("box3d-rust", |scene| Ok(Box::new(Box3d::new(scene)?))),
];

/// A scene, and whether the other libraries have it as well.
struct Case {
    name: &'static str,
    make: fn() -> Result<Scene, SceneError>,
    is_compared: bool,
}

const CASES: [Case; 14] = [
    Case { name: "pyramid-210", make: || scenes::pyramid(20), is_compared: true },
    Case { name: "pyramid-2870", make: || scenes::pyramid_3d(20), is_compared: true },
    Case { name: "boxes-1000", make: || scenes::boxes(1000), is_compared: true },
    Case { name: "hulls-5000", make: || scenes::hulls(5000), is_compared: true },
    Case { name: "gas-10000", make: || scenes::gas(10_000), is_compared: true },
    Case { name: "balls-30000", make: || balls(30_000), is_compared: true },
    // Meshes that move are solids with us; the others have no contacts between two meshes.
    Case { name: "fighters-50", make: || scenes::box_fighter(50), is_compared: false },
    Case { name: "fighters-50-heap", make: fighters_in_a_heap, is_compared: false },
    // With `--warm 0` the worst step is that of the first landing.
    Case { name: "landing-1000", make: landing, is_compared: true },
    Case { name: "bridge-200", make: || scenes::bridge(200), is_compared: true },
    Case { name: "ropes-64", make: || scenes::ropes(64, 60), is_compared: true },
    Case { name: "net-10000", make: || scenes::net(100), is_compared: true },
    Case { name: "ragdolls-1000", make: || scenes::ragdolls(1000), is_compared: true },
    Case { name: "cars-200", make: || scenes::cars(200), is_compared: true },
];

/// Balls that lie on a floor a metre apart.
fn balls(count: u32) -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    scene.bodies.push(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?));
    let (ball, side) = (Body::new(Sphere::new(DVec3::ZERO, 0.2)?), f64::from(count).sqrt() as u32);
    for i in 0..count {
        let position = DVec3::new(f64::from(i % side), f64::from(i / side), 0.2);
        scene.bodies.push(RigidBody { position, ..RigidBody::new(format!("ball {i}"), ball.clone()) });
    }
    Ok(scene)
}

/// 1000 boxes that land on a terrain of 20 000 triangles within a few steps.
fn landing() -> Result<Scene, SceneError> {
    const CELLS: u32 = 100;
    let height = |x: f64, y: f64| 0.4 * libm::sin(0.7 * x) * libm::cos(0.5 * y);
    let corner = |i: u32| {
        let [x, y] = [i % (CELLS + 1), i / (CELLS + 1)].map(f64::from);
        DVec3::new(x, y, height(x, y))
    };
    let corners = (0..(CELLS + 1) * (CELLS + 1)).map(corner).collect();
    let cell = |i: u32| {
        let a = i % CELLS + (CELLS + 1) * (i / CELLS);
        let [b, c, d] = [a + 1, a + CELLS + 2, a + CELLS + 1];
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..CELLS * CELLS).flat_map(cell).collect();
    let mut scene = Scene::new(Settings::default());
    scene.bodies.push(RigidBody::fixed("terrain", Mesh::new(corners, triangles)?));
    let body = Body::new(Cuboid::new(DVec3::splat(0.5))?);
    for i in 0..1000 {
        let [x, y] = [i % 32, i / 32].map(|k| 3.0 + 3.0 * f64::from(k));
        let position = DVec3::new(x, y, height(x, y) + 1.2);
        scene.bodies.push(RigidBody { position, ..RigidBody::new(format!("box {i}"), body.clone()) });
    }
    Ok(scene)
}

/// Fighters that fall on each other.
fn fighters_in_a_heap() -> Result<Scene, SceneError> {
    let mut scene = scenes::box_fighter(50)?;
    scene.settings.gravity = DVec3::Z * -9.81;
    for body in &mut scene.bodies {
        (body.restitution, body.friction) = (0.0, 0.5);
    }
    Ok(scene)
}

/// Times the scenes, step by step in turns.
///
/// # Errors
/// If a scene has no such name or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let mut table = Report::new(&[
        "scene",
        "threads",
        "library",
        "mean, ms",
        "median",
        "least",
        "worst",
        "ratio",
        "deepest, m",
        "drift, m",
        "gap, m",
    ]);
    for name in &options.scenes {
        let Some(case) = CASES.iter().find(|case| case.name == name) else {
            bail!("no scene \"{name}\"; there are {}", CASES.map(|case| case.name).join(", "))
        };
        for &threads in &options.threads {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
            let rows = pool.install(|| rows(case, options.warm, options.steps))?;
            for mut row in rows {
                row.insert(1, threads.to_string());
                table.row(row);
            }
        }
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(
        out,
        "Steps of 1/60 s without sleep: {} that do not count, then {}. The ratio is the mean time of the library over \
         ours, below 1 where it is the quicker. box3d-rust has one thread, however many there are. \
         Depth and drift at the end, both computed by us: the largest depth of a contact, and how far a body has \
         moved sideways. Gap: the largest between the anchors of a joint after any tenth step that counts.",
        options.warm, options.steps
    )?;
    table.print("Rigid bodies", out)
}

/// What is measured of one library.
#[derive(Default)]
struct Measured {
    /// Of steps, in milliseconds.
    times: Vec<f64>,
    /// The largest.
    gap: f64,
}

impl Measured {
    fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len() as f64
    }

    fn time<T>(&mut self, counts: bool, step: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = step();
        if counts {
            self.times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        result
    }

    fn look(&mut self, world: &World) {
        self.gap = self.gap.max(gap(world));
    }

    fn row(&mut self, [scene, library, ratio]: [String; 3], from: &Scene, world: &mut World) -> Vec<String> {
        let (mean, gap) = (self.mean(), self.gap);
        let (least, worst) =
            self.times.iter().fold((f64::INFINITY, 0.0_f64), |(l, w), t| (l.min(*t), w.max(*t)));
        let median = timing::median(&mut self.times);
        let times = [mean, median, least, worst].map(figure);
        let state = [world.deepest(), drift(from, world), gap].map(figure);
        [scene, library].into_iter().chain(times).chain([ratio]).chain(state).collect()
    }
}

fn rows(case: &Case, warm: u32, steps: u32) -> Result<Vec<Vec<String>>> {
    let mut scene = (case.make)()?;
    (scene.settings.response, scene.settings.sleeps) = (std::sync::Arc::new(SoftContacts), false);
    let (mut ours, mut judge) = (scene.world()?, scene.world()?);
    let rivals: &[(&str, Make)] = if case.is_compared { &RIVALS } else { &[] };
    let mut theirs: Vec<(Box<dyn Rival>, Measured)> =
        rivals.iter().map(|(_, make)| Ok((make(&scene)?, Measured::default()))).collect::<Result<_>>()?;
    let mut measured = Measured::default();
    for number in 0..warm + steps {
        let counts = number >= warm;
        measured.time(counts, || ours.step(scene.step))?;
        theirs.iter_mut().for_each(|(rival, measured)| measured.time(counts, || rival.step()));
        if counts && number % 10 == 9 && !scene.joints.is_empty() {
            measured.look(&ours);
            for (rival, measured) in &mut theirs {
                place(&mut judge, &rival.motions())?;
                measured.look(&judge);
            }
        }
    }
    let words = |library: &str, ratio: String| [case.name.to_owned(), library.to_owned(), ratio];
    let mut rows = vec![measured.row(words("Sudar", String::new()), &scene, &mut ours)];
    for ((library, _), (rival, theirs)) in rivals.iter().zip(&mut theirs) {
        place(&mut ours, &rival.motions())?;
        let ratio = figure(theirs.mean() / measured.mean());
        rows.push(theirs.row(words(library, ratio), &scene, &mut ours));
    }
    Ok(rows)
}

/// The largest way between the anchors of a joint, along the axes that it locks.
fn gap(world: &World) -> f64 {
    let frame = |body: Option<Handle>| {
        body.and_then(|body| world.frame(body).ok()).unwrap_or((DVec3::ZERO, DQuat::IDENTITY))
    };
    let of = |joint: &Joint| {
        let Anchors::Bodies(anchors) = joint.anchors else { return 0.0 };
        let frames = joint.bodies.map(frame);
        let [a, b] = [0, 1].map(|k| frames[k].0 + frames[k].1 * anchors[k].point);
        let way = (frames[0].1 * anchors[0].rotation).inverse() * (b - a);
        let locked = (0..3).filter(|&axis| joint.rows[axis].is_locked()).map(|axis| way[axis].powi(2));
        locked.sum::<f64>().sqrt()
    };
    world.joints().map(|(_, joint)| of(joint)).fold(0.0, f64::max)
}

/// How far a body has moved sideways.
fn drift(scene: &Scene, world: &World) -> f64 {
    let moved = scene.bodies.iter().zip(world.bodies()).filter_map(|(body, (id, _))| {
        let there = world.motion(id).ok()?.center;
        Some((there - body.position).with_z(0.0).length())
    });
    moved.fold(0.0, f64::max)
}

/// Puts the dynamic bodies where another library has them.
///
/// # Errors
/// If a motion is none.
pub fn place(world: &mut World, motions: &[BodyState]) -> Result<()> {
    let known = world.bodies().zip(motions).filter(|((_, body), _)| body.kind == BodyType::Dynamic);
    let moved: Vec<(Handle, BodyState)> = known.map(|((id, _), motion)| (id, *motion)).collect();
    for (id, motion) in moved {
        world.set_motion(id, motion)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_libraries_keep_a_small_pyramid() {
        let case = Case { name: "pyramid-6", make: || scenes::pyramid(3), is_compared: true };
        let rows = rows(&case, 20, 2).unwrap();
        assert!(rows.len() == 1 + RIVALS.len() && rows.iter().all(|row| row.len() == 10), "{rows:?}");
    }
}
