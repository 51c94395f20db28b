//! Clash detection: broad phase over boxes, then every candidate pair decided exactly.

use sudar::query::{Batch, Work};

use crate::bar::Bar;
use crate::cache::{Cache, Contents};
use crate::candidates::Candidates;
use crate::examine::Open;
use crate::found::Clash;
use crate::options::{ClashError, ClashOptions};
use crate::outline::are_alike;
use crate::part::Assembly;
use crate::parts::Parts;
use crate::report::ClashReport;

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
    let parts = Parts::of(&assembly.parts)?;
    let are_alike = |i: usize, j: usize| are_alike(&assembly.parts[i], &assembly.parts[j]);
    let candidates = Candidates::of(&parts.boxes, &are_alike, options);
    let contents = cache.is_some().then(|| Contents::of(&assembly.parts, options));
    let known = cache.as_deref().zip(contents.as_ref());
    let pairs: Vec<[usize; 2]> = candidates.all().collect();
    let bar = Bar::of(&pairs, |i| parts.triangles(i), progress);
    let found = batch.each(&pairs, |work, pair| {
        let found = examine(&parts, *pair, options, known, work);
        bar.advance(*pair);
        found
    });
    if let Some((cache, contents)) = cache.zip(contents.as_ref()) {
        let certain = pairs
            .iter()
            .zip(&found.answers)
            .filter_map(|(pair, answer)| Some((contents.key(*pair), answer.as_ref().ok()?.as_ref())));
        *cache = Cache::of(certain);
    }
    let answers = found.answers.into_iter().enumerate();
    let answers = answers.filter_map(|(i, answer)| Some((i, answer.transpose()?)));
    Ok(candidates.report(answers, options, found.statistics))
}

/// The clash of two parts, if there is one, unless all kinds are ignored; an error if that is left open.
fn examine(
    parts: &Parts<'_>,
    pair: [usize; 2],
    options: &ClashOptions,
    known: Option<(&Cache, &Contents<'_>)>,
    work: &mut Work<'_>,
) -> Result<Option<Clash>, Open> {
    if options.is_idle(pair) {
        return Ok(None);
    }
    let known = known.and_then(|(cache, contents)| cache.get(contents.key(pair), pair));
    known.map_or_else(|| parts.pair(pair, pair, &options.terms(pair)).examine(work), Ok)
}
