//! Machines for somebody to drive: a car among hills, a crane whose boom is raised and lowered.

use std::sync::Arc;

use sudar::dynamics::{RigidBody, Settings};
use sudar::glam::DVec2;
use sudar::query::Body;
use sudar::shape::{Cuboid, HeightField, Shape};
use sudar::{DQuat, DVec3};

use super::jointed::{CarParts, Chain, floor, hinge};
use super::{Scene, SceneError};

/// Samples of the hills along each side, and the metres between two.
const SAMPLES: u32 = 65;
const CELL: f64 = 1.25;

/// Height of the hills above a place, in metres: level in the middle, a bank all around.
fn height_of_hills(x: f64, y: f64) -> f64 {
    let distance = libm::hypot(x, y);
    let share = 1.0 - libm::exp(-(distance / 9.0) * (distance / 9.0));
    let waves = 1.1 * libm::sin(0.25 * x + 0.6) * libm::sin(0.21 * y)
        + 0.9 * libm::sin(0.12 * x - 0.1 * y)
        + 0.08 * libm::sin(1.1 * x) * libm::sin(0.9 * y + 0.4);
    let beyond = (distance - 30.0).max(0.0);
    share * waves + 0.06 * beyond * beyond
}

/// A car that stands in the middle of hills of 80 m by 80 m. Its joints, in order, are the wheels: rear right, rear
/// left, front right, front left; motors stand still.
///
/// # Errors
/// None in practice.
pub fn hill_car() -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    let half = 0.5 * CELL * f64::from(SAMPLES - 1);
    let place = |k: u32| CELL * f64::from(k) - half;
    let heights: Vec<f64> =
        (0..SAMPLES * SAMPLES).map(|k| height_of_hills(place(k % SAMPLES), place(k / SAMPLES))).collect();
    let field = HeightField::new(SAMPLES as usize, &heights, DVec2::splat(CELL))?;
    let hills = RigidBody::fixed("hills", Shape::HeightField(Arc::new(field)));
    scene.bodies.push(RigidBody { position: DVec3::new(-half, -half, 0.0), friction: 1.0, ..hills });
    CarParts::new()?.put(
        &mut scene,
        "of the driver",
        DVec3::new(0.0, 0.0, height_of_hills(0.0, 0.0) + 0.78),
        0.0,
    );
    Ok(scene)
}

/// A crane whose chain of so many links carries a thousand times its own mass. Its first joint turns it, its
/// second raises the boom; their motors stand still.
///
/// # Errors
/// None in practice.
pub fn derrick(links: u32) -> Result<Scene, SceneError> {
    const REACH: f64 = 9.0;
    const LEAN: f64 = 0.35;
    let mut scene = Scene::new(Settings::default());
    floor(&mut scene)?;
    let height = Chain::LENGTH * f64::from(links) + 1.0;
    let mast = Cuboid::new(DVec3::new(0.4, 0.4, 0.5 * height))?;
    scene.bodies.push(RigidBody { position: DVec3::Z * (0.5 * height), ..RigidBody::fixed("mast", mast) });
    let top = DVec3::Z * height;
    let cab = Body::new(Cuboid::new(DVec3::new(0.7, 0.7, 0.4))?);
    let cab = scene.push("cab".to_owned(), cab, 3000.0, (top + DVec3::Z * 0.4, DQuat::IDENTITY));
    scene.tie(Some(1), cab, hinge(top, DVec3::Z).motor(0.0, 5e5));
    let pivot = top + DVec3::new(0.6, 0.0, 0.5);
    let turn = DQuat::from_rotation_y(-LEAN);
    let along = turn * DVec3::X;
    let boom = Body::new(Cuboid::new(DVec3::new(0.5 * REACH, 0.15, 0.2))?);
    let boom = scene.push("boom".to_owned(), boom, 1500.0, (pivot + along * (0.5 * REACH), turn));
    // From where the load lies on the floor to where it is near the mast.
    let raise = hinge(pivot, DVec3::NEG_Y).limits(-0.42, 0.65).motor(0.0, 1e6);
    scene.tie(Some(cab), boom, raise);
    let chain = Chain { links, mass: 2.0 / f64::from(links), load: 2000.0 };
    chain.hang(&mut scene, boom, pivot + along * (REACH - 0.2) - DVec3::Z * 0.2)?;
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::dynamics::World;

    /// While nobody drives it, it hangs as it is.
    #[test]
    fn a_derrick_holds_its_load() {
        let mut world = derrick(16).unwrap().world().unwrap();
        let (load, _) = world.bodies().last().unwrap();
        let before = world.motion(load).unwrap().center;
        for _ in 0..120 {
            assert!(world.step(1.0 / 60.0).unwrap().gap < 1e-8);
        }
        let inertia =
            |world: &World, number| world.inertia(world.bodies().nth(number).unwrap().0).unwrap().mass;
        let chain: f64 = (4..20).map(|number| inertia(&world, number)).sum();
        assert!((inertia(&world, 20) / chain - 1000.0).abs() < 1e-9);
        assert!(world.motion(load).unwrap().center.distance(before) < 1e-3 && before.z > 1.0);
    }

    #[test]
    fn a_car_on_hills_comes_to_rest_on_its_wheels() {
        let mut world = hill_car().unwrap().world().unwrap();
        let mut gap: f64 = 0.0;
        for _ in 0..180 {
            gap = gap.max(world.step(1.0 / 60.0).unwrap().gap);
        }
        let (car, _) = world.bodies().nth(1).unwrap();
        let motion = world.motion(car).unwrap();
        let up = motion.rotation * DVec3::Z;
        assert!(gap < 1e-6 && up.z > 0.95 && motion.velocity.length() < 0.05, "{gap} {motion:?}");
    }
}
