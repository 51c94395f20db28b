//! Edges of B-reps, and faces that are not plane.

use sudar::DVec3;

use super::curve::Curves;
use super::faces::Faces;
use super::row::Row;
use super::trimmed;
use super::units::Units;
use super::value::{Entry, Found, Lost};

impl Curves<'_> {
    /// The points of an edge of a loop, from its beginning to its end as the loop runs.
    pub fn edge(&self, number: u32) -> Found<Row> {
        let oriented = self.step.entry(number)?;
        if oriented.class != "IFCORIENTEDEDGE" {
            return Err(oriented.unread());
        }
        let edge = self.step.entry(oriented.reference(2)?)?;
        let finer = Self { units: Units { share: 0.5, ..self.units }, ..*self };
        let vertex = |i: usize| {
            let vertex = self.step.entry(edge.reference(i)?)?;
            self.step.point(vertex.reference(0)?)
        };
        // Always computed along the edge, so that the faces on both sides have the same points.
        let mut row = finer.edge_points(&edge, vertex(0)?, vertex(1)?)?;
        if oriented.says(3, "F") {
            row.points.reverse();
        }
        Ok(row)
    }

    fn edge_points(&self, edge: &Entry<'_>, start: DVec3, end: DVec3) -> Found<Row> {
        let straight = Row { points: vec![start, end], deviation: 0.0 };
        if edge.class != "IFCEDGECURVE" {
            return Ok(straight);
        }
        let is_along = !edge.says(3, "F");
        let (from, to) = if is_along { (start, end) } else { (end, start) };
        let Some(mut row) = self.between_points(edge.reference(2)?, from, to)? else { return Ok(straight) };
        if !is_along {
            row.points.reverse();
        }
        if let [first, .., last] = &mut row.points[..] {
            (*first, *last) = (start, end);
        }
        Ok(row)
    }

    /// A face of a curved surface.
    pub fn curved_face(&self, face: &Entry<'_>, surface: &Entry<'_>, faces: &mut Faces) -> Found<f64> {
        let curved = self.curved(surface)?;
        let (mut loops, mut deviation) = (Vec::new(), 0.0_f64);
        for bound in face.references(0)? {
            let bound = self.step.entry(bound)?;
            let (mut ring, off) = self.loop_of(bound.reference(0)?)?;
            if bound.says(1, "F") {
                ring.reverse();
            }
            deviation = deviation.max(off);
            loops.push(ring);
        }
        let off =
            trimmed::add(&curved, &loops, !face.says(2, "F"), self.units.allowed(curved.radius()), faces);
        let off = off.map_err(|failure| {
            let why = match failure {
                trimmed::Failure::Loops => "its loops go round the surface in a way that is not read",
                trimmed::Failure::Uncut => "its loops cross themselves, or it takes too many triangles",
            };
            Lost(format!("#{} {}: {why}", face.number, face.class))
        })?;
        Ok(off.max(deviation))
    }
}
