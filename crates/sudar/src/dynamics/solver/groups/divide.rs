//! Which bodies are solved together by one thread.
//!
//! The bodies of a large heap are divided into parts of neighbours, as nearly equal as can be, so that few
//! contacts are between two parts. The division follows from the contacts alone: it is the same on any number
//! of threads, and after a world is restored.

use super::item::Item;
use super::neighbours::Neighbours;

/// Patches from which on there are two parts, and from which on four.
const PARTS: [usize; 2] = [512, 32768];

/// Room to divide bodies in.
#[derive(Debug, Clone, Default)]
pub struct Division {
    /// The part of each body; of those that contacts do not move it says nothing.
    pub part: Vec<u32>,
    pub count: u32,
    neighbours: Neighbours,
    queue: Vec<u32>,
    seen: Vec<u32>,
}

impl Division {
    /// Divides the bodies that `moves` says contacts may move.
    pub fn divide(&mut self, items: &[Item], moves: &[bool]) {
        self.part.clear();
        self.part.resize(moves.len(), 0);
        self.count = 1 << PARTS.iter().filter(|&&least| items.len() >= least).count();
        if self.count == 1 {
            return;
        }
        self.link(items, moves);
        self.line_up(moves);
        // Each part has about as many ends of contacts.
        let (mut sum, total) = (0, self.neighbours.len() as u64);
        for &body in &self.queue {
            self.part[body as usize] = (sum * u64::from(self.count) / total.max(1)) as u32;
            sum += self.neighbours.of(body).len() as u64;
        }
    }

    /// The part of a patch: that of its bodies, or the last, which is for those between two parts.
    pub fn of(&self, item: &Item, moves: &[bool]) -> u32 {
        let [a, b] = item.bodies.map(|i| i as usize);
        match (moves[a], moves[b]) {
            (true, true) if self.part[a] != self.part[b] => self.count,
            (true, _) => self.part[a],
            (false, _) => self.part[b],
        }
    }

    /// The neighbours of each body. One that nothing moves is a neighbour of itself alone, so that its contacts count.
    fn link(&mut self, items: &[Item], moves: &[bool]) {
        let ends = |item: &Item| {
            let [a, b] = item.bodies;
            [(a, b), (b, a)].map(|(from, to)| if moves[to as usize] { (from, to) } else { (from, from) })
        };
        let moved = |(from, _): &(u32, u32)| moves[*from as usize];
        self.neighbours.link(moves.len(), items.iter().flat_map(ends).filter(moved));
    }

    /// Puts the bodies in a line in which neighbours are near each other: by the number of contacts from one
    /// end of each heap.
    fn line_up(&mut self, moves: &[bool]) {
        self.seen.clear();
        self.seen.resize(moves.len(), 0);
        self.queue.clear();
        for body in 0..moves.len() as u32 {
            if self.neighbours.of(body).is_empty() || self.seen[body as usize] == 2 {
                continue;
            }
            // What is farthest from any body of a heap is at an end of it.
            let from = self.queue.len();
            self.spread(body, 1);
            let last = self.queue.last().copied().unwrap_or(body);
            self.queue.truncate(from);
            self.spread(last, 2);
        }
    }

    /// Appends all that is connected to a body, nearest first.
    fn spread(&mut self, body: u32, mark: u32) {
        let mut next = self.queue.len();
        self.queue.push(body);
        self.seen[body as usize] = mark;
        while let Some(&body) = self.queue.get(next) {
            next += 1;
            for &other in self.neighbours.of(body) {
                if self.seen[other as usize] != mark {
                    self.seen[other as usize] = mark;
                    self.queue.push(other);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(a: u32, b: u32) -> Item {
        Item { pair: 0, patch: 0, count: 1, bodies: [a, b], is_closed: true, is_near: true }
    }

    #[test]
    fn a_long_row_is_cut_once() {
        // 1000 bodies in a row on a floor, numbered so that neighbours are far apart in the list.
        let name = |i: u32| 1 + (i * 387) % 1000;
        let mut items: Vec<Item> = (0..999).map(|i| item(name(i), name(i + 1))).collect();
        items.extend((1..=1000).map(|i| item(0, i)));
        let mut moves = vec![true; 1001];
        moves[0] = false;
        let mut division = Division::default();
        division.divide(&items, &moves);
        assert_eq!(division.count, 2);
        let between = items.iter().filter(|item| division.of(item, &moves) == 2).count();
        assert_eq!(between, 1);
        let first = (1..=1000).filter(|&i| division.part[i] == 0).count();
        assert!((450..=550).contains(&first), "{first}");
    }
}
