//! Flags of pairs.

/// Pairs with eight flags each; a pair without flags is not in it.
///
/// A hash where few of the pairs are, otherwise a table of all of them, which then takes less memory and no searching.
#[derive(Debug, Clone)]
pub(super) enum PairFlags {
    Hash(Hash),
    Table(Table),
}

impl Default for PairFlags {
    fn default() -> Self {
        Self::Hash(Hash::default())
    }
}

impl PairFlags {
    /// Sets flags of a pair.
    #[inline]
    pub fn set(&mut self, i: u32, j: u32, flags: u8) {
        let pair = [i.min(j), i.max(j)];
        match self {
            Self::Table(table) if table.has_room(pair) => table.set(pair, flags),
            Self::Hash(hash) if hash.has_room() => hash.set(pair, flags),
            Self::Table(_) | Self::Hash(_) => {
                self.grow(pair);
                self.set(i, j, flags);
            }
        }
    }

    /// Clears flags of a pair.
    pub fn clear(&mut self, i: u32, j: u32, flags: u8) {
        let pair = [i.min(j), i.max(j)];
        match self {
            Self::Hash(hash) => hash.clear(pair, flags),
            Self::Table(table) => table.clear(pair, flags),
        }
    }

    /// All pairs with all of these flags, in no order.
    pub fn with(&self, flags: u8) -> impl Iterator<Item = [u32; 2]> {
        let (hash, table) = match self {
            Self::Hash(hash) => (Some(hash), None),
            Self::Table(table) => (None, Some(table)),
        };
        let all = hash.into_iter().flat_map(Hash::iter).chain(table.into_iter().flat_map(Table::iter));
        all.filter(move |(_, f)| f & flags == flags).map(|(pair, _)| pair)
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Hash(hash) => hash.len,
            Self::Table(table) => table.len,
        }
    }

    pub fn reset(&mut self) {
        *self = Self::default();
    }

    pub fn bytes(&self) -> usize {
        match self {
            Self::Hash(hash) => hash.bytes(),
            Self::Table(table) => table.flags.capacity(),
        }
    }

    /// Makes room for more pairs, among them one, in the way that takes less memory.
    fn grow(&mut self, pair: [u32; 2]) {
        let most = pair[1].max(match self {
            Self::Hash(hash) => hash.most,
            Self::Table(table) => table.most,
        });
        let in_hash = Hash::bytes_for(2 * self.len());
        let wants_table = Table::bytes_for(most) <= in_hash;
        match self {
            Self::Hash(hash) if !wants_table => hash.grow(),
            Self::Table(table) if wants_table => table.resize(most),
            Self::Hash(hash) => {
                let mut table = Table::default();
                table.resize(most);
                hash.iter().for_each(|(pair, flags)| table.set(pair, flags));
                *self = Self::Table(table);
            }
            Self::Table(table) => {
                let mut hash = Hash::default();
                for (pair, flags) in table.iter() {
                    if !hash.has_room() {
                        hash.grow();
                    }
                    hash.set(pair, flags);
                }
                *self = Self::Hash(hash);
            }
        }
    }
}

/// Flags of all pairs of the first numbers, row by row: those of j with every i below.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    flags: Vec<u8>,
    /// The greatest number.
    most: u32,
    /// Pairs with flags.
    len: usize,
}

impl Table {
    fn bytes_for(most: u32) -> usize {
        most as usize * (most as usize + 1) / 2
    }

    #[inline]
    fn place([i, j]: [u32; 2]) -> usize {
        j as usize * (j as usize).saturating_sub(1) / 2 + i as usize
    }

    #[inline]
    fn has_room(&self, [_, j]: [u32; 2]) -> bool {
        j <= self.most && !self.flags.is_empty()
    }

    fn resize(&mut self, most: u32) {
        self.most = most;
        self.flags.resize(Self::bytes_for(most), 0);
    }

    #[inline]
    fn set(&mut self, pair: [u32; 2], flags: u8) {
        let place = &mut self.flags[Self::place(pair)];
        self.len += usize::from(*place == 0);
        *place |= flags;
    }

    fn clear(&mut self, pair: [u32; 2], flags: u8) {
        if let Some(place) = self.flags.get_mut(Self::place(pair)) {
            let had = *place != 0;
            *place &= !flags;
            self.len -= usize::from(had && *place == 0);
        }
    }

    fn iter(&self) -> impl Iterator<Item = ([u32; 2], u8)> {
        let row = |j: u32| {
            let first = Self::place([0, j]);
            let row = self.flags.get(first..first + j as usize).unwrap_or_default();
            (0..).zip(row).filter(|(_, f)| **f != 0).map(move |(i, f)| ([i, j], *f))
        };
        (1..=self.most).flat_map(row)
    }
}

/// A hash of pairs, by linear probing.
#[derive(Debug, Clone, Default)]
pub(super) struct Hash {
    keys: Vec<u64>,
    flags: Vec<u8>,
    len: usize,
    /// The greatest number in any pair so far.
    most: u32,
}

/// No pair: its numbers are equal.
const VACANT: u64 = u64::MAX;

impl Hash {
    /// What it takes for so many pairs.
    fn bytes_for(len: usize) -> usize {
        9 * (2 * (len + 1)).next_power_of_two().max(64)
    }

    #[inline]
    fn has_room(&self) -> bool {
        2 * (self.len + 1) <= self.keys.len()
    }

    fn set(&mut self, pair: [u32; 2], flags: u8) {
        self.most = self.most.max(pair[1]);
        let pair = key(pair);
        let (place, found) = self.place(pair);
        if !found {
            self.keys[place] = pair;
            self.len += 1;
        }
        self.flags[place] |= flags;
    }

    fn clear(&mut self, pair: [u32; 2], flags: u8) {
        if self.keys.is_empty() {
            return;
        }
        let (place, found) = self.place(key(pair));
        self.flags[place] &= !flags;
        if found && self.flags[place] == 0 {
            self.vacate(place);
        }
    }

    fn iter(&self) -> impl Iterator<Item = ([u32; 2], u8)> {
        let all = self.keys.iter().zip(&self.flags).filter(|(_, f)| **f != 0);
        all.map(|(k, f)| ([(k >> 32) as u32, *k as u32], *f))
    }

    fn bytes(&self) -> usize {
        9 * self.keys.capacity()
    }

    fn home(&self, pair: u64) -> usize {
        // Fibonacci hashing; the length is a power of two.
        let mixed = (pair ^ pair >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 20) as usize & (self.keys.len() - 1)
    }

    /// Where a pair is, or where it is to be put, and whether it is there.
    fn place(&self, pair: u64) -> (usize, bool) {
        let mut place = self.home(pair);
        while self.keys[place] != VACANT {
            if self.keys[place] == pair {
                return (place, true);
            }
            place = (place + 1) & (self.keys.len() - 1);
        }
        (place, false)
    }

    /// Empties a place and moves up those after it which would no longer be found (Knuth 1973, algorithm R).
    fn vacate(&mut self, mut place: usize) {
        let mask = self.keys.len() - 1;
        self.len -= 1;
        let mut next = place;
        loop {
            self.keys[place] = VACANT;
            self.flags[place] = 0;
            loop {
                next = (next + 1) & mask;
                if self.keys[next] == VACANT {
                    return;
                }
                let home = self.home(self.keys[next]);
                if next.wrapping_sub(home) & mask >= next.wrapping_sub(place) & mask {
                    break;
                }
            }
            (self.keys[place], self.flags[place]) = (self.keys[next], self.flags[next]);
            place = next;
        }
    }

    fn grow(&mut self) {
        let size = (2 * self.keys.len()).max(64);
        let keys = std::mem::replace(&mut self.keys, vec![VACANT; size]);
        let flags = std::mem::replace(&mut self.flags, vec![0; size]);
        for (pair, flags) in keys.into_iter().zip(flags).filter(|(k, _)| *k != VACANT) {
            let (place, _) = self.place(pair);
            (self.keys[place], self.flags[place]) = (pair, flags);
        }
    }
}

/// A pair as one number.
#[inline]
fn key([i, j]: [u32; 2]) -> u64 {
    u64::from(i) << 32 | u64::from(j)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Against a map of the standard library: few pairs of many numbers, then all of few, then a far number,
    /// and all cleared.
    #[test]
    fn flags_are_kept_as_a_hash_and_as_a_table() {
        let (mut flags, mut expected) = (PairFlags::default(), BTreeMap::new());
        let compare = |flags: &PairFlags, expected: &BTreeMap<[u32; 2], u8>| {
            for wanted in [0, 1, 3] {
                let mut found: Vec<[u32; 2]> = flags.with(wanted).collect();
                found.sort_unstable();
                let all = expected.iter().filter(|(_, f)| **f & wanted == wanted).map(|(pair, _)| *pair);
                assert_eq!(found, all.collect::<Vec<_>>());
            }
            assert_eq!(flags.len(), expected.len());
        };
        let mut is_table = Vec::new();
        let mut next = 1u64;
        for (round, most) in [(0, 4000), (1, 90), (2, 90), (3, 100_000), (4, 90)] {
            for _ in 0..4000 {
                next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (i, j) = ((next >> 20) as u32 % most, (next >> 41) as u32 % most);
                let bits = 1 << (next >> 60 & 1);
                if i == j {
                    continue;
                }
                let pair = [i.min(j), i.max(j)];
                if round == 4 {
                    flags.clear(j, i, bits);
                    expected.entry(pair).and_modify(|f| *f &= !bits);
                    expected.retain(|_, f| *f != 0);
                } else {
                    flags.set(i, j, bits);
                    *expected.entry(pair).or_insert(0) |= bits;
                }
            }
            compare(&flags, &expected);
            is_table.push(matches!(flags, PairFlags::Table(_)));
            if round == 0 {
                flags.reset();
                expected.clear();
            }
        }
        assert_eq!(is_table, [false, true, true, false, false]);
    }
}
