//! One triangle cut up along segments in its plane.
//!
//! Points are inserted one by one, and segments that are not edges yet are made so by flips (S. W. Sloan 1993, "A fast
//! algorithm for generating constrained Delaunay triangulations", without the Delaunay criterion, which nothing here
//! needs). All by exact signs, so that any position is a good one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sudar::DVec3;
use sudar::math::Sign;

use super::points::{Flat, Points};

/// Triangles in a plane, by their directed edges: `(a, b) → c` for each of a, b, c in turn.
#[derive(Debug, Default)]
pub(in crate::ifc) struct Triangulation {
    apexes: BTreeMap<(u32, u32), u32>,
    /// A triangle to begin a search at, if it is there still.
    near: Option<[u32; 3]>,
}

/// The pieces of a triangle, and of the segments along which it is cut.
pub(super) type Cut = (Vec<[u32; 3]>, Vec<[u32; 2]>);

/// Steps of a walk to a point, before every triangle is looked at.
const WALK: usize = 5000;

/// A triangle between corners, cut along segments that end at points in it or on its edges, and at more points of its
/// edges. Segments may cross: where they do, new points come up. Gives the pieces, and the pieces of the segments.
/// `None` beyond the steps that are left.
pub(super) fn cut(
    points: &mut Points,
    flat: Flat,
    corners: [u32; 3],
    segments: &[[u32; 2]],
    on_edges: &[[u32; 2]],
    steps: &mut u64,
) -> Option<Cut> {
    let [a, b, c] = corners;
    let mut all: Vec<[u32; 2]> = vec![[a, b], [b, c], [c, a]];
    all.extend(on_edges);
    let not_own = all.len();
    all.extend(segments);
    let pieces = pieces(points, flat, &all, steps)?;
    let mut triangulation = Triangulation::default();
    triangulation.add([a, b, c]);
    let inner: BTreeSet<u32> =
        pieces.iter().flatten().flatten().copied().filter(|p| !corners.contains(p)).collect();
    for p in in_strips(points, flat, inner) {
        triangulation.insert(points, flat, p, steps)?;
    }
    for &[p, q] in pieces.iter().flatten() {
        triangulation.force(points, flat, p, q, steps)?;
    }
    let own = pieces.into_iter().skip(not_own).flatten().collect();
    Some((triangulation.triangles(), own))
}

/// Points in an order in which the next is mostly near: up one strip and down the next.
fn in_strips(points: &Points, flat: Flat, all: BTreeSet<u32>) -> Vec<u32> {
    let at = |p: u32| flat.of(points.near(p));
    let (low, high) = all
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(at(*p)[0]), high.max(at(*p)[0])));
    let width = ((high - low) / (all.len() as f64).sqrt()).max(f64::MIN_POSITIVE);
    let place = |p: u32| {
        let [x, y] = at(p);
        let strip = ((x - low) / width) as u64;
        (strip, if strip.is_multiple_of(2) { y } else { -y })
    };
    let mut order: Vec<u32> = all.into_iter().collect();
    order.sort_by(|&p, &q| {
        let ((s, y), (t, z)) = (place(p), place(q));
        s.cmp(&t).then(y.total_cmp(&z))
    });
    order
}

/// Each segment in the pieces between all points on it.
fn pieces(
    points: &mut Points,
    flat: Flat,
    segments: &[[u32; 2]],
    steps: &mut u64,
) -> Option<Vec<Vec<[u32; 2]>>> {
    let bounds: Vec<[DVec3; 2]> = segments.iter().map(|s| bounds(points, *s)).collect();
    let mut on: Vec<BTreeSet<u32>> = segments.iter().map(|s| s.iter().copied().collect()).collect();
    for i in 0..segments.len() {
        for j in i + 1..segments.len() {
            let ([low, high], [other_low, other_high]) = (bounds[i], bounds[j]);
            if low.cmpgt(other_high).any() || other_low.cmpgt(high).any() {
                continue;
            }
            *steps = steps.checked_sub(1)?;
            for (k, p) in meetings(points, flat, segments[i], segments[j]) {
                on[if k == 0 { i } else { j }].insert(p);
            }
        }
    }
    let pieces = |(on, s): (BTreeSet<u32>, &[u32; 2])| {
        let mut row: Vec<u32> = on.into_iter().collect();
        row.sort_by(|&p, &q| along(points, *s, p, q));
        row.windows(2).map(|w| [w[0], w[1]]).collect()
    };
    Some(on.into_iter().zip(segments).map(pieces).collect())
}

/// Bounds of a segment, with room for the roundings of its ends.
fn bounds(points: &Points, [a, b]: [u32; 2]) -> [DVec3; 2] {
    let (p, q) = (points.near(a), points.near(b));
    let room = p.abs().max(q.abs()) * 1e-12;
    [p.min(q) - room, p.max(q) + room]
}

/// Which points two segments give each other: of the first (0) and of the second (1).
fn meetings(points: &mut Points, flat: Flat, s: [u32; 2], t: [u32; 2]) -> Vec<(usize, u32)> {
    use Sign::Zero;
    let of = |points: &Points, [a, b]: [u32; 2], p: u32| points.orient(flat, a, b, p);
    let (s0, s1) = (of(points, s, t[0]), of(points, s, t[1]));
    if s0 == s1 && s0 != Zero {
        return Vec::new();
    }
    let (t0, t1) = (of(points, t, s[0]), of(points, t, s[1]));
    if t0 == t1 && t0 != Zero {
        return Vec::new();
    }
    if ![s0, s1, t0, t1].contains(&Zero) {
        let at_0 = points.determinant(flat, t[0], t[1], s[0]);
        let at_1 = points.determinant(flat, t[0], t[1], s[1]);
        let p = points.between((s[0], &at_0), (s[1], &at_1));
        return vec![(0, p), (1, p)];
    }
    if s[0] == s[1] || t[0] == t[1] {
        return touch(points, flat, s, t);
    }
    let mut found = Vec::new();
    for (side, (line, ends, signs)) in [(s, t, [s0, s1]), (t, s, [t0, t1])].into_iter().enumerate() {
        let on =
            ends.into_iter().zip(signs).filter(|(p, sign)| *sign == Zero && is_between(points, line, *p));
        found.extend(on.map(|(p, _)| (side, p)));
    }
    found
}

/// The same where one of them is a point.
fn touch(points: &Points, flat: Flat, s: [u32; 2], t: [u32; 2]) -> Vec<(usize, u32)> {
    let (side, line, p) = if s[0] == s[1] { (1, t, s[0]) } else { (0, s, t[0]) };
    let is_on = line[0] != line[1] && points.orient(flat, line[0], line[1], p) == Sign::Zero;
    if is_on && is_between(points, line, p) { vec![(side, p)] } else { Vec::new() }
}

/// Whether a point of the line of a segment is between its ends, or one of them.
fn is_between(points: &Points, s: [u32; 2], p: u32) -> bool {
    use std::cmp::Ordering::Greater;
    along(points, s, s[0], p) != Greater && along(points, s, p, s[1]) != Greater
}

/// The order of two points of the line of a segment, from its first end to its second.
fn along(points: &Points, [a, b]: [u32; 2], p: u32, q: u32) -> std::cmp::Ordering {
    if p == q {
        return std::cmp::Ordering::Equal;
    }
    let axis = {
        let way = (points.near(b) - points.near(a)).abs();
        if way.x >= way.y && way.x >= way.z {
            0
        } else if way.y >= way.z {
            1
        } else {
            2
        }
    };
    let forward = points.compare(axis, a, b);
    let order = points.compare(axis, p, q);
    if forward == std::cmp::Ordering::Greater { order.reverse() } else { order }
}

impl Triangulation {
    pub fn add(&mut self, [a, b, c]: [u32; 3]) {
        self.near = Some([a, b, c]);
        self.apexes.extend([((a, b), c), ((b, c), a), ((c, a), b)]);
    }

    fn remove(&mut self, [a, b, c]: [u32; 3]) {
        for edge in [(a, b), (b, c), (c, a)] {
            self.apexes.remove(&edge);
        }
    }

    /// Each triangle once, the least corner first.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let first = self.apexes.iter().filter(|((a, b), c)| a < b && a < *c);
        first.map(|(&(a, b), &c)| [a, b, c]).collect()
    }

    pub fn insert(&mut self, points: &Points, flat: Flat, p: u32, steps: &mut u64) -> Option<()> {
        let ([a, b, c], signs) = self.locate(points, flat, p, steps)?;
        match signs.iter().position(|sign| *sign == Sign::Zero) {
            None => {
                self.remove([a, b, c]);
                for piece in [[a, b, p], [b, c, p], [c, a, p]] {
                    self.add(piece);
                }
            }
            Some(i) => self.split_edge([a, b, c][i], [b, c, a][i], p),
        }
        Some(())
    }

    /// The triangle in which a point is, and on which sides of its edges. Nothing is rounded here, so that a point of
    /// the whole is in one of its pieces.
    fn locate(&self, points: &Points, flat: Flat, p: u32, steps: &mut u64) -> Option<([u32; 3], [Sign; 3])> {
        let sides = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]].map(|[x, y]| points.orient(flat, x, y, p));
        let mut at = self.near.filter(|&[a, b, c]| self.apexes.get(&(a, b)) == Some(&c));
        for _ in 0..WALK {
            let Some(t @ [a, b, c]) = at else { break };
            *steps = steps.checked_sub(1)?;
            let signs = sides(t);
            let Some(i) = signs.iter().position(|sign| *sign == Sign::Negative) else {
                return Some((t, signs));
            };
            let (u, v) = ([b, c, a][i], [a, b, c][i]);
            at = self.apexes.get(&(u, v)).map(|&w| [u, v, w]);
        }
        // A walk may go round in circles where triangles are slender.
        self.triangles().into_iter().find_map(|t| {
            *steps = steps.saturating_sub(1);
            let signs = sides(t);
            (*steps > 0 && !signs.contains(&Sign::Negative)).then_some((t, signs))
        })
    }

    /// Puts a point on the edge between two corners.
    fn split_edge(&mut self, a: u32, b: u32, p: u32) {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(&c) = self.apexes.get(&(a, b)) {
                self.remove([a, b, c]);
                self.add([a, p, c]);
                self.add([p, b, c]);
            }
        }
    }

    /// Makes the segment between two corners an edge, by flips of those that cross it.
    pub fn force(&mut self, points: &Points, flat: Flat, a: u32, b: u32, steps: &mut u64) -> Option<()> {
        use Sign::Positive;
        if self.has(a, b) {
            return Some(());
        }
        let mut crossing = self.crossing(points, flat, a, b)?;
        while let Some((u, v)) = crossing.pop_front() {
            *steps = steps.checked_sub(1)?;
            let (&w, &x) = (self.apexes.get(&(u, v))?, self.apexes.get(&(v, u))?);
            let is_convex =
                points.orient(flat, x, v, w) == Positive && points.orient(flat, w, u, x) == Positive;
            if !is_convex {
                crossing.push_back((u, v));
                continue;
            }
            self.flip(u, v);
            let ends = [a, b].contains(&w) || [a, b].contains(&x);
            if !ends && points.orient(flat, a, b, w) == -points.orient(flat, a, b, x) {
                crossing.push_back((w, x));
            }
        }
        self.has(a, b).then_some(())
    }

    /// The corner opposite an edge, on its left.
    pub fn apex(&self, u: u32, v: u32) -> Option<u32> {
        self.apexes.get(&(u, v)).copied()
    }

    /// The edges opposite a corner.
    pub fn around(&self, p: u32) -> Vec<(u32, u32)> {
        self.apexes.range((p, 0)..=(p, u32::MAX)).map(|(&(_, v), &w)| (v, w)).collect()
    }

    /// Puts the other diagonal in place of an edge between two triangles, whose corners have to be convex.
    pub fn flip(&mut self, u: u32, v: u32) {
        if let (Some(w), Some(x)) = (self.apex(u, v), self.apex(v, u)) {
            self.remove([u, v, w]);
            self.remove([v, u, x]);
            self.add([x, v, w]);
            self.add([w, u, x]);
        }
    }

    fn has(&self, a: u32, b: u32) -> bool {
        self.apexes.contains_key(&(a, b)) || self.apexes.contains_key(&(b, a))
    }

    /// The edges that cross the segment from corner `a` to corner `b`, on which there is no other corner.
    fn crossing(&self, points: &Points, flat: Flat, a: u32, b: u32) -> Option<VecDeque<(u32, u32)>> {
        use Sign::{Negative, Positive};
        let around = self.apexes.range((a, 0)..=(a, u32::MAX)).map(|(&(_, v), &w)| (v, w));
        let side = |p: u32| points.orient(flat, a, b, p);
        let (mut right, mut left) =
            around.into_iter().find(|&(v, w)| side(v) == Negative && side(w) == Positive)?;
        let mut found = VecDeque::new();
        loop {
            found.push_back((right, left));
            let &x = self.apexes.get(&(left, right))?;
            if x == b {
                return Some(found);
            }
            match side(x) {
                Positive => left = x,
                Negative => right = x,
                Sign::Zero => return None,
            }
        }
    }
}
