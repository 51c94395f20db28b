//! What a world refuses.

use thiserror::Error;

/// Why a body, a setting or a step was refused. The world is unchanged after all but [`DynamicsError::OutOfRange`] in a
/// step, after which it is of use only once a snapshot is restored.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DynamicsError {
    /// A property of a body.
    #[error("body \"{body}\": {key}: {problem}")]
    Body {
        /// The name of the body.
        body: String,
        /// The property, by the name that scene files have for it.
        key: &'static str,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A setting of the world.
    #[error("world: {key}: {problem}")]
    Setting {
        /// The setting, by the name that scene files have for it.
        key: &'static str,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// An event.
    #[error("event: {key}: {problem}")]
    Event {
        /// The property, by the name that scene files have for it.
        key: &'static str,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A handle that another world gave, which may have the same numbers.
    #[error("the handle of body {index} is of another world; ask for it there")]
    OtherWorld {
        /// Its number there.
        index: u32,
    },
    /// The body was removed.
    #[error("there is no body {index} of generation {generation}; it was removed")]
    Unknown {
        /// Its number.
        index: u32,
        /// Its generation.
        generation: u32,
    },
    /// A property of a joint.
    #[error("joint: {key}: {problem}")]
    Joint {
        /// The property, by the name that scene files have for it.
        key: &'static str,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The joint was removed, broke, or is of another world.
    #[error("there is no joint {index} of generation {generation} in this world; it was removed, or broke")]
    UnknownJoint {
        /// Its number.
        index: u32,
        /// Its generation.
        generation: u32,
    },
    /// The numbers of a body left the range of `f64`.
    #[error("body \"{body}\": its motion left the range of numbers; make forces, speeds or the step smaller")]
    OutOfRange {
        /// The name of the body.
        body: String,
    },
    /// A snapshot of another world or version.
    #[error("the snapshot does not fit: {problem}")]
    Snapshot {
        /// What differs.
        problem: String,
    },
}

impl DynamicsError {
    pub(super) fn body(body: &str, key: &'static str, problem: impl Into<String>) -> Self {
        Self::Body { body: body.to_owned(), key, problem: problem.into() }
    }

    pub(super) fn joint(key: &'static str, problem: impl Into<String>) -> Self {
        Self::Joint { key, problem: problem.into() }
    }

    pub(super) fn setting(key: &'static str, problem: impl Into<String>) -> Self {
        Self::Setting { key, problem: problem.into() }
    }
}
