//! The convex hull of points, exact, as a body for every query.
//!
//! `cargo run --release -p sudar --example hull`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::hull::convex_hull;
use sudar::query::{Body, DistanceOptions, contains, distance};
use sudar::{DVec3, Pose};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Every point of a grid with |x| + |y| + |z| ≤ 10: its hull is an octahedron, most points are inside.
    let side = 21;
    let grid = (0..side * side * side).map(|k| [k % side - 10, k / side % side - 10, k / (side * side) - 10]);
    let inside = grid.filter(|p: &[i32; 3]| p.iter().map(|x| x.abs()).sum::<i32>() <= 10);
    let points: Vec<DVec3> = inside.map(|p| DVec3::from(p.map(f64::from))).collect();
    let hull = convex_hull(&points)?;
    println!("{} points, {} corners, {} faces", points.len(), hull.vertices().len(), hull.faces().len());
    // The octahedron |x| + |y| + |z| ≤ r has 6 corners, 8 faces and the volume 4r³/3.
    assert_eq!((hull.vertices().len(), hull.faces().len()), (6, 8));
    assert!((hull.volume() - 4000.0 / 3.0).abs() < 1e-9);
    // Each corner names the point that it was made from.
    assert!(hull.sources().iter().all(|&i| points[i as usize].abs().max_element() == 10.0));

    let octahedron = Body::new(hull);
    let here = Pose::IDENTITY;
    // On a face counts as inside, and a hair beyond it does not.
    assert!(contains(octahedron.at(&here), DVec3::new(5.0, 2.5, 2.5))?);
    assert!(!contains(octahedron.at(&here), DVec3::new(5.0, 2.5, 2.5 + 1e-12))?);
    // Two of them, 3 apart from corner to corner along x.
    let there = Pose::from_translation(DVec3::X * 23.0)?;
    let found = distance(octahedron.at(&here), octahedron.at(&there), &DistanceOptions::EXACT);
    println!("distance {} … {}", found.interval.lower, found.interval.upper);
    assert!(found.interval.contains(3.0) && found.interval.width() < 1e-12);
    Ok(())
}
