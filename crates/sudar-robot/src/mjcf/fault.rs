//! Why an element of an MJCF file is refused.

use thiserror::Error;

use crate::RobotError;
pub(super) use crate::xml::Place;

/// What is wrong with an element of an MJCF file. `of` is the element, such as `geom 'foot'`.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MjcfFault {
    /// A word in place of a number, or a number that is NaN, infinite or too large.
    #[error("{of}: {attribute} has '{found}'; numbers must be finite and within 1e80")]
    Number {
        /// The element.
        of: String,
        /// The attribute.
        attribute: &'static str,
        /// The word.
        found: String,
    },
    /// Too few or too many numbers.
    #[error("{of}: {attribute} has {found} numbers; give {expected}")]
    Count {
        /// The element.
        of: String,
        /// The attribute.
        attribute: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: String,
    },
    /// A word that is none of those that the attribute takes.
    #[error("{of}: {attribute} is '{found}'; give one of: {known}")]
    Word {
        /// The element.
        of: String,
        /// The attribute.
        attribute: &'static str,
        /// The word.
        found: String,
        /// The words that it may be.
        known: String,
    },
    /// An attribute that is needed.
    #[error("{of}: has no {attribute}; give it one")]
    Missing {
        /// The element.
        of: String,
        /// The attribute.
        attribute: &'static str,
    },
    /// A name that belongs to nothing.
    #[error("{of}: names the {what} '{name}', which does not exist")]
    Unknown {
        /// The element.
        of: String,
        /// class, mesh, body or joint.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Two elements of a kind with one name.
    #[error("two {what} are named '{name}'; rename one")]
    Twice {
        /// bodies, joints, classes or meshes.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// More than one of quat, axisangle, xyaxes, zaxis and euler.
    #[error("{of}: has more than one orientation; keep one of quat, axisangle, xyaxes, zaxis and euler")]
    Orientations {
        /// The element.
        of: String,
    },
    /// A direction or quaternion of length zero, or axes along each other.
    #[error("{of}: {attribute} has no direction; give one that is not zero")]
    Direction {
        /// The element.
        of: String,
        /// The attribute.
        attribute: &'static str,
    },
    /// A range that holds no value.
    #[error("{of}: range from {lower} to {upper} is empty; give the lower end first")]
    Range {
        /// The element.
        of: String,
        /// Its lower end as the file has it.
        lower: f64,
        /// Its upper end.
        upper: f64,
    },
    /// A size that is none of the shape, or a pose that contradicts another.
    #[error("{of}: {why}")]
    Shape {
        /// The element.
        of: String,
        /// What is wrong with it.
        why: String,
    },
    /// A mesh that cannot be read or used.
    #[error("mesh '{mesh}': {why}")]
    Mesh {
        /// The mesh.
        mesh: String,
        /// What is wrong with it.
        why: String,
    },
    /// An element at a place where it cannot be.
    #[error("{of}: {why}")]
    Place {
        /// The element.
        of: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Mass or inertia that no body has.
    #[error("{of}: {why}")]
    Inertia {
        /// The element.
        of: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An include that cannot be followed.
    #[error("include '{name}': {why}")]
    Include {
        /// The file as the element names it.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// Coordinates that MuJoCo no longer has either.
    #[error("compiler: global coordinates are not read; save the model once with MuJoCo 2.3.3 or older")]
    GlobalCoordinates,
    /// More of something than is read.
    #[error("more than {most} {what}; split the model")]
    TooMany {
        /// What.
        what: &'static str,
        /// How many are read.
        most: usize,
    },
}

impl Place {
    /// The error about what stands there.
    pub fn refuse(&self, fault: MjcfFault) -> RobotError {
        RobotError::Mjcf { file: self.file.to_string(), line: self.line, fault }
    }
}
