//! Why a certificate is refused.

use thiserror::Error;

/// Version of the format that this library writes and checks.
pub const CERTIFICATE_FORMAT: u32 = 1;

/// What is wrong with a certificate, or why there is none, on one line.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The text is not that of a certificate.
    #[error("is no certificate: {why}; write it anew")]
    Json {
        /// What the reader says.
        why: String,
    },
    /// Another version of the format.
    #[error("has format {found}, and this version checks format {CERTIFICATE_FORMAT}; write it anew")]
    Format {
        /// Its version.
        found: u32,
    },
    /// A number, a name or a list that no certificate has.
    #[error("is malformed: {what}; write it anew")]
    Malformed {
        /// What.
        what: String,
    },
    /// A waypoint is outside the limits of a joint.
    #[error("waypoint {waypoint} is outside the limits of joint '{joint}'")]
    Limits {
        /// Which, from 0.
        waypoint: usize,
        /// The joint.
        joint: String,
    },
    /// The proofs of an edge are not those of the pairs that are to be looked at.
    #[error("edge {edge} does not prove each pair of bodies once; write the certificate anew")]
    Pairs {
        /// Which, from 0.
        edge: usize,
    },
    /// A tree that does not end where it should.
    #[error("edge {edge}, '{one}' and '{other}': the tree does not cover all times and pieces")]
    Tree {
        /// Which, from 0.
        edge: usize,
        /// The names of the two.
        one: String,
        /// See `one`.
        other: String,
    },
    /// A direction along which two are not far enough apart.
    #[error("edge {edge}, '{one}' and '{other}': not shown to be apart from t = {from} to {to}")]
    TooNear {
        /// Which, from 0.
        edge: usize,
        /// The names of the two.
        one: String,
        /// See `one`.
        other: String,
        /// When.
        from: f64,
        /// See `from`.
        to: f64,
    },
    /// One is inside the other, or not shown to be outside.
    #[error("'{one}' and '{other}': not shown that neither is inside the other")]
    Inside {
        /// The names of the two.
        one: String,
        /// See `one`.
        other: String,
    },
    /// It is that of another robot or other objects.
    #[error("is that of another cell: {what} differs; check it with the files that it was made of")]
    OtherCell {
        /// What differs first.
        what: String,
    },
    /// No proof was found for an edge that may be free.
    #[error("edge {edge}, '{one}' and '{other}': no certificate was found; they come too near to each other")]
    NotProved {
        /// Which, from 0.
        edge: usize,
        /// The names of the two.
        one: String,
        /// See `one`.
        other: String,
    },
    /// Waypoints that are no configurations of the robot.
    #[error(transparent)]
    Robot(#[from] crate::RobotError),
}

/// Something malformed.
pub(super) fn malformed(what: impl Into<String>) -> CertificateError {
    CertificateError::Malformed { what: what.into() }
}
