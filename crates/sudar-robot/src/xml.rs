//! XML element by element, with lines, and with limits against texts that are made to do harm.

use std::rc::Rc;
use std::sync::Arc;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::RobotError;

/// Most attributes of an element; MJCF knows some forty for each.
const MOST_ATTRIBUTES: usize = 256;

/// A line of a file.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub file: Arc<str>,
    pub line: usize,
}

/// An element without its text, which robots do not use.
#[derive(Debug)]
pub(crate) struct Element {
    pub name: String,
    /// Shared with classes of MJCF and what inherits from them.
    pub attributes: Vec<(Rc<str>, Rc<str>)>,
    pub place: Place,
    /// Numbers in the list that holds all elements.
    pub children: Vec<usize>,
}

impl Element {
    pub fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| **name == *key).map(|(_, value)| &**value)
    }

    /// What messages call it.
    pub fn label(&self) -> String {
        match self.get("name") {
            Some(name) => format!("{} '{name}'", self.name),
            None => self.name.clone(),
        }
    }
}

/// What comes next in a text.
pub(crate) enum Step {
    /// An element begins; it has no end of its own if it is empty.
    Open { element: Element, is_empty: bool },
    /// The element ends that was opened last and has not ended.
    Close,
}

/// Reads a text of one root element.
pub(crate) struct Steps<'t> {
    reader: Reader<&'t [u8]>,
    lines: Lines<'t>,
    file: Arc<str>,
    what: &'static str,
    /// How many elements may be open at once, and how many of those are around this text.
    deepest: usize,
    around: usize,
    open: usize,
    roots: usize,
}

/// Counts lines up to places that come one after the other.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, at: u64) -> usize {
        let at = (at as usize).min(self.text.len());
        if let Some(passed) = self.text.as_bytes().get(self.at..at) {
            self.line += passed.iter().filter(|byte| **byte == b'\n').count();
            self.at = at;
        }
        self.line
    }
}

impl<'t> Steps<'t> {
    /// Of a file of a kind (`URDF`), in which at most so many elements may be inside each other.
    pub fn new(text: &'t str, file: Arc<str>, what: &'static str, deepest: usize) -> Self {
        let lines = Lines { text, at: 0, line: 1 };
        Self { reader: Reader::from_str(text), lines, file, what, deepest, around: 0, open: 0, roots: 0 }
    }

    /// The same for a text that stands inside so many elements of another.
    pub fn inside(self, around: usize) -> Self {
        Self { around, ..self }
    }

    fn refused(&self, why: impl Into<String>) -> RobotError {
        RobotError::NotXml { file: self.file.to_string(), what: self.what, why: why.into() }
    }

    /// The next step; none at the end of the text.
    ///
    /// # Errors
    /// [`RobotError::NotXml`] for what is no XML, has a DTD, no or several root elements, is cut off, or nested too
    /// deep.
    pub fn next(&mut self) -> Result<Option<Step>, RobotError> {
        loop {
            let place = Place { file: self.file.clone(), line: self.lines.of(self.reader.buffer_position()) };
            let event = self.reader.read_event();
            let event = event.map_err(|error| self.refused(format!("line {}: {error}", place.line)))?;
            let (element, is_empty) = match event {
                Event::Start(element) => (element, false),
                Event::Empty(element) => (element, true),
                Event::End(_) => {
                    self.open = self.open.saturating_sub(1);
                    return Ok(Some(Step::Close));
                }
                Event::DocType(_) => {
                    return Err(self.refused("it has a DOCTYPE, which models do not need; remove it"));
                }
                Event::Eof if self.roots == 0 => return Err(self.refused("it has no element")),
                Event::Eof if self.open > 0 => return Err(self.refused("it is cut off")),
                Event::Eof => return Ok(None),
                Event::Text(_)
                | Event::CData(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::GeneralRef(_) => continue,
            };
            let element = element.into_owned();
            self.enter(is_empty)?;
            return Ok(Some(Step::Open { element: self.element(&element, place)?, is_empty }));
        }
    }

    /// Counts an element that begins.
    fn enter(&mut self, is_empty: bool) -> Result<(), RobotError> {
        if self.around + self.open >= self.deepest {
            return Err(self.refused(format!("its elements are nested deeper than {}", self.deepest)));
        }
        if self.open == 0 {
            self.roots += 1;
        }
        if self.roots > 1 {
            return Err(self.refused("it has more than one root element; keep one"));
        }
        self.open += usize::from(!is_empty);
        Ok(())
    }

    fn element(&self, element: &BytesStart<'_>, place: Place) -> Result<Element, RobotError> {
        let name = element.name().as_ref().to_owned();
        let mut attributes = Vec::new();
        for attribute in element.attributes() {
            let refused = |why: String| self.refused(format!("line {}: {why}", place.line));
            let attribute = attribute.map_err(|error| refused(error.to_string()))?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| refused(error.to_string()))?;
            // Messages are one line, whatever names are.
            let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            attributes.push((attribute.key.as_ref().into(), value.into()));
            if attributes.len() > MOST_ATTRIBUTES {
                return Err(refused(format!("an element has more than {MOST_ATTRIBUTES} attributes")));
            }
        }
        Ok(Element { name, attributes, place, children: Vec::new() })
    }
}
