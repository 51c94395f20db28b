//! A posed surface as a complex of corners, edges and triangles: what is glued to what, and where the points
//! are to which a corner, edge or triangle may be nearest around it.

use std::ops::ControlFlow;

use glam::DVec3;

use super::wet::{Pass, Wet};
use crate::effort::Meter;
use crate::math::sized;
use crate::pair::{
    closest_point_segment, closest_point_triangle, disjoint_segment_triangle_distance, segment_triangle,
};
use crate::query::bodies::PosedSurface;
use crate::shape::{Aabb, Segment, Stars, Triangle};
use crate::tree::Wedges;

/// A posed surface with the triangles around its vertices, of those with the same corners the first.
pub(super) struct Side<'a> {
    pub surface: &'a PosedSurface<'a>,
    pub stars: &'a Stars,
}

/// Triangles around a corner or edge from which on a flood keeps in mind that it went through there.
const MANY: usize = 16;

/// Directions along a surface of which a corner's or edge's wedge is made, at most.
const MOST_DIRECTIONS: usize = 8;

/// Triangles so slender that rounding of their normals matters have no wedge but everything.
const SLENDER: f64 = 1e12;

impl<'a> Side<'a> {
    pub fn new(surface: &'a PosedSurface<'a>) -> Self {
        Self { surface, stars: surface.surface.stars() }
    }

    /// Welded corners.
    pub fn corners(&self, t: u32) -> [u32; 3] {
        self.stars.corners(&self.surface.surface.mesh, t)
    }

    /// Whether no triangle before this one has the same three corners; if one has, this one means nothing and is in no
    /// star.
    pub fn is_first(&self, t: u32) -> bool {
        self.owns(t, &self.corners(t))
    }

    /// Whether of the triangles with all these corners, some of its own, this one is the first.
    fn owns(&self, t: u32, corners: &[u32]) -> bool {
        self.stars.first_with(corners) == Some(t)
    }

    /// Whether `x` is a corner of triangle `t` exactly, and of one before it, too.
    pub fn is_corner_of_earlier(&self, t: u32, x: DVec3) -> bool {
        let at = |&(_, p): &(u32, DVec3)| p == x;
        let all = self.corners(t).into_iter().zip(self.surface.triangle(t).corners());
        all.into_iter().find(at).is_some_and(|(number, _)| !self.owns(t, &[number]))
    }

    /// The vertices with many triangles around them, and where they are.
    pub fn tips(&self) -> Vec<(u32, DVec3)> {
        let (mesh, pose) = (&self.surface.surface.mesh, self.surface.pose);
        let count = mesh.vertices().len() as u32;
        let tips = (0..count).filter(|&v| self.stars.around_vertex(v).len() > MANY);
        tips.map(|v| (v, pose.apply(mesh.vertices()[v as usize]))).collect()
    }

    /// Whether no triangle around a vertex reaches farther along a unit vector than the vertex, but for `slack`.
    pub fn is_behind(&self, vertex: u32, direction: DVec3, slack: f64) -> bool {
        let tip = self.surface.pose.apply(self.surface.surface.mesh.vertices()[vertex as usize]);
        let star = self.stars.around_vertex(vertex).iter();
        let mut corners = star.flat_map(|&t| self.surface.triangle(t).corners());
        corners.all(|p| (p - tip).dot(direction) <= slack)
    }

    /// The edge of a triangle that is opposite to a vertex of it.
    pub fn opposite(&self, t: u32, vertex: u32) -> Segment {
        let points = self.surface.triangle(t).corners();
        let k = self.corners(t).into_iter().position(|number| number == vertex).unwrap_or(0);
        Segment { a: points[(k + 1) % 3], b: points[(k + 2) % 3] }
    }

    /// Shows the triangles around a vertex that a segment comes as near as `level`.
    pub fn visit_around(&self, vertex: u32, segment: &Segment, level: f64, mut show: impl FnMut(u32)) {
        let region = Aabb::around([segment.a, segment.b]).grown(level);
        self.surface.view().visit_box(&region, &mut Meter::unlimited(), |t| {
            if self.corners(t).contains(&vertex) && self.is_first(t) {
                let triangle = self.surface.triangle(t);
                if segment_distance(segment, &triangle, true) <= level {
                    show(t);
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// For each corner and edge of triangle `t`, as a segment, the triangles that have it too and are not yet `wet`, if
    /// `reaches` says so; without those that have one of the corners in `skipped`.
    pub fn beyond(
        &self,
        t: u32,
        skipped: &[u32],
        pass: impl Fn([u32; 2]) -> Pass,
        wet: &mut Wet,
        reaches: impl Fn(&Segment) -> bool,
        mut show: impl FnMut(u32),
    ) {
        let (numbers, points) = (self.corners(t), self.surface.triangle(t).corners());
        for (i, j) in [(0, 1), (1, 2), (2, 0), (0, 0), (1, 1), (2, 2)] {
            let feature = [numbers[i].min(numbers[j]), numbers[i].max(numbers[j])];
            if feature.iter().any(|number| skipped.contains(number)) {
                continue;
            }
            let segment = Segment { a: points[i], b: points[j] };
            let pass = pass(feature);
            let others = feature.map(|number| self.stars.around_vertex(number).len());
            let many = others[0].min(others[1]) > MANY;
            if many && wet.went_through(pass) {
                continue;
            }
            let mut news = self
                .stars
                .around_edge(feature[0], feature[1])
                .filter(|&next| !wet.has(pass.cell(next)))
                .peekable();
            if news.peek().is_some() && reaches(&segment) {
                news.for_each(&mut show);
                if many {
                    wet.goes_through(pass);
                }
            }
        }
    }

    /// Whether the surface comes nearer to `y` than `least` around `x`, a point of triangle `t`: a first look along the
    /// triangles of the star of the feature that `x` is on to within `slack`.
    pub fn falls(&self, t: u32, x: DVec3, y: DVec3, least: f64, slack: f64) -> bool {
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
            closest_point_segment(x, &line).distance() <= slack
                && self.stars.around_edge(numbers[i], numbers[j]).any(nearer)
        })
    }

    /// The points to which those of a corner, edge or the inside of triangle `t` may be the nearest around them: the
    /// regions of Voronoi of each (Lin and Canny 1991, "A fast algorithm for incremental distance calculation"), for
    /// surfaces that need not be convex. A pair of nearest points has either in a region of the other's. Of corners and
    /// edges of many triangles the first of these has the regions. `slack` is what rounding may make of a length.
    pub fn wedges(&self, t: u32, slack: f64, wedges: &mut Wedges) {
        wedges.clear();
        let (numbers, points) = (self.corners(t), self.surface.triangle(t).corners());
        if self.owns(t, &numbers) {
            over_face(&self.surface.triangle(t), slack, wedges);
        }
        for i in 0..3 {
            let j = (i + 1) % 3;
            if numbers[i] != numbers[j] && self.owns(t, &[numbers[i], numbers[j]]) {
                self.around_edge([numbers[i], numbers[j]], [points[i], points[j]], slack, wedges);
            }
            if self.owns(t, &[numbers[i]]) && !numbers[..i].contains(&numbers[i]) {
                self.around_corner(numbers[i], points[i], slack, wedges);
            }
        }
    }

    fn around_edge(&self, [u, v]: [u32; 2], [p, q]: [DVec3; 2], slack: f64, wedges: &mut Wedges) {
        let edge = sized(q - p);
        wedges.keep(edge, q, 2.0 * slack);
        wedges.keep(-edge, p, 2.0 * slack);
        for other in self.stars.around_edge(u, v).take(MOST_DIRECTIONS) {
            let third = self.corners(other).into_iter().position(|number| number != u && number != v);
            if let Some(k) = third {
                let along = sized(self.surface.triangle(other).corners()[k] - p);
                let across = along - edge * (along.dot(edge) / edge.length_squared());
                keep(across, p, along.length(), slack, wedges);
            }
        }
        wedges.end();
    }

    fn around_corner(&self, number: u32, p: DVec3, slack: f64, wedges: &mut Wedges) {
        let star = self.stars.around_vertex(number);
        for &other in star.iter().step_by(star.len().div_ceil(MOST_DIRECTIONS / 2)) {
            for q in self.surface.triangle(other).corners() {
                let along = sized(q - p);
                keep(along, p, along.length(), slack, wedges);
            }
        }
        wedges.end();
    }
}

/// The distance of an edge or corner and a triangle, which may meet only if `may_meet`.
pub(super) fn segment_distance(side: &Segment, triangle: &Triangle, may_meet: bool) -> f64 {
    if side.a == side.b {
        closest_point_triangle(side.a, triangle).distance()
    } else if may_meet && segment_triangle(side, triangle) {
        0.0
    } else {
        disjoint_segment_triangle_distance(side, triangle).distance()
    }
}

/// The prism over a triangle.
fn over_face(t: &Triangle, slack: f64, wedges: &mut Wedges) {
    let size = (t.b - t.a).abs().max((t.c - t.a).abs()).max_element();
    let [u, v] = [t.b, t.c].map(|p| (p - t.a) / size);
    let normal = u.cross(v);
    for (from, to) in [(t.a, t.b), (t.b, t.c), (t.c, t.a)] {
        let edge = sized(to - from);
        keep(edge.cross(normal), from, u.length() * v.length() * edge.length(), slack, wedges);
    }
    wedges.end();
}

/// Keeps the points behind a plane through `p`, of a normal made of a vector of length `of` that may have lost digits.
fn keep(normal: DVec3, p: DVec3, of: f64, slack: f64, wedges: &mut Wedges) {
    let lost = of / normal.length();
    // Neither NaN nor infinity is less.
    if lost < SLENDER {
        wedges.keep(sized(normal), p, 2.0 * slack * (1.0 + lost));
    }
}
