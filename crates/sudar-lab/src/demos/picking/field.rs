//! A field of bodies and a camera that turns in it: which of them it sees, looked at by a second camera.

use sudar::pair::Containment;
use sudar::shape::Frustum;
use sudar::{Aabb, DVec3, Pose, Sphere};
use sudar_classic::pick::{CullTest, Culled, camera, cull, cull_tree};
use sudar_classic::tree::{BuildRules, Items, VolumeTree};
use sudar_view::{Color, Scene};

use crate::demos::random::Random;

/// The tests, by name: one by one, or down a tree of boxes.
pub const TESTS: [&str; 4] = ["spheres", "octants", "boxes", "tree"];

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 5] = [
    (Color::GREEN, "inside the view"),
    (Color::YELLOW, "on its boundary"),
    (Color::rgb(70, 80, 96), "outside: never drawn"),
    (Color::SKY, "the first camera's view"),
    (Color::PURPLE, "its octants"),
];

/// Tangents of half the angles of the view, and how near and far it reaches, in metres.
const TANGENTS: [f64; 2] = [0.6, 0.42];
const RANGE: [f64; 2] = [0.6, 13.0];

/// Half the width of the field, in metres.
const FIELD: f64 = 14.0;

/// Radians a second that the camera turns.
const TURN: f64 = 0.25;

/// The bodies, the camera among them, and what it sees.
pub struct Field {
    things: Vec<(Sphere, Aabb)>,
    tree: VolumeTree<Aabb>,
    time: f64,
    seen: Culled,
    /// Nodes of the tree that were tested.
    visits: Vec<(u32, Containment)>,
}

impl Field {
    /// So many boxes, each with the sphere around it.
    pub fn new(count: u32) -> Self {
        let mut random = Random::new(9);
        let mut items = Items::new();
        let thing = |_| {
            let half = DVec3::from_array([0; 3].map(|_| random.between(0.15, 0.6)));
            let middle = random.within(DVec3::new(FIELD, FIELD, 0.35 * FIELD));
            let aabb = Aabb { min: middle - half, max: middle + half };
            (Sphere { center: middle, radius: half.length() }, aabb)
        };
        let things: Vec<(Sphere, Aabb)> = (0..count).map(thing).collect();
        for (_, aabb) in &things {
            items.push(&[aabb.min, aabb.max]);
        }
        let tree = VolumeTree::top_down(&items, &BuildRules::DEFAULT);
        Self { things, tree, time: 0.0, seen: Culled::default(), visits: Vec::new() }
    }

    /// The camera turns, and its view is tested with everything.
    pub fn step(&mut self, seconds: f64, test: &str) {
        self.time += seconds;
        let Some(view) = self.view() else { return };
        self.visits.clear();
        let one_by_one = CullTest::ALL.into_iter().find(|known| known.name() == test);
        self.seen = match one_by_one {
            Some(known) => cull(&view, &self.things, known),
            None => cull_tree(&view, &self.tree, &mut |node, fate| self.visits.push((node, fate))),
        };
    }

    fn camera(&self) -> Option<Pose> {
        let (sine, cosine) = libm::sincos(TURN * self.time + 0.6);
        camera(DVec3::ZERO, DVec3::new(cosine, sine, 0.08 * libm::sin(self.time)), DVec3::Z)
    }

    fn view(&self) -> Option<Frustum> {
        Frustum::perspective(&self.camera()?, TANGENTS, RANGE[0], RANGE[1]).ok()
    }

    /// Draws what the second camera sees.
    pub fn draw(&self, scene: &mut Scene, test: &str) {
        for ((sphere, aabb), containment) in self.things.iter().zip(&self.seen.containment) {
            let color = color(*containment);
            if test == TESTS[0] || test == TESTS[1] {
                scene.ball(sphere.center, sphere.radius, color);
            } else {
                scene.aabb(aabb, color);
            }
        }
        for (node, fate) in self.visits.iter().filter(|(_, fate)| *fate != Containment::Intersecting) {
            scene.edges(&self.tree.node(*node).volume, color(*fate).faded(0.6), 1.0);
        }
        if let Some(pose) = self.camera() {
            draw_view(scene, &pose, test == TESTS[1]);
        }
    }

    /// The counters in words.
    pub fn lines(&self) -> Vec<String> {
        let count = |which| self.seen.containment.iter().filter(|known| **known == which).count();
        let effort = self.seen.effort;
        vec![
            format!(
                "{} inside, {} on the boundary, {} outside",
                count(Containment::Inside),
                count(Containment::Intersecting),
                count(Containment::Outside)
            ),
            format!(
                "{} volumes tested, with {} planes; {} octants found",
                effort.volumes, effort.planes, effort.octants
            ),
        ]
    }

    /// Planes that were compared in the last step.
    pub fn planes(&self) -> u64 {
        self.seen.effort.planes
    }
}

fn color(containment: Containment) -> Color {
    match containment {
        Containment::Inside => Color::GREEN,
        Containment::Intersecting => Color::YELLOW,
        Containment::Outside => Color::rgb(70, 80, 96),
    }
}

/// The edges of the view; with octants also the three planes between them.
fn draw_view(scene: &mut Scene, pose: &Pose, has_octants: bool) {
    let at = |x: f64, y: f64, far: f64| pose.apply(DVec3::new(x * TANGENTS[0], y * TANGENTS[1], -1.0) * far);
    let around = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let mut ring = |corners: &[[f64; 2]], far: f64, color: Color| {
        for (k, [x, y]) in corners.iter().enumerate() {
            let [u, v] = corners[(k + 1) % corners.len()];
            scene.line_on_top(at(*x, *y, far), at(u, v, far), color, 2.0);
        }
    };
    RANGE.into_iter().for_each(|far| ring(&around, far, Color::SKY));
    if has_octants {
        ring(&around, 0.5 * (RANGE[0] + RANGE[1]), Color::PURPLE);
    }
    let mut ray = |x: f64, y: f64, color: Color| {
        scene.line_on_top(at(x, y, RANGE[0]), at(x, y, RANGE[1]), color, 2.0);
    };
    around.into_iter().for_each(|[x, y]| ray(x, y, Color::SKY));
    if has_octants {
        [[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]]
            .into_iter()
            .for_each(|[x, y]| ray(x, y, Color::PURPLE));
    }
    scene.ball(pose.translation(), 0.3, Color::WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point of the view is seen with its box, by every test; octants compare half the planes and say the same.
    #[test]
    fn nothing_that_is_seen_is_culled() {
        let mut field = Field::new(400);
        for _ in 0..40 {
            let [spheres, octants, boxes, tree] = TESTS.map(|test| {
                field.step(0.15, test);
                field.time -= 0.15;
                field.seen.clone()
            });
            field.time += 0.15;
            let view = field.view().unwrap();
            assert_eq!(spheres.containment, octants.containment);
            assert!(octants.effort.planes < spheres.effort.planes);
            let is_seen =
                |p: DVec3| view.planes().iter().all(|plane| plane.normal.dot(p) < plane.offset - 1e-9);
            for (k, (sphere, _)) in field.things.iter().enumerate() {
                let is_outside = |seen: &Culled| seen.containment[k] == Containment::Outside;
                let any = [&spheres, &boxes, &tree].into_iter().any(is_outside);
                assert!(!(is_seen(sphere.center) && any), "{k}");
            }
        }
    }

    #[test]
    fn a_tree_tests_fewer_volumes() {
        let mut field = Field::new(1000);
        field.step(0.1, "boxes");
        let all = field.seen.effort.volumes;
        field.step(0.0, "tree");
        assert!(all == 1000 && field.seen.effort.volumes < 700, "{}", field.seen.effort.volumes);
        assert_eq!(field.visits.len() as u64, field.seen.effort.volumes);
    }
}
