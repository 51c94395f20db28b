//! SWIFT++.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::convex::{ClosestFeatures, FeatureMap};
use crate::tree::{Front, FrontDepth, SplitPoint, Visit, VolumeTree};
use sudar::math::Interval;
use sudar::query::contains;
use sudar::{Aabb, DVec3, Hull, HullError, Mesh, Pose, Solid};

use super::swift_minima::Around;
use super::swift_nodes::{Hierarchy, HullNode};
use super::swift_search::{Goal, Search};
use crate::Effort;

/// In which order SWIFT++ searches pairs of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwiftOrder {
    /// Down to the leaves, as nodes are numbered.
    DepthFirst,
    /// The nearest pair first, and of those that overlap the lowest ("directed search").
    NearestFirst,
    /// Depth first, from the pairs on at which the last search ended ("generalised front tracking").
    Front,
}

impl SwiftOrder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::DepthFirst, Self::NearestFirst, Self::Front];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DepthFirst => "depth first",
            Self::NearestFirst => "nearest first",
            Self::Front => "front",
        }
    }
}

/// How SWIFT++ builds and searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SwiftOptions {
    /// Where the pieces of a node are split along the axis of their greatest spread: median, mid-range or mean.
    pub point: SplitPoint,
    /// The order of the search.
    pub order: SwiftOrder,
}

impl SwiftOptions {
    /// Split at the median, nearest pairs first.
    pub const DEFAULT: Self = Self { point: SplitPoint::Median, order: SwiftOrder::NearestFirst };
}

impl Default for SwiftOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A body as a hierarchy of convex hulls over the convex pieces of its surface (Ehmann and Lin 2001,
/// "Accurate and fast proximity queries between polyhedra using convex surface decomposition").
///
/// Two nodes are as far apart as their hulls, by walking to the nearest features. If neither of these is a free face,
/// one that was added above the pieces, nothing below can be nearer; else the larger node is opened.
///
/// What closes a piece, its "contained" faces, is inside the body if that is closed. [`Swift::of_solid`] takes bodies
/// so, as the source does: contained faces end the search, and pieces that overlap meet. [`Swift::new`] takes the
/// surface alone: contained faces count as free, and the triangles of the pieces decide. Answers are those of
/// [`sudar::query`] for solids and for meshes.
#[derive(Debug, Clone)]
pub struct Swift {
    hierarchy: Arc<Hierarchy>,
    order: SwiftOrder,
}

/// What is kept of two bodies from one query to the next: nearest features of pairs of nodes, the pair of nodes
/// that gave the last answer ("caching"), and the front. With other bodies it begins anew.
#[derive(Debug, Clone, Default)]
pub struct SwiftMemory {
    of: Option<[Arc<Hierarchy>; 2]>,
    features: BTreeMap<[u32; 2], ClosestFeatures>,
    last: Option<[u32; 2]>,
    front: Option<Front>,
    effort: Effort,
}

impl SwiftMemory {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the last query took; volumes are pairs of hulls.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// How many pairs the front holds; 0 if none is kept.
    pub fn front_len(&self) -> usize {
        self.front.as_ref().map_or(0, Front::len)
    }

    /// Forgets everything unless it is about these two.
    fn turn_to(&mut self, a: &Arc<Hierarchy>, b: &Arc<Hierarchy>) {
        let known = |[p, q]: &[Arc<Hierarchy>; 2]| Arc::ptr_eq(p, a) && Arc::ptr_eq(q, b);
        if !self.of.as_ref().is_some_and(known) {
            *self = Self { of: Some([a.clone(), b.clone()]), ..Self::default() };
        }
        self.effort = Effort::default();
    }
}

/// A distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwiftDistance {
    /// Holds the distance of the bodies.
    pub distance: Interval,
    /// A point of either body, as far apart as the upper end.
    pub points: [DVec3; 2],
    /// What it took; volumes are pairs of hulls.
    pub effort: Effort,
}

/// A place where two bodies are nearer to each other than around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwiftContact {
    /// Holds the distance there; more than zero.
    pub distance: Interval,
    /// The nearest points.
    pub points: [DVec3; 2],
    /// From the first to the second, of length 1.
    pub normal: DVec3,
    /// The numbers of the pieces.
    pub pieces: [u32; 2],
}

/// What contact determination finds.
#[derive(Debug, Clone, PartialEq)]
pub enum SwiftContacts {
    /// The bodies have a point in common, this one: the search ended there.
    Collision(DVec3),
    /// They are apart: local minima of the distance, the least first.
    Apart(Vec<SwiftContact>),
}

impl Swift {
    /// Cuts the surface into convex pieces and builds the hierarchy over them. What it encloses does not count.
    ///
    /// # Errors
    /// [`HullError`] if there are too many points for a hull.
    pub fn new(mesh: Arc<Mesh>, options: &SwiftOptions) -> Result<Self, HullError> {
        let hierarchy = Arc::new(Hierarchy::new(mesh, None, options.point)?);
        Ok(Self { hierarchy, order: options.order })
    }

    /// The same of a closed body with its inside. A piece whose contained faces are not inside, as may be where a hull
    /// closes over a hollow, counts with its surface alone. The surface should not go through itself.
    ///
    /// # Errors
    /// [`HullError`] if there are too many points for a hull.
    pub fn of_solid(solid: &Solid, options: &SwiftOptions) -> Result<Self, HullError> {
        let hierarchy = Arc::new(Hierarchy::new(solid.mesh().clone(), Some(solid), options.point)?);
        Ok(Self { hierarchy, order: options.order })
    }

    /// How many convex pieces there are.
    pub fn pieces(&self) -> usize {
        self.hierarchy.pieces.len()
    }

    /// How many of them count with all of their hulls; none of a surface.
    pub fn full_pieces(&self) -> usize {
        self.hierarchy.pieces.iter().filter(|piece| piece.is_full).count()
    }

    /// About the memory of the hierarchy in bytes: vertices and half-edges of all hulls.
    pub fn bytes(&self) -> usize {
        let features = |node: &HullNode| node.map.as_ref().map_or(0, FeatureMap::features);
        let of_hull = |node: &HullNode| 24 * node.faces.len() + 64 * features(node);
        self.hierarchy.nodes.iter().map(of_hull).sum()
    }

    /// The tree over the convex pieces: its volumes are boxes, by which it is built and searched; the items of its
    /// leaves are the pieces.
    pub fn tree(&self) -> &VolumeTree<Aabb> {
        &self.hierarchy.tree
    }

    /// The hull of everything below a node of [`Swift::tree`].
    pub fn hull(&self, node: u32) -> Option<&Arc<Hull>> {
        self.hierarchy.nodes.get(node as usize).map(HullNode::hull)
    }

    /// The triangles of a piece.
    pub fn piece(&self, piece: u32) -> &[u32] {
        self.hierarchy.pieces.get(piece as usize).map_or(&[], |piece| &piece.triangles)
    }

    /// [`Swift::distance`] of what the surfaces alone say, depth first and from the roots on, with every pair of nodes
    /// whose hulls are measured told in order.
    pub fn distance_watched(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        max: f64,
        tell: &mut dyn FnMut(Visit),
    ) -> Option<SwiftDistance> {
        let goal = Goal { max, absolute: 0.0, relative: 0.0, enough: 0.0 };
        let mut features = BTreeMap::new();
        let sides = ((&*self.hierarchy, pose), (&*other.hierarchy, other_pose));
        let search = Search::new(sides.0, sides.1, &mut features, goal).depth_first_watched(tell);
        search.best.filter(|best| best.distance.lower <= max).map(|best| {
            let distance =
                Interval { lower: best.distance.lower.min(search.skipped), upper: best.distance.upper };
            SwiftDistance { distance, points: best.points, effort: search.effort }
        })
    }

    /// (a) Whether the bodies have a point in common. Exact.
    pub fn intersects(&self, pose: &Pose, other: &Self, other_pose: &Pose, memory: &mut SwiftMemory) -> bool {
        let goal = Goal { max: 0.0, absolute: 0.0, relative: 0.0, enough: 0.0 };
        self.search((pose, other, other_pose), goal, memory).is_some_and(|found| found.distance.upper == 0.0)
    }

    /// (b) Whether they are no farther apart than a tolerance; `None` if that is hidden by rounding.
    pub fn within(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        tolerance: f64,
        memory: &mut SwiftMemory,
    ) -> Option<bool> {
        let goal = Goal { max: tolerance, absolute: 0.0, relative: 0.0, enough: tolerance };
        match self.search((pose, other, other_pose), goal, memory) {
            None => Some(false),
            Some(found) if found.distance.upper <= tolerance => Some(true),
            Some(found) if found.distance.lower > tolerance => Some(false),
            Some(_) => None,
        }
    }

    /// (c) How far apart they are, if no more than `max`.
    pub fn distance(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        max: f64,
        memory: &mut SwiftMemory,
    ) -> Option<SwiftDistance> {
        self.approximate_distance(pose, other, other_pose, max, [0.0, 0.0], memory)
    }

    /// (d) The same up to an absolute error or a relative one, whichever allows more: the interval is as wide.
    pub fn approximate_distance(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        max: f64,
        [absolute, relative]: [f64; 2],
        memory: &mut SwiftMemory,
    ) -> Option<SwiftDistance> {
        let goal = Goal { max, absolute, relative, enough: 0.0 };
        self.search((pose, other, other_pose), goal, memory).filter(|found| found.distance.lower <= max)
    }

    /// (e) The local minima of the distance that are no more than a tolerance, with their nearest points; one for two
    /// pieces, where that is no end of a flat place that goes on beside it. If the bodies meet the search ends.
    ///
    /// The source ends a search at the first pair of nodes whose nearest features are no free faces, and so finds
    /// one minimum there; here all pieces below are searched, since there may be more. That each is a minimum is
    /// seen by the triangles around the two points: what is nearest on a border between pieces often is none.
    pub fn contacts(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        tolerance: f64,
        memory: &mut SwiftMemory,
    ) -> SwiftContacts {
        if let Some(point) = self.point_inside(pose, other, other_pose) {
            memory.effort = Effort::default();
            return SwiftContacts::Collision(point);
        }
        memory.turn_to(&self.hierarchy, &other.hierarchy);
        let sides = [(&*self.hierarchy, pose), (&*other.hierarchy, other_pose)];
        let goal = Goal { max: tolerance, absolute: 0.0, relative: 0.0, enough: 0.0 };
        let (mut found, mut collision, mut effort) = (Vec::new(), None, Effort::default());
        let search = Search::new(sides[0], sides[1], &mut memory.features, goal);
        search.all_within(tolerance, |search, [i, j], gap| {
            let (distance, points) = search.of_leaves(i, j, gap, tolerance);
            effort = search.effort;
            if distance.upper == 0.0 {
                collision = Some(points[0]);
                return ControlFlow::Break(());
            }
            if distance.lower <= tolerance {
                let (normal, pieces) = ((points[1] - points[0]).normalize_or_zero(), search.pieces(i, j));
                found.push(SwiftContact { distance, points, normal, pieces });
            }
            ControlFlow::Continue(())
        });
        memory.effort = effort;
        collision.map_or_else(|| SwiftContacts::Apart(minima(sides, found)), SwiftContacts::Collision)
    }

    fn search(
        &self,
        (pose, other, other_pose): (&Pose, &Self, &Pose),
        goal: Goal,
        memory: &mut SwiftMemory,
    ) -> Option<SwiftDistance> {
        memory.turn_to(&self.hierarchy, &other.hierarchy);
        if let Some(point) = self.point_inside(pose, other, other_pose) {
            let distance = Interval { lower: 0.0, upper: 0.0 };
            return Some(SwiftDistance { distance, points: [point; 2], effort: memory.effort });
        }
        let sides = ((&*self.hierarchy, pose), (&*other.hierarchy, other_pose));
        let mut search = Search::new(sides.0, sides.1, &mut memory.features, goal);
        if let Some([i, j]) = memory.last {
            let gap = search.gap(i, j);
            search.consider(i, j, &gap);
        }
        let search = match self.order {
            SwiftOrder::NearestFirst => {
                search.nearest_first();
                search
            }
            SwiftOrder::DepthFirst => search.depth_first(None),
            SwiftOrder::Front => {
                let fresh = || Front::new(FrontDepth::BothTrees);
                search.depth_first(Some(memory.front.get_or_insert_with(fresh)))
            }
        };
        let (best, effort, skipped) = (search.best, search.effort, search.skipped);
        memory.effort = effort;
        best.map(|best| {
            memory.last = Some(best.nodes);
            let distance = Interval { lower: best.distance.lower.min(skipped), upper: best.distance.upper };
            SwiftDistance { distance, points: best.points, effort }
        })
    }

    /// A vertex of one body in the other, if that is solid. Of each connected piece of the surface one is tested: if
    /// surfaces do not meet these tell whether one body is inside the other.
    fn point_inside(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> Option<DVec3> {
        let inside = |(of, of_pose): (&Self, &Pose), (solid, at): (&Self, &Pose)| {
            let body = solid.hierarchy.solid.as_ref()?.at(at);
            let mut points = of.hierarchy.representatives.iter().map(|p| of_pose.apply(*p));
            points.find(|p| contains(body, *p) == Ok(true))
        };
        let (here, there) = ((self, pose), (other, other_pose));
        inside(here, there).or_else(|| inside(there, here))
    }
}

/// Those of the pairs of nearest points that are local minima, one a place, the nearest first.
fn minima(sides: [(&Hierarchy, &Pose); 2], mut found: Vec<SwiftContact>) -> Vec<SwiftContact> {
    found.sort_by(|p, q| p.distance.upper.total_cmp(&q.distance.upper).then(p.pieces.cmp(&q.pieces)));
    let mut kept: Vec<(SwiftContact, Around)> = Vec::new();
    for contact in found {
        let around = Around::of(sides, contact.points);
        if around.is_minimum(sides, contact.distance.lower) && !kept.iter().any(|(_, k)| k.meets(&around)) {
            kept.push((contact, around));
        }
    }
    kept.into_iter().map(|(contact, _)| contact).collect()
}
