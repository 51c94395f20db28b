//! The distance of two surfaces as a landscape over pairs of triangles.

use std::ops::ControlFlow;

use super::flood::{Landscape, Low};
use super::side::Side;
use super::wet::{Cell, Pass, Wet};
use crate::effort::Meter;
use crate::pair::{
    Nearest, closest_point_triangle, disjoint_segment_triangle_distance, disjoint_triangle_distance,
    segment_triangle, triangles_intersect,
};
use crate::shape::{Segment, Triangle};
use crate::tree::Wedges;

/// Two posed surfaces.
pub(super) struct Surfaces<'a> {
    pub a: Side<'a>,
    pub b: Side<'a>,
    /// What rounding may make of a distance.
    pub slack: f64,
}

impl Surfaces<'_> {
    pub fn triangles(&self, [i, j]: Cell) -> (Triangle, Triangle) {
        (self.a.surface.triangle(i), self.b.surface.triangle(j))
    }

    /// Cells no higher than `tolerance` that may be the lowest of a basin.
    ///
    /// The tree of the second surface is searched for the triangles in the regions of each triangle of the first, so that
    /// surfaces that lie along each other cost what is opposite, not what is within the tolerance.
    pub fn springs(&self, tolerance: f64, meter: &mut Meter) -> Vec<Low> {
        let (mut springs, mut wedges) = (Vec::new(), Wedges::default());
        for i in 0..self.a.surface.count() {
            if meter.is_stopped() {
                break;
            }
            self.a.wedges(i, self.slack, &mut wedges);
            if !wedges.is_empty() {
                self.springs_of(i, &wedges, tolerance, meter, &mut springs);
            }
        }
        springs
    }

    fn springs_of(&self, i: u32, wedges: &Wedges, tolerance: f64, meter: &mut Meter, springs: &mut Vec<Low>) {
        let t = self.a.surface.triangle(i);
        let region = t.aabb();
        self.b.surface.view.visit_wedges(&region.grown(tolerance), wedges, meter, |j| {
            let u = self.b.surface.triangle(j);
            if wedges.may_meet(&u) && region.gap(&u.aabb()) <= tolerance && self.b.is_first(j) {
                springs.extend(self.spring([i, j], &t, &u, tolerance));
            }
            ControlFlow::Continue(())
        });
    }

    fn spring(&self, cell: Cell, t: &Triangle, u: &Triangle, tolerance: f64) -> Option<Low> {
        if triangles_intersect(t, u) {
            return Some(Low { height: 0.0, cell });
        }
        let nearest = disjoint_triangle_distance(t, u);
        let height = nearest.distance();
        // A cell before this one has the same two points.
        let again = self.a.is_corner_of_earlier(cell[0], nearest.a)
            || self.b.is_corner_of_earlier(cell[1], nearest.b);
        (height <= tolerance && !again && !self.falls(cell, &nearest)).then_some(Low { height, cell })
    }

    /// Whether the direction between the nearest points of a cell is so far out of the normal cone of the feature that
    /// one of them is on that a cell beside it is lower for certain: then it is not the lowest of a basin.
    fn falls(&self, [i, j]: Cell, nearest: &Nearest) -> bool {
        // The points are off their features by less than the slack, and so are the distances compared here.
        let (x, y) = (nearest.a, nearest.b);
        let least = nearest.distance() - 4.0 * self.slack;
        let near = 0.25 * self.slack;
        least > 0.0 && (self.a.falls(i, x, y, least, near) || self.b.falls(j, y, x, least, near))
    }
}

impl Landscape for Surfaces<'_> {
    fn height(&self, cell: Cell) -> f64 {
        let (t, u) = self.triangles(cell);
        height(&t, &u)
    }

    fn beyond_passes(&self, [i, j]: Cell, level: f64, wet: &mut Wet, cells: &mut Vec<Cell>) {
        let (t, u) = self.triangles([i, j]);
        let meet = triangles_intersect(&t, &u);
        let of_a = |feature| Pass { side: 0, feature, other: j };
        self.a.beyond(i, of_a, wet, |side| pass(side, &u, meet) <= level, |other| cells.push([other, j]));
        let of_b = |feature| Pass { side: 1, feature, other: i };
        self.b.beyond(j, of_b, wet, |side| pass(side, &t, meet) <= level, |other| cells.push([i, other]));
    }
}

fn height(t: &Triangle, u: &Triangle) -> f64 {
    if triangles_intersect(t, u) { 0.0 } else { disjoint_triangle_distance(t, u).distance() }
}

/// The distance of an edge or corner and a triangle, which may meet only if `meet`.
fn pass(side: &Segment, triangle: &Triangle, meet: bool) -> f64 {
    if side.a == side.b {
        closest_point_triangle(side.a, triangle).distance()
    } else if meet && segment_triangle(side, triangle) {
        0.0
    } else {
        disjoint_segment_triangle_distance(side, triangle).distance()
    }
}
