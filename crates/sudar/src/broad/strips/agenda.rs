//! Which pairs are to be looked at in which frame.

use super::super::boxes::Boxes;
use super::super::phase::{Changed, Counters};
use super::super::threads;
use super::course::{Course, LAST, NEVER, Place};
use super::layout::Layout;
use super::motion::Motion;
use super::sweep::{Swept, sweep};

/// Boxes on their courses, and for every pair that may change while these hold the frame in which it is looked at next.
///
/// A pair is looked at when the courses and their tolerance no longer say whether it is together (a kinetic data structure
/// as in Basch, Guibas, Hershberger 1997, "Data structures for mobile data", over neighbours as in Verlet 1967): what is
/// far from touching or ending to touch costs nothing until then.
#[derive(Debug, Clone)]
pub(super) struct Agenda {
    course: Course,
    layout: Layout,
    /// Pairs by the frame of their next look, [`TOGETHER`] in their first number.
    frames: Vec<Vec<[u32; 2]>>,
    /// Frames since the start.
    pub frame: u32,
    /// Slabs of which the pairs are known.
    slabs: usize,
}

/// Marks a pair that is together. Numbers of objects are below.
const TOGETHER: u32 = 1 << 31;

/// Pairs that one thread looks at at a time.
const CHUNK: usize = 1 << 10;

/// Pairs with the frames of their next look, and how they changed.
#[derive(Default)]
struct Looked {
    later: Vec<(u32, [u32; 2])>,
    changes: Changed,
}

impl Looked {
    fn put(&mut self, [i, j]: [u32; 2], together: bool, frame: u32) {
        if frame != NEVER {
            self.later.push((frame, [if together { i | TOGETHER } else { i }, j]));
        }
    }
}

impl Agenda {
    /// For boxes that are expected to stay. Without pairs, see [`more`](Self::more).
    pub fn first(boxes: &Boxes, motion: Motion) -> Option<Self> {
        let layout = Layout::of(boxes.slots())?;
        Some(Self::new(Course::new(boxes, &layout, motion.still_tolerances, None)?, layout))
    }

    /// For boxes that go on as on these courses, or stay. Without pairs.
    pub fn next(&self, boxes: &Boxes, motion: Motion) -> Option<Self> {
        let layout = Layout::of(boxes.slots())?;
        let before = motion.straight.then_some((&self.course, self.frame));
        Some(Self::new(Course::new(boxes, &layout, motion.tolerances, before)?, layout))
    }

    fn new(course: Course, layout: Layout) -> Self {
        Self { course, layout, frames: vec![Vec::new(); LAST as usize + 1], frame: 0, slabs: 0 }
    }

    /// Whether the pairs of all boxes are known.
    pub fn is_whole(&self) -> bool {
        self.slabs == self.layout.slabs()
    }

    /// Finds the pairs of one or another part of space. Gives back those that are together now, in lists.
    pub fn more(&mut self, boxes: &Boxes, parts: usize, counters: &mut Counters) -> Vec<Vec<[u32; 2]>> {
        let all = self.layout.slabs();
        let slabs = self.slabs..(self.slabs + all.div_ceil(parts)).min(all);
        self.slabs = slabs.end;
        let between = self.course.between(self.frame, LAST);
        let found =
            sweep(&between, &self.layout, slabs, |swept| (self.first_look(boxes, &swept), swept.counters));
        let mut lists = Vec::with_capacity(found.len());
        for (looked, more) in found {
            *counters += more;
            self.put(looked.later);
            lists.push(looked.changes.added);
        }
        if self.is_whole() {
            self.frames.iter_mut().for_each(Vec::shrink_to_fit);
        }
        lists
    }

    fn first_look(&self, boxes: &Boxes, swept: &Swept<'_, (Place, u32)>) -> Looked {
        let mut looked = Looked::default();
        for pair in &swept.pairs {
            let [(a, i), (b, j)] = pair.map(|place| &swept.items[place as usize]);
            let (i, j) = (*i.min(j), *i.max(j));
            if !boxes.may_pair(i, j) {
                continue;
            }
            let together = self.course.together(a, b, self.frame).unwrap_or_else(|| boxes.meet(i, j));
            if together {
                looked.changes.added.push([i, j]);
            }
            let next = self.course.next_change(a, b, together, self.frame);
            looked.put([i, j], together, next);
        }
        looked
    }

    /// Goes on by a frame. Gives back the pairs that changed, in no order, or `None` if boxes left their courses or these end.
    pub fn advance(&mut self, boxes: &Boxes, counters: &mut Counters) -> Option<Changed> {
        self.frame += 1;
        if self.frame > LAST || !self.course.holds(boxes, self.frame) {
            return None;
        }
        let due = std::mem::take(&mut self.frames[self.frame as usize]);
        counters.visits += boxes.slots().len() as u64;
        counters.tests += due.len() as u64;
        let looked = threads::map(due.len().div_ceil(CHUNK), |chunk| {
            let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(due.len());
            self.look(boxes, &due[part])
        });
        let mut changed = Changed::default();
        for looked in looked {
            changed.added.extend_from_slice(&looked.changes.added);
            changed.removed.extend_from_slice(&looked.changes.removed);
            self.put(looked.later);
        }
        Some(changed)
    }

    fn look(&self, boxes: &Boxes, due: &[[u32; 2]]) -> Looked {
        let mut looked = Looked::default();
        // One kind of memory after the other: a short loop waits for many boxes at once.
        let are: Vec<bool> = due.iter().map(|&[i, j]| boxes.meet(i & !TOGETHER, j)).collect();
        for (&[marked, j], &is) in due.iter().zip(&are) {
            let (i, was) = (marked & !TOGETHER, marked & TOGETHER != 0);
            match (was, is) {
                (false, true) => looked.changes.added.push([i, j]),
                // Pairs of what was removed end elsewhere.
                (true, false) if boxes.is_live(i) && boxes.is_live(j) => looked.changes.removed.push([i, j]),
                (true, false | true) | (false, false) => {}
            }
            let (a, b) = (self.course.place(i), self.course.place(j));
            let next = self.course.next_change(a, b, is, self.frame);
            looked.put([i, j], is, next);
        }
        looked
    }

    fn put(&mut self, later: Vec<(u32, [u32; 2])>) {
        later.into_iter().for_each(|(frame, pair)| self.frames[frame as usize].push(pair));
    }

    pub fn bytes(&self) -> usize {
        let pairs: usize = self.frames.iter().map(Vec::capacity).sum();
        self.course.bytes() + pairs * size_of::<[u32; 2]>()
    }
}
