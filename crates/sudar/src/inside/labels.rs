//! Which combinations of inside and outside two solids have, as far as they are found.

use super::surface::{Surface, locate};
use super::{ExactPoint, Location};
use crate::shape::has_zero_area;

/// Which combinations of (inside A, inside B) occur, apart from neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Labels {
    pub both: bool,
    pub only_a: bool,
    pub only_b: bool,
}

impl Labels {
    pub fn is_complete(self) -> bool {
        self.both && self.only_a && self.only_b
    }

    fn add(&mut self, inside_a: bool, inside_b: bool) {
        self.both |= inside_a && inside_b;
        self.only_a |= inside_a && !inside_b;
        self.only_b |= !inside_a && inside_b;
    }
}

/// The combinations found so far.
pub(super) struct Search<'a> {
    pub(super) solids: [&'a dyn Surface; 2],
    pub(super) found: Labels,
    /// Whether every triangle visited has the inside of its solid on just one side.
    pub(super) all_flip: bool,
}

impl Search<'_> {
    /// Takes note of a point off both surfaces; gives whether it is inside each, `None` if it is on one.
    pub(super) fn look_at<P: ExactPoint + Clone>(&mut self, point: &P) -> Option<[bool; 2]> {
        let mut inside = [false; 2];
        for (inside, solid) in inside.iter_mut().zip(self.solids) {
            *inside = match locate(point.clone(), solid) {
                Location::Inside => true,
                Location::Outside => false,
                Location::OnSurface(_) => return None,
            };
        }
        self.note(inside);
        Some(inside)
    }

    /// Takes note of a cell that is inside the solids as given.
    pub(super) fn note(&mut self, inside: [bool; 2]) {
        self.found.add(inside[0], inside[1]);
    }

    /// Whether all combinations were found, so that the search can end.
    pub(super) fn is_complete(&self) -> bool {
        self.found.is_complete()
    }

    /// Takes note of the two sides of a triangle of `solids[side]`.
    pub(super) fn compare_sides(&mut self, side: usize, above: [bool; 2], below: [bool; 2]) -> Flip {
        if above[side] == below[side] {
            self.all_flip = false;
            return Flip::No;
        }
        Flip::Yes
    }
}

/// Whether a triangle divides inside from outside somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flip {
    Yes,
    No,
}

impl Flip {
    /// Whether either does.
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::Yes { self } else { other }
    }
}

/// Whether a triangle has an area and so belongs to the boundary of a cell.
pub(super) fn counts(surface: &dyn Surface, i: u32) -> bool {
    !has_zero_area(&surface.triangle(i))
}
