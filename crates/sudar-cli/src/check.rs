//! `sudar check`: two meshes against each other, or those of two folders.

mod folder;
mod pair;
mod sweep;

use anyhow::Result;

use crate::report::Verdict;
pub use pair::Args;

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    if args.a.is_dir() || args.b.is_dir() { folder::run(args) } else { pair::run(args) }
}
