//! What the gearbox looks like.

use sudar::{DQuat, DVec3};
use sudar_clash::Clash;
use sudar_view::{Color, Look, Orbit, Placement, Scene};

use super::parts::{MIDDLE, Parts, View, color};
use super::search::Search;

/// What is pointed out.
#[derive(Debug)]
pub struct Seen<'s> {
    pub clash: Option<&'s Clash>,
    pub hover: Option<usize>,
    pub search: &'s Search,
    pub apart: f64,
}

/// Sees all of it from aside and above.
pub fn home() -> Orbit {
    Orbit { target: DVec3::new(0.0, 0.0, MIDDLE), distance: 330.0, yaw: -0.7, pitch: 0.42 }
}

/// Near a clash, from the side of the axis on which it is.
pub fn toward(clash: &Clash) -> Orbit {
    let out = clash.point.with_z(0.0);
    let yaw = if out.length() > 1.0 { libm::atan2(out.x, -out.y) } else { -0.7 };
    let pitch = if clash.point.z < MIDDLE { -0.6 } else { 0.6 };
    Orbit { target: clash.point, distance: 110.0, yaw, pitch }
}

/// Brings a camera nearer to another by a part of the way, round by the shorter side.
pub fn approach(orbit: &mut Orbit, wanted: &Orbit, part: f64) {
    let round = libm::remainder(wanted.yaw - orbit.yaw, std::f64::consts::TAU);
    orbit.target += (wanted.target - orbit.target) * part;
    orbit.distance += (wanted.distance - orbit.distance) * part;
    orbit.yaw += round * part;
    orbit.pitch += (wanted.pitch - orbit.pitch) * part;
}

/// Draws everything.
pub fn draw(parts: &Parts, seen: &Seen, orbit: &Orbit, scene: &mut Scene) {
    scene.camera = orbit.camera();
    scene.camera.range = [1.0, 4000.0];
    if seen.clash.is_none() {
        draw_floor(scene);
    }
    for part in 0..parts.views.len() {
        let (shown, opacity) = look_of(part, parts, seen);
        if opacity > 0.0 {
            scene.figure(parts.figure(part), &parts.pose(part, seen.apart), shown.faded(opacity));
        }
    }
    if let Some(clash) = seen.clash {
        draw_clash(clash, scene);
    }
    if let Some(part) = seen.hover.or(seen.search.chosen) {
        let pose = parts.pose(part, seen.apart);
        let center = parts.assembly.parts[part].body.aabb(&pose).center();
        scene.label(center, parts.name(part), Color::WHITE);
    }
}

/// A table below the parts, however far apart they are.
fn draw_floor(scene: &mut Scene) {
    scene.sun.shadows = Some((DVec3::new(0.0, 0.0, MIDDLE - 60.0), 240.0));
    let place = Placement {
        at: DVec3::new(0.0, 0.0, FLOOR - 2.0),
        rotation: DQuat::IDENTITY,
        scale: DVec3::new(260.0, 260.0, 2.0),
    };
    scene.cube(place, Color::rgb(74, 80, 90), Look::Plain);
    // A line every five centimetres.
    for k in -5..=5 {
        let aside = 50.0 * f64::from(k);
        for turned in [false, true] {
            let end = |far: f64| if turned { [far, aside, FLOOR + 0.2] } else { [aside, far, FLOOR + 0.2] };
            scene.line(end(-260.0).into(), end(260.0).into(), Color::BLACK.faded(0.35), 1.0);
        }
    }
}

/// Height of the table, in mm.
const FLOOR: f64 = -150.0;

/// Colour and opacity of a part.
fn look_of(part: usize, parts: &Parts, seen: &Seen) -> (Color, f64) {
    if let Some(clash) = seen.clash {
        // The two are whole whatever the user hides; the rest steps back.
        return match part {
            part if part == clash.a => (Color::SKY, 0.75),
            part if part == clash.b => (Color::ORANGE, 0.9),
            _ => (color(parts.name(part)), if parts.views[part] == View::Hidden { 0.0 } else { 0.06 }),
        };
    }
    let own = color(parts.name(part));
    let shown = match part {
        part if seen.search.chosen == Some(part) => Color::VERMILION,
        part if seen.hover == Some(part) => own.mix(Color::WHITE, 0.5),
        _ => own,
    };
    let opacity = match parts.views[part] {
        View::Whole => 1.0,
        View::Clear => 0.16,
        View::Hidden => 0.0,
    };
    (shown, opacity)
}

/// The place of a clash and the direction of its depth.
fn draw_clash(clash: &Clash, scene: &mut Scene) {
    let at = clash.point;
    let [right, up] = scene.camera.axes();
    const STEPS: u32 = 32;
    let on = |i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(STEPS);
        at + (right * libm::cos(angle) + up * libm::sin(angle)) * 7.0
    };
    (0..STEPS).for_each(|i| scene.line_on_top(on(i), on(i + 1), Color::VERMILION, 3.0));
    scene.dot(at, 5.0, Color::VERMILION);
    if let Some(normal) = clash.normal {
        scene.arrow(at, at + normal * 12.0, Color::VERMILION, 3.0);
    }
    scene.label(at + up * 8.0, clash.kind.name(), Color::VERMILION.mix(Color::WHITE, 0.4));
}
