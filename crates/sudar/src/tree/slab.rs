//! A slab a child: between which two parallel planes its triangles lie.
//!
//! A box along the axes is thick along a slanted surface, by about the size s of the patch it holds; a slab across the
//! patch's mean normal is as thick as the patch is curved, about s² over the radius of curvature. Two smooth
//! surfaces that just miss each other are separated by their slabs many levels higher up than by their boxes.
//! (Slabs beside boxes go back to Kay and Kajiya 1986, "Ray tracing complex scenes"; theirs have fixed directions.)

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DVec3, Vec3};

use super::lanes::{Lanes3, corner};
use super::pairs::kernel::{EightBoxes, OneBox, Turn, lane};
use super::wide::{LEAF_SIZE, SlabNode, WideNode, WideTree};
use crate::math::simd::{Level, dispatch_to_avx2};

impl WideTree {
    /// Fits the slabs now, if no search did so before; O(number of triangles).
    pub fn fit_slabs(&self) {
        self.slabs();
    }

    /// The slabs of all nodes; fitted now if this is the first time; O(number of triangles).
    pub(super) fn slabs(&self) -> &[SlabNode] {
        self.slabs.get_or_init(|| fit_at(Level::new(), self))
    }
}

/// The slabs of all nodes of a tree, from the leaves upward: those of leaves around their corners, those of inner
/// children around the slabs and boxes below. O(number of triangles).
fn fit_at(level: Level, tree: &WideTree) -> Vec<SlabNode> {
    dispatch_to_avx2!(level, simd => fit(simd, tree))
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn fit<S: Simd>(simd: S, tree: &WideTree) -> Vec<SlabNode> {
    let mut slabs = vec![SlabNode::EMPTY; tree.nodes.len()];
    let mut normals = vec![DVec3::ZERO; tree.nodes.len()];
    // A node stands before its descendants.
    for (n, node) in tree.nodes.iter().enumerate().rev() {
        for slot in (0..8).filter(|&slot| node.half[0][slot] >= 0.0) {
            let first = node.first[slot];
            let fitted = match node.count[slot] {
                0 => {
                    around_node(&tree.nodes[first as usize], &slabs[first as usize], normals[first as usize])
                }
                count => around_leaf(simd, &tree.corners[9 * first as usize..], count.into()),
            };
            normals[n] += fitted.normal;
            slabs[n].set(slot, &fitted, lane(&node.center, slot).as_dvec3());
        }
    }
    slabs
}

/// A slab as it is fitted.
struct Fitted {
    /// The sum of the normals of the triangles, each as long as twice the area.
    normal: DVec3,
    /// The normal of the slab.
    direction: Vec3,
    low: f64,
    high: f64,
}

impl Fitted {
    fn new(normal: DVec3) -> Self {
        let length = normal.length();
        let direction = if length < f64::MIN_POSITIVE { Vec3::ZERO } else { (normal / length).as_vec3() };
        Self { normal, direction, low: f64::INFINITY, high: f64::NEG_INFINITY }
    }

    #[inline(always)]
    fn add(&mut self, low: f64, high: f64) {
        // Comparisons, not `min` and `max`, which also look for NaN: there is none.
        self.low = if low < self.low { low } else { self.low };
        self.high = if high > self.high { high } else { self.high };
    }
}

/// By how much a slab is made thicker. With ε = 2⁻²⁴, the corners of a leaf are off by ε in each coordinate, along a
/// normal by at most √3ε; their heights are products of three numbers of at most 1 in `f32`, which round by 3√3ε. The
/// rest is in `f64` but for the last step to `f32`. The slabs below an inner child hold the exact triangles already.
const CORNERS: f64 = 1.0 / (1 << 21) as f64;

impl SlabNode {
    fn set(&mut self, slot: usize, fitted: &Fitted, center: DVec3) {
        let offset = f64::midpoint(fitted.low, fitted.high) - fitted.direction.as_dvec3().dot(center);
        let stored = offset as f32;
        let half = 0.5 * (fitted.high - fitted.low) + (offset - f64::from(stored)).abs() + CORNERS;
        for k in 0..3 {
            self.normal[k][slot] = fitted.direction[k];
        }
        (self.offset[slot], self.half[slot]) = (stored, (half as f32).next_up());
    }
}

/// The slab around the `n` triangles of a leaf, at most eight.
#[cfg_attr(not(opt_level_0), inline(always))]
fn around_leaf<S: Simd>(simd: S, corners: &[f32], n: usize) -> Fitted {
    let a = corner(simd, corners, n, 0);
    let b = corner(simd, corners, n, 3);
    let c = corner(simd, corners, n, 6);
    let is_there = f32x8::simd_from(simd, NUMBERS).simd_lt(f32x8::splat(simd, n as f32));
    let none = Lanes3::splat(simd, Vec3::ZERO);
    let normals = Lanes3::select(is_there, b.sub(a).cross(c.sub(a)), none);
    let mut fitted = Fitted::new(DVec3::new(sum(normals.x), sum(normals.y), sum(normals.z)));
    let direction = fitted.direction;
    let (a, b, c) = (a.dot_one(direction), b.dot_one(direction), c.dot_one(direction));
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    // The first triangle stands for those that are not there.
    let low = is_there.select(low, f32x8::splat(simd, low[0]));
    let high = is_there.select(high, f32x8::splat(simd, high[0]));
    fitted.add(-greatest(-low), greatest(high));
    fitted
}

/// The numbers of the triangles of a leaf.
const NUMBERS: [f32; LEAF_SIZE] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// The sum of all eight, in one order at every SIMD level.
#[cfg_attr(not(opt_level_0), inline(always))]
fn sum<S: Simd>(lanes: f32x8<S>) -> f64 {
    let x: [f32; 8] = lanes.into();
    (((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))).into()
}

/// The greatest of eight that are numbers.
#[cfg_attr(not(opt_level_0), inline(always))]
fn greatest<S: Simd>(lanes: f32x8<S>) -> f64 {
    let x: [f32; 8] = lanes.into();
    // A comparison, not `max`, which also looks for NaN.
    let more = |a: f32, b: f32| if a > b { a } else { b };
    more(more(more(x[0], x[4]), more(x[2], x[6])), more(more(x[1], x[5]), more(x[3], x[7]))).into()
}

/// The slab around what lies in the boxes and slabs of a node's children, the sum of whose normals is given.
///
/// With normal m, offset d, half width h and centre c of a child and α = n·m, a point x of the child stands along n at
/// `n·c + αm·(x − c) + (n − αm)·(x − c)`, which is n·c + αd up to |α|h + |n − αm|·half extents.
fn around_node(node: &WideNode, slabs: &SlabNode, normal: DVec3) -> Fitted {
    let mut fitted = Fitted::new(normal);
    let n = fitted.direction.as_dvec3();
    for slot in (0..8).filter(|&slot| node.half[0][slot] >= 0.0) {
        let (center, half) = (lane(&node.center, slot).as_dvec3(), lane(&node.half, slot).as_dvec3());
        let m = lane(&slabs.normal, slot).as_dvec3();
        let alpha = n.dot(m);
        let reach = alpha.abs() * f64::from(slabs.half[slot]) + (n - m * alpha).abs().dot(half);
        let middle = n.dot(center) + alpha * f64::from(slabs.offset[slot]);
        fitted.add(middle - reach, middle + reach);
    }
    fitted
}

/// A slab in frame a: `|normal·(x − c) − offset| ≤ half` about the centre c of its box.
#[derive(Debug, Clone, Copy)]
pub(super) struct OneSlab {
    normal: Vec3,
    offset: f32,
    half: f32,
}

impl OneSlab {
    /// Child `slot` of a node of tree a.
    #[inline(always)]
    pub fn of_a(node: &SlabNode, slot: usize) -> Self {
        Self { normal: lane(&node.normal, slot), offset: node.offset[slot], half: node.half[slot] }
    }

    /// Child `slot` of a node of tree b. A normal takes the inverse transposed: no rotation has to be exact.
    #[inline(always)]
    pub fn of_b(node: &SlabNode, slot: usize, turn: &Turn) -> Self {
        let ([x, y, z], scale) = (turn.relative.back, turn.relative.scale);
        let n = lane(&node.normal, slot);
        let along = |v: Vec3| n.x * v.x + n.y * v.y + n.z * v.z;
        Self {
            normal: Vec3::new(along(x), along(y), along(z)),
            offset: node.offset[slot] * scale,
            half: node.half[slot] * scale,
        }
    }
}

/// Eight slabs in frame a.
#[derive(Clone, Copy)]
pub(super) struct EightSlabs<S: Simd> {
    normal: Lanes3<S>,
    offset: f32x8<S>,
    half: f32x8<S>,
}

impl<S: Simd> EightSlabs<S> {
    /// The children of a node of tree a.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_a(simd: S, node: &SlabNode) -> Self {
        Self {
            normal: Lanes3::load(simd, &node.normal),
            offset: node.offset.simd_into(simd),
            half: node.half.simd_into(simd),
        }
    }

    /// The children of a node of tree b.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_b(simd: S, node: &SlabNode, turn: &Turn) -> Self {
        let ([x, y, z], scale) = (&turn.relative.back, turn.relative.scale);
        let (n, eight) = (Lanes3::load(simd, &node.normal), Self::of_a(simd, node));
        Self {
            normal: Lanes3 {
                x: n.x * x.x + n.y * x.y + n.z * x.z,
                y: n.x * y.x + n.y * y.y + n.z * y.z,
                z: n.x * z.x + n.y * z.y + n.z * z.z,
            },
            offset: eight.offset * scale,
            half: eight.half * scale,
        }
    }

    /// Which of the eight may meet `one`, given that their boxes may. Certain to let through every pair that does.
    ///
    /// Let n, d, h be normal, offset and half width of the one slab and m, e, g of the other, and c what lies
    /// from the centre of the first box to that of the second. With α = n·m and r = m − αn, a point x common
    /// to both has `m·(x − c₁) = αn·(x − c₁) + r·(x − c₁)`, which is αd up to |α|h + |r|·half extents, and is
    /// m·c + e up to g. So they are apart if |m·c + e − αd| exceeds |α|h + |r|·half + g: where the slabs are
    /// almost parallel, r is almost zero and the sizes of the boxes do not count. Any α would do; this one
    /// makes r least. The same with n and m exchanged.
    ///
    /// Rounding, with ε = 2⁻²⁴, for boxes that meet (so that c is at most 4 in each coordinate and a box at
    /// most √3 long in half): the centres are off by 1.2e-6 in each coordinate and along m by √3 times that,
    /// m·c rounds by 35ε, the turned normal is off by 7ε a coordinate over a length of 3, r by 3ε over 3, and
    /// d, e, h, g and the sums add 65ε where a pair is rejected: 1e-5 in all. Points off by the rounding of
    /// poses are so along m by √3 times that of a coordinate. Twice the slack of the frame, which is 7.6e-6
    /// and those poses', covers both. A margin between the points adds as much along m, and to the slack what
    /// it adds to c.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn meeting(
        &self,
        simd: S,
        boxes: &EightBoxes<S>,
        one: &OneSlab,
        one_box: &OneBox,
        turn: &Turn,
    ) -> u32 {
        let slack = 2.0 * turn.relative.slack + turn.relative.margin;
        let n = Lanes3::splat(simd, one.normal);
        let (d, h) = (f32x8::splat(simd, one.offset), f32x8::splat(simd, one.half));
        let offset = boxes.center.sub(Lanes3::splat(simd, one_box.center));
        let alpha = n.dot(self.normal);
        let spread = alpha.abs();
        // Along m.
        let rest = self.normal.sub(n.times(alpha)).abs();
        let gap = self.normal.dot(offset) + self.offset - alpha * d;
        let reach = spread * h + self.half + rest.dot(Lanes3::splat(simd, one_box.along_a)) + slack;
        let along_m = gap.abs().simd_le(reach);
        // Along n.
        let rest = n.sub(self.normal.times(alpha)).abs();
        let gap = n.dot(offset) + alpha * self.offset - d;
        let reach = spread * self.half + h + rest.dot(boxes.along_a) + slack;
        let along_n = gap.abs().simd_le(reach);
        (along_m & along_n).to_bitmask() as u32
    }
}

#[cfg(test)]
mod tests {

    use glam::DQuat;
    use rand::RngExt;

    use super::*;
    use crate::effort::Meter;
    use crate::math::Pose;
    use crate::math::simd::other_levels;
    use crate::pair::triangles_intersect;
    use crate::shape::Mesh;
    use crate::testing::{Random, Shown, posed, sheet, triangles_below};
    use crate::tree::{Bodies, visit_candidates};

    /// A sheet z = bend·(x² + y²) of 2n² triangles with corners moved by up to `crumple`.
    fn bowl(n: u32, bend: f64, crumple: f64, rng: &mut Random) -> Mesh {
        sheet(n, |x, y| bend * (x * x + y * y) + crumple * rng.random_range(-1.0..1.0))
    }

    #[test]
    fn every_simd_level_fits_the_same_slabs_to_the_bit() {
        let tree = WideTree::new(&bowl(23, 0.7, 0.01, &mut Random::new(33)));
        let best = fit_at(Level::new(), &tree);
        for level in other_levels() {
            assert!(fit_at(level, &tree) == best, "{level:?}");
        }
    }

    /// Every corner below a child lies in its slab, by the exact coordinates of the mesh. The sum of all widths.
    fn check(mesh: &Mesh) -> f64 {
        let tree = WideTree::new(mesh);
        let mut width = 0.0;
        for (n, slabs) in tree.slabs().iter().enumerate() {
            for (slot, (_, child)) in tree.children(n).enumerate() {
                let (normal, center) = (lane(&slabs.normal, slot), lane(&tree.nodes[n].center, slot));
                let (normal, center) = (normal.as_dvec3(), center.as_dvec3());
                assert!(normal.length() < 1.0 + 1e-6);
                let triangles = triangles_below(&tree, child);
                for p in triangles.iter().flat_map(|&t| mesh.triangle(t).corners()) {
                    let height = normal.dot(tree.frame().scaled(p) - center) - f64::from(slabs.offset[slot]);
                    assert!(height.abs() <= f64::from(slabs.half[slot]), "{height} {}", slabs.half[slot]);
                }
                width += f64::from(slabs.half[slot]);
            }
        }
        width
    }

    #[test]
    fn slabs_hold_their_triangles() {
        let mut rng = Random::new(31);
        for (n, crumple) in [(1, 0.0), (2, 0.1), (7, 0.5), (40, 0.0), (40, 0.002), (70, 0.01)] {
            let sheet = bowl(n, 0.7, crumple, &mut rng);
            let turn = rng.rotation();
            for (scale, far) in [(1.0, 0.0), (1e-80, 0.0), (1e80, 1e85)] {
                check(&sheet.mapped(|p| turn * p * scale + DVec3::splat(far)).unwrap());
            }
            check(&sheet.mapped(|p| DVec3::new(p.x, 0.0, 0.0)).unwrap());
        }
        check(&Mesh::new(vec![DVec3::ONE], vec![[0, 0, 0]; 100]).unwrap());
    }

    #[test]
    fn slabs_of_a_plane_are_thin() {
        // A plane in any direction: what is left is the rounding of stored corners, 2⁻²⁴ each, and what is
        // added for it.
        let mut rng = Random::new(32);
        let turn = rng.rotation();
        let plane = bowl(40, 0.0, 0.0, &mut rng).mapped(|p| turn * p).unwrap();
        let nodes = WideTree::new(&plane).node_count() as f64;
        assert!(check(&plane) < 8.0 * nodes * 3e-6);
    }

    /// Two bowls back to back, their tops this far apart along the common normal; found and shown pairs are checked
    /// against all pairs by the exact test. How many meet.
    fn back_to_back(gap: f64, scale: f64, far: f64, rng: &mut Random) -> usize {
        let [up, down] = [0.4, 0.3].map(|bend| bowl(14, bend, 2e-4, rng).mapped(|p| p * scale).unwrap());
        let turn = rng.rotation();
        let spin =
            DQuat::from_rotation_x(std::f64::consts::PI) * DQuat::from_rotation_z(rng.random_range(0.0..6.0));
        let at = DVec3::new(rng.random_range(-0.02..0.02), 0.0, -gap) * scale;
        let away = DVec3::splat(far);
        let (pose_a, pose_b) =
            (Pose::new(away, turn).unwrap(), Pose::new(away + turn * at, turn * spin).unwrap());
        let (trees, triangles) =
            ([WideTree::new(&up), WideTree::new(&down)], [posed(&up, &pose_a), posed(&down, &pose_b)]);
        let mut shown = Shown::default();
        let bodies = Bodies { a: &trees[0], pose_a: &pose_a, b: &trees[1], pose_b: &pose_b };
        visit_candidates(&bodies, &mut shown, &mut Meter::unlimited());
        let meet =
            |[i, j]: [u32; 2]| triangles_intersect(&triangles[0][i as usize], &triangles[1][j as usize]);
        let mut found = shown.pairs;
        found.retain(|pair| meet(*pair));
        found.sort_unstable();
        let counts = [&up, &down].map(|mesh| mesh.triangles().len() as u32);
        let all = (0..counts[0]).flat_map(|i| (0..counts[1]).map(move |j| [i, j]));
        assert_eq!(found, all.filter(|pair| meet(*pair)).collect::<Vec<_>>());
        found.len()
    }

    #[test]
    fn surfaces_that_graze_each_other_lose_no_pair() {
        let mut rng = Random::new(33);
        let (mut apart, mut grazing) = (0, 0);
        for step in 0..60 {
            let gap = f64::from(step % 12 - 8) * 1e-4;
            let (scale, far) = [(1.0, 0.0), (1e-60, 0.0), (1.0, 1e6), (3e-9, 1.0)][step as usize / 12 % 4];
            let met = back_to_back(gap, scale, far, &mut rng);
            apart += usize::from(met == 0);
            grazing += usize::from((1..200).contains(&met));
        }
        assert!(apart > 10 && grazing > 10, "{apart} apart, {grazing} grazing: the test lost its point");
    }
}
