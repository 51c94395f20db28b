//! The distance of two surfaces as a landscape over pairs of triangles.

use std::ops::ControlFlow;

use super::flood::{Landscape, Low};
use super::hubs::{Hubs, first_cell};
use super::side::{Side, segment_distance};
use super::wet::{Cell, Pass, Wet};
use crate::effort::Meter;
use crate::pair::{Nearest, disjoint_triangle_distance, triangles_intersect};
use crate::shape::{Segment, Triangle};
use crate::tree::Wedges;

/// Two posed surfaces.
pub(super) struct Surfaces<'a> {
    pub a: Side<'a>,
    pub b: Side<'a>,
    /// Fans on each other.
    pub hubs: Hubs,
    /// What rounding may make of a distance.
    pub slack: f64,
}

impl Surfaces<'_> {
    pub fn triangles(&self, [i, j]: Cell) -> (Triangle, Triangle) {
        (self.a.surface.triangle(i), self.b.surface.triangle(j))
    }

    /// Cells no higher than `tolerance` that may be the lowest of a basin.
    ///
    /// The tree of the second surface is searched for the triangles in the regions of each triangle of the
    /// first, so that surfaces that lie along each other cost what is opposite, not what is within the
    /// tolerance.
    pub fn springs(&self, tolerance: f64, meter: &mut Meter) -> Vec<Low> {
        let (mut springs, mut wedges) = (self.of_blocks(), Wedges::default());
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

    /// One cell for each block of two fans.
    fn of_blocks(&self) -> Vec<Low> {
        let first = |tips| first_cell(&self.a, &self.b, tips);
        self.hubs.all().filter_map(first).map(|cell| Low { height: self.height(cell), cell }).collect()
    }

    fn is_in_block(&self, [i, j]: Cell) -> bool {
        let corners = || [self.a.corners(i), self.b.corners(j)];
        !self.hubs.is_empty() && self.hubs.of_cell(corners(), f64::INFINITY).next().is_some()
    }

    fn springs_of(&self, i: u32, wedges: &Wedges, tolerance: f64, meter: &mut Meter, springs: &mut Vec<Low>) {
        let t = self.a.surface.triangle(i);
        let region = t.aabb();
        self.b.surface.view().visit_wedges(&region.grown(tolerance), wedges, meter, |j| {
            let u = self.b.surface.triangle(j);
            let may_be = wedges.may_meet(&u) && region.gap(&u.aabb()) <= tolerance;
            if may_be && !self.is_in_block([i, j]) && self.b.is_first(j) {
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
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        if !self.hubs.is_empty() {
            for tips in self.hubs.of_cell([self.a.corners(i), self.b.corners(j)], level) {
                if !wet.goes_through_block(tips) {
                    self.out_of_block(tips, level, cells);
                }
                ours.push(tips[0]);
                theirs.push(tips[1]);
            }
        }
        let of_a = |feature| Pass { side: 0, feature, other: j };
        let reaches = |side: &Segment| segment_distance(side, &u, meet) <= level;
        self.a.beyond(i, &ours, of_a, wet, reaches, |other| cells.push([other, j]));
        let of_b = |feature| Pass { side: 1, feature, other: i };
        let reaches = |side: &Segment| segment_distance(side, &t, meet) <= level;
        self.b.beyond(j, &theirs, of_b, wet, reaches, |other| cells.push([i, other]));
    }
}

impl Surfaces<'_> {
    /// The cells of a block from which a flood leaves it: through an edge that does not have the tip.
    fn out_of_block(&self, [v, w]: [u32; 2], level: f64, cells: &mut Vec<Cell>) {
        let (a, b) = (&self.a, &self.b);
        for &i in a.stars.around_vertex(v) {
            b.visit_around(w, &a.opposite(i, v), level, |j| cells.push([i, j]));
        }
        for &j in b.stars.around_vertex(w) {
            a.visit_around(v, &b.opposite(j, w), level, |i| cells.push([i, j]));
        }
    }
}

fn height(t: &Triangle, u: &Triangle) -> f64 {
    if triangles_intersect(t, u) { 0.0 } else { disjoint_triangle_distance(t, u).distance() }
}
