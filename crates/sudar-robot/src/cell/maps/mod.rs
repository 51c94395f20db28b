//! Maps of joint values: where two parts of the robot are certainly apart.
//!
//! How two parts stand to each other depends on the joints between them alone, and links with two or three joints
//! between them are near each other at all times, so that most of the time of checks and edges goes into these few
//! pairs. For each of them the box of those joint values is halved again and again; what is proved free as a whole
//! ([`proof`]) is noted in a tree ([`tree`]). A configuration then costs a walk down the tree, and an edge a walk along
//! a segment in two or three dimensions.

mod grow;
mod proof;
mod side;
mod tree;

use sudar::query::Batch;

use super::RobotCell;
use crate::node::Motion;
use tree::{Axis, Tree};

/// More boxes than the pairs of an arm need, which take a second on two cores.
pub const MAP_BOXES: usize = 500_000;

/// What the maps of a cell hold, see [`RobotCell::map_pairs`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MapReport {
    /// Pairs of parts that have a map.
    pub pairs: usize,
    /// Boxes of joint values that were tested this time.
    pub boxes: usize,
    /// Which share of the joint values between two parts the maps show to be free, the mean over the pairs; from 0 to
    /// 1.
    pub free: f64,
}

/// The map of a pair.
#[derive(Debug)]
pub(super) struct PairMap {
    /// The parts, the smaller number first.
    pub parts: [u32; 2],
    pub tree: Tree,
    /// So much rounding of the distance of the two is allowed for.
    pub rounding: f64,
}

/// Maps allow for so many times the rounding that there is where the robot stands when they are made: it may stand
/// elsewhere later.
const ROOM: f64 = 1024.0;
/// Two parts with more pairs of patches have no map.
const MOST_PATCHES: usize = 1 << 16;
/// Beyond this joint values, in radians or metres, are not looked up.
const FARTHEST: f64 = 1000.0;

impl RobotCell {
    /// Maps the joint values at which two parts are certainly apart, for all pairs that are checked and have one to
    /// three values between them. Afterwards [`check`](Self::check), [`check_edges`](Self::check_edges) and plans look
    /// these up where parts are near each other, such as links with two joints between them, which cost most. Of arms
    /// of meshes a certified edge takes a half to a tenth of the time then. Answers stay what they are, but that an
    /// edge which is undecided because of two parts may be decided.
    ///
    /// At most `boxes` of joint values are tested; with [`MAP_BOXES`] that takes a second on two cores. The maps stay
    /// as objects come and go. What is attached later has none until this is called again, which keeps those that there
    /// are. The same maps for any number of threads; where the flag or the budget of the batch ends it, they hold less.
    pub fn map_pairs(&mut self, boxes: usize, batch: &Batch<'_>) -> MapReport {
        // Also those that were made where the robot stood before and allow for too little here.
        let mut kept = std::mem::take(&mut self.maps);
        kept.retain(|map| self.rounding_of(map.parts) <= map.rounding);
        self.maps = kept;
        self.index_maps();
        let new = |pair: &&[u32; 2]| self.map_of(**pair).is_none();
        let mapped = |pair: &[u32; 2]| Some((*pair, self.axes_between(*pair)?));
        let pairs = self.pairs.iter().filter(new).filter_map(mapped).collect();
        let (maps, boxes) = grow::maps(self, pairs, boxes, batch);
        self.maps.extend(maps);
        self.index_maps();
        let pairs = self.maps.len();
        let free: f64 = self.maps.iter().map(|map| map.tree.free()).sum();
        MapReport { pairs, boxes, free: free / pairs.max(1) as f64 }
    }

    /// Notes for each two parts which map is theirs. A robot that stands so far away that its links are rounded by more
    /// than a map allows for does without it there.
    pub(super) fn index_maps(&mut self) {
        let count = self.parts.len();
        self.map_at = vec![u32::MAX; count * count];
        for (number, map) in self.maps.iter().enumerate() {
            if self.rounding_of(map.parts) > map.rounding {
                continue;
            }
            let [i, j] = map.parts.map(|part| part as usize);
            self.map_at[i * count + j] = number as u32;
        }
    }

    /// Bound on the rounding of the distance of two parts in all configurations that are looked up.
    fn rounding_of(&self, pair: [u32; 2]) -> f64 {
        let far = vec![FARTHEST; self.robot.dof()];
        pair.map(|part| self.chains[part as usize].rounding(&self.robot, [&far, &far])).iter().sum()
    }

    /// The number of the map of two parts.
    #[inline]
    pub(super) fn map_of(&self, [i, j]: [u32; 2]) -> Option<usize> {
        let at = self.map_at[i as usize * self.parts.len() + j as usize];
        (at != u32::MAX).then_some(at as usize)
    }

    /// Whether configurations may be looked up: they are within the numbers that maps allow for.
    #[inline]
    pub(super) fn is_mapped(&self, q: &[f64]) -> bool {
        !self.maps.is_empty() && q.iter().all(|q| q.abs() <= FARTHEST)
    }

    /// The joint values between two parts; `None` if they are too many, or none, or have no limits, and of parts with
    /// more patches than are compared again and again.
    fn axes_between(&self, pair: [u32; 2]) -> Option<Vec<Axis>> {
        let mut axes: Vec<Axis> = Vec::new();
        let [i, j] = pair.map(|part| part as usize);
        let patches = |part: usize| self.parts[part].pieces.iter().map(|piece| piece.patches().len()).sum();
        let (one, other): (usize, usize) = (patches(i), patches(j));
        if one * other > MOST_PATCHES {
            return None;
        }
        for node in self.nodes_beside(i, j).iter().chain(self.nodes_beside(j, i)) {
            let motion = &self.robot.nodes[*node as usize].motion;
            let Some(by) = motion.coordinate() else { continue };
            let turns = matches!(motion, Motion::Turn(..)) && by.factor == by.factor.round();
            match axes.iter_mut().find(|axis| axis.dof == by.dof) {
                Some(axis) => axis.turns &= turns,
                None => axes.push(Axis { dof: by.dof, turns, low: 0.0, width: 0.0 }),
            }
        }
        for axis in &mut axes {
            let limits = self.robot.dofs[axis.dof as usize].limits;
            axis.bound(limits)?;
        }
        (1..=tree::MOST).contains(&axes.len()).then_some(axes)
    }

    /// The nodes that carry a part and not the other, from the part on.
    fn nodes_beside(&self, part: usize, other: usize) -> &[u32] {
        let count = self.apart[part * self.parts.len() + other] as usize;
        &self.chains[part].nodes()[..count]
    }
}
