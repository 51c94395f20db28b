//! Models made by formulas, as large as those of the sources, and poses of one beside another.

use std::f64::consts::{PI, TAU};

use sudar::query::{Body, DistanceOptions, distance};
use sudar::{Aabb, DQuat, DVec3, Mesh, Pose, Triangle};

use crate::inputs::random::Random;
use crate::plan::{Result, ensure};

/// A closed surface of rows and columns around z, of 2·columns·(rows − 1) triangles.
fn round(rows: u32, columns: u32, place: impl Fn(f64, f64) -> DVec3) -> Result<Mesh> {
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
    Ok(Mesh::new(vertices, triangles)?)
}

fn direction(u: f64, v: f64) -> DVec3 {
    DVec3::new(libm::sin(u) * libm::cos(v), libm::sin(u) * libm::sin(v), libm::cos(u))
}

/// A sphere of 1984 triangles for 32 rows.
pub fn sphere(rows: u32, radius: f64) -> Result<Mesh> {
    round(rows, rows, |u, v| direction(u, v) * radius)
}

/// A sphere with bumps, of 4·rows·(rows − 1) triangles.
pub fn bumpy(rows: u32) -> Result<Mesh> {
    round(rows, 2 * rows, |u, v| {
        let bump = libm::sin(9.0 * u) * libm::sin(u) * libm::sin(8.0 * v);
        direction(u, v) * (1.0 + 0.08 * bump)
    })
}

/// Two triangles a cell of a grid of n × n cells.
fn cells(n: u32, at: impl Fn(u32, u32) -> u32) -> Vec<[u32; 3]> {
    let cell = |i: u32, j: u32| {
        [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(|(i, j)| cell(i, j)).collect()
}

/// A ring with `n` rows and columns, of 2·n² triangles.
pub fn torus(n: u32) -> Result<Mesh> {
    let angle = |i: u32| TAU * f64::from(i) / f64::from(n);
    let point = |(u, v): (f64, f64)| {
        let r = 1.0 + 0.35 * libm::cos(v);
        DVec3::new(r * libm::cos(u), r * libm::sin(u), 0.35 * libm::sin(v))
    };
    let angles = (0..n).flat_map(|i| (0..n).map(move |j| (angle(i), angle(j))));
    Ok(Mesh::new(angles.map(point).collect(), cells(n, |i, j| (i % n) * n + j % n))?)
}

/// A sheet of n × n cells over −1..1, with the heights of a function.
pub fn sheet(n: u32, height: impl Fn(f64, f64) -> f64) -> Result<Mesh> {
    let at = |i: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
    let places = (0..=n).flat_map(|i| (0..=n).map(move |j| (at(i), at(j))));
    let vertices = places.map(|(x, y)| DVec3::new(x, y, height(x, y))).collect();
    Ok(Mesh::new(vertices, cells(n, |i, j| i * (n + 1) + j))?)
}

/// A car along x, of 905 triangles, or of 878 as the source's second one.
pub fn car(second: bool) -> Result<Mesh> {
    let slab = |min: [f64; 3], max: [f64; 3]| Mesh::from_aabb(Aabb { min: min.into(), max: max.into() });
    // 72 triangles a wheel.
    let wheel = |x: f64, y: f64| -> Result<Mesh> {
        round(4, 12, |u, v| DVec3::new(x, y, 0.35) + direction(u, v) * DVec3::new(0.35, 0.14, 0.35))
    };
    // Rounded bodies: powers of the directions make them nearly boxes.
    let boxy = |rows, columns, middle: DVec3, half: DVec3| {
        let soft = |x: f64| libm::pow(x.abs(), 0.6).copysign(x);
        round(rows, columns, move |u, v| middle + direction(u, v).map(soft) * half)
    };
    let cabin = if second { 11 } else { 14 };
    let mut parts = vec![
        wheel(-1.2, -0.75)?,
        wheel(-1.2, 0.75)?,
        wheel(1.2, -0.75)?,
        wheel(1.2, 0.75)?,
        boxy(12, 20, DVec3::new(0.0, 0.0, 0.6), DVec3::new(2.0, 0.8, 0.3))?,
        boxy(6, cabin, DVec3::new(-0.1, 0.0, 1.05), DVec3::new(1.0, 0.7, 0.35))?,
        slab([1.9, -0.75, 0.35], [2.1, 0.75, 0.5]),
        slab([-2.1, -0.75, 0.35], [-1.9, 0.75, 0.5]),
        slab([-1.9, -0.6, 0.95], [-1.6, 0.6, 1.0]),
    ];
    let flag = [DVec3::new(-1.5, 0.0, 1.0), DVec3::new(-1.5, 0.0, 1.5), DVec3::new(-1.7, 0.0, 1.5)];
    if second {
        let [a, b, c] = flag;
        let d = DVec3::new(-1.6, 0.2, 1.1);
        parts.push(Mesh::new(vec![a, b, c, d], vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])?);
    } else {
        parts.push(Mesh::from_triangle(Triangle::from(flag)));
    }
    let mesh = Mesh::joined(&parts)?;
    let count = mesh.triangles().len();
    ensure(count == if second { 878 } else { 905 }, || format!("the car has {count} triangles"))?;
    Ok(mesh)
}

/// How far apart bodies are, by the size of the smaller.
pub const GAPS: [(&str, f64); 4] = [("far", 0.5), ("near", 0.02), ("close", 0.001), ("inside", -0.1)];

/// Poses of b with about this gap, or so deep.
pub fn poses(a: &Mesh, b: &Mesh, gap: f64, count: usize) -> Result<Vec<Pose>> {
    let mut random = Random::new(17);
    let (body_a, body_b) = (Body::new(a.clone()), Body::new(b.clone()));
    let size = a.aabb().extent().length().min(b.aabb().extent().length());
    let reach = a.aabb().extent().length() + b.aabb().extent().length();
    let mut poses = Vec::new();
    for _ in 0..count {
        let turn = DQuat::from_scaled_axis(random.point(1.0) * 3.0);
        let direction = random.point(1.0).normalize();
        let at =
            |along: f64| Pose::new(a.aabb().center() + direction * along - turn * b.aabb().center(), turn);
        let mut along = reach;
        // The distance is never overstepped: in some steps the body comes as near as wanted.
        for _ in 0..200 {
            let found = distance(body_a.at(&Pose::IDENTITY), body_b.at(&at(along)?), &DistanceOptions::EXACT);
            let step = found.interval.lower - gap.max(0.0) * size;
            if step <= 1e-3 * gap.abs() * size || along <= 0.0 {
                break;
            }
            along -= step;
        }
        poses.push(at(if gap < 0.0 { along + gap * size } else { along })?);
    }
    Ok(poses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_as_large_as_those_of_the_sources() {
        assert_eq!(sphere(32, 1.0).unwrap().triangles().len(), 1984);
        assert!(car(false).is_ok() && car(true).is_ok());
        for mesh in [sphere(9, 1.0).unwrap(), bumpy(8).unwrap(), torus(6).unwrap()] {
            let topology = mesh.topology();
            assert!(topology.is_closed() && topology.is_oriented());
            assert!(sudar::mass::mass_properties(&mesh.into()).unwrap().mass > 0.0);
        }
    }
}
