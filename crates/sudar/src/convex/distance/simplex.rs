//! The point of a simplex nearest to the origin: the inner step of GJK.
//!
//! By the signs of the volumes, areas and lengths that the origin cuts off (Montanari, Petrinic and Barbieri 2017,
//! "Improving the GJK algorithm for faster and more reliable distance queries between convex objects"): from each face
//! on whose far side the origin lies to the nearest of its edges, and so on. Where a simplex is flat up to rounding,
//! all its faces are tried, so that a lost sign costs time and not the answer.

use glam::DVec3;

use crate::convex::Vertex;
use crate::convex::difference::inverse_power_of_two;

/// Up to four points of a difference, and the weights with which they make its point nearest to the origin.
#[derive(Debug, Clone, Copy)]
pub struct GjkSimplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    count: usize,
}

/// What became of a simplex.
pub enum Step {
    /// Its nearest point is this.
    Nearer(DVec3),
    /// It is no nearer than requested.
    NoNearer,
    /// It is a tetrahedron around the origin.
    Encloses,
}

/// The nearest point of a simplex as a combination of those of its vertices that have weight.
#[derive(Debug, Clone, Copy)]
struct Nearest {
    point: DVec3,
    weights: [f64; 4],
}

impl GjkSimplex {
    /// A single point.
    pub fn new(vertex: Vertex) -> Self {
        Self { vertices: [vertex; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    /// The first `count` of four points, one at least, and the weights of the nearest point.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub(super) fn of(vertices: [Vertex; 4], weights: [f64; 4], count: usize) -> Self {
        Self { vertices, weights, count }
    }

    /// The points.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.count]
    }

    /// The weights of the nearest point: positive, of sum 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.count]
    }

    /// Whether a point made of the same two vertices is already there.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn has(&self, vertices: [u32; 2]) -> bool {
        self.vertices().iter().any(|v| v.vertices == vertices)
    }

    /// The nearest point in each of the two bodies, as seen from their centres.
    pub fn witnesses(&self) -> (DVec3, DVec3) {
        let mix = |side: fn(&Vertex) -> DVec3| {
            self.vertices().iter().zip(self.weights()).fold(DVec3::ZERO, |sum, (v, w)| sum + side(v) * *w)
        };
        (mix(|v| v.a), mix(|v| v.b))
    }

    /// Adds a point if there is room.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn push(&mut self, vertex: Vertex) {
        if self.count < 4 {
            self.vertices[self.count] = vertex;
            self.count += 1;
        }
    }

    /// The point nearest to the origin, the simplex cut down to the vertices that it needs; `None`, and the simplex as
    /// it is, if that is a tetrahedron around the origin.
    pub fn reduce(&mut self) -> Option<DVec3> {
        match self.nearer(f64::INFINITY) {
            Step::Nearer(point) => Some(point),
            Step::Encloses => None,
            // Squares that overflow are not smaller than infinity; any vertex will do then.
            Step::NoNearer => Some(self.vertices[0].point),
        }
    }

    /// [`GjkSimplex::reduce`] if that brings the squared distance below `square`; else the simplex is left as it is.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn nearer(&mut self, square: f64) -> Step {
        let p = |i: usize| self.vertices[i].point;
        let nearest = match self.count {
            1 => Nearest { point: p(0), weights: [1.0, 0.0, 0.0, 0.0] },
            2 => on_segment(p(0), p(1), [0, 1]),
            3 => on_triangle([p(0), p(1), p(2)], [0, 1, 2]),
            _ => match on_tetrahedron([p(0), p(1), p(2), p(3)]) {
                Ok(nearest) => nearest,
                Err(weights) => {
                    self.weights = weights;
                    return Step::Encloses;
                }
            },
        };
        // Of sizes whose squares leave the range of `f64` nothing compares as less.
        if nearest.point.length_squared() < square {
            self.keep(&nearest);
            return Step::Nearer(nearest.point);
        }
        Step::NoNearer
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn keep(&mut self, nearest: &Nearest) {
        let mut kept = 0;
        for i in 0..self.count {
            if nearest.weights[i] > 0.0 {
                if kept != i {
                    self.vertices[kept] = self.vertices[i];
                }
                self.weights[kept] = nearest.weights[i];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The same points as seen from a place that lies so far from the one they were seen from.
    pub(crate) fn seen_from(mut self, shift: DVec3) -> Self {
        for vertex in &mut self.vertices {
            vertex.point -= shift;
        }
        self
    }

    /// Takes back the vertex added last.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn pop(&mut self) {
        self.count = (self.count - 1).max(1);
    }

    /// The same with all points divided by a power of two.
    pub fn divided_by(mut self, scale: f64) -> Self {
        for vertex in &mut self.vertices {
            *vertex =
                Vertex { point: vertex.point / scale, a: vertex.a / scale, b: vertex.b / scale, ..*vertex };
        }
        self
    }

    /// Whether the simplex is a tetrahedron that certainly holds the ball of this radius around the origin.
    /// Needles of faces, the planes of which are lost in rounding, do not count.
    pub fn holds_ball(&self, radius: f64) -> bool {
        let size = self.vertices().iter().fold(0.0, |m: f64, v| m.max(v.point.abs().max_element()));
        let scale = inverse_power_of_two(size);
        let [a, b, c, d] = self.vertices.map(|v| v.point * scale);
        if self.count < 4 || holds_clearly([a, b, c, d], radius * scale) {
            return self.count == 4;
        }
        // Inside the four volumes that faces and origin span have one sign, that of the tetrahedron.
        let sides =
            [[a, b, c], [b, a, d], [a, c, d], [c, b, d]].map(|face| side_by_more(&face, radius * scale));
        sides[0] != 0.0 && sides.iter().all(|side| *side == sides[0])
    }
}

/// Whether a tetrahedron of corners with coordinates below 2 holds a ball around the origin by far.
///
/// Six times the volume between the origin and a face is the distance of its plane times twice its area, which is 48 at
/// most; rounding hides less than 1e-13 of it.
fn holds_clearly(corners: [DVec3; 4], radius: f64) -> bool {
    let (cut, volume, _) = volumes(corners);
    let least = 49.0 * radius + 1e-13;
    cut.iter().all(|part| part.abs() >= least && part * volume > 0.0)
}

/// On which side of the origin the plane through three points certainly is, if it is farther from it than the
/// radius: 1 or −1, else
/// 0. The points are of about size one at most.
///
/// With e and f the edges and u = ε/2: each component of the normal is off by at most 4u|e||f|, it all by
/// 7u|e||f|, and the product with p by 3u|e||f||p| more. So a height above
/// `radius·|n| + 16u|e||f|(|p| + radius)` is one for certain, and (x + y)² ≤ 17/16 x² + 17 y² saves the
/// roots.
fn side_by_more(face: &[DVec3; 3], radius: f64) -> f64 {
    let [p, q, r] = with_longest_side_last(face);
    let (e, f) = (q - p, r - p);
    let normal = e.cross(f);
    let height = normal.dot(p);
    let (square, rounding) = (radius * radius, 8.0 * f64::EPSILON);
    // (|p| + r)² is at most twice the sum of squares.
    let reach = 2.0 * (p.length_squared() + square);
    let doubt = rounding * rounding * e.length_squared() * f.length_squared() * reach;
    let certain = height * height > 1.0625 * square * normal.length_squared() + 17.0 * doubt;
    if certain { height.signum() } else { 0.0 }
}

/// The corners turned so that the longest side is between the last two: products of the other two sides are
/// rounded least, most of all where two corners are close together.
fn with_longest_side_last(&[p, q, r]: &[DVec3; 3]) -> [DVec3; 3] {
    let (pq, qr, rp) = (p.distance_squared(q), q.distance_squared(r), r.distance_squared(p));
    if qr >= pq && qr >= rp {
        [p, q, r]
    } else if rp >= pq {
        [q, r, p]
    } else {
        [r, p, q]
    }
}

impl Nearest {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn or_nearer(self, other: Self) -> Self {
        if other.point.length_squared() < self.point.length_squared() { other } else { self }
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn on_segment(a: DVec3, b: DVec3, [i, j]: [usize; 2]) -> Nearest {
    let along = b - a;
    let (advance, length) = (-a.dot(along), along.dot(along));
    let mut weights = [0.0; 4];
    if advance <= 0.0 || length == 0.0 {
        weights[i] = 1.0;
        return Nearest { point: a, weights };
    }
    if advance >= length {
        weights[j] = 1.0;
        return Nearest { point: b, weights };
    }
    let t = advance / length;
    (weights[i], weights[j]) = (1.0 - t, t);
    let point = a + along * t;
    // What rounding left along the segment would weigh heavily in a short vector.
    Nearest { point: point - along * (point.dot(along) / length), weights }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn on_triangle([a, b, c]: [DVec3; 3], [i, j, k]: [usize; 3]) -> Nearest {
    let normal = (b - a).cross(c - a);
    let square = normal.dot(normal);
    let (x, y, z) = (normal.dot(b.cross(c)), normal.dot(c.cross(a)), normal.dot(a.cross(b)));
    if x > 0.0 && y > 0.0 && z > 0.0 {
        let mut weights = [0.0; 4];
        let sum = (x + y) + z;
        (weights[i], weights[j], weights[k]) = (x / sum, y / sum, z / sum);
        let mixed = a + ((b - a) * weights[j] + (c - a) * weights[k]);
        // The foot of the origin on the plane has a truer direction, unless the triangle is so thin that its normal is
        // not known: then it is not near the point that the weights make.
        let foot = normal * (normal.dot(a) / square);
        let size = a.abs().max(b.abs()).max(c.abs()).max_element();
        let agree = (foot - mixed).abs().max_element() <= 2.0 * f64::EPSILON * size;
        return Nearest { point: if agree { foot } else { mixed }, weights };
    }
    // The nearest edge is one that the origin lies beyond.
    let mut best: Option<Nearest> = None;
    let edges = [(x, b, c, [j, k]), (y, c, a, [k, i]), (z, a, b, [i, j])];
    for (_, p, q, names) in edges.into_iter().filter(|(weight, ..)| *weight <= 0.0) {
        let found = on_segment(p, q, names);
        best = Some(best.map_or(found, |b| b.or_nearer(found)));
    }
    best.unwrap_or_else(|| on_segment(a, b, [i, j]))
}

/// Six times the volumes that the origin makes with the faces of a tetrahedron, each in the place of the corner across
/// from it, their sum, and whether that is lost in rounding.
#[cfg_attr(not(opt_level_0), inline(always))]
fn volumes([a, b, c, d]: [DVec3; 4]) -> ([f64; 4], f64, bool) {
    let (ab, cd) = (a.cross(b), c.cross(d));
    let cut = [b.dot(cd), -a.dot(cd), ab.dot(d), -ab.dot(c)];
    let volume = (cut[0] + cut[1]) + (cut[2] + cut[3]);
    let size = a.abs().max(b.abs()).max(c.abs().max(d.abs())).max_element();
    (cut, volume, volume.abs() <= 64.0 * f64::EPSILON * size * size * size)
}

/// The weights that make the origin, if it is inside a tetrahedron.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn weights_inside(corners: [DVec3; 4]) -> Option<[f64; 4]> {
    let (cut, volume, flat) = volumes(corners);
    let inside = !flat && cut.iter().all(|part| part * volume > 0.0);
    inside.then(|| cut.map(|part| part / volume))
}

/// If the origin is inside, the weights that make it.
#[cfg_attr(not(opt_level_0), inline(always))]
fn on_tetrahedron([a, b, c, d]: [DVec3; 4]) -> Result<Nearest, [f64; 4]> {
    let (cut, volume, flat) = volumes([a, b, c, d]);
    let sides =
        [([b, c, d], [1, 2, 3]), ([a, c, d], [0, 2, 3]), ([a, b, d], [0, 1, 3]), ([a, b, c], [0, 1, 2])];
    let mut best: Option<Nearest> = None;
    for (cut, (corners, names)) in cut.into_iter().zip(sides) {
        if flat || cut * volume <= 0.0 {
            let found = on_triangle(corners, names);
            best = Some(best.map_or(found, |b| b.or_nearer(found)));
        }
    }
    best.ok_or(cut.map(|part| part / volume))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplex(points: &[[f64; 3]]) -> GjkSimplex {
        let vertex =
            |p: &[f64; 3]| Vertex { point: (*p).into(), a: (*p).into(), b: DVec3::ZERO, vertices: [0, 0] };
        let mut simplex = GjkSimplex::new(vertex(&points[0]));
        points[1..].iter().for_each(|p| simplex.push(vertex(p)));
        simplex
    }

    #[test]
    fn the_nearest_feature_is_kept_and_the_rest_dropped() {
        // The face z = 2 of a tetrahedron above the origin; then its edge x = 1; then its corner.
        let mut face = simplex(&[[-1.0, -1.0, 2.0], [3.0, -1.0, 2.0], [-1.0, 3.0, 2.0], [0.0, 0.0, 5.0]]);
        assert_eq!(face.reduce(), Some(DVec3::new(0.0, 0.0, 2.0)));
        assert_eq!(face.vertices().len(), 3);
        assert_eq!(face.witnesses().0, DVec3::new(0.0, 0.0, 2.0));
        let mut edge = simplex(&[[1.0, -1.0, 0.0], [1.0, 3.0, 0.0], [4.0, 0.0, 0.0]]);
        assert_eq!(edge.reduce(), Some(DVec3::X));
        assert_eq!(edge.weights(), [0.75, 0.25]);
        let mut corner = simplex(&[[2.0, 3.0, 6.0], [3.0, 9.0, 6.0], [7.0, 3.0, 8.0], [2.0, 4.0, 9.0]]);
        assert_eq!(corner.reduce(), Some(DVec3::new(2.0, 3.0, 6.0)));
        assert_eq!(corner.vertices().len(), 1);
    }

    #[test]
    fn a_tetrahedron_around_the_origin_is_left_alone() {
        let mut around =
            simplex(&[[-1.0, -1.0, -1.0], [3.0, -1.0, -1.0], [-1.0, 3.0, -1.0], [-1.0, -1.0, 3.0]]);
        assert_eq!(around.reduce(), None);
        // The slanted face x + y + z = 1 is 1/√3 away, the others 1.
        assert!(around.holds_ball(0.559) && !around.holds_ball(0.578));
        // Beyond a face, and of fewer than four points.
        let beside = simplex(&[[1.0, -1.0, -1.0], [5.0, -1.0, -1.0], [1.0, 3.0, -1.0], [1.0, -1.0, 3.0]]);
        assert!(!beside.holds_ball(1e-9) && !simplex(&[[1.0; 3], [-1.0; 3]]).holds_ball(0.0));
    }

    #[test]
    fn a_needle_holds_no_ball_that_its_rounding_hides() {
        // Three points of a line but for 1e-16, and one across: the plane through the three is anywhere.
        let hair = 1e-16;
        let needle =
            simplex(&[[-0.7, 0.3, -0.1], [0.7, 0.3 + hair, 0.1], [0.35, 0.3, 0.05 + hair], [0.0, -0.9, 0.0]]);
        assert!(!needle.holds_ball(1e-17));
    }

    #[test]
    fn flat_simplices_have_a_nearest_point_too() {
        let mut line = simplex(&[[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, -3.0, 0.0]]);
        assert!((line.reduce().unwrap() - DVec3::X).length() < 1e-15);
        let mut square = simplex(&[[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]]);
        assert!((square.reduce().unwrap() - DVec3::Z).length() < 1e-15);
        let mut point = simplex(&[[0.0, 3.0, 4.0]; 4]);
        assert_eq!(point.reduce(), Some(DVec3::new(0.0, 3.0, 4.0)));
    }
}
