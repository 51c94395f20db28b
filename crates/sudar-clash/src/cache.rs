//! What was found of pairs before, by all that it depends on: where little changed, little is examined again.
//!
//! A result is known by a fingerprint of both meshes, their poses and deviations, the clearance, the band and the
//! measure of depth: names, order and all else of the parts may change. What a check finds with a cache has the same
//! bits as what it finds without one.

use std::collections::HashMap;
use std::ops::Range;

use sudar::{Mesh, Pose};
use thiserror::Error;

use crate::coded::{Reader, Writer};
use crate::fingerprint::Fingerprint;
use crate::found::Clash;
use crate::options::{ClashOptions, DepthMeasure};
use crate::part::Part;

/// Results of pairs, from a file and for a file.
///
/// Two different pairs have one fingerprint of 128 bits with a chance of 2⁻⁸⁰ in a model of 10⁷ pairs.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    bytes: Vec<u8>,
    /// Where the result of a pair stands in the bytes.
    places: HashMap<u128, Range<usize>>,
}

/// Why a cache cannot be used. Nothing is lost: everything is examined again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Cut off, changed, or another file.
    #[error("is no cache of clash checks or is damaged; it is ignored and written anew")]
    Damaged,
    /// Of another version, whose results may differ.
    #[error("is of another version of Sudar; it is ignored and written anew")]
    OtherVersion,
}

/// Begins the file.
const MAGIC: &[u8; 8] = b"sudarpr1";
/// A key and the length of what it stands for.
const HEAD: usize = 16 + 4;
/// The check that ends the file.
const TAIL: usize = 16;

impl Cache {
    /// The results in the bytes of a file. O(n).
    ///
    /// # Errors
    /// [`CacheError`].
    pub fn read(bytes: Vec<u8>) -> Result<Self, CacheError> {
        let end = bytes.len().checked_sub(TAIL).ok_or(CacheError::Damaged)?;
        let check = bytes[end..].try_into().map(u128::from_le_bytes).map_err(|_| CacheError::Damaged)?;
        if !bytes.starts_with(MAGIC) || Fingerprint::of_bytes(&bytes[..end]) != check {
            return Err(CacheError::Damaged);
        }
        let mut reader = Reader::new(&bytes[MAGIC.len()..end]);
        if reader.text().ok_or(CacheError::Damaged)? != version() {
            return Err(CacheError::OtherVersion);
        }
        let mut at = end - reader.left();
        let mut places = HashMap::new();
        while at < end {
            let mut head = Reader::new(&bytes[at..end]);
            let (key, length) = head.wide().zip(head.count()).ok_or(CacheError::Damaged)?;
            let place = at + HEAD..at + HEAD + length;
            at = place.end;
            places.insert(key, place);
        }
        if at == end { Ok(Self { bytes, places }) } else { Err(CacheError::Damaged) }
    }

    /// What to write to the file: after a check the results that it used or found, and no others. The same results give
    /// the same bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// How many results it holds.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// What was found of a pair, for the parts of these numbers; none if the pair is not known.
    pub(crate) fn get(&self, key: u128, numbers: [usize; 2]) -> Option<Option<Clash>> {
        let place = self.places.get(&key)?.clone();
        Reader::new(self.bytes.get(place)?).clash(numbers)
    }

    /// A cache of these results alone.
    pub(crate) fn of<'c>(results: impl Iterator<Item = (u128, Option<&'c Clash>)>) -> Self {
        let mut results: Vec<_> = results.collect();
        results.sort_unstable_by_key(|(key, _)| *key);
        results.dedup_by_key(|(key, _)| *key);
        let mut file = Writer::default();
        file.raw(MAGIC);
        file.text(&version());
        let mut places = HashMap::with_capacity(results.len());
        for (key, clash) in results {
            let mut own = Writer::default();
            own.clash(clash);
            file.wide(key);
            file.count(own.bytes.len());
            let from = file.bytes.len();
            file.raw(&own.bytes);
            places.insert(key, from..file.bytes.len());
        }
        file.wide(Fingerprint::of_bytes(&file.bytes));
        Self { bytes: file.bytes, places }
    }
}

/// Grows with each change of what is found of any pair.
const RESULTS: u32 = 2;

/// The version whose results these are.
pub(crate) fn version() -> String {
    format!("{} {RESULTS}", env!("CARGO_PKG_VERSION"))
}

/// The fingerprints of parts: equal where mesh, pose, deviation and whether they are solid are.
pub(crate) struct Contents<'a> {
    options: &'a ClashOptions,
    parts: Vec<u128>,
}

impl<'a> Contents<'a> {
    /// O(n) of all triangles; instances of a mesh are read once.
    pub fn of(parts: &[Part], options: &'a ClashOptions) -> Self {
        let mut known: HashMap<*const Mesh, u128> = HashMap::new();
        let mut of_part = |(i, part): (usize, &Part)| {
            let mut own = Fingerprint::default();
            if let Some(mesh) = part.body.mesh() {
                let of_mesh =
                    *known.entry(std::ptr::from_ref(&**mesh)).or_insert_with(|| Fingerprint::of_mesh(mesh));
                own.wide(of_mesh);
            }
            own.word(u64::from(part.body.solid().is_some()));
            own.pose(&part.pose);
            own.number(options.deviation(i));
            own.value()
        };
        let parts = parts.iter().enumerate().map(&mut of_part).collect();
        Self { options, parts }
    }

    /// The key of the result of two parts, in this order.
    pub fn key(&self, [a, b]: [usize; 2]) -> u128 {
        let mut key = Fingerprint::default();
        key.wide(self.parts[a]);
        key.wide(self.parts[b]);
        key.number(self.options.clearance_between(a, b));
        key.number(self.options.touch());
        key.word(match self.options.depth {
            DepthMeasure::Regions => 0,
            DepthMeasure::Exact => 1,
        });
        key.value()
    }
}

impl Fingerprint {
    fn pose(&mut self, pose: &Pose) {
        let matrix = pose.rotation().to_cols_array();
        matrix.into_iter().chain(pose.translation().to_array()).for_each(|x| self.number(x));
    }
}
