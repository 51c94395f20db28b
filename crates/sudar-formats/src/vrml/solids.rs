//! Box, sphere, cone and cylinder; the axis of round bodies is y.

use std::f64::consts::{PI, TAU};

use sudar::{Aabb, DVec3, Mesh};

use super::here::Here;
use crate::builder::Builder;
use crate::{Cause, NoteKind};

/// Sides of round bodies.
const SIDES: u32 = 32;

pub(super) fn cuboid(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    let half = DVec3::from_array(here.fixed("size", [2.0; 3])?) / 2.0;
    check_size(here, half.min_element())?;
    let mesh = Mesh::from_aabb(Aabb { min: -half, max: half });
    builder.vertices.extend_from_slice(mesh.vertices());
    builder.triangles.extend_from_slice(mesh.triangles());
    Ok(())
}

pub(super) fn sphere(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    let radius = size(here, "radius", 1.0)?;
    let ring = |k: u32| {
        let angle = PI * (f64::from(k) / f64::from(SIDES / 2) - 0.5);
        (radius * libm::cos(angle), radius * libm::sin(angle))
    };
    let rings: Vec<(f64, f64)> = (1..SIDES / 2).map(ring).collect();
    revolve(here, &rings, [Some(-radius), Some(radius)], true, builder);
    Ok(())
}

pub(super) fn cone(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    let (radius, half) = (size(here, "bottomRadius", 1.0)?, size(here, "height", 2.0)? / 2.0);
    let (side, bottom) = (here.truth("side", true)?, here.truth("bottom", true)?);
    let ends = [bottom.then_some(-half), side.then_some(half)];
    revolve(here, &[(radius, -half)], ends, false, builder);
    Ok(())
}

pub(super) fn cylinder(here: Here<'_>, builder: &mut Builder) -> Result<(), Cause> {
    let (radius, half) = (size(here, "radius", 1.0)?, size(here, "height", 2.0)? / 2.0);
    let side = here.truth("side", true)?;
    let ends = [here.truth("bottom", true)?.then_some(-half), here.truth("top", true)?.then_some(half)];
    revolve(here, &[(radius, -half), (radius, half)], ends, side, builder);
    Ok(())
}

/// A positive length.
fn size(here: Here<'_>, name: &str, default: f64) -> Result<f64, Cause> {
    let size = here.number(name, default)?;
    check_size(here, size)?;
    Ok(size)
}

fn check_size(here: Here<'_>, size: f64) -> Result<(), Cause> {
    if size > 0.0 {
        return Ok(());
    }
    let found = size.to_string();
    Err(Cause::Expected { place: here.place(), expected: "a size above 0".to_owned(), found })
}

/// Rings of radii at heights, with sides between them and fans to points on the axis below and above.
fn revolve(here: Here<'_>, rings: &[(f64, f64)], ends: [Option<f64>; 2], sides: bool, builder: &mut Builder) {
    builder.notes.add(NoteKind::Tessellated, here.place());
    for &(radius, height) in rings {
        for k in 0..SIDES {
            // Counter-clockwise seen from above, which is from +y: from z to x.
            let angle = TAU * f64::from(k) / f64::from(SIDES);
            let (x, z) = (radius * libm::sin(angle), radius * libm::cos(angle));
            builder.vertices.push(DVec3::new(x, height, z));
        }
    }
    let at = |ring: usize, k: u32| ring as u32 * SIDES + k % SIDES;
    let last = rings.len() - 1;
    for (end, ring) in ends.into_iter().zip([0, last]) {
        let Some(height) = end else { continue };
        let apex = builder.vertices.len() as u32;
        builder.vertices.push(DVec3::Y * height);
        let is_below = ring == 0 && height <= rings[0].1;
        for k in 0..SIDES {
            let [p, q] = [at(ring, k), at(ring, k + 1)];
            builder.triangles.push(if is_below { [apex, q, p] } else { [apex, p, q] });
        }
    }
    for ring in (1..rings.len()).filter(|_| sides) {
        for k in 0..SIDES {
            let [a, b, c, d] = [at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k)];
            builder.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
}
