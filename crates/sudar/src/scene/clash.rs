//! Clash detection: broad phase over boxes, then every candidate pair decided exactly.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

use super::examine::{Pair, Posed};
use super::{ClashError, ClashKind, ClashOptions, Part, Scene};
use crate::broad::candidate_pairs;
use crate::math::Interval;
use crate::shape::Aabb;

/// Two parts in each other's way, `a < b`.
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
    /// The measure of `depth`. `"box"`: the length of the shortest translation along a world axis that separates
    /// the bounding boxes of the two parts, rounded up. Moving `b` so far along `normal` certainly separates
    /// the interiors; a shorter way may exist, so this is an upper bound on the depth of penetration, not the depth.
    pub depth_is: Option<&'static str>,
    /// A point common to both, rounded; for [`ClashKind::Clearance`] the middle between two nearest points.
    pub point: DVec3,
    /// Unit vector from `a` to `b`. Where there is a `depth`, its direction; for parts apart, from nearest point to
    /// nearest point. For touching parts the axis along which the bounding boxes only touch, if there is one; else normal
    /// to the plane that separates the first pair of touching triangles that the plane of one of them separates
    /// (where both lie in it, the way the triangle of `a` faces); none if there is no such pair.
    pub normal: Option<DVec3>,
    /// How many pairs of triangles, one of each part, have a point in common.
    pub triangle_pairs: usize,
}

/// The outcome of a clash check.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ClashReport {
    /// What was found, sorted by (a, b).
    pub clashes: Vec<Clash>,
    /// How many pairs of parts the broad phase left to be examined.
    pub candidates: usize,
}

/// Finds all pairs of parts that are in each other's way, and how.
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
/// [`ClashError::NotAMesh`] for a ball or half-space among the parts.
pub fn find_clashes(
    scene: &Scene,
    options: &ClashOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    if let Some((part, culprit)) = scene.parts.iter().enumerate().find(|(_, p)| p.body.mesh().is_none()) {
        return Err(ClashError::NotAMesh { part, name: culprit.name.clone() });
    }
    let boxes: Vec<Aabb> = scene.parts.iter().map(|p| p.body.aabb(&p.pose)).collect();
    let candidates = candidate_pairs(&with_clearance(&boxes, options));
    let check = Check { scene, options, boxes };
    let done = AtomicUsize::new(0);
    progress(0, candidates.len());
    let examined = |&[a, b]: &[u32; 2]| {
        let clash = check.examine(a as usize, b as usize);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, candidates.len());
        clash
    };
    Ok(ClashReport { clashes: each(&candidates, examined), candidates: candidates.len() })
}

/// What `f` finds in the pairs, in their order.
#[cfg(feature = "parallel")]
fn each(pairs: &[[u32; 2]], f: impl Fn(&[u32; 2]) -> Option<Clash> + Send + Sync) -> Vec<Clash> {
    pairs.par_iter().filter_map(f).collect()
}

#[cfg(not(feature = "parallel"))]
fn each(pairs: &[[u32; 2]], f: impl Fn(&[u32; 2]) -> Option<Clash>) -> Vec<Clash> {
    pairs.iter().filter_map(f).collect()
}

/// Boxes that have a point in common wherever two parts are within their clearance: each grows by half of the greatest
/// clearance that applies to its part.
fn with_clearance(boxes: &[Aabb], options: &ClashOptions) -> Vec<Aabb> {
    let grown = |(i, b): (usize, &Aabb)| match options.clearance_around(i) {
        0.0 => *b,
        clearance => b.grown(clearance / 2.0),
    };
    boxes.iter().enumerate().map(grown).collect()
}

/// What the examination of all pairs has in common.
struct Check<'a> {
    scene: &'a Scene,
    options: &'a ClashOptions,
    boxes: Vec<Aabb>,
}

impl Check<'_> {
    fn examine(&self, a: usize, b: usize) -> Option<Clash> {
        let ignored = |kind: &ClashKind| self.options.is_ignored(a, b, *kind);
        if ClashKind::ALL.iter().all(ignored) {
            return None;
        }
        let pair = Pair { a: self.posed(a), b: self.posed(b), numbers: [a, b] };
        let clash = pair.examine(self.options.clearance_between(a, b))?;
        (!ignored(&clash.kind)).then_some(clash)
    }

    fn posed(&self, i: usize) -> Posed<'_> {
        let Part { body, pose, .. } = &self.scene.parts[i];
        Posed { body, pose, bounds: &self.boxes[i] }
    }
}
