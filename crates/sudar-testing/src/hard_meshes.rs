//! Meshes on which boxes along the axes separate nothing, made here.

use std::f64::consts::TAU;

use sudar::{DVec3, Mesh};

use crate::Random;
use crate::meshes::soup;

/// The corners of a mesh and the numbers of its triangles' corners, while it is made.
#[derive(Debug, Default)]
struct Parts {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Parts {
    /// A band of two triangles a cell between points that were added in two runs of `n`, the last joined to the first.
    fn band(&mut self, first: u32, n: u32) {
        for i in 0..n {
            let [p, q] = [first + i, first + (i + 1) % n];
            self.triangles.extend([[p, q, n + p], [q, n + q, n + p]]);
        }
    }

    fn made(self) -> Mesh {
        Mesh::new(self.vertices, self.triangles).unwrap()
    }
}

fn turn(i: u32, n: u32) -> (f64, f64) {
    libm::sincos(TAU * f64::from(i) / f64::from(n))
}

/// `count` open pipes of 2·`sides` long triangles each, parallel to `axis` and strewn over a square of side 2
/// across it; length 6, radius 0.01.
///
/// # Errors
/// None for a sensible axis.
pub fn pipes(count: u32, sides: u32, axis: DVec3, seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    let axis = axis.normalize();
    let (u, v) = axis.any_orthonormal_pair();
    let mut parts = Parts::default();
    for _ in 0..count {
        let center = u * random.number() + v * random.number();
        let first = parts.vertices.len() as u32;
        for end in [-3.0, 3.0] {
            let ring = (0..sides).map(|i| turn(i, sides));
            parts.vertices.extend(ring.map(|(s, c)| center + axis * end + (u * c + v * s) * 0.01));
        }
        parts.band(first, sides);
    }
    parts.made()
}

/// `count` needles of length 0.8 and width 1e-5, their middles in a cube of side 6.
///
/// # Errors
/// None.
pub fn needles(count: u32, seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    let needle = |_| {
        let (center, half) = (random.point() * 3.0, random.point().normalize() * 0.4);
        [center - half, center + half, center + half + random.point() * 1e-5]
    };
    soup((0..count).flat_map(needle).collect())
}

/// `count` triangles around one corner that fill this share of a disc of radius 1, raised to a cone of this height.
///
/// # Errors
/// None.
pub fn fan(count: u32, share: f64, height: f64) -> Mesh {
    let angle = |i: u32| libm::sincos(TAU * share * f64::from(i) / f64::from(count));
    let rim = (0..=count).map(|i| DVec3::new(angle(i).1, angle(i).0, 0.0));
    let vertices = std::iter::once(DVec3::Z * height).chain(rim).collect();
    Mesh::new(vertices, (1..=count).map(|i| [0, i, i + 1]).collect()).unwrap()
}

/// `count` large triangles strewn in the plane z = 0.
///
/// # Errors
/// None.
pub fn pile(count: u32, seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    let triangle = |_| {
        let center = random.point();
        [0; 3].map(|_| (center + random.point() * 0.7).with_z(0.0))
    };
    soup((0..count).flat_map(triangle).collect())
}

/// One triangle many times.
///
/// # Errors
/// None.
pub fn repeated(count: u32) -> Mesh {
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(0.2, 0.9, 0.1)];
    Mesh::new(corners, vec![[0, 1, 2]; count as usize]).unwrap()
}

/// `layers` tubes around the z axis, one in the other, with radii from `radius` on 1e-3 apart; `sides` cells
/// around and as many along.
///
/// # Errors
/// None.
pub fn shells(layers: u32, sides: u32, radius: f64) -> Mesh {
    let mut parts = Parts::default();
    for layer in 0..layers {
        let radius = radius + 1e-3 * f64::from(layer);
        let first = parts.vertices.len() as u32;
        for ring in 0..=sides {
            let z = f64::from(ring) / f64::from(sides) - 0.5;
            let points = (0..sides).map(|i| turn(i, sides));
            parts.vertices.extend(points.map(|(s, c)| DVec3::new(c * radius, s * radius, z)));
        }
        for ring in 0..sides {
            parts.band(first + ring * sides, sides);
        }
    }
    parts.made()
}
