//! Times contact manifolds of bodies on a floor of 10⁴ triangles, µs a query over fresh poses, the least of
//! some sweeps.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --example contacts_on_floors`

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::time::Instant;

use sudar::query::{Body, manifold};
use sudar::{Cuboid, DVec3, Mesh, Pose, Sphere};

fn main() -> Result<(), Box<dyn Error>> {
    let flat = Body::new(floor(|_, _| 0.0)?);
    let rough = Body::new(floor(|i, j| f64::from((i * 7919 + j * 104_729) % 97) * 1e-3)?);
    let cuboid = |x: f64, z: f64| Cuboid::new(DVec3::new(x, x, z));
    let cube = |half: f64| Mesh::from_aabb(sudar::Aabb { min: -DVec3::splat(half), max: DVec3::splat(half) });
    let bodies = [
        ("ball", Body::new(Sphere::new(DVec3::ZERO, 0.5)?), 0.45, 2000),
        ("box", Body::new(cuboid(0.5, 0.5)?), 0.45, 2000),
        ("box of 10 x 10 cells", Body::new(cuboid(5.0, 0.5)?), 0.45, 200),
        ("box over all cells", Body::new(cuboid(60.0, 0.5)?), 0.45, 4),
        ("cube, a mesh", Body::new(cube(0.5)), 0.45, 2000),
    ];
    for (floor_name, floor) in [("flat", &flat), ("rough", &rough)] {
        for (name, body, height, count) in &bodies {
            let mut best = f64::INFINITY;
            let mut contacts = 0;
            for sweep in 0..7 {
                let start = Instant::now();
                for k in 0..*count {
                    let t = f64::from(k + sweep * count) * 0.618;
                    let place = DVec3::new(25.0 * (t * 0.11).sin(), 25.0 * (t * 0.07).cos(), *height);
                    let pose = Pose::from_translation(place)?;
                    contacts += manifold(floor.at(&Pose::IDENTITY), body.at(&pose), 0.0).len();
                }
                best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(*count));
            }
            println!(
                "{floor_name:5} {name:22} {best:12.2} µs {:6.2} contacts",
                contacts as f64 / f64::from(7 * count)
            );
        }
    }
    Ok(())
}

fn floor(height: impl Fn(u32, u32) -> f64) -> Result<Mesh, Box<dyn Error>> {
    let n = 71;
    let at = |i: u32, j: u32| DVec3::new(f64::from(i) - 35.0, f64::from(j) - 35.0, height(i, j));
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j))).map(|(i, j)| at(i, j)).collect();
    let pair = |i: u32, j: u32| {
        let p = j * (n + 1) + i;
        [[p, p + 1, p + n + 2], [p, p + n + 2, p + n + 1]]
    };
    let triangles = (0..n).flat_map(|j| (0..n).flat_map(move |i| pair(i, j))).collect();
    Ok(Mesh::new(vertices, triangles)?)
}
