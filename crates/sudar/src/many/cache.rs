//! The candidates of a scene, and what is remembered of each.

use super::objects::Objects;
use crate::broad::{BroadPhase, Handle};
use crate::query::{Memory, Penetration};

/// Candidates: pairs of overlapping boxes that filters let through, sorted.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: Vec<Entry>,
    boxes_moved: bool,
    filters_changed: bool,
}

/// A candidate.
#[derive(Debug)]
pub(super) struct Entry {
    pub pair: [Handle; 2],
    pub memory: Memory,
    pub known: Known,
}

/// Certain answers about a pair, which hold until one of its objects moves.
#[derive(Debug, Default)]
pub(super) struct Known {
    revisions: [u64; 2],
    together: Option<bool>,
    depth: Option<Box<Penetration>>,
}

impl Known {
    /// Forgets all if an object moved since.
    pub fn refresh(&mut self, revisions: [u64; 2]) {
        if self.revisions != revisions {
            *self = Self { revisions, ..Self::default() };
        }
    }

    /// Whether the pair is together, found out at most once if it can be decided.
    pub fn together(&mut self, find: impl FnOnce() -> Option<bool>) -> Option<bool> {
        self.together = self.together.or_else(find);
        self.together
    }

    /// How deep the objects are in each other, found out at most once.
    pub fn depth(&mut self, find: impl FnOnce() -> Penetration) -> Penetration {
        **self.depth.get_or_insert_with(|| Box::new(find()))
    }
}

impl Cache {
    pub fn forget_boxes(&mut self) {
        self.boxes_moved = true;
    }

    pub fn forget_filters(&mut self) {
        self.filters_changed = true;
    }

    /// All answers are about another clearance now.
    pub fn forget_answers(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.known = Known::default());
    }

    /// Brings the broad phase up to date, and the list after it. Memories of pairs that stay are kept.
    pub fn refresh(&mut self, phase: &mut dyn BroadPhase, objects: &Objects) {
        let filters_changed = std::mem::take(&mut self.filters_changed);
        if !std::mem::take(&mut self.boxes_moved) && !filters_changed {
            return;
        }
        let changes = phase.step();
        if filters_changed || !changes.added.is_empty() || !changes.removed.is_empty() {
            self.rebuild(phase.pairs(), objects);
        }
    }

    fn rebuild(&mut self, pairs: &[[u32; 2]], objects: &Objects) {
        let mut before = std::mem::take(&mut self.entries).into_iter().peekable();
        let now =
            pairs.iter().filter(|pair| objects.may_pair(**pair)).filter_map(|pair| objects.handles(*pair));
        self.entries = now
            .map(|pair| {
                while before.next_if(|entry| entry.pair < pair).is_some() {}
                let known = before.next_if(|entry| entry.pair == pair);
                known.unwrap_or_else(|| Entry { pair, memory: Memory::default(), known: Known::default() })
            })
            .collect();
    }

    pub fn pairs(&self) -> impl Iterator<Item = [Handle; 2]> {
        self.entries.iter().map(|entry| entry.pair)
    }

    /// Those that are chosen.
    pub fn chosen(&mut self, is_chosen: impl Fn([Handle; 2]) -> bool) -> Vec<&mut Entry> {
        self.entries.iter_mut().filter(|entry| is_chosen(entry.pair)).collect()
    }

    /// Pairs, sorted, with what is remembered of those that are candidates.
    pub fn with_memories(
        &mut self,
        pairs: impl Iterator<Item = [Handle; 2]>,
    ) -> Vec<([Handle; 2], Option<&mut Memory>)> {
        let mut known = self.entries.iter_mut().peekable();
        pairs
            .map(|pair| {
                while known.next_if(|entry| entry.pair < pair).is_some() {}
                (pair, known.next_if(|entry| entry.pair == pair).map(|entry| &mut entry.memory))
            })
            .collect()
    }

    /// What is remembered of a pair, if it is a candidate.
    pub fn memory(&mut self, pair: [Handle; 2]) -> Option<&mut Memory> {
        let place = self.entries.binary_search_by_key(&pair, |entry| entry.pair).ok()?;
        Some(&mut self.entries[place].memory)
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}
