//! BCF, the format in which tools for buildings exchange topics: clashes written as topics, and what people decided
//! about them read back.
//!
//! The format is that of buildingSMART, versions 2.1 and 3.0: a zip archive with a folder a topic, in it a markup,
//! views and pictures. Topics, views and files of other tools stay as they are. A topic of ours is changed only where
//! it is still as it was written; comments, assignee, dates and all that is not known here stay.

mod archive;
mod error;
mod guid;
mod project;
mod reviews;
mod status;
mod texts;
mod topic;
mod update;
mod version;
mod viewpoint;
mod xml;

use crate::options::ClashKind;
use archive::{Files, VERSION, pack, unpack};
pub use error::BcfError;
use topic::Topic;
pub use version::BcfVersion;
use xml::{Element, parse, write};

/// What a topic is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BcfBy {
    /// Each clash is a topic.
    #[default]
    Clash,
    /// Each group is a topic, with a view of each of its clashes.
    Group,
}

impl BcfBy {
    /// Both, the usual one first.
    pub const ALL: [Self; 2] = [Self::Clash, Self::Group];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clash => "clash",
            Self::Group => "group",
        }
    }
}

/// Which axis of the model is up. In BCF it is z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As in IFC and most of CAD.
    #[default]
    Z,
    /// As in glTF.
    Y,
}

impl UpAxis {
    /// Both, the usual one first.
    pub const ALL: [Self; 2] = [Self::Z, Self::Y];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Z => "z",
            Self::Y => "y",
        }
    }
}

/// How topics are written.
#[derive(Debug, Clone, Default)]
pub struct BcfOptions {
    /// What a new topic is made of.
    pub by: BcfBy,
    /// Who writes. Empty, it is `sudar clash`.
    pub author: String,
    /// When, as RFC 3339 has it. Without it new topics have [`NO_DATE`], for the format wants a date, and no topic says
    /// when it was changed: so equal checks write equal files.
    pub date: Option<String>,
    /// Which axis of the model is up.
    pub up: UpAxis,
    /// The kinds of clashes that get new topics; empty, those are the ones that are mistakes wherever they are: hard,
    /// contained and duplicate. Topics that are there are brought up to date whatever their kinds.
    pub kinds: Vec<ClashKind>,
    /// The project that is checked; without it the names of the files stand for one.
    pub project: Option<BcfProject>,
}

impl BcfOptions {
    /// Whether clashes of a kind get new topics.
    pub fn takes(&self, kind: ClashKind) -> bool {
        const MISTAKES: [ClashKind; 3] = [ClashKind::Hard, ClashKind::Contained, ClashKind::Duplicate];
        let kinds = if self.kinds.is_empty() { &MISTAKES } else { &*self.kinds };
        kinds.contains(&kind)
    }
}

/// The project that a file of topics belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BcfProject {
    /// What tells it from others: the `GlobalId` of the `IfcProject`.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// The date of what has none.
pub const NO_DATE: &str = "2000-01-01T00:00:00Z";

/// A BCF file: topics with what people decided about them.
///
/// ```
/// use sudar_clash::{Bcf, BcfVersion};
///
/// let empty = Bcf::new(BcfVersion::V3_0).bytes()?;
/// let read = Bcf::read(&empty)?;
/// assert_eq!((read.version(), read.len()), (BcfVersion::V3_0, 0));
/// assert!(Bcf::read(b"no archive").is_err());
/// # Ok::<(), sudar_clash::BcfError>(())
/// ```
#[derive(Debug)]
pub struct Bcf {
    version: BcfVersion,
    /// In which folder of the archive all is, with a `/` at the end; mostly empty.
    root: String,
    /// All entries as they were read, and what was added.
    files: Files,
    topics: Vec<Topic>,
}

impl Bcf {
    /// One without topics.
    pub fn new(version: BcfVersion) -> Self {
        Self { version, root: String::new(), files: Files::new(), topics: Vec::new() }
    }

    /// Reads the bytes of a file of either version, also of other tools: with any names of views, prefixes of
    /// namespaces and byte order marks, and without what is optional. O(bytes unpacked), which are bounded.
    ///
    /// # Errors
    /// [`BcfError`], one variant a cause. Document types and entities, names that lead out of the archive, and what
    /// unpacks to more than a gigabyte, or 200 times its size and 16 megabytes, are refused.
    pub fn read(bytes: &[u8]) -> Result<Self, BcfError> {
        let files = unpack(bytes)?;
        let (root, version) = version_of(&files)?;
        let is_markup = |name: &&String| {
            let name = name.to_ascii_lowercase();
            name.ends_with("/markup.bcf")
        };
        let topics = files.keys().filter(is_markup).map(|name| Topic::read(name, &files[name]));
        let topics = topics.collect::<Result<_, _>>()?;
        Ok(Self { version, root, files, topics })
    }

    /// The version.
    pub fn version(&self) -> BcfVersion {
        self.version
    }

    /// How many topics it has.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether it has no topic.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// The bytes of the file. Equal content gives equal bytes.
    ///
    /// # Errors
    /// [`BcfError::Write`] if the archive grows beyond what its format holds.
    pub fn bytes(&self) -> Result<Vec<u8>, BcfError> {
        let mut files = self.files.clone();
        for topic in self.topics.iter().filter(|topic| topic.is_changed()) {
            let known = files.keys().find(|name| {
                name.strip_prefix(&*topic.folder).is_some_and(|rest| rest.eq_ignore_ascii_case("markup.bcf"))
            });
            let name = known.cloned().unwrap_or_else(|| format!("{}markup.bcf", topic.folder));
            files.insert(name, write(&topic.markup));
        }
        let version = format!("{}{VERSION}", self.root);
        files.entry(version).or_insert_with(|| write(&version_element(self.version)));
        pack(&files)
    }
}

fn version_element(version: BcfVersion) -> Element {
    let element = Element::new("Version").with("VersionId", version.name());
    match version {
        BcfVersion::V2_1 => element.holding([Element::text_of("DetailedVersion", version.name())]),
        BcfVersion::V3_0 => element,
    }
}

/// Where all is, and the version. Where no file says it, 2.1 is read: some tools leave it out.
fn version_of(files: &Files) -> Result<(String, BcfVersion), BcfError> {
    let is_version = |name: &&String| {
        let name = name.to_ascii_lowercase();
        name == VERSION || name.ends_with("/bcf.version")
    };
    let Some(name) = files.keys().filter(is_version).min_by_key(|name| name.len()) else {
        return Ok((String::new(), BcfVersion::default()));
    };
    let root = name[..name.len() - VERSION.len()].to_owned();
    let found = parse(name, &files[name])?;
    let text = found.attribute("VersionId").unwrap_or_default().trim();
    let version = BcfVersion::ALL.into_iter().find(|version| version.name() == text);
    Ok((root, version.ok_or_else(|| BcfError::Version(text.to_owned()))?))
}

#[cfg(test)]
mod tests;
