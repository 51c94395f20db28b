//! Surfaces from faces, which are polygons with holes.

use std::collections::HashMap;

use sudar::DVec3;
use sudar::glam::DVec2;
use sudar::math::{Sign, orient2d};

use super::boolean::Surface;
use crate::polygon::Splitter;

/// A surface in the making. Corners in the same place are one.
#[derive(Debug, Default)]
pub(super) struct Faces {
    surface: Surface,
    numbers: HashMap<[u64; 3], u32>,
    splitter: Splitter,
    /// Faces that could not be cut to triangles rightly.
    pub unclean: usize,
}

/// Pairs of corners and edges that are looked at to join the holes of one face to its outline.
const LOOKS: usize = 50_000_000;

impl Faces {
    pub fn corner(&mut self, p: DVec3) -> u32 {
        let vertices = &mut self.surface.vertices;
        // Minus zero is zero.
        *self.numbers.entry(p.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
            vertices.push(p);
            vertices.len() as u32 - 1
        })
    }

    /// Adds a face. Corners that follow themselves are one; what has fewer than three encloses nothing.
    pub fn add(&mut self, outer: &[DVec3], holes: &[Vec<DVec3>]) {
        let mut ring = self.ring(outer);
        let mut holes: Vec<Vec<u32>> = holes.iter().map(|hole| self.ring(hole)).collect();
        holes.retain(|hole| hole.len() >= 3);
        if ring.len() < 3 {
            return;
        }
        if !holes.is_empty() && !self.join(&mut ring, holes) {
            self.unclean += 1;
        }
        if !self.splitter.split(&ring, &self.surface.vertices, &mut self.surface.triangles) {
            self.unclean += 1;
        }
    }

    pub fn triangle(&mut self, [a, b, c]: [DVec3; 3]) {
        let [a, b, c] = [a, b, c].map(|p| self.corner(p));
        if a != b && b != c && c != a {
            self.surface.triangles.push([a, b, c]);
        }
    }

    /// Two triangles, cut so that both sides of a row of such strips fit.
    pub fn strip(&mut self, [a, b, c, d]: [DVec3; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    pub fn finish(self) -> Surface {
        self.surface
    }

    fn ring(&mut self, points: &[DVec3]) -> Vec<u32> {
        let mut ring: Vec<u32> = points.iter().map(|p| self.corner(*p)).collect();
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        ring
    }

    /// Joins holes to an outline by bridges, each two edges in one place. False if a hole finds no way.
    fn join(&mut self, ring: &mut Vec<u32>, holes: Vec<Vec<u32>>) -> bool {
        let flat = Flattened::new(ring, &self.surface.vertices);
        if flat.area(ring) < 0.0 {
            // Does not happen but for outlines that cross themselves.
            return false;
        }
        let oriented = |mut hole: Vec<u32>| {
            if flat.area(&hole) > 0.0 {
                hole.reverse();
            }
            let first = (0..hole.len()).max_by(|&i, &j| flat.at(hole[i]).x.total_cmp(&flat.at(hole[j]).x));
            hole.rotate_left(first.unwrap_or(0));
            hole
        };
        let mut holes: Vec<Vec<u32>> = holes.into_iter().map(oriented).collect();
        holes.sort_by(|a, b| flat.at(b[0]).x.total_cmp(&flat.at(a[0]).x));
        let mut looks = LOOKS;
        let mut all_joined = true;
        for number in 0..holes.len() {
            match flat.bridge(ring, &holes[number..], &mut looks) {
                Some(at) => {
                    let hole = &holes[number];
                    let back = [hole[0], ring[at]];
                    ring.splice(at + 1..at + 1, hole.iter().copied().chain(back));
                }
                None => all_joined = false,
            }
        }
        all_joined
    }
}

/// The corners of a face without one coordinate, so that its outline is counter-clockwise.
struct Flattened<'a> {
    vertices: &'a [DVec3],
    axes: [usize; 2],
}

impl<'a> Flattened<'a> {
    fn new(ring: &[u32], vertices: &'a [DVec3]) -> Self {
        let corner = |i: usize| vertices[ring[i % ring.len()] as usize];
        let first = corner(0);
        let normal = (1..ring.len())
            .fold(DVec3::ZERO, |sum, i| sum + (corner(i) - first).cross(corner(i + 1) - first));
        let size = normal.abs();
        let axis = if size.z >= size.x && size.z >= size.y {
            2
        } else if size.y >= size.x {
            1
        } else {
            0
        };
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        Self { vertices, axes: if normal[axis] < 0.0 { [v, u] } else { [u, v] } }
    }

    fn at(&self, i: u32) -> DVec2 {
        let p = self.vertices[i as usize];
        DVec2::new(p[self.axes[0]], p[self.axes[1]])
    }

    fn area(&self, ring: &[u32]) -> f64 {
        let origin = self.at(ring[0]);
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(&a, &b)| (self.at(a) - origin).perp_dot(self.at(b) - origin)).sum()
    }

    fn orient(&self, a: u32, b: u32, c: u32) -> Sign {
        orient2d(self.at(a), self.at(b), self.at(c))
    }

    /// Where in the outline the first hole is joined by its first corner: at the nearest corner that it sees.
    fn bridge(&self, ring: &[u32], holes: &[Vec<u32>], looks: &mut usize) -> Option<usize> {
        let from = holes[0][0];
        let mut near: Vec<usize> = (0..ring.len()).collect();
        let distance = |i: usize| self.at(ring[i]).distance_squared(self.at(from));
        near.sort_by(|&i, &j| distance(i).total_cmp(&distance(j)));
        let edges = |ring: &[u32]| {
            let next = ring.iter().copied().cycle().skip(1);
            ring.iter().copied().zip(next).collect::<Vec<_>>()
        };
        let edges: Vec<(u32, u32)> =
            std::iter::once(ring).chain(holes.iter().map(Vec::as_slice)).flat_map(edges).collect();
        near.into_iter().find(|&i| {
            *looks = looks.saturating_sub(edges.len());
            *looks > 0 && self.opens_to(ring, i, from) && self.is_free(from, ring[i], &edges)
        })
    }

    /// Whether a point is, seen from a corner of the outline, on the side of the face.
    fn opens_to(&self, ring: &[u32], i: usize, p: u32) -> bool {
        use Sign::Positive;
        let n = ring.len();
        let (before, at, after) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
        let (left_of_in, left_of_out) =
            (self.orient(before, at, p) == Positive, self.orient(at, after, p) == Positive);
        if self.orient(before, at, after) == Positive {
            left_of_in && left_of_out
        } else {
            left_of_in || left_of_out
        }
    }

    /// Whether no edge has a point of the segment between two corners, but for these corners.
    fn is_free(&self, a: u32, b: u32, edges: &[(u32, u32)]) -> bool {
        let (p, q) = (self.at(a), self.at(b));
        let (min, max) = (p.min(q), p.max(q));
        edges.iter().all(|&(u, v)| {
            let (x, y) = (self.at(u), self.at(v));
            let is_beside = x.max(y).cmplt(min).any() || x.min(y).cmpgt(max).any();
            is_beside || !self.meet([a, b], [u, v])
        })
    }

    fn meet(&self, [a, b]: [u32; 2], [u, v]: [u32; 2]) -> bool {
        use Sign::Zero;
        let same = |x: u32| self.at(x) == self.at(a) || self.at(x) == self.at(b);
        let (at_u, at_v) = (self.orient(a, b, u), self.orient(a, b, v));
        let is_on = |x: u32, at: Sign| {
            let (p, q) = (self.at(a), self.at(b));
            at == Zero && !same(x) && (self.at(x) - p).dot(q - p) > 0.0 && (self.at(x) - q).dot(p - q) > 0.0
        };
        if is_on(u, at_u) || is_on(v, at_v) {
            return true;
        }
        let crosses = |s: Sign, t: Sign| s != Zero && s == -t;
        if same(u) || same(v) || at_u == Zero || at_v == Zero {
            return false;
        }
        // An end of the bridge on an edge is a meeting too.
        let (at_a, at_b) = (self.orient(u, v, a), self.orient(u, v, b));
        crosses(at_u, at_v) && (at_a == Zero || at_b == Zero || crosses(at_a, at_b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64) -> Vec<DVec3> {
        [[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]]
            .map(|[u, v]| DVec3::new(x + u, y + v, x))
            .to_vec()
    }

    fn area(surface: &Surface) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| surface.vertices[i as usize]);
            (b - a).cross(c - a).z / 2.0
        };
        surface.triangles.iter().map(of).inspect(|area| assert!(*area >= 0.0)).sum()
    }

    #[test]
    fn holes_are_left_out_whatever_way_they_run() {
        for is_reversed in [false, true] {
            let mut holes = Vec::new();
            for i in 0..7 {
                for j in 0..7 {
                    let mut hole = square(0.0, 0.0, 0.5);
                    hole.iter_mut().for_each(|p| {
                        *p += DVec3::new(f64::from(i) + 0.25, f64::from(j) + 0.25, 0.0);
                        p.z = p.x;
                    });
                    if is_reversed {
                        hole.reverse();
                    }
                    holes.push(hole);
                }
            }
            let mut outer = square(0.0, 0.0, 7.0);
            outer.iter_mut().for_each(|p| p.z = p.x);
            let mut faces = Faces::default();
            faces.add(&outer, &holes);
            assert_eq!(faces.unclean, 0);
            let surface = faces.finish();
            assert!((area(&surface) - (49.0 - 49.0 * 0.25)).abs() < 1e-12);
            // Each corner once, and each edge of the outlines once.
            assert_eq!(surface.vertices.len(), 4 + 4 * 49);
        }
    }
}
