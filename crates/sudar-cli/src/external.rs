//! IFC, and formats that another program reads: STEP by Python's cascadio, and IFC, where that is wanted, by Python's
//! ifcopenshell.
//!
//! Neither package can be trusted to end, or to be modest with memory, so that each file has a process of its own with
//! a limit of time and one of memory, which also ends when this one ends.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};
use sudar_formats::{Elements, IfcOptions, Model};

use crate::child;
use crate::common::ExternalArgs;
use crate::progress::Progress;

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
            () if has(&[".ifc", ".ifczip"]) => Some(Self::Ifc),
            () if has(&[".step", ".stp", ".p21"]) => Some(Self::Step),
            () => None,
        }
    }

    /// Reads a file, in the unit that it says.
    pub fn read(self, path: &Path, args: &ExternalArgs) -> Result<Model> {
        let name = || path.display().to_string();
        match (self, &args.ifc_with) {
            (Self::Step, _) => step(path, args).with_context(name),
            (Self::Ifc, Some(_)) => by_ifcopenshell(path, args).with_context(name),
            (Self::Ifc, None) => ifc(path, args),
        }
    }
}

const IFCOPENSHELL: &str = include_str!("external/ifcopenshell.py");
const CASCADIO: &str = include_str!("external/cascadio.py");

/// What a script reads from a file.
fn python(script: &str, path: &Path, args: &ExternalArgs) -> Result<Command> {
    ensure!(path.is_file(), "cannot be read; check the name and the rights");
    let mut command = child::python();
    command.args(["-c", script]).arg(path).arg((args.read_memory * 1024 * 1024).to_string());
    command.args(args.wanted());
    Ok(command)
}

fn options(args: &ExternalArgs) -> IfcOptions {
    let wants = |what: &str| args.wanted().iter().any(|wanted| wanted == what);
    IfcOptions { spaces: wants("spaces"), openings: wants("openings"), deflection: args.deflection }
}

/// The package makes the best of a damaged file and does not say so: the file is looked at before, and what comes out
/// of it is counted.
fn by_ifcopenshell(path: &Path, args: &ExternalArgs) -> Result<Model> {
    let mut command = python(IFCOPENSHELL, path, args)?;
    let bytes = sudar_formats::load(path).map_err(|error| error.cause)?;
    let expected = sudar_formats::count_ifc(&bytes, "", options(args)).map_err(|error| error.cause)?;
    let read = |output| Elements::read(BufReader::new(output));
    let found = child::supervised(&mut command, args, read)??;
    let count = found.elements.len() + found.lost.len();
    ensure!(
        count >= expected,
        "ifcopenshell names {count} of its {expected} elements with a body; read it without --ifc-with"
    );
    Ok(found.into_model())
}

fn ifc(path: &Path, args: &ExternalArgs) -> Result<Model> {
    let bytes = sudar_formats::load(path)?;
    let options = options(args);
    let bar: OnceLock<Progress> = OnceLock::new();
    let tell = |done: usize, total: usize| {
        bar.get_or_init(|| Progress::new("elements", Some(total as u64))).reach(done as u64);
    };
    let found = sudar_formats::read_ifc_telling(&bytes, &path.display().to_string(), options, &tell)?;
    Ok(found.into_model())
}

/// How far the triangles of the package may be from curved surfaces, in metres, as its script asks for.
const STEP_DEVIATION: f64 = 1e-5;

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
    model.parts.iter_mut().for_each(|part| part.deviation = STEP_DEVIATION);
    if let Some(unit) = unit {
        model = model.scaled(1.0 / unit)?;
        model.unit = Some(unit);
    }
    Ok(model)
}
