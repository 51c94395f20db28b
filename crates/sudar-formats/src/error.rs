//! Why a file was refused.

use std::fmt;

use sudar::{MeshError, PoseError};
use thiserror::Error;

/// Every ending that is read, as messages list them, and every one that is written.
const ENDINGS: &str = "obj .stl .ply .off .gltf .glb .wrl .dae";
const WRITTEN: &str = "obj .stl .ply .off .gltf .glb .wrl";

/// A file that could not be read or written: which one, and why. One line, with the place and the mend.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{file}: {cause}")]
pub struct FormatError {
    /// The file as it was named, control characters replaced.
    pub file: String,
    /// What is wrong with it.
    pub cause: Cause,
}

impl FormatError {
    pub(crate) fn new(file: &str, cause: Cause) -> Self {
        Self { file: one_line(file), cause }
    }
}

/// A position in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A line, numbered from 1. Where lines are continued, the first of them.
    Line(u64),
    /// A byte, numbered from 0, of the expanded file.
    Byte(u64),
    /// A named item, such as "mesh 3, primitive 0".
    Item(String),
    /// The file as a whole.
    File,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(n) => write!(f, "line {n}"),
            Self::Byte(n) => write!(f, "byte {n}"),
            Self::Item(what) => f.write_str(what),
            Self::File => f.write_str("the file"),
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Cause {
    /// The operating system refuses to read it.
    #[error("cannot be read ({0}); check the name and the rights")]
    Unreadable(String),
    /// It is a folder, a pipe or a device.
    #[error("is not a regular file; name a file, not a folder, pipe or device")]
    NotRegular,
    /// It has no bytes.
    #[error("is empty; export the model again")]
    Empty,
    /// An array that does not hold boxes.
    #[error("is no array of boxes: {0}")]
    Boxes(String),
    /// Rows of numbers that are none.
    #[error("is no array of configurations: {0}")]
    Rows(String),
    /// Neither the ending nor the first bytes tell the format.
    #[error("is of no known format; use one of .{}, each also with .gz", ENDINGS)]
    UnknownFormat,
    /// A format that is known and not read.
    #[error("is {what}, which is not read; convert it to one of .{}, for example with {with}", ENDINGS)]
    Foreign {
        /// The format's name.
        what: &'static str,
        /// A free program that converts it.
        with: &'static str,
    },
    /// What the program says that reads it.
    #[error("{0}")]
    Refused(String),
    /// A format that is known and not written.
    #[error("is {what}, which is not written; use one of .{}, each also with .gz", WRITTEN)]
    Unwritten {
        /// The format's name.
        what: &'static str,
    },
    /// The ending says one format and the contents are another.
    #[error("is no {named} file but {what}; name it .{ending}")]
    Misnamed {
        /// What the ending says.
        named: &'static str,
        /// What the contents are.
        what: &'static str,
        /// The ending that they should have.
        ending: &'static str,
    },
    /// More bytes than are read.
    #[error("is larger than {limit} bytes; split it")]
    TooLarge {
        /// The most that is read.
        limit: u64,
    },
    /// Compressed data, or glTF references to the same bytes again and again, that expand beyond all measure.
    #[error("expands to more than {limit} bytes; split it, or expand it yourself if it is no bomb")]
    Bomb {
        /// Where expanding stopped.
        limit: u64,
    },
    /// Compressed data that cannot be expanded.
    #[error("has damaged gzip data ({0}); compress or copy it again")]
    Gzip(String),
    /// Something else stands where the format needs a certain thing.
    #[error("{place}: expected {expected}, found {found}")]
    Expected {
        /// Where.
        place: Place,
        /// What the format needs there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A face or primitive names a vertex that does not exist.
    #[error(
        "{place}: vertex {index} does not exist, {count} {} defined up to here; mend the face",
        if *count == 1 { "is" } else { "are" }
    )]
    NoSuchVertex {
        /// Where.
        place: Place,
        /// The number as it is written in the file, in the counting of its format.
        index: i64,
        /// How many vertices there are.
        count: usize,
    },
    /// A coordinate that is NaN or infinite.
    #[error("{place}: a vertex needs finite coordinates, found {found}; mend or remove the vertex")]
    NotFinite {
        /// Where.
        place: Place,
        /// The coordinate.
        found: f64,
    },
    /// A coordinate too far out to be computed with.
    #[error("{place}: a coordinate must not exceed 1e90, found {found}; scale the model down")]
    TooFar {
        /// Where.
        place: Place,
        /// The coordinate.
        found: f64,
    },
    /// A header that promises more than the file can hold.
    #[error(
        "{place}: claims {claimed} {what}, but the rest of the file has room for at most {room}; it is cut short or damaged"
    )]
    Claim {
        /// Where.
        place: Place,
        /// What is counted.
        what: String,
        /// The number claimed.
        claimed: u64,
        /// The largest number that could be true.
        room: u64,
    },
    /// A variant of the format that is not read.
    #[error("{place}: {what}")]
    Unsupported {
        /// Where.
        place: Place,
        /// What is not supported, and what to do.
        what: String,
    },
    /// A glTF buffer in another file that is not opened.
    #[error("buffer {uri} is not read: {why}")]
    Buffer {
        /// The address in the file, shortened.
        uri: String,
        /// Why not, and what to do.
        why: String,
    },
    /// Nothing to collide with.
    #[error("holds no triangle{found}; export it with faces")]
    NoTriangles {
        /// What it holds instead, as " (…)", or nothing.
        found: String,
    },
    /// A part whose mesh is refused.
    #[error("part {part}: {error}")]
    Mesh {
        /// The part's name.
        part: String,
        /// Why.
        error: MeshError,
    },
    /// A part whose pose is refused.
    #[error("part {part}: {error}")]
    Pose {
        /// The part's name.
        part: String,
        /// Why.
        error: PoseError,
    },
    /// A model that is too large for the operation.
    #[error("has {count} {what}, at most {limit} are possible here; split it")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// The most that is possible.
        limit: u64,
    },
    /// A part that names a mesh the model does not have.
    #[error("part {part} names mesh {mesh}, which the model does not have; build it with Model::assembled")]
    NoSuchMesh {
        /// The part's name.
        part: String,
        /// The mesh it names.
        mesh: usize,
    },
    /// No part has the name that was requested.
    #[error("no part is named \"{name}\"; there are: {known}")]
    NoSuchPart {
        /// The name.
        name: String,
        /// The names of the first parts.
        known: String,
    },
    /// Several parts have the name that was requested.
    #[error("{count} parts are named \"{name}\"; give them different names")]
    Namesakes {
        /// The name.
        name: String,
        /// How many there are.
        count: usize,
    },
    /// The operating system refuses to write.
    #[error("cannot be written ({0}); check the folder, its rights and the space left")]
    Unwritable(String),
    /// The folder to write to is not there.
    #[error("cannot be written: there is no folder {0}; make it or name another")]
    NoFolder(String),
    /// A coordinate that the format cannot hold.
    #[error("coordinate {0} is too large for the 32-bit numbers of this format; use OBJ, PLY or OFF")]
    BeyondF32(f64),
}

impl Cause {
    /// `expected`, but `found` stands there, shortened and on one line.
    pub(crate) fn expected(place: Place, expected: impl Into<String>, found: &[u8]) -> Self {
        Self::Expected { place, expected: expected.into(), found: quoted(found) }
    }

    /// `expected`, but the file or the line ends.
    pub(crate) fn ends(place: Place, expected: impl Into<String>, end_of: &str) -> Self {
        Self::Expected { place, expected: expected.into(), found: format!("the end of {end_of}") }
    }
}

/// The first characters of a piece of a file, in quotes and on one line.
pub(crate) fn quoted(found: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&found[..found.len().min(4 * SHOWN)]);
    let mut shown: String = text.chars().take(SHOWN).collect();
    if found.len() > shown.len() {
        shown.push('…');
    }
    format!("`{}`", one_line(&shown))
}

/// Whether a character breaks a line, steers a terminal, or turns the direction of the text around it
/// (Unicode's controls of bidirectional text), so that what people read is not what stands there.
pub fn is_disruptive(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || turns
}

/// The text with control characters replaced, so that it cannot break a line or steer a terminal. Names keep
/// all others: who shows them has to see to [`is_disruptive`] ones.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_the_file_holds() {
        assert!("\u{202e}\u{2067}\u{2028}\u{85}\n".chars().all(is_disruptive));
        assert!(!"é ✓\u{200d}".chars().any(is_disruptive));
        let cause = Cause::expected(Place::Line(3), "a number", b"a\nb\x1b[31m");
        let text = FormatError::new("x\ny.obj", cause).to_string();
        assert!(!text.contains(char::is_control), "{text}");
        assert!(text.contains("line 3: expected a number, found `a"), "{text}");
    }

    #[test]
    fn long_pieces_are_shortened() {
        assert_eq!(quoted(&[b'x'; 1000]).chars().count(), 40 + 3);
        assert_eq!(quoted(b"abc"), "`abc`");
    }
}
