//! Contacts, and what those of two convex bodies are made from.

use glam::DVec3;

use crate::convex::{
    Accuracy, ContactId, Manifold, ManifoldPoint, PosedConvex, SignedDistance,
    convex_manifold as of_separation,
};
use crate::query::answer::Penetration;
use crate::query::pairs::convex_depth::of_pair;

/// A pair of points, one on the surface of each body, opposite each other along the contact normal as well as that is
/// known: of smooth bodies to about 1e-6 of their size, the root of what the depth is off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The point of the first body.
    pub point_a: DVec3,
    /// The point of the second body.
    pub point_b: DVec3,
    /// Unit direction from the first body to the second.
    pub normal: DVec3,
    /// How far `point_a` is beyond `point_b` along the normal: above zero where the bodies overlap, minus the gap where
    /// they do not.
    pub depth: f64,
    /// The triangles that touch, the parts of compounds, 0 for other shapes.
    pub features: [u32; 2],
    /// Which parts of the convex bodies or triangles touch. Together with `features` the name of the contact, which
    /// stays while the bodies move little.
    pub id: ContactId,
    /// The number of the region of contact, from 0.
    pub region: u32,
}

impl Contact {
    pub(super) fn of(point: &ManifoldPoint, normal: DVec3, features: [u32; 2], region: u32) -> Self {
        let ManifoldPoint { point_a, point_b, depth, id } = *point;
        Self { point_a, point_b, normal, depth, features, id, region }
    }

    pub(super) fn swapped(self) -> Self {
        let ([i, j], ContactId { a, b }) = (self.features, self.id);
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            normal: -self.normal,
            features: [j, i],
            id: ContactId { a: b, b: a },
            ..self
        }
    }
}

/// What contacts are made from. The normal is the direction between the nearest points; that of a penetration
/// is the one that shows the distance, and of round bodies that are apart the two differ by the root of what
/// the distance is off.
pub(super) fn separation(a: &PosedConvex, b: &PosedConvex, found: &Penetration) -> SignedDistance {
    let Penetration { signed, normal, point_a, point_b } = *found;
    let given = SignedDistance { normal, signed, point_a, point_b };
    // Of points, and the balls around them, and of polytopes the two are the same.
    let exact = |body: &PosedConvex| body.convex().core().is_point();
    let polytopes = a.convex().is_polytope() && b.convex().is_polytope();
    let (margin_a, margin_b) = (a.convex().margin(), b.convex().margin());
    let (p, q) = (point_a - normal * margin_a, point_b + normal * margin_b);
    let size = (q - p).abs().max_element();
    if signed.lower <= 0.0 || polytopes || exact(a) || exact(b) || size == 0.0 {
        return given;
    }
    let normal = ((q - p) / size).normalize();
    SignedDistance { normal, point_a: p + normal * margin_a, point_b: q - normal * margin_b, ..given }
}

/// The contacts of two convex bodies by the general method.
pub(super) fn of_convex(a: &PosedConvex, b: &PosedConvex, margin: f64) -> Manifold {
    of_separation(a, b, &separation(a, b, &of_pair(a, b, &Accuracy::default())), margin)
}
