//! The boxes of a broad phase, by number.

use glam::DVec3;

use super::{BroadError, threads};
use crate::shape::Aabb;

/// Handle of an object in a broad phase.
///
/// A number is used again after its object was removed, then with the next generation; so a handle that was
/// kept too long is refused and never means another object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    index: u32,
    generation: u32,
}

impl Handle {
    /// Number of the object among those that live: what lists of pairs name it by.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many objects had this number before.
    pub fn generation(self) -> u32 {
        self.generation
    }
}

/// Whether an object may move. Two that may not are never reported as a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mobility {
    /// It moves, or may.
    #[default]
    Moving,
    /// It stays for long. It can be moved, at a higher price.
    Static,
}

/// Boxes by number. The number of a removed box is free again only after the next step, so that within a step a number
/// means one object.
#[derive(Debug, Clone, Default)]
pub(super) struct Boxes {
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

/// Most objects of a broad phase.
pub(super) const MOST: usize = 1 << 31;

impl Boxes {
    pub fn insert(&mut self, aabb: Aabb, mobility: Mobility) -> Result<Handle, BroadError> {
        let index = self.free.last().copied().unwrap_or(self.boxes.len() as u32);
        check(index, &aabb)?;
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
        Ok(Handle { index, generation: self.generations[i] })
    }

    /// Moves a box; gives back where it was.
    #[inline]
    pub fn update(&mut self, handle: Handle, aabb: Aabb) -> Result<Aabb, BroadError> {
        let i = self.find(handle)?;
        check(handle.index, &aabb)?;
        Ok(std::mem::replace(&mut self.boxes[i], aabb))
    }

    /// Whether all of the boxes can be put there; if so, whether their numbers follow each other.
    pub fn check_all(&self, handles: &[Handle], boxes: &[Aabb]) -> Result<bool, BroadError> {
        let first = handles.first().map_or(0, |handle| handle.index as usize);
        let all = threads::map(handles.len().div_ceil(CHUNK), |chunk| {
            let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(handles.len());
            let mut is_run = true;
            for (k, (handle, aabb)) in part.clone().zip(handles[part.clone()].iter().zip(&boxes[part])) {
                self.find(*handle)?;
                check(handle.index, aabb)?;
                is_run &= handle.index as usize == first + k;
            }
            Ok(is_run)
        });
        all.into_iter().try_fold(true, |so_far, is_run| Ok(so_far & is_run?))
    }

    /// Moves boxes that were checked, whose numbers follow each other. `see` is shown some at a time, by the
    /// number of the first, while they are at hand. Gives back how many were elsewhere before, and whether
    /// `see` always said yes.
    pub fn update_run(
        &mut self,
        first: Handle,
        boxes: &[Aabb],
        see: impl Fn(usize, &[Aabb]) -> bool + Sync,
    ) -> (usize, bool) {
        let first = first.index as usize;
        let places = self.boxes[first..first + boxes.len()].chunks_mut(CHUNK);
        let parts = places.zip(boxes.chunks(CHUNK)).enumerate();
        let mut parts: Vec<_> = parts.map(|(chunk, (old, new))| (chunk, old, new, (0, true))).collect();
        threads::for_each(&mut parts, |(chunk, old, new, (count, seen))| {
            for (old, new) in old.iter_mut().zip(*new) {
                *count += usize::from(old != new);
                *old = *new;
            }
            *seen = see(first + *chunk * CHUNK, new);
        });
        parts.iter().fold((0, true), |(sum, all), (.., (count, seen))| (sum + count, all & seen))
    }

    pub fn remove(&mut self, handle: Handle) -> Result<Aabb, BroadError> {
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
    pub fn end_step(&mut self) {
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
    pub fn find(&self, handle: Handle) -> Result<usize, BroadError> {
        let i = handle.index as usize;
        let known = self.generations.get(i) == Some(&handle.generation) && self.is_live(handle.index);
        if known { Ok(i) } else { Err(BroadError::Unknown { handle }) }
    }

    #[inline]
    pub fn is_live(&self, i: u32) -> bool {
        self.live_ones[i as usize]
    }

    /// Whether boxes were removed since the last step.
    pub fn some_retired(&self) -> bool {
        !self.retired.is_empty()
    }

    pub fn handle(&self, i: u32) -> Handle {
        Handle { index: i, generation: self.generations[i as usize] }
    }

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

    pub fn len(&self) -> usize {
        self.live
    }

    pub fn statics(&self) -> usize {
        self.statics
    }

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

    pub fn bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Aabb>()
            + self.mobility.capacity()
            + self.live_ones.capacity()
            + 4 * (self.generations.capacity() + self.free.capacity() + self.retired.capacity())
    }
}

/// Whether two boxes have a point in common; touching counts. False where a coordinate is not a number.
#[inline]
pub(super) fn overlap(a: &Aabb, b: &Aabb) -> bool {
    (a.min.cmple(b.max) & b.min.cmple(a.max)).all()
}

#[inline]
pub(super) fn check(object: u32, aabb: &Aabb) -> Result<(), BroadError> {
    if aabb.min.cmple(aabb.max).all() {
        return Ok(());
    }
    if aabb.min.is_nan() || aabb.max.is_nan() {
        return Err(BroadError::NotANumber { object });
    }
    let axis = (0..3).find(|&k| aabb.min[k] > aabb.max[k]).unwrap_or(0);
    Err(BroadError::Inverted { object, axis })
}

/// The common box and the mean size of boxes, those without finite ends left out: what grids and trees are laid out by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// The common box; that of the origin if there are none.
    pub bounds: Aabb,
    /// Mean edge lengths, rounded.
    pub mean: DVec3,
    /// Greatest edge lengths, rounded.
    pub greatest: DVec3,
}

impl Extent {
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
