//! Two boxes by their fifteen axes, in closed form.

use fearless_simd::{Simd, f64x4, prelude::*};
use glam::{DMat3, DVec3};

use crate::convex::depth::axes::{AxisAnswer, AxisFeature};
use crate::convex::{Core, PosedConvex};
use crate::math::Interval;
use crate::math::simd::{Level, dispatch_to_avx2};

/// What an axis test can tell of two bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// They have no point in common, for certain.
    Apart,
    /// They have, for certain.
    Overlap,
    /// They touch but for rounding.
    Undecided,
}

/// Whether two boxes meet, by the three face normals of each and the nine products of an edge of each (Gottschalk,
/// Lin and Manocha 1996, "OBBTree: a hierarchical structure for rapid interference detection"). `None` unless both
/// cores are boxes.
///
/// The boxes are taken as the parallelepipeds that the rotations make of them, which need not be quite orthonormal.
/// Undecided only within some 100 ulp of their sizes and distance of touching, and within 1e-5 of them if edges of
/// theirs are parallel but for less than 1e-6, and not to the last bit.
pub fn cuboids_meet(a: &PosedConvex, b: &PosedConvex) -> Option<Meeting> {
    Boxes::new(a, b).map(|boxes| boxes.meet())
}

/// The axis of the fifteen along which two boxes are farthest apart, or overlap least: that is their depth. `None`
/// unless both cores are boxes. Faces count before edges, and low numbers before high, if equal up to rounding.
pub fn cuboid_axes(a: &PosedConvex, b: &PosedConvex) -> Option<AxisAnswer> {
    Boxes::new(a, b).map(|boxes| boxes.answer())
}

/// Two boxes with all products of their directions that the fifteen axes share.
pub struct Boxes {
    /// Columns are the directions of the edges, about of length 1.
    axes: [DMat3; 2],
    half: [DVec3; 2],
    /// Columns are the products of the other two edges' directions: the face normals.
    normals: [DMat3; 2],
    way: DVec3,
    /// The coordinates of the edges of b.
    edges: Rows,
    /// Sizes of products of normal k of a with edge j of b, by k and j.
    across: Rows,
    /// Sizes of products of edge i of a with normal m of b, by i and m.
    along: Rows,
    /// The sum of the sizes and the distance, and what a gap along a unit vector may be off by.
    size: f64,
    slack: f64,
}

/// Three rows of three numbers, with room for a register: what is computed of all three edges of a box is
/// computed at once.
type Rows = [[f64; 4]; 3];

/// Below this sine, edges count as parallel: their product is mostly rounding.
const PARALLEL: f64 = 1e-6;

impl Boxes {
    #[inline]
    pub fn new(a: &PosedConvex, b: &PosedConvex) -> Option<Self> {
        let (Core::Cuboid(p, _), Core::Cuboid(q, _)) = (a.convex().core(), b.convex().core()) else {
            return None;
        };
        let (r, s) = (a.pose().rotation(), b.pose().rotation());
        let (m, n) = (normals(&r), normals(&s));
        let way = b.center() - a.center();
        let size = way.abs().max_element() + p.element_sum() + q.element_sum();
        // Each half extent is multiplied by a triple product of vectors of length 1, off by 16u; the distance of the
        // centres is 2u off. The slack of the bodies is what their posed vertices are off.
        let slack = 16.0 * f64::EPSILON * size + a.slack() + b.slack();
        let edges = rows(&s);
        let (across, along) = (products(&m, &edges), products(&r, &rows(&n)));
        Some(Self { axes: [r, s], half: [*p, *q], normals: [m, n], way, edges, across, along, size, slack })
    }

    /// The products of edge i with the three of the second box: their squared lengths, and the gaps along
    /// them, times their lengths. As (u×v)·w = (w×u)·v, the extents of the boxes along them are products of
    /// face normals of one box and edges of the other.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn edges<S: Simd>(&self, simd: S, i: usize) -> Row<S> {
        let (u, way, half, (i1, i2)) = (self.axes[0].col(i), self.way, self.half[0], others(i));
        let size = [self.half[1].x, self.half[1].y, self.half[1].z, 0.0];
        let (next, next_size) = (turned(&self.along[i]), turned(&size));
        let (after, after_size) = (turned(&next), turned(&next_size));
        let of = |row: &[f64; 4]| f64x4::from_slice(simd, row);
        let [x, y, z] = [of(&self.edges[0]), of(&self.edges[1]), of(&self.edges[2])];
        let (axis_x, axis_y, axis_z) = (z * u.y - y * u.z, x * u.z - z * u.x, y * u.x - x * u.y);
        let first = of(&self.across[i2]) * half[i1] + of(&self.across[i1]) * half[i2];
        let second = of(&next_size) * of(&after) + of(&after_size) * of(&next);
        let height = ((axis_x * way.x + axis_y * way.y) + axis_z * way.z).abs();
        Row {
            squares: (axis_x * axis_x + axis_y * axis_y) + axis_z * axis_z,
            gaps: (height - first) - second,
        }
    }

    /// The widest gap along the face normals, times the length of one, which is about 1.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn widest_face_gap<S: Simd>(&self, simd: S) -> f64 {
        let [first, second] = self.faces(simd);
        let most = first.gaps.max(second.gaps);
        most[0].max(most[1]).max(most[2])
    }

    /// Whether a face of either box separates them.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn apart_by_a_face<S: Simd>(&self, simd: S) -> bool {
        self.widest_face_gap(simd) > self.slack
    }

    /// Each box about its own centre.
    #[inline]
    pub fn frames(&self) -> [Frame; 2] {
        let frame = |k: usize| Frame { axes: self.axes[k], half: self.half[k] };
        [frame(0), frame(1)]
    }

    /// From the centre of the first box to that of the second.
    #[inline]
    pub fn way(&self) -> DVec3 {
        self.way
    }

    /// What a gap along a unit vector may be off by.
    #[inline]
    pub fn slack(&self) -> f64 {
        self.slack
    }

    /// What a point of a box may be off in its coordinates there because the rotation is not quite orthonormal: a pose
    /// allows 1e-6.
    pub fn shear(&self) -> f64 {
        4e-6 * self.size
    }

    fn meet(&self) -> Meeting {
        dispatch_to_avx2!(Level::new(), simd => self.meet_at(simd))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn meet_at<S: Simd>(&self, simd: S) -> Meeting {
        let mut most = self.widest_face_gap(simd);
        if most > self.slack {
            return Meeting::Apart;
        }
        let mut parallel: f64 = 0.0;
        for i in 0..3 {
            let row = self.edges(simd, i);
            for (gap, sine) in row.products() {
                if gap > self.slack {
                    return Meeting::Apart;
                }
                if sine < PARALLEL * PARALLEL { parallel = parallel.max(sine) } else { most = most.max(gap) }
            }
        }
        // Let edges u of A and v of B be parallel but for the sine s. Turning v into u moves B by 1.1·s·size at most,
        // and its face normals by 1.1·s; then the product u×v is no axis any more, and products of v and another
        // edge of A are face normals of A. So if the other axes show overlaps of 4·s·size, the boxes meet; and there
        // may be three such pairs of edges. A gap along a vector shorter than 1 is less than along a unit vector.
        let margin = 12.0 * parallel.sqrt() * self.size + 2.0 * self.slack;
        if most < -margin { Meeting::Overlap } else { Meeting::Undecided }
    }

    pub fn answer(&self) -> AxisAnswer {
        dispatch_to_avx2!(Level::new(), simd => self.answer_at(simd))
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn answer_at<S: Simd>(&self, simd: S) -> AxisAnswer {
        let [first, second] = self.faces(simd);
        let of_first: [f64; 4] = (first.gaps / first.squares.sqrt()).into();
        let of_second: [f64; 4] = (second.gaps / second.squares.sqrt()).into();
        let mut best = Best { gap: f64::NEG_INFINITY, number: 0 };
        best.or(of_first[0], 0, 0.0);
        best.or(of_first[1], 1, 0.0);
        best.or(of_first[2], 2, 0.0);
        best.or(of_second[0], 3, self.slack);
        best.or(of_second[1], 4, self.slack);
        best.or(of_second[2], 5, self.slack);
        for i in 0..3 {
            let row = self.edges(simd, i);
            for (j, (gap, square)) in row.products().into_iter().enumerate() {
                // Along products of almost parallel edges the gap is less than along a face normal but for this sine.
                if square > 1e-30 && is_more(gap + self.slack, best.gap, square) {
                    let gap = self.gap_along(self.across_edges(i, j)) / square.sqrt();
                    best.or(gap, 6 + 3 * i + j, self.slack);
                }
            }
        }
        self.finished(&best)
    }

    /// The three face normals of either box: their squared lengths, and the gaps along them, times their lengths.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn faces<S: Simd>(&self, simd: S) -> [Row<S>; 2] {
        let of = |row: &[f64; 4]| f64x4::from_slice(simd, row);
        let [x, y, z] = rows(&self.normals[0]);
        let (x, y, z) = (of(&x), of(&y), of(&z));
        let along = |v: DVec3| ((x * v.x + y * v.y) + z * v.z).abs();
        let [u, v, w] = [self.axes[1].x_axis, self.axes[1].y_axis, self.axes[1].z_axis];
        let half = self.half[1];
        let other = (along(u) * half.x + along(v) * half.y) + along(w) * half.z;
        let first = self.face_gaps(simd, 0, [x, y, z], other);
        let [x, y, z] = rows(&self.normals[1]);
        let half = self.half[0];
        let [i, j, k] = &self.along;
        let other = (of(i) * half.x + of(j) * half.y) + of(k) * half.z;
        [first, self.face_gaps(simd, 1, [of(&x), of(&y), of(&z)], other)]
    }

    /// The same of one box, by the coordinates of its normals and how far the other reaches along them.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn face_gaps<S: Simd>(&self, simd: S, body: usize, normals: [f64x4<S>; 3], other: f64x4<S>) -> Row<S> {
        let of = |row: &[f64; 4]| f64x4::from_slice(simd, row);
        let [x, y, z] = normals;
        let (way, half) = (self.way, self.half[body]);
        let [u, v, w] = rows(&self.axes[body]);
        let height = ((x * way.x + y * way.y) + z * way.z).abs();
        let own = ((x * of(&u) + y * of(&v)) + z * of(&w)).abs() * of(&[half.x, half.y, half.z, 0.0]);
        Row { squares: (x * x + y * y) + z * z, gaps: (height - own) - other }
    }

    /// Across edge i of the first box and edge j of the second.
    #[inline(always)]
    fn across_edges(&self, i: usize, j: usize) -> DVec3 {
        self.axes[0].col(i).cross(self.axes[1].col(j))
    }

    /// The gap along any vector times its length, by all six edges: off in proportion to the vector.
    #[inline]
    pub fn gap_along(&self, axis: DVec3) -> f64 {
        let extent = |body: usize| (self.axes[body].transpose() * axis).abs().dot(self.half[body]);
        axis.dot(self.way).abs() - extent(0) - extent(1)
    }

    fn finished(&self, best: &Best) -> AxisAnswer {
        let axis = match best.number {
            k @ 0..3 => self.normals[0].col(k),
            k @ 3..6 => self.normals[1].col(k - 3),
            k => self.across_edges((k - 6) / 3, (k - 6) % 3),
        };
        let is_back = axis.dot(self.way) < 0.0;
        let axis = if is_back { -axis } else { axis };
        let feature = match best.number {
            k @ 0..3 => AxisFeature::FaceOfA(face(k) + u32::from(!is_back)),
            k @ 3..6 => AxisFeature::FaceOfB(face(k - 3) + u32::from(is_back)),
            k => AxisFeature::Edges([(k - 6) as u32 / 3, (k - 6) as u32 % 3]),
        };
        let gap = Interval::point(best.gap).widened(2.0 * self.slack);
        AxisAnswer { gap, normal: axis / axis.length(), feature, tested: 15 }
    }
}

/// Three axes, the products of an edge with three others or the normals of a box: squared lengths, and gaps along them
/// times their lengths.
struct Row<S: Simd> {
    squares: f64x4<S>,
    gaps: f64x4<S>,
}

impl<S: Simd> Row<S> {
    /// Gap and squared length of each.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn products(&self) -> [(f64, f64); 3] {
        let of = |j: usize| (self.gaps[j], self.squares[j]);
        [of(0), of(1), of(2)]
    }
}

/// The rows of a matrix. Written out: `map` of an array is a call where the crate is compiled in several units.
#[inline(always)]
fn rows(m: &DMat3) -> Rows {
    let row = |k: usize| [m.x_axis[k], m.y_axis[k], m.z_axis[k], 0.0];
    [row(0), row(1), row(2)]
}

/// Sizes of the products of each column of a matrix with three vectors, given by their coordinates.
#[inline(always)]
fn products(m: &DMat3, [x, y, z]: &Rows) -> Rows {
    let of = |u: DVec3, j: usize| ((u.x * x[j] + u.y * y[j]) + u.z * z[j]).abs();
    let row = |u: DVec3| [of(u, 0), of(u, 1), of(u, 2), of(u, 3)];
    [row(m.x_axis), row(m.y_axis), row(m.z_axis)]
}

/// The numbers of the axes after these.
#[inline(always)]
fn turned([x, y, z, w]: &[f64; 4]) -> [f64; 4] {
    [*y, *z, *x, *w]
}

/// Whether a gap along a vector of this squared length is more than one along a unit vector; most are not,
/// and need no root.
#[inline(always)]
fn is_more(gap: f64, other: f64, square: f64) -> bool {
    let squares = other * other * square;
    if gap >= 0.0 { other < 0.0 || gap * gap > squares } else { other < 0.0 && gap * gap < squares }
}

/// The number in [`crate::shape::Hull`] of the face on the negative side of an axis.
fn face(axis: usize) -> u32 {
    2 * axis as u32
}

/// The widest gap so far, and the number of its axis: the faces of the first box, those of the second, and the products
/// of edges row by row.
struct Best {
    gap: f64,
    number: usize,
}

impl Best {
    /// Takes what is better by more than `by`.
    #[inline(always)]
    fn or(&mut self, gap: f64, number: usize, by: f64) {
        let is_better = gap > self.gap + by;
        self.gap = if is_better { gap } else { self.gap };
        self.number = if is_better { number } else { self.number };
    }
}

#[inline]
fn normals(r: &DMat3) -> DMat3 {
    DMat3::from_cols(r.y_axis.cross(r.z_axis), r.z_axis.cross(r.x_axis), r.x_axis.cross(r.y_axis))
}

/// The two axes after this one.
#[inline(always)]
fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// A box about the origin, its edges along these axes of length 1, or nearly so.
pub struct Frame {
    pub axes: DMat3,
    pub half: DVec3,
}

impl Frame {
    /// The middle of the edge along an axis that is farthest in a direction.
    #[inline]
    pub fn edge(&self, axis: usize, direction: DVec3) -> DVec3 {
        let side = |k: usize| {
            let way = self.axes.col(k) * self.half[k];
            if way.dot(direction) > 0.0 { way } else { -way }
        };
        side((axis + 1) % 3) + side((axis + 2) % 3)
    }
}
