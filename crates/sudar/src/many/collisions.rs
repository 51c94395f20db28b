//! Queries on the pairs of a scene.

use super::among::{Among, Answers};
use super::error::{SceneError, check_tolerance};
use super::manager::CollisionManager;
use super::object::Object;
use crate::broad::{Handle, candidate_pairs};
use crate::effort::Partial;
use crate::query::{Contact, Distance, DistanceOptions, Memory, Placed, Work};
use crate::shape::Aabb;

/// Two objects that are together.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// The objects, ascending.
    pub pair: [Handle; 2],
    /// Their contacts, as [`manifold`](fn@crate::query::manifold) finds them with the clearance as margin.
    pub contacts: Vec<Contact>,
    /// Whether no contact is missing; a budget may end the search for them.
    pub complete: bool,
}

/// Two objects and how far apart they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPair {
    /// The objects, ascending.
    pub pair: [Handle; 2],
    /// Their distance; `point_a` and feature 0 belong to the first.
    pub distance: Distance,
}

impl CollisionManager {
    /// The pairs that are together, with their contacts, sorted.
    pub fn collisions(&mut self, among: Among) -> Answers<Collision, [Handle; 2]> {
        let clearance = self.clearance;
        let limits = self.limits.clone();
        let told = self.each_known(&limits.batch(), among, |work, known, [(a, first), (b, second)]| {
            let pair = [a, b];
            match known.together(|| are_together(work, [first, second], clearance)) {
                Some(true) => {
                    let Partial { found: contacts, complete } =
                        work.manifold(first.at(), second.at(), clearance);
                    Some(Ok(Collision { pair, contacts, complete }))
                }
                Some(false) => None,
                None => Some(Err(pair)),
            }
        });
        Answers::of(told.answers, told.statistics)
    }

    /// The first pair that is together, by handles: for those who need only know whether there is one.
    /// Complete if all pairs before it were decided. One pair after the other, on the calling thread.
    pub fn first_collision(&mut self, among: Among) -> Partial<Option<[Handle; 2]>> {
        self.refresh();
        let (objects, clearance) = (&self.objects, self.clearance);
        let mut complete = true;
        for entry in self.cache.chosen(|pair| objects.covers(among, pair)) {
            let Some([(_, a), (_, b)]) = objects.both(entry.pair) else { continue };
            entry.known.refresh(objects.revisions(entry.pair));
            let mut work = self.limits.batch().work().remembering(&mut entry.memory);
            match entry.known.together(|| are_together(&mut work, [a, b], clearance)) {
                Some(true) => return Partial { found: Some(entry.pair), complete },
                Some(false) => {}
                None => complete = false,
            }
        }
        Partial { found: None, complete }
    }

    /// All pairs at most `tolerance` apart, with their distances as narrow as `f64` allows, sorted. Up to the
    /// clearance only candidates are tested; beyond it the broad phase begins anew.
    ///
    /// # Errors
    /// [`SceneError::Clearance`] if `tolerance` is no finite length of zero or more.
    pub fn within(
        &mut self,
        among: Among,
        tolerance: f64,
    ) -> Result<Answers<NearPair, [Handle; 2]>, SceneError> {
        check_tolerance(tolerance)?;
        self.refresh();
        let pairs = if tolerance <= self.clearance {
            self.cache.pairs().collect()
        } else {
            self.boxes_within(tolerance)
        };
        let objects = &self.objects;
        let pairs = pairs.into_iter().filter(|pair| objects.covers(among, *pair));
        let mut items = self.cache.with_memories(pairs);
        let told = self.limits.batch().each_mut(&mut items, |work, (pair, memory)| {
            let mut unknown = Memory::default();
            let mut work = work.remembering(memory.as_deref_mut().unwrap_or(&mut unknown));
            let told = objects.both(*pair).and_then(|[(_, a), (_, b)]| {
                let near = distance_within(&mut work, [a.at(), b.at()], tolerance)?;
                Some(near.map(|distance| NearPair { pair: *pair, distance }).ok_or(*pair))
            });
            (told, work.statistics())
        });
        Ok(Answers::of(told.answers.into_iter().flatten().collect(), told.statistics))
    }

    /// The pairs that are together, sorted. A pair whose objects stand where they stood costs no test.
    pub fn pairs_touching(&mut self, among: Among) -> Answers<[Handle; 2], [Handle; 2]> {
        let (clearance, limits) = (self.clearance, self.limits.clone());
        // Objects with trees are what threads are for.
        let are_convex = self.objects.iter().all(|(_, object)| object.body.convex().is_some());
        let batch = limits.batch().in_pieces(if are_convex { 64 } else { 1 });
        let told = self.each_known(&batch, among, |work, known, [(a, first), (b, second)]| {
            match known.together(|| are_together(work, [first, second], clearance)) {
                Some(true) => Some(Ok([a, b])),
                Some(false) => None,
                None => Some(Err([a, b])),
            }
        });
        Answers::of(told.answers, told.statistics)
    }

    /// Pairs whose boxes may be so near each other, sorted.
    fn boxes_within(&self, tolerance: f64) -> Vec<[Handle; 2]> {
        let mut boxes = Vec::new();
        for (handle, _) in self.objects.iter() {
            boxes.resize(handle.index() as usize, Aabb::EMPTY);
            let aabb = self.phase.aabb(handle).unwrap_or(Aabb::EVERYTHING);
            boxes.push(aabb.grown(0.5 * tolerance));
        }
        let pairs = candidate_pairs(&boxes).into_iter();
        pairs
            .filter(|pair| self.objects.are_pair(*pair))
            .filter_map(|pair| self.objects.handles(pair))
            .collect()
    }
}

/// Whether two objects are at most so far apart, if that is known.
fn are_together(work: &mut Work<'_>, pair: [&Object; 2], clearance: f64) -> Option<bool> {
    let [a, b] = pair.map(Object::at);
    if clearance > 0.0 { work.within(a, b, clearance).decided() } else { work.intersects(a, b).decided() }
}

/// The distance of two objects that are at most so far apart; `None` if they are farther, `Some(None)` if
/// that is not known.
pub(super) fn distance_within(
    work: &mut Work<'_>,
    [a, b]: [Placed; 2],
    tolerance: f64,
) -> Option<Option<Distance>> {
    match work.within(a, b, tolerance).decided() {
        Some(true) => Some(Some(work.distance(a, b, &DistanceOptions::EXACT))),
        Some(false) => None,
        None => Some(None),
    }
}
