//! The query `pairs`, and how it is answered.

use serde::Serialize;
use sudar::DVec3;
use sudar::broad::Output;
use sudar::shape::Aabb;
use sudar_classic::broad_phase;

use crate::answer::Answer;
use crate::error::{RecordError, Result};
use crate::fields::Fields;

/// The boxes of a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Boxes {
    /// minx, miny, minz, maxx, maxy, maxz of each.
    #[serde(rename = "boxes")]
    Inline(Vec<[f64; 6]>),
    /// A file of them, which whoever reads files puts in place before the query is prepared.
    #[serde(rename = "boxes_file")]
    File(String),
}

impl Boxes {
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self> {
        match fields.optional("boxes_file")? {
            Some(_) if fields.has("boxes") => Err(RecordError::Both("`boxes` or `boxes_file`")),
            Some(path) => Ok(Self::File(path)),
            None => fields.required("boxes").map(Self::Inline),
        }
    }

    /// As the broad phases take them; a file of them must have been read before.
    pub(super) fn aabbs(&self) -> Result<Vec<Aabb>> {
        let boxes = match self {
            Self::Inline(boxes) => boxes,
            Self::File(path) => {
                return Err(RecordError::File(format!("{path}: was not read")).inside("boxes_file"));
            }
        };
        if let Some(index) = boxes.iter().position(|b| b.iter().any(|x| x.is_infinite())) {
            return Err(RecordError::InfiniteBox(index).inside("boxes"));
        }
        let aabb = |b: &[f64; 6]| Aabb { min: DVec3::from_slice(&b[..3]), max: DVec3::from_slice(&b[3..]) };
        Ok(boxes.iter().map(aabb).collect())
    }
}

/// The pairs of boxes that overlap.
pub(super) fn pairs(boxes: &[Aabb], algorithm: &str, list: bool) -> Result<Answer> {
    let wanted = if list { Output::Pairs } else { Output::Count };
    let found = broad_phase(algorithm)?.list(boxes, wanted);
    let found = found.map_err(|e| RecordError::from(e).inside("boxes"))?;
    let pairs = list.then_some(found.pairs);
    Ok(Answer::Pairs { count: found.count, pairs, algorithm: found.choice.algorithm })
}
