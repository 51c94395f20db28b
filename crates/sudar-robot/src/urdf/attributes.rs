//! An element with what it stands in: attributes as numbers, and messages that name it.

use sudar::DVec3;

use super::MOST;
use crate::RobotError;
use crate::notes::Notes;
use crate::xml::Element;

/// An element of a file.
#[derive(Clone)]
pub(super) struct Found<'e> {
    all: &'e [Element],
    pub element: &'e Element,
    /// The link or joint that it belongs to, as messages call it.
    pub label: String,
}

impl<'e> Found<'e> {
    /// The element of a number that exists.
    pub fn new(all: &'e [Element], number: usize) -> Self {
        let element = &all[number];
        Self { all, element, label: element.label() }
    }

    /// The children, in order.
    pub fn children(&self) -> impl Iterator<Item = Self> + use<'e> {
        let (all, outer) = (self.all, self.label.clone());
        self.element.children.iter().map(move |child| {
            let element = &all[*child];
            let is_named =
                ["link", "joint"].contains(&element.name.as_str()) && element.get("name").is_some();
            Self { all, element, label: if is_named { element.label() } else { outer.clone() } }
        })
    }

    /// The children of a name.
    pub fn all<'n>(&self, name: &'n str) -> impl Iterator<Item = Self> + use<'e, 'n> {
        self.children().filter(move |child| child.element.name == name)
    }

    pub fn first(&self, name: &str) -> Option<Self> {
        self.all(name).next()
    }

    /// The error that it is wrong.
    pub fn refuse(&self, why: &str) -> RobotError {
        let (place, name) = (&self.element.place, &self.element.name);
        let element = if self.label.starts_with(name.as_str()) {
            self.label.clone()
        } else {
            format!("{}, {name}", self.label)
        };
        RobotError::Description {
            file: place.file.to_string(),
            why: format!("line {}: {element}: {why}", place.line),
        }
    }

    /// An attribute. Expressions of xacro are refused.
    pub fn text(&self, key: &str) -> Result<Option<&'e str>, RobotError> {
        let Some(text) = self.element.get(key) else { return Ok(None) };
        if text.contains("${") || text.contains("$(") {
            return Err(RobotError::Xacro {
                file: self.element.place.file.to_string(),
                line: self.element.place.line,
                what: format!("the expression '{text}'"),
            });
        }
        Ok(Some(text))
    }

    /// An attribute that cannot be missing.
    pub fn need(&self, key: &str) -> Result<&'e str, RobotError> {
        self.text(key)?.ok_or_else(|| self.refuse(&format!("has no {key}; give it one")))
    }

    fn parsed(&self, key: &str, word: &str) -> Result<f64, RobotError> {
        word.parse().map_err(|_| self.refuse(&format!("{key} has '{word}', which is no number")))
    }

    fn checked(&self, x: f64) -> Result<f64, RobotError> {
        // Sums along any chain stay far within the range of poses.
        if x.abs() <= MOST { Ok(x) } else { Err(RobotError::Number { of: self.label.clone() }) }
    }

    /// An attribute of one number.
    pub fn number(&self, key: &str) -> Result<Option<f64>, RobotError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        self.checked(self.parsed(key, text.trim())?).map(Some)
    }

    pub fn need_number(&self, key: &str) -> Result<f64, RobotError> {
        self.need(key)?;
        Ok(self.number(key)?.unwrap_or_default())
    }

    /// An end of a range, 0 without one; it may be infinite.
    pub fn bound(&self, key: &str) -> Result<f64, RobotError> {
        let Some(text) = self.text(key)? else { return Ok(0.0) };
        let bound = self.parsed(key, text.trim())?;
        if bound.is_nan() { Err(RobotError::Number { of: self.label.clone() }) } else { Ok(bound) }
    }

    fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, RobotError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let words = text.split_whitespace();
        words.map(|word| self.checked(self.parsed(key, word)?)).collect::<Result<_, _>>().map(Some)
    }

    /// An attribute of three numbers.
    pub fn vector(&self, key: &str) -> Result<Option<DVec3>, RobotError> {
        match self.numbers(key)?.as_deref() {
            None => Ok(None),
            Some(&[x, y, z]) => Ok(Some(DVec3::new(x, y, z))),
            Some(found) => Err(self.refuse(&format!("{key} has {} numbers; give three", found.len()))),
        }
    }

    pub fn need_vector(&self, key: &str) -> Result<DVec3, RobotError> {
        self.need(key)?;
        Ok(self.vector(key)?.unwrap_or_default())
    }

    /// Three numbers, or one for all three; further ones, as some files have, are noted.
    pub fn scale(&self, key: &str, notes: &mut Notes) -> Result<Option<DVec3>, RobotError> {
        match self.numbers(key)?.as_deref() {
            Some(&[x]) => Ok(Some(DVec3::splat(x))),
            Some(found @ &[x, y, z, _, ..]) => {
                let what = format!("{key} has {} numbers; the first three are taken", found.len());
                notes.add(&self.element.place, &self.label, &what);
                Ok(Some(DVec3::new(x, y, z)))
            }
            _ => self.vector(key),
        }
    }
}
