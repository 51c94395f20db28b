//! A convex body on the plane of a half-space.

use glam::DVec3;

use super::frame::Frame;
use super::outline::Side;
use super::overlap::{none, over_wall};
use super::shown::shown;
use super::{Manifold, include};
use crate::convex::PosedConvex;

/// The contacts of a convex body with the half-space `normal·x ≤ offset` of unit normal, of depth at least
/// `−margin`: the corners of the feature that faces it, at most four. The body is the first, so that the
/// normal of the contacts is `−normal`.
pub fn manifold_on_wall(body: &PosedConvex, normal: DVec3, offset: f64, margin: f64) -> Manifold {
    let down = -normal;
    let support = body.support(down).offset;
    let deepest = (body.center() + support) + down * body.convex().margin();
    let frame = Frame::of_one(deepest, down, body);
    // The plane in the frame, and how far rounding puts it off.
    let wall = frame.scaled(normal.dot(deepest) - offset);
    let slack = frame.slack + frame.scaled(4.0 * f64::EPSILON * (offset.abs() + deepest.abs().element_sum()));
    let outline = shown(body, &frame, Side::Below, deepest);
    let mut touches = none();
    for corner in outline.corners() {
        touches.push(over_wall(corner.at, wall, corner.vertex));
    }
    touches.keep(|t| t.depth() >= -frame.scaled(margin) - slack);
    let known = over_wall(DVec3::ZERO, wall, outline.name());
    if known.depth() < -frame.scaled(margin) - slack {
        return Manifold::empty(down);
    }
    include(&mut touches, known, frame.slack);
    Manifold::of(touches.as_slice(), &frame, frame.slack)
}
