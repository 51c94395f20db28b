//! The built-in assembly: a planetary gearbox of 69 parts, with faults put in on purpose.
//!
//! Millimetres, the axis along z. The input shaft turns the sun; three planets run between the sun and the ring gear,
//! which the bolts clamp between the halves of the housing; the carrier takes the planets' pins to the output
//! shaft. All lengths along the axis are multiples of 1/4 mm, so flush faces are flush to the last bit.

mod parts;
mod profile;
mod solids;

pub use parts::planet_gear;

use std::f64::consts::PI;
use std::sync::Arc;

use sudar::glam::{DMat3, DVec3};
use sudar::query::Body;
use sudar::{Mesh, MeshError, Pose, PoseError};
use thiserror::Error;

use crate::name_pattern::NamePattern;
use crate::options::{ClashKind, ClashOptions, PartSet};
use crate::part::{Assembly, Part, body_of};
use parts::{BOLT_CIRCLE, BOLTS, bolt_angle};

/// Distance in mm below which parts count as too close.
pub const CLEARANCE: f64 = 0.05;

/// What is meant to touch in this gearbox, or to overlap, as patterns for the names of parts.
const JOINTS: [[&str; 2]; 7] = [
    ["{bolt *,washer *,nut *}", "{bolt *,washer *,nut *,housing *}"],
    ["ring gear", "housing *"],
    // Press fits: seat and bore have the same diameter.
    ["bearing *", "{housing *,input shaft,output shaft}"],
    ["input shaft", "sun gear"],
    ["carrier *", "{pin ?,output shaft}"],
    // Thrust washers run between planet and carrier.
    ["thrust washer *", "{planet ?,bush ?,carrier *}"],
    // Threads are drawn as plain cylinders that overlap.
    THREADS,
];
const THREADS: [&str; 2] = ["bolt *", "nut *"];

/// Leaves out what is meant to touch in this gearbox: joints that are flush, press fits, threads.
pub fn ignore_joints(assembly: &Assembly, options: &mut ClashOptions) {
    let set = |pattern: &str| -> PartSet {
        let pattern = NamePattern::new(pattern).ok();
        let matches = |part: &Part| pattern.as_ref().is_some_and(|pattern| pattern.matches(&part.name));
        assembly.parts.iter().map(matches).collect()
    };
    for [a, b] in JOINTS {
        let kind = if [a, b] == THREADS { ClashKind::Hard } else { ClashKind::Touch };
        options.ignore(set(a), set(b), &[kind]);
    }
}

/// A mistake made on purpose.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// The part that comes first in the assembly.
    pub a: &'static str,
    /// The other part.
    pub b: &'static str,
    /// What a check must report.
    pub kind: ClashKind,
    /// How it came about.
    pub cause: &'static str,
}

/// Everything that is wrong with the gearbox, sorted by part numbers: what a check with [`CLEARANCE`] must find
/// where [`ignore_joints`] leaves out what is meant, no less and no more.
pub const FAULTS: [Fault; 7] = [
    Fault {
        a: "housing front",
        b: "nut 7",
        kind: ClashKind::Contained,
        cause: "a nut was left inside the wall of the housing",
    },
    Fault {
        a: "housing rear",
        b: "pin 2",
        kind: ClashKind::Hard,
        cause: "the pin is 5 mm too long and pierces the housing by 2 mm",
    },
    Fault {
        a: "housing rear",
        b: "bearing rear outer race",
        kind: ClashKind::Clearance,
        cause: "the race is turned 0.03 mm too small for its bore",
    },
    Fault {
        a: "ring gear",
        b: "planet 3",
        kind: ClashKind::Hard,
        cause: "the planet is turned by half a tooth",
    },
    Fault {
        a: "sun gear",
        b: "planet 3",
        kind: ClashKind::Hard,
        cause: "the planet is turned by half a tooth",
    },
    Fault {
        a: "sun gear",
        b: "carrier front",
        kind: ClashKind::Touch,
        cause: "the sun is 3.5 mm too wide and rubs on the carrier",
    },
    Fault { a: "bolt 4", b: "bolt 7", kind: ClashKind::Duplicate, cause: "the bolt was placed twice" },
];

/// Distance of the planets' axes from the main axis.
const CENTER_DISTANCE: f64 = 36.0;
const PLANETS: usize = 3;
const BALLS: usize = 8;

/// Why a gearbox could not be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GearboxError {
    /// A mesh was refused.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A place was refused.
    #[error(transparent)]
    Pose(#[from] PoseError),
}

type Result<T> = std::result::Result<T, GearboxError>;

/// Builds the gearbox.
///
/// # Errors
/// None in practice: the numbers are constant.
pub fn gearbox() -> Result<Assembly> {
    let mut a = Assembly::default();
    housing_and_gears(&mut a)?;
    planets(&mut a)?;
    carrier_and_shafts(&mut a)?;
    bearing(&mut a, "front", 0.0, parts::outer_race(15.0)?)?;
    bearing(&mut a, "rear", 52.0, parts::outer_race(14.97)?)?;
    fasteners(&mut a)?;
    Ok(a)
}

fn housing_and_gears(a: &mut Assembly) -> Result<()> {
    put(a, "housing front", &body(parts::housing(0.0, 8.0, 20.0)?), Pose::IDENTITY);
    put(a, "housing rear", &body(parts::housing(60.0, 52.0, 40.0)?), Pose::IDENTITY);
    put(a, "ring gear", &body(parts::ring_gear()?), Pose::IDENTITY);
    put(a, "sun gear", &body(parts::sun_gear(17.0, 39.5)?), Pose::IDENTITY);
    Ok(())
}

/// Each planet with its bush, pin and thrust washers.
fn planets(a: &mut Assembly) -> Result<()> {
    let (planet, bush) = (body(planet_gear()?), body(parts::bush()?));
    let (pin, long_pin) = (body(parts::pin(49.0)?), body(parts::pin(54.0)?));
    let washer = body(parts::thrust_washer()?);
    for k in 0..PLANETS {
        let n = k + 1;
        let seat = planet_seat(k, 0.0)?;
        let turned = planet_seat(k, if n == 3 { PI / parts::PLANET_TEETH as f64 } else { 0.0 })?;
        put(a, format!("planet {n}"), &planet, turned);
        put(a, format!("bush {n}"), &bush, seat);
        put(a, format!("pin {n}"), if n == 2 { &long_pin } else { &pin }, seat);
        put(a, format!("thrust washer {n} front"), &washer, raised(seat, 17.0)?);
        put(a, format!("thrust washer {n} rear"), &washer, raised(seat, 39.5)?);
    }
    Ok(())
}

fn carrier_and_shafts(a: &mut Assembly) -> Result<()> {
    let seats: Vec<Pose> = (0..PLANETS).map(|k| planet_seat(k, 0.0)).collect::<Result<_>>()?;
    put(a, "carrier front", &body(parts::carrier(12.0, 11.0, 17.0, &seats)?), Pose::IDENTITY);
    put(a, "carrier rear", &body(parts::carrier(10.0, 43.0, 49.0, &seats)?), Pose::IDENTITY);
    put(a, "input shaft", &body(parts::input_shaft()?), Pose::IDENTITY);
    put(a, "output shaft", &body(parts::output_shaft()?), Pose::IDENTITY);
    Ok(())
}

/// Two races with balls between them, from height `z` to 8 above it.
fn bearing(a: &mut Assembly, name: &str, z: f64, outer: Mesh) -> Result<()> {
    let place = Pose::from_translation(DVec3::new(0.0, 0.0, z))?;
    put(a, format!("bearing {name} outer race"), &body(outer), place);
    put(a, format!("bearing {name} inner race"), &body(parts::inner_race()?), place);
    let ball = body(parts::ball()?);
    for k in 0..BALLS {
        let pose = about_axis(11.5, 2.0 * PI * k as f64 / BALLS as f64, z + 4.0)?;
        put(a, format!("bearing {name} ball {}", k + 1), &ball, pose);
    }
    Ok(())
}

fn fasteners(a: &mut Assembly) -> Result<()> {
    let (bolt, washer, nut) = (body(parts::bolt()?), body(parts::washer()?), body(parts::nut()?));
    let at = |k: usize, z: f64| about_axis(BOLT_CIRCLE, bolt_angle(k), z);
    for k in 0..BOLTS {
        let n = k + 1;
        put(a, format!("bolt {n}"), &bolt, at(k, -1.5)?);
        put(a, format!("washer {n} front"), &washer, at(k, -1.5)?);
        put(a, format!("washer {n} rear"), &washer, at(k, 60.0)?);
        put(a, format!("nut {n}"), &nut, at(k, 61.5)?);
    }
    put(a, "bolt 7", &bolt, at(3, -1.5)?);
    put(a, "nut 7", &nut, about_axis(70.0, bolt_angle(1) + PI / BOLTS as f64, 8.0)?);
    Ok(())
}

fn put(a: &mut Assembly, name: impl Into<String>, body: &Body, pose: Pose) {
    a.parts.push(Part { name: name.into(), body: body.clone(), pose });
}

fn body(mesh: Mesh) -> Body {
    body_of(Arc::new(mesh))
}

/// The place of planet `k`, itself turned by `spin`.
fn planet_seat(k: usize, spin: f64) -> Result<Pose> {
    let angle = 2.0 * PI * k as f64 / PLANETS as f64;
    let (sin, cos) = libm::sincos(angle);
    turned(angle + spin, DVec3::new(CENTER_DISTANCE * cos, CENTER_DISTANCE * sin, 0.0))
}

fn raised(pose: Pose, z: f64) -> Result<Pose> {
    Ok(Pose::from_matrix(pose.rotation(), pose.translation().with_z(z))?)
}

/// A place at this radius, angle and height, turned to face the axis.
fn about_axis(radius: f64, angle: f64, z: f64) -> Result<Pose> {
    let (sin, cos) = libm::sincos(angle);
    turned(angle, DVec3::new(radius * cos, radius * sin, z))
}

fn turned(angle: f64, translation: DVec3) -> Result<Pose> {
    let (sin, cos) = libm::sincos(angle);
    let rotation = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Ok(Pose::from_matrix(rotation, translation)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clash::find_clashes;
    use crate::options::ClashOptions;

    fn found(assembly: &Assembly, options: &ClashOptions) -> Vec<(String, String, ClashKind)> {
        let name = |i: usize| assembly.parts[i].name.clone();
        let report = find_clashes(assembly, options, &|_, _| {}).unwrap();
        report.clashes.iter().map(|c| (name(c.a), name(c.b), c.kind)).collect()
    }

    fn planted() -> Vec<(String, String, ClashKind)> {
        FAULTS.iter().map(|f| (f.a.to_owned(), f.b.to_owned(), f.kind)).collect()
    }

    #[test]
    fn every_part_is_a_clean_solid_facing_outward() {
        let assembly = gearbox().unwrap();
        for part in &assembly.parts {
            let mesh = part.body.mesh().unwrap();
            let topology = mesh.topology();
            assert!(topology.faults.is_clean(), "{}: {:?}", part.name, topology.faults);
            assert!(topology.is_closed() && topology.is_oriented() && part.body.solid().is_some());
            let six_volumes: f64 = (0..mesh.triangles().len() as u32)
                .map(|i| mesh.triangle(i))
                .map(|t| t.a.dot(t.b.cross(t.c)))
                .sum();
            assert!(six_volumes > 0.0, "{}", part.name);
        }
    }

    #[test]
    fn it_is_the_size_it_says() {
        let assembly = gearbox().unwrap();
        assert_eq!(assembly.parts.len(), 69);
        let triangles: usize = assembly.parts.iter().map(|p| p.body.mesh().unwrap().triangles().len()).sum();
        assert!((15_000..40_000).contains(&triangles), "{triangles}");
    }

    #[test]
    fn a_check_without_the_joints_finds_the_faults_and_nothing_else() {
        let assembly = gearbox().unwrap();
        let mut options = ClashOptions::new(CLEARANCE).unwrap();
        ignore_joints(&assembly, &mut options);
        assert_eq!(found(&assembly, &options), planted());
    }

    #[test]
    fn joints_show_up_where_they_are_not_left_out() {
        // 6 bolts and the copy each touch a washer under the head, the 6 nuts have a washer each and cut into their
        // bolts (bolt 7 into nut 4 again), washers lie on both halves of the housing. The ring touches both halves.
        // Bearings: 2 inner races on shafts, 1 outer race in its bore. 2 shafts in sun and carrier, 3 pins in 2
        // carriers, 6 thrust washers on planet, bush and carrier.
        let assembly = gearbox().unwrap();
        let all = found(&assembly, &ClashOptions::new(CLEARANCE).unwrap());
        let joints = all.iter().filter(|c| !planted().contains(c));
        let (hard, touch): (Vec<_>, Vec<_>) = joints.partition(|c| c.2 == ClashKind::Hard);
        assert_eq!(hard.len(), 7);
        assert!(touch.iter().all(|c| c.2 == ClashKind::Touch));
        assert_eq!(touch.len(), 7 + 6 + 12 + 2 + 3 + 2 + 6 + 18, "{touch:#?}");
    }
}
