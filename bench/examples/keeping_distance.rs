//! Sweeps that keep their distance, timed beside one that leaves: a box that turns about a ball beside it, a
//! piston in its cylinder.
//!
//! `cargo run --release --example keeping_distance`
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example prints what it finds")]

use std::f64::consts::{PI, TAU};
use std::time::Instant;

use sudar::motion::Motion;
use sudar::query::{Body, Sweep, SweepOptions, sweep};
use sudar::{Aabb, Cuboid, DQuat, DVec3, Mesh, Pose, Sphere};

fn prism(sides: u32, radius: f64, half: f64, caps: bool) -> Mesh {
    let at = |i: u32, z: f64| {
        let angle = TAU * f64::from(i) / f64::from(sides);
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z)
    };
    let mut vertices: Vec<DVec3> = [-half, half].iter().flat_map(|z| (0..sides).map(|i| at(i, *z))).collect();
    vertices.extend([DVec3::Z * -half, DVec3::Z * half]);
    let mut triangles = Vec::new();
    for i in 0..sides {
        let j = (i + 1) % sides;
        triangles.extend([[i, j, sides + j], [i, sides + j, sides + i]]);
        if caps {
            triangles.extend([[2 * sides, j, i], [2 * sides + 1, sides + i, sides + j]]);
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

/// Milliseconds of a sweep, the least of several, and its answer.
fn time(a: (&Body, &Motion), b: (&Body, &Motion), delta: f64) -> (f64, &'static str) {
    let mut least = f64::INFINITY;
    let mut answer = "";
    for _ in 0..5 {
        let start = Instant::now();
        let found = sweep(a.0.moving(a.1), b.0.moving(b.1), &SweepOptions::within(delta));
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        answer = match found {
            Sweep::Free => "free",
            Sweep::Hit(_) => "hit",
            Sweep::Undecided { .. } => "undecided",
        };
    }
    (least, answer)
}

fn main() {
    println!("| bodies | gap | keeps its distance, ms | leaves, ms | answers |");
    println!("|---|---|---|---|---|");
    let half = DVec3::new(0.3, 0.4, 0.5);
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    let boxes = [
        ("box and ball", Body::new(Cuboid::new(half).unwrap())),
        ("mesh of a box and ball", Body::new(Mesh::from_aabb(Aabb { min: -half, max: half }))),
    ];
    let still = Motion::still(&Pose::IDENTITY);
    let gaps = [1e-4, 1e-6, 1e-7, 1e-8, 1e-9];
    for (name, body) in &boxes {
        for gap in gaps {
            let start = Pose::from_translation(DVec3::X * (1.3 + gap)).unwrap();
            let axis = DVec3::new(0.3, 0.5, 0.8).normalize() * PI;
            let around = Motion::new(start, DVec3::ZERO, DVec3::ZERO, axis).unwrap();
            let away = Motion::new(start, start.translation(), DVec3::X * 3.0, axis).unwrap();
            let (kept, one) = time((body, &around), (&ball, &still), 0.1 * gap);
            let (left, other) = time((body, &away), (&ball, &still), 0.1 * gap);
            println!("| {name} | {gap:e} | {kept:.4} | {left:.4} | {one}, {other} |");
        }
    }
    for sides in [1024, 2048] {
        let tube = Body::new(prism(sides, 1.0, 1.0, false));
        for gap in gaps {
            let piston = Body::new(prism(sides, libm::cos(PI / f64::from(sides)) - gap, 0.5, true));
            let at = Pose::new(DVec3::ZERO, DQuat::IDENTITY).unwrap();
            let turning = Motion::new(at, DVec3::ZERO, DVec3::ZERO, DVec3::Z * TAU).unwrap();
            let away = Motion::linear(&at, DVec3::Z * 5.0).unwrap();
            let (kept, one) = time((&piston, &turning), (&tube, &still), 0.1 * gap);
            let (left, other) = time((&piston, &away), (&tube, &still), 0.1 * gap);
            println!("| piston of {sides} sides | {gap:e} | {kept:.4} | {left:.4} | {one}, {other} |");
        }
    }
}
