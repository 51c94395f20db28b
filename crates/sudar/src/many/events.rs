//! What begins, stays and ends.

use super::among::{Among, Answers};
use super::error::SceneError;
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

    /// Takes pairs, in any order, for those that were together after the last step: what a scene that is built anew
    /// goes on from.
    ///
    /// # Errors
    /// [`SceneError::Unknown`]; then nothing has changed.
    pub fn set_pairs_together(&mut self, pairs: &[[Handle; 2]]) -> Result<(), SceneError> {
        pairs.iter().flatten().try_for_each(|handle| self.object(*handle).map(drop))?;
        let ascending = |&[a, b]: &[Handle; 2]| if a < b { [a, b] } else { [b, a] };
        self.together = pairs.iter().filter(|[a, b]| a != b).map(ascending).collect();
        self.together.sort_unstable();
        self.together.dedup();
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::many::Object;
    use crate::math::Pose;
    use crate::query::Body;
    use crate::shape::Sphere;
    use glam::DVec3;

    #[test]
    fn a_scene_built_anew_goes_on_with_its_events() {
        let mut scene = CollisionManager::default();
        let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        let handles = ["a", "b", "c", "d"]
            .map(|name| scene.insert(Object::new(name, ball.clone(), Pose::IDENTITY)).unwrap());
        let [a, b, c, d] = handles;
        scene.set_pose(d, Pose::from_translation(DVec3::X * 9.0).unwrap()).unwrap();
        let gone = scene.insert(Object::new("gone", ball, Pose::IDENTITY)).unwrap();
        scene.remove(gone).unwrap();
        assert!(scene.set_pairs_together(&[[a, gone]]).is_err());
        scene.set_pairs_together(&[[d, a], [b, a], [a, b], [c, c]]).unwrap();
        assert_eq!(scene.pairs_together(), [[a, b], [a, d]]);
        let events = scene.step();
        assert_eq!((events.began, events.stayed), (vec![[a, c], [b, c]], vec![[a, b]]));
        assert_eq!(events.ended, [[a, d]]);
    }
}
