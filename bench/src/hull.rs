//! Table: convex hulls of random points, on one thread.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use parry3d_f64::transformation::convex_hull as parry_hull;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::{DVec3, hull};

use crate::report::{Report, figure};
use crate::{machine, timing};

/// What to build hulls of.
#[derive(Debug, Args)]
pub struct Options {
    /// Numbers of points
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 100_000, 1_000_000])]
    points: Vec<usize>,
    /// Hulls of each set by each library, at least; the median counts. Small sets are repeated more often
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Leave parry3d out
    #[arg(long)]
    no_parry: bool,
    /// Also time the incremental algorithm, for sets of up to 10 000 points
    #[arg(long)]
    incremental: bool,
    /// Write the points into this folder, for `qhull.py` to time Qhull on: little-endian f64, three a point
    #[arg(long)]
    write: Option<PathBuf>,
    /// Also write every figure into this file
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// Times every hull and prints milliseconds.
///
/// # Errors
/// If a hull cannot be built or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let mut table = Report::new(&[
        "ms",
        "points",
        "vertices",
        "Sudar",
        "Sudar, incremental",
        "parry3d-f64",
        "parry's vertices",
    ]);
    for (name, make) in [("sphere", on_sphere as fn(&mut Pcg64) -> DVec3), ("cube", in_cube)] {
        for &count in &options.points {
            let mut random = Pcg64::seed_from_u64(count as u64);
            let points: Vec<DVec3> = (0..count).map(|_| make(&mut random)).collect();
            if let Some(folder) = &options.write {
                write(&points, &folder.join(format!("{name}-{count}.f64")))?;
            }
            table.row(row(name, &points, options)?);
        }
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(out, "One thread; random points, evenly spread on a unit sphere and in a cube.")?;
    table.print("Convex hulls", out)?;
    options.csv.as_ref().map_or(Ok(()), |path| table.write_csv(path))
}

fn row(name: &str, points: &[DVec3], options: &Options) -> Result<Vec<String>> {
    let repeat = options.repeat.max(300_000 / points.len().max(1));
    let vertices = hull::convex_hull(points)?.vertices().len();
    let ours = timing::time(repeat, || hull::convex_hull(points));
    let simple = if options.incremental && points.len() <= 10_000 {
        timing::time(options.repeat, || hull::incremental(points))
    } else {
        f64::NAN
    };
    let (mut parry, mut found) = (f64::NAN, "–".to_owned());
    if !options.no_parry {
        let input: Vec<_> = points.iter().map(|p| parry3d_f64::math::Vector::new(p.x, p.y, p.z)).collect();
        parry = timing::time(repeat.min(100), || parry_hull(&input));
        found = parry_hull(&input).0.len().to_string();
    }
    let ms = |micros: f64| figure(micros / 1e3);
    Ok(vec![
        name.to_owned(),
        points.len().to_string(),
        vertices.to_string(),
        ms(ours),
        ms(simple),
        ms(parry),
        found,
    ])
}

fn write(points: &[DVec3], path: &std::path::Path) -> Result<()> {
    let bytes: Vec<u8> = points.iter().flat_map(DVec3::to_array).flat_map(f64::to_le_bytes).collect();
    std::fs::write(path, bytes).map_err(|e| anyhow!("{}: {e}", path.display()))
}

fn in_cube(random: &mut Pcg64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)))
}

fn on_sphere(random: &mut Pcg64) -> DVec3 {
    loop {
        let p = in_cube(random);
        if (0.01..=1.0).contains(&p.length_squared()) {
            return p.normalize();
        }
    }
}
