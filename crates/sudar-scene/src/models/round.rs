//! Surfaces over a grid of angles or places.

use std::f64::consts::{PI, TAU};

use sudar::{DVec3, Mesh, MeshError};

/// A closed surface of rows and columns around z, of 2·columns·(rows − 1) triangles.
pub(super) fn round(rows: u32, columns: u32, place: impl Fn(f64, f64) -> DVec3) -> Result<Mesh, MeshError> {
    let row = |i: u32| PI * f64::from(i) / f64::from(rows);
    let mut vertices = vec![place(0.0, 0.0), place(PI, 0.0)];
    for i in 1..rows {
        vertices.extend((0..columns).map(|j| place(row(i), TAU * f64::from(j) / f64::from(columns))));
    }
    let at = |i: u32, j: u32| 2 + (i - 1) * columns + j % columns;
    let mut triangles = Vec::new();
    for j in 0..columns {
        triangles.push([0, at(1, j), at(1, j + 1)]);
        for i in 1..rows - 1 {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
        triangles.push([1, at(rows - 1, j + 1), at(rows - 1, j)]);
    }
    Mesh::new(vertices, triangles)
}

/// The unit vector at an angle from z and an angle around it.
pub(super) fn direction(u: f64, v: f64) -> DVec3 {
    DVec3::new(libm::sin(u) * libm::cos(v), libm::sin(u) * libm::sin(v), libm::cos(u))
}

/// At least so many rows make a closed surface.
const FEWEST: u32 = 3;

/// A sphere of 2·rows·(rows − 1) triangles: 1984 for 32 rows. Fewer than three rows are three.
///
/// # Errors
/// [`MeshError`] if the radius is not finite or out of range.
pub fn sphere(rows: u32, radius: f64) -> Result<Mesh, MeshError> {
    let rows = rows.max(FEWEST);
    round(rows, rows, |u, v| direction(u, v) * radius)
}

/// A sphere of radius 1 with bumps, of 4·rows·(rows − 1) triangles. Fewer than three rows are three.
///
/// # Errors
/// None in practice.
pub fn bumpy(rows: u32) -> Result<Mesh, MeshError> {
    let rows = rows.max(FEWEST);
    round(rows, 2 * rows, |u, v| {
        let bump = libm::sin(9.0 * u) * libm::sin(u) * libm::sin(8.0 * v);
        direction(u, v) * (1.0 + 0.08 * bump)
    })
}

/// A hare that looks along −y, about 1.6 high: a ball with two ears, a nose, a tail and hollows between, of
/// 4·rows·(rows − 1) triangles. Every ray from its middle leaves it once. Fewer than three rows are three.
///
/// # Errors
/// None in practice.
pub fn hare(rows: u32) -> Result<Mesh, MeshError> {
    /// Where a lump is, how far it stands out, and how narrow it is.
    const LUMPS: [([f64; 3], f64, f64); 7] = [
        ([0.34, 0.1, 1.0], 0.75, 60.0),
        ([-0.34, 0.1, 1.0], 0.75, 60.0),
        ([0.0, -1.0, 0.25], 0.28, 14.0),
        ([0.0, 1.0, -0.55], 0.22, 30.0),
        ([0.55, -0.75, -0.75], 0.25, 22.0),
        ([-0.55, -0.75, -0.75], 0.25, 22.0),
        ([0.0, 0.2, 0.9], -0.12, 18.0),
    ];
    let rows = rows.max(FEWEST);
    round(rows, 2 * rows, |u, v| {
        let out = direction(u, v);
        let lump = |(at, high, narrow): ([f64; 3], f64, f64)| {
            high * libm::exp(narrow * (out.dot(DVec3::from(at).normalize()) - 1.0))
        };
        out * DVec3::new(0.52, 0.62, 0.62) * (1.0 + LUMPS.map(lump).iter().sum::<f64>())
    })
}

/// Two triangles a cell of a grid of n × n cells.
fn cells(n: u32, at: impl Fn(u32, u32) -> u32) -> Vec<[u32; 3]> {
    let cell = |i: u32, j: u32| {
        [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(|(i, j)| cell(i, j)).collect()
}

/// A ring around z of radii 1 and 0.35 with `n` rows and columns, of 2·n² triangles. Fewer than three are three.
///
/// # Errors
/// None in practice.
pub fn torus(n: u32) -> Result<Mesh, MeshError> {
    let n = n.max(FEWEST);
    let angle = |i: u32| TAU * f64::from(i) / f64::from(n);
    let point = |(u, v): (f64, f64)| {
        let r = 1.0 + 0.35 * libm::cos(v);
        DVec3::new(r * libm::cos(u), r * libm::sin(u), 0.35 * libm::sin(v))
    };
    let angles = (0..n).flat_map(|i| (0..n).map(move |j| (angle(i), angle(j))));
    Mesh::new(angles.map(point).collect(), cells(n, |i, j| (i % n) * n + j % n))
}

/// A sheet of n × n cells over −1..1 in x and y, with the heights of a function.
///
/// # Errors
/// [`MeshError`] if there is no cell, or heights are not finite or out of range.
pub fn sheet(n: u32, height: impl Fn(f64, f64) -> f64) -> Result<Mesh, MeshError> {
    let at = |i: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
    let places = (0..=n).flat_map(|i| (0..=n).map(move |j| (at(i), at(j))));
    let vertices = places.map(|(x, y)| DVec3::new(x, y, height(x, y))).collect();
    Mesh::new(vertices, cells(n, |i, j| i * (n + 1) + j))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_models_are_closed_and_face_outward() {
        assert_eq!(sphere(32, 1.0).unwrap().triangles().len(), 1984);
        for mesh in [sphere(9, 1.0), bumpy(8), torus(6), hare(12), sphere(0, 1.0)].map(Result::unwrap) {
            let topology = mesh.topology();
            assert!(topology.is_closed() && topology.is_oriented());
            assert!(sudar::mass::mass_properties(&mesh.into()).unwrap().mass > 0.0);
        }
        assert!(sheet(0, |_, _| 0.0).is_err());
    }
}
