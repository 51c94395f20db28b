//! SRDF: the pairs of links that need not be checked.

use crate::RobotError;
use crate::xml::{Element, Step, Steps};

/// Deepest nesting of elements: groups of groups are named, not nested.
const DEEPEST: usize = 64;

/// A pair of links that an SRDF leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisabledPair {
    /// The names of the links.
    pub links: [String; 2],
    /// Why, as the file has it: "Adjacent", "Never" and the like; often empty.
    pub reason: String,
}

/// The elements `disable_collisions` of a text.
pub(crate) fn disabled(text: &str, file: &str) -> Result<Vec<DisabledPair>, RobotError> {
    let mut steps = Steps::new(text, file.into(), "SRDF", DEEPEST);
    let (mut pairs, mut elements) = (Vec::new(), 0);
    while let Some(step) = steps.next()? {
        let Step::Open { element, .. } = step else { continue };
        let (line, name) = (element.place.line, element.name.as_str());
        if name.starts_with("xacro:") {
            return Err(RobotError::Xacro {
                file: file.to_owned(),
                line,
                what: format!("the element {name}"),
            });
        }
        if elements == 0 && name != "robot" {
            let why = "its first element is not <robot>".to_owned();
            return Err(RobotError::NotXml { file: file.to_owned(), what: "SRDF", why });
        }
        elements += 1;
        if name == "disable_collisions" {
            pairs.push(pair(&element)?);
        }
    }
    Ok(pairs)
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
