//! What cylinders and cones show.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::DVec3;

use super::ContactFeature;
use super::outline::{Corner, Outline, Sketch, is_facing, listed};

/// The line on the side that faces the other body, and its lower and upper end.
const SIDE: ContactFeature = ContactFeature::Edge(16);
const ENDS: [ContactFeature; 2] = [ContactFeature::Vertex(16), ContactFeature::Vertex(17)];

/// The disc or the line on the side, whichever faces the contact more: within 45° of it.
pub(super) fn cylinder(sketch: &Sketch, radius: f64, half_length: f64) -> Outline {
    let direction = sketch.local_direction();
    let sideways = direction.with_z(0.0);
    if direction.z.abs() >= sideways.length() {
        let upper = u32::from(direction.z > 0.0);
        return disc(sketch, radius, half_length.copysign(direction.z), upper);
    }
    let foot = sideways.normalize() * radius;
    side(sketch, foot.with_z(-half_length), foot.with_z(half_length))
}

/// The base or the line on the side, whichever faces the contact more, if one does.
pub(super) fn cone(sketch: &Sketch, radius: f64, half_length: f64) -> Outline {
    let direction = sketch.local_direction();
    let sideways = direction.with_z(0.0);
    // The normal of the side rises as the side falls: `radius` in `2·half_length`.
    let rise = radius / (2.0 * half_length);
    let steep = (1.0 + rise * rise).sqrt();
    let of_side = (sideways.length() + rise * direction.z) / steep;
    if is_facing(-direction.z) && -direction.z >= of_side {
        return disc(sketch, radius, -half_length, 0);
    }
    if !is_facing(of_side) || sideways == DVec3::ZERO {
        return Outline::point(if direction.z > 0.0 {
            ContactFeature::Vertex(17)
        } else {
            ContactFeature::Vertex(16)
        });
    }
    let foot = sideways.normalize() * radius;
    side(sketch, foot.with_z(-half_length), DVec3::new(0.0, 0.0, half_length))
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
