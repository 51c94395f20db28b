//! In which order contacts are solved.
//!
//! Impulses travel one contact at a time, so patches are solved from top to bottom with the soft push, which carries
//! weight down, and from bottom to top without. Top and bottom are layers: how many contacts a body is away from what
//! nothing moves. Within a layer patches are coloured so that those of one colour share no body (the first colour
//! that neither body has, in the order of pairs), and are solved eight at a time. All of this within each part of a
//! large heap ([`divide`](super::divide)), and then for the contacts between parts.

use super::divide::Division;
use super::item::Item;
use super::neighbours::Neighbours;
use crate::dynamics::solver::contacts::Pair;
use crate::dynamics::solver::joints::Joints;
use crate::dynamics::solver::stance::Stance;

/// Items in the order in which they are solved.
#[derive(Debug, Clone, Default)]
pub struct Order {
    pub items: Vec<Item>,
    /// Items that are solved together: ends in `items`. At most [`LANES`](super::lanes::LANES) of them, none
    /// of which share a body.
    pub ends: Vec<u32>,
    /// Groups of each part: ends in `ends`. The last part is that of the patches between parts.
    pub borders: Vec<u32>,
    pub division: Division,
    /// The most contacts that a body is away from what nothing moves.
    pub height: u32,
    /// Contacts that are closed, and those among them of which nothing is known.
    closed: u32,
    unknown: u32,
    keys: Vec<(u64, u32)>,
    layers: Vec<u32>,
    unsorted: Vec<Item>,
    /// The patches and bodies that are in order.
    sorted: Vec<Item>,
    moved: Vec<bool>,
    /// The mechanisms of bodies.
    homes: Vec<Option<u32>>,
    used: Vec<(u32, u64)>,
    neighbours: Neighbours,
    queue: Vec<u32>,
}

/// Of bodies that hang in the air.
const NOWHERE: u32 = (1 << 18) - 1;
/// The bit of a key from which on it is the part.
const PART: u32 = 56;
/// Colours of a layer; what finds none is solved alone.
const COLOURS: u32 = 64;

impl Order {
    /// Puts patches of moving bodies in order; returns whether it is another one than before. `moves` says
    /// which bodies contacts may move; those that have `flown` are not there any more.
    pub fn arrange(
        &mut self,
        pairs: &[Pair],
        moves: &[bool],
        stances: &[Stance],
        flown: impl Fn(u32) -> bool,
        joints: &Joints,
    ) -> bool {
        self.list(pairs, moves, stances, flown);
        if self.unsorted == self.sorted && self.moved == moves && self.homes == joints.homes() {
            // Of the same patches the order is the same.
            return false;
        }
        self.sorted.clone_from(&self.unsorted);
        self.moved.clear();
        self.moved.extend(moves);
        self.homes.clear();
        self.homes.extend(joints.homes());
        self.division.divide(&self.unsorted, moves);
        joints.unite(&mut self.division.part);
        self.find_layers(moves);
        self.colour(moves);
        self.keys.sort_unstable();
        self.gather();
        true
    }

    /// Takes the items in the order of their keys, and ends groups where part, layer or colour change.
    fn gather(&mut self) {
        self.items.clear();
        self.ends.clear();
        self.borders.clear();
        let mut last = u64::MAX;
        for &(key, i) in &self.keys {
            // Layer and colour; the number of contacts does not matter.
            let begins =
                key >> 2 != last >> 2 || self.items.len() as u32 - self.start() == super::lanes::LANES as u32;
            if begins && !self.items.is_empty() {
                self.ends.push(self.items.len() as u32);
            }
            while self.borders.len() < (key >> PART) as usize {
                self.borders.push(self.ends.len() as u32);
            }
            last = key;
            self.items.push(self.unsorted[i as usize]);
        }
        self.ends.push(self.items.len() as u32);
        if self.items.is_empty() {
            self.ends.clear();
        }
        self.borders.resize(self.division.count as usize + 1, self.ends.len() as u32);
    }

    /// Whether nothing is known of most contacts that are closed.
    pub fn is_cold(&self) -> bool {
        2 * self.unknown > self.closed
    }

    /// The items of each group.
    pub fn groups(&self) -> impl Iterator<Item = &[Item]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.items[start as usize..*end as usize])
    }

    /// Where the last group begins.
    fn start(&self) -> u32 {
        self.ends.last().copied().unwrap_or(0)
    }

    fn list(&mut self, pairs: &[Pair], moves: &[bool], stances: &[Stance], flown: impl Fn(u32) -> bool) {
        self.unsorted.clear();
        (self.closed, self.unknown) = (0, 0);
        for (pair, number) in pairs.iter().zip(0..) {
            let bodies = pair.bodies;
            if !bodies.iter().any(|&i| moves[i as usize]) || bodies.iter().any(|&i| flown(i)) {
                continue;
            }
            let [a, b] = bodies.map(|i| &stances[i as usize]);
            for (patch, place) in pair.patches.iter().zip(0..) {
                let mut least = f64::INFINITY;
                for point in patch.points() {
                    let gap = point.gap;
                    least = least.min(gap);
                    self.closed += u32::from(gap <= 0.0);
                    self.unknown += u32::from(gap <= 0.0 && point.is_new);
                }
                self.unsorted.push(Item {
                    pair: number,
                    patch: place,
                    count: patch.count,
                    bodies,
                    is_closed: least <= 0.0 || patch.points().iter().any(|point| point.force > 0.0),
                    is_near: least <= 0.04 * a.radius.min(b.radius),
                });
            }
        }
    }

    /// How many pressing contacts each body is away from what nothing moves.
    fn find_layers(&mut self, moves: &[bool]) {
        let closed = self.unsorted.iter().filter(|item| item.is_closed);
        self.neighbours.link(moves.len(), closed.map(|item| item.bodies).flat_map(|[a, b]| [(a, b), (b, a)]));
        self.layers.clear();
        self.layers.extend(moves.iter().map(|moves| if *moves { NOWHERE } else { 0 }));
        self.spread(moves);
    }

    fn spread(&mut self, moves: &[bool]) {
        self.queue.clear();
        self.height = 0;
        self.queue.extend((0..moves.len() as u32).filter(|&i| !moves[i as usize]));
        let mut next = 0;
        while let Some(&body) = self.queue.get(next) {
            next += 1;
            for &other in self.neighbours.of(body) {
                if self.layers[other as usize] == NOWHERE {
                    self.layers[other as usize] = (self.layers[body as usize] + 1).min(NOWHERE - 1);
                    self.height = self.height.max(self.layers[other as usize]);
                    self.queue.push(other);
                }
            }
        }
    }

    /// Colours the patches of each layer. Keys hold the layer from the top, the colour, and how many contacts
    /// are missing to four.
    fn colour(&mut self, moves: &[bool]) {
        self.keys.clear();
        for (item, i) in self.unsorted.iter().zip(0..) {
            let layer = item.bodies.map(|body| self.layers[body as usize]);
            let part = u64::from(self.division.of(item, moves));
            self.keys.push((part << PART | u64::from(NOWHERE - layer[0].max(layer[1])) << 32, i));
        }
        // Sorted by part and layer, since colours are marked in one layer at a time.
        self.keys.sort_unstable();
        self.used.clear();
        self.used.resize(moves.len(), (u32::MAX, 0));
        let mut alone = COLOURS;
        for (key, i) in &mut self.keys {
            let item = &self.unsorted[*i as usize];
            let layer = (*key >> 32) as u32;
            let taken = |body: u32| match self.used[body as usize] {
                (of, mask) if of == layer && moves[body as usize] => mask,
                _ => 0,
            };
            let mut colour = (taken(item.bodies[0]) | taken(item.bodies[1])).trailing_ones();
            if colour < COLOURS {
                for body in item.bodies.map(|body| body as usize) {
                    let mask = if self.used[body].0 == layer { self.used[body].1 } else { 0 };
                    self.used[body] = (layer, mask | 1 << colour);
                }
            } else {
                colour = alone;
                alone += 1;
            }
            *key |= u64::from(colour) << 2 | u64::from(4 - item.count);
        }
    }
}
