//! What bodies and joints look like.

use sudar::dynamics::{Anchors, Axis, BodyType, Handle, Joint, Measure, RigidBody, World};
use sudar::{DQuat, DVec3, Pose};
use sudar_view::{Color, Figure, Look, Placement, Scene};

use super::subject::Bodies;
use crate::demos::hand;

const GROUND: Color = Color::rgb(86, 92, 102);
const TYRE: Color = Color::rgb(52, 55, 62);
/// Of joints, axes and springs.
const ANCHOR: Color = Color::PURPLE;
const AXIS: Color = Color::YELLOW;
const SPRING: Color = Color::SKY;

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 3] = [
    (ANCHOR, "anchors of joints, and what they tie"),
    (AXIS, "axes of hinges and wheels"),
    (SPRING, "springs"),
];

/// The colours of bodies by a part of their names; others are told apart by their numbers.
const COLORS: [(&str, Color); 12] = [
    ("floor", GROUND),
    ("hills", Color::rgb(92, 112, 92)),
    ("mast", Color::STONE),
    ("plank", Color::rgb(176, 132, 84)),
    ("ball", Color::BLUE),
    ("wheel", TYRE),
    ("car", Color::VERMILION),
    ("cab", Color::ORANGE),
    ("boom", Color::YELLOW),
    ("link", Color::rgb(190, 196, 204)),
    ("load", Color::VERMILION),
    ("knot", Color::SKY),
];

/// The bodies of a world with their figures.
pub struct Picture {
    bodies: Vec<(Handle, Figure, Color, Look)>,
    wheels: Vec<Handle>,
    /// Whether bodies are drawn as rods between their joints.
    is_of_rods: bool,
}

impl Picture {
    pub fn new(bodies: &Bodies) -> Self {
        let (world, is_of_rods) = (bodies.world(), matches!(bodies, Bodies::Squeezer(_)));
        // Links of a file may be named anything.
        let has_names = !matches!(bodies, Bodies::Robot(_));
        let bodies = world.bodies().enumerate().map(|(number, (handle, body))| {
            let is_ground = body.kind == BodyType::Static && body.name != "mast";
            let look = if is_ground { Look::Grid } else { Look::Plain };
            (handle, Figure::new(body.body.shape()), color(number, body, has_names), look)
        });
        let wheels = world.bodies().filter(|(_, body)| body.name.contains("wheel")).map(|(handle, _)| handle);
        Self { bodies: bodies.collect(), wheels: wheels.collect(), is_of_rods }
    }

    /// Draws the bodies, and the joints over them if that is wanted.
    pub fn draw(&self, scene: &mut Scene, world: &World, axis: f64, has_joints: bool) {
        for (handle, figure, color, look) in &self.bodies {
            let pose = world.pose(*handle).unwrap_or(Pose::IDENTITY);
            if !self.is_of_rods {
                scene.figure_with(figure, &pose, *color, *look);
            }
        }
        self.wheels.iter().for_each(|wheel| spoke(scene, world, *wheel));
        for (handle, joint) in world.joints() {
            let Ok(state) = world.joint_state(handle) else { continue };
            if self.is_of_rods {
                self.rods(scene, world, joint, state.points, axis);
            }
            if has_joints {
                draw_joint(scene, world, joint, state.points, axis);
            }
        }
    }

    /// Rods from the centres of both bodies to their anchors.
    fn rods(&self, scene: &mut Scene, world: &World, joint: &Joint, points: [DVec3; 2], axis: f64) {
        for (body, point) in joint.bodies.into_iter().zip(points) {
            let known = self.bodies.iter().find(|(handle, ..)| Some(*handle) == body);
            let Some((handle, _, color, _)) = known else { continue };
            let Ok(motion) = world.motion(*handle) else { continue };
            let way = point - motion.center;
            let rotation = DQuat::from_rotation_arc(DVec3::X, way.normalize_or(DVec3::X));
            let scale = DVec3::new(0.5 * way.length(), 0.25 * axis, 0.25 * axis);
            scene.cube(Placement { at: 0.5 * (point + motion.center), rotation, scale }, *color, Look::Plain);
        }
    }
}

fn color(number: usize, body: &RigidBody, has_names: bool) -> Color {
    if !has_names {
        return if body.name == "floor" { GROUND } else { Color::cycle(number) };
    }
    let known = COLORS.iter().find(|(word, _)| body.name.contains(word));
    // All parts of a doll have its number.
    let own = body.name.rsplit(' ').next().and_then(|word| word.parse().ok());
    known.map_or_else(|| Color::cycle(own.unwrap_or(number)), |(_, color)| *color)
}

/// A bar across a wheel, by which one sees it turn.
fn spoke(scene: &mut Scene, world: &World, wheel: Handle) {
    let Ok((at, rotation)) = world.frame(wheel) else { return };
    let scale = DVec3::new(0.34, 0.05, 0.16);
    scene.cube(Placement { at, rotation, scale }, Color::STONE, Look::Plain);
}

/// Draws the anchors, joined to the centres of what they tie, and the axis about which or along which a body moves.
fn draw_joint(scene: &mut Scene, world: &World, joint: &Joint, points: [DVec3; 2], length: f64) {
    for (body, point) in joint.bodies.into_iter().zip(points) {
        if let Some(motion) = body.and_then(|body| world.motion(body).ok()) {
            scene.line_on_top(motion.center, point, ANCHOR.faded(0.6), 1.5);
        }
        scene.dot(point, 3.5, ANCHOR);
    }
    if joint.measure == Measure::Distance {
        hand::coil(scene, points, 0.5 * length, SPRING);
    } else if let Some(axis) = axis(world, joint, 1, DVec3::X) {
        scene.line_on_top(points[1] - axis * length, points[1] + axis * length, AXIS, 2.0);
    }
    // A suspension hangs from its car.
    if joint.rows[Axis::Z as usize].spring.is_some()
        && let Some(up) = axis(world, joint, 0, DVec3::Z)
    {
        hand::coil(scene, [points[1], points[0] + up * (1.6 * length)], 0.2 * length, SPRING);
    }
}

/// An axis of the frame of a joint on one of its bodies, if the joint leaves a turn about one axis alone.
fn axis(world: &World, joint: &Joint, side: usize, along: DVec3) -> Option<DVec3> {
    let is_locked = |axis: Axis| joint.rows[axis as usize].is_locked();
    let turns = !is_locked(Axis::Twist) && is_locked(Axis::SwingY) && is_locked(Axis::SwingZ);
    let Anchors::Bodies(anchors) = joint.anchors else { return None };
    let (_, rotation) = world.frame(joint.bodies[side]?).ok()?;
    turns.then(|| rotation * anchors[side].rotation * along)
}
