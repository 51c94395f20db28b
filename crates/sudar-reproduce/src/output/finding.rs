//! What a source found and what is found here, in a sentence that follows from the tables.

use std::fmt;

use crate::output::file::Result;
use crate::output::table::Tables;

/// How what is found here compares with what a source found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The same, in what the source concludes from it; and numbers that do not go with the machine are half to twice
    /// as large.
    Agrees,
    /// The same course, with numbers farther off.
    OtherSize,
    /// Another course.
    Disagrees,
}

/// The factor within which sizes agree.
const NEAR: f64 = 2.0;

impl Verdict {
    /// Of a course that is the same or not, and of sizes found here and there.
    pub(crate) fn of(is_same_course: bool, sizes: &[(f64, f64)]) -> Self {
        let is_near = |(here, there): &(f64, f64)| (there / NEAR..=there * NEAR).contains(here);
        match (is_same_course, sizes.iter().all(is_near)) {
            (true, true) => Self::Agrees,
            (true, false) => Self::OtherSize,
            (false, _) => Self::Disagrees,
        }
    }
}

impl From<bool> for Verdict {
    fn from(agrees: bool) -> Self {
        Self::of(agrees, &[])
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "It agrees.",
            Self::OtherSize => "The same shape, another size.",
            Self::Disagrees => "It disagrees.",
        })
    }
}

/// What a source found and what is found here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Author, year and place: a figure, table or section.
    pub source: &'static str,
    /// What the source found.
    pub there: String,
    /// What is found here.
    pub here: String,
    /// Whether that is the same.
    pub verdict: Verdict,
}

impl Finding {
    /// Of a figure, table or section of a source.
    pub(crate) fn new(
        source: &'static str,
        there: impl Into<String>,
        here: impl Into<String>,
        verdict: impl Into<Verdict>,
    ) -> Self {
        Self { source, there: there.into(), here: here.into(), verdict: verdict.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}. Here: {}. {}", self.source, self.there, self.here, self.verdict)
    }
}

/// Sentences from the tables of an experiment.
pub type Find = fn(&Tables) -> Result<Vec<Finding>>;

/// A number as a sentence has it: three digits, thousands apart.
pub fn say(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = (2 - x.abs().max(1e-300).log10().floor() as i32).max(-12);
    if digits > 6 {
        return format!("{x:.1e}");
    }
    let unit = 10_f64.powi(-digits);
    let rounded = if digits < 0 { (x / unit).round() * unit } else { x };
    let text = format!("{rounded:.*}", digits.max(0) as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    let (whole, rest) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 && whole.len() > 4 {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    rest.map_or(grouped.clone(), |rest| format!("{grouped}.{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let said = [0.0, 0.0123456, 1.0, 12.34, 123.4, 1234.0, 12345.0, 1_234_567.0, 0.00001].map(say);
        assert_eq!(said, ["0", "0.0123", "1", "12.3", "123", "1230", "12 300", "1 230 000", "1.0e-5"]);
    }

    #[test]
    fn sizes_agree_within_a_factor_of_two() {
        let verdicts = [
            Verdict::of(true, &[(19.0, 10.0), (5.1, 10.0)]),
            Verdict::of(true, &[(10.0, 10.0), (21.0, 10.0)]),
            Verdict::of(false, &[(10.0, 10.0)]),
        ];
        assert_eq!(verdicts, [Verdict::Agrees, Verdict::OtherSize, Verdict::Disagrees]);
    }

    #[test]
    fn a_finding_is_a_sentence() {
        let finding = Finding::new("A 2002, table 1", "two", "three", false);
        assert_eq!(finding.to_string(), "A 2002, table 1: two. Here: three. It disagrees.");
    }
}
