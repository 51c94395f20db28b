//! What a proof consists of.

use glam::DVec3;

/// Version of the format that this library writes and checks.
pub const PROOF_FORMAT: u32 = 1;

/// Certificate that the distance of two posed bodies lies between two numbers. Either half may be absent.
///
/// ```
/// use sudar::query::{Body, DistanceOptions, distance, prove_distance};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let (here, there) = (Pose::IDENTITY, Pose::from_translation(DVec3::new(3.0, 0.0, 0.0))?);
/// let found = distance(cube.at(&here), cube.at(&there), &DistanceOptions::EXACT);
///
/// let proof = prove_distance(cube.at(&here), cube.at(&there), &found);
/// assert!(proof.check(cube.shape(), &here, cube.shape(), &there).is_ok());
/// // It is no proof for bodies elsewhere.
/// let nearer = Pose::from_translation(DVec3::new(2.5, 0.0, 0.0))?;
/// assert!(proof.check(cube.shape(), &here, cube.shape(), &nearer).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Proof {
    /// [`PROOF_FORMAT`] of the library that wrote it.
    pub format: u32,
    /// Why the bodies are no nearer.
    pub lower: Option<Lower>,
    /// Why they are no farther apart.
    pub upper: Option<Upper>,
}

/// Why the bodies have no point in common and are at least `bound` apart.
///
/// The blocks are rectangles in the table of all pairs of pieces, rows and columns in the orders given, and tile it. In
/// the direction of a block all of its pieces of b lie beyond all of its pieces of a by at least `bound`, and by
/// more than nothing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Lower {
    /// The distance is no less than this; 0 for "apart, by however little".
    pub bound: f64,
    /// The pieces of the first body in the order to which blocks refer: each number once.
    pub order_a: Vec<u32>,
    /// The pieces of the second body.
    pub order_b: Vec<u32>,
    /// A tiling of all pairs.
    pub blocks: Vec<Block>,
}

/// Pieces `order_a[a[0]..a[1]]` and `order_b[b[0]..b[1]]` are apart along a direction from the first body to
/// the second.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Block {
    /// Rows, from the first to before the last.
    pub a: [u32; 2],
    /// Columns.
    pub b: [u32; 2],
    /// Direction of any length but zero. A half-space is bounded only along its own normal as posed in `f64`.
    pub direction: DVec3,
}

/// Why the distance is no more than `bound`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Upper {
    /// The distance is no more than this; 0 if the bodies have a point in common.
    pub bound: f64,
    /// The witnesses.
    pub near: Near,
}

/// Points of both bodies that are near each other.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Near {
    /// A point of each body.
    Points {
        /// Of the first body.
        a: Spot,
        /// Of the second body.
        b: Spot,
    },
    /// The hulls of the corners of these two pieces have a point in common, which the checker finds out for itself.
    Pieces {
        /// A piece of the first body.
        a: u32,
        /// A piece of the second body.
        b: u32,
    },
}

/// A point that belongs to a piece.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Spot {
    /// Number of the piece.
    pub piece: u32,
    /// The point in the world as a query would return it.
    pub point: DVec3,
    /// No farther than this is `point` from the piece.
    pub stray: f64,
    /// Why.
    pub footing: Footing,
}

/// Why a point belongs to a body.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Footing {
    /// The mean of corners of the piece with these weights, none negative and not all zero, is a point of the piece,
    /// and so is everything within the piece's radius (if it is a ball or capsule) of it. Corners are numbered as those
    /// of the triangle, the ends of the segment or axis, the vertices of the hull; of a box bits 0, 1, 2 choose the
    /// positive side of x, y, z.
    Corners(Vec<(u32, f64)>),
    /// The point lies in the piece, exactly.
    Itself,
    /// The point lies in the solid whose surface the piece belongs to, exactly.
    Enclosed,
}

/// Bounds that a checked proof establishes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certified {
    /// The distance is no less than this; 0 if nothing was proved.
    pub lower: f64,
    /// The distance is no more than this; infinite if nothing was proved.
    pub upper: f64,
    /// Whether the bodies certainly have no point in common.
    pub disjoint: bool,
    /// How far the two points named are from the pieces named, at most; 0 where no points are named.
    pub stray: [f64; 2],
}
