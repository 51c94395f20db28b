//! What is checked of a robot in a scene.

use sudar::Pose;
use sudar::query::Body;

use crate::part::{Attached, Object, Part};
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
    /// Pairs that are not checked, by the names of parts and objects.
    pub ignored: Vec<[String; 2]>,
    /// Which pairs of parts are checked.
    pub pairs: PairOptions,
    /// Whether a configuration outside the limits of a joint is invalid, for checks of configurations, edges and paths.
    pub check_limits: bool,
}

impl Default for CellOptions {
    fn default() -> Self {
        Self {
            padding: 0.0,
            padding_of: Vec::new(),
            attached: Vec::new(),
            ignored: Vec::new(),
            pairs: PairOptions::default(),
            check_limits: true,
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
            let link = robot.link(&attached.link).ok_or_else(|| RobotError::Unknown {
                by: format!("attached object '{}'", attached.name),
                what: "link",
                name: attached.link.clone(),
            })?;
            if robot.link(&attached.name).is_some() || parts.iter().any(|part| part.name == attached.name) {
                return Err(RobotError::Twice { what: "part", name: attached.name.clone() });
            }
            let bodies: Vec<(Body, Pose)> = vec![(attached.body.clone(), attached.pose)];
            let part = Part::new(attached.name.clone(), link, robot.links()[link].node, &bodies);
            parts.push(Part { is_attached: true, ..part });
        }
        self.pad(&mut parts)?;
        Ok(parts)
    }

    fn pad(&self, parts: &mut [Part]) -> Result<(), RobotError> {
        let length = |what: String, value: f64| {
            let is_length = (0.0..=f64::MAX).contains(&value);
            if is_length { Ok(value) } else { Err(RobotError::NotALength { what, value }) }
        };
        let all = length("a padding".to_owned(), self.padding)?;
        parts.iter_mut().for_each(|part| part.padding = all);
        for (name, padding) in &self.padding_of {
            let part = parts.iter_mut().find(|part| part.name == *name);
            let part = part.ok_or_else(|| unknown("a padding", "part", name))?;
            part.padding = length(format!("the padding of '{name}'"), *padding)?;
        }
        Ok(())
    }

    /// For each part the objects that it is checked with.
    pub(super) fn with(&self, parts: &[Part], objects: &[Object]) -> Result<Vec<Vec<u32>>, RobotError> {
        for (i, object) in objects.iter().enumerate() {
            let is_part = parts.iter().any(|part| part.name == object.name);
            if is_part || objects[..i].iter().any(|other| other.name == object.name) {
                return Err(RobotError::Twice { what: "object", name: object.name.clone() });
            }
        }
        let names = || parts.iter().map(|part| &part.name).chain(objects.iter().map(|object| &object.name));
        for name in self.ignored.iter().flatten() {
            if !names().any(|known| known == name) {
                return Err(unknown("an ignored pair", "part or object", name));
            }
        }
        let is_checked = |part: &Part, object: &Object| !self.ignores(&part.name, &object.name);
        let of = |part: &Part| {
            let checked = objects.iter().enumerate().filter(|(_, object)| is_checked(part, object));
            checked.map(|(i, _)| i as u32).collect()
        };
        Ok(parts.iter().map(of).collect())
    }

    pub(super) fn ignores(&self, one: &str, other: &str) -> bool {
        self.ignored.iter().any(|[a, b]| (a == one && b == other) || (a == other && b == one))
    }
}

pub(super) fn unknown(by: &str, what: &'static str, name: &str) -> RobotError {
    RobotError::Unknown { by: by.to_owned(), what, name: name.to_owned() }
}
