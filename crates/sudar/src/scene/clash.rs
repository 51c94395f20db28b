//! Clash detection: broad phase over boxes, then every candidate pair decided exactly.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;

use super::examine::{Pair, Posed};
use super::{Among, ClashError, ClashKind, ClashOptions, CollisionManager, Object, Part, Scene};
use crate::effort::Statistics;
use crate::math::Interval;
use crate::query::{Batch, Body, Work};
use crate::shape::Aabb;

/// A clash of two parts, `a < b`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Clash {
    /// Number of the first part.
    pub a: usize,
    /// Number of the second part.
    pub b: usize,
    /// What is the matter.
    pub kind: ClashKind,
    /// The distance between the two: exactly 0 except for [`ClashKind::Clearance`].
    pub distance: Interval,
    /// How deep they overlap, by the measure that `depth_is` names. None for kinds without overlap.
    pub depth: Option<f64>,
    /// The measure of `depth`. `"penetration"`, of two convex parts: the length of the shortest translation
    /// that separates their interiors, see [`penetration`](fn@crate::query::penetration), rounded up.
    /// `"box"`, of all others and where a budget ran out: the length of the shortest translation along a
    /// world axis that separates the bounding boxes of the two parts, rounded up; a shorter way may exist, so
    /// this is an upper bound on the depth, which may be far above it. Moving `b` so far along `normal`
    /// certainly separates the interiors, up to the rounding of a direction that is no axis.
    pub depth_is: Option<&'static str>,
    /// A point common to both, rounded; for [`ClashKind::Clearance`] the middle between two nearest points.
    pub point: DVec3,
    /// Unit vector from `a` to `b`. Where there is a `depth`, its direction; for parts apart, from nearest
    /// point to nearest point. For touching parts the axis along which the bounding boxes only touch, if
    /// there is one; else normal to the plane that separates the first pair of touching triangles that the
    /// plane of one of them separates (where both lie in it, the way the triangle of `a` faces); none if
    /// there is no such pair.
    pub normal: Option<DVec3>,
    /// How many pairs of triangles, one of each part, have a point in common.
    pub triangle_pairs: usize,
}

/// Result of a clash check.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ClashReport {
    /// What was found, sorted by (a, b).
    pub clashes: Vec<Clash>,
    /// How many pairs of parts the broad phase left to be examined.
    pub candidates: usize,
    /// Pairs that a budget or a flag left open, sorted: each may clash or not.
    pub undecided: Vec<[usize; 2]>,
    /// What all queries did together.
    pub statistics: Statistics,
}

/// Finds all clashes between the parts of an assembly, with their kind and measure.
///
/// The kind is decided exactly for the triangles as they are posed. A part counts as a solid if its body is one
/// ([`super::body_of`] makes closed meshes solid); anything else is a surface, which a solid around it does not
/// touch: there the distance between the surfaces counts. Where rounding leaves open whether a distance
/// exceeds the clearance, the pair is reported.
///
/// `progress` is told how many candidate pairs are done, of how many: first with 0, then after each pair, from any
/// thread, with the counts in no particular order. Pairs are examined in parallel (feature `parallel`); the report
/// has the same bits for any number of threads. Cost: O(n log n) for n parts, plus the candidates on their
/// trees.
///
/// # Errors
/// [`ClashError::NotAMesh`] for a ball or half-space among the parts, [`ClashError::Refused`] for one whose pose is not
/// finite numbers.
pub fn find_clashes(
    scene: &Scene,
    options: &ClashOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    find_clashes_under(scene, options, &Batch::default(), progress)
}

/// [`find_clashes`] in the context of a batch: its budget is for each query on a pair of parts, and its flag
/// ends the search soon. Pairs that this leaves open are listed in [`ClashReport::undecided`]; all else is as
/// without a limit, but for wider intervals of distances.
///
/// # Errors
/// Those of [`find_clashes`].
pub fn find_clashes_under(
    scene: &Scene,
    options: &ClashOptions,
    batch: &Batch,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    if let Some((part, culprit)) = scene.parts.iter().enumerate().find(|(_, p)| p.body.mesh().is_none()) {
        return Err(ClashError::NotAMesh { part, name: culprit.name.clone() });
    }
    let boxes = Batch::default().each(&scene.parts, |_, part| part.body.aabb(&part.pose)).answers;
    let mut manager = manager_of(scene, options, &boxes)?;
    let candidates = manager.candidates().len();
    let convex = scene.parts.iter().map(|_| OnceLock::new()).collect();
    let check = Check { scene, options, boxes, convex };
    let done = AtomicUsize::new(0);
    progress(0, candidates);
    let told = manager.each_pair(Among::All, batch, |_, [(a, _), (b, _)]| {
        // Each pair is examined once, so that memories are of no use.
        let mut work = batch.work();
        let found = check.examine([a, b].map(|handle| handle.index() as usize), &mut work);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, candidates);
        Some((found, work.statistics()))
    });
    let mut report = ClashReport { candidates, ..ClashReport::default() };
    for (found, statistics) in told.answers {
        report.statistics += statistics;
        match found {
            Ok(clash) => report.clashes.extend(clash),
            Err(pair) => report.undecided.push(pair),
        }
    }
    Ok(report)
}

/// The parts as objects of the same numbers. Boxes have a point in common wherever two parts are within their
/// clearance: each grows by half of the greatest clearance that applies to its part.
fn manager_of(scene: &Scene, options: &ClashOptions, boxes: &[Aabb]) -> Result<CollisionManager, ClashError> {
    let mut manager = CollisionManager::default();
    for (i, (part, aabb)) in scene.parts.iter().zip(boxes).enumerate() {
        let margin = 0.5 * options.clearance_around(i);
        manager.insert_in(Object { margin, ..Object::from(part.clone()) }, *aabb)?;
    }
    Ok(manager)
}

/// What the examination of all pairs has in common.
struct Check<'a> {
    scene: &'a Scene,
    options: &'a ClashOptions,
    boxes: Vec<Aabb>,
    convex: Vec<OnceLock<Option<Body>>>,
}

impl Check<'_> {
    /// The clash of two parts, if there is one that is not ignored; the pair itself if that is left open.
    fn examine(&self, [a, b]: [usize; 2], work: &mut Work<'_>) -> Result<Option<Clash>, [usize; 2]> {
        let ignored = |kind: &ClashKind| self.options.is_ignored(a, b, *kind);
        if ClashKind::ALL.iter().all(ignored) {
            return Ok(None);
        }
        let pair = Pair { a: self.posed(a), b: self.posed(b), numbers: [a, b] };
        let clash = pair.examine(self.options.clearance_between(a, b), work).map_err(|_| [a, b])?;
        Ok(clash.filter(|clash| !ignored(&clash.kind)))
    }

    fn posed(&self, i: usize) -> Posed<'_> {
        let Part { body, pose, .. } = &self.scene.parts[i];
        Posed { body, pose, bounds: &self.boxes[i], convex: &self.convex[i] }
    }
}
