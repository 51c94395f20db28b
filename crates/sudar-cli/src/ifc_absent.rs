//! A build without feature `ifc`.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::common::ExternalArgs;

/// Said at the end of the help.
pub const NOTICE: &str = "";

/// Says what to do in a build that has no reader.
pub fn reader(_: &Path, _: &ExternalArgs) -> Result<Command> {
    bail!(
        "is IFC, which this build of sudar does not read: build it with --features ifc, give --ifc-with \
         ifcopenshell where that Python package is installed, or convert the file with IfcConvert (free)"
    )
}
