//! `--cache DIR`: what was found of each pair, from one check to the next.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use sudar_clash::{Cache, Found, Plan};

use super::bar::behind_bar;
use crate::report;

/// The file in the folder.
const FILE: &str = "clash-pairs.bin";

/// Examines the pairs that are not known from the last check, and keeps what was found for the next; with a note if the
/// file of the last could not be used. The file is replaced as a whole: of checks at one time the last counts.
pub fn find<'p>(plan: Plan<'p>, folder: &Path) -> Result<(Found<'p>, Option<String>)> {
    let cannot =
        || format!("--cache {}: the folder cannot be made; check the name and the rights", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    let path = folder.join(FILE);
    let (mut cache, note) = read(&path)?;
    let found = behind_bar(|tell| Ok(plan.find_cached(&mut cache, tell)?))?;
    report::write_whole(&path, cache.into_bytes())?;
    Ok((found, note))
}

/// What the last check found; nothing if there was none.
fn read(path: &Path) -> Result<(Cache, Option<String>)> {
    let cannot = || format!("{}: cannot be read; check the rights", path.display());
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Cache::default(), None)),
        read => read.with_context(cannot)?,
    };
    Ok(match Cache::read(bytes) {
        Ok(cache) => (cache, None),
        Err(error) => (Cache::default(), Some(format!("{}: {error}", path.display()))),
    })
}
