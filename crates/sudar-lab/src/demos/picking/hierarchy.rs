//! A ray and a hierarchy of bounding volumes, built from the top or from the bottom, node by node.

use std::sync::Arc;

use sudar::{Aabb, DVec3, Mesh, MeshError, Pose, Ray, Shape};
use sudar_classic::pick::{Goal, NodeFate, NodeVisit, RayTree, TreeFound};
use sudar_scene::models;
use sudar_view::{Color, Figure, Scene};

/// How the tree is built, by name.
pub const BUILDS: [&str; 2] = ["top-down", "bottom-up"];

/// What is sought, by name.
pub const GOALS: [(&str, Goal); 3] = [("first", Goal::First), ("any", Goal::Any), ("all", Goal::All)];

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 5] = [
    (Color::YELLOW, "box opened: its children are tested"),
    (Color::rgb(90, 100, 118), "box missed by the ray"),
    (Color::PURPLE, "box behind a hit"),
    (Color::GREEN, "leaf whose triangle is tested"),
    (Color::VERMILION, "triangle that the ray meets"),
];

/// Most boxes that are drawn.
const MOST: usize = 400;

/// A surface in both trees, and the last search.
pub struct Hierarchy {
    mesh: Arc<Mesh>,
    figure: Figure,
    trees: [RayTree<Aabb>; 2],
    visits: Vec<NodeVisit>,
    found: TreeFound,
    built: usize,
}

impl Hierarchy {
    /// Over the gear.
    pub fn new() -> Result<Self, MeshError> {
        let mesh = Arc::new(models::gear(14)?);
        let trees = [RayTree::top_down(mesh.clone()), RayTree::bottom_up(mesh.clone())];
        let figure = Figure::new(&Shape::Mesh(mesh.clone()));
        Ok(Self { mesh, figure, trees, visits: Vec::new(), found: TreeFound::default(), built: 0 })
    }

    /// Searches along a ray.
    pub fn search(&mut self, ray: &Ray, build: &str, goal: &str) {
        self.built = usize::from(build == BUILDS[1]);
        let goal = GOALS.into_iter().find(|(name, _)| *name == goal).map_or(Goal::First, |(_, goal)| goal);
        self.visits.clear();
        self.found =
            self.trees[self.built].search(ray, f64::INFINITY, goal, &mut |visit| self.visits.push(visit));
    }

    /// Draws the surface, the nodes and the ray.
    pub fn draw(&self, scene: &mut Scene, ray: &Ray) {
        scene.figure(&self.figure, &Pose::IDENTITY, Color::SKY.faded(0.55));
        let tree = self.trees[self.built].tree();
        for visit in self.visits.iter().take(MOST) {
            let color = match visit.fate {
                NodeFate::Opened => Color::YELLOW.faded(0.7),
                NodeFate::Missed => Color::rgb(90, 100, 118).faded(0.6),
                NodeFate::Beyond => Color::PURPLE,
                NodeFate::Leaf { .. } => Color::GREEN,
            };
            scene.edges(&tree.node(visit.node).volume, color, 1.5);
        }
        for hit in &self.found.hits {
            let [a, b, c] = self.mesh.triangle(hit.triangle).corners();
            [[a, b], [b, c], [c, a]]
                .into_iter()
                .for_each(|[p, q]| scene.line_on_top(p, q, Color::VERMILION, 3.0));
            scene.dot(ray.at(hit.hit.t), 8.0, Color::VERMILION);
        }
        let end = self.found.hits.last().map_or(20.0 / ray.direction.length(), |hit| hit.hit.t);
        scene.line_on_top(ray.origin, ray.at(end), Color::WHITE, 2.5);
    }

    /// The counters in words.
    pub fn lines(&self) -> Vec<String> {
        let count = |is: fn(NodeFate) -> bool| self.visits.iter().filter(|visit| is(visit.fate)).count();
        let effort = self.found.effort;
        vec![
            format!(
                "{}: {} boxes tested of {}, {} triangles of {}; hits: {}",
                BUILDS[self.built],
                effort.volume_tests,
                self.trees[self.built].tree().nodes().len(),
                effort.triangle_tests,
                self.mesh.triangles().len(),
                self.found.hits.len()
            ),
            format!(
                "{} opened, {} missed, {} behind a hit",
                count(|fate| fate == NodeFate::Opened),
                count(|fate| fate == NodeFate::Missed),
                count(|fate| fate == NodeFate::Beyond)
            ),
        ]
    }

    /// Where the surface is.
    pub fn middle(&self) -> DVec3 {
        self.mesh.aabb().center()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::random::Random;

    /// Brute force over all triangles.
    #[test]
    fn both_trees_find_the_first_hit() {
        let (mut hierarchy, mut random) = (Hierarchy::new().unwrap(), Random::new(5));
        let mut met = 0;
        for _ in 0..300 {
            let from = random.direction() * 5.0;
            let ray = Ray::new(from, random.within(DVec3::splat(0.8)) - from).unwrap();
            let triangles = (0..hierarchy.mesh.triangles().len() as u32).map(|t| hierarchy.mesh.triangle(t));
            let hits = triangles.filter_map(|t| sudar::pair::ray_triangle(&ray, &t, f64::INFINITY));
            let least = hits.map(|hit| hit.t).reduce(f64::min);
            for build in BUILDS {
                hierarchy.search(&ray, build, "first");
                let first = hierarchy.found.hits.first().map(|hit| hit.hit.t);
                assert_eq!(first, least, "{build}");
                assert!(hierarchy.found.effort.triangle_tests < 100);
            }
            met += u32::from(least.is_some());
        }
        assert!(met > 100, "{met}");
    }
}
