//! Sorted lists of pairs, and sets of pairs.

/// Sorts pairs by their first and then their second number, all below `count`.
///
/// Many pairs are put into buckets by their first number, which are then sorted one by one, on all cores.
pub(super) fn sort_pairs(pairs: &mut Vec<[u32; 2]>, count: usize) {
    if pairs.len() < 256 {
        return pairs.sort_unstable();
    }
    // Some hundred pairs a bucket: small enough for the nearest cache.
    let buckets = (pairs.len() / 256).clamp(1, 1 << 12);
    let shift = (count.div_ceil(buckets)).next_power_of_two().trailing_zeros();
    let starts = bucket_starts(pairs, shift, (count >> shift) + 1);
    let mut sorted = vec![[0; 2]; pairs.len()];
    let mut next = starts.clone();
    for pair in pairs.iter() {
        let place = &mut next[(pair[0] >> shift) as usize];
        sorted[*place] = *pair;
        *place += 1;
    }
    for_each_part(&mut sorted, &starts, |part| sort_bucket(part, shift));
    *pairs = sorted;
}

/// Buckets that are sorted by counting, at most.
const MOST_COUNTED: usize = 1024;

/// Sorts pairs whose first numbers are equal but for the lowest bits: by counting these, and then each short list by insertion.
fn sort_bucket(pairs: &mut [[u32; 2]], shift: u32) {
    if pairs.len() > MOST_COUNTED || 1 << shift > MOST_COUNTED {
        return pairs.sort_unstable();
    }
    let mut starts = [0u16; MOST_COUNTED + 1];
    let mut sorted = [[0; 2]; MOST_COUNTED];
    let mask = (1u32 << shift) - 1;
    pairs.iter().for_each(|pair| starts[(pair[0] & mask) as usize + 1] += 1);
    for k in 1..=mask as usize {
        starts[k] += starts[k - 1];
    }
    for pair in pairs.iter() {
        let place = &mut starts[(pair[0] & mask) as usize];
        sorted[*place as usize] = *pair;
        *place += 1;
    }
    pairs.copy_from_slice(&sorted[..pairs.len()]);
    for k in 1..pairs.len() {
        let pair = pairs[k];
        let mut place = k;
        while place > 0 && key(pairs[place - 1]) > key(pair) {
            pairs[place] = pairs[place - 1];
            place -= 1;
        }
        pairs[place] = pair;
    }
}

/// Where the buckets begin, and where the last one ends.
fn bucket_starts(pairs: &[[u32; 2]], shift: u32, buckets: usize) -> Vec<usize> {
    let mut starts = vec![0; buckets + 1];
    for pair in pairs {
        starts[(pair[0] >> shift) as usize + 1] += 1;
    }
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
    starts
}

/// Calls `work` with the parts of a list that begin where `starts` says, on all cores.
fn for_each_part<T: Send>(list: &mut [T], starts: &[usize], work: impl Fn(&mut [T]) + Sync + Send) {
    let mut parts = Vec::with_capacity(starts.len());
    let mut rest = list;
    for ends in starts.windows(2) {
        let (part, more) = rest.split_at_mut(ends[1] - ends[0]);
        parts.push(part);
        rest = more;
    }
    super::threads::for_each(&mut parts, |part| work(part));
}

/// What is only in the second and only in the first of two sorted lists without repetitions.
pub(super) fn difference(
    before: &[[u32; 2]],
    now: &[[u32; 2]],
    added: &mut Vec<[u32; 2]>,
    removed: &mut Vec<[u32; 2]>,
) {
    let (mut i, mut j) = (0, 0);
    while i < before.len() && j < now.len() {
        let (old, new) = (key(before[i]), key(now[j]));
        if old < new {
            removed.push(before[i]);
        } else if old > new {
            added.push(now[j]);
        }
        i += usize::from(old <= new);
        j += usize::from(new <= old);
    }
    removed.extend_from_slice(&before[i..]);
    added.extend_from_slice(&now[j..]);
}

/// Pairs as numbers, in the same order.
#[inline]
pub(super) fn key(pair: [u32; 2]) -> u64 {
    u64::from(pair[0]) << 32 | u64::from(pair[1])
}

/// A hash of pairs with eight flags each, by linear probing. A pair without flags is not in it.
#[derive(Debug, Clone, Default)]
pub(super) struct PairFlags {
    keys: Vec<u64>,
    flags: Vec<u8>,
    len: usize,
}

/// No pair: its numbers are equal.
const VACANT: u64 = u64::MAX;

impl PairFlags {
    /// Sets flags of a pair; gives back all it has now.
    pub fn set(&mut self, i: u32, j: u32, flags: u8) -> u8 {
        if 2 * (self.len + 1) > self.keys.len() {
            self.grow();
        }
        let pair = key([i.min(j), i.max(j)]);
        let (place, found) = self.place(pair);
        if !found {
            self.keys[place] = pair;
            self.len += 1;
        }
        self.flags[place] |= flags;
        self.flags[place]
    }

    /// Clears flags of a pair.
    pub fn clear(&mut self, i: u32, j: u32, flags: u8) {
        if self.keys.is_empty() {
            return;
        }
        let (place, found) = self.place(key([i.min(j), i.max(j)]));
        self.flags[place] &= !flags;
        if found && self.flags[place] == 0 {
            self.vacate(place);
        }
    }

    /// All pairs with all of these flags, in no order.
    pub fn with(&self, flags: u8) -> impl Iterator<Item = [u32; 2]> {
        let all = self.keys.iter().zip(&self.flags).filter(move |(_, f)| *f & flags == flags && **f != 0);
        all.map(|(k, _)| [(k >> 32) as u32, *k as u32])
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn reset(&mut self) {
        *self = Self::default();
    }

    pub fn bytes(&self) -> usize {
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
