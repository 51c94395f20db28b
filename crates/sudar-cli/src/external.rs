//! Formats that another program reads: IFC by ifc-lite in a process of our own, or by Python's ifcopenshell, and STEP
//! by Python's cascadio.
//!
//! None of these can be trusted to end, or to be modest with memory, so that each file has a process of its own with a
//! limit of time and one of memory, which also ends when this one ends.

use std::ffi::OsString;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use sudar_formats::{Elements, Format, Model};

use crate::common::ExternalArgs;
use crate::{ifc, load, report};

/// Which of these formats a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum External {
    /// Industry Foundation Classes, as clear text.
    Ifc,
    /// ISO 10303-21 of mechanical CAD.
    Step,
}

/// Where to look for what ended a program: more is not kept.
const MAX_COMPLAINT: u64 = 64 << 10;
/// How long a process is left alone between two looks at it.
pub const LOOK: Duration = Duration::from_millis(10);

impl External {
    /// The format by the ending of a name, before a `.gz` if there is one.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let has = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match () {
            () if has(&[".ifc"]) => Some(Self::Ifc),
            () if has(&[".step", ".stp", ".p21"]) => Some(Self::Step),
            () => None,
        }
    }

    /// Reads a file, in the unit that it says.
    pub fn read(self, path: &Path, args: &ExternalArgs) -> Result<Model> {
        let name = || path.display().to_string();
        match (self, &args.ifc_with) {
            (Self::Step, _) => step(path, args).with_context(name),
            (Self::Ifc, Some(_)) => elements(&mut python(IFCOPENSHELL, path, args)?, args).with_context(name),
            (Self::Ifc, None) => elements(&mut ifc::reader(path, args)?, args).with_context(name),
        }
    }
}

/// How this program is started again; a Python package sets it to its interpreter.
pub static PROGRAM: OnceLock<Vec<OsString>> = OnceLock::new();

const IFCOPENSHELL: &str = include_str!("external/ifcopenshell.py");
const CASCADIO: &str = include_str!("external/cascadio.py");

/// What a script reads from a file.
fn python(script: &str, path: &Path, args: &ExternalArgs) -> Result<Command> {
    ensure!(path.is_file(), "{}: cannot be read; check the name and the rights", path.display());
    let interpreter = PROGRAM.get().and_then(|words| words.first().cloned());
    let mut command = Command::new(interpreter.unwrap_or_else(|| "python3".into()));
    command.args(["-c", script]).arg(path).arg((args.read_memory * 1024 * 1024).to_string());
    command.args(args.wanted());
    Ok(command)
}

fn elements(command: &mut Command, args: &ExternalArgs) -> Result<Model> {
    let found = supervised(command, args, |output| Elements::read(BufReader::new(output)))?;
    Ok(found?.into_model())
}

/// STEP as GLB, which is in metres, and back in the unit of the file.
fn step(path: &Path, args: &ExternalArgs) -> Result<Model> {
    let unit = sudar_formats::step_unit(&sudar_formats::load(path)?)?;
    let read = |mut output: Box<dyn Read + Send>| {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map(|_| bytes)
    };
    let glb = supervised(&mut python(CASCADIO, path, args)?, args, read)??;
    let name = path.display().to_string();
    let mut model = sudar_formats::read_bytes(&glb, Format::Glb, &name)?;
    if let Some(unit) = unit {
        model = load::scaled(model, 1.0 / unit)?;
        model.unit = Some(unit);
    }
    Ok(model)
}

/// Runs a program until it ends or a limit is reached, and reads what it prints meanwhile.
fn supervised<T: Send + 'static>(
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
    let complaint = child.stderr.take().context("it has no place for complaints")?;
    let output = thread::spawn(move || read(Box::new(output)));
    let complaint = thread::spawn(move || {
        let mut text = Vec::new();
        // What does not fit is not read, and what cannot be read is not said.
        let _ = complaint.take(MAX_COMPLAINT).read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
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
            bail!(
                "its reader was stopped after {} s; allow more with --read-seconds, or try another reader (--ifc-with)",
                args.read_seconds
            );
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
