//! What is known of the configurations or edges, for programs.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use sudar_formats::{Rows, npy_of_bools, npy_of_rows};
use sudar_robot::{Clearance, EdgeAnswer, Other, Reason, RobotCell};

use super::certificate::CertificateDocument;
use super::plan::PlanDocument;
use crate::report;

/// What is known, row by row; lists are empty for what was not asked.
#[derive(Debug, Default)]
pub struct Answers {
    /// Whether each configuration or edge is free.
    pub valid: Vec<bool>,
    /// Why each configuration is valid or not.
    pub reasons: Vec<Reason>,
    pub clearances: Vec<Clearance>,
    pub edges: Vec<EdgeAnswer>,
    /// What the check took.
    pub seconds: f64,
}

impl Answers {
    /// The part and what it touches.
    fn pair(&self, row: usize) -> Option<(usize, Other)> {
        match self.edges.get(row) {
            Some(EdgeAnswer::Hit(hit)) => Some((hit.part, hit.other)),
            Some(_) => None,
            None => self.reasons.get(row).and_then(Reason::pair),
        }
    }

    /// When contact begins, for edges.
    fn time(&self, row: usize) -> Option<[f64; 2]> {
        match self.edges.get(row)? {
            EdgeAnswer::Hit(hit) => Some([hit.time.lower, hit.time.upper]),
            EdgeAnswer::Undecided { free_until } => Some([*free_until, 1.0]),
            EdgeAnswer::Free | EdgeAnswer::OutsideLimits => None,
        }
    }

    fn is_outside(&self, row: usize) -> bool {
        let reason = matches!(self.reasons.get(row), Some(Reason::OutsideLimits { .. }));
        reason || self.edges.get(row) == Some(&EdgeAnswer::OutsideLimits)
    }

    fn is_undecided(&self, row: usize) -> bool {
        let reason = matches!(self.reasons.get(row), Some(Reason::Undecided { .. }));
        reason || matches!(self.edges.get(row), Some(EdgeAnswer::Undecided { .. }))
    }

    /// In a word or two, for what is not free.
    fn what(&self, row: usize) -> &'static str {
        match self.edges.get(row) {
            Some(edge) => answer(edge),
            None => self.reasons.get(row).map_or("free", Reason::name),
        }
    }

    /// The joint that is outside its limits.
    fn joint<'c>(&self, cell: &'c RobotCell, row: usize) -> Option<&'c str> {
        match self.reasons.get(row)? {
            Reason::OutsideLimits { dof, .. } => cell.robot().joint_names().get(*dof).copied(),
            Reason::Free | Reason::Contact { .. } | Reason::Undecided { .. } => None,
        }
    }

    pub fn write(&self, path: &Path, cell: &RobotCell) -> Result<()> {
        if path.extension().is_some_and(|ending| ending == "csv") {
            return report::write_whole(path, self.csv(cell));
        }
        report::write_whole(path, npy_of_bools(&self.valid))?;
        if self.clearances.is_empty() {
            return Ok(());
        }
        let values = self.clearances.iter().flat_map(|found| [found.interval.lower, found.interval.upper]);
        let rows = Rows { columns: 2, values: values.collect() };
        report::write_whole(&path.with_extension("clearance.npy"), npy_of_rows(&rows))
    }

    fn csv(&self, cell: &RobotCell) -> String {
        let mut text = "row,valid,within_limits,part,other".to_owned();
        if !self.edges.is_empty() {
            text += ",answer,t_lower,t_upper";
        }
        if !self.clearances.is_empty() {
            text += ",lower,upper,nearest_part,nearest_other,x,y,z,other_x,other_y,other_z";
        }
        if self.edges.is_empty() {
            text += ",what,joint";
        }
        text.push('\n');
        for (row, valid) in self.valid.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(text, "{row},{valid},{}", !self.is_outside(row));
            let names = self.pair(row).map(|(part, other)| names(cell, part, other));
            let _ = write!(
                text,
                ",{}",
                names.map_or(",".to_owned(), |names| names.map(|name| quoted(&name)).join(","))
            );
            if let Some(edge) = self.edges.get(row) {
                let [lower, upper] =
                    self.time(row).map_or([String::new(), String::new()], |t| t.map(|t| t.to_string()));
                let _ = write!(text, ",{},{lower},{upper}", answer(edge));
            }
            if let Some(found) = self.clearances.get(row) {
                text += &clearance(cell, found);
            }
            if self.edges.is_empty() {
                let joint = self.joint(cell, row).unwrap_or_default();
                let _ = write!(text, ",{},{}", self.what(row), quoted(joint));
            }
            text.push('\n');
        }
        text
    }
}

fn clearance(cell: &RobotCell, found: &Clearance) -> String {
    let sudar::Interval { lower, upper } = found.interval;
    let rest = found.nearest.map_or(",,,,,,,".to_owned(), |nearest| {
        let [part, other] = names(cell, nearest.part, nearest.other).map(|name| quoted(&name));
        let (p, q) = (nearest.point, nearest.other_point);
        format!("{part},{other},{},{},{},{},{},{}", p.x, p.y, p.z, q.x, q.y, q.z)
    });
    format!(",{lower},{upper},{rest}")
}

fn quoted(name: &str) -> String {
    let plain = !name.contains([',', '"', '\n', '\r']);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

pub fn answer(edge: &EdgeAnswer) -> &'static str {
    match edge {
        EdgeAnswer::Free => "free",
        EdgeAnswer::Hit(_) => "hit",
        EdgeAnswer::Undecided { .. } => "undecided",
        EdgeAnswer::OutsideLimits => "outside limits",
    }
}

fn names(cell: &RobotCell, part: usize, other: Other) -> [String; 2] {
    [cell.parts()[part].name.clone(), cell.name_of(other).to_owned()]
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct Document {
    pub file: String,
    pub robot: String,
    pub links: usize,
    pub joints: Vec<JointInfo>,
    pub parts: Vec<String>,
    pub objects: usize,
    pub pairs: Pairs,
    /// How many configurations or edges were checked.
    pub checked: usize,
    pub is_edges: bool,
    pub valid: usize,
    pub outside_limits: usize,
    pub self_contact: usize,
    pub scene_contact: usize,
    pub undecided: usize,
    pub seconds: f64,
    pub found: Vec<Found>,
    /// The configuration that is nearest to contact, if clearances were asked for.
    pub nearest: Option<NearestRow>,
    pub notes: Vec<String>,
    /// The path, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanDocument>,
    /// What a certificate shows, if one was to be verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<CertificateDocument>,
}

#[derive(Debug, Serialize)]
pub struct JointInfo {
    pub name: String,
    pub lower: Option<f64>,
    pub upper: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct Pairs {
    pub checked: usize,
    pub never_met: usize,
    pub samples: usize,
    pub left_out: Vec<LeftOut>,
}

#[derive(Debug, Serialize)]
pub struct LeftOut {
    pub a: String,
    pub b: String,
    pub why: &'static str,
    pub met: usize,
}

/// A configuration or edge that is not free.
#[derive(Debug, Serialize)]
pub struct Found {
    pub row: usize,
    pub what: &'static str,
    pub part: Option<String>,
    pub other: Option<String>,
    /// The first joint that is outside its limits, of configurations.
    pub joint: Option<String>,
    pub t: Option<[f64; 2]>,
}

#[derive(Debug, Serialize)]
pub struct NearestRow {
    pub row: usize,
    pub lower: f64,
    pub upper: f64,
    pub part: Option<String>,
    pub other: Option<String>,
}

impl Document {
    pub fn new(file: String, cell: &RobotCell, answers: &Answers, limit: usize) -> Self {
        let robot = cell.robot();
        let bad: Vec<usize> = (0..answers.valid.len()).filter(|&row| !answers.valid[row]).collect();
        let limit = if limit == 0 { usize::MAX } else { limit };
        let count = |is: &dyn Fn(usize) -> bool| bad.iter().filter(|&&row| is(row)).count();
        let touches = |row: usize| {
            let pair = answers.pair(row).filter(|_| !answers.is_undecided(row));
            pair.map(|(_, other)| matches!(other, Other::Object(_)))
        };
        Self {
            file,
            robot: robot.name().to_owned(),
            links: robot.links().len(),
            joints: robot.dofs().iter().map(joint).collect(),
            parts: cell.parts().iter().map(|part| part.name.clone()).collect(),
            objects: cell.object_names().len(),
            pairs: pairs(cell),
            checked: answers.valid.len(),
            is_edges: !answers.edges.is_empty(),
            valid: answers.valid.len() - bad.len(),
            outside_limits: count(&|row| answers.is_outside(row)),
            self_contact: count(&|row| touches(row) == Some(false)),
            scene_contact: count(&|row| touches(row) == Some(true)),
            undecided: count(&|row| answers.is_undecided(row)),
            seconds: answers.seconds,
            found: bad.iter().take(limit).map(|&row| found(cell, answers, row)).collect(),
            nearest: nearest(cell, &answers.clearances),
            notes: robot.notes().to_vec(),
            plan: None,
            verified: None,
        }
    }
}

fn joint(dof: &sudar_robot::Dof) -> JointInfo {
    let finite = |x: f64| x.is_finite().then_some(x);
    JointInfo { name: dof.name.clone(), lower: finite(dof.limits.lower), upper: finite(dof.limits.upper) }
}

fn pairs(cell: &RobotCell) -> Pairs {
    let left_out = cell.self_pairs().iter().filter(|pair| !pair.is_checked()).map(|pair| {
        let [a, b] = pair.parts.map(|part| cell.parts()[part].name.clone());
        LeftOut { a, b, why: pair.reason.name(), met: pair.met }
    });
    let never = sudar_robot::PairReason::NeverMet;
    Pairs {
        checked: cell.self_pairs().iter().filter(|pair| pair.is_checked()).count(),
        never_met: cell.self_pairs().iter().filter(|pair| pair.reason == never).count(),
        samples: cell.samples(),
        left_out: left_out.collect(),
    }
}

fn found(cell: &RobotCell, answers: &Answers, row: usize) -> Found {
    let pair = answers.pair(row).map(|(part, other)| names(cell, part, other));
    let [part, other] = pair.map_or([None, None], |names| names.map(Some));
    let joint = answers.joint(cell, row).map(str::to_owned);
    Found { row, what: answers.what(row), part, other, joint, t: answers.time(row) }
}

fn nearest(cell: &RobotCell, clearances: &[Clearance]) -> Option<NearestRow> {
    let least = |(_, a): &(usize, &Clearance), (_, b): &(usize, &Clearance)| {
        a.interval.upper.total_cmp(&b.interval.upper)
    };
    let (row, found) = clearances.iter().enumerate().min_by(least)?;
    let pair = found.nearest.map(|nearest| names(cell, nearest.part, nearest.other));
    let [part, other] = pair.map_or([None, None], |names| names.map(Some));
    // No pair at all is no distance, which JSON has no number for.
    let sudar::Interval { lower, upper } = found.interval;
    lower.is_finite().then_some(NearestRow { row, lower, upper, part, other })
}
