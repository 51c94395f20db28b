//! What the arm and its cell look like.

use sudar::DVec3;
use sudar_robot::{Joint, JointKind, SignedDistance};
use sudar_view::{Color, Figure, Look, Orbit, Scene};

use super::known::Known;
use super::settings::Settings;
use super::site::Site;
use super::tips::Tips;
use super::way::{Straight, Way};
use crate::demo::DemoError;

/// Nearer than these, in metres, a link is painted so; farther it is green.
const NEAR: [(f64, Color); 3] = [(0.0, Color::VERMILION), (0.05, Color::ORANGE), (0.2, Color::YELLOW)];
const FAR: Color = Color::GREEN;

/// The poses where the way begins and ends.
const ENDS: [Color; 2] = [Color::SKY, Color::PURPLE];

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 6] = [
    (NEAR[0].1, "link touches; here the straight way is blocked"),
    (NEAR[1].1, "clearance of 5 cm"),
    (NEAR[2].1, "clearance of 20 cm"),
    (FAR, "farther; a way of the tip that is free"),
    (ENDS[0], "where the way begins: drag the ball"),
    (ENDS[1], "where it ends: drag the ball"),
];

/// The figures of everything.
pub struct Picture {
    /// Those of links, by their numbers.
    links: Vec<(usize, Figure)>,
    /// Links without geometry, with those that they hang on: lines stand for them.
    bones: Vec<[usize; 2]>,
    obstacles: Vec<Figure>,
}

impl Picture {
    /// Of a robot among obstacles.
    pub fn new(site: &Site) -> Result<Self, DemoError> {
        let mut links = Vec::new();
        for part in site.cell.parts() {
            let body = site.cell.robot().link_body(part.link).map_err(DemoError::of)?;
            links.extend(body.map(|body| (part.link, Figure::new(body.shape()))));
        }
        let robot = site.cell.robot();
        let is_bare = |link: usize| robot.links()[link].bodies.is_empty();
        // A frame at the end of a link, such as a tip, is no link to be seen.
        let is_bone = |joint: &&Joint| {
            let carries = robot.joints().iter().any(|other| other.parent == joint.child);
            is_bare(joint.child) && (carries || joint.kind != JointKind::Fixed || is_bare(joint.parent))
        };
        let bones = robot.joints().iter().filter(is_bone).map(|joint| [joint.parent, joint.child]).collect();
        let obstacles = site.cell.objects().map(|(_, body, _)| Figure::new(body.shape())).collect();
        Ok(Self { links, bones, obstacles })
    }

    /// Draws everything.
    pub fn draw(&self, site: &Site, known: &Known, settings: &Settings, tips: &Tips, scene: &mut Scene) {
        scene.sun.shadows = Some((DVec3::new(0.3, 0.2, 0.5) * site.size, 2.6 * site.size));
        for ((name, _, pose), figure) in site.cell.objects().zip(&self.obstacles) {
            let (color, look) = match name {
                "floor" => (Color::rgb(86, 92, 102), Look::Grid),
                _ => (Color::rgb(168, 176, 190), Look::Plain),
            };
            scene.figure_with(figure, pose, color, look);
        }
        self.draw_robot(site, &known.now, scene, |part| match part.map(|part| &known.nearest[part]) {
            Some(Some(near)) if settings.paints => paint(near.signed.upper),
            Some(Some(_)) => Color::BLUE,
            Some(None) => Color::rgb(70, 74, 84),
            None => Color::WHITE,
        });
        for (pose, color) in settings.poses.iter().zip(ENDS) {
            if *pose != known.now {
                self.draw_robot(site, pose, scene, |_| color.mix(Color::WHITE, 0.15).faded(0.38));
            }
        }
        if settings.lines {
            draw_nearest(known, scene);
        }
        if let Some(straight) = known.straight.as_ref().filter(|_| settings.course) {
            let goes = !settings.plans && straight.contact.as_ref().is_some_and(|(q, _)| *q != known.now);
            self.draw_straight(site, straight, goes, scene);
        }
        if let Some(way) = known.way.as_ref().filter(|_| settings.plans) {
            draw_way(way, scene);
        }
        draw_tips(site, settings, tips, scene);
    }

    /// Draws the parts in their colours, and lines in that of none.
    fn draw_robot(&self, site: &Site, q: &[f64], scene: &mut Scene, color: impl Fn(Option<usize>) -> Color) {
        let poses = site.links(q);
        for (part, (link, figure)) in self.links.iter().enumerate() {
            if let Some(pose) = poses.get(*link) {
                scene.figure(figure, pose, color(Some(part)));
            }
        }
        for bone in &self.bones {
            if let [Some(from), Some(to)] = bone.map(|link| poses.get(link)) {
                scene.line_on_top(from.translation(), to.translation(), color(None), 3.0);
            }
        }
    }

    /// The straight way of the tip, free up to the first contact, and the robot there if it goes that way.
    fn draw_straight(&self, site: &Site, straight: &Straight, goes: bool, scene: &mut Scene) {
        let until = straight.free_until();
        let width = if goes { 3.0 } else { 1.5 };
        let pieces = straight.line.len().saturating_sub(1).max(1) as f64;
        for (k, pair) in straight.line.windows(2).enumerate() {
            let is_free = (k + 1) as f64 / pieces <= until;
            let color = if is_free { Color::GREEN } else { Color::VERMILION };
            scene.line_on_top(pair[0], pair[1], color, if is_free { width } else { 1.5 });
        }
        let Some((there, found)) = &straight.contact else { return };
        if goes {
            let touches = |part| if part == Some(found.part) { Color::VERMILION } else { Color::STONE };
            self.draw_robot(site, there, scene, |part| touches(part).faded(0.3));
        }
        scene.dot(found.point, 7.0, Color::VERMILION);
        let text = format!("first contact at {until:.4} of the straight way");
        scene.label(found.point, text, Color::VERMILION.mix(Color::WHITE, 0.45));
    }
}

/// The path that was found: the line of the tip.
fn draw_way(way: &Way, scene: &mut Scene) {
    for pair in way.line.windows(2) {
        scene.line_on_top(pair[0], pair[1], FAR.mix(Color::WHITE, 0.25), 5.0);
    }
}

/// The balls that are dragged.
fn draw_tips(site: &Site, settings: &Settings, tips: &Tips, scene: &mut Scene) {
    for (k, (pose, color)) in settings.poses.iter().zip(ENDS).enumerate() {
        let (at, is_under) = (site.tip_at(pose), tips.under == Some(k));
        scene.ball(at, 0.045 * site.size, color);
        let beside = at + scene.camera.axes()[1] * 0.09 * site.size;
        scene.label(beside, ["start", "goal"][k], color.mix(Color::WHITE, 0.4));
        // A ring, for what hides a ball does not keep it from being dragged.
        ring(at, 0.065 * site.size, if is_under { Color::WHITE } else { color }, scene);
    }
}

/// A circle that faces the eye.
fn ring(at: DVec3, radius: f64, color: Color, scene: &mut Scene) {
    const STEPS: u32 = 24;
    let [right, up] = scene.camera.axes();
    let on = |k: u32| {
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(STEPS));
        at + (right * cosine + up * sine) * radius
    };
    (0..STEPS).for_each(|k| scene.line_on_top(on(k), on(k + 1), color, 2.5));
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
    let least = known.least().map(|least| least.part);
    let apart = |near: &&SignedDistance| near.signed.upper > 0.0;
    for near in known.nearest.iter().flatten().filter(apart) {
        let is_least = least == Some(near.part);
        let width = if is_least { 3.5 } else { 1.5 };
        let color = paint(near.signed.upper);
        let [a, b] = [near.point, near.other_point];
        scene.line_on_top(a, b, if is_least { Color::WHITE } else { color }, width);
        scene.dot(b, 4.0, color);
        if is_least {
            scene.label(0.5 * (a + b), format!("{:.4} m", near.signed.upper), Color::WHITE);
        }
    }
}

/// Where it is seen from.
pub fn view(size: f64) -> Orbit {
    Orbit { target: DVec3::new(0.3, 0.2, 0.9) * size, distance: 3.9 * size, yaw: -0.6, pitch: 0.34 }
}
