//! What the tunnel looks like.

use sudar::dynamics::{BodyState, BodyType, Handle, MassSpec, RigidBody};
use sudar::{DVec3, Pose, Shape};
use sudar_scene::TunnelPiece;
use sudar_view::{Billboard, Color, Figure, Lamp, Look, Placement, Scene};

use super::aim::Aim;
use super::flight::Flight;
use super::missiles::RADIUS;

const WALLS: [Color; 2] = [Color::rgb(74, 84, 104), Color::rgb(58, 70, 96)];
const GOAL: Color = Color::GREEN;
/// What stands still, what moves, and what a missile shoots to pieces.
const THINGS: [Color; 3] = [Color::STONE, Color::PURPLE, Color::ORANGE];

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 5] = [
    (GOAL, "the end of the flight"),
    (THINGS[2], "breaks when it is shot"),
    (THINGS[1], "is thrown"),
    (THINGS[0], "stands still"),
    (Color::YELLOW, "missile"),
];

/// Metres of the flame of an engine at full throttle.
const FLAME: f64 = 1.6;

/// What does not change from picture to picture.
pub struct Looks {
    fighter: Figure,
    things: Vec<(Handle, Figure, Color, Look)>,
}

impl Looks {
    /// Of a flight that begins.
    pub fn new(flight: &Flight) -> Option<Self> {
        let (fighter, _) = flight.fighter()?;
        let body = flight.world().bodies().find(|(id, _)| *id == fighter)?.1;
        let look = |body: &RigidBody| if body.kind == BodyType::Static { Look::Grid } else { Look::Plain };
        let things =
            flight.things().map(|(id, body)| (id, Figure::new(body.body.shape()), color(body), look(body)));
        let shape = body.drawn.clone().map_or_else(|| body.body.shape().clone(), Shape::Mesh);
        Some(Self { fighter: Figure::new(&shape), things: things.collect() })
    }
}

fn color(body: &RigidBody) -> Color {
    let small = matches!(body.matter, MassSpec::Density(_)) && body.inertia().is_ok_and(|i| i.mass < 300.0);
    let [still, large, little] = THINGS;
    match body.kind {
        BodyType::Static | BodyType::Kinematic => still,
        BodyType::Dynamic if small => little,
        BodyType::Dynamic => large,
    }
}

/// Draws all of it but the camera, which the scene has already.
pub fn draw(scene: &mut Scene, flight: &Flight, looks: &Looks, has_aim: bool) {
    scene.sun.toward = DVec3::new(0.35, 0.8, 0.5);
    draw_walls(scene, flight);
    draw_goal(scene, flight);
    for (id, figure, color, look) in &looks.things {
        // What was shot to pieces has no pose.
        if let Ok(pose) = flight.world().pose(*id) {
            scene.figure_with(figure, &pose, *color, *look);
        }
    }
    if let Some((_, pose)) = flight.fighter() {
        draw_fighter(scene, flight, &pose, &looks.fighter);
        if has_aim {
            draw_aim(scene, flight);
        }
    }
    for missile in flight.missiles() {
        let tail = missile.center - missile.velocity.normalize_or_zero() * 2.5;
        scene.line(tail, missile.center, Color::YELLOW.faded(0.6), 2.0);
        scene.ball(missile.center, RADIUS, Color::YELLOW);
    }
    draw_fires(scene, flight);
}

/// The walls whose inner side one sees: from outside one looks into the tunnel as into a doll's house.
fn draw_walls(scene: &mut Scene, flight: &Flight) {
    let (course, eye) = (flight.course(), scene.camera.eye);
    let last = course.cubes() - 1;
    for wall in &course.walls {
        let inner = wall.at + wall.inward * wall.half.min_element();
        if (eye - inner).dot(wall.inward) <= 0.0 {
            continue;
        }
        let plain = WALLS[wall.cube % 2];
        let color = if wall.cube == last { plain.mix(GOAL, 0.45) } else { plain };
        let place = Placement { at: wall.at, rotation: wall.rotation, scale: wall.half };
        scene.cube(place, color, Look::Grid);
    }
}

/// A frame of light in the middle of the last cube: there the flight ends.
fn draw_goal(scene: &mut Scene, flight: &Flight) {
    let (center, rotation) = flight.course().goal();
    let half = 0.5 * TunnelPiece::SIDE - 0.15;
    let square = Placement { at: center, rotation, scale: DVec3::new(half, half, 0.02) };
    scene.cube(square, GOAL.faded(0.25), Look::Bright);
    scene.cube_edges(square, GOAL, 3.0);
    if flight.cube() + 1 >= flight.course().cubes() {
        scene.label(center, "end of the flight", Color::WHITE);
    }
}

fn draw_fighter(scene: &mut Scene, flight: &Flight, pose: &Pose, figure: &Figure) {
    scene.figure(figure, pose, Color::SKY);
    let BodyState { center, rotation, .. } = *flight.motion();
    scene.lamps.push(Lamp {
        at: center + rotation * DVec3::new(2.4, 0.0, 0.6),
        reach: 9.0,
        color: [0.9, 0.9, 1.0],
    });
    for engine in flight.engines().iter().filter(|engine| engine.throttle > 0.02) {
        let push = engine.push.normalize_or_zero() * (FLAME * engine.throttle);
        for (arm, push) in [(engine.arm, push), (-engine.arm, if engine.turns { -push } else { push })] {
            let from = center + rotation * arm;
            scene.line(from, from - rotation * push, Color::ORANGE.mix(Color::YELLOW, engine.throttle), 5.0);
        }
    }
}

fn draw_aim(scene: &mut Scene, flight: &Flight) {
    let Some(aim) = Aim::of(flight.motion(), flight.world()) else { return };
    let color = Color::VERMILION;
    scene.line(aim.from, aim.to, color.faded(0.5), 1.0);
    let [right, up] = scene.camera.axes();
    // As large on the screen from everywhere.
    let arm = 0.02 * (aim.to - scene.camera.eye).length();
    for way in [right, up] {
        scene.line_on_top(aim.to - way * arm, aim.to + way * arm, color, 2.0);
    }
    if let Some(distance) = aim.distance {
        scene.label(aim.to + (right + up) * (0.4 * arm), format!("{distance:.1} m"), Color::WHITE);
    }
}

/// Explosions, each a light too while it burns.
fn draw_fires(scene: &mut Scene, flight: &Flight) {
    for fire in flight.fires().seen() {
        let age = Some(fire.age);
        // Nearer to the eye, so that no wall cuts it.
        let way = scene.camera.eye - fire.at;
        let at = fire.at + way.clamp_length_max(fire.size.min(0.5 * way.length()));
        scene.billboard(Billboard { at, size: fire.size, color: Color::WHITE, age });
        let bright = (1.0 - 1.6 * fire.age).max(0.0) as f32;
        if bright > 0.0 {
            scene.lamps.push(Lamp {
                at: fire.at,
                reach: 6.0,
                color: [2.0 * bright, 1.2 * bright, 0.5 * bright],
            });
        }
    }
}
