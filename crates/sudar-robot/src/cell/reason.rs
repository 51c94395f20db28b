//! Why configurations are not free.

use sudar::query::{Batch, Work};

use super::RobotCell;
use super::contact::Other;
use super::scratch::Scratch;
use crate::{CHUNK, RobotError};

/// What is known of a configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// Within the limits and free of contact. Certain.
    Free,
    /// Outside the limits of a joint by more than the tolerance; whether it is in contact is not looked at.
    OutsideLimits {
        /// The first such number of the configuration, by its place in [`Robot::dofs`](crate::Robot::dofs).
        dof: usize,
        /// Its value, in radians or metres.
        value: f64,
    },
    /// In contact with an object, or with itself. Certain.
    Contact {
        /// The part, by its number in [`RobotCell::parts`].
        part: usize,
        /// What it touches.
        other: Other,
    },
    /// No contact is certain, and of this pair it is not certain that there is none: rounding leaves it open, or a
    /// budget or a flag ended the query. Not to be taken for free.
    Undecided {
        /// The part, by its number in [`RobotCell::parts`].
        part: usize,
        /// What it may touch.
        other: Other,
    },
}

impl Reason {
    /// Whether the configuration is valid.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }

    /// In a word or two.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::OutsideLimits { .. } => "outside limits",
            Self::Contact { other: Other::Part(_), .. } => "self contact",
            Self::Contact { other: Other::Object(_), .. } => "contact",
            Self::Undecided { .. } => "undecided",
        }
    }

    /// The part and what it touches, or may touch.
    pub fn pair(&self) -> Option<(usize, Other)> {
        match *self {
            Self::Contact { part, other } | Self::Undecided { part, other } => Some((part, other)),
            Self::Free | Self::OutsideLimits { .. } => None,
        }
    }
}

impl RobotCell {
    /// For each configuration why it is valid or not: the first joint outside its limits, else the first contact in the
    /// order of [`first_contact`](Self::first_contact) that is certain, else the first pair that is undecided.
    ///
    /// [`Reason::is_free`] is the answer of [`check`](Self::check) unless a limit of time ends queries. What is free
    /// costs what `check` costs, what is not some times that: pairs are looked at in order.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn explain(&self, q: &[f64], batch: &Batch<'_>) -> Result<Vec<Reason>, RobotError> {
        let rows = self.robot.rows(q)?;
        Ok(self.each_row(rows, CHUNK, batch, |work, scratch, row| {
            let q = self.robot.row(q, row);
            if let Some(dof) = self.outside_limits(q) {
                return Reason::OutsideLimits { dof, value: q[dof] };
            }
            self.stand(q, &mut scratch.places);
            if self.is_free(work, scratch, q) { Reason::Free } else { self.reason_of(work, scratch) }
        }))
    }

    /// The first contact that is certain, else the first that is not.
    fn reason_of(&self, work: &mut Work<'_>, scratch: &mut Scratch) -> Reason {
        let mut open = Reason::Free;
        for (part, other) in self.checked_pairs() {
            match self.pair_meets(work, scratch, part, other) {
                Some(true) => return Reason::Contact { part, other },
                Some(false) if open.is_free() => open = Reason::Undecided { part, other },
                Some(false) | None => {}
            }
        }
        open
    }
}
