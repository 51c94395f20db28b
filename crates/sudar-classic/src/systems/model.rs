//! What the systems have in common: a mesh with its tree, and a search with a limit.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::tree::{
    BuildRules, Direct, End, Fate, Items, TraversalOrder, Visit, VolumeTree, traverse, traverse_watched,
};
use sudar::effort::{Budget, Meter};
use sudar::pair::{TriangleIntersection, triangles_intersect};
use sudar::volume::{Relative, Volume};
use sudar::{DVec3, Mesh, Pose, Triangle};

/// When a search has found enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// At the first pair of triangles that meet.
    First,
    /// At so many pairs.
    Contacts(usize),
    /// When all pairs are found.
    All,
}

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// What is enough.
    pub stop: Stop,
    /// What it may cost; a node is a test of two volumes.
    pub budget: Budget,
}

impl Limits {
    /// The first pair, at any cost.
    pub const FIRST: Self = Self { stop: Stop::First, budget: Budget::UNLIMITED };
    /// All pairs, at any cost.
    pub const ALL: Self = Self { stop: Stop::All, budget: Budget::UNLIMITED };
}

/// What a search took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Tests of two volumes.
    pub volume_tests: u64,
    /// Tests of two triangles.
    pub triangle_tests: u64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Pairs of triangles that meet, sorted, each once.
    pub pairs: Vec<[u32; 2]>,
    /// Whether the budget lasted: then these are all, or as many as were wanted.
    pub complete: bool,
    /// What it took.
    pub effort: Effort,
}

impl Found {
    /// Whether any pair was found.
    pub fn is_touching(&self) -> bool {
        !self.pairs.is_empty()
    }
}

/// A mesh with a tree over its triangles.
#[derive(Debug, Clone)]
pub struct Model<V> {
    mesh: Arc<Mesh>,
    tree: VolumeTree<V>,
    reach: f64,
}

impl<V: Volume> Model<V> {
    /// The items of the tree must be the triangles of the mesh.
    pub fn new(mesh: Arc<Mesh>, tree: VolumeTree<V>) -> Self {
        let reach = mesh.aabb().reach();
        Self { mesh, tree, reach }
    }

    /// With a tree built from the top down.
    pub fn top_down(mesh: Arc<Mesh>, rules: &BuildRules) -> Self {
        let tree = VolumeTree::top_down(&Items::triangles(&mesh), rules);
        Self::new(mesh, tree)
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The tree.
    pub fn tree(&self) -> &VolumeTree<V> {
        &self.tree
    }

    /// The mesh after a deformation, which has as many triangles, and the tree fitted to it anew from the leaves up.
    pub fn refit(&mut self, mesh: Arc<Mesh>) {
        self.tree.refit(&Items::triangles(&mesh));
        self.reach = mesh.aabb().reach();
        self.mesh = mesh;
    }

    /// The motion that brings another model into the frame of this one.
    pub fn motion<W: Volume>(&self, pose: &Pose, other: &Model<W>, other_pose: &Pose) -> Relative {
        Relative::new(pose, self.reach, other_pose, other.reach)
    }

    /// A triangle in the world.
    pub fn posed(&self, pose: &Pose, i: u32) -> Triangle {
        self.mesh.triangle(i).corners().map(|p| pose.apply(p)).into()
    }

    /// The pairs of triangles of two models that meet, by a traversal of both trees in an order.
    pub fn collide(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        order: TraversalOrder,
        limits: Limits,
    ) -> Found {
        let mut leaves = LeafPairs::new((self, pose), (other, other_pose), limits.stop);
        let mut meter = Meter::new(&limits.budget);
        let trees = (&self.tree, &other.tree);
        let mut kernel = Direct::new(trees.0, trees.1, &self.motion(pose, other, other_pose));
        let end = traverse(trees, &mut kernel, order, &mut meter, |a, b| leaves.show(a, b));
        leaves.found(end, meter.statistics().nodes)
    }

    /// [`Model::collide`], which reports every pair of nodes that it tests, in order.
    pub fn collide_watched(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        order: TraversalOrder,
        limits: Limits,
        report: &mut dyn FnMut(Visit),
    ) -> Found {
        let mut leaves = LeafPairs::new((self, pose), (other, other_pose), limits.stop);
        let mut meter = Meter::new(&limits.budget);
        let trees = (&self.tree, &other.tree);
        let mut kernel = Direct::new(trees.0, trees.1, &self.motion(pose, other, other_pose));
        let show = |a, b| leaves.show_watched(a, b);
        let end = traverse_watched(trees, &mut kernel, order, &mut meter, show, report);
        leaves.found(end, meter.statistics().nodes)
    }
}

/// Tests the triangles of pairs of leaves and collects those that meet.
pub(crate) struct LeafPairs<'a, V> {
    a: (&'a Model<V>, &'a Pose),
    b: (&'a Model<V>, &'a Pose),
    most: usize,
    pairs: BTreeSet<[u32; 2]>,
    triangle_tests: u64,
}

impl<'a, V: Volume> LeafPairs<'a, V> {
    pub fn new(a: (&'a Model<V>, &'a Pose), b: (&'a Model<V>, &'a Pose), stop: Stop) -> Self {
        let most = match stop {
            Stop::First => 1,
            Stop::Contacts(n) => n.max(1),
            Stop::All => usize::MAX,
        };
        Self { a, b, most, pairs: BTreeSet::new(), triangle_tests: 0 }
    }

    pub fn show(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let ((model_a, pose_a), (model_b, pose_b)) = (self.a, self.b);
        for &i in model_a.tree.items(a) {
            let first = model_a.posed(pose_a, i);
            for &j in model_b.tree.items(b) {
                self.triangle_tests += 1;
                if triangles_intersect(&first, &model_b.posed(pose_b, j)) {
                    self.pairs.insert([i, j]);
                    if self.pairs.len() >= self.most {
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The same, and what became of the pair.
    pub fn show_watched(&mut self, a: u32, b: u32) -> (ControlFlow<()>, Fate) {
        let before = (self.triangle_tests, self.pairs.len());
        let flow = self.show(a, b);
        let (tests, hits) = (self.triangle_tests - before.0, (self.pairs.len() - before.1) as u64);
        (flow, Fate::Leaves { tests, hits })
    }

    pub fn found(self, end: End, volume_tests: u64) -> Found {
        let effort = Effort { volume_tests, triangle_tests: self.triangle_tests };
        let complete = !matches!(end, End::OutOfBudget(..));
        Found { pairs: self.pairs.into_iter().collect(), complete, effort }
    }
}

/// A point that two triangles share: where an edge of one goes through the other, the middle of the corners of what
/// coplanar ones share.
pub(crate) fn point_of(shared: &TriangleIntersection) -> DVec3 {
    match shared {
        TriangleIntersection::Point(p) => *p,
        TriangleIntersection::Segment(s) => s.a,
        TriangleIntersection::Polygon(corners) => corners.iter().map(|p| *p / corners.len() as f64).sum(),
    }
}

/// Tests every triangle of one mesh against every one of the other: what all systems are measured against.
pub fn brute_force(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose, stop: Stop) -> Found {
    let posed = |mesh: &Mesh, pose: &Pose| -> Vec<Triangle> {
        let triangle = |i| mesh.triangle(i).corners().map(|p| pose.apply(p)).into();
        (0..mesh.triangles().len() as u32).map(triangle).collect()
    };
    let (first, second) = (posed(a, pose_a), posed(b, pose_b));
    let most = match stop {
        Stop::First => 1,
        Stop::Contacts(n) => n.max(1),
        Stop::All => usize::MAX,
    };
    let mut found = Found { complete: true, ..Found::default() };
    for (i, s) in first.iter().enumerate() {
        for (j, t) in second.iter().enumerate() {
            found.effort.triangle_tests += 1;
            if triangles_intersect(s, t) {
                found.pairs.push([i as u32, j as u32]);
                if found.pairs.len() >= most {
                    return found;
                }
            }
        }
    }
    found
}
