//! I-COLLIDE and Q-COLLIDE: many moving bodies of convex parts.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::broad::intervals;
use crate::convex::{
    ClosestFeatures, FeatureMap, FeatureOutcome, PosedFeatures, SeparatingVector, Separation,
};
use crate::tree::{Descent, Direct, Items, Siblings, TraversalOrder, VolumeTree, traverse};
use sudar::broad::{BroadError, BroadPhase, Handle, Mobility};
use sudar::convex::{Difference, Gjk, GjkMemory, GjkOptions, PosedConvex, gjk};
use sudar::effort::Meter;
use sudar::hull::convex_hull;
use sudar::math::Interval;
use sudar::query::{Body, intersects};
use sudar::volume::Relative;
use sudar::{Aabb, DVec3, HullError, Pose, Shape};

/// A convex part of a body, ready for the searches of [`ICollide`] and [`QCollide`].
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

/// How pairs of convex parts are tested: what is kept of a pair from step to step.
pub trait PairMethod: Default {
    /// Whether two parts, always the same ones, have a point in common; and how far apart they are, if that
    /// is found by the way.
    fn test(&mut self, a: (&ConvexPart, &Pose), b: (&ConvexPart, &Pose)) -> (PairState, Option<Interval>);
}

/// The nearest features of the last step (Lin and Canny 1991); GJK where their search goes in circles or
/// parts are flat.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinCannyPair {
    features: ClosestFeatures,
}

impl PairMethod for LinCannyPair {
    fn test(&mut self, a: (&ConvexPart, &Pose), b: (&ConvexPart, &Pose)) -> (PairState, Option<Interval>) {
        if let (Some(map_a), Some(map_b), Some(at_a), Some(at_b)) =
            (&a.0.features, &b.0.features, a.0.posed(a.1), b.0.posed(b.1))
            && let (Some(first), Some(second)) =
                (PosedFeatures::new(map_a, at_a), PosedFeatures::new(map_b, at_b))
        {
            match self.features.update(&first, &second).outcome {
                FeatureOutcome::Apart(closest) => return (PairState::Apart, Some(closest.certified)),
                FeatureOutcome::Penetrating => return (PairState::Colliding, None),
                FeatureOutcome::Touching(_) | FeatureOutcome::GaveUp => {}
            }
        }
        let found = by_gjk(a, b);
        match found {
            Some(found) if found.distance.lower > 0.0 => (PairState::Apart, Some(found.distance)),
            Some(found) if found.encloses => (PairState::Colliding, None),
            _ => (exactly(a, b), None),
        }
    }
}

/// The separating vector of the last step (Chung 1996).
#[derive(Debug, Clone, Copy, Default)]
pub struct SeparatingPair {
    vector: SeparatingVector,
}

/// Rounds after which a vector is not found any more.
const ROUNDS: u32 = 200;

impl PairMethod for SeparatingPair {
    fn test(&mut self, a: (&ConvexPart, &Pose), b: (&ConvexPart, &Pose)) -> (PairState, Option<Interval>) {
        let (Some(first), Some(second)) = (a.0.posed(a.1), b.0.posed(b.1)) else {
            return (exactly(a, b), None);
        };
        match self.vector.update(&Difference::new(first, second), ROUNDS) {
            Separation::Separated { .. } => (PairState::Apart, None),
            Separation::Colliding => (PairState::Colliding, None),
            Separation::Undecided => (exactly(a, b), None),
        }
    }
}

fn by_gjk(a: (&ConvexPart, &Pose), b: (&ConvexPart, &Pose)) -> Option<Gjk> {
    let difference = Difference::new(a.0.posed(a.1)?, b.0.posed(b.1)?);
    Some(gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE))
}

/// Where rounding hides whether parts touch.
fn exactly(a: (&ConvexPart, &Pose), b: (&ConvexPart, &Pose)) -> PairState {
    if intersects(a.0.body.at(a.1), b.0.body.at(b.1)).is_touching() {
        PairState::Colliding
    } else {
        PairState::Apart
    }
}

/// A body of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub u32);

/// Two bodies whose boxes overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proximity {
    /// The two, the smaller first.
    pub bodies: [BodyId; 2],
    /// Whether they have a point in common.
    pub colliding: bool,
    /// Holds their distance, where all of it was found by the way; bodies of one part each, apart.
    pub distance: Option<Interval>,
    /// Pairs of parts that were tested.
    pub tests: u32,
}

struct Member {
    parts: Vec<ConvexPart>,
    tree: VolumeTree<Aabb>,
    reach: f64,
    pose: Pose,
    handle: Handle,
}

/// Many moving bodies of convex parts: boxes sorted along three axes find the pairs that may meet, and what
/// is kept of each pair of parts says whether they do.
///
/// A body of several parts, which together need not be convex, is a tree of boxes over them, built bottom-up.
/// The broad phase is the one of I-COLLIDE: intervals on three axes with a flag for each, and a list of
/// active pairs.
pub struct ConvexWorld<M> {
    broad: Box<dyn BroadPhase>,
    members: Vec<Member>,
    known: BTreeMap<[u32; 4], M>,
}

/// Many polytopes by the nearest features that they had the step before (Cohen, Lin, Manocha and Ponamgi
/// 1995, "I-COLLIDE: an interactive and exact collision detection system for large-scale environments").
pub type ICollide = ConvexWorld<LinCannyPair>;

/// The same by separating vectors, without distances (Chung 1996, "An efficient collision detection algorithm
/// for polytopes in virtual environments": Q-COLLIDE).
pub type QCollide = ConvexWorld<SeparatingPair>;

impl<M: PairMethod> ConvexWorld<M> {
    /// A world without bodies.
    pub fn new() -> Self {
        Self { broad: intervals(), members: Vec::new(), known: BTreeMap::new() }
    }

    /// Adds a body of convex parts at a pose.
    ///
    /// # Errors
    /// [`BroadError`] if it has no bounds there, or the world is full.
    pub fn add(&mut self, parts: Vec<ConvexPart>, pose: &Pose) -> Result<BodyId, BroadError> {
        let mut items = Items::new();
        parts.iter().for_each(|part| {
            items.push(&part.vertices);
        });
        let tree = VolumeTree::bottom_up(&items);
        let handle = self.broad.insert(bounds(&tree, pose), Mobility::Moving)?;
        self.members.push(Member { parts, tree, reach: items.reach(), pose: *pose, handle });
        Ok(BodyId(self.members.len() as u32 - 1))
    }

    /// Moves a body; unknown ones are left alone.
    ///
    /// # Errors
    /// [`BroadError`] if it has no bounds there.
    pub fn set_pose(&mut self, body: BodyId, pose: &Pose) -> Result<(), BroadError> {
        if let Some(member) = self.members.get_mut(body.0 as usize) {
            self.broad.update(member.handle, bounds(&member.tree, pose))?;
            member.pose = *pose;
        }
        Ok(())
    }

    /// All pairs of bodies whose boxes overlap, sorted, and whether they collide.
    pub fn step(&mut self) -> Vec<Proximity> {
        self.broad.step();
        let pairs = self.broad.pairs().to_vec();
        // Handles are given in the order of the bodies, of which none is ever removed.
        pairs.into_iter().map(|[i, j]| self.pair(i, j)).collect()
    }

    /// Two bodies, whether their boxes overlap or not; `None` if one of them is unknown.
    pub fn pair_of(&mut self, a: BodyId, b: BodyId) -> Option<Proximity> {
        let count = self.members.len() as u32;
        (a != b && a.0 < count && b.0 < count).then(|| self.pair(a.0.min(b.0), a.0.max(b.0)))
    }

    fn pair(&mut self, i: u32, j: u32) -> Proximity {
        let (a, b) = (&self.members[i as usize], &self.members[j as usize]);
        let mut found =
            Proximity { bodies: [BodyId(i), BodyId(j)], colliding: false, distance: None, tests: 0 };
        let known = &mut self.known;
        if let ([first], [second]) = (a.parts.as_slice(), b.parts.as_slice()) {
            let method = known.entry([i, j, 0, 0]).or_default();
            let (state, distance) = method.test((first, &a.pose), (second, &b.pose));
            return Proximity { colliding: state == PairState::Colliding, distance, tests: 1, ..found };
        }
        let motion = Relative::new(&a.pose, a.reach, &b.pose, b.reach);
        let mut kernel = Direct::new(&a.tree, &b.tree, &motion);
        let order = TraversalOrder { descent: Descent::Larger, siblings: Siblings::InOrder };
        let mut hit = false;
        let _ = traverse((&a.tree, &b.tree), &mut kernel, order, &mut Meter::unlimited(), |x, y| {
            for &p in a.tree.items(x) {
                for &q in b.tree.items(y) {
                    found.tests += 1;
                    let method = known.entry([i, j, p, q]).or_default();
                    let parts = (&a.parts[p as usize], &b.parts[q as usize]);
                    hit |= method.test((parts.0, &a.pose), (parts.1, &b.pose)).0 == PairState::Colliding;
                }
            }
            if hit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found.colliding = hit;
        found
    }
}

impl<M: PairMethod> Default for ConvexWorld<M> {
    fn default() -> Self {
        Self::new()
    }
}

fn bounds(tree: &VolumeTree<Aabb>, pose: &Pose) -> Aabb {
    tree.nodes().first().map_or(Aabb::EMPTY, |root| root.volume.posed(pose))
}
