//! What is done around the library and is no part of it: the web site, and the checks before a release.

mod console;
mod guide;
mod lab;
mod manifest;
mod release;
mod serve;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(name = "cargo run -p xtask --", about = "Builds the web site of Sudar and checks a release.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Web(web::Args),
    Release(release::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Web(args) => web::run(&args),
        Command::Release(args) => release::run(&args),
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            console::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Cli::command().debug_assert();
    }
}
