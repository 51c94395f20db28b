//! Which answers are right.

use super::answers::{Answers, Query};
use super::cases::Case;
use super::reference;

/// Signed distances this small are nobody's fault: poses reach the libraries rounded.
const GRAZING: f64 = 1e-9;
/// Errors up to this, relative to the size of the shapes and for sums to the sum, are right.
const RIGHT: f64 = 1e-6;
/// Errors up to this are what is left by the default tolerance of the libraries, which is 1e-6 for most of them.
const COARSE: f64 = 1e-5;

/// How good the answers to a query are, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Every yes or no as it should be, lengths within 1e-6.
    Right,
    /// Lengths within 1e-5.
    Coarse,
    /// Anything else.
    Wrong,
}

impl Grade {
    /// What is put behind a figure.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Right => "",
            Self::Coarse => " ≈",
            Self::Wrong => " ✗",
        }
    }
}

/// What is wrong with the answers to a query.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    /// Sum of the answers: hits, or lengths.
    pub sum: f64,
    /// Error of the sum, relative to the true one.
    pub sum_error: f64,
    /// Greatest error of one answer, relative to the size of the first shape. For yes and no: of no meaning, 0.
    pub worst: f64,
    /// Poses not grazing at which yes and no are the wrong way round; for lengths, where one is missing (NaN).
    pub wrong: usize,
    yes_or_no: bool,
}

impl Verdict {
    /// Compares with the true signed distances.
    pub fn of(answers: &Answers, case: &Case, signed: &[f64]) -> Self {
        let truth = |&s: &f64| answers.query.of(s);
        let sum: f64 = answers.values.iter().sum();
        let true_sum: f64 = signed.iter().map(truth).sum();
        let yes_or_no = answers.query == Query::Touch;
        let errors = answers.values.iter().zip(signed).map(|(v, s)| (v - truth(s)).abs());
        let wrong =
            |(error, s): (f64, &f64)| error.is_nan() || (yes_or_no && error != 0.0 && s.abs() > GRAZING);
        let sizes = case.pairs.iter().map(|p| reference::size(&case.first[p.a]));
        let worst = errors.clone().zip(sizes).map(|(e, size)| e / size).fold(0.0, f64::max);
        Self {
            sum,
            sum_error: if true_sum == 0.0 { 0.0 } else { (sum - true_sum).abs() / true_sum },
            worst: if yes_or_no { 0.0 } else { worst },
            wrong: errors.zip(signed).filter(|&pair| wrong(pair)).count(),
            yes_or_no,
        }
    }

    /// The grade.
    pub fn grade(&self) -> Grade {
        let error = self.worst.max(if self.yes_or_no { 0.0 } else { self.sum_error });
        match self.wrong {
            0 if error <= RIGHT => Grade::Right,
            0 if error <= COARSE => Grade::Coarse,
            _ => Grade::Wrong,
        }
    }

    /// What is wrong, in few words.
    pub fn fault(&self) -> String {
        match self.wrong {
            0 => format!("sum {:.0e}, worst {:.0e}", self.sum_error, self.worst),
            n => format!("{n} wrong"),
        }
    }
}
