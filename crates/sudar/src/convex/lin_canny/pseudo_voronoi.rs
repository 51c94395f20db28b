//! Penetration by pseudo-Voronoi regions: the inside of a polyhedron cut into cones, as in I-COLLIDE.

use glam::DVec3;

use super::FeatureMap;

/// Where a point is among the pseudo-Voronoi regions of a polyhedron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PseudoVoronoi {
    /// The face in whose cone, seen from the middle of the body, the point lies.
    pub face: u32,
    /// How far out the point is on its ray from the middle, as a part of the way to that face: at most 1 inside.
    pub ratio: f64,
    /// Faces that the search went over.
    pub steps: u32,
}

impl PseudoVoronoi {
    /// Whether the point lies in the polyhedron, boundary included, up to rounding.
    pub fn is_inside(&self) -> bool {
        self.ratio <= 1.0
    }
}

/// Finds the cone that holds a point of the body's own frame as seen from [`crate::convex::Convex::center`], starting
/// from a guess of the face.
///
/// Cohen, Lin, Manocha and Ponamgi 1995, "I-COLLIDE: an interactive and exact collision detection system for large-scale
/// environments": the cones that join the middle of the body with its faces fill the space; the point is inside if and
/// only if it lies beneath the face of its own cone. There the cones are walked across the planes between them; here by
/// a number that grows with every step and leads across the same planes: of all faces the ray from the middle to the
/// point leaves the body through that with the greatest n·d/h (normal n, height h above the middle, point d from there),
/// since n/h are the vertices of the polar polyhedron and it is convex. So the walk cannot go round in circles.
///
/// Cost: the edges of the faces on the way; a constant number from a good guess.
pub fn pseudo_voronoi_penetration(map: &FeatureMap, point: DVec3, face: u32) -> PseudoVoronoi {
    let d = point - map.middle;
    let ratio = |face: u32| {
        let geometry = &map.faces[face as usize];
        geometry.normal.dot(d) / geometry.height
    };
    let start = if (face as usize) < map.faces.len() { face } else { 0 };
    let mut at = PseudoVoronoi { face: start, ratio: ratio(start), steps: 0 };
    loop {
        let here = at.face;
        at.steps += 1;
        for edge in map.ring(here) {
            let next = map.face_of(map.twin(edge));
            let farther = ratio(next);
            if farther > at.ratio {
                (at.face, at.ratio) = (next, farther);
            }
        }
        if at.face == here {
            return at;
        }
    }
}
