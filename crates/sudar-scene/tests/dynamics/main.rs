//! Rigid bodies: what is expected comes from closed forms, conservation, symmetry and convergence.
//!
//! `SUDAR_DYNAMICS=3600` makes the elastic rooms run for so many simulated seconds instead of a few.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

mod actors;
mod conservation;
mod detection;
mod determinism;
mod flights;
mod floors;
mod joined;
mod mechanisms;
mod momenta;
mod passage;
mod promises;
mod resting;
mod scenes;
mod striking;

use std::sync::Arc;

use sudar::dynamics::{BodyState, Bounds, Filter, Handle, Joint, Pace, Response, RigidBody, Settings, World};
use sudar::{Aabb, Cuboid, DVec3, Halfspace, Mesh, Shape, Sphere};
use sudar_classic::ALL_RESPONSES;
use sudar_scene::Scene;
use sudar_testing::oracle::setting;

fn ball(name: &str, radius: f64) -> RigidBody {
    RigidBody::new(name, Sphere::new(DVec3::ZERO, radius).unwrap())
}

fn cuboid(name: &str, half: [f64; 3]) -> RigidBody {
    RigidBody::new(name, Cuboid::new(DVec3::from_array(half)).unwrap())
}

fn floor() -> RigidBody {
    RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())
}

fn law(name: &str) -> Arc<dyn Response> {
    sudar_classic::response(name).unwrap()
}

fn settings(response: &str) -> Settings {
    Settings { response: law(response), ..Settings::default() }
}

fn weightless(response: &str) -> Settings {
    Settings { gravity: DVec3::ZERO, response: law(response), ..Settings::default() }
}

fn room(half: f64) -> Option<Bounds> {
    Some(Bounds { min: DVec3::splat(-half), max: DVec3::splat(half) })
}

fn run(world: &mut World, seconds: f64, step: f64) {
    for _ in 0..(seconds / step).round() as u64 {
        world.step(step).unwrap();
    }
}

fn id(world: &World, name: &str) -> Handle {
    world.bodies().find(|(_, body)| body.name == name).unwrap().0
}

fn place(world: &World, name: &str) -> DVec3 {
    world.motion(id(world, name)).unwrap().center
}

fn velocity(world: &World, name: &str) -> DVec3 {
    world.motion(id(world, name)).unwrap().velocity
}

const STEP: f64 = 1.0 / 60.0;

/// Solid shapes of all kinds, about a metre in size.
fn solids() -> Vec<(&'static str, Shape)> {
    let scene = sudar_scene::box_objects().unwrap();
    let names = ["ball", "box", "capsule", "cylinder", "cone", "ellipsoid", "icosahedron", "angle"];
    let of = |name: &'static str| {
        let body = scene.bodies.iter().find(|body| body.name == name).unwrap();
        (name, body.body.shape().clone())
    };
    let mut all: Vec<(&str, Shape)> = names.into_iter().map(of).collect();
    all.push(("fighter", sudar_scene::fighter().unwrap()));
    all
}
