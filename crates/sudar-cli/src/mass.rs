//! `sudar mass`: volume, centre of mass and inertia tensor, exactly and by voxels.

mod document;
mod measured;
mod stored;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use sudar::effort::{self, Budget};
use sudar::mass::{GridShift, MAX_CELLS, MassError, OddRays, Resolution, VoxelOptions, certified_mass};
use sudar::query::Work;
use sudar::shape::Compound;
use sudar::volume::smallest_sphere;
use sudar::{Aabb, DVec3, Pose, Shape};
use sudar_formats::{Format, Model, WriteOptions};

use crate::common::{self, ModelArgs};
use crate::help;
use crate::load::{self, Welded};
use crate::progress::{Progress, Waiting};
use crate::report::{self, Verdict};
use document::{Closed, Document, Written};
use measured::{Exact, Measured, Voxel};

/// Measures volume, centre of mass and inertia tensor of a model: exactly, and by rays through a grid of voxels.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Model file.
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Cells of the grid along the longest side, 1 to 4096.
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "step",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_CELLS)))]
    cells: u32,
    /// Width of the cells, instead of their number.
    #[arg(long, value_name = "S", value_parser = common::positive, allow_hyphen_values = true)]
    step: Option<f64>,
    /// Along how many axes rays go: x, then y, then z; their results are averaged.
    #[arg(long, value_name = "1..3", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=3))]
    axes: u32,
    /// Shift all rays a third of a cell to the same side, as in the source, and not to either side in turn.
    #[arg(long)]
    shift: bool,
    /// Pull the ends of runs to the nearest plane of the grid and count whole cells, as in the source.
    #[arg(long)]
    snap: bool,
    /// Kilograms per cubic metre.
    #[arg(long, value_name = "D", default_value_t = 1.0, value_parser = common::positive, allow_hyphen_values = true)]
    density: f64,
    /// Write the model with its centre of mass at the origin, and what was measured in a WorldInfo node, as VRML 2.0.
    #[arg(long, value_name = "OUT.wrl")]
    write: Option<PathBuf>,
    /// Also turn it so that its principal axes are x, y and z, greatest moment first.
    #[arg(long, requires = "write")]
    principal: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
Exactly: integrals over the polyhedron, of parts that are closed and whose triangles agree about the outside. The volume lies between
the bounds given for it, rounding included; a volume below 0 is that of a surface that faces inward.
By voxels: rays run through the cells of a grid along one to three axes. The error is an estimate from coarser grids, not a bound.
With --shift and --snap they do as those of the tool in Maštera 2007 (\"Simulation of collisions on a physical model\", chapter 6), whose
planes are a third of a cell off the borders and whose runs include the nearest plane at either end; sums have 64 bits here.
Parts that are not closed are measured by voxels alone: what is inside is told by winding numbers. Rays that cross such a part an odd
number of times are counted. Of a model with some closed parts, what these have together is exact and given besides.

Parts that overlap count twice in the whole. The tensor is that about the centre of mass along the axes of the file, of the density given:
xx yy zz xy yz zx, where xy is −∫xy dm. Principal moments come greatest first.

A model written with --write says in a WorldInfo node what was measured, and its box, the smallest sphere around it and how far it reaches
from its centre of mass; when it is read again, that is compared with what it measures then.

JSON: {\"file\",\"density\",\"parts\":[{\"name\",\"triangles\",\"exact\":E or null,\"why\" there is none,\"voxel\":V or null,\"why_no_voxel\"}],\"whole\":the same,
\"closed\":{\"parts\",\"of\",\"exact\":E of the parts that are closed} if only some are,
\"aabb\":{\"min\",\"max\"},\"sphere\":{\"center\",\"radius\"},\"info\":[strings of the file],\"stored\":{\"exact\",\"voxel\",\"bounds\",\"agrees\"} if the file says so,
\"written\",\"notes\"};
E: {\"volume\",\"volume_lower\",\"volume_upper\",\"mass\",\"center\",\"inertia\":[xx,yy,zz,xy,yz,zx],\"principal_moments\",\"principal_axes\":[x,y,z],
\"radii_of_gyration\",\"inward\",\"seconds\"}, V the same with \"error\":{\"volume\",\"center\",\"inertia\"},\"cells\",\"rays\",\"odd_rays\" for bounds

Exit status: 0, or 2 if the file could not be read or neither method could measure it.

Example:
  sudar mass --units mm --density 7850 bracket.stl --write bracket.wrl";

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let name = || args.input.display().to_string();
    if let Some(output) = &args.write
        && Format::from_path(output).ok() != Some(Format::Vrml)
    {
        bail!("{}: is written as VRML 2.0 only; let its name end in .wrl", output.display());
    }
    let waiting = Waiting::new(format!("reading {}", report::one_line(&name())));
    let Welded { model, mut notes, .. } = load::welded(&args.input, &args.common.read, &args.common.weld)?;
    if model.parts.is_empty() {
        load::whole(&model).with_context(name)?;
    }
    drop(waiting);
    let (parts, whole, closed) = all_measured(&model, args)?;
    let points = load::used_points(&model)?;
    let output = args.write.as_deref();
    let written =
        output.map(|output| write(&model, &whole, &points, (args, output), &mut notes)).transpose()?;
    let verdict = if whole.best().is_some() { Verdict::Clean } else { Verdict::Failed };
    let document = Document {
        file: name(),
        density: args.density,
        stored: stored::compare(&model.info, &whole, &points, args.density),
        aabb: Aabb::around(points.iter().copied()),
        sphere: smallest_sphere(&points),
        parts,
        closed,
        whole,
        info: model.info,
        written,
        notes,
    };
    report::give(args.common.json, &document, || document::text(&document))?;
    if verdict == Verdict::Failed {
        report::complain(&format!(
            "{}: neither method could measure it: {}",
            name(),
            document.whole.why.unwrap_or_default()
        ));
    }
    Ok(verdict)
}

/// Each part, all together, and what is certain where only some parts are closed.
fn all_measured(model: &Model, args: &Args) -> Result<(Vec<Measured>, Measured, Option<Closed>)> {
    let options = options(args);
    let progress = progress(model, &options)?;
    let parts: Vec<Measured> = model
        .parts
        .par_iter()
        .map(|part| {
            let mesh = model.mesh_of(part)?;
            let placed = Compound::new(vec![(Shape::Mesh(mesh.clone()), part.pose)])?;
            Ok(measure(&part.name, mesh.triangles().len(), &placed, args.density, (&options, &progress)))
        })
        .collect::<Result<_>>()?;
    let shapes = model.parts.iter().map(|part| Ok((Shape::Mesh(model.mesh_of(part)?.clone()), part.pose)));
    let all = Compound::new(shapes.collect::<Result<_>>()?)?;
    let whole = match parts.as_slice() {
        [only] => Measured { name: "whole".to_owned(), ..only.clone() },
        _ => {
            let triangles = parts.iter().map(|part| part.triangles).sum();
            measure("whole", triangles, &all, args.density, (&options, &progress))
        }
    };
    let closed = closed(&parts, &all, args.density)?;
    Ok((parts, whole, closed))
}

fn options(args: &Args) -> VoxelOptions {
    let resolution = args.step.map_or(Resolution::Cells(args.cells), Resolution::Step);
    let shift = if args.shift { GridShift::Third } else { GridShift::Alternating };
    VoxelOptions { resolution, axes: args.axes, odd_rays: OddRays::Weigh, shift, snap: args.snap }
}

/// A bar for the rays of all parts, and where there are several of the whole.
fn progress(model: &Model, options: &VoxelOptions) -> Result<Progress> {
    let boxes: Vec<Aabb> = model
        .parts
        .iter()
        .map(|part| Ok(Aabb::around(model.mesh_of(part)?.vertices().iter().map(|p| part.pose.apply(*p)))))
        .collect::<Result<_>>()?;
    let all = boxes.iter().fold(Aabb::EMPTY, |all, aabb| all.union(*aabb));
    let whole = if boxes.len() > 1 { options.rays(&all) * boxes.len() as u64 } else { 0 };
    let rays = boxes.iter().map(|aabb| options.rays(aabb)).sum::<u64>() + whole;
    Ok(Progress::new("rays", Some(rays)))
}

/// What is certain of a model of which some parts are closed and others not.
fn closed(parts: &[Measured], all: &Compound, density: f64) -> Result<Option<Closed>> {
    let is_closed = |(part, _): &(&Measured, _)| part.exact.is_some();
    let shapes: Vec<_> =
        parts.iter().zip(all.parts()).filter(is_closed).map(|(_, shape)| shape.clone()).collect();
    if shapes.is_empty() || shapes.len() == parts.len() {
        return Ok(None);
    }
    let (count, start) = (shapes.len(), Instant::now());
    let Ok((found, volume)) = certified_mass(&Compound::new(shapes)?.into()) else { return Ok(None) };
    let bounds = [volume.lower, volume.upper];
    let exact = Exact::new(&found, bounds, density, start.elapsed().as_secs_f64());
    Ok(Some(Closed { parts: count, of: parts.len(), exact }))
}

/// Both ways, where they go.
fn measure(
    name: &str,
    triangles: usize,
    shape: &Compound,
    density: f64,
    (options, progress): (&VoxelOptions, &Progress),
) -> Measured {
    let is_one = shape.parts().len() == 1;
    let start = Instant::now();
    let shape = Shape::from(shape.clone());
    let exact = certified_mass(&shape);
    let exact_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let seen = Cell::new(0);
    let tell = |done: &effort::Progress| progress.advance(done.nodes - seen.replace(done.nodes));
    let voxel = Work::new(Budget::UNLIMITED).reporting(&tell).voxel_mass(&shape, options);
    let voxel_seconds = start.elapsed().as_secs_f64();
    // That it is part 0 says nothing of a part alone.
    let why = |e: &MassError| if is_one { e.clone().of_whole() } else { e.clone() }.to_string();
    Measured {
        name: name.to_owned(),
        triangles,
        why: exact.as_ref().err().map(why),
        why_no_voxel: voxel.as_ref().err().map(why),
        exact: exact
            .ok()
            .map(|(p, volume)| Exact::new(&p, [volume.lower, volume.upper], density, exact_seconds)),
        voxel: voxel.ok().map(|v| Voxel::new(&v, density, voxel_seconds)),
    }
}

fn write(
    model: &Model,
    whole: &Measured,
    points: &[DVec3],
    (args, output): (&Args, &Path),
    notes: &mut Vec<String>,
) -> Result<Written> {
    let Some((properties, how)) = whole.best() else {
        bail!("{}: nothing can be written, since no centre of mass was found", args.input.display());
    };
    let home = if args.principal {
        properties.principal_pose()
    } else {
        Pose::from_translation(-properties.center)?
    };
    let parts = model.parts.iter().map(|part| {
        let turn = home.rotation() * part.pose.rotation();
        let pose = Pose::from_matrix(turn, home.apply(part.pose.translation()))?;
        Ok((part.name.clone(), model.mesh_of(part)?.clone(), pose))
    });
    let points: Vec<DVec3> = points.iter().map(|&p| home.apply(p)).collect();
    let bounds = stored::Bounds::of(&points).map(|bounds| bounds.line());
    let moved = Model {
        info: stored::lines(whole, &home, args.density).into_iter().chain(bounds).collect(),
        ..Model::assembled(parts.collect::<Result<Vec<_>>>()?)
    };
    load::write(&moved, output, WriteOptions::default(), notes)?;
    Ok(Written { file: output.display().to_string(), center_of: how })
}
