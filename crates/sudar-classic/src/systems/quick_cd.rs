//! QuickCD.

use std::sync::Arc;

use crate::tree::{
    BuildRules, Descent, Front, FrontDepth, Kernel, Siblings, SplitAxis, SplitPoint, TraversalOrder,
    UnsplitRule, Visit, traverse, traverse_watched,
};
use crate::volume::{Kdop, KdopClimber, KdopCorners, SlabBound};
use sudar::effort::Meter;
use sudar::hull::convex_hull;
use sudar::{Mesh, Pose};

use super::model::LeafPairs;
use crate::{Found, Limits, Model, RefitKernel};

/// How k-DOPs of the moving body are brought into the frame of the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refit {
    /// Around the corners of the k-DOP of each node (the method of choice of its authors).
    Corners,
    /// The root around the hull of the body, by climbing from the last extreme vertices; all others by corners.
    HillClimbing,
    /// By a bound from three slabs (Zachmann 1998), which QuickCD does not have.
    Slabs,
}

/// What QuickCD leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuickCdOptions {
    /// Along which axis nodes are split; the splatter is nearly as good as the least sum of volumes and quick to find.
    pub axis: SplitAxis,
    /// Where; the mean gives up to 27 % less volume than the median.
    pub point: SplitPoint,
    /// Most triangles in a leaf of the moving body; [`QuickCd::threshold`] if absent.
    pub leaf: Option<usize>,
    /// How the moving body is re-fitted.
    pub refit: Refit,
    /// Whether the front is kept from one query to the next.
    pub front: bool,
}

impl QuickCdOptions {
    /// As its authors chose, with the front.
    pub const DEFAULT: Self = Self {
        axis: SplitAxis::Splatter,
        point: SplitPoint::Mean,
        leaf: None,
        refit: Refit::Corners,
        front: true,
    };
}

impl Default for QuickCdOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A body that moves in an environment that stands still, in k-DOPs with k = 2·`SLABS` (Klosowski, Held,
/// Mitchell, Sowizral and Zikan 1998, "Efficient collision detection using bounding volume hierarchies of
/// k-DOPs").
///
/// The tree of the environment has one triangle a leaf, that of the body more. The environment is opened
/// first, down to its leaves. Volumes overlap if their intervals do along every direction, the most different
/// of which are tested first.
#[derive(Debug, Clone)]
pub struct QuickCd<const SLABS: usize> {
    environment: Model<Kdop<SLABS>>,
    body: Model<Kdop<SLABS>>,
    refit: Refit,
    corners: Vec<KdopCorners>,
    climber: Option<KdopClimber<SLABS>>,
    bound: SlabBound<SLABS>,
    front: Option<Front>,
}

const ORDER: TraversalOrder = TraversalOrder { descent: Descent::First, siblings: Siblings::InOrder };

impl<const SLABS: usize> QuickCd<SLABS> {
    /// Both trees.
    pub fn new(environment: Arc<Mesh>, body: Arc<Mesh>, options: &QuickCdOptions) -> Self {
        let leaf = options.leaf.unwrap_or_else(|| Self::threshold(body.triangles().len()));
        let rules = |leaf| BuildRules {
            axis: options.axis,
            point: options.point,
            unsplit: UnsplitRule::Median,
            ties_alternate: false,
            leaf,
        };
        let environment = Model::<Kdop<SLABS>>::top_down(environment, &rules(1));
        let body = Model::<Kdop<SLABS>>::top_down(body, &rules(leaf));
        let corners = match options.refit {
            Refit::Slabs => Vec::new(),
            Refit::Corners | Refit::HillClimbing => {
                body.tree().nodes().iter().map(|node| KdopCorners::of(&node.volume)).collect()
            }
        };
        let hull = || convex_hull(body.mesh().vertices()).ok();
        let climber = if options.refit == Refit::HillClimbing { hull().map(KdopClimber::new) } else { None };
        let front = options.front.then(|| Front::new(FrontDepth::FirstTree));
        Self { environment, body, refit: options.refit, corners, climber, bound: SlabBound::new(), front }
    }

    /// How many triangles a leaf of a moving body of so many triangles has: 20 below 1000 triangles, else 40
    /// with 6 or 14 faces, 60 with 18, 100 with 26.
    pub const fn threshold(triangles: usize) -> usize {
        match (triangles < 1000, SLABS) {
            (true, _) => 20,
            (false, 9) => 60,
            (false, 13) => 100,
            (false, _) => 40,
        }
    }

    /// The environment and its tree.
    pub fn environment(&self) -> &Model<Kdop<SLABS>> {
        &self.environment
    }

    /// The moving body and its tree.
    pub fn body(&self) -> &Model<Kdop<SLABS>> {
        &self.body
    }

    /// How many pairs the front holds; 0 if none is kept.
    pub fn front_len(&self) -> usize {
        self.front.as_ref().map_or(0, Front::len)
    }

    /// The pairs of triangles of the environment and the body that meet.
    pub fn collide(&mut self, environment_pose: &Pose, body_pose: &Pose, limits: Limits) -> Found {
        let motion = self.environment.motion(environment_pose, &self.body, body_pose);
        let (a, b) = (self.environment.tree(), self.body.tree());
        let poses = (environment_pose, body_pose);
        let mut front = self.front.take();
        let found = match self.refit {
            Refit::Slabs => {
                let mut kernel = RefitKernel::by_slabs(a, b, &self.bound, &motion);
                self.searched(poses, &mut kernel, front.as_mut(), limits)
            }
            Refit::Corners | Refit::HillClimbing => {
                let root = self.climber.as_mut().map(|climber| climber.place(&motion));
                let mut kernel = RefitKernel::by_corners(a, b, &self.corners, &motion, root);
                self.searched(poses, &mut kernel, front.as_mut(), limits)
            }
        };
        self.front = front;
        found
    }

    /// [`QuickCd::collide`] from the roots on, without the front, with every pair of nodes that is tested reported in
    /// order.
    pub fn collide_watched(
        &mut self,
        environment_pose: &Pose,
        body_pose: &Pose,
        limits: Limits,
        tell: &mut dyn FnMut(Visit),
    ) -> Found {
        let motion = self.environment.motion(environment_pose, &self.body, body_pose);
        let (a, b) = (self.environment.tree(), self.body.tree());
        let poses = (environment_pose, body_pose);
        match self.refit {
            Refit::Slabs => {
                let mut kernel = RefitKernel::by_slabs(a, b, &self.bound, &motion);
                self.watched(poses, &mut kernel, limits, tell)
            }
            Refit::Corners | Refit::HillClimbing => {
                let root = self.climber.as_mut().map(|climber| climber.place(&motion));
                let mut kernel = RefitKernel::by_corners(a, b, &self.corners, &motion, root);
                self.watched(poses, &mut kernel, limits, tell)
            }
        }
    }

    fn watched<K: Kernel>(
        &self,
        (environment_pose, body_pose): (&Pose, &Pose),
        kernel: &mut K,
        limits: Limits,
        tell: &mut dyn FnMut(Visit),
    ) -> Found {
        let mut leaves =
            LeafPairs::new((&self.environment, environment_pose), (&self.body, body_pose), limits.stop);
        let mut meter = Meter::new(&limits.budget);
        let trees = (self.environment.tree(), self.body.tree());
        let end = traverse_watched(trees, kernel, ORDER, &mut meter, |a, b| leaves.show_watched(a, b), tell);
        leaves.found(end, meter.statistics().nodes)
    }

    fn searched<K: Kernel>(
        &self,
        (environment_pose, body_pose): (&Pose, &Pose),
        kernel: &mut K,
        front: Option<&mut Front>,
        limits: Limits,
    ) -> Found {
        let mut leaves =
            LeafPairs::new((&self.environment, environment_pose), (&self.body, body_pose), limits.stop);
        let mut meter = Meter::new(&limits.budget);
        let trees = (self.environment.tree(), self.body.tree());
        let show = |a, b| leaves.show(a, b);
        let end = match front {
            Some(front) => front.traverse(trees, kernel, ORDER, &mut meter, show),
            None => traverse(trees, kernel, ORDER, &mut meter, show),
        };
        leaves.found(end, meter.statistics().nodes)
    }
}
