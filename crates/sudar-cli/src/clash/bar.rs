//! A bar for the examination of pairs.

use std::sync::OnceLock;

use anyhow::Result;

use crate::progress::Progress;

/// Does what tells how many triangles are done behind a bar.
pub fn behind_bar<T>(work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> Result<T>) -> Result<T> {
    let progress: OnceLock<Progress> = OnceLock::new();
    work(&|done: usize, total: usize| {
        let bar = progress.get_or_init(|| Progress::new("triangles of pairs", Some(total as u64)));
        bar.reach(done as u64);
    })
}
