//! Convex parts of bodies, and how I-COLLIDE and Q-COLLIDE test two of them.

use std::sync::Arc;

use crate::convex::{
    ClosestFeatures, Feature, FeatureMap, FeatureOutcome, PosedFeatures, SeparatingVector, Separation,
};
use sudar::convex::{Difference, PosedConvex};
use sudar::hull::convex_hull;
use sudar::math::Interval;
use sudar::query::{Body, Distance, DistanceOptions, distance, intersects};
use sudar::{DVec3, Hull, HullError, Mesh, Pose, Shape};

use super::swift_nodes::pieces_of;

/// A convex part of a body, ready for the searches of [`ICollide`](crate::ICollide) and
/// [`QCollide`](crate::QCollide).
#[derive(Debug, Clone)]
pub struct ConvexPart {
    body: Body,
    features: Option<FeatureMap>,
    vertices: Vec<DVec3>,
}

impl ConvexPart {
    /// The hull of the points.
    ///
    /// # Errors
    /// [`HullError`] if there is no point, too many, or one that cannot be computed with.
    pub fn new(points: &[DVec3]) -> Result<Self, HullError> {
        let hull = convex_hull(points)?;
        let vertices = hull.vertices().to_vec();
        let body = Body::new(Shape::Hull(Arc::new(hull)));
        let features = body.convex().and_then(FeatureMap::of);
        Ok(Self { body, features, vertices })
    }

    /// The hulls of the convex pieces of a surface, cut as SWIFT++ does ([`crate::hull::convex_pieces`]): parts that
    /// do not go through the rest of the surface, so that of a closed mesh they are inside. Between them it may be
    /// hollow.
    ///
    /// # Errors
    /// [`HullError`] if a piece has too many points.
    pub fn of_surface(mesh: &Mesh) -> Result<Vec<Self>, HullError> {
        pieces_of(mesh)?.1.iter().map(|piece| Self::new(piece.hull.vertices())).collect()
    }

    /// The same with the triangles of each piece.
    pub(crate) fn with_triangles(mesh: &Mesh) -> Result<Vec<(Self, Vec<u32>)>, HullError> {
        let pieces = pieces_of(mesh)?.1;
        pieces.into_iter().map(|piece| Ok((Self::new(piece.hull.vertices())?, piece.triangles))).collect()
    }

    /// Its hull.
    pub fn hull(&self) -> Option<&Arc<Hull>> {
        if let Shape::Hull(hull) = self.body.shape() { Some(hull) } else { None }
    }

    pub(super) fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// About its memory in bytes: half-edges and what belongs to them.
    pub(super) fn bytes(&self) -> usize {
        64 * self.features.as_ref().map_or(0, FeatureMap::features)
    }

    fn posed<'a>(&'a self, pose: &'a Pose) -> Option<PosedConvex<'a>> {
        Some(PosedConvex::new(self.body.convex()?, pose))
    }
}

/// State of a pair of convex parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PairState {
    /// They have no point in common, for certain.
    Apart,
    /// They have one, for certain.
    Colliding,
}

/// What a method says of a pair of convex parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairAnswer {
    /// Whether they have a point in common.
    pub state: PairState,
    /// Holds the distance of parts that are apart, if the method finds distances.
    pub distance: Option<Interval>,
    /// A point of either part, nearest to each other, in the world. By nearest features: of parts that are apart,
    /// as they are now. By separating vectors: of parts that collide, as they were when they were last apart.
    pub points: Option<[DVec3; 2]>,
    /// The features on which the points lie, if the search over features ended there.
    pub features: Option<[Feature; 2]>,
}

impl PairAnswer {
    const fn of(state: PairState) -> Self {
        Self { state, distance: None, points: None, features: None }
    }
}

/// A convex part where it is.
pub type PosedPart<'a> = (&'a ConvexPart, &'a Pose);

/// How pairs of convex parts are tested: what is kept of a pair from step to step.
pub trait PairMethod: Default {
    /// Whether it finds the distance of parts that are apart. Then the distance of bodies is that of their nearest
    /// parts; else a search ends at the first parts that collide and looks at none whose boxes are apart.
    const MEASURES: bool;

    /// What is known of two parts, always the same ones.
    fn test(&mut self, a: PosedPart, b: PosedPart) -> PairAnswer;
}

/// The nearest features of the last step (Lin and Canny 1991); GJK where their search goes in circles or
/// parts are flat.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinCannyPair {
    features: ClosestFeatures,
}

impl PairMethod for LinCannyPair {
    const MEASURES: bool = true;

    fn test(&mut self, a: PosedPart, b: PosedPart) -> PairAnswer {
        if let (Some(map_a), Some(map_b), Some(at_a), Some(at_b)) =
            (&a.0.features, &b.0.features, a.0.posed(a.1), b.0.posed(b.1))
            && let (Some(first), Some(second)) =
                (PosedFeatures::new(map_a, at_a), PosedFeatures::new(map_b, at_b))
        {
            match self.features.update(&first, &second).outcome {
                FeatureOutcome::Apart(closest) => {
                    return PairAnswer {
                        state: PairState::Apart,
                        distance: Some(closest.certified),
                        points: Some([closest.point_a, closest.point_b]),
                        features: Some(closest.features),
                    };
                }
                FeatureOutcome::Penetrating => return PairAnswer::of(PairState::Colliding),
                FeatureOutcome::Touching(_) | FeatureOutcome::GaveUp => {}
            }
        }
        let Distance { interval, point_a, point_b, .. } = measured(a, b);
        let state = if interval.lower > 0.0 { PairState::Apart } else { exactly(a, b) };
        let apart = state == PairState::Apart;
        let (distance, points) = (apart.then_some(interval), apart.then_some([point_a, point_b]));
        PairAnswer { state, distance, points, features: None }
    }
}

/// The separating vector of the last step, and where the parts were when it last separated (Chung 1996).
#[derive(Debug, Clone, Copy, Default)]
pub struct SeparatingPair {
    vector: SeparatingVector,
    apart: Option<[Pose; 2]>,
}

/// Rounds after which a vector is not found any more.
const ROUNDS: u32 = 200;

impl PairMethod for SeparatingPair {
    const MEASURES: bool = false;

    fn test(&mut self, a: PosedPart, b: PosedPart) -> PairAnswer {
        let found = match (a.0.posed(a.1), b.0.posed(b.1)) {
            (Some(first), Some(second)) => self.vector.update(&Difference::new(first, second), ROUNDS),
            _ => Separation::Undecided,
        };
        let state = match found {
            Separation::Separated { .. } => PairState::Apart,
            Separation::Colliding => PairState::Colliding,
            Separation::Undecided => exactly(a, b),
        };
        if state == PairState::Apart {
            self.apart = Some([*a.1, *b.1]);
            return PairAnswer::of(state);
        }
        let former = self.apart.map(|[pose_a, pose_b]| measured((a.0, &pose_a), (b.0, &pose_b)));
        PairAnswer { points: former.map(|at| [at.point_a, at.point_b]), ..PairAnswer::of(state) }
    }
}

/// The distance by GJK.
fn measured(a: PosedPart, b: PosedPart) -> Distance {
    distance(a.0.body.at(a.1), b.0.body.at(b.1), &DistanceOptions::EXACT)
}

/// Where rounding hides whether parts touch.
fn exactly(a: PosedPart, b: PosedPart) -> PairState {
    if intersects(a.0.body.at(a.1), b.0.body.at(b.1)).is_touching() {
        PairState::Colliding
    } else {
        PairState::Apart
    }
}
