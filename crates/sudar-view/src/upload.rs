//! What goes to the graphics card for each instance, relative to the eye, so that single precision is enough.

use glam::DVec3;

use super::gl::Attribute;
use super::scene::{Billboard, Instance, Line};

/// Middle, rotation, size, colour.
pub const SOLID: [Attribute; 4] =
    [Attribute::Floats(3), Attribute::Floats(4), Attribute::Floats(3), Attribute::Bytes];

/// Both ends, width in pixels, colour.
pub const LINE: [Attribute; 4] =
    [Attribute::Floats(3), Attribute::Floats(3), Attribute::Floats(1), Attribute::Bytes];

/// Middle, size, age, colour.
pub const BILLBOARD: [Attribute; 4] =
    [Attribute::Floats(3), Attribute::Floats(1), Attribute::Floats(1), Attribute::Bytes];

pub fn solid(instance: &Instance, eye: DVec3, bytes: &mut Vec<u8>) {
    let place = &instance.place;
    vector(place.at - eye, bytes);
    place.rotation.as_quat().to_array().iter().for_each(|x| number(*x, bytes));
    // A side of length 0 has no normal.
    vector(place.scale.abs().max(DVec3::splat(1e-12)), bytes);
    bytes.extend(instance.color.0);
}

pub fn line(line: &Line, eye: DVec3, bytes: &mut Vec<u8>) {
    vector(line.from - eye, bytes);
    vector(line.to - eye, bytes);
    number(line.width, bytes);
    bytes.extend(line.color.0);
}

pub fn billboard(billboard: &Billboard, eye: DVec3, bytes: &mut Vec<u8>) {
    vector(billboard.at - eye, bytes);
    number(billboard.size as f32, bytes);
    number(billboard.age.map_or(-1.0, |age| age as f32), bytes);
    bytes.extend(billboard.color.0);
}

fn vector(v: DVec3, bytes: &mut Vec<u8>) {
    v.as_vec3().to_array().iter().for_each(|x| number(*x, bytes));
}

fn number(x: f32, bytes: &mut Vec<u8>) {
    bytes.extend(x.to_ne_bytes());
}
