//! The features of a polyhedron and the planes between their Voronoi regions, in the frame of the body.

use std::ops::Range;
use std::sync::Arc;

use sudar::glam::DVec3;

use sudar::convex::{Convex, Core};
use sudar::shape::Hull;

/// A vertex, an edge or a face of a polyhedron, by its number in the [`Hull`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// An edge, by one of its two half-edges.
    Edge(u32),
    /// A face.
    Face(u32),
}

/// The features of a polyhedron with their directions and planes, made once and kept.
///
/// Coordinates are seen from [`Convex::center`]; they are the body's own, so that they hold for every pose. The Voronoi
/// region of a feature, all points outside nearer to it than to any other, is bounded by planes through the edges of
/// its faces, upright on these, and planes through the ends of its edges, across these.
#[derive(Debug, Clone)]
pub struct FeatureMap {
    hull: Arc<Hull>,
    pub(super) vertices: Vec<DVec3>,
    /// Half-edges that leave vertex i: `leaving[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    leaving: Vec<u32>,
    pub(super) edges: Vec<EdgeGeometry>,
    pub(super) faces: Vec<FaceGeometry>,
    /// The mean of the vertices: inside, the apex of all cones of the pseudo-Voronoi regions.
    pub(super) middle: DVec3,
}

/// A half-edge in space.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeGeometry {
    pub start: DVec3,
    /// Unit vector along it, and its length.
    pub along: DVec3,
    pub length: f64,
    /// Unit vector across it in the plane of its face, towards the inside of the face.
    pub inward: DVec3,
}

/// A face in space: the plane of all p with `normal`·p = `offset`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FaceGeometry {
    pub normal: DVec3,
    pub offset: f64,
    /// Height above the middle; positive.
    pub height: f64,
    /// Bound on how far the plane is off at the vertices because the normal was rounded.
    pub blur: f64,
}

impl FeatureMap {
    /// The features of a box or polyhedron. `None` for all other shapes, for flat hulls, and for ones so thin that
    /// the height of a face above the middle is lost in rounding. O(number of vertices).
    pub fn of(convex: &Convex) -> Option<Self> {
        match convex.core() {
            Core::Cuboid(_, polytope) | Core::Polytope(polytope) => {
                Self::new(polytope.hull(), convex.center())
            }
            Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Round(_) => None,
        }
    }

    fn new(hull: &Arc<Hull>, center: DVec3) -> Option<Self> {
        if hull.dimension() != 3 {
            return None;
        }
        let vertices: Vec<DVec3> = hull.vertices().iter().map(|v| *v - center).collect();
        let count = vertices.len() as f64;
        let middle = vertices.iter().fold(DVec3::ZERO, |sum, v| sum + *v / count);
        let (first, leaving) = leaving(hull);
        let hull = hull.clone();
        let mut map = Self { hull, vertices, first, leaving, edges: Vec::new(), faces: Vec::new(), middle };
        map.faces = (0..map.hull.faces().len()).map(|face| map.face_geometry(face)).collect();
        map.edges = (0..map.hull.half_edges().len()).map(|edge| map.edge_geometry(edge)).collect();
        let upright = map.faces.iter().all(|f| f.height > f.blur && f.normal.is_finite());
        upright.then_some(map)
    }

    /// The hull it was made from.
    pub fn hull(&self) -> &Arc<Hull> {
        &self.hull
    }

    /// How many vertices, edges and faces there are.
    pub fn features(&self) -> usize {
        self.vertices.len() + self.edges.len() / 2 + self.faces.len()
    }

    /// Whether there is such a feature.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Vertex(i) => (i as usize) < self.vertices.len(),
            Feature::Edge(i) => (i as usize) < self.edges.len(),
            Feature::Face(i) => (i as usize) < self.faces.len(),
        }
    }

    /// The two ends of an edge by their numbers.
    pub(super) fn ends(&self, edge: u32) -> [u32; 2] {
        let from = self.hull.half_edges()[edge as usize];
        [from.origin, self.hull.half_edges()[from.twin as usize].origin]
    }

    /// The corners of a feature; two of a face.
    pub(super) fn corners(&self, feature: Feature) -> [u32; 2] {
        match feature {
            Feature::Vertex(v) => [v, v],
            Feature::Edge(e) => self.ends(e),
            Feature::Face(f) => self.ends(self.ring(f).start),
        }
    }

    pub(super) fn twin(&self, edge: u32) -> u32 {
        self.hull.half_edges()[edge as usize].twin
    }

    pub(super) fn face_of(&self, edge: u32) -> u32 {
        self.hull.half_edges()[edge as usize].face
    }

    /// The half-edges around a face.
    pub(super) fn ring(&self, face: u32) -> Range<u32> {
        let faces = self.hull.faces();
        let end = faces.get(face as usize + 1).copied().unwrap_or(self.hull.half_edges().len() as u32);
        faces[face as usize]..end
    }

    /// The half-edges that leave a vertex.
    pub(super) fn fan(&self, vertex: u32) -> &[u32] {
        let range = self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize;
        &self.leaving[range]
    }

    /// Whether a point lies inside, farther than `doubt` from every face, for certain. O(number of faces).
    pub(super) fn surely_holds(&self, point: DVec3, doubt: f64) -> bool {
        self.faces.iter().all(|f| f.normal.dot(point) - f.offset < -(doubt + 2.0 * f.blur))
    }

    fn face_geometry(&self, face: usize) -> FaceGeometry {
        let corners: Vec<DVec3> = self.hull.face(face).map(|v| self.vertices[v as usize]).collect();
        let (normal, spread) = normal(&corners);
        let offset = corners.iter().fold(f64::NEG_INFINITY, |m: f64, p| m.max(normal.dot(*p)));
        let reach = self.vertices.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        // The cross products round by 4ε of the product of their edges, and so does every height of the normal.
        let blur = 16.0 * f64::EPSILON * reach * (1.0 + spread);
        FaceGeometry { normal, offset, height: offset - normal.dot(self.middle), blur }
    }

    fn edge_geometry(&self, edge: usize) -> EdgeGeometry {
        let [from, to] = self.ends(edge as u32).map(|v| self.vertices[v as usize]);
        let size = (to - from).abs().max_element();
        let scaled = (to - from) / size;
        let along = scaled / scaled.length();
        let normal = self.faces[self.face_of(edge as u32) as usize].normal;
        EdgeGeometry { start: from, along, length: size * scaled.length(), inward: normal.cross(along) }
    }
}

/// The unit normal of a polygon, counter-clockwise seen from its side, and the squares of its edges as compared with
/// its area: how much more than an angle of ε the normal may be off.
fn normal(corners: &[DVec3]) -> (DVec3, f64) {
    let origin = corners[0];
    let size = corners.iter().fold(0.0, |m: f64, p| m.max((*p - origin).abs().max_element()));
    let scaled = |p: &DVec3| (*p - origin) / size;
    let sum = corners[1..].windows(2).fold(DVec3::ZERO, |sum, edge| match edge {
        [p, q] => sum + scaled(p).cross(scaled(q)),
        _ => sum,
    });
    (sum.normalize_or_zero(), corners.len() as f64 / sum.length())
}

fn leaving(hull: &Hull) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; hull.vertices().len() + 1];
    for edge in hull.half_edges() {
        first[edge.origin as usize + 1] += 1;
    }
    for i in 1..first.len() {
        first[i] += first[i - 1];
    }
    let mut next = first.clone();
    let mut leaving = vec![0; hull.half_edges().len()];
    for (number, edge) in hull.half_edges().iter().enumerate() {
        let place = &mut next[edge.origin as usize];
        leaving[*place as usize] = number as u32;
        *place += 1;
    }
    (first, leaving)
}
