//! Numbers for people.

use sudar::DVec3;

use crate::document::Document;
use crate::unit::Unit;

/// A thousandth of a millimetre, in metres.
const FINE: f64 = 1e-6;
/// At least so many digits of the greatest coordinate are said.
const DIGITS: i32 = 6;
/// No more decimals than this say anything.
const DECIMALS: i32 = 17;

impl Document<'_> {
    /// A point for people: coordinates to a thousandth of a millimetre, wherever it is, and at least six digits of the
    /// greatest. Where the unit is not known it is taken for metres.
    pub fn place(&self, p: DVec3) -> String {
        let unit = Unit::ALL.into_iter().find(|unit| Some(unit.name()) == self.origin.unit);
        place(p, unit.map_or(1.0, Unit::metres))
    }
}

fn place(p: DVec3, metres: f64) -> String {
    let power = |x: f64| libm::log10(x).ceil() as i32;
    let most = p.abs().max_element();
    let few = if most > 0.0 { DIGITS - power(most) } else { 0 };
    let decimals = power(metres / FINE * (1.0 - f64::EPSILON)).max(few).clamp(0, DECIMALS) as usize;
    let number = |x: f64| {
        let rounded: f64 = format!("{x:.decimals$}").parse().unwrap_or(x);
        // Zero has no sign.
        (rounded + 0.0).to_string()
    };
    p.to_array().map(number).join(", ")
}

/// Six significant digits, with an exponent where that is shorter to read.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if (1e-4..1e7).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_full_wherever_a_place_is() {
        let at = |x: f64, y: f64, z: f64, unit: Unit| place(DVec3::new(x, y, z), unit.metres());
        assert_eq!(at(456_789.125, 5_432_114.01, 0.004, Unit::M), "456789.125, 5432114.01, 0.004");
        assert_eq!(
            at(456_789_123.4, 5_432_114_010.0, 120_500.125, Unit::Mm),
            "456789123.4, 5432114010, 120500.125"
        );
        assert_eq!(at(1e-9, -1e-9, 2.0 / 3.0, Unit::M), "0, 0, 0.666667");
        assert_eq!(at(2.0 / 3.0, 0.0, 0.0, Unit::Mm), "0.666667, 0, 0");
        // Small ones have their digits.
        assert_eq!(at(1.23456789e-5, 0.0, -1e-6, Unit::M), "0.0000123457, 0, -0.000001");
        assert_eq!(at(0.0, 0.0, -0.0, Unit::Km), "0, 0, 0");
    }
}
