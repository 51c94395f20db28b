//! SWIFT++.

use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use crate::convex::ClosestFeatures;
use crate::tree::SplitPoint;
use sudar::math::Interval;
use sudar::pair::{
    TriangleIntersection, disjoint_triangle_distance_bounds, triangle_intersection, triangles_intersect,
};
use sudar::{Aabb, DVec3, HullError, Mesh, Pose, Triangle};

use super::swift_nodes::{Gap, Hierarchy, HullNode, Waiting};
use crate::Effort;

/// How SWIFT++ builds and searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SwiftOptions {
    /// Where the pieces of a node are split along the axis of their greatest spread: median, mid-range or mean.
    pub point: SplitPoint,
    /// Whether nearest pairs of nodes come first; else the search goes depth first ("directed search").
    pub directed: bool,
}

impl SwiftOptions {
    /// Split at the median, nearest pairs first.
    pub const DEFAULT: Self = Self { point: SplitPoint::Median, directed: true };
}

impl Default for SwiftOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A body as a hierarchy of convex hulls over the convex pieces of its surface (Ehmann and Lin 2001,
/// "Accurate and fast proximity queries between polyhedra using convex surface decomposition").
///
/// Two nodes are as far apart as their hulls, by walking to the nearest features. If these lie on the surface
/// itself, nothing below can be nearer; else the larger node is opened. Where hulls of pieces are nearest at
/// faces that the surface does not have, the triangles of the pieces decide. The source takes such faces of
/// pieces, "contained" ones, to be inside a closed body; here a mesh is its surface, so that all answers are
/// those of [`sudar::query`] for meshes.
#[derive(Debug, Clone)]
pub struct Swift {
    mesh: Arc<Mesh>,
    hierarchy: Hierarchy,
    directed: bool,
}

/// What is kept of two bodies from one query to the next: nearest features of pairs of nodes, and the pair of
/// pieces that gave the last answer ("caching").
#[derive(Debug, Clone, Default)]
pub struct SwiftMemory {
    features: BTreeMap<[u32; 2], ClosestFeatures>,
    last: Option<[u32; 2]>,
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
}

/// A distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwiftDistance {
    /// Holds the distance of the surfaces.
    pub distance: Interval,
    /// A point on either surface, as far apart as the upper end.
    pub points: [DVec3; 2],
    /// What it took; volumes are pairs of hulls.
    pub effort: Effort,
}

/// A place where two bodies are nearer than a tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwiftContact {
    /// Holds the distance of the two convex pieces.
    pub distance: Interval,
    /// The nearest points.
    pub points: [DVec3; 2],
    /// From the first to the second, of length 1; zero where they meet.
    pub normal: DVec3,
    /// The numbers of the pieces.
    pub pieces: [u32; 2],
}

/// When a search for the nearest pieces may end.
#[derive(Debug, Clone, Copy)]
struct Goal {
    /// What is farther apart is of no interest.
    max: f64,
    absolute: f64,
    relative: f64,
    /// A distance certainly no more than this is enough.
    enough: f64,
}

struct Search<'a> {
    a: (&'a Swift, &'a Pose),
    b: (&'a Swift, &'a Pose),
    memory: &'a mut SwiftMemory,
    best: Option<(Interval, [DVec3; 2], [u32; 2])>,
    effort: Effort,
    serial: u64,
}

impl Swift {
    /// Cuts the surface into convex pieces and builds the hierarchy over them.
    ///
    /// # Errors
    /// [`HullError`] if there are too many points for a hull.
    pub fn new(mesh: Arc<Mesh>, options: &SwiftOptions) -> Result<Self, HullError> {
        let hierarchy = Hierarchy::new(&mesh, options.point)?;
        Ok(Self { mesh, hierarchy, directed: options.directed })
    }

    /// How many convex pieces there are.
    pub fn pieces(&self) -> usize {
        self.hierarchy.pieces.len()
    }

    /// About the memory of the hierarchy in bytes: vertices and half-edges of all hulls.
    pub fn bytes(&self) -> usize {
        let of_hull = |node: &HullNode| {
            let features = node.map.as_ref().map_or(0, crate::convex::FeatureMap::features);
            24 * node.faces.len() + 64 * features
        };
        self.hierarchy.nodes.iter().map(of_hull).sum()
    }

    /// (a) Whether the surfaces have a point in common. Exact.
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

    /// (e) Every pair of convex pieces that is no farther apart than a tolerance, with its nearest points,
    /// sorted by distance.
    pub fn contacts(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        tolerance: f64,
        memory: &mut SwiftMemory,
    ) -> Vec<SwiftContact> {
        let mut search = Search::new((self, pose), (other, other_pose), memory);
        let mut found = Vec::new();
        let mut todo = vec![(0, 0)];
        while let Some((i, j)) = todo.pop() {
            let gap = search.gap(i, j);
            if gap.distance.lower > tolerance {
                continue;
            }
            if search.is_leaf(i, j) {
                let (distance, points) = search.of_leaves(i, j, &gap, tolerance);
                if distance.lower <= tolerance {
                    let way = points[1] - points[0];
                    let normal = if distance.upper > 0.0 { way.normalize_or_zero() } else { DVec3::ZERO };
                    found.push(SwiftContact { distance, points, normal, pieces: search.pieces(i, j) });
                }
            } else {
                todo.extend(search.children(i, j));
            }
        }
        search.memory.effort = search.effort;
        found.sort_by(|p, q| p.distance.upper.total_cmp(&q.distance.upper).then(p.pieces.cmp(&q.pieces)));
        found
    }

    fn search(
        &self,
        (pose, other, other_pose): (&Pose, &Self, &Pose),
        goal: Goal,
        memory: &mut SwiftMemory,
    ) -> Option<SwiftDistance> {
        let mut search = Search::new((self, pose), (other, other_pose), memory);
        if let Some([i, j]) = search.memory.last
            && search.is_leaf(i, j)
        {
            let gap = search.gap(i, j);
            search.consider(i, j, &gap, goal.max);
        }
        let lower = if self.directed { search.nearest_first(goal) } else { search.depth_first(goal) };
        let effort = search.effort;
        search.memory.effort = effort;
        search.best.map(|(best, points, last)| {
            search.memory.last = Some(last);
            let distance = Interval { lower: best.lower.min(lower), upper: best.upper };
            SwiftDistance { distance, points, effort }
        })
    }
}

impl<'a> Search<'a> {
    fn new(a: (&'a Swift, &'a Pose), b: (&'a Swift, &'a Pose), memory: &'a mut SwiftMemory) -> Self {
        Self { a, b, memory, best: None, effort: Effort::default(), serial: 0 }
    }

    fn gap(&mut self, i: u32, j: u32) -> Gap {
        self.effort.volume_tests += 1;
        let features = self.memory.features.entry([i, j]).or_default();
        let (a, b) = (&self.a.0.hierarchy.nodes[i as usize], &self.b.0.hierarchy.nodes[j as usize]);
        a.gap(self.a.1, b, self.b.1, features)
    }

    fn is_leaf(&self, i: u32, j: u32) -> bool {
        self.a.0.hierarchy.tree.node(i).is_leaf && self.b.0.hierarchy.tree.node(j).is_leaf
    }

    fn pieces(&self, i: u32, j: u32) -> [u32; 2] {
        let first = |swift: &Swift, i| swift.hierarchy.tree.items(i).first().copied().unwrap_or(0);
        [first(self.a.0, i), first(self.b.0, j)]
    }

    /// The pairs below two nodes, of which the larger is opened.
    fn children(&self, i: u32, j: u32) -> Vec<(u32, u32)> {
        let (a, b) = (&self.a.0.hierarchy.tree, &self.b.0.hierarchy.tree);
        let size = |aabb: &Aabb| aabb.extent().length_squared();
        let larger = size(&a.node(i).volume) > size(&b.node(j).volume);
        if b.node(j).is_leaf || (!a.node(i).is_leaf && larger) {
            a.children(i).map(|i| (i, j)).collect()
        } else {
            b.children(j).map(|j| (i, j)).collect()
        }
    }

    fn upper(&self, max: f64) -> f64 {
        self.best.map_or(max, |(best, ..)| best.upper.min(max))
    }

    /// Whether the best answer is good enough, when nothing else is nearer than `lower`.
    fn is_done(&self, goal: Goal, lower: f64) -> bool {
        self.best.is_some_and(|(best, ..)| {
            best.upper <= goal.enough
                || best.upper - lower.min(best.lower) <= goal.absolute.max(goal.relative * best.upper)
                || lower >= best.upper
        })
    }

    /// What a pair of nodes gives at once: a distance if it is one of surfaces or leaves.
    fn consider(&mut self, i: u32, j: u32, gap: &Gap, max: f64) {
        let most = self.upper(max);
        let (distance, points) = match gap.on_surfaces {
            Some(points) => (gap.distance, points),
            None if self.is_leaf(i, j) => self.of_leaves(i, j, gap, most),
            None => return,
        };
        if distance.upper < self.best.map_or(f64::INFINITY, |(best, ..)| best.upper) {
            self.best = Some((distance, points, [i, j]));
        }
    }

    /// Pops the nearest pair; a bound on all that was not visited, and not farther than the goal allows.
    fn nearest_first(&mut self, goal: Goal) -> f64 {
        let mut heap = BinaryHeap::new();
        self.push(0, 0, &mut |waiting| heap.push(waiting), goal);
        while let Some(Waiting { lower, a, b, gap, .. }) = heap.pop() {
            if lower > self.upper(goal.max) || self.is_done(goal, lower) {
                return lower;
            }
            self.consider(a, b, &gap, goal.max);
            if gap.on_surfaces.is_none() && !self.is_leaf(a, b) {
                for (i, j) in self.children(a, b) {
                    self.push(i, j, &mut |waiting| heap.push(waiting), goal);
                }
            }
        }
        f64::INFINITY
    }

    fn depth_first(&mut self, goal: Goal) -> f64 {
        let mut todo = vec![(0, 0)];
        let mut skipped = f64::INFINITY;
        while let Some((i, j)) = todo.pop() {
            if self.best.is_some_and(|(best, ..)| best.upper <= goal.enough) {
                return 0.0;
            }
            let gap = self.gap(i, j);
            let most = self.upper(goal.max);
            // A pair that cannot make the answer better by more than the error allowed is left out.
            if gap.distance.lower > most - goal.absolute.max(goal.relative * most)
                || gap.distance.lower > goal.max
            {
                skipped = skipped.min(gap.distance.lower);
                continue;
            }
            self.consider(i, j, &gap, goal.max);
            if gap.on_surfaces.is_none() && !self.is_leaf(i, j) {
                todo.extend(self.children(i, j));
            }
        }
        skipped
    }

    fn push(&mut self, i: u32, j: u32, heap: &mut impl FnMut(Waiting), goal: Goal) {
        let gap = self.gap(i, j);
        let lower = gap.distance.lower;
        if lower <= self.upper(goal.max) {
            self.serial += 1;
            heap(Waiting { lower, serial: self.serial, a: i, b: j, gap });
        }
    }

    /// The distance of the triangles of two pieces, where it is less than `most`; else that of the hulls with
    /// any points.
    fn of_leaves(&mut self, i: u32, j: u32, gap: &Gap, most: f64) -> (Interval, [DVec3; 2]) {
        if let Some(points) = gap.on_surfaces {
            return (gap.distance, points);
        }
        let [p, q] = self.pieces(i, j);
        let (first, second) = (posed(self.a, p), posed(self.b, q));
        let mut best = (Interval { lower: f64::INFINITY, upper: f64::INFINITY }, [DVec3::ZERO; 2]);
        let around = |all: &[Triangle]| all.iter().fold(Aabb::EMPTY, |aabb, t| aabb.union(t.aabb()));
        let whole = around(&second);
        for s in &first {
            if s.aabb().gap(&whole) > most.min(best.0.upper) {
                continue;
            }
            for t in &second {
                if s.aabb().gap(&t.aabb()) > most.min(best.0.upper) {
                    continue;
                }
                self.effort.triangle_tests += 1;
                if triangles_intersect(s, t) {
                    let point = match triangle_intersection(s, t) {
                        Some(TriangleIntersection::Point(p)) => p,
                        Some(TriangleIntersection::Segment(e)) => e.a,
                        Some(TriangleIntersection::Polygon(corners)) => {
                            corners.first().copied().unwrap_or(s.a)
                        }
                        None => s.a,
                    };
                    return (Interval { lower: 0.0, upper: 0.0 }, [point; 2]);
                }
                let (nearest, distance) = disjoint_triangle_distance_bounds(s, t);
                if distance.upper < best.0.upper {
                    best.1 = [nearest.a, nearest.b];
                }
                best.0 = Interval {
                    lower: best.0.lower.min(distance.lower),
                    upper: best.0.upper.min(distance.upper),
                };
            }
        }
        best
    }
}

/// The triangles of a piece in the world.
fn posed((swift, pose): (&Swift, &Pose), piece: u32) -> Vec<Triangle> {
    let place = |&t: &u32| swift.mesh.triangle(t).corners().map(|p| pose.apply(p)).into();
    swift.hierarchy.pieces[piece as usize].triangles.iter().map(place).collect()
}
