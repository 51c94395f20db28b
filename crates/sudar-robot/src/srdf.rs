//! SRDF: the pairs of links that need not be checked.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::RobotError;
use crate::urdf::guard;

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
    guard(text, file, "SRDF")?;
    let mut reader = Reader::from_str(text);
    let mut pairs = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                if element.name().as_ref() == "disable_collisions" {
                    pairs.push(pair(&element, file)?);
                }
            }
            Ok(Event::Eof) => return Ok(pairs),
            Ok(_) => {}
            Err(error) => {
                let why = error.to_string();
                return Err(RobotError::NotXml { file: file.to_owned(), what: "SRDF", why });
            }
        }
    }
}

fn pair(element: &BytesStart<'_>, file: &str) -> Result<DisabledPair, RobotError> {
    let value = |key: &str| {
        let attribute = element.try_get_attribute(key).ok().flatten()?;
        Some(attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?.into_owned())
    };
    match (value("link1"), value("link2")) {
        (Some(one), Some(other)) => {
            Ok(DisabledPair { links: [one, other], reason: value("reason").unwrap_or_default() })
        }
        (_, _) => Err(RobotError::Description {
            file: file.to_owned(),
            why: "an element disable_collisions has no link1 or no link2; give it both".to_owned(),
        }),
    }
}
