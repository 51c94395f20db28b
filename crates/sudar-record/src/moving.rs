//! Queries about things that move, and how they are answered.

use serde::Serialize;
use sudar::DVec3;
use sudar::math::Interval;
use sudar::query::StopReason;
use sudar::shape::Aabb;
use sudar_classic::motion::{Passage, PassageOptions, edge_edge, vertex_face};

use crate::answer::{Answer, FirstContactAnswer};
use crate::bounds::check_reach;
use crate::error::{RecordError, Result};
use crate::fields::{Fields, not_negative};

/// The least gap that counts as contact, and how much more may, as written.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ToleranceSpec {
    /// The field `separation`; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separation: Option<f64>,
    /// The field `delta`; a millionth of the size of the scene if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
}

impl ToleranceSpec {
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self> {
        match fields.nested("delta", not_negative)? {
            Some(0.0) => Err(RecordError::ZeroDelta.inside("delta")),
            delta => Ok(Self { separation: fields.nested("separation", not_negative)?, delta }),
        }
    }
}

/// Which of four moving corners belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corners {
    /// A vertex, then the three corners of a face.
    VertexFace,
    /// The ends of one edge, then those of another.
    EdgeEdge,
}

/// Four corners that move on straight lines.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PassageSpec {
    /// What they are corners of.
    #[serde(skip)]
    pub corners: Corners,
    /// Where they are at time 0.
    pub start: [DVec3; 4],
    /// Where they are at time 1.
    pub end: [DVec3; 4],
    /// What counts as contact.
    #[serde(flatten)]
    pub tolerance: ToleranceSpec,
}

impl PassageSpec {
    pub(super) fn read(corners: Corners, fields: &mut Fields<'_>) -> Result<Self> {
        let mut four = |name| {
            let points: [DVec3; 4] = fields.required(name)?;
            check_reach(name, &points).map(|()| points)
        };
        let (start, end) = (four("start")?, four("end")?);
        Ok(Self { corners, start, end, tolerance: ToleranceSpec::read(fields)? })
    }

    pub(super) fn ask(&self) -> Answer {
        let size = Aabb::around(self.start.into_iter().chain(self.end)).extent().max_element();
        let options = PassageOptions {
            separation: self.tolerance.separation.unwrap_or(0.0),
            // A millionth, as of a sweep.
            delta: self.tolerance.delta.unwrap_or(1e-6 * size),
        };
        let found = match self.corners {
            Corners::VertexFace => vertex_face(&self.start, &self.end, &options),
            Corners::EdgeEdge => edge_edge(&self.start, &self.end, &options),
        };
        Answer::FirstContact(match found {
            Passage::Free => FirstContactAnswer { hit: Some(false), ..FirstContactAnswer::default() },
            Passage::Hit(time) => FirstContactAnswer::at(time),
            Passage::Undecided(free_until) => FirstContactAnswer::undecided(free_until, StopReason::Budget),
        })
    }
}

impl FirstContactAnswer {
    pub(super) fn at(time: Interval) -> Self {
        Self { hit: Some(true), t_lower: Some(time.lower), t_upper: Some(time.upper), ..Self::default() }
    }

    pub(super) fn undecided(free_until: f64, reason: StopReason) -> Self {
        Self { t_lower: Some(free_until), undecided: Some(reason), ..Self::default() }
    }
}
