//! The contact of bodies that overlap when their motion begins.

use glam::DVec3;

use super::answer::Impact;
use crate::effort::{Budget, Meter};
use crate::math::{Interval, unit};
use crate::query::answer::DistanceOptions;
use crate::query::bodies::Placed;
use crate::query::{distance, manifold};

/// So many nodes may be opened to find the deepest contact.
const NODES: u64 = 4096;

/// The deepest contact, or if none is found with little work, a common point and the direction from middle to middle.
pub(super) fn overlap(a: Placed, b: Placed, features: [u32; 2]) -> Impact {
    let mut meter = Meter::new(&Budget::nodes(NODES));
    let contacts = manifold::metered(a, b, 0.0, &mut meter).found;
    let deepest = contacts.into_iter().reduce(|best, next| if next.depth > best.depth { next } else { best });
    let time = Interval::point(0.0);
    if let Some(c) = deepest {
        let (point_a, point_b, normal) = (c.point_a, c.point_b, c.normal);
        return Impact { time, distance: 0.0, point_a, point_b, normal, features };
    }
    let at = distance::metered(a, b, &DistanceOptions::EXACT, &mut meter).point_a;
    let between = b.bounds().center() - a.bounds().center();
    let normal = if between.is_finite() { unit(between) } else { None }.unwrap_or(DVec3::Z);
    Impact { time, distance: 0.0, point_a: at, point_b: at, normal, features }
}
