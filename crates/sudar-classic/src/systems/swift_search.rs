//! The search of SWIFT++ for the nearest pieces, in three orders.

use std::cell::RefCell;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::ControlFlow;

use crate::Effort;
use crate::convex::ClosestFeatures;
use crate::tree::{Descent, End, Fate, Front, Kernel, Siblings, TraversalOrder, Visit, VolumeTree, traverse};
use sudar::effort::Meter;
use sudar::math::Interval;
use sudar::pair::{disjoint_triangle_distance_bounds, triangle_intersection};
use sudar::query::{Body, DistanceOptions, distance};
use sudar::{Aabb, DVec3, Pose, Shape, Triangle};

use super::model::point_of;
use super::swift_nodes::{Gap, Hierarchy, Waiting};

/// When a search for the nearest pieces may end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal {
    /// What is farther apart is of no interest.
    pub max: f64,
    pub absolute: f64,
    pub relative: f64,
    /// A distance certainly no more than this is enough.
    pub enough: f64,
}

/// The nearest pair of nodes so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Best {
    pub distance: Interval,
    pub points: [DVec3; 2],
    pub nodes: [u32; 2],
}

/// A search for the nearest pieces of two hierarchies.
pub(crate) struct Search<'a> {
    a: (&'a Hierarchy, &'a Pose),
    b: (&'a Hierarchy, &'a Pose),
    features: &'a mut BTreeMap<[u32; 2], ClosestFeatures>,
    goal: Goal,
    pub best: Option<Best>,
    pub effort: Effort,
    /// A bound on all that was left out.
    pub skipped: f64,
    serial: u64,
}

const NOTHING: Interval = Interval { lower: f64::INFINITY, upper: f64::INFINITY };

impl<'a> Search<'a> {
    pub fn new(
        a: (&'a Hierarchy, &'a Pose),
        b: (&'a Hierarchy, &'a Pose),
        features: &'a mut BTreeMap<[u32; 2], ClosestFeatures>,
        goal: Goal,
    ) -> Self {
        let (best, effort, skipped, serial) = (None, Effort::default(), f64::INFINITY, 0);
        Self { a, b, features, goal, best, effort, skipped, serial }
    }

    pub fn gap(&mut self, i: u32, j: u32) -> Gap {
        self.effort.volume_tests += 1;
        let features = self.features.entry([i, j]).or_default();
        let (a, b) = (&self.a.0.nodes[i as usize], &self.b.0.nodes[j as usize]);
        a.gap(self.a.1, b, self.b.1, features)
    }

    pub fn is_leaf(&self, i: u32, j: u32) -> bool {
        self.a.0.tree.node(i).is_leaf && self.b.0.tree.node(j).is_leaf
    }

    /// The pieces of two leaves.
    pub fn pieces(&self, i: u32, j: u32) -> [u32; 2] {
        let first = |tree: &VolumeTree<Aabb>, i| tree.items(i).first().copied().unwrap_or(0);
        [first(&self.a.0.tree, i), first(&self.b.0.tree, j)]
    }

    fn upper(&self) -> f64 {
        self.best.map_or(self.goal.max, |best| best.distance.upper.min(self.goal.max))
    }

    /// Whether the best answer is near enough, whatever else there is.
    fn has_enough(&self) -> bool {
        self.best.is_some_and(|best| best.distance.upper <= self.goal.enough)
    }

    /// How much better than the best an answer must be to count.
    fn error(&self) -> f64 {
        self.best.map_or(0.0, |best| self.goal.absolute.max(self.goal.relative * best.distance.upper))
    }

    /// What a pair of nodes gives at once: a distance if it is one of bodies or leaves.
    pub fn consider(&mut self, i: u32, j: u32, gap: &Gap) -> Option<Interval> {
        let (distance, points) = match gap.on_bodies {
            Some(points) => (gap.distance, points),
            None if self.is_leaf(i, j) => self.of_leaves(i, j, gap, self.upper()),
            None => return None,
        };
        if distance.upper < self.best.map_or(f64::INFINITY, |best| best.distance.upper) {
            self.best = Some(Best { distance, points, nodes: [i, j] });
        }
        Some(distance)
    }

    /// Pops the nearest pair until none is nearer than the best.
    pub fn nearest_first(&mut self) {
        let (a, b) = (self.a.0, self.b.0);
        let mut heap = BinaryHeap::new();
        self.push([0, 0], &mut heap);
        while let Some(Waiting { lower, a: i, b: j, gap, .. }) = heap.pop() {
            if self.has_enough() || lower > self.upper() || self.best.is_some() && self.is_good(lower) {
                self.skipped = self.skipped.min(lower);
                return;
            }
            self.consider(i, j, &gap);
            if gap.on_bodies.is_some() || self.is_leaf(i, j) {
                continue;
            }
            if opens_first((&a.tree, &b.tree), [i, j]) {
                a.tree.children(i).for_each(|i| self.push([i, j], &mut heap));
            } else {
                b.tree.children(j).for_each(|j| self.push([i, j], &mut heap));
            }
        }
    }

    /// Whether the best answer is good enough if nothing else is nearer than `lower`.
    fn is_good(&self, lower: f64) -> bool {
        let best = self.best.map_or(NOTHING, |best| best.distance);
        best.upper - lower.min(best.lower) <= self.error() || lower >= best.upper
    }

    fn push(&mut self, [a, b]: [u32; 2], heap: &mut BinaryHeap<Waiting>) {
        let gap = self.gap(a, b);
        let lower = gap.distance.lower;
        if lower <= self.upper() {
            self.serial += 1;
            heap.push(Waiting { lower, serial: self.serial, a, b, gap });
        } else {
            self.skipped = self.skipped.min(lower);
        }
    }

    /// Goes down to every pair that may be better than the best: from the roots, or from the front on where the last
    /// search ended.
    pub fn depth_first(self, front: Option<&mut Front>) -> Self {
        let trees = (&self.a.0.tree, &self.b.0.tree);
        let shared = RefCell::new((self, None));
        let mut kernel = Hulls { trees, test: |i, j| meets(&shared, i, j) };
        let visitor = |i, j| {
            let (search, gap) = &mut *shared.borrow_mut();
            if let Some(gap) = gap.take() {
                search.consider(i, j, &gap);
            }
            if search.has_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut meter = Meter::unlimited();
        let end = match front {
            Some(front) => front.traverse(trees, &mut kernel, ORDER, &mut meter, visitor),
            None => traverse(trees, &mut kernel, ORDER, &mut meter, visitor),
        };
        let (mut search, _) = shared.into_inner();
        if end == End::Stopped || search.has_enough() {
            search.skipped = 0.0;
        }
        search
    }

    /// [`Search::depth_first`] from the roots, with every pair of nodes whose hulls are measured told in order.
    pub fn depth_first_watched(self, tell: &mut dyn FnMut(Visit)) -> Self {
        let trees = (&self.a.0.tree, &self.b.0.tree);
        let shared = RefCell::new((self, None));
        let tell = RefCell::new(tell);
        let told = |i, j, fate| (*tell.borrow_mut())(Visit { nodes: [i, j], fate });
        let test = |i, j| {
            let looked = look(&shared, i, j);
            match looked {
                Looked::Apart => told(i, j, Fate::Pruned),
                Looked::Measured(distance) => told(i, j, Fate::Measured(distance)),
                // What becomes of leaves the visitor sees.
                Looked::Nearer if shared.borrow().0.is_leaf(i, j) => {}
                Looked::Nearer => told(i, j, Fate::Opened),
            }
            matches!(looked, Looked::Nearer)
        };
        let visitor = |i, j| {
            let (search, gap) = &mut *shared.borrow_mut();
            if let Some(distance) = gap.take().and_then(|gap| search.consider(i, j, &gap)) {
                told(i, j, Fate::Measured(distance));
            }
            if search.has_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut meter = Meter::unlimited();
        let end = traverse(trees, &mut Hulls { trees, test }, ORDER, &mut meter, visitor);
        let (mut search, _) = shared.into_inner();
        if end == End::Stopped || search.has_enough() {
            search.skipped = 0.0;
        }
        search
    }

    /// Shows every pair of leaves whose hulls are no farther apart than a tolerance.
    pub fn all_within(
        self,
        tolerance: f64,
        mut show: impl FnMut(&mut Self, [u32; 2], &Gap) -> ControlFlow<()>,
    ) {
        let trees = (&self.a.0.tree, &self.b.0.tree);
        let shared = RefCell::new((self, None));
        let test = |i, j| {
            let (search, kept) = &mut *shared.borrow_mut();
            let gap = search.gap(i, j);
            *kept = Some(gap);
            gap.distance.lower <= tolerance
        };
        let mut meter = Meter::unlimited();
        let _ = traverse(trees, &mut Hulls { trees, test }, ORDER, &mut meter, |i, j| {
            let (search, gap) = &mut *shared.borrow_mut();
            gap.take().map_or(ControlFlow::Continue(()), |gap| show(search, [i, j], &gap))
        });
    }

    /// The distance of two pieces, where it is less than `most`; else that of the hulls with any points.
    pub fn of_leaves(&mut self, i: u32, j: u32, gap: &Gap, most: f64) -> (Interval, [DVec3; 2]) {
        if let Some(points) = gap.on_bodies {
            return (gap.distance, points);
        }
        let [p, q] = self.pieces(i, j);
        let (a, b) = (&self.a.0.pieces[p as usize], &self.b.0.pieces[q as usize]);
        if a.is_full || b.is_full {
            return self.of_bodies(p, q);
        }
        self.of_triangles(p, q, most)
    }

    /// The distance of the hulls of full pieces and the triangles of others, by the engine.
    fn of_bodies(&mut self, p: u32, q: u32) -> (Interval, [DVec3; 2]) {
        let mut best = (NOTHING, [DVec3::ZERO; 2]);
        for first in bodies(self.a.0, p) {
            for second in bodies(self.b.0, q) {
                self.effort.triangle_tests += 1;
                let found = distance(first.at(self.a.1), second.at(self.b.1), &DistanceOptions::EXACT);
                if found.interval.upper < best.0.upper {
                    best.1 = [found.point_a, found.point_b];
                }
                best.0 = both(best.0, found.interval);
            }
        }
        best
    }

    fn of_triangles(&mut self, p: u32, q: u32, most: f64) -> (Interval, [DVec3; 2]) {
        let (first, second) = (posed(self.a, p), posed(self.b, q));
        let mut best = (NOTHING, [DVec3::ZERO; 2]);
        let whole = second.iter().fold(Aabb::EMPTY, |aabb, t| aabb.union(t.aabb()));
        for s in &first {
            if s.aabb().gap(&whole) > most.min(best.0.upper) {
                continue;
            }
            for t in &second {
                if s.aabb().gap(&t.aabb()) > most.min(best.0.upper) {
                    continue;
                }
                self.effort.triangle_tests += 1;
                if let Some(shared) = triangle_intersection(s, t) {
                    return (Interval { lower: 0.0, upper: 0.0 }, [point_of(&shared); 2]);
                }
                let (nearest, distance) = disjoint_triangle_distance_bounds(s, t);
                if distance.upper < best.0.upper {
                    best.1 = [nearest.a, nearest.b];
                }
                best.0 = both(best.0, distance);
            }
        }
        best
    }
}

const ORDER: TraversalOrder = TraversalOrder { descent: Descent::Larger, siblings: Siblings::InOrder };

/// A search, and what it found of the last pair.
type Shared<'a> = RefCell<(Search<'a>, Option<Gap>)>;

/// What the hulls of two nodes say about what is below.
#[derive(Debug, Clone, Copy)]
enum Looked {
    /// It is no better than the best so far by more than the error allowed.
    Apart,
    /// It is as far apart as the hulls.
    Measured(Interval),
    /// It may be better.
    Nearer,
}

fn meets(shared: &Shared, i: u32, j: u32) -> bool {
    matches!(look(shared, i, j), Looked::Nearer)
}

fn look(shared: &Shared, i: u32, j: u32) -> Looked {
    let (search, kept) = &mut *shared.borrow_mut();
    if search.has_enough() {
        return Looked::Apart;
    }
    let gap = search.gap(i, j);
    let most = search.upper();
    if gap.distance.lower > (most - search.error()).min(search.goal.max) {
        search.skipped = search.skipped.min(gap.distance.lower);
        return Looked::Apart;
    }
    *kept = Some(gap);
    if gap.on_bodies.is_some() && !search.is_leaf(i, j) {
        search.consider(i, j, &gap);
        return Looked::Measured(gap.distance);
    }
    Looked::Nearer
}

/// Pairs of nodes of two hierarchies, by the distance of their hulls.
struct Hulls<'a, F> {
    trees: (&'a VolumeTree<Aabb>, &'a VolumeTree<Aabb>),
    test: F,
}

impl<F: FnMut(u32, u32) -> bool> Kernel for Hulls<'_, F> {
    type Placed = u32;

    fn place(&mut self, b: u32) -> u32 {
        b
    }

    fn meets(&mut self, a: u32, placed: &u32) -> bool {
        (self.test)(a, *placed)
    }

    /// Not known before the test.
    fn between(&self, _: u32, _: &u32) -> f64 {
        0.0
    }

    fn size_a(&self, a: u32) -> f64 {
        size(self.trees.0, a)
    }

    fn size_b(&self, b: u32) -> f64 {
        size(self.trees.1, b)
    }
}

fn size(tree: &VolumeTree<Aabb>, i: u32) -> f64 {
    tree.node(i).volume.extent().length_squared()
}

/// Whether the first of two nodes is the one to open: the larger, and no leaf.
fn opens_first((a, b): (&VolumeTree<Aabb>, &VolumeTree<Aabb>), [i, j]: [u32; 2]) -> bool {
    b.node(j).is_leaf || (!a.node(i).is_leaf && size(a, i) > size(b, j))
}

fn both(a: Interval, b: Interval) -> Interval {
    Interval { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper) }
}

/// The triangles of a piece in the world.
fn posed((hierarchy, pose): (&Hierarchy, &Pose), piece: u32) -> Vec<Triangle> {
    let place = |&t: &u32| hierarchy.mesh.triangle(t).corners().map(|p| pose.apply(p)).into();
    hierarchy.pieces[piece as usize].triangles.iter().map(place).collect()
}

/// What of a piece belongs to the body: all of its hull, or its triangles.
fn bodies(hierarchy: &Hierarchy, piece: u32) -> Vec<Body> {
    let piece = &hierarchy.pieces[piece as usize];
    if piece.is_full {
        return vec![Body::new(Shape::Hull(piece.hull.clone()))];
    }
    piece.triangles.iter().map(|&t| Body::new(Shape::Triangle(hierarchy.mesh.triangle(t)))).collect()
}
