//! A convex body on a flat facet that is given triangle by triangle.

use glam::{DVec2, DVec3};

use super::frame::Frame;
use super::outline::{Corner, Kind, Outline, Side, listed};
use super::overlap::{Slack, Touch, edge_on_face};
use super::shown::shown;
use super::{ContactFeature, ContactId, ManifoldPoint};
use crate::convex::PosedConvex;

/// The tangent of 18°. An outline that falls off no more than that lies on the facet as a whole.
const FLAT: f64 = 0.325;

/// A convex body over a plane: its feature that faces the plane, to be cut by the triangles that a facet of
/// this plane is made of.
pub struct OverFacet {
    frame: Frame,
    outline: Outline,
    /// The corners of the outline, and its deepest point if no corner is as deep.
    corners: Vec<Corner>,
    /// Which of them have been found over the facet.
    held: Vec<bool>,
    /// Height of the plane along minus the normal, from the deepest point of the body.
    plane: f64,
    /// Where the line from the deepest point to the centre of the body passes the plane, if it does between them.
    middle: Option<DVec2>,
    /// Whether that is on the facet.
    is_crossed: bool,
    /// Bound on the rounding of coordinates.
    slack: f64,
}

/// A contact of a body, which is the second, with a triangle of a facet, whose features are those of a triangle alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnFacet {
    /// The contact.
    pub point: ManifoldPoint,
    /// The triangle.
    pub triangle: u32,
}

/// A triangle of a facet.
pub struct FacetTriangle {
    /// By its number.
    pub number: u32,
    /// Where its corners are.
    pub corners: [DVec3; 3],
    /// Whether its sides 0–1, 1–2, 2–0 are on the rim of the facet.
    pub rims: [bool; 3],
    /// Whether its corners are corners of the facet.
    pub vertices: [bool; 3],
}

impl OverFacet {
    /// The body over the plane through `anchor` of unit normal; `rounding` bounds how far points of the plane are off.
    pub fn new(body: &PosedConvex, normal: DVec3, anchor: DVec3, rounding: f64) -> Self {
        let down = -normal;
        let deepest = (body.center() + body.support(down).offset) + down * body.convex().margin();
        let frame = Frame::of_one(deepest, down, body);
        let slack = frame.slack + frame.scaled(rounding);
        let outline = shown(body, &frame, Side::Below, deepest);
        let mut corners = outline.corners().to_vec();
        if !corners.iter().any(|c| c.at.z >= -slack) {
            corners.push(Corner { at: DVec3::ZERO, vertex: outline.name(), edge: outline.name() });
        }
        let held = vec![false; corners.len()];
        let plane = frame.scaled(down.dot(anchor - deepest));
        let center = frame.place(body.center());
        let share = plane / center.z;
        let middle = (0.0..=1.0).contains(&share).then(|| center.truncate() * share);
        Self { frame, outline, corners, held, plane, middle, is_crossed: false, slack }
    }

    /// Whether the body certainly passes through one of the triangles.
    pub fn is_crossed(&self) -> bool {
        self.is_crossed
    }

    /// Bound on the rounding of depths.
    pub fn rounding(&self) -> f64 {
        self.frame.length(self.slack)
    }

    /// Whether the feature of the body lies on the plane rather than to touch it with an edge or corner.
    pub fn is_flat(&self) -> bool {
        match self.outline.kind {
            Kind::Face { slope, .. } => slope.length() <= FLAT,
            Kind::Edge => {
                let [p, q] = [self.corners[0].at, self.corners[1].at];
                (p.z - q.z).abs() <= FLAT * (p - q).truncate().length()
            }
            Kind::Point => false,
        }
    }

    /// Adds the contacts with a triangle: corners of the body's feature over it, its own corners under the feature, and
    /// where the rims of both cross. Each corner of the feature is found once. Cost in proportion to its corners.
    pub fn touch(&mut self, triangle: &FacetTriangle, found: &mut Vec<OnFacet>) {
        let places = triangle.corners.map(|p| self.frame.place(p).truncate());
        self.is_crossed |= self.middle.is_some_and(|at| self.is_over(places, at));
        self.corners_over(places, triangle.number, found);
        let mut rims = Vec::new();
        for side in (0..3).filter(|&side| triangle.rims[side]) {
            let vertex = |k: usize| ContactFeature::Vertex(k as u32);
            let edge = ContactFeature::Edge(side as u32);
            let ends = [side, (side + 1) % 3];
            let corner = |k: usize| Corner { at: places[k].extend(self.plane), vertex: vertex(k), edge };
            self.rim(ends.map(corner), ends.map(|k| triangle.vertices[k]), &mut rims);
        }
        found.extend(rims.iter().map(|touch| self.contact(touch, triangle.number)));
    }

    fn contact(&self, touch: &Touch, triangle: u32) -> OnFacet {
        let ManifoldPoint { point_a, point_b, depth, id } = touch.in_world(&self.frame);
        // In the frame the body is the first.
        let id = ContactId { a: id.b, b: id.a };
        OnFacet { point: ManifoldPoint { point_a: point_b, point_b: point_a, depth, id }, triangle }
    }

    /// The corners of the outline over a triangle.
    fn corners_over(&mut self, places: [DVec2; 3], triangle: u32, found: &mut Vec<OnFacet>) {
        for i in 0..self.corners.len() {
            let Corner { at, vertex, .. } = self.corners[i];
            if !self.held[i] && self.is_over(places, at.truncate()) {
                self.held[i] = true;
                let id = ContactId { a: vertex, b: self.face(places) };
                found.push(self.contact(&Touch::at(at.truncate(), [at.z, self.plane], id), triangle));
            }
        }
    }

    /// Whether a place is over a triangle, its sides included.
    fn is_over(&self, [a, b, c]: [DVec2; 3], at: DVec2) -> bool {
        let turn = (b - a).perp_dot(c - a).signum();
        let inside = |p: DVec2, q: DVec2| turn * (q - p).perp_dot(at - p) >= -self.slack * (q - p).length();
        inside(a, b) && inside(b, c) && inside(c, a)
    }

    /// The front of a triangle, or its back if that faces the body.
    fn face(&self, [a, b, c]: [DVec2; 3]) -> ContactFeature {
        // The frame looks down: what turns left in it is seen from below.
        ContactFeature::Face(u32::from((b - a).perp_dot(c - a) > 0.0))
    }

    /// Where a rim of the facet passes under the outline. Its ends count if they are corners.
    fn rim(&self, ends: [Corner; 2], corners: [bool; 2], touches: &mut Vec<Touch>) {
        let slack = Slack { rounding: self.slack, place: self.slack };
        let name = ends[0].edge;
        match self.outline.kind {
            Kind::Face { .. } => {
                let rim = Outline::of_corners(listed(&ends), Kind::Edge, name);
                edge_on_face(&rim, &self.outline, slack, |touch| {
                    let inside = |k: usize| touch.id.a == ends[k].vertex && !corners[k];
                    if !inside(0) && !inside(1) {
                        touches.push(touch.flipped());
                    }
                });
            }
            Kind::Edge => self.crossing(ends, name, touches),
            Kind::Point => {}
        }
    }

    /// Where a rim of the facet passes under an edge of the body.
    fn crossing(&self, ends: [Corner; 2], name: ContactFeature, touches: &mut Vec<Touch>) {
        let [p, q] = [self.corners[0], self.corners[1]];
        let (way, rim) = (q.shadow() - p.shadow(), ends[1].shadow() - ends[0].shadow());
        let turn = way.perp_dot(rim);
        // Nearly parallel ones have no crossing, but ends.
        if turn.abs() <= 4.0 * self.slack * (way.length() + rim.length()) {
            return;
        }
        let between = ends[0].shadow() - p.shadow();
        let (s, t) = (between.perp_dot(rim) / turn, between.perp_dot(way) / turn);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            let at = p.at.lerp(q.at, s);
            let id = ContactId { a: p.edge, b: name };
            touches.push(Touch::at(at.truncate(), [at.z, self.plane], id));
        }
    }
}
