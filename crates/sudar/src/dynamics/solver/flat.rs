//! Flat features on floors that are hardly curved.
//!
//! A face touches a ball in one point, however large the ball is, and on one point nothing rests: a plate on
//! a ball of a kilometre would rock for ever. What is flat lies on a patch as wide as the gap beside it is
//! less than a slop, as real bodies do, which yield. Its rim takes the place of the point: so a body rests
//! where its centre of mass is over the patch, and rolls over the rim where it is not.

use glam::DVec3;

use crate::dynamics::matter::{Outline, Rigid};
use crate::math::unit;
use crate::query::{Contact, ray};
use crate::shape::{Ray, Shape};

/// Gaps that count for none beside the point that touches, relative to the smaller body.
const SLOP: f64 = 1e-4;
/// Gaps beside it that a body may close by turning, relative to the smaller body.
const FAR: f64 = 0.02;
/// How much less than straight a feature of the smaller body may be; what is curved rolls.
const CURVED: f64 = 1e-8;
/// Halvings of the width of a patch, from the size of the smaller body.
const HALVINGS: u32 = 8;

/// Makes patches of points and lines at which the smaller of two bodies is flat; returns whether there are any.
pub fn widen(contacts: &mut Vec<Contact>, a: &Rigid, b: &Rigid) -> bool {
    let beside = |c: &Contact| contacts.iter().filter(|d| d.normal == c.normal).count();
    let few = |c: &Contact| beside(c) <= 2;
    let is_plane = |rigid: &Rigid| matches!(rigid.form, Outline::Wall { .. });
    if is_plane(a) || is_plane(b) || contacts.len() > 4 || !contacts.iter().any(few) {
        return false;
    }
    let is_a_smaller = a.radius <= b.radius;
    let [smaller, larger] = if is_a_smaller { [a, b] } else { [b, a] };
    let rolls =
        matches!(smaller.given.body.shape(), Shape::Sphere(_) | Shape::Ellipsoid(_) | Shape::Point(_));
    if rolls || larger.given.body.mesh().is_some() {
        return false;
    }
    let mut wide: Vec<Contact> = Vec::with_capacity(4 * contacts.len());
    for (k, contact) in contacts.iter().enumerate() {
        wide.push(*contact);
        if !few(contact) || contact.depth.abs() > 0.1 * smaller.radius {
            continue;
        }
        let other = contacts.iter().enumerate().find(|(i, c)| *i != k && c.normal == contact.normal);
        match other {
            None => wide.extend(rim(contact, DVec3::ZERO, [smaller, larger], is_a_smaller)),
            // Once for both ends of a line.
            Some((i, other)) if i > k => {
                let line = (other.point_a - contact.point_a).normalize_or_zero();
                wide.extend(rim(&middle(contact, other), line, [smaller, larger], is_a_smaller));
            }
            Some(_) => {}
        }
    }
    let is_wider = wide.len() > contacts.len();
    *contacts = wide;
    is_wider
}

/// What is between the ends of a line.
fn middle(c: &Contact, d: &Contact) -> Contact {
    let half = |p: DVec3, q: DVec3| (p + q) * 0.5;
    let [point_a, point_b] = [half(c.point_a, d.point_a), half(c.point_b, d.point_b)];
    Contact { point_a, point_b, depth: 0.5 * (c.depth + d.depth), ..*c }
}

/// The contacts around one, along the axes of the smaller body; across a line if it is in the middle of one.
fn rim(contact: &Contact, line: DVec3, [smaller, larger]: [&Rigid; 2], is_a_smaller: bool) -> Vec<Contact> {
    // Towards the larger body.
    let normal = if is_a_smaller { contact.normal } else { -contact.normal };
    let at = if is_a_smaller { contact.point_a } else { contact.point_b };
    let turn = smaller.pose().rotation();
    let mut ways: Vec<DVec3> = Vec::new();
    for axis in [turn.x_axis, turn.y_axis, turn.z_axis] {
        let Some(way) = unit(axis - normal * axis.dot(normal)).filter(|_| axis.dot(normal).abs() < 0.9)
        else {
            continue;
        };
        if line.dot(way).abs() < 0.5 && ways.iter().all(|known| known.dot(way).abs() < 0.5) {
            ways.push(way);
        }
    }
    let mut found = Vec::new();
    let mut all: Vec<DVec3> = ways.iter().flat_map(|way| [*way, -*way]).collect();
    // From a corner or edge: to the middle of the body, and beside that way.
    let inward = (smaller.motion.center - at) - normal * (smaller.motion.center - at).dot(normal);
    if let Some(way) = unit(inward).filter(|_| inward.length() > 0.1 * smaller.radius && line == DVec3::ZERO)
    {
        let across = normal.cross(way);
        all.extend([way, (way + across).normalize(), (way - across).normalize()]);
    }
    for way in all {
        for (place, own, excess) in widest(at, way, normal, smaller, larger) {
            // Within the slop as deep as the point that touches.
            let depth = contact.depth - (excess - SLOP * smaller.radius).max(0.0);
            let place = place - normal * own;
            let other = place + normal * -depth;
            let [point_a, point_b] = if is_a_smaller { [place, other] } else { [other, place] };
            let number = found.len() as u32 + 1;
            let features = [contact.features[0], contact.features[1] ^ number << 24];
            found.push(Contact { point_a, point_b, depth, features, ..*contact });
        }
    }
    found
}

/// The farthest places of the smaller body along a way, with how far its surface there is behind that at the
/// start and how much the gap is wider: that which it may close by turning, and that at which the gap is no
/// more than the slop.
fn widest(
    at: DVec3,
    way: DVec3,
    normal: DVec3,
    smaller: &Rigid,
    larger: &Rigid,
) -> impl Iterator<Item = (DVec3, f64, f64)> {
    let size = smaller.radius;
    let up = 0.05 * size;
    // How far the surface of a body lies along a direction, seen from before it.
    let depth = |rigid: &Rigid, place: DVec3, direction: DVec3| {
        let from = Ray { origin: place - direction * up, direction };
        let found = ray(rigid.given.body.at(&rigid.pose()), &from, 2.0 * up)?;
        (found.t > 0.0).then_some(found.t - up)
    };
    let own = |place: DVec3| depth(smaller, place, -normal);
    let floor = depth(larger, at, normal);
    let (mut far, mut near) = (None, None);
    for k in 0..HALVINGS {
        let reach = size / f64::from(1 << k);
        let place = at + way * reach;
        let (Some(floor), Some(behind), Some(half)) = (floor, own(place), own(at + way * (0.5 * reach)))
        else {
            continue;
        };
        let Some(other) = depth(larger, place, normal) else { continue };
        let excess = (other - floor) + behind;
        if (behind - 2.0 * half).abs() > CURVED * size || excess > FAR * size {
            continue;
        }
        if excess <= SLOP * size {
            near = Some((place, behind, excess));
            break;
        }
        far.get_or_insert((place, behind, excess));
    }
    far.into_iter().chain(near)
}
