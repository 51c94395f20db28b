//! Features as seen along the contact normal, and how they are drawn.

use glam::{DVec2, DVec3};

use super::ContactFeature;
use super::frame::Frame;
use super::list::List;
use crate::convex::PosedConvex;
use crate::kind::FACING;

/// On which side of the contact a body is: the first below, so that it faces along +z, the second above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
}

impl Side {
    /// The z of the direction in which the body faces the other.
    pub fn sign(self) -> f64 {
        match self {
            Self::Below => 1.0,
            Self::Above => -1.0,
        }
    }
}

/// A corner in the frame of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    pub at: DVec3,
    pub vertex: ContactFeature,
    /// The edge to the next corner.
    pub edge: ContactFeature,
}

impl Corner {
    pub fn shadow(&self) -> DVec2 {
        self.at.truncate()
    }
}

/// How a feature rises over the contact plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A single point, which is that of the separation.
    Point,
    /// Straight between two corners.
    Edge,
    /// The plane through `base` that rises by `slope`.
    Face { base: DVec3, slope: DVec2 },
}

/// A feature as seen along the contact normal: its corners counter-clockwise, and its heights.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    corners: List<Corner>,
    pub kind: Kind,
    name: ContactFeature,
}

impl Outline {
    pub fn point(name: ContactFeature) -> Self {
        Self { corners: List::new(NOWHERE), kind: Kind::Point, name }
    }

    /// With these corners, counter-clockwise.
    pub fn of_corners(corners: List<Corner>, kind: Kind, name: ContactFeature) -> Self {
        Self { corners, kind, name }
    }

    pub fn corners(&self) -> &[Corner] {
        self.corners.as_slice()
    }

    /// Adds a corner.
    #[inline]
    pub fn push(&mut self, corner: Corner) {
        self.corners.push(corner);
    }

    /// The feature as a whole.
    pub fn name(&self) -> ContactFeature {
        self.name
    }
}

const NOWHERE: Corner =
    Corner { at: DVec3::ZERO, vertex: ContactFeature::Vertex(0), edge: ContactFeature::Edge(0) };

/// What an outline is drawn from.
pub(super) struct Sketch<'a> {
    pub body: &'a PosedConvex<'a>,
    pub frame: &'a Frame,
    pub side: Side,
    /// The point of the core that the outline has to hold.
    pub witness: DVec3,
}

impl Sketch<'_> {
    /// Where the body faces, in its own frame.
    pub fn local_direction(&self) -> DVec3 {
        self.body.pose().rotation().transpose() * (self.frame.normal() * self.side.sign())
    }

    /// Direction `axis` of the body.
    #[inline]
    pub fn axis(&self, axis: usize) -> DVec3 {
        self.frame.turned(self.body.pose().rotation().col(axis))
    }

    /// A point as seen from the centre of the body, under a name.
    #[inline]
    pub fn corner(&self, offset: DVec3, vertex: ContactFeature, edge: ContactFeature) -> Corner {
        Corner { at: self.frame.place_from(self.body.center(), offset), vertex, edge }
    }

    /// Vertex `i` of a polytope, and the edge of that number.
    #[inline]
    pub fn vertex(&self, i: u32) -> Corner {
        self.corner(self.body.offset(i), ContactFeature::Vertex(i), ContactFeature::Edge(i))
    }

    /// An edge by its ends, or a point if it is too steep.
    pub fn edge(&self, mut ends: [Corner; 2], name: ContactFeature) -> Outline {
        let along = ends[1].at - ends[0].at;
        let size = along.abs().max_element();
        let unit = along / size / (along / size).length();
        // Neither is this true of an edge of length zero.
        let flat = unit.z * unit.z <= 1.0 - FACING * FACING;
        if !flat {
            return Outline::point(if size > 0.0 { self.nearer(&ends).vertex } else { ends[0].vertex });
        }
        let up = DVec3::Z * self.side.sign();
        let out = (up - unit * up.dot(unit)).normalize_or_zero() * self.margin();
        let mut corners = List::new(NOWHERE);
        for end in &mut ends {
            *end = Corner { at: end.at + out, edge: name, ..*end };
            corners.push(*end);
        }
        Outline { corners, kind: Kind::Edge, name }
    }

    /// A face by its corners in order; a point if it is seen edge on.
    pub fn face(&self, corners: List<Corner>, name: ContactFeature) -> Outline {
        let normal = normal(corners.as_slice());
        let mut outline = Outline { corners, kind: Kind::Point, name };
        self.make_face(&mut outline, normal);
        outline
    }

    /// Makes a face of corners in order, whose normal need be of length 1 only if there is a margin; or a point if it
    /// is seen edge on.
    #[inline]
    pub fn make_face(&self, outline: &mut Outline, normal: DVec3) {
        let out = normal * (normal.z.signum() * self.side.sign());
        if out.z == 0.0 || !out.is_finite() {
            *outline = Outline::point(self.nearer(outline.corners()).vertex);
            return;
        }
        let corners = outline.corners.as_mut_slice();
        if normal.z < 0.0 {
            reverse(corners);
        }
        let shift = out * self.margin();
        if shift != DVec3::ZERO {
            corners.iter_mut().for_each(|c| c.at += shift);
        }
        outline.kind = Kind::Face { base: corners[0].at, slope: -out.truncate() / out.z };
    }

    fn margin(&self) -> f64 {
        self.frame.scaled(self.body.convex().margin())
    }

    /// The corner nearest to the witness.
    fn nearer(&self, corners: &[Corner]) -> Corner {
        let witness = self.frame.place(self.witness);
        let distance = |c: &Corner| (c.at - witness).abs().element_sum();
        let nearest = corners.iter().min_by(|c, d| distance(c).total_cmp(&distance(d)));
        nearest.copied().unwrap_or(NOWHERE)
    }
}

/// The unit normal of a flat polygon, by the sum of the triangles of a fan.
pub(super) fn normal(corners: &[Corner]) -> DVec3 {
    let first = corners.first().map_or(DVec3::ZERO, |c| c.at);
    let area = |pair: &[Corner]| (pair[0].at - first).cross(pair[1].at - first);
    let sum = corners.windows(2).fold(DVec3::ZERO, |sum, pair| sum + area(pair));
    let size = sum.abs().max_element();
    if size > 0.0 { (sum / size).normalize() } else { DVec3::ZERO }
}

/// Turns the corners the other way round; each edge is still between the same two.
fn reverse(corners: &mut [Corner]) {
    corners.reverse();
    // Each corner now has the edge to the one before it: hand it on.
    for i in 1..corners.len() {
        let edge = corners[i].edge;
        corners[i].edge = corners[i - 1].edge;
        corners[i - 1].edge = edge;
    }
}

pub(super) fn listed(corners: &[Corner]) -> List<Corner> {
    let mut list = List::new(NOWHERE);
    corners.iter().for_each(|c| list.push(*c));
    list
}

/// Whether an edge with this cosine between itself and the direction of contact is flat enough.
pub(super) fn is_flat(cosine: f64) -> bool {
    cosine * cosine <= 1.0 - FACING * FACING
}
