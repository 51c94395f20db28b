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
    /// Cut off, changed, or something else.
    #[error("holds no answers of a chunk or is damaged; the chunk is examined again")]
    Damaged,
    /// Of another chunk.
    #[error("holds the answers of another chunk; the chunk is examined again")]
    OtherChunk,
}

impl Answers {
    pub(super) fn new(chunk: String, rows: Vec<Answer>) -> Self {
        Self { chunk, rows }
    }

    /// Rows from elsewhere; refused where a pair is none of the chunk.
    ///
    /// # Errors
    /// [`AnswersError::Damaged`].
    pub fn of(chunk: &super::Chunk, rows: Vec<Answer>) -> Result<Self, AnswersError> {
        let pairs: Vec<[usize; 2]> = chunk.pairs().collect();
        let is_known = |row: &Answer| pairs.binary_search(&row.pair).is_ok();
        let is_sorted = rows.is_sorted_by(|a, b| a.pair < b.pair);
        let all = is_sorted && rows.iter().all(is_known);
        if all { Ok(Self::new(chunk.name(), rows)) } else { Err(AnswersError::Damaged) }
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
    /// The clash to the last bit, as bytes; none if it was left open.
    pub fn record(&self) -> Option<Vec<u8>> {
        let mut out = Writer::default();
        out.clash(Some(self.found.as_ref()?));
        Some(out.bytes)
    }

    /// The answer of such bytes.
    ///
    /// # Errors
    /// [`AnswersError::Damaged`].
    pub fn of_record(pair: [usize; 2], record: Option<&[u8]>) -> Result<Self, AnswersError> {
        let Some(bytes) = record else { return Ok(Self { pair, found: None }) };
        match Reader::new(bytes).clash(pair) {
            Some(Some(clash)) => Ok(Self { pair, found: Some(clash) }),
            Some(None) | None => Err(AnswersError::Damaged),
        }
    }
}
