//! Corners of polyhedra with parallel faces, with almost flat faces, and at random.

use std::f64::consts::{PI, TAU};

use sudar::{Aabb, DVec3};

use crate::Random;

/// The corners of one of the polyhedra below, of about unit size, stretched by up to `stretch` along one axis.
pub fn any(random: &mut Random, stretch: f64) -> Vec<DVec3> {
    let n = 3 + random.below(6);
    let corners = match random.below(5) {
        0 => cuboid(DVec3::new(0.2, 0.5, 0.3) + DVec3::splat(0.7 * random.number().abs())),
        1 => prism(n, 0.6),
        2 => antiprism(n, 0.6),
        3 => globe(n, 3),
        _ => (0..4 + 2 * n).map(|_| random.direction()).collect(),
    };
    let scale = DVec3::ONE.with_z(stretch.powf(random.number()));
    corners.iter().map(|p| *p * scale).collect()
}

pub fn cuboid(half: DVec3) -> Vec<DVec3> {
    Aabb { min: -half, max: half }.corners().to_vec()
}

/// `n` points of a circle turned by a part of the angle between two, at a height.
pub fn ring(n: usize, turn: f64, radius: f64, z: f64) -> impl Iterator<Item = DVec3> {
    (0..n).map(move |i| {
        let angle = TAU * (i as f64 + turn) / n as f64;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
    })
}

pub fn prism(n: usize, half: f64) -> Vec<DVec3> {
    ring(n, 0.0, 1.0, -half).chain(ring(n, 0.0, 1.0, half)).collect()
}

pub fn antiprism(n: usize, half: f64) -> Vec<DVec3> {
    ring(n, 0.0, 1.0, -half).chain(ring(n, 0.5, 1.0, half)).collect()
}

/// A sphere by `m` circles of `n` points and two poles. Its quadrangles are flat up to rounding only, so the hull has
/// faces that differ by as little.
pub fn globe(n: usize, m: usize) -> Vec<DVec3> {
    let circles = (1..=m).flat_map(|j| {
        let angle = PI * j as f64 / (m + 1) as f64;
        ring(n, 0.0, angle.sin(), -angle.cos())
    });
    circles.chain([DVec3::NEG_Z, DVec3::Z]).collect()
}
