//! Formats that another program reads: IFC by ifc-lite in a process of our own, or by Python's ifcopenshell, and STEP
//! by Python's cascadio.
//!
//! None of these can be trusted to end, or to be modest with memory, so that each file has a process of its own with a
//! limit of time and one of memory, which also ends when this one ends.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use sudar_formats::{Elements, Model};

use crate::common::ExternalArgs;
use crate::{child, ifc};

/// Which of these formats a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum External {
    /// Industry Foundation Classes, as clear text.
    Ifc,
    /// ISO 10303-21 of mechanical CAD.
    Step,
}

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
            (Self::Ifc, Some(_)) => python(IFCOPENSHELL, path, args)
                .and_then(|command| elements(command, args))
                .with_context(name),
            (Self::Ifc, None) => {
                ifc::reader(path, args).and_then(|command| elements(command, args)).with_context(name)
            }
        }
    }
}

const IFCOPENSHELL: &str = include_str!("external/ifcopenshell.py");
const CASCADIO: &str = include_str!("external/cascadio.py");

/// What a script reads from a file.
fn python(script: &str, path: &Path, args: &ExternalArgs) -> Result<Command> {
    ensure!(path.is_file(), "cannot be read; check the name and the rights");
    let interpreter = child::PROGRAM.get().and_then(|words| words.first().cloned());
    let mut command = Command::new(interpreter.unwrap_or_else(|| "python3".into()));
    command.args(["-c", script]).arg(path).arg((args.read_memory * 1024 * 1024).to_string());
    command.args(args.wanted());
    Ok(command)
}

fn elements(mut command: Command, args: &ExternalArgs) -> Result<Model> {
    let found = child::supervised(&mut command, args, |output| Elements::read(BufReader::new(output)))?;
    Ok(found?.into_model())
}

/// STEP as GLB, which is in metres, and back in the unit of the file.
fn step(path: &Path, args: &ExternalArgs) -> Result<Model> {
    let bytes = sudar_formats::load(path).map_err(|error| error.cause)?;
    let unit = sudar_formats::step_unit(&bytes)?;
    let read = |mut output: Box<dyn Read + Send>| {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map(|_| bytes)
    };
    let glb = child::supervised(&mut python(CASCADIO, path, args)?, args, read)??;
    let name = path.display().to_string();
    let mut model = sudar_formats::read_assembly(&glb, &name).map_err(|error| error.cause)?;
    if let Some(unit) = unit {
        model = model.scaled(1.0 / unit)?;
        model.unit = Some(unit);
    }
    Ok(model)
}
