//! Mechanisms in space.

use sudar::dynamics::{DynamicsError, Joint, Softness};
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

/// A05: a flyball governor. A shaft turns freely about the vertical, once a second at the start; from its top hang two
/// rods at 30 degrees with a ball of 5 kg at the end of each, and springs with dampers tie the middle of each rod to a
/// slider on the shaft, which is watched. Rods and shaft are 1 × 0.01 × 0.01 m and the slider is a cube of 0.1 m, of
/// 3000 kg/m³; the balls have a radius of 0.1 m.
///
/// # Errors
/// Those of [`World::add`](sudar::dynamics::World::add) and `join`.
pub fn governor(substeps: u32) -> Result<Mechanism, DynamicsError> {
    const SPIN: DVec3 = DVec3::new(0.0, 0.0, std::f64::consts::TAU);
    let mut world = empty(DVec3::new(0.0, 0.0, -9.81), substeps)?;
    let (thick, long) = (0.3 * 2e-4 / 12.0, 0.3 * 1.0001 / 12.0);
    let turning = |mut body: sudar::dynamics::RigidBody| {
        (body.angular_velocity, body.velocity) = (SPIN, SPIN.cross(body.position));
        body
    };
    let rod = DVec3::new(0.005, 0.005, 0.5);
    let rod = |name: &str, at: (DVec3, DQuat)| part(name, rod, (0.3, DVec3::new(long, long, thick)), at);
    let shaft = world.add(turning(rod("shaft", (DVec3::Z * 0.5, DQuat::IDENTITY))?))?;
    world.join(Joint::hinge(None, shaft, DVec3::ZERO, DVec3::Z))?;
    let top = DVec3::Z;
    let [sine, cosine] = [0.5, 0.75_f64.sqrt()];
    let middle = |side: f64| top + DVec3::new(side * sine, 0.0, -cosine) * 0.5;
    // Springs of half a metre are at rest.
    let slot = DVec3::Z * (1.0 - cosine);
    let cube =
        part("slider", DVec3::splat(0.05), (3.0, DVec3::splat(3.0 * 0.02 / 12.0)), (slot, DQuat::IDENTITY))?;
    let slider = world.add(turning(cube))?;
    world.join(Joint::slider(shaft, slider, slot, DVec3::Z))?;
    let mut bodies = vec![shaft, slider];
    for (name, side) in [("right", 1.0), ("left", -1.0)] {
        let half = 0.25 * std::f64::consts::FRAC_PI_3 * side;
        let lean = DQuat::from_xyzw(0.0, -libm::sin(half), 0.0, libm::cos(half));
        let rod = world.add(turning(rod(&format!("{name} rod"), (middle(side), lean))?))?;
        let end = middle(side) * 2.0 - top;
        let moments = DVec3::splat(0.4 * 5.0 * 0.01);
        let ball = part(&format!("{name} ball"), DVec3::splat(0.08), (5.0, moments), (end, DQuat::IDENTITY))?;
        let ball = world.add(turning(ball))?;
        world.join(Joint::hinge(shaft, rod, top, DVec3::Y))?;
        world.join(Joint::fixed(rod, ball, end))?;
        let softness = Softness::Stiffness { stiffness: 8e5, damping: 4e4 };
        world.join(Joint::spring(slider, rod, [slot, middle(side)], 0.5, softness))?;
        bodies.extend([rod, ball]);
    }
    Ok(Mechanism { world, watched: (slider, DVec3::ZERO), bodies })
}
