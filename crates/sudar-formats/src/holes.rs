//! Polygons with holes: each hole is joined to the outline by a bridge, which is two edges in one place, so that one
//! polygon is left for [`Splitter`](crate::polygon::Splitter) to cut.

use sudar::DVec3;
use sudar::glam::DVec2;
use sudar::math::{Sign, orient2d};

use crate::polygon;

/// Edges that may still be looked at to join holes to outlines.
#[derive(Debug)]
pub(crate) struct Looks(u64);

impl Default for Looks {
    fn default() -> Self {
        Self(50_000_000)
    }
}

impl Looks {
    fn take(&mut self, count: u64) {
        self.0 = self.0.saturating_sub(count);
    }

    fn are_left(&self) -> bool {
        self.0 > 0
    }
}

/// Leaves one of corners that follow themselves.
pub(crate) fn without_repeats(ring: &mut Vec<u32>) {
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
}

/// Joins holes to an outline, all of three corners or more and without repeats. False if a hole finds no way, because
/// it is outside or looks are used up; it is left out.
pub(crate) fn join(ring: &mut Vec<u32>, holes: Vec<Vec<u32>>, vertices: &[DVec3], looks: &mut Looks) -> bool {
    let flat = Flattened::new(ring, &holes, vertices);
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
    let mut all_joined = true;
    for number in 0..holes.len() {
        match flat.bridge(ring, &holes[number..], looks) {
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

fn flat_corner(p: DVec3, [u, v]: [usize; 2]) -> DVec2 {
    DVec2::new(p[u], p[v])
}

/// The corners of a face without one coordinate, so that its outline is counter-clockwise.
struct Flattened<'a> {
    vertices: &'a [DVec3],
    axes: [usize; 2],
    /// What an exact predicate costs, in looks.
    price: u64,
}

impl<'a> Flattened<'a> {
    fn new(ring: &[u32], holes: &[Vec<u32>], vertices: &'a [DVec3]) -> Self {
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
        let axes = if normal[axis] < 0.0 { [v, u] } else { [u, v] };
        let corners = ring.iter().chain(holes.iter().flatten());
        let price = polygon::price(corners.map(|&i| flat_corner(vertices[i as usize], axes)));
        Self { vertices, axes, price }
    }

    fn at(&self, i: u32) -> DVec2 {
        flat_corner(self.vertices[i as usize], self.axes)
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
    fn bridge(&self, ring: &[u32], holes: &[Vec<u32>], looks: &mut Looks) -> Option<usize> {
        // To begin costs as much as a look at all edges.
        if !looks.are_left() {
            return None;
        }
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
        looks.take(edges.len() as u64);
        near.into_iter().find(|&i| {
            looks.take(self.price);
            looks.are_left() && self.opens_to(ring, i, from) && self.is_free(from, ring[i], &edges, looks)
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
    fn is_free(&self, a: u32, b: u32, edges: &[(u32, u32)], looks: &mut Looks) -> bool {
        let (p, q) = (self.at(a), self.at(b));
        let (min, max) = (p.min(q), p.max(q));
        looks.take(edges.len() as u64);
        edges.iter().all(|&(u, v)| {
            let (x, y) = (self.at(u), self.at(v));
            let is_beside = x.max(y).cmplt(min).any() || x.min(y).cmpgt(max).any();
            is_beside || {
                looks.take(self.price);
                looks.are_left() && !self.meet([a, b], [u, v])
            }
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
