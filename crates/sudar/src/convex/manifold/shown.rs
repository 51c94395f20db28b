//! What a body shows in the direction of contact.

use glam::DVec3;

use super::frame::Frame;
use super::outline::{Corner, Outline, Side, Sketch, listed, normal};
use super::{ContactFeature, polytope, round};
use crate::convex::{Core, PosedConvex};
use crate::kind::is_facing;

/// The feature of a body that faces the contact and holds `witness`, the body's point of the separation.
pub(super) fn shown(body: &PosedConvex, frame: &Frame, side: Side, witness: DVec3) -> Outline {
    let margin = body.convex().margin();
    let to_core = witness - frame.normal() * (side.sign() * margin);
    let sketch = Sketch { body, frame, side, witness: to_core };
    match body.convex().core() {
        Core::Point(_) => Outline::point(ContactFeature::Vertex(0)),
        Core::Segment(_) => sketch.edge([0, 1].map(|i| sketch.vertex(i)), ContactFeature::Edge(0)),
        Core::Triangle(_) => triangle(&sketch),
        Core::Cuboid(half, polytope) => polytope::of_box(&sketch, *half, polytope.hull()),
        Core::Polytope(polytope) => polytope::of_hull(&sketch, polytope),
        Core::Round(solid) => round::outline(&sketch, &solid.kind().facing(sketch.local_direction())),
    }
}

/// The side of a triangle, or the edge at the witness if the triangle is seen edge on.
fn triangle(sketch: &Sketch) -> Outline {
    let corners = [0, 1, 2].map(|i| sketch.vertex(i));
    let normal = normal(&corners);
    if is_facing(normal.z.abs()) {
        let name = ContactFeature::Face(u32::from(normal.z * sketch.side.sign() < 0.0));
        return sketch.face(listed(&corners), name);
    }
    let witness = sketch.frame.place(sketch.witness);
    let edges = [0, 1, 2].map(|i| [corners[i], corners[(i + 1) % 3]]);
    let steepness = |[p, q]: &[Corner; 2]| {
        let along = q.at - p.at;
        let size = along.abs().max_element();
        let unit = if size > 0.0 { (along / size).normalize() } else { DVec3::Z };
        let holds = unit.cross(witness - p.at).length() <= 4.0 * sketch.frame.slack;
        unit.z.abs() + if holds { 0.0 } else { 2.0 }
    };
    let [first, second, third] = edges;
    let flatter = |e: [Corner; 2], f: [Corner; 2]| if steepness(&f) < steepness(&e) { f } else { e };
    let ends = flatter(flatter(first, second), third);
    sketch.edge(ends, ends[0].edge)
}
