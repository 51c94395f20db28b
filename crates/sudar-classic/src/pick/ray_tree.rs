//! Ray and hierarchy, with every node that is visited.

use std::ops::ControlFlow;
use std::sync::Arc;

use sudar::pair::{RayTriangleHit, ray_aabb, ray_obb, ray_sphere, ray_triangle};
use sudar::volume::Volume;
use sudar::{Aabb, Mesh, Obb, Ray, Sphere};

use crate::Effort;
use crate::tree::{BuildRules, Items, VolumeTree, order_few};

/// A bounding volume that a ray is tested with.
pub trait RayVolume: Volume {
    /// Where the ray comes in, 0 from inside, if it does so at a parameter of at most `max`. On the safe side.
    fn entry(&self, ray: &Ray, max: f64) -> Option<f64>;
}

impl RayVolume for Aabb {
    fn entry(&self, ray: &Ray, max: f64) -> Option<f64> {
        ray_aabb(ray, self, max).map(|hit| hit.t)
    }
}

impl RayVolume for Sphere {
    fn entry(&self, ray: &Ray, max: f64) -> Option<f64> {
        ray_sphere(ray, self, max).map(|hit| hit.t)
    }
}

impl RayVolume for Obb {
    fn entry(&self, ray: &Ray, max: f64) -> Option<f64> {
        ray_obb(ray, self, max).map(|hit| hit.t)
    }
}

/// What a search is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Any hit: the search ends at the first triangle found, in the order of the tree, as the lecture's FindFirstHitCD.
    Any,
    /// The hit with the least parameter: nearer children first, none that begin behind a hit. Of equal ones the
    /// triangle with the least number.
    First,
    /// All hits.
    All,
}

/// What becomes of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeFate {
    /// The ray misses its volume.
    Missed,
    /// Its volume begins behind a hit that was found since it was tested.
    Beyond,
    /// Its children are tested.
    Opened,
    /// Its triangles are tested.
    Leaf {
        /// How many.
        tests: u32,
        /// How many the ray meets before the hit so far.
        hits: u32,
    },
}

/// A node that a search visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeVisit {
    /// Its number in [`RayTree::tree`].
    pub node: u32,
    /// What becomes of it.
    pub fate: NodeFate,
}

/// A triangle that a ray meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeHit {
    /// Its number in the mesh.
    pub triangle: u32,
    /// Where.
    pub hit: RayTriangleHit,
}

/// What a search found, and what it took.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TreeFound {
    /// Sorted by parameter, then by triangle; one at most unless all are sought.
    pub hits: Vec<TreeHit>,
    /// Tests of the ray with volumes and with triangles.
    pub effort: Effort,
}

/// A mesh and a binary tree of bounding volumes over its triangles, one a leaf.
#[derive(Debug, Clone)]
pub struct RayTree<V> {
    mesh: Arc<Mesh>,
    tree: VolumeTree<V>,
}

/// The parameter of a triangle may be off by 1e-9; volumes are tested that much farther.
const SLACK: f64 = 1.0 + 1e-8;

impl<V: RayVolume> RayTree<V> {
    /// Built from the top: a volume around all triangles, split in two along its longest axis, and so on.
    /// O(n log n).
    pub fn top_down(mesh: Arc<Mesh>) -> Self {
        let tree = VolumeTree::top_down(&Items::triangles(&mesh), &BuildRules::DEFAULT);
        Self { mesh, tree }
    }

    /// Built from the bottom: triangles are inserted one by one, each where it enlarges the volumes least. O(n log n)
    /// for triangles in no special order, O(n²) at worst.
    pub fn bottom_up(mesh: Arc<Mesh>) -> Self {
        let tree = VolumeTree::bottom_up(&Items::triangles(&mesh));
        Self { mesh, tree }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The tree.
    pub fn tree(&self) -> &VolumeTree<V> {
        &self.tree
    }

    /// Searches for triangles that the ray meets at parameters of at most `max`, in the frame of the mesh, and reports
    /// every node that is visited, in order. Finds what [`sudar::query::ray`] and [`ray_all`](fn@sudar::query::ray_all)
    /// find of the surface.
    pub fn search(&self, ray: &Ray, max: f64, goal: Goal, report: &mut dyn FnMut(NodeVisit)) -> TreeFound {
        let found = TreeFound::default();
        let mut search = Search { tree: self, ray, goal, limit: max, found, report };
        let mut todo = Vec::new();
        if !self.tree.nodes().is_empty() {
            todo.extend(search.tested(0));
        }
        while let Some(waiting) = todo.pop() {
            if search.visit(waiting, &mut todo).is_break() {
                break;
            }
        }
        search.found.hits.sort_by(|p, q| p.hit.t.total_cmp(&q.hit.t).then(p.triangle.cmp(&q.triangle)));
        search.found
    }
}

/// A node whose volume the ray meets, and where.
type Waiting = (u32, f64);

struct Search<'a, V> {
    tree: &'a RayTree<V>,
    ray: &'a Ray,
    goal: Goal,
    limit: f64,
    found: TreeFound,
    report: &'a mut dyn FnMut(NodeVisit),
}

impl<V: RayVolume> Search<'_, V> {
    fn tested(&mut self, node: u32) -> Option<Waiting> {
        self.found.effort.volume_tests += 1;
        let entry = self.tree.tree.node(node).volume.entry(self.ray, self.limit * SLACK);
        if entry.is_none() {
            (self.report)(NodeVisit { node, fate: NodeFate::Missed });
        }
        entry.map(|t| (node, t))
    }

    fn visit(&mut self, (node, entry): Waiting, todo: &mut Vec<Waiting>) -> ControlFlow<()> {
        let tree = self.tree;
        if entry > self.limit * SLACK {
            (self.report)(NodeVisit { node, fate: NodeFate::Beyond });
            return ControlFlow::Continue(());
        }
        if tree.tree.node(node).is_leaf {
            return self.look_into(node);
        }
        (self.report)(NodeVisit { node, fate: NodeFate::Opened });
        let mut children: Vec<Waiting> = tree.tree.children(node).filter_map(|i| self.tested(i)).collect();
        if self.goal == Goal::First {
            order_few(&mut children, |p, q| p.1.total_cmp(&q.1).is_lt());
        }
        todo.extend(children.into_iter().rev());
        ControlFlow::Continue(())
    }

    fn look_into(&mut self, node: u32) -> ControlFlow<()> {
        let (mut tests, mut hits) = (0, 0);
        let mut flow = ControlFlow::Continue(());
        for &triangle in self.tree.tree.items(node) {
            tests += 1;
            let Some(hit) = ray_triangle(self.ray, &self.tree.mesh.triangle(triangle), self.limit) else {
                continue;
            };
            hits += u32::from(self.take(TreeHit { triangle, hit }));
            if self.goal == Goal::Any {
                flow = ControlFlow::Break(());
                break;
            }
        }
        self.found.effort.triangle_tests += u64::from(tests);
        (self.report)(NodeVisit { node, fate: NodeFate::Leaf { tests, hits } });
        flow
    }

    /// Keeps a hit if it is sought.
    fn take(&mut self, new: TreeHit) -> bool {
        if self.goal == Goal::First {
            let place = |one: &TreeHit| (one.hit.t, one.triangle);
            if self.found.hits.first().is_some_and(|best| place(best) <= place(&new)) {
                return false;
            }
            self.found.hits.clear();
            self.limit = new.hit.t;
        }
        self.found.hits.push(new);
        true
    }
}

#[cfg(test)]
mod tests {
    use sudar::query::{Body, ray, ray_all, ray_any};
    use sudar::{DVec3, Pose, Shape};
    use sudar_testing::{Random, meshes};

    use super::*;

    fn agrees<V: RayVolume>(tree: &RayTree<V>, body: &Body, line: &Ray, max: f64) -> usize {
        let placed = body.at(&Pose::IDENTITY);
        let search = |goal| {
            let (mut visits, mut tests) = (0, 0);
            let found = tree.search(line, max, goal, &mut |visit| {
                visits += 1;
                if let NodeFate::Leaf { tests: more, .. } = visit.fate {
                    tests += u64::from(more);
                }
            });
            assert_eq!(found.effort.triangle_tests, tests);
            assert!(found.effort.volume_tests == visits || goal == Goal::Any);
            found.hits
        };
        let all = search(Goal::All);
        let expected: Vec<(f64, u32)> = ray_all(placed, line, max).iter().map(|h| (h.t, h.feature)).collect();
        assert_eq!(all.iter().map(|h| (h.hit.t, h.triangle)).collect::<Vec<_>>(), expected);
        let first = search(Goal::First);
        let nearest = ray(placed, line, max);
        assert_eq!(first.first().map(|h| (h.hit.t, h.triangle)), nearest.map(|h| (h.t, h.feature)));
        assert_eq!(!search(Goal::Any).is_empty(), ray_any(placed, line, max));
        all.len()
    }

    /// Trees of boxes, turned boxes and spheres, built either way, against the rays of the library.
    #[test]
    fn every_tree_finds_what_the_library_finds() {
        let mut random = Random::new(8);
        let mesh = Arc::new(meshes::sphere(12, 1.0));
        let body = Body::new(Shape::Mesh(mesh.clone()));
        let boxes = [RayTree::<Aabb>::top_down(mesh.clone()), RayTree::bottom_up(mesh.clone())];
        let turned = [RayTree::<Obb>::top_down(mesh.clone()), RayTree::bottom_up(mesh.clone())];
        let spheres = [RayTree::<Sphere>::top_down(mesh.clone()), RayTree::bottom_up(mesh.clone())];
        let mut hits = 0;
        for case in 0..300 {
            let corner = mesh.vertices()[random.below(mesh.vertices().len())];
            let origin = random.point() * 2.0;
            // Every third one at a corner, where several triangles are hit.
            let direction = if case % 3 == 0 { corner - origin } else { random.point() };
            let line = Ray::new(origin, direction).unwrap();
            let max = if case % 2 == 0 { f64::INFINITY } else { 1.0 };
            for k in 0..2 {
                hits += agrees(&boxes[k], &body, &line, max);
                agrees(&turned[k], &body, &line, max);
                agrees(&spheres[k], &body, &line, max);
            }
        }
        assert!(hits > 200, "{hits}");
    }

    #[test]
    fn the_first_hit_takes_fewer_tests_than_all() {
        let mesh = Arc::new(meshes::sphere(24, 1.0));
        let tree = RayTree::<Aabb>::top_down(mesh.clone());
        let line = Ray::new(DVec3::new(-3.0, 0.1, 0.2), DVec3::X).unwrap();
        let tests = |goal| tree.search(&line, f64::INFINITY, goal, &mut |_| {}).effort.triangle_tests;
        assert!(
            tests(Goal::First) < tests(Goal::All) && tests(Goal::All) < mesh.triangles().len() as u64 / 4
        );
    }
}
