//! Why a file is no BCF.

use thiserror::Error;

/// Why a BCF file was refused, or could not be written. Each message is one line and says what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BcfError {
    /// No zip archive.
    #[error("is no BCF file, which is a zip archive ({0}); name a .bcf or .bcfzip file")]
    NotZip(#[source] zip::result::ZipError),
    /// An entry that cannot be unpacked.
    #[error("{entry}: cannot be unpacked ({reason}); save the BCF file again")]
    Entry {
        /// Its name in the archive.
        entry: String,
        /// What the unpacker says.
        reason: String,
    },
    /// A name that would lead out of the archive, or that is there twice.
    #[error("'{0}' is no name for an entry of a BCF file; save it again without that entry")]
    Name(String),
    /// More than a BCF file has.
    #[error("unpacks to more than {most} bytes or {entries} entries; split the BCF file")]
    TooLarge {
        /// How many bytes are unpacked at most.
        most: u64,
        /// How many entries are read at most.
        entries: usize,
    },
    /// A version that is not read.
    #[error("is BCF {0:?}; save it as 2.1 or 3.0")]
    Version(String),
    /// Text that is no XML, or XML that is no text.
    #[error("{entry}: byte {at}: {reason}; save the BCF file again")]
    Xml {
        /// Its name in the archive.
        entry: String,
        /// Where.
        at: u64,
        /// What is wrong.
        reason: String,
    },
    /// A document type, or an entity that only one can define: these may make much of little, and name other files.
    #[error("{0}: has a document type or an entity of its own, which is refused; save the BCF file without")]
    Entity(String),
    /// Elements in elements, too many.
    #[error("{0}: elements are nested too deep; save the BCF file again")]
    TooDeep(String),
    /// A markup without a topic.
    #[error("{0}: has no topic; remove its folder from the BCF file")]
    NoTopic(String),
    /// The archive cannot be written.
    #[error("the archive cannot be written: {0}")]
    Write(#[source] zip::result::ZipError),
    /// A picture cannot be written.
    #[error("a picture cannot be written: {0}")]
    Picture(#[from] png::EncodingError),
}
