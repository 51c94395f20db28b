//! `sudar simulate`: rigid bodies without a window.

mod lines;
mod output;
mod plot;
mod recording;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;
use sudar::dynamics::{DynamicsError, Energy, Replay, StepReport, World};
use sudar_classic::response::Spring;
use sudar_scene::{ALL, Actors};

use crate::common::{Threads, positive};
use crate::help;
use crate::progress::Progress;
use crate::report::{self, Verdict};
use output::{OutputArgs, Outputs};
use recording::{Difference, Recorded};

/// Lets rigid bodies move, touch and push each other, and writes down what becomes of them.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// A scene file (.toml), a tunnel (.txt), or the name of a built-in scene; with --verify a recording.
    #[arg(value_name = "SCENE", required_unless_present = "list")]
    scene: Option<PathBuf>,
    /// List the built-in scenes and do nothing.
    #[arg(long, conflicts_with = "scene")]
    list: bool,
    /// Simulated time.
    #[arg(long, value_name = "T", default_value_t = 10.0, value_parser = positive, allow_hyphen_values = true)]
    seconds: f64,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Run what a recording was made of, and say where it comes to other bits.
    #[arg(long, conflicts_with_all = ["list", "seconds", "out", "energy", "columns", "plot", "gltf", "record"])]
    verify: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

const HELP: &str = "\
A run is round(T/step) steps; line k of a file has time k·step. The same scene gives the same bytes for any number of threads.

Scene files are TOML: a table [world] with gravity, step, response, detection, broad_phase, bounds, stiffness and damping, a [[body]] for each body
with name, shape, kind, position, rotation, velocity, angular_velocity, density or mass, inertia, center, restitution, friction,
rolling_friction, linear_drag, angular_drag, adhesion, gravity_scale, force, torque, group and mask, sensor, field, contact_softness, path and
more, a [[joint]] for each joint, a [[character]] for each that walks, and an [[event]] for each explosion with time, kind, position, impulse and radius. Shapes are written as in query files, such as { sphere = 0.5 } or { box = [1, 1, 0.5] }; paths of meshes start
from the scene file. docs/simulate.md says what everything means.

Responses: reflection, momentum, mtv, spring, impulse, simultaneous, solver. Detection: continuous, the default; static,
sampled and bisected test poses, as the sources of the responses do, and bodies may overlap; solver takes continuous only.

  --out     time,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz: frame of the body, velocity of its centre of mass, angular velocity in the world
  --energy  time,kinetic,potential,total,px,py,pz,lx,ly,lz,contacts,deepest: joules, momentum and angular momentum about the origin of
            the dynamic bodies, pairs that touched in the step, largest depth at its end
  --columns step,time,wall_time,objects,size,algorithm,pairs,tests,visits,swaps,bytes,broad_time,narrow_time,response_time: a line a step;
            mean edge of bodies that move in m, the broad phase that was used, pairs whose boxes overlapped, its comparisons,
            visits and swaps, its memory, seconds of each phase

JSON: {\"scene\",\"bodies\",\"steps\",\"seconds\",\"energy\":{\"first\",\"last\",\"largest_relative_change\"},\"momentum_change\",\"deepest\",\"outside\":n,
\"dropped_seconds\",\"fallback_steps\",\"wall_seconds\",\"contacts_mean\"}, with response \"spring\" also \"stiffness\" and \"damping\". largest_relative_change is
max|E - E0| / max(|E0|, largest kinetic energy), momentum_change the largest change of momentum in N·s, outside the number of
bodies whose centre was beyond the bounds at the end of any step, dropped_seconds time given up by springs that would need too many
sub-steps, fallback_steps the steps in which the solver took over contacts that last.

A recording (--record) holds the scene and 64 bits and a few sums of each step, whatever the number of bodies; --verify runs it again and
names the first step that differs, and the body if it is one. A recording that a program made of its own world is verified likewise. Its JSON: {\"scene\",\"steps\",\"same\",\"difference\":{\"step\",\"time\",\"body\",\"what\"}}.

Exit status: 0, 1 if a recording differs, or 2 if the scene could not be read or a file not written.

Example:
  sudar simulate box-fighter --seconds 60 --energy energy.csv --plot energy.svg";

#[derive(Debug, Serialize)]
struct Document {
    scene: String,
    bodies: usize,
    steps: u64,
    seconds: f64,
    energy: EnergyChange,
    momentum_change: f64,
    deepest: f64,
    outside: usize,
    dropped_seconds: f64,
    fallback_steps: u64,
    wall_seconds: f64,
    contacts_mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stiffness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damping: Option<f64>,
}

#[derive(Debug, Serialize)]
struct EnergyChange {
    first: f64,
    last: f64,
    largest_relative_change: f64,
}

pub fn run(args: &Args) -> Result<Verdict> {
    if args.list {
        report::print(&listing(args.json)?)?;
        return Ok(Verdict::Clean);
    }
    args.threads.apply(0)?;
    args.outputs.check_endings()?;
    let path = args.scene.as_deref().context("name a scene, or see --list")?;
    if args.verify {
        return verify(path, args.json);
    }
    let mut scene = sudar_scene::read(path)?;
    let named = path.display().to_string();
    let (step, spring) = (scene.step, scene.spring());
    let mut actors = std::mem::take(&mut scene.actors);
    let mut world = scene.into_world().map_err(|error| anyhow!("{named}: {error}"))?;
    let steps = (args.seconds / step).round();
    ensure!(steps < 1e9, "{named}: {steps} steps are too many; make the step longer or the time shorter");
    world.set_clock(Some(|| START.elapsed().as_secs_f64()));
    let mut outputs = Outputs::new(&args.outputs, path, (step, steps as u64), &world)?;
    let document = simulate((&named, spring), (&mut world, &mut actors), (step, steps as u64), &mut outputs)?;
    let caption = format!(
        "{} bodies, {} steps; largest relative change {}; largest depth {} m.",
        document.bodies,
        document.steps,
        report::short(document.energy.largest_relative_change),
        report::short(document.deepest)
    );
    outputs.finish(&document.scene, &caption)?;
    report::give(args.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

/// What a comparison with a recording came to.
#[derive(Debug, Serialize)]
struct Comparison {
    scene: String,
    steps: u64,
    same: bool,
    difference: Option<Difference>,
}

/// Runs what a recording was made of, up to the first difference.
fn verify(path: &Path, json: bool) -> Result<Verdict> {
    let mut recording = match Recorded::open(path)? {
        Recorded::Scene(recording) => recording,
        Recorded::World(recording) => return verify_world(path, *recording, json),
    };
    let mut scene = recording.scene()?;
    let (named, step, steps) = (path.display(), scene.step, recording.head.steps);
    let mut actors = std::mem::take(&mut scene.actors);
    let mut world = scene.into_world().map_err(|error| anyhow!("{named}: {error}"))?;
    let progress = Progress::new("verifying", Some(steps));
    let mut difference = None;
    for k in 1..=steps {
        go_on(&mut world, &mut actors, step).map_err(|error| anyhow!("{named}: {error}"))?;
        difference = recording.compare(k, &world)?;
        if difference.is_some() {
            break;
        }
        progress.advance(1);
    }
    compared(recording.head.scene.clone(), steps, difference, json)
}

/// Plays what a program recorded of its world, up to the first difference.
fn verify_world(path: &Path, recording: sudar::dynamics::Recording, json: bool) -> Result<Verdict> {
    let named = path.display();
    let refused = |error: DynamicsError| anyhow!("{named}: {error}");
    let response = sudar_classic::response(recording.start().response()[0])
        .map_err(|error| anyhow!("{named}: {error}"))?;
    let steps = recording.steps() as u64;
    let progress = Progress::new("verifying", Some(steps));
    let mut replay = Replay::with_response(recording, response).map_err(refused)?;
    let mut difference = None;
    while difference.is_none() && !replay.is_over() {
        difference = replay.step().map_err(refused)?.map(|found| Difference::of(&found));
        progress.advance(1);
    }
    compared(named.to_string(), steps, difference, json)
}

/// Says what a comparison came to.
fn compared(scene: String, steps: u64, difference: Option<Difference>, json: bool) -> Result<Verdict> {
    let found = Comparison { scene, steps, same: difference.is_none(), difference };
    report::give(json, &found, || match &found.difference {
        None => format!("{}: all {steps} steps are the same to the bit\n", found.scene),
        Some(Difference { step, time, what, .. }) => {
            format!(
                "{}: step {step}, at {} s, is the first that differs: {what}\n",
                found.scene,
                report::short(*time)
            )
        }
    })?;
    Ok(if found.same { Verdict::Clean } else { Verdict::Found })
}

/// The moment that the clock of worlds counts from.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What is watched over a run.
#[derive(Debug, Default)]
struct Watch {
    change: f64,
    kinetic: f64,
    momentum: f64,
    deepest: f64,
    contacts: usize,
    outside: std::collections::BTreeSet<u32>,
}

impl Watch {
    fn see(&mut self, first: &Energy, now: &Energy, deepest: f64, world: &World) {
        self.change = self.change.max((now.total() - first.total()).abs());
        self.kinetic = self.kinetic.max(now.kinetic);
        self.momentum = self.momentum.max((now.momentum - first.momentum).length());
        self.deepest = self.deepest.max(deepest);
        self.outside.extend(world.out_of_bounds().map(sudar::dynamics::Handle::index));
    }
}

/// Moves what goes by a plan, and does a step.
fn go_on(world: &mut World, actors: &mut Actors, step: f64) -> Result<StepReport, DynamicsError> {
    actors.act(world, step)?;
    world.step(step)
}

fn simulate(
    (named, spring): (&str, Option<Spring>),
    (world, actors): (&mut World, &mut Actors),
    (step, steps): (f64, u64),
    outputs: &mut Outputs,
) -> Result<Document> {
    let progress = Progress::new("simulating", Some(steps));
    let start = Instant::now();
    let first = world.energy();
    let (mut now, mut watch) = (first, Watch { kinetic: first.kinetic, ..Watch::default() });
    watch.deepest = world.deepest();
    outputs.step(0, world, &first, 0, watch.deepest)?;
    for k in 1..=steps {
        let done = go_on(world, actors, step).map_err(|error| anyhow!("{named}: {error}"))?;
        now = world.energy();
        let deepest = world.deepest();
        watch.contacts += done.contacts();
        watch.see(&first, &now, deepest, world);
        outputs.step(k, world, &now, done.contacts(), deepest)?;
        progress.advance(1);
    }
    let scale = first.total().abs().max(watch.kinetic);
    Ok(Document {
        scene: named.to_owned(),
        bodies: world.bodies().count(),
        steps,
        seconds: steps as f64 * step,
        energy: EnergyChange {
            first: first.total(),
            last: now.total(),
            largest_relative_change: if scale > 0.0 { watch.change / scale } else { 0.0 },
        },
        momentum_change: watch.momentum,
        deepest: watch.deepest,
        outside: watch.outside.len(),
        dropped_seconds: world.dropped_seconds(),
        fallback_steps: world.fallback_steps(),
        wall_seconds: start.elapsed().as_secs_f64(),
        contacts_mean: if steps > 0 { watch.contacts as f64 / steps as f64 } else { 0.0 },
        stiffness: spring.map(|spring| spring.stiffness_in(world)),
        damping: spring.map(|spring| spring.damping()),
    })
}

fn listing(json: bool) -> Result<String> {
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        about: &'static str,
    }
    let entries = ALL.map(|scene| Entry { name: scene.name, about: scene.about });
    if json {
        return report::json(&entries);
    }
    let row = |e: Entry| vec![e.name.to_owned(), e.about.to_owned()];
    Ok(report::table(&["scene", "what it is"], &[], entries.into_iter().map(row)))
}

fn text(document: &Document) -> String {
    let Document { scene, bodies, steps, seconds, energy, .. } = document;
    let short = report::short;
    let rows = [
        ("energy at the start, J", short(energy.first)),
        ("energy at the end, J", short(energy.last)),
        ("largest relative change", short(energy.largest_relative_change)),
        ("largest change of momentum, N·s", short(document.momentum_change)),
        ("pairs that touch, mean of the steps", short(document.contacts_mean)),
        ("largest depth, m", short(document.deepest)),
        ("bodies that left the room", document.outside.to_string()),
        ("time given up, s", short(document.dropped_seconds)),
        ("steps with contacts that last", document.fallback_steps.to_string()),
        ("time taken, s", short(document.wall_seconds)),
    ];
    let head = format!(
        "{scene}: {} for {} s in {}\n",
        report::count(*bodies, "body").replace("bodys", "bodies"),
        short(*seconds),
        report::count(*steps, "step")
    );
    head + &report::table(
        &["", "value"],
        &[1],
        rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]),
    )
}
