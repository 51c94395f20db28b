//! What is checked of a robot in a scene.

use sudar::Pose;
use sudar::query::Body;

use super::names::{Ignored, Named, unknown};
use crate::part::{Attached, Part};
use crate::{Robot, RobotError};

/// What is checked of a robot in a scene.
#[derive(Debug, Clone)]
pub struct CellOptions {
    /// How much farther than its surface every part reaches towards objects of the scene, in metres: a contact is a
    /// distance of at most this. Pairs of parts are not padded.
    pub padding: f64,
    /// The same for single parts, by name, in place of that.
    pub padding_of: Vec<(String, f64)>,
    /// What links carry.
    pub attached: Vec<Attached>,
    /// Pairs that are not checked, by the names of parts and objects. A part and an object may have one name: then
    /// `part:NAME` or `object:NAME` says which is meant.
    pub ignored: Vec<[String; 2]>,
    /// Which pairs of parts are checked.
    pub pairs: PairOptions,
    /// Whether a configuration outside the limits of a joint is invalid, for checks of configurations, edges and paths.
    pub check_limits: bool,
    /// By how much a joint may be outside its limits, in radians or metres: values that were rounded, or measured on a
    /// robot, often are by a little. 0 is exact.
    pub limit_tolerance: f64,
}

/// The default of [`CellOptions::limit_tolerance`], in radians or metres.
pub const LIMIT_TOLERANCE: f64 = 1e-4;

impl Default for CellOptions {
    fn default() -> Self {
        Self {
            padding: 0.0,
            padding_of: Vec::new(),
            attached: Vec::new(),
            ignored: Vec::new(),
            pairs: PairOptions::default(),
            check_limits: true,
            limit_tolerance: LIMIT_TOLERANCE,
        }
    }
}

/// Which pairs of parts are checked for self-collision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairOptions {
    /// How many configurations are sampled to find pairs that always or never meet; 0 for none, then all are checked.
    pub samples: usize,
    /// Where the random numbers begin.
    pub seed: u64,
    /// What is done with pairs that never met.
    pub never_met: NeverMet,
}

/// What is done with pairs of parts that never met among the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeverMet {
    /// They are checked: samples prove nothing.
    Checked,
    /// They are left out, as setup assistants do it.
    LeftOut,
}

impl Default for PairOptions {
    fn default() -> Self {
        Self { samples: 1000, seed: 0, never_met: NeverMet::Checked }
    }
}

impl CellOptions {
    /// The parts: links with geometry, then what is attached.
    pub(super) fn parts(&self, robot: &Robot) -> Result<Vec<Part>, RobotError> {
        let mut parts: Vec<Part> = Vec::new();
        for (i, link) in robot.links().iter().enumerate().filter(|(_, link)| !link.bodies.is_empty()) {
            parts.push(Part::new(link.name.clone(), i, link.node, &link.bodies));
        }
        for attached in &self.attached {
            parts.push(held(robot, attached, &parts)?);
        }
        self.pad(&mut parts)?;
        Ok(parts)
    }

    fn pad(&self, parts: &mut [Part]) -> Result<(), RobotError> {
        let all = length("a padding".to_owned(), self.padding)?;
        parts.iter_mut().for_each(|part| part.padding = all);
        for (name, padding) in &self.padding_of {
            let part = parts.iter_mut().find(|part| part.name == *name);
            let part = part.ok_or_else(|| unknown("a padding", "part", name))?;
            part.padding = length(format!("the padding of '{name}'"), *padding)?;
        }
        Ok(())
    }

    /// By how much joints may be outside their limits; none if limits are not checked.
    pub(super) fn tolerance_of_limits(&self) -> Result<Option<f64>, RobotError> {
        let tolerance = length("the tolerance of limits".to_owned(), self.limit_tolerance)?;
        Ok(self.check_limits.then_some(tolerance))
    }

    /// The ignored pairs by what they name.
    pub(super) fn ignored_pairs(
        &self,
        is_part: impl Fn(&str) -> bool,
        is_object: impl Fn(&str) -> bool,
    ) -> Result<Ignored, RobotError> {
        let mut ignored = Ignored::default();
        for [one, other] in &self.ignored {
            let named = |name: &str| Named::new(name, "an ignored pair", &is_part, &is_object);
            ignored.add([named(one)?, named(other)?]);
        }
        Ok(ignored)
    }
}

/// The part that something attached is, beside those that there are.
pub(super) fn held(robot: &Robot, attached: &Attached, parts: &[Part]) -> Result<Part, RobotError> {
    let by = format!("attached object '{}'", attached.name);
    let link = robot.link(&attached.link).ok_or_else(|| unknown(&by, "link", &attached.link))?;
    if robot.link(&attached.name).is_some() || parts.iter().any(|part| part.name == attached.name) {
        return Err(RobotError::Twice { what: "part", name: attached.name.clone() });
    }
    if let Some(name) = attached.touches.iter().find(|name| robot.link(name).is_none()) {
        return Err(unknown(&by, "link", name));
    }
    let bodies: Vec<(Body, Pose)> = vec![(attached.body.clone(), attached.pose)];
    let part = Part::new(attached.name.clone(), link, robot.links()[link].node, &bodies);
    Ok(Part { is_attached: true, touches: attached.touches.clone(), ..part })
}

fn length(what: String, value: f64) -> Result<f64, RobotError> {
    // A range holds no NaN.
    let is_length = (0.0..=f64::MAX).contains(&value);
    if is_length { Ok(value) } else { Err(RobotError::NotALength { what, value }) }
}
