//! Reads files a few at a time and packs what they hold.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;
use sudar::{DVec3, Pose, WeldReport};
use sudar_clash::Unit;
use sudar_formats::{GridAxis, Level, Model};
use sudar_store::{NewPart, Packed, Packer};

use super::args::Args;
use crate::clash::{self, Placed};
use crate::load::{self, Welded};
use crate::progress::Progress;

/// A file that was left out.
#[derive(Debug, Serialize)]
pub struct Failed {
    pub file: String,
    pub error: String,
}

/// What was noticed on the way.
#[derive(Debug, Default)]
pub struct Noticed {
    pub notes: Vec<String>,
    pub failed: Vec<Failed>,
    /// What is said of each element that was lost.
    pub lost: Vec<String>,
}

/// Packs all that the arguments name.
pub fn pack(args: &Args) -> Result<(Packed, Noticed)> {
    let placed = clash::placed(&args.scenes, args.recursive)?;
    // The unit is that of the first file if all files say one, and not all are read before the first is packed.
    // Where a later one says none, all begins again, once.
    match Packing::new(args, &placed, UnitOf::FirstFile)?.pack()? {
        Some(done) => Ok(done),
        None => {
            let again = Packing::new(args, &placed, UnitOf::None)?.pack()?;
            again.context("a file changed while it was packed; pack again")
        }
    }
}

/// By what the unit of the store is found where none is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitOf {
    FirstFile,
    None,
}

/// A store being filled.
struct Packing<'a> {
    args: &'a Args,
    placed: &'a [Placed],
    /// The files, each once.
    files: Vec<&'a Path>,
    /// How often each still has to be placed.
    uses: HashMap<&'a Path, usize>,
    packer: Packer,
    unit_of: UnitOf,
    /// The unit, once the first file is read.
    unit: Option<Option<Unit>>,
    /// What the files say of theirs.
    own: Vec<Option<f64>>,
    /// How many of the files are read.
    read: usize,
    /// Those that are to be placed again.
    ready: HashMap<&'a Path, Option<File>>,
    noticed: Noticed,
    first_error: Option<anyhow::Error>,
}

/// What is kept of a file whose meshes are packed.
struct File {
    number: u32,
    parts: Vec<Part>,
    levels: Vec<Level>,
    axes: Vec<GridAxis>,
}

struct Part {
    part: sudar_formats::Part,
    /// The number of its mesh in the store.
    mesh: u32,
    weld: Option<WeldReport>,
}

impl<'a> Packing<'a> {
    fn new(args: &'a Args, placed: &'a [Placed], unit_of: UnitOf) -> Result<Self> {
        let packer = match args.update {
            true => Packer::update(&args.out, None)?,
            false => Packer::create(&args.out, None)?,
        };
        let mut uses: HashMap<&Path, usize> = HashMap::new();
        let mut files: Vec<&Path> = Vec::new();
        for one in placed {
            let count = uses.entry(&one.file).or_default();
            *count += 1;
            if *count == 1 {
                files.push(&one.file);
            }
        }
        Ok(Self {
            args,
            placed,
            files,
            uses,
            packer,
            unit_of,
            unit: None,
            own: Vec::new(),
            read: 0,
            ready: HashMap::new(),
            noticed: Noticed::default(),
            first_error: None,
        })
    }

    /// Nothing if a file says no unit after others said one.
    fn pack(mut self) -> Result<Option<(Packed, Noticed)>> {
        let progress = Progress::new("files", Some(self.files.len() as u64));
        for one in self.placed {
            while !self.ready.contains_key(&*one.file) {
                if !self.read_some(&progress)? {
                    return Ok(None);
                }
            }
            self.place(one)?;
        }
        if let Some(error) = self.first_error.take_if(|_| self.noticed.failed.len() == self.files.len()) {
            return Err(error);
        }
        let unit = self.unit.flatten();
        let mixed = clash::mixed(&self.own, unit);
        self.noticed.notes.extend(mixed);
        self.noticed.notes.iter().for_each(|note| self.packer.add_note(note.clone()));
        self.packer.set_unit(unit.map(Unit::metres))?;
        Ok(Some((self.packer.finish()?, self.noticed)))
    }

    /// Reads the next files, one a thread, and packs their meshes; false if the unit has to be another.
    fn read_some(&mut self, progress: &Progress) -> Result<bool> {
        let end = self.files.len().min(self.read + rayon::current_num_threads());
        let files: Vec<&Path> = self.files[self.read..end].to_vec();
        let read = |path: &&Path| {
            let model = load::raw(path, &self.args.common.read);
            progress.advance(1);
            model
        };
        let models: Vec<Result<Model>> = files.par_iter().map(read).collect();
        self.read = end;
        for (path, model) in files.into_iter().zip(models) {
            if model.as_ref().is_ok_and(|model| !self.fits(model.unit)) {
                return Ok(false);
            }
            let file = self.file(path, model)?;
            self.ready.insert(path, file);
        }
        Ok(true)
    }

    /// Whether a file with this unit can stand beside those before it; the first decides.
    fn fits(&mut self, own: Option<f64>) -> bool {
        self.own.push(own);
        let read = &self.args.common.read;
        let unit = match (read.common_unit(&[None]), self.unit_of) {
            (Some(named), _) => Some(named),
            (None, UnitOf::None) => None,
            (None, UnitOf::FirstFile) => match self.unit {
                Some(unit) if unit.is_some() && own.is_none() => return false,
                Some(unit) => unit,
                None => read.common_unit(&[own]),
            },
        };
        self.unit = Some(unit);
        true
    }

    /// Packs the meshes of a file; nothing of one that could not be read.
    fn file(&mut self, path: &Path, model: Result<Model>) -> Result<Option<File>> {
        let name = clash::shown(path);
        let added = self.packer.add_file(&name);
        let common = &self.args.common;
        let factor = |model: &Model| common.read.factor_to(self.unit.flatten(), model.unit);
        let welded = model.and_then(|model| {
            let factor = factor(&model);
            let welded = load::welded_times(path, model, factor, &common.weld)?;
            if welded.model.parts.is_empty() && welded.model.lost.is_empty() {
                // A cloud of points: the message names it.
                load::whole(&welded.model).with_context(|| name.clone())?;
            }
            Ok(welded)
        });
        match welded {
            Ok(welded) => Ok(Some(self.packed(path, added, welded)?)),
            Err(error) if self.args.strict => Err(error),
            Err(error) => {
                let sudar_clash::Failed { file, error: why } = clash::failed(path, &error);
                self.packer.add_failed(file.clone(), why.clone());
                self.noticed.failed.push(Failed { file, error: why });
                self.first_error.get_or_insert(error);
                Ok(None)
            }
        }
    }

    fn packed(&mut self, path: &Path, added: u32, welded: Welded) -> Result<File> {
        self.noticed.notes.extend(clash::noticed(path, &welded));
        let name = clash::shown(path);
        let Welded { model, reports, .. } = welded;
        for lost in model.lost {
            let class = lost.properties.first().map_or("element", |(_, class)| class);
            self.noticed.lost.push(format!("{name}: {class} '{}' is lost: {}", lost.name, lost.error));
            self.packer.add_lost(added, lost);
        }
        let numbers = self.packer.add_meshes(&model.meshes)?;
        let part = |part: sudar_formats::Part| {
            let mesh = *numbers.get(part.mesh).context("the file has a part without a mesh")?;
            Ok(Part { mesh, weld: reports.get(part.mesh).copied(), part })
        };
        let parts = model.parts.into_iter().map(part).collect::<Result<_>>()?;
        // Of files that are shown by one name the first counts, as in reports.
        let same = |other: &&Path| clash::shown(other) == name;
        let number = self.files.iter().position(same).map_or(added, |first| first as u32);
        Ok(File { number, parts, levels: model.levels, axes: model.axes })
    }

    /// Adds the parts of a file in one of its places.
    fn place(&mut self, placed: &'a Placed) -> Result<()> {
        let path: &Path = &placed.file;
        let left = self.uses.get_mut(path).map_or(0, |uses| {
            *uses -= 1;
            *uses
        });
        let Some(Some(file)) = self.ready.get(path) else { return Ok(()) };
        let pose = placed.pose(self.unit.flatten())?;
        for Part { part, mesh, weld } in &file.parts {
            self.packer.add_part(&NewPart {
                name: &placed.named(&part.name),
                mesh: *mesh,
                pose: if pose == Pose::IDENTITY { part.pose } else { pose * part.pose },
                properties: &part.properties,
                deviation: part.deviation,
                file: file.number,
                weld: *weld,
            })?;
        }
        for level in &file.levels {
            let elevation = pose.apply(DVec3::Z * level.elevation).z;
            if elevation.is_finite() {
                self.packer.add_level(Level { elevation, ..level.clone() });
            }
        }
        for axis in &file.axes {
            // Families are numbered anew in each file.
            let family = axis.family.saturating_add(file.number << 16);
            let line = axis.line.map(|[x, y]| pose.apply(DVec3::new(x, y, 0.0))).map(|p| [p.x, p.y]);
            if line.as_flattened().iter().all(|x| x.is_finite()) {
                self.packer.add_axis(GridAxis { name: axis.name.clone(), family, line });
            }
        }
        if left == 0 {
            // All of its places are filled.
            self.ready.insert(path, None);
        }
        Ok(())
    }
}
