//! What is noticed and not refused: one line for each thing, with the first element and how many more.

use std::collections::HashMap;

use crate::xml::Place;

/// Lines for [`Robot::notes`](crate::Robot::notes).
#[derive(Debug, Default)]
pub(crate) struct Notes {
    entries: Vec<Entry>,
    /// Where each thing is in the list.
    known: HashMap<String, usize>,
}

#[derive(Debug)]
struct Entry {
    what: String,
    first: String,
    place: Place,
    count: usize,
}

impl Notes {
    pub fn add(&mut self, place: &Place, label: &str, what: &str) {
        if let Some(entry) = self.known.get(what).and_then(|known| self.entries.get_mut(*known)) {
            entry.count += 1;
            return;
        }
        self.known.insert(what.to_owned(), self.entries.len());
        self.entries.push(Entry {
            what: what.to_owned(),
            first: label.to_owned(),
            place: place.clone(),
            count: 1,
        });
    }

    pub fn lines(self) -> Vec<String> {
        let line = |Entry { what, first, place, count }: Entry| {
            let more = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
            format!("{}, line {}: {first}{more}: {what}", place.file, place.line)
        };
        self.entries.into_iter().map(line).collect()
    }
}
