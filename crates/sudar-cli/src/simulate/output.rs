//! The files that a run writes, step by step.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use sudar::dynamics::{Energy, World};
use sudar_scene::{Animation, Columns, ENERGY_HEADER, Rows, StepRow, Trace, energy_row};

use super::lines::Lines;
use super::plot::Curve;
use super::recording::Recorder;
use crate::report::{self, Aside};

/// The files that are wanted of a run.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// Write where bodies are and how they move.
    #[arg(long, value_name = "TRACE.csv")]
    out: Option<PathBuf>,
    /// Write every Nth step into the trace, and the last.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Write energy and momentum of every step.
    #[arg(long, value_name = "ENERGY.csv")]
    energy: Option<PathBuf>,
    /// Write what each step took: algorithm, pairs, counters, memory, time per phase.
    #[arg(long, value_name = "STEPS.csv")]
    columns: Option<PathBuf>,
    /// Draw the energy over time.
    #[arg(long, value_name = "ENERGY.svg")]
    plot: Option<PathBuf>,
    /// Write the run as animated nodes.
    #[arg(long, value_name = "OUT.glb")]
    gltf: Option<PathBuf>,
    /// Write what was run and a fingerprint of every step, for --verify on another machine.
    #[arg(long, value_name = "RUN.sudar")]
    record: Option<PathBuf>,
}

impl OutputArgs {
    /// Refuses names that say something else than what is written.
    pub fn check_endings(&self) -> Result<()> {
        self.gltf.iter().try_for_each(|path| report::check_ending(path, "glb", "binary glTF"))?;
        self.plot.iter().try_for_each(|path| report::check_ending(path, "svg", "SVG"))
    }
}

/// All files of a run.
pub struct Outputs {
    every: u64,
    step: f64,
    last: u64,
    trace: Option<(Lines, Trace)>,
    energy: Option<Lines>,
    columns: Option<(PathBuf, Rows, Columns)>,
    start: Instant,
    curve: Option<(PathBuf, Curve)>,
    animation: Option<(PathBuf, Animation)>,
    recorder: Option<Recorder>,
}

/// A table of steps, with what the run is above it.
fn columns(path: &Path, world: &World) -> Result<(PathBuf, Rows, Columns)> {
    let settings = world.settings();
    let of = |name: &str, parameters: &str| {
        if parameters.is_empty() { name.to_owned() } else { format!("{name} ({parameters})") }
    };
    let (response, phase) = (&settings.response, world.broad_phase());
    let head = format!(
        "# sudar {}; response {}; broad phase {}; gravity {}; {}\n{}\n",
        env!("CARGO_PKG_VERSION"),
        of(response.name(), &response.parameters()),
        of(phase.name(), &phase.parameters()),
        settings.gravity,
        sudar_reproduce::machine(),
        StepRow::HEADER
    );
    let target = report::file_target(path)?;
    let rows = Rows::create(&target, &head).with_context(|| report::cannot_write(path))?;
    Ok((path.to_owned(), rows, Columns::new(world)))
}

impl Outputs {
    /// Begins the files of a run of so many steps, each so many seconds long.
    pub fn new(args: &OutputArgs, scene: &Path, (step, last): (f64, u64), world: &World) -> Result<Self> {
        let trace =
            |path: &Path| Ok::<_, anyhow::Error>((Lines::create(path, Trace::HEADER)?, Trace::new(world)));
        Ok(Self {
            every: args.every,
            step,
            last,
            trace: args.out.as_deref().map(trace).transpose()?,
            energy: args.energy.as_deref().map(|path| Lines::create(path, ENERGY_HEADER)).transpose()?,
            columns: args.columns.as_deref().map(|path| columns(path, world)).transpose()?,
            start: Instant::now(),
            curve: args.plot.clone().map(|path| (path, Curve::default())),
            animation: args.gltf.clone().map(|path| (path, Animation::new(world))),
            recorder: args.record.as_deref().map(|path| Recorder::create(path, scene, last)).transpose()?,
        })
    }

    /// Writes down step `k`.
    pub fn step(
        &mut self,
        k: u64,
        world: &World,
        energy: &Energy,
        contacts: usize,
        deepest: f64,
    ) -> Result<()> {
        let time = k as f64 * self.step;
        if let Some(lines) = &mut self.energy {
            lines.add(&energy_row(time, energy, contacts, deepest))?;
        }
        if let Some((_, rows, columns)) = self.columns.as_ref().filter(|_| k > 0) {
            rows.add(columns.row(k, time, self.start.elapsed().as_secs_f64(), world));
        }
        if let Some((_, curve)) = &mut self.curve {
            curve.add(time, energy);
        }
        if let Some(recorder) = self.recorder.as_mut().filter(|_| k > 0) {
            recorder.add(world)?;
        }
        if !k.is_multiple_of(self.every) && k != self.last {
            return Ok(());
        }
        if let Some((lines, trace)) = &mut self.trace {
            lines.add(&trace.rows(time, world)?)?;
        }
        if let Some((_, animation)) = &mut self.animation {
            animation.add(time, world)?;
        }
        Ok(())
    }

    /// Gives all files their names.
    pub fn finish(self, scene: &str, caption: &str) -> Result<()> {
        self.trace.map(|(lines, _)| lines.finish()).transpose()?;
        self.energy.map(Lines::finish).transpose()?;
        self.recorder.map(Recorder::finish).transpose()?;
        if let Some((path, rows, _)) = self.columns {
            rows.finish()
                .with_context(|| format!("{}: cannot be written; check the space left", path.display()))?;
        }
        if let Some((path, curve)) = self.curve {
            report::write_whole(&path, &report::drawn(&curve.figure(scene, caption))?)?;
        }
        if let Some((path, animation)) = self.animation {
            let mut file = Aside::create(&path)?;
            let bytes =
                animation.glb().context("the animation is too long; write fewer steps with --every")?;
            file.write_all(&bytes).with_context(|| format!("{}: cannot be written", path.display()))?;
            file.finish()?;
        }
        Ok(())
    }
}
