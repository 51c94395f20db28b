//! The sides and normal cones of the features of a posed mesh, as seen from another body.

use glam::DVec3;

use crate::effort::Meter;
use crate::pair::closest_point_triangle;
use crate::query::bodies::{PosedSurface, Skin};
use crate::shape::{Bend, Crease};

/// A posed mesh as seen from the centre of another body.
///
/// The normal cones are those of [`crate::shape::NormalCone`], of the features that are left when facets are
/// taken whole: those of facets are single directions, out of a solid, and of a surface to the side where the
/// other body's centre is.
pub(crate) struct Sides<'a> {
    pub mesh: &'a PosedSurface<'a>,
    /// The centre of the other body.
    pub other: DVec3,
    /// Bound on the rounding of points.
    pub slack: f64,
}

/// The side of a facet where contacts are.
pub(crate) struct FacetSide {
    pub normal: DVec3,
    /// A point of its plane.
    pub anchor: DVec3,
    /// How far the other body's centre is above the plane.
    pub height: f64,
}

impl<'a> Sides<'a> {
    pub fn skin(&self) -> &'a Skin {
        self.mesh.surface.skin()
    }

    pub fn of(&self, facet: u32) -> FacetSide {
        let skin = self.skin();
        let given = skin.facets.facets[facet as usize];
        let turned = |n: DVec3| self.mesh.pose.rotate(n).normalize();
        let first = self.mesh.surface.mesh.triangles()[given.first as usize];
        let anchor = self.mesh.vertex(first[0]);
        let normal = turned(skin.outward(facet).unwrap_or(given.normal));
        let height = normal.dot(self.other - anchor);
        if skin.outward(facet).is_none() && height < -self.slack {
            return FacetSide { normal: -normal, anchor, height: -height };
        }
        FacetSide { normal, anchor, height }
    }

    /// Whether something may rest on a crease: that of a solid is convex, that of a surface as seen from the
    /// other body.
    pub fn is_convex(&self, crease: &Crease) -> bool {
        let facets = &self.skin().facets;
        let &[t, u] = facets.wings(crease) else { return true };
        let (Some(f), Some(g)) = (facets.facet(t), facets.facet(u)) else { return true };
        match (self.skin().outward(f), crease.bend) {
            (_, Bend::Other) => true,
            (Some(outward), bend) => {
                let front = self.mesh.surface.mesh.triangle(t).scaled_normal().dot(outward) > 0.0;
                (bend == Bend::Down) == front
            }
            (None, Bend::Down | Bend::Up) => {
                let (ours, theirs) = (self.of(f), self.of(g));
                let below =
                    |side: &FacetSide, t: u32| side.normal.dot(self.apex(t, crease) - side.anchor) < 0.0;
                below(&ours, u) || below(&theirs, t)
            }
        }
    }

    /// A corner of a triangle farthest from the line of a crease that it has.
    fn apex(&self, t: u32, crease: &Crease) -> DVec3 {
        let [p, q] = crease.ends.map(|v| self.mesh.vertex(v));
        let along = (q - p).normalize_or_zero();
        let off = |c: &DVec3| (*c - p).cross(along).length_squared();
        let [a, b, c] = self.mesh.triangle(t).corners();
        let farther = |c: DVec3, d: DVec3| if off(&d) > off(&c) { d } else { c };
        farther(farther(a, b), c)
    }

    /// Whether a unit direction is in the normal cone of the inside of a crease, up to an angle.
    pub fn edge_cone_holds(&self, crease: &Crease, direction: DVec3, doubt: f64) -> bool {
        let [p, q] = crease.ends.map(|v| self.mesh.vertex(v));
        let along = (q - p).normalize_or_zero();
        let rises = |&t: &u32| {
            let way = self.apex(t, crease) - p;
            let across = way - along * way.dot(along);
            direction.dot(across) > doubt * across.length()
        };
        direction.dot(along).abs() <= doubt && !self.skin().facets.wings(crease).iter().any(rises)
    }

    /// Whether a unit direction is in the normal cone of a vertex, up to an angle.
    pub fn corner_cone_holds(&self, v: u32, direction: DVec3, doubt: f64) -> bool {
        self.star(v).iter().all(|&t| self.lies_below(t, v, direction, doubt))
    }

    /// Whether a triangle does not rise from one of its vertices in a unit direction, up to an angle.
    pub fn lies_below(&self, t: u32, v: u32, direction: DVec3, doubt: f64) -> bool {
        let from = self.mesh.vertex(v);
        self.mesh.triangle(t).corners().into_iter().all(|to| {
            let way = to - from;
            direction.dot(way) <= doubt * way.length() + self.slack
        })
    }

    /// The point of a facet nearest to a point, and the first triangle that has it; `None` if the meter
    /// stopped the search.
    pub fn nearest_on(&self, facet: u32, point: DVec3, meter: &mut Meter) -> Option<(u32, DVec3)> {
        let of_triangle = &self.skin().facets.of_triangle;
        let mut best = (f64::INFINITY, 0, point);
        self.mesh.view().visit_nearest(point, f64::INFINITY, meter, |t| {
            if of_triangle[t as usize] == facet {
                let nearest = closest_point_triangle(point, &self.mesh.triangle(t));
                if (nearest.distance(), t) < (best.0, best.1) {
                    best = (nearest.distance(), t, nearest.b);
                }
            }
            best.0
        });
        (!meter.is_stopped()).then_some((best.1, best.2))
    }

    /// The triangles around a vertex, in order.
    pub fn star(&self, v: u32) -> &'a [u32] {
        self.mesh.surface.stars().around_vertex(v)
    }
}
