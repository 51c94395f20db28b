//! The SIMD kernels: one box against eight, and the leaf filter of up to eight triangles against eight.
//!
//! As in `lanes.rs`: plain multiplications and additions in a fixed order, the same bits at every SIMD level, and no
//! `array::map`.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};
use glam::Vec3;

use super::frame::Relative;
use crate::tree::lanes::{Lanes3, corner};
use crate::tree::wide::WideNode;

/// The relative frame with the absolute matrices that turned half extents need.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    pub relative: Relative,
    abs_turn: [Vec3; 3],
    abs_back: [Vec3; 3],
}

impl Turn {
    pub fn new(relative: Relative) -> Self {
        let abs = |columns: [Vec3; 3]| columns.map(Vec3::abs);
        Self { relative, abs_turn: abs(relative.turn), abs_back: abs(relative.back) }
    }
}

/// A box ready to be tested: its centre in frame a, and half extents along the axes of a and of b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneBox {
    pub center: Vec3,
    pub along_a: Vec3,
    pub along_b: Vec3,
}

impl OneBox {
    /// Child `slot` of a node of tree a.
    #[inline(always)]
    pub fn of_a(node: &WideNode, slot: usize, turn: &Turn) -> Self {
        let (center, half) = (lane(&node.center, slot), lane(&node.half, slot));
        Self { center, along_a: half, along_b: product(&turn.abs_back, half) }
    }

    /// Child `slot` of a node of tree b.
    #[inline(always)]
    pub fn of_b(node: &WideNode, slot: usize, turn: &Turn) -> Self {
        let (center, half) = (lane(&node.center, slot), lane(&node.half, slot));
        Self {
            center: product(&turn.relative.turn, center) + turn.relative.shift,
            along_a: product(&turn.abs_turn, half),
            along_b: half * turn.relative.scale,
        }
    }

    /// The longest half extent in frame a.
    #[inline(always)]
    pub fn size(&self) -> f32 {
        self.along_a.max_element()
    }
}

#[inline(always)]
pub fn lane(rows: &[[f32; 8]; 3], slot: usize) -> Vec3 {
    Vec3::new(rows[0][slot], rows[1][slot], rows[2][slot])
}

#[inline(always)]
fn product(columns: &[Vec3; 3], v: Vec3) -> Vec3 {
    let [a, b, c] = columns;
    Vec3::new(
        v.x * a.x + v.y * b.x + v.z * c.x,
        v.x * a.y + v.y * b.y + v.z * c.y,
        v.x * a.z + v.y * b.z + v.z * c.z,
    )
}

/// Eight boxes ready to be tested.
#[derive(Clone, Copy)]
pub struct EightBoxes<S: Simd> {
    pub center: Lanes3<S>,
    pub along_a: Lanes3<S>,
    along_b: Lanes3<S>,
}

impl<S: Simd> EightBoxes<S> {
    /// The children of a node of tree a.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_a(simd: S, node: &WideNode, turn: &Turn) -> Self {
        let half = Lanes3::load(simd, &node.half);
        Self { center: Lanes3::load(simd, &node.center), along_a: half, along_b: half.turned(&turn.abs_back) }
    }

    /// The children of a node of tree b.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_b(simd: S, node: &WideNode, turn: &Turn) -> Self {
        let (center, half) = (Lanes3::load(simd, &node.center), Lanes3::load(simd, &node.half));
        let scale = turn.relative.scale;
        Self {
            center: center.turned(&turn.relative.turn).add(Lanes3::splat(simd, turn.relative.shift)),
            along_a: half.turned(&turn.abs_turn),
            along_b: Lanes3 { x: half.x * scale, y: half.y * scale, z: half.z * scale },
        }
    }

    /// Which of the eight may meet `one` where both trees have the same axes, as one tree has with itself.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn meeting_aligned(&self, simd: S, one: &OneBox, turn: &Turn) -> (u32, f32x8<S>) {
        let wide = Vec3::splat(turn.relative.wide());
        let offset = self.center.sub(Lanes3::splat(simd, one.center));
        let reach = self.along_a.add(Lanes3::splat(simd, one.along_a + wide));
        (offset.abs().le(reach).to_bitmask() as u32, offset.dot(offset))
    }

    /// Which of the eight may meet `one`: the separating axes are the face normals of both (the first six of the
    /// fifteen of Gottschalk, Lin, Manocha 1996, "OBBTree"). Also the squared distance of the centres.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn meeting(&self, simd: S, one: &OneBox, turn: &Turn) -> (u32, f32x8<S>) {
        let wide = Vec3::splat(turn.relative.wide());
        let offset = self.center.sub(Lanes3::splat(simd, one.center));
        let reach = self.along_a.add(Lanes3::splat(simd, one.along_a + wide));
        let along_a = offset.abs().le(reach);
        let turned = offset.turned(&turn.relative.back);
        let reach = self.along_b.add(Lanes3::splat(simd, one.along_b + wide));
        let along_b = turned.abs().le(reach);
        ((along_a & along_b).to_bitmask() as u32, offset.dot(offset))
    }
}

/// How far a box and a triangle may be apart, along a direction in the plane of two axes.
struct Side<S: Simd> {
    margin: f32,
    slack: f32x8<S>,
}

impl<S: Simd> Side<S> {
    /// Whether they meet along (e₁, −e₀), along which both ends of edge e are at the place of `p`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn meets(
        &self,
        e: [f32x8<S>; 2],
        size: [f32x8<S>; 2],
        p: [f32x8<S>; 2],
        r: [f32x8<S>; 2],
        half: [f32x8<S>; 2],
    ) -> mask32x8<S> {
        let (one, other) = (e[1] * p[0] - e[0] * p[1], e[1] * r[0] - e[0] * r[1]);
        let reach = size[1] * (half[0] + self.margin) + size[0] * (half[1] + self.margin) + self.slack;
        one.min(other).simd_le(reach) & one.max(other).simd_ge(-reach)
    }
}

/// How near triangles have to be.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// What comparisons can be wrong by.
    pub slack: f32,
    /// How far apart they may be.
    pub margin: f32,
    /// Bounds the coordinates of any difference between corners of two that meet.
    pub reach: f32,
}

/// Up to eight triangles of a leaf in frame a, with what the filter needs of them.
#[derive(Clone, Copy)]
pub struct EightTriangles<S: Simd> {
    a: Lanes3<S>,
    b: Lanes3<S>,
    c: Lanes3<S>,
    min: Lanes3<S>,
    max: Lanes3<S>,
    normal: Lanes3<S>,
    /// Longest edge, in the largest coordinate.
    size: f32x8<S>,
}

impl<S: Simd> EightTriangles<S> {
    /// The `n` triangles of a leaf of tree a, whose corners start at `corners`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_a(simd: S, corners: &[f32], n: usize) -> Self {
        Self::new(corner(simd, corners, n, 0), corner(simd, corners, n, 3), corner(simd, corners, n, 6))
    }

    /// The `n` triangles of a leaf of tree b.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_b(simd: S, corners: &[f32], n: usize, turn: &Turn) -> Self {
        let (columns, shift) = (&turn.relative.turn, Lanes3::splat(simd, turn.relative.shift));
        Self::new(
            corner(simd, corners, n, 0).turned(columns).add(shift),
            corner(simd, corners, n, 3).turned(columns).add(shift),
            corner(simd, corners, n, 6).turned(columns).add(shift),
        )
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn new(a: Lanes3<S>, b: Lanes3<S>, c: Lanes3<S>) -> Self {
        let (ab, ac) = (b.sub(a), c.sub(a));
        Self {
            a,
            b,
            c,
            min: a.min(b).min(c),
            max: a.max(b).max(c),
            normal: ab.cross(ac),
            size: ab.abs().max(ac.abs()).largest(),
        }
    }

    /// The coordinates of the corners, a run of eight each.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn corners(&self) -> [[f32; 8]; 9] {
        let Self { a, b, c, .. } = *self;
        [
            a.x.into(),
            a.y.into(),
            a.z.into(),
            b.x.into(),
            b.y.into(),
            b.z.into(),
            c.x.into(),
            c.y.into(),
            c.z.into(),
        ]
    }

    /// Triangle `i` in every lane.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn broadcast(&self, simd: S, i: usize) -> Self {
        Self {
            a: self.a.broadcast(simd, i),
            b: self.b.broadcast(simd, i),
            c: self.c.broadcast(simd, i),
            normal: self.normal.broadcast(simd, i),
            size: f32x8::splat(simd, self.size[i]),
            ..*self
        }
    }

    /// Which of these eight come as near a box as that.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn in_box(&self, simd: S, one: &OneBox, wide: f32) -> u32 {
        let half = one.along_a + Vec3::splat(wide);
        let (low, high) = (Lanes3::splat(simd, one.center - half), Lanes3::splat(simd, one.center + half));
        (self.min.le(high) & low.le(self.max)).to_bitmask() as u32
    }

    /// Which of these eight may come as near to a box; by more directions where boxes alone separate little.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn around(&self, simd: S, one: &OneBox, near: Near, crowded: bool) -> u32 {
        if crowded {
            self.cutting_box(simd, one, near)
        } else {
            self.in_box(simd, one, near.slack + near.margin)
        }
    }

    /// Which of these eight may come as near to a box, by its sides, by their planes, and by directions
    /// square to an edge of either (Akenine-Möller 2001, "Fast 3D triangle-box overlap testing"), of which
    /// those of two edges do: one of them is long.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn cutting_box(&self, simd: S, one: &OneBox, near: Near) -> u32 {
        let around = self.in_box(simd, one, near.slack + near.margin);
        if around == 0 {
            return 0;
        }
        let (center, half) = (Lanes3::splat(simd, one.center), Lanes3::splat(simd, one.along_a));
        let [a, b, c] = [self.a.sub(center), self.b.sub(center), self.c.sub(center)];
        let reach = self.normal.abs().dot(half) + self.plane_error(near);
        let plane = self.normal.dot(a).abs().simd_le(reach);
        let edges = self.along_edge(a, b, c, half, near) & self.along_edge(a, c, b, half, near);
        around & (plane & edges).to_bitmask() as u32
    }

    /// Whether triangles with these corners, the first two of an edge e, come near a box about the origin
    /// along e × x, e × y and e × z.
    ///
    /// Such a direction w has two coordinates of e, which are off by 2·slack as corners are off by one
    /// against each other, and w·p is off by at most `slack·(4D + 2E)` for corners at most D from the centre
    /// in each coordinate and edges of at most E; the reach of the box by as much. What is rounded is far
    /// below.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn along_edge(
        &self,
        p: Lanes3<S>,
        q: Lanes3<S>,
        r: Lanes3<S>,
        half: Lanes3<S>,
        near: Near,
    ) -> mask32x8<S> {
        let e = q.sub(p);
        let size = e.abs();
        let slack = (self.size + (near.reach + 2.0 * near.margin)) * (8.0 * near.slack);
        let side = Side { margin: near.margin, slack };
        side.meets([e.y, e.z], [size.y, size.z], [p.y, p.z], [r.y, r.z], [half.y, half.z])
            & side.meets([e.z, e.x], [size.z, size.x], [p.z, p.x], [r.z, r.x], [half.z, half.x])
            & side.meets([e.x, e.y], [size.x, size.y], [p.x, p.y], [r.x, r.y], [half.x, half.y])
    }

    /// Which of these eight may meet triangle `i` of `others`. Certain to let through every pair that does:
    /// a pair is rejected if the boxes are apart, or one triangle lies on one side of the other's plane, by more
    /// than `slack` can be wrong.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn meeting(&self, simd: S, others: &Self, i: usize, near: Near) -> u32 {
        let wide = Lanes3::splat(simd, Vec3::splat(near.slack + near.margin));
        let (min, max) = (others.min.broadcast(simd, i), others.max.broadcast(simd, i));
        let boxes = self.min.le(max.add(wide)) & min.le(self.max.add(wide));
        if boxes.to_bitmask() == 0 {
            return 0;
        }
        let one = others.broadcast(simd, i);
        let cut = self.is_cut_by(&one, near) & one.is_cut_by(self, near);
        (boxes & cut).to_bitmask() as u32
    }

    /// Of the pairs in `mask` that [`EightTriangles::meeting`] let through, those that a plane between the
    /// two triangles, at equal angles to both, does not separate. Where smooth surfaces just miss each other,
    /// planes of triangles pass through the other surface all over, and this one does not.
    ///
    /// Along any m the corners, seen from one of them, are off by |m|₁ times `slack`, and for rounding by
    /// less than `slack·D/8` in each coordinate of a difference of at most D, which is both times twice in a
    /// comparison.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn not_parted(&self, simd: S, others: &Self, i: usize, near: Near, mask: u32) -> u32 {
        let one = others.broadcast(simd, i);
        let (long, other_long) = (self.normal.dot(self.normal).sqrt(), one.normal.dot(one.normal).sqrt());
        let along = long.copysign(self.normal.dot(one.normal));
        let m = self.normal.times(other_long).add(one.normal.times(along));
        let size = m.abs();
        let size = size.x + size.y + size.z;
        // What lies beyond the range of `f32` parts nothing; in this order no zero meets an infinite number.
        let mut error = size * near.slack * (2.0 + near.reach + 2.0 * near.margin) + f32::MIN_POSITIVE;
        if near.margin > 0.0 {
            error += m.dot(m).sqrt() * near.margin;
        }
        let zero = f32x8::splat(simd, 0.0);
        let (b, c) = (m.dot(one.b.sub(one.a)), m.dot(one.c.sub(one.a)));
        let (low, high) = (b.min(c).min(zero), b.max(c).max(zero));
        let (p, q, r) = (m.dot(self.a.sub(one.a)), m.dot(self.b.sub(one.a)), m.dot(self.c.sub(one.a)));
        let meets = p.min(q).min(r).simd_le(high + error) & p.max(q).max(r).simd_ge(low - error);
        mask & meets.to_bitmask() as u32
    }

    /// Whether the plane of `other` may pass through this triangle, or as near by as the margin.
    ///
    /// With corners off by `slack` against each other, edges of at most E and differences of at most D in
    /// each coordinate, the value `n·(v − a)` is off by at most `slack·(6E² + 16ED)`: |n|₁ ≤ 6E² times the
    /// error of v − a; and |v − a| ≤ D times the error of n, in sum below 24·E·(slack/2), which makes 12ED;
    /// the rest is for rounding, each of which is at most 2⁻⁷ of the slack. A margin M makes differences
    /// larger by as much, and the error of the length of n, which is compared with the value by M, at most
    /// 12E·slack: 16EM covers both.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn is_cut_by(&self, other: &Self, near: Near) -> mask32x8<S> {
        let a = other.normal.dot(self.a.sub(other.a));
        let b = other.normal.dot(self.b.sub(other.a));
        let c = other.normal.dot(self.c.sub(other.a));
        let error = other.plane_error(near);
        a.min(b).min(c).simd_le(error) & a.max(b).max(c).simd_ge(-error)
    }

    /// By how much such a value may be off, and what a margin adds.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn plane_error(&self, near: Near) -> f32x8<S> {
        let mut error = self.size * (self.size * 6.0 + (near.reach + 2.0 * near.margin) * 16.0) * near.slack;
        if near.margin > 0.0 {
            error += self.normal.dot(self.normal).sqrt() * near.margin;
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};
    use rand::RngExt;

    use super::*;
    use crate::math::Pose;
    use crate::math::simd::{Level, dispatch};
    use crate::shape::Aabb;
    use crate::testing::Random;
    use crate::tree::pairs::frame::Frame;

    fn random_turn(rng: &mut Random) -> Turn {
        let frame = Frame::around(Aabb { min: -DVec3::splat(0.9), max: DVec3::splat(0.9) });
        let q: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let shift = rng.point() * 0.5;
        let pose = Pose::new(shift, DQuat::from_array(q).normalize()).unwrap();
        Turn::new(Relative::within(&frame, &Pose::IDENTITY, &frame, &pose, 0.0).unwrap())
    }

    fn random_node(rng: &mut Random) -> WideNode {
        let mut node = WideNode::EMPTY;
        for slot in 0..8 {
            for axis in 0..3 {
                node.center[axis][slot] = rng.random_range(-1.0..1.0);
                node.half[axis][slot] = rng.random_range(0.0..0.5);
            }
        }
        node
    }

    /// The box test in plain scalar arithmetic, operation for operation.
    fn boxes_meet(a: &OneBox, b: &OneBox, turn: &Turn) -> bool {
        let slack = Vec3::splat(turn.relative.slack);
        let offset = b.center - a.center;
        let turned = product(&turn.relative.back, offset);
        offset.abs().cmple(b.along_a + (a.along_a + slack)).all()
            && turned.abs().cmple(b.along_b + (a.along_b + slack)).all()
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn meeting<S: Simd>(simd: S, node: &WideNode, one: &OneBox, turn: &Turn) -> u32 {
        EightBoxes::of_b(simd, node, turn).meeting(simd, one, turn).0
    }

    #[test]
    fn eight_boxes_answer_as_eight_single_ones() {
        let mut rng = Random::new(11);
        let mut met = 0;
        for _ in 0..2000 {
            let (turn, a, b) = (random_turn(&mut rng), random_node(&mut rng), random_node(&mut rng));
            let one = OneBox::of_a(&a, 3, &turn);
            let mask = dispatch!(Level::new(), simd => meeting(simd, &b, &one, &turn));
            for slot in 0..8 {
                let expected = boxes_meet(&one, &OneBox::of_b(&b, slot, &turn), &turn);
                assert_eq!(mask >> slot & 1 == 1, expected);
                met += u32::from(expected);
            }
        }
        assert!((1000..15_000).contains(&met), "{met} of 16000 met: the test lost its point");
    }

    /// The leaf filter in plain scalar arithmetic, operation for operation.
    fn triangles_may_meet(p: &[Vec3; 3], q: &[Vec3; 3], slack: f32, reach: f32) -> bool {
        let low = |t: &[Vec3; 3]| t[0].min(t[1]).min(t[2]);
        let high = |t: &[Vec3; 3]| t[0].max(t[1]).max(t[2]);
        let wide = Vec3::splat(slack);
        low(q).cmple(high(p) + wide).all()
            && low(p).cmple(high(q) + wide).all()
            && is_cut(q, p, slack, reach)
            && is_cut(p, q, slack, reach)
    }

    fn is_cut(t: &[Vec3; 3], by: &[Vec3; 3], slack: f32, reach: f32) -> bool {
        let (ab, ac) = (by[1] - by[0], by[2] - by[0]);
        let normal =
            Vec3::new(ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z, ab.x * ac.y - ab.y * ac.x);
        let size = ab.abs().max(ac.abs()).max_element();
        let error = size * (size * 6.0 + reach * 16.0) * slack;
        let side = t.map(|p| {
            let d = p - by[0];
            normal.x * d.x + normal.y * d.y + normal.z * d.z
        });
        side[0].min(side[1]).min(side[2]) <= error && side[0].max(side[1]).max(side[2]) >= -error
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn in_box<S: Simd>(simd: S, leaf: &[f32], n: usize, one: &OneBox, slack: f32) -> u32 {
        EightTriangles::of_a(simd, leaf, n).in_box(simd, one, slack) & ((1 << n) - 1)
    }

    #[test]
    fn triangles_near_a_box_are_those_whose_boxes_meet_it() {
        let mut rng = Random::new(13);
        let mut near = 0;
        for _ in 0..1000 {
            let (turn, n) = (random_turn(&mut rng), rng.random_range(1..=8));
            let leaf: Vec<f32> = (0..9 * n + 7).map(|_| rng.random_range(-1.0..1.0)).collect();
            let one = OneBox::of_b(&random_node(&mut rng), 5, &turn);
            let slack = turn.relative.slack;
            let mask = dispatch!(Level::new(), simd => in_box(simd, &leaf, n, &one, slack));
            let half = one.along_a + Vec3::splat(slack);
            for i in 0..n {
                let t = [0, 3, 6].map(|k| Vec3::from([0, 1, 2].map(|axis| leaf[(k + axis) * n + i])));
                let (min, max) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
                let meet = min.cmple(one.center + half).all() && (one.center - half).cmple(max).all();
                assert_eq!(mask >> i & 1 == 1, meet);
                near += usize::from(meet);
            }
        }
        assert!((500..4000).contains(&near), "{near} near: the test lost its point");
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn filtered<S: Simd>(simd: S, a: &[f32], b: &[f32], n: usize, turn: &Turn, reach: f32) -> [u32; 8] {
        let (ours, theirs) = (EightTriangles::of_a(simd, a, n), EightTriangles::of_b(simd, b, n, turn));
        let mut masks = [0; 8];
        for (i, mask) in masks.iter_mut().enumerate().take(n) {
            *mask = ((1 << n) - 1)
                & theirs.meeting(simd, &ours, i, Near { slack: turn.relative.slack, margin: 0.0, reach });
        }
        masks
    }

    #[test]
    fn the_leaf_filter_answers_as_pair_by_pair() {
        let mut rng = Random::new(12);
        let mut passed = 0;
        for _ in 0..500 {
            let (turn, n) = (random_turn(&mut rng), rng.random_range(1..=8));
            let mut leaf = |n| (0..9 * n + 7).map(|_| rng.random_range(-0.7..0.7)).collect::<Vec<f32>>();
            let (a, b) = (leaf(n), leaf(n));
            let masks = dispatch!(Level::new(), simd => filtered(simd, &a, &b, n, &turn, 4.0));
            let get = |leaf: &[f32], i: usize| {
                [0, 3, 6].map(|k| Vec3::new(leaf[k * n + i], leaf[(k + 1) * n + i], leaf[(k + 2) * n + i]))
            };
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let moved = get(&b, j).map(|p| product(&turn.relative.turn, p) + turn.relative.shift);
                let expected = triangles_may_meet(&get(&a, i), &moved, turn.relative.slack, 4.0);
                assert_eq!(masks[i] >> j & 1 == 1, expected);
                passed += u32::from(expected);
            }
        }
        assert!(passed > 500, "only {passed} passed: the test lost its point");
    }
}
