//! How deep bodies that are not convex are in each other: bounds from their pieces.

use std::ops::ControlFlow;

use glam::DVec3;

use super::Body;
use super::body::Form;
use super::contacts::contacts;
use super::convex_penetration::of_pair;
use super::distance::distance;
use super::penetration::{Penetration, penetration_within};
use super::posed::{PosedSurface, is_compound, parts};
use super::search::Search;
use crate::convex::{Accuracy, Convex, Core, PosedConvex};
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::shape::Triangle;

/// The signed distance of two bodies of which one is a mesh or compound.
pub(super) fn pieces(a: (&Body, &Pose), b: (&Body, &Pose), accuracy: &Accuracy) -> Penetration {
    let apart = distance(a.0, a.1, b.0, b.1, &Search::EXACT);
    if apart.interval.lower > 0.0 {
        let between = apart.point_b - apart.point_a;
        let normal = between / between.length();
        return Penetration {
            signed: apart.interval,
            normal,
            point_a: apart.point_a,
            point_b: apart.point_b,
        };
    }
    let mut found = Pieces { depth: 0.0, normals: DVec3::AXES.into_iter().flat_map(|n| [n, -n]).collect() };
    if is_compound(a.0) || is_compound(b.0) {
        found.of_parts(a, b, accuracy);
    } else {
        found.of_meshes(a, b, accuracy);
    }
    found.bounded(a, b, apart.point_a)
}

struct Pieces {
    /// The greatest depth certain of any two pieces.
    depth: f64,
    /// Directions along which separation is tried.
    normals: Vec<DVec3>,
}

impl Pieces {
    fn add(&mut self, piece: &Penetration) {
        let depth = -piece.signed.upper;
        if depth > self.depth && depth.is_finite() {
            self.depth = depth;
            self.normals.push(piece.normal);
        }
    }

    fn of_parts(&mut self, (a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose), accuracy: &Accuracy) {
        let theirs = parts(b, pose_b);
        for p in parts(a, pose_a) {
            for q in &theirs {
                self.add(&penetration_within(p.body, &p.pose, q.body, &q.pose, accuracy));
            }
        }
    }

    fn of_meshes(&mut self, (a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose), accuracy: &Accuracy) {
        match (a.convex(), b.convex()) {
            (Some(convex), _) => {
                let convex = PosedConvex::new(convex, pose_a);
                self.of_triangles(b, pose_b, a, pose_a, |triangle| of_pair(&convex, triangle, accuracy));
            }
            (_, Some(convex)) => {
                let convex = PosedConvex::new(convex, pose_b);
                self.of_triangles(a, pose_a, b, pose_b, |triangle| of_pair(triangle, &convex, accuracy));
            }
            (None, None) => self.of_triangle_pairs((a, pose_a), (b, pose_b), accuracy),
        }
    }

    /// The triangles of a mesh whose boxes meet that of another body.
    fn of_triangles(
        &mut self,
        mesh: &Body,
        pose: &Pose,
        other: &Body,
        pose_other: &Pose,
        depth: impl Fn(&PosedConvex) -> Penetration,
    ) {
        let Some(surface) = mesh.surface() else { return };
        let surface = PosedSurface::new(surface, pose);
        surface.view.visit_box(&other.aabb(pose_other), &mut Meter::unlimited(), |i| {
            let triangle = of_triangle(&surface.triangle(i));
            self.add(&depth(&PosedConvex::new(&triangle, &Pose::IDENTITY)));
            ControlFlow::Continue(())
        });
    }

    fn of_triangle_pairs(
        &mut self,
        (a, pose_a): (&Body, &Pose),
        (b, pose_b): (&Body, &Pose),
        accuracy: &Accuracy,
    ) {
        let triangle =
            |body: &Body, pose: &Pose, i: u32| body.posed_triangle(pose, i).map(|t| of_triangle(&t));
        for [i, j] in contacts(a, pose_a, b, pose_b) {
            if let (Some(t), Some(u)) = (triangle(a, pose_a, i), triangle(b, pose_b, j)) {
                let [t, u] = [&t, &u].map(|convex| PosedConvex::new(convex, &Pose::IDENTITY));
                self.add(&of_pair(&t, &u, accuracy));
            }
        }
    }

    /// The least of the translations tried that separates the whole bodies.
    fn bounded(self, a: (&Body, &Pose), b: (&Body, &Pose), point: DVec3) -> Penetration {
        let mut best = Penetration {
            signed: Interval::new(f64::NEG_INFINITY, -self.depth),
            normal: DVec3::X,
            point_a: point,
            point_b: point,
        };
        for normal in self.normals {
            let (p, q) = (farthest(a.0, a.1, normal), farthest(b.0, b.1, -normal));
            if let (Some((height_a, point_a)), Some((height_b, point_b))) = (p, q)
                && -(height_a + height_b) > best.signed.lower
            {
                let signed =
                    Interval { lower: (-(height_a + height_b)).min(-self.depth), upper: -self.depth };
                best = Penetration { signed, normal, point_a, point_b };
            }
        }
        best
    }
}

fn of_triangle(t: &Triangle) -> Convex {
    Convex::new(Core::Triangle(t.corners()), 0.0)
}

/// How far a body reaches in a unit direction, rounded up, and where; `None` if for ever.
pub(super) fn farthest(body: &Body, pose: &Pose, direction: DVec3) -> Option<(f64, DVec3)> {
    let up = |p: DVec3, slack: f64| direction.dot(p) + slack + 4.0 * f64::EPSILON * p.abs().element_sum();
    let higher = |a: (f64, DVec3), b: (f64, DVec3)| if b.0 > a.0 { b } else { a };
    match body.form() {
        Form::Halfspace(_) => None,
        Form::Mesh => {
            let corners = body.mesh()?.triangles().iter().flatten().map(|&i| i as usize);
            let vertices = body.mesh()?.vertices();
            corners.map(|i| pose.apply(vertices[i])).map(|p| (up(p, 0.0), p)).reduce(higher)
        }
        Form::Convex(convex) => {
            let posed = PosedConvex::new(convex, pose);
            let support = posed.support(direction).offset;
            let p = posed.center() + support + direction * convex.margin();
            Some((up(p, posed.slack()), p))
        }
        Form::Compound(_) => {
            let mut highest = (f64::NEG_INFINITY, DVec3::ZERO);
            for part in parts(body, pose) {
                highest = higher(highest, farthest(part.body, &part.pose, direction)?);
            }
            Some(highest)
        }
    }
}
