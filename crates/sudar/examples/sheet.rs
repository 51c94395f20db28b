//! A sheet that waves above a ball: its vertices move, its tree is refitted, and the distance is measured each time.
//!
//! `cargo run --release -p sudar --example sheet`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Body, DistanceOptions, distance};
use sudar::{DVec3, Mesh, Pose, Sphere};

const SIDE: u32 = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Body::new(Sphere::new(DVec3::new(0.0, 0.0, -1.0), 1.0)?);
    let mut sheet = Body::new(Mesh::new(vertices(0.0), triangles())?);
    for step in 0..20 {
        let time = f64::from(step) * 0.15;
        // One sweep over the tree; only parts that became much worse are built again.
        sheet.move_vertices(vertices(time))?;
        let gap = distance(&sheet, &Pose::IDENTITY, &ball, &Pose::IDENTITY, &DistanceOptions::EXACT).interval;
        println!("{time:5.2} s  {:.9} m  {}", gap.upper, "▄".repeat((gap.upper * 200.0) as usize));
    }
    Ok(())
}

/// A square sheet 0.15 above the ball with a wave of triangles of height 0.1 that runs along x.
fn vertices(time: f64) -> Vec<DVec3> {
    let place = |k: u32| f64::from(k) / f64::from(SIDE) * 4.0 - 2.0;
    let wave = |x: f64| 4.0 * ((x - time).rem_euclid(1.0) - 0.5).abs() - 1.0;
    let rows = 0..=SIDE;
    rows.flat_map(|i| (0..=SIDE).map(move |j| DVec3::new(place(i), place(j), 0.15 + 0.1 * wave(place(i)))))
        .collect()
}

fn triangles() -> Vec<[u32; 3]> {
    let corner = |i: u32, j: u32| i * (SIDE + 1) + j;
    let square = |(i, j): (u32, u32)| {
        let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
        [[a, b, c], [a, c, d]]
    };
    (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))).flat_map(square).collect()
}
