//! The units of a file.

use super::value::{Entry, Found, Lost};
use crate::Cause;
use crate::step::Step;

/// What numbers of a file mean, and how finely curves are cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Units {
    /// How many metres the unit of length is.
    pub metres: f64,
    /// How many radians the unit of angle is.
    pub angle: f64,
    /// How far the lines and faces in place of curves may be from them, in the unit of length.
    pub deflection: f64,
    /// The part of what is allowed that curves use: half for the edges of curved faces, which leaves some to the faces.
    pub share: f64,
}

/// What refers to what refers to what: deeper is without end.
pub(super) const DEEPEST: usize = 64;

/// Prefixes of units of the SI.
const PREFIXES: [(&str, f64); 16] = [
    ("EXA", 1e18),
    ("PETA", 1e15),
    ("TERA", 1e12),
    ("GIGA", 1e9),
    ("MEGA", 1e6),
    ("KILO", 1e3),
    ("HECTO", 1e2),
    ("DECA", 1e1),
    ("DECI", 1e-1),
    ("CENTI", 1e-2),
    ("MILLI", 1e-3),
    ("MICRO", 1e-6),
    ("NANO", 1e-9),
    ("PICO", 1e-12),
    ("FEMTO", 1e-15),
    ("ATTO", 1e-18),
];

/// Units that are given by others, and these by others, and so on.
const DEEPEST_UNIT: usize = 8;

impl Units {
    /// Those of the project; metres and radians where it has none.
    ///
    /// # Errors
    /// [`Cause::Refused`] for a unit of length that is none.
    pub fn of(step: &Step<'_>, deflection: f64) -> Result<Self, Cause> {
        let mut units = Self { metres: 1.0, angle: 1.0, deflection, share: 1.0 };
        let is = |number: &u32, class: &str| step.entities[number].class.eq_ignore_ascii_case(class);
        let project = step.entities.keys().copied().filter(|number| is(number, "IFCPROJECT")).min();
        let assignment = project.and_then(|project| step.entry(project).ok()?.reference(8).ok());
        let all = assignment.and_then(|one| step.entry(one).ok()?.references(0).ok()).unwrap_or_default();
        for number in all {
            let Ok(entry) = step.entry(number) else { continue };
            let refused = |_| {
                Cause::Refused(format!(
                    "#{number} is no usable unit of length; mend the units of the project"
                ))
            };
            if entry.says(1, "LENGTHUNIT") {
                units.metres = unit(step, &entry, DEEPEST_UNIT).map_err(refused)?;
            } else if entry.says(1, "PLANEANGLEUNIT") {
                units.angle = unit(step, &entry, DEEPEST_UNIT).map_err(|Lost(why)| Cause::Refused(why))?;
            }
        }
        units.deflection /= units.metres;
        Ok(units)
    }
}

/// How many metres or radians a unit is.
fn unit(step: &Step<'_>, entry: &Entry<'_>, depth: usize) -> Found<f64> {
    let wrong = || Lost(format!("#{} {} is no usable unit", entry.number, entry.class));
    let depth = depth.checked_sub(1).ok_or_else(wrong)?;
    let factor = match &*entry.class {
        "IFCSIUNIT" => {
            PREFIXES.iter().find(|(word, _)| entry.says(2, word)).map_or(1.0, |(_, factor)| *factor)
        }
        "IFCCONVERSIONBASEDUNIT" | "IFCCONVERSIONBASEDUNITWITHOFFSET" => {
            let measure = step.entry(entry.reference(3)?)?;
            measure.number(0)? * unit(step, &step.entry(measure.reference(1)?)?, depth)?
        }
        _ => return Err(wrong()),
    };
    if factor.is_finite() && factor > 0.0 { Ok(factor) } else { Err(wrong()) }
}
