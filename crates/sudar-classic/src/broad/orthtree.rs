//! Quad tree and octrees: space halved on two or three axes at once.

use super::lattice::test_large;
use super::tuning::Tuning;
use sudar::broad::Region;
use sudar::broad::{Boxes, Extent, overlap};
use sudar::broad::{FoundPairs, PairFinder};
use sudar::shape::Aabb;

/// A tree in `D` dimensions (2 or 3) whose nodes have 2ᴰ children of half their size.
///
/// With duplicates, a box lies in every leaf that it enters, and a pair is compared in the leaf where the
/// overlap begins. Without, it is kept in the deepest node that holds it whole, and is compared with what is
/// in that node and the nodes above; boxes across the middle of a large node are many to compare with. Static
/// boxes stay where they are; moving ones are put in again whenever they move (Dimitrijević 2019). Boxes that
/// leave the tree are compared with all, until they are many; then the tree is built anew.
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

impl<const D: usize, const DUPLICATES: bool> Orthtree<D, DUPLICATES> {
    pub fn new(tuning: Tuning) -> Self {
        let tuning = Tuning { depth: tuning.depth.min(21), ..tuning };
        Self { tuning, nodes: vec![], place: vec![], outside: vec![], flat: 2, built_for: 0 }
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
        let Tuning { leaf_size, depth } = self.tuning;
        if self.tuning == Tuning::default() {
            return String::new();
        }
        format!("leaves of {leaf_size}, depth {depth}")
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
            || self.nodes.len() > 512 + 16 * n
        {
            self.build(boxes);
            found.counters.swaps += n as u64;
        }
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
        let node = &mut self.nodes[number as usize];
        node.items.push(i);
        if node.children == 0 && node.items.len() > node.most && node.depth < self.tuning.depth {
            self.divide(boxes, number);
        }
    }

    /// Gives a leaf children, unless boxes would be in too many of them.
    fn divide(&mut self, boxes: &Boxes, number: u32) {
        let node = &self.nodes[number as usize];
        let shares = |i: &u32| self.taking(&node.bounds, boxes.get(*i)).count();
        let copies: usize = node.items.iter().map(shares).sum();
        let useful = if DUPLICATES { copies <= 2 * node.items.len() } else { copies > 0 };
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
        if !DUPLICATES {
            let place = std::mem::replace(&mut self.place[i as usize], NOWHERE);
            if let Some(node) = self.nodes.get_mut(place as usize) {
                node.items.retain(|&j| j != i);
            }
            return;
        }
        let mut todo = vec![0];
        while let Some(number) = todo.pop() {
            let node = &mut self.nodes[number as usize];
            node.items.retain(|&j| j != i);
            let Node { bounds, children, .. } = *node;
            todo.extend(self.taking(&bounds, before).filter(|_| children != 0).map(|child| children + child));
        }
    }

    fn pairs_in_leaves(&self, boxes: &Boxes, found: &mut FoundPairs) {
        let all = (1 << D) - 1;
        let mut groups: [Vec<u32>; 8] = Default::default();
        for node in &self.nodes {
            found.counters.visits += 1;
            groups.iter_mut().for_each(Vec::clear);
            for &i in &node.items {
                groups[self.begins(node, boxes.get(i))].push(i);
            }
            // The overlap of two boxes begins in this leaf if on every axis one of them does.
            for (one, some) in groups.iter().enumerate() {
                for (k, &i) in some.iter().enumerate().filter(|_| one == all) {
                    some[k + 1..].iter().for_each(|&j| found.test(boxes, i, j));
                }
                for others in groups[one + 1..].iter().enumerate().filter(|(k, _)| one | (one + 1 + k) == all)
                {
                    some.iter().for_each(|&i| others.1.iter().for_each(|&j| found.test(boxes, i, j)));
                }
            }
        }
    }

    /// On which axes a box begins in a leaf that it enters: a bit for each.
    fn begins(&self, node: &Node, aabb: &Aabb) -> usize {
        let bit = |(bit, k): (usize, usize)| usize::from(node.bounds.min[k] <= aabb.min[k]) << bit;
        self.axes().enumerate().map(bit).sum()
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
