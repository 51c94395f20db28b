//! SRDF: the pairs of links that need not be checked, and groups of joints.

use std::collections::HashSet;

use crate::RobotError;
use crate::robot::{DisabledPair, JointGroup, Robot};
use crate::xml::{Element, Step, Steps};

/// Deepest nesting of elements: groups of groups are named, not nested.
const DEEPEST: usize = 64;

/// What a group is made of.
#[derive(Debug, Clone)]
enum Part {
    Joint(String),
    /// The joint that carries a link.
    Link(String),
    /// The joints from a link to another that it carries.
    Chain([String; 2]),
    /// All of another group.
    Group(String),
}

/// What is read of an SRDF.
#[derive(Debug, Default)]
pub(crate) struct Srdf {
    pub disabled: Vec<DisabledPair>,
    groups: Vec<(String, Vec<Part>)>,
}

/// Reads the elements `disable_collisions` and `group` of a text.
pub(crate) fn read(text: &str, file: &str) -> Result<Srdf, RobotError> {
    let mut steps = Steps::new(text, file.into(), "SRDF", DEEPEST);
    let (mut srdf, mut open) = (Srdf::default(), Vec::new());
    let mut is_first = true;
    while let Some(step) = steps.next()? {
        let Step::Open { element, is_empty } = step else {
            open.pop();
            continue;
        };
        let (line, name) = (element.place.line, element.name.as_str());
        if name.starts_with("xacro:") {
            return Err(RobotError::Xacro {
                file: file.to_owned(),
                line,
                what: format!("the element {name}"),
            });
        }
        if std::mem::take(&mut is_first) && name != "robot" {
            let why = "its first element is not <robot>".to_owned();
            return Err(RobotError::NotXml { file: file.to_owned(), what: "SRDF", why });
        }
        match (open.len(), name) {
            (_, "disable_collisions") => srdf.disabled.push(pair(&element)?),
            (1, "group") => {
                srdf.groups.push((element.get("name").unwrap_or_default().to_owned(), Vec::new()));
            }
            (2, _) if open.last().is_some_and(|outer: &String| outer == "group") => {
                if let Some((_, parts)) = srdf.groups.last_mut() {
                    parts.extend(part(&element));
                }
            }
            (_, _) => {}
        }
        if !is_empty {
            open.push(element.name);
        }
    }
    Ok(srdf)
}

/// What an element within a group adds to it.
fn part(element: &Element) -> Option<Part> {
    let text = |key: &str| element.get(key).unwrap_or_default().to_owned();
    Some(match element.name.as_str() {
        "joint" => Part::Joint(text("name")),
        "link" => Part::Link(text("name")),
        "chain" => Part::Chain([text("base_link"), text("tip_link")]),
        "group" => Part::Group(text("name")),
        _ => return None,
    })
}

/// Most groups within each other.
const MOST_INNER: usize = 16;

impl Srdf {
    /// The groups, and what is wrong with those that are left out: SRDFs are often for several variants of a robot.
    pub fn groups(&self, robot: &Robot, file: &str) -> (Vec<JointGroup>, Vec<String>) {
        let (mut found, mut notes) = (Vec::new(), Vec::new());
        for (name, _) in &self.groups {
            let mut numbers = Vec::new();
            match self.collect(robot, name, 0, &mut numbers) {
                Ok(()) => {
                    let mut seen = HashSet::new();
                    numbers.retain(|number: &String| seen.insert(number.clone()));
                    found.push(JointGroup { name: name.clone(), joints: numbers });
                }
                Err(why) => notes.push(format!("{file}: group '{name}' is left out: {why}")),
            }
        }
        (found, notes)
    }

    fn collect(&self, robot: &Robot, name: &str, depth: usize, to: &mut Vec<String>) -> Result<(), String> {
        if depth > MOST_INNER {
            return Err("groups are in each other".to_owned());
        }
        let named = self.groups.iter().find(|(known, _)| known == name);
        let (_, parts) = named.ok_or_else(|| format!("group '{name}' does not exist"))?;
        for part in parts {
            match part {
                Part::Joint(joint) => {
                    let number = robot.joints().iter().position(|known| known.name == *joint);
                    to.extend(numbers(
                        robot,
                        number.ok_or_else(|| format!("joint '{joint}' does not exist"))?,
                    ));
                }
                Part::Link(link) => {
                    let number = robot.link(link).ok_or_else(|| format!("link '{link}' does not exist"))?;
                    to.extend(
                        robot.links()[number].joint.map(|joint| numbers(robot, joint)).unwrap_or_default(),
                    );
                }
                Part::Chain([base, tip]) => {
                    let chain = robot.chain(base, tip).map_err(|error| error.to_string())?;
                    to.extend(chain.into_iter().map(str::to_owned));
                }
                Part::Group(inner) => self.collect(robot, inner, depth + 1, to)?,
            }
        }
        Ok(())
    }
}

/// The names of the numbers of a joint; none of one that is fixed or mimics.
fn numbers(robot: &Robot, joint: usize) -> Vec<String> {
    robot.dofs().iter().filter(|dof| dof.joint == joint).map(|dof| dof.name.clone()).collect()
}

fn pair(element: &Element) -> Result<DisabledPair, RobotError> {
    let value = |key: &str| element.get(key).map(str::to_owned);
    match (value("link1"), value("link2")) {
        (Some(one), Some(other)) => {
            Ok(DisabledPair { links: [one, other], reason: value("reason").unwrap_or_default() })
        }
        (_, _) => Err(RobotError::Description {
            file: element.place.file.to_string(),
            why: format!(
                "line {}: an element disable_collisions has no link1 or no link2; give it both",
                element.place.line
            ),
        }),
    }
}
