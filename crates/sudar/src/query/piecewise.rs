//! How deep bodies that are not convex are in each other: bounds from their pieces.

use std::ops::ControlFlow;

use glam::DVec3;

use super::Body;
use super::body::Form;
use super::convex_penetration::of_pair;
use super::penetration::Penetration;
use super::posed::{PosedSurface, is_compound, parts};
use super::prove::way;
use super::search::Search;
use super::{Distance, contacts, distance, penetration};
use crate::convex::{Accuracy, Convex, Core, PosedConvex};
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::shape::{Aabb, Triangle};

/// The signed distance of two bodies of which one is a mesh or compound.
///
/// Besides the nodes of trees, each pair of pieces costs a node, and each direction tried after the first one for every
/// eight triangles.
pub(super) fn pieces(
    a: (&Body, &Pose),
    b: (&Body, &Pose),
    accuracy: &Accuracy,
    meter: &mut Meter,
) -> Penetration {
    meter.bounded(ANYTHING);
    let apart = distance::metered(a.0, a.1, b.0, b.1, &Search::EXACT, meter);
    if apart.interval.lower > 0.0 {
        let normal = between(a, b, &apart);
        return Penetration {
            signed: apart.interval,
            normal,
            point_a: apart.point_a,
            point_b: apart.point_b,
        };
    }
    let mut found = Pieces::new(apart.interval.upper);
    if is_compound(a.0) || is_compound(b.0) {
        found.of_parts(a, b, accuracy, meter);
    } else {
        found.of_meshes(a, b, accuracy, meter);
    }
    found.bounded(a, b, apart.point_a, meter)
}

/// The direction from one body to the other. Nearest points that round to one have none: then it is that along which the
/// nearest triangles are apart, if both bodies have triangles.
fn between(a: (&Body, &Pose), b: (&Body, &Pose), apart: &Distance) -> DVec3 {
    let unit = |v: DVec3| (v / v.abs().max_element()).try_normalize();
    unit(apart.point_b - apart.point_a).or_else(|| unit(way(a, b, apart))).unwrap_or(DVec3::X)
}

/// Where a signed distance lies of which nothing is known.
const ANYTHING: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

struct Pieces {
    /// No more than this are the bodies apart, if they are: zero unless the search for a common point was stopped or could
    /// not tell.
    apart: f64,
    /// The greatest depth certain of any two pieces.
    depth: f64,
    /// Directions along which separation is tried.
    normals: Vec<DVec3>,
}

impl Pieces {
    fn new(apart: f64) -> Self {
        Self { apart, depth: 0.0, normals: DVec3::AXES.into_iter().flat_map(|n| [n, -n]).collect() }
    }

    /// The signed distance is not above this: a pair of pieces that overlap says more than the common point of the bodies.
    fn upper(&self) -> f64 {
        if self.depth > 0.0 { -self.depth } else { self.apart }
    }

    fn add(&mut self, piece: &Penetration, meter: &mut Meter) {
        let depth = -piece.signed.upper;
        if depth > self.depth && depth.is_finite() {
            self.depth = depth;
            self.normals.push(piece.normal);
            meter.bounded(Interval { upper: -depth, ..ANYTHING });
        }
    }

    fn of_parts(
        &mut self,
        (a, pose_a): (&Body, &Pose),
        (b, pose_b): (&Body, &Pose),
        accuracy: &Accuracy,
        meter: &mut Meter,
    ) {
        let (ours, theirs) = (parts(a, pose_a), parts(b, pose_b));
        for (p, q) in ours.iter().flat_map(|p| theirs.iter().map(move |q| (p, q))) {
            if meter.spend(1).is_break() {
                return;
            }
            let piece = meter
                .in_part(|meter| penetration::metered(p.body, &p.pose, q.body, &q.pose, accuracy, meter));
            self.add(&piece, meter);
        }
    }

    fn of_meshes(
        &mut self,
        (a, pose_a): (&Body, &Pose),
        (b, pose_b): (&Body, &Pose),
        accuracy: &Accuracy,
        meter: &mut Meter,
    ) {
        match (a.convex(), b.convex()) {
            (Some(convex), _) => {
                let (convex, region) = (PosedConvex::new(convex, pose_a), a.aabb(pose_a));
                let depth = |triangle: &PosedConvex| of_pair(&convex, triangle, accuracy);
                self.of_triangles((b, pose_b), &region, depth, meter);
            }
            (_, Some(convex)) => {
                let (convex, region) = (PosedConvex::new(convex, pose_b), b.aabb(pose_b));
                let depth = |triangle: &PosedConvex| of_pair(triangle, &convex, accuracy);
                self.of_triangles((a, pose_a), &region, depth, meter);
            }
            (None, None) => self.of_triangle_pairs((a, pose_a), (b, pose_b), accuracy, meter),
        }
    }

    /// The triangles of a mesh whose boxes meet the region of another body.
    fn of_triangles(
        &mut self,
        (mesh, pose): (&Body, &Pose),
        region: &Aabb,
        depth: impl Fn(&PosedConvex) -> Penetration,
        meter: &mut Meter,
    ) {
        let Some(surface) = mesh.surface() else { return };
        let surface = PosedSurface::new(surface, pose);
        let mut near = Vec::new();
        surface.view.visit_box(region, meter, |i| {
            near.push(i);
            ControlFlow::Continue(())
        });
        for i in near {
            if meter.spend(1).is_break() {
                return;
            }
            meter.count_triangles(1);
            let triangle = of_triangle(&surface.triangle(i));
            self.add(&depth(&PosedConvex::new(&triangle, &Pose::IDENTITY)), meter);
        }
    }

    fn of_triangle_pairs(
        &mut self,
        (a, pose_a): (&Body, &Pose),
        (b, pose_b): (&Body, &Pose),
        accuracy: &Accuracy,
        meter: &mut Meter,
    ) {
        let triangle =
            |body: &Body, pose: &Pose, i: u32| body.posed_triangle(pose, i).map(|t| of_triangle(&t));
        for [i, j] in contacts::metered(a, pose_a, b, pose_b, meter).found {
            if meter.spend(1).is_break() {
                return;
            }
            if let (Some(t), Some(u)) = (triangle(a, pose_a, i), triangle(b, pose_b, j)) {
                let [t, u] = [&t, &u].map(|convex| PosedConvex::new(convex, &Pose::IDENTITY));
                self.add(&of_pair(&t, &u, accuracy), meter);
            }
        }
    }

    /// The least of the translations tried that separates the whole bodies. The first is tried whatever the meter says.
    fn bounded(self, a: (&Body, &Pose), b: (&Body, &Pose), point: DVec3, meter: &mut Meter) -> Penetration {
        let upper = self.upper();
        let mut best = Penetration {
            signed: Interval::new(f64::NEG_INFINITY, upper),
            normal: DVec3::X,
            point_a: point,
            point_b: point,
        };
        let cost = nodes_of(a.0) + nodes_of(b.0);
        for (k, normal) in self.normals.into_iter().enumerate() {
            if k > 0 && meter.spend(cost).is_break() {
                break;
            }
            let (p, q) = (farthest(a.0, a.1, normal), farthest(b.0, b.1, -normal));
            if let (Some((height_a, point_a)), Some((height_b, point_b))) = (p, q)
                && -(height_a + height_b) > best.signed.lower
            {
                let signed = Interval { lower: (-(height_a + height_b)).min(upper), upper };
                best = Penetration { signed, normal, point_a, point_b };
                meter.bounded(signed);
            }
        }
        best
    }
}

/// As many nodes as a look at every corner costs.
fn nodes_of(body: &Body) -> u64 {
    match body.form() {
        Form::Mesh => 1 + body.mesh().map_or(0, |mesh| mesh.triangles().len() as u64 / 8),
        Form::Convex(_) | Form::Halfspace(_) => 1,
        Form::Compound(parts) => parts.iter().map(|(part, _)| nodes_of(part)).sum(),
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
