//! Bodies of convex parts, and the search for parts of two of them that are near or meet.

use std::cell::Cell;
use std::ops::ControlFlow;

use crate::convex::Feature;
use crate::tree::{
    Descent, Direct, Fate, Items, Kernel, Siblings, TraversalOrder, Visit, VolumeTree, traverse,
    traverse_watched,
};
use sudar::effort::Meter;
use sudar::math::Interval;
use sudar::volume::Relative;
use sudar::{Aabb, DVec3, Pose};

use super::convex_part::{ConvexPart, PairAnswer, PairState, PosedPart};

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

/// A body of convex parts, which together need not be convex, with a tree of boxes over them, built bottom-up.
#[derive(Debug, Clone)]
pub struct ConvexBody {
    parts: Vec<ConvexPart>,
    tree: VolumeTree<Aabb>,
    reach: f64,
}

impl ConvexBody {
    /// Of these parts.
    pub fn new(parts: Vec<ConvexPart>) -> Self {
        let mut items = Items::new();
        parts.iter().for_each(|part| {
            items.push(part.vertices());
        });
        Self { tree: VolumeTree::bottom_up(&items), reach: items.reach(), parts }
    }

    /// Its parts.
    pub fn parts(&self) -> &[ConvexPart] {
        &self.parts
    }

    /// The tree, whose items are numbers of parts.
    pub fn tree(&self) -> &VolumeTree<Aabb> {
        &self.tree
    }

    /// A box around it at a pose.
    pub fn bounds(&self, pose: &Pose) -> Aabb {
        self.tree.nodes().first().map_or(Aabb::EMPTY, |root| root.volume.posed(pose))
    }

    /// About its memory in bytes: boxes over parts, vertices and half-edges of hulls.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.parts.iter().map(ConvexPart::bytes).sum::<usize>()
    }
}

/// A test of two parts, by their numbers and at their poses.
pub type TestParts<'t> = &'t mut dyn FnMut([u32; 2], PosedPart, PosedPart) -> PairAnswer;

/// How near two bodies are, or whether they meet, by a search over the trees of their parts. `measures`: the test finds
/// distances, and the nearest parts are looked for; else the search ends at the first parts that collide and looks at
/// none whose boxes are apart. `tell` is told every pair of nodes that is tested, in order; leaves test parts.
pub fn proximity(
    ids: [BodyId; 2],
    [(a, at_a), (b, at_b)]: [(&ConvexBody, &Pose); 2],
    measures: bool,
    test: TestParts,
    tell: Option<&mut dyn FnMut(Visit)>,
) -> Proximity {
    let found = Cell::new(Proximity::of(ids));
    let mut take = |p: u32, q: u32| {
        let mut so_far = found.get();
        let parts = [&a.parts[p as usize], &b.parts[q as usize]];
        so_far.take([p, q], &test([p, q], (parts[0], at_a), (parts[1], at_b)));
        found.set(so_far);
        if so_far.colliding { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if a.parts.len() == 1 && b.parts.len() == 1 {
        let _ = take(0, 0);
        let hits = u64::from(found.get().colliding);
        if let Some(tell) = tell {
            tell(Visit { nodes: [0, 0], fate: Fate::Leaves { tests: 1, hits } });
        }
        return found.get();
    }
    let motion = Relative::new(at_a, a.reach, at_b, b.reach);
    let trees = (&a.tree, &b.tree);
    let count = || (u64::from(found.get().tests), found.get().colliding);
    let box_tests = if measures {
        let nearer = |gap: f64| gap <= found.get().upper();
        search(trees, &mut Nearby { a: &a.tree, b: &b.tree, motion: &motion, nearer }, take, count, tell)
    } else {
        search(trees, &mut Direct::new(&a.tree, &b.tree, &motion), take, count, tell)
    };
    Proximity { box_tests, ..found.get() }
}

/// Shows the parts of two bodies whose boxes the kernel lets through, nearest first; how many boxes were tested.
/// `count`: parts that were tested so far, and whether any collide.
fn search(
    trees: (&VolumeTree<Aabb>, &VolumeTree<Aabb>),
    kernel: &mut impl Kernel,
    mut take: impl FnMut(u32, u32) -> ControlFlow<()>,
    count: impl Fn() -> (u64, bool),
    tell: Option<&mut dyn FnMut(Visit)>,
) -> u64 {
    let order = TraversalOrder { descent: Descent::Larger, siblings: Siblings::NearestFirst };
    let mut meter = Meter::unlimited();
    let mut visit = |x: u32, y: u32| {
        let mut second = trees.1.items(y).iter();
        second.try_for_each(|&q| trees.0.items(x).iter().try_for_each(|&p| take(p, q)))
    };
    let _ = match tell {
        None => traverse(trees, kernel, order, &mut meter, visit),
        Some(tell) => {
            let watched = |x: u32, y: u32| {
                let (before, flow) = (count().0, visit(x, y));
                let (tests, hit) = count();
                (flow, Fate::Leaves { tests: tests - before, hits: u64::from(hit) })
            };
            traverse_watched(trees, kernel, order, &mut meter, watched, tell)
        }
    };
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
