//! The contact of bodies that overlap when their motion begins.

use glam::DVec3;

use super::answer::Impact;
use crate::effort::{Budget, Meter};
use crate::math::{Interval, unit};
use crate::pair::triangles_intersect;
use crate::query::answer::DistanceOptions;
use crate::query::bodies::{Placed, Posed, PosedSurface};
use crate::query::pairs::meeting::common_point;
use crate::query::{distance, manifold};

/// So many nodes may be opened to find the deepest contact.
const NODES: u64 = 4096;

/// The deepest contact, of two meshes that of the triangles found to meet, or if none is found with little
/// work, a common point and the direction from middle to middle.
pub(super) fn overlap(a: Placed, b: Placed, features: [u32; 2]) -> Impact {
    let mut meter = Meter::new(&Budget::nodes(NODES));
    if let (Posed::Mesh(first), Posed::Mesh(second)) = (a.form(), b.form()) {
        return of_triangles((a, &first), (b, &second), features);
    }
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

/// Two meshes: a common point of two triangles that meet, and the normal of the first, or of the second if
/// that has none, toward the middle of the second body.
fn of_triangles(
    (a, first): (Placed, &PosedSurface),
    (b, second): (Placed, &PosedSurface),
    features: [u32; 2],
) -> Impact {
    let (t, u) = (first.triangle(features[0]), second.triangle(features[1]));
    let point = if triangles_intersect(&t, &u) { common_point(first, second, features) } else { t.a };
    let between = b.bounds().center() - a.bounds().center();
    let normal =
        [t, u].into_iter().find_map(|t| unit((t.b - t.a).cross(t.c - t.a))).or_else(|| unit(between));
    let normal = normal.unwrap_or(DVec3::Z);
    let normal = if normal.dot(between) < 0.0 { -normal } else { normal };
    Impact { time: Interval::point(0.0), distance: 0.0, point_a: point, point_b: point, normal, features }
}
