//! A distance with a proof, and what its checker says to it and to a forged one.
//!
//! `cargo run --release -p sudar --example proof`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Body, DistanceOptions, distance, prove_distance};
use sudar::{Cuboid, DQuat, DVec3, Ellipsoid, Pose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let slab = Body::new(Cuboid::new(DVec3::new(2.0, 1.0, 0.2))?);
    let egg = Body::new(Ellipsoid::new(DVec3::new(0.5, 0.4, 0.8))?);
    let (here, there) = (Pose::IDENTITY, Pose::new(DVec3::new(0.3, 0.2, 1.5), DQuat::from_rotation_x(0.7))?);

    let found = distance(&slab, &here, &egg, &there, &DistanceOptions::EXACT);
    println!("distance   {} … {}", found.interval.lower, found.interval.upper);

    // The proof is data. Its checker knows shapes and poses, and shares no code with the query.
    let mut proof = prove_distance(&slab, &here, &egg, &there, &found);
    let certified = proof.check(slab.shape(), &here, egg.shape(), &there)?;
    println!("certified  {certified:?}");

    // Nobody can claim more than is true.
    if let Some(lower) = &mut proof.lower {
        lower.bound *= 1.0 + 1e-9;
    }
    match proof.check(slab.shape(), &here, egg.shape(), &there) {
        Ok(_) => println!("the forged proof passed, which must not be"),
        Err(refusal) => println!("forged     {refusal}"),
    }
    Ok(())
}
