//! Meshes by formulas, and what is true of them by looking at every triangle.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use sudar::pair::{disjoint_triangle_distance_bounds, triangles_intersect};
use sudar::query::Body;
use sudar::{Aabb, DVec3, Interval, Mesh, Pose, Solid, Triangle};

/// Triangles that share no vertices, three corners each.
pub fn soup(corners: Vec<DVec3>) -> Mesh {
    let count = corners.len() as u32 / 3;
    Mesh::new(corners, (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap()
}

/// Two triangles for each cell of a grid, whose vertices `number` counts.
pub fn cells(rows: u32, columns: u32, number: impl Fn(u32, u32) -> u32) -> Vec<[u32; 3]> {
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    all.flat_map(|(i, j)| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    })
    .collect()
}

/// A sheet of 2n² triangles over the square of side 1 about the origin, as high as `height(x, y)`.
pub fn sheet(n: u32, mut height: impl FnMut(f64, f64) -> f64) -> Mesh {
    let at = |i: u32| f64::from(i) / f64::from(n) - 0.5;
    let places = (0..=n).flat_map(|i| (0..=n).map(move |j| (at(i), at(j))));
    let vertices = places.map(|(x, y)| DVec3::new(x, y, height(x, y))).collect();
    Mesh::new(vertices, cells(n, n, |i, j| i * (n + 1) + j)).unwrap()
}

/// A surface of rows and columns that both close on themselves, each vertex by its two angles.
pub fn ring(rows: u32, columns: u32, mut place: impl FnMut(f64, f64) -> DVec3) -> Mesh {
    let turn = |i: u32, n: u32| TAU * f64::from(i) / f64::from(n);
    let vertices = (0..rows * columns).map(|k| place(turn(k / columns, rows), turn(k % columns, columns)));
    Mesh::new(vertices.collect(), cells(rows, columns, |i, j| i % rows * columns + j % columns)).unwrap()
}

/// The surface of a torus about z, with its middle circle of radius 1.
pub fn torus(rows: u32, columns: u32, thin: f64) -> Mesh {
    ring(rows, columns, |u, v| {
        let out = 1.0 + thin * libm::cos(v);
        DVec3::new(out * libm::cos(u), out * libm::sin(u), thin * libm::sin(v))
    })
}

/// A closed surface of rows and columns about z, whose first and last row are one point each; each vertex by its
/// polar angle and its turn.
pub fn round(rows: u32, columns: u32, mut place: impl FnMut(f64, f64) -> DVec3) -> Mesh {
    let row = |i: u32| PI * f64::from(i) / f64::from(rows);
    let mut vertices = vec![place(0.0, 0.0), place(PI, 0.0)];
    for i in 1..rows {
        vertices.extend((0..columns).map(|j| place(row(i), TAU * f64::from(j) / f64::from(columns))));
    }
    let at = |i: u32, j: u32| 2 + (i - 1) * columns + j % columns;
    let mut triangles = Vec::new();
    for j in 0..columns {
        triangles.push([0, at(1, j), at(1, j + 1)]);
        triangles.push([1, at(rows - 1, j + 1), at(rows - 1, j)]);
    }
    triangles.extend(cells(rows - 2, columns, |i, j| at(i + 1, j)));
    Mesh::new(vertices, triangles).unwrap()
}

/// The unit vector with that polar angle and turn.
pub fn direction(polar: f64, turn: f64) -> DVec3 {
    // The sine of the double nearest to π is not zero.
    let out = if polar == PI { 0.0 } else { libm::sin(polar) };
    DVec3::new(out * libm::cos(turn), out * libm::sin(turn), libm::cos(polar))
}

/// A sphere of so many rows and twice as many columns.
pub fn sphere(rows: u32, radius: f64) -> Mesh {
    round(rows, 2 * rows, |u, v| direction(u, v) * radius)
}

/// A sphere with bumps.
pub fn bumpy(rows: u32) -> Mesh {
    round(2 * rows, 2 * rows, |u, v| {
        direction(u, v) * (1.0 + 0.15 * libm::sin(5.0 * u) * libm::sin(u) * libm::sin(3.0 * v))
    })
}

/// An ellipsoid of 8·4ⁿ triangles from an octahedron.
pub fn ball(n: u32, radii: DVec3) -> Mesh {
    let mut triangles: Vec<[DVec3; 3]> = Vec::new();
    for i in 0..8 {
        let sign = |k: u32| if i >> k & 1 == 0 { 1.0 } else { -1.0 };
        let [x, y, z] = [DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)];
        triangles.push(if sign(0) * sign(1) * sign(2) > 0.0 { [x, y, z] } else { [x, z, y] });
    }
    for _ in 0..n {
        let middle = |p: DVec3, q: DVec3| (p + q).normalize();
        let split = |[a, b, c]: [DVec3; 3]| {
            let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    soup(triangles.concat().into_iter().map(|p| p * radii).collect())
}

/// The disc of radius 1 as a fan about the origin.
pub fn fan(n: u32) -> Mesh {
    let rim = (0..n).map(|i| TAU * f64::from(i) / f64::from(n)).map(|t| DVec3::new(t.cos(), t.sin(), 0.0));
    let corners = std::iter::once(DVec3::ZERO).chain(rim).collect();
    Mesh::new(corners, (0..n).map(|i| [0, 1 + i, 1 + (i + 1) % n]).collect()).unwrap()
}

/// The outline of a prism, counter-clockwise, closed by fans about the axis at both heights, or left open.
pub fn prism(outline: &[DVec3], half: f64, caps: bool) -> Mesh {
    let n = outline.len() as u32;
    let mut vertices: Vec<DVec3> =
        [-half, half].iter().flat_map(|z| outline.iter().map(move |p| p.with_z(*z))).collect();
    vertices.extend([DVec3::Z * -half, DVec3::Z * half]);
    let mut triangles = cells(n, 1, |i, j| i % n + j * n);
    if caps {
        triangles.extend(
            (0..n).map(|i| (i, (i + 1) % n)).flat_map(|(i, j)| [[2 * n, j, i], [2 * n + 1, n + i, n + j]]),
        );
    }
    Mesh::new(vertices, triangles).unwrap()
}

/// The box between two corners.
pub fn cuboid(min: impl Into<DVec3>, max: impl Into<DVec3>) -> Mesh {
    Mesh::from_aabb(Aabb { min: min.into(), max: max.into() })
}

/// The cube about the origin of that half side.
pub fn cube(half: f64) -> Mesh {
    cuboid(DVec3::splat(-half), DVec3::splat(half))
}

/// What a closed mesh bounds.
pub fn solid(mesh: Mesh) -> Body {
    Body::new(Solid::new(Arc::new(mesh)).unwrap())
}

/// The triangles of a mesh as they stand.
pub fn posed(mesh: &Mesh, pose: &Pose) -> Vec<Triangle> {
    let corners = |i: u32| mesh.triangle(i).corners().map(|p| pose.apply(p));
    (0..mesh.triangles().len() as u32).map(|i| Triangle::from(corners(i))).collect()
}

/// The pairs of triangles that meet, sorted.
pub fn meeting_pairs(a: &[Triangle], b: &[Triangle]) -> Vec<[u32; 2]> {
    let pairs = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| [i, j]));
    pairs.filter(|&[i, j]| triangles_intersect(&a[i], &b[j])).map(|p| p.map(|i| i as u32)).collect()
}

/// The distance of two surfaces: zero if two triangles meet, else the least of all pairs.
pub fn least_distance(a: &[Triangle], b: &[Triangle]) -> Interval {
    let pairs = || a.iter().flat_map(|t| b.iter().map(move |u| (t, u)));
    if pairs().any(|(t, u)| triangles_intersect(t, u)) {
        return Interval::point(0.0);
    }
    pairs().map(|(t, u)| disjoint_triangle_distance_bounds(t, u).1).fold(
        Interval::point(f64::INFINITY),
        |least, next| Interval { lower: least.lower.min(next.lower), upper: least.upper.min(next.upper) },
    )
}
