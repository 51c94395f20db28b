//! Rays from arguments, files and standard input.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use sudar::{DVec3, Ray};
use sudar_formats::{Rows, read_rows, rows_of};

use super::Args;
use crate::report;

/// Most bytes of standard input.
const MOST: u64 = 1 << 30;

pub fn rays(args: &Args) -> Result<Vec<Ray>> {
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
