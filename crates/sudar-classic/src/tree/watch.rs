//! Watching a search: which pairs of nodes it tests, in which order, and what becomes of each.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::{End, Kernel, TraversalOrder, VolumeTree, traverse};
use sudar::effort::Meter;
use sudar::math::Interval;
use sudar::volume::Volume;

/// What became of a pair of nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Fate {
    /// The volumes are apart, or farther apart than what is known already: nothing below is of interest.
    Pruned,
    /// Something below may be of interest: the children of one of the nodes come next.
    Opened,
    /// Both are leaves, and their volumes meet.
    Leaves {
        /// Pairs of triangles that were tested.
        tests: u64,
        /// How many of them meet.
        hits: u64,
    },
    /// How far apart the bodies are below these nodes, in a search for a distance.
    Measured(Interval),
}

/// A pair of nodes that was tested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// Their numbers in the first and the second tree.
    pub nodes: [u32; 2],
    /// What became of them.
    pub fate: Fate,
}

/// [`traverse`], with every pair that is tested told in order. The visitor says of each pair of leaves what became of
/// it. Slower than the search alone, which stays as it is: the kernel is wrapped.
pub fn traverse_watched<V: Volume, K: Kernel>(
    trees: (&VolumeTree<V>, &VolumeTree<V>),
    kernel: &mut K,
    order: TraversalOrder,
    meter: &mut Meter,
    mut visitor: impl FnMut(u32, u32) -> (ControlFlow<()>, Fate),
    tell: &mut dyn FnMut(Visit),
) -> End {
    let teller = RefCell::new(Teller { last: None, tell });
    let mut watched = Watched { kernel, teller: &teller };
    let end = traverse(trees, &mut watched, order, meter, |a, b| {
        let (flow, fate) = visitor(a, b);
        teller.borrow_mut().settle(fate);
        flow
    });
    teller.into_inner().flush();
    end
}

/// Tells a visit when the next begins, for what becomes of two leaves is known only then.
struct Teller<'t> {
    last: Option<Visit>,
    tell: &'t mut dyn FnMut(Visit),
}

impl Teller<'_> {
    fn begin(&mut self, nodes: [u32; 2], meet: bool) {
        self.flush();
        self.last = Some(Visit { nodes, fate: if meet { Fate::Opened } else { Fate::Pruned } });
    }

    fn settle(&mut self, fate: Fate) {
        if let Some(last) = &mut self.last {
            last.fate = fate;
        }
    }

    fn flush(&mut self) {
        if let Some(visit) = self.last.take() {
            (self.tell)(visit);
        }
    }
}

/// A kernel that tells what it is asked.
struct Watched<'k, 't, K> {
    kernel: &'k mut K,
    teller: &'k RefCell<Teller<'t>>,
}

impl<K: Kernel> Kernel for Watched<'_, '_, K> {
    type Placed = (u32, K::Placed);

    fn place(&mut self, b: u32) -> Self::Placed {
        (b, self.kernel.place(b))
    }

    fn meets(&mut self, a: u32, (b, placed): &Self::Placed) -> bool {
        let meet = self.kernel.meets(a, placed);
        self.teller.borrow_mut().begin([a, *b], meet);
        meet
    }

    fn between(&self, a: u32, (_, placed): &Self::Placed) -> f64 {
        self.kernel.between(a, placed)
    }

    fn size_a(&self, a: u32) -> f64 {
        self.kernel.size_a(a)
    }

    fn size_b(&self, b: u32) -> f64 {
        self.kernel.size_b(b)
    }
}
