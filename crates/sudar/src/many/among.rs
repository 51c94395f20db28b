//! Which pairs a query is about, and what it answers.

use super::group::Group;
use crate::broad::Handle;
use crate::effort::Statistics;

/// Which pairs of a scene a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Among {
    /// All of them.
    #[default]
    All,
    /// Those of one object.
    Object(Handle),
    /// Those with at least one object of a group: a robot with all else, and its own links.
    Group(Group),
    /// Those of one object of either group; of one group twice, its inner pairs.
    Between(Group, Group),
}

/// Answers of a query on many objects: those that are certain, and those left open.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers<T, O> {
    /// Certain answers, sorted by object or pair.
    pub found: Vec<T>,
    /// Objects or pairs whose answer a budget, a flag or rounding left open, sorted. What is in neither list
    /// was decided in the negative.
    pub undecided: Vec<O>,
    /// Work of all queries together.
    pub statistics: Statistics,
}

impl<T, O> Answers<T, O> {
    /// Whether nothing is left open.
    pub fn is_complete(&self) -> bool {
        self.undecided.is_empty()
    }

    /// From what was found of some, if it was decided, for each of the others.
    pub(super) fn of(told: Vec<Result<T, O>>, statistics: Statistics) -> Self {
        let (mut found, mut undecided) = (Vec::with_capacity(told.len()), Vec::new());
        for one in told {
            match one {
                Ok(one) => found.push(one),
                Err(open) => undecided.push(open),
            }
        }
        Self { found, undecided, statistics }
    }
}
