//! Meshes that tests of several rooms share.

use glam::DVec3;

use super::Mesh;

/// A sheet of 2n² triangles over the square of side 1 about the origin, as high as `height(x, y)`.
pub(crate) fn sheet(n: u32, mut height: impl FnMut(f64, f64) -> f64) -> Mesh {
    let at = |k: u32| f64::from(k) / f64::from(n) - 0.5;
    let places = (0..(n + 1) * (n + 1)).map(|k| (at(k % (n + 1)), at(k / (n + 1))));
    let vertices = places.map(|(x, y)| DVec3::new(x, y, height(x, y))).collect();
    let cells = (0..n * n).map(|k| k / n * (n + 1) + k % n);
    let triangles = cells.flat_map(|k| [[k, k + 1, k + n + 1], [k + 1, k + n + 2, k + n + 1]]).collect();
    Mesh::new(vertices, triangles).unwrap()
}
