//! `sudar check`: two meshes against each other, or those of two folders.

mod folder;
mod pair;
mod sweep;

use anyhow::Result;

use crate::load::is_folder;
use crate::report::Verdict;
pub use pair::Args;

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    if is_folder(&args.a) || is_folder(&args.b) { folder::run(args) } else { pair::run(args) }
}
