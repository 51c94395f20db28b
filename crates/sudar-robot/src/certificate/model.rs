//! What a certificate consists of.

use serde::{Deserialize, Serialize};

use super::error::CertificateError;

/// A file that shows why a path is free of contact at every instant.
///
/// [`RobotCell::certificate`](crate::RobotCell::certificate) makes it, [`check`](Self::check) verifies it from what is
/// in it alone, and [`is_of`](Self::is_of) compares that with a cell. Lengths are metres, angles radians.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`CERTIFICATE_FORMAT`](crate::CERTIFICATE_FORMAT) of the library that wrote it.
    pub format: u32,
    /// The robot, the objects, and which of their pairs are not looked at.
    pub content: CertificateContent,
    /// The configurations at which the path turns; between two of them it is straight in joint space. One alone is an
    /// edge to itself.
    pub waypoints: Vec<Vec<f64>>,
    /// For each edge the proofs of all pairs of bodies that are looked at, in order of their numbers.
    pub edges: Vec<Vec<PairProof>>,
}

/// The robot and what it is among, by content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateContent {
    /// The name of the robot.
    pub robot: String,
    /// What each number of a configuration is.
    pub joints: Vec<CertificateJoint>,
    /// By how much a joint may be outside its limits; `None` where these are not looked at.
    pub limit_tolerance: Option<f64>,
    /// The frames of the robot, parents first; the first stands in the world.
    pub nodes: Vec<CertificateNode>,
    /// The parts of the robot and the objects.
    pub owners: Vec<CertificateOwner>,
    /// What they consist of.
    pub bodies: Vec<CertificateBody>,
    /// Pairs of a part and an object, or of two parts, that are not looked at.
    pub left_out: Vec<LeftOut>,
}

/// One number of a configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateJoint {
    /// Its name.
    pub name: String,
    /// The least value; `None` where there is none.
    pub lower: Option<f64>,
    /// The greatest value.
    pub upper: Option<f64>,
}

/// A frame: a fixed step from its parent, then at most one motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateNode {
    /// The frame before, by its number, which is smaller; of the first 0.
    pub parent: u32,
    /// Columns of the rotation, then the translation.
    pub origin: [f64; 12],
    /// How it moves, if it does.
    pub motion: Option<CertificateMotion>,
}

/// A turn about an axis or a slide along it, by `factor · q[dof] + offset`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateMotion {
    /// Whether it turns.
    pub turns: bool,
    /// Unit direction of the axis through the origin of the frame.
    pub axis: [f64; 3],
    /// Which number of the configuration.
    pub dof: u32,
    /// See above.
    pub factor: f64,
    /// See above.
    pub offset: f64,
}

/// A part of the robot or an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateOwner {
    /// Its name.
    pub name: String,
    /// Whether it is an object.
    pub is_object: bool,
    /// How much farther than its surface it reaches towards objects.
    pub padding: f64,
}

/// A body of a part or an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateBody {
    /// Whose it is, by its number.
    pub owner: u32,
    /// The frame that carries it; `None` for those of objects, which stand in the world.
    pub node: Option<u32>,
    /// Where it is in that frame: columns of the rotation, then the translation.
    pub pose: [f64; 12],
    /// What it is.
    pub shape: CertificateShape,
}

/// The shape of a body in its frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CertificateShape {
    /// All points within a radius of the hulls of some points: triangles of a mesh, a box, a ball, a capsule.
    Hulls {
        /// The points.
        points: Vec<[f64; 3]>,
        /// For each piece the numbers of its points, one or more.
        pieces: Vec<Vec<u32>>,
        /// The radius.
        radius: f64,
        /// Whether what the pieces enclose belongs to it: all points from which a line to infinity crosses them an odd
        /// number of times.
        is_solid: bool,
    },
    /// The hull of discs: cylinders and cones.
    Discs(Vec<([f64; 3], f64)>),
    /// An ellipsoid about the origin with these radii along the axes.
    Ellipsoid([f64; 3]),
    /// All points p with normal · p ≤ offset.
    Halfspace {
        /// A unit vector.
        normal: [f64; 3],
        /// The offset.
        offset: f64,
    },
}

/// A pair that is not looked at, and why: what a checker has to take on trust.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The two, by their numbers among the owners, the smaller first.
    pub owners: [u32; 2],
    /// Why.
    pub why: String,
}

/// Why two bodies stay apart on an edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairProof {
    /// The bodies, by their numbers, the smaller first.
    pub bodies: [u32; 2],
    /// How times and pieces are divided: `t`, `a`, `b` and `.`, see the page on robots.
    pub tree: String,
    /// For each `.` a direction from the first body to the second, of any length but zero.
    pub directions: Vec<[f64; 3]>,
}

impl Certificate {
    /// Reads a certificate. It is not checked.
    ///
    /// # Errors
    /// [`CertificateError::Json`].
    pub fn from_json(text: &str) -> Result<Self, CertificateError> {
        serde_json::from_str(text).map_err(|why| CertificateError::Json { why: why.to_string() })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// [`CertificateError::Json`] for numbers that JSON does not have.
    pub fn to_json(&self) -> Result<String, CertificateError> {
        serde_json::to_string(self).map_err(|why| CertificateError::Json { why: why.to_string() })
    }

    /// The numbers of the bodies of each pair that has to be looked at.
    pub(super) fn pairs(&self) -> Vec<[u32; 2]> {
        let CertificateContent { owners, bodies, left_out, .. } = &self.content;
        let left_out: std::collections::HashSet<[u32; 2]> = left_out.iter().map(|pair| pair.owners).collect();
        let is_looked_at = |a: &CertificateBody, b: &CertificateBody| {
            let ends = [a.owner.min(b.owner), a.owner.max(b.owner)];
            let is_object = ends.map(|owner| owners.get(owner as usize).is_some_and(|owner| owner.is_object));
            ends[0] != ends[1] && is_object != [true; 2] && !left_out.contains(&ends)
        };
        let others = |i: usize| (i + 1..bodies.len()).filter(move |&j| is_looked_at(&bodies[i], &bodies[j]));
        (0..bodies.len()).flat_map(|i| others(i).map(move |j| [i as u32, j as u32])).collect()
    }

    /// The names of the owners of two bodies.
    pub(super) fn names(&self, bodies: [u32; 2]) -> [String; 2] {
        let CertificateContent { owners, bodies: all, .. } = &self.content;
        let name = |body: u32| {
            let owner = all.get(body as usize).and_then(|body| owners.get(body.owner as usize));
            owner.map_or("?".to_owned(), |owner| owner.name.clone())
        };
        bodies.map(name)
    }
}
