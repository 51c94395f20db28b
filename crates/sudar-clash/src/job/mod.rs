//! Checks in chunks: of assemblies that no memory holds, and by many machines.
//!
//! [`Plan::job`] cuts the candidates of a check into chunks, which depend on the parts and on what is asked alone: not
//! on threads, machines or memory. A [`Chunk`] holds all that its answers depend on beside the triangles of its parts;
//! [`Chunk::examine`] is a pure function of both. [`Plan::find_in_chunks`] puts the answers together, in whatever order
//! they come, to what [`Plan::find`] finds, to the bit.

mod answers;
mod chunk;
mod cut;
#[cfg(feature = "arrow")]
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

pub use answers::{Answer, Answers, AnswersError};
pub use chunk::{Chunk, ChunkError};

use cut::Limits;

use sudar::effort::Statistics;

use crate::candidates::Candidates;
use crate::examine::Open;
use crate::found::Clash;
use crate::options::ClashOptions;
use crate::outline::Outline;
use crate::report::ClashReport;

/// The work of a check, cut into chunks.
#[derive(Debug)]
pub struct Job {
    candidates: Candidates,
    chunks: Vec<Chunk>,
}

impl Job {
    /// About a second of one processor.
    pub const WORK: usize = 1 << 25;

    /// The work on parts of a scene with this fingerprint. O(n log n), and the candidates.
    pub(crate) fn of(outlines: &[Outline], options: &ClashOptions, scene: u128, work: usize) -> Self {
        Self::within(outlines, options, scene, Limits::of(work))
    }

    fn within(outlines: &[Outline], options: &ClashOptions, scene: u128, limits: Limits) -> Self {
        let boxes: Vec<_> = outlines.iter().map(|outline| outline.bounds).collect();
        let are_alike = |i: usize, j: usize| outlines[i].is_like(&outlines[j]);
        let candidates = Candidates::of(&boxes, &are_alike, options);
        let chunks = cut::chunks(&candidates, outlines, options, scene, limits);
        Self { candidates, chunks }
    }

    /// The chunks, those of neighbouring places after one another.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The report, given the answers of all chunks in any order. Pairs of chunks without answers are undecided.
    pub(crate) fn report(self, answers: Vec<Answers>, options: &ClashOptions) -> ClashReport {
        let there: HashSet<String> = answers.iter().map(|answers| answers.chunk().to_owned()).collect();
        let missing = self.chunks.iter().filter(|chunk| !there.contains(&chunk.name()));
        let mut found: Vec<([usize; 2], Result<Clash, Open>)> =
            missing.flat_map(Chunk::pairs).map(|pair| (pair, Err(Open))).collect();
        let rows = answers.into_iter().flat_map(Answers::into_rows);
        found.extend(rows.map(|row| (row.pair, row.found.ok_or(Open))));
        found.sort_by_key(|(pair, _)| *pair);
        found.dedup_by_key(|(pair, _)| *pair);
        let (pairs, mut found): (Vec<_>, Vec<_>) =
            found.into_iter().map(|(pair, row)| (pair, Some(row))).unzip();
        let mut take = |pair: [usize; 2]| found[pairs.binary_search(&pair).ok()?].take();
        let all = self.candidates.all().enumerate();
        let rows: Vec<_> = all.filter_map(|(i, pair)| Some((i, take(pair)?))).collect();
        self.candidates.report(rows, options, Statistics::default())
    }
}
