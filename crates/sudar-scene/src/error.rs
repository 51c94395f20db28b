//! Why a scene file is refused.

use std::path::Path;

use sudar::dynamics::DynamicsError;

use crate::scenes::{ALL, SceneError};
use thiserror::Error;

/// Largest scene file.
const MOST_BYTES: u64 = 256 << 20;

/// A scene that could not be read: which file, and why, on one line.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{file}: {cause}")]
pub struct SceneFileError {
    /// The file as it was named.
    pub file: String,
    /// What is wrong with it.
    pub cause: SceneCause,
}

/// What is wrong with a scene file or a tunnel file.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SceneCause {
    /// Neither a file nor a built-in scene has this name.
    #[error("is no file and no built-in scene; these are {}", ALL.map(|scene| scene.name).join(", "))]
    Unknown,
    /// The ending of the name belongs neither to a scene file nor to a tunnel.
    #[error("scene files end in .toml, tunnels in .txt; rename it")]
    Ending,
    /// The operating system refuses to read it.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// A folder, a pipe, a device, or a file of more than 256 MiB.
    #[error("must be a regular file of at most {} MiB", MOST_BYTES >> 20)]
    NotRegular,
    /// Bytes that are no text.
    #[error("is not UTF-8 text")]
    NotText,
    /// Text that is not TOML, or not of the form of a tunnel.
    #[error("line {line}: {problem}")]
    Line {
        /// Line number from 1.
        line: usize,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A key of a scene file.
    #[error("{key}: {problem}")]
    Key {
        /// The key, behind the table or body that it belongs to: `body "ball": mass`.
        key: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A built-in scene, or the walls of a tunnel.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A world refuses the body.
    #[error(transparent)]
    World(#[from] DynamicsError),
}

impl SceneCause {
    pub(crate) fn line(line: usize, problem: impl Into<String>) -> Self {
        Self::Line { line, problem: problem.into() }
    }
}

/// The text of a regular file that is not too large.
pub(crate) fn text_of(path: &Path) -> Result<String, SceneCause> {
    let unreadable = |error: std::io::Error| SceneCause::Unreadable(error.to_string());
    let found = std::fs::metadata(path).map_err(unreadable)?;
    if !found.is_file() || found.len() > MOST_BYTES {
        return Err(SceneCause::NotRegular);
    }
    String::from_utf8(std::fs::read(path).map_err(unreadable)?).map_err(|_| SceneCause::NotText)
}
