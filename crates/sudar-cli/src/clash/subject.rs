//! What is checked: parts from files, or the built-in assembly.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use rayon::prelude::*;
use sudar::query::Body;
use sudar::{Mesh, Pose, Shape, Solid};
use sudar_clash::gearbox::gearbox;
use sudar_clash::{Assembly, Failed, Lost, Named, Part, PartDetails, Unit};
use sudar_formats::Model;

use super::scene::{self, Placed};
use crate::common::ModelArgs;
use crate::load::{self, Welded};
use crate::progress::Progress;
use crate::report;

/// The parts with their faults, and what was noticed about them.
pub struct Subject {
    pub title: String,
    pub assembly: Assembly,
    /// What is known of each part beside its body.
    pub details: Vec<PartDetails>,
    pub notes: Vec<String>,
    /// The unit of all lengths.
    pub unit: Option<Unit>,
    pub files: Vec<String>,
    pub failed: Vec<Failed>,
    pub lost: Vec<Lost>,
}

/// Said where there is nothing to compare.
const ONE_PART: &str = "there is one part alone, so that nothing can clash: name more files or a folder, or a format \
                        that keeps parts apart, which OBJ (with o or g), glTF, GLB, VRML, IFC and STEP do and PLY, OFF and \
                        binary STL do not";

/// How files are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// Folders with all folders below.
    pub is_recursive: bool,
    /// To the first that cannot be read.
    pub is_strict: bool,
}

impl Subject {
    /// The built-in planetary gearbox.
    pub fn built_in() -> Result<Self> {
        let assembly = gearbox()?;
        let faults = |part: &Part| part.body.mesh().map(|mesh| mesh.topology().faults).unwrap_or_default();
        let detail = |part: &Part| PartDetails { faults: faults(part), ..PartDetails::default() };
        let details = assembly.parts.par_iter().map(detail).collect();
        let title = "built-in planetary gearbox, in mm".to_owned();
        let unit = Some(Unit::Mm);
        Ok(Self { title, assembly, details, unit, ..Self::empty() })
    }

    /// Named bodies in their places, without a file.
    pub fn given(parts: Vec<(String, Body, Pose)>) -> Self {
        let mut subject = Self { title: "given parts".to_owned(), ..Self::empty() };
        let faults = |body: &Body| body.mesh().map(|mesh| mesh.topology().faults).unwrap_or_default();
        let detail = |(_, body, _): &(String, Body, Pose)| PartDetails {
            faults: faults(body),
            closes_at: body.closing_tolerance().filter(|tolerance| *tolerance > 0.0),
            ..PartDetails::default()
        };
        subject.details = parts.par_iter().map(detail).collect();
        subject.assembly.parts =
            parts.into_iter().map(|(name, body, pose)| Part { name, body, pose }).collect();
        subject
    }

    /// The parts of all files, one after another. A bad file is left out and named, unless all are bad or the first
    /// ends it.
    pub fn read(scenes: &[PathBuf], reading: Reading, common: &ModelArgs) -> Result<Self> {
        let placed = scene::placed(scenes, reading.is_recursive)?;
        let mut numbers = HashMap::new();
        let mut files: Vec<&Path> = Vec::new();
        for one in &placed {
            numbers.entry(&*one.file).or_insert_with(|| {
                files.push(&one.file);
                files.len() - 1
            });
        }
        let (models, unit) = models(&files, common);
        let title = scenes.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", ");
        let mut subject = Self { title, unit, ..Self::empty() };
        let (mut read, mut first, mut own) = (Vec::new(), None, Vec::new());
        for (file, model) in files.iter().zip(models) {
            subject.files.push(shown(file));
            let found = model.and_then(|model| Ok((Self::of(&model).with_context(|| shown(file))?, model)));
            match found {
                Ok((parts, model)) => {
                    own.push(model.model.unit);
                    subject.note(file, &model);
                    read.push(Some(parts));
                }
                Err(error) if reading.is_strict => return Err(error),
                Err(error) => {
                    subject.failed.push(failed(file, &error));
                    read.push(None);
                    first = first.or(Some(error));
                }
            }
        }
        if let Some(error) = first.filter(|_| subject.failed.len() == files.len()) {
            return Err(error);
        }
        for one in &placed {
            if let Some(parts) = &read[numbers[&*one.file]] {
                subject.add(parts, one)?;
            }
        }
        if subject.assembly.parts.len() == 1 {
            subject.notes.push(ONE_PART.to_owned());
        }
        subject.notes.extend(mixed(&own, subject.unit));
        Ok(subject)
    }

    fn empty() -> Self {
        Self {
            title: String::new(),
            assembly: Assembly::default(),
            details: Vec::new(),
            notes: Vec::new(),
            unit: None,
            files: Vec::new(),
            failed: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// The parts of a file; those that share a mesh there share body and tree here.
    fn of(Welded { model, reports, .. }: &Welded) -> Result<Self> {
        if model.parts.is_empty() && model.lost.is_empty() {
            // A cloud of points: the message names it.
            load::whole(model)?;
        }
        let bodies: Vec<_> = model.meshes.par_iter().map(examined).collect();
        let mut found = Self::empty();
        for part in &model.parts {
            let (body, details) = bodies.get(part.mesh).context("the file has a part without a mesh")?;
            found.assembly.parts.push(Part { name: part.name.clone(), body: body.clone(), pose: part.pose });
            let weld = reports.get(part.mesh).copied();
            let properties = part.properties.clone();
            found.details.push(PartDetails { weld, properties, ..details.clone() });
        }
        Ok(found)
    }

    /// What was noticed in a file, and what it lost.
    fn note(&mut self, file: &Path, model: &Welded) {
        self.lost.extend(model.model.lost.iter().map(|lost| Lost {
            file: shown(file),
            name: lost.name.clone(),
            properties: lost.properties.clone(),
            error: lost.error.clone(),
        }));
        let welded = load::summary(&model.reports).map(|weld| load::weld_text(&weld));
        let notes = model.notes.iter().cloned().chain(welded);
        self.notes.extend(notes.map(|note| format!("{}: {note}", shown(file))));
    }

    /// The parts of a file in one of its places.
    fn add(&mut self, parts: &Self, placed: &Placed) -> Result<()> {
        let pose = placed.pose(self.unit)?;
        let there = |part: &Part| Part {
            name: placed.named(&part.name),
            body: part.body.clone(),
            pose: if pose == Pose::IDENTITY { part.pose } else { pose * part.pose },
        };
        self.assembly.parts.extend(parts.assembly.parts.iter().map(there));
        self.details.extend(parts.details.iter().cloned());
        Ok(())
    }

    /// The errors of the whole run: files that were left out, and elements that are no parts.
    pub fn complaints(&self) -> Vec<anyhow::Error> {
        let failed = |Failed { file, error }: &Failed| anyhow!("{file}: left out: {error}");
        let lost = |lost: &Lost| {
            let class = lost.properties.first().map_or("element", |(_, class)| class);
            anyhow!("{}: {class} '{}' is lost: {}", lost.file, lost.name, lost.error)
        };
        self.failed.iter().map(failed).chain(self.lost.iter().map(lost)).collect()
    }

    /// The parts as patterns see them.
    pub fn named(&self) -> Vec<Named<'_>> {
        let parts = self.assembly.parts.iter().zip(&self.details);
        parts.map(|(part, details)| Named { name: &part.name, properties: &details.properties }).collect()
    }
}

/// A path as it may stand in a report: an absolute one is of this machine alone.
pub fn shown(path: &Path) -> String {
    let name = if path.is_absolute() { path.file_name().map(Path::new) } else { None };
    name.unwrap_or(path).display().to_string()
}

fn failed(file: &Path, error: &anyhow::Error) -> Failed {
    let text = report::one_line(&format!("{error:#}"));
    let own = format!("{}: ", file.display());
    Failed { file: shown(file), error: text.strip_prefix(&own).unwrap_or(&text).to_owned() }
}

/// What each file holds, in the unit of the results, and that unit.
fn models(files: &[&Path], common: &ModelArgs) -> (Vec<Result<Welded>>, Option<Unit>) {
    let progress = Progress::new("files", Some(files.len() as u64));
    // Read to the end, so that of several bad files it is always the first that is named first.
    let read = |file: &&Path| {
        let model = load::raw(file, &common.read);
        progress.advance(1);
        model
    };
    let models: Vec<Result<Model>> = files.par_iter().map(read).collect();
    let own: Vec<Option<f64>> = models.iter().flatten().map(|model| model.unit).collect();
    let unit = common.read.common_unit(&own);
    let scaled = |(model, file): (Result<Model>, &&Path)| {
        let model = model?;
        let factor = common.read.factor_to(unit, model.unit);
        load::welded_times(file, model, factor, &common.weld)
    };
    (models.into_par_iter().zip(files).map(scaled).collect(), unit)
}

/// Said where files that say their unit are beside others.
fn mixed(own: &[Option<f64>], unit: Option<Unit>) -> Option<String> {
    let is_mixed = unit.is_none() && own.iter().any(Option::is_some) && own.iter().any(Option::is_none);
    is_mixed.then(|| {
        "some files say their unit and others do not: their numbers are taken for metres; name their unit with --units"
            .to_owned()
    })
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
