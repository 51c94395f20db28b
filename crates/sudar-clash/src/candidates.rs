//! The pairs of parts that have to be examined, and what their answers stand for.

use sudar::Aabb;
use sudar::broad::candidate_pairs;
use sudar::effort::Statistics;

use crate::examine::Open;
use crate::found::Clash;
use crate::options::ClashOptions;
use crate::report::ClashReport;
use crate::same_place::Places;

/// The pairs whose boxes are near each other, each place of several equal parts once.
#[derive(Debug)]
pub(crate) struct Candidates {
    places: Places,
    /// Pairs of places, sorted, then the places of several parts with themselves.
    pairs: Vec<[usize; 2]>,
}

impl Candidates {
    /// The candidates of parts with these boxes. O(n log n), and their number.
    pub fn of(boxes: &[Aabb], are_alike: &dyn Fn(usize, usize) -> bool, options: &ClashOptions) -> Self {
        let places = Places::of(boxes, are_alike, options);
        let mut pairs = near(&places, boxes, options);
        pairs.extend(places.shared().into_iter().map(|place| [place, place]));
        pairs.retain(|pair| {
            let [a, b] = places.first_two(*pair);
            options.is_wanted(a, b)
        });
        Self { places, pairs }
    }

    /// The parts that stand for each candidate.
    pub fn all(&self) -> impl ExactSizeIterator<Item = [usize; 2]> + '_ {
        self.pairs.iter().map(|pair| self.places.first_two(*pair))
    }

    /// The report, given what was found of candidates by their numbers, in order; of those left out nothing was found.
    pub fn report(
        self,
        found: impl IntoIterator<Item = (usize, Result<Clash, Open>)>,
        options: &ClashOptions,
        statistics: Statistics,
    ) -> ClashReport {
        let candidates = self.pairs.iter().map(|pair| self.places.pairs(*pair)).sum();
        let mut report = ClashReport { candidates, statistics, ..ClashReport::default() };
        for (candidate, answer) in found {
            let pair = self.pairs[candidate];
            match answer {
                Ok(clash) if options.is_left_out(clash.a, clash.b, clash.kind, depth_of(&clash)) => {}
                Ok(clash) => {
                    let before = report.clashes.len();
                    report.clashes.extend(self.places.spread(&clash, pair));
                    report.unlisted += self.places.pairs(pair) - (report.clashes.len() - before);
                }
                Err(Open) => report.undecided.extend(self.places.listed(pair)),
            }
        }
        report.clashes.sort_by_key(|clash| (clash.a, clash.b));
        report.undecided.sort_unstable();
        report.same_place = self.places.into_shared();
        report
    }
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
