//! Joints and the numbers that move them.

use std::collections::HashMap;

use sudar::Interval;

use super::read::{Description, JointElement};
use crate::RobotError;
use crate::node::Coordinate;
use crate::notes::Notes;
use crate::robot::{Dof, Joint, JointKind, Mimic};

/// The joints in the order of the file.
pub(super) fn joints(
    described: &Description,
    links: &[&str],
    notes: &mut Notes,
) -> Result<Vec<Joint>, RobotError> {
    let link = numbered(links.iter().copied(), "link")?;
    let names = described.joints.iter().map(|joint| joint.name.as_str());
    let numbers = numbered(names, "joint")?;
    let one = |joint: &JointElement| {
        let end = |name: &str| {
            let missing = || unknown(format!("joint '{}'", joint.name), "link", name);
            link.get(name).copied().ok_or_else(missing)
        };
        Ok(Joint {
            name: joint.name.clone(),
            kind: joint.kind,
            limits: joint.limits,
            effort: joint.effort,
            velocity: joint.velocity,
            friction: joint.friction,
            damping: joint.damping,
            parent: end(&joint.parent)?,
            child: end(&joint.child)?,
            mimics: mimic(joint, &numbers, notes),
            stiffness: 0.0,
            rest: 0.0,
        })
    };
    described.joints.iter().map(one).collect()
}

fn unknown(by: String, what: &'static str, name: &str) -> RobotError {
    RobotError::Unknown { by, what, name: name.to_owned() }
}

fn numbered<'n>(
    names: impl Iterator<Item = &'n str>,
    what: &'static str,
) -> Result<HashMap<&'n str, usize>, RobotError> {
    let mut known = HashMap::new();
    for (i, name) in names.enumerate() {
        if known.insert(name, i).is_some() {
            return Err(RobotError::Twice { what, name: name.to_owned() });
        }
    }
    Ok(known)
}

/// The joint that another copies; none if that does not exist, as other readers have it.
fn mimic(joint: &JointElement, number: &HashMap<&str, usize>, notes: &mut Notes) -> Option<Mimic> {
    let mimic = joint.mimic.as_ref()?;
    let Some(of) = number.get(mimic.joint.as_str()) else {
        let what = format!("mimics joint '{}', which does not exist; it moves by itself", mimic.joint);
        notes.add(&joint.place, &format!("joint '{}'", joint.name), &what);
        return None;
    };
    Some(Mimic { joint: *of, multiplier: mimic.multiplier, offset: mimic.offset })
}

impl JointKind {
    /// What its numbers are called, and which are angles.
    pub(super) fn numbers(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::Fixed => &[],
            Self::Revolute | Self::Continuous => &[("", true)],
            Self::Prismatic => &[("", false)],
            Self::Planar => &[(".u", false), (".v", false), (".turn", true)],
            Self::Floating => &[
                (".x", false),
                (".y", false),
                (".z", false),
                (".roll", true),
                (".pitch", true),
                (".yaw", true),
            ],
            Self::Spherical => &[(".roll", true), (".pitch", true), (".yaw", true)],
        }
    }
}

/// The numbers of a configuration.
pub(crate) struct Moved {
    pub dofs: Vec<Dof>,
    /// For each joint the coordinates that move it.
    pub coordinates: Vec<Vec<Coordinate>>,
    /// Joints whose limits would narrow those of the joint that they mimic and do not, and what to say of it.
    pub wider: Vec<(usize, String)>,
}

/// The numbers of a configuration; limits of mimicking joints narrow those of the others if `narrows`.
pub(crate) fn dofs(joints: &[Joint], narrows: bool) -> Result<Moved, RobotError> {
    let mut moved =
        Moved { dofs: Vec::new(), coordinates: vec![Vec::new(); joints.len()], wider: Vec::new() };
    for (i, joint) in joints.iter().enumerate().filter(|(_, joint)| joint.mimics.is_none()) {
        for &(suffix, is_angle) in joint.kind.numbers() {
            moved.coordinates[i].push(Coordinate { dof: moved.dofs.len() as u32, factor: 1.0, offset: 0.0 });
            let name = format!("{}{suffix}", joint.name);
            moved.dofs.push(Dof { name, joint: i, limits: joint.limits, is_angle });
        }
    }
    for (i, joint) in joints.iter().enumerate().filter(|(_, joint)| joint.mimics.is_some()) {
        let Some(coordinate) = copied(joints, i, &moved.coordinates)? else { continue };
        moved.coordinates[i].push(coordinate);
        let dof = &mut moved.dofs[coordinate.dof as usize];
        let narrow = narrowed(dof.limits, joint.limits, &coordinate);
        if narrows {
            dof.limits = narrow;
        } else if narrow != dof.limits {
            let Interval { lower, upper } = narrow;
            let what = format!(
                "its limits do not narrow those of joint '{}', which it mimics, to {lower}..{upper}",
                dof.name
            );
            moved.wider.push((i, what));
        }
    }
    Ok(moved)
}

/// Follows a mimicking joint to the one that it copies in the end; `None` for one that is fixed itself.
fn copied(joints: &[Joint], i: usize, known: &[Vec<Coordinate>]) -> Result<Option<Coordinate>, RobotError> {
    let (mut at, mut factor, mut offset) = (i, 1.0, 0.0);
    let refused = |of: usize, why| {
        let (joint, of) = (joints[i].name.clone(), joints[of].name.clone());
        Err(RobotError::Mimic { joint, of, why })
    };
    if joints[i].kind == JointKind::Fixed {
        return Ok(None);
    }
    if joints[i].kind.numbers().len() != 1 {
        return refused(at, "only joints with one number can mimic");
    }
    for _ in 0..=joints.len() {
        match joints[at].mimics {
            Some(Mimic { joint, multiplier, offset: further }) => {
                offset += factor * further;
                factor *= multiplier;
                at = joint;
            }
            None => match known[at][..] {
                [first] => return Ok(Some(Coordinate { factor, offset, ..first })),
                _ => {
                    return refused(
                        at,
                        "it has not one number; mimic a revolute, continuous or prismatic joint",
                    );
                }
            },
        }
    }
    refused(joints[i].mimics.map_or(i, |mimic| mimic.joint), "they mimic each other in a circle")
}

/// The limits of a joint that is copied, narrowed so that the copy keeps its own.
fn narrowed(limits: Interval, copy: Interval, coordinate: &Coordinate) -> Interval {
    let at = |value: f64| (value - coordinate.offset) / coordinate.factor;
    if coordinate.factor == 0.0 {
        return limits;
    }
    let (one, other) = (at(copy.lower), at(copy.upper));
    Interval { lower: limits.lower.max(one.min(other)), upper: limits.upper.min(one.max(other)) }
}
