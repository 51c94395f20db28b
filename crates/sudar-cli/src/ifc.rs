//! IFC by ifc-lite, which a build of feature `ifc` has in it: `sudar read-ifc` is the process that reads one file.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::thread;

use anyhow::{Context, Result};
use memory_stats::memory_stats;
use sudar_formats::{Elements, IfcOptions};

use crate::child::{LOOK, OUT_OF_MEMORY, PROGRAM};
use crate::common::ExternalArgs;
use crate::report::Verdict;

/// Said at the end of the help, as the licence of these crates wants it.
pub const NOTICE: &str = "IFC files are read by ifc-lite 28.2.0 (licence MPL-2.0), unchanged; its source is at \
                          https://crates.io/crates/ifc-lite-processing/28.2.0 and in the crates that it names.";

/// The process that reads a file.
pub fn reader(path: &Path, args: &ExternalArgs) -> Result<Command> {
    let own = || std::env::current_exe().map(|path| vec![path.into_os_string()]);
    let words = PROGRAM.get().map_or_else(own, |words| Ok(words.clone()));
    let words = words.context("this program cannot be found on the disk, to be started again")?;
    let (first, rest) = words.split_first().context("there is no program to start")?;
    let mut command = Command::new(first);
    command.args(rest).arg("read-ifc").arg(path).arg(args.read_memory.to_string()).args(args.wanted());
    Ok(command)
}

/// Reads one IFC file for the process that starts this one.
#[derive(Debug, clap::Args)]
pub struct Args {
    file: PathBuf,
    memory: u64,
    wanted: Vec<String>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    end_with_parent();
    end_beyond(args.memory);
    let wants = |what: &str| args.wanted.iter().any(|wanted| wanted == what);
    let options = IfcOptions { spaces: wants("spaces"), openings: wants("openings") };
    let name = args.file.display().to_string();
    let found =
        sudar_formats::load(&args.file).and_then(|bytes| sudar_formats::read_ifc(&bytes, &name, options));
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    match found {
        Ok(found) => found.write(&mut output)?,
        Err(error) => Elements::refuse(&error.cause.to_string(), &mut output)?,
    }
    output.flush()?;
    Ok(Verdict::Clean)
}

/// Ends this process when the one that started it ends, which holds the other end of the input.
fn end_with_parent() {
    thread::spawn(|| {
        let mut left = Vec::new();
        // An error means the same: nobody is there.
        let _ = std::io::stdin().read_to_end(&mut left);
        exit(OUT_OF_MEMORY + 1);
    });
}

/// Ends this process when it takes more memory than that.
fn end_beyond(mebibytes: u64) {
    let limit = mebibytes.saturating_mul(1024 * 1024);
    thread::spawn(move || {
        // Where the system does not tell, there is no limit.
        while let Some(used) = memory_stats() {
            if used.physical_mem as u64 > limit {
                exit(OUT_OF_MEMORY);
            }
            thread::sleep(LOOK);
        }
    });
}
