//! Rays from arguments, files and standard input.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sudar::{DVec3, Ray};
use sudar_formats::{Rows, read_rows, rows_of};

use crate::pose::PointArg;
use crate::report;

/// Which rays.
#[derive(Debug, clap::Args)]
pub struct GivenArgs {
    /// Where the ray begins.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, required_unless_present = "rays")]
    from: Option<PointArg>,
    /// A point that it goes through; at parameter t = 1.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, conflicts_with = "direction",
          required_unless_present_any = ["direction", "rays"])]
    towards: Option<PointArg>,
    /// The direction of the ray, of any length: t is in units of it.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    direction: Option<PointArg>,
    /// A file of rays, or - for standard input: a ray a row, start and direction, six numbers between commas.
    #[arg(long, value_name = "RAYS.csv", conflicts_with_all = ["from", "towards", "direction"])]
    rays: Option<PathBuf>,
}

/// Most bytes of standard input.
const MOST: u64 = 1 << 30;

pub fn rays(args: &GivenArgs) -> Result<Vec<Ray>> {
    if let Some(path) = &args.rays {
        return of_rows(&rows(path)?).with_context(|| path.display().to_string());
    }
    let from = args.from.context("--from is missing")?.point();
    let direction = match (args.direction, args.towards) {
        (Some(direction), _) => direction.point(),
        (None, Some(towards)) => towards.point() - from,
        (None, None) => DVec3::ZERO,
    };
    let ray = Ray::new(from, direction);
    Ok(vec![ray.context("name a point other than --from, or a --direction that is not zero")?])
}

fn rows(path: &Path) -> Result<Rows> {
    if path.as_os_str() != "-" {
        return Ok(read_rows(path)?);
    }
    let mut bytes = Vec::new();
    let input = std::io::Read::take(std::io::stdin(), MOST + 1);
    std::io::Read::read_to_end(&mut { input }, &mut bytes).context("standard input cannot be read")?;
    ensure!(bytes.len() as u64 <= MOST, "standard input is longer than {MOST} bytes; split it");
    Ok(rows_of(&bytes, "-")?)
}

fn of_rows(rows: &Rows) -> Result<Vec<Ray>> {
    let found = report::count(rows.columns, "number");
    ensure!(rows.columns == 6, "a ray is six numbers, start and direction; found rows of {found}");
    let one = |(i, row): (usize, &[f64])| {
        let ray = Ray::new(DVec3::from_slice(row), DVec3::from_slice(&row[3..]));
        ray.with_context(|| format!("ray {i}"))
    };
    rows.values.chunks_exact(6).enumerate().map(one).collect()
}
