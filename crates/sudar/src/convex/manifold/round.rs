//! What solids without vertices show.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::DVec3;

use super::ContactFeature;
use super::outline::{Corner, Outline, Sketch, listed};
use crate::kind::Facing;

/// The line on the side that faces the other body, and its lower and upper end.
const SIDE: ContactFeature = ContactFeature::Edge(16);
const ENDS: [ContactFeature; 2] = [ContactFeature::Vertex(16), ContactFeature::Vertex(17)];

/// What faces the contact.
pub(super) fn outline(sketch: &Sketch, facing: &Facing) -> Outline {
    match *facing {
        Facing::Disc { radius, z, number } => disc(sketch, radius, z, number),
        Facing::Line(lower, upper) => side(sketch, lower, upper),
        Facing::Point(number) => Outline::point(ContactFeature::Vertex(number)),
    }
}

/// Eight points of the rim, at fixed places of the body, so that they keep their names while it rolls.
fn disc(sketch: &Sketch, radius: f64, z: f64, number: u32) -> Outline {
    const H: f64 = FRAC_1_SQRT_2;
    const RIM: [[f64; 2]; 8] =
        [[1.0, 0.0], [H, H], [0.0, 1.0], [-H, H], [-1.0, 0.0], [-H, -H], [0.0, -1.0], [H, -H]];
    let mut corners = listed(&[]);
    for (name, [x, y]) in (8 * number..).zip(RIM) {
        let point = DVec3::new(x * radius, y * radius, z);
        corners.push(sketch.corner(
            rotated(sketch, point),
            ContactFeature::Vertex(name),
            ContactFeature::Edge(name),
        ));
    }
    sketch.face(corners, ContactFeature::Face(number))
}

fn side(sketch: &Sketch, lower: DVec3, upper: DVec3) -> Outline {
    let corner = |p: DVec3, name: ContactFeature| -> Corner { sketch.corner(rotated(sketch, p), name, SIDE) };
    sketch.edge([corner(lower, ENDS[0]), corner(upper, ENDS[1])], SIDE)
}

fn rotated(sketch: &Sketch, p: DVec3) -> DVec3 {
    sketch.body.pose().rotate(p)
}
