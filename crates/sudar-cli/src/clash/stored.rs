//! The parts of a store, as those of files.

use std::path::Path;

use anyhow::{Context, Result};
use sudar_clash::{Failed, Lost, Part, PartDetails};
use sudar_store::{Store, StoredMesh, StoredPart};

use super::file::{File, Parts, parts_of};
use crate::common::WeldArgs;
use crate::load;

/// What a store holds, its coordinates multiplied, welded if that is wanted.
pub fn file(path: &Path, store: &Store, factor: f64, weld: &WeldArgs) -> Result<File> {
    let mut file = about(store)?;
    if factor == 1.0 && !weld.is_wanted() {
        file.parts = parts(store)?;
        return Ok(file);
    }
    let welded = load::welded_times(path, store.model()?, factor, weld)?;
    file.parts = parts_of(&welded)?;
    for ((_, details), part) in file.parts.iter_mut().zip(store.parts()?.iter()) {
        details.file = Some(part.file);
        details.weld = details.weld.or(part.weld);
    }
    file.notes.extend(load::summary(&welded.reports).map(|weld| load::weld_text(&weld)));
    (file.levels, file.axes) = (welded.model.levels, welded.model.axes);
    Ok(file)
}

/// What a store holds beside parts.
pub fn about(store: &Store) -> Result<File> {
    let about = store.about()?;
    let name_of = |file: u32| about.files.get(file as usize).cloned().unwrap_or_default();
    let lost = about.lost.iter().map(|(file, lost)| Lost {
        file: name_of(*file),
        name: lost.name.clone(),
        properties: lost.properties.clone(),
        error: lost.error.clone(),
    });
    let failed =
        about.failed.iter().map(|failed| Failed { file: failed.file.clone(), error: failed.error.clone() });
    Ok(File {
        files: about.files.clone(),
        levels: about.levels.clone(),
        axes: about.axes.clone(),
        failed: failed.collect(),
        lost: lost.collect(),
        notes: about.notes.clone(),
        ..File::default()
    })
}

/// The parts as they are stored; those of one mesh share its body.
fn parts(store: &Store) -> Result<Parts> {
    let (parts, meshes) = (store.parts()?, store.meshes()?);
    let bodies = load::stored_bodies(store)?;
    let part = |(number, part): (usize, StoredPart<'_>)| {
        let found = bodies.get(part.mesh).zip(meshes.get(part.mesh));
        let (body, mesh) = found.context("the store has a part without a mesh")?;
        let details = details(parts, number, &part, mesh);
        Ok((Part { name: part.name.to_owned(), body: body.clone(), pose: part.pose }, details))
    };
    parts.iter().enumerate().map(part).collect()
}

/// What is known of a part beside its body.
pub fn details(
    parts: &sudar_store::Parts,
    number: usize,
    part: &StoredPart<'_>,
    mesh: &StoredMesh,
) -> PartDetails {
    let own = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    PartDetails {
        faults: mesh.faults,
        closes_at: mesh.closes_at,
        weld: part.weld,
        properties: parts.properties(number).map(own).collect(),
        file: Some(part.file),
        deviation: part.deviation,
    }
}
