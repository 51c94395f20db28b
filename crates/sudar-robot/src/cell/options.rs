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
    pub(super) fn limit_tolerance(&self) -> Result<Option<f64>, RobotError> {
        let tolerance = length("the tolerance of limits".to_owned(), self.limit_tolerance)?;
        Ok(self.check_limits.then_some(tolerance))
    }

    /// For each part the objects that it is checked with.
    pub(super) fn with(&self, parts: &[Part], objects: &[Object]) -> Result<Vec<Vec<u32>>, RobotError> {
        for (i, object) in objects.iter().enumerate() {
            if objects[..i].iter().any(|other| other.name == object.name) {
                return Err(RobotError::Twice { what: "object", name: object.name.clone() });
            }
        }
        let ignored = self.ignored(parts, objects)?;
        let is_checked = |part: &Part, object: &Object| {
            !ignored.iter().any(|pair| pair.is(Side::Part(&part.name), Side::Object(&object.name)))
        };
        let of = |part: &Part| {
            let checked = objects.iter().enumerate().filter(|(_, object)| is_checked(part, object));
            checked.map(|(i, _)| i as u32).collect()
        };
        Ok(parts.iter().map(of).collect())
    }

    /// The ignored pairs by what they name.
    fn ignored<'o>(&'o self, parts: &[Part], objects: &[Object]) -> Result<Vec<Ignored<'o>>, RobotError> {
        let is_part = |name: &str| parts.iter().any(|part| part.name == name);
        let is_object = |name: &str| objects.iter().any(|object| object.name == name);
        let side = |name: &'o str| match (is_part(name), is_object(name)) {
            (true, true) => Err(RobotError::Ambiguous { name: name.to_owned() }),
            (true, false) => Ok(Side::Part(name)),
            (false, true) => Ok(Side::Object(name)),
            (false, false) => match name.split_once(':') {
                Some(("part", name)) if is_part(name) => Ok(Side::Part(name)),
                Some(("object", name)) if is_object(name) => Ok(Side::Object(name)),
                _ => Err(unknown("an ignored pair", "part or object", name)),
            },
        };
        let pair = |[one, other]: &'o [String; 2]| Ok(Ignored([side(one)?, side(other)?]));
        self.ignored.iter().map(pair).collect()
    }

    /// Whether two parts are an ignored pair.
    pub(super) fn ignores(&self, one: &str, other: &str) -> bool {
        let named = |name: &str, part: &str| name == part || name.strip_prefix("part:") == Some(part);
        let is = |[a, b]: &[String; 2]| named(a, one) && named(b, other) || named(a, other) && named(b, one);
        self.ignored.iter().any(is)
    }
}

/// What a name of an ignored pair stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side<'o> {
    Part(&'o str),
    Object(&'o str),
}

struct Ignored<'o>([Side<'o>; 2]);

impl Ignored<'_> {
    fn is(&self, one: Side<'_>, other: Side<'_>) -> bool {
        self.0 == [one, other] || self.0 == [other, one]
    }
}

fn length(what: String, value: f64) -> Result<f64, RobotError> {
    // A range holds no NaN.
    let is_length = (0.0..=f64::MAX).contains(&value);
    if is_length { Ok(value) } else { Err(RobotError::NotALength { what, value }) }
}

pub(super) fn unknown(by: &str, what: &'static str, name: &str) -> RobotError {
    RobotError::Unknown { by: by.to_owned(), what, name: name.to_owned() }
}
