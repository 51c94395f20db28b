//! Default classes: what elements of each kind have unless they say otherwise.

use std::collections::HashMap;

use super::attributes::{Attributes, Values, overlay};
use super::document::{Document, Element};
use super::fault::MjcfFault;
use crate::RobotError;

/// The class that all others inherit from.
const MAIN: &str = "main";

/// Most classes: each has all that it inherits.
const MOST_CLASSES: usize = 2000;

/// The kinds of actuators, which share their defaults.
pub(super) const ACTUATORS: [&str; 12] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "pid",
    "orientation",
];

/// Attributes by the kinds of elements.
type Class = HashMap<&'static str, Values>;

/// The classes of a model by their names, each with what it inherits.
#[derive(Debug)]
pub(super) struct Defaults {
    classes: HashMap<String, Class>,
}

/// The kinds of elements whose defaults are read.
fn kind(name: &str) -> Option<&'static str> {
    match name {
        "geom" => Some("geom"),
        "joint" => Some("joint"),
        "mesh" => Some("mesh"),
        "equality" => Some("equality"),
        name if ACTUATORS.contains(&name) => Some("actuator"),
        _ => None,
    }
}

impl Defaults {
    pub fn read(document: &Document) -> Result<Self, RobotError> {
        let mut defaults = Self { classes: HashMap::from([(MAIN.to_owned(), Class::new())]) };
        // Classes that are still to be read, each with the name of the one that it is in.
        let mut open: Vec<(&Element, Option<String>)> =
            document.sections("default").map(|section| (section, None)).collect();
        open.reverse();
        while let Some((element, parent)) = open.pop() {
            let name = defaults.class(document, element, parent.as_deref())?;
            let inner = document.children(element).filter(|child| child.name == "default");
            open.extend(inner.rev().map(|child| (child, Some(name.clone()))));
        }
        Ok(defaults)
    }

    /// Reads a class without those within it; its name.
    fn class(
        &mut self,
        document: &Document,
        element: &Element,
        parent: Option<&str>,
    ) -> Result<String, RobotError> {
        let name = element.get("class").map(str::to_owned);
        let missing = || element.place.refuse(MjcfFault::Missing { of: element.label(), attribute: "class" });
        // Sections at the top are all the same class, whatever it is called.
        let name = match parent {
            None => MAIN.to_owned(),
            Some(_) => name.filter(|name| !name.is_empty()).ok_or_else(missing)?,
        };
        let mut class = match parent {
            None => self.classes.remove(MAIN).unwrap_or_default(),
            Some(parent) => self.classes.get(parent).cloned().unwrap_or_default(),
        };
        for child in document.children(element) {
            if let Some(kind) = kind(&child.name) {
                overlay(class.entry(kind).or_default(), child)?;
            }
        }
        if self.classes.len() == MOST_CLASSES {
            return Err(element.place.refuse(MjcfFault::TooMany { what: "classes", most: MOST_CLASSES }));
        }
        if self.classes.insert(name.clone(), class).is_some() {
            return Err(element.place.refuse(MjcfFault::Twice { what: "classes", name }));
        }
        if parent.is_none()
            && let Some(renamed) = element.get("class").filter(|class| !class.is_empty() && *class != MAIN)
        {
            // Old files name the class at the top.
            let class = self.classes.get(MAIN).cloned().unwrap_or_default();
            self.classes.insert(renamed.to_owned(), class);
        }
        Ok(name)
    }

    /// The attributes of an element of a kind, over those of its own class, or else that of the body around it.
    pub fn of(
        &self,
        kind: &'static str,
        element: &Element,
        around: Option<&str>,
    ) -> Result<Attributes, RobotError> {
        let name = element.get("class").or(around).unwrap_or(MAIN);
        let class = self.classes.get(name).ok_or_else(|| unknown(element, name))?;
        Attributes::new(class.get(kind), element)
    }

    /// Whether a class of the name exists.
    pub fn check(&self, element: &Element, class: &str) -> Result<(), RobotError> {
        if self.classes.contains_key(class) { Ok(()) } else { Err(unknown(element, class)) }
    }
}

fn unknown(element: &Element, class: &str) -> RobotError {
    element.place.refuse(MjcfFault::Unknown { of: element.label(), what: "class", name: class.to_owned() })
}
