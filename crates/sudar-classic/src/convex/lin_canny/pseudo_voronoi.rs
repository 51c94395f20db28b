//! Penetration by pseudo-Voronoi regions: the inside of a polyhedron cut into cones, as in I-COLLIDE.

use sudar::glam::DVec3;

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

/// Finds the cone that holds a point of the body's own frame as seen from [`sudar::convex::Convex::center`], starting
/// from a guess of the face.
///
/// Cohen, Lin, Manocha and Ponamgi 1995, "I-COLLIDE: an interactive and exact collision detection system for
/// large-scale environments": the cones that join the middle of the body with its faces fill the space; the
/// point is inside if and only if it lies beneath the face of its own cone. There the cones are walked across
/// the planes between them; here by a number that grows with every step and leads across the same planes: of
/// all faces the ray from the middle to the point leaves the body through that with the greatest n·d/h
/// (normal n, height h above the middle, point d from there), since n/h are the vertices of the polar
/// polyhedron and it is convex. So the walk cannot go round in circles. Faces that lie in one plane up to
/// rounding have one such vertex: they are tested together.
///
/// Cost: the edges of the faces on the way; a constant number from a good guess. All faces if more than a few lie in
/// one plane up to rounding.
pub fn pseudo_voronoi_penetration(map: &FeatureMap, point: DVec3, face: u32) -> PseudoVoronoi {
    let walk = Cones { map, d: point - map.middle };
    let start = if (face as usize) < map.faces.len() { face } else { 0 };
    let mut at = PseudoVoronoi { face: start, ratio: walk.ratio(start), steps: 1 };
    while let Some(face) = walk.farther(&at) {
        at = PseudoVoronoi { face, ratio: walk.ratio(face), steps: at.steps + 1 };
    }
    at
}

/// Faces of about one plane that are tested together before all are.
const PLATEAU: usize = 16;

struct Cones<'a> {
    map: &'a FeatureMap,
    /// The point as seen from the middle.
    d: DVec3,
}

impl Cones<'_> {
    fn ratio(&self, face: u32) -> f64 {
        let geometry = &self.map.faces[face as usize];
        geometry.normal.dot(self.d) / geometry.height
    }

    /// How far the ratio of a face may be off.
    fn doubt(&self, face: u32) -> f64 {
        let geometry = &self.map.faces[face as usize];
        // The blur of the plane holds for the vertices; the point may be farther out, but only its ray counts there.
        let rounding = 8.0 * f64::EPSILON * self.d.abs().max_element() + 2.0 * geometry.blur;
        rounding / geometry.height * self.ratio(face).abs().max(1.0)
    }

    /// A face with a greater ratio, if there is one.
    fn farther(&self, at: &PseudoVoronoi) -> Option<u32> {
        let mut plateau = [at.face; PLATEAU];
        let (mut seen, mut next) = (1, 0);
        while next < seen {
            let here = plateau[next];
            next += 1;
            if let Some(face) = self.best_neighbor(here).filter(|f| self.ratio(*f) > at.ratio) {
                return Some(face);
            }
            for face in self.neighbors(here) {
                let level = self.ratio(face) + self.doubt(face) + self.doubt(at.face) >= at.ratio;
                if level && !plateau[..seen].contains(&face) {
                    if seen == PLATEAU {
                        return self.farthest_of_all().filter(|f| self.ratio(*f) > at.ratio);
                    }
                    plateau[seen] = face;
                    seen += 1;
                }
            }
        }
        None
    }

    fn neighbors(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        self.map.ring(face).map(|e| self.map.face_of(self.map.twin(e)))
    }

    fn best_neighbor(&self, face: u32) -> Option<u32> {
        self.neighbors(face).max_by(|f, g| self.ratio(*f).total_cmp(&self.ratio(*g)))
    }

    fn farthest_of_all(&self) -> Option<u32> {
        (0..self.map.faces.len() as u32).max_by(|f, g| self.ratio(*f).total_cmp(&self.ratio(*g)))
    }
}
