//! A broad phase around any algorithm that finds pairs.

use super::along::{visit_all_along, visit_along};
use super::boxes::{Boxes, Given, MOST};
use super::error::BroadError;
use super::finder::{ChangedPairs, Choice, Counters, FoundPairs, PairFinder};
use super::handle::{Handle, Mobility};
use super::pairs::{apply, difference, sort_pairs};
use super::phase::{BroadPhase, Changes, Listing, Output};
use super::region::Region;
use crate::effort::Meter;
use crate::query::{BoxIndex, Halving, visit_meeting};
use crate::shape::{Aabb, Ray};

/// Searches compare up to so many boxes one by one.
const FEW: usize = 32;

/// Makes a broad phase of an algorithm that finds pairs.
pub fn broad_phase(finder: impl PairFinder + 'static) -> Box<dyn BroadPhase> {
    Box::new(Tracked::new(Box::new(finder)))
}

/// A broad phase by one finder: keeps the boxes and the list of pairs, and compares it with the last.
#[derive(Clone)]
struct Tracked {
    boxes: Boxes,
    finder: Box<dyn PairFinder>,
    pairs: Vec<[u32; 2]>,
    /// Memory for the next list.
    spare: Vec<[u32; 2]>,
    added: Vec<[u32; 2]>,
    removed: Vec<[u32; 2]>,
    counters: Counters,
    stale: bool,
    /// For searches.
    index: BoxIndex,
}

impl Tracked {
    fn new(finder: Box<dyn PairFinder>) -> Self {
        Self {
            boxes: Boxes::default(),
            finder,
            pairs: Vec::new(),
            spare: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            counters: Counters::default(),
            stale: false,
            index: BoxIndex::default(),
        }
    }

    #[inline]
    fn moved(&mut self, handle: Handle, aabb: Aabb) -> Result<(), BroadError> {
        let before = self.boxes.update(handle, aabb)?;
        if before != aabb {
            self.finder.moved(&self.boxes, handle.index(), &before);
            self.changed();
        }
        Ok(())
    }
}

impl Tracked {
    fn changed(&mut self) {
        self.stale = true;
        self.index.changed();
    }

    /// The tree over all boxes as they are.
    fn tree(&self) -> &Halving {
        let now = |i: u32| if self.boxes.is_live(i) { *self.boxes.get(i) } else { Aabb::EMPTY };
        self.index.tree(|| (0..self.boxes.slots().len() as u32).map(now).collect())
    }

    /// Keeps the changes that a finder found.
    fn change(&mut self, ChangedPairs { added, mut removed }: ChangedPairs) {
        if self.boxes.some_retired() {
            let gone = |pair: &&[u32; 2]| pair.iter().any(|&i| !self.boxes.is_live(i));
            removed.extend(self.pairs.iter().filter(gone));
        }
        (self.added, self.removed) = (added, removed);
        let count = self.boxes.slots().len();
        sort_pairs(&mut self.added, count);
        sort_pairs(&mut self.removed, count);
        self.removed.dedup();
        apply(&mut self.pairs, &self.added, &self.removed);
        self.spare = Vec::new();
    }

    /// Takes all pairs that a finder found, and compares them with those of the last step.
    fn replace(&mut self, mut found: FoundPairs) {
        if !found.sorted {
            sort_pairs(&mut found.pairs, self.boxes.slots().len());
            found.pairs.dedup();
        }
        difference(&self.pairs, &found.pairs, &mut self.added, &mut self.removed);
        self.spare = std::mem::replace(&mut self.pairs, found.pairs);
    }
}

/// Empties a list, and gives back most of its memory if it had far more than it needed.
fn empty(list: &mut Vec<[u32; 2]>) {
    let used = list.len();
    list.clear();
    if list.capacity() > 1024 + 8 * used {
        list.shrink_to(2 * used);
    }
}

impl BroadPhase for Tracked {
    fn insert(&mut self, aabb: Aabb, mobility: Mobility) -> Result<Handle, BroadError> {
        let handle = self.boxes.insert(aabb, mobility)?;
        self.finder.inserted(&self.boxes, handle.index());
        self.changed();
        Ok(handle)
    }

    fn update(&mut self, handle: Handle, aabb: Aabb) -> Result<(), BroadError> {
        self.moved(handle, aabb)
    }

    fn update_all(&mut self, handles: &[Handle], boxes: &[Aabb]) -> Result<(), BroadError> {
        if handles.len() != boxes.len() {
            return Err(BroadError::Lengths { handles: handles.len(), boxes: boxes.len() });
        }
        let Given { is_run, is_same } = self.boxes.check_all(handles, boxes)?;
        if is_same {
            return Ok(());
        }
        if !self.finder.follows_moves()
            && is_run
            && let Some(first) = handles.first()
        {
            let see = |first: usize, boxes: &[Aabb]| self.finder.expects(first, boxes);
            let (count, expected) = self.boxes.update_run(*first, boxes, see);
            self.finder.moved_many(count, expected && boxes.len() == self.boxes.slots().len());
            if count > 0 {
                self.changed();
            }
            return Ok(());
        }
        handles.iter().zip(boxes).try_for_each(|(handle, aabb)| self.moved(*handle, *aabb))
    }

    fn remove(&mut self, handle: Handle) -> Result<(), BroadError> {
        let before = self.boxes.remove(handle)?;
        self.finder.removed(&self.boxes, handle.index(), &before);
        self.changed();
        Ok(())
    }

    fn step(&mut self) -> Changes<'_> {
        empty(&mut self.added);
        empty(&mut self.removed);
        self.counters = Counters::default();
        if std::mem::take(&mut self.stale) {
            let mut found = FoundPairs { pairs: std::mem::take(&mut self.spare), ..FoundPairs::default() };
            found.pairs.clear();
            self.finder.gather(&self.boxes, &mut found);
            self.counters = found.counters;
            match found.changed.take() {
                Some(changed) => self.change(changed),
                None => self.replace(found),
            }
            self.boxes.end_step();
        }
        Changes { added: &self.added, removed: &self.removed }
    }

    fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    fn query(&self, region: &Region<'_>) -> Vec<Handle> {
        let mut found = Vec::new();
        let mut visit = |i: u32| {
            if self.boxes.is_live(i) && region.meets(self.boxes.get(i)) {
                found.push(i);
            }
        };
        if self.boxes.len() <= FEW {
            self.boxes.live().for_each(&mut visit);
        } else if self.stale || !self.finder.search(&self.boxes, region, &mut visit) {
            visit_meeting(self.tree(), |aabb| region.meets(aabb), &mut visit);
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|i| self.boxes.handle(i)).collect()
    }

    fn along(&self, ray: &Ray, most: f64, visit: &mut dyn FnMut(Handle) -> f64) {
        // What is not met has no bound.
        let most = if most.is_nan() { f64::MAX } else { most.min(f64::MAX) };
        let mut visit = |i: u32| visit(self.boxes.handle(i));
        if !self.stale && self.finder.along(ray, most, &mut visit) {
            return;
        }
        if self.index.is_first_ray() {
            let boxes = self.boxes.live().map(|i| (i, *self.boxes.get(i)));
            visit_all_along(boxes, Some, ray, most, visit);
        } else {
            visit_along(self.tree(), ray, most, &mut Meter::unlimited(), visit);
        }
    }

    fn aabb(&self, handle: Handle) -> Result<Aabb, BroadError> {
        self.boxes.find(handle).map(|i| self.boxes.slots()[i])
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        self.finder.cells()
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn memory(&self) -> usize {
        let lists = self.spare.capacity() + self.added.capacity() + self.removed.capacity();
        let boxes = self.boxes.bytes().saturating_sub(size_of_val(self.boxes.slots()));
        self.finder.bytes() + self.index.bytes() + boxes + lists * size_of::<[u32; 2]>()
    }

    fn name(&self) -> &str {
        self.finder.name()
    }

    fn parameters(&self) -> String {
        self.finder.parameters()
    }

    fn choice(&self) -> Choice {
        let algorithm = self.finder.choice().to_owned();
        let reason = self.finder.reason().unwrap_or_else(|| by_caller(&algorithm));
        Choice { algorithm, reason }
    }

    fn list(mut self: Box<Self>, boxes: &[Aabb], output: Output) -> Result<Listing, BroadError> {
        let counted = (output == Output::Count).then_some(0);
        let mut found = FoundPairs { counted, ..FoundPairs::default() };
        check_all(boxes)?;
        if self.is_empty()
            && let Some(choice) = self.finder.straight(boxes, &mut found)
        {
            return Ok(listing(found, choice, 0));
        }
        let is_new = self.boxes.slots().is_empty();
        boxes.iter().try_for_each(|aabb| self.insert(*aabb, Mobility::Moving).map(drop))?;
        if is_new && output == Output::Count {
            self.finder.gather(&self.boxes, &mut found);
            return Ok(listing(found, self.choice(), self.finder.bytes()));
        }
        self.step();
        let (choice, memory) = (self.choice(), self.memory());
        let counted = counted.map(|_| self.pairs.len() as u64);
        let pairs = std::mem::take(&mut self.pairs);
        Ok(listing(FoundPairs { pairs, counters: self.counters, counted, ..found }, choice, memory))
    }

    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }
}

fn listing(found: FoundPairs, choice: Choice, memory: usize) -> Listing {
    let count = found.counted.unwrap_or(found.pairs.len() as u64);
    let pairs = if found.counted.is_some() { Vec::new() } else { found.pairs };
    Listing { pairs, count, choice, counters: found.counters, memory }
}

fn check_all(boxes: &[Aabb]) -> Result<(), BroadError> {
    if boxes.len() > MOST {
        return Err(BroadError::Full);
    }
    boxes.iter().enumerate().try_for_each(|(i, aabb)| BroadError::check(i as u32, aabb))
}

/// The reason of an algorithm that does all the work itself.
pub(super) fn by_caller(algorithm: &str) -> String {
    format!("{algorithm} was chosen by the caller")
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::RngExt;

    use super::*;
    use crate::broad::{NAMES, by_name, overlap};
    use crate::testing::Random;

    fn any(random: &mut Random) -> Aabb {
        let (center, half) = (random.point() * 2.0, random.point().abs() * 0.3 + 0.01);
        Aabb { min: center - half, max: center + half }
    }

    /// One broad phase is told of the boxes that moved, another is given all boxes, and every pair is compared besides.
    struct Twins {
        told: Box<dyn BroadPhase>,
        given: Box<dyn BroadPhase>,
        handles: Vec<Handle>,
        mobility: Vec<Mobility>,
        boxes: Vec<Aabb>,
        changes: usize,
    }

    impl Twins {
        fn new(name: &str) -> Self {
            let [told, given] = [0, 1].map(|_| by_name(name).unwrap());
            let (handles, mobility, boxes) = (Vec::new(), Vec::new(), Vec::new());
            Self { told, given, handles, mobility, boxes, changes: 0 }
        }

        fn insert(&mut self, aabb: Aabb, mobility: Mobility) {
            let handle = self.told.insert(aabb, mobility).unwrap();
            assert_eq!(self.given.insert(aabb, mobility), Ok(handle));
            self.handles.push(handle);
            self.mobility.push(mobility);
            self.boxes.push(aabb);
        }

        fn remove(&mut self, place: usize) {
            let handle = self.handles.remove(place);
            self.mobility.remove(place);
            self.boxes.remove(place);
            self.told.remove(handle).unwrap();
            self.given.remove(handle).unwrap();
        }

        fn tell(&mut self, moved: &[usize]) {
            let handles: Vec<Handle> = moved.iter().map(|&k| self.handles[k]).collect();
            let boxes: Vec<Aabb> = moved.iter().map(|&k| self.boxes[k]).collect();
            self.told.update_all(&handles, &boxes).unwrap();
            self.given.update_all(&self.handles, &self.boxes).unwrap();
        }

        fn step_and_compare(&mut self, what: &str) {
            let (told, given) = (self.told.step(), self.given.step());
            assert_eq!(told, given, "{what}");
            self.changes += told.added.len() + told.removed.len();
            let mut expected = Vec::new();
            for (i, one) in self.boxes.iter().enumerate() {
                for (j, other) in self.boxes.iter().enumerate().skip(i + 1) {
                    let is_static = [i, j].iter().all(|&k| self.mobility[k] == Mobility::Static);
                    if overlap(one, other) && !is_static {
                        let [a, b] = [i, j].map(|k| self.handles[k].index());
                        expected.push([a.min(b), a.max(b)]);
                    }
                }
            }
            expected.sort_unstable();
            assert_eq!(self.told.pairs(), expected, "{what}");
            assert_eq!(self.given.pairs(), expected, "{what}");
        }
    }

    /// Random subsets move, few and many in turn, a little and far; boxes come and go in between.
    #[test]
    fn boxes_that_are_left_out_stay_where_they_were() {
        for (k, name) in NAMES.into_iter().enumerate() {
            let mut random = Random::new(40 + k as u64);
            let mut twins = Twins::new(name);
            for i in 0..400 {
                let mobility = if i % 5 == 0 { Mobility::Static } else { Mobility::Moving };
                twins.insert(any(&mut random), mobility);
            }
            twins.step_and_compare(name);
            for step in 0..60 {
                let share = [0, 1, 4, 20, 100, 1, 3, 7][step % 8];
                let moved: Vec<usize> =
                    (0..share).map(|_| random.random_range(0..twins.boxes.len())).collect();
                for &place in &moved {
                    let way = random.point() * if step % 3 == 0 { 2.0 } else { 0.02 };
                    let aabb = &mut twins.boxes[place];
                    (aabb.min, aabb.max) = (aabb.min + way, aabb.max + way);
                }
                twins.tell(&moved);
                if step % 4 == 1 {
                    twins.remove(step % 7);
                    twins.insert(any(&mut random), Mobility::Moving);
                    // One that comes and goes within a step was never there.
                    twins.insert(any(&mut random), Mobility::Moving);
                    twins.remove(twins.boxes.len() - 1);
                }
                twins.step_and_compare(&format!("{name}, step {step}"));
            }
            assert!(twins.changes > 500, "{name}: {} changes", twins.changes);
        }
    }

    /// A box that moved without a word is where it was told to be last: pairs and searches say so until it is told of.
    #[test]
    fn a_move_that_is_not_told_of_did_not_happen() {
        for name in NAMES {
            let unit = |x: f64| Aabb { min: DVec3::X * x, max: DVec3::X * x + DVec3::ONE };
            let mut phase = by_name(name).unwrap();
            let handles: Vec<Handle> =
                (0..300).map(|i| phase.insert(unit(2.0 * f64::from(i)), Mobility::Moving).unwrap()).collect();
            phase.step();
            // Boxes 10 and 20 moved by 1; the caller tells of 20 alone.
            phase.update_all(&handles[20..21], &[unit(41.0)]).unwrap();
            assert_eq!(phase.step().added, [[20, 21]], "{name}");
            assert_eq!(phase.aabb(handles[10]), Ok(unit(20.0)), "{name}");
            assert_eq!(phase.query(&Region::Box(unit(20.5))), [handles[10]], "{name}");
            phase.update(handles[10], unit(21.0)).unwrap();
            assert_eq!(phase.step().added, [[10, 11]], "{name}");
        }
    }

    /// Thousands of boxes given where they are, but for a handle: named twice or out of order, which is fine; of a box
    /// that is gone, or whose number another has now.
    #[test]
    fn boxes_given_as_they_stand_must_be_boxes_that_are_there() {
        let unit = |i: u32| Aabb { min: DVec3::X * f64::from(i), max: DVec3::X * f64::from(i) + 0.5 };
        for name in NAMES {
            for gone in [0, 511, 512, 2999] {
                let mut phase = by_name(name).unwrap();
                let handles: Vec<Handle> =
                    (0..3000).map(|i| phase.insert(unit(i), Mobility::Moving).unwrap()).collect();
                let boxes: Vec<Aabb> = (0..3000).map(unit).collect();
                phase.step();
                let mut others = (handles.clone(), boxes.clone());
                others.0.swap(gone, 1500);
                others.1.swap(gone, 1500);
                (others.0[700], others.1[700]) = (others.0[699], others.1[699]);
                assert_eq!(phase.update_all(&handles, &boxes), Ok(()), "{name}");
                assert_eq!(phase.update_all(&others.0, &others.1), Ok(()), "{name}");
                let unknown = Err(BroadError::Unknown { handle: handles[gone] });
                phase.remove(handles[gone]).unwrap();
                assert_eq!(phase.update_all(&handles, &boxes), unknown, "{name} {gone}");
                phase.step();
                assert_eq!(phase.update_all(&handles, &boxes), unknown, "{name} {gone}");
                let again = phase.insert(unit(gone as u32), Mobility::Moving).unwrap();
                assert_eq!(again.index, handles[gone].index, "{name}: the number was not used again");
                assert_eq!(phase.update_all(&handles, &boxes), unknown, "{name} {gone}");
                assert_eq!(phase.aabb(handles[(gone + 1) % 3000]), Ok(boxes[(gone + 1) % 3000]), "{name}");
            }
        }
    }
}
