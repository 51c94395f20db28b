//! Answers in time: a budget widens an interval and never makes it wrong; another thread can stop a query.
//!
//! `cargo run --release -p sudar --example budget`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::sync::atomic::{AtomicBool, Ordering};

use sudar::effort::Budget;
use sudar::query::{Body, DistanceOptions, Work};
use sudar::{DQuat, DVec3, Mesh, Pose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Body::new(bumpy_ball(100)?);
    let here = Pose::IDENTITY;
    let there = Pose::new(DVec3::X * 2.3, DQuat::from_rotation_z(0.3))?;

    println!("nodes allowed   distance                        why no narrower");
    for nodes in [0, 10, 30, 100, 300, 1000, 10_000] {
        let found = Work::new(Budget::nodes(nodes)).distance(
            ball.at(&here),
            ball.at(&there),
            &DistanceOptions::EXACT,
        );
        println!("{nodes:8}   {:22} … {:22}   {:?}", found.interval.lower, found.interval.upper, found.end);
    }

    // A flag that anybody may set: here it is set from the start, so that the query ends at once.
    let cancelled = AtomicBool::new(false);
    cancelled.store(true, Ordering::Relaxed);
    let mut work = Work::default().cancelled_by(&cancelled);
    let pairs = work.contacts(ball.at(&here), ball.at(&Pose::from_translation(DVec3::X * 1.5)?));
    println!("cancelled: {} pairs found, complete: {}", pairs.found.len(), pairs.complete);
    Ok(())
}

/// A ball of 2n(n − 1) triangles, closed, with bumps.
fn bumpy_ball(n: u32) -> Result<Mesh, sudar::MeshError> {
    let angle = |k: u32, of: u32| std::f64::consts::TAU * f64::from(k) / f64::from(of);
    let point = |i: u32, j: u32| {
        let radius = 1.0 + 0.03 * (f64::from((i * 7 + j * 13) % 5) - 2.0);
        DQuat::from_rotation_z(angle(j, n)) * DQuat::from_rotation_y(angle(i, 2 * n)) * DVec3::Z * radius
    };
    let mut vertices: Vec<DVec3> = (1..n).flat_map(|i| (0..n).map(move |j| point(i, j))).collect();
    vertices.extend([DVec3::Z, DVec3::NEG_Z]);
    let (top, bottom) = (n * (n - 1), n * (n - 1) + 1);
    let at = |i: u32, j: u32| i * n + j % n;
    let mut triangles: Vec<[u32; 3]> = (0..n)
        .flat_map(|j| [[top, at(0, j), at(0, j + 1)], [bottom, at(n - 2, j + 1), at(n - 2, j)]])
        .collect();
    let square = |(i, j): (u32, u32)| {
        [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    triangles.extend((0..n - 2).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(square));
    Mesh::new(vertices, triangles)
}
