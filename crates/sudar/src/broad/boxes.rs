//! The boxes of a broad phase, by number.

use glam::DVec3;

use super::error::BroadError;
use super::handle::{Handle, Mobility};
use crate::math::par::{for_each, mapped};
use crate::shape::Aabb;

/// The boxes of a broad phase by number, as a [`PairFinder`](super::PairFinder) sees them. The number of a
/// removed box is free again only after the next step, so that within a step a number means one object.
#[derive(Debug, Clone, Default)]
pub struct Boxes {
    boxes: Vec<Aabb>,
    mobility: Vec<Mobility>,
    /// Which numbers have a box.
    live_ones: Vec<bool>,
    generations: Vec<u32>,
    free: Vec<u32>,
    retired: Vec<u32>,
    live: usize,
    statics: usize,
}

/// What stands where no box is: it compares as false with everything.
const NONE: Aabb = Aabb { min: DVec3::NAN, max: DVec3::NAN };

/// Boxes that one thread deals with at a time.
const CHUNK: usize = 1 << 14;

/// Boxes that are compared at a time.
const BLOCK: usize = 1 << 9;

/// Most objects of a broad phase.
pub(super) const MOST: usize = 1 << 31;

impl Boxes {
    pub(super) fn insert(&mut self, aabb: Aabb, mobility: Mobility) -> Result<Handle, BroadError> {
        let index = self.free.last().copied().unwrap_or(self.boxes.len() as u32);
        BroadError::check(index, &aabb)?;
        if self.free.pop().is_none() {
            if self.boxes.len() == MOST {
                return Err(BroadError::Full);
            }
            self.boxes.push(NONE);
            self.mobility.push(mobility);
            self.live_ones.push(true);
            self.generations.push(0);
        }
        let i = index as usize;
        (self.boxes[i], self.mobility[i], self.live_ones[i]) = (aabb, mobility, true);
        self.live += 1;
        self.statics += usize::from(mobility == Mobility::Static);
        Ok(Handle { index, generation: self.generations[i], world: 0 })
    }

    /// Moves a box; gives back where it was.
    #[inline]
    pub(super) fn update(&mut self, handle: Handle, aabb: Aabb) -> Result<Aabb, BroadError> {
        let i = self.find(handle)?;
        BroadError::check(handle.index, &aabb)?;
        Ok(std::mem::replace(&mut self.boxes[i], aabb))
    }

    /// Whether all of the boxes can be put there; if so, what they are to those that are there.
    pub(super) fn check_all(&self, handles: &[Handle], boxes: &[Aabb]) -> Result<Given, BroadError> {
        let first = handles.first().map_or(0, |handle| handle.index as usize);
        let all = mapped(0..handles.len().div_ceil(CHUNK), 1, |chunk| {
            let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(handles.len());
            let blocks = handles[part.clone()].chunks(BLOCK).zip(boxes[part.clone()].chunks(BLOCK));
            let still = blocks.enumerate().take_while(|(block, (handles, boxes))| {
                self.all_stand(first + part.start + block * BLOCK, handles, boxes)
            });
            let rest = (part.start + still.count() * BLOCK).min(part.end)..part.end;
            let mut given = Given { is_run: true, is_same: true };
            for (k, (handle, aabb)) in rest.clone().zip(handles[rest.clone()].iter().zip(&boxes[rest])) {
                let i = self.find(*handle)?;
                // A box that is there already was checked; where one moved, the others mostly did too.
                if !(given.is_same && same_bits(&self.boxes[i], aabb)) {
                    BroadError::check(handle.index, aabb)?;
                    given.is_same = false;
                }
                given.is_run &= i == first + k;
            }
            Ok(given)
        });
        all.into_iter().try_fold(Given { is_run: true, is_same: true }, |so_far, given| {
            let given = given?;
            Ok(Given { is_run: so_far.is_run & given.is_run, is_same: so_far.is_same & given.is_same })
        })
    }

    /// Whether these are boxes whose numbers follow each other from the first on, each where it is given to be. No
    /// branches, since nearly all of a large scene are often still.
    fn all_stand(&self, first: usize, handles: &[Handle], boxes: &[Aabb]) -> bool {
        let run = first..first + handles.len();
        let (Some(old), Some(generations), Some(live)) =
            (self.boxes.get(run.clone()), self.generations.get(run.clone()), self.live_ones.get(run))
        else {
            return false;
        };
        let mut wrong = 0;
        for (((handle, generation), live), i) in handles.iter().zip(generations).zip(live).zip(first as u32..)
        {
            wrong |= (handle.index ^ i) | (handle.generation ^ generation) | u32::from(!live);
        }
        let mut differ = [0; 6];
        for (a, b) in old.iter().zip(boxes) {
            let bits = |aabb: &Aabb| {
                let Aabb { min, max } = aabb;
                [min.x, min.y, min.z, max.x, max.y, max.z].map(f64::to_bits)
            };
            for ((differ, a), b) in differ.iter_mut().zip(bits(a)).zip(bits(b)) {
                *differ |= a ^ b;
            }
        }
        wrong == 0 && differ == [0; 6]
    }

    /// Moves boxes that were checked, whose numbers follow each other. `see` is shown some at a time, by the
    /// number of the first, while they are at hand. Gives back how many were elsewhere before, and whether
    /// `see` always said yes.
    pub(super) fn update_run(
        &mut self,
        first: Handle,
        boxes: &[Aabb],
        see: impl Fn(usize, &[Aabb]) -> bool + Sync,
    ) -> (usize, bool) {
        let first = first.index as usize;
        let places = self.boxes[first..first + boxes.len()].chunks_mut(CHUNK);
        let parts = places.zip(boxes.chunks(CHUNK)).enumerate();
        let mut parts: Vec<_> = parts.map(|(chunk, (old, new))| (chunk, old, new, (0, true))).collect();
        for_each(&mut parts, 1, |(chunk, old, new, (count, seen))| {
            for (old, new) in old.iter_mut().zip(*new) {
                *count += usize::from(old != new);
                *old = *new;
            }
            *seen = see(first + *chunk * CHUNK, new);
        });
        parts.iter().fold((0, true), |(sum, all), (.., (count, seen))| (sum + count, all & seen))
    }

    pub(super) fn remove(&mut self, handle: Handle) -> Result<Aabb, BroadError> {
        let i = self.find(handle)?;
        let before = std::mem::replace(&mut self.boxes[i], NONE);
        self.generations[i] = self.generations[i].wrapping_add(1);
        self.retired.push(handle.index);
        self.live_ones[i] = false;
        self.live -= 1;
        self.statics -= usize::from(self.mobility[i] == Mobility::Static);
        Ok(before)
    }

    /// Frees the numbers of the boxes that were removed, and memory beyond an eighth more than is needed.
    pub(super) fn end_step(&mut self) {
        self.free.append(&mut self.retired);
        let enough = self.boxes.len() + self.boxes.len() / 8;
        if self.boxes.capacity() > enough + self.boxes.len() / 8 {
            self.boxes.shrink_to(enough);
            self.mobility.shrink_to(enough);
            self.live_ones.shrink_to(enough);
            self.generations.shrink_to(enough);
        }
    }

    #[inline]
    pub(super) fn find(&self, handle: Handle) -> Result<usize, BroadError> {
        let i = handle.index as usize;
        let known = self.generations.get(i) == Some(&handle.generation) && self.is_live(handle.index);
        if known { Ok(i) } else { Err(BroadError::Unknown { handle }) }
    }

    /// Whether a number below that of [`slots`](Self::slots) is that of a box.
    #[inline]
    pub fn is_live(&self, i: u32) -> bool {
        self.live_ones[i as usize]
    }

    /// Whether boxes were removed since the last step.
    pub(super) fn some_retired(&self) -> bool {
        !self.retired.is_empty()
    }

    pub(super) fn handle(&self, i: u32) -> Handle {
        Handle { index: i, generation: self.generations[i as usize], world: 0 }
    }

    /// The box of that number.
    #[inline]
    pub fn get(&self, i: u32) -> &Aabb {
        &self.boxes[i as usize]
    }

    /// All places, those without a box with coordinates that are not numbers.
    pub fn slots(&self) -> &[Aabb] {
        &self.boxes
    }

    /// Numbers of the boxes, ascending.
    pub fn live(&self) -> impl Iterator<Item = u32> {
        (0..self.boxes.len() as u32).filter(|&i| self.is_live(i))
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Number of boxes that are static.
    pub fn statics(&self) -> usize {
        self.statics
    }

    /// Whether the box is static.
    #[inline]
    pub fn is_static(&self, i: u32) -> bool {
        self.mobility[i as usize] == Mobility::Static
    }

    /// Whether two boxes are a pair: they have a point in common, and one of them may move. Exact.
    #[inline]
    pub fn meet(&self, i: u32, j: u32) -> bool {
        overlap(self.get(i), self.get(j)) && self.may_pair(i, j)
    }

    /// Whether one of the two may move.
    #[inline]
    pub fn may_pair(&self, i: u32, j: u32) -> bool {
        self.statics == 0 || !(self.is_static(i) && self.is_static(j))
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Aabb>()
            + self.mobility.capacity()
            + self.live_ones.capacity()
            + 4 * (self.generations.capacity() + self.free.capacity() + self.retired.capacity())
    }
}

/// What boxes that were given are to those of the broad phase.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given {
    /// Whether their numbers follow each other.
    pub is_run: bool,
    /// Whether all are where they were.
    pub is_same: bool,
}

/// Whether two boxes are the same to the sign of a zero; without a branch for each coordinate.
#[inline(always)]
fn same_bits(a: &Aabb, b: &Aabb) -> bool {
    let differ = |p: DVec3, q: DVec3| {
        (p.x.to_bits() ^ q.x.to_bits()) | (p.y.to_bits() ^ q.y.to_bits()) | (p.z.to_bits() ^ q.z.to_bits())
    };
    differ(a.min, b.min) | differ(a.max, b.max) == 0
}

/// Whether two boxes have a point in common; touching counts. False where a coordinate is not a number.
#[inline]
pub fn overlap(a: &Aabb, b: &Aabb) -> bool {
    (a.min.cmple(b.max) & b.min.cmple(a.max)).all()
}

/// The common box and the mean size of boxes, those without finite ends left out: what grids and trees are laid out by.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// The common box; that of the origin if there are none.
    pub bounds: Aabb,
    /// Mean edge lengths, rounded.
    pub mean: DVec3,
    /// Greatest edge lengths, rounded.
    pub greatest: DVec3,
}

impl Extent {
    /// Of some boxes.
    pub fn of<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> Self {
        let mut bounds = Aabb::EMPTY;
        let (mut sum, mut greatest, mut count) = (DVec3::ZERO, DVec3::ZERO, 0);
        for b in boxes.filter(|b| b.extent().is_finite()) {
            bounds = bounds.union(*b);
            sum += b.extent();
            greatest = greatest.max(b.extent());
            count += 1;
        }
        if count == 0 {
            bounds = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
        }
        Self { bounds, mean: sum / count.max(1) as f64, greatest }
    }
}
