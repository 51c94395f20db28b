//! Bodies whose integrals are known: ball, box, capsule, cylinder, cone, ellipsoid.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::{MassError, MassProperties, check_size};
use crate::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere};

pub(super) fn sphere(s: &Sphere) -> Result<MassProperties, MassError> {
    let body = ellipsoid(&Ellipsoid { radii: DVec3::splat(s.radius) })?;
    Ok(MassProperties { center: s.center, ..body })
}

pub(super) fn ellipsoid(e: &Ellipsoid) -> Result<MassProperties, MassError> {
    let volume = 4.0 / 3.0 * PI * e.radii.x * e.radii.y * e.radii.z;
    centered(e.radii, volume, e.radii * e.radii / 5.0)
}

pub(super) fn cuboid(c: &Cuboid) -> Result<MassProperties, MassError> {
    centered(c.half, 8.0 * c.half.x * c.half.y * c.half.z, c.half * c.half / 3.0)
}

pub(super) fn cylinder(c: &Cylinder) -> Result<MassProperties, MassError> {
    let (r, h) = (c.radius, c.half_length);
    round(r, h, PI * r * r * (2.0 * h), [r * r / 4.0, h * h / 3.0])
}

/// A cylinder and the two halves of a ball, whose centres of mass are ⅜ of the radius out from its ends.
pub(super) fn capsule(c: &Capsule) -> Result<MassProperties, MassError> {
    let (r, h) = (c.radius, c.half_length);
    let (middle, ball) = (PI * r * r * (2.0 * h), 4.0 / 3.0 * PI * r * r * r);
    let volume = middle + ball;
    let (m, b) = (middle / volume, ball / volume);
    let across = m * (r * r / 4.0) + b * (r * r / 5.0);
    let along = m * (h * h / 3.0) + b * (r * r / 5.0 + h * h + 0.75 * h * r);
    round(r, h, volume, [across, along])
}

/// The centre of mass is a quarter of the height above the base.
pub(super) fn cone(c: &Cone) -> Result<MassProperties, MassError> {
    let (r, h) = (c.radius, c.half_length);
    // A cone of height H has a variance of 3/80 H² along its axis.
    let body = round(r, h, PI * r * r * (2.0 * h) / 3.0, [0.15 * r * r, 0.15 * h * h])?;
    Ok(MassProperties { center: DVec3::new(0.0, 0.0, -0.5 * h), ..body })
}

/// A body around the z axis, with its mean squares across and along it.
fn round(
    radius: f64,
    half: f64,
    volume: f64,
    [across, along]: [f64; 2],
) -> Result<MassProperties, MassError> {
    centered(DVec3::new(radius, radius, half), volume, DVec3::new(across, across, along))
}

/// A body around the origin, with its mean squares of x, y and z.
fn centered(size: DVec3, volume: f64, squares: DVec3) -> Result<MassProperties, MassError> {
    check_size(size.max_element())?;
    check_size(size.min_element())?;
    let second = DMat3::from_diagonal(squares * volume);
    Ok(MassProperties::from_second_moment(volume, DVec3::ZERO, second))
}
