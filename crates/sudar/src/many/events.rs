//! What begins, stays and ends.

use super::among::{Among, Answers};
use super::manager::CollisionManager;
use crate::broad::Handle;
use crate::effort::Statistics;

/// How the pairs that are together changed in a step. All lists are sorted by pair.
///
/// ```
/// use sudar::many::{CollisionManager, Events, Object};
/// use sudar::query::Body;
/// use sudar::{DVec3, Pose, Sphere};
///
/// let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0)?);
/// let mut scene = CollisionManager::default();
/// let a = scene.insert(Object::new("a", ball.clone(), Pose::IDENTITY))?;
/// let b = scene.insert(Object::new("b", ball, Pose::IDENTITY))?;
/// let Events { began, .. } = scene.step();
/// scene.remove(b)?;
/// let Events { ended, .. } = scene.step();
/// assert_eq!((began, ended), (vec![[a, b]], vec![[a, b]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Events {
    /// The pair began to touch in this step.
    pub began: Vec<[Handle; 2]>,
    /// The pair touched in the step before and touches now.
    pub stayed: Vec<[Handle; 2]>,
    /// The pair touched in the step before and no longer does: it is apart, ignored, or one object was removed.
    pub ended: Vec<[Handle; 2]>,
    /// Pairs that a budget, a flag or rounding left open. They count as they did after the last step; who
    /// must be on the safe side takes them to be together.
    pub undecided: Vec<[Handle; 2]>,
    /// What all queries did together.
    pub statistics: Statistics,
}

impl CollisionManager {
    /// Decides every candidate and says what changed since the last step. Other queries in between change
    /// nothing in that.
    pub fn step(&mut self) -> Events {
        let Answers { found: mut now, undecided, statistics } = self.pairs_touching(Among::All);
        let before = std::mem::take(&mut self.together);
        let open = |pair: &&[Handle; 2]| before.binary_search(pair).is_ok();
        now.extend(undecided.iter().filter(open));
        now.sort_unstable();
        let (stayed, began) = split(&now, &before);
        let (_, ended) = split(&before, &now);
        self.together = now;
        Events { began, stayed, ended, undecided, statistics }
    }

    /// The pairs that were together after the last step, sorted.
    pub fn pairs_together(&self) -> &[[Handle; 2]] {
        &self.together
    }
}

/// Pairs of a sorted list that are in another, and those that are not.
fn split(list: &[[Handle; 2]], other: &[[Handle; 2]]) -> (Vec<[Handle; 2]>, Vec<[Handle; 2]>) {
    let mut other = other.iter().peekable();
    list.iter().partition(|pair| {
        while other.next_if(|known| known < pair).is_some() {}
        other.peek() == Some(pair)
    })
}
