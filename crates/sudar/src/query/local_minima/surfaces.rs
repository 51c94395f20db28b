//! The distance of two surfaces as a landscape over pairs of triangles.

use glam::DVec3;

use super::flood::{Cell, Landscape, Low};
use crate::effort::Meter;
use crate::pair::{
    Nearest, closest_point_triangle, disjoint_segment_triangle_distance, disjoint_triangle_distance,
    segment_triangle, triangles_intersect,
};
use crate::query::posed::PosedSurface;
use crate::shape::{Aabb, Segment, Stars, Triangle};
use crate::tree::{Bodies, visit_nearest_pairs};

/// Two posed surfaces.
pub(super) struct Surfaces<'a> {
    pub a: Side<'a>,
    pub b: Side<'a>,
    /// What rounding may make of a distance.
    pub slack: f64,
}

/// A posed surface with the triangles around its vertices.
pub(super) struct Side<'a> {
    pub surface: &'a PosedSurface<'a>,
    pub stars: &'a Stars,
}

impl<'a> Side<'a> {
    pub fn new(surface: &'a PosedSurface<'a>) -> Self {
        Self { surface, stars: surface.surface.stars() }
    }

    /// Welded corners.
    pub fn corners(&self, t: u32) -> [u32; 3] {
        self.stars.corners(&self.surface.surface.mesh, t)
    }

    /// For each corner and edge of triangle `t`, as a segment, the triangles that have it too, if `reaches` says so; and
    /// those that have all of it, as does the same triangle once more.
    pub fn beyond(&self, t: u32, reaches: impl Fn(&Segment) -> bool, mut show: impl FnMut(u32)) {
        let (numbers, points) = (self.corners(t), self.surface.triangle(t).corners());
        for i in 0..3 {
            let j = (i + 1) % 3;
            let mut others =
                self.stars.around_edge(numbers[i], numbers[j]).filter(|&other| other != t).peekable();
            if others.peek().is_some() && reaches(&Segment { a: points[i], b: points[j] }) {
                others.for_each(&mut show);
            }
        }
        let has_all = |&other: &u32| other != t && self.corners(other).contains(&numbers[2]);
        self.stars.around_edge(numbers[0], numbers[1]).filter(has_all).for_each(&mut show);
        for (&number, p) in numbers.iter().zip(points) {
            if reaches(&Segment { a: p, b: p }) {
                self.stars
                    .around_vertex(number)
                    .iter()
                    .copied()
                    .filter(|&other| other != t)
                    .for_each(&mut show);
            }
        }
    }

    /// Whether the surface comes nearer to `y` than `least` around `x`, a point of triangle `t`: a first look along the
    /// triangles of the star of the feature that `x` is on to within `slack`.
    fn falls(&self, t: u32, x: DVec3, y: DVec3, least: f64, slack: f64) -> bool {
        let (numbers, points) = (self.corners(t), self.surface.triangle(t).corners());
        let nearer = |other: u32| {
            let comes_near = |p: DVec3| {
                let along = p - x;
                let square = along.length_squared();
                let t = if square > 0.0 { (along.dot(y - x) / square).clamp(0.0, 1.0) } else { 0.0 };
                (x + along * t).distance_squared(y) < least * least
            };
            self.surface.triangle(other).corners().into_iter().any(comes_near)
        };
        if let Some(i) = (0..3).find(|&i| points[i].distance_squared(x) <= slack * slack) {
            return self.stars.around_vertex(numbers[i]).iter().copied().any(nearer);
        }
        (0..3).any(|i| {
            let j = (i + 1) % 3;
            let line = Segment { a: points[i], b: points[j] };
            crate::pair::closest_point_segment(x, &line).distance() <= slack
                && self.stars.around_edge(numbers[i], numbers[j]).any(nearer)
        })
    }
}

impl Surfaces<'_> {
    pub fn triangles(&self, [i, j]: Cell) -> (Triangle, Triangle) {
        (self.a.surface.triangle(i), self.b.surface.triangle(j))
    }

    /// Cells no higher than `tolerance` that may be the lowest of a basin.
    pub fn springs(&self, tolerance: f64, meter: &mut Meter) -> Vec<Low> {
        let (a, b) = (self.a.surface, self.b.surface);
        let bodies = Bodies { a: &a.surface.tree, pose_a: a.pose, b: &b.surface.tree, pose_b: b.pose };
        let (mut springs, mut triangles) = (Vec::new(), 0);
        visit_nearest_pairs(&bodies, tolerance, meter, |ours, theirs| {
            for &i in ours {
                let t = a.triangle(i);
                let region = t.aabb();
                for &j in theirs {
                    let u = b.triangle(j);
                    if box_gap(&region, &u.aabb()) <= tolerance {
                        triangles += 1;
                        springs.extend(self.spring([i, j], &t, &u, tolerance));
                    }
                }
            }
            tolerance
        });
        meter.count_triangles(triangles);
        springs
    }

    fn spring(&self, cell: Cell, t: &Triangle, u: &Triangle, tolerance: f64) -> Option<Low> {
        if triangles_intersect(t, u) {
            return Some(Low { height: 0.0, cell });
        }
        let nearest = disjoint_triangle_distance(t, u);
        let height = nearest.distance();
        (height <= tolerance && !self.falls(cell, &nearest)).then_some(Low { height, cell })
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

    fn beyond_passes(&self, [i, j]: Cell, level: f64, cells: &mut Vec<Cell>) {
        let (t, u) = self.triangles([i, j]);
        let meet = triangles_intersect(&t, &u);
        self.a.beyond(i, |side| pass(side, &u, meet) <= level, |other| cells.push([other, j]));
        self.b.beyond(j, |side| pass(side, &t, meet) <= level, |other| cells.push([i, other]));
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

/// A lower bound on the distance of two boxes.
fn box_gap(a: &Aabb, b: &Aabb) -> f64 {
    let gap = (b.min - a.max).max(a.min - b.max).max(DVec3::ZERO);
    gap.length() * (1.0 - 8.0 * f64::EPSILON)
}
