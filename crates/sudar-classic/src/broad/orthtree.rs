//! Quad tree and octrees: space halved on two or three axes at once.

use super::lattice::test_large;
use super::tuning::Tuning;
use sudar::broad::Region;
use sudar::broad::{Boxes, Extent, overlap};
use sudar::broad::{FoundPairs, PairFinder};
use sudar::shape::Aabb;

/// A tree in `D` dimensions (2 or 3) whose nodes have 2ᴰ children of half their size.
///
/// With duplicates, a box lies in every leaf that it enters, and boxes are compared in every leaf that they share.
/// Leaves of more boxes than the parameter says are divided down to the deepest level, so that clusters of boxes are
/// copied into very many leaves. Without duplicates, a box is kept in the deepest node that holds it whole, and is
/// compared with what is in that node and the nodes above; boxes across the middle of a large node are many to
/// compare with. Static boxes stay where they are; moving ones are put in again whenever they move (Dimitrijević 2019,
/// section 3.2).
///
/// Where this departs from the source: a pair is kept in the leaf where its overlap begins instead of going through a
/// set; no leaf is divided once boxes are in [`MOST_COPIES`] leaves on average; boxes that leave the tree are compared
/// with all, until they are many, and then the tree is built anew.
#[derive(Debug, Clone)]
pub(super) struct Orthtree<const D: usize, const DUPLICATES: bool> {
    tuning: Tuning,
    nodes: Vec<Node>,
    /// The node that a box is in, without duplicates.
    place: Vec<u32>,
    /// Boxes that are not inside the root.
    outside: Vec<u32>,
    /// The axis that is not halved in two dimensions.
    flat: usize,
    built_for: usize,
    /// Boxes that are not outside.
    held: usize,
    /// Boxes in all nodes, each copy counted.
    entries: usize,
    /// Boxes put into nodes since the last step, each copy counted.
    insertions: u64,
}

#[derive(Debug, Clone)]
struct Node {
    bounds: Aabb,
    /// Number of the first child; zero for a leaf.
    children: u32,
    depth: u32,
    /// More boxes than this make a leaf be divided, if that is of use.
    most: usize,
    items: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

/// Entries a box, on average, beyond which leaves are not divided any more: identical boxes would fill all memory.
const MOST_COPIES: usize = 64;

impl<const D: usize, const DUPLICATES: bool> Orthtree<D, DUPLICATES> {
    pub fn new(tuning: Tuning) -> Self {
        let tuning = Tuning { depth: tuning.depth.min(21), ..tuning };
        Self {
            tuning,
            nodes: vec![],
            place: vec![],
            outside: vec![],
            flat: 2,
            built_for: 0,
            held: 0,
            entries: 0,
            insertions: 0,
        }
    }
}

impl<const D: usize, const DUPLICATES: bool> PairFinder for Orthtree<D, DUPLICATES> {
    fn name(&self) -> &str {
        match (D, DUPLICATES) {
            (2, _) => "quadtree",
            (_, true) => "octree-dup",
            (_, false) => "octree",
        }
    }

    fn parameters(&self) -> String {
        let Tuning { leaf_size, depth, spares_copies } = self.tuning;
        if self.tuning == Tuning::default() {
            return String::new();
        }
        let copies = if spares_copies { ", few copies" } else { "" };
        format!("leaves of {leaf_size}, depth {depth}{copies}")
    }

    fn inserted(&mut self, boxes: &Boxes, i: u32) {
        if !self.nodes.is_empty() {
            self.put(boxes, i);
        }
    }

    fn moved(&mut self, boxes: &Boxes, i: u32, before: &Aabb) {
        if !self.nodes.is_empty() {
            self.take_out(i, before);
            self.put(boxes, i);
        }
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, before: &Aabb) {
        if !self.nodes.is_empty() {
            self.take_out(i, before);
        }
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        let n = boxes.len();
        let other_size = n > 2 * self.built_for + 64 || 4 * n + 64 < self.built_for;
        if self.nodes.is_empty()
            || other_size
            || self.outside.len() > 8 + n / 8
            || self.nodes.len() > self.most_nodes(n)
        {
            self.build(boxes);
        }
        found.counters.swaps += std::mem::take(&mut self.insertions);
        if DUPLICATES {
            self.pairs_in_leaves(boxes, found);
        } else {
            self.pairs_below(boxes, 0, &[], found);
        }
        test_large(&self.outside, boxes, found);
    }

    fn search(&self, _boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        self.outside.iter().for_each(|&i| visit(i));
        let mut todo: Vec<u32> = (0..self.nodes.len().min(1) as u32).collect();
        while let Some(number) = todo.pop() {
            let node = &self.nodes[number as usize];
            if region.meets(&node.bounds) {
                node.items.iter().for_each(|&i| visit(i));
                todo.extend(self.children(node));
            }
        }
        true
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        self.nodes.iter().map(|node| (node.depth, node.bounds)).collect()
    }

    fn bytes(&self) -> usize {
        let items: usize = self.nodes.iter().map(|node| 4 * node.items.capacity()).sum();
        self.nodes.capacity() * size_of::<Node>()
            + items
            + 4 * (self.place.capacity() + self.outside.capacity())
    }
}

impl<const D: usize, const DUPLICATES: bool> Orthtree<D, DUPLICATES> {
    fn build(&mut self, boxes: &Boxes) {
        let extent = Extent::of(boxes.live().map(|i| boxes.get(i)));
        let range = extent.bounds.extent();
        self.flat = [1, 0].into_iter().fold(2, |least, k| if range[k] < range[least] { k } else { least });
        // Some room around, for what moves.
        let bounds = extent.bounds.grown(0.125 * range.max_element());
        self.nodes = vec![self.leaf(bounds, 0)];
        self.outside.clear();
        self.place.clear();
        self.place.resize(boxes.slots().len(), NOWHERE);
        self.built_for = boxes.len();
        (self.held, self.entries) = (0, 0);
        boxes.live().for_each(|i| self.put(boxes, i));
    }

    fn leaf(&self, bounds: Aabb, depth: u32) -> Node {
        Node { bounds, children: 0, depth, most: self.tuning.leaf_size.max(1), items: Vec::new() }
    }

    fn children(&self, node: &Node) -> std::ops::Range<u32> {
        if node.children == 0 { 0..0 } else { node.children..node.children + (1 << D) }
    }

    /// The axes that are halved.
    fn axes(&self) -> impl Iterator<Item = usize> + use<D, DUPLICATES> {
        let flat = if D == 2 { self.flat } else { 3 };
        (0..3).filter(move |&k| k != flat)
    }

    /// The numbers of the children of a node, leaf or not, that have a share in the box, or the one that
    /// holds it whole.
    fn taking(&self, bounds: &Aabb, aabb: &Aabb) -> impl Iterator<Item = u32> + use<D, DUPLICATES> {
        let middle = bounds.center();
        // The axes on which the child may be the lower one, and the upper one: a bit for each.
        let (mut low, mut high) = (0u32, 0u32);
        for (bit, k) in self.axes().enumerate() {
            let [below, above] = if DUPLICATES {
                [aabb.min[k] < middle[k], aabb.max[k] >= middle[k]]
            } else {
                [aabb.max[k] < middle[k], aabb.min[k] >= middle[k]]
            };
            low |= u32::from(below) << bit;
            high |= u32::from(above) << bit;
        }
        (0..1 << D).filter(move |child| child & !high == 0 && !child & !low & ((1 << D) - 1) == 0)
    }

    fn put(&mut self, boxes: &Boxes, i: u32) {
        if self.place.len() <= i as usize {
            self.place.resize(i as usize + 1, NOWHERE);
        }
        if self.is_inside(boxes.get(i)) {
            self.held += 1;
            self.put_below(boxes, 0, i);
        } else {
            self.outside.push(i);
        }
    }

    fn is_inside(&self, aabb: &Aabb) -> bool {
        let root = &self.nodes[0].bounds;
        root.min.cmple(aabb.min).all() && aabb.max.cmplt(root.max).all()
    }

    fn put_below(&mut self, boxes: &Boxes, number: u32, i: u32) {
        let Node { bounds, children, .. } = self.nodes[number as usize];
        let mut taken = false;
        for child in self.taking(&bounds, boxes.get(i)).filter(|_| children != 0) {
            taken = true;
            self.put_below(boxes, children + child, i);
        }
        if !taken {
            self.keep(boxes, number, i);
        }
    }

    fn keep(&mut self, boxes: &Boxes, number: u32, i: u32) {
        if !DUPLICATES {
            self.place[i as usize] = number;
        }
        self.entries += 1;
        self.insertions += 1;
        let node = &mut self.nodes[number as usize];
        node.items.push(i);
        if node.children == 0 && node.items.len() > node.most && node.depth < self.tuning.depth {
            self.divide(boxes, number);
        }
    }

    /// Nodes beyond which a tree is built anew: empty ones are left where boxes have been.
    fn most_nodes(&self, boxes: usize) -> usize {
        let entries = if DUPLICATES { MOST_COPIES } else { 1 };
        512 + 16 * entries * boxes
    }

    /// Gives a leaf children, where that is of use.
    fn divide(&mut self, boxes: &Boxes, number: u32) {
        let node = &self.nodes[number as usize];
        let shares = |i: &u32| self.taking(&node.bounds, boxes.get(*i)).count();
        let copies: usize = node.items.iter().map(shares).sum();
        let is_copied = self.entries + copies > MOST_COPIES * self.held;
        let is_spared = self.tuning.spares_copies && copies > 2 * node.items.len();
        let useful = if DUPLICATES { !is_copied && !is_spared } else { copies > 0 };
        if !useful {
            self.nodes[number as usize].most = 2 * self.nodes[number as usize].items.len();
            return;
        }
        let (bounds, depth, first) = (node.bounds, node.depth + 1, self.nodes.len() as u32);
        for child in 0..1 << D {
            let child = self.leaf(self.part(&bounds, child), depth);
            self.nodes.push(child);
        }
        self.nodes[number as usize].children = first;
        let items = std::mem::take(&mut self.nodes[number as usize].items);
        self.entries -= items.len();
        items.into_iter().for_each(|i| self.put_below(boxes, number, i));
    }

    fn part(&self, bounds: &Aabb, number: usize) -> Aabb {
        let (mut part, middle) = (*bounds, bounds.center());
        for (bit, k) in self.axes().enumerate() {
            if number >> bit & 1 == 1 {
                part.min[k] = middle[k];
            } else {
                part.max[k] = middle[k];
            }
        }
        part
    }

    fn take_out(&mut self, i: u32, before: &Aabb) {
        if !self.is_inside(before) {
            self.outside.retain(|&j| j != i);
            return;
        }
        self.held -= 1;
        if !DUPLICATES {
            let place = std::mem::replace(&mut self.place[i as usize], NOWHERE);
            self.take_from(place, i);
            return;
        }
        let mut todo = vec![0];
        while let Some(number) = todo.pop() {
            self.take_from(number, i);
            let Node { bounds, children, .. } = self.nodes[number as usize];
            todo.extend(self.taking(&bounds, before).filter(|_| children != 0).map(|child| children + child));
        }
    }

    fn take_from(&mut self, number: u32, i: u32) {
        let Some(node) = self.nodes.get_mut(number as usize) else { return };
        let before = node.items.len();
        node.items.retain(|&j| j != i);
        self.entries -= before - node.items.len();
    }

    fn pairs_in_leaves(&self, boxes: &Boxes, found: &mut FoundPairs) {
        for node in &self.nodes {
            found.counters.visits += 1;
            for (k, &i) in node.items.iter().enumerate() {
                let others = &node.items[k + 1..];
                found.counters.tests += others.len() as u64;
                let met = others.iter().filter(|&&j| boxes.meet(i, j));
                met.filter(|&&j| self.begins(node, boxes.get(i), boxes.get(j)))
                    .for_each(|&j| found.keep(i, j));
            }
        }
    }

    /// Whether the overlap of two boxes that enter a leaf begins there: so it does in one leaf only.
    fn begins(&self, node: &Node, a: &Aabb, b: &Aabb) -> bool {
        self.axes().all(|k| node.bounds.min[k] <= a.min[k].max(b.min[k]))
    }

    /// `above`: boxes in nodes above which enter this one.
    fn pairs_below(&self, boxes: &Boxes, number: u32, above: &[u32], found: &mut FoundPairs) {
        let node = &self.nodes[number as usize];
        found.counters.visits += 1;
        for (k, &i) in node.items.iter().enumerate() {
            node.items[k + 1..].iter().chain(above).for_each(|&j| found.test(boxes, i, j));
        }
        for child in self.children(node) {
            let bounds = &self.nodes[child as usize].bounds;
            let entering = |i: &&u32| overlap(boxes.get(**i), bounds);
            let above: Vec<u32> = above.iter().chain(&node.items).filter(entering).copied().collect();
            self.pairs_below(boxes, child, &above, found);
        }
    }
}
