//! Which pairs are to be looked at in which frame.

use std::ops::Range;

use super::super::boxes::Boxes;
use super::super::finder::{ChangedPairs, Counters};
use super::course::{Course, NEVER, Place};
use super::layout::Layout;
use super::motion::Motion;
use super::sweep::{Source, Swept, sweep};
use crate::math::par::mapped;
use crate::shape::Aabb;

/// Boxes on their courses, and for every pair that may change while these hold the frame in which it is looked at next.
///
/// A pair is looked at when the courses and their tolerance no longer say whether it is together (a kinetic
/// data structure as in Basch, Guibas, Hershberger 1997, "Data structures for mobile data", over neighbours
/// as in Verlet 1967): what is far from touching or ending to touch costs nothing until then.
#[derive(Debug, Clone)]
pub(super) struct Agenda {
    course: Course,
    layout: Layout,
    /// Pairs by the frame of their next look, [`TOGETHER`] in their first number.
    frames: Vec<Vec<[u32; 2]>>,
    /// Frames since the courses were made.
    frame: u32,
    /// From this frame on pairs are known.
    start: u32,
    /// What is left of space, where pairs are not known yet.
    parts: Vec<Part>,
}

/// A part of space.
#[derive(Debug, Clone)]
struct Part {
    slabs: Range<usize>,
    /// Those that enter these slabs, in lists.
    boxes: Vec<Vec<u32>>,
}

/// Marks a pair that is together. Numbers of objects are below.
const TOGETHER: u32 = 1 << 31;

/// Pairs that one thread looks at at a time.
const CHUNK: usize = 1 << 10;

/// Boxes that one thread deals with at a time.
const BOXES: usize = 1 << 14;

/// Pairs with the frames of their next look, and how they changed.
#[derive(Default)]
struct Looked {
    later: Vec<(u32, [u32; 2])>,
    changes: ChangedPairs,
}

impl Looked {
    fn put(&mut self, [i, j]: [u32; 2], together: bool, frame: u32) {
        if frame != NEVER {
            self.later.push((frame, [if together { i | TOGETHER } else { i }, j]));
        }
    }
}

impl Agenda {
    /// For boxes that are expected to stay. Without pairs, see [`begin`](Self::begin).
    pub fn first(boxes: &Boxes, motion: Motion) -> Option<Self> {
        let layout = Layout::of(boxes.slots())?;
        let course = Course::new(boxes, &layout, motion.still_tolerances, motion.horizon, None)?;
        Some(Self::new(course, layout, 0))
    }

    /// For boxes that go on as on these courses, or stay, from so many frames later on. Without pairs, see
    /// [`begin`](Self::begin) and [`prepare`](Self::prepare).
    pub fn next(&self, boxes: &Boxes, motion: Motion, start: u32) -> Option<Self> {
        let layout = Layout::of(boxes.slots())?;
        let before = motion.straight.then_some((&self.course, self.frame));
        let course = Course::new(boxes, &layout, motion.tolerances, start + motion.horizon, before)?;
        Some(Self::new(course, layout, start))
    }

    fn new(course: Course, layout: Layout, start: u32) -> Self {
        let frames = vec![Vec::new(); course.last as usize + 1];
        Self { course, layout, frames, frame: 0, start, parts: Vec::new() }
    }

    /// How many frames it has been in use.
    pub fn age(&self) -> u32 {
        self.frame - self.start
    }

    /// How many frames are left.
    pub fn left(&self) -> u32 {
        self.course.last - self.frame
    }

    /// How many frames before the last one the next agenda is begun: half of those for which pairs are known.
    pub fn lead(&self) -> u32 {
        (self.course.last - self.start) / 2
    }

    /// Finds the pairs at once. Gives back those that are together now, in lists.
    pub fn begin(&mut self, boxes: &Boxes, counters: &mut Counters) -> Vec<Vec<[u32; 2]>> {
        let lists = self.sweep(boxes, None, 0..self.layout.slabs(), counters);
        self.frames.iter_mut().for_each(Vec::shrink_to_fit);
        lists
    }

    /// Finds pairs before the start, a part in each frame, and is then in use: `Some(true)`. `None` if boxes
    /// are not on their courses at the start. In between it does not matter where they are.
    pub fn prepare(&mut self, boxes: &Boxes, counters: &mut Counters) -> Option<bool> {
        self.frame += 1;
        if self.frame == 1 {
            self.parts = self.divided(self.start.saturating_sub(2).max(1) as usize);
        } else if let Some(Part { slabs, boxes: some }) = self.parts.pop() {
            self.sweep(boxes, Some(&some.concat()), slabs, counters);
        }
        if self.frame < self.start {
            return Some(false);
        }
        while let Some(Part { slabs, boxes: some }) = self.parts.pop() {
            self.sweep(boxes, Some(&some.concat()), slabs, counters);
        }
        if !self.course.holds(boxes, self.frame) {
            return None;
        }
        // What the courses do not tell is looked at; the agenda before has told of the changes.
        self.look_at_due(boxes, counters);
        self.frames.iter_mut().for_each(Vec::shrink_to_fit);
        Some(true)
    }

    /// Space in so many parts of neighbouring slabs, and the boxes that are there from the start on.
    fn divided(&self, count: usize) -> Vec<Part> {
        let slabs = self.layout.slabs();
        let thickness = slabs.div_ceil(count);
        let count = slabs.div_ceil(thickness);
        let source = self.course.from(self.start, None);
        let chunks = mapped(0..source.len().div_ceil(BOXES), 1, |chunk| {
            let mut lists = vec![Vec::new(); count];
            for i in chunk * BOXES..((chunk + 1) * BOXES).min(source.len()) {
                let Some(item) = source.item(i) else { continue };
                let [low, high] = self.layout.slabs_of(&source.row(&item)).map(|slab| slab / thickness);
                (low..=high).for_each(|part| lists[part].push(i as u32));
            }
            lists
        });
        let mut parts: Vec<Part> = (0..count)
            .map(|k| Part { slabs: k * thickness..((k + 1) * thickness).min(slabs), boxes: Vec::new() })
            .collect();
        for lists in chunks {
            parts.iter_mut().zip(lists).for_each(|(part, list)| part.boxes.push(list));
        }
        parts
    }

    /// Finds the pairs in some slabs. Gives back those that are together now, if this is the start.
    fn sweep(
        &mut self,
        boxes: &Boxes,
        some: Option<&[u32]>,
        slabs: Range<usize>,
        counters: &mut Counters,
    ) -> Vec<Vec<[u32; 2]>> {
        let source = self.course.from(self.start, some);
        let found =
            sweep(&source, &self.layout, slabs, |swept| (self.first_look(boxes, &swept), swept.counters));
        let mut lists = Vec::with_capacity(found.len());
        for (looked, more) in found {
            *counters += more;
            self.put(looked.later);
            lists.push(looked.changes.added);
        }
        lists
    }

    fn first_look(&self, boxes: &Boxes, swept: &Swept<'_, (Place, u32)>) -> Looked {
        let mut looked = Looked::default();
        let is_start = self.frame == self.start;
        for pair in &swept.pairs {
            let [(a, i), (b, j)] = pair.map(|place| &swept.items[place as usize]);
            let (i, j) = (*i.min(j), *i.max(j));
            if !boxes.may_pair(i, j) {
                continue;
            }
            let known = self.course.together(a, b, self.start);
            if known.is_none() && !is_start {
                looked.put([i, j], false, self.start);
                continue;
            }
            let together = known.unwrap_or_else(|| boxes.meet(i, j));
            if together && is_start {
                looked.changes.added.push([i, j]);
            }
            looked.put([i, j], together, self.course.next_change(a, b, together, self.start));
        }
        looked
    }

    /// Whether some boxes, the first with this number, are on their courses in the next frame.
    pub fn expects(&self, first: usize, some: &[Aabb]) -> bool {
        self.course.holds_for(first, some, self.frame + 1)
    }

    /// Goes on by a frame; all boxes may be known to be on their courses. Gives back the pairs that changed,
    /// in no order, or `None` if boxes left their courses or these end.
    pub fn advance(
        &mut self,
        boxes: &Boxes,
        expected: bool,
        counters: &mut Counters,
    ) -> Option<ChangedPairs> {
        self.frame += 1;
        if self.frame > self.course.last || !(expected || self.course.holds(boxes, self.frame)) {
            return None;
        }
        counters.visits += boxes.slots().len() as u64;
        Some(self.look_at_due(boxes, counters))
    }

    /// Looks at the pairs of this frame.
    fn look_at_due(&mut self, boxes: &Boxes, counters: &mut Counters) -> ChangedPairs {
        let due = std::mem::take(&mut self.frames[self.frame as usize]);
        counters.tests += due.len() as u64;
        let looked = mapped(0..due.len().div_ceil(CHUNK), 1, |chunk| {
            let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(due.len());
            self.look(boxes, &due[part])
        });
        let mut changed = ChangedPairs::default();
        for looked in looked {
            changed.added.extend_from_slice(&looked.changes.added);
            changed.removed.extend_from_slice(&looked.changes.removed);
            self.put(looked.later);
        }
        changed
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
        for (frame, pair) in later {
            let list = &mut self.frames[frame as usize];
            if list.len() == list.capacity() {
                // To double it would leave a quarter of the memory unused.
                list.reserve_exact(list.len() / 8 + 16);
            }
            list.push(pair);
        }
    }

    pub fn bytes(&self) -> usize {
        let pairs: usize = self.frames.iter().map(Vec::capacity).sum();
        let parts: usize = self.parts.iter().flat_map(|part| &part.boxes).map(Vec::capacity).sum();
        self.course.bytes() + pairs * size_of::<[u32; 2]>() + parts * size_of::<u32>()
    }
}
