//! Pairs of grown boxes: those that are pairs for certain, and those to be looked at in every frame.

use std::borrow::Cow;

use glam::DVec3;

use super::super::boxes::Boxes;
use super::super::threads;
use crate::shape::Aabb;

/// Pairs, by their first number: 4 bytes each and 8 for each box.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    /// Where the pairs of each number begin, and where the last end.
    starts: Vec<usize>,
    /// The second numbers, ascending for each first one; with [`CERTAIN`] if the boxes overlap as well, for as long as none leaves its place
    /// by more than half the limit.
    others: Vec<u32>,
    /// How many are not certain.
    pub open: usize,
}

/// Marks a pair that need not be looked at. Numbers of objects are below.
const CERTAIN: u32 = 1 << 31;

/// Pairs, or first numbers, that one thread deals with at a time.
const CHUNK: usize = 1 << 13;

impl Candidates {
    /// From sorted pairs of boxes that were grown by half the limit; static ones are left out. They stay a pair if they overlap by so much that the
    /// least place of either's upper end is not below the greatest place of the other's lower end.
    pub fn new(pairs: &[[u32; 2]], grown: &[Aabb], limit: f64, boxes: &Boxes) -> Self {
        let limit = DVec3::splat(limit);
        let stays_over = |a: &Aabb, b: &Aabb| (a.min + limit).cmple(b.max - limit).all();
        let pairs = if boxes.statics() == 0 {
            Cow::Borrowed(pairs)
        } else {
            Cow::Owned(pairs.iter().filter(|[i, j]| boxes.may_pair(*i, *j)).copied().collect())
        };
        let mut starts = Vec::with_capacity(grown.len() + 1);
        for (place, [i, _]) in pairs.iter().enumerate() {
            starts.resize(*i as usize + 1, place);
        }
        starts.resize(grown.len() + 1, pairs.len());
        let marked = |&[i, j]: &[u32; 2]| {
            let (a, b) = (&grown[i as usize], &grown[j as usize]);
            if stays_over(a, b) && stays_over(b, a) { j | CERTAIN } else { j }
        };
        let parts: Vec<&[[u32; 2]]> = pairs.chunks(CHUNK).collect();
        let parts = threads::map(parts.len(), |k| parts[k].iter().map(marked).collect::<Vec<_>>());
        let others = parts.concat();
        let open = others.iter().filter(|other| **other & CERTAIN == 0).count();
        Self { starts, others, open }
    }

    /// Those that are pairs now, in order. Where objects were removed none is certain.
    pub fn keep_pairs(&self, boxes: &Boxes, some_removed: bool, pairs: &mut Vec<[u32; 2]>) {
        let count = self.starts.len().saturating_sub(1);
        let meet = threads::map(count.div_ceil(CHUNK), |chunk| {
            let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
            let mut meet = Vec::with_capacity(self.starts[part.end] - self.starts[part.start]);
            for i in part {
                let of_one = &self.others[self.starts[i]..self.starts[i + 1]];
                meet.extend(of_one.iter().filter_map(|&other| {
                    let j = other & !CERTAIN;
                    ((other != j && !some_removed) || boxes.meet(i as u32, j)).then_some([i as u32, j])
                }));
            }
            meet
        });
        let count: usize = meet.iter().map(Vec::len).sum();
        if pairs.capacity() < count {
            // Room for some more, so that not every frame asks for memory.
            pairs.reserve_exact(count + count / 16);
        }
        meet.iter().for_each(|some| pairs.extend_from_slice(some));
    }

    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<usize>() + 4 * self.others.capacity()
    }
}
