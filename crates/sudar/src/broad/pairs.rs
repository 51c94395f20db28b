//! Sorted lists of pairs.

use crate::math::par::{for_each, mapped};

/// Sorts pairs by their first and then their second number, all below `count`.
pub(super) fn sort_pairs(pairs: &mut Vec<[u32; 2]>, count: usize) {
    if pairs.len() < 256 {
        return pairs.sort_unstable();
    }
    *pairs = sorted_pairs(&pairs.chunks(1 << 16).collect::<Vec<_>>(), count);
}

/// The pairs of some lists, sorted by their first and then their second number, all below `count`.
///
/// Each list is put into buckets by first numbers; buckets of all lists are joined and sorted one by one. On all cores.
pub(super) fn sorted_pairs<L: AsRef<[[u32; 2]]> + Sync>(lists: &[L], count: usize) -> Vec<[u32; 2]> {
    let total: usize = lists.iter().map(|list| list.as_ref().len()).sum();
    let buckets = (total / PER_BUCKET).clamp(1, MOST_BUCKETS);
    let shift = count.div_ceil(buckets).next_power_of_two().trailing_zeros();
    let buckets = (count >> shift) + 1;
    let parts = mapped(0..lists.len(), 1, |k| Bucketed::new(lists[k].as_ref(), shift, buckets));
    let sizes = (0..buckets).map(|bucket| parts.iter().map(|part| part.bucket(bucket).len()).sum());
    let mut sorted = vec![[0; 2]; total];
    let mut rest = &mut sorted[..];
    let mut places = Vec::with_capacity(buckets);
    for (bucket, size) in sizes.enumerate() {
        let (place, more) = rest.split_at_mut(size);
        places.push((bucket, place));
        rest = more;
    }
    for_each(&mut places, 1, |(bucket, place)| {
        let joined = parts.iter().map(|part| part.bucket(*bucket));
        sort_bucket(&joined, place, shift);
    });
    sorted
}

/// Pairs a bucket, about: they fit the nearest cache.
const PER_BUCKET: usize = 1 << 10;

/// Buckets, about, at most: each is one more place that is written to.
const MOST_BUCKETS: usize = 1 << 9;

/// Pairs by the upper bits of their first number.
struct Bucketed {
    /// Where each bucket begins, and where the last ends.
    starts: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl Bucketed {
    fn new(pairs: &[[u32; 2]], shift: u32, buckets: usize) -> Self {
        let mut starts = vec![0; buckets + 1];
        pairs.iter().for_each(|pair| starts[(pair[0] >> shift) as usize] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sorted = vec![[0; 2]; pairs.len()];
        // Backwards, so that each count becomes the beginning of its bucket.
        for pair in pairs.iter().rev() {
            let place = &mut starts[(pair[0] >> shift) as usize];
            *place -= 1;
            sorted[*place as usize] = *pair;
        }
        Self { starts, pairs: sorted }
    }

    fn bucket(&self, bucket: usize) -> &[[u32; 2]] {
        &self.pairs[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

/// Joins and sorts pairs whose first numbers are equal but for the lowest bits: by counting these, and then
/// each short list.
fn sort_bucket<'a>(
    joined: &(impl Iterator<Item = &'a [[u32; 2]]> + Clone),
    place: &mut [[u32; 2]],
    shift: u32,
) {
    let pairs = || joined.clone().flatten();
    let mask = (1u32 << shift) - 1;
    let mut next = vec![0u32; mask as usize + 2];
    pairs().for_each(|pair| next[(pair[0] & mask) as usize + 1] += 1);
    for k in 1..next.len() {
        next[k] += next[k - 1];
    }
    for pair in pairs() {
        let next = &mut next[(pair[0] & mask) as usize];
        place[*next as usize] = *pair;
        *next += 1;
    }
    let mut start = 0;
    let mut longest = 0;
    for &end in &next[..=mask as usize] {
        longest = longest.max(end - start);
        start = end;
    }
    if longest > LONG {
        place.chunk_by_mut(|one, other| one[0] == other[0]).for_each(sort_list);
    } else {
        sort_short_lists(place);
    }
}

/// Longer lists are sorted by other means than by insertion.
const LONG: u32 = 24;

/// Sorts pairs with the same first number. Where a good part of the numbers up to the greatest are there, by
/// a bit for each.
fn sort_list(pairs: &mut [[u32; 2]]) {
    let seconds = || pairs.iter().map(|pair| pair[1]);
    let (Some(least), Some(most)) = (seconds().min(), seconds().max()) else { return };
    let range = (most - least) as usize + 1;
    if range > SPARSE * pairs.len() {
        return pairs.sort_unstable();
    }
    let mut bits = vec![0u64; range.div_ceil(64)];
    for second in seconds() {
        bits[(second - least) as usize / 64] |= 1 << ((second - least) % 64);
    }
    // Pairs that are there twice need other means.
    if bits.iter().map(|word| word.count_ones() as usize).sum::<usize>() < pairs.len() {
        return pairs.sort_unstable();
    }
    let mut places = pairs.iter_mut();
    for (word, bits) in bits.iter_mut().enumerate() {
        while *bits != 0 {
            if let Some(place) = places.next() {
                place[1] = least + 64 * word as u32 + bits.trailing_zeros();
            }
            *bits &= *bits - 1;
        }
    }
}

/// More bits for each pair than this cost more than sorting.
const SPARSE: usize = 64;

/// Sorts pairs of which the first numbers are sorted, by insertion. In one loop over all, for how many have
/// the same first number could not be foreseen.
fn sort_short_lists(pairs: &mut [[u32; 2]]) {
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

/// Takes pairs out of a sorted list and puts others in, both sorted, in place.
pub(super) fn apply(pairs: &mut Vec<[u32; 2]>, added: &[[u32; 2]], removed: &[[u32; 2]]) {
    let (mut kept, mut next) = (0, 0);
    for pair in removed {
        let place = next + first_not_below(&pairs[next..], *pair);
        pairs.copy_within(next..place, kept);
        kept += place - next;
        next = place + 1;
    }
    pairs.copy_within(next.., kept);
    pairs.truncate(pairs.len() - (next - kept));
    let (mut old, mut free) = (pairs.len(), pairs.len() + added.len());
    pairs.resize(free, [0; 2]);
    for pair in added.iter().rev() {
        let place = old - count_not_below(&pairs[..old], *pair);
        free -= old - place;
        pairs.copy_within(place..old, free);
        free -= 1;
        pairs[free] = *pair;
        old = place;
    }
}

/// How many pairs at the beginning are below a pair. It is not far, so they are passed one by one, but for
/// eight at once.
fn first_not_below(pairs: &[[u32; 2]], pair: [u32; 2]) -> usize {
    let below = |other: &[u32; 2]| key(*other) < key(pair);
    let eights = pairs.chunks_exact(8).take_while(|eight| below(&eight[7])).count();
    8 * eights + pairs[8 * eights..].iter().take_while(|other| below(other)).count()
}

/// How many pairs at the end are not below a pair, likewise.
fn count_not_below(pairs: &[[u32; 2]], pair: [u32; 2]) -> usize {
    let not_below = |other: &[u32; 2]| key(*other) >= key(pair);
    let eights = pairs.rchunks_exact(8).take_while(|eight| not_below(&eight[0])).count();
    let rest = &pairs[..pairs.len() - 8 * eights];
    8 * eights + rest.iter().rev().take_while(|other| not_below(other)).count()
}

/// Pairs as numbers, in the same order.
#[inline]
fn key(pair: [u32; 2]) -> u64 {
    u64::from(pair[0]) << 32 | u64::from(pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists of all lengths, with gaps and with repetitions, against the sort of the standard library.
    #[test]
    fn pairs_are_sorted_however_many_have_a_number() {
        let mut next = 1u64;
        let mut random = |below: u64| {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((next >> 33) % below) as u32
        };
        for (count, firsts, seconds) in
            [(900, 1, 1000), (900, 2, 60), (900, 3, 40_000), (900, 900, 900), (5000, 40, 130)]
        {
            let pairs: Vec<[u32; 2]> = (0..count).map(|_| [random(firsts), random(seconds)]).collect();
            let distinct: std::collections::BTreeSet<_> = pairs.iter().copied().collect();
            for pairs in [pairs, distinct.iter().rev().copied().collect()] {
                let mut expected = pairs.clone();
                expected.sort_unstable();
                assert_eq!(sorted_pairs(&[&pairs[..100], &pairs[100..]], 40_000), expected);
            }
        }
    }
}
