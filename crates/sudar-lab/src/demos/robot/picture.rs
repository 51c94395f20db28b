//! What the arm and its cell look like.

use sudar::DVec3;
use sudar_view::{Color, Figure, Look, Orbit, Scene};

use super::arm::{Cell, Configuration, JOINTS};
use super::clearance::Near;
use super::course;
use super::known::Known;
use super::settings::Settings;

/// Nearer than these, in metres, a link is painted so; farther it is green.
const NEAR: [(f64, Color); 3] = [(0.0, Color::VERMILION), (0.05, Color::ORANGE), (0.2, Color::YELLOW)];
const FAR: Color = Color::GREEN;

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 5] = [
    (NEAR[0].1, "link touches; here the way is blocked"),
    (NEAR[1].1, "clearance of 5 cm"),
    (NEAR[2].1, "clearance of 20 cm"),
    (FAR, "farther; the way is free so far"),
    (Color::WHITE, "the goal of the way"),
];

/// The figures of everything.
#[derive(Debug)]
pub struct Picture {
    links: Vec<Figure>,
    obstacles: Vec<Figure>,
}

impl Picture {
    /// Of a cell.
    pub fn new(cell: &Cell) -> Self {
        let links = cell.links.iter().map(|body| Figure::new(body.shape())).collect();
        let obstacles = cell.obstacles.iter().map(|thing| Figure::new(thing.body.shape())).collect();
        Self { links, obstacles }
    }

    /// Draws everything.
    pub fn draw(&self, cell: &Cell, known: &Known, settings: &Settings, orbit: &Orbit, scene: &mut Scene) {
        scene.camera = orbit.camera();
        scene.sun.shadows = Some((DVec3::new(0.3, 0.2, 0.5), 2.6));
        for (thing, figure) in cell.obstacles.iter().zip(&self.obstacles) {
            let (color, look) = match thing.name {
                "floor" => (Color::rgb(86, 92, 102), Look::Grid),
                "foot" => (Color::rgb(70, 74, 84), Look::Plain),
                _ => (Color::rgb(168, 176, 190), Look::Plain),
            };
            scene.figure_with(figure, &thing.pose, color, look);
        }
        self.draw_arm(&known.now, 1.0, scene, |link| {
            let near = known.nearest[link].filter(|_| settings.paints);
            near.map_or(Color::SKY, |near| paint(near.interval.upper))
        });
        if settings.goal != known.now {
            self.draw_arm(&settings.goal, 0.13, scene, |_| Color::WHITE);
        }
        if settings.lines {
            draw_nearest(known, scene);
        }
        if settings.course {
            self.draw_course(known, settings, scene);
        }
    }

    fn draw_arm(
        &self,
        configuration: &Configuration,
        opacity: f64,
        scene: &mut Scene,
        color: impl Fn(usize) -> Color,
    ) {
        for (link, pose) in Cell::poses(configuration).iter().enumerate() {
            scene.figure(&self.links[link], pose, color(link).faded(opacity));
        }
    }

    /// The way of the tool, free up to the first contact, and the arm there.
    fn draw_course(&self, known: &Known, settings: &Settings, scene: &mut Scene) {
        let Some(found) = &known.course else { return };
        let until = found.blocked.map_or(1.0, |blocked| blocked.time);
        let tool = |time: f64| Cell::tool(&course::at(&settings.joints, &settings.goal, time));
        const STEPS: u32 = 60;
        for i in 0..STEPS {
            let [from, to] = [i, i + 1].map(|k| f64::from(k) / f64::from(STEPS));
            let color = if to <= until { Color::GREEN } else { Color::VERMILION };
            scene.line_on_top(tool(from), tool(to), color, if to <= until { 3.0 } else { 1.5 });
        }
        let Some(blocked) = found.blocked else { return };
        let there = course::at(&settings.joints, &settings.goal, blocked.time);
        self.draw_arm(
            &there,
            0.3,
            scene,
            |link| {
                if link == blocked.link { Color::VERMILION } else { Color::STONE }
            },
        );
        if let Some(near) = known.at_contact {
            scene.dot(near.points[0], 8.0, Color::VERMILION);
            let text = format!("first contact at {:.4} of the way", blocked.time);
            scene.label(near.points[0], text, Color::VERMILION.mix(Color::WHITE, 0.45));
        }
    }
}

/// The colour of a clearance: steps with a passage between them.
pub fn paint(clearance: f64) -> Color {
    if clearance <= 0.0 {
        return Color::VERMILION;
    }
    let [_, (warn, orange), (mind, yellow)] = NEAR;
    if clearance < warn {
        Color::VERMILION.mix(orange, clearance / warn)
    } else if clearance < mind {
        orange.mix(yellow, (clearance - warn) / (mind - warn))
    } else {
        yellow.mix(FAR, ((clearance - mind) / mind).min(1.0))
    }
}

fn draw_nearest(known: &Known, scene: &mut Scene) {
    let least = super::clearance::least(&known.nearest);
    for near in known.nearest.iter().flatten().filter(|near| near.interval.upper > 0.0) {
        let is_least = least.is_some_and(|least| least.link == near.link);
        let width = if is_least { 3.5 } else { 1.5 };
        let color = paint(near.interval.upper);
        let [a, b] = near.points;
        scene.line_on_top(a, b, if is_least { Color::WHITE } else { color }, width);
        scene.dot(b, 4.0, color);
        if is_least {
            scene.label(0.5 * (a + b), format!("{:.3} m", near.interval.upper), Color::WHITE);
        }
    }
}

/// A sentence about what is nearest.
pub fn says(cell: &Cell, near: &Near) -> String {
    let other = match near.other {
        super::clearance::Other::Obstacle(k) => cell.obstacles.get(k).map_or("", |thing| thing.name),
        super::clearance::Other::Link(k) => super::arm::LINKS[k.min(JOINTS - 1)],
    };
    let link = super::arm::LINKS[near.link.min(JOINTS - 1)];
    if near.interval.upper == 0.0 {
        return format!("{link} touches {other}");
    }
    format!("{link} to {other}: {:.6} m", near.interval.upper)
}
