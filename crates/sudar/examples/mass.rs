//! Volume, centre of mass and inertia: a hammer of wood and steel, and how fast it swings.
//!
//! `cargo run --release -p sudar --example mass`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use std::f64::consts::PI;
use std::sync::Arc;

use sudar::mass::{MassProperties, mass_properties};
use sudar::{Aabb, Cylinder, DVec3, Mesh, Pose, Solid};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The handle is a cylinder along z from 0 to 0.3 m, the head a closed mesh on top of it.
    let (r, length) = (0.012, 0.3);
    let handle = mass_properties(&Cylinder::new(r, length / 2.0)?.into())?.at_density(700.0);
    let handle = handle.posed(&Pose::from_translation(DVec3::Z * (length / 2.0))?);
    let half = DVec3::new(0.05, 0.015, 0.015);
    let head = Mesh::from_aabb(Aabb { min: -half, max: half });
    let head = mass_properties(&Solid::new(Arc::new(head))?.into())?.at_density(7850.0);
    let head = head.posed(&Pose::from_translation(DVec3::Z * (length + half.z))?);
    let hammer = MassProperties::combined(&[handle, head])?;

    // πr²l and 8abc, and the mean of the centres by mass.
    let masses = [700.0 * PI * r * r * length, 7850.0 * 8.0 * half.x * half.y * half.z];
    let center = (masses[0] * length / 2.0 + masses[1] * (length + half.z)) / (masses[0] + masses[1]);
    println!("{:.4} kg, balanced {:.4} m from the end", hammer.mass, hammer.center.z);
    assert!((hammer.mass - masses[0] - masses[1]).abs() < 1e-12 && (hammer.center.z - center).abs() < 1e-12);

    // As a pendulum about the y axis through the end: T = 2π√(I/mgd), with I by the parallel axis theorem.
    let [rod, block] =
        [(3.0 * r * r + 4.0 * length * length) / 12.0, (half.x * half.x + half.z * half.z) / 3.0];
    let inertia = masses[0] * rod + masses[1] * (block + (length + half.z).powi(2));
    let about_end = hammer.inertia_about(DVec3::ZERO).y_axis.y;
    let period = 2.0 * PI * (about_end / (hammer.mass * 9.81 * hammer.center.z)).sqrt();
    println!("swings with a period of {period:.4} s");
    assert!((about_end - inertia).abs() < 1e-12);
    Ok(())
}
