//! Beginning where the last search ended: the front of the tree of pairs.

use std::ops::ControlFlow;

use super::traverse::opens_first;
use super::{End, Kernel, TraversalOrder, VolumeTree, traverse_from};
use sudar::effort::Meter;
use sudar::volume::Volume;

/// Which pairs a front keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrontDepth {
    /// Nodes of the first tree beside the root of the second (QuickCD, where the first is the environment):
    /// where a leaf of the first overlaps the root, what is below is searched anew each time.
    FirstTree,
    /// Pairs of nodes of both trees (Li and Chen 1998, "Incremental 3D collision detection with hierarchical
    /// data structures"; SWIFT++'s generalised front).
    BothTrees,
}

/// The pairs of nodes at which the last search of two trees ended: those that did not meet, and leaves.
///
/// While bodies move little, hardly a pair above them need be tested. Where a pair of the front has come to
/// meet, the front is dropped to its children; where all children of a pair have come not to meet, it is
/// raised to that pair, one step a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Front {
    depth: FrontDepth,
    pairs: Vec<Pair>,
    /// The pairs of the front, depth first.
    front: Vec<u32>,
}

/// A pair of nodes that is or was part of the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair {
    a: u32,
    b: u32,
    parent: u32,
    children: u32,
    opened_first: bool,
}

const NONE: u32 = u32::MAX;

impl Front {
    /// The front of a search that has not begun: the roots.
    pub fn new(depth: FrontDepth) -> Self {
        let root = Pair { a: 0, b: 0, parent: NONE, children: 0, opened_first: false };
        Self { depth, pairs: vec![root], front: vec![0] }
    }

    /// How many pairs it holds.
    pub fn len(&self) -> usize {
        self.front.len()
    }

    /// Never: the pair of roots is the shortest front.
    pub fn is_empty(&self) -> bool {
        self.front.is_empty()
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.pairs.as_slice()) + size_of_val(self.front.as_slice())
    }

    /// As [`super::traverse`], from the front on. Trees and order must be those of the searches before.
    ///
    /// A search that does not come to its end leaves the rest of the front as it was.
    pub fn traverse<V: Volume, K: Kernel>(
        &mut self,
        trees: (&VolumeTree<V>, &VolumeTree<V>),
        kernel: &mut K,
        order: TraversalOrder,
        meter: &mut Meter,
        mut visitor: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> End {
        if trees.0.nodes().is_empty() || trees.1.nodes().is_empty() {
            return End::Complete;
        }
        let old = std::mem::take(&mut self.front);
        let mut fresh = Raised { front: Vec::with_capacity(old.len()), apart: Vec::new() };
        let mut end = End::Complete;
        let mut kept: Option<(u32, K::Placed)> = None;
        for (i, &start) in old.iter().enumerate() {
            let mut todo = vec![start];
            while let Some(at) = todo.pop() {
                let pair = self.pairs[at as usize];
                if meter.spend(1).is_break() {
                    end = End::OutOfBudget(pair.a, pair.b);
                    fresh.keep(at, todo);
                    break;
                }
                let placed = match kept {
                    Some((b, placed)) if b == pair.b => placed,
                    _ => kernel.place(pair.b),
                };
                kept = Some((pair.b, placed));
                if !kernel.meets(pair.a, &placed) {
                    fresh.push(at, true);
                    self.raise(&mut fresh);
                } else if self.is_lowest(trees, pair) {
                    fresh.push(at, false);
                    end = self.show(trees, pair, kernel, order, meter, &mut visitor);
                    if end != End::Complete {
                        fresh.keep_rest(todo);
                        break;
                    }
                } else {
                    self.drop_front(trees, at, kernel, order, &mut todo);
                }
            }
            if end != End::Complete {
                fresh.front.extend_from_slice(&old[i + 1..]);
                break;
            }
        }
        self.front = fresh.front;
        self.compact();
        end
    }

    /// Whether the front does not go below a pair.
    fn is_lowest<V: Volume>(&self, (a, b): (&VolumeTree<V>, &VolumeTree<V>), pair: Pair) -> bool {
        let leaf_a = a.node(pair.a).is_leaf;
        match self.depth {
            FrontDepth::FirstTree => leaf_a,
            FrontDepth::BothTrees => leaf_a && b.node(pair.b).is_leaf,
        }
    }

    fn show<V: Volume, K: Kernel>(
        &self,
        trees: (&VolumeTree<V>, &VolumeTree<V>),
        pair: Pair,
        kernel: &mut K,
        order: TraversalOrder,
        meter: &mut Meter,
        visitor: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> End {
        if !trees.1.node(pair.b).is_leaf {
            for b in trees.1.children(pair.b) {
                let end = traverse_from(trees, (pair.a, b), kernel, order, meter, &mut *visitor);
                if end != End::Complete {
                    return end;
                }
            }
            return End::Complete;
        }
        if visitor(pair.a, pair.b).is_break() { End::Stopped } else { End::Complete }
    }

    /// Pushes the children of a pair, the first on top.
    fn drop_front<V: Volume, K: Kernel>(
        &mut self,
        trees: (&VolumeTree<V>, &VolumeTree<V>),
        at: u32,
        kernel: &K,
        order: TraversalOrder,
        todo: &mut Vec<u32>,
    ) {
        let pair = self.pairs[at as usize];
        let first = self.depth == FrontDepth::FirstTree
            || opens_first(trees, (pair.a, pair.b), pair.opened_first, kernel, order.descent);
        let children = if first { trees.0.children(pair.a) } else { trees.1.children(pair.b) };
        self.pairs[at as usize].children = children.len() as u32;
        for child in children.rev() {
            let (a, b) = if first { (child, pair.b) } else { (pair.a, child) };
            todo.push(self.pairs.len() as u32);
            self.pairs.push(Pair { a, b, parent: at, children: 0, opened_first: first });
        }
    }

    /// If the last pairs of the front are all children of one, none of which meets, puts that one in their place.
    fn raise(&self, fresh: &mut Raised) {
        let Some(&last) = fresh.front.last() else { return };
        let parent = self.pairs[last as usize].parent;
        if parent == NONE {
            return;
        }
        let count = self.pairs[parent as usize].children as usize;
        let Some(start) = fresh.front.len().checked_sub(count) else { return };
        let family = fresh.front[start..].iter().zip(&fresh.apart[start..]);
        if count > 0
            && family.into_iter().all(|(&i, &apart)| apart && self.pairs[i as usize].parent == parent)
        {
            fresh.front.truncate(start);
            fresh.apart.truncate(start);
            // Not known to be apart itself: it is tested the next time, and raised no further now.
            fresh.push(parent, false);
        }
    }

    /// Forgets pairs that are neither in the front nor above it, once they are most.
    fn compact(&mut self) {
        if self.pairs.len() < 8 * self.front.len() + 64 {
            return;
        }
        let mut numbers = vec![NONE; self.pairs.len()];
        for &i in &self.front {
            let mut at = i;
            while at != NONE && numbers[at as usize] == NONE {
                numbers[at as usize] = 0;
                at = self.pairs[at as usize].parent;
            }
        }
        let mut kept = Vec::new();
        for (i, pair) in self.pairs.iter().enumerate() {
            if numbers[i] != NONE {
                numbers[i] = kept.len() as u32;
                // A parent stands before its children.
                let parent = if pair.parent == NONE { NONE } else { numbers[pair.parent as usize] };
                kept.push(Pair { parent, ..*pair });
            }
        }
        self.front.iter_mut().for_each(|i| *i = numbers[*i as usize]);
        self.pairs = kept;
    }
}

/// The front as it is found.
struct Raised {
    front: Vec<u32>,
    /// For each whether it was found not to meet.
    apart: Vec<bool>,
}

impl Raised {
    fn push(&mut self, pair: u32, apart: bool) {
        self.front.push(pair);
        self.apart.push(apart);
    }

    fn keep(&mut self, at: u32, todo: Vec<u32>) {
        self.push(at, false);
        self.keep_rest(todo);
    }

    fn keep_rest(&mut self, todo: Vec<u32>) {
        todo.into_iter().rev().for_each(|pair| self.push(pair, false));
    }
}
