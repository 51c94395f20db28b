//! The attributes of an element over those of its default class, as numbers and words.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::document::Element;
use super::fault::{MjcfFault, Place};
use crate::RobotError;

/// Largest number of a file: sums along any chain stay far within the range of poses.
pub(super) const MOST: f64 = 1e80;

/// Ways to give an orientation besides a quaternion. The last that is given counts, also over a quaternion.
pub(super) const ALTERNATIVES: [&str; 4] = ["axisangle", "xyaxes", "zaxis", "euler"];

/// Values by the names of attributes.
pub(super) type Values = BTreeMap<Rc<str>, Rc<str>>;

/// An element with what it inherits.
#[derive(Debug, Clone)]
pub(super) struct Attributes {
    values: Values,
    /// What messages call the element.
    pub label: String,
    pub place: Place,
}

/// Lays the attributes of an element over others.
pub(super) fn overlay(values: &mut Values, element: &Element) -> Result<(), RobotError> {
    let own = |key: &str| element.get(key).is_some();
    let orientations = ALTERNATIVES.iter().filter(|key| own(key)).count();
    if orientations + usize::from(own("quat")) > 1 {
        return Err(element.place.refuse(MjcfFault::Orientations { of: element.label() }));
    }
    if orientations == 1 {
        ALTERNATIVES.iter().for_each(|key| drop(values.remove(*key)));
    }
    for (key, value) in &element.attributes {
        // Fewer sizes than the class has leave the others as they are.
        let joined = match values.get(key) {
            Some(before) if **key == *"size" => rest(value, before).into(),
            _ => value.clone(),
        };
        values.insert(key.clone(), joined);
    }
    Ok(())
}

/// A geom has no more sizes.
const SIZES: usize = 3;

/// A list of sizes with what another has beyond its end.
fn rest(value: &str, before: &str) -> String {
    let count = value.split_whitespace().take(SIZES).count();
    let others = before.split_whitespace().take(SIZES).skip(count);
    value.split_whitespace().take(SIZES + 1).chain(others).collect::<Vec<_>>().join(" ")
}

impl Attributes {
    /// Those of an element over those of its class.
    pub fn new(class: Option<&Values>, element: &Element) -> Result<Self, RobotError> {
        let mut values = class.cloned().unwrap_or_default();
        overlay(&mut values, element)?;
        Ok(Self { values, label: element.label(), place: element.place.clone() })
    }

    pub fn refuse(&self, fault: MjcfFault) -> RobotError {
        self.place.refuse(fault)
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(|value| &**value)
    }

    pub fn set(&mut self, key: &str, value: &str) {
        self.values.insert(key.into(), value.into());
    }

    /// A list of numbers, of which there must be from `least` to `most`.
    pub fn list(
        &self,
        attribute: &'static str,
        least: usize,
        most: usize,
    ) -> Result<Option<Vec<f64>>, RobotError> {
        let Some(text) = self.get(attribute) else { return Ok(None) };
        let number = |word: &str| {
            let of = self.label.clone();
            let fault = MjcfFault::Number { of, attribute, found: word.chars().take(40).collect() };
            let number: Option<f64> = word.parse().ok().filter(|x: &f64| x.abs() <= MOST);
            number.ok_or_else(|| self.refuse(fault))
        };
        // What is too long is not read to its end.
        let words = text.split_whitespace().take(most.saturating_add(1));
        let numbers = words.map(number).collect::<Result<Vec<f64>, _>>()?;
        if (least..=most).contains(&numbers.len()) {
            return Ok(Some(numbers));
        }
        let expected = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let (of, found) = (self.label.clone(), text.split_whitespace().count());
        Err(self.refuse(MjcfFault::Count { of, attribute, found, expected }))
    }

    /// So many numbers.
    pub fn numbers<const N: usize>(&self, attribute: &'static str) -> Result<Option<[f64; N]>, RobotError> {
        let list = self.list(attribute, N, N)?;
        Ok(list.and_then(|list| list.try_into().ok()))
    }

    pub fn number(&self, attribute: &'static str, default: f64) -> Result<f64, RobotError> {
        Ok(self.numbers::<1>(attribute)?.map_or(default, |[x]| x))
    }

    /// Whole numbers, such as bits of groups, which may be negative where all bits are meant.
    pub fn whole(&self, attribute: &'static str, default: i64) -> Result<i64, RobotError> {
        let x = self.number(attribute, default as f64)?;
        let is_whole = x == x.trunc() && x.abs() <= f64::from(u32::MAX);
        let fault = || MjcfFault::Number { of: self.label.clone(), attribute, found: x.to_string() };
        if is_whole { Ok(x as i64) } else { Err(self.refuse(fault())) }
    }

    /// The number of the word among the known ones.
    pub fn word(&self, attribute: &'static str, known: &[&str]) -> Result<Option<usize>, RobotError> {
        let Some(word) = self.get(attribute) else { return Ok(None) };
        let found = known.iter().position(|name| *name == word);
        let fault = || MjcfFault::Word {
            of: self.label.clone(),
            attribute,
            found: word.chars().take(40).collect(),
            known: known.join(", "),
        };
        found.map(Some).ok_or_else(|| self.refuse(fault()))
    }

    pub fn flag(&self, attribute: &'static str, default: bool) -> Result<bool, RobotError> {
        Ok(self.word(attribute, &["false", "true"])?.map_or(default, |found| found == 1))
    }

    /// A range, if it limits: where `limited` is true, or where it is "auto" or missing and there is a range, which
    /// is refused where the compiler has no `autolimits`.
    pub fn range(
        &self,
        limited: &'static str,
        range: &'static str,
        is_auto: bool,
    ) -> Result<Option<[f64; 2]>, RobotError> {
        let ends = self.numbers::<2>(range)?.unwrap_or([0.0; 2]);
        let limits = match self.word(limited, &["false", "true", "auto"])? {
            Some(0) => false,
            Some(1) => true,
            _ => ends != [0.0; 2],
        };
        if limits && !is_auto && self.get(limited).is_none_or(|word| word == "auto") {
            let of = self.label.clone();
            return Err(self.refuse(MjcfFault::Missing { of, attribute: limited }));
        }
        Ok(limits.then_some(ends))
    }

    /// What is missing is an error.
    pub fn need<T>(&self, attribute: &'static str, value: Option<T>) -> Result<T, RobotError> {
        value.ok_or_else(|| self.refuse(MjcfFault::Missing { of: self.label.clone(), attribute }))
    }

    pub fn unknown(&self, what: &'static str, name: &str) -> RobotError {
        self.refuse(MjcfFault::Unknown { of: self.label.clone(), what, name: name.to_owned() })
    }
}
