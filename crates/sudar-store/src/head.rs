//! The head of a store: what it holds, and in which files. It alone is read when a store is opened.

use crate::bytes::{Reader, Writer};
use crate::digest::{Digest, digest};
use crate::error::Cause;
use crate::version::VERSION;

/// The name of the head in the folder. Renaming a new one to it is what makes a revision.
pub const HEAD: &str = "head.bin";
/// The first bytes; like those of PNG they show whether a transfer took the file for text.
const MAGIC: [u8; 8] = *b"\x89SUDAR\r\n";
/// Bytes before the list of files.
const FIXED: usize = 88;
/// Bytes of an entry of that list.
const ENTRY: usize = 32;
/// Most files of a store; each is held open.
const MAX_FILES: usize = 512;
/// Most bytes of a head.
pub const MAX_HEAD: u64 = (FIXED + ENTRY * MAX_FILES + 16) as u64;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One record a mesh: counts, box, faults, checksums.
    Meshes,
    /// One record a mesh: where in which segment its arrays lie.
    Places,
    /// One record a part.
    Parts,
    /// Pairs of strings, part after part.
    Properties,
    /// Every string once.
    Strings,
    /// Files, levels, axes, notes and what was lost, as JSON.
    About,
    /// Arrays of meshes.
    Geometry,
}

impl Kind {
    /// Those of which a store has one each.
    pub const TABLES: [Self; 6] =
        [Self::Meshes, Self::Places, Self::Parts, Self::Properties, Self::Strings, Self::About];

    fn number(self) -> u32 {
        match self {
            Self::Meshes => 1,
            Self::Places => 2,
            Self::Parts => 3,
            Self::Properties => 4,
            Self::Strings => 5,
            Self::About => 6,
            Self::Geometry => 7,
        }
    }

    fn of(number: u32) -> Option<Self> {
        Self::TABLES.into_iter().chain([Self::Geometry]).find(|kind| kind.number() == number)
    }

    /// The name of a file of this kind.
    pub fn file_name(self, number: u32) -> String {
        let (stem, ending) = match self {
            Self::Meshes => ("meshes", "bin"),
            Self::Places => ("places", "bin"),
            Self::Parts => ("parts", "bin"),
            Self::Properties => ("properties", "bin"),
            Self::Strings => ("strings", "bin"),
            Self::About => ("about", "json"),
            Self::Geometry => ("geometry", "bin"),
        };
        format!("{stem}-{number:06}.{ending}")
    }
}

/// A file of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub kind: Kind,
    /// Tables: the revision that wrote it. Geometry: its own number.
    pub number: u32,
    pub length: u64,
    /// Of the whole file; 0 for geometry, whose meshes have their own.
    pub digest: Digest,
}

impl Entry {
    pub fn name(&self) -> String {
        self.kind.file_name(self.number)
    }
}

/// Counts of what a store holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub parts: u64,
    pub meshes: u64,
    /// Of all parts.
    pub triangles: u64,
    /// Of all meshes.
    pub mesh_triangles: u64,
    /// Files that were packed.
    pub files: u64,
}

/// The head, parsed and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// Grows with each time the store is written.
    pub revision: u32,
    /// How many metres a unit of the store is, if that is known.
    pub unit: Option<f64>,
    pub counts: Counts,
    pub files: Vec<Entry>,
}

impl Head {
    /// The table of a kind.
    pub fn table(&self, kind: Kind) -> Option<&Entry> {
        self.files.iter().find(|entry| entry.kind == kind)
    }

    /// The segments of geometry, in the order of their list.
    pub fn segments(&self) -> impl Iterator<Item = &Entry> {
        self.files.iter().filter(|entry| entry.kind == Kind::Geometry)
    }

    /// A number of all contents: equal where they are, wherever they lie in which files.
    pub fn fingerprint(&self) -> Digest {
        let mut all = Writer::default();
        all.raw(&MAGIC);
        all.u32(VERSION);
        all.f64(self.unit.unwrap_or(0.0));
        self.counts.write(&mut all);
        let contents = [Kind::Meshes, Kind::Parts, Kind::Properties, Kind::Strings, Kind::About];
        contents.iter().for_each(|kind| all.u128(self.table(*kind).map_or(0, |entry| entry.digest)));
        digest(&all.bytes)
    }

    /// The head as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.raw(&MAGIC);
        to.u32(VERSION);
        to.u32(self.files.len() as u32);
        to.u64(u64::from(self.revision));
        to.u128(self.fingerprint());
        to.f64(self.unit.unwrap_or(0.0));
        self.counts.write(&mut to);
        for entry in &self.files {
            to.u32(entry.kind.number());
            to.u32(entry.number);
            to.u64(entry.length);
            to.u128(entry.digest);
        }
        let sum = digest(&to.bytes);
        to.u128(sum);
        to.bytes
    }

    /// The head of these bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Cause> {
        let mut rest = Reader(bytes);
        if rest.array() != Some(MAGIC) {
            return Err(Cause::NotAStore("its head.bin is that of something else"));
        }
        let cut = || Cause::Damaged(HEAD.to_owned());
        match rest.u32().ok_or_else(cut)? {
            VERSION => {}
            newer => return Err(Cause::Newer(newer)),
        }
        let body = bytes.len().checked_sub(16).ok_or_else(cut)?;
        let (body, sum) = bytes.split_at(body);
        if digest(body).to_le_bytes() != sum {
            return Err(cut());
        }
        let malformed =
            || Cause::Malformed(HEAD.to_owned(), "its counts or its list of files contradict themselves");
        let fields = body.get(12..).ok_or_else(cut)?;
        let (head, fingerprint) = Self::fields(&mut Reader(fields)).ok_or_else(malformed)?;
        let is_right = head.is_complete() && head.fingerprint() == fingerprint;
        if is_right { Ok(head) } else { Err(malformed()) }
    }

    fn fields(from: &mut Reader<'_>) -> Option<(Self, Digest)> {
        let count = usize::try_from(from.u32()?).ok().filter(|count| *count <= MAX_FILES)?;
        let revision = u32::try_from(from.u64()?).ok()?;
        let fingerprint = from.u128()?;
        let unit = match from.f64()? {
            0.0 => None,
            metres if metres.is_finite() && metres > 0.0 => Some(metres),
            _ => return None,
        };
        let counts = Counts::read(from)?;
        let mut entry = || {
            let (kind, number) = (Kind::of(from.u32()?)?, from.u32()?);
            Some(Entry { kind, number, length: from.u64()?, digest: from.u128()? })
        };
        let files = (0..count).map(|_| entry()).collect::<Option<Vec<_>>>()?;
        from.0.is_empty().then_some((Self { revision, unit, counts, files }, fingerprint))
    }

    /// Whether each table is there once, and the counts are those of numbers of 32 bits.
    fn is_complete(&self) -> bool {
        let once = |kind: &Kind| self.files.iter().filter(|entry| entry.kind == *kind).count() == 1;
        let Counts { parts, meshes, files, .. } = self.counts;
        let is_small = |count: u64| count < u64::from(u32::MAX);
        Kind::TABLES.iter().all(once) && [parts, meshes, files].into_iter().all(is_small)
    }

    /// Whether one more segment has a place.
    pub fn has_room_for(segments: usize) -> bool {
        segments + Kind::TABLES.len() <= MAX_FILES
    }
}

impl Counts {
    fn write(&self, to: &mut Writer) {
        let Self { parts, meshes, triangles, mesh_triangles, files } = *self;
        [parts, meshes, triangles, mesh_triangles, files].into_iter().for_each(|count| to.u64(count));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut next = || from.u64();
        Some(Self {
            parts: next()?,
            meshes: next()?,
            triangles: next()?,
            mesh_triangles: next()?,
            files: next()?,
        })
    }
}
