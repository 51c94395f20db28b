//! How far apart are two bodies? Exactly, to 1 %, under a budget, and only whether within a tolerance.
//!
//! `cargo run --release -p sudar --example distance`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::effort::Budget;
use sudar::query::{Body, DistanceOptions, Work, distance, within};
use sudar::{Capsule, DQuat, DVec3, Mesh, Pose};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two rods that cross at right angles, their axes 3 m apart.
    let (thick, thin) = (Body::new(Capsule::new(0.5, 2.0)?), Body::new(Capsule::new(0.25, 2.0)?));
    let across = Pose::new(DVec3::Y * 3.0, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2))?;
    let found = distance(thick.at(&Pose::IDENTITY), thin.at(&across), &DistanceOptions::EXACT);
    println!("{} … {}, from {:.3}", found.interval.lower, found.interval.upper, found.point_a);
    // The distance of the axes less both radii.
    assert!(found.interval.contains(2.25) && found.interval.width() < 1e-12);
    assert!((found.point_a - DVec3::Y * 0.5).length() < 1e-9);

    // Whether at most a tolerance costs less than how far.
    assert_eq!(within(thick.at(&Pose::IDENTITY), thin.at(&across), 2.0).decided(), Some(false));

    // A sheet of 2·100² triangles in z = 0, and a copy turned upside down 1 m above it.
    let at = |k: u32| DVec3::new(f64::from(k % 101), f64::from(k / 101), 0.0);
    let corners = (0..100 * 101).filter(|k| k % 101 < 100);
    let triangles = corners.flat_map(|k| [[k, k + 1, k + 102], [k, k + 102, k + 101]]);
    let sheet = Body::new(Mesh::new((0..101 * 101).map(at).collect(), triangles.collect())?);
    let above = Pose::new(DVec3::new(0.0, 100.0, 1.0), DQuat::from_rotation_x(std::f64::consts::PI))?;
    // A budget widens the interval and never makes it wrong. Here 1 % of the distance is narrow enough.
    for nodes in [0, 20, 1000] {
        let rough = DistanceOptions { relative: 0.01, ..DistanceOptions::EXACT };
        let found =
            Work::new(Budget::nodes(nodes)).distance(sheet.at(&Pose::IDENTITY), sheet.at(&above), &rough);
        println!("{nodes:4} nodes: {} … {}, {:?}", found.interval.lower, found.interval.upper, found.end);
        assert!(found.interval.contains(1.0));
    }
    Ok(())
}
