//! The SIMD kernels: one box against eight, and the leaf filter of up to eight triangles against eight.
//!
//! As in `lanes.rs`: plain multiplications and additions in a fixed order, the same bits at every SIMD level, and no
//! `array::map`.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};
use glam::Vec3;

use super::crossing::{NormalError, Sides, crossing};
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
        Self::at_b(lane(&node.center, slot), lane(&node.half, slot), turn)
    }

    #[inline(always)]
    fn at_b(center: Vec3, half: Vec3, turn: &Turn) -> Self {
        Self {
            center: product(&turn.relative.turn, center) + turn.relative.shift,
            along_a: product(&turn.abs_turn, half),
            along_b: half * turn.relative.scale,
        }
    }

    /// All children of the root of tree b.
    #[inline(always)]
    pub fn of_whole_b(root: &WideNode, turn: &Turn) -> Self {
        // The frame's origin is the middle of the body.
        let mut half = Vec3::ZERO;
        for slot in 0..8 {
            half = half.max(lane(&root.center, slot).abs() + lane(&root.half, slot));
        }
        Self::at_b(Vec3::ZERO, half.map(f32::next_up), turn)
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
        overlapping(simd, reach.sub(offset.abs()))
    }

    /// Which of the eight may meet `one`: the separating axes are the face normals of both (the first six of the
    /// fifteen of Gottschalk, Lin, Manocha 1996, "OBBTree"). Also how deep they are in each other. A difference of
    /// floats has the sign of their comparison; that of a slot without a child is −∞ or no number.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn meeting(&self, simd: S, one: &OneBox, turn: &Turn) -> (u32, f32x8<S>) {
        let wide = Vec3::splat(turn.relative.wide());
        let offset = self.center.sub(Lanes3::splat(simd, one.center));
        let reach = self.along_a.add(Lanes3::splat(simd, one.along_a + wide));
        let along_a = reach.sub(offset.abs());
        let turned = offset.turned(&turn.relative.back);
        let reach = self.along_b.add(Lanes3::splat(simd, one.along_b + wide));
        let along_b = reach.sub(turned.abs());
        overlapping(simd, along_a.min(along_b))
    }
}

/// Which of eight boxes overlap by no less than nothing along three axes, and how deep: along the axis along which they
/// do least, and of those that touch alike deeper where they have more in common.
#[cfg_attr(not(opt_level_0), inline(always))]
fn overlapping<S: Simd>(simd: S, along: Lanes3<S>) -> (u32, f32x8<S>) {
    let least = along.smallest();
    let meets = least.simd_ge(f32x8::splat(simd, 0.0));
    (meets.to_bitmask() as u32, least + along.sum() * COMMON)
}

/// How much all that boxes have in common counts beside how deep they are in each other.
const COMMON: f32 = 1.0 / 1024.0;

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
    /// What a difference of two corners can be wrong by, in each coordinate.
    pub corner_slack: f32,
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
        let reach = self.normal.abs().dot(half) + self.box_error(near);
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

    /// Which of these eight may meet triangle `i` of `others`, and which certainly cross it. Certain to let through
    /// every pair that meets: a pair is rejected if the boxes are apart, one triangle lies on one side of the other's
    /// plane, or the parts of the line common to both planes that lie in them are apart, by more than what rounding
    /// can do.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn meeting(&self, simd: S, others: &Self, i: usize, near: Near) -> (u32, u32) {
        let wide = Lanes3::splat(simd, Vec3::splat(near.slack + near.margin));
        let (min, max) = (others.min.broadcast(simd, i), others.max.broadcast(simd, i));
        let boxes = self.min.le(max.add(wide)) & min.le(self.max.add(wide));
        if boxes.to_bitmask() == 0 {
            return (0, 0);
        }
        let one = others.broadcast(simd, i);
        let ((ours, cut), (theirs, cutting)) = (self.sides_of(&one, near), one.sides_of(self, near));
        let may = (boxes & cut & cutting).to_bitmask() as u32;
        if may == 0 || near.margin > 0.0 {
            return (may, 0);
        }
        let corners = |t: &Self| [t.a, t.b, t.c];
        let (yes, no) = crossing((&corners(self), &ours), (&corners(&one), &theirs), near.corner_slack);
        let may = may & !(no.to_bitmask() as u32);
        (may, may & yes.to_bitmask() as u32)
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

    /// On which sides of the plane of `other` the corners lie, and whether it may pass through this triangle, or as
    /// near by as the margin.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn sides_of(&self, other: &Self, near: Near) -> (Sides<mask32x8<S>>, mask32x8<S>) {
        let (p, q, r) = (self.a.sub(other.a), self.b.sub(other.a), self.c.sub(other.a));
        let (a, b, c) = (other.normal.dot(p), other.normal.dot(q), other.normal.dot(r));
        let far = p.abs().sum().max(q.abs().sum()).max(r.abs().sum());
        let error = other.plane_error(far, near);
        let above = [a.simd_gt(error), b.simd_gt(error), c.simd_gt(error)];
        let below = [a.simd_lt(-error), b.simd_lt(-error), c.simd_lt(-error)];
        let sure = (above[0] | below[0]) & (above[1] | below[1]) & (above[2] | below[2]);
        let beyond = (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
        (Sides { above, sure }, !beyond)
    }

    /// By how much the height over the plane of a difference may be off whose coordinates add up to at most `far`, and
    /// what a margin adds: the length of the normal times the margin, that length off by at most √3 of the error of its
    /// coordinates.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn plane_error(&self, far: f32x8<S>, near: Near) -> f32x8<S> {
        let mut error =
            NormalError::new(self.normal, self.size, near.corner_slack).along(far + 2.0 * near.margin);
        if near.margin > 0.0 {
            error += self.normal.dot(self.normal).sqrt() * near.margin;
        }
        error
    }

    /// By how much such a value of a box may be off, and what a margin adds.
    ///
    /// With corners and centre off by `slack` against each other, edges of at most E and differences of at most D in
    /// each coordinate, the value `n·(v − a)` is off by at most `slack·(6E² + 16ED)`: |n|₁ ≤ 6E² times the
    /// error of v − a; and |v − a| ≤ D times the error of n, in sum below 24·E·(slack/2), which makes 12ED;
    /// the rest is for rounding, each of which is at most 2⁻⁷ of the slack. A margin M makes differences
    /// larger by as much, and the error of the length of n, which is compared with the value by M, at most
    /// 12E·slack: 16EM covers both.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn box_error(&self, near: Near) -> f32x8<S> {
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
    use crate::pair::triangles_intersect;
    use crate::shape::{Aabb, Triangle};
    use crate::testing::Random;
    use crate::tree::pairs::frame::Frame;

    fn random_turn(rng: &mut Random) -> Turn {
        let shift = rng.point() * 0.5;
        random_pose(shift, 1.0, rng).0
    }

    /// Two frames, the second of this scale, turned at random and at this place in the first; and its pose.
    fn random_pose(place: DVec3, scale: f64, rng: &mut Random) -> (Turn, Pose) {
        let frame = |half: f64| Frame::around(Aabb { min: -DVec3::splat(half), max: DVec3::splat(half) });
        let q: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let pose = Pose::new(place, DQuat::from_array(q).normalize()).unwrap();
        let relative = Relative::within(&frame(0.9), &Pose::IDENTITY, &frame(0.9 * scale), &pose, 0.0);
        (Turn::new(relative.unwrap()), pose)
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
    fn filtered<S: Simd>(simd: S, [a, b]: [&[f32]; 2], n: usize, turn: &Turn) -> [(u32, u32); 8] {
        let Relative { slack, corner_slack, .. } = turn.relative;
        let near = Near { slack, margin: 0.0, corner_slack, reach: 4.0 };
        let (ours, theirs) = (EightTriangles::of_a(simd, a, n), EightTriangles::of_b(simd, b, n, turn));
        let mut masks = [(0, 0); 8];
        for (i, row) in masks.iter_mut().enumerate().take(n) {
            let (may, cross) = theirs.meeting(simd, &ours, i, near);
            *row = (may & ((1 << n) - 1), cross & ((1 << n) - 1));
        }
        masks
    }

    /// Corners of `n` triangles about as large as `size`, some slender, some flat, some all in one place, as a leaf
    /// stores them in units of the given scale; near `center`.
    fn random_leaf(n: usize, size: f64, center: DVec3, scale: f64, rng: &mut Random) -> Vec<f32> {
        let mut leaf = vec![0.0; 9 * n + 7];
        for i in 0..n {
            let middle = center + rng.point() * size;
            let shape = [DVec3::ONE, DVec3::new(1.0, 0.01, 0.3), DVec3::new(1.0, 1.0, 0.0), DVec3::ZERO];
            let shape = shape[rng.random_range(0..40) % 10 % 4];
            for k in 0..3 {
                let corner = middle + rng.point() * shape * size;
                for axis in 0..3 {
                    leaf[(3 * k + axis) * n + i] = (corner[axis] / scale) as f32;
                }
            }
        }
        leaf
    }

    /// Puts the first corner, or the middle of the first edge, of each triangle of `b` on one of `a`, up to rounding.
    fn graze(b: &mut [f32], a: &[f32], n: usize, (to_b, scale): (&Pose, f64), rng: &mut Random) {
        for i in 0..n {
            let t = stored(a, n, rng.random_range(0..n));
            let (s, r) = (rng.random_range(0.0..1.0), rng.random_range(0.0..1.0));
            let on_edge = rng.random_range(0..2) == 0;
            let inward = if on_edge { 0.0 } else { r * (1.0 - s) };
            let on = to_b.apply(t.a + (t.b - t.a) * s + (t.c - t.a) * inward) / scale;
            let first = stored(b, n, i).a;
            for axis in 0..3 {
                b[axis * n + i] = on[axis] as f32;
                if on_edge {
                    b[axis * n + i] = first[axis] as f32;
                    b[(3 + axis) * n + i] = (2.0 * on[axis] - first[axis]) as f32;
                }
            }
        }
    }

    fn stored(leaf: &[f32], n: usize, i: usize) -> Triangle {
        Triangle::from([0, 3, 6].map(|k| [0, 1, 2].map(|axis| f64::from(leaf[(k + axis) * n + i])).into()))
    }

    /// What is let through and what crosses, by the exact test of the triangles as stored, posed in `f64`.
    #[test]
    fn the_leaf_filter_is_right_where_it_is_sure_and_seldom_unsure() {
        let mut rng = Random::new(12);
        let (mut met, mut apart, mut open) = (0, 0, 0);
        for round in 0..6000 {
            let (n, place) = (rng.random_range(1..=8), rng.point() * 0.4);
            let scale = [1.0, 1.0 / 8.0, 1.0 / 1024.0][round % 3];
            let size = [0.3, 0.03, 0.003, 3e-5][round % 4] * scale;
            let off = rng.point() * 0.4 * scale;
            let (turn, pose) = random_pose(place + off, scale, &mut rng);
            let to_b = pose.inverse();
            let a = random_leaf(n, size, place, 1.0, &mut rng);
            let mut b = random_leaf(n, size, to_b.apply(place), scale, &mut rng);
            if round % 8 > 3 {
                graze(&mut b, &a, n, (&to_b, scale), &mut rng);
            }
            let masks = dispatch!(Level::new(), simd => filtered(simd, [&a, &b], n, &turn));
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let (may, cross) = (masks[i].0 >> j & 1 == 1, masks[i].1 >> j & 1 == 1);
                let moved = Triangle::from(stored(&b, n, j).corners().map(|p| pose.apply(p * scale)));
                let meet = triangles_intersect(&stored(&a, n, i), &moved);
                assert!(if cross { meet } else { may || !meet }, "{round} {i} {j}");
                met += u32::from(cross);
                apart += u32::from(!may);
                open += u32::from(may && !cross && round % 8 < 2 && round % 3 < 2);
            }
        }
        let sure = met + apart;
        assert!(
            met > 1000 && apart > 1000 && open < sure / 50,
            "{met} cross, {apart} do not, {open} are open"
        );
    }
}
