//! What a file has: parts with what is known of them, and what was noticed.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use rayon::prelude::*;
use sudar::query::Body;
use sudar::{Mesh, Shape, Solid};
use sudar_clash::{Failed, Lost, Part, PartDetails};

use crate::load::{self, Welded};
use crate::report;

/// What a file has, or a store of several.
#[derive(Default)]
pub struct File {
    /// Its name, or those of the files of a store.
    pub files: Vec<String>,
    /// Each with the number of its file among these.
    pub parts: Parts,
    pub levels: Vec<sudar_formats::Level>,
    pub axes: Vec<sudar_formats::GridAxis>,
    pub failed: Vec<Failed>,
    pub lost: Vec<Lost>,
    pub notes: Vec<String>,
}

impl File {
    /// Of a file that is no store.
    pub fn of(path: &Path, welded: &Welded) -> Result<Self> {
        let mut parts = parts_of(welded).with_context(|| shown(path))?;
        parts.iter_mut().for_each(|(_, details)| details.file = Some(0));
        Ok(Self {
            files: vec![shown(path)],
            parts,
            levels: welded.model.levels.clone(),
            axes: welded.model.axes.clone(),
            failed: Vec::new(),
            lost: lost(path, welded).collect(),
            notes: noticed(path, welded).collect(),
        })
    }
}

/// The parts of a file, each with what is known of it.
pub type Parts = Vec<(Part, PartDetails)>;

/// The parts of a file; those that share a mesh there share body and tree here.
pub fn parts_of(Welded { model, reports, .. }: &Welded) -> Result<Parts> {
    if model.parts.is_empty() && model.lost.is_empty() {
        // A cloud of points: the message names it.
        load::whole(model)?;
    }
    let bodies: Vec<_> = model.meshes.par_iter().map(examined).collect();
    let part = |part: &sudar_formats::Part| {
        let (body, details) = bodies.get(part.mesh).context("the file has a part without a mesh")?;
        let weld = reports.get(part.mesh).copied();
        let properties = part.properties.clone();
        let details = PartDetails { weld, properties, deviation: part.deviation, ..details.clone() };
        Ok((Part { name: part.name.clone(), body: body.clone(), pose: part.pose }, details))
    };
    model.parts.iter().map(part).collect()
}

/// The elements that a file lost.
fn lost<'m>(file: &'m Path, model: &'m Welded) -> impl Iterator<Item = Lost> + 'm {
    model.model.lost.iter().map(|lost| Lost {
        file: shown(file),
        name: lost.name.clone(),
        properties: lost.properties.clone(),
        error: lost.error.clone(),
    })
}

/// What was noticed in a file.
pub fn noticed<'m>(file: &'m Path, model: &'m Welded) -> impl Iterator<Item = String> + 'm {
    let welded = load::summary(&model.reports).map(|weld| load::weld_text(&weld));
    model.notes.iter().cloned().chain(welded).map(|note| format!("{}: {note}", shown(file)))
}

/// A path as it may stand in a report: an absolute one is of this machine alone.
pub fn shown(path: &Path) -> String {
    let name = if path.is_absolute() { path.file_name().map(Path::new) } else { None };
    name.unwrap_or(path).display().to_string()
}

/// What is said of a file that cannot be read.
pub fn failed(file: &Path, error: &anyhow::Error) -> Failed {
    let text = report::one_line(&format!("{error:#}"));
    let own = format!("{}: ", file.display());
    Failed { file: shown(file), error: text.strip_prefix(&own).unwrap_or(&text).to_owned() }
}

/// The body of a mesh, a solid if the mesh is closed, and what its adjacency shows.
fn examined(mesh: &Arc<Mesh>) -> (Body, PartDetails) {
    let topology = mesh.topology();
    let (body, closes_at) = match Solid::with_topology(mesh.clone(), &topology) {
        Ok(solid) => (Body::new(solid), None),
        Err(open) => (Body::new(Shape::Mesh(mesh.clone())), open.closes_at),
    };
    (body, PartDetails { faults: topology.faults, closes_at, ..PartDetails::default() })
}
