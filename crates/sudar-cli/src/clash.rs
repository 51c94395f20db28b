//! `sudar clash`: which parts of an assembly are in each other's way.

mod args;
mod bar;
mod cache;
#[cfg(feature = "arrow")]
mod chunks;
mod decisions;
mod file;
mod once;
mod project;
mod scene;
mod server;
mod sheet;
#[cfg(feature = "arrow")]
mod stock;
mod stored;
mod subject;
mod table;
mod topics;
mod watch;

use std::path::Path;

use anyhow::{Context, Result};
use sudar_clash::Checked;

use crate::report::{self, Verdict};
pub use args::{Args, read_baseline, rules};
#[cfg(feature = "arrow")]
pub use chunks::{ClashJob, answers};
pub use file::{failed, noticed, shown};
use once::once;
pub use once::{now, write_page};
pub use scene::{Placed, placed};
#[cfg(feature = "arrow")]
pub use stock::Stock;
pub use subject::{Loaded, Reading, mixed};
use table::Listing;

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    if let Some(folder) = &args.write_benchmark {
        return write_benchmark(folder);
    }
    #[cfg(feature = "arrow")]
    if let Some(folder) = &args.chunks.job {
        return chunks::run(args, folder);
    }
    match args.watch {
        Some(port) => watch::run(args, port),
        None => once(args, |loaded: &_, notes: &_, checked: &_| tell(args, loaded, notes, checked)),
    }
}

fn write_benchmark(folder: &Path) -> Result<Verdict> {
    let cannot = || format!("{}: cannot be made; name another folder", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    for (name, text) in sudar_clash::benchmark() {
        report::write_whole(&folder.join(&name), text)?;
        report::print(&format!("{}\n", folder.join(name).display()))?;
    }
    Ok(Verdict::Clean)
}

/// Says what was found.
fn tell(args: &Args, loaded: &Loaded, notes: &[String], checked: &Checked<'_>) -> Result<()> {
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    let listing = Listing { built_in: args.scenes.is_empty(), new_only: args.new_only, limit };
    let Checked { document, log, .. } = checked;
    report::give_painted(args.common.json, document, table::COLOURS, || {
        table::text(&loaded.title, notes, document, log.as_ref(), listing)
    })?;
    for complaint in loaded.complaints() {
        report::complain(&complaint.to_string());
    }
    Ok(())
}
