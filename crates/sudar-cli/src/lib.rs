//! The `sudar` command as a library: its binary and the Python package call [`run`].
//!
//! One file per command; `load` turns paths into meshes, `report` prints, writes and complains.

pub mod api;
mod bench;
mod bounds;
mod check;
mod child;
mod clash;
mod common;
mod convert;
mod cull;
mod external;
mod help;
mod hull;
mod info;
mod job;
mod load;
mod mass;
mod pack;
mod pairs;
mod pose;
mod progress;
mod ray;
mod replay;
mod report;
mod reproduce;
mod robot;
mod scene;
mod shell;
mod simulate;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

use report::Verdict;

/// Finds out whether meshes touch, where, and which parts of an assembly are in each other's way.
///
/// Triangle tests are exact: touching counts as intersecting, and no tolerance is hidden anywhere.
///
/// Models are read from OBJ, STL, PLY, OFF, glTF, VRML 2.0, COLLADA and IFC files, each also gzipped, and from STEP
/// where Python has cascadio. Only regular files are opened. The folder that `pack` writes is taken wherever a file is.
///
/// With --json one JSON document is printed on standard output and nothing else. Errors are one line on standard
/// error, with exit status 2.
#[derive(Debug, Parser)]
#[command(name = "sudar", version, arg_required_else_help = true, max_term_width = help::MOST)]
struct Cli {
    /// Print errors only; the exit status says the rest. JSON and the answers of replay are printed all the same.
    #[arg(long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Clash(Box<clash::Args>),
    Check(Box<check::Args>),
    Info(info::Args),
    Convert(convert::Args),
    Pack(pack::Args),
    Hull(hull::Args),
    Bounds(bounds::Args),
    Mass(mass::Args),
    Ray(Box<ray::Args>),
    Cull(cull::Args),
    Pairs(Box<pairs::Args>),
    Replay(replay::Args),
    Reproduce(reproduce::Args),
    Bench(bench::Args),
    Simulate(simulate::Args),
    Robot(Box<robot::Args>),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

impl Command {
    fn run(&self) -> anyhow::Result<Verdict> {
        match self {
            Self::Clash(args) => clash::run(args),
            Self::Check(args) => check::run(args),
            Self::Info(args) => info::run(args),
            Self::Convert(args) => convert::run(args),
            Self::Pack(args) => pack::run(args),
            Self::Hull(args) => hull::run(args),
            Self::Bounds(args) => bounds::run(args),
            Self::Mass(args) => mass::run(args),
            Self::Ray(args) => ray::run(args),
            Self::Cull(args) => cull::run(args),
            Self::Pairs(args) => pairs::run(args),
            Self::Replay(args) => replay::run(args),
            Self::Reproduce(args) => reproduce::run(args),
            Self::Bench(args) => bench::run(args),
            Self::Simulate(args) => simulate::run(args),
            Self::Robot(args) => robot::run(args),
            Self::Completions(args) => shell::completions(args, Cli::command()),
            Self::Man(args) => shell::man(args, Cli::command()),
        }
    }
}

/// Runs the command with these arguments, of which the first is its name, and gives its exit status: 0 all is well, 1
/// something was found, 2 something could not be done. It prints on standard output and standard error, and takes over
/// what an interrupt (Ctrl-C) does: it is for a process that does nothing else.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return report::usage(&error).status(),
    };
    if cli.quiet {
        report::be_quiet();
    }
    report::clean_up_on_interrupt();
    match cli.command.run() {
        Ok(verdict) => verdict.status(),
        Err(error) => {
            report::complain(&format!("{error:#}"));
            Verdict::Failed.status()
        }
    }
}

/// Sets the Python interpreter that runs the readers which are Python packages: by default `python3`. Only the first
/// call counts.
pub fn set_interpreter(program: OsString) {
    let _ = child::INTERPRETER.set(program);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
