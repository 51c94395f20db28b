//! One step of the walk from feature to feature.
//!
//! A pair of features is nearest if a point of each, nearest to the other feature, lies in the Voronoi region
//! of that (Lin and Canny 1991). Where it does not, the plane it lies beyond names the next feature. Two
//! cases without such points follow Mirtich 1998, "V-Clip: fast and robust polyhedral collision detection":
//! an edge above a face is clipped to the prism on the face, and a feature never pairs with two faces, so
//! parallel faces need no case of their own.
//!
//! Every step either comes nearer or goes from a feature to its boundary at the same distance. Planes count as crossed
//! only beyond `doubt`, more than what rounding moves a point by, so that equally near features do not take turns.

use sudar::glam::{DMat3, DVec3};

use super::pseudo_voronoi::pseudo_voronoi_penetration;
use super::{Feature, FeatureMap};

/// A body in its own frame, and the way from the other body's frame to it.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub map: &'a FeatureMap,
    pub turn: DMat3,
    pub shift: DVec3,
    /// The middle of the other body, in this one's frame.
    pub other: DVec3,
    /// From directions of the world to those of this frame.
    pub back: DMat3,
}

/// Where the walk goes from a pair of features.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// To another pair.
    To(Feature, Feature),
    /// Nowhere: these are nearest.
    Nearest,
    /// Nowhere: a point of one body lies in the other, for certain.
    Inside,
    /// Nowhere: a point of one body lies in the other, unless rounding deceives.
    Lost,
}

/// The step from a pair of features of two bodies.
pub(super) fn step(a: &Side, b: &Side, at: (Feature, Feature), doubt: f64) -> Step {
    match at {
        (Feature::Vertex(v), Feature::Vertex(w)) => vertex_vertex(a, b, v, w, doubt),
        (Feature::Vertex(v), Feature::Edge(e)) => vertex_edge(a, b, v, e, doubt),
        (Feature::Edge(e), Feature::Vertex(v)) => vertex_edge(b, a, v, e, doubt).swapped(),
        (Feature::Edge(e), Feature::Edge(f)) => edge_edge(a, b, e, f, doubt),
        (Feature::Vertex(v), Feature::Face(f)) => vertex_face(a, b, v, f, doubt),
        (Feature::Face(f), Feature::Vertex(v)) => vertex_face(b, a, v, f, doubt).swapped(),
        (Feature::Edge(e), Feature::Face(f)) => edge_face(a, b, e, f, doubt),
        (Feature::Face(f), Feature::Edge(e)) => edge_face(b, a, e, f, doubt).swapped(),
        // Only a caller starts like this.
        (Feature::Face(f), Feature::Face(g)) => {
            Step::To(Feature::Edge(a.map.ring(f).start), Feature::Face(g))
        }
    }
}

impl Step {
    fn swapped(self) -> Self {
        match self {
            Self::To(a, b) => Self::To(b, a),
            Self::Nearest | Self::Inside | Self::Lost => self,
        }
    }
}

fn vertex_vertex(x: &Side, y: &Side, v: u32, w: u32, doubt: f64) -> Step {
    if let Some(edge) = x.edge_towards(v, x.import(y.map.vertices[w as usize]), doubt) {
        return Step::To(edge, Feature::Vertex(w));
    }
    match y.edge_towards(w, y.import(x.map.vertices[v as usize]), doubt) {
        Some(edge) => Step::To(Feature::Vertex(v), edge),
        None => Step::Nearest,
    }
}

fn vertex_edge(x: &Side, y: &Side, v: u32, e: u32, doubt: f64) -> Step {
    let here = Feature::Vertex(v);
    let point = y.import(x.map.vertices[v as usize]);
    let edge = &y.map.edges[e as usize];
    let s = (point - edge.start).dot(edge.along);
    let [start, end] = y.map.ends(e).map(Feature::Vertex);
    if s < -doubt {
        return Step::To(here, start);
    }
    if s > edge.length + doubt {
        return Step::To(here, end);
    }
    if let Some(face) = y.face_towards(e, point, doubt) {
        return Step::To(here, face);
    }
    let foot = edge.start + edge.along * s.clamp(0.0, edge.length);
    match x.edge_towards(v, x.import(foot), doubt) {
        Some(edge) => Step::To(edge, Feature::Edge(e)),
        None => Step::Nearest,
    }
}

fn edge_edge(x: &Side, y: &Side, e: u32, f: u32, doubt: f64) -> Step {
    let (first, second) = (&x.map.edges[e as usize], &y.map.edges[f as usize]);
    let start = x.import(second.start);
    let (s, t) = nearest_on_edges(
        first.along,
        second_along(x, second.along),
        start - first.start,
        [first.length, second.length],
    );
    if let Some(vertex) = x.end_at(e, s) {
        return Step::To(vertex, Feature::Edge(f));
    }
    if let Some(vertex) = y.end_at(f, t) {
        return Step::To(Feature::Edge(e), vertex);
    }
    if let Some(face) = y.face_towards(f, y.import(first.start + first.along * s), doubt) {
        return Step::To(Feature::Edge(e), face);
    }
    match x.face_towards(e, x.import(second.start + second.along * t), doubt) {
        Some(face) => Step::To(face, Feature::Edge(f)),
        None => Step::Nearest,
    }
}

fn second_along(x: &Side, along: DVec3) -> DVec3 {
    (x.turn * along).normalize()
}

/// Where two edges are nearest, as lengths along them: one from the origin along `u`, the other from `between` along
/// `v`. Of equally near places of parallel edges one is an end.
fn nearest_on_edges(u: DVec3, v: DVec3, between: DVec3, [length_u, length_v]: [f64; 2]) -> (f64, f64) {
    let normal = u.cross(v);
    let square = normal.length_squared();
    // Triple products round by ε/θ at a small angle θ, the normal equations would by ε/θ².
    let s = if square > 0.0 { (normal.dot(between.cross(v)) / square).clamp(0.0, length_u) } else { 0.0 };
    let t = v.dot(u * s - between).clamp(0.0, length_v);
    (u.dot(between + v * t).clamp(0.0, length_u), t)
}

fn vertex_face(x: &Side, y: &Side, v: u32, f: u32, doubt: f64) -> Step {
    let here = Feature::Vertex(v);
    let point = y.import(x.map.vertices[v as usize]);
    let (beyond, clearance) = y.nearest_side(f, point);
    if clearance < -doubt {
        return Step::To(here, Feature::Edge(beyond));
    }
    let face = &y.map.faces[f as usize];
    if face.normal.dot(point) - face.offset < -doubt {
        return y.beneath(f, point, here, doubt);
    }
    let down = -(x.turn * face.normal);
    let drop = |e: u32| x.map.edges[e as usize].along.dot(down) * x.map.edges[e as usize].length;
    let steepest = x.map.fan(v).iter().copied().max_by(|d, e| drop(*d).total_cmp(&drop(*e)));
    match steepest {
        Some(edge) if drop(edge) > doubt => Step::To(x.edge(edge), Feature::Face(f)),
        Some(_) | None => Step::Nearest,
    }
}

fn edge_face(x: &Side, y: &Side, e: u32, f: u32, doubt: f64) -> Step {
    let here = Feature::Edge(e);
    let ends = x.map.ends(e);
    let [p, q] = ends.map(|v| y.import(x.map.vertices[v as usize]));
    let Some(part) = y.clip(f, p, q, doubt) else {
        return Step::To(here, y.edge(y.nearest_side_of_segment(f, p, q)));
    };
    let face = &y.map.faces[f as usize];
    let heights = part.range.map(|t| face.normal.dot(p + (q - p) * t) - face.offset);
    let (low, high) = (heights[0].min(heights[1]), heights[0].max(heights[1]));
    if low < -doubt {
        if high > doubt && y.crosses(f, [p, q], &part, heights, doubt) {
            return Step::Inside;
        }
        // A point beneath: the lower one of an edge that comes from above, the one nearest to the face of all else.
        let second = (heights[1] < heights[0]) == (high > doubt);
        return y.beneath(f, p + (q - p) * part.range[usize::from(second)], here, doubt);
    }
    // The lower end of what is above the face; an end of the edge rather than one cut off if both are as low.
    let level = (heights[0] - heights[1]).abs() <= doubt;
    let second = if level { part.cut[0].is_some() } else { heights[1] < heights[0] };
    match part.cut[usize::from(second)] {
        Some(side) => Step::To(here, y.edge(side)),
        None => Step::To(Feature::Vertex(ends[usize::from(second)]), Feature::Face(f)),
    }
}

/// What of a segment lies in a prism: from and to which part of it, and the edges of the face it is cut off at.
struct Part {
    range: [f64; 2],
    cut: [Option<u32>; 2],
}

impl Side<'_> {
    /// A point of the other body's frame in this one's.
    pub fn import(&self, p: DVec3) -> DVec3 {
        self.turn * p + self.shift
    }

    /// Whether a point of the other body, or one on the way from it to the middle of that body, lies in this one for
    /// certain. On the boundary, say in a face of both bodies, the point itself proves nothing.
    pub fn surely_meets(&self, point: DVec3, doubt: f64) -> bool {
        let on_the_way = |t: f64| point + (self.other - point) * t;
        [0.0, 0.25, 0.5, 1.0].iter().any(|t| self.map.surely_holds(on_the_way(*t), doubt))
    }

    /// An edge, always by the same of its half-edges.
    fn edge(&self, e: u32) -> Feature {
        Feature::Edge(e.min(self.map.twin(e)))
    }

    /// The edge of a vertex that leads most towards a point outside the region of the vertex.
    fn edge_towards(&self, v: u32, point: DVec3, doubt: f64) -> Option<Feature> {
        let seen = point - self.map.vertices[v as usize];
        let advance = |e: u32| self.map.edges[e as usize].along.dot(seen);
        let best = self.map.fan(v).iter().copied().max_by(|d, e| advance(*d).total_cmp(&advance(*e)))?;
        (advance(best) > doubt).then(|| self.edge(best))
    }

    /// The face of an edge over which a point lies most, if it is outside the region of the edge.
    fn face_towards(&self, e: u32, point: DVec3, doubt: f64) -> Option<Feature> {
        let over = |e: u32| self.map.edges[e as usize].inward.dot(point - self.map.edges[e as usize].start);
        let twin = self.map.twin(e);
        let best = if over(twin) > over(e) { twin } else { e };
        (over(best) > doubt).then(|| Feature::Face(self.map.face_of(best)))
    }

    /// The end of an edge at length `s` along it, if that is an end.
    fn end_at(&self, e: u32, s: f64) -> Option<Feature> {
        let [start, end] = self.map.ends(e).map(Feature::Vertex);
        if s <= 0.0 {
            Some(start)
        } else if s >= self.map.edges[e as usize].length {
            Some(end)
        } else {
            None
        }
    }

    /// The side plane of the prism on a face which a point is least far inside of, and how far.
    fn nearest_side(&self, f: u32, point: DVec3) -> (u32, f64) {
        let mut nearest = (self.map.ring(f).start, f64::INFINITY);
        for e in self.map.ring(f) {
            let edge = &self.map.edges[e as usize];
            let inside = edge.inward.dot(point - edge.start);
            if inside < nearest.1 {
                nearest = (e, inside);
            }
        }
        (self.edge_number(nearest.0), nearest.1)
    }

    fn edge_number(&self, e: u32) -> u32 {
        e.min(self.map.twin(e))
    }

    /// The part of a segment in the prism on a face, made wider by `doubt`.
    fn clip(&self, f: u32, p: DVec3, q: DVec3, doubt: f64) -> Option<Part> {
        let mut part = Part { range: [0.0, 1.0], cut: [None, None] };
        for e in self.map.ring(f) {
            let edge = &self.map.edges[e as usize];
            let [a, b] = [p, q].map(|p| edge.inward.dot(p - edge.start) + doubt);
            if a < 0.0 && b < 0.0 {
                return None;
            }
            if a < 0.0 && a / (a - b) > part.range[0] {
                (part.range[0], part.cut[0]) = (a / (a - b), Some(e));
            }
            if b < 0.0 && a / (a - b) < part.range[1] {
                (part.range[1], part.cut[1]) = (a / (a - b), Some(e));
            }
        }
        (part.range[0] <= part.range[1]).then_some(part)
    }

    /// Whether a segment with these heights of the ends of its part above a face goes through that, for certain.
    fn crosses(&self, f: u32, [p, q]: [DVec3; 2], part: &Part, heights: [f64; 2], doubt: f64) -> bool {
        let [from, to] = part.range;
        let (place, fall) = (heights[0] / (heights[0] - heights[1]), (heights[0] - heights[1]).abs());
        let (_, clearance) = self.nearest_side(f, p + (q - p) * (from + (to - from) * place));
        // If all points move by `blur`, the heights do by twice that, and the crossing so much along the segment.
        let blur = doubt + self.map.faces[f as usize].blur;
        let reach = (q - p).length() * (to - from);
        heights.iter().all(|h| h.abs() > 2.0 * blur) && clearance > blur + reach * (4.0 * blur / fall)
    }

    /// The edge of a face nearest to a segment.
    fn nearest_side_of_segment(&self, f: u32, p: DVec3, q: DVec3) -> u32 {
        let length = (q - p).length();
        let along = (q - p) / length;
        let distance = |e: u32| {
            let edge = &self.map.edges[e as usize];
            let (s, t) = nearest_on_edges(edge.along, along, p - edge.start, [edge.length, length]);
            (edge.start + edge.along * s - (p + along * t)).length()
        };
        let nearest = self.map.ring(f).map(|e| (distance(e), e)).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or(self.map.ring(f).start, |(_, e)| e)
    }

    /// A point of the feature `from` of the other body lies beneath the plane of a face of this one: inside, or above
    /// another face.
    fn beneath(&self, f: u32, point: DVec3, from: Feature, doubt: f64) -> Step {
        let cell = pseudo_voronoi_penetration(self.map, point, f);
        if !cell.is_inside() && cell.face != f {
            return Step::To(from, Feature::Face(cell.face));
        }
        if self.surely_meets(point, doubt) { Step::Inside } else { Step::Lost }
    }
}
