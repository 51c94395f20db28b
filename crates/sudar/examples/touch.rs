//! Do two bodies touch, and where? A crate stands on a table and sinks 1 cm into it.
//!
//! `cargo run --release -p sudar --example touch`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::query::{Body, intersects, manifold};
use sudar::{Cuboid, DVec3, Pose};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Sizes are half extents: the top of the table is at z = 0, the crate is a cube with sides of 1 m.
    let table = Body::new(Cuboid::new(DVec3::new(2.0, 1.0, 0.5))?);
    let crate_ = Body::new(Cuboid::new(DVec3::splat(0.5))?);
    let below = Pose::from_translation(DVec3::Z * -0.5)?;

    // A gap of 1 cm does not touch; flush faces do.
    for (height, touches) in [(0.51, false), (0.5, true)] {
        let pose = Pose::from_translation(DVec3::Z * height)?;
        assert_eq!(intersects(table.at(&below), crate_.at(&pose)).decided(), Some(touches));
    }

    // Contact points for a solver. Their normals point from the first body to the second.
    let sunk = Pose::from_translation(DVec3::Z * 0.49)?;
    let contacts = manifold(table.at(&below), crate_.at(&sunk), 0.0);
    for contact in &contacts {
        println!("at {:.3}, normal {:.3}, depth {:.6}", contact.point_b, contact.normal, contact.depth);
        // The points of the crate are corners of its lower face.
        assert!((contact.point_b.abs() - DVec3::new(0.5, 0.5, 0.01)).length() < 1e-12);
        assert!((contact.normal - DVec3::Z).length() < 1e-12 && (contact.depth - 0.01).abs() < 1e-12);
    }
    assert_eq!(contacts.len(), 4);
    Ok(())
}
