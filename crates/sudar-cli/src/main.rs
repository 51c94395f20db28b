//! The `sudar` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(sudar_cli::run(std::env::args_os()))
}
