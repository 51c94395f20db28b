//! Every string of a store once, by number.

use std::collections::HashMap;

use crate::bytes::{Reader, Writer};

/// Strings being collected.
#[derive(Debug, Default)]
pub struct Interner {
    known: HashMap<Box<str>, u32>,
    /// Where each ends.
    ends: Vec<u64>,
    text: String,
}

impl Interner {
    /// The number of a string; none if there are too many.
    pub fn number(&mut self, string: &str) -> Option<u32> {
        if let Some(number) = self.known.get(string) {
            return Some(*number);
        }
        let number = u32::try_from(self.ends.len()).ok()?;
        self.text.push_str(string);
        self.ends.push(self.text.len() as u64);
        self.known.insert(string.into(), number);
        Some(number)
    }

    /// Their number, where each ends, and the text of all.
    pub fn bytes(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.u64(self.ends.len() as u64);
        self.ends.iter().for_each(|end| to.u64(*end));
        to.raw(self.text.as_bytes());
        to.bytes
    }
}

/// The strings of a store.
#[derive(Debug, Default)]
pub struct Strings {
    /// Where each begins, and the end of all.
    bounds: Vec<usize>,
    text: String,
}

impl Strings {
    /// What [`Interner::bytes`] wrote; none for anything else.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let count = usize::try_from(from.u64()?).ok()?;
        let (ends, text) = from.0.split_at_checked(count.checked_mul(8)?)?;
        let text = String::from_utf8(text.to_vec()).ok()?;
        let mut bounds = vec![0];
        for end in ends.as_chunks::<8>().0 {
            let end = usize::try_from(u64::from_le_bytes(*end)).ok()?;
            let is_right = bounds.last().is_some_and(|last| *last <= end) && text.is_char_boundary(end);
            bounds.push(is_right.then_some(end)?);
        }
        (bounds.last() == Some(&text.len())).then_some(Self { bounds, text })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// The string of a number; empty for one that there is not.
    pub fn get(&self, number: u32) -> &str {
        let i = number as usize;
        match (self.bounds.get(i), self.bounds.get(i + 1)) {
            (Some(&start), Some(&end)) => &self.text[start..end],
            _ => "",
        }
    }
}
