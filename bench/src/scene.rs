//! Table: clashes of many small parts.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use rayon::ThreadPoolBuilder;
use sudar::{DVec3, Mesh, Pose};
use sudar_clash::{Assembly, ClashOptions, ClashReport, Part, body_of, find_clashes};

use crate::report::{Report, figure};
use crate::{generate, machine, timing};

/// How many parts, and how crowded.
#[derive(Debug, Args)]
pub struct Options {
    /// Parts of 30 triangles each
    #[arg(default_value_t = 5000)]
    parts: usize,
    /// Parts in a unit of volume; a part is about one unit long
    #[arg(long, default_value_t = 0.244)]
    density: f64,
    /// Runs; the median counts
    #[arg(long, default_value_t = 5)]
    repeat: usize,
}

/// Times the whole of it: bodies of the meshes, boxes, broad phase and exact tests, on one thread and on all.
///
/// # Errors
/// If the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let meshes = parts(options)?;
    let mut table = Report::new(&["threads", "parts", "triangles", "candidates", "clashes", "ms"]);
    for threads in [1, 0] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let report = pool.install(|| clash(&meshes))?;
        let micros = timing::time(options.repeat, || pool.install(|| clash(&meshes)));
        table.row(vec![
            pool.current_num_threads().to_string(),
            meshes.len().to_string(),
            meshes.iter().map(|m| m.triangles().len()).sum::<usize>().to_string(),
            report.candidates.to_string(),
            report.clashes.len().to_string(),
            figure(micros / 1e3),
        ]);
    }
    writeln!(out, "{}", machine::header())?;
    table.print("Clashes of many small parts", out)
}

/// Open cylinders of 15 sides at random places in a cube.
fn parts(options: &Options) -> Result<Vec<Arc<Mesh>>> {
    let side = (options.parts as f64 / options.density).cbrt();
    let places = generate::places(options.parts, side);
    places.into_iter().map(|place| Ok(Arc::new(tube(place)?))).collect()
}

fn tube(place: DVec3) -> Result<Mesh> {
    let rim = |i: u32| {
        let angle = f64::from(i / 2) * std::f64::consts::TAU / 15.0;
        place + DVec3::new(0.5 * angle.cos(), 0.5 * angle.sin(), f64::from(i % 2))
    };
    let triangles =
        (0..30).map(|i| if i % 2 == 0 { [i, (i + 2) % 30, i + 1] } else { [i, (i + 1) % 30, (i + 2) % 30] });
    Ok(Mesh::new((0..30).map(rim).collect(), triangles.collect())?)
}

fn clash(meshes: &[Arc<Mesh>]) -> Result<ClashReport> {
    let part = |(i, mesh): (usize, &Arc<Mesh>)| Part {
        name: i.to_string(),
        body: body_of(mesh.clone()),
        pose: Pose::IDENTITY,
    };
    let scene = Assembly { parts: meshes.iter().enumerate().map(part).collect() };
    Ok(find_clashes(&scene, &ClashOptions::new(0.0)?, &|_, _| {})?)
}
