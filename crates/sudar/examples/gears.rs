//! Two gears whose teeth cut into each other: all pairs of triangles that meet, and a drawing of where.
//!
//! `cargo run --release -p sudar --example gears > gears.svg`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::f64::consts::TAU;

use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::{Body, contacts};
use sudar::{DQuat, DVec3, Mesh, Pose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gear = Body::new(gear(24, 10.0, 8.0, 2.0)?);
    let here = Pose::IDENTITY;
    // Half a tooth wrong, and too near by half a millimetre.
    let there = Pose::new(DVec3::X * 17.5, DQuat::from_rotation_z(0.25 * TAU / 24.0))?;
    let pairs = contacts(&gear, &here, &gear, &there);

    println!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-11 -11 40 22' fill='none' stroke-width='0.05'>"
    );
    println!("<title>{} pairs of triangles meet</title>", pairs.len());
    for (pose, color) in [(&here, "steelblue"), (&there, "darkorange")] {
        for [p, q] in outline(&gear, pose) {
            println!("<path stroke='{color}' d='M{:.3} {:.3}L{:.3} {:.3}'/>", p.x, p.y, q.x, q.y);
        }
    }
    for [i, j] in pairs {
        let met = gear.posed_triangle(&here, i).zip(gear.posed_triangle(&there, j));
        if let Some(TriangleIntersection::Segment(s)) = met.and_then(|(t, u)| triangle_intersection(&t, &u)) {
            println!(
                "<path stroke='crimson' stroke-width='0.12' d='M{:.3} {:.3}L{:.3} {:.3}'/>",
                s.a.x, s.a.y, s.b.x, s.b.y
            );
        }
    }
    println!("</svg>");
    Ok(())
}

/// A gear of trapezoidal teeth about the z axis, closed.
fn gear(teeth: u32, outer: f64, inner: f64, width: f64) -> Result<Mesh, sudar::MeshError> {
    let n = 4 * teeth;
    let rim = |k: u32, z: f64| {
        let radius = if k % 4 < 2 { outer } else { inner };
        DQuat::from_rotation_z(TAU * f64::from(k) / f64::from(n)) * DVec3::new(radius, 0.0, z)
    };
    let mut vertices: Vec<DVec3> = (0..n).flat_map(|k| [rim(k, 0.0), rim(k, width)]).collect();
    vertices.extend([DVec3::ZERO, DVec3::Z * width]);
    let side = |k: u32| {
        let (a, b) = (2 * k, 2 * ((k + 1) % n));
        [[a, b, b + 1], [a, b + 1, a + 1], [2 * n, b, a], [2 * n + 1, a + 1, b + 1]]
    };
    Mesh::new(vertices, (0..n).flat_map(side).collect())
}

/// The edges of the gear's upper face, seen from above.
fn outline(gear: &Body, pose: &Pose) -> Vec<[DVec3; 2]> {
    let Some(mesh) = gear.mesh() else { return Vec::new() };
    let upper = (0..mesh.triangles().len() as u32).skip(3).step_by(4);
    upper.filter_map(|i| gear.posed_triangle(pose, i)).map(|t| [t.b, t.c]).collect()
}
