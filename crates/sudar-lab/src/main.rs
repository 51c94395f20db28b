//! The command `sudar-lab`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    match sudar_lab::native::run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write;
            // Who has closed the other end does not want to know.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            std::process::ExitCode::from(2)
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
