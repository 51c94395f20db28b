//! Units of length, and lengths that name theirs.

use std::str::FromStr;

use thiserror::Error;

/// A unit of length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Micrometres.
    Um,
    /// Millimetres.
    Mm,
    /// Centimetres.
    Cm,
    /// Metres.
    M,
    /// Kilometres.
    Km,
    /// Inches, 25.4 mm.
    In,
    /// Feet, 0.3048 m.
    Ft,
    /// Yards, 0.9144 m.
    Yd,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 8] =
        [Self::Um, Self::Mm, Self::Cm, Self::M, Self::Km, Self::In, Self::Ft, Self::Yd];

    /// The name, as it stands behind a number.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Um => "um",
            Self::Mm => "mm",
            Self::Cm => "cm",
            Self::M => "m",
            Self::Km => "km",
            Self::In => "in",
            Self::Ft => "ft",
            Self::Yd => "yd",
        }
    }

    /// How many metres it is.
    pub const fn metres(self) -> f64 {
        self.nanometres() / 1e9
    }

    /// The unit that is so many metres, which a file may have rounded.
    pub fn of_metres(metres: f64) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| (metres / unit.metres() - 1.0).abs() <= ROUNDED)
    }

    /// How many nanometres it is: a whole number, so that little is lost between two units.
    const fn nanometres(self) -> f64 {
        match self {
            Self::Um => 1e3,
            Self::Mm => 1e6,
            Self::Cm => 1e7,
            Self::M => 1e9,
            Self::Km => 1e12,
            Self::In => 25_400_000.0,
            Self::Ft => 304_800_000.0,
            Self::Yd => 914_400_000.0,
        }
    }
}

/// How far the size of a unit in a file may be off, relatively: as many digits as programs write. The foot of a survey
/// is 2e-6 longer than the other.
const ROUNDED: f64 = 1e-9;

/// Why a text is no length, or a length none in some unit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LengthError {
    /// Neither a number nor a number with a unit.
    #[error(
        "'{0}' is no length; write a number, or one with a unit as in 5mm (um, mm, cm, m, km, in, ft, yd)"
    )]
    Form(String),
    /// NaN, infinity or less than zero.
    #[error("a length must be finite and not negative, found {0}")]
    Range(String),
    /// The unit of the scene is not known.
    #[error("{0}{unit}: the unit of the files is not known; name it with --units, or give a number without unit",
            unit = .1.name())]
    Unknown(String, Unit),
}

/// A length of zero or more, in a unit that it names or else in that of the scene: `5mm`, `0.005`.
///
/// ```
/// use sudar_clash::{Length, Unit};
///
/// let gap: Length = "5 mm".parse()?;
/// assert_eq!(gap.in_unit(Some(Unit::M))?, 0.005);
/// assert_eq!("0.25".parse::<Length>()?.in_unit(None)?, 0.25);
/// assert!(gap.in_unit(None).is_err());
/// # Ok::<(), sudar_clash::LengthError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    value: f64,
    unit: Option<Unit>,
}

impl Length {
    /// A length in the unit of the scene.
    ///
    /// # Errors
    /// [`LengthError::Range`].
    pub fn new(value: f64) -> Result<Self, LengthError> {
        let is_length = value.is_finite() && value >= 0.0;
        if is_length { Ok(Self { value, unit: None }) } else { Err(LengthError::Range(value.to_string())) }
    }

    /// The number of units of the scene, whose unit may be unknown.
    ///
    /// # Errors
    /// [`LengthError::Unknown`] if the length names a unit and the scene has none.
    pub fn in_unit(self, scene: Option<Unit>) -> Result<f64, LengthError> {
        match (self.unit, scene) {
            (None, _) => Ok(self.value),
            (Some(own), Some(scene)) if own == scene => Ok(self.value),
            (Some(own), Some(scene)) => Ok(self.value * own.nanometres() / scene.nanometres()),
            (Some(own), None) => Err(LengthError::Unknown(self.value.to_string(), own)),
        }
    }
}

impl FromStr for Length {
    type Err = LengthError;

    fn from_str(text: &str) -> Result<Self, LengthError> {
        let text = text.trim();
        let named = Unit::ALL.into_iter().filter_map(|unit| Some((text.strip_suffix(unit.name())?, unit)));
        // Of "mm" and "m" the longer name counts.
        let (number, unit) = match named.min_by_key(|(number, _)| number.len()) {
            Some((number, unit)) => (number.trim_end(), Some(unit)),
            None => (text, None),
        };
        let value = number.parse().map_err(|_| LengthError::Form(text.to_owned()))?;
        Self::new(value).map(|length| Self { unit, ..length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_say_their_unit_or_have_that_of_the_scene() {
        let cases = [
            ("5mm", Unit::Mm, 5.0),
            ("5 mm", Unit::M, 0.005),
            ("0.25m", Unit::Mm, 250.0),
            ("1in", Unit::Mm, 25.4),
            ("1 ft", Unit::In, 12.0),
            ("3yd", Unit::Ft, 9.0),
            ("2e-3km", Unit::M, 2.0),
            ("7um", Unit::Um, 7.0),
            ("4", Unit::Cm, 4.0),
        ];
        for (text, scene, expected) in cases {
            let found = text.parse::<Length>().unwrap().in_unit(Some(scene)).unwrap();
            assert!((found - expected).abs() <= 1e-15 * expected, "{text}: {found}");
        }
        assert_eq!("5mm".parse::<Length>().unwrap().in_unit(Some(Unit::M)), Ok(0.005));
    }

    #[test]
    fn units_are_known_by_their_size() {
        for unit in Unit::ALL {
            assert_eq!(Unit::of_metres(unit.metres().next_up()), Some(unit));
        }
        assert_eq!((Unit::of_metres(1200.0 / 3937.0), Unit::of_metres(0.0)), (None, None));
    }

    #[test]
    fn what_is_no_length_is_refused() {
        for text in ["", "mm", "5 parsec", "1,5mm", "mm5"] {
            assert_eq!(text.parse::<Length>(), Err(LengthError::Form(text.to_owned())), "{text}");
        }
        for text in ["-1mm", "nan", "inf", "-0.5"] {
            assert!(matches!(text.parse::<Length>(), Err(LengthError::Range(_))), "{text}");
        }
        let unknown = "5mm".parse::<Length>().unwrap().in_unit(None).unwrap_err().to_string();
        let expected =
            "5mm: the unit of the files is not known; name it with --units, or give a number without unit";
        assert_eq!(unknown, expected);
    }
}
