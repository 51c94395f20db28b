//! What boxes and hulls show.

use glam::DVec3;

use super::ContactFeature;
use super::outline::{Corner, Outline, Sketch, is_flat, listed};
use crate::convex::Polytope;
use crate::kind::is_facing;
use crate::shape::Hull;

/// The face of a box along the greatest coordinate of the direction: within 55° of it, and it holds all vertices that
/// are farthest in that direction.
pub(super) fn of_box(sketch: &Sketch, half: DVec3, hull: &Hull) -> Outline {
    let direction = sketch.local_direction();
    let size = direction.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let axes = [sketch.axis(0), sketch.axis(1), sketch.axis(2)];
    let way = |k: usize| axes[k] * sketch.frame.scaled(half[k]);
    let ways = [way(0), way(1), way(2)];
    let middle = sketch.frame.place(sketch.body.center());
    // The bits of its number say on which side a corner is.
    let at = |v: u32| {
        let way = |k: usize| if v >> k & 1 == 1 { ways[k] } else { -ways[k] };
        middle + ((way(0) + way(1)) + way(2))
    };
    let face = 2 * axis as u32 + u32::from(direction[axis] > 0.0);
    let corner =
        |v: u32| Corner { at: at(v), vertex: ContactFeature::Vertex(v), edge: ContactFeature::Edge(v) };
    let normal = axes[(axis + 1) % 3].cross(axes[(axis + 2) % 3]);
    // Corners are counter-clockwise from outside.
    let out = if direction[axis] > 0.0 { normal } else { -normal };
    let mut outline = Outline::point(ContactFeature::Face(face));
    for corner in corners(hull, face, corner) {
        outline.push(corner);
    }
    sketch.make_face(&mut outline, out);
    outline
}

/// A hull by what is around its farthest vertex.
pub(super) fn of_hull(sketch: &Sketch, polytope: &Polytope) -> Outline {
    let hull = polytope.hull();
    match hull.dimension() {
        0 => Outline::point(ContactFeature::Vertex(0)),
        1 => sketch.edge([0, 1].map(|i| sketch.vertex(i)), ContactFeature::Edge(0)),
        _ => match Around::new(sketch, polytope).shown() {
            Shown::Face(f) => face(sketch, hull, f),
            Shown::Edge(h) => edge(sketch, hull, h),
            Shown::Vertex(v) => Outline::point(ContactFeature::Vertex(v)),
        },
    }
}

fn face(sketch: &Sketch, hull: &Hull, f: u32) -> Outline {
    let mut list = listed(&[]);
    corners(hull, f, |v| sketch.vertex(v)).for_each(|corner| list.push(corner));
    sketch.face(list, ContactFeature::Face(f))
}

/// The corners of a face in order, with its edges.
#[inline]
fn corners(hull: &Hull, f: u32, corner: impl Fn(u32) -> Corner) -> impl Iterator<Item = Corner> {
    let first = hull.faces()[f as usize] as usize;
    let end = hull.faces().get(f as usize + 1).map_or(hull.half_edges().len(), |&e| e as usize);
    (first..).zip(&hull.half_edges()[first..end]).map(move |(i, half)| {
        let edge = ContactFeature::Edge(half.twin.min(i as u32));
        Corner { edge, ..corner(half.origin) }
    })
}

fn edge(sketch: &Sketch, hull: &Hull, h: u32) -> Outline {
    let half = hull.half_edges()[h as usize];
    let other = hull.half_edges()[half.twin as usize].origin;
    sketch.edge([half.origin, other].map(|v| sketch.vertex(v)), ContactFeature::Edge(h.min(half.twin)))
}

enum Shown {
    Face(u32),
    Edge(u32),
    Vertex(u32),
}

/// The faces and edges around the vertex farthest in the direction of contact, in the frame of the body and scaled to
/// size one.
struct Around<'a> {
    hull: &'a Hull,
    vertex: u32,
    /// A half-edge that starts there.
    first: u32,
    direction: DVec3,
    /// From the vertex to the point that the feature has to hold.
    witness: DVec3,
    size: f64,
    slack: f64,
}

impl<'a> Around<'a> {
    fn new(sketch: &Sketch, polytope: &'a Polytope) -> Self {
        let hull: &Hull = polytope.hull();
        let direction = sketch.local_direction();
        let vertex = polytope.farthest(direction);
        let size = sketch.body.convex().radius();
        let posed = sketch.body.center() + sketch.body.offset(vertex);
        let witness = sketch.body.pose().rotation().transpose() * (sketch.witness - posed) / size;
        let slack = 4.0 * sketch.frame.rounding() / size;
        Self { hull, vertex, first: polytope.outgoing(vertex), direction, witness, size, slack }
    }

    /// The face most parallel to the contact, if it is flat enough; else the edge; else the vertex. Features that hold
    /// the witness come before those that do not: the farthest feature as a whole is one of them.
    fn shown(&self) -> Shown {
        let (mut face, mut edge) = (Best::NONE, Best::NONE);
        let mut half = self.first;
        let mut last = self.spoke(half);
        // Each half-edge is visited at most once.
        for _ in 0..self.hull.half_edges().len() {
            edge.offer(half, self.holds_along(last), -square_cosine(last, self.direction));
            let twin = self.hull.half_edges()[half as usize].twin;
            half = self.hull.half_edges()[twin as usize].next;
            let spoke = self.spoke(half);
            let normal = spoke.cross(last);
            let off = normal.dot(self.witness);
            let holds = off * off <= self.slack * self.slack * normal.length_squared();
            let square = square_cosine(normal, self.direction);
            let square = if normal.dot(self.direction) > 0.0 { square } else { -square };
            face.offer(self.hull.half_edges()[half as usize].face, holds, square);
            last = spoke;
            if half == self.first {
                break;
            }
        }
        if face.square > 0.0 && is_facing(face.square.sqrt()) {
            Shown::Face(face.number)
        } else if is_flat(edge.square.abs().sqrt()) {
            Shown::Edge(edge.number)
        } else {
            Shown::Vertex(self.vertex)
        }
    }

    /// From the vertex along a half-edge that starts there.
    fn spoke(&self, half: u32) -> DVec3 {
        let half = self.hull.half_edges()[half as usize];
        let end = self.hull.half_edges()[half.twin as usize].origin;
        let vertices = self.hull.vertices();
        (vertices[end as usize] - vertices[half.origin as usize]) / self.size
    }

    fn holds_along(&self, spoke: DVec3) -> bool {
        spoke.cross(self.witness).length_squared() <= self.slack * self.slack * spoke.length_squared()
    }
}

/// The square of the cosine between a vector and a unit direction; 1 where the vector is zero, which is no edge and the
/// normal of no face.
fn square_cosine(vector: DVec3, direction: DVec3) -> f64 {
    let (along, square) = (vector.dot(direction), vector.length_squared());
    if square > 0.0 { along * along / square } else { 1.0 }
}

/// The best of several features: of them, that with the greatest square of a cosine, or minus it, or with its sign.
struct Best {
    number: u32,
    holds: bool,
    square: f64,
}

impl Best {
    const NONE: Self = Self { number: 0, holds: false, square: f64::NEG_INFINITY };

    fn offer(&mut self, number: u32, holds: bool, square: f64) {
        if (holds, square) > (self.holds, self.square) {
            *self = Self { number, holds, square };
        }
    }
}
