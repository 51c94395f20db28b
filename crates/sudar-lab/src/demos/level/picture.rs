//! What the level looks like.

use sudar::dynamics::{Handle, RigidBody, World};
use sudar::{DQuat, DVec3, Pose};
use sudar_view::{Camera, Color, Figure, Look, Placement, Scene};

use super::engines::Gate;
use super::hero::{HALF, Hero, RADIUS};
use super::parts::BELT;
use super::rooms::{BEAM, GAP, GATE, LANDING, SHELF, TERRACE, WALL, YARD};
use super::view::is_seen;

/// Of the player, what it pushes, what runs on rails, what carries or lets through, what senses.
const PLAYER: Color = Color::YELLOW;
const PUSHED: Color = Color::ORANGE;
const RAILS: Color = Color::SKY;
const SPECIAL: Color = Color::PURPLE;
const SENSES: Color = Color::VERMILION;
const DONE: Color = Color::GREEN;

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 6] = [
    (PLAYER, "the player"),
    (PUSHED, "is pushed: crates, doors, dolls"),
    (RAILS, "runs on rails: lift, gate"),
    (SPECIAL, "belt; platform that lets through from below"),
    (SENSES, "plate that opens the gate"),
    (DONE, "the goal; the plate while the gate is open"),
];

/// The colours of bodies by a part of their names.
const COLORS: [(&str, Color); 18] = [
    ("wall", Color::rgb(184, 166, 142)),
    ("lintel", Color::rgb(150, 132, 110)),
    ("beam", Color::rgb(104, 82, 62)),
    ("pillar", Color::rgb(150, 132, 110)),
    ("floor", Color::rgb(86, 92, 102)),
    ("stairs", Color::rgb(150, 150, 142)),
    ("steep", Color::rgb(128, 96, 92)),
    ("slope", Color::rgb(128, 138, 120)),
    ("terrace", Color::rgb(116, 122, 132)),
    ("gallery", Color::rgb(116, 122, 132)),
    ("landing", Color::rgb(116, 122, 132)),
    ("lift", RAILS),
    ("gate", RAILS),
    ("crate", PUSHED),
    ("door", Color::rgb(196, 138, 60)),
    ("doll", Color::rgb(232, 184, 120)),
    ("belt", Color::rgb(110, 70, 95)),
    ("one-way", SPECIAL),
];

/// Names at places.
const NAMES: [(&str, [f64; 3]); 12] = [
    ("stairs", [0.0, 5.4, 1.6]),
    ("slope of 27°", [-3.5, 5.0, 1.4]),
    ("slope of 58°", [3.5, 6.2, 1.5]),
    ("swing door", [-2.0, WALL - 0.15, 3.5]),
    ("too narrow", [GAP[0], WALL - 0.15, 3.5]),
    ("dolls", [-1.0, BEAM[0], BEAM[1] + 0.2]),
    ("lift", [0.0, 20.4, TERRACE + 2.6]),
    ("jump up through it", [7.25, 18.3, SHELF + 0.2]),
    ("belt", [7.25, 13.0, SHELF + 0.2]),
    ("plate: opens the gate", [7.25, 4.5, LANDING + 0.5]),
    ("gate", [GATE[0], YARD + 0.15, 2.4]),
    ("goal", [7.25, -9.2, 1.2]),
];

/// Visor and pack of the player: how far in front and how high, in parts of its size, half their sizes, colour.
const GEAR: [(f64, f64, [f64; 3], Color); 2] = [
    (0.8, 1.1, [0.1, 0.2, 0.07], Color::rgb(40, 44, 52)),
    (-0.95, 0.3, [0.11, 0.19, 0.24], Color::rgb(70, 92, 128)),
];

/// Names are seen from nearer than this, in metres.
const FAR: f64 = 16.0;

/// The figures of all bodies.
pub struct Picture {
    bodies: Vec<(Handle, Figure, Color, Look)>,
    ropes: Vec<(Handle, DVec3)>,
    hero: Figure,
}

/// What is drawn, as it is.
pub struct Shown<'s> {
    pub world: &'s World,
    pub hero: &'s Hero,
    pub gate: &'s Gate,
    pub camera: Camera,
    pub has_names: bool,
}

impl Picture {
    pub fn new(world: &World, hero: &Hero) -> Self {
        let is_drawn = |handle: Handle, body: &RigidBody| !body.sensor && handle != hero.own;
        let bodies = world.bodies().filter(|(handle, body)| is_drawn(*handle, body));
        let figure = |(handle, body): (Handle, &RigidBody)| {
            let look = if body.name == "floor" { Look::Grid } else { Look::Plain };
            (handle, Figure::new(body.body.shape()), color(&body.name), look)
        };
        let heads = world.bodies().filter(|(_, body)| body.name.starts_with("doll head"));
        let rope = |(handle, body): (Handle, &RigidBody)| (handle, body.position.with_z(BEAM[1]));
        let shape = world.body(hero.own).map(|body| Figure::new(body.body.shape()));
        Self {
            bodies: bodies.map(figure).collect(),
            ropes: heads.map(rope).collect(),
            hero: shape.unwrap_or_else(|_| Figure::new(&DVec3::ZERO.into())),
        }
    }

    pub fn draw(&self, scene: &mut Scene, shown: &Shown) {
        let (world, at) = (shown.world, shown.hero.position());
        scene.camera = shown.camera;
        scene.background = Color::rgb(52, 62, 78);
        scene.sun.shadows = Some((at + shown.camera.forward.with_z(0.0) * 5.0, 14.0));
        for (handle, figure, color, look) in &self.bodies {
            let pose = world.pose(*handle).unwrap_or(Pose::IDENTITY);
            scene.figure_with(figure, &pose, *color, *look);
        }
        for (head, top) in &self.ropes {
            let end = world.pose(*head).map_or(*top, |pose| pose.translation());
            scene.line(*top, end, Color::STONE, 3.0);
        }
        draw_belt(scene, world.time());
        draw_sensors(scene, shown.gate);
        self.draw_hero(scene, shown);
        if shown.has_names {
            draw_names(scene, shown);
        }
    }

    /// The player, by whose visor and pack one sees where it looks; clear where the camera is too near.
    fn draw_hero(&self, scene: &mut Scene, Shown { hero, camera, .. }: &Shown) {
        let distance = camera.eye.distance(hero.position() + DVec3::Z * HALF);
        let color = PLAYER.faded(((distance - 0.5) / 0.8).clamp(0.15, 1.0));
        let pose = hero.pose();
        scene.figure(&self.hero, &pose, color);
        let rotation = DQuat::from_mat3(&pose.rotation());
        for (out, up, scale, own) in GEAR {
            let place = Placement {
                at: pose.apply(DVec3::new(out * RADIUS, 0.0, up * HALF)),
                rotation,
                scale: DVec3::from_array(scale),
            };
            scene.cube(place, own.faded(f64::from(color.0[3]) / 255.0), Look::Plain);
        }
    }
}

fn color(name: &str) -> Color {
    let known = COLORS.iter().find(|(word, _)| name.contains(word));
    known.map_or(Color::rgb(158, 162, 168), |(_, color)| *color)
}

/// Slats that run with the belt.
fn draw_belt(scene: &mut Scene, time: f64) {
    const GAP: f64 = 0.5;
    let shift = (BELT * time).rem_euclid(GAP);
    for k in 1..=20 {
        let y = 18.0 + GAP - GAP * f64::from(k) - shift + 0.1;
        if !(8.1..17.95).contains(&y) {
            continue;
        }
        let place = Placement {
            at: DVec3::new(7.25, y, SHELF),
            rotation: DQuat::IDENTITY,
            scale: DVec3::new(0.8, 0.06, 0.012),
        };
        scene.cube(place, SPECIAL, Look::Plain);
    }
}

fn draw_sensors(scene: &mut Scene, gate: &Gate) {
    let color = if gate.left > 0.0 { DONE } else { SENSES };
    let plate = Placement {
        at: DVec3::new(GATE[0], 4.5, LANDING),
        rotation: DQuat::IDENTITY,
        scale: DVec3::new(0.8, 0.8, if gate.is_pressed { 0.015 } else { 0.05 }),
    };
    scene.cube(plate, color, Look::Plain);
    let goal = Placement {
        at: DVec3::new(GATE[0], -9.25, 1.0),
        rotation: DQuat::IDENTITY,
        scale: DVec3::new(1.5, 1.25, 1.0),
    };
    scene.cube(goal, DONE.faded(0.25), Look::Plain);
    scene.cube_edges(goal, DONE, 2.0);
}

fn draw_names(scene: &mut Scene, Shown { world, hero, camera, .. }: &Shown) {
    for (name, at) in NAMES {
        let at = DVec3::from_array(at);
        if at.distance(hero.position()) < FAR && is_seen(world, camera.eye, at) {
            scene.label(at, name, Color::WHITE);
        }
    }
}
