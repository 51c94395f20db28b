//! Processes that read files for this one, with a limit of time and one of memory.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::common::ExternalArgs;
use crate::report;

/// So much of what a program prints last is kept, to look there for what ended it.
const MAX_COMPLAINT: usize = 64 << 10;
/// How long a process is left alone between two looks at it.
pub const LOOK: Duration = Duration::from_millis(10);

/// The Python that runs readers; a Python package sets it to its own.
pub static INTERPRETER: OnceLock<OsString> = OnceLock::new();

/// A command of the Python that runs packages.
pub fn python() -> Command {
    Command::new(INTERPRETER.get().cloned().unwrap_or_else(|| "python3".into()))
}

/// Runs a program until it ends or a limit is reached, and reads what it prints meanwhile.
pub fn supervised<T: Send + 'static>(
    command: &mut Command,
    args: &ExternalArgs,
    read: impl FnOnce(Box<dyn Read + Send>) -> T + Send + 'static,
) -> Result<T> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("RAYON_NUM_THREADS", rayon::current_num_threads().to_string());
    let mut child =
        command.spawn().with_context(|| format!("{program} cannot be started; is it installed?"))?;
    // It stays open while this process lives: a reader whose input ends has nobody to read for.
    let _leash: Option<ChildStdin> = child.stdin.take();
    let output = child.stdout.take().context("it has no output")?;
    let stderr = child.stderr.take().context("it has no place for complaints")?;
    let output = thread::spawn(move || read(Box::new(output)));
    let complaint = thread::spawn(move || last_words(stderr));
    let status = wait(&mut child, args)?;
    let lost = |_| anyhow!("its reader could not be followed");
    let (output, complaint) = (output.join().map_err(lost)?, complaint.join().map_err(lost)?);
    match status.code() {
        Some(0) => Ok(output),
        Some(OUT_OF_MEMORY) => bail!(
            "its reader took more than {} MiB and was stopped; allow more with --read-memory",
            args.read_memory
        ),
        Some(_) | None => Err(ended(status, &complaint)),
    }
}

/// The end of what a program prints. All of it is read, for a program that cannot print stops.
fn last_words(mut printed: impl Read) -> String {
    let (mut text, mut piece) = (Vec::new(), [0; 4096]);
    // What cannot be read is not said.
    while let Ok(length @ 1..) = printed.read(&mut piece) {
        text.extend_from_slice(&piece[..length]);
        if text.len() > 2 * MAX_COMPLAINT {
            text.drain(..text.len() - MAX_COMPLAINT);
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The status of a reader that took too much memory.
pub const OUT_OF_MEMORY: i32 = 12;

fn wait(child: &mut Child, args: &ExternalArgs) -> Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().context("its reader cannot be waited for")? {
            return Ok(status);
        }
        if start.elapsed().as_secs_f64() > args.read_seconds {
            // It may have ended by itself meanwhile.
            let _ = child.kill();
            let _ = child.wait();
            bail!("its reader was stopped after {} s; allow more with --read-seconds", args.read_seconds);
        }
        thread::sleep(LOOK);
    }
}

/// Why a reader failed, by the last line that it printed.
fn ended(status: ExitStatus, complaint: &str) -> anyhow::Error {
    let last = complaint.lines().rev().find(|line| !line.trim().is_empty()).map(report::one_line);
    match last {
        Some(line) => anyhow!("{}", line.strip_prefix("sudar: ").unwrap_or(&line)),
        None => anyhow!("its reader failed ({status}); the file may be damaged"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_of_a_talkative_reader_are_kept() {
        let lines: String = (0..100_000).map(|line| format!("message {line}\n")).collect();
        let kept = last_words(lines.as_bytes());
        assert!(kept.ends_with("message 99999\n") && kept.len() <= 2 * MAX_COMPLAINT + 4096);
    }
}
