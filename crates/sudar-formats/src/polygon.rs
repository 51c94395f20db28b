//! Polygons to triangles: a polygon of n ≥ 3 corners always gives n − 2.
//!
//! A convex polygon is a fan from its first corner. Any other is cut by ears (G. H. Meisters 1975, "Polygons have
//! ears") in the coordinate plane its normal (M. E. Newell's, from Sutherland, Sproull and Schumacker 1974,
//! "A characterization of ten hidden-surface algorithms") leans to most. Leaving one coordinate out rounds
//! nothing, so that the exact `orient2d` decides on the polygon as it is in the file. Holes bridged by a pair of
//! coincident edges are cut rightly too.

use std::cmp::Ordering;

use sudar::math::{Sign, orient2d};
use sudar::{DVec3, glam::DVec2};

use crate::grid::Grid;

/// Steps that may be spent on searching ears in a whole file, before what is left of a polygon becomes a fan. A step
/// is a comparison of boxes.
///
/// Only corners near a triangle are tested, so that polygons of a hundred thousand corners use a fraction of
/// it; n² at worst. The budget bounds the time for any file to a few seconds, some tens for hostile ones.
const BUDGET: u64 = 200_000_000;
/// Steps for the exact predicates on one corner, nearly degenerate as hostile files have them.
const PRICE: u64 = 4;
/// The same where numbers differ so much in size that only rational arithmetic is exact.
const WILD_PRICE: u64 = 20_000;
/// Least to greatest coordinate (other than zero) from which on a polygon is wild.
const WILD_RATIO: f64 = 1e-100;

/// Corners tested exactly for each corner of one polygon, so that small polygons cannot use up the budget.
const LOOKS: u64 = 2500;

/// Cuts polygons; holds the memory for it between one and the next.
#[derive(Debug)]
pub(crate) struct Splitter {
    budget: u64,
    flat: Vec<DVec2>,
    previous: Vec<u32>,
    next: Vec<u32>,
    grid: Grid,
    price: u64,
}

/// What an exact predicate on corners costs, in steps.
pub(crate) fn price(corners: impl Iterator<Item = DVec2>) -> u64 {
    let sizes = corners.flat_map(|p| p.abs().to_array()).filter(|&x| x > 0.0);
    let range = |[least, greatest]: [f64; 2], x: f64| [least.min(x), greatest.max(x)];
    let [least, greatest] = sizes.fold([f64::INFINITY, 0.0], range);
    if least < WILD_RATIO * greatest { WILD_PRICE } else { PRICE }
}

/// In place of the next corner of one that has been cut off.
const GONE: u32 = u32::MAX;

impl Default for Splitter {
    fn default() -> Self {
        let (previous, next) = (Vec::new(), Vec::new());
        Self { budget: BUDGET, flat: Vec::new(), previous, next, grid: Grid::default(), price: PRICE }
    }
}

impl Splitter {
    /// Appends the n − 2 triangles of a polygon with n ≥ 3 corners, wound as it is.
    ///
    /// False if some of them cannot be wound so, because the polygon crosses itself (not every crossing shows),
    /// or if the budget ran out: what was not cut is a fan.
    pub fn split(&mut self, corners: &[u32], vertices: &[DVec3], out: &mut Vec<[u32; 3]>) -> bool {
        if let &[a, b, c] = corners {
            out.push([a, b, c]);
            return true;
        }
        self.flatten(corners, vertices);
        let is_affordable = self.set_price();
        if !is_affordable || self.is_convex() {
            out.extend(corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]));
            return is_affordable;
        }
        let allowed = self.budget.min(LOOKS * self.price * corners.len() as u64);
        let kept = std::mem::replace(&mut self.budget, allowed) - allowed;
        let clean = self.cut(|[a, b, c]| out.push([a, b, c].map(|i| corners[i as usize])));
        self.budget += kept;
        clean
    }

    /// Projects the corners so that they run counter-clockwise where the polygon has an area.
    fn flatten(&mut self, corners: &[u32], vertices: &[DVec3]) {
        let corner = |i: usize| vertices[corners[i] as usize];
        let normal = newell(corners.len(), corner);
        let size = normal.abs();
        let axis = if size.z >= size.x && size.z >= size.y {
            2
        } else if size.y >= size.x {
            1
        } else {
            0
        };
        let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
        if normal[axis] < 0.0 {
            (u, v) = (v, u);
        }
        self.flat.clear();
        self.flat.extend((0..corners.len()).map(corner).map(|p| DVec2::new(p[u], p[v])));
    }

    /// Finds what a corner costs; false if the budget is too small to look at a wild polygon at all.
    fn set_price(&mut self) -> bool {
        self.price = price(self.flat.iter().copied());
        self.price == PRICE || self.spend(self.price * self.flat.len() as u64)
    }

    /// Whether no corner turns right and the fan from the first turns left within half a turn.
    fn is_convex(&self) -> bool {
        let n = self.flat.len();
        let left = |a: usize, b: usize, c: usize| {
            orient2d(self.flat[a % n], self.flat[b % n], self.flat[c % n]) != Sign::Negative
        };
        (0..n).all(|i| left(i, i + 1, i + 2) && left(0, i, i + 1) && left(0, 1, i))
    }

    /// Cuts ears until a triangle is left; what has none becomes a fan.
    fn cut(&mut self, mut emit: impl FnMut([u32; 3])) -> bool {
        let n = self.flat.len() as u32;
        self.link(n);
        let (mut i, mut left, mut misses) = (0, n, 0);
        while left > 3 {
            if misses == left {
                match self.find_flat(i) {
                    Some(flat) => i = flat,
                    None => {
                        self.fan(i, &mut emit);
                        return false;
                    }
                }
            } else if !self.is_ear(i) {
                misses += 1;
                i = self.next[i as usize];
                continue;
            }
            let (before, after) = (self.previous[i as usize], self.next[i as usize]);
            emit([before, i, after]);
            self.unlink(i);
            (left, misses) = (left - 1, 0);
            // Going on beyond the neighbour avoids a row of slivers.
            i = self.next[after as usize];
        }
        self.fan(i, &mut emit);
        self.turn(i) != Sign::Negative
    }

    /// Emits the fan of what is left, from corner `first`.
    fn fan(&self, first: u32, emit: &mut impl FnMut([u32; 3])) {
        let mut b = self.next[first as usize];
        let mut c = self.next[b as usize];
        while c != first {
            emit([first, b, c]);
            (b, c) = (c, self.next[c as usize]);
        }
    }

    fn link(&mut self, n: u32) {
        self.next.clear();
        self.next.extend((1..n).chain([0]));
        self.previous.clear();
        self.previous.extend([n - 1].into_iter().chain(0..n - 1));
        let blockers = self.blockers(n);
        self.grid.fill(&self.flat, &blockers);
    }

    fn unlink(&mut self, i: u32) {
        let (before, after) = (self.previous[i as usize], self.next[i as usize]);
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        self.next[i as usize] = GONE;
    }

    /// The first corner from `start` on that lies on a line with its neighbours: its triangle has no area.
    fn find_flat(&mut self, start: u32) -> Option<u32> {
        let mut i = start;
        while self.spend(self.price) {
            if self.turn(i) == Sign::Zero {
                return Some(i);
            }
            i = self.next[i as usize];
            if i == start {
                break;
            }
        }
        None
    }

    /// Whether corner `i` turns left and nothing of the polygon reaches into its triangle.
    fn is_ear(&mut self, i: u32) -> bool {
        if !self.spend(self.price) || self.turn(i) != Sign::Positive {
            return false;
        }
        let (before, after) = (self.previous[i as usize], self.next[i as usize]);
        let triangle = [self.at(before), self.at(i), self.at(after)];
        let [a, b, c] = triangle;
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        let is_in_box = |p: DVec2| p.cmpge(min).all() && p.cmple(max).all();
        let mut steps = 0;
        let mut is_free = true;
        'search: for row in self.grid.near(min, max) {
            steps += 1 + row.len() as u64;
            for &other in row {
                let is_own = other == before || other == i || other == after;
                if is_own || self.next[other as usize] == GONE || !is_in_box(self.at(other)) {
                    continue;
                }
                steps += self.price;
                if self.blocks(other, triangle) {
                    is_free = false;
                    break 'search;
                }
            }
        }
        self.spend(steps) && is_free
    }

    /// The corners that can be in the way of an ear: those that do not turn left, and those that share their place.
    /// Cutting ears turns no other into one.
    fn blockers(&self, n: u32) -> Vec<u32> {
        let key = |i: u32| (self.at(i).x, self.at(i).y);
        let mut sorted: Vec<u32> = (0..n).collect();
        sorted.sort_by(|&i, &j| key(i).partial_cmp(&key(j)).unwrap_or(Ordering::Equal).then(i.cmp(&j)));
        let shares = |k: usize| {
            let next_to = [k.checked_sub(1), Some(k + 1)];
            next_to
                .into_iter()
                .flatten()
                .filter_map(|m| sorted.get(m))
                .any(|&m| self.at(m) == self.at(sorted[k]))
        };
        let blocks = |&k: &usize| self.turn(sorted[k]) != Sign::Positive || shares(k);
        (0..sorted.len()).filter(blocks).map(|k| sorted[k]).collect()
    }

    /// Whether the polygon reaches into the triangle at corner `i`, which lies in its box.
    fn blocks(&self, i: u32, [a, b, c]: [DVec2; 3]) -> bool {
        let p = self.at(i);
        for [tip, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
            if p == tip {
                return self.enters(i, tip, from, to);
            }
        }
        let inside = |p, q, r| orient2d(p, q, r) != Sign::Negative;
        // A corner that turns left has the polygon's inside within it: some other one is in the triangle too.
        inside(a, b, p) && inside(b, c, p) && inside(c, a, p) && self.turn(i) != Sign::Positive
    }

    /// Whether an edge at corner `i`, which lies on `tip`, runs strictly between the directions to `from` and `to`.
    fn enters(&self, i: u32, tip: DVec2, from: DVec2, to: DVec2) -> bool {
        [self.previous[i as usize], self.next[i as usize]].into_iter().any(|k| {
            let end = self.at(k);
            orient2d(tip, from, end) == Sign::Positive && orient2d(tip, end, to) == Sign::Positive
        })
    }

    /// Which way the polygon turns at corner `i`.
    fn turn(&self, i: u32) -> Sign {
        orient2d(self.at(self.previous[i as usize]), self.at(i), self.at(self.next[i as usize]))
    }

    fn at(&self, i: u32) -> DVec2 {
        self.flat[i as usize]
    }

    /// Takes from the budget; false if it is used up.
    fn spend(&mut self, steps: u64) -> bool {
        self.budget = self.budget.saturating_sub(steps);
        self.budget > 0
    }
}

/// Twice the polygon's vector area, from differences to the first corner so that distance costs no digits.
fn newell(n: usize, corner: impl Fn(usize) -> DVec3) -> DVec3 {
    let origin = corner(0);
    (1..n - 1).map(|i| (corner(i) - origin).cross(corner(i + 1) - origin)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(points: &[DVec3]) -> (Vec<[u32; 3]>, bool) {
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut out = Vec::new();
        let clean = Splitter::default().split(&corners, points, &mut out);
        (out, clean)
    }

    fn in_plane(flat: &[(i32, i32)]) -> Vec<DVec3> {
        flat.iter().map(|&(x, y)| DVec3::new(f64::from(x), f64::from(y), f64::from(x + 2 * y))).collect()
    }

    /// Twice the areas of the projections along z, signed. Exact for small integers.
    fn areas(points: &[DVec3], triangles: &[[u32; 3]]) -> Vec<f64> {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize].truncate());
            (b - a).perp_dot(c - a)
        };
        triangles.iter().map(area).collect()
    }

    /// Twice the polygon's area by the shoelace formula.
    fn shoelace(points: &[DVec3]) -> f64 {
        let n = points.len();
        (0..n).map(|i| points[i].truncate().perp_dot(points[(i + 1) % n].truncate())).sum()
    }

    /// A simple polygon is covered once: all triangles wound as it is, and their areas add up to its own.
    fn assert_covered(flat: &[(i32, i32)]) {
        for turn in 0..flat.len() {
            let mut flat = flat.to_vec();
            flat.rotate_left(turn);
            for reversed in [false, true] {
                if reversed {
                    flat.reverse();
                }
                let points = in_plane(&flat);
                let (triangles, clean) = split(&points);
                assert_eq!(triangles.len(), points.len() - 2);
                assert!(clean, "{flat:?}");
                let (areas, whole) = (areas(&points, &triangles), shoelace(&points));
                assert!(areas.iter().all(|a| a * whole >= 0.0), "{flat:?}: {triangles:?}");
                assert_eq!(areas.iter().sum::<f64>(), whole, "{flat:?}");
            }
        }
    }

    #[test]
    fn a_convex_polygon_is_a_fan_from_its_first_corner() {
        let (triangles, clean) = split(&in_plane(&[(0, 0), (2, 0), (3, 1), (2, 2), (0, 2)]));
        assert!(clean);
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    #[test]
    fn concave_polygons_are_covered_once() {
        assert_covered(&[(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]);
        assert_covered(&[(0, 0), (1, 1), (2, 0), (2, 2), (0, 2)]);
        // A comb with flat corners.
        assert_covered(&[(0, 0), (3, 0), (6, 0), (6, 5), (5, 1), (4, 5), (3, 1), (2, 5), (1, 1), (0, 5)]);
        // A spiral.
        assert_covered(&[(0, 0), (9, 0), (9, 9), (2, 9), (2, 4), (4, 4), (4, 7), (7, 7), (7, 2), (0, 2)]);
    }

    #[test]
    fn a_hole_joined_by_a_bridge_stays_open() {
        // A square of side 9 with a hole of side 3, joined at (0, 0)–(3, 3): area 72, twice that is 144.
        let ring = [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0), (3, 3), (3, 6), (6, 6), (6, 3), (3, 3)];
        assert_eq!(shoelace(&in_plane(&ring)), 144.0);
        assert_covered(&ring);
        // Two holes, the bridge to the second from the first.
        assert_covered(&[
            (0, 0),
            (9, 0),
            (9, 9),
            (0, 9),
            (0, 0),
            (1, 1),
            (1, 3),
            (3, 3),
            (5, 5),
            (5, 7),
            (7, 7),
            (7, 5),
            (5, 5),
            (3, 3),
            (3, 1),
            (1, 1),
        ]);
    }

    #[test]
    fn polygons_that_cross_themselves_still_give_their_triangles() {
        let pentagram = [(0, 30), (-18, -24), (29, 9), (-29, 9), (18, -24)];
        assert_eq!(split(&in_plane(&pentagram)).0.len(), 3);
        let (triangles, clean) = split(&in_plane(&[(0, 0), (4, 4), (4, 0), (0, 3)]));
        assert_eq!((triangles.len(), clean), (2, false));
    }

    #[test]
    fn a_polygon_on_a_line_or_point_still_gives_its_triangles() {
        assert_eq!(split(&in_plane(&[(0, 0), (5, 5), (2, 2), (9, 9), (1, 1)])).0.len(), 3);
        assert_eq!(split(&[DVec3::ONE; 7]).0.len(), 5);
    }

    #[test]
    fn huge_and_tiny_coordinates_do_not_matter() {
        for scale in [1e-80, 1e80] {
            let points: Vec<DVec3> =
                in_plane(&[(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]).iter().map(|p| *p * scale).collect();
            let (triangles, clean) = split(&points);
            assert!(clean && areas(&points, &triangles).iter().all(|&a| a > 0.0));
        }
    }

    #[test]
    fn a_hundred_thousand_corners_are_within_the_budget() {
        let n = 100_000u32;
        let corner = |i: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
            let r = 1.0 + f64::from(i * 7919 % 101) / 202.0;
            DVec3::new(r * cos, r * sin, 0.0)
        };
        let points: Vec<DVec3> = (0..n).map(corner).collect();
        let (triangles, clean) = split(&points);
        assert_eq!((triangles.len(), clean), (99_998, true));
        assert!(areas(&points, &triangles).iter().all(|&a| a >= 0.0));
    }

    #[test]
    fn the_budget_ends_the_search_and_not_the_triangles() {
        let points = in_plane(&[(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]);
        let mut splitter = Splitter { budget: 3, ..Splitter::default() };
        let mut out = Vec::new();
        assert!(!splitter.split(&[0, 1, 2, 3, 4], &points, &mut out));
        assert_eq!(out.len(), 3);
    }

    fn assert_ends_in_time(points: &[DVec3]) {
        let start = std::time::Instant::now();
        assert_eq!(split(points).0.len(), points.len() - 2);
        // A few seconds on an idle machine.
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }

    #[test]
    fn a_line_to_rounding_visited_back_and_forth_ends_in_time() {
        let along = |i: u32| f64::from(i * 7919 % 20_011) / 3.0;
        let corner = |i: u32| DVec3::new(along(i), along(i) * 0.7, 0.0);
        assert_ends_in_time(&(0..20_000).map(corner).collect::<Vec<_>>());
        // The same with numbers that only rational arithmetic can compare.
        let wild = |i: u32| corner(i) * if i.is_multiple_of(2) { 1.0 } else { 1e-200 };
        assert_ends_in_time(&(0..20_000).map(wild).collect::<Vec<_>>());
    }

    /// Found by fuzzing: each ear is blocked by another visit to its corners, so that all are tried again and again.
    #[test]
    fn a_face_over_the_same_few_corners_again_and_again_ends_in_time() {
        let corner = |i: u32| {
            let k = (i / 4 * 5 + i * i % 7) % 8;
            DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))
        };
        assert_ends_in_time(&(0..3_000).map(corner).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn any_polygon_gives_two_less_than_its_corners(flat in prop::collection::vec((-4..5, -4..5), 3..14)) {
            let points = in_plane(&flat);
            prop_assert_eq!(split(&points).0.len(), points.len() - 2);
        }

        /// Points sorted by angle around a centre make a star-shaped polygon, which is simple.
        #[test]
        fn star_shaped_polygons_are_covered_once(radii in prop::collection::vec(1..50i32, 4..40)) {
            let n = radii.len() as f64;
            let corner = |(i, &r): (usize, &i32)| {
                let (sin, cos) = (std::f64::consts::TAU * i as f64 / n).sin_cos();
                let r = f64::from(r) * 1000.0;
                ((r * cos).round() as i32, (r * sin).round() as i32)
            };
            let flat: Vec<(i32, i32)> = radii.iter().enumerate().map(corner).collect();
            let points = in_plane(&flat);
            let (triangles, clean) = split(&points);
            prop_assert!(clean);
            let areas = areas(&points, &triangles);
            prop_assert!(areas.iter().all(|&a| a >= 0.0));
            prop_assert_eq!(areas.iter().sum::<f64>(), shoelace(&points));
        }
    }
}
