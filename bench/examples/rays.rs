//! Rays through the faces, edges and vertices of meshes, and along their edges, timed: every ray is a fresh one.
//!
//! `cargo run --release --example rays`
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example prints what it finds")]

use std::hint::black_box;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use sudar::query::{Body, ray};
use sudar::{DVec3, Mesh, Pose, Ray};
use sudar_testing::meshes::ball;

type Rng = rand_pcg::Pcg64;

/// Tiles of two triangles over a square, with corners at multiples of a width and a height at each.
fn tiles(count: u32, width: f64, mut height: impl FnMut() -> f64) -> Mesh {
    let row = count + 1;
    let vertices = (0..row * row).map(|k| {
        let (i, j) = (f64::from(k % row), f64::from(k / row));
        DVec3::new(i * width, j * width, height())
    });
    let vertices: Vec<DVec3> = vertices.collect();
    let tile = |k: u32| {
        let a = k / count * row + k % count;
        [[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]
    };
    Mesh::new(vertices, (0..count * count).flat_map(tile).collect()).unwrap()
}

fn aimed(target: DVec3, from: DVec3) -> Ray {
    Ray { origin: from, direction: target - from }
}

/// Rays of a kind at a triangle; `down` from straight above, else from anywhere outside.
fn rays(mesh: &Mesh, kind: &str, down: bool, rng: &mut Rng) -> Ray {
    let count = mesh.triangles().len() as u32;
    let t = mesh.triangle(rng.random_range(0..count));
    let (s, r): (f64, f64) = (rng.random_range(0.1..0.9), rng.random_range(0.1..0.9));
    let target = match kind {
        "faces" => t.a + (t.b - t.a) * (0.5 * s) + (t.c - t.a) * (0.5 * r),
        "edges" => t.a + (t.b - t.a) * s,
        "vertices" => t.a,
        // From a point on the line of the edge, before it.
        _ => return Ray { origin: t.a - (t.b - t.a), direction: t.b - t.a },
    };
    if down {
        return Ray { origin: target + DVec3::Z * (10.0 - target.z), direction: -DVec3::Z };
    }
    let mut number = || rng.random_range(-1.0..1.0);
    let away = DVec3::new(number(), number(), number().abs() + 0.5);
    let out = if target.length() < 1.1 { target } else { DVec3::ZERO };
    aimed(target, target + (away * 0.2 + out) * 7.0)
}

fn main() {
    let mut rng = Rng::seed_from_u64(3);
    let mut heights = Rng::seed_from_u64(4);
    let meshes = [
        ("flat tiles of width 1", tiles(220, 1.0, || 0.0)),
        ("tiles of width 0.1, hills", tiles(220, 0.1, || heights.random_range(0.0..0.05))),
        ("sphere", ball(7, DVec3::ONE)),
    ];
    println!("| mesh | triangles | rays | through | mean µs | median µs | 99 % µs | hit |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, mesh) in meshes {
        let triangles = mesh.triangles().len();
        let body = Body::new(mesh.clone());
        ray(body.at(&Pose::IDENTITY), &aimed(DVec3::ZERO, DVec3::splat(9.0)), f64::INFINITY);
        for (down, way) in [(true, "straight down"), (false, "slanted")] {
            for kind in ["faces", "edges", "vertices", "along edges"] {
                if down && (kind == "along edges" || name == "sphere") {
                    continue;
                }
                let all: Vec<Ray> = (0..20_000).map(|_| rays(&mesh, kind, down, &mut rng)).collect();
                let mut hits = 0;
                let mut times: Vec<f64> = Vec::with_capacity(all.len());
                for one in &all {
                    let start = Instant::now();
                    let found = black_box(ray(body.at(&Pose::IDENTITY), black_box(one), f64::INFINITY));
                    times.push(start.elapsed().as_secs_f64() * 1e6);
                    hits += usize::from(found.is_some());
                }
                let mean = times.iter().sum::<f64>() / times.len() as f64;
                times.sort_by(f64::total_cmp);
                let part = |p: usize| times[times.len() * p / 100];
                println!(
                    "| {name} | {triangles} | {way} | {kind} | {mean:.2} | {:.2} | {:.2} | {:.1} % |",
                    part(50),
                    part(99),
                    100.0 * hits as f64 / all.len() as f64
                );
            }
        }
    }
}
