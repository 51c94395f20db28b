//! The first contact of a configuration.

use sudar::query::{Batch, Work};

use super::RobotCell;
use super::scratch::{Near, NearOther, Scratch};
use crate::core::Verdict;
use crate::{CHUNK, RobotError};

/// A part in contact with an object or another part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contact {
    /// The part, by its number in [`RobotCell::parts`].
    pub part: usize,
    /// What it touches.
    pub other: Other,
    /// Whether that is certain; otherwise rounding leaves it open, or the budget ended.
    pub is_certain: bool,
}

/// What a part is in contact with, or nearest to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Other {
    /// An object of the scene, by its number.
    Object(usize),
    /// Another part of the robot, by its number.
    Part(usize),
}

impl RobotCell {
    /// For each configuration the first contact: parts in order, each with the objects in order, then the checked pairs
    /// of parts in order. `None` where there is none. Limits of joints play no part.
    ///
    /// # Errors
    /// [`RobotError::Rows`], [`RobotError::Value`].
    pub fn first_contact(&self, q: &[f64], batch: &Batch<'_>) -> Result<Vec<Option<Contact>>, RobotError> {
        let rows = self.robot.rows(q)?;
        Ok(self.each_row(rows, CHUNK, batch, |work, scratch, row| {
            self.stand(self.robot.row(q, row), &mut scratch.places);
            self.first_of(work, scratch)
        }))
    }

    pub(super) fn first_of(&self, work: &mut Work<'_>, scratch: &mut Scratch) -> Option<Contact> {
        self.checked_pairs().find_map(|(part, other)| {
            let is_certain = self.pair_meets(work, scratch, part, other)?;
            Some(Contact { part, other, is_certain })
        })
    }

    /// Each part in order with its objects in order, then the checked pairs of parts in order.
    pub(super) fn checked_pairs(&self) -> impl Iterator<Item = (usize, Other)> {
        let with_objects = (0..self.parts.len())
            .flat_map(|part| self.with[part].iter().map(move |&i| (part, Other::Object(i as usize))));
        let with_parts = self.pairs.iter().map(|&[a, b]| (a as usize, Other::Part(b as usize)));
        with_objects.chain(with_parts)
    }

    /// Whether a part meets another or an object: `Some(true)` for certain, `Some(false)` perhaps.
    pub(super) fn pair_meets(
        &self,
        work: &mut Work<'_>,
        scratch: &mut Scratch,
        part: usize,
        other: Other,
    ) -> Option<bool> {
        let mut found = None;
        let one = &self.parts[part];
        scratch.places.ready(part, one);
        if let Other::Part(i) = other {
            scratch.places.ready(i, &self.parts[i]);
        }
        let places = &scratch.places;
        let mut near = |piece: usize, other, verdict| {
            let met = match verdict {
                Verdict::Apart => Some(false),
                Verdict::Touching => Some(true),
                Verdict::Unknown => {
                    self.meets(work, &places.frames, Near { part: part as u32, piece: piece as u32, other })
                }
            };
            if met != Some(false) {
                found = Some(found.unwrap_or(false) || met == Some(true));
            }
            found == Some(true)
        };
        for (k, piece) in one.pieces.iter().enumerate() {
            match other {
                Other::Object(i) => {
                    let verdict = places.verdict(piece, &self.objects[i].core, one.padding);
                    if near(k, NearOther::Object(i as u32), verdict) {
                        return Some(true);
                    }
                }
                Other::Part(i) => {
                    let it = &self.parts[i];
                    for (l, its) in it.pieces.iter().enumerate() {
                        let verdict = places.verdict_of(piece, its);
                        if near(k, NearOther::Piece { part: i as u32, piece: l as u32 }, verdict) {
                            return Some(true);
                        }
                    }
                }
            }
        }
        found
    }
}
