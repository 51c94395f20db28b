//! The files that a run writes, step by step.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use sudar::dynamics::scenes::Scene;
use sudar::dynamics::{BodyId, BodyType, Energy, World};

use super::gltf::Animation;
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
    trace: Option<Lines>,
    energy: Option<Lines>,
    curve: Option<(std::path::PathBuf, Curve)>,
    animation: Option<(std::path::PathBuf, Animation)>,
    /// Bodies that move, with their names as they stand in a table.
    moving: Vec<(BodyId, String)>,
}

impl Outputs {
    pub fn new(args: &Args, scene: &Scene, world: &World) -> Result<Self> {
        let trace = "time,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz";
        let energy = "time,kinetic,potential,total,px,py,pz,lx,ly,lz,contacts,deepest";
        let moves = world.bodies().filter(|(_, body)| body.kind != BodyType::Static);
        Ok(Self {
            every: args.every,
            step: scene.step,
            last: (args.seconds / scene.step).round() as u64,
            trace: args.out.as_deref().map(|path| Lines::create(path, trace)).transpose()?,
            energy: args.energy.as_deref().map(|path| Lines::create(path, energy)).transpose()?,
            curve: args.plot.clone().map(|path| (path, Curve::default())),
            animation: args.gltf.clone().map(|path| (path, Animation::new(world))),
            moving: moves.map(|(id, body)| (id, quoted(&body.name))).collect(),
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
            let Energy { kinetic, potential, momentum: p, angular_momentum: l } = energy;
            let total = energy.total();
            lines.add(&format!(
                "{time},{kinetic},{potential},{total},{},{},{},{},{},{},{contacts},{deepest}\n",
                p.x, p.y, p.z, l.x, l.y, l.z
            ))?;
        }
        if let Some((_, curve)) = &mut self.curve {
            curve.add(time, energy);
        }
        if !k.is_multiple_of(self.every) && k != self.last {
            return Ok(());
        }
        if let Some(lines) = &mut self.trace {
            let mut text = String::new();
            for (id, name) in &self.moving {
                let (p, q) = world.frame(*id)?;
                let motion = world.motion(*id)?;
                let (v, w) = (motion.velocity, motion.angular_velocity);
                // Writing to a text cannot fail.
                let _ = writeln!(
                    text,
                    "{time},{name},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                    p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z
                );
            }
            lines.add(&text)?;
        }
        if let Some((_, animation)) = &mut self.animation {
            animation.add(time, world)?;
        }
        Ok(())
    }

    /// Gives all files their names.
    pub fn finish(self, document: &Document) -> Result<()> {
        self.trace.map(Lines::finish).transpose()?;
        self.energy.map(Lines::finish).transpose()?;
        if let Some((path, curve)) = self.curve {
            crate::report::write_whole(&path, &curve.svg(document)?)?;
        }
        if let Some((path, animation)) = self.animation {
            let mut file = Aside::create(&path)?;
            let bytes = animation.glb()?;
            file.write_all(&bytes).with_context(|| format!("{}: cannot be written", path.display()))?;
            file.finish()?;
        }
        Ok(())
    }
}

/// A cell in quotes if it holds a comma (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
