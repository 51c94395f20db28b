//! What is checked: parts from files, or the built-in assembly.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use rayon::prelude::*;
use sudar::Pose;
use sudar_clash::gearbox::gearbox;
use sudar_clash::{Failed, GridAxis, Level, Lost, Part, PartDetails, Subject, Unit};
use sudar_formats::Model;
use sudar_store::Store;

pub use super::file::shown;
use super::file::{File, failed};
use super::scene::{self, Placed};
use super::stored;
use crate::common::ModelArgs;
use crate::load;
use crate::progress::Progress;

/// What is checked, what it is called, and what was noticed about it.
#[derive(Default)]
pub struct Loaded {
    pub title: String,
    pub notes: Vec<String>,
    pub subject: Subject,
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

impl Loaded {
    /// The built-in planetary gearbox.
    pub fn built_in() -> Result<Self> {
        let subject = Subject { unit: Some(Unit::Mm), ..Subject::given(gearbox()?.parts) };
        Ok(Self { title: "built-in planetary gearbox, in mm".to_owned(), subject, ..Self::default() })
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
        let (found, unit, own) = files_of(&files, common);
        let title = scenes.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", ");
        let mut loaded = Self { title, ..Self::default() };
        loaded.subject.unit = unit;
        let (mut read, mut first) = (Vec::new(), None);
        for (path, found) in files.iter().zip(found) {
            match found {
                Ok(file) => read.push(Some(loaded.take(file))),
                Err(error) if reading.is_strict => return Err(error),
                Err(error) => {
                    loaded.subject.files.push(shown(path));
                    loaded.subject.failed.push(failed(path, &error));
                    read.push(None);
                    first = first.or(Some(error));
                }
            }
        }
        if let Some(error) = first.filter(|_| read.iter().all(Option::is_none)) {
            return Err(error);
        }
        for one in &placed {
            if let Some(file) = &read[numbers[&*one.file]] {
                add(&mut loaded.subject, file, one)?;
            }
        }
        loaded.notes.extend((loaded.subject.assembly.parts.len() == 1).then(|| ONE_PART.to_owned()));
        loaded.notes.extend(mixed(&own, unit));
        Ok(loaded)
    }

    /// Takes over what is known of a file beside its parts.
    pub fn take(&mut self, mut file: File) -> File {
        self.subject.files.extend(file.files.iter().cloned());
        self.subject.failed.append(&mut file.failed);
        self.subject.lost.append(&mut file.lost);
        self.notes.append(&mut file.notes);
        file
    }

    /// The errors of the whole run: files that were left out, and elements that are no parts.
    pub fn complaints(&self) -> Vec<anyhow::Error> {
        let failed = |Failed { file, error }: &Failed| anyhow!("{file}: left out: {error}");
        let lost = |lost: &Lost| {
            let class = lost.properties.first().map_or("element", |(_, class)| class);
            anyhow!("{}: {class} '{}' is lost: {}", lost.file, lost.name, lost.error)
        };
        self.subject.failed.iter().map(failed).chain(self.subject.lost.iter().map(lost)).collect()
    }
}

/// Adds the parts of a file in one of its places.
pub fn add(subject: &mut Subject, file: &File, placed: &Placed) -> Result<()> {
    let pose = placed.pose(subject.unit)?;
    let there = |part: &Part| Part {
        name: placed.named(&part.name),
        body: part.body.clone(),
        pose: if pose == Pose::IDENTITY { part.pose } else { pose * part.pose },
    };
    let number_of = |name: &String| subject.files.iter().position(|known| known == name);
    let numbers: Vec<Option<usize>> = file.files.iter().map(number_of).collect();
    let number = |own: Option<usize>| {
        let number = own.and_then(|own| numbers.get(own).copied().flatten());
        number.filter(|_| subject.files.len() > 1)
    };
    subject.assembly.parts.extend(file.parts.iter().map(|(part, _)| there(part)));
    let details =
        file.parts.iter().map(|(_, details)| PartDetails { file: number(details.file), ..details.clone() });
    subject.details.extend(details);
    let first = numbers.first().copied().flatten().unwrap_or(0);
    for level in &file.levels {
        let level = Level { name: level.name.clone(), elevation: level.elevation };
        subject.places.add_level(level, &pose);
    }
    for axis in &file.axes {
        // Families are numbered anew in each file.
        let family = axis.family.saturating_add((first as u32) << 16);
        subject.places.add_axis(GridAxis { name: axis.name.clone(), family, line: axis.line }, &pose);
    }
    Ok(())
}

/// What a path names.
enum Raw {
    Model(Box<Model>),
    Store(Box<Store>),
}

impl Raw {
    fn read(path: &Path, common: &ModelArgs) -> Result<Self> {
        if Store::is_store(path) {
            return Ok(Self::Store(Box::new(Store::open(path)?)));
        }
        Ok(Self::Model(Box::new(load::raw(path, &common.read)?)))
    }

    fn unit(&self) -> Option<f64> {
        match self {
            Self::Model(model) => model.unit,
            Self::Store(store) => store.unit(),
        }
    }

    /// Its parts in the unit of the results.
    fn into_file(self, path: &Path, unit: Option<Unit>, common: &ModelArgs) -> Result<File> {
        let factor = common.read.factor_to(unit, self.unit());
        match self {
            Self::Store(store) => stored::file(path, &store, factor, &common.weld),
            Self::Model(model) => File::of(path, &load::welded_times(path, *model, factor, &common.weld)?),
        }
    }
}

/// What each file holds, in the unit of the results, that unit, and those of the files that could be read.
fn files_of(paths: &[&Path], common: &ModelArgs) -> (Vec<Result<File>>, Option<Unit>, Vec<Option<f64>>) {
    let progress = Progress::new("files", Some(paths.len() as u64));
    // Read to the end, so that of several bad files it is always the first that is named first.
    let read = |path: &&Path| {
        let raw = Raw::read(path, common);
        progress.advance(1);
        raw
    };
    let all: Vec<Result<Raw>> = paths.par_iter().map(read).collect();
    let own: Vec<Option<f64>> = all.iter().flatten().map(Raw::unit).collect();
    let unit = common.read.common_unit(&own);
    let scaled = |(raw, path): (Result<Raw>, &&Path)| raw?.into_file(path, unit, common);
    (all.into_par_iter().zip(paths).map(scaled).collect(), unit, own)
}

/// Said where files that say their unit are beside others.
pub fn mixed(own: &[Option<f64>], unit: Option<Unit>) -> Option<String> {
    let is_mixed = unit.is_none() && own.iter().any(Option::is_some) && own.iter().any(Option::is_none);
    is_mixed.then(|| {
        "some files say their unit and others do not: their numbers are taken for metres; name their unit with --units"
            .to_owned()
    })
}
