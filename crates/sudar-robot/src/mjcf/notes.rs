//! What is noticed and not refused: one line for each thing, with the first element and how many more.

use super::fault::Place;

/// Lines for [`Robot::notes`](crate::Robot::notes).
#[derive(Debug, Default)]
pub(super) struct Notes {
    entries: Vec<Entry>,
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
        match self.entries.iter_mut().find(|entry| entry.what == what) {
            Some(entry) => entry.count += 1,
            None => self.entries.push(Entry {
                what: what.to_owned(),
                first: label.to_owned(),
                place: place.clone(),
                count: 1,
            }),
        }
    }

    pub fn lines(self) -> Vec<String> {
        let line = |Entry { what, first, place, count }: Entry| {
            let more = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
            format!("{}, line {}: {first}{more}: {what}", place.file, place.line)
        };
        self.entries.into_iter().map(line).collect()
    }
}
