//! Building a [`WideTree`]: binned surface-area heuristic, straight to eight children a node.
//!
//! A range of triangles is cut in two where the heuristic says, the costliest part again, until there are eight
//! parts or all are small. No binary tree is made on the way. Cuts depend on the triangles alone, so that
//! building on many threads gives the same tree: large parts are built apart and appended in order.

use std::sync::OnceLock;

use glam::DVec3;

use crate::math::par::mapped;
use crate::math::power_of_two;
use crate::shape::Mesh;
use crate::tree::pairs::frame::{Frame, STORED};
use crate::tree::wide::{LEAF_SIZE, WideNode, WideTree};

/// Places where a cut is tried, minus one.
const BINS: usize = 16;
/// Parts of at least this many triangles are built as tasks of their own.
const TASK: usize = 8192;

/// Four lanes, three used: points and boxes as the compiler likes them.
pub type Lanes = [f32; 4];

#[derive(Clone, Copy)]
pub struct Box3 {
    pub min: Lanes,
    pub max: Lanes,
}

impl Box3 {
    pub const EMPTY: Self = Self { min: [f32::INFINITY; 4], max: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for k in 0..4 {
            self.min[k] = if other.min[k] < self.min[k] { other.min[k] } else { self.min[k] };
            self.max[k] = if other.max[k] > self.max[k] { other.max[k] } else { self.max[k] };
        }
    }

    /// Half the surface area; zero if empty.
    #[inline(always)]
    fn area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|k| self.max[k] - self.min[k]);
        if x < 0.0 { 0.0 } else { x * y + y * z + z * x }
    }
}

/// A triangle while the tree is built.
#[derive(Clone, Copy)]
struct Item {
    bounds: Box3,
    triangle: u32,
}

impl Item {
    /// Twice the centre along an axis.
    #[inline(always)]
    fn center(&self, axis: usize) -> f32 {
        self.bounds.min[axis] + self.bounds.max[axis]
    }
}

/// A range of items on its way to becoming a child.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    bounds: Box3,
}

impl Part {
    fn len(&self) -> usize {
        self.end - self.start
    }

    /// What cutting it can gain, and whether it may stay a leaf.
    fn weight(&self) -> f32 {
        if self.len() <= LEAF_SIZE { -1.0 } else { self.bounds.area() * self.len() as f32 }
    }
}

/// Nodes, order and corners of a subtree, numbered from zero.
#[derive(Default)]
pub struct Subtree {
    pub nodes: Vec<WideNode>,
    pub order: Vec<u32>,
    pub corners: Vec<f32>,
}

impl WideTree {
    /// Builds the tree by binned surface-area heuristic (Wald 2007, "On fast construction of SAH-based bounding
    /// volume hierarchies"); O(n log n), on all cores for large meshes.
    pub fn new(mesh: &Mesh) -> Self {
        build(mesh)
    }
}

pub fn build(mesh: &Mesh) -> WideTree {
    let frame = Frame::around(mesh.aabb());
    let points = scaled_points(mesh, &frame);
    let triangles = Triangles { points: &points, corners: mesh.triangles() };
    let Subtree { nodes, order, mut corners } = triangles.subtree(0..mesh.triangles().len() as u32);
    corners.extend([0.0; 7]);
    WideTree {
        frame,
        nodes,
        order,
        corners,
        costs: Vec::new(),
        slabs: OnceLock::new(),
        oriented: OnceLock::new(),
    }
}

/// The vertices in the tree's frame, to nearest.
pub fn scaled_points(mesh: &Mesh, frame: &Frame) -> Vec<Lanes> {
    let unit = power_of_two(frame.exponent);
    let place = |p: &DVec3| ((*p - frame.origin) * unit).as_vec3().extend(0.0).to_array();
    mesh.vertices().iter().map(place).collect()
}

fn enclosing(items: &[Item]) -> Box3 {
    let mut all = Box3::EMPTY;
    for item in items {
        all.add(&item.bounds);
    }
    all
}

/// The triangles of the mesh in the tree's frame.
#[derive(Clone, Copy)]
pub struct Triangles<'a> {
    pub points: &'a [Lanes],
    pub corners: &'a [[u32; 3]],
}

impl Triangles<'_> {
    #[inline(always)]
    pub fn get(&self, t: u32) -> [Lanes; 3] {
        self.corners[t as usize].map(|i| self.points[i as usize])
    }

    fn item(&self, triangle: u32) -> Item {
        let mut bounds = Box3::EMPTY;
        for p in self.get(triangle) {
            bounds.add(&Box3 { min: p, max: p });
        }
        Item { bounds, triangle }
    }

    /// The subtree over triangles of these numbers, its root first.
    pub fn subtree(&self, numbers: impl Iterator<Item = u32>) -> Subtree {
        let mut items: Vec<Item> = numbers.map(|t| self.item(t)).collect();
        let bounds = enclosing(&items);
        self.build(&mut items, bounds)
    }

    /// The subtree over all of `items`, its root first.
    fn build(&self, items: &mut [Item], bounds: Box3) -> Subtree {
        let mut out = Subtree::default();
        self.grow(items, bounds, &mut out);
        out
    }

    /// Appends the subtree over `items` to `out`.
    fn grow(&self, items: &mut [Item], bounds: Box3, out: &mut Subtree) {
        let (parts, n) = cut_in_eight(items, bounds);
        let place = out.nodes.len();
        out.nodes.push(node_of(&parts[..n]));
        if items.len() >= TASK {
            return self.grow_apart(items, &parts[..n], place, out);
        }
        for (slot, part) in parts[..n].iter().enumerate() {
            let inside = &mut items[part.start..part.end];
            if inside.len() <= LEAF_SIZE {
                (out.nodes[place].first[slot], out.nodes[place].count[slot]) = self.leaf(inside, out);
            } else {
                out.nodes[place].first[slot] = out.nodes.len() as u32;
                self.grow(inside, part.bounds, out);
            }
        }
    }

    /// Builds each part as a task of its own, then appends them in order.
    fn grow_apart(&self, items: &mut [Item], parts: &[Part], place: usize, out: &mut Subtree) {
        let mut pieces = Vec::with_capacity(parts.len());
        let mut rest = items;
        for part in parts {
            let (piece, tail) = rest.split_at_mut(part.len());
            pieces.push((piece, part.bounds));
            rest = tail;
        }
        let grow = |(piece, bounds): (&mut [Item], Box3)| {
            if piece.len() > LEAF_SIZE {
                return self.build(piece, bounds);
            }
            let mut leaf = Subtree::default();
            self.leaf(piece, &mut leaf);
            leaf
        };
        for (slot, piece) in mapped(pieces, 1, grow).into_iter().enumerate() {
            let first = out.append(piece);
            out.nodes[place].first[slot] = first;
            if parts[slot].len() <= LEAF_SIZE {
                out.nodes[place].count[slot] = parts[slot].len() as u8;
            }
        }
    }

    /// Appends a leaf and returns its place and size.
    fn leaf(&self, items: &mut [Item], out: &mut Subtree) -> (u32, u8) {
        // Within a leaf in the order of the mesh: the same order for any cuts.
        items.sort_unstable_by_key(|i| i.triangle);
        let first = out.order.len();
        out.order.extend(items.iter().map(|i| i.triangle));
        let (n, base) = (items.len(), out.corners.len());
        out.corners.resize(base + 9 * n, 0.0);
        self.place(&out.order[first..], &mut out.corners[base..]);
        (first as u32, n as u8)
    }

    /// Writes the corners of a leaf's triangles, and returns the box around them.
    #[inline(always)]
    pub fn place(&self, leaf: &[u32], corners: &mut [f32]) -> Box3 {
        let mut bounds = Box3::EMPTY;
        for (lane, &t) in leaf.iter().enumerate() {
            for (corner, p) in self.get(t).into_iter().enumerate() {
                bounds.add(&Box3 { min: p, max: p });
                for (axis, &x) in p[..3].iter().enumerate() {
                    corners[(3 * corner + axis) * leaf.len() + lane] = x;
                }
            }
        }
        bounds
    }
}

impl Subtree {
    /// Appends another subtree, renumbered; where its root (or, for a bare leaf, its first triangle) now is.
    fn append(&mut self, other: Self) -> u32 {
        let (nodes, order) = (self.nodes.len() as u32, self.order.len() as u32);
        let bare = other.nodes.is_empty();
        for mut node in other.nodes {
            for slot in 0..8 {
                node.first[slot] += if node.count[slot] > 0 { order } else { nodes };
            }
            self.nodes.push(node);
        }
        self.order.extend(other.order);
        self.corners.extend(other.corners);
        if bare { order } else { nodes }
    }
}

/// A node with the boxes of its parts.
fn node_of(parts: &[Part]) -> WideNode {
    let mut node = WideNode::EMPTY;
    for (slot, part) in parts.iter().enumerate() {
        node.enclose(slot, &part.bounds);
    }
    node
}

impl WideNode {
    /// Puts a box into a slot, as centre and half extent rounded outward.
    #[inline(always)]
    pub fn enclose(&mut self, slot: usize, bounds: &Box3) {
        for axis in 0..3 {
            let (min, max) = (bounds.min[axis], bounds.max[axis]);
            let center = 0.5 * (min + max);
            // The stored corners are off by STORED, centre and half extent each by as much again.
            self.center[axis][slot] = center;
            self.half[axis][slot] = (max - center).max(center - min) + 4.0 * STORED;
        }
    }
}

/// Cuts the items into up to eight parts, in place; the parts are in the order of the items.
fn cut_in_eight(items: &mut [Item], bounds: Box3) -> ([Part; 8], usize) {
    let whole = Part { start: 0, end: items.len(), bounds };
    let mut parts = [whole; 8];
    let mut n = 1;
    while n < 8 {
        let heaviest =
            (0..n).max_by(|&i, &j| parts[i].weight().total_cmp(&parts[j].weight()).then(j.cmp(&i)));
        let Some(i) = heaviest.filter(|&i| parts[i].len() > LEAF_SIZE) else { break };
        let (left, right) = cut(items, parts[i]);
        parts.copy_within(i + 1..n, i + 2);
        (parts[i], parts[i + 1]) = (left, right);
        n += 1;
    }
    (parts, n)
}

/// Cuts a part where the surface-area heuristic finds it cheapest along its longest axis of centres.
fn cut(items: &mut [Item], part: Part) -> (Part, Part) {
    let inside = &mut items[part.start..part.end];
    let binning = Binning::of(inside);
    let Some(binning) = binning else { return cut_in_middle(inside, part) };
    let bins = binning.fill(inside);
    let (split, left, right) = cheapest(&bins);
    let middle = partition(inside, |item| binning.bin(item) < split);
    if middle == 0 || middle == inside.len() {
        return cut_in_middle(inside, part);
    }
    let middle = part.start + middle;
    (
        Part { start: part.start, end: middle, bounds: left },
        Part { start: middle, end: part.end, bounds: right },
    )
}

/// For triangles whose centres coincide: half of them each.
fn cut_in_middle(inside: &mut [Item], part: Part) -> (Part, Part) {
    let middle = inside.len() / 2;
    let (left, right) = (enclosing(&inside[..middle]), enclosing(&inside[middle..]));
    let middle = part.start + middle;
    (Part { end: middle, bounds: left, ..part }, Part { start: middle, bounds: right, ..part })
}

/// The axis along which centres spread most, and how they fall into bins.
struct Binning {
    axis: usize,
    low: f32,
    per_unit: f32,
}

impl Binning {
    fn of(items: &[Item]) -> Option<Self> {
        let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
        for item in items {
            for k in 0..4 {
                let c = item.bounds.min[k] + item.bounds.max[k];
                low[k] = if c < low[k] { c } else { low[k] };
                high[k] = if c > high[k] { c } else { high[k] };
            }
        }
        let spread = [0, 1, 2].map(|k| high[k] - low[k]);
        let axis = (1..3).fold(0, |best, k| if spread[k] > spread[best] { k } else { best });
        let per_unit = BINS as f32 * (1.0 - 1e-6) / spread[axis];
        per_unit.is_finite().then_some(Self { axis, low: low[axis], per_unit })
    }

    #[inline(always)]
    fn bin(&self, item: &Item) -> usize {
        let x = (item.center(self.axis) - self.low) * self.per_unit;
        // Adding 1.5·2^23 rounds to a whole number and leaves it in the lowest bits: cheaper than a checked cast.
        (((x - 0.5) + 12_582_912.0).to_bits() & 0xff).min(BINS as u32 - 1) as usize
    }

    fn fill(&self, items: &[Item]) -> [(Box3, u32); BINS] {
        let mut bins = [(Box3::EMPTY, 0); BINS];
        for item in items {
            let bin = &mut bins[self.bin(item)];
            bin.0.add(&item.bounds);
            bin.1 += 1;
        }
        bins
    }
}

/// The bin that begins the right side of the cheapest cut, and the boxes of both sides.
fn cheapest(bins: &[(Box3, u32); BINS]) -> (usize, Box3, Box3) {
    let mut right = [(Box3::EMPTY, 0); BINS];
    let mut sum = (Box3::EMPTY, 0);
    for i in (1..BINS).rev() {
        sum.0.add(&bins[i].0);
        sum.1 += bins[i].1;
        right[i] = sum;
    }
    let mut left = (Box3::EMPTY, 0);
    let mut best = (f32::INFINITY, BINS / 2, Box3::EMPTY, Box3::EMPTY);
    for i in 1..BINS {
        left.0.add(&bins[i - 1].0);
        left.1 += bins[i - 1].1;
        let cost = left.0.area() * left.1 as f32 + right[i].0.area() * right[i].1 as f32;
        if cost < best.0 && left.1 > 0 && right[i].1 > 0 {
            best = (cost, i, left.0, right[i].0);
        }
    }
    (best.1, best.2, best.3)
}

/// Moves the items that belong left before the others, and returns how many they are. Every item is swapped, also
/// with itself: a branch on `left` is mispredicted half of the time and costs more than the copy.
fn partition(items: &mut [Item], is_left: impl Fn(&Item) -> bool) -> usize {
    let mut next = 0;
    for i in 0..items.len() {
        let left = is_left(&items[i]);
        items.swap(i, next);
        next += usize::from(left);
    }
    next
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::testing::{Random, triangles_below};
    use crate::tree::wide::Child;

    fn check(mesh: &Mesh) {
        check_tree(mesh, &WideTree::new(mesh));
    }

    /// Every triangle in one leaf, every box around the exact triangles below it.
    pub fn check_tree(mesh: &Mesh, tree: &WideTree) {
        let mut seen = vec![0; mesh.triangles().len()];
        for n in 0..tree.node_count() {
            for (aabb, child) in tree.children(n) {
                let below = triangles_below(tree, child);
                for t in &below {
                    let corners = mesh.triangle(*t).corners();
                    assert!(corners.iter().all(|p| aabb.contains(*p)), "triangle {t} leaves its box");
                }
                if let Child::Leaf(triangles) = child {
                    assert!(triangles.len() <= LEAF_SIZE && triangles.is_sorted());
                    triangles.iter().for_each(|&t| seen[t as usize] += 1);
                }
            }
        }
        assert!(seen.iter().all(|&n| n == 1));
    }

    #[test]
    fn boxes_hold_their_triangles_for_every_size() {
        for n in [1, 2, 8, 9, 63, 64, 65, 1000, 20_000] {
            check(&Random::new(n as u64).soup(n, 0.05));
        }
    }

    #[test]
    fn coinciding_and_flat_triangles_are_no_trouble() {
        let one = Random::new(3).soup(1, 1.0);
        let copies = Mesh::new(one.vertices().to_vec(), vec![[0, 1, 2]; 1000]).unwrap();
        check(&copies);
        let points = Mesh::new(vec![DVec3::ONE], vec![[0, 0, 0]; 100]).unwrap();
        check(&points);
        check(&Random::new(4).soup(500, 0.1).mapped(|p| DVec3::new(p.x, 0.0, 0.0)).unwrap());
    }

    #[test]
    fn far_from_the_origin_and_at_any_scale_boxes_still_hold() {
        check(&Random::new(5).soup(300, 0.1).mapped(|p| p * 1e-80).unwrap());
        check(&Random::new(6).soup(300, 0.1).mapped(|p| p * 1e80).unwrap());
        check(&Random::new(7).soup(300, 0.1).mapped(|p| p + DVec3::splat(1e9)).unwrap());
    }

    #[test]
    fn nodes_take_less_than_64_bytes_a_triangle() {
        let mesh = Random::new(8).soup(20_000, 0.02);
        let per_triangle = WideTree::new(&mesh).bytes() as f64 / 20_000.0;
        assert!(per_triangle < 64.0, "{per_triangle}");
    }
}
