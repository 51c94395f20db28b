//! What a clash check says to programs: the JSON document.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use sudar::{Aabb, DVec3, Faults, WeldReport};

use crate::found::Clash;
use crate::found::Separation;
use crate::growth::{Change, Measure, extent};
use crate::options::ClashKind;
use crate::outline::Outline;
use crate::part::Part;
use crate::regions::{Form, Region};
use crate::report::ClashReport;
use crate::severity::Severity;

/// The property of a part that tells it from all others, in this file and its later versions, as IFC has it.
pub const GLOBAL_ID: &str = "GlobalId";

/// How a part was found, and what was done to it.
#[derive(Debug, Clone, Default)]
pub struct PartDetails {
    /// The faults of its mesh.
    pub faults: Faults,
    /// The tolerance that closes it if it is welded, and it is not closed.
    pub closes_at: Option<f64>,
    /// What welding changed, if it was welded.
    pub weld: Option<WeldReport>,
    /// What its file says of it otherwise: keys and values.
    pub properties: Vec<(String, String)>,
    /// The number of its file among those that were read.
    pub file: Option<usize>,
    /// How far its triangles are at most from the surface that they stand for.
    pub deviation: f64,
}

/// The version of the document: it grows when a field changes its meaning or is no more.
pub const SCHEMA: u32 = 2;

/// Where a report comes from and what was asked.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Origin {
    /// When the check was made, in UTC as RFC 3339 has it; not there if equal checks are to give equal documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The unit of all lengths; null if it is not known.
    pub unit: Option<&'static str>,
    /// The clearance of pairs that no rule names.
    pub clearance: f64,
    /// The files of rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The files that were read, in order, as they were named, those with an absolute path without their folders.
    pub files: Vec<String>,
    /// The files that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Failed>,
    /// The elements of files that could not be turned into parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Lost>,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// Which.
    pub file: String,
    /// Why, and what to do.
    pub error: String,
}

/// An element of a file that should be a part, and could not be made one, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// The file.
    pub file: String,
    /// Its name, or its number where it has none.
    pub name: String,
    /// What its file says of it otherwise.
    #[serde(serialize_with = "as_map")]
    pub properties: Vec<(String, String)>,
    /// Why.
    pub error: String,
}

/// The report of a clash check, which serialises to JSON. Lengths are in the unit of the assembly.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of this crate.
    pub version: &'static str,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The clashes in groups, what is certainly deepest first; see [`Document::group`].
    pub groups: Vec<Group>,
    /// By what they are grouped.
    pub grouped_by: &'static str,
    /// How far apart clashes of one place are, if they are grouped so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_radius: Option<f64>,
    /// The parts, in order.
    pub parts: Vec<PartInfo<'a>>,
    /// The clashes, sorted by `a`, then `b`.
    pub clashes: Vec<ClashInfo<'a>>,
    /// See [`ClashReport::same_place`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same_place: Vec<Vec<usize>>,
    /// Elements that several files have, by their `GlobalId`: lists of parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<Vec<usize>>,
    /// See [`ClashReport::unlisted`].
    #[serde(skip_serializing_if = "is_zero")]
    pub unlisted: usize,
    /// The band of what counts as touching, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touch: Option<f64>,
    /// With a baseline: what it has and this check has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<Vec<Gone>>,
    /// How many pairs of parts the broad phase left to be examined.
    pub candidates: usize,
    /// What the check took, unless equal checks are to give equal documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Clashes that belong together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// What it is called.
    pub name: String,
    /// `"same place"`, or the name of the [`GroupBy`](crate::GroupBy).
    pub by: &'static str,
    /// How many clashes belong to it, those of parts in the same place that are not listed among them.
    pub count: usize,
    /// How many of each kind are listed.
    pub kinds: BTreeMap<&'static str, usize>,
    /// The greatest depth of those in it that are measured otherwise than by boxes.
    pub depth: Option<f64>,
    /// The greatest lower bound of these depths.
    pub depth_at_least: Option<f64>,
    /// Where the one is that is certainly deepest.
    pub point: DVec3,
    /// The numbers of its clashes in the list of all, in order.
    pub clashes: Vec<usize>,
}

/// A part in the report.
#[derive(Debug, Serialize)]
pub struct PartInfo<'a> {
    /// What it is called.
    pub name: &'a str,
    /// How many triangles its mesh has.
    pub triangles: usize,
    /// Whether it is a solid.
    pub closed: bool,
    /// The tolerance that closes it if it is welded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closes_at: Option<f64>,
    /// The faults of its mesh.
    pub faults: Faults,
    /// What welding changed, if it was welded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weld: Option<WeldReport>,
    /// What its file says of it otherwise: keys and values.
    #[serde(skip_serializing_if = "<[_]>::is_empty", serialize_with = "as_map")]
    pub properties: &'a [(String, String)],
    /// The number of its file among those of the document, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<usize>,
    /// How far its triangles are at most from the surface that they stand for, unless they are that surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// The box around it.
    pub bounds: Aabb,
}

impl<'a> PartInfo<'a> {
    /// What a report says of a part at hand.
    pub(crate) fn of_part(part: &'a Part, details: &'a PartDetails) -> Self {
        let triangles = part.body.mesh().map_or(0, |mesh| mesh.triangles().len());
        let of = (triangles, part.body.solid().is_some(), part.body.aabb(&part.pose));
        Self::of(&part.name, of, details)
    }

    /// What a report says of a part whose triangles are elsewhere.
    pub(crate) fn of_outline(outline: &'a Outline, details: &'a PartDetails) -> Self {
        Self::of(&outline.name, (outline.triangles, outline.is_solid, outline.bounds), details)
    }

    fn of(name: &'a str, (triangles, closed, bounds): (usize, bool, Aabb), details: &'a PartDetails) -> Self {
        Self {
            name,
            triangles,
            closed,
            closes_at: details.closes_at,
            faults: details.faults,
            weld: details.weld,
            properties: &details.properties,
            file: details.file,
            deviation: Some(details.deviation).filter(|deviation| *deviation > 0.0),
            bounds,
        }
    }

    /// The value of a property, the first if there are several.
    pub fn property(&self, key: &str) -> Option<&str> {
        self.properties.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }
}

/// A clash in the report: the fields of [`Clash`] with the names of its parts.
#[derive(Debug, Serialize)]
pub struct ClashInfo<'a> {
    /// Number of the first part.
    pub a: usize,
    /// Number of the second part.
    pub b: usize,
    /// Their names.
    pub names: [&'a str; 2],
    /// What is the matter.
    pub kind: ClashKind,
    /// See [`Clash::uncertain`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub uncertain: bool,
    /// The middle of [`Clash::distance`].
    pub distance: f64,
    /// The upper end of [`Clash::depth`].
    pub depth: Option<f64>,
    /// The lower end of [`Clash::depth`].
    pub depth_at_least: Option<f64>,
    /// See [`Clash::depth_is`].
    pub depth_is: Option<&'static str>,
    /// See [`Clash::separation`].
    pub separation: Option<Separation>,
    /// See [`Clash::form`].
    pub form: Option<Form>,
    /// See [`Clash::verdict_without_band`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict_without_band: Option<&'static str>,
    /// See [`Clash::point`].
    pub point: DVec3,
    /// See [`Clash::normal`].
    pub normal: Option<DVec3>,
    /// How many pairs of triangles meet.
    pub triangle_pairs: usize,
    /// See [`Clash::regions`].
    pub regions: Vec<Region>,
    /// Where it is in words of the building, if levels or grids are known: see [`Places::name`](crate::Places::name).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The name of the zone of one of the parts that the other is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// With a clash matrix only: how bad it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// The number of its group, if clashes are grouped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<usize>,
    /// With a file of reviews only: what people decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// With a baseline only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// With a baseline only: what it was there, of a clash that is not new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// The kind in the baseline, if it was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<ClashKind>,
    /// With [`Status::Deeper`] and [`Status::Shallower`]: both figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
}

/// What a clash was in an earlier check.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Before {
    /// What was the matter.
    pub kind: ClashKind,
    /// The middle of its distance, where there was one.
    pub distance: Option<f64>,
    /// The upper end of its depth, where there was one.
    pub depth: Option<f64>,
}

/// What people decided about a clash.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Review {
    /// Where it stands.
    pub status: ReviewStatus,
    /// Who sees to it; empty if nobody.
    pub assignee: String,
    /// What was said about it.
    pub comment: String,
    /// The figure that was accepted or ignored, by which later growth is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<f64>,
    /// Why it is open again, if it was accepted or ignored and has grown since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reopened: Option<Change>,
}

/// Where a clash stands in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewStatus {
    /// It was not there before.
    #[default]
    New,
    /// It was there before, and is to be mended.
    Active,
    /// It was mended, or is there no more.
    Resolved,
    /// It is known, and may stay.
    Accepted,
    /// It is no clash worth a look.
    Ignored,
}

impl ReviewStatus {
    /// Every status, in the order of a life.
    pub const ALL: [Self; 5] = [Self::New, Self::Active, Self::Resolved, Self::Accepted, Self::Ignored];

    /// As documents write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Active => "active",
            Self::Resolved => "resolved",
            Self::Accepted => "accepted",
            Self::Ignored => "ignored",
        }
    }

    /// Whether somebody has to do something.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::New | Self::Active)
    }

    /// Whether it is decided that the clash may stay.
    pub(crate) const fn is_decided(self) -> bool {
        matches!(self, Self::Accepted | Self::Ignored)
    }

    /// What it is when the clash is found again, maybe of another kind or grown.
    pub(crate) const fn seen_again(self, is_changed: bool) -> Self {
        match self {
            Self::New | Self::Active | Self::Resolved => Self::Active,
            Self::Accepted | Self::Ignored if is_changed => Self::Active,
            Self::Accepted | Self::Ignored => self,
        }
    }
}

/// What a clash is beside the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The baseline has no clash of these parts.
    New,
    /// The baseline has it too.
    Same,
    /// The baseline has it too, and it was less deep, less large or less near.
    Deeper,
    /// The baseline has it too, and it was deeper, larger or nearer.
    Shallower,
    /// The baseline has a clash of these parts of another kind.
    Changed,
}

impl Status {
    /// As the JSON document writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Same => "same",
            Self::Deeper => "deeper",
            Self::Shallower => "shallower",
            Self::Changed => "changed",
        }
    }
}

/// A clash of the baseline that is no more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gone {
    /// The numbers of its parts in the new document; null for a part that is no more.
    pub a: Option<usize>,
    /// The same of the second.
    pub b: Option<usize>,
    /// Their names.
    pub names: [String; 2],
    /// What was the matter.
    pub kind: ClashKind,
    /// As it was.
    pub distance: Option<f64>,
    /// As it was.
    pub depth: Option<f64>,
    /// As it was.
    pub depth_is: Option<String>,
    /// As it was.
    pub point: Option<[f64; 3]>,
}

impl ClashInfo<'_> {
    /// How much it is, by the measure of its kind; none for what touches exactly.
    pub(crate) fn figure(&self) -> Option<f64> {
        match Measure::of(self.kind) {
            Measure::Depth => self.depth,
            Measure::Gap => Some(self.distance),
            Measure::Extent => extent(self.regions.iter().map(|region| region.bounds)),
        }
    }

    /// What became of a clash of the same kind whose figure was that, if both are known.
    pub(crate) fn change_from(&self, was: Option<f64>) -> Option<Change> {
        Some(Change { of: Measure::of(self.kind), was: was?, now: self.figure()? })
    }

    /// Whether somebody has to do something about it, as far as reviews are known.
    pub fn is_open(&self) -> bool {
        self.review.as_ref().is_none_or(|review| review.status.is_open())
    }

    /// Whether the baseline, if there is one, has the pair with the same kind, and it has not grown since.
    pub fn is_known(&self) -> bool {
        matches!(self.status, Some(Status::Same | Status::Shallower))
    }
}

impl<'a> Document<'a> {
    /// The report of a check of these parts, of which as many details are known; `seconds` is what it took,
    /// if that is wanted.
    pub fn new(
        parts: &'a [Part],
        details: &'a [PartDetails],
        report: &ClashReport,
        seconds: Option<f64>,
    ) -> Self {
        let infos = parts.iter().zip(details).map(|(part, details)| PartInfo::of_part(part, details));
        Self::of(infos.collect(), details, report, seconds)
    }

    /// The report of a check of parts of which this is known.
    pub(crate) fn of(
        parts: Vec<PartInfo<'a>>,
        details: &[PartDetails],
        report: &ClashReport,
        seconds: Option<f64>,
    ) -> Self {
        let clashes = report.clashes.iter().map(|clash| clash_info(clash, &parts)).collect();
        Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            origin: Origin::default(),
            groups: Vec::new(),
            grouped_by: "none",
            group_radius: None,
            parts,
            clashes,
            same_place: report.same_place.clone(),
            repeated: repeated(details),
            unlisted: report.unlisted,
            touch: None,
            gone: None,
            candidates: report.candidates,
            seconds,
        }
    }
}

/// Parts of several files with one `GlobalId`, in the order of the first of each.
fn repeated(details: &[PartDetails]) -> Vec<Vec<usize>> {
    let mut of_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, part) in details.iter().enumerate() {
        let id = part.properties.iter().find(|(key, _)| key == GLOBAL_ID);
        if let Some((_, id)) = id.filter(|_| part.file.is_some()) {
            of_id.entry(id).or_default().push(i);
        }
    }
    let is_of_several = |parts: &Vec<usize>| parts.iter().any(|&i| details[i].file != details[parts[0]].file);
    let mut found: Vec<Vec<usize>> = of_id.into_values().filter(is_of_several).collect();
    found.sort();
    found
}

// Serde hands over a reference.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

fn as_map<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

fn clash_info<'a>(clash: &Clash, parts: &[PartInfo<'a>]) -> ClashInfo<'a> {
    ClashInfo {
        a: clash.a,
        b: clash.b,
        names: [parts[clash.a].name, parts[clash.b].name],
        kind: clash.kind,
        uncertain: clash.uncertain,
        distance: clash.distance.lower.midpoint(clash.distance.upper),
        depth: clash.depth.map(|depth| depth.upper),
        depth_at_least: clash.depth.map(|depth| depth.lower),
        depth_is: clash.depth_is,
        separation: clash.separation,
        form: clash.form,
        verdict_without_band: clash.verdict_without_band,
        point: clash.point,
        normal: clash.normal,
        triangle_pairs: clash.triangle_pairs,
        regions: clash.regions.clone(),
        place: None,
        zone: None,
        severity: None,
        group: None,
        review: None,
        status: None,
        before: None,
        was: None,
        change: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_several_files_are_repeated() {
        let part = |file: usize, id: &str| PartDetails {
            properties: vec![(GLOBAL_ID.to_owned(), id.to_owned())],
            file: Some(file),
            ..PartDetails::default()
        };
        // Twice in one file is a type that stands in two places; parts of no file or of no GlobalId are none.
        let mut details =
            vec![part(0, "b"), part(0, "a"), part(1, "b"), part(1, "c"), part(1, "c"), part(2, "b")];
        details.extend([PartDetails { file: Some(1), ..PartDetails::default() }, PartDetails::default()]);
        assert_eq!(repeated(&details), [vec![0, 2, 5]]);
    }
}
