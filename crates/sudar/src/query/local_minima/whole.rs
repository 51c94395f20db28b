//! The distance of a surface and a convex body as a landscape over the triangles of the surface.

use std::ops::ControlFlow;

use super::flood::{Landscape, Low};
use super::side::Side;
use super::wet::{Cell, Pass, Wet};
use crate::effort::Meter;
use crate::math::Interval;
use crate::pair::{Nearest, closest_point_halfspace, closest_point_triangle, triangles_intersect};
use crate::query::answer::Found;
use crate::query::bodies::PosedBody;
use crate::query::pairs::convex_distance::convex_triangle;
use crate::query::pairs::halfspace::unit;
use crate::query::pairs::meeting::in_triangle_surface;
use crate::query::pairs::sphere_capsule::Slender;
use crate::shape::{Aabb, Halfspace, Segment, Triangle};

/// What is convex and taken as a whole.
pub(super) enum Whole<'a> {
    Convex(&'a PosedBody<'a>),
    Halfspace(&'a Halfspace),
}

impl Whole<'_> {
    /// The distance of a triangle, which may have no area, the triangle first.
    pub fn distance(&self, t: &Triangle, slack: f64) -> Found {
        match self {
            Self::Convex(body) => to_convex(body, t),
            Self::Halfspace(halfspace) => over(halfspace, t, slack),
        }
    }

    /// A box around all points at most `tolerance` away.
    pub fn region(&self, tolerance: f64) -> Aabb {
        match self {
            Self::Convex(body) => body.aabb().grown(tolerance),
            Self::Halfspace(_) => Aabb::EVERYTHING,
        }
    }
}

/// By GJK, and where that leaves open whether they meet by an exact test, if there is one. A common point is one of the
/// triangle: what GJK says is off by the rounding of the larger of the two.
fn to_convex(body: &PosedBody, t: &Triangle) -> Found {
    let found = convex_triangle(&body.convex, t).swapped();
    let open = found.interval.lower == 0.0 && found.interval.upper > 0.0;
    if found.interval.lower > 0.0 || (open && meets(body, t) != Some(true)) {
        return found;
    }
    let flat = body.surface().filter(|_| body.convex.convex().margin() == 0.0);
    let common = flat.and_then(|surface| in_triangle_surface(t, &surface));
    let p = common.unwrap_or_else(|| closest_point_triangle(found.nearest.a, t).b);
    Found::at(p, found.features)
}

/// Whether a triangle meets a convex body. Exact; `None` for cylinders, cones and ellipsoids.
fn meets(body: &PosedBody, t: &Triangle) -> Option<bool> {
    if let Some(slender) = Slender::of(&body.convex) {
        return Some(slender.meets(t));
    }
    let surface = body.surface()?;
    let mut meets = surface.encloses(t.a);
    surface.view().visit_box(&t.aabb(), &mut Meter::unlimited(), |i| {
        meets |= triangles_intersect(t, &surface.triangle(i));
        if meets { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    Some(meets)
}

/// The lowest corner of the triangle and its foot.
fn over(halfspace: &Halfspace, t: &Triangle, slack: f64) -> Found {
    let (normal, offset) = unit(halfspace);
    let heights = t.corners().map(|p| (normal.dot(p) - offset, p));
    let (height, p) =
        heights.into_iter().fold((f64::INFINITY, t.a), |low, h| if h.0 < low.0 { h } else { low });
    if height <= 0.0 {
        return Found::at(p, [0, 0]);
    }
    let foot = closest_point_halfspace(p, halfspace).b;
    let interval = Interval::point(height).widened(slack);
    let interval = Interval { lower: interval.lower.max(0.0), ..interval };
    Found { nearest: Nearest::between(p, foot), interval, features: [0, 0] }
}

/// A posed surface and a convex body.
pub(super) struct AroundWhole<'a> {
    pub mesh: Side<'a>,
    pub whole: Whole<'a>,
    /// What rounding may make of a distance.
    pub slack: f64,
}

impl AroundWhole<'_> {
    pub fn distance(&self, t: &Triangle) -> Interval {
        self.whole.distance(t, self.slack).interval
    }

    /// Cells no higher than `tolerance`.
    pub fn springs(&self, tolerance: f64, meter: &mut Meter) -> Vec<Low> {
        let mut springs = Vec::new();
        let surface = self.mesh.surface;
        surface.view().visit_box(&self.whole.region(tolerance), meter, |i| {
            if !self.mesh.is_first(i) {
                return ControlFlow::Continue(());
            }
            let distance = self.distance(&surface.triangle(i));
            if distance.lower <= tolerance {
                springs.push(Low { height: distance.upper, cell: [i, 0] });
            }
            ControlFlow::Continue(())
        });
        springs
    }
}

impl Landscape for AroundWhole<'_> {
    fn height(&self, [i, _]: Cell) -> f64 {
        self.distance(&self.mesh.surface.triangle(i)).upper
    }

    fn beyond_passes(&self, [i, _]: Cell, level: f64, wet: &mut Wet, cells: &mut Vec<Cell>) {
        // The height of the cell may be off by the width of its interval, and the pass by that of its own.
        let reaches = |side: &Segment| {
            let flat = Triangle { a: side.a, b: side.b, c: side.b };
            self.distance(&flat).lower <= level
        };
        let of_mesh = |feature| Pass { side: 0, feature, other: 0 };
        self.mesh.beyond(i, &[], of_mesh, wet, reaches, |other| cells.push([other, 0]));
    }
}
