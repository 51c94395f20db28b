//! The meshes of the gearbox. Heights are z in mm; parts that come once are drawn where they stand.

use std::f64::consts::PI;

use sudar::glam::{DVec2, DVec3};
use sudar::{Mesh, MeshError, Pose};

use super::profile::{Gear, circle};
use super::solids::{Builder, Ring};

/// The bolts stand on a circle of this radius.
pub const BOLT_CIRCLE: f64 = 71.0;
pub const BOLTS: usize = 6;

pub fn bolt_angle(k: usize) -> f64 {
    2.0 * PI * k as f64 / BOLTS as f64
}

/// Teeth of sun and planets; the ring has as many as a sun and two planets.
pub const PLANET_TEETH: usize = 18;
const RING_TEETH: usize = 3 * PLANET_TEETH;
const MODULE: f64 = 2.0;
/// Leaves 0.2 mm on either side of a centred tooth.
const BACKLASH: f64 = 0.2;

const OUTER_RADIUS: f64 = 80.0;
const SHAFT_RADIUS: f64 = 8.0;
/// Corners of circles by size, so that seats and bores of one radius share every facet.
const FINE: usize = 64;
const MEDIUM: usize = 48;
const COARSE: usize = 24;

type Result = std::result::Result<Mesh, MeshError>;

/// A pot: its plate from `outside` to `floor` with the bore of a bearing, its wall up to `rim`, pierced by the bolts.
/// Opens upward if `rim` is above, downward if below.
pub fn housing(outside: f64, floor: f64, rim: f64) -> Result {
    let mut b = Builder::default();
    let (low, high) = (outside.min(rim), outside.max(rim));
    let hull = [low, high].map(|z| b.ring(&circle(OUTER_RADIUS, 96), z));
    let bolts = [low, high].map(|z| bolt_holes(&mut b, z));
    let bore = [outside.min(floor), outside.max(floor)].map(|z| b.ring(&circle(15.0, FINE), z));
    let cavity = [floor.min(rim), floor.max(rim)].map(|z| b.ring(&circle(60.0, FINE), z));
    b.wall(&hull[0], &hull[1]);
    b.wall(&bore[1], &bore[0]);
    b.wall(&cavity[1], &cavity[0]);
    for (lower, upper) in bolts[0].iter().zip(&bolts[1]) {
        b.wall(upper, lower);
    }
    if rim > outside {
        b.bottom(&hull[0], &holes(&bore[0], &bolts[0]));
        b.top(&cavity[0], &[&bore[1]]);
        b.top(&hull[1], &holes(&cavity[1], &bolts[1]));
    } else {
        b.top(&hull[1], &holes(&bore[1], &bolts[1]));
        b.bottom(&cavity[1], &[&bore[0]]);
        b.bottom(&hull[0], &holes(&cavity[0], &bolts[0]));
    }
    b.mesh()
}

fn holes<'a>(first: &'a Ring, more: &'a [Ring]) -> Vec<&'a Ring> {
    std::iter::once(first).chain(more).collect()
}

fn bolt_holes(b: &mut Builder, z: f64) -> Vec<Ring> {
    let center = |k| {
        let (sin, cos) = libm::sincos(bolt_angle(k));
        DVec2::new(cos, sin) * BOLT_CIRCLE
    };
    (0..BOLTS)
        .map(|k| {
            let hole: Vec<DVec2> = circle(4.5, COARSE).into_iter().map(|p| p + center(k)).collect();
            b.ring(&hole, z)
        })
        .collect()
}

/// The middle of the housing, with the internal teeth.
pub fn ring_gear() -> Result {
    let mut b = Builder::default();
    let teeth = Gear { module: MODULE, teeth: RING_TEETH, backlash: BACKLASH }.internal();
    let hull = [20.0, 40.0].map(|z| b.ring(&circle(OUTER_RADIUS, 96), z));
    let opening = [20.0, 40.0].map(|z| b.ring(&teeth, z));
    let bolts = [20.0, 40.0].map(|z| bolt_holes(&mut b, z));
    b.wall(&hull[0], &hull[1]);
    b.wall(&opening[1], &opening[0]);
    for (lower, upper) in bolts[0].iter().zip(&bolts[1]) {
        b.wall(upper, lower);
    }
    b.bottom(&hull[0], &holes(&opening[0], &bolts[0]));
    b.top(&hull[1], &holes(&opening[1], &bolts[1]));
    b.mesh()
}

/// The sun, a tooth at angle 0, seated on the input shaft.
pub fn sun_gear(low: f64, high: f64) -> Result {
    let gear = Gear { module: MODULE, teeth: PLANET_TEETH, backlash: BACKLASH };
    tube(&gear.external(), &circle(SHAFT_RADIUS, FINE), low, high)
}

/// A planet, a space at angle 0: it meets a tooth of the ring outward and a tooth of the sun inward.
pub fn planet_gear() -> Result {
    let gear = Gear { module: MODULE, teeth: PLANET_TEETH, backlash: BACKLASH };
    let half_pitch = spin(0.5 / PLANET_TEETH as f64);
    let outline: Vec<DVec2> = gear.external().into_iter().map(|p| half_pitch.rotate(p)).collect();
    tube(&outline, &circle(8.2, MEDIUM), 20.5, 39.5)
}

/// The unit vector at this fraction of a full turn.
fn spin(turns: f64) -> DVec2 {
    let (sin, cos) = libm::sincos(2.0 * PI * turns);
    DVec2::new(cos, sin)
}

pub fn bush() -> Result {
    tube(&circle(8.0, MEDIUM), &circle(6.2, MEDIUM), 20.5, 39.5)
}

/// Lies on z = 0.
pub fn thrust_washer() -> Result {
    tube(&circle(9.0, MEDIUM), &circle(6.2, MEDIUM), 0.0, 3.5)
}

pub fn pin(end: f64) -> Result {
    let mut b = Builder::default();
    let rings = [11.0, end].map(|z| b.ring(&circle(6.0, MEDIUM), z));
    b.wall(&rings[0], &rings[1]);
    b.bottom(&rings[0], &[]);
    b.top(&rings[1], &[]);
    b.mesh()
}

/// A disc with a bore and a hole for the pin of each planet, posed as the pins are so that both share their facets.
pub fn carrier(bore: f64, low: f64, high: f64, seats: &[Pose]) -> Result {
    let mut b = Builder::default();
    let disc = [low, high].map(|z| b.ring(&circle(55.0, 96), z));
    let bores = [low, high].map(|z| b.ring(&circle(bore, FINE), z));
    b.wall(&disc[0], &disc[1]);
    b.wall(&bores[1], &bores[0]);
    let pins = [low, high].map(|z| pin_holes(&mut b, z, seats));
    for (lower, upper) in pins[0].iter().zip(&pins[1]) {
        b.wall(upper, lower);
    }
    b.bottom(&disc[0], &holes(&bores[0], &pins[0]));
    b.top(&disc[1], &holes(&bores[1], &pins[1]));
    b.mesh()
}

fn pin_holes(b: &mut Builder, z: f64, seats: &[Pose]) -> Vec<Ring> {
    let hole = |seat: &Pose| -> Vec<DVec2> {
        circle(6.0, MEDIUM).into_iter().map(|p| seat.apply(p.extend(0.0)).truncate()).collect()
    };
    seats.iter().map(|seat| b.ring(&hole(seat), z)).collect()
}

pub fn input_shaft() -> Result {
    let mut b = Builder::default();
    let rings = [-30.0, 39.5].map(|z| b.ring(&circle(SHAFT_RADIUS, FINE), z));
    b.wall(&rings[0], &rings[1]);
    b.bottom(&rings[0], &[]);
    b.top(&rings[1], &[]);
    b.mesh()
}

/// Seated in the rear carrier with its wider end.
pub fn output_shaft() -> Result {
    let mut b = Builder::default();
    let seat = [43.0, 49.0].map(|z| b.ring(&circle(10.0, FINE), z));
    let shaft = [49.0, 90.0].map(|z| b.ring(&circle(SHAFT_RADIUS, FINE), z));
    b.bottom(&seat[0], &[]);
    b.wall(&seat[0], &seat[1]);
    b.top(&seat[1], &[&shaft[0]]);
    b.wall(&shaft[0], &shaft[1]);
    b.top(&shaft[1], &[]);
    b.mesh()
}

/// Stands on z = 0, as do the other parts of the bearings.
pub fn outer_race(radius: f64) -> Result {
    tube(&circle(radius, FINE), &circle(13.0, FINE), 0.0, 8.0)
}

pub fn inner_race() -> Result {
    tube(&circle(10.0, FINE), &circle(SHAFT_RADIUS, FINE), 0.0, 8.0)
}

/// About the origin; leaves 0.1 mm to either race.
pub fn ball() -> Result {
    const LATITUDES: usize = 12;
    const RADIUS: f64 = 1.4;
    let mut b = Builder::default();
    let south = b.vertex(DVec3::new(0.0, 0.0, -RADIUS));
    let north = b.vertex(DVec3::new(0.0, 0.0, RADIUS));
    let rings: Vec<Ring> = (1..LATITUDES)
        .map(|i| {
            let meridian = spin(0.5 * i as f64 / LATITUDES as f64) * RADIUS;
            b.ring(&circle(meridian.y, COARSE), -meridian.x)
        })
        .collect();
    b.funnel(&rings[0], south);
    rings.windows(2).for_each(|pair| b.wall(&pair[0], &pair[1]));
    b.roof(&rings[LATITUDES - 2], north);
    b.mesh()
}

/// The underside of its head at z = 0.
pub fn bolt() -> Result {
    let mut b = Builder::default();
    let head = [-5.5, 0.0].map(|z| b.ring(&circle(7.5, 6), z));
    let shank = [0.0, 71.5].map(|z| b.ring(&circle(4.0, COARSE), z));
    b.bottom(&head[0], &[]);
    b.wall(&head[0], &head[1]);
    b.top(&head[1], &[&shank[0]]);
    b.wall(&shank[0], &shank[1]);
    b.top(&shank[1], &[]);
    b.mesh()
}

/// Lies on z = 0. Its bore is the core of the thread, narrower than the bolt.
pub fn nut() -> Result {
    tube(&circle(7.5, 6), &circle(3.5, COARSE), 0.0, 6.5)
}

/// Lies on z = 0.
pub fn washer() -> Result {
    tube(&circle(8.0, COARSE), &circle(4.4, COARSE), 0.0, 1.5)
}

/// The space between two outlines from `low` to `high`.
fn tube(outer: &[DVec2], inner: &[DVec2], low: f64, high: f64) -> Result {
    let mut b = Builder::default();
    let hull = [low, high].map(|z| b.ring(outer, z));
    let bore = [low, high].map(|z| b.ring(inner, z));
    b.wall(&hull[0], &hull[1]);
    b.wall(&bore[1], &bore[0]);
    b.bottom(&hull[0], &[&bore[0]]);
    b.top(&hull[1], &[&bore[1]]);
    b.mesh()
}
