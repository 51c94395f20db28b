//! Two leaves: bounds on the distance of each pair of their triangles.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DVec3, Vec3};

use super::leaf_kernel::{EightPairs, eight_gaps, eight_pairs};
use super::obb_pair::{Below, ObbPair, Pair, PairBounds, Place};
use super::obb_wide::point_error;
use crate::math::simd::dispatch;
use crate::pair::{closest_point_triangle, disjoint_triangle_distance};
use crate::shape::Triangle;
use crate::tree::lanes::Lanes3;
use crate::tree::oriented::OrientedBox;
use crate::tree::pairs::frame::STORED;
use crate::tree::wide::{LEAF_SIZE, WideTree};

/// A pair of triangles that may be the nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Their distance in the world is not below this.
    pub lower: f64,
    /// Nor above this.
    pub upper: f64,
    /// Their numbers in the meshes.
    pub triangles: [u32; 2],
    /// About the direction from the first to the second, along the axes of the first body.
    pub way: DVec3,
}

/// Pairs of triangles that wait to be tested eight at a time, see [`ObbPair::leaves`].
#[derive(Debug, Clone, Default)]
pub struct Pending {
    /// As they are stored.
    first: UpToEight,
    /// Those of them that may be near, in one frame.
    second: UpToEight,
}

/// Up to seven pairs of triangles and room for an eighth.
#[derive(Debug, Clone, Default)]
struct UpToEight {
    corners: EightPairs,
    triangles: [[u32; 2]; 8],
    count: usize,
}

impl Pending {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.first.count == 0 && self.second.count == 0
    }
}

/// Where the corners of a leaf are, and how many triangles it has.
#[derive(Clone, Copy)]
pub struct Leaf<'a> {
    corners: &'a [f32],
    triangles: &'a [u32],
}

impl<'a> Leaf<'a> {
    #[inline(always)]
    pub fn of(tree: &'a WideTree, first: u32, count: u8) -> Self {
        let (first, count) = (first as usize, count as usize);
        Self { corners: &tree.corners[9 * first..], triangles: &tree.order[first..first + count] }
    }

    /// The corners of a triangle.
    #[inline(always)]
    pub fn triangle(&self, i: usize) -> [DVec3; 3] {
        let at = |row: usize| f64::from(self.corners[row * self.triangles.len() + i]);
        [0, 3, 6].map(|row| DVec3::new(at(row), at(row + 1), at(row + 2)))
    }
}

impl UpToEight {
    /// Adds a triangle of either leaf.
    #[inline(always)]
    fn add(&mut self, (a, i): (Leaf, usize), (b, j): (Leaf, usize)) {
        let lane = self.count;
        self.triangles[lane] = [a.triangles[i], b.triangles[j]];
        self.count += 1;
        for (side, leaf, i) in [(0, a, i), (1, b, j)] {
            let n = leaf.triangles.len();
            for row in 0..9 {
                self.corners[side][row][lane] = leaf.corners[row * n + i];
            }
        }
    }

    /// Adds a pair from among eight others.
    #[inline(always)]
    fn take(&mut self, from: &EightPairs, triangles: [u32; 2], lane: usize) {
        self.triangles[self.count] = triangles;
        for (to, from) in self.corners.iter_mut().zip(from) {
            for (to, from) in to.iter_mut().zip(from) {
                to[self.count] = from[lane];
            }
        }
        self.count += 1;
    }
}

impl ObbPair<'_> {
    /// Bounds for the pairs of triangles of two leaves, less those that are certainly farther apart than `upper`, to
    /// `found`; nothing for a pair of places that are not both leaves.
    ///
    /// Up to fourteen pairs stay pending, for company, until [`ObbPair::flush`]. `way` is any direction, best
    /// one in which surfaces hereabouts are apart: pairs that are far apart along it need not be tested.
    pub fn leaves(
        &self,
        pair: Pair,
        way: DVec3,
        upper: f64,
        pending: &mut Pending,
        found: &mut Vec<Candidate>,
    ) {
        let Some([a, b]) = self.two_leaves(pair) else { return };
        let way = way.try_normalize().unwrap_or(DVec3::X);
        let masks = if self.near {
            let along = TooFar {
                way: way.as_vec3(),
                way_b: (self.turn.transpose() * way).as_vec3(),
                shift: self.shift.dot(way) as f32,
                scale: [self.scale_a as f32, self.scale_b as f32],
                most: (self.working(upper) as f32).next_up() + self.slack.corners,
            };
            dispatch!(self.level, simd => not_far_along(simd, a, b, &along))
        } else {
            self.not_far_along_wide(a, b, way, upper)
        };
        self.leaves_where([a, b], &masks, upper, pending, found);
    }

    /// The leaves of a pair of places, if both are.
    #[inline(always)]
    pub fn two_leaves(&self, pair: Pair) -> Option<[Leaf<'_>; 2]> {
        match (self.a.below(pair.a), self.b.below(pair.b)) {
            (Below::Leaf(first_a, count_a), Below::Leaf(first_b, count_b)) => {
                Some([Leaf::of(self.a.tree, first_a, count_a), Leaf::of(self.b.tree, first_b, count_b)])
            }
            (Below::Node(_), _) | (_, Below::Node(_)) => None,
        }
    }

    /// [`ObbPair::leaves`] of the pairs whose bit is set in the mask of the first of them.
    #[inline(always)]
    pub fn leaves_where(
        &self,
        [a, b]: [Leaf<'_>; 2],
        masks: &[u32; LEAF_SIZE],
        upper: f64,
        pending: &mut Pending,
        found: &mut Vec<Candidate>,
    ) {
        for (i, &mask) in masks.iter().enumerate().take(a.triangles.len()) {
            for j in (0..b.triangles.len()).filter(|j| mask >> j & 1 == 1) {
                pending.first.add((a, i), (b, j));
                if pending.first.count == 8 {
                    self.flush_first(upper, pending, found);
                }
            }
        }
    }

    /// Bounds for the pairs that are pending, less those farther apart than `upper`.
    pub fn flush(&self, upper: f64, pending: &mut Pending, found: &mut Vec<Candidate>) {
        self.flush_first(upper, pending, found);
        self.flush_second(upper, &mut pending.second, found);
    }

    /// Leaves those that may be near to the second look.
    fn flush_first(&self, upper: f64, pending: &mut Pending, found: &mut Vec<Candidate>) {
        let Pending { first, second, .. } = pending;
        if !self.near {
            for lane in 0..first.count {
                let (bounds, way) = self.wide_pair(&first.corners, lane);
                self.consider(first.triangles[lane], bounds, way, upper, found);
            }
        } else if first.count > 0 {
            let most = (self.working(upper) as f32).next_up();
            let (placed, gaps) =
                dispatch!(self.level, simd => placed_pairs(simd, &first.corners, &Placing::of(self)));
            for lane in (0..first.count).filter(|&lane| gaps[lane] <= most) {
                second.take(&placed, first.triangles[lane], lane);
                if second.count == 8 {
                    self.flush_second(upper, second, found);
                }
            }
        }
        first.count = 0;
    }

    fn flush_second(&self, upper: f64, pairs: &mut UpToEight, found: &mut Vec<Candidate>) {
        if pairs.count == 0 {
            return;
        }
        let slack = self.slack.corners;
        let ways = dispatch!(self.level, simd => eight_pairs(simd, &pairs.corners, slack));
        for lane in 0..pairs.count {
            let [x, y, z] = &ways.way;
            let way = DVec3::new(x[lane].into(), y[lane].into(), z[lane].into());
            let bounds = [ways.lower[lane].into(), ways.upper[lane].into()];
            self.consider(pairs.triangles[lane], bounds, way, upper, found);
        }
        pairs.count = 0;
    }

    #[inline(always)]
    fn consider(
        &self,
        triangles: [u32; 2],
        [lower, least]: [f64; 2],
        way: DVec3,
        upper: f64,
        found: &mut Vec<Candidate>,
    ) {
        let lower = self.world_lower(lower);
        if lower <= upper {
            found.push(Candidate { lower, upper: self.world_upper(least), triangles, way });
        }
    }

    /// The corners of triangle `i` of a leaf of a, and of b, in `f64` along the axes of a.
    #[inline(always)]
    fn triangle_of_a(&self, leaf: Leaf, i: usize) -> [DVec3; 3] {
        leaf.triangle(i).map(|p| p * self.scale_a)
    }

    #[inline(always)]
    fn triangle_of_b(&self, leaf: Leaf, i: usize) -> [DVec3; 3] {
        leaf.triangle(i).map(|p| self.turn * (p * self.scale_b) + self.shift)
    }

    /// What corners are off by in `f64`, of both bodies: they are stored in `f32`.
    pub fn slack_wide(&self) -> f64 {
        4.0 * f64::from(STORED) * (self.scale_a + self.scale_b) + self.rounding
    }

    /// [`not_far_along`] in `f64`.
    fn not_far_along_wide(&self, a: Leaf, b: Leaf, way: DVec3, upper: f64) -> [u32; 8] {
        let most = self.working(upper) * way.length() + self.slack_wide();
        let mut low = [0.0; 8];
        for (j, low) in low.iter_mut().enumerate().take(b.triangles.len()) {
            let [x, y, z] = self.triangle_of_b(b, j).map(|p| way.dot(p));
            *low = x.min(y).min(z);
        }
        let mut masks = [0; 8];
        for (i, mask) in masks.iter_mut().enumerate().take(a.triangles.len()) {
            let [x, y, z] = self.triangle_of_a(a, i).map(|p| way.dot(p));
            let limit = x.max(y).max(z) + most;
            *mask = (0..8).fold(0, |bits, j| bits | u32::from(low[j] <= limit) << j);
        }
        masks
    }

    /// Bounds for the children of a node of a and the triangles of a leaf of b.
    pub fn against_triangles_of_b(&self, a: u32, b: Place, found: &mut Vec<PairBounds>) {
        let Below::Leaf(first, count) = self.b.below(b) else { return };
        let leaf = Leaf::of(self.b.tree, first, count);
        let triangles = Triangles::of(leaf, self.b.triangle_below(b), |i| self.triangle_of_b(leaf, i));
        for place in self.a.places(a) {
            let bounds = triangles.bounds(&self.a.turned_box(place), self.scale_a);
            found.push(self.with_slack(Pair { a: place, b }, bounds));
        }
    }

    /// Bounds for the triangles of a leaf of a and the children of a node of b.
    pub fn against_triangles_of_a(&self, a: Place, b: u32, found: &mut Vec<PairBounds>) {
        let Below::Leaf(first, count) = self.a.below(a) else { return };
        let leaf = Leaf::of(self.a.tree, first, count);
        let back = |i: usize| self.triangle_of_a(leaf, i).map(|p| self.back * (p - self.shift));
        let triangles = Triangles::of(leaf, self.a.triangle_below(a), back);
        for place in self.b.places(b) {
            let bounds = triangles.bounds(&self.b.turned_box(place), self.scale_b);
            found.push(self.with_slack(Pair { a, b: place }, bounds));
        }
    }

    fn with_slack(&self, pair: Pair, [lower, upper]: [f64; 2]) -> PairBounds {
        let slack = self.slack_wide();
        let point_error = point_error(self.scale_a, self.scale_b);
        PairBounds {
            pair,
            lower: self.world_lower(lower - slack),
            upper: self.world_upper(upper + slack + point_error),
        }
    }

    /// Bounds for the triangles of a pair that is pending, in `f64`.
    fn wide_pair(&self, pairs: &EightPairs, lane: usize) -> ([f64; 2], DVec3) {
        let corner = |side: usize, i: usize| {
            let row = |axis: usize| f64::from(pairs[side][3 * i + axis][lane]);
            DVec3::new(row(0), row(1), row(2))
        };
        let a = [0, 1, 2].map(|i| corner(0, i) * self.scale_a);
        let b = [0, 1, 2].map(|i| self.turn * (corner(1, i) * self.scale_b) + self.shift);
        let nearest = disjoint_triangle_distance(&Triangle::from(a), &Triangle::from(b));
        let way = nearest.b - nearest.a;
        let high = way.dot(a[0]).max(way.dot(a[1])).max(way.dot(a[2]));
        let low = way.dot(b[0]).min(way.dot(b[1])).min(way.dot(b[2]));
        let slack = self.slack_wide();
        ([(low - high) / way.length().max(f64::MIN_POSITIVE) - slack, nearest.distance() + slack], way)
    }
}

/// The triangles of a leaf in the axes and working unit of the other tree.
struct Triangles {
    triangles: [Triangle; LEAF_SIZE],
    count: usize,
    /// Which of them the leaf is represented by.
    named: usize,
}

impl Triangles {
    fn of(leaf: Leaf, named: u32, place: impl Fn(usize) -> [DVec3; 3]) -> Self {
        let count = leaf.triangles.len();
        let mut triangles = [Triangle::from([DVec3::ZERO; 3]); LEAF_SIZE];
        for (i, triangle) in triangles.iter_mut().enumerate().take(count) {
            *triangle = Triangle::from(place(i));
        }
        Self { triangles, count, named: leaf.triangles.iter().position(|&t| t == named).unwrap_or(0) }
    }

    /// A box is at least as far from a triangle as along the direction from its centre to the nearest point
    /// of that; its point of the surface is as far from the triangle named as it is.
    fn bounds(&self, other: &OrientedBox, scale: f64) -> [f64; 2] {
        let (center, half) = (other.center * scale, other.half * scale);
        let gap = |t: &Triangle| {
            let way = closest_point_triangle(center, t).b - center;
            let (x, y, z) = (way.dot(t.a - center), way.dot(t.b - center), way.dot(t.c - center));
            let reach = (other.axes.transpose() * way).abs().dot(half);
            (x.min(y).min(z) - reach) / way.length().max(f64::MIN_POSITIVE)
        };
        let lower = self.triangles[..self.count].iter().map(gap).fold(f64::INFINITY, f64::min);
        [lower, closest_point_triangle(other.point * scale, &self.triangles[self.named]).distance()]
    }
}

/// What it takes to bring the corners of both leaves into one frame in `f32`.
struct Placing {
    turn: [Vec3; 3],
    shift: Vec3,
    scale_a: f32,
    slack: f32,
}

impl Placing {
    #[inline(always)]
    fn of(apart: &ObbPair) -> Self {
        let turn = apart.turn * apart.scale_b;
        Self {
            turn: [turn.x_axis.as_vec3(), turn.y_axis.as_vec3(), turn.z_axis.as_vec3()],
            shift: apart.shift.as_vec3(),
            scale_a: apart.scale_a as f32,
            slack: apart.slack.corners,
        }
    }
}

/// Eight pairs in one frame, and how far apart they are at least.
#[cfg_attr(not(opt_level_0), inline(always))]
fn placed_pairs<S: Simd>(simd: S, pairs: &EightPairs, placing: &Placing) -> (EightPairs, [f32; 8]) {
    let mut placed = [[[0.0; 8]; 9]; 2];
    for corner in 0..3 {
        let rows = 3 * corner..3 * corner + 3;
        let a = load(simd, &pairs[0][rows.clone()]);
        let scale = f32x8::splat(simd, placing.scale_a);
        store(a.times(scale), &mut placed[0][rows.clone()]);
        let b = load(simd, &pairs[1][rows.clone()]);
        store(b.turned(&placing.turn).add(Lanes3::splat(simd, placing.shift)), &mut placed[1][rows]);
    }
    let gaps = eight_gaps(simd, &placed, placing.slack);
    (placed, gaps)
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn load<S: Simd>(simd: S, rows: &[[f32; 8]]) -> Lanes3<S> {
    Lanes3 { x: rows[0].simd_into(simd), y: rows[1].simd_into(simd), z: rows[2].simd_into(simd) }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn store<S: Simd>(lanes: Lanes3<S>, rows: &mut [[f32; 8]]) {
    (rows[0], rows[1], rows[2]) = (lanes.x.into(), lanes.y.into(), lanes.z.into());
}

/// A direction, as either tree's corners see it, and how far apart along it is too far.
struct TooFar {
    way: Vec3,
    way_b: Vec3,
    shift: f32,
    scale: [f32; 2],
    most: f32,
}

/// Which triangles of b are not too far along the way from each triangle of a: a mask each.
#[cfg_attr(not(opt_level_0), inline(always))]
fn not_far_along<S: Simd>(simd: S, a: Leaf, b: Leaf, along: &TooFar) -> [u32; 8] {
    let (_, high) = range(simd, a, along.way);
    let (low, _) = range(simd, b, along.way_b);
    let low = low * along.scale[1] + along.shift;
    let mut masks = [0; 8];
    for (i, mask) in masks.iter_mut().enumerate().take(a.triangles.len()) {
        let high = high[i] * along.scale[0] + along.most;
        *mask = low.simd_le(f32x8::splat(simd, high)).to_bitmask() as u32;
    }
    masks
}

/// Least and greatest coordinates along a direction of each triangle of a leaf.
#[cfg_attr(not(opt_level_0), inline(always))]
fn range<S: Simd>(simd: S, leaf: Leaf, way: Vec3) -> (f32x8<S>, f32x8<S>) {
    let n = leaf.triangles.len();
    let row = |k: usize| f32x8::from_slice(simd, &leaf.corners[k * n..k * n + 8]);
    let x = row(0) * way.x + row(1) * way.y + row(2) * way.z;
    let y = row(3) * way.x + row(4) * way.y + row(5) * way.z;
    let z = row(6) * way.x + row(7) * way.y + row(8) * way.z;
    (x.min(y).min(z), x.max(y).max(z))
}
