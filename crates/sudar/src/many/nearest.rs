//! The nearest of all, by branch and bound over a tree of the boxes.

use super::against::NearObject;
use super::among::Among;
use super::boxes::BoxTree;
use super::collisions::NearPair;
use super::manager::CollisionManager;
use super::object::Object;
use super::objects::Objects;
use crate::broad::{BroadPhase, Handle, Seek};
use crate::effort::Partial;
use crate::query::{Distance, DistanceOptions, Halving, Memory, Placed, visit_by, visit_own_pairs};
use crate::shape::Aabb;

impl CollisionManager {
    /// The two objects nearest to each other, of those with equal upper ends of the distance the first pair;
    /// none if there is no pair. Of objects that meet the distance is zero. Its interval holds the least
    /// distance of all pairs, also where a budget ended the search: then it is not complete.
    ///
    /// By branch and bound: pairs of boxes in order of their gaps, until these exceed the least distance
    /// found. Cost: O(n log n) if an object moved since the last call, and expected O(log n) pairs beyond
    /// those of overlapping boxes.
    pub fn nearest(&mut self, among: Among) -> Partial<Option<NearPair>> {
        self.refresh();
        let tree = self.tree.get_or_init(|| boxes(&self.objects, &*self.phase));
        let (objects, cache) = (&self.objects, &mut self.cache);
        let mut best = Best::default();
        let mut meter = self.limits.batch().meter();
        let rest = visit_own_pairs(&tree.halving, f64::INFINITY, &mut meter, |pair, _| {
            let pair = pair.map(|i| tree.handles[i as usize]);
            let is_pair = objects.are_pair(pair.map(Handle::index)) && objects.covers(among, pair);
            if let Some([(_, a), (_, b)]) =
                objects.both(pair).filter(|_| is_pair && best.is_of_interest(pair))
            {
                let mut unknown = Memory::default();
                let memory = cache.memory(pair).unwrap_or(&mut unknown);
                let mut work = self.limits.batch().work().remembering(memory);
                best.take(pair, work.distance(a.at(), b.at(), &DistanceOptions::up_to(best.upper)));
                best.stopped |= work.was_stopped();
            }
            best.upper
        });
        let complete = !meter.is_stopped() && !best.stopped;
        let found = best.found(rest).map(|(pair, distance)| NearPair { pair, distance });
        Partial { found, complete }
    }

    /// The object nearest to a body, of those that are sought and of several the first, as [`nearest`](Self::nearest).
    pub fn nearest_to(&self, body: Placed, mut seek: impl Seek<Object>) -> Partial<Option<NearObject>> {
        let tree = self.tree.get_or_init(|| boxes(&self.objects, &*self.phase));
        let mut best = Best::default();
        let mut meter = self.limits.batch().meter();
        let around = body.aabb();
        let gap = |aabb: &Aabb| aabb.gap(&around);
        let rest = visit_by(&tree.halving, gap, f64::INFINITY, &mut meter, |i, _| {
            let handle = tree.handles[i as usize];
            let object = self.objects.get(handle).ok().filter(|_| best.is_of_interest(handle));
            if let Some(object) = object.filter(|object| seek.wants(handle, object)) {
                let mut work = self.limits.batch().work();
                best.take(handle, work.distance(body, object.at(), &DistanceOptions::up_to(best.upper)));
                best.stopped |= work.was_stopped();
            }
            best.upper
        });
        let complete = !meter.is_stopped() && !best.stopped;
        Partial {
            found: best.found(rest).map(|(object, distance)| NearObject { object, distance }),
            complete,
        }
    }
}

fn boxes(objects: &Objects, phase: &dyn BroadPhase) -> BoxTree {
    let handles: Vec<Handle> = objects.iter().map(|(handle, _)| handle).collect();
    let boxes: Vec<Aabb> =
        handles.iter().map(|handle| phase.aabb(*handle).unwrap_or(Aabb::EVERYTHING)).collect();
    BoxTree { halving: Halving::new(&boxes), handles }
}

/// The nearest found so far.
pub(crate) struct Best<K> {
    nearest: Option<(K, Distance)>,
    /// Nothing farther is of interest.
    pub upper: f64,
    /// No distance that was computed falls below this.
    lower: f64,
    stopped: bool,
}

impl<K> Default for Best<K> {
    fn default() -> Self {
        Self { nearest: None, upper: f64::INFINITY, lower: f64::INFINITY, stopped: false }
    }
}

impl<K: Ord + Copy> Best<K> {
    /// Nothing beyond a distance is of interest.
    pub fn up_to(upper: f64) -> Self {
        Self { upper, ..Self::default() }
    }

    /// Nothing is nearer than what meets: only what comes before it is better.
    pub fn is_of_interest(&self, key: K) -> bool {
        self.upper > 0.0 || self.nearest.is_none_or(|(known, _)| key < known)
    }

    pub fn take(&mut self, key: K, distance: Distance) {
        let upper = distance.interval.upper;
        self.lower = self.lower.min(distance.interval.lower);
        let is_better = self.nearest.is_none_or(|(known, _)| (upper, key) < (self.upper, known));
        if is_better {
            self.nearest = Some((key, distance));
            self.upper = upper;
        }
    }

    /// The nearest, where nothing else is nearer than `rest`.
    pub fn found(self, rest: f64) -> Option<(K, Distance)> {
        let (key, mut distance) = self.nearest?;
        distance.interval.lower = self.lower.min(rest).min(distance.interval.upper);
        Some((key, distance))
    }
}
