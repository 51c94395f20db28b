//! The parts of several models where they stand, for commands that ask about all of them together.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use sudar::Mesh;

use crate::common::ModelArgs;
use crate::load::{self, Welded};

/// A part in the world.
#[derive(Debug, Clone)]
pub struct PlacedPart {
    /// The file it is from, as it was named.
    pub file: String,
    pub name: String,
    /// With its triangles where they stand.
    pub mesh: Arc<Mesh>,
}

/// The parts of model files and of the model files in folders, in order, and what the readers noticed.
pub fn parts(paths: &[PathBuf], args: &ModelArgs) -> Result<(Vec<PlacedPart>, Vec<String>)> {
    let (mut parts, mut all_notes) = (Vec::new(), Vec::new());
    for path in &load::files(paths, false)? {
        let file = path.display().to_string();
        let Welded { model, notes, .. } = load::welded(path, &args.read, &args.weld)?;
        for part in &model.parts {
            let mesh = model.posed(part).with_context(|| file.clone())?;
            parts.push(PlacedPart { file: file.clone(), name: part.name.clone(), mesh });
        }
        all_notes.extend(notes);
    }
    Ok((parts, all_notes))
}
