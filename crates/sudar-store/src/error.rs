//! Why a store was refused.

use std::path::Path;

use sudar::tree::LayoutError;
use sudar::{MeshError, PoseError, WeldedError};
use thiserror::Error;

use crate::version::VERSION;

/// A store that could not be read or written: which one, and why. One line.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{store}: {cause}")]
pub struct StoreError {
    /// The folder as it was named, control characters replaced.
    pub store: String,
    /// What is wrong with it.
    pub cause: Cause,
}

impl StoreError {
    pub(crate) fn new(store: &Path, cause: Cause) -> Self {
        Self { store: one_line(&store.display().to_string()), cause }
    }
}

/// What is wrong with a store, or keeps one from being written.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Cause {
    /// It is not a folder with the head of a store.
    #[error("is no store: {0}; name a folder that sudar pack wrote")]
    NotAStore(&'static str),
    /// It is of a later version of the format.
    #[error(
        "is a store of version {0}, and this program reads version {VERSION}; update sudar or pack again"
    )]
    Newer(u32),
    /// The operating system refuses to read a file of it.
    #[error("{file} cannot be read ({why}); check the rights, or copy the store again")]
    Unreadable {
        /// The file's name within the store.
        file: String,
        /// What the system says.
        why: String,
    },
    /// A file is shorter or longer than its head says.
    #[error(
        "{file} has {found} bytes and should have {expected}; it is cut short or foreign, copy the store again"
    )]
    Length {
        /// The file's name within the store.
        file: String,
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// Bytes that do not fit their checksum.
    #[error("{0} is damaged: it does not fit its checksum; copy the store again or pack it again")]
    Damaged(String),
    /// Bytes that fit their checksum and are no part of a store.
    #[error("{0} is malformed: {1}; pack the store again")]
    Malformed(String, &'static str),
    /// No part or mesh has this number.
    #[error("there is no {what} {number}, only {count}; count from 0")]
    NoSuch {
        /// "mesh" or "part".
        what: &'static str,
        /// The number that was asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A mesh that cannot be computed with.
    #[error("mesh {number}: {error}")]
    Mesh {
        /// Its number in the store.
        number: usize,
        /// Why.
        error: MeshError,
    },
    /// A tree that does not fit its mesh.
    #[error("mesh {number}: {error}")]
    Layout {
        /// Its number in the store.
        number: usize,
        /// Why.
        error: LayoutError,
    },
    /// A mesh that is said to be closed and is not.
    #[error("mesh {number}: {error}")]
    Solid {
        /// Its number in the store.
        number: usize,
        /// Why.
        error: WeldedError,
    },
    /// A part that stands where nothing can be computed.
    #[error("part {part}: {error}")]
    Pose {
        /// Its number.
        part: usize,
        /// Why.
        error: PoseError,
    },
    /// More than a store holds, or than the memory does.
    #[error("{count} {what} are too many, at most {limit} are possible; split it")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// The most that is possible.
        limit: u64,
    },
    /// The memory does not suffice.
    #[error("{0} bytes of memory are not to be had; close other programs or use a larger machine")]
    Memory(u64),
    /// The operating system refuses to write.
    #[error("{file} cannot be written ({why}); check the folder, its rights and the space left")]
    Unwritable {
        /// The file's name within the store.
        file: String,
        /// What the system says.
        why: String,
    },
    /// A store is to be written where something else is.
    #[error("exists and is no store; name another folder, or remove it")]
    Occupied,
    /// Another process writes it.
    #[error("is being written by another process; wait for its end")]
    Busy,
}

/// The text with control characters replaced, so that it cannot break a line or steer a terminal.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if sudar_formats::is_disruptive(c) { '\u{fffd}' } else { c }).collect()
}
