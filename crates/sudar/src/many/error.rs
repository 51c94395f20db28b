//! What a scene refuses.

use crate::broad::{BroadError, Handle};

use super::group::Group;

/// Why a call was refused. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A coordinate of an object's pose or box is not a finite number.
    #[error("object '{name}' has a pose or a box that is not finite numbers; give it a pose from Pose::new")]
    NotANumber {
        /// Name of the object.
        name: String,
    },
    /// A box ends before it begins.
    #[error("the box of object '{name}' ends before it begins on axis {axis}; swap its ends")]
    Inverted {
        /// Name of the object.
        name: String,
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
    },
    /// A margin that is no length.
    #[error("object '{name}' has the margin {value}; give a finite length of zero or more")]
    Margin {
        /// Name of the object.
        name: String,
        /// What was given.
        value: f64,
    },
    /// A clearance or tolerance that is no length.
    #[error("the clearance {value} is no finite length of zero or more")]
    Clearance {
        /// What was given.
        value: f64,
    },
    /// The object was removed, or belongs to another scene.
    #[error("object {} of generation {} is not in this scene; it was removed", .handle.index(), .handle.generation())]
    Unknown {
        /// The handle that was given.
        handle: Handle,
    },
    /// The group was removed, or belongs to another scene.
    #[error("{group:?} is not in this scene; it was removed")]
    UnknownGroup {
        /// The group that was given.
        group: Group,
    },
    /// A pair of links to ignore that are no two links of the group.
    #[error("{pair:?} names no two of the {links} objects of the group; count from 0")]
    NoSuchLink {
        /// The pair that was given.
        pair: [usize; 2],
        /// Number of objects of the group.
        links: usize,
    },
    /// As many poses as objects are needed.
    #[error("{handles} objects and {poses} poses were given; give one pose an object")]
    Lengths {
        /// Number of objects.
        handles: usize,
        /// Number of poses.
        poses: usize,
    },
    /// A region that is no part of space.
    #[error("a region must have finite corners, the least before the greatest; this one has not")]
    Region,
    /// There is no number left for another object.
    #[error("a scene holds at most 2147483648 objects; use several")]
    Full,
}

impl SceneError {
    /// What the broad phase refused about an object.
    pub(super) fn of(name: &str, refused: BroadError) -> Self {
        let name = name.to_owned();
        match refused {
            BroadError::NotANumber { .. } | BroadError::TooFar { .. } => Self::NotANumber { name },
            BroadError::Inverted { axis, .. } => Self::Inverted { name, axis },
            BroadError::Unknown { handle } => Self::Unknown { handle },
            BroadError::Lengths { handles, boxes } => Self::Lengths { handles, poses: boxes },
            BroadError::Full => Self::Full,
        }
    }
}

/// Refuses what is no length.
pub(super) fn check_tolerance(tolerance: f64) -> Result<(), SceneError> {
    let is_length = tolerance >= 0.0 && tolerance.is_finite();
    if is_length { Ok(()) } else { Err(SceneError::Clearance { value: tolerance }) }
}
