//! Meshes and poses made here, so that everything can be measured without any data.

use std::collections::HashMap;
use std::f64::consts::TAU;

use anyhow::{Result, ensure};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::query::{self, Body, DistanceOptions};
use sudar::{Mesh, Pose};

pub mod extreme;

/// A closed ball of radius about 1 with gentle bumps, `12 n²` triangles: a cube with an `n × n` grid on each
/// face, blown up to the sphere.
///
/// # Errors
/// If `n` is zero.
pub fn bumpy_sphere(n: u32) -> Result<Mesh> {
    ensure!(n > 0, "a bumpy sphere needs at least one cell along an edge");
    let mut net = Net::default();
    for face in 0..6_usize {
        let (axis, outer) = (face / 2, if face % 2 == 1 { n } else { 0 });
        let corner = |i: u32, j: u32| {
            let mut cell = [outer; 3];
            (cell[(axis + 1) % 3], cell[(axis + 2) % 3]) = if outer > 0 { (i, j) } else { (j, i) };
            cell
        };
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let [a, b, c, d] =
                [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| net.vertex(corner(i, j)));
            net.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let vertices = net.cells.iter().map(|&cell| bump(on_sphere(cell, n))).collect();
    Ok(Mesh::new(vertices, net.triangles)?)
}

/// A torus about the z axis with ring radius 1, tube radius 0.35 and `2 n m` triangles.
///
/// # Errors
/// If `n` or `m` is below 3.
pub fn torus(n: u32, m: u32) -> Result<Mesh> {
    ensure!(n >= 3 && m >= 3, "a torus needs at least three cells along each circle");
    let angle = |i: u32, of: u32| libm::sincos(TAU * f64::from(i) / f64::from(of));
    let point = |i, j| {
        let ((s, c), (t, u)) = (angle(i, n), angle(j, m));
        let r = 1.0 + 0.35 * u;
        DVec3::new(r * c, r * s, 0.35 * t)
    };
    let number = |i: u32, j: u32| (i % n) * m + j % m;
    let quads = (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
    let triangles = quads.clone().flat_map(|(i, j)| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Ok(Mesh::new(quads.clone().map(|(i, j)| point(i, j)).collect(), triangles.collect())?)
}

/// The unit ball by rings of latitude and sectors of longitude, `2 (rings − 1) sectors` triangles.
///
/// # Errors
/// If there are fewer than two rings or three sectors.
pub fn globe(rings: u32, sectors: u32) -> Result<Mesh> {
    ensure!(rings >= 2 && sectors >= 3, "a globe needs at least two rings and three sectors");
    let point = |i: u32, j: u32| {
        let (s, c) = libm::sincos(TAU / 2.0 * f64::from(i) / f64::from(rings));
        let (t, u) = libm::sincos(TAU * f64::from(j) / f64::from(sectors));
        DVec3::new(s * u, s * t, c)
    };
    let mut vertices: Vec<DVec3> = vec![DVec3::Z, -DVec3::Z];
    vertices.extend((1..rings).flat_map(|i| (0..sectors).map(move |j| point(i, j))));
    let number = |i: u32, j: u32| 2 + (i - 1) * sectors + j % sectors;
    let caps = (0..sectors).flat_map(|j| {
        [[0, number(1, j), number(1, j + 1)], [1, number(rings - 1, j + 1), number(rings - 1, j)]]
    });
    let bands = (1..rings - 1).flat_map(|i| (0..sectors).map(move |j| (i, j))).flat_map(|(i, j)| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, d], [d, b, c]]
    });
    Ok(Mesh::new(vertices, caps.chain(bands).collect())?)
}

/// Vertices of a lattice, each made once.
#[derive(Default)]
struct Net {
    numbers: HashMap<[u32; 3], u32>,
    cells: Vec<[u32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Net {
    fn vertex(&mut self, cell: [u32; 3]) -> u32 {
        *self.numbers.entry(cell).or_insert_with(|| {
            self.cells.push(cell);
            (self.cells.len() - 1) as u32
        })
    }
}

fn on_sphere(cell: [u32; 3], n: u32) -> DVec3 {
    // The tangent spreads the grid evenly over the sphere.
    let along = |k: u32| libm::tan(TAU / 8.0 * (2.0 * f64::from(k) / f64::from(n) - 1.0));
    DVec3::from(cell.map(along)).normalize()
}

fn bump(p: DVec3) -> DVec3 {
    p * (1.0 + 0.06 * libm::sin(8.0 * p.x) * libm::cos(6.0 * p.y) * libm::cos(5.0 * p.z))
}

/// How close the bodies come: distance of the centres as a multiple of the sum of the mean radii.
#[derive(Debug, Clone, Copy)]
pub struct Closeness {
    /// Name of the case.
    pub name: &'static str,
    /// Least multiple.
    pub least: f64,
    /// Greatest multiple.
    pub most: f64,
}

/// Deep overlap, grazing contact, and mostly apart.
pub const CLOSENESS: [Closeness; 3] = [
    Closeness { name: "deep", least: 0.2, most: 0.7 },
    Closeness { name: "near", least: 0.9, most: 1.15 },
    Closeness { name: "far", least: 1.3, most: 2.5 },
];

/// What [`touching`] starts from.
const TOUCHING: Closeness = Closeness { name: "touching", least: 1.0, most: 1.5 };

/// `count` random poses of `b` beside `a`, which stays where it is; uniformly random rotation and direction.
///
/// # Errors
/// If the meshes are too far out for poses to be computed.
pub fn poses(a: &Mesh, b: &Mesh, count: usize, seed: u64, closeness: Closeness) -> Result<Vec<Pose>> {
    let mut random = Pcg64::seed_from_u64(seed);
    let (center_a, radius_a) = center_and_radius(a);
    let (center_b, radius_b) = center_and_radius(b);
    (0..count)
        .map(|_| {
            let [x, y, z, w] = direction::<4>(&mut random);
            let turn = Pose::new(DVec3::ZERO, DQuat::from_xyzw(x, y, z, w))?;
            let away = DVec3::from(direction::<3>(&mut random));
            let factor: f64 = random.random_range(closeness.least..closeness.most);
            let center = center_a + away * (factor * (radius_a + radius_b));
            Ok(Pose::from_matrix(turn.rotation(), center - turn.apply(center_b))?)
        })
        .collect()
}

/// `count` points in a cube of edge `side` about the origin, uniformly, always the same ones.
pub fn places(count: usize, side: f64) -> Vec<DVec3> {
    let mut random = Pcg64::seed_from_u64(1);
    let mut place = || DVec3::from_array(std::array::from_fn(|_| random.random_range(-0.5..0.5) * side));
    (0..count).map(|_| place()).collect()
}

/// `count` poses of `b` that do not meet `a` and are 1e-6 to 1e-3 of the sizes away from it: random ones, `b`
/// then moved along the way between the nearest points.
///
/// # Errors
/// If the meshes are too far out for poses to be computed.
pub fn touching(a: &Mesh, b: &Mesh, count: usize, seed: u64) -> Result<Vec<Pose>> {
    let mut random = Pcg64::seed_from_u64(seed ^ 0x70);
    let size = center_and_radius(a).1.min(center_and_radius(b).1);
    let [left, right] = [a, b].map(|mesh| Body::new(mesh.clone()));
    let mut found = Vec::new();
    // One in two is apart, so this is plenty.
    for round in 0..200 {
        for pose in poses(a, b, count, seed + 1000 * round, TOUCHING)? {
            let apart = query::distance(left.at(&Pose::IDENTITY), right.at(&pose), &DistanceOptions::EXACT);
            let gap = size * libm::pow(10.0, random.random_range(-6.0..-3.0));
            if found.len() < count && apart.interval.lower > gap {
                // No pair of points comes nearer by more than the way moved, and this pair by just that.
                let way = (apart.point_a - apart.point_b) * (1.0 - gap / apart.interval.upper);
                found.push(Pose::from_matrix(pose.rotation(), pose.translation() + way)?);
            }
        }
        if found.len() == count {
            break;
        }
    }
    ensure!(found.len() == count, "hardly any random pose of these meshes is apart");
    Ok(found)
}

/// `count` poses of `b` so many times around `a`, which it never touches, slowly turning.
///
/// # Errors
/// If the meshes are too far out for poses to be computed.
pub fn path(a: &Mesh, b: &Mesh, count: usize, rounds: f64) -> Result<Vec<Pose>> {
    let (center_a, center_b) = (center_and_radius(a).0, center_and_radius(b).0);
    let farthest =
        |mesh: &Mesh, center: DVec3| mesh.vertices().iter().map(|p| p.distance(center)).fold(0.0, f64::max);
    let orbit = 1.01 * (farthest(a, center_a) + farthest(b, center_b));
    let axis = DVec3::new(1.0, 2.0, -2.0) / 3.0;
    (0..count)
        .map(|i| {
            let angle = TAU * rounds * i as f64 / count as f64;
            let (s, c) = libm::sincos(angle);
            let (half_s, half_c) = libm::sincos(1.5 * angle);
            let turn = Pose::new(DVec3::ZERO, DQuat::from_vec4((axis * half_s).extend(half_c)))?;
            let center = center_a + DVec3::new(c, s, 0.3 * s) / DVec3::new(c, s, 0.3 * s).length() * orbit;
            Ok(Pose::from_matrix(turn.rotation(), center - turn.apply(center_b))?)
        })
        .collect()
}

fn center_and_radius(mesh: &Mesh) -> (DVec3, f64) {
    let points = mesh.vertices();
    let n = points.len() as f64;
    let center = points.iter().sum::<DVec3>() / n;
    (center, points.iter().map(|p| p.distance(center)).sum::<f64>() / n)
}

/// A point of the unit sphere in `N` dimensions, uniformly: points of the cube outside the ball are thrown away.
pub fn direction<const N: usize>(random: &mut Pcg64) -> [f64; N] {
    loop {
        let point: [f64; N] = std::array::from_fn(|_| random.random_range(-1.0..1.0));
        let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.1 && length <= 1.0 {
            return point.map(|x| x / length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the number of edges of a closed surface is three times that of its triangles, so V − E + F is
    /// V − F/2: 2 for a sphere, 0 for a torus.
    fn euler(mesh: &Mesh) -> i64 {
        mesh.vertices().len() as i64 - mesh.triangles().len() as i64 / 2
    }

    fn volume(mesh: &Mesh) -> f64 {
        let six_fold = |[a, b, c]: [DVec3; 3]| a.dot(b.cross(c));
        (0..mesh.triangles().len() as u32).map(|i| six_fold(mesh.triangle(i).corners())).sum::<f64>() / 6.0
    }

    #[test]
    fn the_sphere_is_closed_and_faces_outward() {
        let mesh = bumpy_sphere(20).unwrap();
        assert_eq!(mesh.triangles().len(), 12 * 400);
        assert_eq!(euler(&mesh), 2);
        // The ball has 4π/3 ≈ 4.19; the bumps change the radius by at most 6 %.
        assert!((3.4..5.0).contains(&volume(&mesh)), "{}", volume(&mesh));
    }

    #[test]
    fn the_torus_is_closed_and_faces_outward() {
        let mesh = torus(60, 30).unwrap();
        assert_eq!(mesh.triangles().len(), 3600);
        assert_eq!(euler(&mesh), 0);
        // 2π² R r² = 2.418 for R = 1, r = 0.35, a little less for the polyhedron inside.
        assert!((2.35..2.42).contains(&volume(&mesh)), "{}", volume(&mesh));
    }

    #[test]
    fn touching_poses_are_as_near_as_they_say_and_a_path_stays_apart() {
        let mesh = bumpy_sphere(6).unwrap();
        let body = Body::new(mesh.clone());
        let apart = |pose: &Pose| {
            query::distance(body.at(&Pose::IDENTITY), body.at(pose), &DistanceOptions::EXACT).interval.upper
        };
        let radius = center_and_radius(&mesh).1;
        for pose in touching(&mesh, &mesh, 20, 1).unwrap() {
            assert!((0.999e-6..1.001e-3).contains(&(apart(&pose) / radius)), "{}", apart(&pose));
        }
        assert!(path(&mesh, &mesh, 50, 1.0).unwrap().iter().all(|pose| apart(pose) > 0.0));
    }

    #[test]
    fn centres_keep_the_distance_asked_for() {
        let mesh = bumpy_sphere(6).unwrap();
        let (center, radius) = center_and_radius(&mesh);
        for pose in poses(&mesh, &mesh, 50, 1, CLOSENESS[1]).unwrap() {
            let factor = pose.apply(center).distance(center) / (2.0 * radius);
            assert!((0.9 - 1e-9..1.15 + 1e-9).contains(&factor), "{factor}");
        }
    }
}
