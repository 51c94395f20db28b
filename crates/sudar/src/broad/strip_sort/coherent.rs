//! Strips from frame to frame.

use super::super::boxes::Boxes;
use super::super::finder::{ChangedPairs, Choice, FoundPairs, PairFinder};
use super::super::pairs::sorted_pairs;
use super::super::tracked::by_caller;
use super::agenda::Agenda;
use super::motion::Sample;
use super::{NAME, list_or_count, overlapping_pairs};
use crate::shape::Aabb;

/// Where boxes move far, every frame is begun from scratch. Where they move little, an [`Agenda`] says which
/// pairs may have changed: a frame is then one look at each box, to see that it is on its course, and one at
/// some pairs.
///
/// While an agenda comes to its end the next one is made, a part a frame, so that no frame is much longer than others.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Strips {
    agenda: Option<Agenda>,
    /// What follows it.
    next: Option<Agenda>,
    /// Whether all boxes are known to be on the courses of the agenda in the next frame.
    expected: bool,
    sample: Sample,
    /// Frames from scratch after an agenda that was of little use, and those of them that are left.
    pause: u32,
    left: u32,
}

/// Fewer boxes are begun from scratch.
const LEAST: usize = 256;

/// Frames in which the next agenda can be made: one for the courses, one to divide space, and one part at least.
const SHORTEST_LEAD: u32 = 3;

/// An agenda that lasted fewer frames cost more than it saved.
const SHORT: u32 = 4;

/// Most frames of a pause.
const LONGEST_PAUSE: u32 = 32;

impl PairFinder for Strips {
    fn name(&self) -> &str {
        NAME
    }

    fn inserted(&mut self, _boxes: &Boxes, _i: u32) {
        self.end();
    }

    fn moved(&mut self, _boxes: &Boxes, _i: u32, _before: &Aabb) {
        self.expected = false;
    }

    fn follows_moves(&self) -> bool {
        false
    }

    fn expects(&self, first: usize, boxes: &[Aabb]) -> bool {
        self.agenda.as_ref().is_some_and(|agenda| agenda.expects(first, boxes))
    }

    fn moved_many(&mut self, _count: usize, expected: bool) {
        self.expected = expected;
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.sample.record(boxes.slots());
        if let Some(changed) = self.advance(boxes, found) {
            found.changed = Some(changed);
            return;
        }
        found.sorted = true;
        let old = self.end();
        if let Some(mut agenda) = self.begin(boxes, old) {
            let lists = agenda.begin(boxes, &mut found.counters);
            found.pairs = sorted_pairs(&lists, boxes.slots().len());
            self.agenda = Some(agenda);
        } else {
            (found.pairs, found.counters) = overlapping_pairs(boxes);
        }
    }

    fn straight(&self, boxes: &[Aabb], found: &mut FoundPairs) -> Option<Choice> {
        list_or_count(boxes, found);
        Some(Choice { algorithm: NAME.to_owned(), reason: by_caller(NAME) })
    }

    fn bytes(&self) -> usize {
        let agendas = [&self.agenda, &self.next].into_iter().flatten();
        agendas.map(Agenda::bytes).sum::<usize>() + self.sample.bytes()
    }
}

impl Strips {
    /// The pairs that changed, if there is an agenda that knows them.
    fn advance(&mut self, boxes: &Boxes, found: &mut FoundPairs) -> Option<ChangedPairs> {
        let expected = std::mem::take(&mut self.expected);
        let changed = self.agenda.as_mut()?.advance(boxes, expected, &mut found.counters)?;
        self.prepare(boxes, found);
        Some(changed)
    }

    /// Begins the next agenda, or makes a part of it; at its start it takes over.
    fn prepare(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        let Some(agenda) = &self.agenda else { return };
        if let Some(next) = &mut self.next {
            match next.prepare(boxes, &mut found.counters) {
                Some(false) => {}
                Some(true) => {
                    self.agenda = self.next.take();
                    self.pause = 0;
                }
                None => self.next = None,
            }
        } else if (SHORTEST_LEAD..=agenda.lead()).contains(&agenda.left()) {
            let motion = self.sample.motion();
            self.next = motion.and_then(|motion| agenda.next(boxes, motion, agenda.left()));
        }
    }

    /// Ends an agenda. One that did not last, whether boxes left their courses or new ones came, is followed
    /// by a pause.
    fn end(&mut self) -> Option<Agenda> {
        self.next = None;
        let old = self.agenda.take()?;
        self.pause = if old.age() < SHORT { (2 * self.pause + 1).min(LONGEST_PAUSE) } else { 0 };
        self.left = self.pause;
        Some(old)
    }

    /// An agenda from now on, where it pays.
    fn begin(&mut self, boxes: &Boxes, old: Option<Agenda>) -> Option<Agenda> {
        let motion = self.sample.motion().filter(|_| boxes.len() >= LEAST)?;
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        match old {
            Some(old) => old.next(boxes, motion, 0),
            None => Agenda::first(boxes, motion),
        }
    }
}
