//! Queries about things that move: what they are written as, and their answers.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use sudar::DVec3;
use sudar::math::{Interval, Pose};
use sudar::motion::Motion;
use sudar::query::{Body, Impact, StopReason, Sweep, SweepOptions, Work};
use sudar::shape::Aabb;
use sudar_classic::motion::{Passage, PassageOptions, edge_edge, vertex_face};

use crate::RecordError;
use crate::fields::{Fields, not_negative};

/// The least gap that counts as contact, and how much more may, as written.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ToleranceSpec {
    /// The field `separation`; 0 if absent.
    pub separation: Option<f64>,
    /// The field `delta`; a millionth of the size of the scene if absent.
    pub delta: Option<f64>,
}

/// Of the size of the scene.
const DELTA: f64 = 1e-6;

impl ToleranceSpec {
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        let delta = not_negative(fields, "delta")?;
        if delta == Some(0.0) {
            return Err(RecordError::ZeroDelta.inside("delta"));
        }
        Ok(Self { separation: not_negative(fields, "separation")?, delta })
    }

    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        for (name, value) in [("separation", self.separation), ("delta", self.delta)] {
            if let Some(value) = value {
                map.serialize_entry(name, &value)?;
            }
        }
        Ok(())
    }

    fn delta(&self, size: f64) -> f64 {
        self.delta.unwrap_or(DELTA * size)
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

impl Corners {
    /// The name of the query about them.
    pub fn name(self) -> &'static str {
        match self {
            Self::VertexFace => "ccd_vertex_face",
            Self::EdgeEdge => "ccd_edge_edge",
        }
    }
}

/// Four corners that move on straight lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageSpec {
    /// What they are corners of.
    pub corners: Corners,
    /// Where they are at time 0.
    pub start: [DVec3; 4],
    /// Where they are at time 1.
    pub end: [DVec3; 4],
    /// What counts as contact.
    pub tolerance: ToleranceSpec,
}

impl PassageSpec {
    pub(super) fn read(corners: Corners, fields: &mut Fields<'_>, owner: &str) -> Result<Self, RecordError> {
        let mut four = |name| -> Result<[DVec3; 4], RecordError> {
            let points: [DVec3; 4] = fields.required(name, owner)?;
            let far = points.iter().any(|p| p.abs().max_element() > 1e90);
            if far { Err(RecordError::PointTooFar.inside(name)) } else { Ok(points) }
        };
        let (start, end) = (four("start")?, four("end")?);
        Ok(Self { corners, start, end, tolerance: ToleranceSpec::read(fields)? })
    }

    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("start", &self.start)?;
        map.serialize_entry("end", &self.end)?;
        self.tolerance.write(map)
    }

    /// The name by which it is written.
    pub fn name(&self) -> &'static str {
        self.corners.name()
    }

    pub(super) fn ask(&self) -> FirstContactAnswer {
        let size = Aabb::around(self.start.into_iter().chain(self.end)).extent().max_element();
        let options = PassageOptions {
            separation: self.tolerance.separation.unwrap_or(0.0),
            delta: self.tolerance.delta(size),
        };
        let found = match self.corners {
            Corners::VertexFace => vertex_face(&self.start, &self.end, &options),
            Corners::EdgeEdge => edge_edge(&self.start, &self.end, &options),
        };
        match found {
            Passage::Free => FirstContactAnswer { hit: Some(false), ..FirstContactAnswer::default() },
            Passage::Hit(time) => FirstContactAnswer::at(time),
            Passage::Undecided(free_until) => FirstContactAnswer::undecided(free_until, StopReason::Budget),
        }
    }
}

/// Answer to `sweep`, `ccd_vertex_face` and `ccd_edge_edge`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstContactAnswer {
    /// Whether the things come into contact; `None` if that could not be decided.
    pub hit: Option<bool>,
    /// There is certainly no contact before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t_lower: Option<f64>,
    /// A time at which they are in contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t_upper: Option<f64>,
    /// Where the first shape is touched at `t_lower`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_a: Option<DVec3>,
    /// Where the second shape is touched then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_b: Option<DVec3>,
    /// Unit direction from the first shape to the second there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<DVec3>,
    /// The features that touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<[u32; 2]>,
    /// Why it could not be decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl FirstContactAnswer {
    fn at(time: Interval) -> Self {
        Self { hit: Some(true), t_lower: Some(time.lower), t_upper: Some(time.upper), ..Self::default() }
    }

    fn undecided(free_until: f64, reason: StopReason) -> Self {
        let undecided = Some(crate::found::written(reason));
        Self { t_lower: Some(free_until), undecided, ..Self::default() }
    }
}

/// Two bodies on their way.
#[derive(Debug, Clone)]
pub(super) struct Motions {
    pub bodies: [Body; 2],
    pub motions: [Motion; 2],
    pub options: SweepOptions,
}

impl Motions {
    /// From the poses at both ends of the time.
    pub fn new(bodies: [Body; 2], starts: [Pose; 2], ends: [Pose; 2], tolerance: &ToleranceSpec) -> Self {
        let motions = [0, 1].map(|i| Motion::between(&starts[i], &ends[i]));
        let options = SweepOptions::of_scene([0, 1].map(|i| bodies[i].moving(&motions[i])))
            .apart_by(tolerance.separation.unwrap_or(0.0));
        let options = tolerance.delta.map_or(options, |delta| options.to_within(delta));
        Self { motions, bodies, options }
    }

    pub fn ask(&self, work: &mut Work<'_>) -> FirstContactAnswer {
        let [a, b] = [0, 1].map(|i| self.bodies[i].moving(&self.motions[i]));
        match work.sweep(a, b, &self.options) {
            Sweep::Free => FirstContactAnswer { hit: Some(false), ..FirstContactAnswer::default() },
            Sweep::Hit(Impact { time, point_a, point_b, normal, features, .. }) => FirstContactAnswer {
                point_a: Some(point_a),
                point_b: Some(point_b),
                normal: Some(normal),
                features: Some(features),
                ..FirstContactAnswer::at(time)
            },
            Sweep::Undecided { free_until, reason } => FirstContactAnswer::undecided(free_until, reason),
        }
    }
}
