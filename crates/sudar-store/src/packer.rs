//! From meshes and parts to a store.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sudar::{Mesh, Pose, WeldReport};
use sudar_formats::{GridAxis, Level, LostElement};

use crate::about::{About, FailedFile};
use crate::bytes::Writer;
use crate::digest::{Digest, digest};
use crate::error::{Cause, StoreError};
use crate::folder::Folder;
use crate::geometry::{Prepared, content_of};
use crate::head::{Counts, Entry, Head, Kind};
use crate::known::Known;
use crate::many::mapped;
use crate::record::{PartRecord, Place, StoredMesh};
use crate::segments::{ALIGNMENT, Segments};
use crate::strings::Interner;

/// A part to be packed.
#[derive(Debug, Clone)]
pub struct NewPart<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The number that [`Packer::add_meshes`] gave its mesh.
    pub mesh: u32,
    /// Where it stands.
    pub pose: Pose,
    /// What is said of it otherwise.
    pub properties: &'a [(String, String)],
    /// How far its triangles are at most from the surface that is meant.
    pub deviation: f64,
    /// The number that [`Packer::add_file`] gave its file.
    pub file: u32,
    /// What welding changed in its mesh, if it was welded.
    pub weld: Option<WeldReport>,
}

/// What was packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packed {
    /// Parts of the store.
    pub parts: u64,
    /// Meshes that were written.
    pub new_meshes: u64,
    /// Meshes that were there already.
    pub kept_meshes: u64,
    /// Triangles of all parts.
    pub triangles: u64,
    /// Triangles of all meshes.
    pub mesh_triangles: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Bytes of them that no mesh of this revision needs. Packing without an update leaves none.
    pub unused_bytes: u64,
    /// The number of the revision, from 1.
    pub revision: u32,
    /// See [`Store::fingerprint`](crate::Store::fingerprint).
    pub fingerprint: u128,
}

/// Writes a store: files, meshes and parts are added one after another, and [`finish`](Self::finish) makes a store of
/// them. A packer that is dropped before leaves what was there as it was.
///
/// Meshes are written as they come and not held; of each part some 140 bytes are, and each string once.
///
/// ```
/// use sudar::{Aabb, DVec3, Mesh, Pose};
/// use sudar_store::{NewPart, Packer, Store};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("bolts.sudar");
/// let mut packer = Packer::create(&path, Some(0.001))?;
/// let file = packer.add_file("bolts.glb");
/// let bolt = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }).into();
/// let mesh = packer.add_meshes(&[bolt])?[0];
/// for (i, name) in ["bolt 1", "bolt 2"].into_iter().enumerate() {
///     let pose = Pose::from_translation(DVec3::X * 5.0 * i as f64)?;
///     packer.add_part(&NewPart { name, mesh, pose, properties: &[], deviation: 0.0, file, weld: None })?;
/// }
/// packer.finish()?;
///
/// let store = Store::open(&path)?;
/// assert_eq!((store.part_count(), store.mesh_count(), store.triangles()), (2, 1, 24));
/// assert_eq!(store.parts()?.get(1).map(|part| part.name), Some("bolt 2"));
/// assert!(store.body(0)?.solid().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Packer {
    path: PathBuf,
    folder: Folder,
    segments: Segments,
    unit: Option<f64>,
    revision: u32,
    /// Meshes of the store that is updated.
    before: HashMap<Digest, (StoredMesh, Place)>,
    /// The number of each mesh of this revision.
    numbers: HashMap<Digest, u32>,
    meshes: Vec<(StoredMesh, Place)>,
    parts: Writer,
    properties: Writer,
    strings: Interner,
    about: About,
    counts: Counts,
    new_meshes: u64,
}

impl Packer {
    /// Begins a store in this folder, or a new revision of the one that is there, which it replaces wholly. `unit` is
    /// how many metres the number 1 means, if that is known.
    ///
    /// # Errors
    /// [`Cause::Occupied`] if something else is there, [`Cause::Busy`] if another process writes the store,
    /// [`Cause::Unwritable`], [`Cause::Newer`].
    pub fn create(path: impl AsRef<Path>, unit: Option<f64>) -> Result<Self, StoreError> {
        Self::begin(path.as_ref(), unit, false)
    }

    /// The same, but meshes that are in the store already are not written again. A store that is not there is begun.
    ///
    /// # Errors
    /// As [`create`](Self::create), and those of [`Store::open`](crate::Store::open) and
    /// [`Store::meshes`](crate::Store::meshes).
    pub fn update(path: impl AsRef<Path>, unit: Option<f64>) -> Result<Self, StoreError> {
        Self::begin(path.as_ref(), unit, true)
    }

    fn begin(path: &Path, unit: Option<f64>, keeps: bool) -> Result<Self, StoreError> {
        let error = |cause| StoreError::new(path, cause);
        check_unit(unit).map_err(error)?;
        let folder = Folder::prepare(path).map_err(error)?;
        let known = if folder.has_store() { Known::of(path, keeps)? } else { Known::default() };
        let last = folder.last_number();
        Ok(Self {
            path: path.to_owned(),
            folder,
            segments: Segments::new(known.segments, last + 1),
            unit,
            revision: last + 1,
            before: known.meshes,
            numbers: HashMap::new(),
            meshes: Vec::new(),
            parts: Writer::default(),
            properties: Writer::default(),
            strings: Interner::default(),
            about: About::default(),
            counts: Counts::default(),
            new_meshes: 0,
        })
    }

    /// Sets how many metres the number 1 means, where that was not known at the start.
    ///
    /// # Errors
    /// [`Cause::Malformed`] for what is no length.
    pub fn set_unit(&mut self, unit: Option<f64>) -> Result<(), StoreError> {
        check_unit(unit).map_err(|cause| StoreError::new(&self.path, cause))?;
        self.unit = unit;
        Ok(())
    }

    /// Names the next file, and gives its number.
    pub fn add_file(&mut self, name: &str) -> u32 {
        self.about.files.push(name.to_owned());
        self.about.files.len() as u32 - 1
    }

    /// Writes meshes, and gives their numbers. A mesh that is there already, by the checksum of its vertices and
    /// triangles, has its number and is not written again. O(n log n) for n triangles that are new.
    ///
    /// # Errors
    /// [`Cause::TooMany`], [`Cause::Unwritable`].
    pub fn add_meshes(&mut self, meshes: &[Arc<Mesh>]) -> Result<Vec<u32>, StoreError> {
        self.meshes_added(meshes).map_err(|cause| StoreError::new(&self.path, cause))
    }

    fn meshes_added(&mut self, meshes: &[Arc<Mesh>]) -> Result<Vec<u32>, Cause> {
        /// So many are made ready at a time, so that not all of a file have to be held twice.
        const AT_ONCE: usize = 64;
        let mut numbers = Vec::with_capacity(meshes.len());
        for some in meshes.chunks(AT_ONCE) {
            let contents = mapped(some, |mesh| content_of(mesh));
            let mut unknown: Vec<(Digest, &Mesh)> = Vec::new();
            for (mesh, content) in some.iter().zip(&contents) {
                let is_known = self.numbers.contains_key(content)
                    || self.before.contains_key(content)
                    || unknown.iter().any(|(other, _)| other == content);
                if !is_known {
                    unknown.push((*content, mesh));
                }
            }
            let mut prepared = mapped(&unknown, |(content, mesh)| Prepared::of(mesh, *content)).into_iter();
            for content in contents {
                numbers.push(self.mesh_added(content, &mut prepared)?);
            }
        }
        Ok(numbers)
    }

    /// The number of a mesh, which is the next of those prepared if it is not known.
    fn mesh_added(
        &mut self,
        content: Digest,
        prepared: &mut impl Iterator<Item = Result<Prepared, Cause>>,
    ) -> Result<u32, Cause> {
        if let Some(number) = self.numbers.get(&content) {
            return Ok(*number);
        }
        let number = u32::try_from(self.meshes.len()).map_err(|_| too_many("meshes"))?;
        let found = match self.before.get(&content) {
            Some(known) => *known,
            None => {
                let Prepared { record, arrays } = prepared.next().ok_or(too_many("meshes"))??;
                self.new_meshes += 1;
                (record, self.segments.add(&self.folder, &arrays)?)
            }
        };
        self.meshes.push(found);
        self.numbers.insert(content, number);
        self.counts.mesh_triangles += u64::from(found.0.triangles);
        Ok(number)
    }

    /// Adds a part behind those that are there.
    ///
    /// # Errors
    /// [`Cause::NoSuch`] for a mesh or file that was not added, [`Cause::Pose`], [`Cause::Malformed`] for a deviation
    /// that is no length, [`Cause::TooMany`].
    pub fn add_part(&mut self, part: &NewPart<'_>) -> Result<(), StoreError> {
        self.part_added(part).map_err(|cause| StoreError::new(&self.path, cause))
    }

    fn part_added(&mut self, part: &NewPart<'_>) -> Result<(), Cause> {
        let (number, pose) = (self.counts.parts as usize, &part.pose);
        let no_such = |what, number, count| Cause::NoSuch { what, number: number as usize, count };
        let mesh = self.meshes.get(part.mesh as usize);
        let (mesh, _) = mesh.ok_or_else(|| no_such("mesh", part.mesh, self.meshes.len()))?;
        self.counts.triangles += u64::from(mesh.triangles);
        if part.file as usize >= self.about.files.len() {
            return Err(no_such("file", part.file, self.about.files.len()));
        }
        // A product of poses may be beyond what is read again.
        Pose::from_matrix(pose.rotation(), pose.translation())
            .map_err(|error| Cause::Pose { part: number, error })?;
        if !(part.deviation.is_finite() && part.deviation >= 0.0) {
            return Err(Cause::Malformed(format!("part {number}"), "its deviation is no length"));
        }
        let first = self.properties.bytes.len() as u64 / 8;
        for (key, value) in part.properties {
            for text in [key, value] {
                let text = self.strings.number(text).ok_or(too_many("texts"))?;
                self.properties.u32(text);
            }
        }
        let record = PartRecord {
            name: self.strings.number(part.name).ok_or(too_many("texts"))?,
            mesh: part.mesh,
            file: part.file,
            weld: part.weld.map_or(0, |weld| self.weld_number(weld)),
            properties: (first, part.properties.len() as u32),
            pose: *pose,
            deviation: part.deviation,
        };
        record.write(&mut self.parts);
        self.counts.parts += 1;
        if self.counts.parts < u64::from(u32::MAX) { Ok(()) } else { Err(too_many("parts")) }
    }

    /// Counted from 1.
    fn weld_number(&mut self, weld: WeldReport) -> u32 {
        let known = self.about.welds.iter().rposition(|known| *known == weld);
        let place = known.unwrap_or_else(|| {
            self.about.welds.push(weld);
            self.about.welds.len() - 1
        });
        place as u32 + 1
    }

    /// Notes something about the files.
    pub fn add_note(&mut self, note: String) {
        self.about.notes.push(note);
    }

    /// Notes a file that could not be read, and why.
    pub fn add_failed(&mut self, file: String, error: String) {
        self.about.failed.push(FailedFile { file, error });
    }

    /// Notes an element of a file that is no part, or not wholly.
    pub fn add_lost(&mut self, file: u32, lost: LostElement) {
        self.about.lost.push((file, lost));
    }

    /// Adds a storey where it stands.
    pub fn add_level(&mut self, level: Level) {
        self.about.levels.push(level);
    }

    /// Adds an axis of a grid where it stands.
    pub fn add_axis(&mut self, axis: GridAxis) {
        self.about.axes.push(axis);
    }

    /// Writes what is left and makes it the store, all at once.
    ///
    /// # Errors
    /// [`Cause::Unwritable`]; then the store is as it was before.
    pub fn finish(self) -> Result<Packed, StoreError> {
        let path = self.path.clone();
        self.finished().map_err(|cause| StoreError::new(&path, cause))
    }

    fn finished(mut self) -> Result<Packed, Cause> {
        self.counts.meshes = self.meshes.len() as u64;
        self.counts.files = self.about.files.len() as u64;
        let mut files = self.tables()?;
        let segments = self.segments.finish()?;
        let aligned = |mesh: &StoredMesh| mesh.bytes().next_multiple_of(ALIGNMENT);
        let used: u64 = self.meshes.iter().map(|(mesh, _)| aligned(mesh)).sum();
        let geometry: u64 = segments.iter().map(|entry| entry.length).sum();
        files.extend(segments);
        let head = Head { revision: self.revision, unit: self.unit, counts: self.counts, files };
        let packed = Packed {
            parts: self.counts.parts,
            new_meshes: self.new_meshes,
            kept_meshes: self.counts.meshes - self.new_meshes,
            triangles: self.counts.triangles,
            mesh_triangles: self.counts.mesh_triangles,
            bytes: head.files.iter().map(|entry| entry.length).sum(),
            unused_bytes: geometry.saturating_sub(used),
            revision: self.revision,
            fingerprint: head.fingerprint(),
        };
        self.folder.commit(&head)?;
        Ok(packed)
    }

    /// Writes the tables.
    fn tables(&mut self) -> Result<Vec<Entry>, Cause> {
        let (mut meshes, mut places) = (Writer::default(), Writer::default());
        for (mesh, place) in &self.meshes {
            mesh.write(&mut meshes);
            place.write(&mut places);
        }
        let about = self.about.bytes().map_err(|error| Cause::Unwritable {
            file: Kind::About.file_name(self.revision),
            why: error.to_string(),
        })?;
        let table = |kind| match kind {
            Kind::Meshes => &*meshes.bytes,
            Kind::Places => &*places.bytes,
            Kind::Parts => &*self.parts.bytes,
            Kind::Properties => &*self.properties.bytes,
            Kind::About | Kind::Geometry | Kind::Strings => &*about,
        };
        let strings = self.strings.bytes();
        let mut entries = Vec::new();
        for kind in Kind::TABLES {
            let bytes = if kind == Kind::Strings { &*strings } else { table(kind) };
            let length = bytes.len() as u64;
            let entry = Entry { kind, number: self.revision, length, digest: digest(bytes) };
            self.folder.write(&entry.name(), bytes)?;
            entries.push(entry);
        }
        Ok(entries)
    }
}

fn check_unit(unit: Option<f64>) -> Result<(), Cause> {
    match unit {
        Some(metres) if !(metres.is_finite() && metres > 0.0) => {
            Err(Cause::Malformed("the unit".to_owned(), "it is no number of metres above 0"))
        }
        _ => Ok(()),
    }
}

fn too_many(what: &'static str) -> Cause {
    let limit = u64::from(u32::MAX) - 1;
    Cause::TooMany { what, count: limit + 1, limit }
}
