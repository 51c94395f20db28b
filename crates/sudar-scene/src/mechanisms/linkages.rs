//! Rods in a plane.

use sudar::dynamics::{DynamicsError, Joint};
use sudar::{DQuat, DVec3};

use super::{Mechanism, empty, part, rod};

const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A01: a point of 1 kg on a massless rod of 1 m, let go at an angle from the lowest place, in rad.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn pendulum(angle: f64, substeps: u32) -> Result<Mechanism, DynamicsError> {
    let mut world = empty(GRAVITY, substeps)?;
    let place = DVec3::new(-libm::sin(angle), -libm::cos(angle), 0.0);
    // A point has no moments; these are a millionth of what turns it about the pivot.
    let bob =
        world.add(part("bob", DVec3::splat(0.1), (1.0, DVec3::splat(1e-9)), (place, DQuat::IDENTITY))?)?;
    world.join(Joint::distance(None, bob, [DVec3::ZERO, place]))?;
    Ok(Mechanism { world, bodies: vec![bob], watched: (bob, DVec3::ZERO) })
}

/// Two points of 1 kg on rods of 1 m, both level at the start.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn double_pendulum(substeps: u32) -> Result<Mechanism, DynamicsError> {
    let mut world = empty(GRAVITY, substeps)?;
    let mut bodies = Vec::new();
    for x in [1.0, 2.0] {
        let shape = (1.0, DVec3::splat(1e-9));
        bodies.push(world.add(part("bob", DVec3::splat(0.1), shape, (DVec3::X * x, DQuat::IDENTITY))?)?);
    }
    world.join(Joint::distance(None, bodies[0], [DVec3::ZERO, DVec3::X]))?;
    world.join(Joint::distance(bodies[0], bodies[1], [DVec3::X, DVec3::X * 2.0]))?;
    Ok(Mechanism { world, watched: (bodies[1], DVec3::ZERO), bodies })
}

/// A02: so many four-bars in a row, of slender rods of 1 kg and 1 m, all upright; the first crank begins with 1 m/s at
/// its upper end, which is watched.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn four_bars(count: u32, substeps: u32) -> Result<Mechanism, DynamicsError> {
    let mut world = empty(GRAVITY, substeps)?;
    let mut bodies = Vec::new();
    let spin = DVec3::new(0.0, 0.0, -1.0);
    for k in 0..=count {
        let foot = DVec3::X * f64::from(k);
        let mut crank = rod(&format!("crank {k}"), 1.0, [foot, foot + DVec3::Y])?;
        (crank.velocity, crank.angular_velocity) = (DVec3::X * 0.5, spin);
        bodies.push(world.add(crank)?);
    }
    for k in 0..count {
        let left = DVec3::new(f64::from(k), 1.0, 0.0);
        let mut bar = rod(&format!("bar {k}"), 1.0, [left, left + DVec3::X])?;
        bar.velocity = DVec3::X;
        bodies.push(world.add(bar)?);
    }
    for k in 0..=count {
        let foot = DVec3::X * f64::from(k);
        world.join(Joint::hinge(None, bodies[k as usize], foot, DVec3::Z))?;
    }
    for k in 0..count {
        let bar = bodies[(count + 1 + k) as usize];
        for end in [k, k + 1] {
            let top = DVec3::new(f64::from(end), 1.0, 0.0);
            world.join(Joint::hinge(bodies[end as usize], bar, top, DVec3::Z))?;
        }
    }
    let watched = (bodies[0], DVec3::X * 0.5);
    Ok(Mechanism { world, bodies, watched })
}

/// A crank of a length on a driven hinge turns a slider by a rod; without gravity.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn slider_crank(
    [crank, rod_length]: [f64; 2],
    speed: f64,
    substeps: u32,
) -> Result<Mechanism, DynamicsError> {
    let mut world = empty(DVec3::ZERO, substeps)?;
    let (elbow, end) = (DVec3::X * crank, DVec3::X * (crank + rod_length));
    let mut first = rod("crank", 1.0, [DVec3::ZERO, elbow])?;
    (first.velocity, first.angular_velocity) = (DVec3::Y * (0.5 * crank * speed), DVec3::Z * speed);
    let mut second = rod("rod", 1.0, [elbow, end])?;
    let lean = -speed * crank / rod_length;
    (second.velocity, second.angular_velocity) = (DVec3::Y * (0.5 * crank * speed), DVec3::Z * lean);
    let slider = part("slider", DVec3::splat(0.1), (1.0, DVec3::splat(0.01)), (end, DQuat::IDENTITY))?;
    let bodies = vec![world.add(first)?, world.add(second)?, world.add(slider)?];
    world.join(Joint::hinge(None, bodies[0], DVec3::ZERO, DVec3::Z).motor(speed, f64::INFINITY))?;
    world.join(Joint::hinge(bodies[0], bodies[1], elbow, DVec3::Z))?;
    world.join(Joint::hinge(bodies[1], bodies[2], end, DVec3::Z))?;
    world.join(Joint::slider(None, bodies[2], end, DVec3::X))?;
    Ok(Mechanism { world, watched: (bodies[2], DVec3::ZERO), bodies })
}

/// A four-bar with a driven crank: ground, crank, coupler and rocker of these lengths; the crank begins along x.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn four_bar(
    [ground, crank, coupler, rocker]: [f64; 4],
    speed: f64,
    substeps: u32,
) -> Result<Mechanism, DynamicsError> {
    let mut world = empty(DVec3::ZERO, substeps)?;
    let (first, last) = (DVec3::X * crank, DVec3::X * ground);
    let reach = ground - crank;
    // Where circles about the two ends meet, above.
    let along = (reach * reach + coupler * coupler - rocker * rocker) / (2.0 * reach);
    let top = first + DVec3::new(along, (coupler * coupler - along * along).max(0.0).sqrt(), 0.0);
    let names = ["crank", "coupler", "rocker"];
    let ends = [[DVec3::ZERO, first], [first, top], [top, last]];
    let mut bodies = Vec::new();
    for (name, ends) in names.into_iter().zip(ends) {
        bodies.push(world.add(rod(name, 1.0, ends)?)?);
    }
    world.join(Joint::hinge(None, bodies[0], DVec3::ZERO, DVec3::Z).motor(speed, f64::INFINITY))?;
    world.join(Joint::hinge(bodies[0], bodies[1], first, DVec3::Z))?;
    world.join(Joint::hinge(bodies[1], bodies[2], top, DVec3::Z))?;
    world.join(Joint::hinge(bodies[2], None, last, DVec3::Z))?;
    Ok(Mechanism { world, watched: (bodies[1], DVec3::X * (0.5 * coupler)), bodies })
}
