//! Mechanisms in space.

use sudar::dynamics::{DynamicsError, Joint};
use sudar::{DQuat, DVec3};

use super::{Mechanism, empty, part};

/// A04: Bricard's mechanism, five rods of 1 kg and 1 × 0.1 × 0.1 m on six hinges, which close a loop that could not
/// move but for its symmetry. The joint of the second and the third rod is watched.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn bricard(substeps: u32) -> Result<Mechanism, DynamicsError> {
    let mut world = empty(DVec3::new(0.0, -9.81, 0.0), substeps)?;
    let points = [
        DVec3::ZERO,
        DVec3::X,
        DVec3::new(1.0, -1.0, 0.0),
        DVec3::new(1.0, -1.0, 1.0),
        DVec3::new(0.0, -1.0, 1.0),
        DVec3::Z,
    ];
    let axes = [DVec3::Y, DVec3::Z, DVec3::X, DVec3::Y, DVec3::Z, DVec3::X];
    let mut bodies = Vec::new();
    let (thick, long) = (2.0 * 0.01 / 12.0, 1.01 / 12.0);
    for (k, ends) in points.windows(2).enumerate() {
        let way = ends[1] - ends[0];
        let (half, moments) =
            (way.abs() * 0.45 + DVec3::splat(0.05), way.abs() * (thick - long) + DVec3::splat(long));
        let middle = (ends[0] + ends[1]) * 0.5;
        bodies.push(world.add(part(
            &format!("rod {}", k + 1),
            half,
            (1.0, moments),
            (middle, DQuat::IDENTITY),
        )?)?);
    }
    for (k, axis) in axes.into_iter().enumerate() {
        let before = k.checked_sub(1).map(|k| bodies[k]);
        world.join(Joint::hinge(before, bodies.get(k).copied(), points[k], axis))?;
    }
    Ok(Mechanism { world, watched: (bodies[2], DVec3::Z * 0.5), bodies })
}

/// A symmetric top of 1 kg with moments about its own axis and across it, through its centre, which is at a distance
/// from a ball joint; it begins with its axis at an angle from the vertical, spinning about it and turning about the
/// vertical.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn gyroscope(
    [along, across]: [f64; 2],
    distance: f64,
    angle: f64,
    [spin, turn]: [f64; 2],
    substeps: u32,
) -> Result<Mechanism, DynamicsError> {
    let mut world = empty(DVec3::new(0.0, 0.0, -9.81), substeps)?;
    let axis = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
    let rotation = DQuat::from_xyzw(0.0, libm::sin(0.5 * angle), 0.0, libm::cos(0.5 * angle));
    let half = DVec3::new(0.3, 0.3, 0.02);
    let mut top = part("top", half, (1.0, DVec3::new(across, across, along)), (axis * distance, rotation))?;
    top.angular_velocity = axis * spin + DVec3::Z * turn;
    top.velocity = top.angular_velocity.cross(axis * distance);
    let top = world.add(top)?;
    world.join(Joint::ball(None, top, DVec3::ZERO))?;
    Ok(Mechanism { world, bodies: vec![top], watched: (top, DVec3::ZERO) })
}
