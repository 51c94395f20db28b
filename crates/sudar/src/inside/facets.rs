//! Points just beside every open region into which a triangle is divided by those that meet it.
//!
//! Every region has a part of a dividing segment, or of an edge of the triangle, on its boundary. Beside the middle
//! of each such part a point of the region is chosen, and above and below it points of the cells on both sides.
//! This is done in `f64`, with every clearance compared with what rounding may have done to it; where one is too
//! small, [`super::facets_exact`] does the same in rational numbers.

use glam::{DVec2, DVec3};

use super::labels::{Flip, Search, counts};
use super::surface::Surface;
use crate::math::predicates::normal_and_size;
use crate::math::{Sign, orient2d};
use crate::pair::flat::{Shadow, shadow_of_plane};
use crate::pair::{interiors_cross, sides, triangles_intersect};
use crate::shape::{Aabb, Segment, Triangle, has_zero_area};

/// A triangle with an area, and what divides it.
pub(super) struct Facet<'a> {
    pub(super) solids: [&'a dyn Surface; 2],
    pub(super) side: usize,
    pub(super) triangle: Triangle,
    /// Its edges, then the edges of others that lie in its plane and pass through its inside, each once.
    pub(super) cuts: Vec<Segment>,
    /// Triangles that pass through it.
    pub(super) crossing: Vec<Triangle>,
    /// The numbers of the triangles of each solid that lie in its plane and meet it, itself included.
    pub(super) coplanar: [Vec<u32>; 2],
}

impl<'a> Facet<'a> {
    /// Triangle `number` of `solids[side]`, which meets the triangles `partners` of the other solid. `None` if it
    /// has no area.
    pub(super) fn new(
        solids: [&'a dyn Surface; 2],
        side: usize,
        number: u32,
        partners: &[u32],
    ) -> Option<Self> {
        if !counts(solids[side], number) {
            return None;
        }
        let triangle = solids[side].triangle(number);
        let edges = [(triangle.a, triangle.b), (triangle.b, triangle.c), (triangle.c, triangle.a)];
        let cuts = edges.map(|(a, b)| ordered(a, b)).to_vec();
        let mut facet = Self { solids, side, triangle, cuts, crossing: vec![], coplanar: [vec![], vec![]] };
        facet.coplanar[side].push(number);
        for &other in partners {
            facet.meet(1 - side, other);
        }
        solids[side].near(&triangle.aabb(), &mut |other| {
            if other != number && triangles_intersect(&triangle, &solids[side].triangle(other)) {
                facet.meet(side, other);
            }
        });
        facet.keep_dividing_cuts();
        Some(facet)
    }

    /// Takes a triangle into account that meets this one.
    fn meet(&mut self, side: usize, number: u32) {
        let other = self.solids[side].triangle(number);
        if has_zero_area(&other) {
            return;
        }
        let corners = other.corners();
        let in_plane = sides(&self.triangle, &corners).map(|s| s == Sign::Zero);
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            if in_plane[i] && in_plane[j] {
                self.cuts.push(ordered(corners[i], corners[j]));
            }
        }
        if in_plane == [true; 3] {
            self.coplanar[side].push(number);
        } else if interiors_cross(&self.triangle, &other) {
            self.crossing.push(other);
        }
    }

    /// Keeps the edges, and of the other cuts one of each that passes through the triangle's inside.
    fn keep_dividing_cuts(&mut self) {
        let shadow = shadow_of_plane(&self.triangle);
        let corners = self.triangle.corners().map(shadow);
        let mut others = self.cuts.split_off(3);
        others.retain(|cut| divides(&corners, shadow(cut.a), shadow(cut.b)));
        others.sort_unstable_by_key(|s| [s.a, s.b].map(|p| p.to_array().map(|x| (x + 0.0).to_bits())));
        others.dedup();
        self.cuts.append(&mut others);
    }

    /// Takes note of the cells on both sides of its regions, except beside those cuts, whose numbers it gives back,
    /// beside which some region is too narrow for `f64`.
    pub(super) fn look(&self, search: &mut Search) -> (Flip, Vec<usize>) {
        let all = 0..self.cuts.len();
        let rounded = if self.crossing.is_empty() { Rounded::new(self) } else { None };
        let Some(rounded) = rounded else {
            return (Flip::No, all.collect());
        };
        if self.cuts.len() == 3 {
            // Undivided: one edge will do.
            let seen = all.clone().find_map(|i| rounded.look_beside(search, i));
            return seen.map_or((Flip::No, vec![0]), |flip| (flip, vec![]));
        }
        let mut flip = Flip::No;
        let mut narrow = vec![];
        for i in all {
            match rounded.look_beside(search, i) {
                Some(seen) => flip = flip.or(seen),
                None => narrow.push(i),
            }
        }
        (flip, narrow)
    }
}

/// Whether a segment has points strictly inside a triangle with an area: no line along one of the four sides leaves
/// them on different sides.
fn divides(corners: &[DVec2; 3], p: DVec2, q: DVec2) -> bool {
    let [a, b, c] = *corners;
    let inside = orient2d(a, b, c);
    let beyond = |from, to| orient2d(from, to, p) != inside && orient2d(from, to, q) != inside;
    let sides = corners.map(|corner| orient2d(p, q, corner));
    let crossed = sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative);
    crossed && !beyond(a, b) && !beyond(b, c) && !beyond(c, a)
}

fn ordered(a: DVec3, b: DVec3) -> Segment {
    if (a.x, a.y, a.z) <= (b.x, b.y, b.z) { Segment { a, b } } else { Segment { a: b, b: a } }
}

/// A facet seen in `f64`.
struct Rounded<'a, 'b> {
    facet: &'a Facet<'b>,
    shadow: Shadow,
    /// Unit normal, its direction off by at most `tilt`.
    normal: DVec3,
    tilt: f64,
    /// More than any coordinate computed here is off by, apart from errors along a cut and of the tilt.
    error: f64,
}

/// A point of a cut where another ends or crosses: its parameter and how far that may be off.
#[derive(Clone, Copy)]
struct Split {
    at: f64,
    off: f64,
}

impl<'a, 'b> Rounded<'a, 'b> {
    fn new(facet: &'a Facet<'b>) -> Option<Self> {
        let t = &facet.triangle;
        let (normal, size) = normal_and_size(t.a, t.b, t.c);
        let length = normal.length();
        let tilt = 8.0 * f64::EPSILON * (size.length() / length + 1.0);
        let reach = facet.cuts.iter().fold(0.0, |m: f64, s| m.max(s.a.abs().max(s.b.abs()).max_element()));
        let sound = (1e-140..1e140).contains(&length) && tilt < 1e-6;
        sound.then(|| Self {
            facet,
            shadow: shadow_of_plane(t),
            normal: normal / length,
            tilt,
            error: 32.0 * f64::EPSILON * reach,
        })
    }

    /// Looks beside all parts of cut `i`; `None` if some region there is too narrow for `f64`.
    fn look_beside(&self, search: &mut Search, i: usize) -> Option<Flip> {
        let mut flip = Flip::No;
        let (splits, on_line) = self.splits(i)?;
        for pair in splits.windows(2) {
            let middle = pair[0].at.midpoint(pair[1].at);
            flip = flip.or(self.look_beside_part(search, i, middle, &on_line)?);
        }
        Some(flip)
    }

    /// Where cut `i` begins, is met by others, and ends, in order; and for each cut whether it lies on the same line.
    fn splits(&self, i: usize) -> Option<(Vec<Split>, Vec<bool>)> {
        let cuts = &self.facet.cuts;
        let cut = &cuts[i];
        let mut splits = vec![self.split_at_point(cut, cut.a), self.split_at_point(cut, cut.b)];
        let mut on_line = vec![false; cuts.len()];
        on_line[i] = true;
        for (k, other) in cuts.iter().enumerate() {
            if k != i {
                on_line[k] = self.add_splits(cut, other, &mut splits);
            }
        }
        splits.retain(|s| (0.0..=1.0).contains(&s.at));
        splits.sort_unstable_by(|s, t| s.at.total_cmp(&t.at));
        splits.dedup_by(|s, t| s.at == t.at);
        let distinct = splits.windows(2).all(|w| w[1].at - w[0].at > 2.0 * (w[0].off + w[1].off));
        distinct.then_some((splits, on_line))
    }

    /// Adds where `other` meets `cut`; gives whether it lies on the same line.
    fn add_splits(&self, cut: &Segment, other: &Segment, splits: &mut Vec<Split>) -> bool {
        let f = self.shadow;
        let [a, b, c, d] = [cut.a, cut.b, other.a, other.b].map(f);
        let (side_c, side_d) = (orient2d(a, b, c), orient2d(a, b, d));
        for (side, end) in [(side_c, other.a), (side_d, other.b)] {
            if side == Sign::Zero {
                splits.push(self.split_at_point(cut, end));
            }
        }
        if side_c == Sign::Zero || side_d == Sign::Zero {
            return side_c == side_d;
        }
        let (side_a, side_b) = (orient2d(c, d, a), orient2d(c, d, b));
        if side_c != side_d && side_a != side_b && side_a != Sign::Zero && side_b != Sign::Zero {
            splits.push(split_at_crossing(a, b, c, d));
        }
        false
    }

    /// The parameter of a point on the line of a cut; 0 and 1 exactly for its ends.
    fn split_at_point(&self, cut: &Segment, p: DVec3) -> Split {
        let along = cut.b - cut.a;
        let square = along.dot(along);
        Split { at: (p - cut.a).dot(along) / square, off: self.error / square.sqrt() }
    }

    /// Looks above and below the regions on both sides of a cut at one parameter.
    fn look_beside_part(&self, search: &mut Search, i: usize, at: f64, on_line: &[bool]) -> Option<Flip> {
        let cut = &self.facet.cuts[i];
        let middle = cut.a + (cut.b - cut.a) * at;
        if self.is_beyond(middle) {
            return Some(Flip::No);
        }
        let others = self.facet.cuts.iter().zip(on_line).filter(|(_, on_line)| !**on_line);
        let room =
            others.map(|(s, _)| distance_to_segment(middle, s)).fold(f64::INFINITY, f64::min) - self.error;
        let across = self.normal.cross(cut.b - cut.a).normalize_or_zero();
        if room < 64.0 * self.error || across == DVec3::ZERO {
            return None;
        }
        let mut flip = Flip::No;
        for away in [across, -across] {
            let point = middle + away * (room / 2.0);
            if self.holds(point) {
                // A small part of the room will do, and meets fewer triangles.
                let part = (room / 64.0).max(4096.0 * self.error).min(room / 2.0);
                flip = flip.or(self.look_on_both_sides(search, point, part, room)?);
            }
        }
        Some(flip)
    }

    /// Whether the triangle's shadow strictly holds that of the point.
    fn holds(&self, point: DVec3) -> bool {
        self.covers(&self.facet.triangle, point)
    }

    /// Whether the shadow of a triangle in the plane strictly holds that of the point.
    fn covers(&self, t: &Triangle, point: DVec3) -> bool {
        let f = self.shadow;
        let [a, b, c] = t.corners().map(f);
        let inside = orient2d(a, b, c);
        [(a, b), (b, c), (c, a)].iter().all(|&(u, v)| orient2d(u, v, f(point)) == inside)
    }

    /// Whether the point is so far from the triangle that rounding does not matter.
    fn is_beyond(&self, point: DVec3) -> bool {
        lower_bound(point, &self.facet.triangle) > 64.0 * self.error
    }

    /// Looks above and below a point of a region that is at least `room` from the region's boundary, and at most
    /// `shift` from where it was known to be in the plane.
    fn look_on_both_sides(&self, search: &mut Search, point: DVec3, room: f64, shift: f64) -> Option<Flip> {
        // How far the point may be off the plane.
        let off = shift * self.tilt + self.error;
        let room = self.clearance(point, room) - off;
        if room < 16.0 * off {
            return None;
        }
        let step = self.normal * (room / 2.0);
        let above = search.look_at(&(point + step))?;
        // On the way through the plane only triangles that lie in it are crossed.
        let below = [0, 1].map(|side| above[side] ^ self.is_crossed_oddly(side, point));
        search.note(below);
        Some(search.compare_sides(self.facet.side, above, below))
    }

    /// Whether an odd number of triangles of one solid lies in the plane around the point.
    fn is_crossed_oddly(&self, side: usize, point: DVec3) -> bool {
        let solid = self.facet.solids[side];
        let covers = |&&i: &&u32| self.covers(&solid.triangle(i), point);
        self.facet.coplanar[side].iter().filter(covers).count() % 2 == 1
    }

    /// A lower bound of the distance from the point to all triangles but those in the plane, at most `room`.
    fn clearance(&self, point: DVec3, room: f64) -> f64 {
        let region = Aabb { min: point, max: point }.grown(room);
        let mut least = room;
        for (solid, coplanar) in self.facet.solids.iter().zip(&self.facet.coplanar) {
            solid.near(&region, &mut |i| {
                let t = solid.triangle(i);
                if !coplanar.contains(&i) && !has_zero_area(&t) {
                    least = least.min(lower_bound(point, &t) - self.error);
                }
            });
        }
        least
    }
}

/// The parameter along `a`–`b` where `c`–`d` crosses it.
fn split_at_crossing(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Split {
    let (v, p, q) = (d - c, a - c, b - c);
    let (h, k) = (v.perp_dot(p), v.perp_dot(q));
    let size = |w: DVec2| (v.x * w.y).abs() + (v.y * w.x).abs();
    // Each height is off by at most 4ε times its permanent.
    let bound = 4.0 * f64::EPSILON * size(p).max(size(q));
    Split { at: h / (h - k), off: 2.0 * bound / (h - k).abs() + 4.0 * f64::EPSILON }
}

/// The distance from a point to a segment; rounding adds less than 16 ulps of the largest coordinate.
fn distance_to_segment(p: DVec3, s: &Segment) -> f64 {
    let along = s.b - s.a;
    let t = ((p - s.a).dot(along) / along.dot(along)).clamp(0.0, 1.0);
    p.distance(s.a + along * t)
}

/// A lower bound of the distance from a point to a triangle, up to rounding of a few ulps of the largest coordinate:
/// how far a plane between both is from the point. The best of the planes through faces, edges and corners.
pub(super) fn lower_bound(p: DVec3, t: &Triangle) -> f64 {
    let corners = t.corners();
    let beyond = |direction: DVec3| {
        let length = direction.length();
        if length == 0.0 {
            return 0.0;
        }
        let height = |c: DVec3| (p - c).dot(direction) / length;
        corners.map(height).into_iter().fold(f64::INFINITY, f64::min)
    };
    let normal = t.scaled_normal();
    let mut best = beyond(normal).max(beyond(-normal));
    for (a, b) in [(t.a, t.b), (t.b, t.c), (t.c, t.a)] {
        let along = b - a;
        let s = ((p - a).dot(along) / along.dot(along)).clamp(0.0, 1.0);
        best = best.max(beyond(p - (a + along * s)));
    }
    best
}
