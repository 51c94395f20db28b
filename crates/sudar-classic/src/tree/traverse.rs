//! Searching two trees for pairs of leaves that may meet.

use std::ops::ControlFlow;

use super::{Kernel, VolumeTree};
use sudar::effort::Meter;
use sudar::volume::Volume;

/// Which of two nodes that overlap is opened. A leaf never is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Descent {
    /// The larger one (SOLID, RAPID, CD).
    Larger,
    /// That of the first tree, down to its leaves; then that of the second. With a static environment first
    /// this is QuickCD's rule, and it is Pandžić's FindFirstHitCD.
    First,
    /// That of the tree which was not opened last (O'Sullivan and Dingliana's sphere trees).
    Alternate,
}

/// In which order the children of an opened node come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Siblings {
    /// As they are numbered.
    InOrder,
    /// The last first: what a stack gives on which they are put as they are numbered (ColDet).
    LastFirst,
    /// The smaller volume first, where the other node is a leaf; as numbered elsewhere (CD).
    SmallerFirst,
    /// That whose centre is nearer to that of the other node first.
    NearestFirst,
}

/// Order of a traversal of two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraversalOrder {
    /// Which node is opened.
    pub descent: Descent,
    /// Which of its children comes first.
    pub siblings: Siblings,
}

/// Whether a traversal visited everything or was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every pair of leaves that may meet was shown.
    Complete,
    /// The visitor had enough.
    Stopped,
    /// The budget was used up before this pair of nodes was tested.
    OutOfBudget(u32, u32),
}

/// A pair of nodes that waits to be tested.
#[derive(Clone, Copy)]
struct Waiting<P> {
    a: u32,
    b: u32,
    placed: P,
    /// Which tree was opened to come here.
    opened_first: bool,
}

/// Shows the visitor every pair of leaves whose volumes, and all above, meet; depth first, in the order
/// given. Each test of two volumes counts as a node of the meter.
pub fn traverse<V: Volume, K: Kernel>(
    trees: (&VolumeTree<V>, &VolumeTree<V>),
    kernel: &mut K,
    order: TraversalOrder,
    meter: &mut Meter,
    visitor: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> End {
    traverse_from(trees, (0, 0), kernel, order, meter, visitor)
}

/// The same for what is below a pair of nodes.
pub fn traverse_from<V: Volume, K: Kernel>(
    trees: (&VolumeTree<V>, &VolumeTree<V>),
    start: (u32, u32),
    kernel: &mut K,
    order: TraversalOrder,
    meter: &mut Meter,
    mut visitor: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> End {
    let (a, b) = start;
    if trees.0.nodes().is_empty() || trees.1.nodes().is_empty() {
        return End::Complete;
    }
    let mut todo = vec![Waiting { a, b, placed: kernel.place(b), opened_first: false }];
    while let Some(pair) = todo.pop() {
        if meter.spend(1).is_break() {
            return End::OutOfBudget(pair.a, pair.b);
        }
        if !kernel.meets(pair.a, &pair.placed) {
            continue;
        }
        if trees.0.node(pair.a).is_leaf && trees.1.node(pair.b).is_leaf {
            if visitor(pair.a, pair.b).is_break() {
                return End::Stopped;
            }
            continue;
        }
        open(trees, pair, kernel, order, &mut todo);
    }
    End::Complete
}

/// Shows the visitor every leaf of one tree that a test lets through, with all above it; depth first.
pub fn visit<V: Volume>(
    tree: &VolumeTree<V>,
    meter: &mut Meter,
    mut meets: impl FnMut(&V) -> bool,
    mut visitor: impl FnMut(u32) -> ControlFlow<()>,
) -> End {
    let mut todo = if tree.nodes().is_empty() { Vec::new() } else { vec![0] };
    while let Some(i) = todo.pop() {
        if meter.spend(1).is_break() {
            return End::OutOfBudget(i, i);
        }
        if !meets(&tree.node(i).volume) {
            continue;
        }
        if tree.node(i).is_leaf && visitor(i).is_break() {
            return End::Stopped;
        }
        todo.extend(tree.children(i).rev());
    }
    End::Complete
}

/// Pushes the children of one of the nodes beside the other, the first to come on top.
fn open<V: Volume, K: Kernel>(
    (tree_a, tree_b): (&VolumeTree<V>, &VolumeTree<V>),
    pair: Waiting<K::Placed>,
    kernel: &mut K,
    order: TraversalOrder,
    todo: &mut Vec<Waiting<K::Placed>>,
) {
    let opens_first =
        opens_first((tree_a, tree_b), (pair.a, pair.b), pair.opened_first, kernel, order.descent);
    let bottom = todo.len();
    if opens_first {
        let children = tree_a.children(pair.a).rev();
        todo.extend(children.map(|a| Waiting { a, opened_first: true, ..pair }));
    } else {
        for b in tree_b.children(pair.b).rev() {
            todo.push(Waiting { b, placed: kernel.place(b), opened_first: false, ..pair });
        }
    }
    let beside_leaf = if opens_first { tree_b.node(pair.b).is_leaf } else { tree_a.node(pair.a).is_leaf };
    let children = &mut todo[bottom..];
    let by_distance = match order.siblings {
        Siblings::InOrder => return,
        Siblings::LastFirst => return children.reverse(),
        Siblings::SmallerFirst if !beside_leaf => return,
        Siblings::SmallerFirst => false,
        Siblings::NearestFirst => true,
    };
    let key = |child: &Waiting<K::Placed>| match (by_distance, opens_first) {
        (true, _) => kernel.between(child.a, &child.placed),
        (false, true) => kernel.size_a(child.a),
        (false, false) => kernel.size_b(child.b),
    };
    // The least on top.
    order_few(children, |x, y| key(x).total_cmp(&key(y)).is_gt());
}

/// Puts few things in order, stably, by insertion: what the standard library does with few, without what it has for
/// many, of which there would be one for every kernel.
pub(crate) fn order_few<T>(list: &mut [T], mut is_before: impl FnMut(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && is_before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Whether the node of the first tree is the one to open; one of the two is no leaf.
pub(super) fn opens_first<V: Volume, K: Kernel>(
    (tree_a, tree_b): (&VolumeTree<V>, &VolumeTree<V>),
    (a, b): (u32, u32),
    opened_first: bool,
    kernel: &K,
    descent: Descent,
) -> bool {
    match (tree_a.node(a).is_leaf, tree_b.node(b).is_leaf) {
        (true, _) => false,
        (false, true) => true,
        (false, false) => match descent {
            Descent::Larger => kernel.size_a(a) > kernel.size_b(b),
            Descent::First => true,
            Descent::Alternate => !opened_first,
        },
    }
}
