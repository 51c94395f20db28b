//! Numbers of the objects of a manager.

use std::collections::{BTreeMap, HashMap};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sudar::broad::Handle;
use sudar::glam::DVec3;
use sudar::many::{Collision, DeepPair, NearPair};
use sudar::query::{Contact, Distance, Penetration};

/// Objects by numbers that ascend as the objects are added and are never used again. Handles take the places of
/// objects that were removed, so their order is another, and is another again in a copy.
#[derive(Default)]
pub struct Numbers {
    handles: BTreeMap<u64, Handle>,
    numbers: HashMap<Handle, u64>,
    /// Removed since the last step, which may name them.
    removed: Vec<Handle>,
    next: u64,
}

impl Numbers {
    pub fn handle(&self, number: u64) -> PyResult<Handle> {
        let known = self.handles.get(&number).copied();
        known.ok_or_else(|| PyValueError::new_err(format!("there is no object of number {number}")))
    }

    pub fn add(&mut self, handle: Handle) -> u64 {
        let number = self.next;
        self.next += 1;
        self.handles.insert(number, handle);
        self.numbers.insert(handle, number);
        number
    }

    pub fn remove(&mut self, handle: Handle) {
        self.handles.remove(&self.of(handle));
        self.removed.push(handle);
    }

    /// Forgets what was removed before the step that has just been.
    pub fn end_step(&mut self) {
        for handle in self.removed.drain(..) {
            self.numbers.remove(&handle);
        }
    }

    /// The number of an object that is there, or was before the next step.
    pub fn of(&self, handle: Handle) -> u64 {
        self.numbers.get(&handle).copied().unwrap_or(u64::MAX)
    }

    /// Numbers of objects, ascending.
    pub fn list(&self, handles: &[Handle]) -> Vec<u64> {
        let mut numbers: Vec<u64> = handles.iter().map(|handle| self.of(*handle)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Numbers of pairs, each and all ascending.
    pub fn pairs(&self, pairs: &[[Handle; 2]]) -> Vec<[u64; 2]> {
        let mut numbers: Vec<[u64; 2]> = pairs.iter().map(|pair| self.pair(*pair).0).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The numbers of a pair, ascending, and whether that is the other way round.
    pub fn pair(&self, pair: [Handle; 2]) -> ([u64; 2], bool) {
        let [a, b] = pair.map(|handle| self.of(handle));
        if a <= b { ([a, b], false) } else { ([b, a], true) }
    }

    /// Answers about pairs by their numbers, each and all ascending.
    pub fn ordered<T: OfPair>(&self, found: Vec<T>) -> Vec<([u64; 2], T::Answer)> {
        let mut ordered: Vec<_> = found.into_iter().map(|one| self.ordered_one(one)).collect();
        ordered.sort_by_key(|(pair, _)| *pair);
        ordered
    }

    /// An answer about a pair by its numbers, ascending.
    pub fn ordered_one<T: OfPair>(&self, found: T) -> ([u64; 2], T::Answer) {
        let (pair, is_swapped) = self.pair(found.pair());
        (pair, found.answer(is_swapped))
    }
}

/// An answer about a pair of objects.
pub trait OfPair {
    type Answer;
    fn pair(&self) -> [Handle; 2];
    /// What it says of the pair, or of the pair the other way round.
    fn answer(self, is_swapped: bool) -> Self::Answer;
}

impl OfPair for Collision {
    type Answer = Vec<Contact>;

    fn pair(&self) -> [Handle; 2] {
        self.pair
    }

    fn answer(mut self, is_swapped: bool) -> Vec<Contact> {
        for contact in self.contacts.iter_mut().filter(|_| is_swapped) {
            swap(&mut contact.point_a, &mut contact.point_b, &mut contact.normal);
            contact.features.reverse();
        }
        self.contacts
    }
}

impl OfPair for NearPair {
    type Answer = Distance;

    fn pair(&self) -> [Handle; 2] {
        self.pair
    }

    fn answer(mut self, is_swapped: bool) -> Distance {
        if is_swapped {
            std::mem::swap(&mut self.distance.point_a, &mut self.distance.point_b);
            self.distance.features.reverse();
        }
        self.distance
    }
}

impl OfPair for DeepPair {
    type Answer = Penetration;

    fn pair(&self) -> [Handle; 2] {
        self.pair
    }

    fn answer(mut self, is_swapped: bool) -> Penetration {
        if is_swapped {
            let Penetration { point_a, point_b, normal, .. } = &mut self.penetration;
            swap(point_a, point_b, normal);
        }
        self.penetration
    }
}

fn swap(point_a: &mut DVec3, point_b: &mut DVec3, normal: &mut DVec3) {
    std::mem::swap(point_a, point_b);
    *normal = -*normal;
}
