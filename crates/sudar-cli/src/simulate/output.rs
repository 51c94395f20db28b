//! The files that a run writes, step by step.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use sudar::dynamics::{Energy, World};
use sudar_scene::{Animation, ENERGY_HEADER, Scene, Trace, energy_row};

use super::plot::Curve;
use super::{Args, Document};
use crate::report::Aside;

/// A file written line by line.
struct Lines {
    file: std::io::BufWriter<Aside>,
    path: String,
}

impl Lines {
    fn create(path: &Path, header: &str) -> Result<Self> {
        let file = std::io::BufWriter::with_capacity(1 << 18, Aside::create(path)?);
        let mut lines = Self { file, path: path.display().to_string() };
        lines.add(&format!("{header}\n"))?;
        Ok(lines)
    }

    fn add(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).with_context(|| format!("{}: cannot be written", self.path))
    }

    fn finish(self) -> Result<()> {
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error);
        file.with_context(|| format!("{}: cannot be written", self.path))?.finish()
    }
}

/// All files of a run.
pub struct Outputs {
    every: u64,
    step: f64,
    last: u64,
    trace: Option<(Lines, Trace)>,
    energy: Option<Lines>,
    curve: Option<(std::path::PathBuf, Curve)>,
    animation: Option<(std::path::PathBuf, Animation)>,
}

impl Outputs {
    pub fn new(args: &Args, scene: &Scene, world: &World) -> Result<Self> {
        let trace =
            |path: &Path| Ok::<_, anyhow::Error>((Lines::create(path, Trace::HEADER)?, Trace::new(world)));
        Ok(Self {
            every: args.every,
            step: scene.step,
            last: (args.seconds / scene.step).round() as u64,
            trace: args.out.as_deref().map(trace).transpose()?,
            energy: args.energy.as_deref().map(|path| Lines::create(path, ENERGY_HEADER)).transpose()?,
            curve: args.plot.clone().map(|path| (path, Curve::default())),
            animation: args.gltf.clone().map(|path| (path, Animation::new(world))),
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
        if let Some((_, curve)) = &mut self.curve {
            curve.add(time, energy);
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
    pub fn finish(self, document: &Document) -> Result<()> {
        self.trace.map(|(lines, _)| lines.finish()).transpose()?;
        self.energy.map(Lines::finish).transpose()?;
        if let Some((path, curve)) = self.curve {
            crate::report::write_whole(&path, &curve.svg(document)?)?;
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
