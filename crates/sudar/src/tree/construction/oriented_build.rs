//! Fitting the oriented boxes of [`Oriented`](crate::tree::Oriented).
//!
//! Every child is fitted on its own from the triangles below it: a sample of them votes for the axes, all of
//! them make the extents. Nodes do not depend on each other, so that any number of threads makes the same
//! boxes.

use std::ops::Range;
use std::sync::Arc;

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DMat3, DVec3, Vec3};

use crate::math::outer;
use crate::math::par::mapped;
use crate::math::simd::{Level, dispatch_to_avx2};
use crate::tree::lanes::Lanes3;
use crate::tree::oriented::{Oriented, OrientedNode};
use crate::tree::wide::{LEAF_SIZE, WideTree};

/// Most triangles that are sampled to choose axes.
const SAMPLE: usize = 48;

/// By how much the points of the tree may be off along an axis, each coordinate being off by 2⁻²⁴: √3·2⁻²⁴, and what an
/// axis may be too long.
const STORED_ALONG: f64 = 1.0 / (1 << 23) as f64;

impl WideTree {
    /// The oriented boxes of all nodes; fitted now if this is the first time. They are made before the cell
    /// is locked: work in tasks of a thread pool may be stolen by a thread that waits for the same cell,
    /// which would then wait for ever.
    pub fn oriented(&self) -> &Oriented {
        if let Some(made) = self.oriented.get() {
            return made;
        }
        let new = Arc::new(Oriented::new(self));
        self.oriented.get_or_init(|| new)
    }
}

impl Oriented {
    /// Fits a box to what is below each child of the tree; O(n log n), on all cores for large trees.
    pub fn new(tree: &WideTree) -> Self {
        Self { nodes: build(tree) }
    }
}

fn build(tree: &WideTree) -> Vec<OrientedNode> {
    let builder = Builder { tree, points: Points::of(tree), ranges: ranges(tree) };
    mapped(0..tree.nodes.len(), 64, |n| builder.node(n))
}

/// The range of places in the order of the leaves below each node.
fn ranges(tree: &WideTree) -> Vec<Range<usize>> {
    let mut ranges = vec![0..0; tree.nodes.len()];
    // A node stands before its descendants.
    for n in (0..ranges.len()).rev() {
        let below = (0..8).filter(|&slot| tree.nodes[n].half[0][slot] >= 0.0);
        let all = below.map(|slot| range_of(tree, &ranges, n, slot));
        ranges[n] = all.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0);
    }
    ranges
}

fn range_of(tree: &WideTree, ranges: &[Range<usize>], n: usize, slot: usize) -> Range<usize> {
    let node = &tree.nodes[n];
    let first = node.first[slot] as usize;
    match node.count[slot] as usize {
        0 => ranges[first].clone(),
        count => first..first + count,
    }
}

/// The corners of the triangles in the order of the leaves: of triangle t at 3t, 3t + 1 and 3t + 2.
struct Points {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
}

impl Points {
    fn of(tree: &WideTree) -> Self {
        let n = 3 * tree.order.len();
        let mut points = Self { x: vec![0.0; n], y: vec![0.0; n], z: vec![0.0; n] };
        for node in &tree.nodes {
            for slot in (0..8).filter(|&slot| node.count[slot] > 0) {
                let (first, n) = (node.first[slot] as usize, node.count[slot] as usize);
                for (t, corner) in (0..n).flat_map(|t| (0..3).map(move |corner| (t, corner))) {
                    let at = |axis: usize| tree.corners[9 * first + (3 * corner + axis) * n + t];
                    let to = 3 * (first + t) + corner;
                    (points.x[to], points.y[to], points.z[to]) = (at(0), at(1), at(2));
                }
            }
        }
        points
    }

    fn at(&self, i: usize) -> DVec3 {
        DVec3::new(self.x[i].into(), self.y[i].into(), self.z[i].into())
    }

    fn triangle(&self, t: usize) -> [DVec3; 3] {
        [self.at(3 * t), self.at(3 * t + 1), self.at(3 * t + 2)]
    }
}

struct Builder<'a> {
    tree: &'a WideTree,
    points: Points,
    ranges: Vec<Range<usize>>,
}

impl Builder<'_> {
    fn node(&self, n: usize) -> OrientedNode {
        let mut node = OrientedNode::EMPTY;
        for slot in (0..8).filter(|&slot| self.tree.nodes[n].half[0][slot] >= 0.0) {
            node.children += 1;
            self.fit(range_of(self.tree, &self.ranges, n, slot), &mut node, slot);
        }
        node
    }

    fn fit(&self, range: Range<usize>, node: &mut OrientedNode, slot: usize) {
        let sample = Sample::of(&self.points, &range);
        let axes = rounded(&sample.best_axes());
        let inverse = axes.inverse();
        let corners = 3 * range.start..3 * range.end;
        let (low, high) =
            dispatch_to_avx2!(Level::new(), simd => extents(simd, &self.points, corners.clone(), &inverse));
        let center = (axes * ((low + high) * 0.5)).as_vec3();
        let at = inverse * center.as_dvec3();
        let half = ((high - at).max(at - low) * (1.0 + 1e-12) + STORED_ALONG).to_array().map(above);
        let (triangle, point) = sample.nearest_to(center.as_dvec3());
        node.triangle[slot] = self.tree.order[triangle];
        for k in 0..3 {
            node.center[k][slot] = center[k];
            node.half[k][slot] = half[k];
            node.point[k][slot] = point[k];
            for (i, axis) in [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().enumerate() {
                node.axes[i][k][slot] = axis[k] as f32;
            }
        }
    }
}

/// The same axes in numbers that `f32` can hold.
fn rounded(axes: &DMat3) -> DMat3 {
    let round = |v: DVec3| v.as_vec3().as_dvec3();
    DMat3::from_cols(round(axes.x_axis), round(axes.y_axis), round(axes.z_axis))
}

/// An `f32` that is at least `x`.
fn above(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

/// Least and greatest coordinates of points `inverse · p`.
#[cfg_attr(not(opt_level_0), inline(always))]
fn extents<S: Simd>(_: S, points: &Points, range: Range<usize>, inverse: &DMat3) -> (DVec3, DVec3) {
    let (mut low, mut high) = ([[f64::INFINITY; 8]; 3], [[f64::NEG_INFINITY; 8]; 3]);
    let (x, y, z) = (&points.x[range.clone()], &points.y[range.clone()], &points.z[range]);
    let rows = [inverse.row(0), inverse.row(1), inverse.row(2)];
    let whole = x.len() & !7;
    for start in (0..whole).step_by(8) {
        let (x, y, z) = (&x[start..start + 8], &y[start..start + 8], &z[start..start + 8]);
        for ((row, low), high) in rows.iter().zip(&mut low).zip(&mut high) {
            for k in 0..8 {
                let u = row.x * f64::from(x[k]) + row.y * f64::from(y[k]) + row.z * f64::from(z[k]);
                low[k] = if u < low[k] { u } else { low[k] };
                high[k] = if u > high[k] { u } else { high[k] };
            }
        }
    }
    for i in whole..x.len() {
        for ((row, low), high) in rows.iter().zip(&mut low).zip(&mut high) {
            let u = row.x * f64::from(x[i]) + row.y * f64::from(y[i]) + row.z * f64::from(z[i]);
            (low[0], high[0]) = (low[0].min(u), high[0].max(u));
        }
    }
    let least = |lanes: &[f64; 8]| lanes.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = |lanes: &[f64; 8]| lanes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (
        DVec3::new(least(&low[0]), least(&low[1]), least(&low[2])),
        DVec3::new(greatest(&high[0]), greatest(&high[1]), greatest(&high[2])),
    )
}

/// Some of the triangles below a child, evenly spread over the order of the leaves; all if they are few.
struct Sample {
    triangles: [[DVec3; 3]; SAMPLE],
    places: [usize; SAMPLE],
    count: usize,
}

impl Sample {
    fn of(points: &Points, range: &Range<usize>) -> Self {
        let count = range.len().min(SAMPLE);
        let mut sample = Self { triangles: [[DVec3::ZERO; 3]; SAMPLE], places: [0; SAMPLE], count };
        for i in 0..count {
            sample.places[i] = range.start + i * range.len() / count;
            sample.triangles[i] = points.triangle(sample.places[i]);
        }
        sample
    }

    fn triangles(&self) -> &[[DVec3; 3]] {
        &self.triangles[..self.count]
    }

    /// The triangle whose centre is nearest to a point, as its place, and that centre.
    fn nearest_to(&self, p: DVec3) -> (usize, Vec3) {
        let center = |t: &[DVec3; 3]| {
            let [a, b, c] = t.map(DVec3::as_vec3);
            (a + b + c) / 3.0
        };
        let mut best = (f64::INFINITY, self.places[0], Vec3::ZERO);
        for (t, &place) in self.triangles().iter().zip(&self.places) {
            let center = center(t);
            let square = (center.as_dvec3() - p).length_squared();
            if square < best.0 {
                best = (square, place, center);
            }
        }
        (best.1, best.2)
    }

    /// The axes of the smallest of several boxes: along those of the frame, along the principal axes of the
    /// surface, flat on its mean normal, and turned about the shortest axis of the best of these.
    fn best_axes(&self) -> DMat3 {
        let moments = Moments::of(self.triangles());
        let mut proposed = Proposed::default();
        proposed.add(DMat3::IDENTITY);
        proposed.add(moments.principal_axes());
        if let Some(axes) = moments.flat_axes() {
            proposed.add(axes);
        }
        if self.count <= LEAF_SIZE {
            self.triangles().iter().filter_map(axes_of_triangle).for_each(|axes| proposed.add(axes));
        }
        let corners = Corners::of(self.triangles());
        let first = proposed.smallest(&corners);
        let mut turned = Proposed::default();
        turned.add(first.axes);
        first.turned().into_iter().for_each(|axes| turned.add(axes));
        turned.smallest(&corners).axes
    }
}

/// The corners of a sample, eight side by side, seen from the first: what boxes are compared by. In `f32`, as
/// it decides no more than which axes to take.
struct Corners {
    blocks: [[[f32; 8]; 3]; BLOCKS],
    count: usize,
}

/// Blocks of eight corners in a sample.
const BLOCKS: usize = 3 * SAMPLE / 8;

impl Corners {
    fn of(triangles: &[[DVec3; 3]]) -> Self {
        let count = (3 * triangles.len()).div_ceil(8);
        let mut corners = Self { blocks: [[[0.0; 8]; 3]; BLOCKS], count };
        let origin = triangles[0][0];
        // Lanes without a corner stay at the first.
        for (i, p) in triangles.iter().flatten().enumerate() {
            let p = (*p - origin).as_vec3();
            for k in 0..3 {
                corners.blocks[i / 8][k][i % 8] = p[k];
            }
        }
        corners
    }
}

/// Axes to choose from.
struct Proposed {
    axes: [DMat3; 3 + LEAF_SIZE],
    count: usize,
}

impl Default for Proposed {
    fn default() -> Self {
        Self { axes: [DMat3::IDENTITY; 3 + LEAF_SIZE], count: 0 }
    }
}

impl Proposed {
    fn add(&mut self, axes: DMat3) {
        if self.count < self.axes.len() {
            self.axes[self.count] = axes;
            self.count += 1;
        }
    }

    /// The first of those with the smallest box.
    fn smallest(&self, corners: &Corners) -> Extended {
        let axes = &self.axes[..self.count];
        let mut extents = [Vec3::ZERO; 3 + LEAF_SIZE];
        dispatch_to_avx2!(Level::new(), simd => extents_along(simd, corners, axes, &mut extents));
        let mut best = Extended { axes: axes[0], extent: extents[0] };
        for (axes, extent) in axes.iter().zip(&extents) {
            if surface(*extent) < surface(best.extent) {
                best = Extended { axes: *axes, extent: *extent };
            }
        }
        best
    }
}

/// Half the surface area of a box. A flat box is as good as its sides are short.
fn surface(extent: Vec3) -> f32 {
    extent.x * extent.y + extent.y * extent.z + extent.z * extent.x
}

/// How far the corners reach along each of the axes.
#[cfg_attr(not(opt_level_0), inline(always))]
fn extents_along<S: Simd>(simd: S, corners: &Corners, axes: &[DMat3], extents: &mut [Vec3]) {
    for (axes, extent) in axes.iter().zip(extents) {
        for k in 0..3 {
            let axis = axes.col(k).as_vec3();
            let mut low = f32x8::splat(simd, f32::INFINITY);
            let mut high = f32x8::splat(simd, f32::NEG_INFINITY);
            for block in &corners.blocks[..corners.count] {
                let u = Lanes3::load(simd, block).dot_one(axis);
                low = low.min(u);
                high = high.max(u);
            }
            extent[k] = widest(high.into()) + widest((-low).into());
        }
    }
}

#[inline(always)]
fn widest(lanes: [f32; 8]) -> f32 {
    let mut most = lanes[0];
    for x in lanes {
        most = if x > most { x } else { most };
    }
    most
}

/// Axes, and how long the box along them is.
struct Extended {
    axes: DMat3,
    extent: Vec3,
}

/// Cosine and sine of 22.5°, 45° and 67.5°.
const TURNS: [(f64, f64); 3] = [
    (0.923_879_532_511_286_7, 0.382_683_432_365_089_8),
    (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
    (0.382_683_432_365_089_8, 0.923_879_532_511_286_7),
];

impl Extended {
    /// The axes turned about the shortest of them.
    fn turned(&self) -> [DMat3; 3] {
        let thin = (1..3).fold(0, |best, k| if self.extent[k] < self.extent[best] { k } else { best });
        let (u, v) = (self.axes.col((thin + 1) % 3), self.axes.col((thin + 2) % 3));
        TURNS.map(|(cos, sin)| DMat3::from_cols(u * cos + v * sin, v * cos - u * sin, self.axes.col(thin)))
    }
}

/// Flat on the triangle, along its longest edge; `None` if it has no area.
fn axes_of_triangle(&[a, b, c]: &[DVec3; 3]) -> Option<DMat3> {
    let edges = [b - a, c - b, a - c];
    let longest = edges
        .into_iter()
        .fold(DVec3::ZERO, |l, e| if e.length_squared() > l.length_squared() { e } else { l });
    axes_from(edges[0].cross(edges[1]), longest)
}

/// Right-handed axes along `normal` and, as far as at right angles to it, along `along`.
fn axes_from(normal: DVec3, along: DVec3) -> Option<DMat3> {
    let normal = normal.try_normalize()?;
    let along = (along - normal * along.dot(normal)).try_normalize()?;
    // Once more, where little was left.
    let along = (along - normal * along.dot(normal)).try_normalize()?;
    Some(DMat3::from_cols(along, normal.cross(along), normal))
}

/// How surface is spread: its mean, its covariance, its area vector.
struct Moments {
    covariance: DMat3,
    normal: DVec3,
}

impl Moments {
    fn of(triangles: &[[DVec3; 3]]) -> Self {
        let origin = triangles[0][0];
        let (mut weight, mut first, mut second, mut normal) = (0.0, DVec3::ZERO, DMat3::ZERO, DVec3::ZERO);
        for t in triangles {
            let [a, b, c] = t.map(|p| p - origin);
            let area_vector = (b - a).cross(c - a);
            // Triangles without area count a little, for their extent.
            let extent = (b - a).length_squared().max((c - a).length_squared());
            let w = area_vector.length() + 1e-3 * extent;
            let sum = a + b + c;
            weight += w;
            first += sum * (w / 3.0);
            // The integral over a triangle of x·xᵀ: its area over 12 times aaᵀ + bbᵀ + ccᵀ + ssᵀ.
            second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (w / 12.0);
            normal += area_vector;
        }
        let scale = if weight > 0.0 { 1.0 / weight } else { 0.0 };
        let mean = first * scale;
        Self { covariance: second * scale - outer(mean, mean), normal }
    }

    /// About the principal axes, in any order.
    fn principal_axes(&self) -> DMat3 {
        let mut axes = DMat3::IDENTITY;
        // A sweep leaves about the square of what there was beside the diagonal.
        for (p, q) in [(0, 1), (0, 2), (1, 2), (0, 1), (0, 2), (1, 2), (0, 1)] {
            axes = self.turned_apart(&axes, p, q);
        }
        axes
    }

    /// Flat on the mean normal, along the directions of greatest and least spread.
    fn flat_axes(&self) -> Option<DMat3> {
        let axes = axes_from(self.normal, self.normal.any_orthogonal_vector())?;
        Some(self.turned_apart(&axes, 0, 1))
    }

    /// The axes with two of them turned, in their plane, to where the surface is not spread along both at
    /// once (a rotation of Jacobi 1846).
    fn turned_apart(&self, axes: &DMat3, p: usize, q: usize) -> DMat3 {
        let (u, v) = (axes.col(p), axes.col(q));
        let (along_u, along_v) = (self.covariance * u, self.covariance * v);
        let (beside, difference) = (u.dot(along_v), v.dot(along_v) - u.dot(along_u));
        if beside.abs() <= f64::EPSILON * difference.abs() || beside == 0.0 {
            return *axes;
        }
        // The smaller root t = tan φ of t² + 2θt − 1 = 0.
        let theta = difference / (2.0 * beside);
        let t = 1.0f64.copysign(theta) / (theta.abs() + (1.0 + theta * theta).sqrt());
        let cos = 1.0 / (1.0 + t * t).sqrt();
        let mut turned = *axes;
        *turned.col_mut(p) = (u - v * t) * cos;
        *turned.col_mut(q) = (v + u * t) * cos;
        turned
    }
}
