//! Models made by formulas, and random poses.

use std::f64::consts::{PI, TAU};
use std::path::PathBuf;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::{Aabb, DQuat, DVec3, Mesh, Pose};

pub struct Random(Pcg64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    /// A point of the cube −1..1.
    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    pub fn pose(&mut self) -> Pose {
        Pose::new(self.point(), DQuat::from_scaled_axis(self.point() * 3.0)).unwrap()
    }
}

/// A closed surface of rows and columns around z, closed by its first and last row at one point each.
fn round(rows: u32, columns: u32, place: impl Fn(f64, f64) -> DVec3) -> Mesh {
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
        for i in 1..rows - 1 {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

fn direction(u: f64, v: f64) -> DVec3 {
    DVec3::new(libm::sin(u) * libm::cos(v), libm::sin(u) * libm::sin(v), libm::cos(u))
}

pub fn sphere(rows: u32, radius: f64) -> Mesh {
    round(rows, 2 * rows, |u, v| direction(u, v) * radius)
}

pub fn bumpy(rows: u32) -> Mesh {
    round(2 * rows, 2 * rows, |u, v| {
        direction(u, v) * (1.0 + 0.15 * libm::sin(5.0 * u) * libm::sin(u) * libm::sin(3.0 * v))
    })
}

/// A ring: rows and columns that close on themselves.
pub fn torus(n: u32) -> Mesh {
    let mut vertices = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let (u, v) = (TAU * f64::from(i) / f64::from(n), TAU * f64::from(j) / f64::from(n));
            let r = 1.0 + 0.35 * libm::cos(v);
            vertices.push(DVec3::new(r * libm::cos(u), r * libm::sin(u), 0.35 * libm::sin(v)));
        }
    }
    let at = |i: u32, j: u32| (i % n) * n + j % n;
    let cell =
        |i, j| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
    let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |j| cell(i, j))).collect();
    Mesh::new(vertices, triangles).unwrap()
}

/// Boxes and balls in the form of a car.
pub fn car(fineness: u32) -> Mesh {
    let slab = |min: [f64; 3], max: [f64; 3]| Mesh::from_aabb(Aabb { min: min.into(), max: max.into() });
    let wheel = |x: f64, y: f64| {
        let ball = sphere(3 * fineness, 0.3);
        ball.mapped(|p| DVec3::new(p.x + x, 0.4 * p.y + y, p.z)).unwrap()
    };
    let parts = [
        slab([-1.5, -0.6, 0.1], [1.5, 0.6, 0.6]),
        slab([-0.8, -0.5, 0.6], [0.6, 0.5, 1.0]),
        wheel(-1.0, -0.6),
        wheel(-1.0, 0.6),
        wheel(1.0, -0.6),
        wheel(1.0, 0.6),
    ];
    Mesh::joined(&parts).unwrap()
}

/// The folder of real models.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("SUDAR_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: SUDAR_DATA names no folder of models");
    }
    folder
}
