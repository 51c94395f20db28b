//! Strips from frame to frame.

use super::super::Algorithm;
use super::super::boxes::Boxes;
use super::super::pairs::sorted_pairs;
use super::super::phase::{Changed, Found, Method};
use super::agenda::{Agenda, OVERLAP};
use super::course::{Course, LAST};
use super::layout::Layout;
use super::motion::{Motion, Sample};
use super::overlapping_pairs;

/// Where boxes move far, every frame is begun from scratch. Where they move little, an [`Agenda`] says which pairs may have
/// changed: a frame is then one look at each box, to see that it is on its course, and one at some pairs.
///
/// While an agenda comes to its end the next one is made, a part a frame, so that no frame is much longer than others.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Strips {
    agenda: Option<Agenda>,
    /// What follows it.
    next: Option<Agenda>,
    sample: Sample,
    /// Frames from scratch after an agenda that was of little use, and those of them that are left.
    pause: u32,
    left: u32,
}

/// Fewer boxes are begun from scratch.
const LEAST: usize = 256;

/// An agenda that lasted fewer frames cost more than it saved.
const SHORT: u32 = 4;

/// Most frames of a pause.
const LONGEST_PAUSE: u32 = 32;

impl Method for Strips {
    fn algorithm(&self) -> Algorithm {
        Algorithm::Strips
    }

    fn inserted(&mut self, _boxes: &Boxes, _i: u32) {
        (self.agenda, self.next) = (None, None);
    }

    fn follows_moves(&self) -> bool {
        false
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut Found) {
        let motion = if boxes.len() < LEAST { None } else { self.sample.motion(boxes.slots()) };
        if let Some(changed) = self.advance(boxes, motion, found) {
            found.changed = Some(changed);
            return;
        }
        found.sorted = true;
        let old = self.agenda.take();
        self.next = None;
        if let Some(agenda) = motion.and_then(|motion| self.begin(boxes, motion, old.as_ref())) {
            let agenda = self.agenda.insert(agenda);
            let lists = agenda.more(boxes, 1, &mut found.counters);
            found.pairs = sorted_pairs(&lists, boxes.slots().len());
        } else {
            (found.pairs, found.counters) = overlapping_pairs(boxes);
        }
    }

    fn bytes(&self) -> usize {
        let agendas = [&self.agenda, &self.next].into_iter().flatten();
        agendas.map(Agenda::bytes).sum::<usize>() + self.sample.bytes()
    }
}

impl Strips {
    /// The pairs that changed, if an agenda tells.
    fn advance(&mut self, boxes: &Boxes, motion: Option<Motion>, found: &mut Found) -> Option<Changed> {
        let changed = self.agenda.as_mut()?.advance(boxes, &mut found.counters)?;
        self.prepare(boxes, motion, found);
        Some(changed)
    }

    /// Begins the next agenda, or makes a part of it; when it is whole it takes over.
    fn prepare(&mut self, boxes: &Boxes, motion: Option<Motion>, found: &mut Found) {
        let Some(agenda) = &self.agenda else { return };
        let Some(next) = &mut self.next else {
            if agenda.frame > LAST - OVERLAP {
                self.next = motion.and_then(|m| agenda.next(boxes, m.tolerances, m.straight));
            }
            return;
        };
        if next.advance(boxes, &mut found.counters).is_none() {
            self.next = None;
            return;
        }
        next.more(boxes, OVERLAP as usize - 2, &mut found.counters);
        if next.is_whole() {
            self.agenda = self.next.take();
            self.pause = 0;
        }
    }

    /// An agenda from now on, unless the last ones were of little use.
    fn begin(&mut self, boxes: &Boxes, motion: Motion, old: Option<&Agenda>) -> Option<Agenda> {
        if let Some(old) = old {
            self.pause = if old.frame < SHORT { (2 * self.pause + 1).min(LONGEST_PAUSE) } else { 0 };
            self.left = self.pause;
        }
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        if let Some(old) = old {
            return old.next(boxes, motion.tolerances, motion.straight);
        }
        let layout = Layout::of(boxes.slots())?;
        Some(Agenda::new(Course::new(boxes, &layout, motion.still_tolerances, None)?, layout))
    }
}
