//! Table: building the tree of one mesh, on one thread.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use rayon::ThreadPoolBuilder;
use sudar::Mesh;
use sudar::tree::WideTree;

use crate::cases::{model_name, read_mesh};
use crate::report::{Report, figure};
use crate::rivals::{OBVHS, obvhs_input, parry_input, parry_mesh};
use crate::{generate, machine, timing};

/// What to build trees of.
#[derive(Debug, Args)]
pub struct Options {
    /// Model files besides the generated spheres
    files: Vec<PathBuf>,
    /// Builds of each tree; the median counts
    #[arg(long, default_value_t = 15)]
    repeat: usize,
    /// Leave parry3d out, which takes the longest
    #[arg(long)]
    no_parry: bool,
    /// Also write every figure into this file
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// Cells along an edge of the spheres: 20 172, 80 688 and 248 832 triangles.
const SPHERES: [u32; 3] = [41, 82, 144];

/// Times every build and prints nanoseconds per triangle.
///
/// # Errors
/// If a model cannot be read or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let mut columns = vec!["ns per triangle", "triangles", "Sudar", "bytes/triangle"];
    columns.extend(OBVHS.map(|preset| preset.name));
    columns.push("parry3d-f64");
    let mut table = Report::new(&columns);
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build()?;
    for (name, mesh) in models(options)? {
        table.row(one_thread.install(|| row(&name, &mesh, options))?);
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(
        out,
        "One thread. Sudar and parry start from `f64` vertices, obvhs from ready `f32` triangles."
    )?;
    table.print("Building the tree", out)?;
    options.csv.as_ref().map_or(Ok(()), |path| table.write_csv(path))
}

fn models(options: &Options) -> Result<Vec<(String, Mesh)>> {
    let mut models = Vec::new();
    for file in &options.files {
        models.push((model_name(file), read_mesh(file)?));
    }
    for n in SPHERES {
        models.push(("bumpy sphere".to_owned(), generate::bumpy_sphere(n)?));
    }
    Ok(models)
}

fn row(name: &str, mesh: &Mesh, options: &Options) -> Result<Vec<String>> {
    let n = mesh.triangles().len() as f64;
    let per_triangle = |micros: f64| figure(micros * 1e3 / n);
    let repeat = options.repeat;
    let bytes = WideTree::new(mesh).bytes() as f64 / n;
    let ours = timing::time(repeat, || WideTree::new(mesh));
    let mut cells =
        vec![name.to_owned(), mesh.triangles().len().to_string(), per_triangle(ours), figure(bytes)];
    let triangles = obvhs_input(mesh);
    for preset in OBVHS {
        cells.push(per_triangle(timing::time(repeat, || (preset.build)(&triangles))));
    }
    let parry = || timing::prepared(repeat.min(5), || parry_input(mesh), parry_mesh);
    cells.push(if options.no_parry { figure(f64::NAN) } else { per_triangle(parry()) });
    Ok(cells)
}
