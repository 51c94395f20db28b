//! The parts of a store.

use sudar::{Pose, WeldReport};

use crate::bytes::Reader;
use crate::error::Cause;
use crate::record::PartRecord;
use crate::strings::Strings;

/// A named mesh in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredPart<'s> {
    /// What it is called; names may repeat.
    pub name: &'s str,
    /// The number of its mesh.
    pub mesh: usize,
    /// Where it stands.
    pub pose: Pose,
    /// How far its triangles are at most from the surface that its file means, in the unit of the store.
    pub deviation: f64,
    /// The number of its file.
    pub file: usize,
    /// What welding changed in its mesh, if it was welded.
    pub weld: Option<WeldReport>,
}

/// All parts of a store, numbered from 0 as they were packed. About 140 bytes each, and their strings.
#[derive(Debug)]
pub struct Parts {
    records: Vec<PartRecord>,
    strings: Strings,
    properties: Vec<[u32; 2]>,
    welds: Vec<WeldReport>,
}

/// What part records may name.
pub struct Known {
    pub meshes: u64,
    pub files: u64,
}

impl Parts {
    /// From the bytes of the tables, each number of them checked.
    pub(crate) fn parse(
        [records, properties, strings]: [&[u8]; 3],
        welds: Vec<WeldReport>,
        known: &Known,
    ) -> Result<Self, Malformed> {
        let strings = Strings::parse(strings).ok_or(Malformed::Strings)?;
        let properties = pairs(properties, &strings).ok_or(Malformed::Properties)?;
        let size = usize::try_from(PartRecord::SIZE).unwrap_or(usize::MAX);
        let mut all = Vec::with_capacity(records.len() / size);
        for (number, bytes) in records.chunks(size).enumerate() {
            let record = PartRecord::read(&mut Reader(bytes)).ok_or(Malformed::Parts)?;
            let record = record.map_err(|error| Malformed::Pose(Cause::Pose { part: number, error }))?;
            let (first, count) = record.properties;
            let is_right = (record.name as usize) < strings.len()
                && u64::from(record.mesh) < known.meshes
                && u64::from(record.file) < known.files
                && record.weld as usize <= welds.len()
                && first.checked_add(count.into()).is_some_and(|end| end <= properties.len() as u64);
            if !is_right {
                return Err(Malformed::Parts);
            }
            all.push(record);
        }
        Ok(Self { records: all, strings, properties, welds })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The part of a number; none if there are not so many.
    pub fn get(&self, number: usize) -> Option<StoredPart<'_>> {
        self.records.get(number).map(|record| self.shown(record))
    }

    /// All of them in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = StoredPart<'_>> {
        self.records.iter().map(|record| self.shown(record))
    }

    /// What its file says of a part otherwise: keys and values in their order; none of a part that there is not.
    pub fn properties(&self, number: usize) -> impl Iterator<Item = (&str, &str)> {
        let (first, count) = self.records.get(number).map_or((0, 0), |record| record.properties);
        let own = self.properties.iter().skip(first as usize).take(count as usize);
        own.map(|pair| (self.strings.get(pair[0]), self.strings.get(pair[1])))
    }

    fn shown(&self, record: &PartRecord) -> StoredPart<'_> {
        StoredPart {
            name: self.strings.get(record.name),
            mesh: record.mesh as usize,
            pose: record.pose,
            deviation: record.deviation,
            file: record.file as usize,
            weld: record.weld.checked_sub(1).and_then(|weld| self.welds.get(weld as usize)).copied(),
        }
    }
}

/// Which table contradicts itself or another.
pub enum Malformed {
    Strings,
    Properties,
    Parts,
    Pose(Cause),
}

/// Keys and values; none if one is no string.
fn pairs(bytes: &[u8], strings: &Strings) -> Option<Vec<[u32; 2]>> {
    let (pairs, rest) = bytes.as_chunks::<8>();
    let pair = |bytes: &[u8; 8]| {
        let mut from = Reader(bytes);
        let pair = [from.u32()?, from.u32()?];
        pair.iter().all(|number| (*number as usize) < strings.len()).then_some(pair)
    };
    if rest.is_empty() { pairs.iter().map(pair).collect() } else { None }
}
