//! What a text must be before a parser that recurses is given it.

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::RobotError;

/// Deepest nesting of elements: robots have five or six, and each takes stack of the parsers.
const DEEPEST: usize = 64;

/// Refuses what is no XML with a root `robot`, what is nested too deep, and files of macros.
pub(crate) fn guard(text: &str, file: &str, what: &'static str) -> Result<(), RobotError> {
    let refused = |why: &str| RobotError::NotXml { file: file.to_owned(), what, why: why.to_owned() };
    if text.trim().is_empty() {
        return Err(refused("it is empty"));
    }
    let mut reader = Reader::from_str(text);
    let (mut depth, mut elements) = (0usize, 0usize);
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                known(element.name().as_ref(), elements, file, what)?;
                elements += 1;
                depth += 1;
                if depth > DEEPEST {
                    return Err(refused(&format!("its elements are nested deeper than {DEEPEST}")));
                }
            }
            Ok(Event::Empty(element)) => {
                known(element.name().as_ref(), elements, file, what)?;
                elements += 1;
            }
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::DocType(_)) => {
                return Err(refused("it has a DOCTYPE, which robots do not need; remove it"));
            }
            Ok(Event::Eof) if elements == 0 => return Err(refused("it has no element <robot>")),
            Ok(Event::Eof) if depth > 0 => return Err(refused("it is cut off")),
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(refused(&error.to_string())),
        }
    }
}

fn known(name: &str, before: usize, file: &str, what: &'static str) -> Result<(), RobotError> {
    if name.starts_with("xacro:") {
        return Err(RobotError::Xacro { file: file.to_owned() });
    }
    if before == 0 && name != "robot" {
        let why = "its first element is not <robot>".to_owned();
        return Err(RobotError::NotXml { file: file.to_owned(), what, why });
    }
    Ok(())
}
