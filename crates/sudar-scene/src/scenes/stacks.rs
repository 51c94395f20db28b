//! Bodies that rest on each other under gravity.

use std::sync::Arc;

use sudar::glam::DVec3;

use super::elastic::Numbers;
use super::turn;
use super::{Scene, SceneError};
use sudar::dynamics::{MassSpec, RigidBody, Settings};
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::shape::{Cuboid, Halfspace, Shape, Sphere};

/// Gravity and a floor at z = 0.
fn grounded() -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    scene.bodies.push(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?));
    Ok(scene)
}

fn put(scene: &mut Scene, name: String, body: &Body, position: DVec3) {
    scene.bodies.push(RigidBody { position, ..RigidBody::new(name, body.clone()) });
}

/// A stack of boxes with sides of 1 m.
///
/// # Errors
/// None in practice.
pub fn stack(count: u32) -> Result<Scene, SceneError> {
    let (mut scene, cube) = (grounded()?, Body::new(Cuboid::new(DVec3::splat(0.5))?));
    for i in 0..count {
        put(&mut scene, format!("box {}", i + 1), &cube, DVec3::Z * (0.5 + f64::from(i)));
    }
    Ok(scene)
}

/// A pyramid one box thick, with so many boxes in the lowest row.
///
/// # Errors
/// None in practice.
pub fn pyramid(base: u32) -> Result<Scene, SceneError> {
    let (mut scene, cube) = (grounded()?, Body::new(Cuboid::new(DVec3::splat(0.5))?));
    for row in 0..base {
        for i in 0..base - row {
            let x = f64::from(i) * 1.1 - 0.55 * f64::from(base - row - 1);
            let name = format!("box {}", scene.bodies.len());
            put(&mut scene, name, &cube, DVec3::new(x, 0.0, 0.5 + f64::from(row)));
        }
    }
    Ok(scene)
}

/// A pyramid of layers, with so many boxes along either side of the lowest.
///
/// # Errors
/// None in practice.
pub fn pyramid_3d(base: u32) -> Result<Scene, SceneError> {
    let (mut scene, cube) = (grounded()?, Body::new(Cuboid::new(DVec3::splat(0.5))?));
    for layer in 0..base {
        let side = base - layer;
        for k in 0..side * side {
            let place = |i: u32| f64::from(i) * 1.05 - 0.525 * f64::from(side - 1);
            let at = DVec3::new(place(k % side), place(k / side), 0.5 + f64::from(layer));
            let name = format!("box {}", scene.bodies.len());
            put(&mut scene, name, &cube, at);
        }
    }
    Ok(scene)
}

/// A heap of boxes that fall on the floor.
///
/// # Errors
/// None in practice.
pub fn boxes(count: u32) -> Result<Scene, SceneError> {
    heap(count, &Body::new(Cuboid::new(DVec3::splat(0.5))?))
}

/// A heap of hulls of twenty corners that fall on the floor.
///
/// # Errors
/// None in practice.
pub fn hulls(count: u32) -> Result<Scene, SceneError> {
    let mut numbers = Numbers::new(5);
    let corner = |_| numbers.vector().normalize_or(DVec3::X) * 0.6;
    let corners: Vec<DVec3> = (0..20).map(corner).collect();
    heap(count, &Body::new(Shape::Hull(Arc::new(convex_hull(&corners)?))))
}

fn heap(count: u32, body: &Body) -> Result<Scene, SceneError> {
    let mut scene = grounded()?;
    let side = (1..).find(|side: &u32| side * side * side >= count).unwrap_or(1);
    let mut numbers = Numbers::new(6);
    for i in 0..count {
        let cell = DVec3::new(f64::from(i % side), f64::from(i / side % side), f64::from(i / side / side));
        let at = (cell + numbers.vector() * 0.05) * 1.5 + DVec3::Z * 1.0;
        put(&mut scene, format!("body {}", i + 1), body, at);
    }
    Ok(scene)
}

/// Dominoes of 1 m, of which the first is tipped over.
///
/// # Errors
/// None in practice.
pub fn dominoes(count: u32) -> Result<Scene, SceneError> {
    let (mut scene, domino) = (grounded()?, Body::new(Cuboid::new(DVec3::new(0.1, 0.25, 0.5))?));
    for i in 0..count {
        put(&mut scene, format!("domino {}", i + 1), &domino, DVec3::new(f64::from(i) * 0.5, 0.0, 0.5));
    }
    if let Some(first) = scene.bodies.get_mut(1) {
        // About its lower edge.
        first.angular_velocity = DVec3::Y * 1.5;
        first.velocity = DVec3::X * 0.75;
    }
    Ok(scene)
}

/// A block on a slope of so many degrees.
///
/// # Errors
/// None in practice.
pub fn incline(degrees: f64, friction: f64) -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    let tilt = turn(DVec3::Y * degrees.to_radians());
    let mut slope = RigidBody::fixed("slope", Halfspace::new(tilt * DVec3::Z, 0.0)?);
    slope.friction = friction;
    scene.bodies.push(slope);
    let block = Body::new(Cuboid::new(DVec3::new(0.5, 0.5, 0.25))?);
    scene.bodies.push(RigidBody {
        position: tilt * DVec3::Z * 0.25,
        rotation: tilt,
        friction,
        ..RigidBody::new("block", block)
    });
    Ok(scene)
}

/// A wall of bricks, ten wide and eight high, and a ball of two tons that rolls into it.
///
/// # Errors
/// None in practice.
pub fn wall() -> Result<Scene, SceneError> {
    let (mut scene, brick) = (grounded()?, Body::new(Cuboid::new(DVec3::new(0.25, 0.5, 0.25))?));
    for row in 0..8_u32 {
        let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
        for i in 0..10_u32 {
            let at = DVec3::new(0.0, f64::from(i) * 1.01 - 4.5 + shift, 0.25 + 0.5 * f64::from(row));
            let name = format!("brick {}", scene.bodies.len());
            put(&mut scene, name, &brick, at);
        }
    }
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.8)?);
    scene.bodies.push(RigidBody {
        position: DVec3::new(-6.0, 0.0, 0.8),
        velocity: DVec3::X * 12.0,
        angular_velocity: DVec3::Y * 15.0,
        matter: MassSpec::Mass(2000.0),
        ..RigidBody::new("ball", ball)
    });
    Ok(scene)
}
