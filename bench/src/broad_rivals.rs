//! The broad phases of other libraries on boxes, in `f32` where they have nothing else.

use std::time::Duration;

use box3d_rust::dynamic_tree::{DEFAULT_CATEGORY_BITS, DEFAULT_MASK_BITS, DynamicTree};
use box3d_rust::math_functions::{Aabb as Box3dBox, Vec3 as Box3dVector};
use glam::{DVec3, Vec3A};
use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb as ObvhsBox;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhLeafUpdateStatus, BvhWorkspace};
use rapier3d::prelude::{
    BroadPhaseBvh, BroadPhasePairEvent, ColliderBuilder, ColliderHandle, ColliderSet, IntegrationParameters,
    RigidBodySet,
};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use sudar::Aabb;

/// A way to list the pairs of boxes from nothing.
#[derive(Debug, Clone, Copy)]
pub struct FromScratch {
    /// Library and structure.
    pub name: &'static str,
    /// Lists the pairs.
    pub pairs: fn(&[Aabb]) -> Vec<[u32; 2]>,
}

/// All of them.
pub const FROM_SCRATCH: [FromScratch; 4] = [
    FromScratch { name: "parry3d", pairs: parry_pairs },
    FromScratch { name: "obvhs", pairs: obvhs_pairs },
    FromScratch { name: "rstar", pairs: rstar_pairs },
    FromScratch { name: "box3d-rust", pairs: box3d_pairs },
];

fn parry_box(b: &Aabb) -> ParryBox {
    let vector = |p: DVec3| Vector::new(p.x as f32, p.y as f32, p.z as f32);
    ParryBox::new(vector(b.min), vector(b.max))
}

fn parry_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.iter().map(parry_box).enumerate());
    pairs_in(&tree)
}

fn pairs_in(tree: &Bvh) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |i, j| pairs.push([i, j]));
    pairs
}

fn obvhs_box(b: &Aabb) -> ObvhsBox {
    let vector = |p: DVec3| Vec3A::new(p.x as f32, p.y as f32, p.z as f32);
    ObvhsBox::new(vector(b.min), vector(b.max))
}

fn obvhs_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let boxes: Vec<ObvhsBox> = boxes.iter().map(obvhs_box).collect();
    let tree = build_bvh2(&boxes, BvhBuildParams::fastest_build(), &mut Duration::default());
    let mut pairs = Vec::new();
    for (i, own) in (0..).zip(&boxes) {
        tree.aabb_traverse(*own, |tree, node| {
            each_in(tree, node, |j| {
                if j > i && boxes[j as usize].intersect_aabb(own) {
                    pairs.push([i, j]);
                }
            });
            true
        });
    }
    pairs
}

fn each_in(tree: &Bvh2, node: u32, visit: impl FnMut(u32)) {
    let node = &tree.nodes[node as usize];
    let first = node.first_index as usize;
    tree.primitive_indices[first..first + node.prim_count as usize].iter().copied().for_each(visit);
}

fn rstar_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let corners = |b: &Aabb| (b.min.to_array(), b.max.to_array());
    let leaf = |(i, b): (u32, &Aabb)| {
        let (min, max) = corners(b);
        GeomWithData::new(Rectangle::from_corners(min, max), i)
    };
    let tree = RTree::bulk_load((0..).zip(boxes).map(leaf).collect());
    let mut pairs = Vec::new();
    for (i, b) in (0..).zip(boxes) {
        let (min, max) = corners(b);
        let met = tree.locate_in_envelope_intersecting(AABB::from_corners(min, max));
        pairs.extend(met.filter(|other| other.data > i).map(|other| [i, other.data]));
    }
    pairs
}

fn box3d_box(b: &Aabb) -> Box3dBox {
    let vector = |p: DVec3| Box3dVector { x: p.x as f32, y: p.y as f32, z: p.z as f32 };
    Box3dBox { lower_bound: vector(b.min), upper_bound: vector(b.max) }
}

fn box3d_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    Box3d::with_margin(boxes, 0.0).pairs(boxes)
}

/// A broad phase that follows moving boxes.
pub trait Follows {
    /// Moves all boxes and brings the pairs up to date; how many changes or pairs there are.
    fn frame(&mut self, boxes: &[Aabb]) -> usize;

    /// The same where only some boxes moved, which are told by their numbers.
    fn told(&mut self, boxes: &[Aabb], moved: &[u32]) -> usize;

    /// Memory in use in bytes, if that is known.
    fn memory(&self) -> Option<usize> {
        None
    }
}

/// Makes one for boxes.
pub type Follower = fn(&[Aabb]) -> Box<dyn Follows>;

/// The dynamic ones by name. All tell of changes alone, of grown boxes, as they do within their own worlds.
pub const FOLLOWERS: [(&str, Follower); 4] = [
    ("rapier3d", |boxes| Box::new(Rapier::new(boxes, false))),
    ("rapier3d-batch", |boxes| Box::new(Rapier::new(boxes, true))),
    ("parry3d", |boxes| Box::new(Parry::new(boxes))),
    ("box3d-rust", |boxes| Box::new(Box3d::with_margin(boxes, Box3d::MARGIN))),
];

/// rapier's broad phase, with colliders that belong to no body, of which it finds the pairs of grown boxes
/// and keeps none. Either each box is set in its tree, or colliders are moved and all handed over as changed,
/// which it works through on all threads.
struct Rapier {
    in_batch: bool,
    broad_phase: BroadPhaseBvh,
    colliders: ColliderSet,
    bodies: RigidBodySet,
    handles: Vec<ColliderHandle>,
    events: Vec<BroadPhasePairEvent>,
}

impl Rapier {
    fn new(boxes: &[Aabb], in_batch: bool) -> Self {
        let mut colliders = ColliderSet::new();
        let mut insert = |b: &Aabb| {
            let half = b.extent() * 0.5;
            colliders.insert(ColliderBuilder::cuboid(half.x as f32, half.y as f32, half.z as f32))
        };
        let handles = boxes.iter().map(&mut insert).collect();
        let (broad_phase, bodies) = (BroadPhaseBvh::new(), RigidBodySet::new());
        let mut rapier = Self { in_batch: true, broad_phase, colliders, bodies, handles, events: Vec::new() };
        // The first boxes come with the colliders.
        rapier.frame(boxes);
        Self { in_batch, ..rapier }
    }
}

impl Rapier {
    fn update<'a>(&mut self, moved: impl Iterator<Item = (u32, &'a Aabb)>) -> usize {
        let Self { in_batch, broad_phase, colliders, bodies, handles, events } = self;
        let parameters = IntegrationParameters::default();
        events.clear();
        let mut batch = Vec::new();
        for (i, b) in moved {
            let handle = &handles[i as usize];
            if !*in_batch {
                broad_phase.set_aabb(&parameters, *handle, parry_box(b));
            } else if let Some(collider) = colliders.get_mut(*handle) {
                let c = b.center();
                collider.set_translation(Vector::new(c.x as f32, c.y as f32, c.z as f32));
                batch.push(*handle);
            }
        }
        broad_phase.update(&parameters, colliders, bodies, &batch, &[], events);
        events.len()
    }
}

impl Follows for Rapier {
    fn frame(&mut self, boxes: &[Aabb]) -> usize {
        self.update((0..).zip(boxes))
    }

    fn told(&mut self, boxes: &[Aabb], moved: &[u32]) -> usize {
        self.update(moved.iter().map(|&i| (i, &boxes[i as usize])))
    }
}

/// parry's tree of grown boxes, put right where a box has left its own, and searched for pairs with such boxes.
struct Parry {
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl Parry {
    fn new(boxes: &[Aabb]) -> Self {
        let grown = boxes.iter().map(|b| parry_box(&b.grown(Box3d::MARGIN)));
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, grown.enumerate());
        Self { tree, workspace: BvhWorkspace::default() }
    }
}

impl Parry {
    fn update<'a>(&mut self, moved: impl Iterator<Item = (u32, &'a Aabb)>) -> usize {
        let Self { tree, workspace } = self;
        let mut changed = false;
        for (i, b) in moved {
            let status = tree.insert_or_update_partially(parry_box(b), i, Box3d::MARGIN as f32);
            changed |= status != BvhLeafUpdateStatus::Unchanged;
        }
        if !changed {
            return 0;
        }
        tree.refit(workspace);
        let mut count = 0;
        tree.traverse_bvtt_single_tree::<true>(workspace, &mut |_, _| count += 1);
        tree.optimize_incremental(workspace);
        count
    }
}

impl Follows for Parry {
    fn frame(&mut self, boxes: &[Aabb]) -> usize {
        self.update((0..).zip(boxes))
    }

    fn told(&mut self, boxes: &[Aabb], moved: &[u32]) -> usize {
        self.update(moved.iter().map(|&i| (i, &boxes[i as usize])))
    }
}

/// Box3D's tree of grown boxes, which are put in again where a box has left its own, and searched for those boxes.
struct Box3d {
    tree: DynamicTree,
    proxies: Vec<i32>,
    grown: Vec<Aabb>,
    margin: f64,
    moved: Vec<u32>,
}

impl Box3d {
    /// About what the library grows unit boxes by.
    const MARGIN: f64 = 0.05;

    fn with_margin(boxes: &[Aabb], margin: f64) -> Self {
        let mut tree = DynamicTree::new(boxes.len() as i32);
        let grown: Vec<Aabb> = boxes.iter().map(|b| b.grown(margin)).collect();
        let mut insert = |(i, b): (u64, &Aabb)| tree.create_proxy(box3d_box(b), DEFAULT_CATEGORY_BITS, i);
        let proxies = (0..).zip(&grown).map(&mut insert).collect();
        tree.rebuild(true);
        Self { tree, proxies, grown, margin, moved: Vec::new() }
    }

    fn pairs(&self, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for (i, b) in (0..).zip(boxes) {
            self.tree.query(box3d_box(b), DEFAULT_MASK_BITS, false, |_, j| {
                let j = j as u32;
                let other = &boxes[j as usize];
                if j > i && b.min.cmple(other.max).all() && other.min.cmple(b.max).all() {
                    pairs.push([i, j]);
                }
                true
            });
        }
        pairs
    }
}

impl Box3d {
    fn update<'a>(&mut self, moved: impl Iterator<Item = (u32, &'a Aabb)>) -> usize {
        self.moved.clear();
        for (i, b) in moved {
            let (proxy, grown) = (self.proxies[i as usize], &mut self.grown[i as usize]);
            if !(grown.min.cmple(b.min).all() && b.max.cmple(grown.max).all()) {
                *grown = b.grown(self.margin);
                self.tree.move_proxy(proxy, box3d_box(grown));
                self.moved.push(i);
            }
        }
        if self.moved.is_empty() {
            return 0;
        }
        self.tree.rebuild(false);
        let mut count = 0;
        for &i in &self.moved {
            let own = box3d_box(&self.grown[i as usize]);
            self.tree.query(own, DEFAULT_MASK_BITS, false, |_, j| {
                count += usize::from(j != u64::from(i));
                true
            });
        }
        count
    }
}

impl Follows for Box3d {
    fn frame(&mut self, boxes: &[Aabb]) -> usize {
        self.update((0..).zip(boxes))
    }

    fn told(&mut self, boxes: &[Aabb], moved: &[u32]) -> usize {
        self.update(moved.iter().map(|&i| (i, &boxes[i as usize])))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use sudar::broad::candidate_pairs;

    use super::*;

    #[test]
    fn rivals_find_the_same_pairs() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(5);
        let mut one = || {
            let mut point =
                |most: f64| DVec3::from_array(std::array::from_fn(|_| rng.random_range(0.0..most)));
            let (center, half) = (point(9.0), point(0.2) + DVec3::splat(0.4));
            Aabb { min: center - half, max: center + half }
        };
        let boxes: Vec<Aabb> = (0..400).map(|_| one()).collect();
        let expected = candidate_pairs(&boxes);
        for rival in FROM_SCRATCH {
            let mut pairs: Vec<[u32; 2]> =
                (rival.pairs)(&boxes).into_iter().map(|[i, j]| [i.min(j), i.max(j)]).collect();
            pairs.sort_unstable();
            // None of them comes so near to touching that `f32` hides it.
            assert_eq!(pairs, expected, "{}", rival.name);
        }
        for (name, make) in FOLLOWERS {
            // Nothing moved, nothing changes; then one box goes to where another is and nothing else changes its tree.
            let (mut follower, mut boxes) = (make(&boxes), boxes.clone());
            assert_eq!(follower.frame(&boxes), 0, "{name}");
            boxes[0] = boxes[1];
            // Of colliders without a body rapier finds pairs and keeps none: less work than in a world.
            let found = follower.frame(&boxes);
            assert!(found > 0 || name.starts_with("rapier3d"), "{name}");
        }
    }
}
