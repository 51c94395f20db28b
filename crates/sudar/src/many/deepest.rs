//! The deepest of all: of convex objects, which have a depth.

use super::among::Among;
use super::cache::Entry;
use super::manager::CollisionManager;
use super::object::Object;
use crate::broad::{Handle, Region, Seek};
use crate::math::order::ascending;
use crate::query::{Penetration, Placed};

/// Two convex objects and how deep they are in each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeepPair {
    /// The objects, ascending.
    pub pair: [Handle; 2],
    /// How they overlap; `point_a` belongs to the first.
    pub penetration: Penetration,
}

impl CollisionManager {
    /// The two convex objects that are deepest in each other, of equally deep ones those whose boxes overlap most;
    /// none if no two convex objects overlap. Meshes and compounds, whose depth is known within bounds alone, are
    /// left out.
    ///
    /// Pairs in order of the overlap of their boxes, which bounds the depth, until it is no more than the greatest
    /// depth found. The depth of a pair is computed once while its objects stand still.
    ///
    /// ```
    /// use sudar::many::{Among, CollisionManager, Object};
    /// use sudar::query::Body;
    /// use sudar::{DVec3, Pose, Sphere};
    ///
    /// let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0)?);
    /// let at = |x: f64| Pose::from_translation(DVec3::X * x);
    /// let mut scene = CollisionManager::default();
    /// let a = scene.insert(Object::new("a", ball.clone(), at(0.0)?))?;
    /// let b = scene.insert(Object::new("b", ball.clone(), at(1.75)?))?;
    /// let c = scene.insert(Object::new("c", ball, at(3.0)?))?;
    /// let deepest = scene.deepest(Among::All).ok_or("no two overlap")?;
    /// assert_eq!(deepest.pair, [b, c]);
    /// assert!(deepest.penetration.signed.contains(-0.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deepest(&mut self, among: Among) -> Option<DeepPair> {
        self.refresh();
        let objects = &self.objects;
        let pairs = self.cache.chosen(|pair| objects.covers(among, pair)).into_iter().filter_map(|entry| {
            let [(_, a), (_, b)] = objects.both(entry.pair)?;
            Some((most_depth(a.at(), b.at())?, (entry, [a, b])))
        });
        let (entry, penetration) = deepest(pairs.collect(), |(entry, [a, b])| {
            entry.known.refresh(objects.revisions(entry.pair));
            let Entry { memory, known, .. } = &mut **entry;
            known.depth(|| self.limits.batch().work().remembering(memory).penetration(a.at(), b.at()))
        })?;
        Some(DeepPair { pair: entry.0.pair, penetration })
    }

    /// The convex object that a convex body is deepest in, of those that are sought, as
    /// [`deepest`](Self::deepest); `point_a` belongs to the body.
    pub fn deepest_in(&self, body: Placed, seek: impl Seek<Object>) -> Option<(Handle, Penetration)> {
        let near = self.accepted(&Region::Box(body.aabb()), seek).into_iter();
        let bounded =
            near.filter_map(|(handle, object)| Some((most_depth(body, object.at())?, (handle, object))));
        let ((handle, _), penetration) = deepest(bounded.collect(), |(_, object)| {
            self.limits.batch().work().penetration(body, object.at())
        })?;
        Some((handle, penetration))
    }
}

/// No more than this is the depth of two convex bodies; `None` if they are apart or one is not convex.
fn most_depth(a: Placed, b: Placed) -> Option<f64> {
    a.body().convex().and(b.body().convex())?;
    let (one, other) = (a.body().bounds(a.pose()), b.body().bounds(b.pose()));
    let overlap = (one.max - other.min).min(other.max - one.min).min_element();
    (overlap >= 0.0).then_some(overlap)
}

/// The deepest of pairs with bounds on their depths: those that may be deepest first.
fn deepest<K>(
    pairs: Vec<(f64, K)>,
    mut depth: impl FnMut(&mut K) -> Penetration,
) -> Option<(K, Penetration)> {
    let pairs = ascending(pairs, |(most, _)| -most);
    let mut best: Option<(K, Penetration)> = None;
    for (most, mut pair) in pairs {
        if best.as_ref().is_some_and(|(_, known)| -known.signed.upper >= most) {
            break;
        }
        let found = depth(&mut pair);
        let known = best.as_ref().map_or(0.0, |(_, known)| known.signed.lower);
        if found.signed.lower < known && found.signed.upper <= 0.0 {
            best = Some((pair, found));
        }
    }
    best
}
