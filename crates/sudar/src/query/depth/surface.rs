//! Surface depth: how far the surface of one body gets into another.

use std::ops::ControlFlow;

use glam::DVec3;
use thiserror::Error;

use super::pieces::{cut, halved, top_of_lower};
use crate::convex::Accuracy;
use crate::effort::Meter;
use crate::math::Interval;
use crate::pair::{closest_point_triangle, triangles_intersect};
use crate::query::answer::rounding;
use crate::query::bodies::{Placed, PosedSurface};
use crate::search::{Queue, Waiting, best_first};
use crate::shape::Triangle;
use crate::tree::Child;

/// The bodies are not what a surface depth is defined for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a surface depth needs a first body with flat faces (mesh, solid, box, hull, triangle, segment, point) and a second one that is solid besides; turn round bodies into meshes (Mesh::from_shape)"
)]
pub struct NoFlatFaces;

/// How far a surface gets into a solid, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceDepth {
    /// Holds the depth. Its upper end is zero only if no point of the surface is inside or within rounding of touching.
    pub interval: Interval,
    /// A point of the first surface inside the second body, at least the lower end deep. Where the depth is
    /// zero it is a corner of the first surface.
    pub point_a: DVec3,
    /// The point of the second surface nearest to it.
    pub point_b: DVec3,
    /// The triangles these are on, 0 for other shapes than meshes.
    pub features: [u32; 2],
}

/// The **surface depth** of body A in solid B, posed: how far the surface of A gets away from that of B on the inside,
///
/// > sup { dist(x, ∂B) : x ∈ ∂A ∩ B },
///
/// and 0 if there is no such x. It is one-sided: that of B in A may be more or less, and to know how deep
/// either is in the other, call it both ways. Unlike the translational depth it is a matter of the place: a
/// needle that sticks a centimetre into a wall is one deep, however long it is. A body wholly inside is as
/// deep as its surface point farthest from the wall.
///
/// ∂A are the triangles of A, and ∂B those of B; a body without an inside may be A. The interval is as narrow
/// as requested unless rounding, the budget or a hundred thousand pieces end the search. By branch and bound
/// over the tree of A and pieces of its triangles: the distance from a triangle of B is a convex function, so
/// that on a piece it is nowhere more than the linear one with the same values at its corners, and the least
/// of two of these is bounded by every mean of the two. Some ten closest points for every triangle that is
/// nearly the deepest, one for those that are clearly not, whole boxes at a time.
///
/// # Errors
/// [`NoFlatFaces`] for round bodies, half-spaces and compounds, and if B is no solid.
///
/// ```
/// use sudar::convex::Accuracy;
/// use sudar::query::{Body, surface_depth};
/// use sudar::{Cuboid, DVec3, Pose};
///
/// let block = Body::new(Cuboid::new(DVec3::new(5.0, 5.0, 1.0))?);
/// let bar = Body::new(Cuboid::new(DVec3::new(1.0, 1.0, 9.0))?);
/// // A bar through a block 2 high: its sides are at most 1 from top or bottom.
/// let found = surface_depth(bar.at(&Pose::IDENTITY), block.at(&Pose::IDENTITY), &Accuracy::default())?;
/// assert!(found.interval.contains(1.0) && found.interval.width() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn surface_depth(a: Placed, b: Placed, accuracy: &Accuracy) -> Result<SurfaceDepth, NoFlatFaces> {
    metered(a, b, accuracy, &mut Meter::unlimited())
}

pub(in crate::query) fn metered(
    a: Placed,
    b: Placed,
    accuracy: &Accuracy,
    meter: &mut Meter,
) -> Result<SurfaceDepth, NoFlatFaces> {
    let (Some(inner), Some(outer)) = (a.surface(), b.surface().filter(|s| s.surface.solid.is_some())) else {
        return Err(NoFlatFaces);
    };
    let found = Dive::new(&inner, &outer).deepest(accuracy, meter);
    let [i, j] = found.features;
    Ok(SurfaceDepth { features: [a.body().feature(i), b.body().feature(j)], ..found })
}

/// Width of a rim, in what rounding may make of a distance.
const RIM: f64 = 16.0;

/// Parts of the surface after which the search gives up: some seconds of work.
const MOST: usize = 100_000;

struct Dive<'a> {
    inner: &'a PosedSurface<'a>,
    outer: &'a PosedSurface<'a>,
    slack: f64,
    best: SurfaceDepth,
    /// How deep pieces that are outside but for their rims may be.
    rim: f64,
    /// What is not yet known, by its place among all areas, the deepest first; of equals the first found.
    unknown: Queue<Waiting<usize>>,
    areas: Vec<Area>,
}

/// A part of the surface that is looked into.
#[derive(Clone, Copy)]
enum Area {
    /// What is in a node of the tree.
    Node(usize),
    /// A piece of a triangle, with the triangle of the other surface nearest to its centre.
    Piece { corners: [DVec3; 3], triangle: u32, nearest: u32 },
}

/// A point with the nearest triangle of the outer surface.
#[derive(Clone, Copy)]
struct Sounding {
    /// Distance to the surface.
    distance: f64,
    foot: DVec3,
    triangle: u32,
    inside: bool,
}

impl<'a> Dive<'a> {
    fn new(inner: &'a PosedSurface<'a>, outer: &'a PosedSurface<'a>) -> Self {
        let corner = inner.triangle(0).a;
        let best = SurfaceDepth {
            interval: Interval::point(0.0),
            point_a: corner,
            point_b: outer.triangle(0).a,
            features: [0, 0],
        };
        let slack = rounding(inner.reach() + outer.reach());
        Self { inner, outer, slack, best, rim: 0.0, unknown: Queue::default(), areas: Vec::new() }
    }

    fn deepest(mut self, accuracy: &Accuracy, meter: &mut Meter) -> SurfaceDepth {
        self.open(0, meter);
        let ended = best_first(
            &mut self,
            |dive| &mut dive.unknown,
            |dive, Waiting { bound, place }| {
                let bound = -bound;
                let lower = dive.best.interval.lower;
                // Pieces as deep as the best to within rounding cannot be told from it.
                let narrow = bound - lower <= accuracy.width(bound).max(4.0 * dive.slack);
                if narrow || dive.areas.len() > MOST || meter.spend(1).is_break() {
                    return ControlFlow::Break(bound);
                }
                match dive.areas[place] {
                    Area::Node(node) => dive.open(node, meter),
                    Area::Piece { corners, triangle, nearest } => {
                        let pieces = dive.divided(&corners, nearest);
                        pieces.into_iter().for_each(|piece| dive.look_into(piece, triangle, bound, meter));
                    }
                }
                ControlFlow::Continue(())
            },
        );
        let rest = ended.unwrap_or(0.0);
        let upper = self.best.interval.lower.max(rest).max(self.rim);
        if upper > 0.0 {
            self.best.interval.upper = upper + self.slack;
            self.best.interval.lower = (self.best.interval.lower - self.slack).max(0.0);
        }
        self.best
    }

    fn push(&mut self, bound: f64, area: Area) {
        if bound > self.best.interval.lower {
            self.unknown.push(Waiting { bound: -bound, place: self.areas.len() });
            self.areas.push(area);
        }
    }

    /// Visits the children of a node: no point in a box is deeper than its centre by more than its radius.
    fn open(&mut self, node: usize, meter: &mut Meter) {
        let inner = self.inner;
        for (aabb, child) in inner.surface.tree.children(node) {
            // A pose may stretch lengths by some 1e-6.
            let radius = 0.5 * aabb.extent().length() * (1.0 + 4e-6) + self.slack;
            let center = inner.pose.apply(aabb.center());
            let bound = self.sound(center, radius).bound(radius);
            if bound <= self.best.interval.lower {
                continue;
            }
            match child {
                Child::Node(next) => self.push(bound, Area::Node(next)),
                Child::Leaf(triangles) => {
                    for &triangle in triangles {
                        let corners = inner.triangle(triangle).corners();
                        self.look_into(corners, triangle, bound, meter);
                    }
                }
            }
        }
    }

    /// Cuts a piece along a side of the prism over the triangle nearest to its centre: inside, the distance
    /// from that is linear. A piece that no side cuts is halved; none if it is too small for that, and as
    /// deep as its corners.
    fn divided(&self, corners: &[DVec3; 3], nearest: u32) -> Vec<[DVec3; 3]> {
        let t = self.outer.triangle(nearest);
        let normal = t.scaled_normal();
        let [a, b, c] = t.corners();
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let across = (to - from).cross(normal / normal.abs().max_element());
            let across = across / across.length();
            let sides = corners.map(|p| across.dot(p - from));
            // Without an area the triangle has no prism, and all of this is NaN.
            if sides.iter().any(|&s| s > 4.0 * self.slack) && sides.iter().any(|&s| s < -4.0 * self.slack) {
                return cut(corners, sides);
            }
        }
        halved(corners)
    }

    /// Sounds a piece at its corners and centre and bounds what is between.
    fn look_into(&mut self, corners: [DVec3; 3], triangle: u32, above: f64, meter: &mut Meter) {
        meter.count_triangles(1);
        let [a, b, c] = corners;
        let center = a + ((b - a) + (c - a)) / 3.0;
        let radius = corners.iter().fold(0.0, |r: f64, p| r.max(p.distance(center))) + self.slack;
        let points = [center, a, b, c];
        let soundings = points.map(|p| self.sound(p, if p == center { radius } else { 0.0 }));
        for (point, sounding) in points.into_iter().zip(&soundings) {
            self.note(point, triangle, sounding);
        }
        let bound = above.min(soundings[0].bound(radius));
        if bound <= self.best.interval.lower {
            return;
        }
        if !soundings[0].inside && self.is_outside(&corners, center, triangle, &soundings[0]) {
            return;
        }
        self.look_at_ridges(&corners, triangle, &soundings);
        let bound = bound.min(self.below_planes(&corners, &soundings));
        self.push(bound, Area::Piece { corners, triangle, nearest: soundings[0].triangle });
    }

    /// Sounds the points of the sides that are as far from the triangle nearest to one end as from that of the other.
    fn look_at_ridges(&mut self, corners: &[DVec3; 3], triangle: u32, soundings: &[Sounding; 4]) {
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (p, q) = (corners[i], corners[j]);
            let [here, there] = [soundings[i + 1], soundings[j + 1]];
            let farther = |p: DVec3, s: &Sounding| {
                closest_point_triangle(p, &self.outer.triangle(s.triangle)).distance()
            };
            let (at_p, at_q) = (farther(p, &there) - here.distance, farther(q, &here) - there.distance);
            let share = at_p / (at_p + at_q);
            if share > 0.0 && share < 1.0 {
                let ridge = p + (q - p) * share;
                let sounding = self.sound(ridge, 0.0);
                self.note(ridge, triangle, &sounding);
            }
        }
    }

    /// Whether a piece with its centre outside meets nothing of the other surface, but perhaps with a rim as
    /// narrow as rounding: then all of it is outside but for that rim, which is noted. A whole triangle needs
    /// none if it meets nothing and its centre is clear of the surface; pieces are rounded.
    fn is_outside(
        &mut self,
        corners: &[DVec3; 3],
        center: DVec3,
        triangle: u32,
        sounding: &Sounding,
    ) -> bool {
        let whole = self.inner.triangle(triangle);
        if sounding.distance > self.slack && *corners == whole.corners() && self.is_free(&whole) {
            return true;
        }
        let inward = |p: DVec3| p + (center - p) * (RIM * self.slack / p.distance(center)).min(1.0);
        let free = self.is_free(&Triangle::from(corners.map(inward)));
        if free {
            self.rim = RIM * self.slack;
        }
        free
    }

    /// Whether a triangle has no point in common with the other surface.
    fn is_free(&self, t: &Triangle) -> bool {
        let mut free = true;
        self.outer.view().visit_box(&t.aabb(), &mut Meter::unlimited(), |i| {
            free = !triangles_intersect(t, &self.outer.triangle(i));
            if free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        free
    }

    /// The greatest of the least of two linear functions on the piece, for all pairs of those that bound the distance
    /// from one of the triangles found nearest.
    fn below_planes(&self, corners: &[DVec3; 3], soundings: &[Sounding; 4]) -> f64 {
        let from = |s: &Sounding| {
            let triangle = self.outer.triangle(s.triangle);
            corners.map(|p| closest_point_triangle(p, &triangle).distance())
        };
        let values = soundings.each_ref().map(from);
        let mut least = f64::INFINITY;
        for (i, f) in values.iter().enumerate() {
            for g in &values[i..] {
                least = least.min(top_of_lower(f, g));
            }
        }
        least + self.slack
    }

    fn note(&mut self, point: DVec3, triangle: u32, sounding: &Sounding) {
        if sounding.inside && sounding.distance > self.best.interval.lower {
            self.best = SurfaceDepth {
                interval: Interval::point(sounding.distance),
                point_a: point,
                point_b: sounding.foot,
                features: [triangle, sounding.triangle],
            };
        }
    }

    /// Tests a point. Whether it is inside is not tested where no point within the radius can be deeper
    /// than the best.
    fn sound(&self, point: DVec3, radius: f64) -> Sounding {
        let mut best = Sounding { distance: f64::INFINITY, foot: point, triangle: 0, inside: false };
        self.outer.view().visit_nearest(point, f64::INFINITY, &mut Meter::unlimited(), |i| {
            let nearest = closest_point_triangle(point, &self.outer.triangle(i));
            let distance = nearest.distance();
            if distance.total_cmp(&best.distance).then(i.cmp(&best.triangle)).is_lt() {
                best = Sounding { distance, foot: nearest.b, triangle: i, inside: false };
            }
            best.distance
        });
        let matters = best.distance + radius > self.best.interval.lower;
        Sounding { inside: matters && self.outer.encloses(point), ..best }
    }
}

impl Sounding {
    /// A bound on the depth of points at most `radius` away; zero or less if none of them is inside.
    fn bound(&self, radius: f64) -> f64 {
        if self.inside { self.distance + radius } else { radius - self.distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::query::Body;
    use crate::shape::{Cuboid, Mesh, Solid, Sphere};
    use crate::testing::at;
    use glam::DQuat;
    use std::sync::Arc;

    fn cuboid(x: f64, y: f64, z: f64) -> Body {
        Body::new(Cuboid::new(DVec3::new(x, y, z)).unwrap())
    }

    fn depth(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> SurfaceDepth {
        surface_depth(a.at(pose_a), b.at(pose_b), &Accuracy::default()).unwrap()
    }

    #[test]
    fn boxes_in_boxes_in_closed_form() {
        let (big, small) = (cuboid(5.0, 4.0, 3.0), cuboid(1.0, 1.0, 1.0));
        let turn = Pose::new(DVec3::new(9.0, -3.0, 5.0), DQuat::from_scaled_axis(DVec3::new(1.0, 2.0, 0.5)))
            .unwrap();
        let cases = [
            // Concentric: a side of the small one at x = 1 in the middle of the height 3: deep 3 to top and bottom.
            (at(0.0, 0.0, 0.0), 3.0),
            // One half in through the top: its bottom face is at 2.5, half a metre deep.
            (at(0.0, 0.0, 3.5), 0.5),
            // Through the side at x = 5: its inner face is at 4.25.
            (at(5.25, 0.3, -0.2), 0.75),
            // At an edge of the big one: the inner edge at (4.5, ·, 2.7).
            (at(5.5, 0.0, 3.7), 0.3),
            (at(7.0, 0.0, 0.0), 0.0),
        ];
        for (pose, expected) in cases {
            for world in [Pose::IDENTITY, turn] {
                let found = depth(&small, &world.after(&pose), &big, &world);
                assert!(found.interval.contains(expected), "{pose:?}: {found:?}");
                // What was requested, and the slack at either end, which is less than 64 ε times twice the
                // sizes, 10 and 2, and shifts of less than 20 each. Apart it is zero, and that is certain.
                let slack = 64.0 * f64::EPSILON * 52.0;
                let width = if expected > 0.0 { 1e-9 * found.interval.upper + 2.0 * slack } else { 0.0 };
                assert!(found.interval.width() <= width, "{found:?}");
            }
        }
    }

    #[test]
    fn a_needle_is_as_deep_as_its_tip() {
        let wall = cuboid(9.0, 9.0, 1.0);
        let needle = Body::new(Triangle {
            a: DVec3::new(0.0, 0.0, 0.75),
            b: DVec3::new(0.1, 0.0, 40.0),
            c: DVec3::Z * 40.0,
        });
        let found = depth(&needle, &Pose::IDENTITY, &wall, &Pose::IDENTITY);
        assert!(found.interval.contains(0.25) && found.point_a == DVec3::new(0.0, 0.0, 0.75), "{found:?}");
        assert_eq!(found.point_b.z, 1.0);
        // A leaf across a wall 2 thick is 1 deep, along a line.
        let leaf = Body::new(Triangle {
            a: DVec3::new(0.3, 0.0, -7.0),
            b: DVec3::new(4.0, 0.0, 11.0),
            c: DVec3::new(0.1, 4.0, 9.0),
        });
        let found = depth(&leaf, &Pose::IDENTITY, &wall, &Pose::IDENTITY);
        assert!(found.interval.contains(1.0) && found.interval.width() < 2e-9, "{found:?}");
    }

    #[test]
    fn a_star_against_a_dense_sample() {
        // Two bumpy solids: no sample is deeper than the upper end, and the deepest comes near to the lower.
        let cube = Mesh::from_aabb(Cuboid::new(DVec3::ONE).unwrap().aabb());
        let star = |k: f64| {
            let spikes: Vec<DVec3> = (0..12)
                .map(|i| {
                    let [a, b, c] = cube.triangle(i).corners();
                    (a + b + c) * (1.0 + k * f64::from(i % 5)) / 3.0
                })
                .collect();
            let vertices = [cube.vertices(), &spikes].concat();
            let sides = cube
                .triangles()
                .iter()
                .zip(8..)
                .flat_map(|(&[a, b, c], s)| [[a, b, s], [b, c, s], [c, a, s]]);
            Body::new(Solid::new(Arc::new(Mesh::new(vertices, sides.collect()).unwrap())).unwrap())
        };
        let (a, b) = (star(0.4), star(0.2));
        for i in 0..6 {
            let turn = DQuat::from_scaled_axis(DVec3::new(1.0, 0.3 * f64::from(i), -0.5));
            let pose = Pose::new(DVec3::new(1.1, 0.2, 0.3) * f64::from(i) * 0.3, turn).unwrap();
            let found = depth(&a, &Pose::IDENTITY, &b, &pose);
            let (inner, outer) = (
                PosedSurface::new(a.surface().unwrap(), &Pose::IDENTITY),
                PosedSurface::new(b.surface().unwrap(), &pose),
            );
            let dive = Dive::new(&inner, &outer);
            let mut most: f64 = 0.0;
            for t in 0..inner.count() {
                let [p, q, r] = inner.triangle(t).corners();
                for k in 0..=20 {
                    for l in 0..=20 - k {
                        let x = p + (q - p) * (f64::from(k) / 20.0) + (r - p) * (f64::from(l) / 20.0);
                        let sounding = dive.sound(x, 0.0);
                        most = most.max(if sounding.inside { sounding.distance } else { 0.0 });
                    }
                }
            }
            // Sides are at most 3 long: a sample every 0.15.
            assert!(most <= found.interval.upper && found.interval.lower <= most + 0.1, "{most} {found:?}");
            assert!(found.interval.width() <= 1e-9 * found.interval.upper + 1e-12);
            assert!(outer.encloses(found.point_a) || found.interval.upper == 0.0);
        }
    }

    #[test]
    fn round_bodies_and_open_walls_are_refused() {
        let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        let cube = cuboid(1.0, 1.0, 1.0);
        let leaf = Body::new(Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y });
        let ask = |a: &Body, b: &Body| {
            surface_depth(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), &Accuracy::default()).map(|_| ())
        };
        assert_eq!([ask(&ball, &cube), ask(&cube, &ball), ask(&cube, &leaf)], [Err(NoFlatFaces); 3]);
        assert_eq!(ask(&leaf, &cube), Ok(()));
    }
}
