//! What a clash check says to programs: the JSON document.

use serde::Serialize;
use sudar::scene::{Clash, ClashKind, ClashReport, Part};
use sudar::{Aabb, DVec3, Faults, WeldReport};

use super::{Details, Subject};

/// The whole document. Fields without a value are left out only where the help says so.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    pub parts: Vec<PartInfo<'a>>,
    pub clashes: Vec<ClashInfo<'a>>,
    /// With a baseline: what it has and this check has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<Vec<Gone>>,
    pub candidates: usize,
    pub seconds: f64,
}

#[derive(Debug, Serialize)]
pub struct PartInfo<'a> {
    pub name: &'a str,
    pub triangles: usize,
    pub closed: bool,
    /// The tolerance that closes it if it is welded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closes_at: Option<f64>,
    pub faults: Faults,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weld: Option<WeldReport>,
    pub bounds: Aabb,
}

#[derive(Debug, Serialize)]
pub struct ClashInfo<'a> {
    pub a: usize,
    pub b: usize,
    pub names: [&'a str; 2],
    pub kind: ClashKind,
    pub distance: f64,
    pub depth: Option<f64>,
    pub depth_is: Option<&'static str>,
    pub point: DVec3,
    pub normal: Option<DVec3>,
    pub triangle_pairs: usize,
    /// With a baseline only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The kind in the baseline, if it was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<ClashKind>,
}

/// What a clash is beside the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The baseline has no clash of these parts.
    New,
    /// The baseline has it too.
    Same,
    /// The baseline has a clash of these parts of another kind.
    Changed,
}

impl Status {
    /// As the JSON document writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Same => "same",
            Self::Changed => "changed",
        }
    }
}

/// A clash of the baseline that is no more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gone {
    /// The numbers of its parts in the new document; null for a part that is no more.
    pub a: Option<usize>,
    pub b: Option<usize>,
    pub names: [String; 2],
    pub kind: ClashKind,
    pub distance: Option<f64>,
    pub depth: Option<f64>,
    pub depth_is: Option<String>,
    pub point: Option<[f64; 3]>,
}

impl ClashInfo<'_> {
    /// Whether the baseline, if there is one, has the pair with the same kind.
    pub fn is_known(&self) -> bool {
        self.status == Some(Status::Same)
    }
}

impl<'a> Document<'a> {
    pub fn new(subject: &'a Subject, report: &ClashReport, seconds: f64) -> Self {
        let parts = &subject.scene.parts;
        let part = |(part, details): (&'a Part, &Details)| PartInfo {
            name: &part.name,
            triangles: part.body.mesh().map_or(0, |mesh| mesh.triangles().len()),
            closed: part.body.solid().is_some(),
            closes_at: details.closes_at,
            faults: details.faults,
            weld: details.weld,
            bounds: part.body.aabb(&part.pose),
        };
        Self {
            parts: parts.iter().zip(&subject.details).map(part).collect(),
            clashes: report.clashes.iter().map(|clash| clash_info(clash, parts)).collect(),
            gone: None,
            candidates: report.candidates,
            seconds,
        }
    }
}

fn clash_info<'a>(clash: &Clash, parts: &'a [Part]) -> ClashInfo<'a> {
    ClashInfo {
        a: clash.a,
        b: clash.b,
        names: [&parts[clash.a].name, &parts[clash.b].name],
        kind: clash.kind,
        distance: clash.distance.lower.midpoint(clash.distance.upper),
        depth: clash.depth,
        depth_is: clash.depth_is,
        point: clash.point,
        normal: clash.normal,
        triangle_pairs: clash.triangle_pairs,
        status: None,
        was: None,
    }
}
