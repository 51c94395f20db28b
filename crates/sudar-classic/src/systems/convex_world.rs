//! I-COLLIDE and Q-COLLIDE: many moving bodies of convex parts.

use std::collections::BTreeMap;

use crate::broad::intervals;
use sudar::Pose;
use sudar::broad::{BroadError, BroadPhase, Handle, Mobility};

use super::convex_pair::{BodyId, ConvexBody, Proximity, proximity};
use super::convex_part::{ConvexPart, LinCannyPair, PairMethod, PosedPart, SeparatingPair};

struct Member {
    body: ConvexBody,
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
        let body = ConvexBody::new(parts);
        let handle = self.broad.insert(body.bounds(pose), Mobility::Moving)?;
        self.members.push(Member { body, pose: *pose, handle });
        Ok(BodyId(self.members.len() as u32 - 1))
    }

    /// Moves a body; unknown ones are left alone.
    ///
    /// # Errors
    /// [`BroadError`] if it has no bounds there.
    pub fn set_pose(&mut self, body: BodyId, pose: &Pose) -> Result<(), BroadError> {
        if let Some(member) = self.members.get_mut(body.0 as usize) {
            self.broad.update(member.handle, member.body.bounds(pose))?;
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
        self.members.iter().map(|member| member.body.bytes()).sum()
    }

    fn pair(&mut self, i: u32, j: u32) -> Proximity {
        let known = &mut self.known;
        let mut test =
            |[p, q]: [u32; 2], a: PosedPart, b: PosedPart| known.entry([i, j, p, q]).or_default().test(a, b);
        let bodies = [i, j].map(|k| (&self.members[k as usize].body, &self.members[k as usize].pose));
        proximity([BodyId(i), BodyId(j)], bodies, M::MEASURES, &mut test, None)
    }
}

impl<M: PairMethod> Default for ConvexWorld<M> {
    fn default() -> Self {
        Self::new()
    }
}
