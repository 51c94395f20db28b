//! Clash detection: broad phase over boxes, then every candidate pair decided exactly.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use sudar::Aabb;
use sudar::broad::candidate_pairs;
use sudar::effort::Statistics;
use sudar::many::SceneError;
use sudar::query::{Batch, Work};

use crate::cache::{Cache, Contents};
use crate::corners::Corners;
use crate::deviation::Deviations;
use crate::examine::Open;
use crate::found::Clash;
use crate::options::{ClashError, ClashKind, ClashOptions};
use crate::pair::Pair;
use crate::part::{Assembly, Part};
use crate::posed::Posed;
use crate::same_place::Places;

/// Result of a clash check.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct ClashReport {
    /// What was found, sorted by (a, b).
    pub clashes: Vec<Clash>,
    /// The parts that have equal meshes in the same place, of each such place where there are several. They clash with
    /// each other, and alike with all others.
    pub same_place: Vec<Vec<usize>>,
    /// How many more clashes parts of the same place have: beyond the 32nd of a place, only the clash with the first is
    /// listed.
    pub unlisted: usize,
    /// How many pairs of parts the broad phase left to be examined, or to clash alike.
    pub candidates: usize,
    /// Pairs that a budget or a flag left open, sorted: each may clash or not.
    pub undecided: Vec<[usize; 2]>,
    /// What all queries did together.
    pub statistics: Statistics,
}

/// Finds all clashes between the parts of an assembly, with their kind and measure.
///
/// The kind is decided exactly for the triangles as they are posed. A part counts as a solid if its body is one
/// ([`crate::body_of`] makes closed meshes solid); anything else is a surface, which a solid around it does not
/// touch: there the distance between the surfaces counts. Where rounding leaves open whether a distance
/// exceeds the clearance, the pair is reported.
///
/// `progress` receives how many triangles are done, of how many, which counts those of both parts of each candidate
/// pair: first with 0, then after each pair, from any thread, with the counts in no particular order. Pairs are
/// examined in parallel (feature `parallel`); the report has the same bits for any number of threads. Of parts with
/// equal meshes in the same place one is examined. Cost: O(n log n) for n parts, plus the candidates on their trees.
///
/// # Errors
/// [`ClashError::NotAMesh`] for a ball or half-space among the parts, [`ClashError::Refused`] for one whose pose is not
/// finite numbers.
pub fn find_clashes(
    assembly: &Assembly,
    options: &ClashOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    find_clashes_under(assembly, options, &Batch::default(), progress)
}

/// [`find_clashes`] in the context of a batch: its budget is for each query on a pair of parts, and its flag
/// ends the search soon. Pairs that this leaves open are listed in [`ClashReport::undecided`]; all else is as
/// without a limit, but for wider intervals of distances.
///
/// # Errors
/// Those of [`find_clashes`].
pub fn find_clashes_under(
    assembly: &Assembly,
    options: &ClashOptions,
    batch: &Batch,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    find(assembly, options, batch, None, progress)
}

/// [`find_clashes`] with what an earlier check found: pairs that are as they were are not examined again. The report
/// has the same bits, but for its statistics. Afterwards the cache holds the results of this check alone. Cost beside
/// that: O(n) of all triangles, and of the results.
///
/// # Errors
/// Those of [`find_clashes`]; the cache is as it was then.
pub fn find_clashes_cached(
    assembly: &Assembly,
    options: &ClashOptions,
    cache: &mut Cache,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    // No budget: what one widens is another answer.
    find(assembly, options, &Batch::default(), Some(cache), progress)
}

fn find(
    assembly: &Assembly,
    options: &ClashOptions,
    batch: &Batch,
    cache: Option<&mut Cache>,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ClashReport, ClashError> {
    if let Some((part, culprit)) = assembly.parts.iter().enumerate().find(|(_, p)| p.body.mesh().is_none()) {
        return Err(ClashError::NotAMesh { part, name: culprit.name.clone() });
    }
    let boxes = Batch::default().each(&assembly.parts, |_, part| part.body.aabb(&part.pose)).answers;
    if let Some((part, _)) = assembly.parts.iter().zip(&boxes).find(|(_, aabb)| !aabb.extent().is_finite()) {
        return Err(SceneError::NotANumber { name: part.name.clone() }.into());
    }
    let places = Places::of(assembly, &boxes, options);
    let mut candidates = near(&places, &boxes, options);
    candidates.extend(places.shared().into_iter().map(|place| [place, place]));
    candidates.retain(|pair| {
        let [a, b] = places.first_two(*pair);
        options.is_wanted(a, b)
    });
    let corners = assembly.parts.iter().map(|_| OnceLock::new()).collect();
    let contents = cache.is_some().then(|| Contents::of(&assembly.parts, options));
    let known = cache.as_deref().zip(contents.as_ref());
    let check = Check { assembly, options, boxes, corners, known };
    let done = AtomicUsize::new(0);
    let triangles = |pair: &[usize; 2]| -> usize {
        let of = |part: usize| assembly.parts[part].body.mesh().map_or(0, |mesh| mesh.triangles().len());
        places.first_two(*pair).map(of).iter().sum()
    };
    let total = candidates.iter().map(triangles).fold(0, usize::saturating_add);
    progress(0, total);
    let found = batch.each(&candidates, |work, pair| {
        let found = check.examine(places.first_two(*pair), work);
        let count = triangles(pair);
        progress(done.fetch_add(count, Ordering::Relaxed).saturating_add(count), total);
        found
    });
    let examined = candidates.iter().map(|pair| places.pairs(*pair)).sum();
    if let Some((cache, contents)) = cache.zip(contents.as_ref()) {
        let certain = candidates.iter().zip(&found.answers).filter_map(|(pair, answer)| {
            Some((contents.key(places.first_two(*pair)), answer.as_ref().ok()?.as_ref()))
        });
        *cache = Cache::of(certain);
    }
    let mut report =
        ClashReport { candidates: examined, statistics: found.statistics, ..ClashReport::default() };
    for (pair, answer) in candidates.into_iter().zip(found.answers) {
        match answer {
            Ok(None) => {}
            Ok(Some(clash)) => {
                if options.is_left_out(clash.a, clash.b, clash.kind, depth_of(&clash)) {
                    continue;
                }
                let before = report.clashes.len();
                report.clashes.extend(places.spread(&clash, pair));
                report.unlisted += places.pairs(pair) - (report.clashes.len() - before);
            }
            Err(Open) => report.undecided.extend(places.listed(pair)),
        }
    }
    report.clashes.sort_by_key(|clash| (clash.a, clash.b));
    report.undecided.sort_unstable();
    report.same_place = places.into_shared();
    Ok(report)
}

/// Pairs of places whose boxes have a point in common, sorted: wherever two parts are within their clearance, for each
/// box grows by half of the greatest clearance that applies to its part. Boxes of parts that are not wanted are empty.
fn near(places: &Places, boxes: &[Aabb], options: &ClashOptions) -> Vec<[usize; 2]> {
    let grown = |i: usize| {
        let margin = 0.5 * options.clearance_around(i) + options.deviation(i);
        match options.is_involved(i) {
            false => Aabb::EMPTY,
            true if margin > 0.0 => boxes[i].grown(margin),
            true => boxes[i],
        }
    };
    let pairs = candidate_pairs(&places.first_parts().map(grown).collect::<Vec<_>>());
    pairs.into_iter().map(|pair| pair.map(|i| i as usize)).collect()
}

/// The depth that rules about overlaps go by: parts without one count as deep.
fn depth_of(clash: &Clash) -> f64 {
    clash.depth.map_or(f64::INFINITY, |depth| depth.upper)
}

/// What the examination of all pairs has in common.
struct Check<'a> {
    assembly: &'a Assembly,
    options: &'a ClashOptions,
    boxes: Vec<Aabb>,
    corners: Vec<OnceLock<Option<Corners>>>,
    /// What is known of pairs, and how they are called there.
    known: Option<(&'a Cache, &'a Contents<'a>)>,
}

impl Check<'_> {
    /// The clash of two parts, if there is one, unless all kinds are ignored; an error if that is left open.
    fn examine(&self, [a, b]: [usize; 2], work: &mut Work<'_>) -> Result<Option<Clash>, Open> {
        let ignored = |kind: &ClashKind| self.options.is_ignored(a, b, *kind);
        if ClashKind::ALL.iter().all(ignored) {
            return Ok(None);
        }
        let known = self.known.and_then(|(cache, contents)| cache.get(contents.key([a, b]), [a, b]));
        known.map_or_else(|| self.examine_anew([a, b], work), Ok)
    }

    fn examine_anew(&self, [a, b]: [usize; 2], work: &mut Work<'_>) -> Result<Option<Clash>, Open> {
        let pair = Pair {
            a: self.posed(a),
            b: self.posed(b),
            numbers: [a, b],
            depth_measure: self.options.depth,
            clearance: self.options.clearance_between(a, b),
            touch: self.options.touch(),
            deviations: Deviations([a, b].map(|part| self.options.deviation(part))),
        };
        pair.examine(work)
    }

    fn posed(&self, i: usize) -> Posed<'_> {
        let Part { body, pose, .. } = &self.assembly.parts[i];
        Posed { body, pose, bounds: &self.boxes[i], corners: &self.corners[i] }
    }
}
