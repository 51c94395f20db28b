//! What was found of the pairs of a chunk.

use thiserror::Error;

use crate::coded::{Reader, Writer};
use crate::found::Clash;

/// What was found of a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The numbers of its parts.
    pub pair: [usize; 2],
    /// The clash; none if a budget left open whether there is one.
    pub found: Option<Clash>,
}

/// What was found of the pairs of a chunk; pairs that do not clash have no row.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    chunk: String,
    rows: Vec<Answer>,
}

/// Why answers cannot be used. The chunk is to be examined again.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnswersError {
    /// Cut off, changed, of another chunk, or something else.
    #[error("holds no answers of this chunk or is damaged; the chunk is examined again")]
    Damaged,
}

impl Answers {
    pub(super) fn new(chunk: String, rows: Vec<Answer>) -> Self {
        Self { chunk, rows }
    }

    /// The name of the chunk.
    pub fn chunk(&self) -> &str {
        &self.chunk
    }

    /// The rows, sorted by pair.
    pub fn rows(&self) -> &[Answer] {
        &self.rows
    }

    /// The rows, sorted by pair.
    pub fn into_rows(self) -> Vec<Answer> {
        self.rows
    }
}

impl Answer {
    /// The answer to the last bit, as bytes that say themselves where they end.
    pub fn record(&self) -> Vec<u8> {
        let mut clash = Writer::default();
        clash.clash(self.found.as_ref());
        let mut out = Writer::default();
        out.raw(RECORD);
        self.pair.into_iter().for_each(|part| out.count(part));
        out.count(clash.bytes.len());
        out.raw(&clash.bytes);
        out.bytes
    }

    /// The answers of such bytes after one another, wherever they begin; whatever follows is left.
    pub fn of_records(bytes: &[u8]) -> Option<Vec<Self>> {
        let begin = bytes.windows(RECORD.len()).position(|window| window == RECORD);
        let mut from = Reader::new(&bytes[begin.unwrap_or(bytes.len())..]);
        let mut rows = Vec::new();
        while from.begins_with(RECORD) {
            let pair = [from.count()?, from.count()?];
            let length = from.count()?;
            let mut own = Reader::new(from.bytes(length)?);
            rows.push(Self { pair, found: own.clash(pair)? });
        }
        Some(rows)
    }
}

/// Begins each record.
const RECORD: &[u8; 16] = b"sudar answer: 1\n";
