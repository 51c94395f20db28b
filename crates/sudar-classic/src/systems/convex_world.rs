//! I-COLLIDE and Q-COLLIDE: many moving bodies of convex parts.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::broad::intervals;
use crate::convex::{
    ClosestFeatures, Feature, FeatureMap, FeatureOutcome, PosedFeatures, SeparatingVector, Separation,
};
use crate::tree::{Descent, Direct, Items, Kernel, Siblings, TraversalOrder, VolumeTree, traverse};
use sudar::broad::{BroadError, BroadPhase, Handle, Mobility};
use sudar::convex::{Difference, PosedConvex};
use sudar::effort::Meter;
use sudar::hull::convex_hull;
use sudar::math::Interval;
use sudar::query::{Body, Distance, DistanceOptions, distance, intersects};
use sudar::volume::Relative;
use sudar::{Aabb, DVec3, HullError, Mesh, Pose, Shape};

use super::swift_nodes::pieces_of;

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

    /// The hulls of the convex pieces of a surface, cut as SWIFT++ does ([`crate::hull::convex_pieces`]): parts that
    /// do not go through the rest of the surface, so that of a closed mesh they are inside. Between them it may be
    /// hollow.
    ///
    /// # Errors
    /// [`HullError`] if a piece has too many points.
    pub fn of_surface(mesh: &Mesh) -> Result<Vec<Self>, HullError> {
        pieces_of(mesh)?.1.iter().map(|piece| Self::new(piece.hull.vertices())).collect()
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
    /// Of bodies that collide two parts that do; of others the nearest two, if the method finds distances.
    pub parts: Option<[u32; 2]>,
    /// Holds the distance of bodies that are apart, if the method finds distances.
    pub distance: Option<Interval>,
    /// The points of the two parts, see [`PairAnswer::points`].
    pub points: Option<[DVec3; 2]>,
    /// Their nearest features, see [`PairAnswer::features`].
    pub features: Option<[Feature; 2]>,
    /// Pairs of parts that were tested.
    pub tests: u32,
    /// Pairs of boxes over parts that were tested.
    pub box_tests: u64,
}

impl Proximity {
    /// Before any parts were tested.
    const fn of(bodies: [BodyId; 2]) -> Self {
        let (parts, distance, points, features) = (None, None, None, None);
        Self { bodies, colliding: false, parts, distance, points, features, tests: 0, box_tests: 0 }
    }

    /// How near they are as far as was found.
    fn upper(&self) -> f64 {
        self.distance.map_or(f64::INFINITY, |distance| distance.upper)
    }

    /// Takes what is said of two parts if they collide or are the nearest so far.
    fn take(&mut self, parts: [u32; 2], found: &PairAnswer) {
        self.tests += 1;
        let lower = self.distance.map_or(f64::INFINITY, |distance| distance.lower);
        if found.state == PairState::Colliding {
            *self = Self { colliding: true, parts: Some(parts), distance: None, ..*self };
            (self.points, self.features) = (found.points, found.features);
        } else if let Some(distance) = found.distance {
            if distance.upper < self.upper() {
                (self.parts, self.points, self.features) = (Some(parts), found.points, found.features);
            }
            let upper = self.upper().min(distance.upper);
            self.distance = Some(Interval { lower: lower.min(distance.lower), upper });
        }
    }
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
/// 1995, "I-COLLIDE: an interactive and exact collision detection system for large-scale environments"), which
/// it tells of what is apart, with their points and the distance.
pub type ICollide = ConvexWorld<LinCannyPair>;

/// The same by separating vectors, without distances (Chung 1996, "An efficient collision detection algorithm
/// for polytopes in virtual environments": Q-COLLIDE). Of what collides it tells the nearest points of the step
/// before.
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

    /// About the memory of all bodies in bytes: boxes over parts, vertices and half-edges of hulls.
    pub fn bytes(&self) -> usize {
        let of_part = |part: &ConvexPart| 64 * part.features.as_ref().map_or(0, FeatureMap::features);
        let of = |member: &Member| member.tree.bytes() + member.parts.iter().map(of_part).sum::<usize>();
        self.members.iter().map(of).sum()
    }

    fn pair(&mut self, i: u32, j: u32) -> Proximity {
        let (a, b) = (&self.members[i as usize], &self.members[j as usize]);
        let (known, found) = (&mut self.known, Cell::new(Proximity::of([BodyId(i), BodyId(j)])));
        let mut test = |p: u32, q: u32| {
            let method = known.entry([i, j, p, q]).or_default();
            let parts = (&a.parts[p as usize], &b.parts[q as usize]);
            let mut so_far = found.get();
            so_far.take([p, q], &method.test((parts.0, &a.pose), (parts.1, &b.pose)));
            found.set(so_far);
            if so_far.colliding { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        if a.parts.len() == 1 && b.parts.len() == 1 {
            let _ = test(0, 0);
            return found.get();
        }
        let motion = Relative::new(&a.pose, a.reach, &b.pose, b.reach);
        let box_tests = if M::MEASURES {
            let nearer = |gap: f64| gap <= found.get().upper();
            search((&a.tree, &b.tree), &mut Nearby { a: &a.tree, b: &b.tree, motion: &motion, nearer }, test)
        } else {
            search((&a.tree, &b.tree), &mut Direct::new(&a.tree, &b.tree, &motion), test)
        };
        Proximity { box_tests, ..found.get() }
    }
}

/// Shows the parts of two bodies whose boxes the kernel lets through, nearest first; how many boxes were tested.
fn search(
    trees: (&VolumeTree<Aabb>, &VolumeTree<Aabb>),
    kernel: &mut impl Kernel,
    mut test: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> u64 {
    let order = TraversalOrder { descent: Descent::Larger, siblings: Siblings::NearestFirst };
    let mut meter = Meter::unlimited();
    let _ = traverse(trees, kernel, order, &mut meter, |x, y| {
        let mut second = trees.1.items(y).iter();
        second.try_for_each(|&q| trees.0.items(x).iter().try_for_each(|&p| test(p, q)))
    });
    meter.statistics().nodes
}

/// Lets through boxes that are no farther apart than what is found so far.
struct Nearby<'a, F> {
    a: &'a VolumeTree<Aabb>,
    b: &'a VolumeTree<Aabb>,
    motion: &'a Relative,
    nearer: F,
}

impl<F: Fn(f64) -> bool> Kernel for Nearby<'_, F> {
    type Placed = Aabb;

    fn place(&mut self, b: u32) -> Aabb {
        self.b.node(b).volume.posed(self.motion.pose()).grown(self.motion.slack())
    }

    fn meets(&mut self, a: u32, placed: &Aabb) -> bool {
        (self.nearer)(self.a.node(a).volume.gap(placed))
    }

    fn between(&self, a: u32, placed: &Aabb) -> f64 {
        self.a.node(a).volume.gap(placed)
    }

    fn size_a(&self, a: u32) -> f64 {
        self.a.node(a).volume.extent().length_squared()
    }

    fn size_b(&self, b: u32) -> f64 {
        self.b.node(b).volume.extent().length_squared()
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
