//! The few boxes that came, moved or went since the last step, and where they were then.

use super::boxes::{Boxes, overlap};
use crate::shape::Aabb;

/// Boxes by number, each with where it was in the last step, while they are few.
#[derive(Debug, Clone, Default)]
pub(super) struct Touched {
    list: Vec<(u32, Option<Aabb>)>,
    /// The place of each box in the list, or [`NOT`].
    places: Vec<u32>,
    /// Whether there were too many to list them.
    are_many: bool,
}

const NOT: u32 = u32::MAX;

impl Touched {
    /// Takes a box that was there in the last step, or was not, unless more than `most` are known; O(1).
    #[inline]
    pub fn add(&mut self, i: u32, before: Option<&Aabb>, most: usize) {
        if self.are_many || self.contains(i) {
            return;
        }
        if self.list.len() >= most {
            self.clear();
            self.are_many = true;
            return;
        }
        self.places.resize(self.places.len().max(i as usize + 1), NOT);
        self.places[i as usize] = self.list.len() as u32;
        self.list.push((i, before.copied()));
    }

    /// All of them with their former boxes; `None` if they are too many.
    pub fn few(&self) -> Option<&[(u32, Option<Aabb>)]> {
        (!self.are_many).then_some(&self.list)
    }

    fn place(&self, i: u32) -> Option<usize> {
        self.places.get(i as usize).filter(|place| **place != NOT).map(|place| *place as usize)
    }

    #[inline]
    pub fn contains(&self, i: u32) -> bool {
        self.place(i).is_some()
    }

    /// Whether two boxes had a point in common in the last step.
    pub fn met(&self, boxes: &Boxes, i: u32, j: u32) -> bool {
        let before = |i: u32| self.place(i).map_or(Some(boxes.get(i)), |place| self.list[place].1.as_ref());
        matches!((before(i), before(j)), (Some(one), Some(other)) if overlap(one, other))
    }

    /// Begins the next step.
    pub fn clear(&mut self) {
        for (i, _) in self.list.drain(..) {
            self.places[i as usize] = NOT;
        }
        self.are_many = false;
    }

    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<(u32, Option<Aabb>)>() + 4 * self.places.capacity()
    }
}
