//! A store that is open.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sudar::query::Body;
use sudar::{Mesh, Pose};
use sudar_formats::Model;

use crate::about::About;
use crate::bytes::Reader;
use crate::digest::digest;
use crate::error::{Cause, StoreError};
use crate::geometry::Arrays;
use crate::head::{HEAD, Head, Kind, MAX_HEAD};
use crate::many::mapped;
use crate::parts::{Known, Malformed, Parts};
use crate::record::{PartRecord, Place, StoredMesh};
use crate::source::Source;

/// A store that is open: what it holds is read when it is asked for.
///
/// Its files stay open, so that on Unix a revision that is written meanwhile, or the removal of the folder, changes
/// nothing for who reads the old one. Tables are read once and kept; meshes are read each time they are asked for.
/// Whatever is read is checked against its checksum and for sense, and no more memory is taken than the files have
/// bytes, a few times over.
///
/// ```no_run
/// let store = sudar_store::Store::open("plant.sudar")?;
/// let parts = store.parts()?;
/// println!("{} parts of {} meshes", parts.len(), store.meshes()?.len());
/// if let Some(part) = parts.get(0) {
///     let body = store.body(part.mesh)?;
///     println!("{} stands at {}", part.name, part.pose.translation());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    head: Head,
    fingerprint: u128,
    /// In the order of [`Kind::TABLES`].
    tables: Vec<Source>,
    segments: Vec<Source>,
    about: OnceLock<About>,
    meshes: OnceLock<Vec<StoredMesh>>,
    places: OnceLock<Vec<Place>>,
    parts: OnceLock<Parts>,
}

impl Store {
    /// Whether a path is a store, or is to be one by its name: a folder that holds the head of one, or whose name ends
    /// in `.sudar`. Files of that ending are recordings of `sudar simulate`.
    pub fn is_store(path: &Path) -> bool {
        let is_named = || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sudar"));
        path.is_dir() && (is_named() || path.join(HEAD).is_file())
    }

    /// Opens a store: reads its head, and checks that its files are there and as long as they should be. Takes
    /// milliseconds, whatever it holds.
    ///
    /// # Errors
    /// [`Cause::NotAStore`], [`Cause::Newer`], [`Cause::Damaged`], [`Cause::Malformed`] of the head,
    /// [`Cause::Unreadable`], [`Cause::Length`] of any file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        Self::opened(path).map_err(|cause| StoreError::new(path, cause))
    }

    fn opened(path: &Path) -> Result<Self, Cause> {
        let head = read_head(path)?;
        let open = |entry: &crate::head::Entry| Source::of_length(path, entry.name(), entry.length);
        let table = |kind: &Kind| head.table(*kind).map(open);
        let tables = Kind::TABLES.iter().filter_map(table).collect::<Result<_, _>>()?;
        let segments = head.segments().map(open).collect::<Result<_, _>>()?;
        Ok(Self {
            path: path.to_owned(),
            fingerprint: head.fingerprint(),
            head,
            tables,
            segments,
            about: OnceLock::new(),
            meshes: OnceLock::new(),
            places: OnceLock::new(),
            parts: OnceLock::new(),
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many metres the number 1 means, if that is known.
    pub fn unit(&self) -> Option<f64> {
        self.head.unit
    }

    /// A number of all contents: equal for stores that hold the same parts, meshes and texts in the same order, however
    /// often they were updated, and different for others.
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// How often it was written.
    pub fn revision(&self) -> u32 {
        self.head.revision
    }

    /// How many parts it has; nothing is read.
    pub fn part_count(&self) -> usize {
        self.head.counts.parts as usize
    }

    /// How many meshes it has; nothing is read.
    pub fn mesh_count(&self) -> usize {
        self.head.counts.meshes as usize
    }

    /// How many triangles all parts have together; nothing is read.
    pub fn triangles(&self) -> u64 {
        self.head.counts.triangles
    }

    /// How many triangles all meshes have together; nothing is read.
    pub fn mesh_triangles(&self) -> u64 {
        self.head.counts.mesh_triangles
    }

    /// Bytes of its files.
    pub fn bytes(&self) -> u64 {
        self.head.files.iter().map(|entry| entry.length).fold(0, u64::saturating_add)
    }

    /// Files, levels, axes, notes and what was lost; read now if this is the first time.
    ///
    /// # Errors
    /// [`Cause::Damaged`], [`Cause::Malformed`], [`Cause::Unreadable`].
    pub fn about(&self) -> Result<&About, StoreError> {
        self.kept(&self.about, || {
            let about = About::parse(&self.table(Kind::About)?);
            let about = about.ok_or_else(|| self.malformed(Kind::About, "it is no document of a store"))?;
            let files = about.files.len() as u64;
            let is_right = files == self.head.counts.files
                && about.lost.iter().all(|(file, _)| u64::from(*file) < files);
            if is_right { Ok(about) } else { Err(self.malformed(Kind::About, "it counts other files")) }
        })
    }

    /// The parts; read now if this is the first time. O(n).
    ///
    /// # Errors
    /// [`Cause::Damaged`], [`Cause::Malformed`], [`Cause::Pose`], [`Cause::Unreadable`], [`Cause::Memory`].
    pub fn parts(&self) -> Result<&Parts, StoreError> {
        let welds = self.about()?.welds.clone();
        self.kept(&self.parts, || self.read_parts(welds))
    }

    /// The meshes without their triangles, by number; read now if this is the first time. O(n), 160 bytes each.
    ///
    /// Boxes and faults are what the store says of a mesh, and are compared with it when it is read.
    ///
    /// # Errors
    /// [`Cause::Damaged`], [`Cause::Malformed`], [`Cause::Unreadable`], [`Cause::Memory`].
    pub fn meshes(&self) -> Result<&[StoredMesh], StoreError> {
        self.kept(&self.meshes, || self.records(Kind::Meshes, StoredMesh::SIZE, StoredMesh::read))
            .map(Vec::as_slice)
    }

    /// A mesh, to the last bit as it was packed. Reads its vertices and triangles and checks them. O(n).
    ///
    /// # Errors
    /// [`Cause::NoSuch`], [`Cause::Damaged`], [`Cause::Malformed`], [`Cause::Mesh`], [`Cause::Unreadable`],
    /// [`Cause::Memory`], and those of [`meshes`](Self::meshes).
    pub fn mesh(&self, number: usize) -> Result<Arc<Mesh>, StoreError> {
        let arrays = self.arrays(number)?;
        arrays.mesh().map_err(|cause| self.error(cause))
    }

    /// A mesh made ready for queries, a solid where it is closed: the same to the last bit as one that is made of the
    /// mesh anew, in less time, since tree and adjacency are read and checked in place of being found. O(n).
    ///
    /// # Errors
    /// Those of [`mesh`](Self::mesh), [`Cause::Layout`], [`Cause::Solid`].
    pub fn body(&self, number: usize) -> Result<Body, StoreError> {
        let arrays = self.arrays(number)?;
        arrays.body().map_err(|cause| self.error(cause))
    }

    /// The whole as a model: every mesh, and the parts in their order, their triangles numbered part after part. What
    /// was noticed and lost stays in [`about`](Self::about), but for elements that were lost. O(n).
    ///
    /// # Errors
    /// Those of [`parts`](Self::parts) and of [`mesh`](Self::mesh).
    pub fn model(&self) -> Result<Model, StoreError> {
        let (about, parts) = (self.about()?, self.parts()?);
        let numbers: Vec<usize> = (0..self.meshes()?.len()).collect();
        let meshes =
            mapped(&numbers, |number| self.mesh(*number)).into_iter().collect::<Result<Vec<_>, _>>()?;
        let part = |part: crate::StoredPart<'_>| -> (String, Arc<Mesh>, Pose) {
            (part.name.to_owned(), Arc::clone(&meshes[part.mesh]), part.pose)
        };
        let mut model = Model::assembled(parts.iter().map(part));
        for (number, (stored, part)) in parts.iter().zip(&mut model.parts).enumerate() {
            let own = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
            part.properties = parts.properties(number).map(own).collect();
            part.deviation = stored.deviation;
        }
        model.unit = self.unit();
        model.lost = about.lost.iter().map(|(_, lost)| lost.clone()).collect();
        model.levels.clone_from(&about.levels);
        model.axes.clone_from(&about.axes);
        Ok(model)
    }

    fn read_parts(&self, welds: Vec<sudar::WeldReport>) -> Result<Parts, Cause> {
        let bytes = self.counted(Kind::Parts, self.head.counts.parts, PartRecord::SIZE)?;
        let (properties, strings) = (self.table(Kind::Properties)?, self.table(Kind::Strings)?);
        let known = Known { meshes: self.head.counts.meshes, files: self.head.counts.files };
        Parts::parse([&bytes, &properties, &strings], welds, &known).map_err(|malformed| match malformed {
            Malformed::Strings => self.malformed(Kind::Strings, "it holds no list of texts"),
            Malformed::Properties => self.malformed(Kind::Properties, "it names texts that are not there"),
            Malformed::Parts => self.malformed(Kind::Parts, "a part names what is not there"),
            Malformed::Pose(cause) => cause,
        })
    }

    /// The arrays of a mesh, read and checked against their checksum.
    fn arrays(&self, number: usize) -> Result<Arrays, StoreError> {
        let meshes = self.meshes()?;
        let places = self.kept(&self.places, || self.records(Kind::Places, Place::SIZE, Place::read))?;
        let no_such = || Cause::NoSuch { what: "mesh", number, count: meshes.len() };
        let found = meshes.get(number).copied().zip(places.get(number).copied());
        let read = found.ok_or_else(no_such).and_then(|(record, place)| {
            let segment = self.segments.get(place.segment as usize);
            let nowhere = || self.malformed(Kind::Places, "it names a segment that is not there");
            Arrays::read(segment.ok_or_else(nowhere)?, number, record, place.offset)
        });
        read.map_err(|cause| self.error(cause))
    }

    /// A table of one record a mesh.
    fn records<T>(
        &self,
        kind: Kind,
        size: u64,
        read: impl Fn(&mut Reader<'_>) -> Option<T>,
    ) -> Result<Vec<T>, Cause> {
        let bytes = self.counted(kind, self.head.counts.meshes, size)?;
        let records = bytes.chunks(size as usize).map(|bytes| read(&mut Reader(bytes)));
        records.collect::<Option<_>>().ok_or_else(|| self.malformed(kind, "a record contradicts itself"))
    }

    /// A table of so many records.
    fn counted(&self, kind: Kind, count: u64, size: u64) -> Result<Vec<u8>, Cause> {
        let bytes = self.table(kind)?;
        let is_right = count.checked_mul(size) == Some(bytes.len() as u64);
        if is_right { Ok(bytes) } else { Err(self.malformed(kind, "it has another number of records")) }
    }

    /// The bytes of a table, checked against their checksum.
    fn table(&self, kind: Kind) -> Result<Vec<u8>, Cause> {
        let place = Kind::TABLES.iter().position(|known| *known == kind);
        let source = place.and_then(|place| self.tables.get(place));
        let (source, entry) =
            source.zip(self.head.table(kind)).ok_or(Cause::NotAStore("it lacks a table"))?;
        let bytes = source.whole()?;
        if digest(&bytes) == entry.digest { Ok(bytes) } else { Err(Cause::Damaged(source.name.clone())) }
    }

    fn malformed(&self, kind: Kind, why: &'static str) -> Cause {
        let name = self.head.table(kind).map(crate::head::Entry::name).unwrap_or_default();
        Cause::Malformed(name, why)
    }

    fn error(&self, cause: Cause) -> StoreError {
        StoreError::new(&self.path, cause)
    }

    /// What the cell holds, read now if this is the first time. Two threads may both read; one result is kept.
    fn kept<'c, T>(
        &self,
        cell: &'c OnceLock<T>,
        read: impl FnOnce() -> Result<T, Cause>,
    ) -> Result<&'c T, StoreError> {
        if cell.get().is_none() {
            let new = read().map_err(|cause| self.error(cause))?;
            return Ok(cell.get_or_init(|| new));
        }
        cell.get().ok_or_else(|| self.error(Cause::NotAStore("it lacks a table")))
    }

    /// For packing on: the head, and where the meshes lie, if that is wanted.
    pub(crate) fn into_known(self) -> Result<(Head, Vec<(StoredMesh, Place)>), StoreError> {
        let meshes = self.meshes()?.to_vec();
        let places =
            self.kept(&self.places, || self.records(Kind::Places, Place::SIZE, Place::read))?.clone();
        Ok((self.head, meshes.into_iter().zip(places).collect()))
    }
}

/// The head of the store in a folder.
fn read_head(path: &Path) -> Result<Head, Cause> {
    if !path.is_dir() {
        return Err(Cause::NotAStore("it is no folder"));
    }
    if !path.join(HEAD).exists() {
        return Err(Cause::NotAStore("the folder holds no head.bin"));
    }
    let source = Source::open(path, HEAD.to_owned())?;
    match source.length {
        0..=MAX_HEAD => Head::parse(&source.whole()?),
        _ => Err(Cause::NotAStore("its head.bin is too large")),
    }
}
