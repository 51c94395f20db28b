//! The faces of the expanding polytope.

use std::cell::Cell;

use glam::DVec3;

use super::penetration::nearest_weights;
use crate::convex::Vertex;
use crate::math::predicates::{ROUNDING_3D, normal_and_size};
use crate::math::{Sign, orient3d};

/// A triangle of the polytope.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// Counter-clockwise seen from outside.
    pub corners: [u32; 3],
    /// Beyond the edge from corner i to the next: the neighbouring face and which of its edges it is.
    across: [Link; 3],
    /// Outward, about that of the plane.
    pub normal: DVec3,
    pub length: f64,
    /// The distance of the triangle from the origin, negative if that sees the face; certainly not less.
    pub distance: f64,
    /// The normal with the products in its coordinates added in size: what its rounding is in proportion to. Infinite
    /// if the normal is not that of the plane.
    size: DVec3,
    alive: bool,
}

/// An edge of a face: four times the number of the face, plus the number of the edge.
type Link = u32;

fn link(face: usize, edge: usize) -> Link {
    (face * 4 + edge) as Link
}

fn face_and_edge(link: Link) -> (usize, usize) {
    (link as usize / 4, link as usize % 4)
}

/// Memory of a polytope with room for more faces than this is not kept.
const MOST_KEPT: usize = 4096;

thread_local! {
    /// The emptied memory of the last polytope: to allocate it anew takes as long as an expansion or two.
    static SPARE: Cell<Option<Faces>> = const { Cell::new(None) };
}

/// No face is near.
const NONE_NEAR: (f64, u32) = (f64::INFINITY, u32::MAX);

/// A convex polytope with triangles for faces, and those among them that may turn out nearest to the origin.
pub struct Faces {
    corners: Vec<Vertex>,
    /// Where the corners are, once more, close together.
    points: Vec<DVec3>,
    faces: Vec<Face>,
    /// Distances and numbers of the living faces not farther than the least upper bound, and of some dead ones.
    near: Vec<(f64, u32)>,
    /// The first of those with the least distance, if there are any.
    nearest: (f64, u32),
    /// Edges where faces seen from the new corner end, counter-clockwise.
    horizon: Vec<Link>,
    waiting: Vec<Link>,
}

impl Faces {
    /// Without any corners, with room for a few.
    fn empty() -> Self {
        Self {
            corners: Vec::with_capacity(32),
            points: Vec::with_capacity(32),
            faces: Vec::with_capacity(64),
            near: Vec::with_capacity(64),
            nearest: NONE_NEAR,
            horizon: Vec::with_capacity(32),
            waiting: Vec::with_capacity(32),
        }
    }

    /// Leaves the memory to the next polytope of this thread, unless it is much.
    pub fn recycle(mut self) {
        if self.faces.capacity() > MOST_KEPT {
            return;
        }
        self.corners.clear();
        self.points.clear();
        self.faces.clear();
        self.near.clear();
        self.nearest = NONE_NEAR;
        self.horizon.clear();
        self.waiting.clear();
        // A thread that is about to end has no memory to leave it to.
        let _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }

    /// The first three corners are seen counter-clockwise from the fourth.
    pub fn tetrahedron(corners: [Vertex; 4]) -> Self {
        let mut polytope = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_else(Self::empty);
        polytope.corners.extend(corners);
        polytope.points.extend(corners.map(|corner| corner.point));
        // Face i is opposite corner i; the edges are found by their ends.
        const FACES: [[u32; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        const ACROSS: [[(usize, usize); 3]; 4] = [
            [(3, 1), (1, 1), (2, 1)],
            [(2, 2), (0, 1), (3, 0)],
            [(3, 2), (0, 2), (1, 0)],
            [(1, 2), (0, 0), (2, 0)],
        ];
        for (corners, across) in FACES.into_iter().zip(ACROSS) {
            polytope.push(corners, across.map(|(face, edge)| link(face, edge)), f64::INFINITY);
        }
        polytope
    }

    #[inline]
    pub fn corner(&self, i: u32) -> &Vertex {
        &self.corners[i as usize]
    }

    /// The first face there was.
    pub fn first(&self) -> &Face {
        &self.faces[0]
    }

    /// The living face with the least distance, the first of equals, and its number; `None` if all are beyond the
    /// upper bound.
    #[inline]
    pub fn nearest(&self) -> Option<(usize, &Face)> {
        let number = self.nearest.1 as usize;
        self.faces.get(number).map(|face| (number, face))
    }

    /// Leaves a face as it is: it is the nearest no more.
    pub fn set_aside(&mut self, number: usize) {
        self.keep_near(|_, (_, near)| *near as usize != number);
    }

    /// Drops the near faces that the test refuses, and finds the nearest of the others.
    #[inline(always)]
    fn keep_near(&mut self, wanted: impl Fn(&[Face], &(f64, u32)) -> bool) {
        let (faces, mut nearest) = (&self.faces, NONE_NEAR);
        self.near.retain(|near| {
            let kept = wanted(faces, near);
            if kept && near.0 < nearest.0 {
                nearest = *near;
            }
            kept
        });
        self.nearest = nearest;
    }

    /// The corners of the face that the ray from the origin along a direction leaves the polytope by, and weights of
    /// sum 1 that say where; it is looked for from a living face on. `None` if it is not found, as the origin is
    /// outside, or a face is too thin.
    pub fn pierced(&self, direction: DVec3, from: usize) -> Option<([u32; 3], [f64; 3])> {
        let mut number = from;
        for _ in 0..self.corners.len() {
            let face = &self.faces[number];
            let weights = ray_weights(face.corners.map(|i| self.points[i as usize]), direction);
            // Corner i is opposite the edge from corner i + 1.
            let least = if weights[0] < weights[1] { 0 } else { 1 };
            let least = if weights[2] < weights[least] { 2 } else { least };
            let sum = weights[0] + weights[1] + weights[2];
            if weights[least] >= 0.0 && sum > 0.0 {
                return Some((face.corners, weights.map(|w| w / sum)));
            }
            number = face_and_edge(face.across[(least + 1) % 3]).0;
        }
        None
    }

    /// As [`Faces::pierced`], but where the polytope is nearest to a point; all faces are tried.
    pub fn nearest_to(&self, point: DVec3) -> ([u32; 3], [f64; 3]) {
        let mut best = (f64::INFINITY, self.faces[0].corners, [1.0, 0.0, 0.0]);
        for face in self.faces.iter().filter(|face| face.alive) {
            let [a, b, c] = face.corners.map(|i| self.points[i as usize] - point);
            let weights = nearest_weights([a, b, c]);
            let distance = (a * weights[0] + b * weights[1] + c * weights[2]).length_squared();
            if distance < best.0 {
                best = (distance, face.corners, weights);
            }
        }
        (best.1, best.2)
    }

    /// The point with these weights.
    pub fn mean(&self, corners: [u32; 3], weights: [f64; 3]) -> DVec3 {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        a * weights[0] + b * weights[1] + c * weights[2]
    }

    /// Adds a corner, seen from the face with this number. Returns whether that is so, and the polytope grew; it
    /// does not beyond a number of faces in proportion to `limit`. Only faces nearer than `upper` will be needed.
    pub fn expand(&mut self, number: usize, corner: Vertex, upper: f64, limit: u32) -> bool {
        if self.faces.len() > 64 + 16 * limit as usize {
            return false;
        }
        let Some(number) = self.seen_by(number, &corner) else {
            return false;
        };
        self.remove_seen(number, corner.point);
        self.keep_near(|faces, (distance, number)| faces[*number as usize].alive && *distance <= upper);
        self.close(corner, upper);
        true
    }

    /// This face if the corner sees it, or else any that it does: it may be another if this is a sliver.
    fn seen_by(&self, number: usize, corner: &Vertex) -> Option<usize> {
        let face = &self.faces[number];
        if face.corners.iter().any(|i| self.points[*i as usize] == corner.point) {
            return None;
        }
        let all = |number: &usize| self.faces[*number].alive && self.sees(corner.point, *number);
        if self.sees(corner.point, number) { Some(number) } else { (0..self.faces.len()).find(all) }
    }

    /// Whether the point is strictly above the plane of the face; exact.
    #[inline(always)]
    fn sees(&self, point: DVec3, number: usize) -> bool {
        let face = &self.faces[number];
        let way = point - self.points[face.corners[0] as usize];
        let height = face.normal.dot(way);
        let decided = height.abs() > ROUNDING_3D * face.size.dot(way.abs()) + f64::MIN_POSITIVE;
        if decided { height > 0.0 } else { is_above(point, face.corners.map(|i| self.points[i as usize])) }
    }

    /// Removes the faces that the point sees, this one among them, and collects the horizon. As the polytope is
    /// convex and what is seen is decided exactly, they are connected and the horizon is one closed line.
    fn remove_seen(&mut self, number: usize, point: DVec3) {
        self.horizon.clear();
        self.faces[number].alive = false;
        let across = self.faces[number].across;
        self.waiting.extend([across[2], across[1], across[0]]);
        while let Some(link) = self.waiting.pop() {
            let (number, edge) = face_and_edge(link);
            if !self.faces[number].alive {
                continue;
            }
            if self.sees(point, number) {
                let face = &mut self.faces[number];
                face.alive = false;
                self.waiting.extend([face.across[(edge + 2) % 3], face.across[(edge + 1) % 3]]);
            } else {
                self.horizon.push(link);
            }
        }
    }

    /// Joins the horizon with a new corner.
    fn close(&mut self, corner: Vertex, upper: f64) {
        let apex = self.corners.len() as u32;
        self.corners.push(corner);
        self.points.push(corner.point);
        let (first, count) = (self.faces.len(), self.horizon.len());
        for i in 0..count {
            let beyond = self.horizon[i];
            let (number, edge) = face_and_edge(beyond);
            let neighbor = &mut self.faces[number];
            neighbor.across[edge] = link(first + i, 0);
            let (to, from) = (neighbor.corners[edge], neighbor.corners[(edge + 1) % 3]);
            let after = if i + 1 == count { first } else { first + i + 1 };
            let before = if i == 0 { first + count - 1 } else { first + i - 1 };
            self.push([from, to, apex], [beyond, link(after, 2), link(before, 1)], upper);
        }
    }

    fn push(&mut self, corners: [u32; 3], across: [Link; 3], upper: f64) {
        let face = Face::new(corners, across, corners.map(|i| self.points[i as usize]));
        if face.distance <= upper {
            let near = (face.distance, self.faces.len() as u32);
            if near.0 < self.nearest.0 {
                self.nearest = near;
            }
            self.near.push(near);
        }
        self.faces.push(face);
    }
}

#[cold]
#[inline(never)]
fn is_above(point: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    orient3d(a, b, c, point) == Sign::Positive
}

/// The ray from the origin along a direction meets the triangle where its corners have weights in this proportion.
fn ray_weights([a, b, c]: [DVec3; 3], direction: DVec3) -> [f64; 3] {
    [b.cross(c), c.cross(a), a.cross(b)].map(|normal| normal.dot(direction))
}

impl Face {
    #[inline]
    fn new(corners: [u32; 3], across: [Link; 3], [a, b, c]: [DVec3; 3]) -> Self {
        // With u = ε/2, a coordinate of the normal is off by 4u of its two products, which are added up in `size`.
        let (normal, size) = normal_and_size(a, b, c);
        let length = normal.length();
        let heights = [normal.dot(a), normal.dot(b), normal.dot(c)];
        // Heights are off by 3u of their terms.
        let reach = a.abs().max(b.abs()).max(c.abs());
        let rounding = 2.0 * f64::EPSILON * normal.abs().dot(reach);
        let least = heights[0].min(heights[1]).min(heights[2]);
        let most = heights[0].max(heights[1]).max(heights[2]);
        let mut plane = (normal, length, size, (least - rounding) / length);
        if most - least > 4.0 * rounding || length < 1e-200 {
            plane = of_sliver(plane, [a, b, c]);
        }
        if heights[0] <= ROUNDING_3D * size.dot(a.abs()) + f64::MIN_POSITIVE {
            plane.3 = on_its_side(plane.3, [a, b, c]);
        }
        let (normal, length, size, distance) = plane;
        Self { corners, across, normal, length, distance, size, alive: true }
    }
}

/// Normal, length, size and distance of a face. By value, as long as it is computed.
type Plane = (DVec3, f64, DVec3, f64);

/// A triangle so thin that its normal is mostly rounding is about as far from the origin as its edges are. In any
/// unit direction it is farther than its lowest corner: the nearest point of the edges is a good one.
#[cold]
#[inline(never)]
fn of_sliver(plane: Plane, [a, b, c]: [DVec3; 3]) -> Plane {
    let nearest = [[a, b], [b, c], [c, a]]
        .map(|[p, q]| nearest_on_segment(p, q))
        .into_iter()
        .fold(a, |m, p| if p.length_squared() < m.length_squared() { p } else { m });
    // If the origin is on an edge, any direction will do.
    let normal = nearest.try_normalize().unwrap_or(DVec3::X);
    let least = normal.dot(a).min(normal.dot(b)).min(normal.dot(c));
    // Coordinates are at most 4; three products of them.
    let distance = least - 16.0 * f64::EPSILON;
    let (_, length, _, of_plane) = plane;
    // Of infinite size, so that what it sees is from now on decided exactly.
    if length < 1e-200 || distance > of_plane { (normal, 1.0, DVec3::INFINITY, distance) } else { plane }
}

/// The distance counts only if the origin is on the inner side: which it is, exactly, of all faces, once it is
/// inside.
#[cold]
#[inline(never)]
fn on_its_side(distance: f64, [a, b, c]: [DVec3; 3]) -> f64 {
    match orient3d(a, b, c, DVec3::ZERO) {
        Sign::Negative => distance,
        Sign::Zero => distance.min(0.0),
        Sign::Positive => distance.min(-f64::MIN_POSITIVE),
    }
}

fn nearest_on_segment(p: DVec3, q: DVec3) -> DVec3 {
    let (way, size) = (q - p, (q - p).length_squared());
    if size > 0.0 { p + way * (-p.dot(way) / size).clamp(0.0, 1.0) } else { p }
}
