//! Corners and edges of what two solids have in common, joined into connected pieces.
//!
//! Where two triangles meet, they share a piece of the curve in which the surfaces intersect. Two such pieces are
//! joined if an edge of one solid goes through a triangle of the other between them; if an edge runs inside the other
//! solid from one to the next; and by corners that lie inside the other solid. Edges that go through the inside of a
//! triangle say by its normal on which side they are inside; where one goes through an edge, a corner or along a face,
//! a point of it is asked. A face of the common part may have a hole whose rim no edge joins to its outline: then
//! lines across the face do (`join_across_faces`).

use std::collections::{BTreeMap, HashMap};

use sudar::math::orient3d;
use sudar::pair::segment_triangle;
use sudar::{DVec3, Segment, Sign, Triangle};

use crate::corners::Corners;
use crate::depth::unit;
use crate::posed::Posed;
use crate::union::Union;

/// A part with what regions need to know of it.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub posed: &'a Posed<'a>,
    pub corners: &'a Corners,
    pub triangles: &'a [[u32; 3]],
    pub vertices: &'a [DVec3],
}

impl Side<'_> {
    fn point(&self, corner: u32) -> DVec3 {
        self.posed.pose.apply(self.vertices[corner as usize])
    }

    fn corners_of(&self, triangle: u32) -> [u32; 3] {
        self.triangles[triangle as usize].map(|v| self.corners.at(v))
    }

    pub fn triangle(&self, i: u32) -> Triangle {
        let [a, b, c] = self.triangles[i as usize].map(|v| self.point(v));
        Triangle { a, b, c }
    }

    /// The outward unit normal of a triangle; none if it has no area or the surface does not say which way is out.
    pub fn outward(&self, i: u32) -> Option<DVec3> {
        let normal = unit(self.triangle(i).scaled_normal())?;
        self.corners.faces_outward(i).map(|outward| if outward { normal } else { -normal })
    }
}

/// A connected piece of what two solids have in common, found by corners and curves.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    /// Its corners, and points of the curve in which the surfaces meet.
    pub points: Vec<DVec3>,
    /// Numbers of the pairs of triangles that meet there.
    pub pairs: Vec<usize>,
    /// Triangles, each with its side, at corners inside the other solid: one a corner.
    pub triangles: Vec<(usize, u32)>,
    /// Into how many closed curves these fall.
    pub loops: usize,
}

impl Piece {
    /// All of a solid.
    pub fn of(side: &Side<'_>) -> Self {
        let points = side.vertices.iter().map(|&p| side.posed.pose.apply(p)).collect();
        let triangles = (0..side.triangles.len() as u32).map(|i| (0, i)).collect();
        Self { points, triangles, ..Self::default() }
    }
}

/// An edge that meets a triangle of the other solid.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    /// The solid that has the edge, its corners in order of their numbers, and the triangle that it meets.
    side: usize,
    edge: [u32; 2],
    other: u32,
    /// Where on the edge, from 0 to 1.
    at: f64,
    way: Way,
    /// The pair of triangles that has it.
    pair: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
    /// Through an edge or a corner, or from a surface whose normals do not point outward throughout.
    Unclear,
    /// In the plane of the triangle.
    Along,
}

/// What two solids have in common.
pub(crate) struct Common {
    /// Its connected pieces.
    pub pieces: Vec<Piece>,
    /// What the triangles of each pair share: the ends of a segment, or the corners of a polygon.
    pub shared: Vec<Vec<DVec3>>,
}

/// What two solids have in common, whose triangles meet in these pairs.
pub(crate) fn common(sides: [Side<'_>; 2], pairs: &[[u32; 2]]) -> Common {
    let mut skeleton = Skeleton::new(sides, pairs);
    skeleton.join_at_edges();
    let loops = skeleton.groups.clone();
    skeleton.join_along_edges();
    skeleton.add_whole_pieces();
    skeleton.join_across_faces();
    skeleton.into_common(loops)
}

struct Skeleton<'a> {
    sides: [Side<'a>; 2],
    pairs: &'a [[u32; 2]],
    /// What the triangles of each pair share; empty where solids lie on different sides of one plane.
    shared: Vec<Vec<DVec3>>,
    /// Sorted by side, edge and place on it.
    crossings: Vec<Crossing>,
    /// Pairs first, then corners inside the other solid.
    groups: Union,
    corners: HashMap<(usize, u32), usize>,
    /// What was found out of corners: whether they are inside.
    asked: HashMap<(usize, u32), Option<bool>>,
    /// Where each of these is, on which side, and its number.
    positions: Vec<(DVec3, usize, u32)>,
}

impl<'a> Skeleton<'a> {
    fn new(sides: [Side<'a>; 2], pairs: &'a [[u32; 2]]) -> Self {
        let (mut shared, mut crossings) = (Vec::with_capacity(pairs.len()), Vec::new());
        for (n, pair) in pairs.iter().enumerate() {
            let from = crossings.len();
            for side in 0..2 {
                add_crossings(&sides, side, *pair, n, &mut crossings);
            }
            shared.push(shared_by(&sides, pair, &crossings[from..]));
            if shared[n].is_empty() {
                crossings.truncate(from);
            }
        }
        crossings.sort_by(|a, b| {
            let place = |c: &Crossing| (c.side, c.edge);
            place(a)
                .cmp(&place(b))
                .then(a.at.total_cmp(&b.at))
                .then((a.other, a.pair).cmp(&(b.other, b.pair)))
        });
        let groups = Union::new(pairs.len());
        Self {
            sides,
            pairs,
            shared,
            crossings,
            groups,
            corners: HashMap::new(),
            asked: HashMap::new(),
            positions: Vec::new(),
        }
    }

    /// Joins the pairs that share a point where an edge meets a triangle.
    fn join_at_edges(&mut self) {
        // An edge meets a triangle at one place, so they follow each other.
        let point = |c: &Crossing| (c.side, c.edge, c.other);
        for run in self.crossings.chunk_by(|a, b| point(a) == point(b)) {
            for crossing in run {
                self.groups.join(run[0].pair, crossing.pair);
            }
        }
    }

    /// Joins what is at the ends of the pieces of edges that lie inside the other solid, and corners there.
    fn join_along_edges(&mut self) {
        let crossings = std::mem::take(&mut self.crossings);
        for run in crossings.chunk_by(|a, b| (a.side, a.edge) == (b.side, b.edge)) {
            let places: Vec<&[Crossing]> =
                run.chunk_by(|a, b| a.at == b.at).filter(|place| place[0].at.is_finite()).collect();
            for two in places.windows(2) {
                let [from, to] = [two[0][0].pair, two[1][0].pair];
                if !self.groups.are_one(from, to) && self.is_inside(Some(two[0]), Some(two[1])) {
                    self.groups.join(from, to);
                }
            }
            let (Some(first), Some(last)) = (places.first(), places.last()) else { continue };
            let (side, [start, end]) = (run[0].side, run[0].edge);
            if self.is_inside(None, Some(first)) {
                let node = self.corner(side, start);
                self.groups.join(node, first[0].pair);
            }
            if self.is_inside(Some(last), None) {
                let node = self.corner(side, end);
                self.groups.join(node, last[0].pair);
            }
        }
        self.crossings = crossings;
        let mut reached: Vec<(usize, u32)> = self.corners.keys().copied().collect();
        reached.sort_unstable();
        self.spread(reached);
    }

    /// Whether an edge is inside the other solid between two places that follow each other, of which one may be an end
    /// of the edge.
    fn is_inside(&mut self, from: Option<&[Crossing]>, to: Option<&[Crossing]>) -> bool {
        let Some(&Crossing { side, edge, .. }) = from.or(to).and_then(<[_]>::first) else { return false };
        let [start, end] = [from.map_or(0.0, |c| c[0].at), to.map_or(1.0, |c| c[0].at)];
        if start >= end {
            return false;
        }
        let corner = match (from, to) {
            (None, _) => Some(edge[0]),
            (_, None) => Some(edge[1]),
            _ => None,
        };
        let by_places = between(from, to);
        by_places.or_else(|| corner.and_then(|corner| self.is_corner_inside(side, corner))).unwrap_or_else(
            || {
                let [p, q] = edge.map(|corner| self.sides[side].point(corner));
                self.is_in_other(side, p + (q - p) * (0.5 * (start + end)))
            },
        )
    }

    /// Whether a corner is inside the other solid; unknown at its surface. Many edges may end there: it is asked once.
    fn is_corner_inside(&mut self, side: usize, corner: u32) -> Option<bool> {
        let (p, other) = (self.sides[side].point(corner), self.sides[1 - side].posed);
        *self.asked.entry((side, corner)).or_insert_with(|| match other.holds(p) {
            false => Some(false),
            true => other.holds_inside(p).then_some(true),
        })
    }

    /// Corners that edges without crossings lead to are inside as well.
    fn spread(&mut self, mut todo: Vec<(usize, u32)>) {
        while let Some((side, corner)) = todo.pop() {
            let node = self.corner(side, corner);
            let part = self.sides[side];
            for &triangle in part.corners.around(corner) {
                for next in part.corners_of(triangle) {
                    let edge = [corner.min(next), corner.max(next)];
                    if next == corner || self.is_crossed(side, edge) {
                        continue;
                    }
                    if !self.corners.contains_key(&(side, next)) {
                        todo.push((side, next));
                    }
                    let next = self.corner(side, next);
                    self.groups.join(node, next);
                }
            }
        }
    }

    /// Pieces of a surface that lie wholly inside the other solid.
    fn add_whole_pieces(&mut self) {
        for side in 0..2 {
            let part = self.sides[side];
            let Some(solid) = part.posed.body.solid() else { continue };
            for &vertex in solid.representatives() {
                let corner = part.corners.at(vertex);
                let is_new = !self.corners.contains_key(&(side, corner));
                if is_new && self.is_in_other(side, part.point(corner)) {
                    self.spread(vec![(side, corner)]);
                }
            }
        }
    }

    /// Joins curves that bound one face of the common part: from the curve's outermost point on a triangle a line
    /// into the other solid, within the triangle, ends at what bounds the face too.
    fn join_across_faces(&mut self) {
        for side in 0..2 {
            let mut of_triangle: HashMap<u32, Vec<usize>> = HashMap::new();
            for (n, pair) in self.pairs.iter().enumerate().filter(|(n, _)| self.shared[*n].len() == 2) {
                of_triangle.entry(pair[side]).or_default().push(n);
            }
            let mut triangles: Vec<(u32, Vec<usize>)> =
                of_triangle.into_iter().filter(|(_, cuts)| cuts.len() > 1).collect();
            triangles.sort_unstable_by_key(|(triangle, _)| *triangle);
            for (triangle, cuts) in triangles {
                self.join_across(side, triangle, &cuts);
            }
        }
    }

    /// [`Self::join_across_faces`] for the cuts of one triangle.
    fn join_across(&mut self, side: usize, triangle: u32, cuts: &[usize]) {
        let Some(normal) = unit(self.sides[side].triangle(triangle).scaled_normal()) else { return };
        let axis = normal.any_orthogonal_vector();
        let mut outermost: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for &cut in cuts {
            let height = axis.dot(middle(&self.shared[cut]));
            let best = outermost.entry(self.groups.root(cut)).or_insert((cut, height));
            if height > best.1 {
                *best = (cut, height);
            }
        }
        if outermost.len() < 2 {
            return;
        }
        for (cut, _) in outermost.into_values() {
            let other = self.pairs[cut][1 - side];
            let Some(outward) = self.sides[1 - side].outward(other) else { continue };
            let start = middle(&self.shared[cut]);
            // Into the other solid, in the plane of the triangle.
            let way = -(outward - normal * outward.dot(normal));
            let hits = cuts.iter().filter(|&&next| next != cut).filter_map(|&next| {
                let [a, b] = [self.shared[next][0], self.shared[next][1]];
                Some((along(start, way, normal, [a, b])?, next))
            });
            let nearest = hits.min_by(|a, b| a.0.total_cmp(&b.0));
            // A line that grazes the end of a cut may miss it.
            if let Some((_, next)) =
                nearest.filter(|(far, _)| self.is_in_other(side, start + way * (0.5 * far)))
            {
                self.groups.join(cut, next);
            }
        }
    }

    fn is_crossed(&self, side: usize, edge: [u32; 2]) -> bool {
        let of = |c: &Crossing| (c.side, c.edge);
        let place = self.crossings.partition_point(|c| of(c) < (side, edge));
        self.crossings.get(place).is_some_and(|c| of(c) == (side, edge))
    }

    fn is_in_other(&self, side: usize, p: DVec3) -> bool {
        self.sides[1 - side].posed.holds_inside(p)
    }

    /// The node of a corner.
    fn corner(&mut self, side: usize, corner: u32) -> usize {
        if let Some(&node) = self.corners.get(&(side, corner)) {
            return node;
        }
        let node = self.groups.add();
        self.corners.insert((side, corner), node);
        self.positions.push((self.sides[side].point(corner), side, corner));
        node
    }

    fn into_common(mut self, mut loops: Union) -> Common {
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let mut pieces: Vec<Piece> = Vec::new();
        let nodes = self.pairs.len() + self.positions.len();
        for node in (0..nodes).filter(|&n| self.shared.get(n).is_none_or(|points| !points.is_empty())) {
            let number = *numbers.entry(self.groups.root(node)).or_insert_with(|| {
                pieces.push(Piece::default());
                pieces.len() - 1
            });
            let piece = &mut pieces[number];
            if let Some(points) = self.shared.get(node) {
                piece.points.extend_from_slice(points);
                piece.pairs.push(node);
                piece.loops += usize::from(loops.root(node) == node);
            } else {
                let (position, side, corner) = self.positions[node - self.pairs.len()];
                piece.points.push(position);
                piece.triangles.extend(self.sides[side].corners.around(corner).first().map(|&i| (side, i)));
            }
        }
        Common { pieces, shared: self.shared }
    }
}

/// What two triangles share, given where edges of one meet the other, rounded: the ends of a segment, or the corners of
/// a polygon. Nothing if they lie in one plane with the solids on different sides of it.
fn shared_by(sides: &[Side<'_>; 2], &[i, j]: &[u32; 2], crossings: &[Crossing]) -> Vec<DVec3> {
    let (s, t) = (sides[0].triangle(i), sides[1].triangle(j));
    let points = crossings.iter().filter(|crossing| crossing.at.is_finite()).map(|crossing| {
        let [p, q] = crossing.edge.map(|corner| sides[crossing.side].point(corner));
        p + (q - p) * crossing.at
    });
    let points: Vec<DVec3> = points.collect();
    if s.corners().iter().all(|&p| orient3d(t.a, t.b, t.c, p) == Sign::Zero) {
        let faces = sides[0].outward(i).zip(sides[1].outward(j));
        let is_between = faces.is_some_and(|(a, b)| a.dot(b) < 0.0);
        let polygon = if is_between { Vec::new() } else { clipped(&s, &t) };
        return if is_between || !polygon.is_empty() { polygon } else { points };
    }
    let Some(&first) = points.first() else { return Vec::new() };
    let far = |from: DVec3| {
        let apart = |p: &&DVec3| from.distance_squared(**p);
        points.iter().max_by(|p, q| apart(p).total_cmp(&apart(q))).copied()
    };
    let ends = [far(first).unwrap_or(first), far(far(first).unwrap_or(first)).unwrap_or(first)];
    if ends[0] == ends[1] { vec![first] } else { ends.to_vec() }
}

/// What two triangles in one plane share, rounded: one clipped by the edges of the other.
fn clipped(s: &Triangle, t: &Triangle) -> Vec<DVec3> {
    let (Some(normal), corners) = (unit(t.scaled_normal()), t.corners()) else { return Vec::new() };
    let mut polygon = s.corners().to_vec();
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let inward = normal.cross(to - from);
        let height = |p: DVec3| inward.dot(p - from);
        let mut next = Vec::with_capacity(polygon.len() + 1);
        for (n, &p) in polygon.iter().enumerate() {
            let q = polygon[(n + 1) % polygon.len()];
            let (a, b) = (height(p), height(q));
            if a >= 0.0 {
                next.push(p);
            }
            if (a < 0.0) != (b < 0.0) {
                next.push(p + (q - p) * (a / (a - b)));
            }
        }
        polygon = next;
    }
    polygon
}

/// Where the edges of the triangle of one side meet that of the other.
fn add_crossings(
    sides: &[Side<'_>; 2],
    side: usize,
    pair: [u32; 2],
    number: usize,
    found: &mut Vec<Crossing>,
) {
    let (own, other) = (sides[side], sides[1 - side]);
    let (corners, t) = (own.corners_of(pair[side]), other.triangle(pair[1 - side]));
    let signs = corners.map(|corner| orient3d(t.a, t.b, t.c, own.point(corner)));
    if signs[0] != Sign::Zero && signs == [signs[0]; 3] {
        return;
    }
    for k in 0..3 {
        let next = (k + 1) % 3;
        let ends = if corners[k] < corners[next] { [k, next] } else { [next, k] };
        let edge = ends.map(|end| corners[end]);
        if edge[0] == edge[1] {
            continue;
        }
        let (points, signs) = (edge.map(|corner| own.point(corner)), ends.map(|end| signs[end]));
        if let Some((at, way)) = crossing(points, signs, &t, other.corners.faces_outward(pair[1 - side])) {
            found.push(Crossing { side, edge, other: pair[1 - side], at, way, pair: number });
        }
    }
}

/// Where a segment meets a triangle, and which way it goes there, given on which sides of its plane the ends are;
/// infinite if it lies in its plane.
fn crossing(
    [p, q]: [DVec3; 2],
    [above, below]: [Sign; 2],
    t: &Triangle,
    faces_outward: Option<bool>,
) -> Option<(f64, Way)> {
    if above == below && above != Sign::Zero {
        return None;
    }
    let turns = [(t.a, t.b), (t.b, t.c), (t.c, t.a)].map(|(x, y)| orient3d(p, q, x, y));
    let is_clean = above != Sign::Zero && below != Sign::Zero && !turns.contains(&Sign::Zero);
    if is_clean {
        if turns[0] != turns[1] || turns[1] != turns[2] {
            return None;
        }
    } else if !segment_triangle(&Segment { a: p, b: q }, t) {
        return None;
    }
    if above == Sign::Zero && below == Sign::Zero {
        return Some((f64::INFINITY, Way::Along));
    }
    let normal = t.scaled_normal();
    let [high, low] = [p, q].map(|end| normal.dot(end - t.a));
    let at = match (above, below) {
        (Sign::Zero, _) => 0.0,
        (_, Sign::Zero) => 1.0,
        _ => (high / (high - low)).clamp(0.0, 1.0),
    };
    let way = match (is_clean, faces_outward) {
        (true, Some(outward)) if (above == Sign::Positive) == outward => Way::In,
        (true, Some(_)) => Way::Out,
        _ => Way::Unclear,
    };
    Some((if at.is_nan() { 0.5 } else { at }, way))
}

/// Whether an edge is inside between two places, if the ways there settle it; no place is an end of the edge.
fn between(from: Option<&[Crossing]>, to: Option<&[Crossing]>) -> Option<bool> {
    let settled = |place: Option<&[Crossing]>, inward: Way, outward: Way| {
        let place = place?;
        let has = |way: Way| place.iter().any(|c| c.way == way);
        (has(inward) != has(outward)).then(|| has(inward))
    };
    let (first, second) = (settled(from, Way::In, Way::Out), settled(to, Way::Out, Way::In));
    match (first, second) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => a.or(b),
    }
}

fn middle(points: &[DVec3]) -> DVec3 {
    points.iter().map(|p| *p / points.len() as f64).sum()
}

/// How far along a way in a plane a segment of that plane is met, in lengths of the way.
fn along(start: DVec3, way: DVec3, normal: DVec3, [a, b]: [DVec3; 2]) -> Option<f64> {
    let across = normal.cross(way);
    let [from, to] = [a, b].map(|p| across.dot(p - start));
    if (from > 0.0) == (to > 0.0) {
        return None;
    }
    let hit = a + (b - a) * (from / (from - to));
    let length = (hit - start).dot(way) / way.length_squared();
    (length > 0.0).then_some(length)
}
