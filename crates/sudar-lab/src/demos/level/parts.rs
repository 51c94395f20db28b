//! What moves in the level: doors, dolls, crates, the belt, and the platform that lets through.

use sudar::dynamics::{BodyType, ContactRule, Filter, Handle, Joint, MassSpec, RigidBody, Softness, World};
use sudar::query::Body;
use sudar::{Capsule, DVec3, Sphere};

use super::rooms::{BEAM, CLEAR, DOOR, MOVER, SHELF, TERRACE, WALL, add, block, still};
use crate::demo::DemoError;

/// How fast the belt runs, in m/s, towards −y.
pub const BELT: f64 = 1.5;

/// Where crates stand at the start: middle of the lower face, half an edge in metres, mass in kilograms.
const CRATES: [([f64; 3], f64, f64); 6] = [
    ([-2.6, 1.6, 0.0], 0.3, 20.0),
    ([-3.3, 1.6, 0.0], 0.3, 20.0),
    ([-2.95, 1.6, 0.6], 0.25, 12.0),
    ([1.3, 2.2, 0.0], 0.35, 30.0),
    ([-4.6, 13.4, TERRACE], 0.35, 30.0),
    ([0.55, 20.15, TERRACE], 0.25, 15.0),
];

/// Adds all of it, with so many dolls; gives the crates.
pub fn build(world: &mut World, dolls: u32) -> Result<Vec<Handle>, DemoError> {
    door(world)?;
    belt(world)?;
    let [y, z] = BEAM;
    let beam = block("beam", [[-5.8, 4.8], [y - 0.06, y + 0.06], [z, z + 0.12]])?;
    add(world, RigidBody { filter: Filter::new(CLEAR, !0), ..beam })?;
    (0..dolls).try_for_each(|number| doll(world, number, dolls))?;
    CRATES.into_iter().map(|(at, half, mass)| crate_at(world, at, half, mass)).collect()
}

/// A body that is pushed, of a mass in kilograms.
fn mover(body: RigidBody, mass: f64) -> RigidBody {
    let (kind, matter, filter) = (BodyType::Dynamic, MassSpec::Mass(mass), Filter::new(MOVER, !0));
    RigidBody { kind, matter, filter, ..body }
}

fn crate_at(world: &mut World, [x, y, z]: [f64; 3], half: f64, mass: f64) -> Result<Handle, DemoError> {
    let ranges = [[x - half, x + half], [y - half, y + half], [z, z + 2.0 * half]];
    add(world, mover(block("crate", ranges)?, mass))
}

/// Two leaves that swing either way and back.
fn door(world: &mut World) -> Result<(), DemoError> {
    const CLEAR: f64 = 0.02;
    // In N·m and N·m·s.
    let back = Softness::Stiffness { stiffness: 12.0, damping: 6.0 };
    let [middle, width] = DOOR;
    for side in [-1.0, 1.0] {
        let jamb = middle + side * (0.5 * width - CLEAR);
        let edge = middle + side * CLEAR;
        let across = [jamb.min(edge), jamb.max(edge)];
        let leaf = block("door", [across, [WALL - 0.03, WALL + 0.03], [TERRACE + 0.05, 3.85]])?;
        let leaf = add(world, RigidBody { angular_drag: 0.2, ..mover(leaf, 14.0) })?;
        let hinge = Joint::hinge(None, leaf, DVec3::new(jamb, WALL, TERRACE), DVec3::Z);
        let hinge = hinge.limits(-1.8, 1.8).servo(0.0, back, f64::INFINITY);
        world.join(hinge).map_err(DemoError::of)?;
    }
    Ok(())
}

/// The belt, and the platform at its beginning.
fn belt(world: &mut World) -> Result<(), DemoError> {
    let contact_rule = Some(ContactRule::one_way(DVec3::Z));
    let shelf = still(block("one-way platform", [[5.9, 8.9], [18.0, 20.55], [SHELF - 0.12, SHELF]])?);
    add(world, RigidBody { contact_rule, filter: Filter::new(CLEAR, !0), ..shelf })?;
    let belt = still(block("belt", [[6.4, 8.1], [8.0, 18.0], [SHELF - 0.3, SHELF]])?);
    add(world, RigidBody { surface_velocity: DVec3::NEG_Y * BELT, ..belt })?;
    Ok(())
}

/// A part of a doll: name, where it is below the beam and aside, radius, half its straight length, mass.
type Part = (&'static str, [f64; 2], f64, f64, f64);

const HEAD: Part = ("doll head", [0.0, -0.75], 0.13, 0.0, 4.0);
const TORSO: Part = ("doll torso", [0.0, -1.23], 0.15, 0.18, 14.0);
const LIMBS: [Part; 4] = [
    ("doll arm", [-0.24, -1.3], 0.055, 0.24, 2.0),
    ("doll arm", [0.24, -1.3], 0.055, 0.24, 2.0),
    ("doll leg", [-0.1, -1.89], 0.07, 0.28, 4.0),
    ("doll leg", [0.1, -1.89], 0.07, 0.28, 4.0),
];

/// Space between two dolls, and how far they swing about their own axis.
const SPACE: f64 = 0.75;
const TWIST: f64 = 0.4;

/// A doll that hangs from the beam, one of so many.
fn doll(world: &mut World, number: u32, count: u32) -> Result<(), DemoError> {
    let [y, top] = BEAM;
    let x = -1.0 + SPACE * (f64::from(number) - 0.5 * f64::from(count - 1));
    let at = |[aside, up]: [f64; 2]| DVec3::new(x + aside, y, top + up);
    let put = |world: &mut World, (name, place, radius, half, mass): Part| {
        let shape: Result<Body, _> = if half > 0.0 {
            Capsule::new(radius, half).map(Body::new)
        } else {
            Sphere::new(DVec3::ZERO, radius).map(Body::new)
        };
        let body = RigidBody::new(format!("{name} {number}"), shape.map_err(DemoError::of)?);
        let drags = RigidBody { position: at(place), linear_drag: 0.2, angular_drag: 0.6, ..body };
        add(world, mover(drags, mass))
    };
    let tie = |world: &mut World, joint: Joint| world.join(joint).map_err(DemoError::of);
    let (head, torso) = (put(world, HEAD)?, put(world, TORSO)?);
    tie(world, Joint::ball(None, head, at([0.0, 0.0])))?;
    tie(world, Joint::cone(head, torso, at([0.0, -0.9]), DVec3::Z, 0.5).limits(-TWIST, TWIST))?;
    for part in LIMBS {
        let (_, [aside, up], radius, half, _) = part;
        let limb = put(world, part)?;
        let pivot = at([aside, up + half + 0.5 * radius]);
        tie(world, Joint::cone(torso, limb, pivot, DVec3::Z, 1.2).limits(-TWIST, TWIST))?;
    }
    Ok(())
}
