//! The hierarchies of a system over the pair, and its search, visit by visit.

use std::sync::Arc;

use sudar::effort::Budget;
use sudar::tree::{Child, WideTree};
use sudar::{Aabb, Mesh, Pose};
use sudar_classic::look::{Outline, ShownNode, System, SystemPair};
use sudar_classic::tree::{Fate, Visit};

use super::model::Model;
use crate::demo::DemoError;

/// What may be looked at: nothing, the tree of the engine, or a classic system.
pub const NAMES: [&str; 14] = [
    NONE,
    ENGINE,
    "sphere-tree",
    "solid",
    "rapid",
    "quickcd-6",
    "quickcd-14",
    "quickcd-18",
    "quickcd-26",
    "cd",
    "swift",
    "coldet",
    "i-collide",
    "q-collide",
];

pub const NONE: &str = "none";
pub const ENGINE: &str = "engine";

/// More pairs of nodes than this are not kept.
const MOST_VISITS: u64 = 200_000;

/// The nodes of both bodies, and what a search does with them.
#[derive(Debug, Clone)]
pub struct Trees {
    name: &'static str,
    meshes: [Arc<Mesh>; 2],
    pair: Option<SystemPair>,
    nodes: [Vec<ShownNode>; 2],
    visits: Vec<Visit>,
}

/// What a search has done up to some visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub visits: u64,
    pub pruned: u64,
    pub opened: u64,
    pub leaves: u64,
    pub triangle_tests: u64,
    pub hits: u64,
}

impl Trees {
    /// Builds the structures of that name.
    ///
    /// # Errors
    /// [`DemoError`] if a model has no triangles, or the system refuses them.
    pub fn new(name: &'static str, models: [&Model; 2]) -> Result<Self, DemoError> {
        let mesh = |model: &Model| {
            let none = || DemoError(format!("{} has no triangles to build a tree over", model.name));
            model.mesh.clone().ok_or_else(none)
        };
        let meshes = [mesh(models[0])?, mesh(models[1])?];
        let system = System::ALL.into_iter().find(|system| system.name() == name);
        let pair = system.map(|system| SystemPair::new(system, meshes.clone()));
        let pair = pair.transpose().map_err(DemoError::of)?;
        let nodes = match &pair {
            Some(pair) => [pair.nodes(0), pair.nodes(1)],
            None => [engine_nodes(&meshes[0]), engine_nodes(&meshes[1])],
        };
        Ok(Self { name, meshes, pair, nodes, visits: Vec::new() })
    }

    /// Whether these are the structures of that name over those models.
    pub fn fits(&self, name: &str, models: [&Model; 2]) -> bool {
        let same = |k: usize| models[k].mesh.as_ref().is_some_and(|mesh| Arc::ptr_eq(mesh, &self.meshes[k]));
        self.name == name && same(0) && same(1)
    }

    /// Searches anew, with the bodies at these poses. The engine's search is too fast to be watched.
    pub fn search(&mut self, poses: [&Pose; 2]) {
        self.visits.clear();
        let Some(pair) = &mut self.pair else { return };
        let visits = &mut self.visits;
        pair.search(poses, Budget::nodes(MOST_VISITS), &mut |visit| visits.push(visit));
        visits.truncate(MOST_VISITS as usize);
    }

    /// Every pair of nodes that was tested, in order; none of the engine.
    pub fn visits(&self) -> &[Visit] {
        &self.visits
    }

    /// All nodes of a body.
    pub fn nodes(&self, side: usize) -> &[ShownNode] {
        &self.nodes[side]
    }

    /// Those of a level, and leaves above it.
    pub fn level(&self, side: usize, level: u32) -> impl Iterator<Item = &ShownNode> {
        let is_there = move |node: &&ShownNode| node.level == level || (node.is_leaf && node.level < level);
        self.nodes[side].iter().filter(is_there)
    }

    /// The deepest level of either body.
    pub fn depth(&self) -> u32 {
        self.nodes.iter().flatten().map(|node| node.level).max().unwrap_or(0)
    }

    /// What the first visits came to.
    pub fn counts(&self, visits: usize) -> Counts {
        let mut counts = Counts::default();
        for visit in self.visits.iter().take(visits) {
            counts.visits += 1;
            match visit.fate {
                Fate::Pruned => counts.pruned += 1,
                Fate::Opened => counts.opened += 1,
                Fate::Leaves { tests, hits } => {
                    counts.leaves += 1;
                    counts.triangle_tests += tests;
                    counts.hits += hits;
                }
                Fate::Measured(_) | _ => counts.leaves += 1,
            }
        }
        counts
    }
}

/// What leaves hold: convex parts in I-COLLIDE and Q-COLLIDE, triangles in all others.
pub fn items(system: &str) -> &'static str {
    if matches!(system, "i-collide" | "q-collide") { "parts" } else { "triangles" }
}

/// What became of a pair of nodes, and why; `items`: what leaves hold.
pub fn says(fate: Fate, items: &str) -> String {
    match fate {
        Fate::Pruned => "pruned: their volumes are apart, or farther apart than the best".to_owned(),
        Fate::Opened => "opened: their volumes meet, the larger is replaced by its children".to_owned(),
        Fate::Leaves { tests, hits } => format!("leaves: {tests} pairs of {items} tested, {hits} meet"),
        Fate::Measured(distance) => format!("measured: {:.6} m apart", distance.upper),
        _ => String::new(),
    }
}

/// The engine's tree: eight boxes a node.
fn engine_nodes(mesh: &Mesh) -> Vec<ShownNode> {
    let tree = WideTree::new(mesh);
    let node = |level: u32, parent: Option<u32>, aabb: Aabb, leaf: &[u32]| ShownNode {
        level,
        parent,
        is_leaf: !leaf.is_empty(),
        outline: Outline::Aabb(aabb),
        triangles: leaf.to_vec(),
    };
    let mut nodes = vec![node(0, None, mesh.aabb(), &[])];
    // Numbers of nodes of the tree, with their places in the list.
    let mut todo = vec![(0, 0)];
    while let Some((number, place)) = todo.pop() {
        let level = nodes[place].level + 1;
        for (aabb, child) in tree.children(number) {
            let triangles = match child {
                Child::Node(below) => {
                    todo.push((below, nodes.len()));
                    &[]
                }
                Child::Leaf(triangles) => triangles,
            };
            nodes.push(node(level, Some(place as u32), aabb, triangles));
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::microscope::model::built_in;
    use crate::demos::microscope::stand::Stand;

    #[test]
    fn the_engines_tree_holds_every_triangle_once() {
        let model = built_in("torus").unwrap();
        let trees = Trees::new(ENGINE, [&model, &model]).unwrap();
        let mut all: Vec<u32> = trees.nodes(0).iter().flat_map(|node| node.triangles.clone()).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..1152));
        // Level by level nothing is lost: what is not at a level is in leaves above.
        for level in 0..=trees.depth() {
            assert!(trees.level(0, level).count() >= 1);
        }
        assert!(trees.visits().is_empty() && trees.depth() >= 2);
    }

    #[test]
    fn every_name_shows_trees_and_all_but_the_engine_a_search() {
        let models = [built_in("hare").unwrap(), built_in("capsule").unwrap()];
        let pose = Stand::new(0.5, 0.4, 0.2).pose();
        for name in NAMES.into_iter().filter(|name| *name != NONE) {
            let mut trees = Trees::new(name, [&models[0], &models[1]]).unwrap();
            assert!(
                trees.fits(name, [&models[0], &models[1]]) && !trees.fits(NONE, [&models[0], &models[1]])
            );
            trees.search([&Pose::IDENTITY, &pose]);
            assert_eq!(trees.visits().is_empty(), name == ENGINE);
            let all = trees.counts(usize::MAX);
            assert_eq!(all.visits, all.pruned + all.opened + all.leaves, "{name}");
            assert_eq!(trees.counts(0), Counts::default());
            assert!(trees.counts(1).visits <= 1);
        }
    }
}
