//! Do two bodies have a point in common?

use super::Body;
use super::contacts::first_contact;
use super::convex_pair::convex_convex;
use super::halfspace_pair::{convex_halfspace, mesh_halfspace};
use super::mesh_convex::mesh_convex;
use super::posed::{Posed, PosedBody, PosedSurface, feature_of_whole, is_compound, parts};
use crate::effort::Meter;
use crate::math::Pose;
use crate::pair::{aabb_aabb, halfspace_halfspace};

/// Whether two bodies have a point in common. Touching counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intersection {
    /// They have none. Certain.
    Apart,
    /// They have one. Certain.
    Touching {
        /// One feature of each: triangle numbers of meshes that meet, the numbers of parts of compounds, 0 for other
        /// shapes. Where one body lies inside a solid, a triangle of it, and 0 for the solid.
        features: [u32; 2],
    },
    /// Not known.
    Undecided(Doubt),
}

/// Why a yes or no could not be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// A cylinder, cone or ellipsoid comes so near to touching (or to the tolerance asked for) that `f64` cannot tell:
    /// mostly within a few units in the last place of the coordinates, at worst within some 1e-9 of the sizes. Never the
    /// reason with other shapes.
    Precision,
    /// The work allowed was used up.
    Budget,
}

impl Intersection {
    /// Whether there is certainly a common point.
    pub fn is_touching(self) -> bool {
        matches!(self, Self::Touching { .. })
    }

    /// Whether there is a common point, if that is known.
    pub fn decided(self) -> Option<bool> {
        match self {
            Self::Apart => Some(false),
            Self::Touching { .. } => Some(true),
            Self::Undecided(_) => None,
        }
    }
}

/// Whether two posed bodies intersect, and one pair of features that does.
///
/// Exact for every pair of shapes but cylinders, cones and ellipsoids, which may be undecided where they touch within
/// rounding. Swapping the bodies never turns a yes into a no; what is undecided one way may be decided the other. A mesh is its surface; solids and primitives are full. Expected
/// cost: tens of nanoseconds for simple shapes, about a microsecond for hulls; for meshes O(log n) if they intersect
/// deeply or lie well apart, more where surfaces run close beside each other; linear for meshes against half-spaces.
#[inline]
pub fn intersects(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Intersection {
    if let (Some(a), Some(b)) = (PosedBody::new(a, pose_a), PosedBody::new(b, pose_b)) {
        return Meeting::of(convex_convex(&a, &b)).into();
    }
    metered(a, pose_a, b, pose_b, &mut Meter::unlimited())
}

#[inline(never)]
pub(super) fn metered(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, meter: &mut Meter) -> Intersection {
    match (Posed::new(a, pose_a), Posed::new(b, pose_b)) {
        (Some(a), Some(b)) => first_features(&a, &b, meter).into(),
        _ => compound(a, pose_a, b, pose_b, meter),
    }
}

/// What is known of two bodies: a pair of features that has a point in common, numbered by triangles.
pub(crate) enum Meeting {
    Never,
    At([u32; 2]),
    Unknown(Doubt),
}

impl Meeting {
    /// From whether bodies without numbered features meet, if that is known.
    pub fn of(touching: Option<bool>) -> Self {
        match touching {
            Some(true) => Self::At([0, 0]),
            Some(false) => Self::Never,
            None => Self::Unknown(Doubt::Precision),
        }
    }

    /// From the feature of the first body found to meet the second.
    pub fn at(feature: Option<u32>) -> Self {
        feature.map_or(Self::Never, |i| Self::At([i, 0]))
    }

    /// The second body has no numbered features.
    pub fn of_first(self) -> Self {
        match self {
            Self::At([i, _]) => Self::At([i, 0]),
            Self::Never => Self::Never,
            Self::Unknown(doubt) => Self::Unknown(doubt),
        }
    }

    pub fn swapped(self) -> Self {
        match self {
            Self::At([i, j]) => Self::At([j, i]),
            Self::Never => Self::Never,
            Self::Unknown(doubt) => Self::Unknown(doubt),
        }
    }
}

impl From<Meeting> for Intersection {
    fn from(meeting: Meeting) -> Self {
        match meeting {
            Meeting::Never => Self::Apart,
            Meeting::At(features) => Self::Touching { features },
            Meeting::Unknown(doubt) => Self::Undecided(doubt),
        }
    }
}

/// Where two bodies meet, neither of them a compound.
#[inline]
pub(crate) fn first_features(a: &Posed, b: &Posed, meter: &mut Meter) -> Meeting {
    match (a, b) {
        (Posed::Convex(a), Posed::Convex(b)) => Meeting::of(convex_convex(a, b)),
        (Posed::Mesh(a), Posed::Mesh(b)) => mesh_mesh(a, b, meter),
        (Posed::Mesh(a), Posed::Convex(b)) => mesh_convex(a, b, meter),
        (Posed::Convex(a), Posed::Mesh(b)) => mesh_convex(b, a, meter).swapped(),
        (Posed::Mesh(a), Posed::Halfspace(b)) => Meeting::at(mesh_halfspace(a, b)),
        (Posed::Halfspace(a), Posed::Mesh(b)) => Meeting::at(mesh_halfspace(b, a)).swapped(),
        (Posed::Convex(a), Posed::Halfspace(b)) => Meeting::of(convex_halfspace(a, b)),
        (Posed::Halfspace(a), Posed::Convex(b)) => Meeting::of(convex_halfspace(b, a)),
        (Posed::Halfspace(a), Posed::Halfspace(b)) => Meeting::of(Some(halfspace_halfspace(a, b))),
    }
}

/// Compounds are asked part by part, in order; the first two parts that meet are the features.
fn compound(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, meter: &mut Meter) -> Intersection {
    let (ours, theirs) = (parts(a, pose_a), parts(b, pose_b));
    let boxes: Vec<_> = theirs.iter().map(|part| part.body.aabb(&part.pose)).collect();
    let mut answer = Intersection::Apart;
    for p in &ours {
        let aabb = p.body.aabb(&p.pose);
        for (q, _) in theirs.iter().zip(&boxes).filter(|(_, other)| aabb_aabb(&aabb, other)) {
            match metered(p.body, &p.pose, q.body, &q.pose, meter) {
                Intersection::Apart => {}
                Intersection::Undecided(doubt) => answer = Intersection::Undecided(doubt),
                Intersection::Touching { features: [i, j] } => {
                    let features = [feature_of_whole(a, p, i), feature_of_whole(b, q, j)];
                    return Intersection::Touching { features };
                }
            }
        }
    }
    debug_assert!(is_compound(a) || is_compound(b));
    answer
}

pub(super) fn mesh_mesh(a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Meeting {
    match first_contact(a, b, meter) {
        Some(pair) => Meeting::At(pair),
        None if meter.is_stopped() => Meeting::Unknown(Doubt::Budget),
        None => enclosed_pieces(a, b),
    }
}

/// Where one of two surfaces that do not meet lies inside the other.
pub(super) fn enclosed_pieces(a: &PosedSurface, b: &PosedSurface) -> Meeting {
    let pair = enclosed_piece(a, b).map(|i| [i, 0]).or_else(|| enclosed_piece(b, a).map(|j| [0, j]));
    pair.map_or(Meeting::Never, Meeting::At)
}

/// A triangle of a piece of `inner` that lies inside the solid `outer`, for surfaces that do not meet: each piece
/// then is inside or outside as a whole.
fn enclosed_piece(inner: &PosedSurface, outer: &PosedSurface) -> Option<u32> {
    outer.surface.solid.as_ref()?;
    let vertex = |t: u32| inner.vertex(inner.surface.mesh.triangles()[t as usize][0]);
    inner.surface.first_of_each_piece().iter().copied().find(|&t| outer.encloses(vertex(t)))
}
