//! A chunk: pairs to examine, and on what terms.

use sudar::query::Batch;
use thiserror::Error;

use super::answers::{Answer, Answers, AnswersError};
use crate::bar::Bar;
use crate::coded::{Reader, Writer};
use crate::examine::Open;
use crate::fingerprint::Fingerprint;
use crate::options::{ClashError, DepthMeasure, Terms};
use crate::part::Part;
use crate::parts::Parts;

/// Pairs of parts to examine, with all that the answers depend on but the triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// The fingerprint of the scene.
    pub(super) scene: u128,
    pub(super) depth: DepthMeasure,
    pub(super) touch: f64,
    /// The numbers of the parts, ascending, and how far the surface of each may be from its triangles.
    pub(super) parts: Vec<(u32, f64)>,
    /// Where in that list the two parts of each pair stand, and their clearance.
    pub(super) pairs: Vec<([u32; 2], f64)>,
}

/// Why a chunk cannot be examined.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// Cut off, changed, or no chunk.
    #[error("is no chunk of a clash check or is damaged; begin the job anew in an empty folder")]
    Damaged,
    /// Of another version, whose answers may differ.
    #[error("is a chunk of Sudar {found}, and this is {own}; use one version on all machines")]
    OtherVersion {
        /// The version that wrote it.
        found: String,
        /// This one.
        own: String,
    },
    /// The parts given are not as many as it names.
    #[error("the chunk names {wanted} parts, and {given} are given; name the scene that the job was made of")]
    OtherParts {
        /// How many it names.
        wanted: usize,
        /// How many were given.
        given: usize,
    },
    /// Parts that cannot be examined.
    #[error(transparent)]
    Refused(#[from] ClashError),
}

/// Begins the bytes of a chunk.
const MAGIC: &[u8; 8] = b"sudarck1";
/// The check that ends them.
const TAIL: usize = 16;

impl Chunk {
    /// What it is called: a hash of the version and of all that it holds. Equal names, equal answers.
    pub fn name(&self) -> String {
        format!("{:032x}", Fingerprint::of_bytes(&self.to_bytes()))
    }

    /// The fingerprint of the scene whose parts it names.
    pub fn scene(&self) -> u128 {
        self.scene
    }

    /// The numbers of the parts that it examines, ascending.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.parts.iter().map(|(number, _)| *number as usize)
    }

    /// The numbers of the two parts of each pair.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = [usize; 2]> + '_ {
        self.pairs.iter().map(|(pair, _)| pair.map(|i| self.parts[i as usize].0 as usize))
    }

    /// Flat little-endian bytes; the same chunk has the same on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.raw(MAGIC);
        out.text(&crate::cache::version());
        out.wide(self.scene);
        out.byte(DepthMeasure::ALL.iter().position(|known| *known == self.depth).map_or(0, |at| at as u8));
        out.number(self.touch);
        out.count(self.parts.len());
        for (number, deviation) in &self.parts {
            out.count(*number as usize);
            out.number(*deviation);
        }
        out.count(self.pairs.len());
        for ([i, j], clearance) in &self.pairs {
            out.count(*i as usize);
            out.count(*j as usize);
            out.number(*clearance);
        }
        out.wide(Fingerprint::of_bytes(&out.bytes));
        out.bytes
    }

    /// The chunk in bytes, of whatever origin. O(n).
    ///
    /// # Errors
    /// [`ChunkError::Damaged`], [`ChunkError::OtherVersion`].
    pub fn read(bytes: &[u8]) -> Result<Self, ChunkError> {
        let end = bytes.len().checked_sub(TAIL).ok_or(ChunkError::Damaged)?;
        let check = bytes[end..].try_into().map(u128::from_le_bytes).map_err(|_| ChunkError::Damaged)?;
        let body = bytes[..end].strip_prefix(MAGIC).ok_or(ChunkError::Damaged)?;
        let mut from = Reader::new(body);
        let found = from.text().ok_or(ChunkError::Damaged)?;
        let own = crate::cache::version();
        if found != own {
            return Err(ChunkError::OtherVersion { found, own });
        }
        let chunk = contents(&mut from).filter(|chunk| from.left() == 0 && chunk.is_sound());
        chunk.filter(|_| Fingerprint::of_bytes(&bytes[..end]) == check).ok_or(ChunkError::Damaged)
    }

    /// Whether its numbers are what they stand for.
    fn is_sound(&self) -> bool {
        let is_length = |x: &f64| x.is_finite() && *x >= 0.0;
        let is_pair = |[i, j]: &[u32; 2]| i < j && (*j as usize) < self.parts.len();
        is_length(&self.touch)
            && self.parts.iter().all(|(_, deviation)| is_length(deviation))
            && self.parts.is_sorted_by(|(a, _), (b, _)| a < b)
            && self.pairs.iter().all(|(pair, clearance)| is_pair(pair) && is_length(clearance))
    }

    /// Examines all pairs, given the parts that it names, in that order. The same answers for any number of threads.
    /// `progress` is as with [`find_clashes`](crate::find_clashes).
    ///
    /// # Errors
    /// [`ChunkError::OtherParts`], [`ChunkError::Refused`].
    pub fn examine(
        &self,
        parts: &[Part],
        batch: &Batch,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Answers, ChunkError> {
        if parts.len() != self.parts.len() {
            return Err(ChunkError::OtherParts { wanted: self.parts.len(), given: parts.len() });
        }
        let parts = Parts::of(parts)?;
        let pairs: Vec<[usize; 2]> = self.pairs.iter().map(|(pair, _)| pair.map(|i| i as usize)).collect();
        let bar = Bar::of(&pairs, |i| parts.triangles(i), progress);
        let numbered: Vec<usize> = (0..pairs.len()).collect();
        let found = batch.each(&numbered, |work, n| {
            let terms = self.terms(*n);
            let numbers = pairs[*n].map(|i| self.parts[i].0 as usize);
            let found = parts.pair(pairs[*n], numbers, &terms).examine(work);
            bar.advance(pairs[*n]);
            found
        });
        let row = |(pair, found): ([usize; 2], Result<_, Open>)| {
            let found = match found {
                Ok(None) => return None,
                Ok(found) => found,
                Err(Open) => None,
            };
            Some(Answer { pair, found })
        };
        let rows = self.pairs().zip(found.answers).filter_map(row).collect();
        Ok(Answers::new(self.name(), rows))
    }

    /// Answers of this chunk from elsewhere; refused where a pair is none of the chunk.
    ///
    /// # Errors
    /// [`AnswersError::Damaged`].
    pub fn answers(&self, rows: Vec<Answer>) -> Result<Answers, AnswersError> {
        let pairs: Vec<[usize; 2]> = self.pairs().collect();
        let is_known = |row: &Answer| pairs.binary_search(&row.pair).is_ok();
        let is_sorted = rows.is_sorted_by(|a, b| a.pair < b.pair);
        let all = is_sorted && rows.iter().all(is_known);
        if all { Ok(Answers::new(self.name(), rows)) } else { Err(AnswersError::Damaged) }
    }

    fn terms(&self, n: usize) -> Terms {
        let (pair, clearance) = self.pairs[n];
        let deviations = pair.map(|i| self.parts[i as usize].1);
        Terms { depth: self.depth, clearance, touch: self.touch, deviations }
    }
}

fn contents(from: &mut Reader<'_>) -> Option<Chunk> {
    let scene = from.wide()?;
    let depth = *DepthMeasure::ALL.get(usize::from(from.byte()?))?;
    let touch = from.number()?;
    let parts = (0..from.count()?).map(|_| Some((from.u32()?, from.number()?))).collect::<Option<_>>()?;
    let pairs = (0..from.count()?).map(|_| Some(([from.u32()?, from.u32()?], from.number()?)));
    Some(Chunk { scene, depth, touch, parts, pairs: pairs.collect::<Option<_>>()? })
}
