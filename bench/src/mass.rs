//! Table: mass properties of one closed mesh, on one thread.

use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use parry3d_f64::mass_properties::MassProperties;
use rayon::ThreadPoolBuilder;
use sudar::mass::{certified_mass, mass_properties, mesh_bounds};
use sudar::{Mesh, Shape, Solid};

use crate::cases::{model_name, read_mesh};
use crate::report::{Report, figure};
use crate::rivals::parry_input;
use crate::{generate, machine, timing};

/// What to measure.
#[derive(Debug, Args)]
pub struct Options {
    /// Closed models besides a generated sphere
    files: Vec<PathBuf>,
    /// Runs of each; the median counts
    #[arg(long, default_value_t = 25)]
    repeat: usize,
}

/// Times volume, centre and tensor, and the interval that holds the volume.
///
/// # Errors
/// If a model cannot be read or is not closed, or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let columns =
        ["ms", "triangles", "plain", "certified", "all bounds", "parry3d-f64", "×", "relative width"];
    let mut table = Report::new(&columns);
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build()?;
    for file in &options.files {
        table.row(one_thread.install(|| row(&model_name(file), read_mesh(file)?, options.repeat))?);
    }
    table.row(one_thread.install(|| row("bumpy sphere", generate::bumpy_sphere(82)?, options.repeat))?);
    writeln!(out, "{}", machine::header())?;
    writeln!(out, "One thread; closedness is known from construction. `×`: parry over plain.")?;
    table.print("Mass properties", out)
}

fn row(name: &str, mesh: Mesh, repeat: usize) -> Result<Vec<String>> {
    let (vertices, triangles) = parry_input(&mesh);
    let solid = Solid::new(Arc::new(mesh))?;
    let shape = Shape::from(solid.clone());
    let plain = timing::time(repeat, || mass_properties(&shape));
    let certified = timing::time(repeat, || certified_mass(&shape));
    let bounds = timing::time(repeat, || mesh_bounds(&solid));
    let parry = timing::time(repeat, || MassProperties::from_trimesh(1.0, black_box(&vertices), &triangles));
    let (_, volume) = certified_mass(&shape)?;
    let mut cells = vec![name.to_owned(), triangles.len().to_string()];
    cells.extend([plain, certified, bounds, parry].map(|micros| figure(micros * 1e-3)));
    cells.extend([figure(parry / plain), format!("{:.1e}", volume.width() / volume.upper.abs())]);
    Ok(cells)
}
