//! The front of a walk over two trees, kept from one query to the next.
//!
//! A best-first walk for a distance ends with pairs of children that it did not have to open: together they hold every pair
//! of triangles, and each has a lower bound. While the bodies move, a bound shrinks by no more than they can have come
//! nearer; so most pairs of this front stay out of question for many queries, and only those whose slack is used up are
//! looked at again. (Fronts of trees: Li and Chen 1998, "Incremental 3D collision detection with hierarchical data
//! structures"; as a queue in the order in which slack is used up: Mirtich 2000, "Timewarp rigid body simulation", for time
//! instead of way.)
//!
//! Pairs whose slack lasts for a few steps only would go in and out of the queue all the time. They are *close*, a plain list, and
//! bounded in each walk along one direction, that of the nearest points known: where bodies move, their distance and the
//! gaps along this direction change by nearly the same, so that such bounds stay out of question where ways travelled do not.
//! Pairs are kept in groups of up to eight, as they are bounded: looking at a group again costs little more than at one pair.

mod opening;
mod walk;

use std::collections::{BTreeMap, BinaryHeap};

use super::waiting::Waiting;
use crate::effort::Meter;
pub(crate) use opening::{Look, Opening, Pairs};
use walk::{Parts, Walk};

/// A front, and how far the bodies have come since it was begun.
#[derive(Debug, Clone)]
pub(crate) struct Front<G> {
    /// Bounds here and below are lower bounds plus the way travelled when they were found.
    waiting: BinaryHeap<Waiting<Entry<G>>>,
    /// Groups with little slack, in no order.
    close: Vec<Waiting<Entry<G>>>,
    /// Pairs of leaves with little slack.
    leaves: Vec<Waiting<CloseLeaves<G>>>,
    known: [Known; 2],
    travelled: f64,
    begun: bool,
    account: Account,
}

/// What walks cost, see [`Walk::cost`].
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    walks: u64,
    cost: u64,
    /// What that many searches from the roots would have cost.
    worth: u64,
}

/// Some pairs of a group: those whose bit is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry<G> {
    group: G,
    pairs: u8,
}

/// Two leaves, a pair of a group.
#[derive(Debug, Clone, Copy)]
struct CloseLeaves<G> {
    group: G,
    k: u8,
    /// Their numbers in [`Front::known`].
    at: [u32; 2],
}

impl<G> CloseLeaves<G> {
    fn entry(self) -> Entry<G> {
        Entry { group: self.group, pairs: 1 << self.k }
    }
}

/// The leaves of a body that are in close pairs; each is in many.
#[derive(Debug, Clone, Default)]
struct Known {
    places: Vec<u32>,
    numbers: BTreeMap<u32, u32>,
}

impl Known {
    fn number(&mut self, place: u32) -> u32 {
        *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as u32 - 1
        })
    }
}

/// All pairs of a group, however many there are.
const ALL: u8 = u8::MAX;

/// What a node of a search from the roots costs, its leaves counted in, and what that of a few nodes costs besides.
const NODE: u64 = 4;
const FEW_NODES: u64 = 10;

/// After so many walks what they cost is compared with a search from the roots as it is now.
const COMPARED: u64 = 32;

/// Most groups that are kept. A front that grows beyond is begun anew.
const MOST: usize = 1 << 15;

impl<G: Copy + Ord> Front<G> {
    /// One that begins at the roots with the next walk.
    pub fn new() -> Self {
        Self {
            waiting: BinaryHeap::new(),
            close: Vec::new(),
            leaves: Vec::new(),
            known: Default::default(),
            travelled: 0.0,
            begun: false,
            account: Account::default(),
        }
    }

    /// How many groups and pairs of leaves are kept.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.close.len() + self.leaves.len()
    }

    /// The groups kept, each with its pairs as bits.
    pub fn groups(&self) -> impl Iterator<Item = (G, u8)> {
        let leaves = self.leaves.iter().map(|w| w.place.entry());
        let groups = self.waiting.iter().chain(&self.close).map(|w| w.place);
        groups.chain(leaves).map(|entry| (entry.group, entry.pairs))
    }

    /// A front of groups from outside, of which nothing is believed; `None` if they do not hold all pairs of triangles, that is
    /// unless every path of a walk from the roots ends in one of their pairs.
    pub fn of<O: Opening<Group = G>>(bodies: &O, groups: impl Iterator<Item = (G, u8)>) -> Option<Self> {
        let mut known: BTreeMap<G, u8> = BTreeMap::new();
        groups.for_each(|(group, pairs)| *known.entry(group).or_default() |= pairs);
        let mut front = Self { begun: true, ..Self::new() };
        let mut todo = bodies.roots();
        while let Some(group) = todo.pop() {
            let pairs = known.get(&group).copied().unwrap_or(0);
            if pairs != 0 {
                front.push(0.0, Entry { group, pairs });
            }
            for k in (0..bodies.count(group)).filter(|k| pairs >> k & 1 == 0) {
                todo.push(bodies.below(bodies.pair(group, k))?);
            }
            // A walk that leaves everything known behind has found a hole.
            if todo.len() > 64 * (known.len() + 64) {
                return None;
            }
        }
        Some(front)
    }

    /// Whether going on from it costs less than searches from the roots; said after every other walk.
    pub fn has_paid(&self) -> Option<bool> {
        let Account { walks, cost, worth } = self.account;
        let due = walks > 1 && walks.is_multiple_of(2);
        // One that begins a front costs more than a search from the roots, for which the others have to make up.
        due.then_some(cost < worth / 2)
    }

    /// Whether it is time to find out anew what a search from the roots costs; if so, what walks cost is counted anew.
    pub fn is_to_be_compared(&mut self) -> bool {
        let due = self.account.walks >= COMPARED;
        if due {
            self.account = Account::default();
        }
        due
    }

    /// The bodies have come nearer to each other by at most this.
    pub fn travel(&mut self, way: f64) {
        self.travelled = (self.travelled + way).next_up();
        if !self.travelled.is_finite() {
            *self = Self::new();
        }
    }

    /// A bound as it is now. The sum was rounded when it was stored, the difference is now.
    #[inline(always)]
    fn now<P>(&self, waiting: &Waiting<P>) -> f64 {
        (waiting.bound - self.travelled) - 4.0 * f64::EPSILON * waiting.bound
    }

    /// The bound of the next group in the queue.
    #[inline(always)]
    fn next_bound(&self) -> Option<f64> {
        self.waiting.peek().map(|w| self.now(w))
    }

    /// Looks at all pairs that may be as near as the limit of `look`. Returns a lower bound on the distance of the surfaces,
    /// but for triangles that were shown to `look`; it is above the last limit unless the meter ended the walk.
    ///
    /// Pairs that are beyond the limit by less than `horizon` are kept close. A search from the roots would open about
    /// `nodes` nodes.
    pub fn walk<O: Opening<Group = G>>(
        &mut self,
        bodies: &mut O,
        look: &mut impl Look<O>,
        (horizon, nodes): (f64, u64),
        meter: &mut Meter,
    ) -> f64 {
        let fresh = !self.begun || self.len() > MOST;
        if fresh {
            self.begin(bodies);
        }
        let worth = nodes.saturating_add(FEW_NODES).saturating_mul(NODE);
        let mut walk = Walk::new(self);
        self.walk_close(worth, &mut walk, bodies, look, meter);
        while let Some(bound) = self.next_bound().filter(|bound| *bound <= look.limit()) {
            if meter.spend(1).is_break() {
                break;
            }
            let Some(Waiting { place, .. }) = self.waiting.pop() else { break };
            self.look_at(place, bound, &mut walk, bodies, look, meter);
            look.settle(meter);
        }
        let lower = walk.lower.min(self.next_bound().unwrap_or(f64::MAX));
        if !fresh {
            self.account(walk.cost, worth);
        }
        self.put_back(walk, look.limit() + horizon);
        lower.max(0.0)
    }

    /// Those of the close pairs that may be of interest.
    fn walk_close<O: Opening<Group = G>>(
        &mut self,
        worth: u64,
        walk: &mut Walk<O>,
        bodies: &mut O,
        look: &mut impl Look<O>,
        meter: &mut Meter,
    ) {
        for waiting in std::mem::take(&mut self.leaves) {
            self.look_at_leaves(waiting.place, self.now(&waiting), walk, bodies, look, meter);
        }
        look.settle(meter);
        for waiting in std::mem::take(&mut self.close) {
            let bound = self.now(&waiting);
            // If these cost as much as all of a walk, a leap has been made, and it is better to go on with the nearest.
            if walk.cost > worth {
                self.waiting.push(waiting);
            } else if bound > look.limit() || meter.spend(1).is_break() {
                walk.keep(bound, waiting.place);
            } else {
                self.look_at(waiting.place, bound, walk, bodies, look, meter);
            }
        }
        look.settle(meter);
    }

    /// Looks at pairs of a group that are certainly no nearer than `least`, opens those that may be of interest, and shows
    /// those that are leaves.
    #[inline(always)]
    fn look_at<O: Opening<Group = G>>(
        &mut self,
        Entry { group, pairs }: Entry<G>,
        least: f64,
        walk: &mut Walk<O>,
        bodies: &mut O,
        look: &mut impl Look<O>,
        meter: &mut Meter,
    ) {
        let mut parts = Parts::new(pairs, bodies.count(group), least);
        walk.cost += 1;
        if let Some(bounds) = bodies.roughly(group) {
            parts.raise(&bounds);
        }
        if parts.within(look.limit()).next().is_some() {
            walk.cost += 3;
            parts.raise(&bodies.bounds(group));
        }
        // All of them with one look at their bounds, the nearest first.
        while let Some((nearest, k)) = parts.take_nearest(look.limit()) {
            let pair = bodies.pair(group, k);
            match bodies.below(pair) {
                Some(below) => self.push(nearest, Entry { group: below, pairs: ALL }),
                None => {
                    let [a, b] = O::places(pair);
                    let at = [self.known[0].number(a), self.known[1].number(b)];
                    let leaves = CloseLeaves { group, k: k as u8, at };
                    self.look_at_leaves(leaves, nearest, walk, bodies, look, meter);
                }
            }
        }
        // Beyond the limit: not to be looked at again in this walk, even if what rounding leaves of the bound is not.
        if let Some(nearest) = parts.nearest() {
            walk.keep(nearest, Entry { group, pairs: parts.left });
        }
    }

    /// Shows two leaves, certainly no nearer than `least`, if they may be of interest.
    #[inline(always)]
    fn look_at_leaves<O: Opening<Group = G>>(
        &self,
        leaves: CloseLeaves<G>,
        least: f64,
        walk: &mut Walk<O>,
        bodies: &O,
        look: &mut impl Look<O>,
        meter: &mut Meter,
    ) {
        let limit = look.limit();
        let mut bound = least;
        if bound <= limit && !meter.is_stopped() {
            let [a, b] = self.reach(leaves.at, walk, bodies);
            bound = bound.max(bodies.gap([&a, &b]));
            // What the direction does not tell takes a node, as two leaves do in a search from the roots.
            if bound <= limit && meter.spend(1).is_continue() {
                let pair = bodies.pair(leaves.group, leaves.k.into());
                walk.cost += 2;
                bound = bound.max(bodies.bound(pair));
                if bound <= limit {
                    walk.cost += 1 + look.leaves(pair, [&a, &b], meter);
                    walk.leaves.push((bound, leaves));
                    // What is not shown is farther.
                    walk.lower = walk.lower.min(limit);
                    return;
                }
            }
        }
        walk.lower = walk.lower.min(bound);
        walk.leaves.push((bound, leaves));
    }

    #[inline(always)]
    fn reach<O: Opening<Group = G>>(&self, at: [u32; 2], walk: &mut Walk<O>, bodies: &O) -> [O::Leaf; 2] {
        [0, 1].map(|side| {
            let (at, reaches) = (at[side] as usize, &mut walk.reaches[side]);
            if reaches.len() <= at {
                reaches.resize(self.known[side].places.len(), None);
            }
            *reaches[at].get_or_insert_with(|| bodies.leaf(side, self.known[side].places[at]))
        })
    }

    /// Sorts what was looked at by its slack.
    fn put_back<O: Opening<Group = G>>(&mut self, walk: Walk<O>, close: f64) {
        for (bound, place) in walk.done {
            let waiting = Waiting { bound: bound + self.travelled, place };
            if bound <= close {
                self.close.push(waiting);
            } else {
                self.waiting.push(waiting);
            }
        }
        for (bound, leaves) in walk.leaves {
            if bound <= close {
                self.leaves.push(Waiting { bound: bound + self.travelled, place: leaves });
            } else {
                self.push(bound, leaves.entry());
            }
        }
    }

    fn account(&mut self, cost: u64, worth: u64) {
        let Account { walks, cost: before, worth: worth_before } = self.account;
        let worth = worth_before.saturating_add(worth);
        self.account = Account { walks: walks + 1, cost: before.saturating_add(cost), worth };
    }

    fn begin<O: Opening<Group = G>>(&mut self, bodies: &O) {
        *self = Self { begun: true, ..Self::new() };
        bodies.roots().into_iter().for_each(|group| self.push(0.0, Entry { group, pairs: ALL }));
    }

    #[inline(always)]
    fn push(&mut self, bound: f64, place: Entry<G>) {
        self.waiting.push(Waiting { bound: bound + self.travelled, place });
    }
}

#[cfg(test)]
mod tests;
